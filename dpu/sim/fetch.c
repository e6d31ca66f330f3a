// SPDX-License-Identifier: LGPL-2.1-or-later
/* Predecodes 48-bit words for the interpreters. */
#include "dpu/sim/dpu-internal.h"

/* Bit i of a table: true if the condition holds for i = z | n << 1 | C << 2 | V << 3 | Z << 4. */
static bool holds(enum dpu_cond cond, unsigned int i)
{
	bool z = i & 1, n = i & 2, c = i & 4, v = i & 8, xz = z && (i & 16);

	switch (cond) {
#define DPU_FLAG_COND(name, value) \
	case DPU_COND_##name: \
		return value;
#include "dpu/sim/cond.def"
	default:
		return false;
	}
}

static uint32_t truth_table(enum dpu_cond cond)
{
	static _Atomic uint32_t tables[DPU_COND_LAST_FLAGS + 1];	/* 0: not yet made */
	uint32_t table;

	if (cond > DPU_COND_LAST_FLAGS || cond == DPU_COND_FALSE)
		return 0;
	table = tables[cond];
	if (!table) {
		for (unsigned int i = 0; i < 32; i++)
			table |= (uint32_t)holds(cond, i) << i;
		tables[cond] = table;
	}
	return table;
}

struct slots {
	bool has[DPU_SLOT_COUNT];
	bool odd_pair;
};

static struct slots slots_of(const struct dpu_insn *insn)
{
	struct slots s = { 0 };

	for (int i = 0; i < DPU_MAX_OPERANDS && insn->encoding->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[insn->encoding->operands[i]];

		s.has[o->slot] = true;
		if (o->kind == DPU_KIND_PAIR && insn->value[o->slot] % 2)
			s.odd_pair = true;
	}
	return s;
}

static bool is_store(enum dpu_op op)
{
	return op >= DPU_OP_sb && op <= DPU_OP_sw_id;
}

/* The condition of stop's and time's other numbers is not documented. */
static bool condition_documented(const struct dpu_insn *insn, enum dpu_cond cond)
{
	if (cond == DPU_COND_INVALID)
		return false;
	if (insn->encoding->op == DPU_OP_stop)
		return cond == DPU_COND_TRUE || cond == DPU_COND_FALSE;
	return true;
}

static void set_operands(struct dpu_uop *u, const struct dpu_insn *insn, const struct slots *s)
{
	const int32_t *v = insn->value;

	u->ra = s->has[DPU_SLOT_RA] ? v[DPU_SLOT_RA] : DPU_REG_ZERO;
	u->rb = s->has[DPU_SLOT_RB] ? v[DPU_SLOT_RB] : DPU_REG_ZERO;
	u->rc = v[DPU_SLOT_RC] == DPU_REG_ZERO ? DPU_REG_SINK : v[DPU_SLOT_RC];
	u->imm = v[DPU_SLOT_IMM];
	if (is_store(u->op)) {
		u->aux = v[DPU_SLOT_OFF];
		if (s->has[DPU_SLOT_IMM])
			u->flags |= DPU_UOP_IMM;
	} else if (s->has[DPU_SLOT_OFF]) {
		u->imm = v[DPU_SLOT_OFF];
	}
	/* An ALU form with rb and a number has its only register there. */
	if (!s->has[DPU_SLOT_RA] && s->has[DPU_SLOT_RB] && s->has[DPU_SLOT_IMM]) {
		u->ra = u->rb;
		u->rb = DPU_REG_ZERO;
	}
	u->pc = (uint16_t)v[DPU_SLOT_PC] < DPU_IRAM_WORDS ? v[DPU_SLOT_PC] : DPU_IRAM_WORDS;
	if (v[DPU_SLOT_ENDIAN])
		u->flags |= DPU_UOP_BIG;
}

/* sub rc, imm, ra is a reverse subtraction. */
static enum dpu_op predecode_reversed(const struct dpu_insn *insn)
{
	switch (insn->encoding->form) {
	case DPU_FORM_rir:
	case DPU_FORM_rirc:
	case DPU_FORM_rirci:
	case DPU_FORM_rirf:
	case DPU_FORM_zir:
	case DPU_FORM_zirc:
	case DPU_FORM_zirci:
	case DPU_FORM_zirf:
		return insn->encoding->op == DPU_OP_sub ? DPU_OP_rsub : DPU_OP_rsubc;
	default:
		return insn->encoding->op;
	}
}

/* A word that is no instruction, or none whose effect is documented. */
static void set_trap(struct dpu_uop *u, enum dpu_fault_kind kind)
{
	*u = (struct dpu_uop){ .op = DPU_OP_COUNT, .cond = kind };
}

static void predecode(struct dpu *dpu, uint32_t index)
{
	struct dpu_uop *u = &dpu->code[index];
	struct dpu_insn insn;
	struct slots s;
	enum dpu_form form;
	bool has_condition;

	set_trap(u, index < dpu->arch->iram_words ? DPU_FAULT_ILLEGAL : DPU_FAULT_PC);
	if (index >= dpu->arch->iram_words || !dpu->iram[index] ||
	    !dpu_decode(dpu->iram[index], &insn))
		return;
	form = insn.encoding->form;
	s = slots_of(&insn);
	u->op = insn.encoding->op;
	u->cond = dpu_insn_cond(&insn, &has_condition);
	if (s.odd_pair || !condition_documented(&insn, u->cond)) {
		set_trap(u, DPU_FAULT_UNDEFINED);
		return;
	}
	set_operands(u, &insn, &s);
	u->op = predecode_reversed(&insn);
	if (insn.encoding->ext == DPU_EXT_s)
		u->flags |= DPU_UOP_SIGNED;
	if (insn.encoding->ext == DPU_EXT_u)
		u->flags |= DPU_UOP_UNSIGNED;
	if (s.has[DPU_SLOT_PC])
		u->flags |= DPU_UOP_BRANCH;
	else if (has_condition)
		u->flags |= DPU_UOP_SET;
	if (form == DPU_FORM_esii || form == DPU_FORM_esir || form == DPU_FORM_ersi ||
	    form == DPU_FORM_ssi || form == DPU_FORM_sss)
		u->flags |= DPU_UOP_SAFE;
	if (!is_store(u->op))
		u->aux = truth_table(u->cond);
	if (u->op == DPU_OP_ldmai || u->op == DPU_OP_clr_run)
		dpu->lockstep = true;
}

static void prepare(struct dpu *dpu, uint32_t index)
{
	dpu_fast_prepare(&dpu->code[index]);
	dpu_profile_prepare(dpu, index);
}

void dpu_fetch(struct dpu *dpu, uint32_t first, uint32_t count)
{
	dpu_blocks_leave(dpu);
	for (uint32_t i = first; i < first + count; i++) {
		predecode(dpu, i);
		prepare(dpu, i);
	}
	set_trap(&dpu->code[DPU_IRAM_WORDS], DPU_FAULT_PC);
	prepare(dpu, DPU_IRAM_WORDS);
}
