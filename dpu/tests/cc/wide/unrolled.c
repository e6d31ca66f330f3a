// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels whose loops over blocks of 64-bit values are unrolled, called through a table: scan, add and unique, as
 * benchmarks of prefix sums and of stream compaction have them. It prints the sum of each kernel's results.
 */
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT 32768
#define BLOCK 128			/* 1 << 10 bytes */

__mram_noinit int64_t input[COUNT], output[COUNT];
int64_t results[3][NR_TASKLETS];
static int64_t *in_of[NR_TASKLETS], *out_of[NR_TASKLETS];
static struct { int64_t first, all[BLOCK]; } last;	/* of what tasklet 0 wrote */
BARRIER_INIT(ready, NR_TASKLETS);

static int64_t scan(int64_t *to, const int64_t *from)
{
	to[0] = from[0];
#pragma unroll
	for (uint32_t i = 1; i < BLOCK; i++)
		to[i] = to[i - 1] + from[i];
	return to[BLOCK - 1];
}

static void add(int64_t *to, int64_t value)
{
#pragma unroll
	for (uint32_t i = 0; i < BLOCK; i++)
		to[i] += value;
}

static uint32_t unique(int64_t *to, const int64_t *from)
{
	uint32_t n = 0;

	to[n++] = from[0];
#pragma unroll
	for (uint32_t i = 1; i < BLOCK; i++)
		if (from[i] != from[i - 1])
			to[n++] = from[i];
	return n;
}

static int scan_all(void)
{
	int64_t *in = in_of[me()], *out = out_of[me()], sum = 0;

	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		mram_read(&input[at], in, BLOCK * sizeof(*in));
		sum += scan(out, in);
		barrier_wait(&ready);
		mram_write(out, &output[at], BLOCK * sizeof(*out));
	}
	results[0][me()] = sum;
	return 0;
}

static int add_all(void)
{
	int64_t *block = out_of[me()], sum = 0;

	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		mram_read(&output[at], block, BLOCK * sizeof(*block));
		add(block, (int64_t)at << 32 | me());
		mram_write(block, &output[at], BLOCK * sizeof(*block));
		sum += block[0] + block[BLOCK - 1];
	}
	results[1][me()] = sum;
	return 0;
}

static int unique_all(void)
{
	int64_t *in = in_of[me()], *out = out_of[me()], sum = 0;

	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		mram_read(&input[at], in, BLOCK * sizeof(*in));
		sum += unique(out, in);
		mram_write(out, &output[at], BLOCK * sizeof(*out));
		if (!me())
			unique(last.all, in);	/* a variable, not a pointer */
	}
	results[2][me()] = sum;
	return 0;
}

int (*const kernels[])(void) = { scan_all, add_all, unique_all };
volatile uint32_t first;

int main(void)
{
	int64_t *block;

	if (!me())
		mem_reset();
	barrier_wait(&ready);
	block = in_of[me()] = mem_alloc(BLOCK * sizeof(*block));
	out_of[me()] = mem_alloc(BLOCK * sizeof(*block));
	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		for (uint32_t i = 0; i < BLOCK; i++)
			block[i] = (int64_t)(i / 2) << 32 | i / 2;
		mram_write(block, &input[at], BLOCK * sizeof(*block));
	}
	for (uint32_t k = first; k < 3; k++) {
		barrier_wait(&ready);
		kernels[k]();
	}
	barrier_wait(&ready);
	for (uint32_t k = 0; !me() && k < 3; k++) {
		int64_t sum = 0;

		for (uint32_t i = 0; i < NR_TASKLETS; i++)
			sum += results[k][i];
		printf("%lu ", sum);
	}
	if (!me())
		printf("%lu\n", last.all[BLOCK / 2 - 1]);
	return 0;
}
