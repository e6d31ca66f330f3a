// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tests a block's accesses to WRAM all at once.
 *
 * Accesses by a register that the block has not changed are near each other. One test at the
 * block's start checks that all are aligned and in WRAM, and that the window has marked their
 * granules. For that case there is a second version of the block, whose accesses have no test of
 * their own.
 */
#include "dpu/sim/translate.h"

#define FAR 256			/* bytes from the first access by a register to the last one, at most */
#define LOOP 64			/* instructions from its start to a jump back, at most */
#define COST_OF_ACCESS 6	/* in host instructions: an access's own test, */
#define COST_OF_TEST 6		/* one for all of a register, */
#define COST_OF_GRANULE 2	/* and each of its granules */

struct accesses {
	uint64_t insns;		/* bits, from the block's start */
	int32_t first, end;	/* offsets from the register */
	uint32_t align;
	uint8_t residues;	/* bits: offsets modulo 8 */
};

const char *dpu_put_name(unsigned int reg)
{
	static const char *const names[DPU_REG_COUNT] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
		"r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "0u", "1u", "0xffffffffu",
		"0x80000000u", "id", "id2", "id4", "id8",
	};

	return names[reg];
}

uint32_t dpu_written(const struct dpu_uop *u)
{
	bool pair = u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED);

	switch ((enum dpu_op)u->op) {
	case DPU_OP_nop:
	case DPU_OP_tell:
#define DPU_STORE(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_sd:
		return 0;
	case DPU_OP_ld:
	case DPU_OP_mul_step:
	case DPU_OP_div_step:
	case DPU_OP_movd:
		pair = true;
		break;
	default:
		break;
	}
	return u->rc < DPU_REG_ZERO ? (UINT32_C(1) + 2 * pair) << u->rc : 0;
}

static bool is_store(const struct dpu_uop *u)
{
	switch ((enum dpu_op)u->op) {
#define DPU_STORE(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_sd:
		return true;
	default:
		return false;
	}
}

static int32_t offset_of(const struct dpu_uop *u)
{
	return is_store(u) ? u->aux : u->imm;
}

static void add_access(struct accesses *a, const struct dpu_uop *u, unsigned int bit)
{
	int32_t size = dpu_access_size(u->op), offset = offset_of(u), first = offset, end;

	if (offset & (size - 1) || offset != (int16_t)offset)
		return;
	end = offset + size;
	if (a->insns) {
		first = first < a->first ? first : a->first;
		end = end > a->end ? end : a->end;
	}
	if (end - first > FAR)
		return;
	a->first = first;
	a->end = end;
	a->insns |= UINT64_C(1) << bit;
	a->residues |= 1 << (offset & 7);
	if (a->align < (uint32_t)size)
		a->align = size;
}

/* Granules follow from the register if it is a multiple of 8, or all distances are. */
static void set_low(struct dpu_text *t, unsigned int reg, struct accesses *a)
{
	t->low[reg] = a->first;
	if (!(a->residues & (a->residues - 1)))
		return;
	t->low[reg] &= ~7;
	a->align = 8;
}

/* The granules after low that are written, or else read. */
static uint64_t granules(const struct dpu_text *t, uint64_t insns, bool written)
{
	uint64_t found[2] = { 0, 0 };

	for (; insns; insns &= insns - 1) {
		const struct dpu_uop *u = &t->dpu->code[t->start + __builtin_ctzll(insns)];

		found[is_store(u)] |= UINT64_C(1) << ((offset_of(u) - t->low[u->ra]) / 8);
	}
	return written ? found[true] : found[false] & ~found[true];
}

static bool worth_it(const struct dpu_text *t, uint64_t insns)
{
	unsigned int marks = __builtin_popcountll(granules(t, insns, false) | granules(t, insns, true));

	return COST_OF_ACCESS * (unsigned int)__builtin_popcountll(insns) > COST_OF_TEST + COST_OF_GRANULE * marks;
}

/* An aligned address within WRAM, rotated right by the alignment's logarithm, is at most the last one's. */
static void put_outside(struct dpu_text *t, const char *address, uint32_t align, uint32_t size)
{
	unsigned int shift = __builtin_ctz(align);

	if (shift)
		fprintf(t->file, "((uint32_t)%s >> %u | (uint32_t)%s << %u)", address, shift, address, 32 - shift);
	else
		fputs(address, t->file);
	fprintf(t->file, " > %u", (t->dpu->wram_size - size) / align);
}

/* Has the window marked a granule? With claim: or may it? */
static void put_mark(struct dpu_text *t, unsigned int reg, bool write, unsigned int granule, bool claim)
{
	fprintf(t->file, " && (%s[(at%u >> 3) + %u] == mark", write ? "WRITERS" : "READERS", reg, granule);
	if (claim)
		fprintf(t->file, " || %s(call, wram, (at%u >> 3) + %u)", write ? "may_write" : "may_read", reg, granule);
	fputc(')', t->file);
}

