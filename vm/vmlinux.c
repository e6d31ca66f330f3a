// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks the ELF file inside a kernel image.
 *
 * A kernel takes 2.5 s under TCG to unpack itself; the host does it once in less than 1 s. QEMU
 * boots the ELF file directly if it has the PVH entry point. If any step fails, mon-vm boots the
 * unmodified image.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm/vm.h"

/* Documentation/x86/boot.rst; payload_offset counts from the protected-mode code. */
#define SETUP_SECTS_AT 0x1f1
#define BOOT_MAGIC_AT 0x202
#define PAYLOAD_OFFSET_AT 0x248
#define PAYLOAD_LENGTH_AT 0x24c

#define NOTE_PHYS32_ENTRY 18	/* type of the note of owner "Xen" that holds the PVH entry (xen/interface/elfnote.h) */

struct payload {
	const unsigned char *data;
	size_t size;	/* without the four bytes of the next item */
	uint32_t unpacked;	/* uncompressed size, stored after the compressed data */
};

static uint32_t vmlinux_get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static bool find_payload(struct payload *p, const unsigned char *image, size_t size)
{
	size_t start;

	if (size < 0x1000 || memcmp(image + BOOT_MAGIC_AT, "HdrS", 4))
		return false;
	start = ((image[SETUP_SECTS_AT] ? image[SETUP_SECTS_AT] : 4) + 1) * 512UL +
		vmlinux_get32(image + PAYLOAD_OFFSET_AT);
	p->size = vmlinux_get32(image + PAYLOAD_LENGTH_AT);
	if (start > size || p->size > size - start || p->size < 16)
		return false;
	p->data = image + start;
	p->size -= 4;
	p->unpacked = vmlinux_get32(p->data + p->size);
	return true;
}

static const char *unpacker(const struct payload *p)
{
	static const struct {
		const char *magic, *command;
	} all[] = {
		{ "\xfd" "7zXZ", "xz -dc" },
		{ "\x28\xb5\x2f\xfd", "zstd -dcq" },
		{ "\x1f\x8b\x08", "gzip -dc" },
		{ "\x02\x21\x4c\x18", "lz4 -dcq" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!memcmp(p->data, all[i].magic, strlen(all[i].magic)))
			return all[i].command;
	}
	return NULL;
}

/* Runs the decompressor on the payload, with output to fd. */
static bool unpack(const struct payload *p, int fd)
{
	const char *tool = unpacker(p);
	char *command;
	int in, status = -1;
	pid_t pid;

	if (!tool)
		return false;
	in = memfd_create("mon-vm-payload", MFD_CLOEXEC);
	if (in < 0 || write(in, p->data, p->size) != (ssize_t)p->size || lseek(in, 0, SEEK_SET))
		return false;
	command = format("exec %s 2>/dev/null", tool);
	pid = fork();
	if (!pid) {
		dup2(in, 0);
		dup2(fd, 1);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	free(command);
	close(in);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static bool has_pvh_entry(const unsigned char *elf, size_t size)
{
	Elf64_Ehdr head;
	Elf64_Phdr seg;

	if (size < sizeof(head))
		return false;
	memcpy(&head, elf, sizeof(head));
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (int i = 0; i < head.e_phnum; i++) {
		size_t at = head.e_phoff + i * sizeof(seg), end;

		if (at > size || sizeof(seg) > size - at)
			return false;
		memcpy(&seg, elf + at, sizeof(seg));
		if (seg.p_type != PT_NOTE || seg.p_offset > size || seg.p_filesz > size - seg.p_offset)
			continue;
		at = seg.p_offset;
		end = at + seg.p_filesz;
		while (end - at >= sizeof(Elf64_Nhdr)) {
			Elf64_Nhdr note;

			memcpy(&note, elf + at, sizeof(note));
			at += sizeof(note);
			if (note.n_namesz > end - at || note.n_descsz > end - at)
				break;
			if (note.n_type == NOTE_PHYS32_ENTRY && note.n_namesz == 4 &&
			    !memcmp(elf + at, "Xen", 4))
				return true;
			at += (note.n_namesz + 3UL) / 4 * 4 + (note.n_descsz + 3UL) / 4 * 4;
			if (at > end)
				break;
		}
	}
	return false;
}

/* Unpacks IMAGE into fd and checks the result. */
static bool make_vmlinux(const char *image, int fd)
{
	int in = open(image, O_RDONLY | O_CLOEXEC);
	struct payload p;
	struct stat st;
	void *map;
	bool good;

	if (in < 0 || fstat(in, &st))
		return false;
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, in, 0);
	close(in);
	if (map == MAP_FAILED)
		return false;
	good = find_payload(&p, map, st.st_size) && unpack(&p, fd);
	munmap(map, st.st_size);
	if (!good || fstat(fd, &st) || st.st_size != (off_t)p.unpacked)
		return false;
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	good = has_pvh_entry(map, st.st_size);
	munmap(map, st.st_size);
	return good;
}

/* Folder of unpacked kernels: in the build tree, or in the user's cache. */
static char *cache_folder(const struct options *o)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *dir, *parent;

	if (o->places.build)
		return format("%s/vm", o->places.build);
	if (cache && *cache)
		parent = format("%s", cache);
	else
		parent = format("%s/.cache", home ? home : "");
	mkdir(parent, 0700);
	dir = format("%s/libmon", parent);
	free(parent);
	mkdir(dir, 0700);
	return dir;
}

char *vmlinux_get(const struct options *o)
{
	char *dir = cache_folder(o), *path = format("%s/vmlinux-%s", dir, o->release);
	char *tmp = format("%s/vmlinux-XXXXXX", dir);
	struct stat image, kept;
	int fd;

	if (stat(o->kernel, &image))
		fail("%s: %s", o->kernel, strerror(errno));
	/* the copy has its image's time stamp, which reveals a newer image of the same release */
	if (!stat(path, &kept) && kept.st_mtim.tv_sec == image.st_mtim.tv_sec &&
	    kept.st_mtim.tv_nsec == image.st_mtim.tv_nsec)
		goto out;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd >= 0) {
		const struct timespec times[2] = { image.st_mtim, image.st_mtim };

		if (make_vmlinux(o->kernel, fd) && !fchmod(fd, 0644) &&
		    !futimens(fd, times) && !rename(tmp, path)) {
			close(fd);
			goto out;
		}
		unlink(tmp);
		close(fd);
	}
	free(path);
	path = format("%s", o->kernel);
out:
	free(dir);
	free(tmp);
	return path;
}
