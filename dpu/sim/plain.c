// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The plain interpreter: any instruction, one of one tasklet at a time.
 *
 * It executes what the fast interpreter (fast.c) leaves to it, and all instructions if tasklets
 * must be executed strictly turn by turn. It is the reference for the fast one.
 */
#include <string.h>

#include "dpu/sim/alu.h"

/* An instruction in its turn; index is its place in IRAM. */
struct step {
	struct dpu *dpu;
	struct dpu_thread *t;
	const struct dpu_uop *u;
	unsigned int thread, index;
};

static void step_fault(const struct step *s, enum dpu_fault_kind kind, uint32_t code)
{
	if (s->dpu->check && kind == DPU_FAULT_MEMORY)
		dpu_check_fault(s->dpu, s->thread, s->index, code);
	dpu_raise(s->dpu, kind, s->thread, s->index, code);
	s->t->at = s->u;
}

/* Registers are about to be written, not by a load. */
static void result(const struct step *s)
{
	if (s->dpu->check)
		dpu_check_result(s->dpu, s->thread, s->u);
}

static void branch(const struct step *s, bool taken)
{
	s->t->at = taken ? &s->dpu->code[s->u->pc] : s->u + 1;
}

static void step_load(const struct step *s)
{
	uint32_t address;

	if (!dpu_access_address(s->dpu, s->u, s->t->r[s->u->ra], s->u->imm, &address)) {
		step_fault(s, DPU_FAULT_MEMORY, address);
		return;
	}
	if (s->dpu->check)
		dpu_check_load(s->dpu, s->thread, s->index, address, dpu_access_size(s->u->op));
	dpu_ahead_touch(s->dpu, s->t, address, 1, false);
	dpu_load_full(s->dpu, s->u, s->t->r, address);
	s->t->at++;
}

static void step_store(const struct step *s)
{
	uint32_t address;

	if (!dpu_access_address(s->dpu, s->u, s->t->r[s->u->ra], s->u->aux, &address)) {
		step_fault(s, DPU_FAULT_MEMORY, address);
		return;
	}
	if (s->dpu->check)
		dpu_check_store(s->dpu, s->thread, s->index, address, dpu_access_size(s->u->op));
	dpu_ahead_touch(s->dpu, s->t, address, 1, true);
	dpu_store_full(s->dpu, s->u, s->t->r, address);
	s->t->at++;
}

/*
 * Stack arithmetic: the upper half is the limit, the lower half must not overflow. The effect of a
 * second safe register's limit is not documented.
 */
static void safe_add(const struct step *s)
{
	struct dpu_thread *t = s->t;
	uint32_t a = t->r[s->u->ra], b = t->r[s->u->rb], x;

	if (b >> 16) {
		step_fault(s, DPU_FAULT_UNDEFINED, b);
		return;
	}
	b += s->u->imm;
	x = s->u->op == DPU_OP_add ? (a & 0xffff) + b : (a & 0xffff) - b;
	if (x > 0xffff) {
		step_fault(s, DPU_FAULT_MEMORY, x);
		return;
	}
	t->result = (a & 0xffff0000) | x;
	t->r[s->u->rc] = t->result;
	t->at++;
}

/* The condition is about the bit's old value. */
static void branch_on_bit(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t old)
{
	const struct dpu_sum sum = { .x = old };
	bool holds = dpu_condition(u, &sum, t->r[u->ra], 0, t->result);

	t->result = old;
	t->at = holds ? &dpu->code[u->pc] : u + 1;
}

void dpu_atomic_bit(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	struct dpu_thread *t = &dpu->threads[thread];
	uint32_t index = dpu_bit_index(t, u), old = dpu->atomics[index];

	dpu->atomics[index] = u->op == DPU_OP_acquire;
	if (dpu->check && !(old && dpu->waiting >> thread & 1))
		dpu_check_bit(dpu, thread, index, old);
	branch_on_bit(dpu, t, u, old);
}

/* boot, resume, clr_run and read_run */
static void run_bit(const struct step *s)
{
	struct dpu *dpu = s->dpu;
	uint32_t index = dpu_bit_index(s->t, s->u), old, new;

	if (index >= DPU_RUN_BITS) {
		step_fault(s, DPU_FAULT_UNDEFINED, index);
		return;
	}
	old = dpu->run_bits[index];
	new = s->u->op == DPU_OP_read_run ? old : s->u->op != DPU_OP_clr_run;
	branch_on_bit(dpu, s->t, s->u, old);
	dpu->run_bits[index] = new;
	if (index >= dpu->arch->threads)
		return;
	if (dpu->check && !old && !new)
		dpu_check_saw_stopped(dpu, s->thread, index);
	if (old == new)
		return;
	if (!new) {
		if (dpu->check)
			dpu_check_stop(dpu, index);
		dpu_thread_stop(dpu, index);
		return;
	}
	if (dpu->check)
		dpu_check_start(dpu, s->thread, index);
	if (s->u->op == DPU_OP_boot)
		dpu->threads[index].at = dpu->code;
	dpu_thread_start(dpu, index, dpu->cycle + dpu->timing.dispatch_interval);
}

