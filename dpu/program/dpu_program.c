// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads DPU programs with libelf. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dpu/include/dpu_memory.h"
#include "dpu/include/dpu_program.h"

/* Largest file that is accepted: MRAM and some debug information. */
#define MAX_FILE_SIZE (256u << 20)

/* At the same address a function goes before a label. */
static bool is_nearer(const struct dpu_program_symbol *s, const struct dpu_program_symbol *best)
{
	return !best || s->value > best->value ||
	       (s->value == best->value && s->function && !best->function);
}

const struct dpu_program_symbol *dpu_program_around(const struct dpu_program *program,
						    uint32_t address)
{
	const struct dpu_program_symbol *best = NULL;

	for (size_t i = 0; i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];

		if (!s->absolute && s->value & DPU_IRAM_FLAG && s->value <= address && is_nearer(s, best))
			best = s;
	}
	return best;
}

const char *dpu_program_error_text(enum dpu_program_error error)
{
	static const char *const texts[] = {
		[DPU_PROGRAM_OK] = "success",
		[DPU_PROGRAM_NOT_ELF] = "not an ELF file",
		[DPU_PROGRAM_NOT_DPU] = "not a DPU program (ELF32, little endian, machine 245)",
		[DPU_PROGRAM_BROKEN] = "damaged: a segment or symbol leaves the file or the memory",
		[DPU_PROGRAM_MEMORY] = "out of memory",
	};

	return texts[error];
}

static bool segment_fits(uint32_t address, uint64_t size)
{
	uint32_t offset;

	switch (dpu_address(address, &offset)) {
	case DPU_IRAM:
		return offset % 8 == 0 && size % 8 == 0 && offset <= DPU_IRAM_WORDS * 8 &&
		       size <= DPU_IRAM_WORDS * 8 - offset;
	case DPU_WRAM:
		return offset % 4 == 0 && offset <= DPU_WRAM_SIZE && size <= DPU_WRAM_SIZE - offset;
	default:
		return offset % 8 == 0 && offset <= DPU_MRAM_SIZE && size <= DPU_MRAM_SIZE - offset;
	}
}

static enum dpu_program_error read_segments(struct dpu_program *program, size_t file_size)
{
	size_t count;

	if (elf_getphdrnum(program->elf, &count))
		return DPU_PROGRAM_BROKEN;
	program->segments = calloc(count ? count : 1, sizeof(program->segments[0]));
	if (!program->segments)
		return DPU_PROGRAM_MEMORY;
	for (size_t i = 0; i < count; i++) {
		struct dpu_segment *s = &program->segments[program->segment_count];
		GElf_Phdr phdr;

		if (!gelf_getphdr(program->elf, i, &phdr))
			return DPU_PROGRAM_BROKEN;
		if (phdr.p_type != PT_LOAD || phdr.p_vaddr == DPU_ELF_CORE || !phdr.p_memsz)
			continue;
		if (phdr.p_filesz > phdr.p_memsz || phdr.p_offset > file_size ||
		    phdr.p_filesz > file_size - phdr.p_offset ||
		    !segment_fits(phdr.p_vaddr, phdr.p_memsz))
			return DPU_PROGRAM_BROKEN;
		s->address = phdr.p_vaddr;
		s->data = (const uint8_t *)program->image + phdr.p_offset;
		s->file_size = phdr.p_filesz;
		s->size = phdr.p_memsz;
		program->segment_count++;
	}
	return DPU_PROGRAM_OK;
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* The host may access __host variables, __mram variables and three variables of the runtime. */
static bool host_symbol(const char *name, const char *section)
{
	return starts_with(section, ".data.__sys_host") || starts_with(section, ".dpu_host") ||
	       starts_with(section, ".mram") || !strcmp(name, DPU_HEAP_SYMBOL) ||
	       !strcmp(name, "CLOCKS_PER_SEC") || !strcmp(name, "error_storage");
}

static enum dpu_program_error read_symbols(struct dpu_program *program, Elf_Scn *scn,
					   const GElf_Shdr *shdr, size_t names)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t count;

