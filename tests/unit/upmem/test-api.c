// SPDX-License-Identifier: GPL-2.0-only
/* dpu.h on modelled ranks: calls that work, and each error of the SDK. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/include/perfcounter.h"
#include "tests/main.h"
#include "tests/unit/upmem/api.h"

/* After perfcounter.h: the macro of time.h must not change. */
#include <time.h>
_Static_assert(CLOCKS_PER_SEC == 1000000, "perfcounter.h broke CLOCKS_PER_SEC");

SUITE("upmem api", .timeout = 120, .setup = api_setup, .teardown = api_teardown);

TEST(sets_have_the_dpus_that_were_asked_for)
{
	struct dpu_set_t dpu, rank, second, one;
	uint32_t n, i, count = 0, ranks = 0;

	ck_assert_int_eq(api_set.kind, DPU_SET_RANKS);
	ck_assert_int_eq(dpu_get_nr_dpus(api_set, &n), DPU_OK);
	ck_assert_uint_eq(n, 6);	/* of 8 in two ranks */
	ck_assert_int_eq(dpu_get_nr_ranks(api_set, &n), DPU_OK);
	ck_assert_uint_eq(n, 2);
	ck_assert_ptr_null(dpu_from_set(api_set));
	DPU_FOREACH(api_set, dpu, i) {
		ck_assert_uint_eq(i, count);
		ck_assert_int_eq(dpu.kind, DPU_SET_DPU);
		ck_assert_ptr_nonnull(dpu_from_set(dpu));
		one = dpu;
		count++;
	}
	ck_assert_uint_eq(count, 6);
	DPU_RANK_FOREACH(api_set, rank) {
		count = 0;
		DPU_FOREACH(rank, dpu) {
			count++;
		}
		ck_assert_uint_eq(count, ranks ? 2 : 4);
		ranks++;
	}
	ck_assert_uint_eq(ranks, 2);
	count = 0;
	DPU_FOREACH(one, dpu) {
		count++;
	}
	ck_assert_uint_eq(count, 1);
	/* Both ranks are taken now. */
	ck_assert_int_eq(dpu_alloc(1, NULL, &second), DPU_ERR_ALLOCATION);
	ck_assert_ptr_nonnull(strstr(mon_error(), "another process"));
	ck_assert_int_eq(dpu_free(one), DPU_ERR_INVALID_DPU_SET);
}

