/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "hexagon/time.h"

bool hexagon_time_init(struct hexagon_time *time, struct hexagon_feed *feed, const struct hexagon_memory_shape *shape,
		       unsigned int cycles, unsigned int contexts)
{
	memset(time, 0, sizeof(*time));
	time->feed = feed;
	time->threads = feed->threads;
	time->cycles = cycles;
	time->contexts = contexts;
	time->caches = shape != NULL;
	return !shape || hexagon_memory_init(&time->memory, shape);
}

void hexagon_time_free(struct hexagon_time *time)
{
	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		free(time->thread[i].queue);
	if (time->caches)
		hexagon_memory_free(&time->memory);
	for (unsigned int i = 0; i < HEXAGON_SOFTWARE_ROWS; i++)
		free(time->calls[i]);
}

static unsigned int number_of(const struct hexagon_time *time, const struct hexagon_time_thread *t)
{
	return t - time->thread;
}

/* ---- the account */

/* Packets that begin before a clock. */
static uint64_t packets_until(const struct hexagon_time *time, const struct hexagon_time_thread *t, uint64_t clock)
{
	return t->next < clock ? (clock - t->next + time->cycles - 1) / time->cycles : 0;
}

static void count_packets(struct hexagon_time *time, struct hexagon_time_thread *t, uint64_t n)
{
	time->totals.packets[time->running][number_of(time, t)] += n;
	time->totals.count[number_of(time, t)][HEXAGON_PACKETS] += n;
}

/* The packets of a thread that begin from now to a clock. */
static void begin_packets(struct hexagon_time *time, struct hexagon_time_thread *t, uint64_t clock)
{
	uint64_t n = packets_until(time, t, clock);

	count_packets(time, t, n + t->begins);
	t->begins = false;
	t->packet += n;
	t->next += n * time->cycles;
}

static void profile_add(struct hexagon_time *time, const struct hexagon_time_thread *t, uint32_t place, enum hexagon_cost cost,
			uint64_t n)
{
	hexagon_profile_add(time->profile, t->row, place, cost, n);
	if (time->calls[t->row])
		time->calls[t->row]->now[cost] += n;
}

static void charge_wait(struct hexagon_time *time, struct hexagon_time_thread *t, uint64_t cycles, bool open)
{
	unsigned int i = number_of(time, t), running = __builtin_popcount(time->running);
	enum hexagon_stall cause = t->state == HEXAGON_TIME_NO_CONTEXT ? HEXAGON_STALL_CONTEXT : t->wait[0].cause;
	struct hexagon_totals *totals = &time->totals;

	if (open) {
		totals->open[i][cause] += cycles;
		totals->parts[i][cause] += cycles * (HEXAGON_PARTS / running);
	} else {
		totals->hidden[i][cause] += cycles;
	}
	if (!time->profile || cause == HEXAGON_STALL_CONTEXT)
		return;
	profile_add(time, t, t->wait[0].place, HEXAGON_COST_STALL + cause, cycles);
	if (open)
		profile_add(time, t, t->wait[0].place, HEXAGON_COST_OPEN, cycles);
}

/* Charges the cycles from now to a clock, up to which no thread changes its state. */
static void charge(struct hexagon_time *time, uint64_t clock)
{
	struct hexagon_totals *totals = &time->totals;
	uint64_t cycles = clock - time->now;
	bool open = time->running == time->waiting;

	if (!cycles)
		return;
	time->now = clock;
	if (!time->running)
		return;
	totals->cycles[time->running] += cycles;
	totals->active[time->running & ~time->waiting] += cycles;
	if (open)
		totals->shown[time->running] += cycles;
	totals->contexts[__builtin_popcount(time->vector)] += cycles;
	for (unsigned int i = 0; i < time->threads; i++) {
		struct hexagon_time_thread *t = &time->thread[i];

		if (time->waiting >> i & 1)
			charge_wait(time, t, cycles, open);
		else if (time->running >> i & 1)
			begin_packets(time, t, clock);
	}
}

/* ---- states of a thread */

static void take_context(struct hexagon_time *time, struct hexagon_time_thread *t)
{
	t->has_context = true;
	time->vector |= 1u << number_of(time, t);
}

