// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The objects that pointers belong to: variables, and blocks of the heap.
 *
 * A register belongs to an object if its value came from the object's address: as a constant, or from an allocation,
 * and then by sums with numbers. Words in WRAM keep it. An instruction that has accessed an object, and later leaves it
 * with a pointer that belongs to it, is an error. A number that equals an address by chance does no harm, because the
 * instruction has to access the object first.
 */
#include <string.h>

#include "dpu/sim/check-internal.h"

/* The variable that an address is in, as number of its object; 0 is none. */
static uint16_t variable_at(const struct dpu_check *c, uint32_t address)
{
	return address < DPU_WRAM_SIZE ? c->variables[address] : 0;
}

static uint16_t add_object(struct dpu_check *c, uint32_t start, uint32_t size)
{
	if (c->objects + 1 == CHECK_OBJECTS || start >= DPU_WRAM_SIZE)
		return 0;
	c->object[++c->objects] = (struct check_object){ start, size, false };
	return c->objects;
}

void dpu_check_objects(struct dpu_check *c, const struct dpu_program *program)
{
	c->objects = 0;
	memset(c->variables, 0, sizeof(c->variables));
	memset(c->origin, 0, sizeof(c->origin));
	memset(c->stored, 0, sizeof(c->stored));
	memset(c->reached, 0, sizeof(c->reached));
	memset(c->locals, 0, sizeof(c->locals));
	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];
		uint16_t object;

		if (s->value >= DPU_WRAM_SIZE || s->absolute || s->function || !s->size || strstr(s->name, "stack") ||
		    s->value + s->size > DPU_WRAM_SIZE)
			continue;
		object = add_object(c, s->value, s->size);
		/* the largest one */
		for (uint32_t at = s->value; at < s->value + s->size; at++)
			if (c->object[c->variables[at]].size < s->size)
				c->variables[at] = object;
	}
}

void dpu_check_block(struct dpu_check *c, unsigned int thread, uint32_t start, uint32_t size)
{
	c->origin[thread][0] = add_object(c, start, size);
}

void dpu_check_no_blocks(struct dpu_check *c, uint32_t first, uint32_t size)
{
	for (unsigned int i = 1; i <= c->objects; i++)
		if (c->object[i].start - first < size)
			c->object[i].size = 0;
}

/* The distance from the stack pointer that a sum, a load or a store has. */
static bool stack_distance(const struct dpu_uop *u, int32_t *distance)
{
	*distance = u->imm;
	switch (u->op) {
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
		return u->ra == STACK_REGISTER;
#define DPU_STORE(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_sd:
		*distance = u->aux;
		return u->ra == STACK_REGISTER;
	case DPU_OP_add:
	case DPU_OP_or:		/* 0 */
		return u->ra == STACK_REGISTER && u->rb == DPU_REG_ZERO && u->rc != STACK_REGISTER;
	default:
		return false;
	}
}

/* Arrays of variable length move the stack pointer in a function's body. */
static bool moves_stack(const struct dpu_uop *u)
{
	return dpu_is_arithmetic(u->op) && u->rc == STACK_REGISTER &&
	       (u->op != DPU_OP_add || u->ra != STACK_REGISTER || u->rb != DPU_REG_ZERO);
}

void dpu_check_local(void *opaque, uint32_t first, uint32_t end, int32_t distance, uint32_t size)
{
	struct dpu *dpu = opaque;
	struct dpu_check *c = dpu->check;
	int32_t at;

	first = (first & ~DPU_IRAM_FLAG) / 8;
	end = (end & ~DPU_IRAM_FLAG) / 8;
	if (!c || !c->grows_down || end > DPU_IRAM_WORDS)
		return;
	for (uint32_t pc = first; pc < end; pc++)
		if (moves_stack(&dpu->code[pc]))
			return;
	for (uint32_t pc = first; pc < end; pc++) {
		if (!stack_distance(&dpu->code[pc], &at) || at < distance || at - distance >= (int64_t)size)
			continue;
		/* of those that share a place, the largest one */
		if (size > c->locals[pc].size) {
			c->locals[pc].distance = distance;
			c->locals[pc].size = size;
		}
	}
}

static uint16_t local_of(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	struct dpu_check *c = dpu->check;
	unsigned int pc = u - dpu->code;
	uint32_t size = c->locals[pc].size, start = dpu->threads[thread].r[STACK_REGISTER] + c->locals[pc].distance;
	uint16_t number;

	if (!size || start >= DPU_WRAM_SIZE)
		return 0;
	number = c->variables[start];
	if (!number) {
		number = c->variables[start] = add_object(c, start, size);
		c->object[number].local = number;
	}
	if (!c->object[number].local)
		return 0;
	c->object[number].size = size;
	return number;
}

