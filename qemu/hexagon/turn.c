/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which thread runs on the host: one at a time, the one that holds the model's frontier (hexagon/time.h), for a slice of
 * time. So a program does the same on every host, also one whose threads look at each other's memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

/*
 * Cycles of a slice. Where threads start and stop it is short; it grows with the time since then. That is how far the
 * memory that a thread sees may be from its clock.
 */
#define SLICE_MIN 1536
#define SLICE_MAX 1000000
#define SLICE_SHARE 8

/* The same since a thread began to spin, or ended it. */
#define SPIN_MIN 24

/* Cycles after which the totals are published; at first, a share of the time since the start. */
#define PUBLISH 30000

/*
 * Seconds without progress after which it is asked whether all threads sleep, and times that they did until the end. Processor
 * time that this takes, and the share of it that other threads do not reach if they sleep.
 */
#define STUCK_S 4
#define GIVE_UP 5
#define CHECK_NS 500000000
#define CHECK_SHARE 50

/* Interval of a thread that executes code while it should wait, until QEMU has done what it does exclusively. */
#define SLOW_US 1000

/* Interval of checks of what a host thread was about to do. */
#define SETTLE_US 20

int holder = -1;
static uint64_t passed;		/* number of times that the holder changed */
static uint64_t published;	/* clock */
static bool loose;
static bool has_spun;
static uint64_t spin_changed;	/* clock at which a thread last began to spin or ended it */

/* What a host thread does after its callback: it sleeps in a futex, or it clears a word. */
static struct sleeper {
	bool clears, settled, private;
	unsigned int cpu;
	uint32_t address;
} sleepers[2 * HEXAGON_MAX_SOFTWARE];
static unsigned int asleep;

static unsigned int index_of(const struct cpu *cpu)
{
	return cpu - cpus;
}

/* ---- what host threads do between callbacks */

static void add_sleeper(struct sleeper sleeper)
{
	if (asleep < sizeof(sleepers) / sizeof(sleepers[0]))
		sleepers[asleep++] = sleeper;
}

void settle_sleep(unsigned int cpu, uint32_t address, bool private)
{
	add_sleeper((struct sleeper){ .cpu = cpu, .address = address, .private = private });
}

void settle_clear(uint32_t address)
{
	add_sleeper((struct sleeper){ .clears = true, .address = address });
}

static void drop_sleeper(unsigned int i)
{
	sleepers[i] = sleepers[--asleep];
}

void settle_return(unsigned int cpu)
{
	for (unsigned int i = 0; i < asleep; i++)
		if (!sleepers[i].clears && sleepers[i].cpu == cpu)
			drop_sleeper(i--);
}

/* Has it done so? */
static bool is_settled(const struct sleeper *sleeper)
{
	unsigned int n = 0;
	uint32_t word;

	if (sleeper->clears)
		return !guest_read(sleeper->address, &word, sizeof(word)) || !word;
	/* a requeue may have moved some */
	for (unsigned int i = 0; i < HEXAGON_MAX_SOFTWARE; i++)
		n += threads.thread[i].used && threads.thread[i].futex == sleeper->address &&
		     hexagon_threads_waits(&threads, threads.thread[i].cpu);
	return guest_sleepers(sleeper->address, sleeper->private) >= n;
}

/* Have all? */
static bool is_all_settled(void)
{
	for (unsigned int i = 0; i < asleep; i++) {
		sleepers[i].settled |= is_settled(&sleepers[i]);
		if (!sleepers[i].settled)
			return false;
		if (sleepers[i].clears)
			drop_sleeper(i--);
	}
	return true;
}

/* ---- progress */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/*
 * Do all other threads sleep? A thread that is ready and gets no processor for long, because the host is busy, looks the same
 * from here. So this thread uses a processor for a while: one that is ready gets its share meanwhile. Releases the lock.
 */
static bool others_sleep(void)
{
	static bool asked;
	uint64_t own = clock_ns(CLOCK_THREAD_CPUTIME_ID), all = clock_ns(CLOCK_PROCESS_CPUTIME_ID), before = passed;
	uint64_t used;

	if (asked)
		return false;
	asked = true;
	pthread_mutex_unlock(&lock);
	while ((used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - own) < CHECK_NS)
		;
	all = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - all;
	pthread_mutex_lock(&lock);
	asked = false;
	return passed == before && all - used < CHECK_NS / CHECK_SHARE;
}

/* ---- turns */

void pass_on(void)
{
	int next = hexagon_threads_cpu(&threads, hexagon_time_run(&model));
	uint64_t since = model.now - published;

	if (model.ending)
		return;
	if (since >= PUBLISH || since >= published / SLICE_SHARE || next < 0) {
		published = model.now;
		hexagon_time_publish(&model);
	}
	if (next == holder)
		return;
	holder = next;
	passed++;
	if (next >= 0)
		pthread_cond_signal(&cpus[next].runs);
}

static uint64_t slice(void)
{
	uint64_t cycles = SLICE_MIN + (model.now - model.changed) / SLICE_SHARE;
	uint64_t spin_cycles = SPIN_MIN + (model.now - spin_changed) / SLICE_SHARE;

	if (has_spun && spin_cycles < cycles)
		cycles = spin_cycles;
	return cycles < SLICE_MAX ? cycles : SLICE_MAX;
}

