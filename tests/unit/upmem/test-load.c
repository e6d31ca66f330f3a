// SPDX-License-Identifier: GPL-2.0-only
/* Loading of programs, and their logs, through dpu.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/upmem/api.h"

SUITE("upmem load", .timeout = 120, .setup = api_setup, .teardown = api_teardown);

TEST(programs_are_checked_as_in_the_sdk)
{
	uint8_t broken[4096];
	size_t n = api_image_size < sizeof(broken) ? api_image_size : sizeof(broken);

	ck_assert_int_eq(dpu_load(api_set, "/no/such/file", NULL), DPU_ERR_ELF_NO_SUCH_FILE);
	ck_assert_int_eq(dpu_load(api_set, "/proc/self/exe", NULL), DPU_ERR_ELF_INVALID_FILE);
	ck_assert_ptr_nonnull(strstr(mon_error(), "245"));
	ck_assert_int_eq(dpu_load(api_set, UPMEM_EXAMPLES "/hello.s", NULL), DPU_ERR_ELF_INVALID_FILE);
	ck_assert_ptr_nonnull(strstr(mon_error(), "not an ELF file"));
	memcpy(broken, api_image, n);
	ck_assert_int_eq(dpu_load_from_memory(api_set, broken, 60, NULL), DPU_ERR_ELF_INVALID_FILE);
	broken[18] = 62;	/* e_machine */
	ck_assert_int_eq(dpu_load_from_memory(api_set, broken, n, NULL), DPU_ERR_ELF_INVALID_FILE);
	ck_assert_ptr_nonnull(strstr(mon_error(), "machine 245"));
	/* 24 tasklets are v1A's; these DPUs have 16 */
	api_assemble(api_program, 24, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(api_set, api_image, api_image_size, NULL), DPU_ERR_TOO_MANY_TASKLETS);
	api_assemble(".text\nmain: jump r23\n.bss\n.space 63000\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(api_set, api_image, api_image_size, NULL), DPU_OK);
	api_assemble(".text\nmain: jump r23\n.bss\n.space 64000\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(api_set, api_image, api_image_size, NULL),
			 DPU_ERR_INVALID_WRAM_ACCESS);
	api_assemble(".text\nmain: jump r23\n.space 8 * 3970\n", 1, DPU_ARCH_V1A);
	ck_assert_int_eq(dpu_load_from_memory(api_set, api_image, api_image_size, NULL),
			 DPU_ERR_INVALID_IRAM_ACCESS);
}

TEST(symbols_have_addresses_and_sizes)
{
	struct dpu_program_t *loaded;
	struct dpu_symbol_t symbol;

	ck_assert_int_eq(dpu_load_from_memory(api_set, api_image, api_image_size, &loaded), DPU_OK);
	ck_assert_int_eq(dpu_get_symbol(loaded, "data", &symbol), DPU_OK);
	ck_assert_uint_eq(symbol.address, 0x08000000);
	ck_assert_uint_eq(symbol.size, 64);
	ck_assert_int_eq(dpu_get_symbol(loaded, "CLOCKS_PER_SEC", &symbol), DPU_OK);
	ck_assert_uint_eq(symbol.size, 4);
	/* the heap is the rest of MRAM */
	ck_assert_int_eq(dpu_get_symbol(loaded, DPU_MRAM_HEAP_POINTER_NAME, &symbol), DPU_OK);
	ck_assert_uint_eq(symbol.address, 0x08000000 + 64);
	ck_assert_uint_eq(symbol.size, (64 << 20) - 64);
	ck_assert_int_eq(dpu_get_symbol(loaded, "private", &symbol), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_get_symbol(loaded, "main", &symbol), DPU_ERR_UNKNOWN_SYMBOL);
}

/* The kernel of UPMEM's page: a = 2; b = 1; b += a. */
DPU_INCBIN(embedded, UPMEM_BUILT_EXAMPLES "/page-kernel.dpu");

