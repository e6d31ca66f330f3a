/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of hexagon-feed.so, from below: cpu.c, note.c, access.c, turn.c, block.c, feed-plugin.c.
 *
 * QEMU hands out one packet as one "instruction", and a translation block ends at each packet that
 * may change the flow. So every packet is decoded once, when its block is translated, and a block's
 * execution adds precomputed sums.
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

/* The first counters move in almost every block, in one go; the others are listed if they move. */
#define HOT_COUNTS 8

/* Exit status of a program that the model cannot represent. */
#define EXIT_UNSUPPORTED 126

/* Counters of two bits that predict a thread's conditional branches, by address. */
#define PREDICTIONS 1024

struct rare {
	uint32_t counter;
	uint32_t add;
};

/* A packet as far as its accesses and the profile ask. */
struct place {
	uint32_t pc;
	uint32_t cost;		/* its number in the profile */
	uint16_t index;		/* in its block */
	uint8_t size;
	bool vector;		/* its accesses are the vector unit's, */
	bool scalar_load, scalar_store;	/* but not those of its scalar instructions */
	bool zero;		/* dczeroa */
};

struct block {
	uint64_t add[HOT_COUNTS];
	uint64_t pc;
	uint64_t end;		/* address after its last packet */
	bool loop_end;		/* its last packet carries an end-of-loop marker */
	bool conditional;	/* its last packet has a conditional branch */
	bool vector;
	unsigned int rare_count;
	struct rare rare[HEXAGON_MEMORY_COUNTS - HOT_COUNTS];
	struct block *next;
	unsigned int place_count;	/* 0 without caches */
	struct place places[];
};

struct cpu {
	const struct block *block;	/* the last one, which has not been added yet */
	uint64_t repeat;		/* how often it ran */
	uint64_t limit;			/* and may run before it is added */
	uint64_t pc, before;		/* the block that translations were dropped in, and its repetitions */
	uint64_t *count;		/* in the feed; nowhere before its first turn */
	pthread_cond_t seated;		/* it has a hardware thread */
	uint64_t turns;			/* that it has had */
	uint64_t turn_end;		/* its turn is over at so many packets of the hardware thread, */
	uint64_t look;			/* and at so many next_turn() is to be called */
	uint64_t end;			/* of the last block that was added; 0 at first */
	bool loop_end;
	bool vector;

	/* for the caches */
	unsigned int slot;		/* hardware thread */
	uint64_t clock;			/* of the first packet of the present block */
	uint64_t next_clock;		/* of the next one's */
	uint32_t line;			/* of instructions that was fetched last */
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
extern bool caches;		/* are modelled */
extern bool stalls;		/* are, too */
extern bool forked;		/* a forked child is another program: it is not counted */
extern pthread_mutex_t lock;	/* of the above but cpus[], which are their threads' */

/* cpu.c: adds what the last block did. */
void flush_cpu(struct cpu *cpu);

/* note.c: what a thread accessed is noted with its clock; full note books are put into order. */
void note(struct cpu *cpu, unsigned int access, const struct place *place, uint64_t clock,
	  uint32_t address);
/* Hands over what was noted before a clock; a thread that is far ahead of others rests. */
void hand_over(struct cpu *cpu, uint64_t clock);
bool make_notes(struct cpu *cpu);
void free_notes(struct cpu *cpu);

/* access.c: callbacks of a packet, whose place is data. */
void on_fetch(unsigned int cpu, void *data);
void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* A block begins: notes that what came before was mispredicted, and hands over what is old. */
void begin_block(struct cpu *cpu, const struct block *block);

/* turn.c: callbacks of a thread's life. */
/* The next turn of a thread: goes on when it has a hardware thread again. */
void next_turn(struct cpu *cpu);
void on_cpu(qemu_plugin_id_t id, unsigned int cpu);
void on_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2,
		uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
void on_return(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result);
void in_forked_child(void);

/* QEMU drops all translations, which it does when the second thread comes; no vCPU is running. */
void end_of_translations(void);

/* block.c: translation and execution of code. */
void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void on_flush(qemu_plugin_id_t id);

#endif
