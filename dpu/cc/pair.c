// SPDX-License-Identifier: GPL-2.0-only
/*
 * Assigns registers so that as many 64-bit loads and stores as possible use a pair, those in inner loops first.
 *
 * ld and sd take a pair of registers: the upper half in an even one and the lower half in the next. LLVM's code
 * generator does not know that rule.
 *
 * A value is a set of instructions that write a register and the instructions that read it from them. Its register
 * can change everywhere in its lifetime, unless code outside knows it (arguments, results, asm).
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/insn.h"

/* Registers that values can have: r0 to r9, r14 to r21. */
#define FREE (0x3ffu | 0xffu << 14)
#define MAX_VALUES 16000		/* a bit for each two of them */

/* The places of an instruction that hold registers. */
enum { READ_A, READ_B, READ_C, WRITE_D, WRITE_C, PLACES };

struct pairing {
	struct cc_translation *t;
	struct cc_flow flow;
	uint32_t *parent;		/* of each value's piece, to its representative */
	uint8_t *reg;			/* number of uses, for representatives */
	bool *fixed, *locked;
	bool *copied;			/* another register costs an extra instruction, at its end or its start */
	size_t count, space;
	uint32_t (*at)[PLACES];		/* piece of each place of each instruction */
	uint32_t *first;		/* pieces at each block's start, REG_COUNT each */
	uint32_t *after;		/* and after each instruction */
	uint8_t *near;			/* bit matrix: pairs of values that are alive at the same time */
	uint32_t *number, *value, values;	/* of representatives that are alive somewhere, and back */
};

static uint32_t find(struct pairing *p, uint32_t piece)
{
	while (p->parent[piece] != piece)
		piece = p->parent[piece] = p->parent[p->parent[piece]];
	return piece;
}

static uint32_t new_piece(struct pairing *p, uint8_t reg, bool fixed)
{
	if (p->count == p->space) {
		p->space = p->space ? p->space * 2 : 256;
		p->parent = cc_realloc(p->parent, p->space * sizeof(*p->parent));
		p->reg = cc_realloc(p->reg, p->space);
		p->fixed = cc_realloc(p->fixed, p->space);
		p->copied = cc_realloc(p->copied, p->space);
	}
	p->parent[p->count] = p->count;
	p->reg[p->count] = reg;
	p->fixed[p->count] = fixed || !(FREE >> reg & 1);
	p->copied[p->count] = false;
	return p->count++;
}

static void unite(struct pairing *p, uint32_t a, uint32_t b)
{
	a = find(p, a);
	b = find(p, b);
	if (a == b)
		return;
	p->parent[b] = a;
	p->fixed[a] |= p->fixed[b];
	p->copied[a] |= p->copied[b];
}

static bool pair_active(const struct cc_insn *i)
{
	return !i->dead && i->op > OP_DIRECTIVE;
}

/* Code outside knows the registers of these instructions. */
static bool opaque(const struct cc_insn *i)
{
	return i->op == OP_CALL || i->op == OP_CALL_REG || i->op == OP_TAIL || i->op == OP_RETURN ||
	       i->op == OP_JUMP_REG || i->op == OP_ASM;
}

static uint8_t *place(struct cc_insn *i, int n)
{
	switch (n) {
	case READ_A:
		return &i->ra;
	case READ_B:
		return &i->rb;
	case READ_C:
		return i->op == OP_SD ? &i->rc : NULL;
	case WRITE_D:
		return &i->rd;
	default:
		return i->op == OP_LD ? &i->rc : NULL;
	}
}

/* Each write of a register begins a piece. */
static void number_insn(struct pairing *p, size_t k, uint32_t now[REG_COUNT])
{
	struct cc_insn *i = &p->t->function.insns[k];
	uint32_t reads = cc_reads(i), writes = cc_writes(i);

	for (int r = 0; opaque(i) && r < REG_COUNT; r++) {
		if (reads >> r & 1 || (i->op == OP_ASM && writes >> r & 1))
			p->fixed[now[r]] = true;
		if (i->op != OP_ASM && writes >> r & 1)
			now[r] = new_piece(p, r, true);
	}
	for (int n = 0; !opaque(i) && n < PLACES; n++) {
		uint8_t *r = place(i, n);

		if (!r || *r >= REG_COUNT)
			continue;
		if (n >= WRITE_D)
			now[*r] = new_piece(p, *r, false);
		p->at[k][n] = now[*r];
		p->copied[now[*r]] |= i->op == OP_MOVE && i->rd == i->rb;
	}
}

