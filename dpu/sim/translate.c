// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A program as C: one function that executes a thread ahead of its turns, as fast.c does.
 *
 * Registers are variables of the function. A block is a run of instructions that is only entered at
 * its start, or after an access to WRAM. It subtracts all its instructions from those that are left
 * at once; an early exit gives the rest back. An instruction that waits for its turn ends the
 * function, and so does an access that ahead.c must check.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/sim/alu.h"
#include "dpu/sim/translate.h"

#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__

static const char types[] =
	"typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;\n"
	"typedef unsigned long long uint64_t; typedef signed char int8_t; typedef short int16_t; typedef int int32_t;\n"
	"#define DPU_ONES 0xffffffffu\n"
	/* the compiler's own builtin may be a library function */
	"static inline uint32_t bits_of(uint32_t x)\n{\n"
	"	x -= x >> 1 & 0x55555555; x = (x & 0x33333333) + (x >> 2 & 0x33333333);\n"
	"	return (x + (x >> 4) & 0x0f0f0f0f) * 0x01010101 >> 24;\n}\n"
	"#define __builtin_popcount bits_of\n";

/*
 * The same as in windows.c, which only handles writes to granules that several windows have read.
 */
static const char claims[] =
	"#define SLOW __attribute__((noinline))\n"
	"static inline _Bool is_open(uint8_t *wram, uint32_t mark)\n{\n"
	"	return WINDOW(mark & THREAD) == mark && CREDIT(mark & THREAD);\n}\n"
	"static SLOW _Bool may_read(struct dpu_blocks_call *c, uint8_t *wram, uint64_t g)\n{\n"
	"	uint32_t reader = READERS[g], writer = WRITERS[g];\n"
	"	if ((writer ^ c->mark) & THREAD && is_open(wram, writer)) return 0;\n"
	"	if (!((reader ^ c->mark) & THREAD)) READERS[g] = c->mark;\n"
	"	else READERS[g] = reader & SHARED || is_open(wram, reader) ? c->shared : c->mark;\n"
	"	return 1;\n}\n"
	"static SLOW _Bool may_write(struct dpu_blocks_call *c, uint8_t *wram, uint64_t g)\n{\n"
	"	uint32_t reader = READERS[g], writer = WRITERS[g], other = (reader ^ c->mark) & THREAD;\n"
	"	struct dpu_change *change = c->changes + *c->changed;\n"
	"	if (*c->changed == CHANGES || ((writer ^ c->mark) & THREAD && is_open(wram, writer))) return 0;\n"
	"	if (other && (reader & SHARED ? (reader & ~SHARED) >= c->oldest : is_open(wram, reader))) return 0;\n"
	"	WRITERS[g] = c->mark;\n"
	"	change->granule = g;\n"
	"	change->old = *(uint64_t *)(wram + 8 * g);\n"
	"	++*c->changed;\n"
	"	return 1;\n}\n";

static bool runs_ahead(const struct dpu *dpu, unsigned int index)
{
	return !dpu_fast_waits(&dpu->code[index]);
}

/* True if the next instruction never follows. */
static bool ends(const struct dpu_uop *u)
{
	return u->op == DPU_OP_call || (u->flags & DPU_UOP_BRANCH && u->cond == DPU_COND_TRUE);
}

void dpu_blocks_entries(const struct dpu *dpu, uint8_t entries[DPU_IRAM_WORDS + 1])
{
	unsigned int length = 0;

	memset(entries, 0, DPU_IRAM_WORDS + 1);
	entries[0] = DPU_ENTRY_BLOCK;
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		const struct dpu_uop *u = &dpu->code[i];

		if (u->op >= DPU_OP_COUNT) {
			entries[i + 1] = DPU_ENTRY_BLOCK;
			continue;
		}
		if (u->flags & DPU_UOP_BRANCH)
			entries[u->pc] = DPU_ENTRY_BLOCK;
		if (u->op == DPU_OP_call && u->ra == DPU_REG_ZERO && u->rb == DPU_REG_ZERO &&
		    (u->imm & 0xffff) < DPU_IRAM_WORDS)
			entries[u->imm & 0xffff] = DPU_ENTRY_BLOCK;
		if (ends(u) || !runs_ahead(dpu, i))
			entries[i + 1] = DPU_ENTRY_BLOCK;
		else if (u->flags & DPU_UOP_MEMORY && !entries[i + 1])
			entries[i + 1] = DPU_ENTRY_BEHIND;
	}
	for (unsigned int i = 0; i <= DPU_IRAM_WORDS; i++) {
		if (!runs_ahead(dpu, i)) {
			entries[i] = length = 0;
			continue;
		}
		if (entries[i] == DPU_ENTRY_BLOCK || length == DPU_MAX_BLOCK) {
			entries[i] = DPU_ENTRY_BLOCK;
			length = 0;
		}
		length++;
	}
}

/* Instructions from index on that are left when the block is entered there. */
static unsigned int block_rest(const struct dpu_text *t, unsigned int index)
{
	unsigned int end = index;

	do {
		if (ends(&t->dpu->code[end++]))
			break;
	} while (runs_ahead(t->dpu, end) && t->entries[end] != DPU_ENTRY_BLOCK);
	return end - index;
}

