/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of threads: start, turns, waiting, end. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

_Static_assert(HEXAGON_MAX_SOFTWARE == 64, "as a message says");

/* System calls of Hexagon Linux. */
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_CLONE 220

#define CLONE_VM 0x100
#define CLONE_VFORK 0x4000

/*
 * A thread that waits for its turn checks whether the others have passed its clock: after 50 us, then in intervals
 * that grow by a quarter up to 2 ms. The thread that gives it a hardware thread wakes it earlier.
 */
#define LOOK_US 50
#define LOOK_MAX_US 2000

/* After this time without progress of any thread, they are taken to be stuck. */
#define STUCK_US 5000000

/* After this many such times the program is ended. */
#define GIVE_UP 5

/* Interval of checks until QEMU has dropped its translations. */
#define SLOW_US 1000

struct hexagon_threads threads;
uint64_t quantum = HEXAGON_QUANTUM;
bool caches, stalls, forked;
/* QEMU is about to drop its translations. It waits until no thread is in a block. */
static bool dropping, dropped;
static uint64_t dummy_counters[HEXAGON_FEED_COUNTS];

/*
 * The clone that creates a thread: one at a time. Its vCPU continues only when the new vCPU has been announced,
 * whose clock starts at the creator's. QEMU 7.2 announces it within the call, 10.0 in the new host thread.
 */
static struct {
	bool busy, thread, announced;
	unsigned int cpu;
	pthread_cond_t change;
} cloning = { .change = PTHREAD_COND_INITIALIZER };

/* Tells the ordering of accesses which threads run, and from which clock on. */
static void update_order(void)
{
	for (unsigned int i = 0; i < threads.switches; i++) {
		const struct hexagon_switch *change = &threads.change[i];

		if (change->starts)
			pthread_cond_signal(&cpus[change->cpu].has_slot);
		if (!caches)
			continue;
		if (change->starts)
			hexagon_order_start(&order, change->slot, change->clock, change->row, change->vector);
		else
			hexagon_order_stop(&order, change->slot);
	}
	threads.switches = 0;
	order.hold = feed->model[feed->sequence & 1].hold;
	if (caches)
		hexagon_order_run(&order);
}

static unsigned int index_of(const struct cpu *cpu)
{
	return cpu - cpus;
}

/* A thread gets a hardware thread and counts there from now on. */
static void take_slot(struct cpu *cpu, unsigned int slot)
{
	const struct hexagon_model *model = &feed->model[feed->sequence & 1];

	cpu->slot = slot;
	cpu->turns = hexagon_threads_turns(&threads, index_of(cpu));
	cpu->count = feed->thread[slot].count;
	cpu->turn_end = cpu->count[HEXAGON_PACKETS] + quantum;
	cpu->look = dropping ? 0 : cpu->turn_end;
	cpu->next_clock = hexagon_model_clock(model, slot, cpu->count[HEXAGON_PACKETS]);
}

/* The sum of all packets, which shows whether any thread makes progress. */
static uint64_t progress(void)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < feed->threads; i++)
		sum += __atomic_load_n(&feed->thread[i].count[HEXAGON_PACKETS], __ATOMIC_RELAXED);
	return sum;
}

void end_of_translations(void)
{
	dropped |= dropping;
	dropping = false;
}

static _Noreturn void give_up(const char *why)
{
	fprintf(stderr, "hexagon-feed: %s\n", why);
	_exit(EXIT_UNSUPPORTED);
}

/* Waits until a thread has a hardware thread; call with the lock held. */
static void wait_for_slot(struct cpu *cpu)
{
	unsigned int waited = 0, since = 0, stuck = 0, rest;
	uint64_t before = progress();
	struct timespec until;
	int slot;

	while ((slot = hexagon_threads_slot(&threads, index_of(cpu))) < 0) {
		update_order();
		if (progress() != before) {
			before = progress();
			since = stuck = 0;
		}
		if (since > STUCK_US) {
			feed->slips += !hexagon_threads_unblock(&threads);
			since = 0;
			if (++stuck == GIVE_UP)
				give_up("the program's threads do not get on: with more threads than the core "
					"has, a thread may not fork");
			continue;
		}
		rest = LOOK_US + waited / 4;
		rest = rest < LOOK_MAX_US ? rest : LOOK_MAX_US;
		waited += rest;
		since += rest;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 1000 * rest;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&cpu->has_slot, &lock, &until);
	}
	update_order();
	take_slot(cpu, slot);
}

