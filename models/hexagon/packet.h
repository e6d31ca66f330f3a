/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a Hexagon VLIW packet adds to the counters of the thread that commits it.
 *
 * A packet is 1 to 4 words of 32 bits. The decoder looks at the bits that the Hexagon V73
 * Programmer's Reference Manual (chapters 10 and 11) fixes for each instruction class; it reads
 * operands only where an event or a cache needs them (r31 makes a jump a return).
 */
#ifndef HEXAGON_PACKET_H
#define HEXAGON_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#define HEXAGON_PACKET_WORDS 4

/*
 * Counters of one hardware thread. The order is part of the feed's layout (feed.h): the first eight
 * move in almost every block of code and share one cache line; what is rare comes last.
 */
enum hexagon_count {
	HEXAGON_PACKETS,	/* packets */
	HEXAGON_INSTS,		/* instructions: a duplex is two, NOPs count, constant extenders do not */
	HEXAGON_CHANGED_FLOW,	/* packets after which execution went elsewhere than the next one */
	HEXAGON_ENDLOOP,	/* packets whose end-of-loop marker jumped back */
	HEXAGON_FLOW,		/* jumps, calls, returns, traps; plus 1 for a packet with a loop end */
	HEXAGON_BIMODAL,	/* conditional branches, taken or not */
	HEXAGON_LOADS,		/* scalar loads, cancelled ones included */
	HEXAGON_STORES,		/* scalar stores, cancelled ones included */
	HEXAGON_MEMOPS,		/* read-modify-write memory instructions */
	HEXAGON_NOPS,		/* NOP words */
	HEXAGON_DUPLEXES,	/* words with two sub-instructions */
	HEXAGON_LOOP_ENDS,	/* packets with an end-of-loop marker, taken or not */
	HEXAGON_RETURNS,	/* dealloc_return and jumps through r31, cancelled ones included */
	HEXAGON_INDIRECT,	/* register jumps and calls that are not returns */
	HEXAGON_HVX_PACKETS,	/* packets with vector instructions */
	HEXAGON_HVX_INSTS,	/* vector instructions */
	HEXAGON_VECTOR_PACKETS,	/* all packets from the thread's first vector packet on */
	HEXAGON_DCFETCH,	/* dcfetch */
	HEXAGON_DCZERO,		/* dczeroa */
	HEXAGON_FPS,		/* scalar floating point, conversions not */
	HEXAGON_HVX_ALU,	/* vector instructions by pipe, in the order of enum hexagon_pipe */
	HEXAGON_HVX_MULTIPLY,
	HEXAGON_HVX_SHIFT,
	HEXAGON_HVX_PERMUTE,
	/* what the caches count (memory.h), if the program was started with them */
	HEXAGON_MEMORY_COUNTS,
	HEXAGON_FETCHES = HEXAGON_MEMORY_COUNTS,	/* lines asked of the L1 instruction cache */
	HEXAGON_FETCH_MISSES,
	HEXAGON_DATA,		/* lines asked of the L1 data cache */
	HEXAGON_DATA_MISSES,
	HEXAGON_STORE_MISSES,	/* stores among them, dczeroa not */
	HEXAGON_L2_FETCHES,	/* requests to the L2 for instructions */
	HEXAGON_L2_FETCH_MISSES,
	HEXAGON_L2_READS,	/* of the L1 data cache, dcfetch included */
	HEXAGON_L2_READ_MISSES,
	HEXAGON_L2_STORES,	/* lines that it writes */
	HEXAGON_L2_STORE_MISSES,
	HEXAGON_DU_READS,	/* what the data unit sends */
	HEXAGON_DU_WRITES,
	HEXAGON_VECTOR_LOADS,	/* of the vector units */
	HEXAGON_VECTOR_LOAD_MISSES,
	HEXAGON_VECTOR_STORES,
	HEXAGON_VECTOR_STORE_MISSES,
	HEXAGON_DCFETCH_HITS,	/* in the L1 data cache */
	HEXAGON_DCFETCH_MISSES,
	HEXAGON_DCFETCH_FAR,	/* those that missed the L2, too */
	HEXAGON_L2FETCHES,	/* l2fetch, stops not */
	HEXAGON_L2FETCH_LINES,	/* lines that they ask of the L2 */
	HEXAGON_L2FETCH_MISSES,
	HEXAGON_COUNTS
};

