// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How much stack each function of a DPU program needs.
 *
 * The stack pointer is r22. It grows downwards in code of dpu-cc, upwards in code of UPMEM's compiler; the first
 * instruction of a function that moves it tells the direction. Library helpers store beyond the pointer without
 * moving it.
 *
 * A call through a table of functions in WRAM counts as a call of each of them. Other pointers are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"
#include "dpu/include/dpu_stack.h"

#define REG_KEPT 14		/* from here on functions keep registers */
#define REG_STACK 22
#define REG_RETURN 23
#define IRAM_FLAG 0x80000000u

/* Effect of one instruction on the stack, and its other successors. */
struct step {
	int32_t moves;		/* r22 += */
	uint32_t behind;	/* bytes below r22 that it touches */
	bool variable, indirect;
	bool calls, leaves;	/* jumps to target; leaves: a jump after the frame was released */
	bool pointer;		/* the target is in the register ra */
	uint32_t target;
};

static bool decode(const struct dpu_segment *s, uint32_t offset, struct dpu_insn *insn)
{
	uint64_t word = 0;

	for (int k = 0; k < 8; k++)
		word |= (uint64_t)s->data[offset + k] << (8 * k);
	return dpu_decode(word, insn);
}

static bool has_slot(const struct dpu_insn *insn, enum dpu_operand_slot slot)
{
	for (int i = 0; i < DPU_MAX_OPERANDS && insn->encoding->operands[i]; i++)
		if (dpu_operands[insn->encoding->operands[i]].slot == slot)
			return true;
	return false;
}

static void step_call(const struct dpu_insn *insn, struct step *step)
{
	bool direct = has_slot(insn, DPU_SLOT_OFF) && insn->value[DPU_SLOT_RA] == DPU_REG_ZERO;
	bool link = insn->value[DPU_SLOT_RC] != DPU_REG_ZERO;

	step->calls = direct && link;
	step->leaves = direct && !link;
	/* A jump to a register is a return, a jump table, or the last call of a function. */
	step->indirect = !direct && link;
	step->pointer = !direct && insn->value[DPU_SLOT_RA] != REG_RETURN && !insn->value[DPU_SLOT_OFF];
	step->target = (uint32_t)insn->value[DPU_SLOT_OFF] * 8;
}

static struct step step_of(const struct dpu_insn *insn)
{
	struct step step = { 0 };
	const int32_t *v = insn->value;
	bool stack = v[DPU_SLOT_RC] == REG_STACK, number = has_slot(insn, DPU_SLOT_IMM), has_condition;
	/* Many instructions have a target that they never use. */
	bool jumps = has_slot(insn, DPU_SLOT_PC) &&
		     (dpu_insn_cond(insn, &has_condition) != DPU_COND_FALSE ||
		      !has_slot(insn, DPU_SLOT_CC));

	if (insn->encoding->op == DPU_OP_call)
		step_call(insn, &step);
	else if (jumps)
		step.leaves = true, step.target = (uint32_t)v[DPU_SLOT_PC] * 8;
	if (insn->encoding->op == DPU_OP_add && stack && v[DPU_SLOT_RA] == REG_STACK && number)
		step.moves = v[DPU_SLOT_IMM];
	else if (insn->encoding->op == DPU_OP_sub && stack && v[DPU_SLOT_RA] == REG_STACK && number)
		step.moves = -v[DPU_SLOT_IMM];
	else if (insn->encoding->op == DPU_OP_and && stack && number && v[DPU_SLOT_IMM] < 0)
		step.moves = v[DPU_SLOT_IMM];	/* aligned */
	else if (stack && v[DPU_SLOT_RA] == REG_STACK && !number && has_slot(insn, DPU_SLOT_RB))
		step.variable = true;
	if (has_slot(insn, DPU_SLOT_OFF) && v[DPU_SLOT_RA] == REG_STACK && v[DPU_SLOT_OFF] < 0)
		step.behind = -v[DPU_SLOT_OFF];
	return step;
}

static int by_address(const void *a, const void *b)
{
	const struct dpu_stack_function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct dpu_stack_function *function_at(const struct dpu_stack *stack, uint32_t offset)
{
	for (size_t i = 0; i < stack->count; i++)
		if (offset >= stack->functions[i].start && offset < stack->functions[i].end)
			return &stack->functions[i];
	return NULL;
}

static void find_functions(const struct dpu_program *program, const struct dpu_segment *s, struct dpu_stack *stack)
{
	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *f = &program->symbols[i];

		if (!f->function || f->absolute || f->value < s->address || !f->size ||
		    f->value - s->address + f->size > s->file_size)
			continue;
		stack->functions[stack->count++] = (struct dpu_stack_function){
			.name = f->name, .start = f->value & ~IRAM_FLAG, .end = (f->value & ~IRAM_FLAG) + f->size
		};
	}
	qsort(stack->functions, stack->count, sizeof(stack->functions[0]), by_address);
}

