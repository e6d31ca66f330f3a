// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The objects that pointers belong to: variables, and blocks of the heap.
 *
 * A register belongs to an object if its value came from the object's address: as a constant, or from an allocation,
 * and then by sums with numbers. Words in WRAM keep it. An instruction that has accessed an object, and later leaves it
 * with a pointer that belongs to it, is an error. A number that equals an address by chance does no harm, because the
 * instruction has to access the object first. It need not if the pointer cannot be such a number (CHECK_EXACT): a block's,
 * a local variable's, and a variable's if the program says which instructions have addresses of variables.
 */
#include <string.h>

#include "dpu/sim/check-internal.h"

/* The variable that an address is in, as number of its object; 0 is none. */
static uint16_t variable_at(const struct dpu_check *c, uint32_t address)
{
	return address < DPU_WRAM_SIZE ? c->variables[address] : 0;
}

static uint16_t add_object(struct dpu_check *c, enum dpu_place_kind kind, uint32_t start, uint32_t size)
{
	if (c->objects + 1 == CHECK_OBJECTS)
		return 0;
	c->object[++c->objects] = (struct check_object){ .place = { .kind = kind, .start = start, .size = size } };
	return c->objects;
}

/* The variable that begins at an address, as ELF has it. */
static uint16_t variable_from(const struct dpu_check *c, uint32_t address)
{
	uint16_t best = 0;

	for (unsigned int i = 1; i <= c->objects; i++)
		if (c->object[i].place.start == address && c->object[i].place.size > c->object[best].place.size)
			best = i;
	return best;
}

static void read_references(struct dpu_check *c, const struct dpu_program *program)
{
	uint32_t pair[2];

	memset(c->reference, 0, sizeof(c->reference));
	c->has_references = program->references;
	for (size_t i = 0; i + sizeof(pair) <= program->references_size; i += sizeof(pair)) {
		memcpy(pair, program->references + i, sizeof(pair));
		if (pair[0] < DPU_IRAM_WORDS)
			c->reference[pair[0]] = variable_from(c, pair[1]);
	}
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

		if (s->absolute || s->function || strstr(s->name, "stack"))
			continue;
		if (!strcmp(s->name, DPU_HEAP_SYMBOL))
			add_object(c, DPU_PLACE_VARIABLE, s->value, DPU_MRAM_SIZE - (s->value & ~DPU_MRAM_FLAG));
		if (!s->size)
			continue;
		if (s->value & DPU_MRAM_FLAG && s->value < DPU_IRAM_FLAG)
			add_object(c, DPU_PLACE_VARIABLE, s->value, s->size);
		if (s->value >= DPU_WRAM_SIZE || s->size > DPU_WRAM_SIZE - s->value)
			continue;
		object = add_object(c, DPU_PLACE_VARIABLE, s->value, s->size);
		/* the largest one */
		for (uint32_t at = s->value; at < s->value + s->size; at++)
			if (c->object[c->variables[at]].place.size < s->size)
				c->variables[at] = object;
	}
	read_references(c, program);
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++) {
		c->stack[t] = add_object(c, DPU_PLACE_STACK, c->tasklets[t].base, c->tasklets[t].size);
		c->object[c->stack[t]].place.thread = t;
	}
}

void dpu_check_block(struct dpu_check *c, unsigned int thread, uint32_t start, uint32_t size, uint16_t pc)
{
	uint16_t number = start < DPU_WRAM_SIZE ? add_object(c, DPU_PLACE_BLOCK, start, size) : 0;

	c->object[number].place.pc = pc;
	c->origin[thread][0] = number ? number | CHECK_EXACT : 0;
}

void dpu_check_no_blocks(struct dpu_check *c, uint32_t first, uint32_t size)
{
	for (unsigned int i = 1; i <= c->objects; i++)
		if (c->object[i].place.start - first < size)
			c->object[i].gone = true;
}

struct dpu_place dpu_check_place(const struct dpu *dpu, uint32_t address)
{
	const struct dpu_check *c = dpu->check;

	for (unsigned int i = c->objects; i; i--)
		if (c->object[i].place.kind == DPU_PLACE_BLOCK && address - c->object[i].place.start < c->object[i].place.size)
			return c->object[i].place;
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++)
		if (address - c->tasklets[t].base < c->tasklets[t].size)
			return c->object[c->stack[t]].place;
	return (struct dpu_place){ .start = address };
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
		if (!stack_distance(&dpu->code[pc], &at))
			continue;
		c->locals[pc].ends |= at == distance + (int64_t)size;
		if (at < distance || at - distance >= (int64_t)size)
			continue;
		c->locals[pc].starts |= at == distance;
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
	if (!number)
		number = c->variables[start] = add_object(c, DPU_PLACE_LOCAL, start, size);
	if (c->object[number].place.kind != DPU_PLACE_LOCAL)
		return 0;
	c->object[number].place.size = size;
	return c->locals[pc].starts && !c->locals[pc].ends ? number | CHECK_EXACT : number;
}

/* The variable whose address is an instruction's number. */
static uint16_t variable_of(struct dpu *dpu, const struct dpu_uop *u, uint32_t number)
{
	const struct dpu_check *c = dpu->check;
	uint16_t reference = c->reference[u - dpu->code];

	if (c->has_references)
		return reference ? reference | CHECK_EXACT : 0;
	return variable_at(c, number);
}

