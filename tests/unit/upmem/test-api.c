// SPDX-License-Identifier: GPL-2.0-only
/* dpu.h on modelled ranks: what works, and each error of the SDK. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/include/dpu.h"
#include "libmon/include/mon.h"
#include "libmon/include/perfcounter.h"
#include "qemu/upmem/asm.h"
#include "tests/unit/upmem/fake.h"

/* After perfcounter.h: time.h's macro must stay what it is. */
#include <time.h>
_Static_assert(CLOCKS_PER_SEC == 1000000, "perfcounter.h broke CLOCKS_PER_SEC");

static void *image;
static size_t image_size;

static void assemble(const char *text, unsigned int tasklets, enum dpu_arch_id arch)
{
	static const char *const dirs[] = { UPMEM_EXAMPLES };
	const struct dpu_asm_source source = { "test", text };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[arch], .tasklets = tasklets, .stack_size = 64, .include_dirs = dirs,
		.include_count = 1,
	};
	char error[DPU_ASM_ERROR_SIZE];

	free(image);
	image = NULL;
	ck_assert_msg(dpu_assemble(&source, 1, &options, &image, &image_size, error), "%s", error);
}

/* out = in + 1 in WRAM; first of the MRAM variable, too. */
static const char program[] =
	".section .dpu_host\n.align 8\n.globl in\nin: .long 0\n.size in, 4\n"
	".globl out\nout: .long 0\n.size out, 4\n.data\nprivate: .long 0\n.size private, 4\n"
	".section .mram\n.align 8\n.globl data\ndata: .zero 64\n.size data, 64\n.text\n"
	"main: lw r0, zero, in\n jeq r0, 13, 1f\n add r0, r0, 1\n sw zero, out, r0\n jump r23\n"
	"1: fault 3\n";

static struct dpu_set_t set;

static void setup(void)
{
	fake_begin(2, 4, DPU_ARCH_V1B);
	assemble(program, 2, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(6, NULL, &set), DPU_OK);
}

static void teardown(void)
{
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_uint_eq(fake_open_ranks(), 0);
	fake_end();
	free(image);
	image = NULL;
}

static void load(void)
{
	ck_assert_int_eq(dpu_load_from_memory(set, image, image_size, NULL), DPU_OK);
}

START_TEST(sets_have_the_dpus_that_were_asked_for)
{
	struct dpu_set_t dpu, rank, second, one;
	uint32_t n, i, count = 0, ranks = 0;

	ck_assert_int_eq(set.kind, DPU_SET_RANKS);
	ck_assert_int_eq(dpu_get_nr_dpus(set, &n), DPU_OK);
	ck_assert_uint_eq(n, 6);	/* of 8 in two ranks */
	ck_assert_int_eq(dpu_get_nr_ranks(set, &n), DPU_OK);
	ck_assert_uint_eq(n, 2);
	ck_assert_ptr_null(dpu_from_set(set));
	DPU_FOREACH(set, dpu, i) {
		ck_assert_uint_eq(i, count);
		ck_assert_int_eq(dpu.kind, DPU_SET_DPU);
		ck_assert_ptr_nonnull(dpu_from_set(dpu));
		one = dpu;
		count++;
	}
	ck_assert_uint_eq(count, 6);
	DPU_RANK_FOREACH(set, rank) {
		count = 0;
		DPU_FOREACH(rank, dpu)
			count++;
		ck_assert_uint_eq(count, ranks ? 2 : 4);
		ranks++;
	}
	ck_assert_uint_eq(ranks, 2);
	count = 0;
	DPU_FOREACH(one, dpu)
		count++;
	ck_assert_uint_eq(count, 1);
	/* Both ranks are taken now. */
	ck_assert_int_eq(dpu_alloc(1, NULL, &second), DPU_ERR_ALLOCATION);
	ck_assert_ptr_nonnull(strstr(mon_error(), "another process"));
	ck_assert_int_eq(dpu_free(one), DPU_ERR_INVALID_DPU_SET);
}
END_TEST