	if (!data || shdr->sh_entsize != sizeof(Elf32_Sym))
		return DPU_PROGRAM_BROKEN;
	count = data->d_size / sizeof(Elf32_Sym);
	program->symbols = calloc(count ? count : 1, sizeof(program->symbols[0]));
	if (!program->symbols)
		return DPU_PROGRAM_MEMORY;
	for (size_t i = 1; i < count; i++) {
		struct dpu_program_symbol *s = &program->symbols[program->symbol_count];
		const char *section = "";
		GElf_Shdr where;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym))
			return DPU_PROGRAM_BROKEN;
		if (sym.st_shndx == SHN_UNDEF)
			continue;
		s->name = elf_strptr(program->elf, shdr->sh_link, sym.st_name);
		if (!s->name)
			return DPU_PROGRAM_BROKEN;
		if (!*s->name)
			continue;
		if (sym.st_shndx < SHN_LORESERVE &&
		    gelf_getshdr(elf_getscn(program->elf, sym.st_shndx), &where))
			section = elf_strptr(program->elf, names, where.sh_name);
		s->value = sym.st_value;
		s->section = sym.st_shndx;
		s->size = sym.st_size;
		s->absolute = sym.st_shndx == SHN_ABS;
		s->function = GELF_ST_TYPE(sym.st_info) == STT_FUNC;
		s->host = host_symbol(s->name, section ? section : "");
		if (s->absolute && !strcmp(s->name, "NR_TASKLETS"))
			program->tasklets = s->value;
		program->symbol_count++;
	}
	return DPU_PROGRAM_OK;
}

/* The attributes have the format of ARM's; the architecture is a plain string. */
static void read_arch(struct dpu_program *program, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);

	for (size_t i = 0; data && data->d_buf && i + 3 <= data->d_size; i++) {
		const char *text = (const char *)data->d_buf + i;

		if (!memcmp(text, "v1A", 3) || !memcmp(text, "v1B", 3)) {
			memcpy(program->arch, text, 3);
			return;
		}
	}
}

/* A section of an object file that holds instructions. */
static enum dpu_program_error add_code(struct dpu_program *program, const char *name, uint32_t index,
				       const GElf_Shdr *shdr, size_t file_size)
{
	struct dpu_segment *segments;

	if (shdr->sh_offset > file_size || shdr->sh_size > file_size - shdr->sh_offset)
		return DPU_PROGRAM_BROKEN;
	segments = realloc(program->segments, (program->segment_count + 1) * sizeof(segments[0]));
	if (!segments)
		return DPU_PROGRAM_MEMORY;
	program->segments = segments;
	segments[program->segment_count++] = (struct dpu_segment){
		.address = DPU_IRAM_FLAG, .data = (const uint8_t *)program->image + shdr->sh_offset,
		.file_size = shdr->sh_size, .size = shdr->sh_size, .section = name, .index = index,
	};
	return DPU_PROGRAM_OK;
}

static enum dpu_program_error read_sections(struct dpu_program *program, size_t size)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(program->elf, &names))
		return DPU_PROGRAM_BROKEN;
	while ((scn = elf_nextscn(program->elf, scn))) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			return DPU_PROGRAM_BROKEN;
		name = elf_strptr(program->elf, names, shdr.sh_name);
		if (name && !strcmp(name, ".dpu.attributes"))
			read_arch(program, scn);
		if (name && !strcmp(name, DPU_REFERENCES) && shdr.sh_type == SHT_PROGBITS) {
			Elf_Data *data = elf_getdata(scn, NULL);

			program->references = data ? data->d_buf : NULL;
			program->references_size = data && data->d_buf ? data->d_size : 0;
		}
		if (program->object && name && shdr.sh_type == SHT_PROGBITS && shdr.sh_size &&
		    shdr.sh_flags & SHF_EXECINSTR) {
			enum dpu_program_error error = add_code(program, name, elf_ndxscn(scn), &shdr, size);

			if (error)
				return error;
		}
		if (shdr.sh_type == SHT_SYMTAB && !program->symbols) {
			enum dpu_program_error error = read_symbols(program, scn, &shdr, names);

			if (error)
				return error;
		}
	}
	return DPU_PROGRAM_OK;
}

