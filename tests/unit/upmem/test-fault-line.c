// SPDX-License-Identifier: GPL-2.0-only
/* A DPU in fault, in dpu.h's words: instruction, place, symbol, and file and line where DWARF has them. */
#include <check.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/upmem/api.h"
#include "dpu/include/core.h"
#include "dpu/include/debug.h"

/*
 * The start-up code of one tasklet has 11 words (0x58 bytes), so main is at 0x80000058 and the
 * instruction that ends it at 0x80000070, 24 bytes on.
 */
#define MAIN 0x80000058u
#define FAULT 0x80000070u
static const char start[] = ".text\n.globl main\n.type main, @function\nmain: nop\n move r0, 63488\n nop\n ";

static const struct {
	const char *insn, *says;
} faults[] = {
	{ "fault 3", "fault 3 (assertion failed) at 0x80000070, main+0x18" },
	{ "lw r1, r0, 0", "memory fault: \"lw r1, r0, 0\" accesses WRAM address 0xf800 at 0x80000070, "
	  "main+0x18" },
	/* 62 * 1024 + 2 is no multiple of 4, and of 2 it is one */
	{ "lw r1, r0, 2", "memory fault: \"lw r1, r0, 2\" accesses WRAM address 0xf802, which must be a multiple of 4, at 0x80000070, "
	  "main+0x18" },
	{ "lhu r1, r0, 2", "memory fault: \"lhu r1, r0, 2\" accesses WRAM address 0xf802 at 0x80000070, main+0x18" },
	{ "ldma r0, r1, 0", "DMA fault: \"ldma r0, r1, 0\" transfers at address 0xf800 at 0x80000070, "
	  "main+0x18" },
	{ ".quad 0xf00000000001", "illegal instruction 0xf00000000001 at 0x80000070, main+0x18" },
	{ ".globl here\nhere: fault 3", "fault 3 (assertion failed) at 0x80000070, here" },
};

static void assemble(const char *insn)
{
	char text[200];

	snprintf(text, sizeof(text), "%s%s\n jump r23\n", start, insn);
	api_assemble(text, 1, DPU_ARCH_V1B);
}

/* says: the message without the number of the DPU, which is the first one. */
static void check_sentence(dpu_error_t error, const char *says, const char *line)
{
	char expected[300], *text = dpu_error_to_string(error);

	snprintf(expected, sizeof(expected), "dpu is in fault: DPU 0 of rank 0 is in fault: %s%s, tasklet 0",
		 says, line);
	ck_assert_int_eq(error, DPU_ERR_DPU_FAULT);
	ck_assert_str_eq(text, expected);
	ck_assert_str_eq(mon_error(), strchr(expected, ':') + 2);
	free(text);
	/* another error than the last one has only the SDK's sentence */
	text = dpu_error_to_string(DPU_ERR_TIMEOUT);
	ck_assert_str_eq(text, "result timeout");
	free(text);
}

SUITE("upmem fault lines", .timeout = 120, .setup = api_setup, .teardown = api_teardown);

LOOP_TEST(a_fault_says_what_and_where, 0, sizeof(faults) / sizeof(faults[0]))
{
	assemble(faults[_i].insn);
	api_load();
	check_sentence(dpu_launch(api_set, DPU_SYNCHRONOUS), faults[_i].says, "");
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	check_sentence(dpu_sync(api_set), faults[_i].says, "");
}

/* DWARF 4: one unit, hand.c, which has the whole of main. */
static const unsigned char abbreviations[] = {
	1, 0x11, 0,		/* DW_TAG_compile_unit without children */
	0x03, 0x08,		/* DW_AT_name: DW_FORM_string */
	0x10, 0x17,		/* DW_AT_stmt_list: DW_FORM_sec_offset */
	0x11, 0x01,		/* DW_AT_low_pc: DW_FORM_addr */
	0x12, 0x06,		/* DW_AT_high_pc: DW_FORM_data4, a length */
	0, 0, 0
};
#define U32(x) (x) & 0xff, (x) >> 8 & 0xff, (x) >> 16 & 0xff, (x) >> 24 & 0xff
static const unsigned char unit[] = {
	U32(27), 4, 0, U32(0), 4,
	1, 'h', 'a', 'n', 'd', '.', 'c', 0, U32(0), U32(MAIN), U32(0x30)
};
/* Line 10 from main on, line 42 from the instruction that faults on. */
static const unsigned char line_program[] = {
	U32(56 - 4), 2, 0, U32(26),
	1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1,	/* version 2's header */
	0, 'h', 'a', 'n', 'd', '.', 'c', 0, 0, 0, 0, 0,
	0, 5, 2, U32(MAIN), 3, 9, 1,			/* set_address, advance_line, copy */
	2, FAULT - MAIN, 3, 32, 1,			/* advance_pc, advance_line, copy */
	2, 0x18, 0, 1, 1				/* advance_pc, end_sequence */
};

