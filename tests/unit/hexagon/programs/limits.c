/* SPDX-License-Identifier: GPL-2.0-only */
/* Six threads that something else than their work limits: LIMIT is mutex, barrier or contexts. */
#include <qurt.h>

#define THREADS 6

enum { mutex, barrier, contexts };

static qurt_mutex_t lock;
static qurt_barrier_t all;

/* So many packets. */
static void work(unsigned int packets)
{
	__asm__ volatile ("loop0(1f,%0)\n1:\n{ r8 = add(r8,#1)\n nop }:endloop0" : : "r" (packets) : "r8", "sa0", "lc0");
}

/* Each with a vector instruction. */
static void vector_work(unsigned int packets)
{
	__asm__ volatile ("loop0(1f,%0)\n1:\n{ v0.w = vadd(v1.w,v2.w)\n nop }:endloop0" : : "r" (packets) : "sa0", "lc0", "v0");
}

static void run(void *arg)
{
	int number = (int)(long)arg;

	if (LIMIT == contexts)
		vector_work(300000);
	for (int i = 0; LIMIT == mutex && i < 200; i++) {
		qurt_mutex_lock(&lock);
		work(2000);
		qurt_mutex_unlock(&lock);
	}
	for (int i = 0; LIMIT == barrier && i < 20; i++) {
		work(10000 * (number + 1));
		qurt_barrier_wait(&all);
	}
}

int main(void)
{
	qurt_thread_t thread[THREADS];
	qurt_thread_attr_t attr;

	qurt_mutex_init(&lock);
	qurt_barrier_init(&all, THREADS);
	qurt_thread_attr_init(&attr);
	qurt_thread_attr_set_stack_size(&attr, 8192);
	for (long i = 1; i < THREADS; i++)
		if (qurt_thread_create(&thread[i], &attr, run, (void *)i) != QURT_EOK)
			return 1;
	run(NULL);
	for (int i = 1; i < THREADS; i++)
		qurt_thread_join(thread[i], NULL);
	return 0;
}
