// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A program as C: one function that executes a thread ahead of its turns, as fast.c does.
 *
 * Registers are variables of the function. A block is a run of instructions that is only entered at its start,
 * or behind an access to WRAM, and takes its instructions from what is left at once; who leaves it early gives the
 * rest back. What waits for its turn ends the function, and so does an access that ahead.c has to look at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upmem/alu.h"

#define MAX_BLOCK 64
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__

static const char types[] =
	"typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;\n"
	"typedef unsigned long long uint64_t; typedef signed char int8_t; typedef short int16_t; typedef int int32_t;\n"
	"#define DPU_ONES 0xffffffffu\n"
	/* the compiler's own may be a function of a library */
	"static inline uint32_t bits_of(uint32_t x)\n{\n"
	"	x -= x >> 1 & 0x55555555; x = (x & 0x33333333) + (x >> 2 & 0x33333333);\n"
	"	return (x + (x >> 4) & 0x0f0f0f0f) * 0x01010101 >> 24;\n}\n"
	"#define __builtin_popcount bits_of\n";

/* As windows.c has it; only what several windows have read and is to be written is left to that. */
static const char claims[] =
	"static inline _Bool is_open(uint8_t *wram, uint32_t mark)\n{\n"
	"	return WINDOW(mark & THREAD) == mark && CREDIT(mark & THREAD);\n}\n"
	"static inline _Bool may_read(struct dpu_blocks_call *c, uint8_t *wram, uint32_t g)\n{\n"
	"	uint32_t reader = READERS[g], writer = WRITERS[g];\n"
	"	if (!c->memory || ((writer ^ c->mark) & THREAD && is_open(wram, writer))) return 0;\n"
	"	if (!((reader ^ c->mark) & THREAD)) READERS[g] = c->mark;\n"
	"	else READERS[g] = reader & SHARED || is_open(wram, reader) ? c->shared : c->mark;\n"
	"	return 1;\n}\n"
	"static inline _Bool may_write(struct dpu_blocks_call *c, uint8_t *wram, uint32_t g)\n{\n"
	"	uint32_t reader = READERS[g], writer = WRITERS[g], other = (reader ^ c->mark) & THREAD;\n"
	"	struct dpu_change *change = c->changes + *c->changed;\n"
	"	if (!c->memory || *c->changed == CHANGES || ((writer ^ c->mark) & THREAD && is_open(wram, writer))) return 0;\n"
	"	if (other && (reader & SHARED ? (reader & ~SHARED) >= c->oldest : is_open(wram, reader))) return 0;\n"
	"	WRITERS[g] = c->mark;\n"
	"	change->granule = g;\n"
	"	change->old = *(uint64_t *)(wram + 8 * g);\n"
	"	++*c->changed;\n"
	"	return 1;\n}\n";

struct text {
	const struct dpu *dpu;
	FILE *file;
	uint8_t entries[DPU_IRAM_WORDS + 1];
	uint32_t used, changed;		/* registers */
};

static bool runs_ahead(const struct dpu *dpu, unsigned int index)
{
	const struct dpu_uop *u = &dpu->code[index];

	return u->flags & DPU_UOP_MEMORY || !dpu_fast_waits(dpu, u);
}

/* Does the next instruction never follow? */
static bool ends(const struct dpu_uop *u)
{
	return u->op == DPU_OP_call || (u->flags & DPU_UOP_BRANCH && u->cond == DPU_COND_TRUE);
}

void dpu_blocks_entries(const struct dpu *dpu, uint8_t entries[DPU_IRAM_WORDS + 1])
{
	unsigned int length = 0;

	memset(entries, 0, DPU_IRAM_WORDS + 1);
	entries[0] = DPU_ENTRY_BLOCK;
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		const struct dpu_uop *u = &dpu->code[i];

		if (u->op >= DPU_OP_COUNT) {
			entries[i + 1] = DPU_ENTRY_BLOCK;
			continue;
		}
		if (u->flags & DPU_UOP_BRANCH)
			entries[u->pc] = DPU_ENTRY_BLOCK;
		if (u->op == DPU_OP_call && u->ra == DPU_REG_ZERO && u->rb == DPU_REG_ZERO &&
		    (u->imm & 0xffff) < DPU_IRAM_WORDS)
			entries[u->imm & 0xffff] = DPU_ENTRY_BLOCK;
		if (ends(u) || !runs_ahead(dpu, i))
			entries[i + 1] = DPU_ENTRY_BLOCK;
		else if (u->flags & DPU_UOP_MEMORY && !entries[i + 1])
			entries[i + 1] = DPU_ENTRY_BEHIND;
	}
	for (unsigned int i = 0; i <= DPU_IRAM_WORDS; i++) {
		if (!runs_ahead(dpu, i)) {
			entries[i] = length = 0;
			continue;
		}
		if (entries[i] == DPU_ENTRY_BLOCK || length == MAX_BLOCK) {
			entries[i] = DPU_ENTRY_BLOCK;
			length = 0;
		}
		length++;
	}
}

