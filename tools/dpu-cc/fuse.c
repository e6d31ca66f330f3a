// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces several instructions of RISC-V by one of the DPU: additions with carry, shifts that add,
 * comparisons with a number as result, arithmetic that jumps on its result. Works within a block.
 */
#include <string.h>

#include "tools/dpu-cc/insn.h"

struct block {
	struct cc_insn *insns;
	size_t start, end;
	uint32_t live_out;
};

static bool active(const struct cc_insn *i)
{
	return !i->dead && i->op > OP_DIRECTIVE;
}

/* The last instruction before `at` that writes r; SIZE_MAX: none in the block. */
static size_t definition(const struct block *b, size_t at, uint8_t r)
{
	while (at-- > b->start)
		if (active(&b->insns[at]) && (cc_writes(&b->insns[at]) & REG_BIT(r)))
			return at;
	return SIZE_MAX;
}

static bool dead_after(const struct block *b, size_t at, uint8_t r)
{
	uint32_t bit = REG_BIT(r);

	if (cc_kills(&b->insns[at]) & bit)
		return true;
	for (size_t i = at + 1; i < b->end; i++) {
		if (!active(&b->insns[i]))
			continue;
		if (cc_reads(&b->insns[i]) & bit)
			return false;
		if (cc_kills(&b->insns[i]) & bit)
			return true;
	}
	return !(b->live_out & bit);
}

/* True if no instruction strictly between, except `except`, writes `written` or reads `read`. */
static bool untouched(const struct block *b, size_t from, size_t to, size_t except, uint32_t written,
		      uint32_t read)
{
	for (size_t i = from + 1; i < to; i++) {
		const struct cc_insn *insn = &b->insns[i];

		if (i == except || !active(insn))
			continue;
		if ((cc_writes(insn) & written) || (cc_reads(insn) & read))
			return false;
	}
	return true;
}

static size_t next_reader(const struct block *b, size_t at, uint8_t r)
{
	for (size_t i = at + 1; i < b->end; i++) {
		if (!active(&b->insns[i]))
			continue;
		if (cc_reads(&b->insns[i]) & REG_BIT(r))
			return i;
		if (cc_writes(&b->insns[i]) & REG_BIT(r))
			return SIZE_MAX;
	}
	return SIZE_MAX;
}

static bool plain(const struct cc_insn *i, enum cc_op op)
{
	return active(i) && i->op == op && !i->target && !i->carries;
}

static bool compares_with_zero(const struct cc_insn *i)
{
	return (i->cond == COND_EQ || i->cond == COND_NEQ) && i->rb == REG_NONE && !i->imm && !i->sym;
}

/* (a ^ b) == 0, (a - b) == 0, (a + c) == 0 and (a < b) == 0 become comparisons of a and b. */
static bool compare_sources(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if ((j->op != OP_SET && j->op != OP_BRANCH) || !active(j) || !compares_with_zero(j))
		return false;
	d = definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (i->target || i->carries || (i->op != OP_XOR && i->op != OP_SUB && i->op != OP_SET && i->op != OP_ADD) ||
	    (i->op == OP_ADD && (i->rb != REG_NONE || i->sym || i->imm == INT32_MIN)) ||
	    (REG_BIT(i->rd) & cc_reads(i)) || !untouched(b, d, at, at, cc_reads(i), 0))
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
static bool compare_increment(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at];
	const struct cc_insn *add, *move;
	size_t d, m;

	if ((j->op != OP_SET && j->op != OP_BRANCH) || !active(j) || j->rb >= REG_COUNT || j->ra == j->rb ||
	    (j->cond != COND_LTU && j->cond != COND_GEU))
		return false;
	d = definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	add = &b->insns[d];
	if (!plain(add, OP_ADD) || add->rb != REG_NONE || add->imm != 1 || add->sym ||
	    !untouched(b, d, at, at, REG_BIT(j->rb), 0))
		return false;
	if (add->ra != j->rb) {
		m = definition(b, d, j->rb);
		if (m == SIZE_MAX)
			return false;
		move = &b->insns[m];
		if (!plain(move, OP_MOVE) || move->rb != add->ra ||
		    !untouched(b, m, d, d, REG_BIT(add->ra), 0))
			return false;
	}
	j->cond = j->cond == COND_LTU ? COND_EQ : COND_NEQ;
	j->rb = REG_NONE;
	j->imm = 0;
	j->sym = NULL;
	return true;
}

