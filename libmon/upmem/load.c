// SPDX-License-Identifier: LGPL-2.1-or-later
/* Programs: reading, loading, symbols. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"

void dpu_program_put(struct dpu_program_t *program)
{
	if (!program || --program->users)
		return;
	dpu_program_close(program->elf);
	free(program);
}

struct same {
	struct dpu_program_t *program;
};

static dpu_error_t check_same(struct dpu_t *dpu, void *arg)
{
	struct same *same = arg;

	if (!dpu->program)
		return dpu_failed(DPU_ERR_NO_PROGRAM_LOADED, "DPU %u of rank %u has no program: call dpu_load",
				  dpu->index, dpu->rank->id);
	if (same->program && same->program != dpu->program)
		return dpu_failed(DPU_ERR_DIFFERENT_DPU_PROGRAMS,
				  "the DPUs of the set have different programs: use smaller sets");
	same->program = dpu->program;
	return DPU_OK;
}

static dpu_error_t program_of_set(struct dpu_set_t set, struct dpu_program_t **program)
{
	struct same same = { NULL };
	dpu_error_t error = dpu_visit(set, check_same, &same);

	*program = same.program;
	return error;
}

/* The rest of a segment after its bytes in the file is zero. */
static dpu_error_t load_segment(struct dpu_t *dpu, const struct dpu_segment *s, uint8_t *image,
				uint32_t padded)
{
	memcpy(image, s->data, s->file_size);
	memset(image + s->file_size, 0, padded - s->file_size);
	return dpu_transfer(dpu, UPMEM_TO_DPU, s->address, image, padded);
}

static dpu_error_t check_segment(const struct dpu_t *dpu, const struct dpu_segment *s)
{
	const struct upmem_info *info = &dpu->rank->info;
	uint32_t offset;
	enum dpu_memory memory = dpu_address(s->address, &offset);

	if (memory == DPU_IRAM && offset + s->size > info->iram_words * 8)
		return dpu_failed(DPU_ERR_INVALID_IRAM_ACCESS,
				  "the program has %u instructions, this DPU's IRAM %u",
				  (offset + s->size) / 8, info->iram_words);
	if (memory == DPU_WRAM && offset + s->size > info->wram_size)
		return dpu_failed(DPU_ERR_INVALID_WRAM_ACCESS,
				  "the program's data ends at byte %u of WRAM, which has %u",
				  offset + s->size, info->wram_size);
	return DPU_OK;
}

static dpu_error_t load_segments(struct dpu_t *dpu, const struct dpu_program *elf)
{
	dpu_error_t error = DPU_OK;

	for (size_t i = 0; !error && i < elf->segment_count; i++) {
		const struct dpu_segment *s = &elf->segments[i];
		uint32_t padded = (s->size + 3) & ~3u;
		uint8_t *image;

		error = check_segment(dpu, s);
		if (error)
			return error;
		if (s->address & (DPU_IRAM_FLAG | DPU_MRAM_FLAG))
			padded = (s->size + 7) & ~7u;
		image = malloc(padded);
		if (!image)
			return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
		error = load_segment(dpu, s, image, padded);
		free(image);
	}
	return error;
}

static dpu_error_t load_one(struct dpu_t *dpu, void *arg)
{
	struct dpu_program_t *program = arg;
	const struct dpu_program_symbol *clocks;
	dpu_error_t error;

	if (program->elf->tasklets > dpu->rank->info.threads)
		return dpu_failed(DPU_ERR_TOO_MANY_TASKLETS, "the program has %u tasklets, this DPU %u",
				  program->elf->tasklets, dpu->rank->info.threads);
	error = load_segments(dpu, program->elf);
	if (error)
		return error;
	clocks = dpu_program_symbol(program->elf, "CLOCKS_PER_SEC");
	if (clocks)
		error = dpu_transfer(dpu, UPMEM_TO_DPU, clocks->value, &dpu->rank->info.clock_hz, 4);
	if (error)
		return error;
	dpu_simulator_loaded(dpu, program->elf);
	program->users++;
	dpu_program_put(dpu->program);
	dpu->program = program;
	return DPU_OK;
}

