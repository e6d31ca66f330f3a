/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two functions that each wait for the same number of conflict misses: nine lines that are 4 KiB apart share a set of eight ways in
 * the L1D. While first() waits, main computes; while second() waits, no other thread runs. docs/hexagon.md finds both.
 */
#include <pthread.h>
#include <stdio.h>

#define ROWS 9
#ifndef ROW
#define ROW 1024	/* words: the size of the L1D, divided by its ways */
#endif
#define ROUNDS 500

static volatile int a[ROWS][ROW] __attribute__((aligned(4096))), b[ROWS][ROW] __attribute__((aligned(4096)));

static __attribute__((noinline)) int first(void)
{
	int sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < ROWS; i++)
			sum += a[i][0];
	return sum;
}

static __attribute__((noinline)) int second(void)
{
	int sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < ROWS; i++)
			sum += b[i][0];
	return sum;
}

static __attribute__((noinline)) void compute(void)
{
	for (int i = 0; i < 100000; i++)
		__asm__ volatile ("" : "+r" (i));
}

static void *child(void *result)
{
	*(int *)result = first();
	return NULL;
}

int main(void)
{
	int result = 1;
	pthread_t thread;

	if (pthread_create(&thread, NULL, child, &result))
		return 1;
	compute();
	pthread_join(thread, NULL);
	printf("sums: %d %d\n", result, second());
	return 0;
}