static void put_marks(struct dpu_text *t, const struct accesses by[], bool claim)
{
	for (unsigned int reg = 0; reg < DPU_REG_ZERO; reg++) {
		for (int write = 1; by[reg].insns && write >= 0; write--) {
			uint64_t of = granules(t, by[reg].insns, write);

			for (; of; of &= of - 1)
				put_mark(t, reg, write, __builtin_ctzll(of), claim);
		}
	}
}

/* Are all accesses aligned and in WRAM? */
static void put_places(struct dpu_text *t, const struct accesses by[])
{
	char address[16];

	for (unsigned int reg = 0; reg < DPU_REG_ZERO; reg++) {
		if (!by[reg].insns)
			continue;
		snprintf(address, sizeof(address), "at%u", reg);
		fputs(" || ", t->file);
		put_outside(t, address, by[reg].align, by[reg].end - t->low[reg]);
	}
}

/* What a loop changes that begins where the block does, so that the test of other registers need not be repeated. */
static bool in_loop(const struct dpu_text *t, uint32_t *changed)
{
	uint32_t written = 0;
	bool found = false;

	for (unsigned int i = t->start; i < t->start + LOOP && i < DPU_IRAM_WORDS; i++) {
		const struct dpu_uop *u = &t->dpu->code[i];

		written |= dpu_written(u);
		if (!(u->flags & DPU_UOP_BRANCH) || u->pc != t->start)
			continue;
		*changed = written;
		found = true;
	}
	return found;
}

/* Registers whose test holds as long as they do, in the turns of a loop; 0: too many for the variables, or none. */
static uint32_t remembered(const struct dpu_text *t, const struct accesses by[])
{
	uint32_t tested = 0, changed;

	for (unsigned int reg = 0; reg < DPU_REG_ZERO; reg++)
		if (by[reg].insns)
			tested |= UINT32_C(1) << reg;
	if (!in_loop(t, &changed) || tested & changed || __builtin_popcount(tested) > DPU_MAX_SEEN)
		return 0;
	return tested;
}

/* For each of some registers, with its number among them. */
static void put_seen(struct dpu_text *t, uint32_t registers, const char *format)
{
	unsigned int number = 0;

	for (; registers; registers &= registers - 1, number++)
		fprintf(t->file, format, number, __builtin_ctz(registers));
}

/* In a loop, tests hold that held in its last turn, if the registers are the same: marks stay until the function ends. */
static void put_all_tests(struct dpu_text *t, const struct accesses by[])
{
	uint32_t seen = remembered(t, by);

	if (seen) {
		fprintf(t->file, "\tif (seen != %u", t->start);
		put_seen(t, seen, " || seen%u != at%u");
		fputs(") {\n", t->file);
	}
	fputs("\tif (__builtin_expect(0", t->file);
	put_places(t, by);
	fprintf(t->file, ", 0)) goto S%u;\n\tif (__builtin_expect(!(1", t->start);
	put_marks(t, by, false);
	fputs("), 0) && !(1", t->file);
	put_marks(t, by, true);
	fprintf(t->file, ")) goto S%u;\n", t->start);
	if (seen) {
		fprintf(t->file, "\tseen = %u;", t->start);
		put_seen(t, seen, " seen%u = at%u;");
		fputs("}\n", t->file);
	}
}

bool dpu_put_tests(struct dpu_text *t, unsigned int length)
{
	struct accesses by[DPU_REG_ZERO] = { 0 };
	uint32_t written = 0;

	for (unsigned int i = 0; i < length; i++) {
		const struct dpu_uop *u = &t->dpu->code[t->start + i];

		if (u->flags & DPU_UOP_MEMORY && u->ra < DPU_REG_ZERO && !(written >> u->ra & 1))
			add_access(&by[u->ra], u, i);
		written |= dpu_written(u);
	}
	t->allowed = 0;
	for (unsigned int reg = 0; reg < DPU_REG_ZERO; reg++) {
		if (!by[reg].insns)
			continue;
		set_low(t, reg, &by[reg]);
		if (!worth_it(t, by[reg].insns)) {
			by[reg].insns = 0;
			continue;
		}
		if (!t->allowed)
			fputs("\t{\n", t->file);
		fprintf(t->file, "\tconst uint64_t at%u = r%u + %uu;\n", reg, reg, t->low[reg]);
		t->allowed |= by[reg].insns;
	}
	if (!t->allowed)
		return false;
	put_all_tests(t, by);
	return true;
}

bool dpu_put_address(struct dpu_text *t, unsigned int index)
{
	const struct dpu_uop *u = &t->dpu->code[index];
	unsigned int size = dpu_access_size(u->op);
	bool store = is_store(u);

	if (t->allowed >> (index - t->start) & 1) {
		fprintf(t->file, "const uint64_t at = at%u + %u;", u->ra, offset_of(u) - t->low[u->ra]);
		return false;
	}
	fprintf(t->file, "const uint64_t at = %s + %uu; if (", dpu_put_name(u->ra), offset_of(u));
	put_outside(t, "at", size, size);
	fprintf(t->file, " || (%s[at >> 3] != mark && !%s(call, wram, at >> 3))) ", store ? "WRITERS" : "READERS",
		store ? "may_write" : "may_read");
	return true;
}