struct section {
	const char *name;
	const unsigned char *data;
	size_t size;
};

static const struct section sections[] = {
	{ ".debug_abbrev", abbreviations, sizeof(abbreviations) },
	{ ".debug_info", unit, sizeof(unit) },
	{ ".debug_line", line_program, sizeof(line_program) },
};

static void add_section(Elf *elf, const struct section *s, size_t name)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = elf_newdata(scn);
	Elf32_Shdr *shdr = elf32_getshdr(scn);

	data->d_buf = (void *)s->data;
	data->d_size = s->size;
	data->d_align = 1;
	shdr->sh_name = name;
	shdr->sh_type = SHT_PROGBITS;
}

/* Adds the sections to api_image. */
static void add_lines(void)
{
	char path[] = "/tmp/mon-test-XXXXXX", *names;
	int fd = mkstemp(path);
	size_t index, size;
	Elf_Data *data;
	Elf *elf;

	unlink(path);
	ck_assert_int_eq(write(fd, api_image, api_image_size), api_image_size);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_RDWR, NULL);
	ck_assert_msg(elf && !elf_getshdrstrndx(elf, &index), "%s", elf_errmsg(-1));
	data = elf_getdata(elf_getscn(elf, index), NULL);
	size = data->d_size;
	names = calloc(1, size + 100);
	memcpy(names, data->d_buf, size);
	for (int i = 0; i < 3; i++) {
		add_section(elf, &sections[i], size);
		strcpy(names + size, sections[i].name);
		size += strlen(sections[i].name) + 1;
	}
	data->d_buf = names;
	data->d_size = size;
	elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	ck_assert_msg(elf_update(elf, ELF_C_WRITE) > 0, "%s", elf_errmsg(-1));
	elf_end(elf);
	free(names);
	api_image_size = lseek(fd, 0, SEEK_END);
	api_image = realloc(api_image, api_image_size);
	ck_assert_int_eq(pread(fd, api_image, api_image_size, 0), api_image_size);
	close(fd);
}

LOOP_TEST(and_in_which_line, 0, sizeof(faults) / sizeof(faults[0]))
{
#ifdef HAVE_LIBDW
	const char *line = " (hand.c:42)";
#else
	const char *line = "";
#endif
	ck_assert_uint_eq(sizeof(unit), 27 + 4);
	ck_assert_uint_eq(sizeof(line_program), 56);
	assemble(faults[_i].insn);
	add_lines();
	api_load();
	check_sentence(dpu_launch(api_set, DPU_SYNCHRONOUS), faults[_i].says, line);
}

/* The device's state and MRAM come through its registers, as for /dev/dpu_rank0. */
TEST(a_device_leaves_the_core_of_a_dpu_in_fault)
{
	char folder[] = "/tmp/mon-test-XXXXXX", prefix[64], path[100];
	struct dpu_program *program;
	uint32_t word = 0, count;
	const char *why;
	struct dpu *dpu;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(prefix, sizeof(prefix), "%s/a", folder);
	setenv("LIBMON_DPU_CORE", prefix, 1);
	assemble("move r5, 77\n sw zero, 0, r5\n move r1, 16\n sdma zero, r1, 0\n fault 3");
	api_load();
	ck_assert_int_eq(dpu_get_nr_dpus(api_set, &count), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_ERR_DPU_FAULT);
	unsetenv("LIBMON_DPU_CORE");
	snprintf(path, sizeof(path), "%s-0-0.core", prefix);
	fd = open(path, O_RDONLY);
	ck_assert_msg(fd >= 0, "%s", path);
	dpu = dpu_core_read(fd, &program, &why);
	ck_assert_msg(dpu, "%s", why);
	ck_assert_int_eq(dpu_state(dpu), DPU_FAULT);
	ck_assert_uint_eq(dpu_fault(dpu)->code, 3);
	ck_assert_uint_eq(dpu_register(dpu, 0, 5), 77);
	ck_assert(dpu_peek(dpu, DPU_WRAM, 0, &word, sizeof(word)));
	ck_assert_uint_eq(word, 77);
	ck_assert(dpu_peek(dpu, DPU_MRAM, 16, &word, sizeof(word)));
	ck_assert_uint_eq(word, 77);
	ck_assert_uint_eq(dpu_program_symbol(program, "main")->value, MAIN);
	dpu_destroy(dpu);
	dpu_program_close(program);
	close(fd);
	/* each DPU has one, in the ranks' order */
	for (unsigned int rank = 0, left = count; left && rank < 64; rank++)
		for (unsigned int i = 0; i < 64; i++) {
			snprintf(path, sizeof(path), "%s-%u-%u.core", prefix, rank, i);
			left -= !unlink(path);
		}
	ck_assert_msg(!rmdir(folder), "%s is not empty: not every DPU has left a core, or more have", folder);
}
