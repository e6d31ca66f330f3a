// SPDX-License-Identifier: LGPL-2.1-or-later
/* Findings as sentences. */
#include <inttypes.h>
#include <string.h>

#include "common/elf_lines.h"
#include "dpu/include/dpu_stack.h"
#include "dpu/include/check.h"

struct printer {
	const struct dpu_program *program;
	struct elf_lines *lines;
};

/* "race.c:12 (main+0x18)", as far as the program says. Compilers give an instruction of two lines the line 0. */
static void put_code(FILE *file, const struct printer *p, uint16_t pc)
{
	uint32_t address = DPU_IRAM_FLAG + 8 * (uint32_t)pc, before = address;
	const struct dpu_program_symbol *s = dpu_program_around(p->program, address);
	unsigned int line = 0;
	const char *source;

	while (p->lines && s && before >= s->value && (!elf_lines_find(p->lines, before, &source, &line) || !line))
		before -= 8;
	if (line)
		fprintf(file, "%s:%u (", source, line);
	else
		fprintf(file, "0x%08" PRIx32 " (", address);
	fprintf(file, "%s+0x%" PRIx32 ")", s ? s->name : "?", s ? address - s->value : 0);
}

/* The smallest variable that contains an address. */
static const struct dpu_program_symbol *variable_at(const struct dpu_program *program, uint32_t address)
{
	const struct dpu_program_symbol *best = NULL;

	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];

		if (!s->absolute && !s->function && address >= s->value && address - s->value < s->size &&
		    (!best || s->size < best->size))
			best = s;
	}
	return best;
}

/* Bytes at an address, in a place unless they are in a variable. */
static void put_bytes(FILE *file, const struct printer *p, uint32_t address, uint32_t size, const struct dpu_place *in)
{
	static const char *const names[] = {
		[DPU_PLACE_VARIABLE] = "no variable", [DPU_PLACE_LOCAL] = "a local variable",
		[DPU_PLACE_BLOCK] = "a block of the heap", [DPU_PLACE_STACK] = "the stack of tasklet "
	};
	const struct dpu_program_symbol *s = variable_at(p->program, address);
	bool block = !s && in->kind == DPU_PLACE_BLOCK, stack = !s && in->kind == DPU_PLACE_STACK;
	uint32_t offset, into = s ? address - s->value : block ? address - in->start : 0;
	const char *memory = dpu_address(address, &offset) == DPU_MRAM ? "MRAM" : "WRAM";

	fprintf(file, "%s", s ? s->name : names[in->kind]);
	if (stack)
		fprintf(file, "%u", in->thread);
	if (into)
		fprintf(file, "+%" PRIu32, into);
	fprintf(file, " (%" PRIu32 " bytes at %s 0x%" PRIx32, size, memory, offset);
	if (block) {
		fprintf(file, ", allocated at ");
		put_code(file, p, in->pc);
	}
	fprintf(file, ")");
}

static void put_race(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	fprintf(file, "race on ");
	put_bytes(file, p, f->address, f->size, &f->in);
	fprintf(file, ": tasklet %u %s at ", f->thread, f->write ? "writes" : "reads");
	put_code(file, p, f->pc);
	fprintf(file, ", tasklet %u %s at ", f->other, f->other_write ? "wrote" : "read");
	put_code(file, p, f->other_pc);
	fprintf(file, ", and nothing orders them: use a mutex, a barrier or a handshake");
}

/* "tasklet 3", "tasklets 0-2, 5" */
static void put_tasklets(FILE *file, uint32_t tasklets)
{
	const char *before = tasklets & (tasklets - 1) ? "tasklets " : "tasklet ";

	for (unsigned int t = 0, last; t < DPU_MAX_THREADS; t = last + 1) {
		for (last = t; tasklets >> last & tasklets >> (last + 1) & 1; last++)
			;
		if (!(tasklets >> t & 1))
			continue;
		fprintf(file, "%s%u", before, t);
		if (last > t)
			fprintf(file, "-%u", last);
		before = ", ";
	}
}

/* The name of a mutex: dpu-cc and UPMEM's headers put the kind before it. */
static const char *mutex_name(const struct printer *p, uint32_t bit)
{
	for (size_t i = 0; i < p->program->symbol_count; i++) {
		const char *name = p->program->symbols[i].value == bit ? strstr(p->program->symbols[i].name, "mutex_") : NULL;

		if (name)
			return name + strlen("mutex_");
	}
	return "?";
}

