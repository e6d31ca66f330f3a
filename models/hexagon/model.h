/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Model of time: which hardware threads ran together, and for how long.
 *
 * qemu-hexagon executes every packet but has no clock, and the host decides how far each thread gets before another one
 * runs. So time is derived from the packets. Its unit is the round:
 * in one round every running thread commits exactly one packet. A core that takes C cycles from one
 * packet of a thread to the next (3 on V69: three threads a cluster take turns) spends C cycles a
 * round, whatever the number of running threads.
 *
 * Every thread has a clock of its own: the round at which it began plus the packets it has committed
 * since. A new thread begins at its creator's clock, a thread that was woken goes on at the clock of
 * the one that woke it. The host may run one thread far ahead of another; the frontier is the
 * earliest clock of a running thread, and only what lies before it has been charged. Transitions
 * (wait, wake, create, exit) ahead of the frontier are kept until it reaches them. So
 *  - the result does not depend on the host's scheduling, as far as the program itself does not;
 *  - what has been charged never changes, thus no counter runs backwards;
 *  - when all threads have ended, each thread's charged rounds are exactly its packets.
 *
 * A model is plain memory without pointers: the plugin keeps it in shared memory (feed.h) and every
 * reader advances a copy of its own.
 */
#ifndef HEXAGON_MODEL_H
#define HEXAGON_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define HEXAGON_MAX_THREADS 8
#define HEXAGON_THREAD_SETS (1 << HEXAGON_MAX_THREADS)
#define HEXAGON_MAX_PENDING 1000

enum hexagon_thread_state {
	HEXAGON_OFF,
	HEXAGON_RUNNING,
	HEXAGON_WAITING,
};

struct hexagon_model_thread {
	uint32_t state;		/* enum hexagon_thread_state: what its last transition made it */
	uint32_t vector;	/* its program thread owns a vector context: 0 or 1 */
	uint64_t offset;	/* RUNNING: its clock is offset + packets (modulo 2^64) */
	uint64_t left;		/* clock at which it last stopped running */
};

/*
 * A thread started or stopped running, or got or lost a vector context, at a clock that the frontier
 * has not reached.
 */
struct hexagon_model_change {
	uint64_t at;
	uint32_t thread;
	uint32_t vector;	/* 1: of the context */
};

struct hexagon_model {
	uint32_t threads;	/* hardware threads, 1 to HEXAGON_MAX_THREADS */
	uint32_t running;	/* bit n: thread n runs at the frontier */
	uint32_t slips;		/* laggards that were passed because HEXAGON_MAX_PENDING was reached */
	uint32_t pending;	/* valid entries of change[], sorted by time */
	uint32_t vector;	/* bit n: thread n has a vector context at the frontier */
	uint32_t reserved;
	uint64_t frontier;
	uint64_t hold;		/* a thread that is not known yet may start from this clock on */
	struct hexagon_model_thread thread[HEXAGON_MAX_THREADS];
	/* rounds in which exactly the threads of the index (a bit mask) ran; [0]: none */
	uint64_t rounds[HEXAGON_THREAD_SETS];
	/* rounds in which exactly so many threads ran that have a vector context */
	uint64_t contexts[HEXAGON_MAX_THREADS + 1];
	struct hexagon_model_change change[HEXAGON_MAX_PENDING];
};

/* Packets that each hardware thread has committed since the start. */
typedef uint64_t hexagon_packets_t[HEXAGON_MAX_THREADS];

void hexagon_model_init(struct hexagon_model *model, unsigned int threads);

/*
 * A thread starts to run: at clock `at`, or where its last run ended or the frontier stands if that
 * is later. Nothing happens if it runs already.
 */
void hexagon_model_start(struct hexagon_model *model, unsigned int thread, uint64_t at,
			 const hexagon_packets_t packets);

/*
 * A running thread waits (HEXAGON_WAITING) or ends (HEXAGON_OFF) at its present clock. Of a thread
 * that does not run only the state changes.
 */
void hexagon_model_stop(struct hexagon_model *model, unsigned int thread,
			const hexagon_packets_t packets, enum hexagon_thread_state state);

/* From a thread's present clock on, the program's thread that it runs has a vector context or not. */
void hexagon_model_vector(struct hexagon_model *model, unsigned int thread, const hexagon_packets_t packets,
			  bool vector);

/* A thread's clock: present if it runs, else the one at which it stopped. */
uint64_t hexagon_model_clock(const struct hexagon_model *model, unsigned int thread,
			     uint64_t packets);

/* The earliest clock of a running thread, or UINT64_MAX: nothing can happen before it any more. */
uint64_t hexagon_model_limit(const struct hexagon_model *model, const hexagon_packets_t packets);

/* Moves the frontier as far as the running threads' packets and the hold allow. */
void hexagon_model_advance(struct hexagon_model *model, const hexagon_packets_t packets);

/* No more packets will come: every running thread ends where it is, and all is charged. */
void hexagon_model_finish(struct hexagon_model *model, const hexagon_packets_t packets);

/* What has been charged, summed up: rounds[] is that of a model, or a sum over several. */

/* Rounds with exactly n threads running. */
uint64_t hexagon_rounds(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n);

/* Packets of the threads in mask, committed while exactly n threads ran (n >= 1). */
uint64_t hexagon_rounds_packets(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n,
				uint32_t mask);

/*
 * The same, and the n threads were split as `most` in one cluster and n - most in the other, where
 * per_cluster threads with consecutive numbers make a cluster.
 */
uint64_t hexagon_rounds_split(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n,
			      unsigned int most, unsigned int per_cluster, uint32_t mask);

/* False if a model from outside could make one of these functions leave its arrays. */
bool hexagon_model_sane(const struct hexagon_model *model);

#endif
