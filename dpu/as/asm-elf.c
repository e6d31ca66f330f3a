// SPDX-License-Identifier: GPL-2.0-only
/* The assembler's output: an ELF32 program as UPMEM's linker makes it, written with libelf. */
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dpu/as/asm-internal.h"
#include "dpu/include/dpu_program.h"

#define SHT_DPU_ATTRIBUTES (SHT_LOPROC + 3)

struct writer {
	struct as *as;
	int fd;
	Elf *elf;
	char *names;		/* section names */
	size_t names_size;
	char *strings;		/* symbol names */
	size_t strings_size;
	Elf32_Sym *symbols;
	size_t symbol_count;
	struct as_debug debug[AS_DEBUG_SECTIONS];
	unsigned int index[AS_SECTIONS];	/* section header of each section, 0: none */
};

static const struct {
	const char *name;
	uint32_t flags;
	bool loaded;
} kinds[AS_LOADED] = {
	[AS_TEXT] = { ".text", SHF_ALLOC | SHF_EXECINSTR, true },
	[AS_DATA] = { ".data", SHF_ALLOC | SHF_WRITE, true },
	[AS_HOST] = { ".data.__sys_host", SHF_ALLOC | SHF_WRITE, true },
	[AS_BSS] = { ".data.bss", SHF_ALLOC | SHF_WRITE, true },
	[AS_STACKS] = { ".data.stacks", SHF_ALLOC | SHF_WRITE, false },
	[AS_MRAM_NOINIT] = { ".mram.noinit", SHF_ALLOC | SHF_WRITE, false },
	[AS_MRAM] = { ".mram", SHF_ALLOC | SHF_WRITE, true },
	[AS_ATOMIC] = { ".atomic", SHF_ALLOC, false },
};

static void elf_check(struct writer *w, bool ok)
{
	if (!ok)
		as_fail(w->as, "cannot write the ELF file: %s", elf_errmsg(-1));
}

static size_t add_string(struct writer *w, char **table, size_t *size, const char *text)
{
	size_t at = *size, length = strlen(text) + 1;
	char *longer = realloc(*table, at + length);

	if (!longer)
		as_fail(w->as, "out of memory");
	*table = longer;
	memcpy(longer + at, text, length);
	*size += length;
	return at;
}

static unsigned int add_section(struct writer *w, const char *name, uint32_t type, uint32_t flags,
				uint32_t address, const void *bytes, uint32_t size, uint32_t align)
{
	Elf_Scn *scn = elf_newscn(w->elf);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	Elf32_Shdr *shdr = scn ? elf32_getshdr(scn) : NULL;

	elf_check(w, data && shdr);
	data->d_buf = (void *)bytes;
	data->d_size = size;
	data->d_align = align;
	data->d_type = type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
	data->d_version = EV_CURRENT;
	shdr->sh_name = add_string(w, &w->names, &w->names_size, name);
	shdr->sh_type = type;
	shdr->sh_flags = flags;
	shdr->sh_addr = address;
	shdr->sh_addralign = align;
	if (type == SHT_NOBITS)
		data->d_buf = NULL;
	return elf_ndxscn(scn);
}

static void add_sections(struct writer *w)
{
	for (int i = 0; i < AS_LOADED; i++) {
		const struct as_buffer *s = &w->as->sections[i];

		/* The heap symbol is in .mram, so write that section even when it is empty. */
		if (!s->size && i != AS_MRAM)
			continue;
		w->index[i] = add_section(w, kinds[i].name,
					  kinds[i].loaded ? SHT_PROGBITS : SHT_NOBITS, kinds[i].flags,
					  as_mark(i) + s->address, s->bytes,
					  kinds[i].loaded ? s->allocated : s->size,
					  i == AS_ATOMIC ? 1 : 8);
	}
}

