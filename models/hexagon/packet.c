/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "hexagon/packet.h"
#include "hexagon/vector.h"

/* Bits 15:14 of every word. */
#define PARSE(word) ((word) >> 14 & 3)
#define PARSE_DUPLEX 0
#define PARSE_LOOP_END 2
#define PARSE_LAST 3

#define ICLASS(word) ((word) >> 28)
#define RS(word) ((word) >> 16 & 31)
#define LINK_REGISTER 31

/* What a word is, as far as an event asks. */
enum {
	LOAD = 1 << 0,
	STORE = 1 << 1,
	MEMOP = 1 << 2,
	FLOW = 1 << 3,
	CONDITIONAL = 1 << 4,
	REGISTER_JUMP = 1 << 5,	/* a return if Rs is r31, else indirect */
	REGISTER_CALL = 1 << 6,
	RETURN = 1 << 7,
	NOP = 1 << 8,
	HVX = 1 << 9,
	L2FETCH = 1 << 10,
	DCFETCH = 1 << 11,
	DCZERO = 1 << 12,
	FP = 1 << 13,
	DCCLEAN = 1 << 14,
	DCINVALIDATE = 1 << 15,
	ICINVALIDATE = 1 << 16,
	CLOCK = 1 << 17,
	PRIVILEGED = 1 << 18,
	CALL = 1 << 19,
	PAUSE = 1 << 20,
	TRY = 1 << 21,	/* a store that fails if another thread was faster */
};

#define OPERATION (L2FETCH | DCFETCH | DCCLEAN | DCINVALIDATE | ICINVALIDATE)

/* Of l2fetch: the size is in a pair of registers. */
#define PAIR 0x00800000

struct rule {
	uint32_t mask;
	uint32_t value;
	unsigned int kind;
};