/* The function ends before an instruction; so many of its block have not been executed. */
static void put_exit(struct text *t, unsigned int index, unsigned int unused)
{
	fprintf(t->file, "{ pc = %u; left += %u; goto out; }", index, unused);
}

static void put_goto(struct text *t, unsigned int index, unsigned int unused)
{
	if (t->entries[index] == DPU_ENTRY_BLOCK)
		fprintf(t->file, "{ left += %u; goto L%u; }", unused, index);
	else
		put_exit(t, index, unused);
}

/* A register's value. */
static const char *name_of(unsigned int reg)
{
	static const char *const names[DPU_REG_COUNT] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
		"r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "0u", "1u", "0xffffffffu",
		"0x80000000u", "id", "id2", "id4", "id8",
	};

	return names[reg];
}

static void put_set(struct text *t, unsigned int reg, const char *value)
{
	if (reg < DPU_REG_ZERO)
		fprintf(t->file, " r%u = %s;", reg, value);
}

static void put_operands(struct text *t, const struct dpu_uop *u, uint32_t number)
{
	fprintf(t->file, "const uint32_t a = %s, b = ", name_of(u->ra));
	if (u->rb == DPU_REG_ZERO)
		fprintf(t->file, "%uu;", number);
	else if (number)
		fprintf(t->file, "%s + %uu;", name_of(u->rb), number);
	else
		fprintf(t->file, "%s;", name_of(u->rb));
}

/* Conditions of a difference that compilers would not find in its flags. */
static const char *comparison(enum dpu_cond cond)
{
	switch (cond) {
	case DPU_COND_LTS:
		return "(int32_t)p < (int32_t)q";
	case DPU_COND_GES:
		return "(int32_t)p >= (int32_t)q";
	case DPU_COND_LES:
		return "(int32_t)p <= (int32_t)q";
	case DPU_COND_GTS:
		return "(int32_t)p > (int32_t)q";
	default:
		return NULL;
	}
}

static const char *flag_condition(enum dpu_cond cond)
{
	switch (cond) {
#define DPU_FLAG_COND(name, value) \
	case DPU_COND_##name: \
		return #value;
#include "upmem/cond.def"
	default:
		return "0";
	}
}

/* Into h. */
static void put_condition(struct text *t, const struct dpu_uop *u)
{
	const char *compared = comparison(u->cond);

	fputs(" const _Bool h = ", t->file);
	switch (u->cond) {
#define DPU_VALUE_COND(name, value) \
	case DPU_COND_##name: \
		fputs(#value, t->file); \
		break;
#include "upmem/cond.def"
	case DPU_COND_NC5 ... DPU_COND_NC14:
		fprintf(t->file, "!((p ^ q ^ x) >> %u & 1)", u->cond - DPU_COND_NC5 + 5);
		break;
	default:
		if (compared && (u->op == DPU_OP_sub || u->op == DPU_OP_rsub))
			fputs(compared, t->file);
		else
			fputs(flag_condition(u->cond), t->file);
		break;
	}
	fputs(";", t->file);
}

static void put_result(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	const char *value = u->flags & DPU_UOP_SET ? "h" : "x";

	if (u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED)) {
		bool is_signed = u->flags & DPU_UOP_SIGNED && !(u->flags & DPU_UOP_SET);

		put_set(t, u->rc, is_signed ? "(uint32_t)((int32_t)x >> 31)" : "0");
		put_set(t, u->rc + 1, value);
	} else {
		put_set(t, u->rc, value);
	}
	if (u->flags & DPU_UOP_BRANCH) {
		fputs(" if (h) ", t->file);
		put_goto(t, u->pc, unused);
	}
}