/* A thread needs a vector context before its next packet. */
static void need_context(struct hexagon_time *time, struct hexagon_time_thread *t)
{
	t->vector = true;
	if (t->has_context)
		return;
	if ((unsigned int)__builtin_popcount(time->vector) < time->contexts) {
		take_context(time, t);
		return;
	}
	t->state = HEXAGON_TIME_NO_CONTEXT;
	t->edge = time->now;
	time->waiting |= 1u << number_of(time, t);
}

/* A context is free: the thread that has waited longest gets it, of several the first. */
static void give_context(struct hexagon_time *time)
{
	struct hexagon_time_thread *first = NULL;

	for (unsigned int i = 0; i < time->threads; i++) {
		struct hexagon_time_thread *t = &time->thread[i];

		if (t->state == HEXAGON_TIME_NO_CONTEXT && (!first || t->edge < first->edge))
			first = t;
	}
	if (!first)
		return;
	first->state = HEXAGON_TIME_STEADY;
	first->next = time->now;
	time->waiting &= ~(1u << number_of(time, first));
	take_context(time, first);
}

/* Charges up to the clock at which a packet of a thread begins. */
static void charge_packet(struct hexagon_time *time, struct hexagon_time_thread *t, uint64_t packet)
{
	charge(time, t->next + (packet - t->packet) * time->cycles);
}

/* The packet of an entry makes its thread wait. */
static void add_wait(struct hexagon_time *time, struct hexagon_time_thread *t, const struct hexagon_time_entry *entry,
		     enum hexagon_stall cause, uint64_t cycles)
{
	uint32_t place = entry->cost;

	if (!cycles)
		return;
	if (t->state == HEXAGON_TIME_STEADY) {
		charge_packet(time, t, entry->packet);
		t->packet++;
		t->next += time->cycles;
		t->begins = true;
		t->state = HEXAGON_TIME_PACKET;
		t->edge = time->now + time->cycles;
		t->waits = 0;
	}
	t->next += cycles;
	if (t->waits && (t->waits == HEXAGON_TIME_MAX_WAITS || t->wait[t->waits - 1].cause == cause)) {
		t->wait[t->waits - 1].cycles += cycles;
		return;
	}
	t->wait[t->waits].cycles = cycles;
	t->wait[t->waits].place = place;
	t->wait[t->waits++].cause = cause;
}

/* The state of a thread ends at the present clock. */
static void pass_edge(struct hexagon_time *time, struct hexagon_time_thread *t)
{
	uint32_t bit = 1u << number_of(time, t);

	if (t->state == HEXAGON_TIME_PACKET) {
		t->state = HEXAGON_TIME_WAITS;
		time->waiting |= bit;
	} else {
		t->waits--;
		memmove(&t->wait[0], &t->wait[1], t->waits * sizeof(t->wait[0]));
	}
	if (t->waits) {
		t->edge = time->now + t->wait[0].cycles;
		return;
	}
	t->state = HEXAGON_TIME_STEADY;
	time->waiting &= ~bit;
}

/* ---- what threads hand over */

static void queue_add(struct hexagon_time_thread *t, const struct hexagon_time_entry *entries, size_t n)
{
	if (t->begin > t->end / 2) {
		memmove(t->queue, t->queue + t->begin, (t->end - t->begin) * sizeof(t->queue[0]));
		t->end -= t->begin;
		t->begin = 0;
	}
	if (t->end + n > t->room) {
		t->room = 2 * (t->end + n);
		t->queue = realloc(t->queue, t->room * sizeof(t->queue[0]));
		if (!t->queue)
			abort();
	}
	if (n)
		memcpy(t->queue + t->end, entries, n * sizeof(entries[0]));
	t->end += n;
}

static void cost(struct hexagon_time *time, const struct hexagon_time_thread *t, const struct hexagon_time_entry *entry,
		 enum hexagon_cost what)
{
	if (time->profile)
		profile_add(time, t, entry->cost, what, 1);
}

static void miss(struct hexagon_time *time, struct hexagon_time_thread *t, const struct hexagon_time_entry *entry,
		 enum hexagon_level level)
{
	uint32_t cycles = level == HEXAGON_L2 ? time->timing.l2 : time->timing.memory;

