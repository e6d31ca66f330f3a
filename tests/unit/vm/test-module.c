// SPDX-License-Identifier: GPL-2.0-only
/* What mon-vm leaves of a kernel module. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

#include "tests/main.h"	/* after vm.h: it makes a macro of fail() */

enum { NONE, TEXT, RELA_TEXT, DEBUG, RELA_DEBUG, BSS, SYMBOLS, NAMES, COUNT };

#define DEBUG_SIZE 5000
#define SIGNATURE "~Module signature appended~\n"

struct module {
	Elf64_Ehdr head;
	char text[7], rela_text[24], rela_debug[24], symbols[48], names[9], debug[DEBUG_SIZE];
	Elf64_Shdr sections[COUNT];
	char signature[sizeof(SIGNATURE)];
} __attribute__((packed));

static Elf64_Shdr section(Elf64_Word type, Elf64_Xword flags, size_t at, size_t size, Elf64_Word info)
{
	return (Elf64_Shdr){ .sh_type = type, .sh_flags = flags, .sh_offset = at, .sh_size = size, .sh_info = info,
			     .sh_addralign = 16 };
}

#define PART(name) offsetof(struct module, name), sizeof(((struct module *)0)->name)

static struct module *module_make(void)
{
	static struct module m;

	m = (struct module){
		.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			  .e_type = ET_REL, .e_shoff = offsetof(struct module, sections),
			  .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = COUNT, .e_shstrndx = NAMES },
		.text = "machine", .rela_text = "relocations of text", .rela_debug = "relocations of debug",
		.symbols = "symbols", .names = "names",
		.sections = {
			[TEXT] = section(SHT_PROGBITS, SHF_ALLOC, PART(text), 0),
			[RELA_TEXT] = section(SHT_RELA, SHF_INFO_LINK, PART(rela_text), TEXT),
			[DEBUG] = section(SHT_PROGBITS, 0, PART(debug), 0),
			[RELA_DEBUG] = section(SHT_RELA, SHF_INFO_LINK, PART(rela_debug), DEBUG),
			/* no bytes in the file, although it would reach past the file's end */
			[BSS] = section(SHT_NOBITS, SHF_ALLOC, sizeof(m), 1 << 20, 0),
			[SYMBOLS] = section(SHT_SYMTAB, 0, PART(symbols), 1),
			[NAMES] = section(SHT_STRTAB, 0, PART(names), 0),
		},
		.signature = SIGNATURE,
	};
	memset(m.debug, 'd', sizeof(m.debug));
	return &m;
}

/* Section I of the light module has these contents, at an address of its alignment. */
static void ck_section(const char *light, size_t size, size_t i, const char *contents, size_t bytes)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)light;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(light + head->e_shoff) + i;

	ck_assert_uint_eq(s->sh_size, bytes);
	ck_assert_uint_eq(s->sh_offset % 16, 0);
	ck_assert_uint_le(s->sh_offset + s->sh_size, size);
	ck_assert_mem_eq(light + s->sh_offset, contents, bytes);
}

SUITE("module");

TEST(what_the_kernel_uses_stays)
{
	struct module *m = module_make();
	size_t size = sizeof(*m);
	char *light = module_lighten((char *)m, &size);
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)light;
	const Elf64_Shdr *s;

	ck_assert_ptr_nonnull(light);
	/* header, section headers, five sections of at most 48 bytes; debug information and signature are longer */
	ck_assert_uint_lt(size, sizeof(*head) + COUNT * sizeof(*s) + 5 * (48 + 16));
	ck_assert_ptr_null(memmem(light, size, "dddd", 4));
	ck_assert_ptr_null(memmem(light, size, SIGNATURE, strlen(SIGNATURE)));
	ck_assert_uint_eq(head->e_shnum, COUNT);
	ck_assert_uint_eq(head->e_shstrndx, NAMES);
	ck_assert_uint_eq(head->e_shoff + COUNT * sizeof(*s), size);
	ck_section(light, size, TEXT, m->text, sizeof(m->text));
	ck_section(light, size, RELA_TEXT, m->rela_text, sizeof(m->rela_text));
	ck_section(light, size, SYMBOLS, m->symbols, sizeof(m->symbols));
	ck_section(light, size, NAMES, m->names, sizeof(m->names));
	s = (const Elf64_Shdr *)(light + head->e_shoff);
	ck_assert_uint_eq(s[RELA_TEXT].sh_info, TEXT);
	ck_assert_uint_eq(s[BSS].sh_type, SHT_NOBITS);
	ck_assert_uint_eq(s[BSS].sh_size, 1 << 20);
	ck_assert_uint_eq(s[DEBUG].sh_type, SHT_NULL);
	ck_assert_uint_eq(s[DEBUG].sh_size, 0);
	ck_assert_uint_eq(s[RELA_DEBUG].sh_type, SHT_NULL);
	free(light);
}

/* The guest's kernel says what is wrong with such a file. */
TEST(what_is_no_module_stays_as_it_is)
{
	struct module *m = module_make();
	size_t size;

	size = sizeof(m->head) - 1;
	ck_assert_ptr_null(module_lighten((char *)m, &size));
	size = offsetof(struct module, signature) - 1;	/* the last section header is cut */
	ck_assert_ptr_null(module_lighten((char *)m, &size));
	size = sizeof(*m);
	m->sections[DEBUG].sh_size = sizeof(*m) - m->sections[DEBUG].sh_offset + 1;
	ck_assert_ptr_null(module_lighten((char *)m, &size));
	m = module_make();
	m->head.e_ident[EI_CLASS] = ELFCLASS32;
	ck_assert_ptr_null(module_lighten((char *)m, &size));
	m = module_make();
	m->head.e_shnum = 0;
	ck_assert_ptr_null(module_lighten((char *)m, &size));
	ck_assert_uint_eq(size, sizeof(*m));
}

LOOP_TEST(a_compressed_module_is_unpacked, 0, 3)
{
	static const char *const tools[] = { "", ".gz", ".xz" };
	static const char *const commands[] = { "cat", "gzip", "xz" };
	char path[64], command[128];
	size_t size;
	char *data;

	snprintf(path, sizeof(path), "/tmp/test-module's %d.ko%s", getpid(), tools[_i]);
	snprintf(command, sizeof(command), "printf 'no ELF' | %s >\"%s\"", commands[_i], path);
	ck_assert_int_eq(system(command), 0);
	data = module_read(path, &size);
	ck_assert_uint_eq(size, 6);
	ck_assert_mem_eq(data, "no ELF", 6);
	free(data);
	unlink(path);
}

EXIT_TEST(a_missing_module_ends_the_program, VM_STATUS_FAILED)
{
	size_t size;

	module_read("/nonexistent/mon.ko", &size);
}
