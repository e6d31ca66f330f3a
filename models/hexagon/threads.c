/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "hexagon/threads.h"

/* System call numbers of Hexagon Linux: the generic table. */
enum {
	SYS_EPOLL_PWAIT = 22,
	SYS_READ = 63,
	SYS_PSELECT6 = 72,
	SYS_PPOLL = 73,
	SYS_EXIT = 93,
	SYS_WAITID = 95,
	SYS_FUTEX = 98,
	SYS_NANOSLEEP = 101,
	SYS_CLOCK_NANOSLEEP = 115,
	SYS_RT_SIGSUSPEND = 133,
	SYS_RT_SIGTIMEDWAIT = 137,
	SYS_CLONE = 220,
	SYS_WAIT4 = 260,
};

/* Operations of futex(2), without the private and clock flags. */
enum {
	OP_MASK = 127,
	OP_WAIT = 0,
	OP_WAKE = 1,
	OP_REQUEUE = 3,
	OP_CMP_REQUEUE = 4,
	OP_WAKE_OP = 5,
	OP_WAIT_BITSET = 9,
	OP_WAKE_BITSET = 10,
};

#define CLONE_CHILD_CLEARTID 0x00200000
#define ALL_WAITERS UINT64_MAX

void hexagon_threads_init(struct hexagon_threads *threads, struct hexagon_feed *feed)
{
	memset(threads, 0, sizeof(*threads));
	threads->feed = feed;
}

static void read_packets(struct hexagon_threads *threads, hexagon_packets_t packets)
{
	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		packets[i] = __atomic_load_n(&threads->feed->thread[i].count[HEXAGON_PACKETS],
					     __ATOMIC_RELAXED);
}

/* The next state of the model, to be changed and then published; readers see the present one. */
static struct hexagon_model *next_model(struct hexagon_threads *threads)
{
	uint32_t sequence = threads->feed->sequence;
	const struct hexagon_model *present = &threads->feed->model[sequence & 1];
	struct hexagon_model *next = &threads->feed->model[(sequence + 1) & 1];

	/* the next state is written only after the present one was published: a reader may still copy the one before */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(next, present, offsetof(struct hexagon_model, change));
	memcpy(next->change, present->change, present->pending * sizeof(present->change[0]));
	return next;
}

static void publish(struct hexagon_threads *threads)
{
	__atomic_store_n(&threads->feed->sequence, threads->feed->sequence + 1, __ATOMIC_RELEASE);
}

/* The thread that runs on a vCPU, or NULL. */
static struct hexagon_software_thread *thread_of_cpu(struct hexagon_threads *threads, unsigned int cpu)
{
	if (cpu >= HEXAGON_MAX_CPUS || !threads->of_cpu[cpu])
		return NULL;
	return &threads->thread[threads->of_cpu[cpu] - 1];
}

/* ---- hardware threads */

static void add_switch(struct hexagon_threads *threads, const struct hexagon_switch *change)
{
	if (threads->switches < sizeof(threads->change) / sizeof(threads->change[0]))
		threads->change[threads->switches++] = *change;
}

static void take_slot(struct hexagon_threads *threads, struct hexagon_model *model,
		      const hexagon_packets_t packets, struct hexagon_software_thread *t, int slot,
		      uint64_t at)
{
	struct hexagon_switch change = {
		.slot = slot, .cpu = t->cpu, .starts = true, .vector = t->vector, .row = t->row,
	};

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++)
		if (threads->thread[i].home == slot)
			threads->thread[i].home = -1;
	t->slot = t->home = slot;
	t->turns++;
	t->ready = t->yielded = false;
	hexagon_model_start(model, slot, at, packets);
	hexagon_model_vector(model, slot, packets, t->vector);
	hexagon_feed_occupy(threads->feed, HEXAGON_PART_CODE, slot, t->row);
	change.clock = hexagon_model_clock(model, slot, packets[slot]);
	add_switch(threads, &change);
}

static void leave_slot(struct hexagon_threads *threads, struct hexagon_model *model,
		       const hexagon_packets_t packets, struct hexagon_software_thread *t,
		       enum hexagon_thread_state state)
{
	struct hexagon_switch change = { .slot = t->slot };

