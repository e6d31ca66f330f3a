// SPDX-License-Identifier: GPL-2.0-only
/*
 * Constants: moves values from registers into operands.
 *
 * RISC-V's immediates have 12 bits, so clang puts numbers and addresses into registers. The DPU's
 * immediates have up to 32. This pass follows the values through the function and writes them into
 * the instructions that use them; the instructions that computed them become dead.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/insn.h"

enum kind { UNSEEN, KNOWN, UNKNOWN };

/* base + sym + imm, where base is none (0) or one of the DPU's constant registers, such as id8. */
struct value {
	enum kind kind;
	int32_t imm;
	const char *sym;
	uint8_t base;
};

struct state {
	struct value reg[REG_COUNT];
};

static bool constant_same(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && (a->kind != KNOWN ||
				      (a->imm == b->imm && a->base == b->base && (a->sym == b->sym ||
										  (a->sym && b->sym && !strcmp(a->sym, b->sym)))));
}

/* Merges from into into; true if that changed it. */
static bool merge(struct state *into, const struct state *from)
{
	bool changed = false;

	for (int r = 0; r < REG_COUNT; r++) {
		struct value *v = &into->reg[r];

		if (from->reg[r].kind == UNSEEN || v->kind == UNKNOWN ||
		    constant_same(v, &from->reg[r]))
			continue;
		if (v->kind == UNSEEN)
			*v = from->reg[r];
		else
			v->kind = UNKNOWN;
		changed = true;
	}
	return changed;
}

static struct value read_value(const struct state *s, uint8_t r)
{
	if (r < REG_COUNT && s->reg[r].kind == KNOWN)
		return s->reg[r];
	if (r >= REG_ZERO && r <= REG_ID8)
		return (struct value){ KNOWN, 0, NULL, r == REG_ZERO ? 0 : r };
	return (struct value){ UNKNOWN, 0, NULL, 0 };
}

/* A value that fits an immediate. */
static struct value read_register(const struct state *s, uint8_t r)
{
	struct value v = read_value(s, r);

	if (v.kind == KNOWN && v.base)
		v.kind = UNKNOWN;
	return v;
}

static struct value constant_second(const struct state *s, const struct cc_insn *i)
{
	if (i->rb != REG_NONE)
		return read_register(s, i->rb);
	return (struct value){ KNOWN, i->imm, i->sym, 0 };
}

static bool constant_compute(const struct cc_insn *i, uint32_t a, uint32_t b, uint32_t *x)
{
	unsigned int n = b & 31;

	switch (i->op) {
	case OP_ADD:
		*x = a + b;
		return true;
	case OP_SUB:
		*x = a - b;
		return true;
	case OP_RSUB:
		*x = b - a;
		return true;
	case OP_AND:
		*x = a & b;
		return true;
	case OP_OR:
		*x = a | b;
		return true;
	case OP_XOR:
		*x = a ^ b;
		return true;
	case OP_LSL:
		*x = a << n;
		return true;
	case OP_LSR:
		*x = a >> n;
		return true;
	case OP_ASR:
		*x = (uint32_t)((int32_t)a >> n);
		return true;
	default:
		return false;
	}
}

/* The value that the instruction writes, if known. */
static struct value constant_result(const struct state *s, const struct cc_insn *i)
{
	struct value v = { UNKNOWN, 0, NULL, 0 }, a, b;
	uint32_t x;

	if (i->op == OP_MOVE)
		return i->rb == REG_NONE ? constant_second(s, i) : read_value(s, i->rb);
	if (i->ra == REG_NONE)
		return v;
	a = read_value(s, i->ra);
	b = constant_second(s, i);
	if (a.kind != KNOWN || b.kind != KNOWN)
		return v;
	if (!a.sym && !a.base && !b.sym && constant_compute(i, a.imm, b.imm, &x))
		return (struct value){ KNOWN, (int32_t)x, NULL, 0 };
	if (i->op == OP_ADD && (!a.sym || !b.sym))
		return (struct value){ KNOWN, (int32_t)((uint32_t)a.imm + b.imm), a.sym ? a.sym : b.sym,
				       a.base };
	if (i->op == OP_SUB && !b.sym)
		return (struct value){ KNOWN, (int32_t)((uint32_t)a.imm - b.imm), a.sym, a.base };
	return v;
}

