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
	SYS_EXIT_GROUP = 94,
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

void hexagon_threads_init(struct hexagon_threads *threads, struct hexagon_time *time)
{
	memset(threads, 0, sizeof(*threads));
	threads->time = time;
}

/* The thread that runs on a vCPU, or NULL. */
static struct hexagon_software_thread *thread_of_cpu(struct hexagon_threads *threads, unsigned int cpu)
{
	if (cpu >= HEXAGON_MAX_CPUS || !threads->of_cpu[cpu])
		return NULL;
	return &threads->thread[threads->of_cpu[cpu] - 1];
}

static const struct hexagon_software_thread *look_up(const struct hexagon_threads *threads, unsigned int cpu)
{
	return thread_of_cpu((struct hexagon_threads *)threads, cpu);
}

/* ---- hardware threads */

static void take_slot(struct hexagon_threads *threads, struct hexagon_software_thread *t, int slot)
{
	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++)
		if (threads->thread[i].home == slot)
			threads->thread[i].home = -1;
	t->slot = t->home = slot;
	t->turns++;
	t->ready = false;
	hexagon_time_start(threads->time, slot, t->row, t->vector);
}

static void leave_slot(struct hexagon_threads *threads, struct hexagon_software_thread *t)
{
	hexagon_time_stop(threads->time, t->slot);
	t->slot = -1;
}

static bool is_before(const struct hexagon_software_thread *a, const struct hexagon_software_thread *b)
{
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

		if (t->used && t->ready && (!first || is_before(t, first)))
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

/* A free hardware thread, or -1: its own one, then one without an owner; of several the one that became free first. */
static int best_slot(const struct hexagon_threads *threads, const struct hexagon_software_thread *t)
{
	const struct hexagon_time *time = threads->time;
	unsigned int best_class = 3;
	int best = -1;

	for (unsigned int i = 0; i < time->threads; i++) {
		unsigned int class = slot_class(threads, t, i);

		if (class < best_class ||
		    (class < 3 && class == best_class && time->thread[i].left < time->thread[best].left)) {
			best = i;
			best_class = class;
		}
	}
	return best;
}

/* Gives free hardware threads to ready threads. */
static void schedule(struct hexagon_threads *threads)
{
	struct hexagon_software_thread *t;
	int slot;

	while ((t = first_ready(threads)) && (slot = best_slot(threads, t)) >= 0)
		take_slot(threads, t, slot);
}

static void make_ready(struct hexagon_threads *threads, struct hexagon_software_thread *t)
{
	t->clock = threads->time->now;
	t->ready = true;
}

/* ---- life */

int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent)
{
	struct hexagon_software_thread *by = thread_of_cpu(threads, parent), *t = NULL;
	struct hexagon_feed *feed = threads->time->feed;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE && !t; i++)
		if (!threads->thread[i].used)
			t = &threads->thread[i];
	if (cpu >= HEXAGON_MAX_CPUS || !t)
		return -1;

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
	make_ready(threads, t);
	schedule(threads);
	return t->slot >= 0 ? t->slot : HEXAGON_QUEUED;
}

static void end_thread(struct hexagon_threads *threads, struct hexagon_software_thread *t)
{
	if (t->slot >= 0)
		leave_slot(threads, t);
	threads->of_cpu[t->cpu] = 0;
	threads->alive--;
	*t = (struct hexagon_software_thread){ .slot = -1, .home = -1 };
}

bool hexagon_threads_calls(const struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_software_thread *t = look_up(threads, cpu);

	return t && t->calling;
}

bool hexagon_threads_waits(const struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_software_thread *t = look_up(threads, cpu);

	return t && t->waiting && t->slot < 0 && !t->ready;
}

/* The first of those that wait on a futex and have not been woken yet, or NULL. */
static struct hexagon_software_thread *first_waiter(struct hexagon_threads *threads, uint64_t futex)
{
	struct hexagon_software_thread *first = NULL;

	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		struct hexagon_software_thread *t = &threads->thread[i];

		if (t->used && t->futex == futex && hexagon_threads_waits(threads, t->cpu) &&
		    (!first || t->order < first->order))
			first = t;
	}
	return first;
}

