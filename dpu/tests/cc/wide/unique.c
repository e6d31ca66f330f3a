// SPDX-License-Identifier: GPL-2.0-only
/* Each tasklet writes the first of equal neighbours of its part; it prints how many there are, and their sum. */
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT 32768
#define BLOCK 128
#define ROUNDS 4

__mram_noinit uint64_t input[COUNT], output[COUNT];
uint32_t counts[NR_TASKLETS];
uint64_t sums[NR_TASKLETS];
BARRIER_INIT(ready, NR_TASKLETS);

/* Values that differ in one half or the other, each one once or twice. */
static void __noinline fill(uint64_t *block, uint32_t first)
{
	for (uint32_t i = 0; i < BLOCK; i++)
		block[i] = (uint64_t)((first + i) & ~7) << 32 | ((first + i) & 7) * 3 / 4;
	mram_write(block, &input[first], BLOCK * sizeof(*block));
}

static uint32_t __noinline unique(uint64_t *to, const uint64_t *from)
{
	uint32_t n = 0;

	to[n++] = from[0];
	for (uint32_t i = 1; i < BLOCK; i++)
		if (from[i] != from[i - 1])
			to[n++] = from[i];
	return n;
}

static uint64_t __noinline add_up(const uint64_t *block, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += block[i];
	return sum;
}

int main(void)
{
	uint64_t *in = mem_alloc(BLOCK * sizeof(*in)), *out = mem_alloc(BLOCK * sizeof(*out));

	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK)
		fill(in, at);
	barrier_wait(&ready);
	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		uint32_t n = 0;

		mram_read(&input[at], in, BLOCK * sizeof(*in));
		for (uint32_t round = 0; round < ROUNDS; round++)
			n = unique(out, in);
		mram_write(out, &output[at], BLOCK * sizeof(*out));
		counts[me()] += n;
		sums[me()] += add_up(out, n);
	}
	barrier_wait(&ready);
	if (me() == 0) {
		uint32_t count = 0;
		uint64_t sum = 0;

		for (uint32_t i = 0; i < NR_TASKLETS; i++) {
			count += counts[i];
			sum += sums[i];
		}
		printf("%u %lu\n", count, sum);
	}
	return 0;
}