	if (level == HEXAGON_FAR)
		cost(time, t, entry, HEXAGON_COST_L2_MISSES);
	switch (entry->what) {
	case HEXAGON_FETCH:
		cost(time, t, entry, HEXAGON_COST_L1I_MISSES);
		add_wait(time, t, entry, HEXAGON_STALL_FETCH, cycles);
		break;
	case HEXAGON_LOAD:
	case HEXAGON_ZERO:
		cost(time, t, entry, HEXAGON_COST_L1D_MISSES);
		add_wait(time, t, entry, HEXAGON_STALL_DATA, cycles);
		break;
	case HEXAGON_STORE:
		/* a store does not make its thread wait */
		cost(time, t, entry, HEXAGON_COST_L1D_MISSES);
		break;
	case HEXAGON_VECTOR_LOAD:
		add_wait(time, t, entry, HEXAGON_STALL_VECTOR, cycles);
		break;
	}
}

static void add_block(struct hexagon_time *time, struct hexagon_time_thread *t, const struct hexagon_time_entry *entry,
		      unsigned int times)
{
	const struct hexagon_block *block = time->blocks[entry->address];

	if (!times)
		return;
	hexagon_block_add(time->totals.count[number_of(time, t)], block, times, HEXAGON_TIME_HOW(entry->cost));
	for (unsigned int i = 0; time->profile && i < block->places; i++)
		profile_add(time, t, block->place[i], HEXAGON_COST_PACKETS, times);
}

static void begin_call(struct hexagon_time *time, struct hexagon_time_thread *t, uint32_t number)
{
	if (!time->calls[t->row]) {
		time->calls[t->row] = calloc(1, sizeof(*time->calls[0]));
		if (time->calls[t->row])
			time->calls[t->row]->row = t->row;
	}
	if (time->calls[t->row])
		hexagon_calls_begin(time->calls[t->row], time->profile, number);
}

static void do_entry(struct hexagon_time *time, struct hexagon_time_thread *t, const struct hexagon_time_entry *entry)
{
	uint64_t *count = time->totals.count[number_of(time, t)];
	enum hexagon_level level;

	switch (entry->what) {
	case HEXAGON_TIME_BLOCK:
		add_block(time, t, entry, HEXAGON_TIME_TIMES(entry->cost));
		return;
	case HEXAGON_TIME_VECTOR:
		need_context(time, t);
		return;
	case HEXAGON_TIME_REDIRECT:
		add_wait(time, t, entry, HEXAGON_STALL_REDIRECT, time->timing.redirect);
		return;
	case HEXAGON_TIME_L2FETCH:
		count[HEXAGON_L2FETCHES]++;
		return;
	case HEXAGON_TIME_CALL:
		begin_call(time, t, entry->address);
		return;
	case HEXAGON_TIME_RETURN:
		if (time->calls[t->row])
			hexagon_calls_end(time->calls[t->row], time->profile, entry->address);
		return;
	}
	level = hexagon_memory_access(&time->memory, count, entry->what, entry->address);
	if (level != HEXAGON_NEAR)
		miss(time, t, entry, level);
}

/* ---- the order of clocks */

static bool is_queued(const struct hexagon_time_thread *t)
{
	return t->begin < t->end;
}

uint64_t hexagon_time_bound(const struct hexagon_time *time, unsigned int thread)
{
	const struct hexagon_time_thread *t = &time->thread[thread];

	if (t->state == HEXAGON_TIME_OFF || t->state == HEXAGON_TIME_NO_CONTEXT)
		return UINT64_MAX;
	return t->next + (t->known - t->packet) * time->cycles;
}

/* The clock of what a thread does next: the end of its state, an entry, or the packet that is not known yet. */
static uint64_t next_clock(const struct hexagon_time *time, const struct hexagon_time_thread *t)
{
	uint64_t packet;

	switch (t->state) {
	case HEXAGON_TIME_OFF:
	case HEXAGON_TIME_NO_CONTEXT:
		return UINT64_MAX;
	case HEXAGON_TIME_PACKET:
	case HEXAGON_TIME_WAITS:
		return t->edge;
	default:
		packet = is_queued(t) ? t->queue[t->begin].packet : t->known;
		if (time->ending && packet > t->stop)
			packet = t->stop;
		return t->next + (packet - t->packet) * time->cycles;
	}
}

