// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces several instructions of RISC-V by one of the DPU: additions with carry, shifts that add,
 * comparisons with a number as result. Works within a block; fuse-jump.c has what ends in a jump.
 */
#include <string.h>

#include "dpu/cc/block.h"

/* (a ^ b) == 0, (a - b) == 0, (a + c) == 0 and (a < b) == 0 become comparisons of a and b. */
static bool compare_sources(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if ((j->op != OP_SET && j->op != OP_BRANCH) || !cc_active(j) || !cc_compares_with_zero(j))
		return false;
	d = cc_definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (i->target || i->carries || (i->op != OP_XOR && i->op != OP_SUB && i->op != OP_SET && i->op != OP_ADD) ||
	    (i->op == OP_ADD && (i->rb != REG_NONE || i->sym || i->imm == INT32_MIN)) ||
	    (REG_BIT(i->rd) & cc_reads(i)) || !cc_untouched(b, d, at, at, cc_reads(i), 0))
		return false;
	/* Skip these: a later step needs the definition for arithmetic that jumps on its result. */
	if (j->op == OP_BRANCH && i->op != OP_SET)
		return false;
	j->ra = i->ra;
	j->rb = i->rb;
	j->sym = i->sym;
	j->imm = i->op == OP_ADD ? -i->imm : i->imm;
	if (i->op == OP_SET)
		j->cond = j->cond == COND_NEQ ? i->cond : cc_negate(i->cond);
	return true;
}

/*
 * s = a + 1 is less than a, unsigned, only if s is 0. LLVM writes loops up to 0 like this; another register may
 * hold a by then.
 */
static bool compare_increment(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at];
	const struct cc_insn *add, *move;
	size_t d, m;

	if ((j->op != OP_SET && j->op != OP_BRANCH) || !cc_active(j) || j->rb >= REG_COUNT || j->ra == j->rb ||
	    (j->cond != COND_LTU && j->cond != COND_GEU))
		return false;
	d = cc_definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	add = &b->insns[d];
	if (!cc_plain(add, OP_ADD) || add->rb != REG_NONE || add->imm != 1 || add->sym ||
	    !cc_untouched(b, d, at, at, REG_BIT(j->rb), 0))
		return false;
	if (add->ra != j->rb) {
		m = cc_definition(b, d, j->rb);
		if (m == SIZE_MAX)
			return false;
		move = &b->insns[m];
		if (!cc_plain(move, OP_MOVE) || move->rb != add->ra ||
		    !cc_untouched(b, m, d, d, REG_BIT(add->ra), 0))
			return false;
	}
	j->cond = j->cond == COND_LTU ? COND_EQ : COND_NEQ;
	j->rb = REG_NONE;
	j->imm = 0;
	j->sym = NULL;
	return true;
}

/* set ^ 1 */
static bool negate_set(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if (!cc_plain(j, OP_XOR) || j->rb != REG_NONE || j->imm != 1 || j->sym)
		return false;
	d = cc_definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (!cc_plain(i, OP_SET) || (REG_BIT(i->rd) & cc_reads(i)) ||
	    !cc_untouched(b, d, at, at, cc_reads(i), 0))
		return false;
	j->op = OP_SET;
	j->cond = cc_negate(i->cond);
	j->ra = i->ra;
	j->rb = i->rb;
	j->imm = i->imm;
	j->sym = i->sym;
	return true;
}

static bool fuse_shift(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at];

	if ((!cc_plain(j, OP_ADD) && !cc_plain(j, OP_SUB)) || j->rb == REG_NONE)
		return false;
	for (int side = 0; side < 2; side++) {
		uint8_t shifted = side ? j->ra : j->rb, other = side ? j->rb : j->ra;
		size_t d = cc_definition(b, at, shifted);
		struct cc_insn *i = d == SIZE_MAX ? NULL : &b->insns[d];

		if (!i || (side && j->op == OP_SUB) || shifted == other || other >= REG_COUNT ||
		    !cc_plain(i, OP_LSL) ||
		    i->rb != REG_NONE || i->ra >= REG_COUNT || !cc_dead_after(b, at, shifted) ||
		    !cc_untouched(b, d, at, at, REG_BIT(i->ra) & ~REG_BIT(i->rd), REG_BIT(shifted)))
			continue;
		j->op = j->op == OP_ADD ? OP_LSL_ADD : OP_LSL_SUB;
		j->shift = i->imm & 31;
		j->rb = i->ra;
		j->ra = other;
		i->dead = true;
		return true;
	}
	return false;
}