/* Encodings from the V73 manual, chapter 11; the first rule that matches decides. */
static const struct rule rules[] = {
	/* transfers from UPCYCLE, PKTCOUNT and UTIMER, or a half: control registers 14, 15, 18, 19, 30 and 31 */
	{ 0xfffe0000, 0x6a0e0000, CLOCK },
	{ 0xffff0000, 0x680e0000, CLOCK },
	{ 0xfffe0000, 0x6a120000, CLOCK },
	{ 0xffff0000, 0x68120000, CLOCK },
	{ 0xfffe0000, 0x6a1e0000, CLOCK },
	{ 0xffff0000, 0x681e0000, CLOCK },
	/* from GPCYCLE and GPMUCNT0-7: guest registers 16-19 and 24-29; from system registers, such as PMUCNT0-7 */
	{ 0xfffc0000, 0x6a300000, PRIVILEGED },
	{ 0xfffc0000, 0x6a380000, PRIVILEGED },
	{ 0xfffe0000, 0x6a3c0000, PRIVILEGED },
	{ 0xfffc0000, 0x68300000, PRIVILEGED },
	{ 0xfffc0000, 0x68380000, PRIVILEGED },
	{ 0xfffe0000, 0x683c0000, PRIVILEGED },
	{ 0xff800000, 0x6e800000, PRIVILEGED },
	{ 0xff800000, 0x6f000000, PRIVILEGED },
	/* NOP */
	{ 0xff000000, 0x7f000000, NOP },
	/* vector compute (1, bit 27), vector memory (2, bit 27) */
	{ 0xf8000000, 0x18000000, HVX },
	{ 0xf8000000, 0x28000000, HVX },
	/* vextract, a vector instruction in the load class; bit 5 tells it from memw_locked */
	{ 0xffe00020, 0x92000020, HVX },

	/* compound "transfer and jump", then compound "compare and jump" */
	{ 0xfe000000, 0x16000000, FLOW },
	{ 0xf8000000, 0x10000000, FLOW | CONDITIONAL },
	/* new-value compare and jump */
	{ 0xf8000000, 0x20000000, FLOW | CONDITIONAL },

	/* class 3: predicated and register-indexed memory, store immediate, memops */
	{ 0xfc000000, 0x30000000, LOAD },
	{ 0xfc000000, 0x34000000, STORE },
	{ 0xfe000000, 0x38000000, STORE },
	{ 0xff000000, 0x3a000000, LOAD },
	{ 0xff000000, 0x3b000000, STORE },
	{ 0xfe000000, 0x3c000000, STORE },
	{ 0xfe000000, 0x3e000000, MEMOP },

	/* class 4: predicated and GP-relative memory, bit 24 = load */
	{ 0xf1000000, 0x41000000, LOAD },
	{ 0xf1000000, 0x40000000, STORE },

	/* class 5: jumps, calls, traps, rte */
	{ 0xfe000000, 0x50000000, FLOW | REGISTER_CALL },
	{ 0xffe00000, 0x52a00000, 0 },			/* hintjr changes no flow */
	{ 0xff000000, 0x52000000, FLOW | REGISTER_JUMP },
	{ 0xff000000, 0x53000000, FLOW | REGISTER_JUMP | CONDITIONAL },
	{ 0xffc00000, 0x54400000, PAUSE },
	{ 0xff000000, 0x54000000, FLOW },		/* trap0, trap1 */
	{ 0xffe00000, 0x57e00000, FLOW },		/* rte */
	{ 0xffe03800, 0x56c00000, ICINVALIDATE },
	{ 0xfe000000, 0x5a000000, FLOW | CALL },
	{ 0xff000000, 0x5d000000, FLOW | CONDITIONAL | CALL },
	{ 0xfc000000, 0x58000000, FLOW },		/* jump */
	{ 0xfc000000, 0x5c000000, FLOW | CONDITIONAL },	/* the same, predicated */
	/* class 6: jump if a register compares with 0 */
	{ 0xff000000, 0x61000000, FLOW | CONDITIONAL },

	/* class 9: loads, except dcfetch; dealloc_return loads the frame and returns */
	{ 0xffe00000, 0x96000000, LOAD | FLOW | RETURN },
	{ 0xffe00000, 0x94000000, DCFETCH },
	{ 0xffe000e0, 0x92000040, 0 },			/* memcpy */
	{ 0xf0000000, 0x90000000, LOAD },

	/* class a: bit 24 = store; allocframe and the locked stores are among the cache operations */
	{ 0xffe00000, 0xa0c00000, DCZERO },
	{ 0xffe00000, 0xa0000000, DCCLEAN },
	{ 0xffe00000, 0xa0200000, DCINVALIDATE },
	{ 0xffe00000, 0xa0400000, DCINVALIDATE },
	{ 0xffe00000, 0xa0800000, STORE },		/* allocframe */
	{ 0xffe0001c, 0xa0a00000, STORE | TRY },	/* memw_locked */
	{ 0xffe0201c, 0xa0e00000, STORE | TRY },	/* memd_locked */
	{ 0xffe00000, 0xa0a00000, STORE },		/* memw_rl */
	{ 0xffe0001c, 0xa0e0000c, 0 },			/* release */
	{ 0xffe02000, 0xa0e00000, STORE },		/* memd_rl */
	{ 0xffe000e0, 0xa6000000, L2FETCH },
	{ 0xffe000e0, 0xa6800000, L2FETCH },
	{ 0xf1000000, 0xa1000000, STORE },

	/* floating point: single precision */
	{ 0xff000000, 0xeb000000, FP },			/* sfadd, sfsub, sfmpy, sfmin, sfmax, ... */
	{ 0xffe00080, 0xef000080, FP },			/* += and -= sfmpy, :lib */
	{ 0xffe00080, 0xef600080, FP },			/* += sfmpy:scale */
	{ 0xffe000e0, 0x8ba00000, FP },			/* sffixupr */
	{ 0xffe00080, 0x8be00000, FP },			/* sfinvsqrta */
	{ 0xffe00000, 0xc7e00000, FP },			/* sfcmp */
	{ 0xffe00000, 0x85e00000, FP },			/* sfclass */
	{ 0xff800000, 0xd6000000, FP },			/* sfmake */
	/* double precision */
	{ 0xff0000e0, 0xe8000060, FP },			/* dfadd, dfsub, dfmin, dfmax, dfmpyfix, dfmpyll */
	{ 0xff6000e0, 0xea000060, FP },			/* += dfmpylh, dfmpyhh */
	{ 0xffe00000, 0xd2e00000, FP },			/* dfcmp */
	{ 0xffe00018, 0xdc800010, FP },			/* dfclass */
	{ 0xff800000, 0xd9000000, FP },			/* dfmake */
};