enum state { NEW, OPEN, DONE };

struct walk {
	const struct dpu_program *program;
	struct dpu_stack *stack;
	const struct dpu_segment *segment;
	enum state *state;
};

static void visit(struct walk *w, struct dpu_stack_function *f);

/* What f needs if control goes to another function while f has so many bytes in use. */
static void go(struct walk *w, struct dpu_stack_function *f, uint32_t target, uint32_t used)
{
	struct dpu_stack_function *to = function_at(w->stack, target);

	if (!to || (to == f && target != f->start))
		return;
	if (w->state[to - w->stack->functions] == OPEN) {
		/* A jump to the function's own start, in a loop, is no recursive call. */
		f->recursive |= to != f || used;
		return;
	}
	visit(w, to);
	if (used + to->need > f->need)
		f->need = used + to->need;
	f->indirect |= to->indirect;
	f->variable |= to->variable;
	f->recursive |= to->recursive;
}

#define TRACED 48			/* instructions before a call that may compute its pointer */

/* The constants in the sum that a register holds before the instruction at an offset. */
static uint32_t constant_part(const struct walk *w, const struct dpu_stack_function *f, uint32_t at, int32_t reg)
{
	uint32_t base = w->segment->address & ~IRAM_FLAG, last = at > f->start + 8 * TRACED ? at - 8 * TRACED : f->start;
	struct dpu_insn insn;
	const int32_t *v = insn.value;

	while (at > last) {
		bool number;

		at -= 8;
		if (!decode(w->segment, at - base, &insn))
			continue;
		if (insn.encoding->op == DPU_OP_call && reg < REG_KEPT)
			return 0;
		if (v[DPU_SLOT_RC] != reg)
			continue;
		number = has_slot(&insn, DPU_SLOT_IMM);
		if (insn.encoding->op == DPU_OP_or && number && v[DPU_SLOT_RA] == DPU_REG_ZERO)
			return v[DPU_SLOT_IMM];
		if (insn.encoding->op == DPU_OP_add && number)
			return v[DPU_SLOT_IMM] + constant_part(w, f, at, v[DPU_SLOT_RA]);
		if (insn.encoding->op == DPU_OP_add && !number)
			return constant_part(w, f, at, v[DPU_SLOT_RA]) + constant_part(w, f, at, v[DPU_SLOT_RB]);
		/* ra, the index, is shifted */
		return insn.encoding->op == DPU_OP_lsl_add ? constant_part(w, f, at, v[DPU_SLOT_RB]) : 0;
	}
	return 0;
}

/* The address in WRAM that the pointer in a register was loaded from, without an index; UINT32_MAX: not known. */
static uint32_t table_address(const struct walk *w, const struct dpu_stack_function *f, uint32_t at, int32_t reg)
{
	uint32_t base = w->segment->address & ~IRAM_FLAG, last = at > f->start + 8 * TRACED ? at - 8 * TRACED : f->start;
	struct dpu_insn insn;

	while (at > last) {
		at -= 8;
		if (!decode(w->segment, at - base, &insn))
			continue;
		if (insn.encoding->op == DPU_OP_call && reg < REG_KEPT)
			break;
		if (insn.value[DPU_SLOT_RC] == reg)
			return insn.encoding->op != DPU_OP_lw ? UINT32_MAX :
			       insn.value[DPU_SLOT_OFF] + constant_part(w, f, at, insn.value[DPU_SLOT_RA]);
	}
	return UINT32_MAX;
}

static bool wram_word(const struct dpu_program *program, uint32_t address, uint32_t *word)
{
	for (size_t i = 0; i < program->segment_count; i++) {
		const struct dpu_segment *s = &program->segments[i];

		if (address < s->address || address - s->address + 4 > s->file_size)
			continue;
		*word = 0;
		for (int k = 0; k < 4; k++)
			*word |= (uint32_t)s->data[address - s->address + k] << (8 * k);
		return true;
	}
	return false;
}

/* The function that a word in a table points to: its instruction's index. */
static const struct dpu_stack_function *pointed(const struct walk *w, uint32_t address)
{
	const struct dpu_stack_function *f;
	uint32_t word;

	if (!wram_word(w->program, address, &word) || word >= UINT32_MAX / 8)
		return NULL;
	f = function_at(w->stack, 8 * word);
	return f && f->start == 8 * word ? f : NULL;
}

