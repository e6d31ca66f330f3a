// SPDX-License-Identifier: GPL-2.0-only
/* Inclusive scans of the tasklets' parts; it prints each tasklet's last sum. */
#include <alloc.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT 65536
#define BLOCK 128

__mram_noinit uint64_t input[COUNT], output[COUNT];
MUTEX_INIT(print);

static uint64_t __noinline scan(uint64_t *to, const uint64_t *from, uint64_t sum)
{
	for (uint32_t i = 0; i < BLOCK; i++) {
		sum += from[i];
		to[i] = sum;
	}
	return sum;
}

int main(void)
{
	uint64_t *in = mem_alloc(BLOCK * sizeof(*in)), *out = mem_alloc(BLOCK * sizeof(*out)), sum = 0;

	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		for (uint32_t i = 0; i < BLOCK; i++)
			in[i] = (uint64_t)(at + i) * 0x10001;
		mram_write(in, &input[at], BLOCK * sizeof(*in));
	}
	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK)
		for (uint32_t round = 0; round < 16; round++) {
			mram_read(&input[at], in, BLOCK * sizeof(*in));
			sum = scan(out, in, sum);
			mram_write(out, &output[at], BLOCK * sizeof(*out));
		}
	mutex_lock(print);
	printf("%u %lu\n", me(), sum);
	mutex_unlock(print);
	return 0;
}
