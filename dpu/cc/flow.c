// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control flow and liveness: the blocks of a function, what each instruction reads and writes, and the live
 * registers.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/insn.h"

#define ARGUMENTS 0xffu					/* r0 to r7 */
#define KEPT (0xffu << 14)				/* r14 to r21, which a function keeps */
#define SCRATCH 0x3fffu					/* r0 to r13, which a call may change */

bool cc_is_arithmetic(const struct cc_insn *i)
{
	return i->op >= OP_MOVE && i->op <= OP_REMU;
}

uint32_t cc_reads(const struct cc_insn *i)
{
	uint32_t r = REG_BIT(i->ra) | REG_BIT(i->rb);

	switch (i->op) {
	case OP_CALL:
	case OP_CALL_REG:
		return r | ARGUMENTS | REG_BIT(REG_STACK);
	case OP_TAIL:
		return r | ARGUMENTS | KEPT | REG_BIT(REG_STACK) | REG_BIT(REG_RETURN);
	case OP_RETURN:
		return REG_BIT(0) | REG_BIT(1) | KEPT | REG_BIT(REG_STACK) | REG_BIT(REG_RETURN);
	case OP_JUMP_REG:
		return (1u << REG_COUNT) - 1;
	case OP_ASM:
		return i->mentioned;
	case OP_SD:
		return r | REG_BIT(i->rc);
	default:
		return r;
	}
}

uint32_t cc_writes(const struct cc_insn *i)
{
	switch (i->op) {
	case OP_CALL:
	case OP_CALL_REG:
		return SCRATCH | REG_BIT(REG_RETURN);
	case OP_ASM:
		return i->mentioned | REG_BIT(REG_LINK) | REG_BIT(REG_OPERAND) | REG_BIT(REG_HIGH) |
		       REG_BIT(REG_LOW);
	case OP_LD:
		return REG_BIT(i->rd) | REG_BIT(i->rc);
	default:
		return REG_BIT(i->rd);
	}
}

uint32_t cc_kills(const struct cc_insn *i)
{
	return i->op == OP_ASM ? 0 : cc_writes(i);
}

static bool ends_block(const struct cc_insn *i)
{
	return !i->dead && (i->op == OP_BRANCH || i->op == OP_JUMP || i->op == OP_JUMP_REG ||
			    i->op == OP_TAIL || i->op == OP_RETURN || i->op == OP_FAULT ||
			    (cc_is_arithmetic(i) && i->target));
}

static bool taken(const struct cc_translation *t, const char *label)
{
	for (size_t i = 0; i < t->taken_count; i++)
		if (!strcmp(t->taken[i], label))
			return true;
	return false;
}

struct label {
	const char *name;
	size_t block;
};