/* What a result belongs to: to that of the only operand that belongs to anything. */
static uint16_t origin_of(const struct dpu_check *c, const uint16_t *origin, const struct dpu_uop *u)
{
	uint16_t a = origin[u->ra], b = origin[u->rb], both = a && b ? 0 : a | b;
	bool with_number = u->rb == DPU_REG_ZERO;

	switch (u->op) {
	case DPU_OP_add:
	case DPU_OP_or:
		if (with_number && !a && u->rc != u->ra)
			return variable_at(c, u->imm);
		return both;
	case DPU_OP_sub:
		return b ? 0 : a;
	case DPU_OP_and:
	case DPU_OP_andn:	/* alignment */
		return with_number ? a : 0;
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		return b;
	default:
		return 0;
	}
}

void dpu_check_result(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	struct dpu_check *c = dpu->check;
	uint16_t *origin = c->origin[thread];
	bool pair = u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED);
	uint16_t local;

	switch (u->op) {
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
		return;		/* dpu_check_leaves() */
	case DPU_OP_movd:
		memmove(&origin[u->rc], &origin[u->rb], 2 * sizeof(origin[0]));
		return;
	default:
		if (u->rc >= DPU_REG_ZERO)
			return;
		local = local_of(dpu, thread, u);
		origin[u->rc] = pair ? 0 : local ? local : origin_of(c, origin, u);
		if (pair)
			origin[u->rc + 1] = 0;
	}
}

/* Loads and stores of words move what they belong to; a pair's high word is in the even register. */
static void move_origin(struct dpu_check *c, const struct dpu_finding *now, const struct dpu_uop *u)
{
	uint16_t *origin = c->origin[now->thread], *words = &c->stored[now->address / 4];
	unsigned int reg = now->write ? u->rb : u->rc;

	for (uint32_t i = 0; i < (now->size + 3) / 4; i++) {
		uint16_t *in = &origin[reg + (now->size == 8 && !i)];

		if (now->write)
			words[i] = now->size >= 4 && reg < DPU_REG_ZERO && !(u->flags & DPU_UOP_IMM) ? *in : 0;
		else if (reg < DPU_REG_ZERO)
			*in = now->size >= 4 ? words[i] : 0;
	}
	if (!now->write && reg < DPU_REG_ZERO && u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED))
		origin[reg] = origin[reg + 1] = 0;
}

static bool is_outside(const struct check_object *o, const struct dpu_finding *now)
{
	return o->size && (now->address < o->start || now->address + now->size > o->start + o->size);
}

static bool leaves(const struct dpu_check *c, uint16_t number, struct dpu_finding *now)
{
	const struct check_object *o = &c->object[number];

	now->kind = DPU_FINDING_BOUNDS;
	now->object = o->start;
	now->room = o->size;
	now->local = o->local;
	return is_outside(o, now);
}

/* An address is a register and a constant; each of the two may belong to an object, or be a small number. */
bool dpu_check_leaves(struct dpu *dpu, struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[now->pc];
	const uint16_t *reached = &c->reached[now->pc];
	uint16_t numbers[] = { c->origin[now->thread][u->ra], variable_at(c, now->write ? u->aux : u->imm) };
	bool outside = false;

	if (u->ra == STACK_REGISTER)
		numbers[1] = local_of(dpu, now->thread, u);

	move_origin(c, now, u);
	for (int i = 0; i < 2; i++) {
		if (!numbers[i] || u->ra == DPU_REG_ZERO)
			continue;
		if (!is_outside(&c->object[numbers[i]], now)) {
			c->reached[now->pc] = numbers[i];
			return false;
		}
		outside |= numbers[i] == *reached;
	}
	return outside && leaves(c, *reached, now);
}

bool dpu_check_transfer_leaves(struct dpu *dpu, struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	uint16_t number = c->origin[now->thread][dpu->code[now->pc].ra];

	/* others than the pointer's own may be of functions that have returned */
	if (!c->object[number].local || now->address - c->object[number].start >= c->object[number].size)
		number = 0;

	if (now->write)
		memset(&c->stored[now->address / 4], 0, now->size / 4 * sizeof(c->stored[0]));
	for (unsigned int i = 1; !c->object[number].local && i <= c->objects; i++)
		if (now->address - c->object[i].start < c->object[i].size && !c->object[i].local &&
		    (!number || c->object[i].size > c->object[number].size))
			number = i;
	/* transfers have multiples of 8 bytes */
	return number && leaves(c, number, now) &&
	       now->address + now->size > ((c->object[number].start + c->object[number].size + 7) & ~7u);
}
