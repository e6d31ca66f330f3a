// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the check learns from a program's code: stacks, functions that copy memory, and loops that
 * wait for a variable. Such loops store nothing and their address does not change.
 */
#include <string.h>

#include "dpu/sim/check-internal.h"

#define LONGEST_LOOP 8		/* instructions of a loop that waits */

static bool is_load(enum dpu_op op)
{
	switch (op) {
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
		return true;
	default:
		return false;
	}
}

static bool writes(const struct dpu_uop *u, unsigned int reg)
{
	bool pair = u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED) || u->op == DPU_OP_ld;

	return u->rc == reg || (pair && u->rc + 1 == (int)reg);
}

/* A loop from first to last without stores and calls, with its only backward jump at the end. */
static bool only_looks(const struct dpu *dpu, unsigned int first, unsigned int last)
{
	for (unsigned int i = first; i <= last; i++) {
		const struct dpu_uop *u = &dpu->code[i];

		if (!is_load(u->op) && !dpu_is_arithmetic(u->op) && u->op != DPU_OP_nop &&
		    !(u->op == DPU_OP_call && i == last))
			return false;
	}
	return true;
}

static void mark_waiting(struct dpu *dpu, unsigned int first, unsigned int last)
{
	for (unsigned int i = first; i <= last; i++) {
		const struct dpu_uop *u = &dpu->code[i];
		bool moves = false;

		for (unsigned int j = first; j <= last; j++)
			moves |= u->ra < DPU_REG_ZERO && writes(&dpu->code[j], u->ra);
		if (is_load(u->op) && !moves)
			dpu->check->waits[i] = true;
	}
}

/* The target of a backward jump or branch, or DPU_IRAM_WORDS. */
static unsigned int goes_to(const struct dpu_uop *u)
{
	if (u->op == DPU_OP_call)
		return u->rc == DPU_REG_SINK && u->ra == DPU_REG_ZERO && u->rb >= DPU_REG_ZERO ? u->imm & 0xffff :
		       DPU_IRAM_WORDS;
	return dpu_is_arithmetic(u->op) && u->flags & DPU_UOP_BRANCH ? u->pc : DPU_IRAM_WORDS;
}

static void find_waiting(struct dpu *dpu)
{
	memset(dpu->check->waits, 0, sizeof(dpu->check->waits));
	for (unsigned int last = 0; last < DPU_IRAM_WORDS; last++) {
		unsigned int first = goes_to(&dpu->code[last]);

		if (first <= last && last - first < LONGEST_LOOP && only_looks(dpu, first, last))
			mark_waiting(dpu, first, last);
	}
}

/* Functions of the heap, of strings, and of what orders tasklets, of dpu-cc and of UPMEM's library. */
static const struct {
	const char *name;
	enum check_function kind;
} functions[] = {
	{ "mem_alloc", CHECK_ALLOC }, { "mem_reset", CHECK_RESET }, { "buddy_alloc", CHECK_BUDDY },
	{ "buddy_free", CHECK_BUDDY_FREE }, { "fsb_alloc", CHECK_FSB }, { "fsb_get", CHECK_FSB_GET },
	{ "fsb_free", CHECK_FSB_FREE }, { "buddy_init", CHECK_OWN }, { "buddy_realloc", CHECK_BUDDY_REALLOC },
	{ "mem_alloc_nolock", CHECK_OWN }, { "barrier_wait", CHECK_OWN }, { "sem_take", CHECK_OWN },
	{ "sem_give", CHECK_OWN }, { "handshake_wait_for", CHECK_OWN }, { "handshake_notify", CHECK_OWN },
	{ "__bootstrap", CHECK_OWN }, { "memcpy", CHECK_COPY }, { "memmove", CHECK_COPY }, { "memset", CHECK_SET },
	{ "strcpy", CHECK_STRCPY }, { "stpcpy", CHECK_STRCPY }, { "strcat", CHECK_STRCAT }, { "strncpy", CHECK_STRING },
	{ "strncat", CHECK_STRING }, { "strlen", CHECK_STRING }, { "strnlen", CHECK_STRING }, { "strcmp", CHECK_STRING },
	{ "strncmp", CHECK_STRING }, { "strchr", CHECK_STRING }, { "strrchr", CHECK_STRING }, { "strstr", CHECK_STRING },
	{ "memcmp", CHECK_STRING }, { "memchr", CHECK_STRING },
};

static enum check_function function_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return functions[i].kind;
	return strncmp(name, "seqread_", 8) ? CHECK_NONE : CHECK_STRING;
}

static void find_functions(struct dpu_check *c, const struct dpu_program *program)
{
	const struct dpu_program_symbol *end = dpu_program_symbol(program, "__sys_end");

	memset(c->entry, 0, sizeof(c->entry));
	memset(c->own, 0, sizeof(c->own));
	memset(c->string, 0, sizeof(c->string));
	memset(c->copies, 0, sizeof(c->copies));
	memset(c->is_mutex, 0, sizeof(c->is_mutex));
	c->end = end ? (end->value & ~DPU_IRAM_FLAG) / 8 : 0;
	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];
		uint32_t first = (s->value & ~DPU_IRAM_FLAG) / 8;
		enum check_function kind = function_kind(s->name);

		if (s->value - DPU_ELF_ATOMIC < DPU_ATOMIC_BITS)
			c->is_mutex[s->value - DPU_ELF_ATOMIC] = strstr(s->name, "mutex_");
		if (kind == CHECK_NONE || !(s->value & DPU_IRAM_FLAG) || first >= DPU_IRAM_WORDS)
			continue;
		c->entry[first] = kind;
		for (uint32_t k = first; k < first + s->size / 8 && k < DPU_IRAM_WORDS; k++) {
			c->copies[k] = kind == CHECK_COPY;
			c->string[k] = kind >= CHECK_STRING && kind < CHECK_ALLOC;
			c->own[k] = !c->string[k];
		}
	}
}

void dpu_check_program(struct dpu *dpu, const struct dpu_program *program)
{
	const struct dpu_program_symbol *table = dpu_program_symbol(program, "__sys_thread_stack_table_ptr");
	const struct dpu_program_symbol *cache = dpu_program_symbol(program, "__sw_cache_buffer");
	const struct dpu_program_symbol *stacks = dpu_program_symbol(program, "__sys_stacks");
	struct dpu_check *c = dpu->check;
	bool down = false;

	if (!c)
		return;
	c->cache = cache ? cache->value : 0;
	c->cache_size = cache ? cache->size : 0;
	c->list.count = 0;
	memset(c->told, 0, sizeof(c->told));
	c->stack_table = table ? table->value : 0;
	memset(c->tasklets, 0, sizeof(c->tasklets));
	for (unsigned int t = 0; table && t < dpu->arch->threads; t++) {
		uint32_t entry[2];

		/* UPMEM's start-up code loads {size, address} into r23 and r22 */
		if (dpu_wram_ok(dpu->wram_size, table->value + 8 * t, 4))
			memcpy(entry, dpu->wram + table->value + 8 * t, sizeof(entry));
		else
			memset(entry, 0, sizeof(entry));
		/* dpu-cc's stacks grow down, so that the address is the end */
		down |= !t && stacks && entry[1] > stacks->value;
		c->tasklets[t].size = entry[0];
		c->tasklets[t].base = entry[1] - (down ? entry[0] : 0);
	}
	c->grows_down = down;
	find_waiting(dpu);
	find_functions(c, program);
	dpu_check_objects(c, program);
}