	t->clock = change.clock = hexagon_model_clock(model, t->slot, packets[t->slot]);
	/* from this clock on another thread may take the hardware thread */
	if (t->clock < model->hold)
		model->hold = t->clock;
	hexagon_model_stop(model, t->slot, packets, state);
	hexagon_feed_occupy(threads->feed, HEXAGON_PART_CODE, t->slot, HEXAGON_SOFTWARE_ROWS);
	t->slot = -1;
	add_switch(threads, &change);
}

static bool is_before(const struct hexagon_threads *threads, const struct hexagon_software_thread *a,
		      const struct hexagon_software_thread *b)
{
	/* while each thread has a hardware thread, one whose turn ended comes last */
	if (!threads->contended && a->yielded != b->yielded)
		return b->yielded;
	if (a->clock != b->clock)
		return a->clock < b->clock;
	return a->turns < b->turns || (a->turns == b->turns && a->row < b->row);
}

/* The ready thread whose turn it is: the earliest; of these the one with the fewest turns; of these the eldest. */
static struct hexagon_software_thread *first_ready(struct hexagon_threads *threads)
{
	struct hexagon_software_thread *first = NULL;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		struct hexagon_software_thread *t = &threads->thread[i];

		if (t->used && t->ready && (!first || is_before(threads, t, first)))
			first = t;
	}
	return first;
}

/* A hardware thread is 0: the thread's own, 1: of no thread, 2: the last one of another thread, 3: in use. */
static unsigned int slot_class(const struct hexagon_threads *threads,
			       const struct hexagon_software_thread *t, int slot)
{
	unsigned int class = t->home == slot ? 0 : 1;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		const struct hexagon_software_thread *other = &threads->thread[i];

		if (other->used && other->slot == slot)
			return 3;
		if (other->used && other != t && other->home == slot)
			class = 2;
	}
	return class;
}

/*
 * The hardware thread on which a ready thread can start first, and when; or -1. Of several its own one,
 * then one that is nobody's, then the one that became free first.
 */
static int best_slot(const struct hexagon_threads *threads, const struct hexagon_model *model,
		     const struct hexagon_software_thread *t, uint64_t *at)
{
	unsigned int best_class = 3;
	int best = -1;

	for (unsigned int i = 0; i < threads->feed->threads; i++) {
		unsigned int class = slot_class(threads, t, i);
		uint64_t left = model->thread[i].left;
		uint64_t start = t->clock > left ? t->clock : left;

		if (class == 3 || (class == 2 && !threads->contended))
			continue;
		if (best < 0 || start < *at || (start == *at && class < best_class) ||
		    (start == *at && class == best_class && left < model->thread[best].left)) {
			best = i;
			best_class = class;
			*at = start;
		}
	}
	return best;
}

/* Can no other thread come first any more? Without contention only a thread whose turn ended waits for the others. */
static bool is_due(const struct hexagon_threads *threads, const struct hexagon_model *model,
		   const hexagon_packets_t packets, const struct hexagon_software_thread *t, uint64_t at)
{
	return (!threads->contended && !t->yielded) || at < hexagon_model_limit(model, packets);
}

/* Gives hardware threads to ready threads, as long as it is known which one is next. */
static void schedule(struct hexagon_threads *threads, struct hexagon_model *model,
		     const hexagon_packets_t packets, bool force)
{
	struct hexagon_software_thread *t;
	uint64_t at, hold = UINT64_MAX;
	int slot;

	while ((t = first_ready(threads)) && (slot = best_slot(threads, model, t, &at)) >= 0) {
		/* all hardware threads are in use at its clock; one was left at a later clock, which the host reached first */
		if (at > t->clock && !threads->contended) {
			threads->contended = true;
			continue;
		}
		if (!force && !is_due(threads, model, packets, t, at)) {
			hold = at;
			break;
		}
		take_slot(threads, model, packets, t, slot, at);
		force = false;
	}
	model->hold = hold;
	hexagon_model_advance(model, packets);
}

static void make_ready(struct hexagon_software_thread *t, uint64_t at)
{
	if (t->clock < at)
		t->clock = at;
	t->ready = true;
}

/* ---- life */

