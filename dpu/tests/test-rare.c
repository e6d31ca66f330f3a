// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions that compilers rarely emit: loading code, stopping tasklets, stores with the
 * tasklet's number, accesses checked against a limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/rig.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

SUITE("upmem rare instructions", .timeout = 120);

/* Replaces a routine that has been executed already, by "move r2, 8" and "jump r23" of the page. */
TEST(ldmai_replaces_code)
{
	static const char text[] =
		".section .mram\n.align 8\ncode: .quad 0x616300800000, 0x8c5f00000000\n"
		".section .dpu_host\n.align 8\nout: .zero 8\n.text\n"
		"main: move r14, r23\n call r23, routine\n sw zero, out, r2\n move r1, code\n"
		" move r0, routine\n lsl r0, r0, 3\n ldmai r0, r1, 1\n call r23, routine\n"
		" sw zero, out + 4, r2\n jump r14\n"
		"routine: move r2, 5\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	struct dpu_totals t = rig_count(&rig);

	ck_assert_uint_eq(rig_get(&rig, "out", 0), 5);
	ck_assert_uint_eq(rig_get(&rig, "out", 1), 8);
	/* one transfer of two words; it counts as LDMA */
	ck_assert_uint_eq(t.ldma, 1);
	ck_assert_uint_eq(t.read_words, 2);
	ck_assert_uint_eq(t.sdma, 0);
	ck_assert_uint_eq(t.instructions, START_UP(1) + 10 + 4);
	rig_free(&rig);
}

TEST(ldmai_of_a_word_that_is_no_instruction_faults_when_it_is_executed)
{
	static const char text[] =
		".section .mram\n.align 8\ncode: .quad 0xf00000000000\n.text\n"
		"main: move r1, code\n move r0, next\n lsl r0, r0, 3\n ldmai r0, r1, 0\n"
		"next: nop\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);

	/* the loaded word is the very next one */
	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	ck_assert_int_eq(dpu_fault(rig.dpu)->kind, DPU_FAULT_ILLEGAL);
	ck_assert_uint_eq(dpu_fault(rig.dpu)->pc, 15);
	rig_free(&rig);
}

/* Tasklet 1 counts; tasklet 0 stops it, checks that it stands still, resumes it, and ends it. */
static const char stop_and_go[] =
	".section .dpu_host\n.align 8\ncount: .long 0\ngo: .long 0\nseen: .zero 16\n.text\n"
	"main: jneq id, 0, 4f\n"
	"1: lw r0, zero, count\n jltu r0, 100, 1b\n"
	" clr_run one, 0, z, 5f\n"
	" read_run one, 0, nz, 5f\n"
	" lw r1, zero, count\n move r3, 200\n2: add r3, r3, -1, nz, 2b\n lw r2, zero, count\n"
	" sw zero, seen, r1\n sw zero, seen + 4, r2\n"
	" clr_run one, 0, nz, 5f\n"
	" resume one, 0, nz, 5f\n"
	"3: lw r0, zero, count\n jeq r0, r2, 3b\n"
	" sw zero, go, 1\n jump r23\n"
	"4: lw r8, zero, count\n add r8, r8, 1\n sw zero, count, r8\n lw r9, zero, go\n"
	" jeq r9, 0, 4b\n sw zero, seen + 8, r8\n jump r23\n"
	"5: fault 3\n";

TEST(clr_run_stops_a_tasklet_until_resume)
{
	struct rig rig = rig_new(stop_and_go, 2, DPU_ARCH_V1B);
	struct dpu_totals whole = rig_count(&rig), cut;
	uint32_t count = rig_get(&rig, "count", 0);

	ck_assert_uint_ge(rig_get(&rig, "seen", 0), 100);
	ck_assert_uint_eq(rig_get(&rig, "seen", 1), rig_get(&rig, "seen", 0));
	ck_assert_uint_gt(count, rig_get(&rig, "seen", 1));
	ck_assert_uint_eq(rig_get(&rig, "seen", 2), count);
	rig_free(&rig);
	/* the same result for each split of the run */
	rig = rig_new(stop_and_go, 2, DPU_ARCH_V1B);
	ck_assert(dpu_boot(rig.dpu));
	while (dpu_run(rig.dpu, 3) == DPU_RUNNING)
		;
	dpu_totals(rig.dpu, &cut);
	ck_assert_uint_eq(cut.instructions, whole.instructions);
	ck_assert_uint_eq(cut.cycles, whole.cycles);
	ck_assert_uint_eq(rig_get(&rig, "count", 0), count);
	rig_free(&rig);
}

TEST(id_stores_combine_a_number_with_the_tasklets)
{
	static const char text[] =
		".section .dpu_host\n.align 8\nout: .zero 32 * 16\n.text\n"
		"main: lsl r1, id, 5\n add r1, r1, out\n"
		" sb_id r1, 0, 0x40\n sh_id r1, 2, 0x1200\n sw_id r1, 4, -16\n sd_id r1, 8, -16\n"
		" sh_id !big, r1, 16, 0x1200\n sw_id !big, r1, 20, 0x100\n sd_id !big, r1, 24, 0\n"
		" jump r23\n";
	struct rig rig = rig_new(text, 16, DPU_ARCH_V1B);

	rig_run_ok(&rig);
	for (uint32_t id = 0; id < 16; id++) {
		ck_assert_uint_eq(rig_get(&rig, "out", 8 * id), (id | 0x40) | (id | 0x1200) << 16);
		ck_assert_uint_eq(rig_get(&rig, "out", 8 * id + 1), id | 0xfffffff0);
		ck_assert_uint_eq(rig_get64(&rig, "out", 4 * id + 1), id | 0xfffffffffffffff0);
		/* the highest byte first */
		ck_assert_uint_eq(rig_get(&rig, "out", 8 * id + 4), 0x12 | id << 8);
		ck_assert_uint_eq(rig_get(&rig, "out", 8 * id + 5), id << 24 | 1 << 16);
		ck_assert_uint_eq(rig_get64(&rig, "out", 4 * id + 3), (uint64_t)id << 56);
	}
	rig_free(&rig);
}

