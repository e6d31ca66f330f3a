/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of hexagon-feed.so share. From the lowest: guest.c, cpu.c, note.c, access.c, graph.c, operation.c,
 * loop.c, turn.c, service.c, clock.c, call.c, block.c, feed-plugin.c.
 *
 * QEMU presents one packet as one "instruction". A translation block ends at each packet that may
 * change the flow. So each packet is decoded once, when its block is translated, and an execution
 * of the block adds precomputed sums.
 */
#ifndef QEMU_HEXAGON_PLUGIN_H
#define QEMU_HEXAGON_PLUGIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <qemu-plugin.h>

#include "qemu/compat.h"

#include "hexagon/events.h"
#include "hexagon/threads.h"

#define CACHE_LINE 64

/* Exit status after an operation of the program that the model does not have. */
#define EXIT_UNSUPPORTED 126

/* Number of two-bit counters that predict a thread's conditional branches, indexed by address. */
#define PREDICTIONS 1024

/* Largest number of accesses of one packet: a vector scatter of bytes. */
#define PACKET_ACCESSES 256

/* Facts of a packet that its accesses and the profile need. */
struct place {
	uint32_t pc;
	uint32_t cost;		/* its number in the profile */
	uint16_t index;		/* index in its block */
	uint8_t size;
	bool vector;		/* its accesses are the vector unit's ... */
	bool scalar_load, scalar_store;	/* ... except those of its scalar instructions */
	bool loads_pair;		/* one of these loads has 8 bytes */
	bool zero;		/* dczeroa */
	struct hexagon_operation operation;
};

/* What packets do to memory, as far as it tells whether a loop of them only waits: hexagon/packet.h. */
struct effects {
	bool loads, stores, pauses;
	uint32_t writes, addresses;
};

struct block {
	struct hexagon_block counts;
	struct effects effects;
	struct hexagon_rows rows;	/* executions that are not added yet, while there is one thread */
	struct block *next;		/* that has such ones, too */
	uint32_t number;
	uint64_t pc;
	uint64_t end;		/* address after its last packet */
	bool conditional;	/* its last packet has a conditional branch */
	bool calls;		/* ... or a call */
	uint32_t last;		/* its last packet */
	struct {
		uint32_t to;
		int number;	/* in the profile, of the last call from here */
	} call;
	unsigned int place_count;	/* 0 if caches are not modelled */
	struct place places[];
};

struct cpu {
	struct block *block;		/* the last block that ran, not added yet */
	uint64_t repeat;		/* its number of executions */
	uint64_t limit;			/* largest repeat before it is added */
	uint64_t packets;		/* executed and added in this turn */
	uint64_t until;			/* packets at which the slice ends */
	uint64_t turn_end;		/* packets at which the turn ends */
	uint64_t end;			/* end address of the last block that was added; 0 at first */
	bool loop_end;
	bool vector;			/* it has executed vector instructions */
	bool vector_noted;
	uint64_t vector_packet;		/* its first vector packet, if it is recorded, else UINT64_MAX */
	uint64_t count[HEXAGON_COUNTS];	/* not handed over yet, while it is the only thread ... */
	struct block *first;		/* ... nor what these blocks have */

	/* loop.c: the loop that it may be in, of this block, since it was there last; how often it waited there in a row */
	const struct block *head;
	struct effects round;
	uint64_t round_packet;
	unsigned int rounds;
	bool spins;
	uint64_t spun_packet;		/* until which it spun */
	bool changes_pace;		/* it begins to spin, or ends it: it goes on when the others have reached its clock */

	int slot;			/* hardware thread, or -1 */
	uint64_t turns;			/* number of turns so far */
	bool syncs;			/* it waits until it holds the frontier, to do a system call */
	bool yields;			/* it is in sched_yield, which returns, however long a busy host takes */
	pthread_cond_t runs;		/* signals that it may run */

	/* for the cache model */
	uint64_t packet;		/* number of the current block's first packet */
	uint64_t next_packet;		/* of the next block's */
	uint32_t line;			/* the last fetched line of instructions */
	struct {
		bool open;
		uint32_t end;		/* address after it */
		uint32_t cost;		/* its place in the profile */
	} branch;			/* the conditional branch that ran last */
	uint8_t predictions[PREDICTIONS];
	struct {
		uint64_t packet;
		unsigned int n;
		struct {
			enum hexagon_access access;
			uint32_t line;
		} seen[PACKET_ACCESSES];
	} pieces;			/* lines that a packet touched, of accesses that come in pieces */

	/* for the profile of calls: addresses to return to, and calls beyond those */
	struct block *caller;	/* the block that ran last, if it has a call */
	uint64_t went_on;	/* the address after the last block */
	uint32_t returns[HEXAGON_CALLS_DEPTH];
	unsigned int depth, beyond;
	struct hexagon_time_entry *notes;
	unsigned int noted;
} __attribute__((aligned(CACHE_LINE)));