TEST(profiles_choose_the_generation)
{
	struct dpu_set_t other;

	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_int_eq(dpu_alloc(1, "chipId=0x2", &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc(1, "nonsense", &other), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(1, "colour=blue", &other), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(9, NULL, &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc_ranks(3, NULL, &other), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, "backend=hw,chipId=0x42", &api_set), DPU_OK);
}

TEST(a_program_runs_on_every_dpu)
{
	uint32_t in = 41, out[6], clock, i;
	struct dpu_set_t dpu;
	bool done, fault;

	api_load();
	DPU_FOREACH(api_set, dpu, i) {
		in = 41 + i;
		ck_assert_int_eq(dpu_copy_to(dpu, "in", 0, &in, 4), DPU_OK);
	}
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(api_set, dpu, i) {
		ck_assert_int_eq(dpu_prepare_xfer(dpu, &out[i]), DPU_OK);
	}
	ck_assert_int_eq(dpu_push_xfer(api_set, DPU_XFER_FROM_DPU, "out", 0, 4, DPU_XFER_DEFAULT), DPU_OK);
	for (i = 0; i < 6; i++)
		ck_assert_uint_eq(out[i], 42 + i);
	/* asynchronously, with a transfer before and one after */
	in = 99;
	ck_assert_int_eq(dpu_broadcast_to(api_set, "in", 0, &in, 4, DPU_XFER_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	DPU_FOREACH(api_set, dpu, i) {
		ck_assert_int_eq(dpu_prepare_xfer(dpu, &out[i]), DPU_OK);
	}
	ck_assert_int_eq(dpu_push_xfer(api_set, DPU_XFER_FROM_DPU, "out", 0, 4, DPU_XFER_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	ck_assert_int_eq(dpu_status(api_set, &done, &fault), DPU_OK);
	ck_assert(done && !fault);
	for (i = 0; i < 6; i++)
		ck_assert_uint_eq(out[i], 100);
	/* v1B: 400 MHz */
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_copy_from(dpu, "CLOCKS_PER_SEC", 0, &clock, 4), DPU_OK);
		ck_assert_uint_eq(clock, 400000000);
	}
}

TEST(copies_are_checked_as_in_the_sdk)
{
	uint64_t buffer[16] = { 0 };
	struct dpu_set_t dpu, first;
	uint32_t n = 0;

	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, buffer, 4), DPU_ERR_NO_PROGRAM_LOADED);
	api_load();
	ck_assert_int_eq(dpu_copy_to(api_set, "nothing", 0, buffer, 4), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_copy_to(api_set, "private", 0, buffer, 4), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 4, buffer, 4), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, buffer, 8), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0xffffffff, buffer, 4), DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, buffer, 2), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 2, buffer, 2), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "data", 4, buffer, 8), DPU_ERR_INVALID_MRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_to(api_set, "data", 0, buffer, 12), DPU_ERR_INVALID_MRAM_ACCESS);
	ck_assert_int_eq(dpu_copy_from(api_set, "in", 0, buffer, 4), DPU_ERR_INVALID_DPU_SET);
	/* dpu_get_symbol() returns no IRAM symbols; made by hand: */
	ck_assert_int_eq(dpu_copy_to_symbol(api_set, (struct dpu_symbol_t){ 0x80000000, 64 }, 4, buffer, 8),
			 DPU_ERR_INVALID_IRAM_ACCESS);
	ck_assert_int_eq(dpu_push_xfer(api_set, 7, "in", 0, 4, DPU_XFER_DEFAULT),
			 DPU_ERR_INVALID_MEMORY_TRANSFER);
	DPU_FOREACH(api_set, dpu) {
		if (!n++)
			first = dpu;
	}
	/* the last buffer is used, but not one that a failed push has used */
	buffer[0] = 1;
	buffer[1] = 2;
	ck_assert_int_eq(dpu_prepare_xfer(first, buffer), DPU_OK);
	ck_assert_int_eq(dpu_prepare_xfer(first, buffer + 1), DPU_OK);
	ck_assert_int_eq(dpu_push_xfer(first, DPU_XFER_TO_DPU, "data", 0, 8, DPU_XFER_DEFAULT), DPU_OK);
	ck_assert_int_eq(dpu_copy_from(first, "data", 0, buffer, 8), DPU_OK);
	ck_assert_uint_eq(buffer[0], 2);
	for (int known = 0; known < 2; known++) {
		ck_assert_int_eq(dpu_prepare_xfer(first, buffer + 2), DPU_OK);
		ck_assert_int_ne(dpu_push_xfer(first, DPU_XFER_FROM_DPU, known ? "data" : "nothing", 0, 72,
					       DPU_XFER_DEFAULT), DPU_OK);
		ck_assert_int_eq(dpu_push_xfer(first, DPU_XFER_FROM_DPU, "data", 0, 8, DPU_XFER_DEFAULT),
				 DPU_OK);
		ck_assert_uint_eq(buffer[2], 0);
	}
	/* the heap: from the end of the program's 64 bytes to the end of MRAM */
	ck_assert_int_eq(dpu_copy_to(first, DPU_MRAM_HEAP_POINTER_NAME, (64 << 20) - 64 - 8, buffer, 8),
			 DPU_OK);
	ck_assert_int_eq(dpu_copy_to(first, DPU_MRAM_HEAP_POINTER_NAME, (64 << 20) - 64, buffer, 8),
			 DPU_ERR_INVALID_SYMBOL_ACCESS);
	/* different programs in one set */
	ck_assert_int_eq(dpu_load_from_memory(first, api_image, api_image_size, NULL), DPU_OK);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, buffer, 4), DPU_ERR_DIFFERENT_DPU_PROGRAMS);
}

TEST(launches_are_checked_as_in_the_sdk)
{
	uint32_t in = 13, n = 0;
	struct dpu_set_t dpu;
	bool done, fault;

	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_ERR_NO_PROGRAM_LOADED);
	api_load();
	ck_assert_int_eq(dpu_launch(api_set, 5), DPU_ERR_INVALID_LAUNCH_POLICY);
	DPU_FOREACH(api_set, dpu) {
		if (n++ == 2)
			ck_assert_int_eq(dpu_copy_to(dpu, "in", 0, &in, 4), DPU_OK);
	}
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_ERR_DPU_FAULT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "DPU 2 of rank 0"));
	ck_assert_int_eq(dpu_status(api_set, &done, &fault), DPU_OK);
	ck_assert(done && fault);
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_ERR_DPU_FAULT);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);	/* reported once */
	in = 0;
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, &in, 4), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
}

