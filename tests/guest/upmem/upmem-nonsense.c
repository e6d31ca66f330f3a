// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host program with wrong arguments gets the same errors from devices and, in
 * tests/unit/upmem/native.sh, from the simulator.
 *
 * mon-vm: --device upmem-rank --mem 1G
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libmon/upmem/include/dpu.h"
#include "tests/main.h"

#define PROGRAM "examples/upmem/vecadd.dpu"	/* MRAM: a, b, c of 2 MiB; WRAM: size of 4 bytes */

static struct dpu_set_t set;
static uint64_t words[8];

static struct dpu_symbol_t symbol_of(const char *name)
{
	struct dpu_program_t *program;
	struct dpu_symbol_t symbol;

	ck_assert_int_eq(dpu_load(set, PROGRAM, &program), DPU_OK);
	ck_assert_int_eq(dpu_get_symbol(program, name, &symbol), DPU_OK);
	return symbol;
}

/* Not mapped; and not to be read or written. */
static void *nowhere(void)
{
	return (void *)(uintptr_t)4096;
}

static void *forbidden(void)
{
	return mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static dpu_error_t nothing(struct dpu_set_t which, uint32_t rank, void *arg)
{
	(void)which;
	(void)rank;
	(void)arg;
	return DPU_OK;
}

static bool no_block(struct sg_block_info *block, uint32_t dpu, uint32_t index, void *arg)
{
	(void)block;
	(void)dpu;
	(void)index;
	(void)arg;
	return false;
}

static dpu_error_t scatter(const char *name)
{
	get_block_t get = { .f = no_block, .args = NULL, .args_size = 0 };

	return dpu_push_sg_xfer(set, DPU_XFER_TO_DPU, name, 0, 8, &get, DPU_SG_XFER_DEFAULT);
}

static dpu_error_t push(const char *name, uint32_t offset, size_t length, void *buffer)
{
	dpu_error_t error = dpu_prepare_xfer(set, buffer);

	return error ? error : dpu_push_xfer(set, DPU_XFER_TO_DPU, name, offset, length, DPU_XFER_DEFAULT);
}

/* Of one DPU, as dpu_copy_from() wants. */
static dpu_error_t copy_from(const char *name, uint32_t offset, void *to, size_t length)
{
	struct dpu_symbol_t symbol = symbol_of(name);
	dpu_error_t error = DPU_OK;
	struct dpu_set_t dpu;

	DPU_FOREACH(set, dpu) {
		error = dpu_copy_from_symbol(dpu, symbol, offset, to, length);
	}
	return error;
}

static dpu_error_t of_program(const char *name)
{
	struct dpu_program_t *program;
	struct dpu_symbol_t symbol;
	dpu_error_t error = dpu_load(set, PROGRAM, &program);

	return error ? error : dpu_get_symbol(program, name, &symbol);
}

static dpu_error_t alloc(const char *profile)
{
	struct dpu_set_t other;

	return dpu_alloc(1, profile, &other);
}

/* A case is what it calls, and the error that its name in dpu_error.h promises. */
#define CASES(X) \
	X(DPU_ERR_INVALID_PROFILE, alloc("backend=magic")) \
	X(DPU_ERR_INVALID_PROFILE, alloc("nonsense")) \
	X(DPU_ERR_INVALID_PROFILE, alloc("sgXferEnable=maybe")) \
	X(DPU_ERR_ELF_NO_SUCH_FILE, dpu_load(set, "/nonexistent", NULL)) \
	X(DPU_ERR_ELF_INVALID_FILE, dpu_load(set, "/etc/passwd", NULL)) \
	X(DPU_ERR_ELF_INVALID_FILE, dpu_load_from_memory(set, (uint8_t *)words, sizeof(words), NULL)) \
	X(DPU_ERR_ELF_INVALID_FILE, dpu_load_from_memory(set, (uint8_t *)words, 0, NULL)) \
	X(DPU_ERR_NO_PROGRAM_LOADED, dpu_launch(set, DPU_SYNCHRONOUS)) \
	X(DPU_ERR_NO_PROGRAM_LOADED, dpu_launch(set, DPU_ASYNCHRONOUS)) \
	X(DPU_ERR_NO_PROGRAM_LOADED, dpu_copy_to(set, "a", 0, words, 8)) \
	X(DPU_ERR_INVALID_LAUNCH_POLICY, dpu_launch(set, (dpu_launch_policy_t)77)) \
	X(DPU_ERR_UNKNOWN_SYMBOL, of_program("nothing")) \
	X(DPU_ERR_UNKNOWN_SYMBOL, of_program("a") ? DPU_OK : dpu_copy_to(set, "nothing", 0, words, 8)) \
	X(DPU_ERR_INVALID_SYMBOL_ACCESS, dpu_copy_to_symbol(set, symbol_of("size"), 0, words, 8)) \
	X(DPU_ERR_INVALID_SYMBOL_ACCESS, dpu_copy_to_symbol(set, symbol_of("a"), 2 << 20, words, 8)) \
	X(DPU_ERR_INVALID_SYMBOL_ACCESS, dpu_copy_to_symbol(set, symbol_of("a"), 0xfffffff8, words, 16)) \
	X(DPU_ERR_INVALID_SYMBOL_ACCESS, copy_from("a", 8, words, (size_t)-8)) \
	X(DPU_ERR_INVALID_MRAM_ACCESS, dpu_copy_to_symbol(set, symbol_of("a"), 4, words, 8)) \
	X(DPU_ERR_INVALID_MRAM_ACCESS, dpu_copy_to_symbol(set, symbol_of("a"), 0, words, 12)) \
	X(DPU_ERR_INVALID_WRAM_ACCESS, dpu_copy_to_symbol(set, symbol_of("size"), 0, words, 2)) \
	X(DPU_ERR_INVALID_WRAM_ACCESS, copy_from("size", 2, words, 2)) \
	X(DPU_ERR_DRIVER, dpu_copy_to_symbol(set, symbol_of("a"), 0, nowhere(), 8)) \
	X(DPU_ERR_DRIVER, copy_from("a", 0, nowhere(), 8)) \
	X(DPU_ERR_DRIVER, dpu_copy_to_symbol(set, symbol_of("size"), 0, forbidden(), 4)) \
	X(DPU_ERR_DRIVER, copy_from("size", 0, forbidden(), 4)) \
	X(DPU_ERR_DRIVER, of_program("a") ? DPU_OK : push("a", 0, 8, nowhere())) \
	X(DPU_ERR_INVALID_SYMBOL_ACCESS, of_program("a") ? DPU_OK : push("size", 4, 4, words)) \
	X(DPU_ERR_INVALID_DPU_SET, dpu_copy_from_symbol(set, symbol_of("a"), 0, words, 8)) \
	X(DPU_ERR_SG_NOT_ACTIVATED, of_program("a") ? DPU_OK : scatter("a")) \
	X(DPU_ERR_NONBLOCKING_SYNC_CALLBACK, dpu_callback(set, nothing, NULL, DPU_CALLBACK_NONBLOCKING))

SUITE("upmem nonsense");

#define COUNT_CASE(error, call) + 1

LOOP_TEST(nonsense, 0, CASES(COUNT_CASE))
{
	static const struct {
		const char *what;
		dpu_error_t expected;
	} cases[] = {
#define CASE(error, call) \
	{ #call, error },
		CASES(CASE)
	};
	dpu_error_t got = DPU_OK;
	bool done, fault;
	int n = 0;

	memset(words, 0, sizeof(words));
	ck_assert_int_eq(dpu_alloc(1, NULL, &set), DPU_OK);
#define RUN(error, call) \
	if (n++ == _i) \
		got = call;
	CASES(RUN)
	ck_assert_msg(got == cases[_i].expected, "%s: %d, %s; expected %d", cases[_i].what, (int)got,
		      dpu_error_to_string(got), (int)cases[_i].expected);
	/* the set is as usable as before */
	ck_assert_int_eq(dpu_status(set, &done, &fault), DPU_OK);
	ck_assert(done && !fault);
	ck_assert_int_eq(dpu_load(set, PROGRAM, NULL), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}