/*
 * Where an instruction names the general registers that it writes, by its highest byte, from the V73 manual, chapter 11: in bits
 * 4:0 where no row is, or a pair there, or in one of three places. The last row that matches decides. Of stores nothing is said.
 */
enum { SINGLE, NONE, DOUBLE, ANY };

static const struct {
	uint8_t first, last, result;
} results[] = {
	{ 0x10, 0x2f, NONE }, { 0x50, 0x65, NONE }, { 0x67, 0x6f, DOUBLE }, { 0x6b, 0x6b, NONE }, { 0x71, 0x72, ANY },
	{ 0x73, 0x73, DOUBLE }, { 0x75, 0x75, NONE }, { 0x7c, 0x7d, DOUBLE }, { 0x7f, 0x7f, NONE }, { 0x80, 0x8f, DOUBLE },
	{ 0x85, 0x85, NONE }, { 0xa0, 0xaf, NONE }, { 0xc0, 0xd4, DOUBLE }, { 0xc7, 0xc7, NONE }, { 0xcb, 0xcb, ANY },
	{ 0xd2, 0xd2, NONE }, { 0xd7, 0xef, ANY }, { 0xdc, 0xdd, NONE }, { 0xf2, 0xf2, NONE }, { 0xf5, 0xf5, DOUBLE },
	{ 0xfd, 0xfd, DOUBLE },
};

/* Sub-instruction groups of a duplex; its class is bits 31:29 and 13 (chapter 10). */
enum group { L1, L2, S1, S2, A };

static const uint8_t duplex_groups[16][2] = {
	/* low half, high half */
	{ L1, L1 }, { L2, L1 }, { L2, L2 }, { A, A }, { L1, A }, { L2, A }, { S1, A }, { S2, A },
	{ S1, L1 }, { S1, L2 }, { S1, S1 }, { S2, S1 }, { S2, L1 }, { S2, L2 }, { S2, S2 }, { A, A },
};

