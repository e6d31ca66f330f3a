/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a program that slow-time.py has made and prints what the model of time says of it. Like the host, it lets each
 * thread run ahead by random lengths, of its own choice.
 *
 *	cycles contexts l2 memory redirect seed, three shapes of caches, then for each of six hardware threads:
 *	b TIMES LENGTH and for each packet: N and N times WHAT ADDRESS;  s THREAD VECTOR: starts it;  x: stops;
 *	e: the program ends;  .: end of this thread
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hexagon/time.h"

#define THREADS 6
#define INSTS 2		/* of each packet */

static struct hexagon_time model;
static struct hexagon_feed feed;
static struct hexagon_block blocks[8], *list[8];

struct thread {
	char *words;	/* its items, as text */
	size_t size, at;
	uint64_t packets;
} threads[THREADS];

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
	if (model.thread[i].state != HEXAGON_TIME_OFF || item(&threads[i]) == '.')
		return;
	threads[i].packets = 0;
	hexagon_time_start(&model, i, i, vector);
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
