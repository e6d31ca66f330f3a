/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which software thread runs on which hardware thread, and when: derived from the system calls of a
 * Linux program, told to the model of time.
 *
 * A software thread is ready when it is created, woken, or at the end of its turn. Ready threads get
 * hardware threads in the order of the clocks at which they became ready. A thread waits in futex, sleeps, polls,
 * reads and wait4. A futex wake, and the exit of a thread for those that wait for its clear_child_tid, make the waiter
 * ready when it is called, whenever the host runs the waiter. What wakes a thread from outside the program has no
 * clock: such a thread is ready at the frontier.
 *
 * While a program has no more threads than the core, each keeps its own hardware thread, also while it waits.
 *
 * The caller serialises all functions, and calls them for a thread that runs only when that holds the frontier (time.h).
 */
#ifndef HEXAGON_THREADS_H
#define HEXAGON_THREADS_H

#include "hexagon/time.h"

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
	bool vector;		/* it needs a vector context */
	int slot;		/* its hardware thread, or -1 */
	uint64_t turns;		/* number of turns so far */
	int home;		/* its last one, or -1 if another thread has had that since */
	unsigned int cpu;
	unsigned int row;	/* in the feed */
	uint64_t clock;		/* at which it became ready */
	uint64_t futex;		/* address that it waits on, 0 if on something else */
	uint64_t order;		/* of waiters on one address, the lowest is woken first */
	uint64_t clear_tid;	/* futex that its exit wakes, or 0 if none */
	uint64_t clone_clear_tid;	/* the same of the thread that its present clone creates */
	int clone_child;	/* software thread of that, or -1 */
};

struct hexagon_threads {
	struct hexagon_time *time;
	uint64_t order;
	unsigned int alive;
	struct hexagon_software_thread thread[HEXAGON_MAX_SOFTWARE];
	uint8_t of_cpu[HEXAGON_MAX_CPUS];	/* software thread + 1, 0: none */
};

void hexagon_threads_init(struct hexagon_threads *threads, struct hexagon_time *time);

/*
 * vCPU `cpu` comes to life, made by the clone that `parent` is in (parent == cpu: the first one).
 * Returns its hardware thread, HEXAGON_QUEUED, or -1 if there are too many or the vCPU's number is too
 * high.
 */
int hexagon_threads_create(struct hexagon_threads *threads, unsigned int cpu, unsigned int parent);

/*
 * A system call with its first five arguments, and its return. With at_once a futex wait does not wait, because the
 * word has another value.
 */
void hexagon_threads_syscall(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			     const uint64_t args[5], bool at_once);
void hexagon_threads_return(struct hexagon_threads *threads, unsigned int cpu, int64_t number,
			    int64_t result);

/* A vCPU's thread has executed a vector packet: whenever it runs, it needs a context. */
void hexagon_threads_vector(struct hexagon_threads *threads, unsigned int cpu);

/* A vCPU's turn is over: if others are ready, its thread is ready again, and comes after them. */
void hexagon_threads_yield(struct hexagon_threads *threads, unsigned int cpu);

/* The hardware thread of a vCPU, or -1; the vCPU of a hardware thread, or -1. */
int hexagon_threads_slot(const struct hexagon_threads *threads, unsigned int cpu);
int hexagon_threads_cpu(const struct hexagon_threads *threads, int slot);

/* The row of a vCPU's thread in the feed, or -1. */
int hexagon_threads_row(const struct hexagon_threads *threads, unsigned int cpu);

/* How many turns a vCPU has had. */
uint64_t hexagon_threads_turns(const struct hexagon_threads *threads, unsigned int cpu);

/* The system call of a vCPU has not returned. */
bool hexagon_threads_calls(const struct hexagon_threads *threads, unsigned int cpu);

/* The thread of a vCPU waits in a system call, and no thread of the program woke it. */
bool hexagon_threads_waits(const struct hexagon_threads *threads, unsigned int cpu);

/* The vCPU makes no progress: from now on its system call counts as a wait. False if it is in none. */
bool hexagon_threads_unblock(struct hexagon_threads *threads, unsigned int cpu);

#endif
