/* SPDX-License-Identifier: MIT */
/* QuRT's functions, on pthread's. */
#include <errno.h>
#include <limits.h>
#include <qurt.h>
#include <string.h>
#include <unistd.h>

#include "system.h"

/* ---- threads */

/* What a thread is called with, and its end. Its id is its place + 1. */
#define MAX_THREADS 256
static struct {
	int used;
	pthread_t thread;
	void (*entry)(void *);
	void *arg;
} threads[MAX_THREADS];
static int lock;
static _Thread_local qurt_thread_t own_id;

void qurt_thread_attr_init(qurt_thread_attr_t *attr)
{
	*attr = (qurt_thread_attr_t){ .priority = QURT_THREAD_ATTR_PRIORITY_DEFAULT };
}

void qurt_thread_attr_set_name(qurt_thread_attr_t *attr, const char *name)
{
	strncpy(attr->name, name, sizeof(attr->name) - 1);
}

void qurt_thread_attr_set_priority(qurt_thread_attr_t *attr, unsigned short priority)
{
	attr->priority = priority;
}

void qurt_thread_attr_set_stack_addr(qurt_thread_attr_t *attr, void *stack)
{
	attr->stack_addr = stack;
}

void qurt_thread_attr_set_stack_size(qurt_thread_attr_t *attr, unsigned int size)
{
	attr->stack_size = size;
}

static int new_thread(void)
{
	int i = 0;

	__lock(&lock);
	while (i < MAX_THREADS && threads[i].used)
		i++;
	if (i < MAX_THREADS)
		threads[i].used = 1;
	__unlock(&lock);
	return i < MAX_THREADS ? i : -1;
}

static void *run(void *at)
{
	own_id = (uintptr_t)at;
	threads[own_id - 1].entry(threads[own_id - 1].arg);
	return NULL;
}

int qurt_thread_create(qurt_thread_t *id, qurt_thread_attr_t *attr, void (*entry)(void *), void *arg)
{
	pthread_attr_t how = { .size = attr->stack_size, .stack = attr->stack_addr };
	int i = new_thread();

	if (i < 0)
		return QURT_EFATAL;
	threads[i].entry = entry;
	threads[i].arg = arg;
	*id = i + 1;
	if (pthread_create(&threads[i].thread, &how, run, (void *)(uintptr_t)(i + 1))) {
		threads[i].used = 0;
		return QURT_EFATAL;
	}
	return QURT_EOK;
}

/* 0: the first thread. */
qurt_thread_t qurt_thread_get_id(void)
{
	return own_id;
}

int qurt_thread_join(qurt_thread_t id, int *status)
{
	void *result;

	if (!id || id > MAX_THREADS || !threads[id - 1].used)
		return QURT_ENOTHREAD;
	if (pthread_join(threads[id - 1].thread, &result))
		return QURT_EINVALID;
	if (status)
		*status = (intptr_t)result;
	__atomic_store_n(&threads[id - 1].used, 0, __ATOMIC_RELEASE);
	return QURT_EOK;
}

/* ---- mutexes */

void qurt_mutex_init(qurt_mutex_t *mutex)
{
	pthread_mutex_init(mutex, NULL);
}

int qurt_mutex_try_lock(qurt_mutex_t *mutex)
{
	return pthread_mutex_trylock(mutex) ? QURT_EFATAL : QURT_EOK;
}

void qurt_rmutex_init(qurt_mutex_t *mutex)
{
	const pthread_mutexattr_t again = { PTHREAD_MUTEX_RECURSIVE };

	pthread_mutex_init(mutex, &again);
}

/* ---- semaphores, conditions, barriers */

void qurt_sem_init(qurt_sem_t *sem)
{
	sem_init(sem, 0, 1);
}

void qurt_sem_init_val(qurt_sem_t *sem, unsigned short value)
{
	sem_init(sem, 0, value);
}

int qurt_sem_add(qurt_sem_t *sem, unsigned int n)
{
	while (n--)
		sem_post(sem);
	return QURT_EOK;
}

int qurt_sem_try_down(qurt_sem_t *sem)
{
	return sem_trywait(sem);
}

