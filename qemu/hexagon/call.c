/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of threads: start, system calls, end. */
#include <stdio.h>
#include <stdlib.h>

#include "events/hexagon/services.h"
#include "qemu/hexagon/plugin.h"

_Static_assert(HEXAGON_MAX_SOFTWARE == 64, "as a message says");

/* System calls of Hexagon Linux, operations of futex(2), flags of clone(2). */
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_FUTEX 98
#define SYS_SCHED_YIELD 124
#define SYS_CLONE 220
#define HEXAGON_PAGE 0x10000
#define FUTEX_PRIVATE 128
#define FUTEX_OPERATION 127
#define FUTEX_WAIT 0
#define FUTEX_WAIT_BITSET 9
#ifndef CLONE_VM
#define CLONE_VM 0x100
#define CLONE_VFORK 0x4000
#endif

struct hexagon_threads threads;
uint64_t quantum = HEXAGON_QUANTUM;
bool caches, stalls, short_blocks, several, forked;

/*
 * The clone that creates a thread. Its vCPU continues only when the new vCPU has been announced. QEMU 7.2 announces it
 * within the call, 10.0 in the new host thread.
 */
static struct {
	bool thread, announced;
	unsigned int cpu;
	pthread_cond_t change;
} cloning = { .change = PTHREAD_COND_INITIALIZER };

void on_cpu(MON_ID_FIRST unsigned int cpu MON_POINTER_LAST)
{
	static bool first_seen;
	int slot;

	if (forked)
		return;
	if (short_blocks)
		mon_short_blocks();
	pthread_mutex_lock(&lock);
	cpus[cpu] = (struct cpu){
		.slot = -1, .line = UINT32_MAX, .runs = PTHREAD_COND_INITIALIZER, .vector_packet = UINT64_MAX,
	};
	if (!make_notes(&cpus[cpu]))
		abort();
	slot = hexagon_threads_create(&threads, cpu, first_seen ? cloning.cpu : cpu);
	first_seen = true;
	cloning.announced = true;
	pthread_cond_broadcast(&cloning.change);
	if (slot < 0)
		give_up("the program starts a thread too many: 64 at the same time are possible");
	if (slot == HEXAGON_QUEUED && feed->threads == 1)
		give_up("the program starts a thread too many: the modelled core has one hardware thread");
	pthread_mutex_unlock(&lock);
}

/*
 * Of a clone. Before QEMU copies the process, or drops its translations for the first thread that is not alone, no thread may
 * wait in code. But what executes code then is not in its turn, so the latter is done before there is a second thread.
 */
static void clone_begins(unsigned int cpu, uint64_t flags)
{
	bool ready = several;

	cloning.announced = false;
	cloning.cpu = cpu;
	/* qemu-user implements vfork as fork */
	cloning.thread = (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
	if (cloning.thread && !several) {
		/* it is alone; on_flush() takes the lock */
		pthread_mutex_unlock(&lock);
		ready = mon_prepare_threads(HEXAGON_PAGE);
		pthread_mutex_lock(&lock);
	}
	if (!cloning.thread || !ready)
		set_loose(true);
	several |= cloning.thread;
}

static void clone_ends(int64_t result)
{
	while (cloning.thread && result > 0 && !cloning.announced)
		pthread_cond_wait(&cloning.change, &lock);
	if (!cloning.thread)
		set_loose(false);
}

/* A futex wait: it sleeps unless its word has another value. */
static bool sleeps(const uint64_t args[5])
{
	unsigned int operation = args[1] & FUTEX_OPERATION;
	uint32_t word;

	return (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) &&
	       guest_read(args[0], &word, sizeof(word)) && word == (uint32_t)args[2];
}

/* The address that the exit of a thread clears, or 0. */
static uint32_t clear_tid(unsigned int cpu)
{
	return threads.of_cpu[cpu] ? threads.thread[threads.of_cpu[cpu] - 1].clear_tid : 0;
}

void on_syscall(MON_ID_FIRST unsigned int cpu_index, int64_t number, uint64_t a1, uint64_t a2,
		uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8 MON_POINTER_LAST)
{
	const uint64_t args[5] = { a1, a2, a3, a4, a5 };
	struct cpu *cpu = &cpus[cpu_index];
	bool asleep;

	(void)a6, (void)a7, (void)a8;
	if (forked)
		return;
	flush_cpu(cpu);
	pthread_mutex_lock(&lock);
	wait_in_call(cpu);
	if (number == HEXAGON_SERVICE_CALL)
		serve(cpu_index, args);
	if (number == SYS_EXIT || number == SYS_EXIT_GROUP)
		feed->exited = 1;
	if (number == SYS_CLONE)
		clone_begins(cpu_index, a1);
	if (number == SYS_EXIT && clear_tid(cpu_index))
		settle_clear(clear_tid(cpu_index));
	asleep = number == SYS_FUTEX && sleeps(args);
	if (asleep)
		settle_sleep(cpu_index, a1, a2 & FUTEX_PRIVATE);
	cpu->yields = number == SYS_SCHED_YIELD;
	hexagon_threads_syscall(&threads, cpu_index, number, args, !asleep);
	/* QEMU waits for all threads that are in code, and then ends */
	if (number == SYS_EXIT_GROUP)
		set_loose(true);
	else if (hexagon_threads_slot(&threads, cpu_index) < 0)
		pass_on();
	pthread_mutex_unlock(&lock);
	if (number == SYS_EXIT)
		free_notes(cpu);
}

void on_return(MON_ID_FIRST unsigned int cpu_index, int64_t number, int64_t result MON_POINTER_LAST)
{
	struct cpu *cpu = &cpus[cpu_index];

	if (forked)
		return;
	pthread_mutex_lock(&lock);
	settle_return(cpu_index);
	cpu->yields = false;
	if (number == SYS_CLONE)
		clone_ends(result);
	hexagon_threads_return(&threads, cpu_index, number, result);
	if (holder != (int)cpu_index)
		wait_in_call(cpu);
	begin_slice(cpu);
	pthread_mutex_unlock(&lock);
}

void in_forked_child(void)
{
	forked = true;
	profile = NULL;
	pthread_mutex_init(&lock, NULL);
}
