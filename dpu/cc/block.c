// SPDX-License-Identifier: GPL-2.0-only
/* Registers within a block: which instruction writes, reads or still needs them. */
#include <string.h>

#include "dpu/cc/block.h"

bool cc_active(const struct cc_insn *i)
{
	return !i->dead && i->op > OP_DIRECTIVE;
}

size_t cc_definition(const struct cc_block *b, size_t at, uint8_t r)
{
	while (at-- > b->start)
		if (cc_active(&b->insns[at]) && (cc_writes(&b->insns[at]) & REG_BIT(r)))
			return at;
	return SIZE_MAX;
}

bool cc_dead_after(const struct cc_block *b, size_t at, uint8_t r)
{
	uint32_t bit = REG_BIT(r);

	if (cc_kills(&b->insns[at]) & bit)
		return true;
	for (size_t i = at + 1; i < b->end; i++) {
		if (!cc_active(&b->insns[i]))
			continue;
		if (cc_reads(&b->insns[i]) & bit)
			return false;
		if (cc_kills(&b->insns[i]) & bit)
			return true;
	}
	return !(b->live_out & bit);
}

bool cc_untouched(const struct cc_block *b, size_t from, size_t to, size_t except, uint32_t written,
		  uint32_t read)
{
	for (size_t i = from + 1; i < to; i++) {
		const struct cc_insn *insn = &b->insns[i];

		if (i == except || !cc_active(insn))
			continue;
		if ((cc_writes(insn) & written) || (cc_reads(insn) & read))
			return false;
	}
	return true;
}

size_t cc_next_reader(const struct cc_block *b, size_t at, uint8_t r)
{
	for (size_t i = at + 1; i < b->end; i++) {
		if (!cc_active(&b->insns[i]))
			continue;
		if (cc_reads(&b->insns[i]) & REG_BIT(r))
			return i;
		if (cc_writes(&b->insns[i]) & REG_BIT(r))
			return SIZE_MAX;
	}
	return SIZE_MAX;
}

bool cc_plain(const struct cc_insn *i, enum cc_op op)
{
	return cc_active(i) && i->op == op && !i->target && !i->carries;
}

bool cc_compares_with_zero(const struct cc_insn *i)
{
	return (i->cond == COND_EQ || i->cond == COND_NEQ) && i->rb == REG_NONE && !i->imm && !i->sym;
}

bool cc_short_immediate(const struct cc_insn *i, int32_t limit)
{
	return i->rb != REG_NONE || (!i->sym && i->imm >= -limit && i->imm < limit);
}

void cc_move_down(struct cc_block *b, size_t from, size_t to)
{
	struct cc_insn moved = b->insns[from];

	memmove(&b->insns[from], &b->insns[from + 1], (to - 1 - from) * sizeof(moved));
	b->insns[to - 1] = moved;
}
