// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arithmetic in all its forms, one instruction at a time. */
#include "dpu/sim/alu.h"

/* The results of the operations of the list SUM; the others have a value only. */
static struct dpu_sum step_compute(const struct dpu_uop *u, uint32_t a, uint32_t b, uint32_t cf)
{
	struct dpu_sum sum = { .carry = cf };

	switch ((enum dpu_op)u->op) {
#define DPU_SUM(name, ...) \
	case DPU_OP_##name: \
		return dpu_##name##_of(a, b, cf);
#define DPU_LOGIC(name, ...) \
	case DPU_OP_##name: \
		sum.x = dpu_##name##_of(a, b); \
		return sum;
#include "dpu/sim/alu.def"
	default:
		return sum;
	}
}

static uint32_t shifted(const struct dpu_uop *u, uint32_t a)
{
	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, ...) \
	case DPU_OP_##name: \
		return dpu_##name##_shifted(a, u->imm);
#include "dpu/sim/alu.def"
	default:
		return 0;
	}
}

static bool shift_add(struct dpu_thread *t, const struct dpu_uop *u)
{
	uint32_t a = t->r[u->ra], b = t->r[u->rb], s = shifted(u, a);
	struct dpu_sum sum = { 0 };
	bool holds;

	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, ...) \
	case DPU_OP_##name: \
		sum.x = dpu_##name##_of(b, s); \
		break;
#include "dpu/sim/alu.def"
	default:
		break;
	}
	holds = dpu_condition(u, &sum, a, b, t->result);
	dpu_write_back(t, u, sum.x, holds);
	t->result = s;
	return holds;
}

bool dpu_alu(struct dpu_thread *t, const struct dpu_uop *u)
{
	uint32_t a = t->r[u->ra], b = t->r[u->rb] + u->imm;
	struct dpu_sum sum;
	bool holds;

	switch ((enum dpu_op)u->op) {
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		holds = shift_add(t, u);
		break;
	default:
		sum = step_compute(u, a, b, t->carry);
		/* The decision uses the old ZF; then the flags are written. */
		holds = dpu_condition(u, &sum, a, b, t->result);
		t->result = sum.x;
		t->carry = sum.carry;
		dpu_write_back(t, u, sum.x, holds);
		break;
	}
	return holds && u->flags & DPU_UOP_BRANCH;
}
