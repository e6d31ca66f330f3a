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

/* Cycles after which the totals are published; at first, a share of the time since the start. */
#define PUBLISH 30000

/* Seconds without progress after which the thread that should run is taken to be stuck, and times until the end. */
#define STUCK_S 5
#define GIVE_UP 5

/* Interval of a thread that executes code while it should wait, until QEMU has done what it does exclusively. */
#define SLOW_US 1000

/* Checks of what a host thread was about to do, and their interval: at least 4 s, for a host that is busy. */
#define SETTLE_US 20
#define SETTLE_TRIES 200000

int holder = -1;
static uint64_t passed;		/* number of times that the holder changed */
static uint64_t published;	/* clock */
static bool loose;

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
	for (unsigned int i = 0; i < asleep; i++)
		n += !sleepers[i].clears && sleepers[i].address == sleeper->address &&
		     hexagon_threads_waits(&threads, sleepers[i].cpu);
	return guest_sleepers(sleeper->address, sleeper->private) >= n;
}

static void settle(void)
{
	for (unsigned int i = 0; i < asleep; i++) {
		for (int tries = 0; !sleepers[i].settled && !is_settled(&sleepers[i]) && tries < SETTLE_TRIES; tries++)
			usleep(SETTLE_US);
		/* the counts of this run may differ from another one's */
		if (!sleepers[i].settled && !is_settled(&sleepers[i]))
			feed->slips++;
		sleepers[i].settled = true;
		if (sleepers[i].clears)
			drop_sleeper(i--);
	}
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
		cpu->turns = hexagon_threads_turns(&threads, self);
		cpu->turn_end = quantum;
	}
	/* a thread that waits to do a system call does it when the others have reached its clock, and no later */
	for (unsigned int i = 0; i < feed->threads; i++) {
		int other = hexagon_threads_cpu(&threads, i);
		uint64_t bound = hexagon_time_bound(&model, i) + (slot < (int)i);

		if (other >= 0 && other != (int)self && cpus[other].syncs && bound < target)
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

/* Whoever should run does not get on. A system call that lasts is a wait; in code, QEMU may wait for all threads. */
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
	unsigned int seconds = 0;
	struct timespec until;

	while (holder != (int)index_of(cpu)) {
		if (loose && in_code)
			return false;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		if (pthread_cond_timedwait(&cpu->runs, &lock, &until) == 0)
			continue;
		seconds = passed == before ? seconds + 1 : 0;
		before = passed;
		/* a thread in a system call waits for others, which may wait for the outside */
		if (holder >= 0 && seconds % STUCK_S == STUCK_S - 1 &&
		    hexagon_threads_slot(&threads, index_of(cpu)) >= 0)
			help_holder(seconds / STUCK_S);
	}
	settle();
	return true;
}

void end_slice(struct cpu *cpu)
{
	bool runs;

	if (forked)
		return;
	pthread_mutex_lock(&lock);
	hand_over(cpu, cpu->packets);
	if (holder < 0 || holder == (int)index_of(cpu)) {
		hexagon_time_run(&model);
		pass_on();
	}
	runs = wait_until_holder(cpu, true);
	if (runs && cpu->packets >= cpu->turn_end && cpu->turns) {
		hexagon_threads_yield(&threads, index_of(cpu));
		cpu->turn_end = cpu->packets + quantum;
		pass_on();
		runs = wait_until_holder(cpu, true);
	}
	if (runs)
		begin_slice(cpu);
	pthread_mutex_unlock(&lock);
	if (!runs)
		usleep(SLOW_US);
}

uint64_t clock_in_code(struct cpu *cpu)
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
	if (wait_until_holder(cpu, true))
		begin_slice(cpu);
	clock = model.now;
	pthread_mutex_unlock(&lock);
	return clock;
}

void wait_in_call(struct cpu *cpu)
{
	hand_over(cpu, cpu->packets);
	cpu->syncs = true;
	if (holder < 0 || holder == (int)index_of(cpu))
		pass_on();
	wait_until_holder(cpu, false);
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
