// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interpreter: predecoded instructions, threaded dispatch.
 *
 * Semantics: UPMEM SDK documentation and its runtime library, which the tests run.
 */
#include <string.h>

#include "upmem/dpu-internal.h"
#include "upmem/handler.h"

#define ONES 0xffffffffu
#define ROTATE(a, n) ((a) << ((n) & 31) | (a) >> (-(n) & 31))
#define SL(v) ((int32_t)(int8_t)(v))
#define SH(v) ((int32_t)(int8_t)((v) >> 8))
#define UL(v) ((int32_t)(uint8_t)(v))
#define UH(v) ((int32_t)(uint8_t)((v) >> 8))

static uint32_t leading_signs(uint32_t a)
{
	uint32_t v = a ^ (uint32_t)((int32_t)a >> 31);

	return v ? (uint32_t)__builtin_clz(v) : 32;
}

static uint32_t equal_bytes(uint32_t a, uint32_t b)
{
	uint32_t x = 0;

	for (int i = 0; i < 32; i += 8)
		x |= (uint32_t)((a >> i & 0xff) == (b >> i & 0xff)) << i;
	return x;
}

/* Which of the 32 combinations of z, n, C, V and the old ZF a condition holds for. */
static inline uint32_t flags_index(uint32_t x, uint32_t c, uint32_t v, uint32_t old)
{
	return (x == 0) | x >> 31 << 1 | c << 2 | v >> 31 << 3 | (uint32_t)(old == 0) << 4;
}

static bool condition(const struct dpu_uop *u, uint32_t x, uint32_t a, uint32_t b, uint32_t c,
		      uint32_t v, uint32_t old)
{
	switch (u->cond) {
	case DPU_COND_SZ:
		return a == 0;
	case DPU_COND_SNZ:
		return a != 0;
	case DPU_COND_SPL:
		return !(a >> 31);
	case DPU_COND_SMI:
		return a >> 31;
	case DPU_COND_E:
		return !(x & 1);
	case DPU_COND_O:
		return x & 1;
	case DPU_COND_SE:
		return !(a & 1);
	case DPU_COND_SO:
		return a & 1;
	case DPU_COND_NSH32:
		return !(b & 32);
	case DPU_COND_SH32:
		return b & 32;
	case DPU_COND_MAX:
		return x == 32;
	case DPU_COND_NMAX:
		return x != 32;
	case DPU_COND_SMALL:
		return x < 256;
	case DPU_COND_LARGE:
		return x >= 256;
	case DPU_COND_NC5 ... DPU_COND_NC14:
		/* no carry into the bit: bit N of a sum without carries is that of a ^ b */
		return !((a ^ b ^ x) >> (u->cond - DPU_COND_NC5 + 5) & 1);
	default:
		return u->aux >> flags_index(x, c, v, old) & 1;
	}
}

/* boot, resume, clr_run and read_run: the value that the bit had. */
static uint32_t run_bit(struct dpu *dpu, enum dpu_op op, uint32_t index)
{
	uint32_t old = dpu->run_bits[index];

	if (op == DPU_OP_read_run)
		return old;
	dpu->run_bits[index] = op != DPU_OP_clr_run;
	if (index >= dpu->arch->threads || old == (op != DPU_OP_clr_run))
		return old;
	if (op == DPU_OP_clr_run) {
		dpu_sched_stop(dpu, index);
		return old;
	}
	if (op == DPU_OP_boot)
		dpu->threads[index].pc = 0;
	dpu_sched_start(dpu, index, dpu->cycle + dpu->timing.dispatch_interval);
	return old;
}

static const void *const *labels_of_exec;

const void *const *dpu_exec_labels(void)
{
	if (!labels_of_exec)
		dpu_exec(NULL, 0, 0);
	return labels_of_exec;
}

/* An operand pair, the upper word in the even register. */
#define PAIR_HIGH(n) r[n]
#define PAIR_LOW(n) r[(n) + 1]

#define NEXT do { u++; if (!--left) goto out; goto *u->run; } while (0)
#define GO(target) do { \
		u = (target) < DPU_IRAM_WORDS ? code + (target) : code + DPU_IRAM_WORDS; \
		if (!--left) \
			goto out; \
		goto *u->run; \
	} while (0)
#define BRANCH(taken) do { \
		u = (taken) ? code + u->pc : u + 1; \
		if (!--left) \
			goto out; \
		goto *u->run; \
	} while (0)
/* Others can see this one: it waits for its turn. */
#define TURN do { if (left != budget) goto out; } while (0)
#define FAULT_AT(kind, value) do { \
		dpu_raise(dpu, kind, thread, u - code, value); \
		left--; \
		goto out; \
	} while (0)