/* The thread that is first, at *clock, or -1; it stays so before *until, and with the lower number at *until. */
static int first_thread(const struct hexagon_time *time, uint64_t *clock, uint64_t *until, unsigned int *rival)
{
	int first = -1;

	*clock = *until = UINT64_MAX;
	*rival = 0;
	for (unsigned int i = 0; i < time->threads; i++) {
		uint64_t next = next_clock(time, &time->thread[i]);

		if (next < *clock) {
			if (first >= 0) {
				*until = *clock;
				*rival = first;
			}
			*clock = next;
			first = i;
		} else if (next < *until) {
			*until = next;
			*rival = i;
		}
	}
	return first;
}

/* The entries of one packet are done together, unless the thread gets no context. */
static void do_packet(struct hexagon_time *time, struct hexagon_time_thread *t)
{
	uint64_t packet = t->queue[t->begin].packet;

	do {
		struct hexagon_time_entry entry = t->queue[t->begin++];

		if (entry.what == HEXAGON_TIME_VECTOR)
			charge_packet(time, t, packet);
		do_entry(time, t, &entry);
	} while (is_queued(t) && t->queue[t->begin].packet == packet && t->state != HEXAGON_TIME_NO_CONTEXT);
}

/* At the end of the program: where a thread stops, and what it executed of the block up to there. */
static void find_stop(struct hexagon_time *time, struct hexagon_time_thread *t, unsigned int ender)
{
	/* of one clock, threads with lower numbers come first */
	uint64_t clock = time->now + (number_of(time, t) < ender);
	uint64_t reached = t->packet + packets_until(time, t, clock), start, length, times;
	size_t i = t->begin;

	while (i < t->end && (t->queue[i].what != HEXAGON_TIME_BLOCK || t->queue[i].packet < reached))
		i++;
	t->stop = t->known;
	t->last = (struct hexagon_time_entry){ .what = HEXAGON_TIME_BLOCK };
	if (i == t->end)
		return;
	t->last = t->queue[i];
	times = HEXAGON_TIME_TIMES(t->last.cost);
	length = time->blocks[t->last.address]->add[HEXAGON_PACKETS];
	start = t->last.packet - times * length;
	if (start + (times - 1) * length >= reached)
		times = reached > start ? (reached - start + length - 1) / length : 0;
	t->stop = start + times * length;
	t->last.cost = HEXAGON_TIME_RUN(times, HEXAGON_TIME_HOW(t->last.cost));
}

static bool stops_here(const struct hexagon_time_thread *t)
{
	return !is_queued(t) || t->queue[t->begin].packet >= t->stop;
}

static void stop_at_end(struct hexagon_time *time, struct hexagon_time_thread *t)
{
	charge_packet(time, t, t->stop);
	add_block(time, t, &t->last, HEXAGON_TIME_TIMES(t->last.cost));
	t->begin = t->end = 0;
	t->known = t->packet;
	hexagon_time_stop(time, number_of(time, t));
}

/* Does what a thread has next. False if that is not known yet. */
static bool step(struct hexagon_time *time, struct hexagon_time_thread *t, uint64_t clock)
{
	if (t->state != HEXAGON_TIME_STEADY) {
		charge(time, clock);
		pass_edge(time, t);
	} else if (time->ending && stops_here(t)) {
		stop_at_end(time, t);
	} else if (is_queued(t)) {
		do_packet(time, t);
	} else {
		charge(time, clock);
		return false;
	}
	return true;
}

int hexagon_time_run(struct hexagon_time *time)
{
	uint64_t clock, until;
	unsigned int rival;
	int first;

	while ((first = first_thread(time, &clock, &until, &rival)) >= 0) {
		struct hexagon_time_thread *t = &time->thread[first];

		while (clock < until || (clock == until && clock != UINT64_MAX && (unsigned int)first < rival)) {
			if (!step(time, t, clock))
				return first;
			clock = next_clock(time, t);
		}
	}
	return -1;
}