/* Why a thread waited, if the program was started with timing; as the PVIEW events name it. */
enum hexagon_stall {
	HEXAGON_STALL_REDIRECT,	/* a branch went elsewhere than predicted */
	HEXAGON_STALL_FETCH,	/* the packet was not in the L1 instruction cache */
	HEXAGON_STALL_DATA,	/* a load missed the L1 data cache */
	HEXAGON_STALL_VECTOR,	/* a vector load missed the L2 */
	HEXAGON_STALL_CONTEXT,	/* all vector contexts were in use; without timing, too */
	HEXAGON_STALLS
};

/* Instructions for caches that access no memory: only the packet's registers tell their address. */
enum hexagon_operation_kind {
	HEXAGON_OP_NONE,
	HEXAGON_OP_DCFETCH,	/* Rs + offset */
	HEXAGON_OP_L2FETCH,	/* Rs, size in Rt */
	HEXAGON_OP_L2FETCH_WIDE,	/* Rs, size in Rtt */
	HEXAGON_OP_DCCLEAN,	/* dccleana */
	HEXAGON_OP_DCINVALIDATE,	/* dccleaninva; for programs dcinva does the same */
	HEXAGON_OP_ICINVALIDATE,	/* icinva */
};

struct hexagon_operation {
	uint16_t offset;
	uint8_t kind;
	uint8_t rs, rt;
};

/* What the decoder finds in one packet. Never more than 8 of anything. */
struct hexagon_packet {
	uint8_t add[HEXAGON_COUNTS];	/* CHANGED_FLOW, ENDLOOP, VECTOR_PACKETS stay 0: known later */
	bool loop_end;			/* carries the marker of loop 0, loop 1 or both */
	bool calls;			/* has a call */
	bool loads_pair;	/* has a scalar load of 8 bytes */
	bool reads_clock;	/* UPCYCLE, PKTCOUNT or UTIMER, or a half of it */
	bool stores;		/* writes memory, other than by a conditional (locked) store; or is a vector packet */
	bool pauses;
	uint32_t writes;	/* general registers that it writes, and a few that it may write: bit n */
	uint32_t addresses;	/* those that the addresses of its scalar loads are made of */
	struct hexagon_operation operation;	/* a packet has at most one */
};

/* What an execution of a block of packets adds: a few counters that almost every block moves, and the others. */
#define HEXAGON_HOT_COUNTS 8

struct hexagon_block {
	uint64_t add[HEXAGON_HOT_COUNTS];
	unsigned int first_vector;	/* packets before its first one with vector instructions */
	bool vector;			/* it has one */
	bool loop_end;			/* its last packet has an end-of-loop marker */
	unsigned int rares;
	struct {
		uint32_t counter, add;
	} rare[HEXAGON_MEMORY_COUNTS - HEXAGON_HOT_COUNTS];
	unsigned int places;		/* its packets' places in the profile; 0 without one */
	uint32_t *place;
};

void hexagon_block_init(struct hexagon_block *block, const uint32_t add[HEXAGON_COUNTS]);

/* How the first of some executions in a row began, and what the thread is. */
#define HEXAGON_BLOCK_ENTERED 1u	/* from elsewhere than the address before the block */
#define HEXAGON_BLOCK_LOOPED 2u		/* by an end of loop, too */
#define HEXAGON_BLOCK_VECTOR 4u		/* the thread owns a vector context */
#define HEXAGON_BLOCK_FIRST 8u		/* from the first vector packet of the first execution on */

/* Adds so many executions of a block in a row, without HEXAGON_PACKETS. */
void hexagon_block_add(uint64_t count[HEXAGON_MEMORY_COUNTS], const struct hexagon_block *block, uint64_t times,
		       unsigned int how);

/* Several such rows of a thread that owns no vector context; so many of them ENTERED and LOOPED. */
struct hexagon_rows {
	uint64_t times, rows, entered, looped;
};

void hexagon_block_add_rows(uint64_t count[HEXAGON_MEMORY_COUNTS], const struct hexagon_block *block,
			    const struct hexagon_rows *rows);

/*
 * Decodes the packet that starts at words[0], where at most count words are readable.
 * Returns the packet's number of words, or 0 if no word up to the fourth or count ends it.
 */
unsigned int hexagon_packet_decode(const uint32_t *words, unsigned int count,
				   struct hexagon_packet *packet);

/*
 * What a word may be: one of the instructions of enum hexagon_operation_kind, a read of UPCYCLE, PKTCOUNT or UTIMER, a read of
 * a counter that programs must not read, or 0.
 */
#define HEXAGON_OPERATES_CACHES 1u
#define HEXAGON_READS_CLOCK 2u
#define HEXAGON_READS_PRIVILEGED 4u
#define HEXAGON_COMPUTES_QFLOAT 8u	/* or it is a vector instruction of V68 and later on qf16 or qf32 */
unsigned int hexagon_word_operations(uint32_t word);

#endif