/* Adds the carry of low, which moves to right before `at`, to the sum there. */
static void write_carry(struct cc_block *b, size_t at, enum cc_op op, uint8_t high)
{
	struct cc_insn *m = &b->insns[at];
	size_t d = cc_definition(b, at, high);
	struct cc_insn *e = d == SIZE_MAX ? NULL : &b->insns[d];
	enum cc_op plain_op = op == OP_ADDC ? OP_ADD : OP_SUB;

	m->op = op;
	m->ra = high;
	m->rb = REG_NONE;
	m->imm = 0;
	m->sym = NULL;
	if (e && cc_plain(e, plain_op) && e->rb != REG_NONE && cc_dead_after(b, at, high) &&
	    cc_untouched(b, d, at, at, cc_reads(e) & ~REG_BIT(high), REG_BIT(high))) {
		m->ra = e->ra;
		m->rb = e->rb;
		e->dead = true;
	}
}

/*
 * s = p + q; t = s < p; ... d = e + t becomes s = p + q; d = e + carry, at d's place. If e is a sum of two that
 * only d reads, d adds all three.
 */
static bool fuse_add_carry(struct cc_block *b, size_t k)
{
	const struct cc_insn *set = &b->insns[k];
	struct cc_insn *add, *m;
	size_t i, at;
	uint8_t high;
	uint32_t sources;

	if (!cc_plain(set, OP_SET) || set->cond != COND_LTU || set->ra >= REG_COUNT || set->sym)
		return false;
	i = cc_definition(b, k, set->ra);
	if (i == SIZE_MAX)
		return false;
	add = &b->insns[i];
	if (!cc_plain(add, OP_ADD) || add->sym)
		return false;
	if (set->rb == REG_NONE) {
		if (add->rb != REG_NONE || add->imm != set->imm)
			return false;
	} else if ((set->rb != add->ra && set->rb != add->rb) || set->rb == add->rd ||
		   !cc_untouched(b, i, k, k, REG_BIT(set->rb), 0)) {
		return false;
	}
	at = cc_next_reader(b, k, set->rd);
	if (at == SIZE_MAX)
		return false;
	m = &b->insns[at];
	if (!cc_plain(m, OP_ADD) || m->rb == REG_NONE || m->ra == m->rb || !cc_dead_after(b, at, set->rd))
		return false;
	high = m->ra == set->rd ? m->rb : m->ra;
	if (high >= REG_COUNT || high == add->rd)
		return false;
	sources = REG_BIT(add->ra) | REG_BIT(add->rb);
	if (!cc_untouched(b, i, at, k, sources | REG_BIT(add->rd), REG_BIT(add->rd)))
		return false;
	b->insns[k].dead = true;
	b->insns[i].carries = true;
	cc_move_down(b, i, at);
	write_carry(b, at, OP_ADDC, high);
	return true;
}

/* t = x < y; d = e - t; l = x - y in any order becomes l = x - y; d = e - borrow. */
static bool fuse_sub_borrow(struct cc_block *b, size_t k)
{
	const struct cc_insn *set = &b->insns[k];
	uint8_t high, x, y, low;
	struct cc_insn *m;
	size_t at, l;

	if (!cc_plain(set, OP_SET) || set->cond != COND_LTU || set->ra >= REG_COUNT ||
	    set->rb == REG_NONE || set->rd == set->ra || set->rd == set->rb)
		return false;
	x = set->ra;
	y = set->rb;
	at = cc_next_reader(b, k, set->rd);
	if (at == SIZE_MAX)
		return false;
	m = &b->insns[at];
	if (!cc_plain(m, OP_SUB) || m->rb != set->rd || m->ra >= REG_COUNT || m->ra == m->rb ||
	    !cc_dead_after(b, at, set->rd) || !cc_untouched(b, k, at, at, REG_BIT(x) | REG_BIT(y), 0))
		return false;
	high = m->ra;
	for (l = at + 1; l < b->end; l++) {
		const struct cc_insn *s = &b->insns[l];

		if (cc_plain(s, OP_SUB) && s->ra == x && s->rb == y)
			break;
		if (cc_active(s) && (cc_writes(s) & (REG_BIT(x) | REG_BIT(y))))
			return false;
	}
	if (l >= b->end)
		return false;
	low = b->insns[l].rd;
	if (low == high || low == m->rd || (REG_BIT(m->rd) & (REG_BIT(x) | REG_BIT(y))) ||
	    !cc_untouched(b, at, l, l, REG_BIT(low) | REG_BIT(m->rd) | REG_BIT(high),
			  REG_BIT(low) | REG_BIT(m->rd)))
		return false;
	/* Moves the high half down to the low one. */
	b->insns[k].dead = true;
	{
		struct cc_insn sub = b->insns[l];
		uint8_t rd = m->rd;

		if (at + 1 < l)
			memmove(&b->insns[at], &b->insns[at + 1], (l - 1 - at) * sizeof(sub));
		sub.carries = true;
		b->insns[l - 1] = sub;
		b->insns[l] = (struct cc_insn){ .op = OP_SUBC, .rd = rd, .ra = high, .rb = REG_NONE };
		write_carry(b, l, OP_SUBC, high);
	}
	return true;
}