START_TEST(profiles_choose_the_generation)
{
	struct dpu_set_t other;

	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_int_eq(dpu_alloc(1, "backend=simulator,chipId=0x2", &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc(1, "nonsense", &other), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(1, "colour=blue", &other), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(9, NULL, &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc_ranks(3, NULL, &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, "backend=simulator,chipId=0x42", &set), DPU_OK);
}
END_TEST

START_TEST(a_program_runs_on_every_dpu)
{
	uint32_t in = 41, out[6], clock, i;
	struct dpu_set_t dpu;
	bool done, fault;

	load();
	DPU_FOREACH(set, dpu, i) {
		in = 41 + i;
		ck_assert_int_eq(dpu_copy_to(dpu, "in", 0, &in, 4), DPU_OK);
	}
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(set, dpu, i)
		ck_assert_int_eq(dpu_prepare_xfer(dpu, &out[i]), DPU_OK);
	ck_assert_int_eq(dpu_push_xfer(set, DPU_XFER_FROM_DPU, "out", 0, 4, DPU_XFER_DEFAULT), DPU_OK);
	for (i = 0; i < 6; i++)
		ck_assert_uint_eq(out[i], 42 + i);
	/* asynchronously, with a transfer before and one after */
	in = 99;
	ck_assert_int_eq(dpu_broadcast_to(set, "in", 0, &in, 4, DPU_XFER_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_ASYNCHRONOUS), DPU_OK);
	DPU_FOREACH(set, dpu, i)
		ck_assert_int_eq(dpu_prepare_xfer(dpu, &out[i]), DPU_OK);
	ck_assert_int_eq(dpu_push_xfer(set, DPU_XFER_FROM_DPU, "out", 0, 4, DPU_XFER_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_sync(set), DPU_OK);
	ck_assert_int_eq(dpu_status(set, &done, &fault), DPU_OK);
	ck_assert(done && !fault);
	for (i = 0; i < 6; i++)
		ck_assert_uint_eq(out[i], 100);
	/* v1B: 400 MHz */
	DPU_FOREACH(set, dpu) {
		ck_assert_int_eq(dpu_copy_from(dpu, "CLOCKS_PER_SEC", 0, &clock, 4), DPU_OK);
		ck_assert_uint_eq(clock, 400000000);
	}
}
END_TEST

START_TEST(copies_are_checked_as_in_the_sdk)
{
	uint64_t buffer[16] = { 0 };
	struct dpu_set_t dpu, first;
	uint32_t n = 0;

	ck_assert_int_eq(dpu_copy_to(set, "in", 0, buffer, 4), DPU_ERR_NO_PROGRAM_LOADED);
	load();
	ck_assert_int_eq(dpu_copy_to(set, "nothing", 0, buffer, 4), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_copy_to(set, "private", 0, buffer, 4), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_copy_to(set, "in", 4, buffer, 4), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "in", 0, buffer, 8), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "in", 0xffffffff, buffer, 4), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "in", 0, buffer, 2), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "in", 2, buffer, 2), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "data", 4, buffer, 8), DPU_ERR_INVALID_MRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(set, "data", 0, buffer, 12), DPU_ERR_INVALID_MRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_from(set, "in", 0, buffer, 4), DPU_ERR_INVALID_DPU_SET);
	/* IRAM symbols come from dpu_get_symbol in no way, but by hand: */
	ck_assert_int_eq(dpu_copy_to_symbol(set, (struct dpu_symbol_t){ 0x80000000, 64 }, 4, buffer, 8),
			 DPU_ERR_INVALID_IRAM_ACCESS);
	ck_assert_int_eq(dpu_push_xfer(set, 7, "in", 0, 4, DPU_XFER_DEFAULT),
			 DPU_ERR_INVALID_MEMORY_TRANSFER);
	DPU_FOREACH(set, dpu)
		if (!n++)
			first = dpu;
	ck_assert_int_eq(dpu_prepare_xfer(first, buffer), DPU_OK);
	ck_assert_int_eq(dpu_prepare_xfer(set, buffer), DPU_ERR_TRANSFER_ALREADY_SET);
	ck_assert_int_eq(dpu_prepare_xfer(set, NULL), DPU_OK);
	/* the heap: from the end of the program's 64 bytes to the end of MRAM */
	ck_assert_int_eq(dpu_copy_to(first, DPU_MRAM_HEAP_POINTER_NAME, (64 << 20) - 64 - 8, buffer, 8),
			 DPU_OK);
	ck_assert_int_eq(dpu_copy_to(first, DPU_MRAM_HEAP_POINTER_NAME, (64 << 20) - 64, buffer, 8),
			 DPU_ERR_INVALID_SYMBOL_ACCESS);
	/* different programs in one set */
	ck_assert_int_eq(dpu_load_from_memory(first, image, image_size, NULL), DPU_OK);
	ck_assert_int_eq(dpu_copy_to(set, "in", 0, buffer, 4), DPU_ERR_DIFFERENT_DPU_PROGRAMS);
}
END_TEST

