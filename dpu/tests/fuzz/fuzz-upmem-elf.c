// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loader of DPU programs. An input that begins like an ELF file is one; any other describes
 * one: a header, segments, sections and symbols that are right but for the fields that it changes.
 * All parts of a program that opens must be inside the file and the DPU; it is loaded, runs for a
 * while, and its log is read.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/include/load.h"
#include "dpu/include/dpu_log.h"

#define MAX_IMAGE 8192
#define MAX_SEGMENTS 6
#define MAX_SYMBOLS 8

struct input {
	const uint8_t *data;
	size_t size;
};

static uint32_t take(struct input *in, size_t bytes)
{
	uint32_t value = 0;
	size_t n = in->size < bytes ? in->size : bytes;

	memcpy(&value, in->data, n);
	in->data += n;
	in->size -= n;
	return value;
}

/* Mostly the right number; else one next to it, a large one, or any. */
static uint32_t field(struct input *in, uint32_t right)
{
	switch (take(in, 1)) {
	case 1:
		return right + 1;
	case 2:
		return right - 1;
	case 3:
		return 0xffffffff;
	case 4:
		return 0x7fffffff;
	case 5:
		return 0;
	case 6:
		return take(in, 4);
	case 7:
		return right + (int8_t)take(in, 1);
	default:
		return right;
	}
}

/* Sections: none, names, .text, .dpu_host, .mram, .dpu.attributes, symbols, their names. */
enum { NONE, NAMES, TEXT, HOST, MRAM, ATTRIBUTES, SYMBOLS, STRINGS, SECTIONS };
static const char section_names[] =
	"\0.shstrtab\0.text\0.dpu_host\0.mram\0.dpu.attributes\0.symtab\0.strtab";
static const uint8_t name_offsets[SECTIONS] = { 0, 1, 11, 17, 27, 33, 49, 57 };
static const char symbol_names[] =
	"\0NR_TASKLETS\0CLOCKS_PER_SEC\0__sys_used_mram_end\0__stdout_buffer\0variable";
static const uint8_t symbol_offsets[] = { 0, 1, 13, 28, 48, 64 };

#define TEXT_AT 0x400
#define TEXT_SIZE 0x200
#define SYMBOLS_AT 0x800
#define NAMES_AT 0xa00
#define STRINGS_AT 0xa80

static void write_segments(struct input *in, Elf32_Phdr *phdr, unsigned int count)
{
	static const uint32_t addresses[] = { DPU_IRAM_FLAG, 0, DPU_MRAM_FLAG, 0xa0000000 };
	static const uint32_t ends[] = { DPU_IRAM_WORDS * 8, DPU_WRAM_SIZE, DPU_MRAM_SIZE, 64 };

	for (unsigned int i = 0; i < count; i++) {
		unsigned int memory = take(in, 1);
		uint32_t size = take(in, 1) * 8;
		uint32_t offset = memory & 0x80 ? ends[memory % 4] - size : 0;

		phdr[i].p_type = field(in, PT_LOAD);
		phdr[i].p_offset = field(in, TEXT_AT);
		phdr[i].p_vaddr = field(in, addresses[memory % 4] + offset);
		phdr[i].p_filesz = field(in, size < TEXT_SIZE ? size : TEXT_SIZE);
		phdr[i].p_memsz = field(in, size);
	}
}

static void write_sections(struct input *in, Elf32_Shdr *shdr)
{
	static const uint32_t types[SECTIONS] = {
		SHT_NULL, SHT_STRTAB, SHT_PROGBITS, SHT_PROGBITS, SHT_PROGBITS, 0x70000003, SHT_SYMTAB,
		SHT_STRTAB
	};
	static const uint32_t offsets[SECTIONS] = {
		0, NAMES_AT, TEXT_AT, TEXT_AT, TEXT_AT, TEXT_AT, SYMBOLS_AT, STRINGS_AT
	};
	static const uint32_t sizes[SECTIONS] = {
		0, sizeof(section_names), TEXT_SIZE, TEXT_SIZE, TEXT_SIZE, TEXT_SIZE,
		(MAX_SYMBOLS + 1) * sizeof(Elf32_Sym), sizeof(symbol_names)
	};

	for (unsigned int i = 1; i < SECTIONS; i++) {
		shdr[i].sh_name = field(in, name_offsets[i]);
		shdr[i].sh_type = field(in, types[i]);
		shdr[i].sh_offset = field(in, offsets[i]);
		shdr[i].sh_size = field(in, sizes[i]);
		shdr[i].sh_link = field(in, i == SYMBOLS ? STRINGS : 0);
		shdr[i].sh_entsize = field(in, i == SYMBOLS ? sizeof(Elf32_Sym) : 0);
	}
}