/* set ^ 1 */
static bool negate_set(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if (!plain(j, OP_XOR) || j->rb != REG_NONE || j->imm != 1 || j->sym)
		return false;
	d = definition(b, at, j->ra);
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (!plain(i, OP_SET) || (REG_BIT(i->rd) & cc_reads(i)) ||
	    !untouched(b, d, at, at, cc_reads(i), 0))
		return false;
	j->op = OP_SET;
	j->cond = cc_negate(i->cond);
	j->ra = i->ra;
	j->rb = i->rb;
	j->imm = i->imm;
	j->sym = i->sym;
	return true;
}

static bool fuse_shift(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at];

	if ((!plain(j, OP_ADD) && !plain(j, OP_SUB)) || j->rb == REG_NONE)
		return false;
	for (int side = 0; side < 2; side++) {
		uint8_t shifted = side ? j->ra : j->rb, other = side ? j->rb : j->ra;
		size_t d = definition(b, at, shifted);
		struct cc_insn *i = d == SIZE_MAX ? NULL : &b->insns[d];

		if (!i || (side && j->op == OP_SUB) || shifted == other || other >= REG_COUNT ||
		    !plain(i, OP_LSL) ||
		    i->rb != REG_NONE || i->ra >= REG_COUNT || !dead_after(b, at, shifted) ||
		    !untouched(b, d, at, at, REG_BIT(i->ra) & ~REG_BIT(i->rd), REG_BIT(shifted)))
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
static void write_carry(struct block *b, size_t at, enum cc_op op, uint8_t high)
{
	struct cc_insn *m = &b->insns[at];
	size_t d = definition(b, at, high);
	struct cc_insn *e = d == SIZE_MAX ? NULL : &b->insns[d];
	enum cc_op plain_op = op == OP_ADDC ? OP_ADD : OP_SUB;

	m->op = op;
	m->ra = high;
	m->rb = REG_NONE;
	m->imm = 0;
	m->sym = NULL;
	if (e && plain(e, plain_op) && e->rb != REG_NONE && dead_after(b, at, high) &&
	    untouched(b, d, at, at, cc_reads(e) & ~REG_BIT(high), REG_BIT(high))) {
		m->ra = e->ra;
		m->rb = e->rb;
		e->dead = true;
	}
}

/* Moves the instruction at `from` to right before `to`. */
static void move_down(struct block *b, size_t from, size_t to)
{
	struct cc_insn moved = b->insns[from];

	memmove(&b->insns[from], &b->insns[from + 1], (to - 1 - from) * sizeof(moved));
	b->insns[to - 1] = moved;
}

/*
 * s = p + q; t = s < p; ... d = e + t becomes s = p + q; d = e + carry, at d's place. If e is a sum of two that
 * only d reads, d adds all three.
 */
static bool fuse_add_carry(struct block *b, size_t k)
{
	const struct cc_insn *set = &b->insns[k];
	struct cc_insn *add, *m;
	size_t i, at;
	uint8_t high;
	uint32_t sources;

	if (!plain(set, OP_SET) || set->cond != COND_LTU || set->ra >= REG_COUNT || set->sym)
		return false;
	i = definition(b, k, set->ra);
	if (i == SIZE_MAX)
		return false;
	add = &b->insns[i];
	if (!plain(add, OP_ADD) || add->sym)
		return false;
	if (set->rb == REG_NONE) {
		if (add->rb != REG_NONE || add->imm != set->imm)
			return false;
	} else if ((set->rb != add->ra && set->rb != add->rb) || set->rb == add->rd ||
		   !untouched(b, i, k, k, REG_BIT(set->rb), 0)) {
		return false;
	}
	at = next_reader(b, k, set->rd);
	if (at == SIZE_MAX)
		return false;
	m = &b->insns[at];
	if (!plain(m, OP_ADD) || m->rb == REG_NONE || m->ra == m->rb || !dead_after(b, at, set->rd))
		return false;
	high = m->ra == set->rd ? m->rb : m->ra;
	if (high >= REG_COUNT || high == add->rd)
		return false;
	sources = REG_BIT(add->ra) | REG_BIT(add->rb);
	if (!untouched(b, i, at, k, sources | REG_BIT(add->rd), REG_BIT(add->rd)))
		return false;
	b->insns[k].dead = true;
	b->insns[i].carries = true;
	move_down(b, i, at);
	write_carry(b, at, OP_ADDC, high);
	return true;
}

/* t = x < y; d = e - t; l = x - y in any order becomes l = x - y; d = e - borrow. */
static bool fuse_sub_borrow(struct block *b, size_t k)
{
	const struct cc_insn *set = &b->insns[k];
	uint8_t high, x, y, low;
	struct cc_insn *m;
	size_t at, l;

	if (!plain(set, OP_SET) || set->cond != COND_LTU || set->ra >= REG_COUNT ||
	    set->rb == REG_NONE || set->rd == set->ra || set->rd == set->rb)
		return false;
	x = set->ra;
	y = set->rb;
	at = next_reader(b, k, set->rd);
	if (at == SIZE_MAX)
		return false;
	m = &b->insns[at];
	if (!plain(m, OP_SUB) || m->rb != set->rd || m->ra >= REG_COUNT || m->ra == m->rb ||
	    !dead_after(b, at, set->rd) || !untouched(b, k, at, at, REG_BIT(x) | REG_BIT(y), 0))
		return false;
	high = m->ra;
	for (l = at + 1; l < b->end; l++) {
		const struct cc_insn *s = &b->insns[l];

		if (plain(s, OP_SUB) && s->ra == x && s->rb == y)
			break;
		if (active(s) && (cc_writes(s) & (REG_BIT(x) | REG_BIT(y))))
			return false;
	}
	if (l >= b->end)
		return false;
	low = b->insns[l].rd;
	if (low == high || low == m->rd || (REG_BIT(m->rd) & (REG_BIT(x) | REG_BIT(y))) ||
	    !untouched(b, at, l, l, REG_BIT(low) | REG_BIT(m->rd) | REG_BIT(high),
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

static bool short_immediate(const struct cc_insn *i, int32_t limit)
{
	return i->rb != REG_NONE || (!i->sym && i->imm >= -limit && i->imm < limit);
}

enum width { WIDE, UNSIGNED_BYTE, SIGNED_BYTE, UNSIGNED_HALF, SIGNED_HALF };

/* Number of bits of the value in r, from the instruction that wrote it. */
static enum width width_of(const struct block *b, size_t at, uint8_t r)
{
	size_t d = definition(b, at, r);
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
static bool narrow_product(struct block *b, size_t at)
{
	struct cc_insn *i = &b->insns[at];
	enum width x, y;
	bool x_signed, y_signed;

	if (!plain(i, OP_MUL) || i->rb == REG_NONE || i->ra >= REG_COUNT)
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

/* The instructions that can jump on their result with these registers and numbers. */
static bool can_jump(const struct cc_insn *i)
{
	switch (i->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_MOVE:
	case OP_RSUB:
		return short_immediate(i, 128);
	case OP_LSL:
	case OP_LSR:
	case OP_ASR:
	case OP_ANDN:
	case OP_ORN:
	case OP_NXOR:
		return i->rb != REG_NONE || i->op == OP_LSL || i->op == OP_LSR || i->op == OP_ASR;
	default:
		return false;
	}
}

static enum cc_cond on_result(const struct cc_insn *branch)
{
	if (branch->rb != REG_NONE || branch->imm || branch->sym)
		return COND_NONE;
	switch (branch->cond) {
	case COND_EQ:
		return COND_Z;
	case COND_NEQ:
		return COND_NZ;
	case COND_LTS:
		return COND_MI;
	case COND_GES:
		return COND_PL;
	default:
		return COND_NONE;
	}
}

static bool fuse_branch(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	enum cc_cond cond;
	size_t d;

	if (!active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT)
		return false;
	cond = on_result(j);
	d = cond ? definition(b, at, j->ra) : SIZE_MAX;
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (!cc_is_arithmetic(i) || i->target || i->carries || i->rd != j->ra)
		return false;
	/* Only the branch uses the result, so the form without result applies, which has longer immediates. */
	if (i->op == OP_AND && i->rb == REG_NONE && short_immediate(i, 2048) &&
	    !(b->live_out & REG_BIT(i->rd)))
		;
	else if (!can_jump(i))
		return false;
	if (!untouched(b, d, at, at, cc_reads(i) | REG_BIT(i->rd), REG_BIT(i->rd)))
		return false;
	i->cond = cond;
	i->target = j->target;
	*j = *i;
	if (j->op == OP_AND && !short_immediate(j, 128))
		j->rd = REG_ZERO;
	i->dead = true;
	i->target = NULL;
	return true;
}

static bool fuse_jump(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;

	if (!active(j) || j->op != OP_JUMP)
		return false;
	for (size_t d = at; d-- > b->start;) {
		i = &b->insns[d];
		if (i->dead || i->op == OP_DIRECTIVE)
			continue;
		if (i->op == OP_LABEL || !cc_is_arithmetic(i) || i->target || !can_jump(i))
			return false;
		i->cond = COND_TRUE;
		i->target = j->target;
		*j = *i;
		i->dead = true;
		i->target = NULL;
		return true;
	}
	return false;
}

/* Folds an addition that computed the address right before. */
static bool fuse_address(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	size_t d;

	if (!active(j) || (j->op != OP_LD && j->op != OP_SD) || j->ra >= REG_COUNT)
		return false;
	d = definition(b, at, j->ra);
	i = d == SIZE_MAX ? NULL : &b->insns[d];
	if (!i || !plain(i, OP_ADD) || i->rb != REG_NONE || (i->sym && j->sym) || i->ra >= REG_COUNT ||
	    i->ra == i->rd || !untouched(b, d, at, at, REG_BIT(i->ra), 0))
		return false;
	j->ra = i->ra;
	j->imm = (int32_t)((uint32_t)j->imm + i->imm);
	j->sym = j->sym ? j->sym : i->sym;
	return true;
}

/* ((a ^ b) | (c ^ d)) == 0 in a jump becomes two jumps. */
static bool fuse_equality(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *both, *x, *y;
	size_t d, dx, dy;

	/* The values of both comparisons are not used, so all three instructions lose their results. */
	if (!active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT || !compares_with_zero(j))
		return false;
	d = definition(b, at, j->ra);
	both = d == SIZE_MAX ? NULL : &b->insns[d];
	if (!both || !plain(both, OP_OR) || both->rb == REG_NONE || !dead_after(b, at, j->ra))
		return false;
	dx = definition(b, d, both->ra);
	dy = definition(b, d, both->rb);
	if (dx == SIZE_MAX || dy == SIZE_MAX)
		return false;
	x = &b->insns[dx];
	y = &b->insns[dy];
	if (dx == dy || !plain(x, OP_XOR) || !plain(y, OP_XOR) || !short_immediate(x, 1024) ||
	    !short_immediate(y, 1024) || next_reader(b, dx, x->rd) != d || next_reader(b, dy, y->rd) != d ||
	    !dead_after(b, d, x->rd) || !dead_after(b, d, y->rd) || next_reader(b, d, both->rd) != at)
		return false;
	x->dead = y->dead = true;
	if (!untouched(b, dx, at, d, cc_reads(x), 0) || !untouched(b, dy, at, d, cc_reads(y), 0)) {
		x->dead = y->dead = false;
		return false;
	}
	/* Both become branches with the comparisons' operands. */
	{
		struct cc_insn first = *x, second = *y;

		first.op = second.op = OP_BRANCH;
		first.rd = second.rd = REG_NONE;
		first.dead = second.dead = false;
		first.cond = COND_NEQ;
		second.cond = j->cond;
		second.target = j->target;
		first.target = j->cond == COND_NEQ ? j->target : ".+2";
		move_down(b, d, at);
		b->insns[at - 1] = first;
		b->insns[at] = second;
	}
	return true;
}

/* A 64-bit comparison whose result only a jump reads. */
static bool fuse_wide_branch(struct block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], compare;
	size_t d, low;

	if (!active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT || !compares_with_zero(j) ||
	    !dead_after(b, at, j->ra))
		return false;
	d = definition(b, at, j->ra);
	if (d == SIZE_MAX || !plain(&b->insns[d], OP_SETC))
		return false;
	for (low = d; low-- > b->start && !active(&b->insns[low]);)
		;
	compare = b->insns[d];
	if (low >= d || !b->insns[low].carries || b->insns[low].rd != REG_ZERO ||
	    !untouched(b, d, at, at, cc_reads(&compare) | cc_reads(&b->insns[low]) | REG_BIT(compare.rd),
		       REG_BIT(compare.rd)))
		return false;
	compare.cond = j->cond == COND_NEQ ? compare.cond : cc_negate(compare.cond);
	compare.target = j->target;
	compare.rd = REG_ZERO;
	b->insns[d].dead = true;
	move_down(b, low, at);
	b->insns[at] = compare;
	return true;
}

static void each(struct cc_translation *t, bool (*fuse)(struct block *b, size_t at))
{
	struct cc_flow flow;

	cc_flow_make(t, &flow);
	for (size_t n = 0; n < flow.count; n++) {
		struct block b = { t->function.insns, flow.start[n], flow.start[n + 1],
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
	each(t, fuse_equality);
	each(t, fuse_wide_branch);
	each(t, compare_increment);
	each(t, compare_sources);
	each(t, negate_set);
	each(t, compare_sources);
	each(t, fuse_add_carry);
	each(t, fuse_sub_borrow);
	each(t, narrow_product);
	each(t, fuse_shift);
	each(t, fuse_branch);
	each(t, fuse_jump);
}