unsigned int dpu_exec(struct dpu *dpu, unsigned int thread, unsigned int ahead)
{
	static const void *const labels[] = {
#define X(name, ...) &&L_##name##_plain, &&L_##name##_branch, &&L_##name##_full,
		DPU_ARITHMETIC(X)
		DPU_LOGIC(X)
#undef X
#define X(name, ...) &&L_##name,
		DPU_SHIFT_ADD(X)
		DPU_LOADS(X)
		DPU_STORES(X)
		DPU_OTHERS(X)
#undef X
	};
	const unsigned int budget = ahead + 1;
	struct dpu_thread *t;
	const struct dpu_uop *u, *code;
	unsigned int left = budget;
	uint32_t *r, a, b, c, v, x, z, cf, address;
	uint32_t wram_size;
	uint64_t wide;
	bool holds;

	if (!dpu) {
		labels_of_exec = labels;
		return 0;
	}
	t = &dpu->threads[thread];
	code = dpu->code;
	u = code + t->pc;
	r = t->r;
	z = t->result;
	cf = t->carry;
	wram_size = dpu->arch->wram_size;
	goto *u->run;

#define X(name, compute, overflow) \
L_##name##_plain: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	compute; \
	r[u->rc] = x; \
	z = x; \
	cf = c; \
	NEXT; \
L_##name##_branch: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	compute; \
	v = overflow; \
	v = flags_index(x, c, v, z); \
	r[u->rc] = x; \
	z = x; \
	cf = c; \
	BRANCH(u->aux >> v & 1); \
L_##name##_full: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	compute; \
	v = overflow; \
	goto full;
	DPU_ARITHMETIC(X)
#undef X

#define X(name, compute) \
L_##name##_plain: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	x = compute; \
	r[u->rc] = x; \
	z = x; \
	NEXT; \
L_##name##_branch: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	x = compute; \
	v = flags_index(x, 0, 0, z); \
	r[u->rc] = x; \
	z = x; \
	BRANCH(u->aux >> v & 1); \
L_##name##_full: \
	a = r[u->ra]; \
	b = r[u->rb] + u->imm; \
	x = compute; \
	c = cf; \
	v = 0; \
	goto full;
	DPU_LOGIC(X)
#undef X

full:
	/* The branch decision uses the old ZF; then the flags are written. */
	holds = condition(u, x, a, b, c, v, z);
	z = x;
	cf = c;
write_back:
	if (u->flags & DPU_UOP_SET)
		x = holds;
	if (u->flags & DPU_UOP_SIGNED) {
		PAIR_HIGH(u->rc) = u->flags & DPU_UOP_SET ? 0 : (uint32_t)((int32_t)x >> 31);
		PAIR_LOW(u->rc) = x;
	} else if (u->flags & DPU_UOP_UNSIGNED) {
		PAIR_HIGH(u->rc) = 0;
		PAIR_LOW(u->rc) = x;
	} else {
		r[u->rc] = x;
	}
	BRANCH(u->flags & DPU_UOP_BRANCH && holds);

#define X(name, shifted, sum) \
L_##name: { \
		uint32_t s; \
\
		a = r[u->ra]; \
		b = r[u->rb]; \
		s = shifted; \
		x = sum; \
		holds = condition(u, x, a, b, 0, 0, z); \
		z = s; \
		goto write_back; \
	}
	DPU_SHIFT_ADD(X)
#undef X

#define X(name, type) \
L_##name: { \
		type value; \
\
		TURN; \
		address = r[u->ra] + u->imm; \
		if (__builtin_expect(!dpu_wram_ok(wram_size, address, sizeof(type)), 0)) \
			FAULT_AT(DPU_FAULT_MEMORY, address); \
		memcpy(&value, dpu->wram + address, sizeof(type)); \
		r[u->rc] = (uint32_t)value; \
		NEXT; \
	}
	DPU_LOADS(X)
#undef X

#define X(name, type) \
L_##name: { \
		type value = r[u->rb] + u->imm; \
\
		TURN; \
		address = r[u->ra] + u->aux; \
		if (__builtin_expect(!dpu_wram_ok(wram_size, address, sizeof(type)), 0)) \
			FAULT_AT(DPU_FAULT_MEMORY, address); \
		memcpy(dpu->wram + address, &value, sizeof(type)); \
		NEXT; \
	}
	DPU_STORES(X)
#undef X

L_ld:
	TURN;
	address = r[u->ra] + u->imm;
	if (!dpu_wram_ok(wram_size, address, 8))
		FAULT_AT(DPU_FAULT_MEMORY, address);
	memcpy(&wide, dpu->wram + address, 8);
	PAIR_HIGH(u->rc) = wide >> 32;
	PAIR_LOW(u->rc) = wide;
	NEXT;
L_sd:
	TURN;
	address = r[u->ra] + u->aux;
	if (!dpu_wram_ok(wram_size, address, 8))
		FAULT_AT(DPU_FAULT_MEMORY, address);
	wide = (uint64_t)PAIR_HIGH(u->rb) << 32 | PAIR_LOW(u->rb);
	memcpy(dpu->wram + address, &wide, 8);
	NEXT;
L_load_full:
	TURN;
	if (!dpu_access_address(dpu, u, r[u->ra], u->imm, &address))
		FAULT_AT(DPU_FAULT_MEMORY, address);
	dpu_load_full(dpu, u, r, address);
	NEXT;