static void threads_wake(struct hexagon_threads *threads, uint64_t futex, uint64_t count)
{
	struct hexagon_software_thread *t;

	while (count-- && (t = first_waiter(threads, futex)))
		make_ready(threads, t);
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

static void wait_on(struct hexagon_threads *threads, struct hexagon_software_thread *t, uint64_t futex)
{
	t->waiting = true;
	t->futex = futex;
	t->order = threads->order++;
	leave_slot(threads, t);
}

static void do_futex(struct hexagon_threads *threads, struct hexagon_software_thread *t, const uint64_t args[5],
		     bool at_once)
{
	/* the count is an int; a negative one becomes a huge number, which wakes all waiters */
	uint64_t count = (uint32_t)args[2];

	switch (args[1] & OP_MASK) {
	case OP_WAIT:
	case OP_WAIT_BITSET:
		if (!at_once)
			wait_on(threads, t, args[0]);
		break;
	case OP_WAKE:
	case OP_WAKE_BITSET:
	case OP_WAKE_OP:
		threads_wake(threads, args[0], count);
		break;
	case OP_REQUEUE:
	case OP_CMP_REQUEUE:
		threads_wake(threads, args[0], count);
		requeue(threads, args[0], (uint32_t)args[3], args[4]);
		break;
	}
}

void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5], bool at_once)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);
	int slot;

	if (!self || self->slot < 0)
		return;
	self->calling = true;
	switch (number) {
	case SYS_CLONE:
		self->clone_clear_tid = args[0] & CLONE_CHILD_CLEARTID ? args[3] : 0;
		self->clone_child = -1;
		return;
	case SYS_FUTEX:
		do_futex(threads, self, args, at_once);
		break;
	case SYS_EXIT:
		if (self->clear_tid)
			threads_wake(threads, self->clear_tid, ALL_WAITERS);
		end_thread(threads, self);
		break;
	case SYS_EXIT_GROUP:
		/* the others end at this clock */
		slot = self->slot;
		end_thread(threads, self);
		hexagon_time_finish(threads->time, slot);
		return;
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
		wait_on(threads, self, 0);
		break;
	default:
		return;
	}
	schedule(threads);
}

/*
 * The kernel woke another waiter of an address than the model: that one goes on in the place of this one, which has not
 * executed anything since.
 */
static bool exchange(struct hexagon_threads *threads, struct hexagon_software_thread *self)
{
	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++) {
		struct hexagon_software_thread *t = &threads->thread[i];

		if (!t->used || t == self || !t->waiting || t->futex != self->futex ||
		    hexagon_threads_waits(threads, t->cpu))
			continue;
		if (t->slot >= 0)
			leave_slot(threads, t);
		t->ready = false;
		make_ready(threads, self);
		return true;
	}
	return false;
}

void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);

	if (!self)
		return;
	/* the vCPU was made, but its host thread was not */
	if (number == SYS_CLONE && result < 0 && self->clone_child >= 0)
		end_thread(threads, &threads->thread[self->clone_child]);
	self->clone_child = -1;
	if (hexagon_threads_waits(threads, cpu) && (!self->futex || result || !exchange(threads, self))) {
		/* no thread of the program woke it: it continues at the frontier, which is where the others have got meanwhile */
		threads->time->feed->slips += threads->time->running != 0;
		make_ready(threads, self);
	}
	self->calling = self->waiting = false;
	schedule(threads);
}

void hexagon_threads_vector(struct hexagon_threads *threads, unsigned int cpu)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);

	if (self)
		self->vector = true;
}

void hexagon_threads_yield(struct hexagon_threads *threads, unsigned int cpu)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);

	if (!self || self->slot < 0 || !first_ready(threads))
		return;
	leave_slot(threads, self);
	make_ready(threads, self);
	schedule(threads);
}

int hexagon_threads_slot(const struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_software_thread *self = look_up(threads, cpu);

	return self ? self->slot : -1;
}

int hexagon_threads_row(const struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_software_thread *self = look_up(threads, cpu);

	return self ? (int)self->row : -1;
}

int hexagon_threads_cpu(const struct hexagon_threads *threads, int slot)
{
	for (unsigned int i = 0; slot >= 0 && i < HEXAGON_MAX_SOFTWARE; i++)
		if (threads->thread[i].used && threads->thread[i].slot == slot)
			return threads->thread[i].cpu;
	return -1;
}

uint64_t hexagon_threads_turns(const struct hexagon_threads *threads, unsigned int cpu)
{
	const struct hexagon_software_thread *self = look_up(threads, cpu);

	return self ? self->turns : 0;
}

bool hexagon_threads_unblock(struct hexagon_threads *threads, unsigned int cpu)
{
	struct hexagon_software_thread *self = thread_of_cpu(threads, cpu);

	if (!self || !self->calling || self->slot < 0)
		return false;
	wait_on(threads, self, 0);
	schedule(threads);
	return true;
}