static int compare_labels(const void *a, const void *b)
{
	return strcmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

static size_t find_block(const struct label *labels, size_t count, const char *name)
{
	const struct label key = { name, 0 }, *found;

	found = bsearch(&key, labels, count, sizeof(key), compare_labels);
	return found ? found->block : SIZE_MAX;
}

static void make_blocks(struct cc_translation *t, struct cc_flow *flow)
{
	const struct cc_function *f = &t->function;
	bool new_block = true;

	for (size_t i = 0; i < f->count; i++) {
		const struct cc_insn *insn = &f->insns[i];

		if (new_block || insn->op == OP_LABEL)
			flow->start[flow->count++] = i;
		new_block = ends_block(insn);
	}
	flow->start[flow->count] = f->count;
}

static void connect(struct cc_translation *t, struct cc_flow *flow)
{
	const struct cc_function *f = &t->function;
	struct label *labels = cc_realloc(NULL, (flow->count + 1) * sizeof(*labels));
	size_t label_count = 0;

	for (size_t b = 0; b < flow->count; b++) {
		const struct cc_insn *insn = &f->insns[flow->start[b]];

		if (insn->op != OP_LABEL)
			continue;
		labels[label_count++] = (struct label){ insn->target, b };
		flow->entered[b] = taken(t, insn->target);
	}
	qsort(labels, label_count, sizeof(*labels), compare_labels);
	for (size_t b = 0; b < flow->count; b++) {
		const struct cc_insn *last = NULL;
		size_t *next = &flow->next[2 * b];

		for (size_t i = flow->start[b]; i < flow->start[b + 1]; i++)
			if (!f->insns[i].dead)
				last = &f->insns[i];
		next[0] = b + 1 < flow->count ? b + 1 : SIZE_MAX;
		next[1] = SIZE_MAX;
		if (!last || !ends_block(last))
			continue;
		if (last->op == OP_JUMP_REG)
			flow->indirect[b] = true;
		if (last->op == OP_BRANCH || last->op == OP_JUMP || cc_is_arithmetic(last))
			next[1] = find_block(labels, label_count, last->target);
		if ((last->op != OP_BRANCH && !cc_is_arithmetic(last)) || last->cond == COND_TRUE)
			next[0] = SIZE_MAX;
	}
	free(labels);
}

static uint32_t through(const struct cc_function *f, const struct cc_flow *flow, size_t b,
			uint32_t live)
{
	for (size_t i = flow->start[b + 1]; i-- > flow->start[b];) {
		const struct cc_insn *insn = &f->insns[i];

		if (insn->dead)
			continue;
		live = (live & ~cc_kills(insn)) | cc_reads(insn);
	}
	return live;
}

static void find_live(struct cc_translation *t, struct cc_flow *flow)
{
	uint32_t *in = calloc(flow->count + 1, sizeof(*in));
	bool changed = true;

	if (!in)
		cc_fail(t, "out of memory");
	while (changed) {
		changed = false;
		for (size_t b = flow->count; b-- > 0;) {
			uint32_t live = 0, before;

			for (int n = 0; n < 2; n++)
				if (flow->next[2 * b + n] != SIZE_MAX)
					live |= in[flow->next[2 * b + n]];
			/* no case for an indirect jump: its instruction reads all registers */
			flow->live_out[b] = live;
			before = through(&t->function, flow, b, live);
			changed |= before != in[b];
			in[b] = before;
		}
	}
	free(in);
}

void cc_flow_make(struct cc_translation *t, struct cc_flow *flow)
{
	size_t n = t->function.count + 1;

	*flow = (struct cc_flow){ .start = calloc(n + 1, sizeof(size_t)) };
	flow->live_out = calloc(n, sizeof(uint32_t));
	flow->next = calloc(n, 2 * sizeof(size_t));
	flow->indirect = calloc(n, sizeof(bool));
	flow->entered = calloc(n, sizeof(bool));
	if (!flow->start || !flow->live_out || !flow->next || !flow->indirect || !flow->entered) {
		cc_flow_free(flow);
		cc_fail(t, "out of memory");
	}
	make_blocks(t, flow);
	connect(t, flow);
	find_live(t, flow);
}

void cc_flow_free(struct cc_flow *flow)
{
	free(flow->start);
	free(flow->live_out);
	free(flow->next);
	free(flow->indirect);
	free(flow->entered);
	*flow = (struct cc_flow){ .count = 0 };
}

void cc_remove_dead(struct cc_translation *t)
{
	struct cc_function *f = &t->function;
	struct cc_flow flow;

	cc_flow_make(t, &flow);
	for (size_t b = 0; b < flow.count; b++) {
		uint32_t live = flow.live_out[b];
		bool carry_read = false;

		for (size_t i = flow.start[b + 1]; i-- > flow.start[b];) {
			struct cc_insn *insn = &f->insns[i];

			if (insn->dead)
				continue;
			if (cc_is_arithmetic(insn) && !insn->target && !(cc_writes(insn) & live) &&
			    (!insn->carries || (insn->rd == REG_ZERO && !carry_read))) {
				insn->dead = true;
				continue;
			}
			carry_read = insn->op == OP_ADDC || insn->op == OP_SUBC || insn->op == OP_SETC;
			live = (live & ~cc_kills(insn)) | cc_reads(insn);
		}
	}
	cc_flow_free(&flow);
}