/* libelf leaves out tables beyond the end of a truncated file without an error */
static bool tables_fit(const GElf_Ehdr *ehdr, size_t size)
{
	return ehdr->e_phoff <= size && ehdr->e_shoff <= size &&
	       (size_t)ehdr->e_phnum * sizeof(Elf32_Phdr) <= size - ehdr->e_phoff &&
	       (size_t)ehdr->e_shnum * sizeof(Elf32_Shdr) <= size - ehdr->e_shoff;
}

static enum dpu_program_error read_all(struct dpu_program *program, size_t size)
{
	enum dpu_program_error error;
	GElf_Ehdr ehdr;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return DPU_PROGRAM_NOT_ELF;
	program->elf = elf_memory(program->image, size);
	if (!program->elf || elf_kind(program->elf) != ELF_K_ELF ||
	    !gelf_getehdr(program->elf, &ehdr))
		return DPU_PROGRAM_NOT_ELF;
	if (ehdr.e_ident[EI_CLASS] != ELFCLASS32 || ehdr.e_ident[EI_DATA] != ELFDATA2LSB ||
	    ehdr.e_machine != DPU_ELF_MACHINE || ehdr.e_type != (program->object ? ET_REL : ET_EXEC))
		return DPU_PROGRAM_NOT_DPU;
	if ((!program->object && !ehdr.e_phnum) || !tables_fit(&ehdr, size))
		return DPU_PROGRAM_BROKEN;
	error = program->object ? DPU_PROGRAM_OK : read_segments(program, size);
	return error ? error : read_sections(program, size);
}

static enum dpu_program_error open_image(const void *image, size_t size, bool object,
					 struct dpu_program **out)
{
	struct dpu_program *program;
	enum dpu_program_error error;

	if (size < SELFMAG || memcmp(image, ELFMAG, SELFMAG))
		return DPU_PROGRAM_NOT_ELF;
	program = calloc(1, sizeof(*program));
	if (!program)
		return DPU_PROGRAM_MEMORY;
	program->object = object;
	program->image = malloc(size);
	if (!program->image) {
		free(program);
		return DPU_PROGRAM_MEMORY;
	}
	memcpy(program->image, image, size);
	program->image_size = size;
	error = read_all(program, size);
	if (error) {
		dpu_program_close(program);
		return error;
	}
	*out = program;
	return DPU_PROGRAM_OK;
}

enum dpu_program_error dpu_program_open(const void *image, size_t size, struct dpu_program **program)
{
	return open_image(image, size, false, program);
}

static void *read_file(const char *path, size_t *size)
{
	struct stat st;
	char *image = NULL;
	size_t done = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		goto out;
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE_SIZE) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EFBIG;
		goto out;
	}
	image = malloc(st.st_size + 1);
	while (image && done < (size_t)st.st_size) {
		ssize_t n = read(fd, image + done, st.st_size - done);

		if (n <= 0)
			break;
		done += n;
	}
	*size = done;
out:
	close(fd);
	return image;
}

static enum dpu_program_error open_file(const char *path, bool objects, struct dpu_program **program)
{
	enum dpu_program_error error;
	size_t size = 0;
	void *image;

	errno = 0;
	image = read_file(path, &size);
	if (!image)
		return DPU_PROGRAM_NOT_ELF;
	errno = 0;
	error = open_image(image, size, false, program);
	if (error == DPU_PROGRAM_NOT_DPU && objects)
		error = open_image(image, size, true, program);
	free(image);
	if (error)
		errno = 0;
	return error;
}

enum dpu_program_error dpu_program_read(const char *path, struct dpu_program **program)
{
	return open_file(path, false, program);
}

enum dpu_program_error dpu_program_read_any(const char *path, struct dpu_program **program)
{
	return open_file(path, true, program);
}

void dpu_program_close(struct dpu_program *program)
{
	if (!program)
		return;
	elf_end(program->elf);
	free(program->segments);
	free(program->symbols);
	free(program->image);
	free(program);
}

const struct dpu_program_symbol *dpu_program_symbol(const struct dpu_program *program,
						    const char *name)
{
	for (size_t i = 0; i < program->symbol_count; i++)
		if (!strcmp(program->symbols[i].name, name))
			return &program->symbols[i];
	return NULL;
}
