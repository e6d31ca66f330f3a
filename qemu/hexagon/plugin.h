/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of hexagon-feed.so share. From the lowest: cpu.c, note.c, access.c, operation.c,
 * turn.c, block.c, feed-plugin.c.
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

#include "hexagon/feed.h"
#include "hexagon/order.h"
#include "hexagon/threads.h"

#define CACHE_LINE 64

/* Almost every block moves the first counters, so they are added in a loop; a block lists the others that it moves. */
#define HOT_COUNTS 8

/* Exit status after an operation of the program that the model does not have. */
#define EXIT_UNSUPPORTED 126

/* Number of two-bit counters that predict a thread's conditional branches, indexed by address. */
#define PREDICTIONS 1024

struct rare {
	uint32_t counter;
	uint32_t add;
};

/* Facts of a packet that its accesses and the profile need. */
struct place {
	uint32_t pc;
	uint32_t cost;		/* its number in the profile */
	uint16_t index;		/* index in its block */
	uint8_t size;
	bool vector;		/* its accesses are the vector unit's ... */
	bool scalar_load, scalar_store;	/* ... except those of its scalar instructions */
	bool zero;		/* dczeroa */
	struct hexagon_operation operation;
};

struct block {
	uint64_t add[HOT_COUNTS];
	uint64_t pc;
	uint64_t end;		/* address after its last packet */
	bool loop_end;		/* its last packet has an end-of-loop marker */
	bool conditional;	/* its last packet has a conditional branch */
	bool vector;
	unsigned int first_vector;	/* packets before its first one with vector instructions */
	unsigned int rare_count;
	struct rare rare[HEXAGON_MEMORY_COUNTS - HOT_COUNTS];
	struct block *next;
	unsigned int place_count;	/* 0 if caches are not modelled */
	struct place places[];
};

struct cpu {
	const struct block *block;	/* the last block that ran, not added yet */
	uint64_t repeat;		/* its number of executions */
	uint64_t limit;			/* largest repeat before it is added */
	uint64_t pc, before;		/* the block at which translations were dropped, and its executions */
	uint64_t *count;		/* in the feed; in dummy counters before its first turn */
	pthread_cond_t has_slot;		/* signals that it has a hardware thread */
	uint64_t turns;			/* number of turns so far */
	uint64_t turn_end;		/* packet count of the hardware thread at which the turn ends */
	uint64_t look;			/* packet count at which next_turn() is due */
	uint64_t end;			/* end address of the last block that was added; 0 at first */
	bool loop_end;
	bool vector;			/* it has executed vector instructions */

	/* for the cache model */
	bool vector_noted;
	uint64_t vector_clock;		/* of its first vector packet, if that is to be noted, else UINT64_MAX */
	unsigned int slot;		/* hardware thread */
	uint64_t clock;			/* of the current block's first packet */
	uint64_t next_clock;		/* of the next block's first packet */
	uint32_t line;			/* the last fetched line of instructions */
	const struct block *branch;	/* the block that ran last */
	uint8_t predictions[PREDICTIONS];
	struct hexagon_order_entry *notes;
	unsigned int noted;
} __attribute__((aligned(CACHE_LINE)));

extern struct cpu cpus[HEXAGON_MAX_CPUS];
extern struct hexagon_feed *feed;
extern struct hexagon_threads threads;
extern struct hexagon_order order;
extern uint64_t quantum;	/* packets of a turn */
extern struct hexagon_profile *profile;	/* or NULL */
extern bool caches;		/* caches are modelled */
extern bool stalls;		/* stalls are modelled, too */
extern bool forked;		/* this is a forked child, another program: do not count it */
extern pthread_mutex_t lock;	/* protects the above except cpus[], whose entries belong to their threads */

/* cpu.c: adds the counts of the last block. */
void flush_cpu(struct cpu *cpu);

/* note.c: notes an access of a thread with its clock; a full note book is handed over. */
void note(struct cpu *cpu, unsigned int access, const struct place *place, uint64_t clock,
	  uint32_t address);
/* Notes that the thread has a vector context, if that begins up to a clock and is not noted. */
void note_vector(struct cpu *cpu, uint64_t clock);
/* Hands over the notes before a clock, to be put into order; a thread that is far ahead of others sleeps. */
void hand_over(struct cpu *cpu, uint64_t clock);
bool make_notes(struct cpu *cpu);
void free_notes(struct cpu *cpu);

/* access.c: callbacks of a packet; data is its struct place. */
void on_fetch(unsigned int cpu, void *data);
void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* Start of a block: notes a misprediction before it, and hands over old notes. */
void begin_block(struct cpu *cpu, const struct block *block);

/* operation.c: the same for instructions that access no memory; they come before the packet's accesses. */
void on_operation(unsigned int cpu, void *data);

/* turn.c: callbacks of a thread's life. */
/* Ends a thread's turn; returns when it has a hardware thread again. */
void next_turn(struct cpu *cpu);
void on_cpu(qemu_plugin_id_t id, unsigned int cpu);
void on_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
void on_return(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result);
void in_forked_child(void);

/* QEMU drops all translations when the second thread starts; no vCPU runs. */
void end_of_translations(void);

/* block.c: translation and execution of code. */
void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void on_flush(qemu_plugin_id_t id);

#endif