static void constant_step(struct state *s, const struct cc_insn *i)
{
	struct value v;
	uint32_t writes;

	if (i->dead || i->op <= OP_DIRECTIVE)
		return;
	v = constant_result(s, i);
	if (!cc_is_arithmetic(i))
		v.kind = UNKNOWN;
	writes = cc_writes(i);
	for (int r = 0; r < REG_COUNT; r++)
		if (writes >> r & 1)
			s->reg[r] = r == i->rd ? v : (struct value){ UNKNOWN, 0, NULL, 0 };
}

static void set_move(struct cc_insn *i, struct value v)
{
	i->op = v.base ? OP_ADD : OP_MOVE;
	i->ra = v.base ? v.base : REG_NONE;
	i->rb = REG_NONE;
	i->imm = v.imm;
	i->sym = v.sym;
}

static void set_immediate(struct cc_insn *i, struct value v)
{
	i->rb = REG_NONE;
	i->imm = v.imm;
	i->sym = v.sym;
}

static void set_copy(struct cc_insn *i, uint8_t from)
{
	i->op = OP_MOVE;
	i->ra = REG_NONE;
	i->rb = from;
	i->imm = 0;
	i->sym = NULL;
}

/* Commutative operations. */
static bool commutes(enum cc_op op)
{
	return op == OP_ADD || op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_NXOR ||
	       op == OP_MUL || op == OP_MULHU || op == OP_MULH;
}

static bool is_zero(const struct state *s, uint8_t r)
{
	struct value v = read_register(s, r);

	return v.kind == KNOWN && !v.imm && !v.sym;
}

static void fold_base(const struct state *s, struct cc_insn *i)
{
	struct value a = read_value(s, i->ra);
	int32_t offset = (int32_t)((uint32_t)i->imm + a.imm);

	if (a.kind != KNOWN || i->ra >= REG_ZERO || (a.sym && i->sym))
		return;
	/* the offset has 24 bits, and the second half of a long long is 4 bytes on */
	if (offset < -(1 << 23) || offset >= (1 << 23) - 4)
		return;
	/* the form that stores 0 has an offset too short for a symbol */
	if (a.sym && i->op >= OP_SB && (i->rb == REG_ZERO || is_zero(s, i->rb)))
		return;
	i->ra = a.base ? a.base : REG_ZERO;
	i->imm = offset;
	if (a.sym)
		i->sym = a.sym;
}

/* A jump has an immediate of 11 bits. A longer number stays in its register, which a loop loads once. */
static bool has_room(const struct cc_insn *i, const struct value *v)
{
	return i->op == OP_SET || (!v->sym && v->imm >= -1024 && v->imm < 1024);
}

static void fold_compare(const struct state *s, struct cc_insn *i)
{
	struct value a = read_register(s, i->ra), b = constant_second(s, i);

	if ((a.kind == KNOWN && b.kind != KNOWN && !has_room(i, &a)) ||
	    (i->rb != REG_NONE && b.kind == KNOWN && !has_room(i, &b)))
		return;
	if (a.kind == KNOWN && b.kind != KNOWN && i->op != OP_SELECT) {
		i->ra = i->rb;
		set_immediate(i, a);
		i->cond = cc_swap(i->cond);
	} else if (i->rb != REG_NONE && b.kind == KNOWN) {
		set_immediate(i, b);
	}
}

static bool power_of_two(int32_t n, uint8_t *shift)
{
	if (!n || (n & (n - 1)))
		return false;
	*shift = __builtin_ctz(n);
	return true;
}

