// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads and stores, and the depth of stacks. */
#include <string.h>

#include "dpu/sim/check-internal.h"

#define NULL_REACH 64		/* bytes of what a NULL pointer should point to */

/*
 * Stacks grow up in code of UPMEM's compiler, down in that of dpu-cc: the register stays between
 * both ends.
 */
void dpu_check_stack(struct dpu *dpu, const struct access *now, bool by_stack)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding **overflow = &c->tasklets[now->thread].overflow, f;
	int32_t base = c->tasklets[now->thread].base, end = base + c->tasklets[now->thread].size;
	int32_t low = dpu->threads[now->thread].r[STACK_REGISTER], high = low, first = now->address;

	if (end == base || !c->tasklets[now->thread].has_stack)
		return;
	if (by_stack) {
		low = first < low ? first : low;
		high = first + (int32_t)now->size > high ? first + (int32_t)now->size : high;
	}
	if (low >= base && high <= end)
		return;
	f = dpu_check_finding(DPU_FINDING_STACK, now);
	f.address = base;
	f.room = end - base;
	f.size = f.room + (low < base ? base - low : high - end);
	/* once the register itself may be wrong, only its accesses tell the depth */
	if (*overflow && by_stack && f.size > (*overflow)->size)
		(*overflow)->size = f.size;
	else if (!*overflow && dpu_finding_add(&c->list, &f))
		*overflow = &c->list.findings[c->list.count - 1];
}

/* Of a kind that one place has once. */
static void found(struct dpu *dpu, enum dpu_finding_kind kind, const struct access *now)
{
	struct dpu_check *c = dpu->check;
	uint32_t *told = &c->told[dpu_check_place_of(c, now->thread, now->pc)], bit = UINT32_C(1) << kind;
	struct dpu_finding f;

	if (*told & bit || c->tasklets[now->thread].in.kind)
		return;
	*told |= bit;
	f = dpu_check_finding(kind, now);
	dpu_check_found(dpu, &f);
}

static void check_bounds(struct dpu *dpu, const struct access *now)
{
	struct dpu_finding f;

	if (!dpu_check_leaves(dpu, now, &f))
		return;
	if (f.object.kind == DPU_PLACE_STACK && f.kind == DPU_FINDING_BOUNDS && f.object.thread == now->thread)
		dpu_check_stack(dpu, now, true);
	else
		dpu_check_found(dpu, &f);
}

void dpu_check_fault(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address)
{
	struct dpu_check *c = dpu->check;
	const struct access now = { .pc = pc, .thread = thread, .address = address, .size = 1 };

	if ((c->origin[thread][dpu->code[pc].ra] & ~CHECK_EXACT) == c->stack[thread])
		dpu_check_stack(dpu, &now, true);
}

/* Pointers to no object at all. */
static void check_pointer(struct dpu *dpu, const struct access *now)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[now->pc];
	const uint32_t *r = dpu->threads[now->thread].r;

	if ((u->ra >= DPU_REG_ZERO || !r[u->ra]) && c->has_references && !c->reference[now->pc] &&
	    now->address < NULL_REACH)
		found(dpu, DPU_FINDING_NULL, now);
	if (c->grows_down && c->tasklets[now->thread].has_stack && u->ra != STACK_REGISTER &&
	    now->address - c->tasklets[now->thread].base < c->tasklets[now->thread].size &&
	    now->address + now->size <= r[STACK_REGISTER])
		found(dpu, DPU_FINDING_RETURNED, now);
}

/* The states of all its bytes. */
static unsigned int states_of(const struct dpu_check *c, const struct access *now)
{
	unsigned int all = 0;

	for (uint32_t i = 0; i < now->size; i++)
		all |= c->state[now->address + i];
	return all;
}

/* A page of seqread has more than the program needs: what it loads of it, it reads in MRAM. */
static void touch_page(struct dpu *dpu, const struct access *now)
{
	uint32_t granule = dpu->check->page[now->address / 8] - 1;
	struct access read = *now;

	read.address = DPU_MRAM_FLAG | (granule * 8 + now->address % 8);
	dpu_check_touch(dpu, &dpu->check->mram[granule], 1, &read);
}

void dpu_check_load(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size)
{
	struct dpu_check *c = dpu->check;
	const struct access now = { .pc = pc, .thread = thread, .address = address, .size = size };
	unsigned int states = states_of(c, &now);

	dpu_check_stack(dpu, &now, dpu->code[pc].ra == STACK_REGISTER);
	c->tasklets[thread].has_stack |= address == c->stack_table + 8 * thread;
	if (states & GIVEN_BACK)
		found(dpu, DPU_FINDING_GIVEN_BACK, &now);
	check_bounds(dpu, &now);
	check_pointer(dpu, &now);
	if (!c->copies[pc] && !(states & (WRITTEN | GIVEN_BACK)))
		found(dpu, c->state[address] == UNWRITTEN ? DPU_FINDING_UNWRITTEN : DPU_FINDING_UNWRITTEN_MRAM, &now);
	if (c->page[address / 8])
		touch_page(dpu, &now);
	if (c->waits[pc])
		dpu_check_awaited(dpu, &now);
	else
		dpu_check_touch(dpu, &c->wram[address], size, &now);
}

void dpu_check_store(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size)
{
	struct dpu_check *c = dpu->check;
	const struct access now = { .pc = pc, .thread = thread, .address = address, .size = size, .write = true };

	dpu_check_stack(dpu, &now, dpu->code[pc].ra == STACK_REGISTER);
	if (states_of(c, &now) & GIVEN_BACK)
		found(dpu, DPU_FINDING_GIVEN_BACK, &now);
	check_bounds(dpu, &now);
	check_pointer(dpu, &now);
	memset(&c->state[address], WRITTEN, size);
	c->page[address / 8] = 0;
	dpu_check_touch(dpu, &c->wram[address], size, &now);
}