extern struct cpu cpus[HEXAGON_MAX_CPUS];
extern struct hexagon_feed *feed;
extern struct hexagon_threads threads;
extern struct hexagon_time model;
extern uint64_t quantum;	/* packets of a turn */
extern struct hexagon_profile *profile;	/* or NULL */
extern bool caches;		/* caches are modelled */
extern bool stalls;		/* stalls are modelled, too */
extern bool short_blocks;	/* each packet is a block */
extern bool several;		/* there has been more than one thread */
extern bool forked;		/* this is a forked child, another program: do not count it */
extern pthread_mutex_t lock;	/* protects the above except cpus[], whose entries belong to their threads */

/*
 * Does the model of time do what threads do, in the order of their clocks? Otherwise nothing depends on clocks, and counts are
 * added at once.
 */
static inline bool in_order(void)
{
	return several || stalls || profile;
}

/* cpu.c: adds the counts of the last block; those of the blocks that are not in cpu->count yet. */
void flush_cpu(struct cpu *cpu);
void gather_blocks(struct cpu *cpu);

/* note.c: notes what a packet of a thread does, or does it at once; a full note book is handed over. */
void note(struct cpu *cpu, unsigned int what, uint32_t cost, uint64_t packet, uint32_t address);
/* Hands over all notes; the thread has executed so many packets. Call it with the lock held. */
void hand_over(struct cpu *cpu, uint64_t packets);
bool make_notes(struct cpu *cpu);
void free_notes(struct cpu *cpu);

/* access.c: callbacks of a packet; data is its struct place. */
void on_fetch(unsigned int cpu, void *data);
void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/*
 * The next block begins, and the counts of the last one are not added yet. If the last packet so far had a conditional branch:
 * notes whether it was mispredicted.
 */
void end_branch(struct cpu *cpu, const struct block *next);
/* Start of a block. */
void begin_block(struct cpu *cpu, const struct block *block);

/* graph.c: the same for calls and returns. */
void follow_calls(struct cpu *cpu, struct block *block);

/* operation.c: the same for instructions that access no memory; they come before the packet's accesses. */
void on_operation(unsigned int cpu, void *data);

/* loop.c: does a loop of packets with these effects only wait? */
bool only_waits(const struct effects *effects);
void add_effects(struct effects *to, const struct effects *from);
/* A block begins; the one before it was executed so many times in a row. */
void follow_loops(struct cpu *cpu, const struct block *block, uint64_t repeat);
/* Executions of a waiting block in a row after which its thread spins. */
#define SPIN_ROUNDS 4

/* service.c: a system call by which the program asks the model (events/hexagon/services.h). */
void serve(unsigned int cpu, const uint64_t args[5]);
/* UTIMER at a clock. */
uint64_t utimer(uint64_t clock);
extern struct hexagon_core core;
extern uint32_t clock_hz;
extern int marks;		/* a pipe that takes the program's marks, or -1 */

/* clock.c: the callback of a packet that reads UPCYCLE, PKTCOUNT or UTIMER. */
void on_clock(unsigned int cpu, void *data);

/* guest.c: the program's memory, which may be anywhere in this process. False if an address is not mapped. */
void guest_learn(const struct qemu_plugin_insn *insn);
bool guest_read(uint32_t address, void *to, size_t size);
bool guest_write(uint32_t address, const void *from, size_t size);
/* Number of host threads that sleep in a futex of the program. */
unsigned int guest_sleepers(uint32_t address, bool private);

/* turn.c: which thread runs on the host. */
/* A thread has executed its slice; returns when it may run again. Call it at the start of a block. */
void end_slice(struct cpu *cpu);
/* It executes a packet that needs its exact clock, which this returns, and the packets that its thread has begun. */
uint64_t clock_in_code(struct cpu *cpu, uint64_t *packets);
/* The same in a system call, with the lock held: until it holds the frontier. */
void wait_in_call(struct cpu *cpu);
/* The thread that holds the frontier may run from now on. */
void pass_on(void);
/* The present thread goes on; threads may have come or gone. */
void begin_slice(struct cpu *cpu);
/* The host thread of a vCPU is about to sleep in a futex, or to clear a word: the next one waits until that is done. */
void settle_sleep(unsigned int cpu, uint32_t address, bool private);
void settle_clear(uint32_t address);
void settle_return(unsigned int cpu);
/* While it is loose, threads do not wait for each other in code, which would block what QEMU does exclusively. */
void set_loose(bool loose);
extern int holder;		/* the vCPU that may run, or -1 */

/* call.c: callbacks of a thread's life. */
void on_cpu(MON_ID_FIRST unsigned int cpu MON_POINTER_LAST);
void on_syscall(MON_ID_FIRST unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8 MON_POINTER_LAST);
void on_return(MON_ID_FIRST unsigned int cpu, int64_t number, int64_t result MON_POINTER_LAST);
void in_forked_child(void);
_Noreturn void give_up(const char *why);

/* block.c: translation and execution of code. */
void on_translate(MON_ID_FIRST struct qemu_plugin_tb *tb MON_POINTER_LAST);
void on_flush(MON_FLUSHED);

#endif
