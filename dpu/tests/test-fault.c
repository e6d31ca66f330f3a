// SPDX-License-Identifier: GPL-2.0-only
/* Faults: bad accesses to WRAM, MRAM and IRAM, and undocumented instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/rig.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NO_CODE UINT32_MAX

/* Ends in a fault of this kind and code, in main's second instruction (index 12). */
static const struct {
	const char *text;
	enum dpu_fault_kind kind;
	uint32_t code;
	const char *says;
} faults[] = {
	/* v1B's WRAM ends at 63488 */
	{ "move r0, 63488\n lw r1, r0, 0", DPU_FAULT_MEMORY, 63488, "lw r1, r0, 0" },
	{ "move r0, 63488\n lbu r1, r0, 0", DPU_FAULT_MEMORY, 63488, "lbu r1, r0, 0" },
	{ "move r0, 63488\n lhs r1, r0, 0", DPU_FAULT_MEMORY, 63488, "lhs r1, r0, 0" },
	{ "move r0, 63488\n ld d2, r0, 0", DPU_FAULT_MEMORY, 63488, "ld d2, r0, 0" },
	{ "move r0, 63488\n lw.s d2, r0, 0", DPU_FAULT_MEMORY, 63488, "lw.s d2, r0, 0" },
	{ "move r0, 63486\n sw r0, 2, r0", DPU_FAULT_MEMORY, 63488, "sw r0, 2, r0" },
	{ "move r0, 63488\n sb r0, 0, r0", DPU_FAULT_MEMORY, 63488, "sb r0, 0, r0" },
	{ "move r0, 63488\n sh r0, 0, 1", DPU_FAULT_MEMORY, 63488, "sh r0, 0, 1" },
	{ "move r0, 63488\n sb_id r0, 0, 1", DPU_FAULT_MEMORY, 63488, "sb_id r0, 0, 1" },
	{ "move r0, -4\n lbu r1, r0, 0", DPU_FAULT_MEMORY, (uint32_t)-4, "lbu r1, r0, 0" },
	{ "move r0, -8\n sd r0, 0, d2", DPU_FAULT_MEMORY, (uint32_t)-8, "sd r0, 0, d2" },
	/* not aligned */
	{ "move r0, 63480\n sd r0, 4, d2", DPU_FAULT_MEMORY, 63484, "sd r0, 4, d2" },
	{ "move r0, 2\n lw r1, r0, 0", DPU_FAULT_MEMORY, 2, "lw r1, r0, 0" },
	{ "move r0, 1\n lhu r1, r0, 0", DPU_FAULT_MEMORY, 1, "lhu r1, r0, 0" },
	{ "move r0, 4\n ld d2, r0, 0", DPU_FAULT_MEMORY, 4, "ld d2, r0, 0" },
	/* 16 bytes, of which the last 8 are outside: WRAM, MRAM, IRAM (v1B: 3968 instructions) */
	{ "move r0, 63480\n ldma r0, r1, 1", DPU_FAULT_DMA, 63480, "ldma r0, r1, 1" },
	{ "move r0, 63480\n sdma r0, r1, 1", DPU_FAULT_DMA, 63480, "sdma r0, r1, 1" },
	{ "move r1, 0x3fffff8\n ldma zero, r1, 1", DPU_FAULT_DMA, 0x3fffff8, "ldma zero, r1, 1" },
	{ "move r1, 0x3fffff8\n sdma zero, r1, 1", DPU_FAULT_DMA, 0x3fffff8, "sdma zero, r1, 1" },
	{ "move r1, 0x4000000\n ldma zero, r1, 0", DPU_FAULT_DMA, 0x4000000, "ldma zero, r1, 0" },
	{ "move r1, 0x3fffff8\n ldmai zero, r1, 1", DPU_FAULT_DMA, 0x3fffff8, "ldmai zero, r1, 1" },
	{ "move r0, 3967 * 8\n ldmai r0, r1, 1", DPU_FAULT_DMA, 3967 * 8, "ldmai r0, r1, 1" },
	/* programs that execute fault, and words that are no instructions */
	{ "nop\n fault 3", DPU_FAULT_INSN, 3, "fault 3 (assertion failed)" },
	{ "nop\n bkp", DPU_FAULT_INSN, 0, "fault 0 (breakpoint)" },
	{ "nop\n .quad 0", DPU_FAULT_ILLEGAL, NO_CODE, "illegal instruction 0x000000000000" },
	{ "nop\n .quad 0xf00000000001", DPU_FAULT_ILLEGAL, NO_CODE, "illegal instruction 0xf00000000001" },
	/* combinations that the documents do not define */
	{ "nop\n hash r0, r1, r2", DPU_FAULT_UNDEFINED, NO_CODE, "hash r0, r1, r2" },
	{ "nop\n hash r0, r1, 5", DPU_FAULT_UNDEFINED, NO_CODE, "hash r0, r1, 5" },
	{ "nop\n sats r0, r1", DPU_FAULT_UNDEFINED, NO_CODE, "sats r0, r1" },
	/* condition number 17: add r0, r1, 1 and sub zero, r0, r1 with it */
	{ "nop\n .quad 0x0c071110000c", DPU_FAULT_UNDEFINED, NO_CODE, "add r0, r1, 1, ???" },
	{ "nop\n .quad 0x3c0091c2000c", DPU_FAULT_UNDEFINED, NO_CODE, "sub zero, r0, r1, ???" },
	{ "nop\n stop z, .", DPU_FAULT_UNDEFINED, NO_CODE, "stop z, 0xc" },
	{ "move r0, 4 << 1\n time_cfg r0", DPU_FAULT_UNDEFINED, 8, "time_cfg r0" },
	{ "move r0, 64\n boot r0, 0, true, .", DPU_FAULT_UNDEFINED, 64, "boot r0, 0, true, 0xc" },
	{ "move r0, 64\n read_run r0, 0, true, .", DPU_FAULT_UNDEFINED, 64, "read_run r0, 0" },
	{ "nop\n ld d3, zero, 0", DPU_FAULT_UNDEFINED, NO_CODE, "ld d3, zero, 0" },
	{ "nop\n sd zero, 0, d3", DPU_FAULT_UNDEFINED, NO_CODE, "sd zero, 0, d3" },
	{ "nop\n movd d3, d2, true, .", DPU_FAULT_UNDEFINED, NO_CODE, "movd d3, d2" },
	{ "nop\n mul_step d2, r0, d3, 0, true, .", DPU_FAULT_UNDEFINED, NO_CODE, "mul_step d2, r0, d3" },
};