static void put_mutex(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	const char *name = mutex_name(p, f->address);

	if (f->kind == DPU_FINDING_MUTEX_HELD)
		fprintf(file, "tasklet %u has returned with mutex %s, which it locked at ", f->thread, name);
	else
		fprintf(file, "tasklet %u unlocks mutex %s, which %s, at ", f->thread, name,
			f->kind == DPU_FINDING_MUTEX_FREE ? "nobody has" : "another tasklet has");
	put_code(file, p, f->pc);
	if (f->kind == DPU_FINDING_MUTEX_OTHER) {
		fprintf(file, "; tasklet %u locked it at ", f->other);
		put_code(file, p, f->other_pc);
	}
}

/* "deadlock: tasklets 0-2 wait for ever", or what they do in a launch that goes on */
static void put_waiting(FILE *file, const struct dpu_finding *f)
{
	fputs(f->running ? "still running: " : "deadlock: ", file);
	put_tasklets(file, f->size);
	fprintf(file, " wait%s%s", f->size & (f->size - 1) ? "" : "s", f->running ? "" : " for ever");
}

static void put_wait(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	put_waiting(file, f);
	fprintf(file, " for mutex %s, at ", mutex_name(p, f->address));
	put_code(file, p, f->pc);
	fprintf(file, ", which tasklet %u locked at ", f->other);
	put_code(file, p, f->other_pc);
}

/* Tasklets that wait in a function of the library. */
static void put_deadlock(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	const struct dpu_program_symbol *in = dpu_program_around(p->program, DPU_IRAM_FLAG + 8 * (uint32_t)f->pc);
	const struct dpu_program_symbol *s = variable_at(p->program, f->address);

	put_waiting(file, f);
	fprintf(file, " in %s", in ? in->name : "?");
	if (in && !strncmp(in->name, "handshake", 9))
		fprintf(file, " for tasklet %" PRIu32, f->address);
	else if (s)
		fprintf(file, " for %s", s->name);
	fprintf(file, ", called at ");
	put_code(file, p, f->other_pc);
}

static void put_problem(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	uint32_t offset;
	const char *memory = dpu_address(f->address, &offset) == DPU_MRAM ? "MRAM" : "WRAM";

	switch (f->kind) {
	case DPU_FINDING_RACE:
		put_race(file, p, f);
		return;
	case DPU_FINDING_UNWRITTEN:
	case DPU_FINDING_UNWRITTEN_MRAM:
		fprintf(file, "read of ");
		put_bytes(file, p, f->address, f->size, &f->in);
		fprintf(file, f->kind == DPU_FINDING_UNWRITTEN ? ", which nobody wrote" :
			", which came from MRAM that nobody wrote");
		break;
	case DPU_FINDING_STACK:
		return;		/* put_stacks() */
	case DPU_FINDING_DEADLOCK:
		put_deadlock(file, p, f);
		return;
	case DPU_FINDING_MUTEX_HELD:
	case DPU_FINDING_MUTEX_FREE:
	case DPU_FINDING_MUTEX_OTHER:
		put_mutex(file, p, f);
		return;
	case DPU_FINDING_MUTEX_WAIT:
		put_wait(file, p, f);
		return;
	case DPU_FINDING_RUNNING:
		fputs("still running: ", file);
		put_tasklets(file, f->size);
		fputs(" at ", file);
		put_code(file, p, f->pc);
		return;
	case DPU_FINDING_NULL:
		fprintf(file, "%s through a NULL pointer (%" PRIu32 " bytes at WRAM 0x%" PRIx32 ")",
			f->write ? "write" : "read", f->size, f->address);
		break;
	case DPU_FINDING_MEMORY:
		fprintf(file, "the address of ");
		put_bytes(file, p, f->object.start, f->object.size, &f->object);
		fprintf(file, " is used as one in %s", memory);
		break;
	case DPU_FINDING_RETURNED:
		fprintf(file, "%s of ", f->write ? "write" : "read");
		put_bytes(file, p, f->address, f->size, &f->in);
		fprintf(file, ", from a function that has returned");
		break;
	case DPU_FINDING_GIVEN_BACK:
	case DPU_FINDING_FREED_TWICE:
		fprintf(file, f->kind == DPU_FINDING_FREED_TWICE ? "free of " : f->write ? "write of " : "read of ");
		put_bytes(file, p, f->address, f->size, &f->in);
		fprintf(file, ", which mem_reset or a free has given back");
		break;
	case DPU_FINDING_BOUNDS:
		fprintf(file, f->write ? "write of " : "read of ");
		put_bytes(file, p, f->address, f->size, &f->in);
		fprintf(file, " leaves ");
		put_bytes(file, p, f->object.start, f->object.size, &f->object);
		break;
	case DPU_FINDING_DMA_LENGTH:
		fprintf(file, "DMA of %" PRIu32 " bytes: must be 8 to %u, a multiple of 8", f->size, DPU_DMA_MAX);
		break;
	case DPU_FINDING_DMA_RANGE:
		fprintf(file, "DMA of %" PRIu32 " bytes leaves its memory, at MRAM 0x%" PRIx32, f->size,
			f->address & ~DPU_MRAM_FLAG);
		break;
	case DPU_FINDING_DMA_WRAM:
	case DPU_FINDING_DMA_MRAM:
		fprintf(file, "DMA with %s address 0x%" PRIx32 ", which is no multiple of 8 and is rounded down",
			memory, offset);
		break;
	}
	fprintf(file, ": tasklet %u at ", f->thread);
	put_code(file, p, f->pc);
}

