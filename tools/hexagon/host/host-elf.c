/* SPDX-License-Identifier: GPL-2.0-only */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hexagon/packet.h"
#include "tools/hexagon/host/host-elf.h"

/* The core version in an ELF header's flags, as hexadecimal digits; the newest that may run, on a V67 and on a V73. */
#define ELF_VERSION 0xff
#define NEWEST_ON_V67 0x69
#define NEWEST_ON_V73 0x73
#define NEWEST_WITHOUT_QFLOAT 0x67

/*
 * Words of code that are searched at a time, and bytes in total: a damaged file may name any number
 * of segments.
 */
#define WORDS 4096
#define MOST (256 << 20)

static bool read_segment(int fd, const Elf32_Ehdr *head, unsigned int i, Elf32_Phdr *segment)
{
	return pread(fd, segment, sizeof(*segment), head->e_phoff + (off_t)i * sizeof(*segment)) ==
	       sizeof(*segment);
}

/*
 * What is wrong with the segments, or NULL: a missing dynamic linker, or an access to pages of a segment that is not in the file,
 * would end the emulator.
 */
static const char *check_segments(int fd, const Elf32_Ehdr *head)
{
	Elf32_Phdr segment;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return "it cannot be read";
	for (unsigned int i = 0; i < head->e_phnum && read_segment(fd, head, i, &segment); i++) {
		if (segment.p_type == PT_LOAD && (off_t)segment.p_offset + segment.p_filesz > st.st_size)
			return "damaged: it ends before its last segment does: copy or build it anew";
		if (segment.p_type == PT_INTERP)
			return "needs a dynamic linker and libraries, which are not here: link it with -static";
	}
	return NULL;
}

bool elf_check(int fd, const char *name, bool has_v73, char *why, size_t size)
{
	unsigned int version, newest = has_v73 ? NEWEST_ON_V73 : NEWEST_ON_V67;
	const char *wrong;
	Elf32_Ehdr head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != EM_QDSP6 ||
	    head.e_ident[EI_CLASS] != ELFCLASS32) {
		snprintf(why, size,
			 "%s: not a Hexagon program: build it with clang --target=hexagon-unknown-linux-musl",
			 name);
		return false;
	}
	version = head.e_flags & ELF_VERSION;
	if (version > newest) {
		snprintf(why, size, "%s: built for V%x: the emulator knows %s: build it with -m%s", name, version,
			 has_v73 ? "V73" : "V67, and what V68 and V69 share with it", has_v73 ? "v73" : "v67, or install QEMU 10");
		return false;
	}
	/* programs for V67 may have data that looks like it */
	if (version > NEWEST_WITHOUT_QFLOAT && elf_operations(fd) & HEXAGON_COMPUTES_QFLOAT) {
		snprintf(why, size, "%s: has vector instructions of qfloat (qf16, qf32), which QEMU does not have: build it with "
			 "-mv67, or with -mno-hvx-qfloat", name);
		return false;
	}
	wrong = check_segments(fd, &head);
	if (wrong) {
		snprintf(why, size, "%s: %s", name, wrong);
		return false;
	}
	return true;
}

static unsigned int find_operations(int fd, off_t at, uint32_t size, uint32_t *left)
{
	unsigned int found = 0;
	uint32_t words[WORDS];

	while (size) {
		ssize_t n = pread(fd, words, size < sizeof(words) ? size : sizeof(words), at);

		if (n < (ssize_t)sizeof(words[0]))
			return found;
		if (*left < n)
			return found | HEXAGON_OPERATES_CACHES;
		n -= n % sizeof(words[0]);
		*left -= n;
		for (size_t i = 0; i < n / sizeof(words[0]); i++)
			found |= hexagon_word_operations(words[i]);
		at += n;
		size -= n;
	}
	return found;
}

unsigned int elf_operations(int fd)
{
	uint32_t left = MOST;
	Elf32_Phdr segment;
	unsigned int found = 0;
	Elf32_Ehdr head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return 0;
	for (unsigned int i = 0; i < head.e_phnum && read_segment(fd, &head, i, &segment); i++)
		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
			found |= find_operations(fd, segment.p_offset, segment.p_filesz, &left);
	return found;
}
