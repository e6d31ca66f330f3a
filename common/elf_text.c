// SPDX-License-Identifier: LGPL-2.1-or-later
/* Functions and source lines of a linked program, through libelf and libdw. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/elf_lines.h"
#include "common/elf_text.h"

struct symbol {
	const char *name;
	uint64_t value, size;
	bool function;
};

struct elf_text {
	int fd;
	Elf *elf;
	struct elf_lines *lines;	/* or NULL */
	struct symbol *symbols;
	size_t symbol_count;
};

/* Does the symbol name code? Labels have no type. */
static bool names_code(Elf *elf, const GElf_Sym *symbol, const char *name)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);
	Elf_Scn *section;
	GElf_Shdr header;

	if (!name || !*name || (type != STT_FUNC && type != STT_NOTYPE))
		return false;
	section = elf_getscn(elf, symbol->st_shndx);
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE && section &&
	       gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR;
}

static bool read_symbols(struct elf_text *text, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	text->symbols = calloc(n + 1, sizeof(text->symbols[0]));
	if (!text->symbols)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, i, &symbol))
			break;
		name = elf_strptr(text->elf, header->sh_link, symbol.st_name);
		if (names_code(text->elf, &symbol, name))
			text->symbols[text->symbol_count++] = (struct symbol){
				name, symbol.st_value, symbol.st_size,
				GELF_ST_TYPE(symbol.st_info) == STT_FUNC,
			};
	}
	return true;
}

static bool find_symbols(struct elf_text *text)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(text->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return read_symbols(text, section, &header);
	return true;
}

struct elf_text *elf_text_open(const char *path)
{
	struct elf_text *text = calloc(1, sizeof(*text));
	int error = ENOMEM;

	if (!text)
		return NULL;
	text->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (text->fd < 0) {
		error = errno;
		goto no_file;
	}
	elf_version(EV_CURRENT);
	text->elf = elf_begin(text->fd, ELF_C_READ, NULL);
	if (!text->elf || elf_kind(text->elf) != ELF_K_ELF) {
		error = ENOEXEC;
		goto no_elf;
	}
	if (!find_symbols(text))
		goto no_elf;
	text->lines = elf_lines_open(text->elf);
	return text;

no_elf:
	elf_end(text->elf);
	close(text->fd);
no_file:
	free(text);
	errno = error;
	return NULL;
}

void elf_text_close(struct elf_text *text)
{
	if (text->lines)
		elf_lines_close(text->lines);
	free(text->symbols);
	elf_end(text->elf);
	close(text->fd);
	free(text);
}

static const char *function_at(const struct elf_text *text, uint64_t address)
{
	const struct symbol *label = NULL;

	for (size_t i = 0; i < text->symbol_count; i++) {
		const struct symbol *s = &text->symbols[i];

		if (s->value > address)
			continue;
		if (s->function && address - s->value < s->size)
			return s->name;
		if (!label || s->value > label->value)
			label = s;
	}
	return label ? label->name : "(no symbol)";
}

struct elf_place elf_text_find(struct elf_text *text, uint64_t address)
{
	struct elf_place place = { .function = function_at(text, address), .file = "???" };

	if (text->lines && !elf_lines_find(text->lines, address, &place.file, &place.line))
		place.line = 0;
	return place;
}