/* ---- life of a thread */

/* A value of a row, from the counters of a hardware thread. */
static uint64_t row_value(const struct hexagon_totals *totals, unsigned int thread, unsigned int value)
{
	if (value < HEXAGON_ROW_STALLS)
		return totals->count[thread][value];
	if (value < HEXAGON_ROW_SHOWN)
		return totals->hidden[thread][value - HEXAGON_ROW_STALLS] +
		       totals->open[thread][value - HEXAGON_ROW_STALLS];
	return totals->open[thread][value - HEXAGON_ROW_SHOWN];
}

void hexagon_time_start(struct hexagon_time *time, unsigned int thread, unsigned int row, bool vector)
{
	struct hexagon_time_thread *t = &time->thread[thread];

	time->changed = time->now;
	t->state = HEXAGON_TIME_STEADY;
	t->row = row;
	t->vector = t->has_context = false;
	t->packet = t->known = 0;
	t->next = time->now;
	t->begin = t->end = 0;
	for (unsigned int v = 0; v < HEXAGON_ROW_VALUES; v++)
		t->base[v] = row_value(&time->totals, thread, v);
	time->running |= 1u << thread;
	if (vector)
		need_context(time, t);
}

void hexagon_time_stop(struct hexagon_time *time, unsigned int thread)
{
	struct hexagon_time_thread *t = &time->thread[thread];

	if (t->state == HEXAGON_TIME_OFF)
		return;
	/* a laggard was not waited for: what it did happens now */
	while (is_queued(t))
		do_entry(time, t, &t->queue[t->begin++]);
	count_packets(time, t, t->known - t->packet + t->begins);
	t->begins = false;
	for (unsigned int v = 0; v < HEXAGON_ROW_VALUES; v++)
		time->feed->row[t->row][v] += row_value(&time->totals, thread, v) - t->base[v];
	t->state = HEXAGON_TIME_OFF;
	t->left = time->changed = time->now;
	t->waits = 0;
	time->running &= ~(1u << thread);
	time->waiting &= ~(1u << thread);
	time->vector &= ~(1u << thread);
	if (t->has_context)
		give_context(time);
	t->has_context = false;
}

void hexagon_time_add(struct hexagon_time *time, unsigned int thread, const struct hexagon_time_entry *entries,
		      size_t n, uint64_t known)
{
	struct hexagon_time_thread *t = &time->thread[thread];

	queue_add(t, entries, n);
	t->known = known;
}

void hexagon_time_count(struct hexagon_time *time, unsigned int thread, const uint64_t count[HEXAGON_COUNTS])
{
	for (unsigned int c = HEXAGON_PACKETS + 1; c < HEXAGON_COUNTS; c++)
		time->totals.count[thread][c] += count[c];
}

void hexagon_time_finish(struct hexagon_time *time, unsigned int ender)
{
	time->ending = true;
	for (unsigned int i = 0; i < time->threads; i++) {
		struct hexagon_time_thread *t = &time->thread[i];

		if (t->state != HEXAGON_TIME_NO_CONTEXT) {
			find_stop(time, t, ender);
			continue;
		}
		/* it does not get one any more */
		t->begin = t->end = 0;
		t->known = t->packet;
		hexagon_time_stop(time, i);
	}
	hexagon_time_run(time);
	for (unsigned int i = 0; time->profile && i < HEXAGON_SOFTWARE_ROWS; i++)
		if (time->calls[i])
			hexagon_calls_end(time->calls[i], time->profile, HEXAGON_CALLS_DEPTH);
	hexagon_time_publish(time);
}

uint64_t hexagon_time_packets(const struct hexagon_time *time, unsigned int thread)
{
	const struct hexagon_time_thread *t = &time->thread[thread];

	return time->feed->row[t->row][HEXAGON_PACKETS] + time->totals.count[thread][HEXAGON_PACKETS] + t->begins -
	       t->base[HEXAGON_PACKETS];
}

void hexagon_time_publish(struct hexagon_time *time)
{
	hexagon_feed_publish(time->feed, &time->totals);
}
