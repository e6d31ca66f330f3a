// SPDX-License-Identifier: GPL-2.0-only
/* A profile in callgrind's format: by function and, where the program has source lines, by line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dpu-run/run.h"

/* The function that an instruction is part of by its size, or else the last label before it. */
static const char *function_of(const struct dpu_program *program, uint32_t address)
{
	const struct dpu_program_symbol *label = NULL;

	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];
		uint32_t offset;

		if (s->absolute || !*s->name || s->value > address ||
		    dpu_address(s->value, &offset) != DPU_IRAM)
			continue;
		if (s->function && address - s->value < s->size)
			return s->name;
		if (!label || s->value >= label->value)
			label = s;
	}
	return label ? label->name : "(no symbol)";
}

static void add(struct dpu_cost *sum, const struct dpu_cost *cost)
{
	sum->instructions += cost->instructions;
	sum->cycles += cost->cycles;
	sum->dma += cost->dma;
	sum->dispatch += cost->dispatch;
}

static void put(FILE *file, const struct dpu_cost *cost)
{
	fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cost->instructions, cost->cycles,
		cost->dma, cost->dispatch);
}

void write_profile(FILE *file, const char *path, const struct dpu_program *program,
		   struct dpu *const dpus[], unsigned int count)
{
	const char *function = "", *source = "";
	struct dpu_cost sum = { 0 };

	fprintf(file, "# callgrind format\nversion: 1\ncreator: dpu-run\ncmd: %s\npositions: instr line\n"
		"event: Ir : Instructions\nevent: Cycles : DPU cycles (modelled)\n"
		"event: DmaWait : Cycles that tasklets wait for DMA\n"
		"event: DispatchWait : Cycles that tasklets wait for their turn\n"
		"events: Ir Cycles DmaWait DispatchWait\n\nob=%s\n", path, path);
	for (uint32_t i = 0; i < DPU_IRAM_WORDS; i++) {
		struct dpu_cost cost = { 0 };
		const char *name, *file_name = "???";
		unsigned int line = 0;

		for (unsigned int n = 0; n < count; n++)
			add(&cost, &dpu_profile(dpus[n])[i]);
		if (!cost.instructions)
			continue;
		name = function_of(program, DPU_IRAM_FLAG + 8 * i);
		if (strcmp(source, file_name) || strcmp(function, name))
			fprintf(file, "fl=%s\nfn=%s\n", file_name, name);
		source = file_name;
		function = name;
		fprintf(file, "0x%" PRIx32 " %u ", DPU_IRAM_FLAG + 8 * i, line);
		put(file, &cost);
		add(&sum, &cost);
	}
	fprintf(file, "totals: ");
	put(file, &sum);
}