void qurt_cond_init(qurt_cond_t *cond)
{
	pthread_cond_init(cond, NULL);
}

int qurt_barrier_init(qurt_barrier_t *barrier, unsigned int n)
{
	return pthread_barrier_init(barrier, NULL, n) ? QURT_EINVALID : QURT_EOK;
}

int qurt_barrier_wait(qurt_barrier_t *barrier)
{
	return pthread_barrier_wait(barrier) ? QURT_BARRIER_SERIAL_THREAD : QURT_BARRIER_OTHER;
}

/* ---- signals */

void qurt_signal_init(qurt_signal_t *signal)
{
	signal->signals = 0;
}

void qurt_signal_set(qurt_signal_t *signal, unsigned int mask)
{
	__atomic_fetch_or(&signal->signals, mask, __ATOMIC_RELEASE);
	__wake(&signal->signals, INT_MAX);
}

void qurt_signal_clear(qurt_signal_t *signal, unsigned int mask)
{
	__atomic_fetch_and(&signal->signals, ~mask, __ATOMIC_RELAXED);
}

unsigned int qurt_signal_get(qurt_signal_t *signal)
{
	return __atomic_load_n(&signal->signals, __ATOMIC_ACQUIRE);
}

/* Returns all signals that are set; the caller clears them. */
unsigned int qurt_signal_wait(qurt_signal_t *signal, unsigned int mask, unsigned int attribute)
{
	for (;;) {
		unsigned int now = qurt_signal_get(signal);

		if (attribute == QURT_SIGNAL_ATTR_WAIT_ALL ? (now & mask) == mask : now & mask)
			return now;
		__wait(&signal->signals, now);
	}
}

unsigned int qurt_signal_wait_any(qurt_signal_t *signal, unsigned int mask)
{
	return qurt_signal_wait(signal, mask, QURT_SIGNAL_ATTR_WAIT_ANY);
}

unsigned int qurt_signal_wait_all(qurt_signal_t *signal, unsigned int mask)
{
	return qurt_signal_wait(signal, mask, QURT_SIGNAL_ATTR_WAIT_ALL);
}

/* These return what was set before. */
unsigned int qurt_anysignal_set(qurt_anysignal_t *signal, unsigned int mask)
{
	unsigned int before = __atomic_fetch_or(&signal->signals, mask, __ATOMIC_RELEASE);

	__wake(&signal->signals, INT_MAX);
	return before;
}

unsigned int qurt_anysignal_clear(qurt_anysignal_t *signal, unsigned int mask)
{
	return __atomic_fetch_and(&signal->signals, ~mask, __ATOMIC_RELAXED);
}

int qurt_timer_sleep(unsigned long long us)
{
	return usleep(us);
}

int qurt_hvx_lock(int mode)
{
	return mode == QURT_HVX_MODE_128B ? QURT_EOK : QURT_EFATAL;
}

int qurt_hvx_unlock(void)
{
	return QURT_EOK;
}

int qurt_hvx_get_mode(void)
{
	return QURT_HVX_MODE_128B;
}

/* Bytes of a line of the data cache. */
#define LINE 32

int qurt_mem_cache_clean(qurt_addr_t at, qurt_size_t size, qurt_mem_cache_op_t operation, qurt_mem_cache_type_t type)
{
	if (type != QURT_MEM_DCACHE || operation > QURT_MEM_CACHE_FLUSH_INVALIDATE)
		return QURT_EINVALID;
	for (qurt_addr_t line = at & -LINE; line < at + size; line += LINE) {
		if (operation == QURT_MEM_CACHE_FLUSH)
			__asm__ volatile ("dccleana(%0)" : : "r" (line) : "memory");
		else
			__asm__ volatile ("dccleaninva(%0)" : : "r" (line) : "memory");
	}
	return QURT_EOK;
}

int qurt_futex_wait(void *word, int value)
{
	__wait(word, value);
	return QURT_EOK;
}

int qurt_futex_wake(void *word, int n)
{
	__wake(word, n);
	return QURT_EOK;
}
