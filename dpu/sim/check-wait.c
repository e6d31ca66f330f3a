// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tasklets that wait for each other for ever, and those that have not ended at the end of a run. */
#include "dpu/sim/alu.h"
#include "dpu/sim/check-internal.h"

/* Does a tasklet repeat one instruction until another one releases a bit? */
static bool waits_for(const struct dpu *dpu, unsigned int thread, unsigned int *bit)
{
	const struct dpu_thread *t = &dpu->threads[thread];
	const struct dpu_sum set = { .x = 1 };

	*bit = t->at->op == DPU_OP_acquire ? dpu_bit_index(t, t->at) : 0;
	return t->at->op == DPU_OP_acquire && &dpu->code[t->at->pc] == t->at && dpu->atomics[*bit] &&
	       dpu_condition(t->at, &set, t->r[t->at->ra], 0, t->result);
}

/* One finding for the tasklets that wait at the same place for the same mutex as this one. */
static void wait_found(struct dpu *dpu, unsigned int thread, bool running)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = { .kind = DPU_FINDING_MUTEX_WAIT, .thread = thread, .running = running };
	unsigned int bit, other;

	waits_for(dpu, thread, &bit);
	f.pc = dpu->threads[thread].at - dpu->code;
	f.other = c->holder[bit] - 1;
	f.other_pc = c->taken[bit];
	f.address = DPU_ELF_ATOMIC + bit;
	for (unsigned int t = 0; t < dpu->arch->threads; t++)
		if (dpu->threads[t].at == dpu->threads[thread].at && waits_for(dpu, t, &other) && other == bit)
			f.size |= UINT32_C(1) << t;
	if (c->is_mutex[bit] && c->holder[bit])
		dpu_finding_add(&c->list, &f);
}

static void look(struct dpu *dpu, unsigned int thread)
{
	struct dpu_check *c = dpu->check;
	unsigned int bit, next = thread, steps = 0, t;

	if (waits_for(dpu, thread, &bit) && c->holder[bit] && dpu->run_bits[c->holder[bit] - 1] &&
	    !waits_for(dpu, c->holder[bit] - 1, &bit))
		return;
	/* from a mutex to the tasklet that has it, until that is the first one again */
	while (steps++ < DPU_MAX_THREADS && waits_for(dpu, next, &bit) && c->is_mutex[bit] && c->holder[bit]) {
		next = c->holder[bit] - 1;
		if (next != thread)
			continue;
		do {
			wait_found(dpu, next, false);
			waits_for(dpu, next, &bit);
			next = c->holder[bit] - 1;
		} while (next != thread);
		break;
	}
	for (t = 0; t < dpu->arch->threads && (!dpu->run_bits[t] || waits_for(dpu, t, &bit)); t++)
		;
	/* all wait: the program has ended */
	for (unsigned int i = 0; t == dpu->arch->threads && i < t; i++) {
		dpu->run_bits[i] = 0;
		dpu_thread_stop(dpu, i);
	}
}

void dpu_check_bit(struct dpu *dpu, unsigned int thread, unsigned int bit, bool old)
{
	dpu->waiting &= ~(UINT32_C(1) << thread);
	if (dpu->threads[thread].at->op == DPU_OP_release) {
		dpu_check_release(dpu, thread, bit);
	} else if (!old) {
		dpu_check_acquire(dpu, thread, bit);
	} else {
		dpu->waiting |= UINT32_C(1) << thread;
		look(dpu, thread);
	}
}

/* The other tasklets like this one: at the same place, and if they have stopped, for the same. */
static uint32_t alike(const struct dpu *dpu, unsigned int thread, bool runs)
{
	const struct dpu_thread *t = &dpu->threads[thread];
	uint32_t all = 0;

	for (unsigned int o = thread; o < dpu->arch->threads; o++) {
		const struct dpu_thread *other = &dpu->threads[o];

		if (dpu->check->tasklets[o].has_stack && other->at == t->at && dpu->run_bits[o] == runs &&
		    (runs || (other->r[0] == t->r[0] && other->r[DPU_REG_RETURN] == t->r[DPU_REG_RETURN])))
			all |= UINT32_C(1) << o;
	}
	return all;
}

void dpu_check_end(struct dpu *dpu)
{
	struct dpu_check *c = dpu->check;
	bool running = dpu->state == DPU_RUNNING;
	uint32_t done = 0;

	for (unsigned int t = 0, bit; t < dpu->arch->threads; t++)
		if (c->tasklets[t].has_stack && waits_for(dpu, t, &bit))
			wait_found(dpu, t, running);
	for (unsigned int t = 0, bit; c->end && t < dpu->arch->threads; t++) {
		const struct dpu_thread *at = &dpu->threads[t];
		bool mutex = at->at->op == DPU_OP_acquire &&
			     (!dpu->run_bits[t] || (waits_for(dpu, t, &bit) && c->is_mutex[bit] && c->holder[bit]));
		struct dpu_finding f = {
			.kind = dpu->run_bits[t] ? DPU_FINDING_RUNNING : DPU_FINDING_DEADLOCK, .thread = t, .running = running,
			.pc = at->at - dpu->code, .address = at->r[0], .other_pc = at->r[DPU_REG_RETURN] - 1
		};

		if (f.pc != c->end && !mutex)
			f.size = alike(dpu, t, dpu->run_bits[t]);
		if (f.size & ~done)
			dpu_finding_add(&c->list, &f);
		done |= f.size;
	}
}
