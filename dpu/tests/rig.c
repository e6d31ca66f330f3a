// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/tests/rig.h"

static struct rig assemble(const char *name, const char *text, unsigned int tasklets,
			   enum dpu_arch_id arch)
{
	static const char *const dirs[] = { UPMEM_EXAMPLES };
	const struct dpu_asm_source source = { name, text };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[arch], .tasklets = tasklets, .stack_size = 256,
		.include_dirs = dirs, .include_count = 1,
	};
	char error[DPU_ASM_ERROR_SIZE];
	struct rig rig;
	void *image;
	size_t size;

	ck_assert_msg(dpu_assemble(&source, 1, &options, &image, &size, error), "%s", error);
	ck_assert_int_eq(dpu_program_open(image, size, &rig.program), DPU_PROGRAM_OK);
	free(image);
	rig.dpu = dpu_new(&dpu_archs[arch], NULL, 0, NULL);
	ck_assert_ptr_nonnull(rig.dpu);
	ck_assert(dpu_load_program(rig.dpu, rig.program));
	return rig;
}

struct rig rig_new(const char *text, unsigned int tasklets, enum dpu_arch_id arch)
{
	return assemble("test", text, tasklets, arch);
}

struct rig rig_new_file(const char *name, unsigned int tasklets)
{
	char path[512], text[65536];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", UPMEM_EXAMPLES, name);
	file = fopen(path, "r");
	ck_assert_msg(file, "%s", path);
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = '\0';
	return assemble(path, text, tasklets, DPU_ARCH_V1B);
}

void rig_set_timing(struct rig *rig, const struct dpu_timing *timing)
{
	const struct dpu_arch *arch = dpu_arch(rig->dpu);

	dpu_destroy(rig->dpu);
	rig->dpu = dpu_new(arch, timing, 0, NULL);
	ck_assert_ptr_nonnull(rig->dpu);
	ck_assert(dpu_load_program(rig->dpu, rig->program));
}

void rig_free(struct rig *rig)
{
	dpu_program_close(rig->program);
	dpu_destroy(rig->dpu);
}

enum dpu_state rig_run(struct rig *rig)
{
	ck_assert(dpu_boot(rig->dpu));
	return dpu_run(rig->dpu, 100000000);
}

void rig_run_ok(struct rig *rig)
{
	char text[256];
	enum dpu_state state = rig_run(rig);

	dpu_fault_text(rig->dpu, text, sizeof(text));
	ck_assert_msg(state == DPU_IDLE, "state %d: %s", state, text);
}

struct dpu_totals rig_count(struct rig *rig)
{
	struct dpu_totals before, after;

	dpu_totals(rig->dpu, &before);
	rig_run_ok(rig);
	dpu_totals(rig->dpu, &after);
	after.instructions -= before.instructions;
	after.cycles -= before.cycles;
	return after;
}

static enum dpu_memory locate(struct rig *rig, const char *name, uint32_t *offset)
{
	const struct dpu_program_symbol *s = dpu_program_symbol(rig->program, name);

	ck_assert_msg(s, "no symbol %s", name);
	return dpu_address(s->value, offset);
}

uint32_t rig_get(struct rig *rig, const char *symbol, unsigned int index)
{
	uint32_t offset, value;

	ck_assert_int_eq(locate(rig, symbol, &offset), DPU_WRAM);
	ck_assert(dpu_read(rig->dpu, DPU_WRAM, offset + 4 * index, &value, 4));
	return value;
}

uint64_t rig_get64(struct rig *rig, const char *symbol, unsigned int index)
{
	enum dpu_memory memory;
	uint32_t offset;
	uint64_t value;

	memory = locate(rig, symbol, &offset);
	ck_assert(dpu_read(rig->dpu, memory, offset + 8 * index, &value, 8));
	return value;
}

void rig_set(struct rig *rig, const char *symbol, unsigned int index, uint32_t value)
{
	uint32_t offset;

	ck_assert_int_eq(locate(rig, symbol, &offset), DPU_WRAM);
	ck_assert(dpu_write(rig->dpu, DPU_WRAM, offset + 4 * index, &value, 4));
}

void rig_set64(struct rig *rig, const char *symbol, unsigned int index, uint64_t value)
{
	enum dpu_memory memory;
	uint32_t offset;

	memory = locate(rig, symbol, &offset);
	ck_assert(dpu_write(rig->dpu, memory, offset + 8 * index, &value, 8));
}

uint64_t rig_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}
