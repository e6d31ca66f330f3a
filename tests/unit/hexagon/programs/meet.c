/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hexagon programs whose threads meet: meet NUMBER [ROUNDS]. Each thread works for a length of its own, with loads that miss, so
 * that which of two comes first changes all the time. Prints a sum, which each program has in only one way.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define MANY 8	/* more than the core has */
#define LINES 4096
#define PAUSE() __asm__ volatile ("pause(#8)")

static struct {
	volatile unsigned int word;
	unsigned int rest[15];
} lines[THREADS][LINES];	/* 64 bytes each: every load misses */
static unsigned int shared, rounds;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, forks[MANY] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphores[MANY];

/* Of a thread, in round n: up to 60 packets of computing, and a miss in every third round. */
static void work(unsigned int self, unsigned int n)
{
	for (unsigned int i = (self * 7 + n * 11) % 31; i; i--)
		__asm__ volatile ("nop");
	if (n % 3 == self % 3)
		lines[self % THREADS][n * 5 % LINES].word;
}

/* ---- what sleeps */

static void *locks(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		pthread_mutex_lock(&mutex);
		shared++;
		work(self, n);
		pthread_mutex_unlock(&mutex);
		work(self + 1, n);
	}
	return NULL;
}

static void *tries(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		while (pthread_mutex_trylock(&mutex))
			sched_yield();
		shared++;
		work(self, n);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *ring(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		sem_wait(&semaphores[self]);
		shared++;
		work(self, n);
		sem_post(&semaphores[(self + 1) % THREADS]);
		work(self, n + 1);
	}
	return NULL;
}

/* Two at a time. */
static void *pool(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		sem_wait(&semaphores[0]);
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
		work(self, n);
		sem_post(&semaphores[0]);
	}
	return NULL;
}

static void *meets(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		work(self, n);
		if (pthread_barrier_wait(&barrier))
			shared++;
	}
	return NULL;
}

static void *in_turn(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		pthread_mutex_lock(&mutex);
		while (shared % THREADS != self)
			pthread_cond_wait(&changed, &mutex);
		shared++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
		work(self, n);
	}
	return NULL;
}