enum width { WIDE, UNSIGNED_BYTE, SIGNED_BYTE, UNSIGNED_HALF, SIGNED_HALF };

/* Number of bits of the value in r, from the instruction that wrote it. */
static enum width width_of(const struct cc_block *b, size_t at, uint8_t r)
{
	size_t d = cc_definition(b, at, r);
	const struct cc_insn *i = d == SIZE_MAX ? NULL : &b->insns[d];

	switch (i ? i->op : OP_LABEL) {
	case OP_LBU:
	case OP_EXTUB:
	case OP_SET:
		return UNSIGNED_BYTE;
	case OP_LBS:
	case OP_EXTSB:
		return SIGNED_BYTE;
	case OP_LHU:
	case OP_EXTUH:
		return UNSIGNED_HALF;
	case OP_LHS:
	case OP_EXTSH:
		return SIGNED_HALF;
	case OP_AND:
		if (i->rb != REG_NONE || i->sym || i->imm < 0 || i->imm > 0xffff)
			return WIDE;
		return i->imm > 0xff ? UNSIGNED_HALF : UNSIGNED_BYTE;
	default:
		return WIDE;
	}
}

/* The DPU multiplies bytes in one instruction, so 16-bit values take a few. */
static bool narrow_product(struct cc_block *b, size_t at)
{
	struct cc_insn *i = &b->insns[at];
	enum width x, y;
	bool x_signed, y_signed;

	if (!cc_plain(i, OP_MUL) || i->rb == REG_NONE || i->ra >= REG_COUNT)
		return false;
	x = width_of(b, at, i->ra);
	y = width_of(b, at, i->rb);
	if (x == WIDE || y == WIDE)
		return false;
	x_signed = x == SIGNED_BYTE || x == SIGNED_HALF;
	y_signed = y == SIGNED_BYTE || y == SIGNED_HALF;
	i->op = x >= UNSIGNED_HALF || y >= UNSIGNED_HALF ? OP_MUL16 : OP_MUL8;
	i->shift = x_signed | y_signed << 1;
	return true;
}

/* Folds an addition that computed the address right before. */
static bool fuse_address(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if (!cc_active(j) || (j->op != OP_LD && j->op != OP_SD) || j->ra >= REG_COUNT)
		return false;
	d = cc_definition(b, at, j->ra);
	i = d == SIZE_MAX ? NULL : &b->insns[d];
	if (!i || !cc_plain(i, OP_ADD) || i->rb != REG_NONE || (i->sym && j->sym) || i->ra >= REG_COUNT ||
	    i->ra == i->rd || !cc_untouched(b, d, at, at, REG_BIT(i->ra), 0))
		return false;
	j->ra = i->ra;
	j->imm = (int32_t)((uint32_t)j->imm + i->imm);
	j->sym = j->sym ? j->sym : i->sym;
	return true;
}

static void each(struct cc_translation *t, bool (*fuse)(struct cc_block *b, size_t at))
{
	struct cc_flow flow;

	cc_flow_make(t, &flow);
	for (size_t n = 0; n < flow.count; n++) {
		struct cc_block b = { t->function.insns, flow.start[n], flow.start[n + 1],
				      flow.live_out[n] };

		for (size_t i = b.start; i < b.end; i++)
			fuse(&b, i);
	}
	cc_flow_free(&flow);
	cc_remove_dead(t);
}

void cc_fuse(struct cc_translation *t)
{
	each(t, fuse_address);
	each(t, cc_fuse_equality);
	each(t, cc_fuse_wide_branch);
	each(t, compare_increment);
	each(t, compare_sources);
	each(t, negate_set);
	each(t, compare_sources);
	each(t, fuse_add_carry);
	each(t, fuse_sub_borrow);
	each(t, narrow_product);
	each(t, fuse_shift);
	each(t, cc_fuse_branch);
	each(t, cc_fuse_jump);
}