static unsigned int word_kind(uint32_t word)
{
	for (unsigned int i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if ((word & rules[i].mask) == rules[i].value)
			return rules[i].kind;
	return 0;
}

/* A sub-instruction of 13 bits. */
static unsigned int sub_kind(enum group group, uint32_t sub)
{
	switch (group) {
	case L1:
		return LOAD;
	case L2:
		/* deallocframe, dealloc_return and jumpr r31 share the end of the space */
		if ((sub & 0x1fc0) == 0x1fc0)
			return FLOW | RETURN | (sub & 4 ? CONDITIONAL : 0);
		if ((sub & 0x1fc0) == 0x1f40)
			return LOAD | FLOW | RETURN | (sub & 4 ? CONDITIONAL : 0);
		return LOAD;
	case S1:
	case S2:
		return STORE;
	default:
		return 0;
	}
}

static void add_kind(struct hexagon_packet *packet, unsigned int kind, uint32_t word)
{
	uint8_t *add = packet->add;

	add[HEXAGON_LOADS] += !!(kind & LOAD);
	add[HEXAGON_STORES] += !!(kind & STORE);
	add[HEXAGON_MEMOPS] += !!(kind & MEMOP);
	add[HEXAGON_FLOW] += !!(kind & FLOW);
	add[HEXAGON_BIMODAL] += !!(kind & CONDITIONAL);
	add[HEXAGON_NOPS] += !!(kind & NOP);
	add[HEXAGON_HVX_INSTS] += !!(kind & HVX);
	add[HEXAGON_DCFETCH] += !!(kind & DCFETCH);
	add[HEXAGON_DCZERO] += !!(kind & DCZERO);
	add[HEXAGON_FPS] += !!(kind & FP);
	if (kind & RETURN || (kind & REGISTER_JUMP && RS(word) == LINK_REGISTER))
		add[HEXAGON_RETURNS]++;
	else if (kind & (REGISTER_JUMP | REGISTER_CALL))
		add[HEXAGON_INDIRECT]++;
}

static void add_operation(struct hexagon_packet *packet, unsigned int kind, uint32_t word)
{
	struct hexagon_operation operation = { .rs = RS(word), .rt = word >> 8 & 31 };

	if (!(kind & OPERATION))
		return;
	if (kind & DCFETCH) {
		operation.kind = HEXAGON_OP_DCFETCH;
		operation.offset = (word & 0x7ff) << 3;
	} else if (kind & L2FETCH) {
		operation.kind = word & PAIR ? HEXAGON_OP_L2FETCH_WIDE : HEXAGON_OP_L2FETCH;
	} else if (kind & ICINVALIDATE) {
		operation.kind = HEXAGON_OP_ICINVALIDATE;
	} else {
		operation.kind = kind & DCCLEAN ? HEXAGON_OP_DCCLEAN : HEXAGON_OP_DCINVALIDATE;
	}
	packet->operation = operation;
}

/* In the load class and others with loads, bits 23:21 of memd are 110; deallocframe and dealloc_return load a pair, too. */
static bool is_pair(unsigned int kind, uint32_t word)
{
	return kind & LOAD && ((word >> 21 & 7) == 6 || kind & RETURN || (word & 0xffe00000) == 0x90000000);
}

/* The same in a duplex: memd(r29+#u5:3) and what ends a frame. */
static bool is_sub_pair(enum group group, uint32_t sub)
{
	return group == L2 && (sub & 0x1e00) == 0x1e00;
}

#define BIT(n) (UINT32_C(1) << ((n) & 31))
#define PAIR_AT(n) (UINT32_C(3) << ((n) & 30))
#define FRAME (BIT(29) | BIT(30) | BIT(31))
/* of a duplex: four bits name R0 to R7 and R16 to R23, three bits pairs of them */
#define SUB_BIT(n) BIT(((n) & 7) | ((n) & 8) << 1)
#define SUB_PAIR(n) PAIR_AT(((n) & 3) << 1 | ((n) & 4) << 2)

static uint32_t written(unsigned int kind, uint32_t word)
{
	unsigned int byte = word >> 24, result = SINGLE;

	for (unsigned int i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (byte >= results[i].first && byte <= results[i].last)
			result = results[i].result;
	/* loads of 8 bytes, or that fill 8 bytes from fewer; memd_locked */
	if (is_pair(kind, word) || (ICLASS(word) == 9 && !(byte & 1) && word & 0xe00000) || (word & 0xffe01020) == 0x92001000)
		result = DOUBLE;
	switch (result) {
	case SINGLE:
		return BIT(word);
	case DOUBLE:
		return PAIR_AT(word);
	case ANY:
		return PAIR_AT(word) | PAIR_AT(word >> 8) | PAIR_AT(RS(word));
	}
	return 0;
}

static void add_registers(struct hexagon_packet *packet, unsigned int kind, uint32_t word)
{
	unsigned int iclass = ICLASS(word);
	bool other = word >> 27 & 1;

	packet->writes |= written(kind, word);
	if (kind & (CALL | REGISTER_CALL))
		packet->writes |= BIT(LINK_REGISTER);
	/* a compound transfer and jump writes a register of a duplex */
	if ((word & 0xfe000000) == 0x16000000)
		packet->writes |= SUB_BIT(RS(word)) | SUB_BIT(word >> 8);
	if (!(kind & LOAD))
		return;
	/* an access to the frame; in class 4 one relative to GP; in class 9 one that writes its base */
	if (kind & RETURN || (word & 0xffe00000) == 0x90000000)
		packet->writes |= FRAME;
	if (iclass == 9 && other)
		packet->writes |= BIT(RS(word));
	if (iclass == 3)
		packet->addresses |= BIT(word >> 8);
	if (iclass != 4 || !other)
		packet->addresses |= BIT(RS(word));
}

static void add_sub_registers(struct hexagon_packet *packet, enum group group, uint32_t sub)
{
	if (group == A) {
		/* combine; a comparison */
		packet->writes |= sub >> 10 == 7 ? SUB_PAIR(sub) : (sub & 0x1f00) == 0x1900 ? 0 : SUB_BIT(sub);
	} else if (group == L2 && sub >> 11 == 3) {
		/* relative to the stack; what ends a frame */
		packet->writes |= (sub & 0x1f00) == 0x1f00 ? FRAME : is_sub_pair(group, sub) ? SUB_PAIR(sub) : SUB_BIT(sub);
		packet->addresses |= BIT(29);
	} else if (group == L1 || group == L2) {
		packet->writes |= SUB_BIT(sub);
		packet->addresses |= SUB_BIT(sub >> 4);
	}
}

static void add_single(struct hexagon_packet *packet, uint32_t word)
{
	enum hexagon_pipe pipe = hexagon_vector_pipe(word);
	unsigned int kind = word_kind(word);

	packet->add[HEXAGON_INSTS]++;
	if (pipe)
		packet->add[HEXAGON_HVX_ALU + pipe - HEXAGON_PIPE_ALU]++;
	add_operation(packet, kind, word);
	packet->reads_clock |= kind & CLOCK;
	packet->loads_pair |= is_pair(kind, word);
	packet->calls |= kind & (CALL | REGISTER_CALL);
	packet->pauses |= kind & PAUSE;
	packet->stores |= kind & (MEMOP | DCZERO | HVX) || (kind & (STORE | TRY)) == STORE;
	add_registers(packet, kind, word);
	/* conditional dealloc_return is one encoding with a condition in bits 13:11 */
	if (kind & RETURN && word >> 11 & 7)
		kind |= CONDITIONAL;
	/* bit 24 of a register call: predicated */
	if (kind & REGISTER_CALL && word >> 24 & 1)
		kind |= CONDITIONAL;
	add_kind(packet, kind, word);
}

static void add_duplex(struct hexagon_packet *packet, uint32_t word)
{
	unsigned int iclass = (word >> 29 & 7) << 1 | (word >> 13 & 1);

	packet->add[HEXAGON_DUPLEXES]++;
	packet->add[HEXAGON_INSTS] += 2;
	for (unsigned int half = 0; half < 2; half++) {
		uint32_t sub = word >> 16 * half & 0x1fff;
		enum group group = duplex_groups[iclass][half];
		unsigned int kind = sub_kind(group, sub);

		packet->loads_pair |= is_sub_pair(group, sub);
		packet->stores |= kind & STORE;
		add_sub_registers(packet, group, sub);
		add_kind(packet, kind, 0);
	}
}

unsigned int hexagon_packet_decode(const uint32_t *words, unsigned int count,
				   struct hexagon_packet *packet)
{
	unsigned int n;
	bool last = false;

	memset(packet, 0, sizeof(*packet));
	for (n = 0; !last; n++) {
		if (n == HEXAGON_PACKET_WORDS || n == count)
			return 0;
		last = PARSE(words[n]) == PARSE_LAST || PARSE(words[n]) == PARSE_DUPLEX;
		if (PARSE(words[n]) == PARSE_DUPLEX)
			add_duplex(packet, words[n]);
		else if (ICLASS(words[n]) != 0)	/* class 0: constant extender */
			add_single(packet, words[n]);
	}

	/* The first word marks loop 0; the second marks loop 1 where a third one follows it. */
	packet->loop_end = n >= 2 && (PARSE(words[0]) == PARSE_LOOP_END ||
				      (n >= 3 && PARSE(words[1]) == PARSE_LOOP_END));
	packet->add[HEXAGON_PACKETS] = 1;
	packet->add[HEXAGON_LOOP_ENDS] = packet->loop_end;
	packet->add[HEXAGON_FLOW] += packet->loop_end;
	packet->add[HEXAGON_HVX_PACKETS] = packet->add[HEXAGON_HVX_INSTS] > 0;
	return n;
}

/* By bits 7:5: vadd, vsub and vmpy that give qf16 or qf32, and conversions from these. From LLVM's encodings of V73. */
static bool is_qfloat(uint32_t word)
{
	unsigned int which = 1u << (word >> 5 & 7);

	switch (word & 0xffe02000) {
	case 0x1e002000:
		return (word & 0x1f0000) == 0x40000 && which & 0x49;
	case 0x1f602000:
		return which & 0xfc;
	case 0x1f802000:
		return which & 0x01;
	case 0x1fa02000:
		return which & 0x3f;
	case 0x1fe02000:
		return which & 0xfb;
	}
	return false;
}

unsigned int hexagon_word_operations(uint32_t word)
{
	unsigned int kind = PARSE(word) != PARSE_DUPLEX ? word_kind(word) : 0;

	return (kind & OPERATION ? HEXAGON_OPERATES_CACHES : 0) | (kind & CLOCK ? HEXAGON_READS_CLOCK : 0) |
	       (kind & PRIVILEGED ? HEXAGON_READS_PRIVILEGED : 0) | (kind & HVX && is_qfloat(word) ? HEXAGON_COMPUTES_QFLOAT : 0);
}

void hexagon_block_init(struct hexagon_block *block, const uint32_t add[HEXAGON_COUNTS])
{
	for (unsigned int c = 0; c < HEXAGON_MEMORY_COUNTS; c++) {
		if (c < HEXAGON_HOT_COUNTS) {
			block->add[c] = add[c];
		} else if (add[c]) {
			block->rare[block->rares].counter = c;
			block->rare[block->rares++].add = add[c];
		}
	}
	block->vector = add[HEXAGON_HVX_PACKETS] > 0;
}

void hexagon_block_add_rows(uint64_t count[HEXAGON_MEMORY_COUNTS], const struct hexagon_block *block,
			    const struct hexagon_rows *rows)
{
	for (unsigned int i = HEXAGON_PACKETS + 1; i < HEXAGON_HOT_COUNTS; i++)
		count[i] += rows->times * block->add[i];
	for (unsigned int i = 0; i < block->rares; i++)
		count[block->rare[i].counter] += rows->times * block->rare[i].add;
	/* each execution after the first of a row began with a jump from the block's end to its start */
	count[HEXAGON_CHANGED_FLOW] += rows->entered + rows->times - rows->rows;
	count[HEXAGON_ENDLOOP] += rows->looped;
	if (block->loop_end)
		count[HEXAGON_ENDLOOP] += rows->times - rows->rows;
}

void hexagon_block_add(uint64_t count[HEXAGON_MEMORY_COUNTS], const struct hexagon_block *block, uint64_t times,
		       unsigned int how)
{
	const struct hexagon_rows row = { times, 1, !!(how & HEXAGON_BLOCK_ENTERED), !!(how & HEXAGON_BLOCK_LOOPED) };

	hexagon_block_add_rows(count, block, &row);
	if (how & HEXAGON_BLOCK_VECTOR)
		count[HEXAGON_VECTOR_PACKETS] += times * block->add[HEXAGON_PACKETS];
	if (how & HEXAGON_BLOCK_FIRST)
		count[HEXAGON_VECTOR_PACKETS] -= block->first_vector;
}
