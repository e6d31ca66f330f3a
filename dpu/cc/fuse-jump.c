// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic that jumps on its result, and two jumps in the place of two comparisons and one. */
#include "dpu/cc/block.h"

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
		return cc_short_immediate(i, 128);
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

bool cc_fuse_branch(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;
	enum cc_cond cond;
	size_t d;

	if (!cc_active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT)
		return false;
	cond = on_result(j);
	d = cond ? cc_definition(b, at, j->ra) : SIZE_MAX;
	if (d == SIZE_MAX)
		return false;
	i = &b->insns[d];
	if (!cc_is_arithmetic(i) || i->target || i->carries || i->rd != j->ra)
		return false;
	/* Only the branch uses the result, so the form without result applies, which has longer immediates. */
	if (i->op == OP_AND && i->rb == REG_NONE && cc_short_immediate(i, 2048) &&
	    !(b->live_out & REG_BIT(i->rd)))
		;
	else if (!can_jump(i))
		return false;
	if (!cc_untouched(b, d, at, at, cc_reads(i) | REG_BIT(i->rd), REG_BIT(i->rd)))
		return false;
	i->cond = cond;
	i->target = j->target;
	*j = *i;
	if (j->op == OP_AND && !cc_short_immediate(j, 128))
		j->rd = REG_ZERO;
	i->dead = true;
	i->target = NULL;
	return true;
}

bool cc_fuse_jump(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *i;

	if (!cc_active(j) || j->op != OP_JUMP)
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

/* ((a ^ b) | (c ^ d)) == 0 in a jump becomes two jumps. */
bool cc_fuse_equality(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], *both, *x, *y;
	size_t d, dx, dy;

	/* The values of both comparisons are not used, so all three instructions lose their results. */
	if (!cc_active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT || !cc_compares_with_zero(j))
		return false;
	d = cc_definition(b, at, j->ra);
	both = d == SIZE_MAX ? NULL : &b->insns[d];
	if (!both || !cc_plain(both, OP_OR) || both->rb == REG_NONE || !cc_dead_after(b, at, j->ra))
		return false;
	dx = cc_definition(b, d, both->ra);
	dy = cc_definition(b, d, both->rb);
	if (dx == SIZE_MAX || dy == SIZE_MAX)
		return false;
	x = &b->insns[dx];
	y = &b->insns[dy];
	if (dx == dy || !cc_plain(x, OP_XOR) || !cc_plain(y, OP_XOR) || !cc_short_immediate(x, 1024) ||
	    !cc_short_immediate(y, 1024) || cc_next_reader(b, dx, x->rd) != d ||
	    cc_next_reader(b, dy, y->rd) != d || !cc_dead_after(b, d, x->rd) ||
	    !cc_dead_after(b, d, y->rd) || cc_next_reader(b, d, both->rd) != at)
		return false;
	x->dead = y->dead = true;
	if (!cc_untouched(b, dx, at, d, cc_reads(x), 0) || !cc_untouched(b, dy, at, d, cc_reads(y), 0)) {
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
		cc_move_down(b, d, at);
		b->insns[at - 1] = first;
		b->insns[at] = second;
	}
	return true;
}

/* A 64-bit comparison whose result only a jump reads. */
bool cc_fuse_wide_branch(struct cc_block *b, size_t at)
{
	struct cc_insn *j = &b->insns[at], compare;
	size_t d, low;

	if (!cc_active(j) || j->op != OP_BRANCH || j->ra >= REG_COUNT || !cc_compares_with_zero(j) ||
	    !cc_dead_after(b, at, j->ra))
		return false;
	d = cc_definition(b, at, j->ra);
	if (d == SIZE_MAX || !cc_plain(&b->insns[d], OP_SETC))
		return false;
	for (low = d; low-- > b->start && !cc_active(&b->insns[low]);)
		;
	compare = b->insns[d];
	if (low >= d || !b->insns[low].carries || b->insns[low].rd != REG_ZERO ||
	    !cc_untouched(b, d, at, at, cc_reads(&compare) | cc_reads(&b->insns[low]) | REG_BIT(compare.rd),
			  REG_BIT(compare.rd)))
		return false;
	compare.cond = j->cond == COND_NEQ ? compare.cond : cc_negate(compare.cond);
	compare.target = j->target;
	compare.rd = REG_ZERO;
	b->insns[d].dead = true;
	cc_move_down(b, low, at);
	b->insns[at] = compare;
	return true;
}
