// SPDX-License-Identifier: LGPL-2.1-or-later
/* Why a DPU is in fault, as a sentence: what it did, where, and where that is in the source. */
#include <stdio.h>

#include "dpu/include/dpu_fault.h"
#include "common/elf_lines.h"
#include "dpu/include/dpu_stack.h"
#include "libmon/upmem/internal.h"

#define WHERE_SIZE 200

/* ", main+0x8 (frequency.c:12)", as far as the program says. */
static void symbol_text(const struct dpu_program *elf, uint32_t address, char text[WHERE_SIZE])
{
	const struct dpu_program_symbol *symbol = dpu_program_around(elf, address);
	struct elf_lines *lines = elf_lines_open(elf->elf);
	unsigned int line;
	const char *file;
	int n = 0;

	*text = '\0';
	if (symbol && symbol->value == address)
		n = snprintf(text, WHERE_SIZE, ", %s", symbol->name);
	else if (symbol)
		n = snprintf(text, WHERE_SIZE, ", %s+0x%x", symbol->name, address - symbol->value);
	if (lines && n < WHERE_SIZE && elf_lines_find(lines, address, &file, &line))
		snprintf(text + n, WHERE_SIZE - n, " (%s:%u)", file, line);
	elf_lines_close(lines);
}

dpu_error_t dpu_fault_error(struct dpu_rank_t *rank, uint64_t mask)
{
	struct upmem_fault fault = { .dpu = __builtin_ctzll(mask) };
	char what[DPU_FAULT_TEXT_SIZE], where[WHERE_SIZE] = "", stack[DPU_STACK_TEXT_SIZE] = "";
	bool overflow;
	struct dpu_t *dpu = &rank->dpus[fault.dpu];
	uint64_t word;
	uint32_t address;

	if (rank->device->ioctl(rank->fd, UPMEM_IOC_FAULT, &fault))
		return dpu_failed(DPU_ERR_DPU_FAULT, "DPU %u of rank %u is in fault", fault.dpu, rank->id);
	address = DPU_IRAM_FLAG + 8 * fault.pc;
	if (dpu_transfer(dpu, UPMEM_FROM_DPU, address, &word, sizeof(word)))
		word = 0;
	dpu_fault_what(fault.kind, fault.code, word, what);
	if (dpu->program)
		symbol_text(dpu->program->elf, address, where);
	overflow = dpu->program && dpu_stack_text(dpu->program->elf, 0, 0, stack);
	return dpu_failed(DPU_ERR_DPU_FAULT, "DPU %u of rank %u is in fault: %s at 0x%08x%s, tasklet %u%s%s",
			  fault.dpu, rank->id, what, address, where, fault.thread,
			  overflow ? "; its stack may have overflowed: " : "", stack);
}
