// SPDX-License-Identifier: LGPL-2.1-or-later
/* Findings as sentences. */
#include <inttypes.h>

#include "formats/dpu_lines.h"
#include "upmem/check.h"

struct printer {
	const struct dpu_program *program;
	struct dpu_lines *lines;
};

/* "race.c:12 (main+0x18)", as far as the program says */
static void put_code(FILE *file, const struct printer *p, uint16_t pc)
{
	uint32_t address = DPU_IRAM_FLAG + 8 * (uint32_t)pc;
	const struct dpu_program_symbol *s = dpu_program_around(p->program, address);
	const char *source;
	unsigned int line;

	if (p->lines && dpu_lines_find(p->lines, address, &source, &line))
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

static void put_bytes(FILE *file, const struct printer *p, uint32_t address, uint32_t size)
{
	const struct dpu_program_symbol *s = variable_at(p->program, address);
	uint32_t offset;
	const char *memory = dpu_address(address, &offset) == DPU_MRAM ? "MRAM" : "WRAM";

	if (s && address > s->value)
		fprintf(file, "%s+%" PRIu32 " (", s->name, address - s->value);
	else if (s)
		fprintf(file, "%s (", s->name);
	else
		fprintf(file, "no variable (");
	fprintf(file, "%" PRIu32 " bytes at %s 0x%" PRIx32 ")", size, memory, offset);
}

static void put_race(FILE *file, const struct printer *p, const struct dpu_finding *f)
{
	fprintf(file, "race on ");
	put_bytes(file, p, f->address, f->size);
	fprintf(file, ": tasklet %u %s at ", f->thread, f->write ? "writes" : "reads");
	put_code(file, p, f->pc);
	fprintf(file, ", tasklet %u %s at ", f->other, f->other_write ? "wrote" : "read");
	put_code(file, p, f->other_pc);
	fprintf(file, ", and nothing orders them: use a mutex, a barrier or a handshake");
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
		put_bytes(file, p, f->address, f->size);
		fprintf(file, f->kind == DPU_FINDING_UNWRITTEN ? ", which nobody wrote" :
			", which came from MRAM that nobody wrote");
		break;
	case DPU_FINDING_STACK:
		fprintf(file, "stack of tasklet %u (at WRAM 0x%" PRIx32 ") is %" PRIu32 " bytes too small: raise "
			"STACK_SIZE_DEFAULT", f->thread, f->address, f->size);
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

void dpu_findings_print(struct dpu_finding_list *list, const struct dpu *dpu, const char *prefix, FILE *file,
			const struct dpu_program *program, struct dpu_lines *lines)
{
	const struct printer p = { program, lines };
	const struct dpu_finding *findings;
	size_t count = dpu_findings(dpu, &findings);

	for (size_t i = 0; i < count; i++) {
		if (!dpu_finding_add(list, &findings[i]))
			continue;
		fputs(prefix, file);
		put_problem(file, &p, &findings[i]);
		fputc('\n', file);
	}
}