/*
 * A profile that names no chip leaves it to the first program of a rank, as dpu-run does. Until then a rank is of the
 * generation that has all counters.
 */
static void choose_chip(struct dpu_set_t set, const struct dpu_program *elf)
{
	bool v1b = !strcmp(elf->arch, "v1B");
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);

	for (uint32_t i = 0; i < count; i++)
		if (ranks[i]->any_chip && dpu_simulator_arch(ranks[i], v1b))
			ranks[i]->any_chip = false;
}

/* elf belongs to this function. */
static dpu_error_t load_program_file(struct dpu_set_t set, const char *name, struct dpu_program *elf,
				     struct dpu_program_t **out)
{
	struct dpu_program_t *program = calloc(1, sizeof(*program));
	dpu_error_t error;

	if (!program) {
		dpu_program_close(elf);
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	}
	program->elf = elf;
	program->users = 1;
	snprintf(program->name, sizeof(program->name), "%s", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
	dpu_jobs_wait_set(set);
	choose_chip(set, elf);
	error = dpu_visit(set, load_one, program);
	if (!error)
		dpu_report_loaded(program);
	/* the DPUs keep it */
	if (out && !error)
		*out = program;
	dpu_program_put(program);
	return error;
}

static dpu_error_t elf_error(const char *name, enum dpu_program_error error)
{
	if (error == DPU_PROGRAM_MEMORY)
		return dpu_failed(DPU_ERR_SYSTEM, "%s: out of memory", name);
	return dpu_failed(DPU_ERR_ELF_INVALID_FILE, "%s: %s", name, dpu_program_error_text(error));
}

dpu_error_t dpu_load(struct dpu_set_t set, const char *path, struct dpu_program_t **program)
{
	struct dpu_program *elf;
	enum dpu_program_error error = dpu_program_read(path, &elf);

	if (error && errno)
		return dpu_failed(errno == ENOMEM ? DPU_ERR_SYSTEM : DPU_ERR_ELF_NO_SUCH_FILE, "%s: %s",
				  path, strerror(errno));
	return error ? elf_error(path, error) : load_program_file(set, path, elf, program);
}

dpu_error_t dpu_load_from_memory(struct dpu_set_t set, uint8_t *buffer, size_t size,
				 struct dpu_program_t **program)
{
	struct dpu_program *elf;
	enum dpu_program_error error = dpu_program_open(buffer, size, &elf);

	return error ? elf_error("program in memory", error) : load_program_file(set, "(memory)", elf, program);
}

dpu_error_t dpu_load_from_incbin(struct dpu_set_t set, struct dpu_incbin_t *incbin,
				 struct dpu_program_t **program)
{
	return dpu_load_from_memory(set, incbin->buffer, incbin->size, program);
}

/* The linker gives the heap no size; it is the rest of MRAM. */
static uint32_t symbol_size(const struct dpu_program_symbol *s)
{
	uint32_t offset;

	if (strcmp(s->name, DPU_HEAP_SYMBOL) || dpu_address(s->value, &offset) != DPU_MRAM)
		return s->size;
	return offset < DPU_MRAM_SIZE ? DPU_MRAM_SIZE - offset : 0;
}

dpu_error_t dpu_get_symbol(struct dpu_program_t *program, const char *name,
			   struct dpu_symbol_t *symbol)
{
	const struct dpu_program_symbol *s = dpu_program_symbol(program->elf, name);

	if (!s || !s->host)
		return dpu_failed(DPU_ERR_UNKNOWN_SYMBOL, s ?
				  "'%s' is not the host's to use: declare it __host or __mram" :
				  "the program has no symbol '%s'", name);
	symbol->address = s->value;
	symbol->size = symbol_size(s);
	return DPU_OK;
}

dpu_error_t dpu_find_symbol(struct dpu_set_t set, const char *name, struct dpu_symbol_t *symbol)
{
	struct dpu_program_t *program;
	dpu_error_t error = program_of_set(set, &program);

	return error ? error : dpu_get_symbol(program, name, symbol);
}