/* A call through a pointer counts as a call of each function of the variable that it comes from. */
static bool go_through(struct walk *w, struct dpu_stack_function *f, uint32_t at, int32_t reg, uint32_t used)
{
	uint32_t address = table_address(w, f, at, reg);
	const struct dpu_program_symbol *table = NULL;

	for (size_t i = 0; i < w->program->symbol_count && !table; i++) {
		const struct dpu_program_symbol *s = &w->program->symbols[i];

		if (!s->function && !s->absolute && address >= s->value && address < s->value + s->size)
			table = s;
	}
	if (!table || table->size % 4)
		return false;
	for (uint32_t k = 0; k < table->size; k += 4)
		if (!pointed(w, table->value + k))
			return false;
	for (uint32_t k = 0; k < table->size; k += 4)
		go(w, f, pointed(w, table->value + k)->start, used);
	return true;
}

static void visit(struct walk *w, struct dpu_stack_function *f)
{
	enum state *state = &w->state[f - w->stack->functions];
	uint32_t behind = 0, frame = 0, base = w->segment->address & ~IRAM_FLAG;
	struct dpu_insn insn;
	int32_t way = 0;

	if (*state != NEW)
		return;
	*state = OPEN;
	for (uint32_t at = f->start; at + 8 <= f->end; at += 8) {
		struct step step;

		if (!decode(w->segment, at - base, &insn))
			continue;
		step = step_of(&insn);
		f->variable |= step.variable;
		if (!way && step.moves)
			way = step.moves;
		if ((way < 0 && step.moves < 0) || (way > 0 && step.moves > 0))
			frame += step.moves < 0 ? -(uint32_t)step.moves : (uint32_t)step.moves;
		if (step.behind > behind)
			behind = step.behind;
	}
	f->own = f->need = frame + behind;
	for (uint32_t at = f->start; at + 8 <= f->end; at += 8) {
		struct step step;

		if (!decode(w->segment, at - base, &insn))
			continue;
		step = step_of(&insn);
		/* A jump out of a function releases its frame first. */
		if (step.calls)
			go(w, f, step.target, frame + (frame ? 0 : behind));
		else if (step.pointer)
			f->indirect |= !go_through(w, f, at, insn.value[DPU_SLOT_RA], step.indirect ? frame : 0) &&
				       step.indirect;
		else if (step.leaves && (step.target < f->start || step.target >= f->end))
			go(w, f, step.target, 0);
	}
	*state = DONE;
}

struct dpu_stack *dpu_stack_new(const struct dpu_program *program)
{
	struct dpu_stack *stack = calloc(1, sizeof(*stack));
	struct walk w = { .program = program, .stack = stack };

	if (!stack)
		return NULL;
	stack->functions = calloc(program->symbol_count + 1, sizeof(stack->functions[0]));
	w.state = calloc(program->symbol_count + 1, sizeof(w.state[0]));
	for (size_t i = 0; i < program->segment_count && !w.segment; i++)
		if (program->segments[i].address & IRAM_FLAG)
			w.segment = &program->segments[i];
	if (!stack->functions || !w.state) {
		free(w.state);
		dpu_stack_free(stack);
		return NULL;
	}
	if (w.segment && !program->object)
		find_functions(program, w.segment, stack);
	for (size_t i = 0; i < stack->count; i++)
		visit(&w, &stack->functions[i]);
	free(w.state);
	return stack;
}

void dpu_stack_free(struct dpu_stack *stack)
{
	if (stack)
		free(stack->functions);
	free(stack);
}

static const struct dpu_stack_function *stack_find(const struct dpu_stack *stack, const char *name)
{
	for (size_t i = 0; i < stack->count; i++)
		if (!strcmp(stack->functions[i].name, name))
			return &stack->functions[i];
	return NULL;
}

bool dpu_stack_text(const struct dpu_program *program, uint32_t room, uint32_t seen,
		    char text[DPU_STACK_TEXT_SIZE])
{
	const struct dpu_program_symbol *size = dpu_program_symbol(program, "STACK_SIZE_TASKLET_0");
	struct dpu_stack *stack = dpu_stack_new(program);
	const struct dpu_stack_function *f = stack ? stack_find(stack, "main") : NULL;
	struct dpu_stack_function main = f ? *f : (struct dpu_stack_function){ 0 };
	bool at_least = main.recursive || main.indirect || main.variable;

	dpu_stack_free(stack);
	if (!room && size)
		room = size->value;
	at_least |= main.need <= room;
	if (at_least && seen > main.need)
		main.need = seen;
	if (!room || main.need <= room)
		return false;
	snprintf(text, DPU_STACK_TEXT_SIZE,
		 "main and what it calls need %s%" PRIu32 " bytes of stack, a tasklet has %" PRIu32 "; give them with "
		 "-DSTACK_SIZE_DEFAULT=%" PRIu32 "%s%s%s (dpu-objdump --stack lists the functions)",
		 at_least ? "at least " : "", main.need, room, (main.need + 15) & ~15u,
		 main.recursive ? "; there is recursion" : "",
		 main.indirect ? "; calls through pointers are left out" : "",
		 main.variable ? "; arrays of variable length are left out" : "");
	return true;
}
