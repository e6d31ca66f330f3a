// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes faults of a DPU. */
#include "dpu/include/dpu_fault.h"

#include <inttypes.h>
#include <stdio.h>

#include "dpu/isa/dpu_isa.h"

/* Codes of the fault instruction in UPMEM's runtime library. */
static const char *fault_code_text(uint32_t code)
{
	static const char *const texts[] = {
		"breakpoint", "heap full", "division by zero", "assertion failed", "halt",
		"printf overflow", "already profiling", "not profiling", "unaligned MRAM access",
		"performance counter mode of another architecture"
	};

	return code < sizeof(texts) / sizeof(texts[0]) ? texts[code] : "fault of the program";
}

/* Bytes that a load or store accesses, by the second letter of its name: lw, sh, sd_id. */
static unsigned int access_size(const char *name)
{
	switch (name[0] == 'l' || name[0] == 's' ? name[1] : 0) {
	case 'h':
		return 2;
	case 'w':
		return 4;
	case 'd':
		return 8;
	}
	return 1;
}

void dpu_fault_what(enum dpu_fault_kind kind, uint32_t code, uint64_t word,
		    char text[DPU_FAULT_TEXT_SIZE])
{
	char insn_text[DPU_TEXT_SIZE] = "?", aligned[40] = "";
	struct dpu_insn insn;

	if (word && dpu_decode(word, &insn))
		dpu_insn_text(&insn, DPU_TEXT_OBJDUMP, insn_text);
	switch (kind) {
	case DPU_FAULT_NONE:
		snprintf(text, DPU_FAULT_TEXT_SIZE, "no fault");
		return;
	case DPU_FAULT_INSN:
		snprintf(text, DPU_FAULT_TEXT_SIZE, "fault %" PRIu32 " (%s)", code, fault_code_text(code));
		return;
	case DPU_FAULT_MEMORY:
		if (code % access_size(insn_text))
			snprintf(aligned, sizeof(aligned), ", which must be a multiple of %u,", access_size(insn_text));
		snprintf(text, DPU_FAULT_TEXT_SIZE,
			 "memory fault: \"%s\" accesses WRAM address 0x%" PRIx32 "%s", insn_text, code, aligned);
		return;
	case DPU_FAULT_DMA:
		snprintf(text, DPU_FAULT_TEXT_SIZE,
			 "DMA fault: \"%s\" transfers at address 0x%" PRIx32, insn_text, code);
		return;
	case DPU_FAULT_ILLEGAL:
		snprintf(text, DPU_FAULT_TEXT_SIZE, "illegal instruction 0x%012" PRIx64, word);
		return;
	case DPU_FAULT_PC:
		snprintf(text, DPU_FAULT_TEXT_SIZE, "execution left IRAM");
		return;
	case DPU_FAULT_UNDEFINED:
		snprintf(text, DPU_FAULT_TEXT_SIZE, "undocumented instruction \"%s\"", insn_text);
		return;
	}
	snprintf(text, DPU_FAULT_TEXT_SIZE, "fault of unknown kind %d", (int)kind);
}
