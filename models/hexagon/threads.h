/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which software thread runs on which hardware thread, and when: derived from the system calls of a
 * Linux program, written into the feed's model of time.
 *
 * A software thread is ready when it is created, woken, or at the end of its turn. Ready threads get
 * hardware threads in the order of their clocks. It waits in futex, sleeps, polls, reads and wait4. A
 * futex wake gives the waiter the waker's clock already when the wake is called, whenever the host runs
 * the waiter; so does the exit of a thread for those that wait for its clear_child_tid. What wakes a
 * thread from outside the program has no clock: such a thread goes on at the frontier.
 *
 * While a program has no more threads than the core, each keeps its own hardware thread, also while
 * it waits. As soon as it has more, who gets a hardware thread at a clock is decided when no running
 * thread can do anything before that clock any more; until then the software thread stands still on
 * the host, too. So the result does not depend on the host.
 *
 * The caller serialises all functions.
 */
#ifndef HEXAGON_THREADS_H
#define HEXAGON_THREADS_H

#include "hexagon/feed.h"

/* Numbers that qemu-user gives its vCPUs; they grow as threads come and go. */
#define HEXAGON_MAX_CPUS 4096

/* Software threads at the same time. */
#define HEXAGON_MAX_SOFTWARE 64

/* Packets of a turn, if others are ready. Assumed. */
#define HEXAGON_QUANTUM 1000000

/* What hexagon_threads_create() returns for a thread that has to wait for a hardware thread. */
#define HEXAGON_QUEUED HEXAGON_MAX_THREADS

struct hexagon_software_thread {
	bool used;
	bool calling;		/* in a system call */
	bool waiting;		/* in one that waits */
	bool ready;		/* for a hardware thread */
	bool yielded;		/* because its turn ended */
	bool vector;		/* it owns a vector context */
	int slot;		/* its hardware thread, or -1 */
	uint64_t turns;		/* number of turns so far */
	int home;		/* its last one, or -1 if another thread has had that since */
	unsigned int cpu;
	unsigned int row;	/* in the feed */
	uint64_t clock;		/* at which it stopped, or is ready */
	uint64_t futex;		/* address that it waits on, 0 if on something else */
	uint64_t order;		/* of waiters on one address, the lowest is woken first */
	uint64_t clear_tid;	/* futex that its exit wakes, or 0 if none */
	uint64_t clone_clear_tid;	/* the same of the thread that its present clone creates */
	int clone_child;	/* software thread of that, or -1 */
};

/* A hardware thread started or stopped; the ordering of accesses needs it. */
struct hexagon_switch {
	unsigned int slot;
	unsigned int cpu;
	bool starts;
	bool vector;	/* it has a vector context */
	unsigned int row;
	uint64_t clock;
};

struct hexagon_threads {
	struct hexagon_feed *feed;
	uint64_t order;
	unsigned int alive;
	bool contended;		/* there have been more threads at a clock than the core has */
	struct hexagon_software_thread thread[HEXAGON_MAX_SOFTWARE];
	uint8_t of_cpu[HEXAGON_MAX_CPUS];	/* software thread + 1, 0: none */
	/* what happened since the caller set `switches` to 0 */
	struct hexagon_switch change[4 * HEXAGON_MAX_THREADS];
	unsigned int switches;
};

void hexagon_threads_init(struct hexagon_threads *threads, struct hexagon_feed *feed);

/*
 * vCPU `cpu` comes to life, made by the clone that `parent` is in (parent == cpu: the first one).
 * Returns its hardware thread, HEXAGON_QUEUED, or -1 if there are too many or the vCPU's number is too
 * high.
 */
int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent);

/* A system call with its first five arguments, and its return. */
void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5]);
void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result);

/* A vCPU owns a vector context from so many packets after those on that are counted now. */
void hexagon_threads_vector(struct hexagon_threads *threads, unsigned int cpu, uint64_t after);

/*
 * Turn number `turn` of a vCPU's thread (hexagon_threads_turns()) is over: the thread is ready again, and comes after
 * the others. Nothing happens if it has got another turn meanwhile: a new thread, which knows of none, may have one
 * before the host starts it.
 */
void hexagon_threads_yield(struct hexagon_threads *threads, unsigned int cpu, uint64_t turn);

/* Decides what can be decided. The hardware thread of a vCPU after that, or -1. */
int hexagon_threads_slot(struct hexagon_threads *threads, unsigned int cpu);

/* How many turns a vCPU has had: if that is another number than before, it may have moved. */
uint64_t hexagon_threads_turns(const struct hexagon_threads *threads, unsigned int cpu);

/*
 * No thread makes progress: from now on, threads in a system call count as waiting. If there is none, the first ready
 * thread continues without regard to the others; returns false then.
 */
bool hexagon_threads_unblock(struct hexagon_threads *threads);

#endif