SUITE("upmem faults", .timeout = 120);

LOOP_TEST(faults_stop_the_dpu_and_name_the_instruction, 0, COUNT(faults))
{
	const struct dpu_fault *fault;
	char text[256];
	struct rig rig;

	snprintf(text, sizeof(text), "main:\n %s\n jump r23\n", faults[_i].text);
	rig = rig_new(text, 2, DPU_ARCH_V1B);
	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	fault = dpu_fault(rig.dpu);
	dpu_fault_text(rig.dpu, text, sizeof(text));
	ck_assert_msg(fault->kind == faults[_i].kind, "%s: %s", faults[_i].text, text);
	ck_assert_uint_eq(fault->pc, 12);
	if (faults[_i].code != NO_CODE)
		ck_assert_uint_eq(fault->code, faults[_i].code);
	ck_assert_msg(strstr(text, faults[_i].says), "%s: %s", faults[_i].says, text);
	ck_assert_ptr_nonnull(strstr(text, "at 0x80000060, tasklet "));
	/* A new launch clears the fault. */
	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	rig_free(&rig);
}

/* The last addresses that do not fault; v1A's WRAM and IRAM are larger. */
static const struct {
	const char *text;
	enum dpu_arch_id arch;
} last_places[] = {
	{ "move r0, 63484\n lw r1, r0, 0", DPU_ARCH_V1B },
	{ "move r0, 63480\n sd r0, 0, d2", DPU_ARCH_V1B },
	{ "move r0, 63487\n lbs r1, r0, 0", DPU_ARCH_V1B },
	{ "move r0, 65532\n lw r1, r0, 0", DPU_ARCH_V1A },
	{ "move r0, 63472\n ldma r0, r1, 1", DPU_ARCH_V1B },
	{ "move r1, 0x3fffff0\n sdma zero, r1, 1", DPU_ARCH_V1B },
	{ "move r0, 3966 * 8\n ldmai r0, r1, 1", DPU_ARCH_V1B },
	{ "move r0, 4094 * 8\n ldmai r0, r1, 1", DPU_ARCH_V1A },
	/* the mark of MRAM in an address, and bits 0 to 2, are ignored */
	{ "move r1, 0x8000000 | 7\n ldma zero, r1, 0", DPU_ARCH_V1B },
};

LOOP_TEST(the_last_places_of_the_memories_do_not_fault, 0, COUNT(last_places))
{
	char text[256];
	struct rig rig;

	snprintf(text, sizeof(text), "main:\n %s\n jump r23\n", last_places[_i].text);
	rig = rig_new(text, 1, last_places[_i].arch);
	rig_run_ok(&rig);
	rig_free(&rig);
}

TEST(leaving_iram_is_a_fault)
{
	struct rig rig = rig_new("main: move r0, 5000\n jump r0\n", 1, DPU_ARCH_V1B);

	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	ck_assert_int_eq(dpu_fault(rig.dpu)->kind, DPU_FAULT_PC);
	rig_free(&rig);
}

TEST(a_fault_of_one_tasklet_stops_all)
{
	struct rig rig = rig_new(".section .dpu_host\n.align 4\ncount: .long 0\n.text\n"
				 "main: jeq id, 5, 2f\n1: jump 1b\n2: fault 3\n", 16, DPU_ARCH_V1B);

	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	ck_assert_uint_eq(dpu_fault(rig.dpu)->thread, 5);
	rig_free(&rig);
}
