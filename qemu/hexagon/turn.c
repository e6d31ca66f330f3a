/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that come, wait, go on and end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

/* Of Hexagon Linux. */
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_CLONE 220

#define CLONE_VM 0x100
#define CLONE_VFORK 0x4000

struct hexagon_threads threads;
bool caches, stalls, forked;

/*
 * The clone that makes a thread: one at a time, and its vCPU does not go on before the new one is here, whose clock
 * begins at its creator's. QEMU 7.2 announces it within the call, 10.0 in the new host thread.
 */
static struct {
	bool busy, thread, came;
	unsigned int cpu;
	pthread_cond_t change;
} cloning = { .change = PTHREAD_COND_INITIALIZER };

/* After a transition: which threads run now, and from which clock on. */
static void update_order(void)
{
	const struct hexagon_model *model = &feed->model[feed->sequence & 1];

	for (unsigned int i = 0; i < feed->threads; i++) {
		bool runs = model->thread[i].state == HEXAGON_RUNNING;
		uint64_t packets = feed->thread[i].count[HEXAGON_PACKETS];

		if (runs && !order.thread[i].running)
			hexagon_order_start(&order, i, hexagon_model_clock(model, i, packets));
		else if (!runs && order.thread[i].running)
			hexagon_order_stop(&order, i);
	}
}

/* A thread begins to run, or goes on. */
static void set_clock(struct cpu *cpu)
{
	const struct hexagon_model *model = &feed->model[feed->sequence & 1];

	cpu->next_clock = hexagon_model_clock(model, cpu->slot, cpu->count[HEXAGON_PACKETS]);
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
	cloning.came = true;
	pthread_cond_broadcast(&cloning.change);
	if (slot >= 0 && caches)
		update_order();
	pthread_mutex_unlock(&lock);
	if (slot < 0) {
		fprintf(stderr,
			"hexagon-feed: the program starts a thread too many: the modelled core has %u "
			"hardware threads, and a thread keeps its own until it exits\n",
			feed->threads);
		_exit(EXIT_UNSUPPORTED);
	}
	cpus[cpu] = (struct cpu){ .count = feed->thread[slot].count, .slot = slot, .line = UINT32_MAX };
	if (caches) {
		if (!make_notes(&cpus[cpu]))
			abort();
		set_clock(&cpus[cpu]);
	}
}

static void clone_begins(unsigned int cpu, uint64_t flags)
{
	while (cloning.busy)
		pthread_cond_wait(&cloning.change, &lock);
	cloning.busy = true;
	cloning.came = false;
	cloning.cpu = cpu;
	/* a vfork is a fork in qemu-user */
	cloning.thread = (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
}

static void clone_ends(int64_t result)
{
	while (cloning.thread && result > 0 && !cloning.came)
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
	if (caches)
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
	if (caches) {
		update_order();
		set_clock(&cpus[cpu]);
	}
	pthread_mutex_unlock(&lock);
}

void in_forked_child(void)
{
	static uint64_t nowhere[HEXAGON_FEED_COUNTS];

	forked = true;
	profile = NULL;
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++)
		cpus[i].count = nowhere;
}