/* Threads 0 and 1 fill a buffer of three places, the others empty it. */
static void *buffers(void *arg)
{
	unsigned int self = (unsigned int)arg;
	static unsigned int full;

	for (unsigned int n = 0; n < rounds; n++) {
		work(self, n);
		pthread_mutex_lock(&mutex);
		if (self < 2) {
			while (full == 3)
				pthread_cond_wait(&emptied, &mutex);
			full++;
			pthread_cond_signal(&changed);
		} else {
			while (!full)
				pthread_cond_wait(&changed, &mutex);
			full--;
			shared++;
			pthread_cond_signal(&emptied);
		}
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Many readers or one writer. */
static void *reads(void *arg)
{
	unsigned int self = (unsigned int)arg;
	static int readers;

	for (unsigned int n = 0; n < rounds; n++) {
		int writes = n % THREADS == self;

		pthread_mutex_lock(&mutex);
		while (readers < 0 || (writes && readers))
			pthread_cond_wait(&changed, &mutex);
		readers += writes ? -1 : 1;
		shared += writes;
		pthread_mutex_unlock(&mutex);
		work(self, n);
		pthread_mutex_lock(&mutex);
		readers -= writes ? -1 : 1;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Philosophers. */
static void *eats(void *arg)
{
	unsigned int self = (unsigned int)arg, next = (self + 1) % THREADS;

	for (unsigned int n = 0; n < rounds; n++) {
		pthread_mutex_lock(&forks[self < next ? self : next]);
		pthread_mutex_lock(&forks[self < next ? next : self]);
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
		work(self, n);
		pthread_mutex_unlock(&forks[next]);
		pthread_mutex_unlock(&forks[self]);
	}
	return NULL;
}

static void *leaf(void *arg)
{
	work((unsigned int)arg, 5);
	pthread_mutex_lock(&mutex);
	shared++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* Starts threads of its own and waits for them. */
static void *starts(void *arg)
{
	pthread_t thread[1];

	for (unsigned int n = 0; n < rounds / 10; n++) {
		work((unsigned int)arg, n);
		if (pthread_create(&thread[0], NULL, leaf, arg))
			abort();
		locks(arg);
		pthread_join(thread[0], NULL);
	}
	return NULL;
}

/* ---- what spins */

static void *passes(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		while (__atomic_load_n(&shared, __ATOMIC_ACQUIRE) % 3 != self)
			;
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void *passes_and_works(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		while (__atomic_load_n(&shared, __ATOMIC_ACQUIRE) % THREADS != self)
			PAUSE();
		work(self, n);
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELEASE);
		work(self, n + 1);
	}
	return NULL;
}

static void *adds(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
		work(self, n);
	}
	return NULL;
}

static unsigned int ticket, served;

static void *takes_tickets(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		unsigned int mine = __atomic_fetch_add(&ticket, 1, __ATOMIC_RELAXED);

		while (__atomic_load_n(&served, __ATOMIC_ACQUIRE) != mine)
			;
		shared++;
		work(self, n);
		__atomic_store_n(&served, mine + 1, __ATOMIC_RELEASE);
		work(self, n + 1);
	}
	return NULL;
}

/* A lock that is taken by an exchange. */
static void *exchanges(void *arg)
{
	unsigned int self = (unsigned int)arg;

	for (unsigned int n = 0; n < rounds; n++) {
		while (__atomic_exchange_n(&ticket, 1, __ATOMIC_ACQUIRE))
			;
		shared++;
		work(self, n);
		__atomic_store_n(&ticket, 0, __ATOMIC_RELEASE);
		work(self, n + 1);
	}
	return NULL;
}

static void *spins_at_barrier(void *arg)
{
	unsigned int self = (unsigned int)arg;
	static unsigned int arrived, phase;

	for (unsigned int n = 0; n < rounds; n++) {
		work(self, n);
		if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == THREADS) {
			arrived = 0;
			shared++;
			__atomic_store_n(&phase, n + 1, __ATOMIC_RELEASE);
		}
		while (__atomic_load_n(&phase, __ATOMIC_ACQUIRE) == n)
			;
	}
	return NULL;
}

/* Two pairs of threads with a queue of eight places each; the first fills slowly, the second empties slowly. */
static void *queues(void *arg)
{
	unsigned int self = (unsigned int)arg;
	static struct queue {
		unsigned int head, tail, item[8];
	} queues[2];
	struct queue *q = &queues[self / 2];

	for (unsigned int n = 0; n < rounds; n++) {
		work(self, n);
		if (self % 2) {
			while (__atomic_load_n(&q->head, __ATOMIC_ACQUIRE) == __atomic_load_n(&q->tail, __ATOMIC_ACQUIRE))
				;
			__atomic_fetch_add(&shared, q->item[n % 8], __ATOMIC_RELAXED);
			__atomic_store_n(&q->tail, n + 1, __ATOMIC_RELEASE);
		} else {
			while (n - __atomic_load_n(&q->tail, __ATOMIC_ACQUIRE) == 8)
				;
			q->item[n % 8] = 1;
			__atomic_store_n(&q->head, n + 1, __ATOMIC_RELEASE);
		}
		if (self % 3 == 0)
			work(self, n + 1);
	}
	return NULL;
}

/* Thread 0 writes two words that belong together, the others read until they have them. */
static void *sequence(void *arg)
{
	unsigned int self = (unsigned int)arg;
	static volatile unsigned int number, a, b;

	for (unsigned int n = 0; n < rounds; n++) {
		unsigned int before, first, second;

		if (!self) {
			__atomic_store_n(&number, 2 * n + 1, __ATOMIC_SEQ_CST);
			a = n;
			work(self, n);
			b = n;
			__atomic_store_n(&number, 2 * n + 2, __ATOMIC_SEQ_CST);
			work(self, n + 1);
			continue;
		}
		do {
			before = __atomic_load_n(&number, __ATOMIC_SEQ_CST);
			first = a;
			second = b;
		} while (before % 2 || before != __atomic_load_n(&number, __ATOMIC_SEQ_CST));
		__atomic_fetch_add(&shared, first == second, __ATOMIC_RELAXED);
		work(self, n);
	}
	return NULL;
}

static const struct {
	void *(*run)(void *);
	unsigned int threads, rounds;
	unsigned int tokens;	/* of the first semaphore */
} programs[] = {
	{ locks, 4, 400, 0 },		/* the review's */
	{ locks, 2, 300, 0 },
	{ locks, MANY, 100, 0 },
	{ tries, 3, 100, 0 },
	{ ring, THREADS, 100, 1 },
	{ ring, THREADS, 100, 2 },
	{ pool, 5, 100, 2 },
	{ meets, 4, 100, 0 },
	{ in_turn, THREADS, 50, 0 },
	{ buffers, 4, 100, 0 },
	{ reads, THREADS, 50, 0 },
	{ eats, THREADS, 100, 0 },
	{ starts, 3, 40, 0 },
	{ passes, 3, 300, 0 },		/* the review's */
	{ passes_and_works, THREADS, 100, 0 },
	{ adds, 5, 200, 0 },
	{ takes_tickets, 4, 100, 0 },
	{ exchanges, 4, 100, 0 },
	{ spins_at_barrier, THREADS, 100, 0 },
	{ queues, 4, 200, 0 },
	{ sequence, 3, 200, 0 },
};

int main(int argc, char **argv)
{
	unsigned int number = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	pthread_t thread[MANY];

	if (number >= sizeof(programs) / sizeof(programs[0]))
		return 2;
	rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : programs[number].rounds;
	pthread_barrier_init(&barrier, NULL, programs[number].threads);
	for (unsigned int i = 0; i < MANY; i++)
		sem_init(&semaphores[i], 0, i ? 0 : programs[number].tokens);
	for (unsigned int i = 0; i < programs[number].threads; i++)
		if (pthread_create(&thread[i], NULL, programs[number].run, (void *)i))
			return 1;
	for (unsigned int i = 0; i < programs[number].threads; i++)
		pthread_join(thread[i], NULL);
	printf("%u\n", shared);
	return 0;
}
