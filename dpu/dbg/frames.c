// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stack frames, from the code: programs need no unwind tables, and dpu-cc writes none.
 *
 * The search follows all paths from a function's start. At each instruction it knows how far the stack pointer
 * (r22) has moved and where the return address is: in its register, or at an offset from the caller's stack
 * pointer. dpu-cc's stacks grow down, those of UPMEM's compiler up; both save before they call.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"

#define STACK 22
#define LINK 23
#define IN_REGISTER INT32_MIN

struct at {
	bool known;
	int32_t moved;		/* r22 less the caller's */
	int32_t saved;		/* the return address is at the caller's r22 plus this, or IN_REGISTER */
};

static bool reads_slot(const struct dpu_insn *insn, enum dpu_operand_slot slot)
{
	for (int i = 0; i < DPU_MAX_OPERANDS && insn->encoding->operands[i]; i++)
		if (dpu_operands[insn->encoding->operands[i]].slot == slot)
			return true;
	return false;
}

static bool is_jump_register(const struct dpu_insn *insn)
{
	return insn->encoding && insn->encoding->op == DPU_OP_call && insn->value[DPU_SLOT_RC] == DPU_REG_ZERO &&
	       insn->value[DPU_SLOT_RA] < DPU_REG_ZERO;
}

/* Compilers' helpers return through another register than r23. */
static int link_register(const struct dbg *d, unsigned int first, unsigned int end)
{
	int link = LINK;

	for (unsigned int pc = first; pc < end; pc++) {
		if (!is_jump_register(&d->code[pc]))
			continue;
		link = d->code[pc].value[DPU_SLOT_RA];
		if (link == LINK)
			break;
	}
	return link;
}

/* An instruction's effect on the stack pointer and on the place of the return address. */
static struct at after(const struct dpu_insn *insn, struct at at, int link)
{
	const int32_t *v = insn->value;
	enum dpu_op op = insn->encoding->op;

	if (op == DPU_OP_add && v[DPU_SLOT_RC] == STACK && v[DPU_SLOT_RA] == STACK && reads_slot(insn, DPU_SLOT_IMM))
		at.moved += v[DPU_SLOT_IMM];
	else if (op == DPU_OP_sw && v[DPU_SLOT_RA] == STACK && v[DPU_SLOT_RB] == link && reads_slot(insn, DPU_SLOT_RB))
		at.saved = at.moved + v[DPU_SLOT_OFF];
	else if (op == DPU_OP_sd && v[DPU_SLOT_RA] == STACK && v[DPU_SLOT_RB] == STACK && link == LINK)
		at.saved = at.moved + v[DPU_SLOT_OFF];	/* d22: r23 is the low word */
	else if (op == DPU_OP_lw && v[DPU_SLOT_RA] == STACK && v[DPU_SLOT_RC] == link)
		at.saved = IN_REGISTER;
	else if (op == DPU_OP_ld && v[DPU_SLOT_RA] == STACK && v[DPU_SLOT_RC] == STACK)
		at = (struct at){ true, 0, IN_REGISTER };
	return at;
}

/* The other successor of an instruction; `first` if there is none. */
static unsigned int goes_to(const struct dpu_insn *insn, unsigned int first)
{
	if (insn->encoding->op == DPU_OP_call)
		return insn->value[DPU_SLOT_RC] == DPU_REG_ZERO && insn->value[DPU_SLOT_RA] == DPU_REG_ZERO ?
		       (unsigned int)insn->value[DPU_SLOT_OFF] : first;
	return reads_slot(insn, DPU_SLOT_PC) ? (unsigned int)insn->value[DPU_SLOT_PC] : first;
}

static bool goes_on(const struct dpu_insn *insn)
{
	return insn->encoding->op != DPU_OP_call || insn->value[DPU_SLOT_RC] != DPU_REG_ZERO;
}

