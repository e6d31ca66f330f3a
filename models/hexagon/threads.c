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

	/* nobody may take the next state's memory for the present one of a former round */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(next, present, offsetof(struct hexagon_model, change));
	memcpy(next->change, present->change, present->pending * sizeof(present->change[0]));
	return next;
}

static void publish(struct hexagon_threads *threads)
{
	__atomic_store_n(&threads->feed->sequence, threads->feed->sequence + 1, __ATOMIC_RELEASE);
}

int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent)
{
	struct hexagon_model *model = next_model(threads);
	struct hexagon_guest_thread *by = NULL;
	hexagon_packets_t packets;
	int free = -1;
	uint64_t at = 0;

	if (cpu >= HEXAGON_MAX_CPUS)
		return -1;
	for (unsigned int i = 0; i < threads->feed->threads; i++)
		if (!threads->thread[i].used &&
		    (free < 0 || model->thread[i].left < model->thread[free].left))
			free = i;
	if (free < 0)
		return -1;

	read_packets(threads, packets);
	if (parent != cpu && parent < HEXAGON_MAX_CPUS && threads->of_cpu[parent]) {
		unsigned int slot = threads->of_cpu[parent] - 1;

		by = &threads->thread[slot];
		at = hexagon_model_clock(model, slot, packets[slot]);
		by->clone_child = free;
	}
	threads->thread[free] = (struct hexagon_guest_thread){
		.used = true,
		.cpu = cpu,
		.clear_tid = by ? by->clone_clear_tid : 0,
		.clone_child = HEXAGON_MAX_THREADS,
	};
	threads->of_cpu[cpu] = free + 1;
	hexagon_model_start(model, free, at, packets);
	publish(threads);
	return free;
}

static void free_thread(struct hexagon_threads *threads, unsigned int slot)
{
	threads->of_cpu[threads->thread[slot].cpu] = 0;
	threads->thread[slot].used = false;
}

/* The first of those that wait on a futex and have not been woken yet, or -1. */
static int first_waiter(struct hexagon_threads *threads, const struct hexagon_model *model,
			uint64_t futex)
{
	int first = -1;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++) {
		const struct hexagon_guest_thread *t = &threads->thread[i];

		if (t->used && t->waiting && t->futex == futex &&
		    model->thread[i].state == HEXAGON_WAITING &&
		    (first < 0 || t->order < threads->thread[first].order))
			first = i;
	}
	return first;
}

static void threads_wake(struct hexagon_threads *threads, struct hexagon_model *model,
			 const hexagon_packets_t packets, uint64_t futex, uint64_t count,
			 uint64_t at)
{
	int i;

	while (count-- && (i = first_waiter(threads, model, futex)) >= 0)
		hexagon_model_start(model, i, at, packets);
}

static void requeue(struct hexagon_threads *threads, struct hexagon_model *model, uint64_t from,
		    uint64_t count, uint64_t to)
{
	int i;

	if (from == to)
		return;
	while (count-- && (i = first_waiter(threads, model, from)) >= 0) {
		threads->thread[i].futex = to;
		threads->thread[i].order = threads->order++;
	}
}

static void wait_on(struct hexagon_threads *threads, struct hexagon_model *model,
		    const hexagon_packets_t packets, unsigned int slot, uint64_t futex)
{
	threads->thread[slot].waiting = true;
	threads->thread[slot].futex = futex;
	threads->thread[slot].order = threads->order++;
	hexagon_model_stop(model, slot, packets, HEXAGON_WAITING);
}

static void do_futex(struct hexagon_threads *threads, struct hexagon_model *model,
		     const hexagon_packets_t packets, unsigned int slot, const uint64_t args[5])
{
	uint64_t at = hexagon_model_clock(model, slot, packets[slot]);
	/* counts are ints: a negative one wakes nobody more than the huge number does */
	uint64_t count = (uint32_t)args[2];

	switch (args[1] & OP_MASK) {
	case OP_WAIT:
	case OP_WAIT_BITSET:
		wait_on(threads, model, packets, slot, args[0]);
		break;
	case OP_WAKE:
	case OP_WAKE_BITSET:
	case OP_WAKE_OP:
		threads_wake(threads, model, packets, args[0], count, at);
		break;
	case OP_REQUEUE:
	case OP_CMP_REQUEUE:
		threads_wake(threads, model, packets, args[0], count, at);
		requeue(threads, model, args[0], (uint32_t)args[3], args[4]);
		break;
	}
}

/* The thread that runs on a vCPU, or NULL. */
static struct hexagon_guest_thread *thread_of_cpu(struct hexagon_threads *threads, unsigned int cpu)
{
	if (cpu >= HEXAGON_MAX_CPUS || !threads->of_cpu[cpu])
		return NULL;
	return &threads->thread[threads->of_cpu[cpu] - 1];
}

void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5])
{
	struct hexagon_guest_thread *self = thread_of_cpu(threads, cpu);
	struct hexagon_model *model;
	hexagon_packets_t packets;
	unsigned int slot;

	if (!self)
		return;
	slot = self - threads->thread;
	read_packets(threads, packets);
	switch (number) {
	case SYS_CLONE:
		self->clone_clear_tid = args[0] & CLONE_CHILD_CLEARTID ? args[3] : 0;
		self->clone_child = HEXAGON_MAX_THREADS;
		return;
	case SYS_FUTEX:
		model = next_model(threads);
		do_futex(threads, model, packets, slot, args);
		break;
	case SYS_EXIT:
		model = next_model(threads);
		if (self->clear_tid)
			threads_wake(threads, model, packets, self->clear_tid, ALL_WAITERS,
				     hexagon_model_clock(model, slot, packets[slot]));
		hexagon_model_stop(model, slot, packets, HEXAGON_OFF);
		free_thread(threads, slot);
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
		wait_on(threads, model, packets, slot, 0);
		break;
	default:
		return;
	}
	publish(threads);
}

void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result)
{
	struct hexagon_guest_thread *self = thread_of_cpu(threads, cpu);
	struct hexagon_model *model;
	hexagon_packets_t packets;

	if (!self)
		return;
	if (number == SYS_CLONE && result < 0 && self->clone_child < HEXAGON_MAX_THREADS) {
		/* the vCPU was made, but its host thread was not */
		read_packets(threads, packets);
		model = next_model(threads);
		hexagon_model_stop(model, self->clone_child, packets, HEXAGON_OFF);
		free_thread(threads, self->clone_child);
		self->clone_child = HEXAGON_MAX_THREADS;
		publish(threads);
		return;
	}
	if (!self->waiting)
		return;
	self->waiting = false;
	read_packets(threads, packets);
	model = next_model(threads);
	/* if nobody inside the program woke it, it goes on where it left or at the frontier */
	hexagon_model_start(model, self - threads->thread, 0, packets);
	publish(threads);
}
