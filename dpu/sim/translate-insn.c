// SPDX-License-Identifier: LGPL-2.1-or-later
/* Instructions as C, those that the fast interpreter executes ahead; the formulas are those of alu.def and cond.def. */
#include "dpu/sim/alu.h"
#include "dpu/sim/translate.h"

/*
 * The function ends before an instruction; the number of instructions of its block that were not
 * executed.
 */
static void put_exit(struct dpu_text *t, unsigned int index, unsigned int unused)
{
	fprintf(t->file, "{ pc = %u; left += %u; goto out; }", index, unused);
}

void dpu_put_goto(struct dpu_text *t, unsigned int index, unsigned int unused)
{
	if (t->entries[index] == DPU_ENTRY_BLOCK)
		fprintf(t->file, "{ left += %u; goto L%u; }", unused, index);
	else
		put_exit(t, index, unused);
}

static void put_set(struct dpu_text *t, unsigned int reg, const char *value)
{
	if (reg < DPU_REG_ZERO)
		fprintf(t->file, " r%u = %s;", reg, value);
}

static void put_operands(struct dpu_text *t, const struct dpu_uop *u, uint32_t number)
{
	fprintf(t->file, "const uint32_t a = %s, b = ", dpu_put_name(u->ra));
	if (u->rb == DPU_REG_ZERO)
		fprintf(t->file, "%uu;", number);
	else if (number)
		fprintf(t->file, "%s + %uu;", dpu_put_name(u->rb), number);
	else
		fprintf(t->file, "%s;", dpu_put_name(u->rb));
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
#include "dpu/sim/cond.def"
	default:
		return "0";
	}
}