static void add_symbol(struct writer *w, const struct as_symbol *s)
{
	Elf32_Sym *sym = &w->symbols[w->symbol_count++];
	const struct as_buffer *section = &w->as->sections[s->section];
	unsigned int bind = s->global ? STB_GLOBAL : STB_LOCAL;

	sym->st_name = add_string(w, &w->strings, &w->strings_size, s->name);
	sym->st_size = s->size;
	sym->st_info = ELF32_ST_INFO(bind, s->function ? STT_FUNC : s->object ? STT_OBJECT : STT_NOTYPE);
	if (s->section == AS_ABSOLUTE) {
		sym->st_shndx = SHN_ABS;
		sym->st_value = s->offset;
	} else {
		sym->st_shndx = w->index[s->section] ? w->index[s->section] : SHN_ABS;
		sym->st_value = as_mark(s->section) + section->address + s->offset;
	}
}

/* ELF requires local symbols first. */
static void add_symbols(struct writer *w)
{
	const struct as *as = w->as;
	unsigned int symtab, strtab;
	size_t locals;
	Elf32_Shdr *shdr;

	w->symbols = calloc(as->symbol_count + 1, sizeof(w->symbols[0]));
	if (!w->symbols)
		as_fail(w->as, "out of memory");
	w->symbol_count = 1;
	add_string(w, &w->strings, &w->strings_size, "");
	for (size_t i = 0; i < as->symbol_count; i++)
		if (!as->symbols[i].global && as->symbols[i].section <= AS_ABSOLUTE &&
		    as->symbols[i].name[0] != '.')
			add_symbol(w, &as->symbols[i]);
	locals = w->symbol_count;
	for (size_t i = 0; i < as->symbol_count; i++)
		if (as->symbols[i].global && as->symbols[i].section <= AS_ABSOLUTE)
			add_symbol(w, &as->symbols[i]);
	symtab = add_section(w, ".symtab", SHT_SYMTAB, 0, 0, w->symbols,
			     w->symbol_count * sizeof(w->symbols[0]), 4);
	strtab = add_section(w, ".strtab", SHT_STRTAB, 0, 0, w->strings, w->strings_size, 1);
	shdr = elf32_getshdr(elf_getscn(w->elf, symtab));
	shdr->sh_link = strtab;
	shdr->sh_info = locals;
	shdr->sh_entsize = sizeof(Elf32_Sym);
}

/* Format-version 'A', vendor "upmem", file scope, then the architecture's name. */
static void add_attributes(struct writer *w, uint8_t *bytes)
{
	static const char vendor[] = "upmem";
	const char *arch = w->as->options->arch->name;
	uint32_t inner = 1 + 4 + 1 + strlen(arch) + 1, outer = 4 + sizeof(vendor) + inner;
	uint8_t *p = bytes;

	*p++ = 'A';
	memcpy(p, &outer, 4);
	memcpy(p + 4, vendor, sizeof(vendor));
	p += 4 + sizeof(vendor);
	*p++ = 1;
	memcpy(p, &inner, 4);
	p += 4;
	*p++ = 5;
	strcpy((char *)p, arch);
	add_section(w, ".dpu.attributes", SHT_DPU_ATTRIBUTES, 0, 0, bytes, 1 + outer, 1);
}

static void add_program_headers(struct writer *w)
{
	Elf32_Phdr *phdr;
	int count = 0, n = 0;

	for (int i = 0; i < AS_LOADED; i++)
		count += w->index[i] && kinds[i].loaded && w->as->sections[i].size;
	phdr = elf32_newphdr(w->elf, count);
	elf_check(w, phdr && elf_update(w->elf, ELF_C_NULL) > 0);
	phdr = elf32_getphdr(w->elf);
	for (int i = 0; i < AS_LOADED; i++) {
		const Elf32_Shdr *shdr;

		if (!w->index[i] || !kinds[i].loaded || !w->as->sections[i].size)
			continue;
		shdr = elf32_getshdr(elf_getscn(w->elf, w->index[i]));
		phdr[n].p_type = PT_LOAD;
		phdr[n].p_offset = shdr->sh_offset;
		phdr[n].p_vaddr = shdr->sh_addr;
		phdr[n].p_paddr = shdr->sh_addr;
		phdr[n].p_filesz = shdr->sh_size;
		phdr[n].p_memsz = shdr->sh_size;
		phdr[n].p_flags = i == AS_TEXT ? PF_R | PF_X : PF_R | PF_W;
		phdr[n].p_align = 8;
		n++;
	}
	elf_flagphdr(w->elf, ELF_C_SET, ELF_F_DIRTY);
}