/* What a result belongs to: to that of the only operand that belongs to anything. */
static uint16_t origin_of(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	const uint16_t *origin = dpu->check->origin[thread];
	uint16_t a = u->ra == STACK_REGISTER ? dpu->check->stack[thread] | CHECK_EXACT : origin[u->ra];
	uint16_t b = origin[u->rb], both = a && b ? 0 : a | b;
	bool with_number = u->rb == DPU_REG_ZERO;

	switch (u->op) {
	case DPU_OP_add:
	case DPU_OP_or:
		if (with_number && !a && (u->rc != u->ra || dpu->check->has_references))
			return variable_of(dpu, u, u->imm);
		return both;
	case DPU_OP_sub:
		/* of two pointers, of which one is not known, it would be a number */
		return b ? 0 : with_number || u->ra == STACK_REGISTER ? a : a & ~CHECK_EXACT;
	case DPU_OP_and:	/* alignment */
		return with_number && (int32_t)u->imm < 0 ? a : 0;
	case DPU_OP_andn:
		return with_number && (int32_t)u->imm >= 0 ? a : 0;
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		return b;
	default:
		return 0;
	}
}

/* A shift makes a DMA's length from a number of bytes (check-dma.c). */
static void note_length(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	struct dpu_check *c = dpu->check;

	c->tasklets[thread].length = dpu->threads[thread].r[u->ra];
	c->tasklets[thread].length_pc = u - dpu->code;
	c->tasklets[thread].has_length = true;
}

void dpu_check_result(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u)
{
	struct dpu_check *c = dpu->check;
	uint16_t *origin = c->origin[thread];
	bool pair = u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED);
	uint16_t local;

	if (u->op == DPU_OP_lsl && u->rb == DPU_REG_ZERO && u->imm == LENGTH_SHIFT)
		note_length(dpu, thread, u);
	if (u->rc >= DPU_REG_ZERO)
		return;
	if (u->op == DPU_OP_movd) {
		memmove(&origin[u->rc], &origin[u->rb], 2 * sizeof(origin[0]));
		return;
	}
	local = local_of(dpu, thread, u);
	origin[u->rc] = pair ? 0 : local ? local : origin_of(dpu, thread, u);
	if (pair)
		origin[u->rc + 1] = 0;
}

/* Loads and stores of words move what they belong to; a pair's high word is in the even register. */
static void move_origin(struct dpu_check *c, const struct access *now, const struct dpu_uop *u)
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

static bool is_outside(const struct check_object *o, const struct access *now)
{
	return !o->gone && o->place.size &&
	       (now->address < o->place.start || now->address + now->size > o->place.start + o->place.size);
}

static struct dpu_finding finding_of(const struct dpu_check *c, enum dpu_finding_kind kind, const struct access *now,
				     uint16_t number)
{
	struct dpu_finding f = dpu_check_finding(kind, now);

	f.object = c->object[number].place;
	return f;
}

static bool is_mram(const struct dpu_check *c, uint16_t number)
{
	return c->object[number & ~CHECK_EXACT].place.start & DPU_MRAM_FLAG;
}

bool dpu_check_other_memory(const struct dpu_check *c, const struct access *now, struct dpu_finding *finding,
			    uint16_t number)
{
	if (!(number & CHECK_EXACT) || is_mram(c, number) == !!(now->address & DPU_MRAM_FLAG))
		return false;
	*finding = finding_of(c, DPU_FINDING_MEMORY, now, number & ~CHECK_EXACT);
	return true;
}

/* An address is a register and a constant; each of the two may belong to an object, or be a small number. */
bool dpu_check_leaves(struct dpu *dpu, const struct access *now, struct dpu_finding *finding)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[now->pc];
	const uint16_t *reached = &c->reached[now->pc];
	uint16_t numbers[] = {
		c->origin[now->thread][u->ra], variable_of(dpu, u, now->write ? u->aux : u->imm)
	}, outside = 0;

	if (u->ra == STACK_REGISTER)
		numbers[1] = local_of(dpu, now->thread, u);

	move_origin(c, now, u);
	if (!(numbers[0] && numbers[1]) && dpu_check_other_memory(c, now, finding, numbers[0] | numbers[1]))
		return true;
	for (int i = 0; i < 2; i++) {
		uint16_t number = numbers[i] & ~CHECK_EXACT;

		if (!number || (u->ra == DPU_REG_ZERO && !(numbers[i] & CHECK_EXACT)))
			continue;
		if (!is_outside(&c->object[number], now)) {
			c->reached[now->pc] = number;
			return false;
		}
		if (number == *reached || (numbers[i] & CHECK_EXACT && !numbers[!i]))
			outside = number;
	}
	if (outside)
		*finding = finding_of(c, DPU_FINDING_BOUNDS, now, outside);
	return outside;
}

static bool holds(const struct check_object *o, uint32_t address)
{
	return !o->gone && address - o->place.start < o->place.size;
}

bool dpu_check_range_leaves(struct dpu *dpu, const struct access *now, struct dpu_finding *finding, unsigned int reg,
			    uint32_t unit)
{
	struct dpu_check *c = dpu->check;
	uint16_t number = c->origin[now->thread][reg] & ~CHECK_EXACT;
	const struct check_object *o = &c->object[number];
	bool local = o->place.kind == DPU_PLACE_LOCAL && holds(o, now->address);

	/* other local variables than the pointer's own may be of functions that have returned */
	if (!local)
		number = 0;
	for (unsigned int i = 1; !local && i <= c->objects; i++)
		if (holds(&c->object[i], now->address) && c->object[i].place.kind != DPU_PLACE_LOCAL &&
		    (!number || c->object[i].place.size > c->object[number].place.size))
			number = i;
	o = &c->object[number];
	if (!number || !is_outside(o, now) ||
	    now->address + now->size <= ((o->place.start + o->place.size + unit - 1) & -unit))
		return false;
	*finding = finding_of(c, DPU_FINDING_BOUNDS, now, number);
	return true;
}