/* Into h. */
static void put_condition(struct dpu_text *t, const struct dpu_uop *u)
{
	const char *compared = comparison(u->cond);

	fputs(" const _Bool h = ", t->file);
	switch (u->cond) {
#define DPU_VALUE_COND(name, value) \
	case DPU_COND_##name: \
		fputs(#value, t->file); \
		break;
#include "dpu/sim/cond.def"
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

static void put_result(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
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
		dpu_put_goto(t, u->pc, unused);
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

static void put_sum(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
{
	fprintf(t->file, " const uint32_t p = %s, q = %s; uint64_t wide; const uint32_t x = %s;",
		sums[u->op].p, sums[u->op].q, sums[u->op].x);
	fprintf(t->file, " const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = %s, v = (%s) >> 31;",
		sums[u->op].carry, sums[u->op].overflow);
	put_condition(t, u);
	fputs(" old = x; cf = c;", t->file);
	put_result(t, u, unused);
}

/* A result x, and the value that becomes the old one; the carry does not change. */
static void put_logic(struct dpu_text *t, const struct dpu_uop *u, const char *x, const char *old, unsigned int unused)
{
	fprintf(t->file, " const uint32_t x = %s;", x);
	fputs(" const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = 0, v = 0;", t->file);
	put_condition(t, u);
	fprintf(t->file, " old = %s;", old);
	put_result(t, u, unused);
}

static void put_arithmetic(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
{
	put_operands(t, u, u->imm);
	switch ((enum dpu_op)u->op) {
#define DPU_SUM(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		put_sum(t, u, unused);
		break;
#define DPU_LOGIC(name, value) \
	case DPU_OP_##name: \
		put_logic(t, u, #value, "x", unused); \
		break;
#include "dpu/sim/alu.def"
	default:
		break;
	}
}

static void put_shift_add(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
{
	put_operands(t, u, 0);
	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, shifted, value) \
	case DPU_OP_##name: \
		fprintf(t->file, " const uint32_t n0 = %uu, s = ({ const uint32_t n = n0; " #shifted "; });", u->imm); \
		put_logic(t, u, #value, "s", unused); \
		break;
#include "dpu/sim/alu.def"
	default:
		break;
	}
}

/* a shifts in, low and high are the pair. */
static void put_step(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
{
	bool mul = u->op == DPU_OP_mul_step;

	fprintf(t->file, "const uint32_t a = %s, high = %s, b = %s;", dpu_put_name(u->ra), dpu_put_name(u->rb),
		dpu_put_name(u->rb + 1));
	if (mul)
		fprintf(t->file, " const uint32_t x = high >> 1, low = high & 1 ? b + (a << %u) : %s;", u->imm,
			u->rc < DPU_REG_ZERO ? dpu_put_name(u->rc + 1) : "0");
	else
		fprintf(t->file, " const uint32_t x = a << %u, low = b >= x ? b - x : %s;", u->imm,
			u->rc < DPU_REG_ZERO ? dpu_put_name(u->rc + 1) : "0");
	fputs(" const _Bool z = x == 0, n = x >> 31, xz = z && old == 0, c = 0, v = 0;", t->file);
	put_condition(t, u);
	put_set(t, u->rc, mul ? "x" : "high << 1 | (b >= x)");
	put_set(t, u->rc + 1, "low");
	fputs(mul ? " old = x; if (h) " : " if (h) ", t->file);
	dpu_put_goto(t, u->pc, unused);
}

/* Calls and jumps to the address in a register. */
static void put_call(struct dpu_text *t, const struct dpu_uop *u, unsigned int index)
{
	char link[16];

	snprintf(link, sizeof(link), "%uu", index + 1);
	if (u->ra == DPU_REG_ZERO && u->rb == DPU_REG_ZERO) {
		uint32_t to = u->imm & 0xffff;

		put_set(t, u->rc, link);
		dpu_put_goto(t, to < DPU_IRAM_WORDS ? to : DPU_IRAM_WORDS, 0);
		return;
	}
	fprintf(t->file, "pc = (%s + %s + %uu) & 0xffff;", dpu_put_name(u->ra), dpu_put_name(u->rb), u->imm);
	put_set(t, u->rc, link);
	fputs(" goto dispatch;", t->file);
}

static void put_move_pair(struct dpu_text *t, const struct dpu_uop *u, unsigned int unused)
{
	fprintf(t->file, "const uint32_t high = %s, low = %s;", dpu_put_name(u->rb), dpu_put_name(u->rb + 1));
	put_set(t, u->rc, "high");
	put_set(t, u->rc + 1, "low");
	if (u->cond == DPU_COND_TRUE)
		dpu_put_goto(t, u->pc, unused);
}

/* The address of an access, or the reason why it cannot be executed here. */
static void put_access(struct dpu_text *t, unsigned int index, unsigned int unused)
{
	if (dpu_put_address(t, index))
		put_exit(t, index, unused + 1);
}

static void put_load(struct dpu_text *t, const struct dpu_uop *u, unsigned int index, unsigned int unused)
{
	put_access(t, index, unused);
	switch ((enum dpu_op)u->op) {
#define DPU_LOAD(name, type) \
	case DPU_OP_##name: \
		put_set(t, u->rc, "*(" #type " *)(wram + at)"); \
		break;
#include "dpu/sim/alu.def"
	default:
		fputs(" const uint64_t value = *(uint64_t *)(wram + at);", t->file);
		put_set(t, u->rc, "value >> 32");
		put_set(t, u->rc + 1, "value");
		break;
	}
}

static void put_store(struct dpu_text *t, const struct dpu_uop *u, unsigned int index, unsigned int unused)
{
	put_access(t, index, unused);
	switch ((enum dpu_op)u->op) {
#define DPU_STORE(name, type) \
	case DPU_OP_##name: \
		fprintf(t->file, " *(" #type " *)(wram + at) = %s + %uu;", dpu_put_name(u->rb), u->imm); \
		break;
#include "dpu/sim/alu.def"
	default:
		fprintf(t->file, " *(uint64_t *)(wram + at) = (uint64_t)%s << 32 | %s;", dpu_put_name(u->rb),
			dpu_put_name(u->rb + 1));
		break;
	}
}

/* An instruction after which so many follow in its block. */
void dpu_put_insn(struct dpu_text *t, unsigned int index, unsigned int unused)
{
	const struct dpu_uop *u = &t->dpu->code[index];

	fputs("\t{ ", t->file);
	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		put_shift_add(t, u, unused);
		break;
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
		put_load(t, u, index, unused);
		break;
#define DPU_STORE(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
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