static void number_block(struct pairing *p, size_t b)
{
	uint32_t now[REG_COUNT];

	memcpy(now, &p->first[b * REG_COUNT], sizeof(now));
	for (size_t k = p->flow.start[b]; k < p->flow.start[b + 1]; k++) {
		if (pair_active(&p->t->function.insns[k]))
			number_insn(p, k, now);
		memcpy(&p->after[k * REG_COUNT], now, sizeof(now));
	}
}

static uint32_t live_before(const struct pairing *p, size_t b)
{
	uint32_t live = p->flow.live_out[b];

	for (size_t k = p->flow.start[b + 1]; k-- > p->flow.start[b];) {
		const struct cc_insn *i = &p->t->function.insns[k];

		if (pair_active(i))
			live = (live & ~cc_kills(i)) | cc_reads(i);
	}
	return live;
}

static const uint32_t *block_end(const struct pairing *p, size_t b)
{
	return &p->after[(p->flow.start[b + 1] - 1) * REG_COUNT];
}

static void number_values(struct pairing *p)
{
	for (size_t b = 0; b < p->flow.count; b++)
		for (int r = 0; r < REG_COUNT; r++)
			p->first[b * REG_COUNT + r] = new_piece(p, r, !b || p->flow.entered[b]);
	for (size_t b = 0; b < p->flow.count; b++)
		number_block(p, b);
	for (size_t b = 0; b < p->flow.count; b++) {
		for (int n = 0; n < 2; n++) {
			size_t next = p->flow.next[2 * b + n];
			uint32_t live = next == SIZE_MAX ? 0 : live_before(p, next);

			for (int r = 0; r < REG_COUNT; r++)
				if (live >> r & 1)
					unite(p, block_end(p, b)[r], p->first[next * REG_COUNT + r]);
		}
	}
}

static bool are_near(const struct pairing *p, uint32_t a, uint32_t b)
{
	size_t bit = (size_t)p->number[a] * p->values + p->number[b];

	return p->near[bit / 8] >> bit % 8 & 1;
}

static void set_near(struct pairing *p, uint32_t a, uint32_t b)
{
	size_t x = (size_t)p->number[a] * p->values + p->number[b];
	size_t y = (size_t)p->number[b] * p->values + p->number[a];

	p->near[x / 8] |= 1 << x % 8;
	p->near[y / 8] |= 1 << y % 8;
}

/* Numbers the values that are alive at one point. */
static void number_live(struct pairing *p, const uint32_t pieces[REG_COUNT], uint32_t live)
{
	for (int r = 0; r < REG_COUNT; r++) {
		uint32_t i = live >> r & 1 ? find(p, pieces[r]) : UINT32_MAX;

		if (i == UINT32_MAX || p->number[i] != UINT32_MAX)
			continue;
		p->number[i] = p->values;
		p->value[p->values++] = i;
	}
}

/* Marks all values that are alive at one point as neighbours. */
static void mark_neighbours(struct pairing *p, const uint32_t pieces[REG_COUNT], uint32_t live)
{
	for (int r = 0; r < REG_COUNT; r++)
		for (int s = 0; live >> r & 1 && s < r; s++)
			if (live >> s & 1)
				set_near(p, find(p, pieces[r]), find(p, pieces[s]));
}

typedef void visit_fn(struct pairing *p, const uint32_t pieces[REG_COUNT], uint32_t live);

/* Visits each point of a block. */
static void visit_block(struct pairing *p, size_t b, visit_fn *visit)
{
	uint32_t live = p->flow.live_out[b];

	for (size_t k = p->flow.start[b + 1]; k-- > p->flow.start[b];) {
		const struct cc_insn *i = &p->t->function.insns[k];

		if (!pair_active(i))
			continue;
		/* A result that nothing reads needs a register, too. */
		visit(p, &p->after[k * REG_COUNT], live | cc_kills(i));
		live = (live & ~cc_kills(i)) | cc_reads(i);
	}
	visit(p, &p->first[b * REG_COUNT], live);
}