/* A call that must be refused with DPU_ERR_INTERNAL, for exactly this reason. */
#define REFUSED(call, reason) do { \
	ck_assert_int_eq(call, DPU_ERR_INTERNAL); \
	ck_assert_msg(strstr(mon_error(), reason), "%s: %s", #call, mon_error()); \
} while (0)

TEST(counters_need_one_dpu_and_a_configuration)
{
	bank_interface_pmc_config_t config = { .counter_1 = BANK_INTERFACE_PMC_CYCLES };
	bank_interface_pmc_result_t result;
	struct dpu_set_t dpu;
	uint32_t dpus = 0;

	REFUSED(dpu_bank_interface_pmc_enable(api_set, config), "belong to one DPU");
	REFUSED(dpu_bank_interface_pmc_stop_counters(api_set), "belong to one DPU");
	REFUSED(dpu_bank_interface_pmc_disable(api_set), "belong to one DPU");
	REFUSED(dpu_bank_interface_pmc_read_counters(api_set, &result), "belong to one DPU");
	DPU_FOREACH(api_set, dpu) {
		dpus++;
		REFUSED(dpu_bank_interface_pmc_read_counters(dpu, &result), "never enabled");
		config.mode = 2;
		REFUSED(dpu_bank_interface_pmc_enable(dpu, config), "2 is no mode");
		config.mode = BANK_INTERFACE_PMC_64BIT_MODE;	/* counter_2 is not counter_1 */
		REFUSED(dpu_bank_interface_pmc_enable(dpu, config), "64-bit");
		config.mode = BANK_INTERFACE_PMC_32BIT_MODE;
		config.counter_2 = 0x81;
		REFUSED(dpu_bank_interface_pmc_enable(dpu, config), "0x81 is no event");
		config.counter_2 = 0;
		/* the call is correct, but this machine has no such PMU */
		REFUSED(dpu_bank_interface_pmc_enable(dpu, config), "upmem_that_is_not_there");
		REFUSED(perfcounter_bind(dpu), "upmem_that_is_not_there");
	}
	ck_assert_uint_eq(dpus, 6);
	ck_assert_uint_eq(perfcounter_get(), 0);
	ck_assert_ptr_nonnull(strstr(mon_error(), "perfcounter_bind"));
}

TEST(v1a_has_no_counters_of_the_bank_interface)
{
	const bank_interface_pmc_config_t config = {
		BANK_INTERFACE_PMC_32BIT_MODE, BANK_INTERFACE_PMC_LDMA_INSTRUCTION,
		BANK_INTERFACE_PMC_SDMA_INSTRUCTION
	};
	bank_interface_pmc_result_t result;
	struct dpu_set_t dpu;
	uint32_t dpus = 0;

	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	fake_end();
	fake_begin(1, 2, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_alloc(2, "chipId=0x42", &api_set), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_alloc(2, "chipId=0x2", &api_set), DPU_OK);
	DPU_FOREACH(api_set, dpu) {
		dpus++;
		REFUSED(dpu_bank_interface_pmc_enable(dpu, config), "generation v1A");
		REFUSED(dpu_bank_interface_pmc_stop_counters(dpu), "generation v1A");
		REFUSED(dpu_bank_interface_pmc_disable(dpu), "generation v1A");
		/* the SDK does not check this one either */
		REFUSED(dpu_bank_interface_pmc_read_counters(dpu, &result), "never enabled");
	}
	ck_assert_uint_eq(dpus, 2);
}