int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent)
{
	struct hexagon_software_thread *by = thread_of_cpu(threads, parent), *t = NULL;
	struct hexagon_feed *feed = threads->feed;
	struct hexagon_model *model;
	hexagon_packets_t packets;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE && !t; i++)
		if (!threads->thread[i].used)
			t = &threads->thread[i];
	if (cpu >= HEXAGON_MAX_CPUS || !t)
		return -1;

	read_packets(threads, packets);
	model = next_model(threads);
	if (parent == cpu)
		by = NULL;
	*t = (struct hexagon_software_thread){
		.used = true,
		.slot = -1,
		.home = -1,
		.cpu = cpu,
		.row = feed->software < HEXAGON_SOFTWARE_ROWS ? feed->software :
		       HEXAGON_SOFTWARE_ROWS - 1,
		.clear_tid = by ? by->clone_clear_tid : 0,
		.clone_child = -1,
	};
	if (by)
		by->clone_child = t - threads->thread;
	if (feed->software < HEXAGON_SOFTWARE_ROWS)
		feed->software++;
	threads->of_cpu[cpu] = t - threads->thread + 1;
	threads->alive++;
	if (threads->alive > feed->threads)
		threads->contended = true;
	make_ready(t, by && by->slot >= 0 ?
		   hexagon_model_clock(model, by->slot, packets[by->slot]) : 0);
	schedule(threads, model, packets, false);
	publish(threads);
	return t->slot >= 0 ? t->slot : HEXAGON_QUEUED;
}

static void end_thread(struct hexagon_threads *threads, struct hexagon_model *model,
		       const hexagon_packets_t packets, struct hexagon_software_thread *t)
{
	if (t->slot >= 0)
		leave_slot(threads, model, packets, t, HEXAGON_OFF);
	threads->of_cpu[t->cpu] = 0;
	threads->alive--;
	*t = (struct hexagon_software_thread){ .slot = -1, .home = -1 };
}

/* The first of those that wait on a futex and have not been woken yet, or NULL. */
static struct hexagon_software_thread *first_waiter(struct hexagon_threads *threads, uint64_t futex)
{
	struct hexagon_software_thread *first = NULL;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		struct hexagon_software_thread *t = &threads->thread[i];

		if (t->used && t->waiting && t->futex == futex && t->slot < 0 && !t->ready &&
		    (!first || t->order < first->order))
			first = t;
	}
	return first;
}

static void threads_wake(struct hexagon_threads *threads, uint64_t futex, uint64_t count, uint64_t at)
{
	struct hexagon_software_thread *t;

	while (count-- && (t = first_waiter(threads, futex)))
		make_ready(t, at);
}

static void requeue(struct hexagon_threads *threads, uint64_t from, uint64_t count, uint64_t to)
{
	struct hexagon_software_thread *t;

	if (from == to)
		return;
	while (count-- && (t = first_waiter(threads, from))) {
		t->futex = to;
		t->order = threads->order++;
	}
}

static void wait_on(struct hexagon_threads *threads, struct hexagon_model *model,
		    const hexagon_packets_t packets, struct hexagon_software_thread *t, uint64_t futex)
{
	t->waiting = true;
	t->futex = futex;
	t->order = threads->order++;
	leave_slot(threads, model, packets, t, HEXAGON_WAITING);
}

static void do_futex(struct hexagon_threads *threads, struct hexagon_model *model,
		     const hexagon_packets_t packets, struct hexagon_software_thread *t,
		     const uint64_t args[5])
{
	uint64_t at = hexagon_model_clock(model, t->slot, packets[t->slot]);
	/* the count is an int; a negative one becomes a huge number, which wakes all waiters */
	uint64_t count = (uint32_t)args[2];

	switch (args[1] & OP_MASK) {
	case OP_WAIT:
	case OP_WAIT_BITSET:
		wait_on(threads, model, packets, t, args[0]);
		break;
	case OP_WAKE:
	case OP_WAKE_BITSET:
	case OP_WAKE_OP:
		threads_wake(threads, args[0], count, at);
		break;
	case OP_REQUEUE:
	case OP_CMP_REQUEUE:
		threads_wake(threads, args[0], count, at);
		requeue(threads, args[0], (uint32_t)args[3], args[4]);
		break;
	}
}