/* The sums as p + q + a carry, or p - q. */
static const struct {
	const char *p, *q, *x, *carry, *overflow;
} sums[DPU_OP_COUNT] = {
#define ADDED "~(p ^ q) & (p ^ x)"
#define WIDE "(uint32_t)(wide = (uint64_t)p + q + cf)"
	[DPU_OP_add] = { "a", "b", "p + q", "x < p", ADDED },
	[DPU_OP_addc] = { "a", "b", WIDE, "wide >> 32", ADDED },
	[DPU_OP_sub] = { "a", "b", "p - q", "p >= q", "(p ^ q) & (p ^ x)" },
	[DPU_OP_subc] = { "a", "~b", WIDE, "wide >> 32", ADDED },
	[DPU_OP_rsub] = { "b", "a", "p - q", "p >= q", "(p ^ q) & (p ^ x)" },
	[DPU_OP_rsubc] = { "b", "~a", WIDE, "wide >> 32", ADDED },
};

static void put_sum(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	fprintf(t->file, " const uint32_t p = %s, q = %s; uint64_t wide; const uint32_t x = %s;",
		sums[u->op].p, sums[u->op].q, sums[u->op].x);
	fprintf(t->file, " const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = %s, v = (%s) >> 31;",
		sums[u->op].carry, sums[u->op].overflow);
	put_condition(t, u);
	fputs(" old = x; cf = c;", t->file);
	put_result(t, u, unused);
}

/* A result x, and what becomes the old one; the carry stays. */
static void put_logic(struct text *t, const struct dpu_uop *u, const char *x, const char *old, unsigned int unused)
{
	fprintf(t->file, " const uint32_t x = %s;", x);
	fputs(" const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = 0, v = 0;", t->file);
	put_condition(t, u);
	fprintf(t->file, " old = %s;", old);
	put_result(t, u, unused);
}