/* The stacks that overflowed at the place of f, which is one of them. */
static void put_stacks(FILE *file, const struct printer *p, const struct dpu_finding *f, uint32_t tasklets,
		       uint32_t used)
{
	char need[DPU_STACK_TEXT_SIZE];

	fprintf(file, "stack of ");
	put_tasklets(file, tasklets);
	fprintf(file, " overflowed at ");
	put_code(file, p, f->pc);
	fprintf(file, ": ");
	if (dpu_stack_text(p->program, f->room, used, need))
		fprintf(file, "%s", need);
	else
		fprintf(file, "%" PRIu32 " bytes were used, it has %" PRIu32 ": raise STACK_SIZE_DEFAULT", used, f->room);
	fputc('\n', file);
}

static bool same_overflow(const struct dpu_finding *a, const struct dpu_finding *b)
{
	return a->kind == DPU_FINDING_STACK && b->kind == DPU_FINDING_STACK && a->pc == b->pc && a->room == b->room;
}

/* One line for each place at which new findings say that a stack overflowed. */
static void put_all_stacks(FILE *file, const struct printer *p, const char *prefix,
			   const struct dpu_finding *findings, size_t count, bool is_new[])
{
	for (size_t i = 0; i < count; i++) {
		uint32_t tasklets = 0, used = 0;

		for (size_t j = i; j < count; j++) {
			if (!is_new[i] || !is_new[j] || !same_overflow(&findings[i], &findings[j]))
				continue;
			tasklets |= UINT32_C(1) << findings[j].thread;
			used = findings[j].size > used ? findings[j].size : used;
			is_new[j] = j == i;
		}
		if (!tasklets)
			continue;
		fputs(prefix, file);
		put_stacks(file, p, &findings[i], tasklets, used);
		is_new[i] = false;
	}
}

void dpu_findings_print(struct dpu_finding_list *list, const struct dpu *dpu, const char *prefix, FILE *file,
			const struct dpu_program *program, struct elf_lines *lines)
{
	const struct printer p = { program, lines };
	bool is_new[DPU_MAX_FINDINGS], overflowed = false, said = false;
	const struct dpu_finding *findings;
	size_t count = dpu_findings(dpu, &findings);

	for (size_t i = 0; i < count; i++)
		is_new[i] = dpu_finding_add(list, &findings[i]);
	put_all_stacks(file, &p, prefix, findings, count, is_new);
	for (size_t i = 0; i < count; i++) {
		overflowed |= findings[i].kind == DPU_FINDING_STACK;
		if (!is_new[i])
			continue;
		if (overflowed && !said)
			fprintf(file, "%sthe findings below came after a stack had overflowed and may follow from it\n",
				prefix);
		said |= overflowed;
		fputs(prefix, file);
		put_problem(file, &p, &findings[i]);
		fputc('\n', file);
	}
}