void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5])
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);
	struct hexagon_model *model;
	hexagon_packets_t packets;

	if (!self || self->slot < 0)
		return;
	self->calling = true;
	read_packets(threads, packets);
	switch (number) {
	case SYS_CLONE:
		self->clone_clear_tid = args[0] & CLONE_CHILD_CLEARTID ? args[3] : 0;
		self->clone_child = -1;
		return;
	case SYS_FUTEX:
		model = next_model(threads);
		do_futex(threads, model, packets, self, args);
		break;
	case SYS_EXIT:
		model = next_model(threads);
		if (self->clear_tid)
			threads_wake(threads, self->clear_tid, ALL_WAITERS,
				     hexagon_model_clock(model, self->slot, packets[self->slot]));
		end_thread(threads, model, packets, self);
		break;
	case SYS_EPOLL_PWAIT:
	case SYS_READ:
	case SYS_PSELECT6:
	case SYS_PPOLL:
	case SYS_WAITID:
	case SYS_NANOSLEEP:
	case SYS_CLOCK_NANOSLEEP:
	case SYS_RT_SIGSUSPEND:
	case SYS_RT_SIGTIMEDWAIT:
	case SYS_WAIT4:
		model = next_model(threads);
		wait_on(threads, model, packets, self, 0);
		break;
	default:
		return;
	}
	schedule(threads, model, packets, false);
	publish(threads);
}

void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);
	bool clone_failed, goes_on;
	struct hexagon_model *model;
	hexagon_packets_t packets;

	if (!self)
		return;
	self->calling = false;
	/* the vCPU was made, but its host thread was not */
	clone_failed = number == SYS_CLONE && result < 0 && self->clone_child >= 0;
	goes_on = self->waiting && self->slot < 0 && !self->ready;
	self->waiting = false;
	if (!clone_failed && !goes_on)
		return;
	read_packets(threads, packets);
	model = next_model(threads);
	if (clone_failed)
		end_thread(threads, model, packets, &threads->thread[self->clone_child]);
	self->clone_child = -1;
	/* no thread of the program woke it: it continues at its own clock, or at the frontier if that is later */
	if (goes_on)
		make_ready(self, model->frontier);
	schedule(threads, model, packets, false);
	publish(threads);
}

void hexagon_threads_vector(struct hexagon_threads *threads, unsigned int cpu, uint64_t after)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);
	struct hexagon_model *model;
	hexagon_packets_t packets;

	if (!self || self->slot < 0 || self->vector)
		return;
	self->vector = true;
	read_packets(threads, packets);
	model = next_model(threads);
	packets[self->slot] += after;
	hexagon_model_vector(model, self->slot, packets, true);
	publish(threads);
}

void hexagon_threads_yield(struct hexagon_threads *threads, unsigned int cpu, uint64_t turn)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);
	struct hexagon_model *model;
	hexagon_packets_t packets;

	/* the only thread would get the next turn, too */
	if (!self || self->slot < 0 || self->turns != turn || threads->alive == 1)
		return;
	read_packets(threads, packets);
	model = next_model(threads);
	self->yielded = true;
	self->ready = true;
	leave_slot(threads, model, packets, self, HEXAGON_WAITING);
	schedule(threads, model, packets, false);
	publish(threads);
}

int hexagon_threads_slot(struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_model *present = &threads->feed->model[threads->feed->sequence & 1];
	const struct hexagon_software_thread *self = thread_of_cpu(threads, cpu), *first;
	struct hexagon_model *model;
	hexagon_packets_t packets;
	uint64_t at;

	if (!self || self->slot >= 0)
		return self ? self->slot : -1;
	read_packets(threads, packets);
	first = first_ready(threads);
	if (first && best_slot(threads, present, first, &at) >= 0 &&
	    is_due(threads, present, packets, first, at)) {
		model = next_model(threads);
		schedule(threads, model, packets, false);
		publish(threads);
	}
	return self->slot;
}

uint64_t hexagon_threads_turns(const struct hexagon_threads *threads, unsigned int cpu)
{
	unsigned int number = cpu < HEXAGON_MAX_CPUS ? threads->of_cpu[cpu] : 0;

	return number ? threads->thread[number - 1].turns : 0;
}

bool hexagon_threads_unblock(struct hexagon_threads *threads)
{
	struct hexagon_model *model = next_model(threads);
	hexagon_packets_t packets;
	bool found = false;

	read_packets(threads, packets);
	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		struct hexagon_software_thread *t = &threads->thread[i];

		if (t->used && t->calling && t->slot >= 0) {
			wait_on(threads, model, packets, t, 0);
			found = true;
		}
	}
	schedule(threads, model, packets, !found);
	publish(threads);
	return found;
}