static void put_arithmetic(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	put_operands(t, u, u->imm);
	switch ((enum dpu_op)u->op) {
#define DPU_SUM(name, ...) case DPU_OP_##name:
#include "upmem/alu.def"
		put_sum(t, u, unused);
		break;
#define DPU_LOGIC(name, value) \
	case DPU_OP_##name: \
		put_logic(t, u, #value, "x", unused); \
		break;
#include "upmem/alu.def"
	default:
		break;
	}
}

static void put_shift_add(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	put_operands(t, u, 0);
	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, shifted, value) \
	case DPU_OP_##name: \
		fprintf(t->file, " const uint32_t n0 = %uu, s = ({ const uint32_t n = n0; " #shifted "; });", u->imm); \
		put_logic(t, u, #value, "s", unused); \
		break;
#include "upmem/alu.def"
	default:
		break;
	}
}

/* a shifts in, low and high are the pair. */
static void put_step(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	bool mul = u->op == DPU_OP_mul_step;

	fprintf(t->file, "const uint32_t a = %s, high = %s, b = %s;", name_of(u->ra), name_of(u->rb),
		name_of(u->rb + 1));
	if (mul)
		fprintf(t->file, " const uint32_t x = high >> 1, low = high & 1 ? b + (a << %u) : %s;", u->imm,
			u->rc < DPU_REG_ZERO ? name_of(u->rc + 1) : "0");
	else
		fprintf(t->file, " const uint32_t x = a << %u, low = b >= x ? b - x : %s;", u->imm,
			u->rc < DPU_REG_ZERO ? name_of(u->rc + 1) : "0");
	fputs(" const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = 0, v = 0;", t->file);
	put_condition(t, u);
	put_set(t, u->rc, mul ? "x" : "high << 1 | (b >= x)");
	put_set(t, u->rc + 1, "low");
	fputs(mul ? " old = x; if (h) " : " if (h) ", t->file);
	put_goto(t, u->pc, unused);
}

/* Calls and jumps to what a register says. */
static void put_call(struct text *t, const struct dpu_uop *u, unsigned int index)
{
	char link[16];

	snprintf(link, sizeof(link), "%uu", index + 1);
	if (u->ra == DPU_REG_ZERO && u->rb == DPU_REG_ZERO) {
		uint32_t to = u->imm & 0xffff;

		put_set(t, u->rc, link);
		put_goto(t, to < DPU_IRAM_WORDS ? to : DPU_IRAM_WORDS, 0);
		return;
	}
	fprintf(t->file, "pc = (%s + %s + %uu) & 0xffff;", name_of(u->ra), name_of(u->rb), u->imm);
	put_set(t, u->rc, link);
	fputs(" goto dispatch;", t->file);
}

static void put_move_pair(struct text *t, const struct dpu_uop *u, unsigned int unused)
{
	fprintf(t->file, "const uint32_t high = %s, low = %s;", name_of(u->rb), name_of(u->rb + 1));
	put_set(t, u->rc, "high");
	put_set(t, u->rc + 1, "low");
	if (u->cond == DPU_COND_TRUE)
		put_goto(t, u->pc, unused);
}

/* An aligned address within WRAM, rotated right by the size's logarithm, is at most the last one's. */
static void put_address(struct text *t, const struct dpu_uop *u, unsigned int index, uint32_t offset,
			unsigned int unused, const char *marks, const char *claim)
{
	unsigned int size = dpu_access_size(u->op);

	fprintf(t->file, "const uint32_t at = %s + %uu; if (", name_of(u->ra), offset);
	if (size > 1)
		fprintf(t->file, "(at >> %u | at << %u)", __builtin_ctz(size), 32 - __builtin_ctz(size));
	else
		fputs("at", t->file);
	fprintf(t->file, " > %u || (%s[at >> 3] != mark && !%s(call, wram, at >> 3))) ",
		(t->dpu->wram_size - size) / size, marks, claim);
	put_exit(t, index, unused + 1);
}

static void put_load(struct text *t, const struct dpu_uop *u, unsigned int index, unsigned int unused)
{
	put_address(t, u, index, u->imm, unused, "READERS", "may_read");
	switch ((enum dpu_op)u->op) {
#define DPU_LOAD(name, type) \
	case DPU_OP_##name: \
		put_set(t, u->rc, "*(" #type " *)(wram + at)"); \
		break;
#include "upmem/alu.def"
	default:
		fputs(" const uint64_t value = *(uint64_t *)(wram + at);", t->file);
		put_set(t, u->rc, "value >> 32");
		put_set(t, u->rc + 1, "value");
		break;
	}
}

static void put_store(struct text *t, const struct dpu_uop *u, unsigned int index, unsigned int unused)
{
	put_address(t, u, index, u->aux, unused, "WRITERS", "may_write");
	switch ((enum dpu_op)u->op) {
#define DPU_STORE(name, type) \
	case DPU_OP_##name: \
		fprintf(t->file, " *(" #type " *)(wram + at) = %s + %uu;", name_of(u->rb), u->imm); \
		break;
#include "upmem/alu.def"
	default:
		fprintf(t->file, " *(uint64_t *)(wram + at) = (uint64_t)%s << 32 | %s;", name_of(u->rb),
			name_of(u->rb + 1));
		break;
	}
}

/* An instruction after which so many follow in its block. */
static void put_insn(struct text *t, unsigned int index, unsigned int unused)
{
	const struct dpu_uop *u = &t->dpu->code[index];

	fputs("\t{ ", t->file);
	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "upmem/alu.def"
		put_shift_add(t, u, unused);
		break;
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "upmem/alu.def"
	case DPU_OP_ld:
		put_load(t, u, index, unused);
		break;
#define DPU_STORE(name, ...) case DPU_OP_##name:
#include "upmem/alu.def"
	case DPU_OP_sd:
		put_store(t, u, index, unused);
		break;
	case DPU_OP_mul_step:
	case DPU_OP_div_step:
		put_step(t, u, unused);
		break;
	case DPU_OP_call:
		put_call(t, u, index);
		break;
	case DPU_OP_movd:
		put_move_pair(t, u, unused);
		break;
	case DPU_OP_nop:
	case DPU_OP_tell:
		break;
	default:
		put_arithmetic(t, u, unused);
		break;
	}
	fputs(" }\n", t->file);
}

/* Instructions from index on that are left when the block is entered there. */
static unsigned int block_rest(const struct text *t, unsigned int index)
{
	unsigned int end = index;

	do {
		if (ends(&t->dpu->code[end++]))
			break;
	} while (runs_ahead(t->dpu, end) && t->entries[end] != DPU_ENTRY_BLOCK);
	return end - index;
}

/* Returns the index behind the block. */
static unsigned int put_block(struct text *t, unsigned int start)
{
	unsigned int length = block_rest(t, start);

	fprintf(t->file, "L%u: if (left < %u) { pc = %u; goto few; } left -= %u;\n", start, length, start, length);
	for (unsigned int i = 0; i < length; i++) {
		if (t->entries[start + i] == DPU_ENTRY_BEHIND)
			fprintf(t->file, "M%u:\n", start + i);
		put_insn(t, start + i, length - 1 - i);
	}
	if (ends(&t->dpu->code[start + length - 1]))
		return start + length;
	fputc('\t', t->file);
	put_goto(t, start + length, 0);
	fputc('\n', t->file);
	return start + length;
}

static void put_dispatch(struct text *t)
{
	fputs("dispatch:\n\tswitch (pc) {\n", t->file);
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		unsigned int rest = t->entries[i] == DPU_ENTRY_BEHIND ? block_rest(t, i) : 0;

		if (t->entries[i] == DPU_ENTRY_BLOCK)
			fprintf(t->file, "\tcase %u: goto L%u;\n", i, i);
		else if (rest)
			fprintf(t->file, "\tcase %u: if (left < %u) goto few; left -= %u; goto M%u;\n", i, rest, rest, i);
	}
	fputs("\tdefault: goto out;\n\t}\n", t->file);
}

/* The registers that the program names; a pair is two. */
static void find_registers(struct text *t)
{
	const uint32_t constants = UINT32_C(0xf) << DPU_REG_ZERO;

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		const struct dpu_uop *u = &t->dpu->code[i];

		if (!runs_ahead(t->dpu, i))
			continue;
		t->used |= UINT32_C(1) << u->ra | UINT32_C(3) << u->rb;
		if (u->rc < DPU_REG_ZERO)
			t->changed |= UINT32_C(3) << u->rc;
	}
	t->used = (t->used | t->changed) & ~constants;
}