/* Another register for value, one that no neighbour has; false if there is none. */
static bool move_away(struct pairing *p, uint32_t value)
{
	uint32_t taken = 0;

	for (uint32_t n = 0; n < p->values; n++)
		if (p->value[n] != value && are_near(p, value, p->value[n]))
			taken |= REG_BIT(p->reg[p->value[n]]);
	taken = FREE & ~taken;
	if (!taken)
		return false;
	p->reg[value] = __builtin_ctz(taken);
	return true;
}

#define MAX_MOVED 8		/* values that move to make room for two */

/* Puts high into the even register and low into the next one, and moves the values that are there now. */
static bool place_pair(struct pairing *p, uint32_t high, uint32_t low, uint8_t even, bool loop)
{
	uint32_t moved[MAX_MOVED];
	uint8_t before[MAX_MOVED], high_before = p->reg[high], low_before = p->reg[low];
	unsigned int count = 0;
	bool ok = (!p->fixed[high] || high_before == even) && (!p->fixed[low] || low_before == even + 1);

	for (uint32_t n = 0; ok && n < p->values; n++) {
		uint32_t i = p->value[n];

		if (i == high || i == low ||
		    !((p->reg[i] == even && are_near(p, high, i)) || (p->reg[i] == even + 1 && are_near(p, low, i))))
			continue;
		ok = !p->fixed[i] && !p->locked[i] && (loop || !p->copied[i]) && count < MAX_MOVED;
		if (ok)
			moved[count++] = i;
	}
	if (!ok)
		return false;
	p->reg[high] = even;
	p->reg[low] = even + 1;
	for (unsigned int i = 0; i < count; i++)
		before[i] = p->reg[moved[i]];
	for (unsigned int i = 0; ok && i < count; i++)
		ok = move_away(p, moved[i]);
	if (ok)
		return true;
	for (unsigned int i = 0; i < count; i++)
		p->reg[moved[i]] = before[i];
	p->reg[high] = high_before;
	p->reg[low] = low_before;
	return false;
}

static void make_pair(struct pairing *p, size_t k, bool loop)
{
	const struct cc_insn *i = &p->t->function.insns[k];
	int low_place = i->op == OP_LD ? WRITE_D : READ_B;
	uint32_t low, high;

	if ((i->op == OP_LD ? i->rd : i->rb) >= REG_COUNT || i->rc >= REG_COUNT)
		return;
	low = find(p, p->at[k][low_place]);
	high = find(p, p->at[k][i->op == OP_LD ? WRITE_C : READ_C]);
	if (low == high || (p->locked[low] && p->locked[high]) || (!loop && (p->copied[low] || p->copied[high])))
		return;
	if (p->locked[low] || p->locked[high]) {
		uint8_t even = p->locked[low] ? p->reg[low] - 1 : p->reg[high];

		if (even % 2 || (p->locked[low] ? p->fixed[high] : p->fixed[low]) || !(FREE >> even & 1))
			return;
		if (place_pair(p, high, low, even, loop))
			p->locked[low] = p->locked[high] = true;
		return;
	}
	/* First try without copies. */
	for (int costly = 0; costly <= loop; costly++) {
		for (uint8_t even = 0; even < REG_COUNT; even += 2) {
			if (!(FREE >> even & 1) || !place_pair(p, high, low, even, costly))
				continue;
			p->locked[low] = p->locked[high] = true;
			return;
		}
	}
}

/* Nesting depth of each instruction: the number of backward jumps around it. */
static uint8_t *loop_depths(const struct pairing *p)
{
	const struct cc_function *f = &p->t->function;
	uint8_t *depth = cc_realloc(NULL, f->count + 1);

	memset(depth, 0, f->count + 1);
	for (size_t b = 0; b < p->flow.count; b++) {
		size_t to = p->flow.next[2 * b + 1];

		if (to == SIZE_MAX || to > b)
			continue;
		for (size_t k = p->flow.start[to]; k < p->flow.start[b + 1]; k++)
			depth[k] += depth[k] < 255;
	}
	return depth;
}