/* The block's instructions, and the jump after it. */
static void put_insns(struct dpu_text *t, unsigned int length, bool entries)
{
	unsigned int end = t->start + length;

	for (unsigned int i = t->start; i < end; i++) {
		if (entries && t->entries[i] == DPU_ENTRY_BEHIND)
			fprintf(t->file, "M%u:\n", i);
		dpu_put_insn(t, i, end - 1 - i);
	}
	if (ends(&t->dpu->code[end - 1]))
		return;
	fputc('\t', t->file);
	dpu_put_goto(t, end, 0);
	fputc('\n', t->file);
}

/* Returns the index after the block. */
static unsigned int put_block(struct dpu_text *t, unsigned int start)
{
	unsigned int length = block_rest(t, start);

	fprintf(t->file, "L%u: if (left < %u) { pc = %u; goto few; } left -= %u;\n", start, length, start, length);
	t->start = start;
	if (dpu_put_tests(t, length)) {
		put_insns(t, length, false);
		fprintf(t->file, "\t}\nS%u:\n", start);
		t->allowed = 0;
	}
	put_insns(t, length, true);
	return start + length;
}

static void put_dispatch(struct dpu_text *t)
{
	fputs("dispatch:\n\tswitch (pc) {\n", t->file);
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		unsigned int rest = t->entries[i] == DPU_ENTRY_BEHIND ? block_rest(t, i) : 0;

		if (t->entries[i] == DPU_ENTRY_BLOCK)
			fprintf(t->file, "\tcase %u: goto L%u;\n", i, i);
		else if (rest)
			fprintf(t->file, "\tcase %u: if (left < %u) goto few; left -= %u; goto M%u;\n", i, rest, rest, i);
	}
	fputs("\tdefault: goto out;\n\t}\n", t->file);
}

/* The registers that the program names; a pair is two. */
static void find_registers(struct dpu_text *t)
{
	const uint32_t constants = UINT32_C(0xf) << DPU_REG_ZERO;

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		const struct dpu_uop *u = &t->dpu->code[i];

		if (!runs_ahead(t->dpu, i))
			continue;
		t->used |= UINT32_C(1) << u->ra | UINT32_C(3) << u->rb;
		t->changed |= dpu_written(u);
	}
	t->used = (t->used | t->changed) & ~constants;
}

static void put_function(struct dpu_text *t)
{
	fputs("uint32_t " DPU_BLOCKS_SYMBOL "(struct dpu_blocks_call *call, uint32_t pc, uint32_t left)\n{\n"
	      "\tuint32_t old = call->r[34], cf = call->r[35], few = 0;\n\tuint8_t *const wram = call->wram;\n"
	      "\tconst uint32_t mark = call->mark;\n"
	      "\tuint32_t seen = ~0u;\n\tuint64_t seen0 = 0, seen1 = 0;\n", t->file);
	for (unsigned int i = 0; i < DPU_REG_COUNT; i++)
		if (t->used >> i & 1)
			fprintf(t->file, "\tuint32_t %s = call->r[%u];\n", dpu_put_name(i), i);
	put_dispatch(t);
	for (unsigned int i = 0; i < DPU_IRAM_WORDS;)
		i = t->entries[i] == DPU_ENTRY_BLOCK ? put_block(t, i) : i + 1;
	fputs("few:\n\tfew = FEW;\nout:\n\tcall->r[34] = old; call->r[35] = cf;\n", t->file);
	for (unsigned int i = 0; i < DPU_REG_ZERO; i++)
		if (t->changed >> i & 1)
			fprintf(t->file, "\tcall->r[%u] = r%u;\n", i, i);
	fprintf(t->file, "\tcall->pc = pc < %u ? pc : %u;\n\treturn left | few;\n}\n", DPU_IRAM_WORDS,
		DPU_IRAM_WORDS);
}

char *dpu_translate(const struct dpu *dpu, const char *about)
{
	struct dpu_text t = { .dpu = dpu };
	char *text;
	size_t size;

	t.file = open_memstream(&text, &size);
	if (!t.file)
		return NULL;
	dpu_blocks_entries(dpu, t.entries);
	find_registers(&t);
	fprintf(t.file, "/* %s */\n%s%s\n%s\n", about, types, TEXT(DPU_BLOCKS_TYPES), TEXT(DPU_ALU_HELPERS));
	fprintf(t.file, "#define READERS ((uint32_t *)(wram + %td))\n#define WRITERS ((uint32_t *)(wram + %td))\n"
		"#define WINDOW(thread) (*(uint32_t *)(wram + %td + %zu * (thread)))\n"
		"#define CREDIT(thread) (*(uint32_t *)(wram + %td + %zu * (thread)))\n"
		"#define THREAD %uu\n#define SHARED %uu\n#define FEW %uu\n#define CHANGES %uu\n",
		(const uint8_t *)dpu->ahead.readers - dpu->wram, (const uint8_t *)dpu->ahead.writers - dpu->wram,
		(const uint8_t *)&dpu->threads[0].window - dpu->wram, sizeof(dpu->threads[0]),
		(const uint8_t *)&dpu->threads[0].credit - dpu->wram, sizeof(dpu->threads[0]),
		DPU_MARK_THREAD, DPU_MARK_SHARED, DPU_BLOCKS_FEW, DPU_CHANGES);
	fputs(claims, t.file);
	put_function(&t);
	if (!ferror(t.file) && !fclose(t.file))
		return text;
	free(text);
	return NULL;
}
