/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of both kinds, and all that they wait for. Prints what holds whatever the order of threads is. */
#include <errno.h>
#include <pthread.h>
#include <qurt.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 5
#define TIMES 1000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t full, empty;
static int counter, turns, inits, destroyed, serials, sum;
static _Thread_local int own = 7;
static _Thread_local char zeros[100];
static volatile int lanes[THREADS];

static void init(void)
{
	inits++;
}

static void destroy(void *value)
{
	__atomic_fetch_add(&destroyed, (int)(intptr_t)value, __ATOMIC_RELAXED);
}

static void *work(void *arg)
{
	int number = (int)(intptr_t)arg;
	char *mine = malloc(100);

	pthread_once(&once, init);
	pthread_setspecific(key, (void *)(intptr_t)(number + 1));
	memset(mine, number, 100);
	if (own != 7 || zeros[50])
		return (void *)-1;
	own = number;
	errno = number;
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
	}
	lanes[number] = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		__atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		if (!lanes[i])
			return (void *)-2;
	/* one after the other */
	pthread_mutex_lock(&mutex);
	while (turns != number)
		pthread_cond_wait(&cond, &mutex);
	turns++;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	if (own != number || errno != number || mine[99] != number || (intptr_t)pthread_getspecific(key) != number + 1)
		return (void *)-3;
	free(mine);
	if (number % 2)
		pthread_exit((void *)(intptr_t)(number * 10));
	return (void *)(intptr_t)(number * 10);
}

static void *consume(void *arg)
{
	(void)arg;
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&full);
		sum++;
		sem_post(&empty);
	}
	return NULL;
}

static void posix(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t again;
	pthread_rwlock_t lock;
	pthread_t thread[THREADS], consumer;
	pthread_attr_t detached;
	int wrong = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	pthread_key_create(&key, destroy);
	for (intptr_t i = 0; i < THREADS; i++)
		wrong += pthread_create(&thread[i], NULL, work, (void *)i);
	for (intptr_t i = 0; i < THREADS; i++) {
		void *result;

		wrong += pthread_join(thread[i], &result);
		wrong += (intptr_t)result != i * 10;
	}
	printf("%d %d %d %d %d %d\n", wrong, counter, turns, inits, destroyed, serials);
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 3);
	pthread_create(&consumer, NULL, consume, NULL);
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&empty);
		sem_post(&full);
	}
	pthread_join(consumer, NULL);
	printf("%d %d\n", sum, sem_trywait(&full) == -1 && errno == EAGAIN);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&again, &attr);
	printf("%d%d%d%d ", pthread_mutex_lock(&again), pthread_mutex_lock(&again), pthread_mutex_trylock(&again), again.count);
	printf("%d%d%d %d\n", pthread_mutex_unlock(&again), pthread_mutex_unlock(&again), pthread_mutex_unlock(&again),
	       pthread_mutex_unlock(&again) == EPERM);
	/* many readers or one writer */
	pthread_rwlock_init(&lock, NULL);
	printf("%d%d%d ", pthread_rwlock_rdlock(&lock), pthread_rwlock_tryrdlock(&lock), pthread_rwlock_trywrlock(&lock) == EBUSY);
	printf("%d%d%d ", pthread_rwlock_unlock(&lock), pthread_rwlock_trywrlock(&lock) == EBUSY, pthread_rwlock_unlock(&lock));
	printf("%d%d", pthread_rwlock_wrlock(&lock), pthread_rwlock_tryrdlock(&lock) == EBUSY);
	printf("%d%d\n", pthread_rwlock_unlock(&lock), pthread_rwlock_destroy(&lock));
	/* their memory is used again */
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&detached, 1 << 20);
	sum = 0;
	sem_init(&empty, 0, 0);
	for (int i = 0; i < 40; i++) {
		for (int j = 0; j < TIMES; j++)
			sem_post(&full);
		wrong += pthread_create(&consumer, &detached, consume, NULL);
		for (int j = 0; j < TIMES; j++)
			sem_wait(&empty);
	}
	printf("%d %d\n", wrong, sum);
}

/* ---- QuRT's */

static qurt_mutex_t qmutex;
static qurt_barrier_t qbarrier;
static qurt_signal_t signals;
static qurt_sem_t qsem;
static int qcounter, together;

static void qwork(void *arg)
{
	int number = (int)(intptr_t)arg;

	for (int i = 0; i < TIMES; i++) {
		qurt_mutex_lock(&qmutex);
		qcounter++;
		qurt_mutex_unlock(&qmutex);
	}
	if (qurt_barrier_wait(&qbarrier) == QURT_BARRIER_SERIAL_THREAD)
		together++;
	qurt_signal_set(&signals, 1u << number);
	qurt_sem_down(&qsem);
	qurt_thread_exit(number + 100);
}

static void qurt(void)
{
	qurt_thread_t id[THREADS];
	static char stack[16384] __attribute__((aligned(16)));
	int wrong = 0;

	qurt_mutex_init(&qmutex);
	qurt_barrier_init(&qbarrier, THREADS);
	qurt_signal_init(&signals);
	qurt_sem_init_val(&qsem, 0);
	for (int i = 0; i < THREADS; i++) {
		qurt_thread_attr_t attr;

		qurt_thread_attr_init(&attr);
		qurt_thread_attr_set_name(&attr, "a name that is longer than fits");
		qurt_thread_attr_set_stack_size(&attr, 16384);
		if (!i)
			qurt_thread_attr_set_stack_addr(&attr, stack);
		qurt_thread_attr_set_priority(&attr, 100 + i);
		wrong += qurt_thread_create(&id[i], &attr, qwork, (void *)(intptr_t)i) != QURT_EOK;
	}
	qurt_signal_wait(&signals, 3, QURT_SIGNAL_ATTR_WAIT_ANY);
	wrong += qurt_signal_wait_all(&signals, (1 << THREADS) - 1) != (1 << THREADS) - 1;
	qurt_signal_clear(&signals, 1);
	wrong += qurt_signal_get(&signals) != (1 << THREADS) - 2;
	qurt_sem_add(&qsem, THREADS);
	for (int i = 0; i < THREADS; i++) {
		int status;

		wrong += qurt_thread_join(id[i], &status) != QURT_EOK || status != i + 100;
	}
	wrong += qurt_thread_join(id[0], NULL) != QURT_ENOTHREAD;
	printf("%d %d %d\n", wrong, qcounter, together);
}

int main(void)
{
	posix();
	qurt();
	return 0;
}