static void put_function(struct text *t)
{
	fputs("uint32_t " DPU_BLOCKS_SYMBOL "(struct dpu_blocks_call *call, uint32_t pc, uint32_t left)\n{\n"
	      "\tuint32_t old = call->r[34], cf = call->r[35], few = 0;\n\tuint8_t *const wram = call->wram;\n"
	      "\tconst uint32_t mark = call->mark;\n", t->file);
	for (unsigned int i = 0; i < DPU_REG_COUNT; i++)
		if (t->used >> i & 1)
			fprintf(t->file, "\tuint32_t %s = call->r[%u];\n", name_of(i), i);
	put_dispatch(t);
	for (unsigned int i = 0; i < DPU_IRAM_WORDS;)
		i = t->entries[i] == DPU_ENTRY_BLOCK ? put_block(t, i) : i + 1;
	fputs("few:\n\tfew = FEW;\nout:\n\tcall->r[34] = old; call->r[35] = cf;\n", t->file);
	for (unsigned int i = 0; i < DPU_REG_ZERO; i++)
		if (t->changed >> i & 1)
			fprintf(t->file, "\tcall->r[%u] = r%u;\n", i, i);
	fprintf(t->file, "\tcall->pc = pc < %u ? pc : %u;\n\treturn left | few;\n}\n", DPU_IRAM_WORDS,
		DPU_IRAM_WORDS);
}

char *dpu_translate(const struct dpu *dpu, const char *about)
{
	struct text t = { .dpu = dpu };
	char *text;
	size_t size;

	t.file = open_memstream(&text, &size);
	if (!t.file)
		return NULL;
	dpu_blocks_entries(dpu, t.entries);
	find_registers(&t);
	fprintf(t.file, "/* %s */\n%s%s\n%s\n", about, types, TEXT(DPU_BLOCKS_TYPES), TEXT(DPU_ALU_HELPERS));
	fprintf(t.file, "#define READERS ((uint32_t *)(wram + %td))\n#define WRITERS ((uint32_t *)(wram + %td))\n"
		"#define WINDOW(thread) (*(uint32_t *)(wram + %td + %zu * (thread)))\n"
		"#define CREDIT(thread) (*(uint32_t *)(wram + %td + %zu * (thread)))\n"
		"#define THREAD %uu\n#define SHARED %uu\n#define FEW %uu\n#define CHANGES %uu\n",
		(const uint8_t *)dpu->ahead.readers - dpu->wram, (const uint8_t *)dpu->ahead.writers - dpu->wram,
		(const uint8_t *)&dpu->threads[0].window - dpu->wram, sizeof(dpu->threads[0]),
		(const uint8_t *)&dpu->threads[0].credit - dpu->wram, sizeof(dpu->threads[0]),
		DPU_MARK_THREAD, DPU_MARK_SHARED, DPU_BLOCKS_FEW, DPU_CHANGES);
	fputs(claims, t.file);
	put_function(&t);
	if (!ferror(t.file) && !fclose(t.file))
		return text;
	free(text);
	return NULL;
}
