// SPDX-License-Identifier: GPL-2.0-only
/* A profile in callgrind's format: by function and, where the program has source lines, by line. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/elf_lines.h"
#include "dpu/run/run.h"

/* The function of an instruction by its size, or else the last label before it. */
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

static void callgrind_add(struct dpu_cost *sum, const struct dpu_cost *cost)
{
	sum->instructions += cost->instructions;
	sum->cycles += cost->cycles;
	sum->dma += cost->dma;
	sum->dispatch += cost->dispatch;
}

static void callgrind_put(FILE *file, const struct dpu_cost *cost)
{
	fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cost->instructions, cost->cycles,
		cost->dma, cost->dispatch);
}

void add_profile(struct dpu_cost sum[DPU_IRAM_WORDS], struct dpu *dpu)
{
	const struct dpu_cost *cost = dpu_profile(dpu);

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++)
		callgrind_add(&sum[i], &cost[i]);
}

/* The word at an index of IRAM; 0 if the program has none there. */
static uint64_t word_of(const struct dpu_program *program, unsigned int index)
{
	for (size_t i = 0; i < program->segment_count; i++) {
		const struct dpu_segment *s = &program->segments[i];
		uint32_t offset, at = 8 * index;
		uint64_t word = 0;

		if (dpu_address(s->address, &offset) != DPU_IRAM || at < offset ||
		    at - offset + 8 > s->file_size)
			continue;
		memcpy(&word, s->data + at - offset, 8);
		return word;
	}
	return 0;
}

/* models/upmem/rank-profile.c writes such files. */
void add_profile_of(struct dpu_cost sum[DPU_IRAM_WORDS], const char *path,
		    const struct dpu_program *program)
{
	FILE *file = fopen(path, "r");
	struct dpu_cost cost;
	unsigned int index;
	uint64_t word;
	int n;

	if (!file)
		die(path, strerror(errno));
	while ((n = fscanf(file, "%u %" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &index, &word,
			   &cost.instructions, &cost.cycles, &cost.dma, &cost.dispatch)) == 6) {
		if (index >= DPU_IRAM_WORDS || word_of(program, index) != word)
			die(path, "a profile of another program");
		callgrind_add(&sum[index], &cost);
	}
	if (n != EOF)
		die(path, "not a profile that an upmem-rank wrote");
	fclose(file);
}

void write_profile(FILE *file, const char *path, const struct dpu_program *program,
		   const struct dpu_cost cost[DPU_IRAM_WORDS])
{
	struct elf_lines *lines = elf_lines_open(program->elf);
	const char *function = "", *source = "";
	struct dpu_cost sum = { 0 };

	fprintf(file, "# callgrind format\nversion: 1\ncreator: dpu-run\ncmd: %s\npositions: instr line\n"
		"event: Ir : Instructions\nevent: Cycles : DPU cycles (modelled)\n"
		"event: DmaWait : Cycles that tasklets wait for DMA\n"
		"event: DispatchWait : Cycles that tasklets wait for their turn\n"
		"events: Ir Cycles DmaWait DispatchWait\n\nob=%s\n", path, path);
	for (uint32_t i = 0; i < DPU_IRAM_WORDS; i++) {
		const char *name, *file_name = "???";
		unsigned int line = 0;

		if (!cost[i].instructions)
			continue;
		name = function_of(program, DPU_IRAM_FLAG + 8 * i);
		if (lines && !elf_lines_find(lines, DPU_IRAM_FLAG + 8 * i, &file_name, &line))
			line = 0;
		if (strcmp(source, file_name) || strcmp(function, name))
			fprintf(file, "fl=%s\nfn=%s\n", file_name, name);
		source = file_name;
		function = name;
		fprintf(file, "0x%" PRIx32 " %u ", DPU_IRAM_FLAG + 8 * i, line);
		callgrind_put(file, &cost[i]);
		callgrind_add(&sum, &cost[i]);
	}
	fprintf(file, "totals: ");
	callgrind_put(file, &sum);
	if (lines)
		elf_lines_close(lines);
}