static void make_pairs(struct pairing *p)
{
	struct cc_function *f = &p->t->function;
	uint8_t *depth = loop_depths(p), deepest = 0;

	for (size_t k = 0; k < f->count; k++)
		if (depth[k] > deepest)
			deepest = depth[k];
	for (int d = deepest; d >= 0; d--)
		for (size_t k = 0; k < f->count; k++)
			if (depth[k] == d && pair_active(&f->insns[k]) &&
			    (f->insns[k].op == OP_LD || f->insns[k].op == OP_SD))
				make_pair(p, k, d > 0);
	free(depth);
	for (size_t k = 0; k < f->count; k++) {
		struct cc_insn *i = &f->insns[k];

		if (!pair_active(i) || opaque(i))
			continue;
		for (int n = 0; n < PLACES; n++) {
			uint8_t *r = place(i, n);

			if (r && *r < REG_COUNT)
				*r = p->reg[find(p, p->at[k][n])];
		}
	}
}

static void copy_insn(struct cc_translation *t, const struct cc_insn *i)
{
	struct cc_insn copy = *i;

	*cc_append(t, copy.op) = copy;
}

/* Copies a value from a register that others write, or to one that others read. */
static void append_moves(struct cc_translation *t, uint32_t regs)
{
	for (int r = 0; r < REG_COUNT; r++) {
		struct cc_insn *i;

		if (!(regs >> r & 1))
			continue;
		i = cc_append(t, OP_MOVE);
		i->rd = i->rb = r;
	}
}

/*
 * Adds moves of arguments and results from and to the same register, so that they can have another register in
 * between. Moves that are not needed are removed again.
 */
static void add_moves(struct cc_translation *t)
{
	struct cc_function old = t->function;
	bool start = true;

	t->function.insns = NULL;
	t->function.count = t->function.space = 0;
	for (size_t k = 0; k < old.count; k++) {
		const struct cc_insn *i = &old.insns[k];

		if (start && pair_active(i))
			append_moves(t, 0xff);
		start &= !pair_active(i);
		if (!i->dead && i->op == OP_RETURN)
			append_moves(t, 3);
		copy_insn(t, i);
		if (!i->dead && (i->op == OP_CALL || i->op == OP_CALL_REG))
			append_moves(t, 3);
	}
	free(old.insns);
	cc_remove_dead(t);
}

void cc_make_pairs(struct cc_translation *t)
{
	struct pairing p = { .t = t };
	struct cc_function *f = &t->function;
	bool any = false;

	for (size_t k = 0; k < f->count; k++)
		any |= pair_active(&f->insns[k]) && (f->insns[k].op == OP_LD || f->insns[k].op == OP_SD);
	if (!any)
		return;
	add_moves(t);
	cc_flow_make(t, &p.flow);
	p.at = cc_realloc(NULL, (f->count + 1) * sizeof(*p.at));
	p.first = cc_realloc(NULL, (p.flow.count + 1) * REG_COUNT * sizeof(*p.first));
	p.after = cc_realloc(NULL, (f->count + 1) * REG_COUNT * sizeof(*p.after));
	number_values(&p);
	p.locked = calloc(p.count, sizeof(*p.locked));
	p.number = cc_realloc(NULL, p.count * sizeof(*p.number));
	memset(p.number, 0xff, p.count * sizeof(*p.number));
	p.value = cc_realloc(NULL, p.count * sizeof(*p.value));
	for (size_t b = 0; b < p.flow.count; b++)
		visit_block(&p, b, number_live);
	p.near = p.values <= MAX_VALUES ? calloc(1, (size_t)p.values * p.values / 8 + 1) : NULL;
	if (p.locked && p.near) {
		for (size_t b = 0; b < p.flow.count; b++)
			visit_block(&p, b, mark_neighbours);
		make_pairs(&p);
	}
	for (size_t k = 0; k < f->count; k++)
		if (f->insns[k].op == OP_MOVE && f->insns[k].rd == f->insns[k].rb && !f->insns[k].target)
			f->insns[k].dead = true;
	free(p.locked);
	free(p.near);
	free(p.number);
	free(p.value);
	free(p.parent);
	free(p.reg);
	free(p.fixed);
	free(p.copied);
	free(p.at);
	free(p.first);
	free(p.after);
	cc_flow_free(&p.flow);
}