TEST(programs_can_be_part_of_the_host_program)
{
	struct dpu_set_t dpu;
	uint64_t value;

	ck_assert_str_eq(embedded.path, UPMEM_BUILT_EXAMPLES "/page-kernel.dpu");
	ck_assert_uint_gt(embedded.size, 52);	/* an ELF header */
	ck_assert_mem_eq(embedded.buffer, "\x7f" "ELF", 4);
	ck_assert_int_eq(dpu_load_from_incbin(api_set, &embedded, NULL), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_copy_from(dpu, "b", 0, &value, 8), DPU_OK);
		ck_assert_uint_eq(value, 3);
	}
}

TEST(logs_are_read_from_one_dpu)
{
	char *text = NULL;
	struct dpu_set_t dpu;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	api_load();
	ck_assert_int_eq(dpu_log_read(api_set, out), DPU_ERR_INVALID_DPU_SET);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_log_read(dpu, out), DPU_ERR_LOG_CONTEXT_MISSING);
	}
	api_assemble(".data\n.align 8\nrecord: .asciz \"%s\"\n.asciz \"hello\\n\"\n.align 8\nend:\n.text\n"
		     "main: move r14, r23\n move r0, record\n move r1, end - record\n"
		     " call r23, log_write\n jump r14\n.include \"lib/stdio.s\"\n", 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_log_read(dpu, out), DPU_OK);
	}
	fclose(out);
	/* rank << 16 | DPU: four in the first rank, two in the second */
	ck_assert_str_eq(text, "=== DPU#0x0 ===\nhello\n=== DPU#0x1 ===\nhello\n"
			 "=== DPU#0x2 ===\nhello\n=== DPU#0x3 ===\nhello\n"
			 "=== DPU#0x10000 ===\nhello\n=== DPU#0x10001 ===\nhello\n");
	free(text);
}

/* A log of so many records; see below for their size. */
static void load_long_log(unsigned int lines)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 ".data\n.align 8\nrecord: .asciz \"%%s%%u\"\n.asciz \"line: \"\nnumber: .long 0\n"
		 ".align 8\n.zero 8\nend:\n.text\nmain: move r14, r23\n move r15, 0\n move r16, %u\n"
		 "1: sw zero, number, r15\n move r0, record\n move r1, end - record\n"
		 " call r23, log_write\n add r15, r15, 1\n jltu r15, r16, 1b\n jump r14\n"
		 ".include \"lib/stdio.s\"\n", lines);
	api_assemble(text, 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
}

/* The text of the first DPU's log. */
static dpu_error_t read_first(char **text)
{
	struct dpu_set_t dpu;
	dpu_error_t error = DPU_ERR_INTERNAL;
	size_t size, n = 0;
	FILE *out = open_memstream(text, &size);

	DPU_FOREACH(api_set, dpu) {
		if (!n++)
			error = dpu_log_read(dpu, out);
	}
	fclose(out);
	return error;
}

TEST(a_log_that_fills_its_buffer_is_whole)
{
	char *text;

	/* "%s%u" and "line: " with their NULs, a number and padding: 5 + 7 + 4 + 8 = 24 bytes */
	load_long_log((1 << 20) / 24);
	ck_assert_int_eq(read_first(&text), DPU_OK);
	ck_assert_mem_eq(text, "=== DPU#0x0 ===\nline: 0line: 1line: 2", 16 + 21);
	free(text);
}

TEST(a_log_that_wraps_says_so)
{
	char *text;

	load_long_log((1 << 20) / 24 + 3);
	ck_assert_int_eq(read_first(&text), DPU_ERR_LOG_BUFFER_TOO_SMALL);
	ck_assert_ptr_nonnull(strstr(mon_error(), "beginning is lost"));
	/* the three that did not fit started again at the beginning of the buffer */
	ck_assert_str_eq(text, "=== DPU#0x0 ===\nline: 43690line: 43691line: 43692");
	free(text);
}

TEST(a_log_that_is_none_is_a_format_error)
{
	const char garbage[8] = "%n";
	struct dpu_set_t dpu;
	char *text;

	load_long_log(1);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_copy_to_symbol(dpu, (struct dpu_symbol_t){ 0x08000000, 8 }, 0, garbage,
						    8), DPU_OK);
	}
	ck_assert_int_eq(read_first(&text), DPU_ERR_LOG_FORMAT);
	free(text);
}