START_TEST(launches_are_checked_as_in_the_sdk)
{
	uint32_t in = 13, n = 0;
	struct dpu_set_t dpu;
	bool done, fault;

	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_ERR_NO_PROGRAM_LOADED);
	load();
	ck_assert_int_eq(dpu_launch(set, 5), DPU_ERR_INVALID_LAUNCH_POLICY);
	DPU_FOREACH(set, dpu)
		if (n++ == 2)
			ck_assert_int_eq(dpu_copy_to(dpu, "in", 0, &in, 4), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_ERR_DPU_FAULT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "DPU 2 of rank 0"));
	ck_assert_int_eq(dpu_status(set, &done, &fault), DPU_OK);
	ck_assert(done && fault);
	ck_assert_int_eq(dpu_launch(set, DPU_ASYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_sync(set), DPU_ERR_DPU_FAULT);
	ck_assert_int_eq(dpu_sync(set), DPU_OK);	/* told once */
	in = 0;
	ck_assert_int_eq(dpu_copy_to(set, "in", 0, &in, 4), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
}
END_TEST

START_TEST(what_runs_already_is_not_launched_again)
{
	uint32_t one = 1;

	assemble(".section .dpu_host\n.align 4\ngo: .long 0\n.size go, 4\n.text\n"
		 "main: move r1, 3000000\n1: add r1, r1, -1, nz, 1b\n jump r23\n", 1, DPU_ARCH_V1B);
	load();
	ck_assert_int_eq(dpu_launch(set, DPU_ASYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_ASYNCHRONOUS), DPU_ERR_DPU_ALREADY_RUNNING);
	/* a copy waits for the launch before it */
	ck_assert_int_eq(dpu_copy_to(set, "go", 0, &one, 4), DPU_OK);
	ck_assert_int_eq(dpu_sync(set), DPU_OK);
}
END_TEST

START_TEST(programs_are_checked_as_in_the_sdk)
{
	uint8_t broken[4096];
	size_t n = image_size < sizeof(broken) ? image_size : sizeof(broken);

	ck_assert_int_eq(dpu_load(set, "/no/such/file", NULL), DPU_ERR_ELF_NO_SUCH_FILE);
	ck_assert_int_eq(dpu_load(set, "/proc/self/exe", NULL), DPU_ERR_ELF_INVALID_FILE);
	ck_assert_ptr_nonnull(strstr(mon_error(), "245"));
	ck_assert_int_eq(dpu_load(set, UPMEM_EXAMPLES "/hello.s", NULL), DPU_ERR_ELF_INVALID_FILE);
	memcpy(broken, image, n);
	ck_assert_int_eq(dpu_load_from_memory(set, broken, 60, NULL), DPU_ERR_ELF_INVALID_FILE);
	broken[18] = 62;	/* e_machine */
	ck_assert_int_eq(dpu_load_from_memory(set, broken, n, NULL), DPU_ERR_ELF_INVALID_FILE);
	/* 24 tasklets are v1A's; these DPUs have 16 */
	assemble(program, 24, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(set, image, image_size, NULL), DPU_ERR_TOO_MANY_TASKLETS);
	assemble(".text\nmain: jump r23\n.bss\n.space 63000\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(set, image, image_size, NULL), DPU_OK);
	assemble(".text\nmain: jump r23\n.bss\n.space 64000\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(set, image, image_size, NULL),
			 DPU_ERR_INVALID_WRAM_ACCESS);
	assemble(".text\nmain: jump r23\n.space 8 * 3970\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(set, image, image_size, NULL),
			 DPU_ERR_INVALID_IRAM_ACCESS);
}
END_TEST

START_TEST(logs_are_read_from_one_dpu)
{
	char *text = NULL;
	struct dpu_set_t dpu;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	load();
	ck_assert_int_eq(dpu_log_read(set, out), DPU_ERR_INVALID_DPU_SET);
	DPU_FOREACH(set, dpu)
		ck_assert_int_eq(dpu_log_read(dpu, out), DPU_ERR_LOG_CONTEXT_MISSING);
	assemble(".data\n.align 8\nrecord: .asciz \"%s\"\n.asciz \"hello\\n\"\n.align 8\nend:\n.text\n"
		 "main: move r14, r23\n move r0, record\n move r1, end - record\n"
		 " call r23, log_write\n jump r14\n.include \"lib/stdio.s\"\n", 1, DPU_ARCH_V1B);
	load();
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(set, dpu)
		ck_assert_int_eq(dpu_log_read(dpu, out), DPU_OK);
	fclose(out);
	ck_assert_str_eq(text, "hello\nhello\nhello\nhello\nhello\nhello\n");
	free(text);
}
END_TEST

static dpu_error_t count_call(struct dpu_set_t rank, uint32_t index, void *args)
{
	uint32_t n = 0;

	dpu_get_nr_dpus(rank, &n);
	((uint32_t *)args)[index] += n;
	return index == 1 && n == 2 ? DPU_ERR_TIMEOUT : DPU_OK;
}

START_TEST(callbacks_are_called_by_rank_or_once)
{
	uint32_t counts[2] = { 0, 0 };

	ck_assert_int_eq(dpu_callback(set, count_call, counts, DPU_CALLBACK_SINGLE_CALL), DPU_OK);
	ck_assert_uint_eq(counts[0], 6);
	ck_assert_int_eq(dpu_callback(set, count_call, counts, DPU_CALLBACK_DEFAULT), DPU_ERR_TIMEOUT);
	ck_assert_uint_eq(counts[0], 10);
	ck_assert_uint_eq(counts[1], 2);
	ck_assert_int_eq(dpu_callback(set, count_call, counts, DPU_CALLBACK_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_sync(set), DPU_ERR_TIMEOUT);
	ck_assert_uint_eq(counts[1], 4);
}
END_TEST

START_TEST(counters_need_one_dpu_and_a_configuration)
{
	bank_interface_pmc_config_t config = { .counter_1 = BANK_INTERFACE_PMC_CYCLES };
	bank_interface_pmc_result_t result;
	struct dpu_set_t dpu;

	ck_assert_int_eq(dpu_bank_interface_pmc_enable(set, config), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_stop_counters(set), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_disable(set), DPU_ERR_INTERNAL);
	DPU_FOREACH(set, dpu) {
		ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_ERR_INTERNAL);
		config.mode = 2;
		ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config), DPU_ERR_INTERNAL);
		config.mode = BANK_INTERFACE_PMC_64BIT_MODE;	/* counter_2 is not counter_1 */
		ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config), DPU_ERR_INTERNAL);
		ck_assert_ptr_nonnull(strstr(mon_error(), "64-bit"));
		config.mode = BANK_INTERFACE_PMC_32BIT_MODE;
		config.counter_2 = 0x81;
		ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config), DPU_ERR_INTERNAL);
		config.counter_2 = 0;
		/* there is no such PMU here */
		ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config), DPU_ERR_INTERNAL);
		ck_assert_int_eq(perfcounter_bind(dpu), DPU_ERR_INTERNAL);
	}
	ck_assert_uint_eq(perfcounter_get(), 0);
	ck_assert_ptr_nonnull(strstr(mon_error(), "perfcounter_bind"));
}
END_TEST