#define SAFE_DATA ".section .dpu_host\n.align 8\nbase: .long 0\n.align 8\ndata: .zero 32\nout: .zero 64\n.text\n" \
	"main: lw r4, zero, base\n move r2, out\n"

/* A safe register holds an address below and its limit above. */
static struct rig safe_rig(const char *insns, uint32_t limit_above)
{
	char text[1024];
	const struct dpu_program_symbol *data;
	struct rig rig;

	snprintf(text, sizeof(text), SAFE_DATA "%s\n jump r23\n", insns);
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	data = dpu_program_symbol(rig.program, "data");
	rig_set(&rig, "base", 0, data->value | (data->value + limit_above) << 16);
	rig_set64(&rig, "data", 0, 0x8899aabbccddeeff);
	return rig;
}

TEST(safe_accesses_work_up_to_the_limit)
{
	struct rig rig = safe_rig(" lws r3, s4, 4\n sw r2, 0, r3\n lbss r3, s4, 7\n sw r2, 4, r3\n"
				  " lhus r3, s4, 6\n sw r2, 8, r3\n lds d6, s4, 0\n sd r2, 16, d6\n"
				  " lbus r3, s4, 0\n sw r2, 24, r3\n lhss r3, s4, 0\n sw r2, 28, r3\n"
				  " move r5, 0x01020304\n sws s4, 0, r5\n shs s4, 4, r5\n sbs s4, 6, -2\n", 8);

	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "out", 0), 0x8899aabb);
	ck_assert_uint_eq(rig_get(&rig, "out", 1), 0xffffff88);
	ck_assert_uint_eq(rig_get(&rig, "out", 2), 0x8899);
	ck_assert_uint_eq(rig_get64(&rig, "out", 2), 0x8899aabbccddeeff);
	ck_assert_uint_eq(rig_get(&rig, "out", 6), 0xff);
	ck_assert_uint_eq(rig_get(&rig, "out", 7), 0xffffeeff);
	ck_assert_uint_eq(rig_get64(&rig, "data", 0), 0x88fe030401020304);
	rig_free(&rig);
}

static const char *const beyond[] = {
	"lbus r3, s4, 7", "lbss r3, s4, 8", "lhus r3, s4, 6", "lhss r3, s4, 8", "lws r3, s4, 4",
	"lds d6, s4, 0", "sbs s4, 7, r5", "shs s4, 6, r5", "sws s4, 4, r5", "sds s4, 0, d6",
	"sbs s4, 7, 1", "shs s4, 6, 1", "sws s4, 4, 1", "sds s4, 0, 1", "lws r3, s4, -4096"
};

LOOP_TEST(safe_accesses_fault_behind_the_limit, 0, COUNT(beyond))
{
	struct rig rig = safe_rig(beyond[_i], 7);		/* one byte too few */
	char text[256];

	ck_assert_msg(rig_run(&rig) == DPU_FAULT, "%s", beyond[_i]);
	dpu_fault_text(rig.dpu, text, sizeof(text));
	ck_assert_int_eq(dpu_fault(rig.dpu)->kind, DPU_FAULT_MEMORY);
	ck_assert_msg(strstr(text, "memory fault"), "%s: %s", beyond[_i], text);
	rig_free(&rig);
}

static const struct { const char *text; int sum; } sums[] = {
	{ "adds s5, s4, 8", 8 }, { "subs s5, s4, 8", -8 }, { "move r6, 24\n adds s5, s4, s6", 24 },
	{ "move r6, 24\n subs s5, s4, s6", -24 }, { "adds s5, s4, -8", -8 },
};

/* The address changes, the limit stays. */
LOOP_TEST(safe_arithmetic_keeps_the_limit, 0, COUNT(sums))
{
	char text[64];
	struct rig rig;

	snprintf(text, sizeof(text), "%s\n sw r2, 0, r5", sums[_i].text);
	rig = safe_rig(text, 8);
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "out", 0), rig_get(&rig, "base", 0) + sums[_i].sum);
	rig_free(&rig);
}

static const struct {
	const char *text;
	enum dpu_fault_kind kind;
} overflows[] = {
	{ "move r4, 0xfff8\n adds s5, s4, 8", DPU_FAULT_MEMORY },
	{ "move r4, 7\n subs s5, s4, 8", DPU_FAULT_MEMORY },
	{ "move r4, 7\n adds s5, s4, -8", DPU_FAULT_MEMORY },
	{ "move r4, 0xfff8\n move r6, 8\n adds s5, s4, s6", DPU_FAULT_MEMORY },
	{ "move r4, 7\n move r6, 8\n subs s5, s4, s6", DPU_FAULT_MEMORY },
	/* the meaning of the second one's limit is not documented */
	{ "move r4, 64\n move r6, 0x10008\n adds s5, s4, s6", DPU_FAULT_UNDEFINED },
	{ "move r4, 64\n move r6, 0x10008\n subs s5, s4, s6", DPU_FAULT_UNDEFINED },
};

LOOP_TEST(safe_arithmetic_faults_when_the_address_overflows, 0, COUNT(overflows))
{
	struct rig rig = safe_rig(overflows[_i].text, 8);

	ck_assert_msg(rig_run(&rig) == DPU_FAULT, "%s", overflows[_i].text);
	ck_assert_msg(dpu_fault(rig.dpu)->kind == overflows[_i].kind, "%s", overflows[_i].text);
	rig_free(&rig);
}