void begin_slice(struct cpu *cpu)
{
	unsigned int self = index_of(cpu);
	int slot = hexagon_threads_slot(&threads, self);
	uint64_t now = model.now, target = now + slice();

	if (slot < 0)
		return;
	cpu->slot = slot;
	if (hexagon_threads_turns(&threads, self) != cpu->turns) {
		/* what a new thread executed before its first turn belongs to that */
		if (cpu->turns)
			cpu->packets = cpu->next_packet = 0;
		cpu->head = NULL;
		cpu->spins = false;
		cpu->turns = hexagon_threads_turns(&threads, self);
		cpu->turn_end = quantum;
	}
	/*
	 * A thread that waits to do a system call does it when the others have reached its clock, and no later. So does one
	 * that was woken: whether its host thread has come out of its call already must change nothing.
	 */
	for (unsigned int i = 0; i < feed->threads; i++) {
		int other = hexagon_threads_cpu(&threads, i);
		uint64_t bound = hexagon_time_bound(&model, i) + (slot < (int)i);

		if (other >= 0 && other != (int)self && bound < target &&
		    (cpus[other].syncs || hexagon_threads_calls(&threads, other)))
			target = bound > now ? bound : now + 1;
	}
	cpu->until = cpu->packets + (target - now + model.cycles - 1) / model.cycles;
	if (cpu->until > cpu->turn_end)
		cpu->until = cpu->turn_end;
}

_Noreturn void give_up(const char *why)
{
	fprintf(stderr, "hexagon-feed: %s\n", why);
	_exit(EXIT_UNSUPPORTED);
}

/* The thread that should run sleeps. A system call that lasts is a wait; in code, QEMU may wait for all threads. */
static void help_holder(unsigned int times)
{
	if (times == GIVE_UP)
		give_up("the program's threads do not get on: one of them waits for something that is not known to "
			"wait");
	feed->slips++;
	if (holder >= 0 && hexagon_threads_unblock(&threads, holder))
		pass_on();
	else
		set_loose(true);
}

/* Returns false if it does not, because threads may not wait now. */
static bool wait_until_holder(struct cpu *cpu, bool in_code)
{
	uint64_t before = passed;
	unsigned int seconds = 0, times = 0;
	struct timespec until;

	while (holder != (int)index_of(cpu)) {
		if (loose && in_code)
			return false;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		if (pthread_cond_timedwait(&cpu->runs, &lock, &until) == 0)
			continue;
		if (passed != before)
			seconds = times = 0;
		before = passed;
		/* a thread in a system call waits for others, which may wait for the outside */
		if (holder >= 0 && !cpus[holder].yields && ++seconds % STUCK_S == 0 &&
		    hexagon_threads_slot(&threads, index_of(cpu)) >= 0 && others_sleep())
			help_holder(++times);
	}
	return true;
}

/* The same, and what others were about to do in their system calls is done. */
static bool wait_for_turn(struct cpu *cpu, bool in_code)
{
	uint64_t started = clock_ns(CLOCK_MONOTONIC);

	while (wait_until_holder(cpu, in_code)) {
		if (is_all_settled())
			return true;
		/* a call that does not sleep after all wants the lock */
		pthread_mutex_unlock(&lock);
		usleep(SETTLE_US);
		pthread_mutex_lock(&lock);
		if (clock_ns(CLOCK_MONOTONIC) - started < STUCK_S * 1000000000ull)
			continue;
		started = clock_ns(CLOCK_MONOTONIC);
		if (others_sleep()) {
			feed->slips++;
			asleep = 0;
		}
	}
	return false;
}

void end_slice(struct cpu *cpu)
{
	bool runs;

	if (forked)
		return;
	pthread_mutex_lock(&lock);
	hand_over(cpu, cpu->packets);
	cpu->syncs = cpu->changes_pace;
	if (holder < 0 || holder == (int)index_of(cpu)) {
		hexagon_time_run(&model);
		pass_on();
	}
	runs = wait_for_turn(cpu, true);
	cpu->syncs = false;
	if (cpu->changes_pace) {
		has_spun = true;
		spin_changed = model.now;
		cpu->changes_pace = false;
	}
	if (runs && cpu->packets >= cpu->turn_end && cpu->turns) {
		hexagon_threads_yield(&threads, index_of(cpu));
		cpu->turn_end = cpu->packets + quantum;
		pass_on();
		runs = wait_for_turn(cpu, true);
	}
	if (runs)
		begin_slice(cpu);
	else if (!model.ending && several)
		feed->slips++;	/* it executes code out of its turn */
	pthread_mutex_unlock(&lock);
	if (!runs)
		usleep(SLOW_US);
}

uint64_t clock_in_code(struct cpu *cpu, uint64_t *packets)
{
	uint64_t clock;

	/* the packet itself is not executed yet; it was counted when its block began */
	cpu->repeat--;
	flush_cpu(cpu);
	cpu->repeat = 1;
	cpu->limit = 1;
	pthread_mutex_lock(&lock);
	hand_over(cpu, cpu->packets);
	if (holder < 0 || holder == (int)index_of(cpu))
		pass_on();
	if (wait_for_turn(cpu, true))
		begin_slice(cpu);
	clock = model.now;
	if (cpu->slot >= 0)
		*packets = hexagon_time_packets(&model, cpu->slot);
	pthread_mutex_unlock(&lock);
	return clock;
}

void wait_in_call(struct cpu *cpu)
{
	hand_over(cpu, cpu->packets);
	cpu->syncs = true;
	if (holder < 0 || holder == (int)index_of(cpu))
		pass_on();
	wait_for_turn(cpu, false);
	cpu->syncs = false;
	/* a program that is killed loses only what it did since its last call or slice */
	if (model.now != published) {
		published = model.now;
		hexagon_time_publish(&model);
	}
}

void set_loose(bool now)
{
	loose = now;
	for (unsigned int i = 0; now && i < HEXAGON_MAX_SOFTWARE; i++)
		if (threads.thread[i].used)
			pthread_cond_signal(&cpus[threads.thread[i].cpu].runs);
}