START_TEST(errors_have_the_sdks_sentences)
{
	static const struct {
		dpu_error_t error;
		int number;
		const char *text;
	} expected[] = {
		{ DPU_OK, 0, "success" },
		{ DPU_ERR_INTERNAL, 1, "internal error" },
		{ DPU_ERR_INVALID_MRAM_ACCESS, 10, "invalid mram access" },
		{ DPU_ERR_NO_PROGRAM_LOADED, 16, "no program is loaded in the dpu" },
		{ DPU_ERR_DPU_FAULT, 23, "dpu is in fault" },
		{ DPU_ERR_UNKNOWN_SYMBOL, 29, "undefined symbol" },
		{ DPU_ERR_TOO_MANY_TASKLETS, 38, "the program has too many tasklets for the dpu" },
		{ DPU_ERR_SG_NOT_MRAM_SYMBOL, 42, "a scatter-gather transfer needs an mram symbol" },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char *text = dpu_error_to_string(expected[i].error);

		ck_assert_int_eq(expected[i].error, expected[i].number);
		ck_assert_str_eq(text, expected[i].text);
		free(text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("upmem api");
	TCase *tcase = tcase_create("api");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, sets_have_the_dpus_that_were_asked_for);
	tcase_add_test(tcase, profiles_choose_the_generation);
	tcase_add_test(tcase, a_program_runs_on_every_dpu);
	tcase_add_test(tcase, copies_are_checked_as_in_the_sdk);
	tcase_add_test(tcase, launches_are_checked_as_in_the_sdk);
	tcase_add_test(tcase, what_runs_already_is_not_launched_again);
	tcase_add_test(tcase, programs_are_checked_as_in_the_sdk);
	tcase_add_test(tcase, logs_are_read_from_one_dpu);
	tcase_add_test(tcase, callbacks_are_called_by_rank_or_once);
	tcase_add_test(tcase, counters_need_one_dpu_and_a_configuration);
	tcase_add_test(tcase, errors_have_the_sdks_sentences);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