static void fold_arithmetic(const struct state *s, struct cc_insn *i)
{
	struct value v = constant_result(s, i), a, b;
	uint8_t shift;

	/* The carry is also a result. */
	if (i->carries || i->op == OP_SETC) {
		b = constant_second(s, i);
		if (i->rb != REG_NONE && b.kind == KNOWN && !b.sym)
			set_immediate(i, b);
		return;
	}
	if (v.kind == KNOWN) {
		if (i->op != OP_MOVE || i->rb != REG_NONE)
			set_move(i, v);
		return;
	}
	if (i->op == OP_MOVE || i->ra == REG_NONE)
		return;
	if (i->op == OP_SET || i->op == OP_SELECT) {
		fold_compare(s, i);
		return;
	}
	a = read_register(s, i->ra);
	b = constant_second(s, i);
	if (a.kind == KNOWN && i->rb != REG_NONE && commutes(i->op)) {
		i->ra = i->rb;
		set_immediate(i, a);
		b = a;
	} else if (a.kind == KNOWN && i->op == OP_SUB && i->rb != REG_NONE && !a.sym) {
		i->op = OP_RSUB;
		i->ra = i->rb;
		set_immediate(i, a);
		return;
	} else if (i->op == OP_LSL_ADD && a.kind == KNOWN && !a.imm && !a.sym) {
		i->op = OP_LSL;
		i->ra = i->rb;
		i->rb = REG_NONE;
		i->imm = i->shift;
		return;
	} else if (i->rb != REG_NONE && b.kind == KNOWN && i->op != OP_LSL_ADD &&
		   i->op != OP_LSL_SUB && i->op != OP_MUL8 && i->op < OP_CTZ) {
		set_immediate(i, b);
	} else if (i->rb != REG_NONE && b.kind == KNOWN && i->op >= OP_MUL && i->op <= OP_REMU) {
		set_immediate(i, b);
	}
	if (i->rb != REG_NONE || i->op == OP_RSUB)
		return;
	if (i->op == OP_SUB && !i->sym) {
		i->op = OP_ADD;
		i->imm = (int32_t)-(uint32_t)i->imm;
	}
	if ((i->op == OP_ADD || i->op == OP_OR || i->op == OP_XOR || i->op == OP_LSL ||
	     i->op == OP_LSR || i->op == OP_ASR) && !i->imm && !i->sym)
		set_copy(i, i->ra);
	else if (i->op == OP_MUL && !i->sym && power_of_two(i->imm, &shift)) {
		i->op = OP_LSL;
		i->imm = shift;
	} else if (i->op == OP_AND && !i->sym && i->imm == 0xff)
		i->op = OP_EXTUB;
	else if (i->op == OP_AND && !i->sym && i->imm == 0xffff)
		i->op = OP_EXTUH;
}

static void constant_fold(const struct state *s, struct cc_insn *i)
{
	if (i->dead || i->op <= OP_DIRECTIVE || (cc_is_arithmetic(i) && i->target))
		return;
	if (i->op >= OP_LBU && i->op <= OP_SD) {
		fold_base(s, i);
		/* The offset uses the immediate, so only 0, which has a register, can be stored. */
		if (i->op >= OP_SB && is_zero(s, i->rb) && (i->op != OP_SD || is_zero(s, i->rc)))
			i->rb = i->rc = REG_ZERO;
	} else if (i->op == OP_BRANCH) {
		fold_compare(s, i);
	} else if (cc_is_arithmetic(i)) {
		fold_arithmetic(s, i);
	}
}

void cc_fold_constants(struct cc_translation *t)
{
	struct cc_function *f = &t->function;
	struct cc_flow flow;
	struct state *in;
	bool changed = true;

	cc_flow_make(t, &flow);
	in = calloc(flow.count + 1, sizeof(*in));
	if (!in)
		cc_fail(t, "out of memory");
	for (size_t b = 0; b < flow.count; b++)
		if (!b || flow.entered[b])
			for (int r = 0; r < REG_COUNT; r++)
				in[b].reg[r].kind = UNKNOWN;
	while (changed) {
		changed = false;
		for (size_t b = 0; b < flow.count; b++) {
			struct state s = in[b];

			if (s.reg[0].kind == UNSEEN)
				continue;
			for (size_t i = flow.start[b]; i < flow.start[b + 1]; i++)
				constant_step(&s, &f->insns[i]);
			for (int n = 0; n < 2; n++)
				if (flow.next[2 * b + n] != SIZE_MAX)
					changed |= merge(&in[flow.next[2 * b + n]], &s);
		}
	}
	for (size_t b = 0; b < flow.count; b++) {
		struct state s = in[b];

		for (size_t i = flow.start[b]; i < flow.start[b + 1]; i++) {
			struct cc_insn before = f->insns[i];

			constant_fold(&s, &f->insns[i]);
			constant_step(&s, &before);
		}
	}
	free(in);
	cc_flow_free(&flow);
}