/* Follows the paths until nothing new is found; visits each instruction at most once. */
static void follow(const struct dbg *d, unsigned int first, unsigned int end, int link, struct at at[])
{
	unsigned int todo[2 * DPU_IRAM_WORDS], count = 1;

	todo[0] = first;
	at[first] = (struct at){ true, 0, IN_REGISTER };
	while (count) {
		unsigned int pc = todo[--count], next[2], ways = 0;
		const struct dpu_insn *insn = &d->code[pc];

		if (!insn->encoding)
			continue;
		next[ways++] = goes_to(insn, first);
		if (goes_on(insn))
			next[ways++] = pc + 1;
		for (unsigned int i = 0; i < ways; i++) {
			if (next[i] < first || next[i] >= end || at[next[i]].known)
				continue;
			at[next[i]] = after(insn, at[pc], link);
			todo[count++] = next[i];
		}
	}
}

static uint32_t stack_word(const struct dbg *d, uint32_t address)
{
	uint32_t word = UINT32_MAX;

	dpu_peek(d->dpu, DPU_WRAM, address, &word, sizeof(word));
	return word;
}

/*
 * The caller's frame. False at the outermost one, or if it is unknown. live: r23 is this frame's, because inner
 * frames return through another register.
 */
static bool caller(const struct dbg *d, unsigned int thread, const struct frame *f, bool innermost, bool *live,
		   struct frame *up)
{
	static struct at at[DPU_IRAM_WORDS + 1];
	const struct dpu_program_symbol *s = function_at(d, f->pc);
	unsigned int first, end;
	uint32_t back;
	int link;

	if (!s || !s->size || !strcmp(s->name, "__bootstrap"))
		return false;
	first = (s->value & ~DPU_IRAM_FLAG) / 8;
	end = first + s->size / 8;
	if (end > DPU_IRAM_WORDS || f->pc >= end)
		return false;
	link = link_register(d, first, end);
	memset(at, 0, sizeof(at));
	follow(d, first, end, link, at);
	if (!at[f->pc].known || (at[f->pc].saved == IN_REGISTER && !(link == LINK ? *live : innermost)))
		return false;
	*live &= link != LINK;
	up->stack = f->stack - at[f->pc].moved;
	back = at[f->pc].saved == IN_REGISTER ? dpu_register(d->dpu, thread, link) :
	       stack_word(d, up->stack + at[f->pc].saved);
	up->pc = back - 1;
	return back && back <= DPU_IRAM_WORDS;
}

bool frame_slots(const struct dbg *d, const struct frame *f, uint32_t *base)
{
	static struct at at[DPU_IRAM_WORDS + 1];
	const struct dpu_program_symbol *s = function_at(d, f->pc);
	unsigned int first = s ? (s->value & ~DPU_IRAM_FLAG) / 8 : 0, end = s ? first + s->size / 8 : 0;
	int32_t deepest = 0;

	if (!s || !s->size || end > DPU_IRAM_WORDS || f->pc >= end)
		return false;
	memset(at, 0, sizeof(at));
	follow(d, first, end, link_register(d, first, end), at);
	for (unsigned int pc = first; pc < end; pc++)
		if (at[pc].known && abs(at[pc].moved) > abs(deepest))
			deepest = at[pc].moved;
	*base = f->stack - at[f->pc].moved + deepest;
	return at[f->pc].known;
}

unsigned int find_frames(const struct dbg *d, unsigned int thread, struct frame frames[MAX_FRAMES])
{
	unsigned int count = 1;
	bool live = true;

	frames[0] = (struct frame){ dpu_pc(d->dpu, thread), dpu_register(d->dpu, thread, STACK) };
	while (count < MAX_FRAMES && caller(d, thread, &frames[count - 1], count == 1, &live, &frames[count])) {
		const struct dpu_program_symbol *s = function_at(d, frames[count].pc);

		if (!s || !strcmp(s->name, "__bootstrap"))
			break;
		count++;
	}
	return count;
}
