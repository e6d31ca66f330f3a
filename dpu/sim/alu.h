/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arithmetic unit: alu.def as functions, conditions, and where results go. */
#ifndef MON_MODELS_UPMEM_ALU_H
#define MON_MODELS_UPMEM_ALU_H

#include "dpu/sim/dpu-internal.h"

#define DPU_ONES 0xffffffffu

/* What the formulas of alu.def use; also part of the text of compiled programs (translate.c). */
#define DPU_ALU_HELPERS \
	static inline uint32_t dpu_rotate(uint32_t a, uint32_t n) \
	{ \
		return a << (n & 31) | a >> (-n & 31); \
	} \
	static inline uint32_t dpu_leading_signs(uint32_t a) \
	{ \
		uint32_t v = a ^ (uint32_t)((int32_t)a >> 31); \
\
		return v ? (uint32_t)__builtin_clz(v) : 32; \
	} \
	static inline uint32_t dpu_equal_bytes(uint32_t a, uint32_t b) \
	{ \
		uint32_t x = 0; \
\
		for (int i = 0; i < 32; i += 8) \
			x |= (uint32_t)((a >> i & 0xff) == (b >> i & 0xff)) << i; \
		return x; \
	}

DPU_ALU_HELPERS

struct dpu_sum {
	uint32_t x;
	uint32_t carry;		/* 0 or 1 */
	uint32_t overflow;	/* in bit 31 */
	uint32_t carries;	/* into each bit */
};

static inline struct dpu_sum dpu_add(uint32_t left, uint32_t right, uint32_t carry)
{
	uint64_t wide = (uint64_t)left + right + carry;
	uint32_t x = wide;

	return (struct dpu_sum){ x, wide >> 32, ~(left ^ right) & (left ^ x), left ^ right ^ x };
}

#define DPU_SUM(name, left, right, carry) \
	static inline struct dpu_sum dpu_##name##_of(uint32_t a, uint32_t b, uint32_t cf) \
	{ \
		(void)cf; \
		return dpu_add(left, right, carry); \
	}
#define DPU_LOGIC(name, value) \
	static inline uint32_t dpu_##name##_of(uint32_t a, uint32_t b) \
	{ \
		(void)b; \
		return value; \
	}
#define DPU_SHIFT_ADD(name, shifted, value) \
	static inline uint32_t dpu_##name##_shifted(uint32_t a, uint32_t n) \
	{ \
		return shifted; \
	} \
	static inline uint32_t dpu_##name##_of(uint32_t b, uint32_t s) \
	{ \
		return value; \
	}
#include "dpu/sim/alu.def"

/* The combination of z, n, C, V and the old ZF, one of 32: a bit of the truth table. */
static inline uint32_t dpu_flags(uint32_t x, uint32_t carry, uint32_t overflow, uint32_t old)
{
	return (x == 0) | x >> 31 << 1 | carry << 2 | overflow >> 31 << 3 | (uint32_t)(old == 0) << 4;
}

/* True if an instruction's condition holds. a and b are its operands, old the result before it. */
static inline bool dpu_condition(const struct dpu_uop *u, const struct dpu_sum *sum, uint32_t a,
				 uint32_t b, uint32_t old)
{
	const uint32_t x = sum->x;

	switch (u->cond) {
#define DPU_VALUE_COND(name, value) \
	case DPU_COND_##name: \
		return value;
#include "dpu/sim/cond.def"
	case DPU_COND_NC5 ... DPU_COND_NC14:
		return !(sum->carries >> (u->cond - DPU_COND_NC5 + 5) & 1);
	default:
		return u->aux >> dpu_flags(x, sum->carry, sum->overflow, old) & 1;
	}
}

/*
 * A pair has its upper half in the even register, whose number it has, and its lower half in the
 * next one.
 */
static inline uint64_t dpu_pair(const struct dpu_thread *t, unsigned int reg)
{
	return (uint64_t)t->r[reg] << 32 | t->r[reg + 1];
}

static inline void dpu_set_pair(struct dpu_thread *t, unsigned int reg, uint64_t value)
{
	t->r[reg] = value >> 32;
	t->r[reg + 1] = value;
}

/* The destination: a register, a pair with the extension that the instruction says, or the condition. */
static inline void dpu_write_back(struct dpu_thread *t, const struct dpu_uop *u, uint32_t x, bool holds)
{
	if (u->flags & DPU_UOP_SET)
		x = holds;
	if (u->flags & DPU_UOP_SIGNED && !(u->flags & DPU_UOP_SET))
		dpu_set_pair(t, u->rc, (uint64_t)(int64_t)(int32_t)x);
	else if (u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED))
		dpu_set_pair(t, u->rc, x);
	else
		t->r[u->rc] = x;
}

/*
 * One bit of a multiplication: the even half shifts out, the odd half adds up. True if the branch
 * is taken.
 */
static inline bool dpu_mul_step(struct dpu_thread *t, const struct dpu_uop *u)
{
	uint32_t a = t->r[u->ra], low = t->r[u->rb + 1], high = t->r[u->rb];
	const struct dpu_sum sum = { .x = high >> 1 };
	bool holds;

	if (high & 1)
		t->r[u->rc + 1] = low + (a << u->imm);
	t->r[u->rc] = sum.x;
	holds = dpu_condition(u, &sum, a, low, t->result);
	t->result = sum.x;
	return holds;
}

/* One bit of a division: the odd half is the remainder, the even half the quotient. */
static inline bool dpu_div_step(struct dpu_thread *t, const struct dpu_uop *u)
{
	uint32_t a = t->r[u->ra], low = t->r[u->rb + 1], high = t->r[u->rb];
	const struct dpu_sum sum = { .x = a << u->imm };

	if (low >= sum.x) {
		t->r[u->rc] = high << 1 | 1;
		t->r[u->rc + 1] = low - sum.x;
	} else {
		t->r[u->rc] = high << 1;
	}
	return dpu_condition(u, &sum, a, low, t->result);
}

/*
 * alu.c: an instruction of the lists SUM, LOGIC and SHIFT_ADD in any form. True if its branch is
 * taken.
 */
bool dpu_alu(struct dpu_thread *t, const struct dpu_uop *u);

#endif
