/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The model of time: when the packets of each hardware thread begin, in cycles of the core, and what follows from that.
 *
 * qemu-hexagon executes every packet but has no clock. So each running thread has a clock of its own. A packet takes
 * C cycles (3 on V69: three threads of a cluster take turns), then come the cycles that the thread waits for what the
 * packet missed. A wait moves the clock of that thread only.
 *
 * The host runs threads one after the other, each for a slice. A thread hands over what it executed: accesses and
 * other entries, each with its packet's number, and the number of packets. These are done in the order of the clocks,
 * those of one clock in the order of the threads' numbers, up to the first clock at which a running thread has nothing
 * more to hand over: the frontier, `now`. The thread that holds it there has to run next.
 *
 * What happens at the frontier (a thread starts, waits, ends) is exact, because all others are at the same clock or
 * later. So the result does not depend on the host.
 *
 * The caller serialises all functions.
 */
#ifndef HEXAGON_TIME_H
#define HEXAGON_TIME_H

#include "hexagon/calls.h"
#include "hexagon/feed.h"
#include "hexagon/memory.h"
#include "hexagon/profile.h"

/* Cycles that a thread waits, beside those from one packet to the next. */
struct hexagon_timing {
	uint32_t l2;		/* for a line from the L2 */
	uint32_t memory;	/* for one from memory */
	uint32_t redirect;	/* after a mispredicted branch */
};

/* docs/hexagon-model.md, "Modelled: stalls" */
#define HEXAGON_L2_CYCLES 12
#define HEXAGON_MEMORY_CYCLES 150
#define HEXAGON_REDIRECT_CYCLES 4

/* What is handed over and is no enum hexagon_access. */
enum {
	HEXAGON_TIME_REDIRECT = HEXAGON_ACCESSES,	/* a mispredicted branch */
	HEXAGON_TIME_L2FETCH,	/* an l2fetch, before its lines */
	HEXAGON_TIME_VECTOR,	/* from this packet on the thread needs a vector context */
	HEXAGON_TIME_BLOCK,	/* the packets before this one were executions of a block */
	HEXAGON_TIME_CALL,	/* with this packet a function begins; address: number of the call */
	HEXAGON_TIME_RETURN,	/* before it functions returned; address: how many */
};

struct hexagon_time_entry {
	uint64_t packet;	/* number since the thread's start; that of a BLOCK is the next one's */
	uint32_t address;	/* BLOCK: its number */
	uint16_t what;
	uint16_t cost;		/* place in the profile; BLOCK: HEXAGON_TIME_RUN() */
};

/* Executions in a row (up to 4095), and HEXAGON_BLOCK_... of the first. */
#define HEXAGON_TIME_RUN(times, how) ((times) | (how) << 12)
#define HEXAGON_TIME_TIMES(run) ((run) & 0xfffu)
#define HEXAGON_TIME_HOW(run) ((run) >> 12)

enum hexagon_time_state {
	HEXAGON_TIME_OFF,
	HEXAGON_TIME_STEADY,	/* packets follow each other */
	HEXAGON_TIME_PACKET,	/* executes a packet after which it waits */
	HEXAGON_TIME_WAITS,	/* for wait[0] */
	HEXAGON_TIME_NO_CONTEXT,	/* for a vector context */
};

#define HEXAGON_TIME_MAX_WAITS 64

struct hexagon_time_thread {
	enum hexagon_time_state state;
	unsigned int row;
	bool vector;		/* it needs a vector context */
	bool has_context;
	uint64_t packet, next;	/* number of the next packet that begins, and its clock */
	bool begins;		/* the packet before that has begun and is not counted yet */
	uint64_t known;		/* packets that were handed over */
	uint64_t edge;		/* clock at which the state ends */
	uint64_t left;		/* clock at which it last became OFF */
	uint64_t stop;		/* at the end of the program: its last packet's number + 1, and its last block */
	struct hexagon_time_entry last;
	struct {
		uint64_t cycles;
		uint32_t place;
		enum hexagon_stall cause;
	} wait[HEXAGON_TIME_MAX_WAITS];
	unsigned int waits;
	struct hexagon_time_entry *queue;
	size_t begin, end, room;
	uint64_t base[HEXAGON_ROW_VALUES];	/* counts of the hardware thread when it started this row */
};

struct hexagon_time {
	struct hexagon_totals totals;
	struct hexagon_feed *feed;	/* rows, and where the totals are published */
	struct hexagon_memory memory;
	bool caches;
	struct hexagon_timing timing;	/* all 0: none */
	struct hexagon_profile *profile;	/* or NULL */
	struct hexagon_calls *calls[HEXAGON_SOFTWARE_ROWS];	/* by row, with a profile */
	struct hexagon_block **blocks;	/* by number */
	unsigned int threads;		/* hardware threads */
	unsigned int cycles;		/* of a packet */
	unsigned int contexts;		/* vector contexts */
	uint64_t now;
	uint64_t changed;		/* when a thread last started or stopped */
	uint32_t running, waiting, vector;	/* bit n: thread n runs; and waits; and has a context */
	bool ending;
	struct hexagon_time_thread thread[HEXAGON_MAX_THREADS];
};

/* A core whose totals go to a feed. Without a shape there are no caches. False if they cannot be made. */
bool hexagon_time_init(struct hexagon_time *time, struct hexagon_feed *feed, const struct hexagon_memory_shape *shape,
		       unsigned int cycles, unsigned int contexts);
void hexagon_time_free(struct hexagon_time *time);

/* A hardware thread starts now to run a software thread, which needs a vector context or not. */
void hexagon_time_start(struct hexagon_time *time, unsigned int thread, unsigned int row, bool vector);

/* A hardware thread stops now. What it handed over and is not done yet happens at once. */
void hexagon_time_stop(struct hexagon_time *time, unsigned int thread);

/* Takes over n entries, by packet, of a thread that has executed `known` packets since its start. */
void hexagon_time_add(struct hexagon_time *time, unsigned int thread, const struct hexagon_time_entry *entries,
		      size_t n, uint64_t known);

/* Adds counts of a thread, not of packets, while it is the only one. */
void hexagon_time_count(struct hexagon_time *time, unsigned int thread, const uint64_t count[HEXAGON_COUNTS]);

/* Does what can be done. Returns the thread that holds the frontier, or -1 if none runs. */
int hexagon_time_run(struct hexagon_time *time);

/* The clock at which a thread's next unknown packet begins, not before that; UINT64_MAX: that is not known. */
uint64_t hexagon_time_bound(const struct hexagon_time *time, unsigned int thread);

/*
 * The program ends now, by a thread that has stopped: each one that still runs stops at the end of the execution of a
 * block in which it is. What it executed beyond that did not happen.
 */
void hexagon_time_finish(struct hexagon_time *time, unsigned int ender);

/* Packets that the software thread of a hardware thread that runs has begun. */
uint64_t hexagon_time_packets(const struct hexagon_time *time, unsigned int thread);

/* Makes the present totals visible. */
void hexagon_time_publish(struct hexagon_time *time);

#endif