void next_turn(struct cpu *cpu)
{
	if (forked)
		return;
	if (cpu->count != dummy_counters) {
		/* a thread that slept here would block the vCPU that drops the translations */
		if (dropping) {
			usleep(SLOW_US);
			return;
		}
		cpu->look = cpu->turn_end;
		if (cpu->count[HEXAGON_PACKETS] < cpu->turn_end)
			return;
	}
	if (caches && cpu->count != dummy_counters)
		hand_over(cpu, cpu->next_clock);
	pthread_mutex_lock(&lock);
	hexagon_threads_yield(&threads, index_of(cpu), cpu->turns);
	wait_for_slot(cpu);
	pthread_mutex_unlock(&lock);
}

void on_cpu(qemu_plugin_id_t id, unsigned int cpu)
{
	static bool first_seen;
	int slot;

	(void)id;
	if (forked)
		return;
	pthread_mutex_lock(&lock);
	slot = hexagon_threads_create(&threads, cpu, first_seen ? cloning.cpu : cpu);
	first_seen = true;
	cloning.announced = true;
	pthread_cond_broadcast(&cloning.change);
	if (slot < 0)
		give_up("the program starts a thread too many: 64 at the same time are possible");
	if (slot == HEXAGON_QUEUED && feed->threads == 1)
		give_up("the program starts a thread too many: the modelled core has one hardware thread");
	update_order();
	/* the new thread waits for a hardware thread at its first block; the caller here is its creator */
	cpus[cpu] = (struct cpu){
		.count = dummy_counters, .line = UINT32_MAX, .has_slot = PTHREAD_COND_INITIALIZER,
		.vector_clock = UINT64_MAX,
	};
	if (caches && !make_notes(&cpus[cpu]))
		abort();
	if (slot != HEXAGON_QUEUED)
		take_slot(&cpus[cpu], slot);
	pthread_mutex_unlock(&lock);
}

static void clone_begins(unsigned int cpu, uint64_t flags)
{
	while (cloning.busy)
		pthread_cond_wait(&cloning.change, &lock);
	cloning.busy = true;
	cloning.announced = false;
	cloning.cpu = cpu;
	/* qemu-user implements vfork as fork */
	cloning.thread = (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
	/* translations for a single thread do not serve several */
	if (cloning.thread && !dropped)
		dropping = true;
}

static void clone_ends(int64_t result)
{
	while (cloning.thread && result > 0 && !cloning.announced)
		pthread_cond_wait(&cloning.change, &lock);
	cloning.busy = false;
	pthread_cond_broadcast(&cloning.change);
}

void on_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	const uint64_t args[5] = { a1, a2, a3, a4, a5 };

	(void)id, (void)a6, (void)a7, (void)a8;
	if (forked)
		return;
	if (number == SYS_EXIT || number == SYS_EXIT_GROUP)
		feed->exited = 1;
	flush_cpu(&cpus[cpu]);
	if (caches)
		hand_over(&cpus[cpu], cpus[cpu].next_clock);
	pthread_mutex_lock(&lock);
	if (number == SYS_CLONE)
		clone_begins(cpu, a1);
	hexagon_threads_syscall(&threads, cpu, number, args);
	update_order();
	if (caches && number == SYS_EXIT_GROUP)
		hexagon_order_finish(&order);
	pthread_mutex_unlock(&lock);
	if (caches && number == SYS_EXIT)
		free_notes(&cpus[cpu]);
}

void on_return(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result)
{
	(void)id;
	if (forked)
		return;
	pthread_mutex_lock(&lock);
	if (number == SYS_CLONE)
		clone_ends(result);
	hexagon_threads_return(&threads, cpu, number, result);
	update_order();
	/* it waited, or the others did not wait for it */
	if (hexagon_threads_slot(&threads, cpu) < 0 ||
	    hexagon_threads_turns(&threads, cpu) != cpus[cpu].turns)
		wait_for_slot(&cpus[cpu]);
	pthread_mutex_unlock(&lock);
}

void in_forked_child(void)
{
	forked = true;
	profile = NULL;
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++)
		cpus[i].count = dummy_counters;
}