static void add_debug(struct writer *w)
{
	as_line_sections(w->as, w->debug);
	for (int i = 0; i < AS_DEBUG_SECTIONS; i++)
		if (w->debug[i].size)
			add_section(w, w->debug[i].name, SHT_PROGBITS, 0, 0, w->debug[i].bytes,
				    w->debug[i].size, 1);
}

static void elf_build(struct writer *w)
{
	uint8_t attributes[64];
	unsigned int names;
	Elf32_Ehdr *ehdr;

	elf_check(w, elf_version(EV_CURRENT) != EV_NONE);
	w->elf = elf_begin(w->fd, ELF_C_WRITE, NULL);
	elf_check(w, w->elf);
	ehdr = elf32_newehdr(w->elf);
	elf_check(w, ehdr);
	ehdr->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr->e_type = ET_EXEC;
	ehdr->e_machine = DPU_ELF_MACHINE;
	ehdr->e_entry = DPU_ELF_ENTRY;
	ehdr->e_flags = DPU_ELF_FLAGS;
	ehdr->e_version = EV_CURRENT;
	add_string(w, &w->names, &w->names_size, "");
	add_sections(w);
	add_attributes(w, attributes);
	add_debug(w);
	if (w->as->line_count)
		add_section(w, DPU_REFERENCES, SHT_PROGBITS, 0, 0, w->as->references,
			    w->as->reference_count * sizeof(w->as->references[0]), 4);
	add_symbols(w);
	add_string(w, &w->names, &w->names_size, ".shstrtab");
	names = add_section(w, ".shstrtab", SHT_STRTAB, 0, 0, NULL, 0, 1);
	elf_getdata(elf_getscn(w->elf, names), NULL)->d_buf = w->names;
	elf_getdata(elf_getscn(w->elf, names), NULL)->d_size = w->names_size;
	elf32_getehdr(w->elf)->e_shstrndx = names;
	add_program_headers(w);
	elf_check(w, elf_update(w->elf, ELF_C_WRITE) > 0);
}

static void writer_free(struct writer *w)
{
	elf_end(w->elf);
	if (w->fd >= 0)
		close(w->fd);
	free(w->names);
	free(w->strings);
	free(w->symbols);
	for (int i = 0; i < AS_DEBUG_SECTIONS; i++)
		free(w->debug[i].bytes);
	free(w);
}

static void take_image(struct writer *w, void **image, size_t *size)
{
	off_t length = lseek(w->fd, 0, SEEK_END);

	*image = length > 0 ? malloc(length) : NULL;
	if (!*image)
		as_fail(w->as, "out of memory");
	if (pread(w->fd, *image, length, 0) != length) {
		free(*image);
		as_fail(w->as, "cannot read the temporary file");
	}
	*size = length;
}

void as_write_elf(struct as *as, void **image, size_t *size)
{
	struct writer *w;
	jmp_buf outer;

	if (!as->sections[AS_TEXT].size)
		as_fail(as, "the program has no instructions");
	w = calloc(1, sizeof(*w));
	if (!w)
		as_fail(as, "out of memory");
	w->as = as;
	w->fd = memfd_create("dpu-program", MFD_CLOEXEC);
	/* on an error, free the writer first, then continue with the caller's handler */
	memcpy(&outer, &as->failed, sizeof(outer));
	if (setjmp(as->failed)) {
		writer_free(w);
		longjmp(outer, 1);
	}
	if (w->fd < 0)
		as_fail(as, "cannot create a temporary file");
	elf_build(w);
	elf_end(w->elf);
	w->elf = NULL;
	take_image(w, image, size);
	memcpy(&as->failed, &outer, sizeof(outer));
	writer_free(w);
}
