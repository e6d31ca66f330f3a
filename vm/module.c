// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel modules as the guest gets them: uncompressed, because not every kernel can decompress them, and light.
 *
 * A module holds more than the kernel uses: debug information, the types of BPF, a signature. Under TCG it takes
 * long to copy and to check them. What is left is what the kernel's loader looks at (kernel/module/main.c): sections
 * that are allocated, the relocations of those, and symbols with their names. Section numbers stay as they are.
 */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/vm.h"

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "the guests' modules are little-endian"
#endif

static bool is_used(const Elf64_Shdr *s, const Elf64_Shdr *sections, size_t n)
{
	switch (s->sh_type) {
	case SHT_NULL:
		return false;
	case SHT_SYMTAB:
	case SHT_STRTAB:
		return true;
	case SHT_RELA:
	case SHT_REL:
		return s->sh_info < n && sections[s->sh_info].sh_flags & SHF_ALLOC;
	default:
		return s->sh_flags & SHF_ALLOC;
	}
}

/* The section headers of an ELF file whose parts all lie inside it; NULL: it is not one of 64 bits. */
static Elf64_Shdr *sections_of(const char *data, size_t size, Elf64_Ehdr *head)
{
	Elf64_Shdr *sections;
	size_t bytes;

	if (size < sizeof(*head))
		return NULL;
	memcpy(head, data, sizeof(*head));
	bytes = head->e_shnum * sizeof(*sections);
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_shentsize != sizeof(*sections) || !bytes ||
	    head->e_shoff > size || bytes > size - head->e_shoff)
		return NULL;
	sections = malloc(bytes);
	if (!sections)
		fail("out of memory");
	memcpy(sections, data + head->e_shoff, bytes);
	for (size_t i = 0; i < head->e_shnum; i++) {
		if (sections[i].sh_type != SHT_NOBITS &&
		    (sections[i].sh_offset > size || sections[i].sh_size > size - sections[i].sh_offset)) {
			free(sections);
			return NULL;
		}
	}
	return sections;
}

static void align(FILE *f, size_t to)
{
	while (to && ftell(f) % to)
		fputc(0, f);
}

char *module_lighten(const char *data, size_t *size)
{
	Elf64_Ehdr head;
	Elf64_Shdr *sections = sections_of(data, *size, &head), *s;
	size_t n = head.e_shnum, left;
	char *light = NULL;
	FILE *f;

	if (!sections)
		return NULL;
	f = open_memstream(&light, &left);
	if (!f)
		fail("out of memory");
	fwrite(&head, sizeof(head), 1, f);
	for (s = sections; s < sections + n; s++) {
		const char *contents = data + s->sh_offset;

		if (!is_used(s, sections, n)) {
			*s = (Elf64_Shdr){ .sh_type = SHT_NULL };
			continue;
		}
		align(f, s->sh_addralign);
		s->sh_offset = ftell(f);
		if (s->sh_type != SHT_NOBITS)
			fwrite(contents, s->sh_size, 1, f);
	}
	align(f, sizeof(head.e_shoff));
	head.e_shoff = ftell(f);
	fwrite(sections, sizeof(*sections), n, f);
	free(sections);
	if (fclose(f))
		fail("out of memory");
	memcpy(light, &head, sizeof(head));
	*size = left;
	return light;
}

/* A file, or what a command makes of it. The shell does not see its name, which may have any characters. */
static char *module_unpack(const char *tool, const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb"), *f = file;
	AUTO_FREE char *command = NULL;
	char *data;

	if (file && tool) {
		command = format("%s </proc/self/fd/%d", tool, fileno(file));
		f = popen(command, "re");
	}
	if (!f)
		fail("%s: %s", path, strerror(errno));
	data = read_all(f, size);
	if (tool && pclose(f))
		fail("%s does not unpack %s", tool, path);
	fclose(file);
	return data;
}

char *module_read(const char *path, size_t *size)
{
	const char *tool = strstr(path, ".ko.xz") ? "xz -dc" :
			   strstr(path, ".ko.zst") ? "zstd -dc" :
			   strstr(path, ".ko.gz") ? "gzip -dc" :
			   NULL;
	char *data = module_unpack(tool, path, size), *light = module_lighten(data, size);

	if (!light)
		return data;
	free(data);
	return light;
}
