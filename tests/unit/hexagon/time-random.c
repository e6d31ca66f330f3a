/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a program that slow-time.py has made and prints what the model of time says of it. Like the host, it lets each
 * thread run ahead by random lengths, of its own choice.
 *
 *	cycles contexts l2 memory redirect seed, three shapes of caches, then for each of six hardware threads:
 *	b TIMES LENGTH and for each packet: N and N times WHAT ADDRESS;  s THREAD VECTOR: starts it;  x: stops;
 *	e: the program ends;  .: end of this thread
 *	w N, k N: waits for semaphore N, posts it (1 at first, so a lock is one);  r: at a barrier of three threads
 *	c N: posts semaphore 0 and waits for condition N, then for semaphore 0;  n N: signals condition N
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hexagon/time.h"

#define THREADS 6
#define INSTS 2		/* of each packet */
#define OBJECTS 2
#define MEET 3		/* threads at the barrier */

static struct hexagon_time model;
static struct hexagon_feed feed;
static struct hexagon_block blocks[8], *list[8];

struct thread {
	char *words;	/* its items, as text */
	size_t size, at;
	uint64_t packets;
	bool sleeps, vector;
} threads[THREADS];

/* What threads wait for, in the order of their coming. */
struct object {
	unsigned int count;
	unsigned int queue[THREADS], sleepers;
};

static struct object semaphores[OBJECTS] = { { .count = 1 }, { .count = 1 } }, conditions[OBJECTS], barrier;

static unsigned long number(struct thread *t)
{
	char *end;
	unsigned long value = strtoul(t->words + t->at, &end, 10);

	t->at = end - t->words;
	return value;
}

static char item(struct thread *t)
{
	while (t->words[t->at] == ' ')
		t->at++;
	return t->words[t->at];
}

/* Hands over one run of a block. */
static void run_block(unsigned int i)
{
	static struct hexagon_time_entry entries[4096];
	struct thread *t = &threads[i];
	unsigned int times, length, n = 0;

	t->at++;
	times = number(t);
	length = number(t);
	for (unsigned int p = 0; p < times * length; p++) {
		for (unsigned int k = number(t); k; k--) {
			entries[n].what = number(t);
			entries[n].address = number(t);
			entries[n].cost = 0;
			entries[n++].packet = t->packets;
		}
		t->packets++;
	}
	entries[n++] = (struct hexagon_time_entry){
		.packet = t->packets, .address = length, .what = HEXAGON_TIME_BLOCK, .cost = times,
	};
	hexagon_time_add(&model, i, entries, n, t->packets);
}

static void start(unsigned int i, bool vector)
{
	if (model.thread[i].state != HEXAGON_TIME_OFF || threads[i].sleeps || item(&threads[i]) == '.')
		return;
	threads[i].packets = 0;
	hexagon_time_start(&model, i, i, vector);
}

static void sleep_at(struct object *object, unsigned int i)
{
	object->queue[object->sleepers++] = i;
	threads[i].sleeps = true;
	threads[i].vector = model.thread[i].vector;
	hexagon_time_stop(&model, i);
}

static unsigned int first_sleeper(struct object *object)
{
	unsigned int first = object->queue[0];

	object->sleepers--;
	for (unsigned int i = 0; i < object->sleepers; i++)
		object->queue[i] = object->queue[i + 1];
	return first;
}

static void wake(unsigned int i)
{
	threads[i].sleeps = false;
	start(i, threads[i].vector);
}

static void post(struct object *semaphore)
{
	if (semaphore->sleepers)
		wake(first_sleeper(semaphore));
	else
		semaphore->count++;
}

static void meet(unsigned int i)
{
	if (barrier.sleepers + 1 < MEET) {
		sleep_at(&barrier, i);
		return;
	}
	while (barrier.sleepers)
		wake(first_sleeper(&barrier));
}

/* The first that waits goes on if it gets the lock, and waits for that otherwise. */
static void signal_one(struct object *condition)
{
	unsigned int i;

	if (!condition->sleepers)
		return;
	i = first_sleeper(condition);
	if (!semaphores[0].count) {
		semaphores[0].queue[semaphores[0].sleepers++] = i;
		return;
	}
	semaphores[0].count--;
	wake(i);
}

static void use_object(unsigned int i, char what)
{
	struct thread *t = &threads[i];
	unsigned int n;

	t->at++;
	n = what == 'r' ? 0 : number(t);
	switch (what) {
	case 'w':
		if (semaphores[n].count)
			semaphores[n].count--;
		else
			sleep_at(&semaphores[n], i);
		break;
	case 'k':
		post(&semaphores[n]);
		break;
	case 'r':
		meet(i);
		break;
	case 'c':
		post(&semaphores[0]);
		sleep_at(&conditions[n], i);
		break;
	case 'n':
		signal_one(&conditions[n]);
		break;
	}
}

/* What thread i, which holds the frontier, does next. False at the end. */
static bool act(unsigned int i)
{
	struct thread *t = &threads[i];
	unsigned int other;

	switch (item(t)) {
	case 'b':
		for (int ahead = 1 + rand() % 20; ahead && item(t) == 'b'; ahead--)
			run_block(i);
		return true;
	case 's':
		t->at++;
		other = number(t);
		start(other, number(t));
		return true;
	case 'x':
		t->at++;
		hexagon_time_stop(&model, i);
		return true;
	case 'w':
	case 'k':
	case 'r':
	case 'c':
	case 'n':
		use_object(i, item(t));
		return true;
	case 'e':
		hexagon_time_stop(&model, i);
		hexagon_time_finish(&model, i);
		return false;
	}
	hexagon_time_stop(&model, i);
	return true;
}

int main(void)
{
	struct hexagon_memory_shape shape = { 0 };
	struct hexagon_cache_shape *caches[] = { &shape.l1i, &shape.l1d, &shape.l2 };
	unsigned int cycles, contexts, seed;
	struct hexagon_timing timing;
	const uint64_t *value = (const uint64_t *)&model.totals;
	int next;

	if (scanf("%u %u %u %u %u %u", &cycles, &contexts, &timing.l2, &timing.memory, &timing.redirect, &seed) != 6)
		return 2;
	for (int i = 0; i < 3; i++)
		if (scanf("%u %u %u", &caches[i]->size, &caches[i]->ways, &caches[i]->line) != 3)
			return 2;
	scanf(" ");
	for (unsigned int i = 0; i < THREADS; i++)
		if (getline(&threads[i].words, &threads[i].size, stdin) < 0)
			return 2;
	srand(seed);
	hexagon_feed_init(&feed, THREADS);
	if (!hexagon_time_init(&model, &feed, &shape, cycles, contexts))
		return 2;
	for (unsigned int i = 0; i < 8; i++) {
		blocks[i].add[HEXAGON_PACKETS] = i;
		blocks[i].add[HEXAGON_INSTS] = INSTS * i;
		list[i] = &blocks[i];
	}
	model.blocks = list;
	model.timing = timing;
	start(0, false);
	while ((next = hexagon_time_run(&model)) >= 0 && act(next))
		;
	for (size_t i = 0; i < sizeof(model.totals) / sizeof(*value); i++)
		printf("%" PRIu64 "%c", value[i], i + 1 < sizeof(model.totals) / sizeof(*value) ? ' ' : '\n');
	hexagon_time_free(&model);
	return 0;
}