L_store_full:
	TURN;
	if (!dpu_access_address(dpu, u, r[u->ra], u->aux, &address))
		FAULT_AT(DPU_FAULT_MEMORY, address);
	dpu_store_full(dpu, u, r, address);
	NEXT;
L_dma:
	TURN;
	x = u - code;
	t->pc = x;
	left--;
	if (!dpu_dma(dpu, thread, u->op, r[u->ra], r[u->rb], u->imm))
		goto out;
	/* Loading code over this thread's next instructions has predecoded them again. */
	u++;
	goto out;

L_nop:
	NEXT;
L_call:
	x = u - code + 1;
	address = r[u->ra] + r[u->rb] + u->imm;
	r[u->rc] = x;
	GO(address & 0xffff);
L_movd:
	wide = (uint64_t)PAIR_HIGH(u->rb) << 32 | PAIR_LOW(u->rb);
	PAIR_HIGH(u->rc) = wide >> 32;
	PAIR_LOW(u->rc) = wide;
	BRANCH(u->cond == DPU_COND_TRUE);
L_swapd:
	wide = (uint64_t)PAIR_HIGH(u->rb) << 32 | PAIR_LOW(u->rb);
	PAIR_HIGH(u->rc) = wide;
	PAIR_LOW(u->rc) = wide >> 32;
	BRANCH(u->cond == DPU_COND_TRUE);
L_mul_step:
	/* One bit of a multiplication: the even half shifts out, the odd half adds up. */
	a = r[u->ra];
	b = PAIR_LOW(u->rb);
	c = PAIR_HIGH(u->rb);
	x = c >> 1;
	if (c & 1)
		PAIR_LOW(u->rc) = b + (a << u->imm);
	PAIR_HIGH(u->rc) = x;
	holds = condition(u, x, a, b, 0, 0, z);
	z = x;
	BRANCH(holds);
L_div_step:
	a = r[u->ra];
	b = PAIR_LOW(u->rb);
	c = PAIR_HIGH(u->rb);
	x = a << u->imm;
	holds = condition(u, x, a, b, 0, 0, z);
	if (b >= x) {
		PAIR_HIGH(u->rc) = c << 1 | 1;
		PAIR_LOW(u->rc) = b - x;
	} else {
		PAIR_HIGH(u->rc) = c << 1;
	}
	BRANCH(holds);

L_safe_add:
L_safe_sub:
	/*
	 * Stack arithmetic: the upper half is the limit, the lower half must not overflow. What the
	 * limit of a second safe register would do is not documented.
	 */
	TURN;
	a = r[u->ra];
	if (r[u->rb] >> 16)
		FAULT_AT(DPU_FAULT_UNDEFINED, r[u->rb]);
	b = r[u->rb] + u->imm;
	x = u->op == DPU_OP_add ? (a & 0xffff) + b : (a & 0xffff) - b;
	if (x > 0xffff)
		FAULT_AT(DPU_FAULT_MEMORY, x);
	r[u->rc] = (a & 0xffff0000) | x;
	z = r[u->rc];
	NEXT;

L_acquire:
L_release:
	TURN;
	a = r[u->ra];
	address = a + u->imm;
	address = (address >> 8 ^ address) & 0xff;
	x = dpu->atomics[address];
	dpu->atomics[address] = u->op == DPU_OP_acquire;
	holds = condition(u, x, a, 0, 0, 0, z);
	z = x;
	BRANCH(holds);
L_run_bit:
	TURN;
	a = r[u->ra];
	address = a + u->imm;
	address = (address >> 8 ^ address) & 0xff;
	if (address >= DPU_RUN_BITS)
		FAULT_AT(DPU_FAULT_UNDEFINED, address);
	x = run_bit(dpu, u->op, address);
	holds = condition(u, x, a, 0, 0, 0, z);
	z = x;
	u = holds ? code + u->pc : u + 1;
	left--;
	goto out;	/* the ring may have changed */
L_stop:
	TURN;
	holds = condition(u, 0, r[u->ra], 0, 0, 0, z);
	u = holds ? code + u->pc : u + 1;
	dpu->run_bits[thread] = 0;
	dpu_sched_stop(dpu, thread);
	left--;
	goto out;
L_time:
	TURN;
	x = dpu_timer_read(dpu);
	holds = true;
	goto write_back;
L_time_cfg:
	TURN;
	x = dpu_timer_read(dpu);
	if (!dpu_timer_config(dpu, r[u->rb]))
		FAULT_AT(DPU_FAULT_UNDEFINED, r[u->rb]);
	holds = true;
	goto write_back;

L_fault:
	TURN;
	FAULT_AT(DPU_FAULT_INSN, u->imm);
L_illegal:
	TURN;
	FAULT_AT(DPU_FAULT_ILLEGAL, 0);
L_undefined:
	TURN;
	FAULT_AT(DPU_FAULT_UNDEFINED, u->imm);
L_end:
	TURN;
	FAULT_AT(DPU_FAULT_PC, u - code);

out:
	t->pc = u - code;
	t->result = z;
	t->carry = cf;
	return budget - left - 1;
}