/* The SDK's numbers (2025.1), and its sentences as far as they are published (2020). */
static const struct {
	dpu_error_t error;
	const char *text;
} errors[] = {
	{ DPU_OK, "success" },
	{ DPU_ERR_INTERNAL, "internal error" },
	{ DPU_ERR_SYSTEM, "system error" },
	{ DPU_ERR_DRIVER, "driver error" },
	{ DPU_ERR_ALLOCATION, "dpu allocation error" },
	{ DPU_ERR_INVALID_DPU_SET, "invalid action for this dpu set" },
	{ DPU_ERR_INVALID_THREAD_ID, NULL },
	{ DPU_ERR_INVALID_NOTIFY_ID, NULL },
	{ DPU_ERR_INVALID_WRAM_ACCESS, "invalid wram access" },
	{ DPU_ERR_INVALID_IRAM_ACCESS, "invalid iram access" },
	{ DPU_ERR_INVALID_MRAM_ACCESS, "invalid mram access" },
	{ DPU_ERR_INVALID_SYMBOL_ACCESS, "invalid memory symbol access" },
	{ DPU_ERR_MRAM_BUSY, "mram is busy" },
	{ DPU_ERR_TRANSFER_ALREADY_SET, "dpu transfer is already set" },
	{ DPU_ERR_INVALID_PARALLEL_MEMORY_TRANSFER, NULL },
	{ DPU_ERR_WRAM_FIFO_FULL, NULL },
	{ DPU_ERR_NO_PROGRAM_LOADED, NULL },
	{ DPU_ERR_DIFFERENT_DPU_PROGRAMS, NULL },
	{ DPU_ERR_CORRUPTED_MEMORY, NULL },
	{ DPU_ERR_DPU_DISABLED, "dpu is disabled" },
	{ DPU_ERR_DPU_ALREADY_RUNNING, "dpu is already running" },
	{ DPU_ERR_INVALID_MEMORY_TRANSFER, "invalid memory transfer" },
	{ DPU_ERR_INVALID_LAUNCH_POLICY, "invalid launch policy" },
	{ DPU_ERR_DPU_FAULT, "dpu is in fault" },
	{ DPU_ERR_ELF_INVALID_FILE, "invalid ELF file" },
	{ DPU_ERR_ELF_NO_SUCH_FILE, "no such ELF file" },
	{ DPU_ERR_ELF_NO_SUCH_SECTION, NULL },
	{ DPU_ERR_TIMEOUT, "result timeout" },
	{ DPU_ERR_INVALID_PROFILE, "invalid profile" },
	{ DPU_ERR_UNKNOWN_SYMBOL, "undefined symbol" },
	{ DPU_ERR_LOG_FORMAT, "logging format error" },
	{ DPU_ERR_LOG_CONTEXT_MISSING, "logging context missing" },
	{ DPU_ERR_LOG_BUFFER_TOO_SMALL, "logging buffer too small" },
	{ DPU_ERR_VPD_INVALID_FILE, NULL },
	{ DPU_ERR_VPD_NO_REPAIR, NULL },
	{ DPU_ERR_NO_THREAD_PER_RANK, NULL },
	{ DPU_ERR_INVALID_BUFFER_SIZE, NULL },
	{ DPU_ERR_NONBLOCKING_SYNC_CALLBACK, NULL },
	{ DPU_ERR_TOO_MANY_TASKLETS, NULL },
	{ DPU_ERR_SG_TOO_MANY_BLOCKS, NULL },
	{ DPU_ERR_SG_LENGTH_MISMATCH, NULL },
	{ DPU_ERR_SG_NOT_ACTIVATED, NULL },
	{ DPU_ERR_SG_NOT_MRAM_SYMBOL, NULL },
};

/* If it was the thread's last error, its sentence follows. */
static void check_words(const char *text, const char *words)
{
	size_t n = strlen(words);

	ck_assert_msg(!strncmp(text, words, n) && (!text[n] || !strncmp(text + n, ": ", 2)),
		      "\"%s\" does not begin with \"%s\"", text, words);
}

TEST(errors_have_the_sdks_numbers_and_sentences)
{
	char *text;

	ck_assert_uint_eq(sizeof(errors) / sizeof(errors[0]), 43);
	for (int i = 0; i < 43; i++) {
		text = dpu_error_to_string(errors[i].error);
		ck_assert_int_eq(errors[i].error, i);
		ck_assert_str_ne(text, "unknown error");
		if (errors[i].text)
			check_words(text, errors[i].text);
		free(text);
	}
	text = dpu_error_to_string(43);
	ck_assert_str_eq(text, "unknown error");
	free(text);
	text = dpu_error_to_string(DPU_ERR_DPU_FAULT | DPU_ERR_ASYNC_JOBS);
	ck_assert_str_eq(text, "asynchronous job: dpu is in fault");
	free(text);
}