static void step_stop(const struct step *s)
{
	const struct dpu_sum sum = { 0 };

	branch(s, dpu_condition(s->u, &sum, s->t->r[s->u->ra], 0, s->t->result));
	if (s->dpu->check)
		dpu_check_stop(s->dpu, s->thread);
	s->dpu->run_bits[s->thread] = 0;
	dpu_thread_stop(s->dpu, s->thread);
}

static void step_time_read(const struct step *s)
{
	uint32_t x = dpu_timer_read(s->dpu);

	result(s);
	if (s->u->op == DPU_OP_time_cfg && !dpu_timer_config(s->dpu, s->t->r[s->u->rb])) {
		step_fault(s, DPU_FAULT_UNDEFINED, s->t->r[s->u->rb]);
		return;
	}
	dpu_write_back(s->t, s->u, x, true);
	branch(s, s->u->flags & DPU_UOP_BRANCH);
}

static void step_call(const struct step *s)
{
	uint32_t target = (s->t->r[s->u->ra] + s->t->r[s->u->rb] + s->u->imm) & 0xffff;

	result(s);
	if (s->dpu->check)
		dpu_check_call(s->dpu, s->thread, target,
			       s->u->rc == DPU_REG_SINK ? s->t->r[DPU_REG_RETURN] : s->index + 1);
	s->t->r[s->u->rc] = s->index + 1;
	s->t->at = &s->dpu->code[target < DPU_IRAM_WORDS ? target : DPU_IRAM_WORDS];
}

static void move_pair(const struct step *s)
{
	uint64_t pair = dpu_pair(s->t, s->u->rb);

	result(s);
	dpu_set_pair(s->t, s->u->rc, s->u->op == DPU_OP_movd ? pair : pair << 32 | pair >> 32);
	branch(s, s->u->cond == DPU_COND_TRUE);
}

/* Every operation has its case: the compiler warns if one is missing. */
static void execute(const struct step *s)
{
	switch ((enum dpu_op)s->u->op) {
#define DPU_SUM(name, ...) case DPU_OP_##name:
#define DPU_LOGIC(name, ...) case DPU_OP_##name:
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		result(s);
		if (s->u->flags & DPU_UOP_SAFE)
			safe_add(s);
		else
			branch(s, dpu_alu(s->t, s->u));
		break;
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
		step_load(s);
		break;
#define DPU_STORE(name, ...) case DPU_OP_##name: case DPU_OP_##name##_id:
#include "dpu/sim/alu.def"
	case DPU_OP_sd:
	case DPU_OP_sd_id:
		step_store(s);
		break;
	case DPU_OP_ldma:
	case DPU_OP_ldmai:
	case DPU_OP_sdma:
		if (dpu_dma(s->dpu, s->thread, s->u->op, s->t->r[s->u->ra], s->t->r[s->u->rb],
			    s->u->imm))
			s->t->at++;
		break;
	case DPU_OP_acquire:
	case DPU_OP_release:
		dpu_atomic_bit(s->dpu, s->thread, s->u);
		break;
	case DPU_OP_boot:
	case DPU_OP_resume:
	case DPU_OP_clr_run:
	case DPU_OP_read_run:
		run_bit(s);
		break;
	case DPU_OP_stop:
		step_stop(s);
		break;
	case DPU_OP_time:
	case DPU_OP_time_cfg:
		step_time_read(s);
		break;
	case DPU_OP_call:
		step_call(s);
		break;
	case DPU_OP_movd:
	case DPU_OP_swapd:
		move_pair(s);
		break;
	case DPU_OP_mul_step:
		result(s);
		branch(s, dpu_mul_step(s->t, s->u));
		break;
	case DPU_OP_div_step:
		result(s);
		branch(s, dpu_div_step(s->t, s->u));
		break;
	case DPU_OP_fault:
		step_fault(s, DPU_FAULT_INSN, s->u->imm);
		break;
	case DPU_OP_hash:
	case DPU_OP_sats:	/* their functions are not documented */
		step_fault(s, DPU_FAULT_UNDEFINED, s->u->imm);
		break;
	case DPU_OP_nop:
	case DPU_OP_tell:
		s->t->at++;
		break;
	case DPU_OP_COUNT:	/* no instruction */
		step_fault(s, s->u->cond, s->u->cond == DPU_FAULT_PC ? s->index : s->u->imm);
		break;
	}
}

void dpu_plain_step(struct dpu *dpu, unsigned int thread)
{
	struct dpu_thread *t = &dpu->threads[thread];
	const struct step s = { dpu, t, t->at, thread, t->at - dpu->code };

	execute(&s);
}