static void write_symbols(struct input *in, Elf32_Sym *sym)
{
	for (unsigned int i = 1; i <= MAX_SYMBOLS; i++) {
		uint8_t kind = take(in, 1);

		sym[i].st_name = field(in, symbol_offsets[kind % sizeof(symbol_offsets)]);
		sym[i].st_value = field(in, kind & 0x40 ? DPU_MRAM_FLAG : 16);
		sym[i].st_size = field(in, 8);
		sym[i].st_shndx = field(in, kind & 0x80 ? SHN_ABS : kind & 0x40 ? MRAM : HOST);
	}
}

/* Returns the size of the file. */
static size_t write_image(struct input *in, uint8_t *image)
{
	Elf32_Ehdr *ehdr = (Elf32_Ehdr *)image;
	unsigned int segments = take(in, 1) % (MAX_SEGMENTS + 1);
	uint32_t used;

	memset(image, 0, MAX_IMAGE);
	memcpy(ehdr->e_ident, ELFMAG, SELFMAG);
	ehdr->e_ident[EI_CLASS] = field(in, ELFCLASS32);
	ehdr->e_ident[EI_DATA] = field(in, ELFDATA2LSB);
	ehdr->e_ident[EI_VERSION] = EV_CURRENT;
	ehdr->e_type = field(in, ET_EXEC);
	ehdr->e_machine = field(in, 245);
	ehdr->e_version = EV_CURRENT;
	ehdr->e_entry = DPU_IRAM_FLAG;
	ehdr->e_ehsize = sizeof(*ehdr);
	ehdr->e_phoff = field(in, sizeof(*ehdr));
	ehdr->e_phentsize = field(in, sizeof(Elf32_Phdr));
	ehdr->e_phnum = field(in, segments);
	ehdr->e_shoff = field(in, 0x200);
	ehdr->e_shentsize = field(in, sizeof(Elf32_Shdr));
	ehdr->e_shnum = field(in, SECTIONS);
	ehdr->e_shstrndx = field(in, NAMES);
	write_segments(in, (Elf32_Phdr *)(ehdr + 1), segments);
	write_sections(in, (Elf32_Shdr *)(image + 0x200));
	write_symbols(in, (Elf32_Sym *)(image + SYMBOLS_AT));
	memcpy(image + NAMES_AT, section_names, sizeof(section_names));
	memcpy(image + STRINGS_AT, symbol_names, sizeof(symbol_names));
	/* the rest is code, data and log */
	used = in->size < MAX_IMAGE - TEXT_AT ? in->size : MAX_IMAGE - TEXT_AT;
	memcpy(image + TEXT_AT, in->data, used < TEXT_SIZE ? used : TEXT_SIZE);
	return 0x1000 - (segments == MAX_SEGMENTS ? take(in, 2) % 0x1000 : 0);
}

static uint32_t memory_size(enum dpu_memory memory)
{
	return memory == DPU_IRAM ? DPU_IRAM_WORDS * 8 : memory == DPU_WRAM ? DPU_WRAM_SIZE :
	       DPU_MRAM_SIZE;
}

static void check_program(const struct dpu_program *program, size_t size)
{
	size_t letters = 0;

	for (size_t i = 0; i < program->segment_count; i++) {
		const struct dpu_segment *s = &program->segments[i];
		uint32_t offset;
		enum dpu_memory memory = dpu_address(s->address, &offset);
		size_t at = s->data - (const uint8_t *)program->image;

		if (s->file_size > s->size || at > size || s->file_size > size - at ||
		    (uint64_t)offset + s->size > memory_size(memory))
			abort();
	}
	for (size_t i = 0; i < program->symbol_count; i++)
		letters += strlen(program->symbols[i].name);
	if (letters > size * program->symbol_count)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct dpu *dpu;
	static FILE *null;
	static uint8_t buffer[MAX_IMAGE];
	struct input in = { data, size };
	struct dpu_program *program;
	uint8_t *image, log[256];

	if (!dpu)
		dpu = dpu_new(&dpu_archs[DPU_ARCH_V1A], NULL, 0, NULL);
	if (!null)
		null = fopen("/dev/null", "w");
	if (!dpu || !null)
		abort();
	dpu_log_print(data, size, null);
	if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG)) {
		size = write_image(&in, buffer);
		data = buffer;
	}
	/* of exactly its size, so that no byte after it is readable */
	image = malloc(size ? size : 1);
	if (!image)
		abort();
	memcpy(image, data, size);
	if (dpu_program_open(image, size, &program)) {
		free(image);
		return 0;
	}
	check_program(program, size);
	dpu_reset(dpu);
	if (dpu_load_program(dpu, program)) {
		dpu_boot(dpu);
		dpu_run(dpu, 20000);
		dpu_halt(dpu);
		if (dpu_read(dpu, DPU_MRAM, 0, log, sizeof(log)))
			dpu_log_print(log, sizeof(log), null);
	}
	dpu_program_close(program);
	free(image);
	return 0;
}
