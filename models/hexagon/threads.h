/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which guest thread runs on which hardware thread, and when: derived from the system calls of a
 * Linux program, written into the feed's model of time.
 *
 * A guest thread gets a hardware thread when it is created (the one that became free first) and
 * keeps it until it exits. It waits in futex, sleeps, polls, reads and wait4. A futex wake gives the
 * waiter the waker's clock already when the wake is called, whenever the host runs the waiter; so
 * does the exit of a thread for those that wait for its clear_child_tid. What wakes a thread from
 * outside the program has no clock: such a thread goes on at the frontier.
 *
 * The caller serialises all functions.
 */
#ifndef HEXAGON_THREADS_H
#define HEXAGON_THREADS_H

#include "hexagon/feed.h"

/* Numbers that qemu-user gives its vCPUs; they grow as threads come and go. */
#define HEXAGON_MAX_CPUS 4096

struct hexagon_guest_thread {
	bool used;
	bool waiting;		/* in a system call that waits */
	unsigned int cpu;
	uint64_t futex;		/* address that it waits on, 0 if on something else */
	uint64_t order;		/* of waiters on one address, the lowest is woken first */
	uint64_t clear_tid;	/* futex that its exit wakes, or 0 */
	uint64_t clone_clear_tid;	/* the same of the thread that its present clone creates */
	unsigned int clone_child;	/* hardware thread of that, or HEXAGON_MAX_THREADS */
};

struct hexagon_threads {
	struct hexagon_feed *feed;
	uint64_t order;
	struct hexagon_guest_thread thread[HEXAGON_MAX_THREADS];
	uint8_t of_cpu[HEXAGON_MAX_CPUS];	/* hardware thread + 1, 0: none */
};

void hexagon_threads_init(struct hexagon_threads *threads, struct hexagon_feed *feed);

/*
 * vCPU `cpu` comes to life, made by the clone that `parent` is in (parent == cpu: the first one).
 * Returns its hardware thread, or -1 if all are taken or the vCPU's number is too high.
 */
int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent);

/* A system call with its first five arguments, and its return. */
void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5]);
void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result);

#endif
