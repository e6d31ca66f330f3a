/* SPDX-License-Identifier: GPL-2.0-only */
/* Fills an array, and lets four threads add its quarters: times itself, and marks both phases. */
#include <HAP_perf.h>
#include <mon.h>
#include <qurt.h>
#include <stdio.h>

#define THREADS 4
#define LENGTH 4096

static struct part {
	int sum;
	int number[LENGTH];
} part[THREADS];

static void add(void *arg)
{
	struct part *p = arg;

	for (int i = 0; i < LENGTH; i++)
		p->sum += p->number[i];
}

int main(void)
{
	unsigned long long start = HAP_perf_get_pcycles();
	qurt_thread_t thread[THREADS];
	qurt_thread_attr_t attr;
	int sum = 0;

	mon_mark("fill");
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < LENGTH; i++)
			part[t].number[i] = t * LENGTH + i;
	mon_mark("add");
	qurt_thread_attr_init(&attr);
	qurt_thread_attr_set_stack_size(&attr, 8192);
	for (int t = 0; t < THREADS; t++)
		if (qurt_thread_create(&thread[t], &attr, add, &part[t]) != QURT_EOK)
			return 1;
	for (int t = 0; t < THREADS; t++) {
		qurt_thread_join(thread[t], NULL);
		sum += part[t].sum;
	}
	mon_mark(NULL);
	/* 0 + 1 + ... + 16383 */
	printf("sum: %d\n%llu cycles\n", sum, HAP_perf_get_pcycles() - start);
	return sum == 16384 / 2 * 16383 ? 0 : 1;
}
