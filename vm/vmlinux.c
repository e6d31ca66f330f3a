// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks the ELF file inside a kernel image.
 *
 * A kernel takes 2.5 s under TCG to unpack itself; the host does it once in less than 1 s. QEMU
 * boots the ELF file directly if it has the PVH entry point. If any step fails, mon-vm boots the
 * unmodified image.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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
		const char *magic, *program;
	} all[] = {
		{ "\xfd" "7zXZ", "xz" },
		{ "\x28\xb5\x2f\xfd", "zstd" },
		{ "\x1f\x8b\x08", "gzip" },
		{ "\x02\x21\x4c\x18", "lz4" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!memcmp(p->data, all[i].magic, strlen(all[i].magic)))
			return all[i].program;
	}
	return NULL;
}

/* Runs the decompressor on the payload, with output to fd. */
static bool unpack(const struct payload *p, int fd)
{
	const char *program = unpacker(p);
	char *argv[] = { (char *)program, "-dcq", NULL };
	posix_spawn_file_actions_t files;
	int in, error, status = -1;
	pid_t pid;

	if (!program)
		return false;
	in = memfd_create("mon-vm-payload", MFD_CLOEXEC);
	if (in < 0 || write(in, p->data, p->size) != (ssize_t)p->size || lseek(in, 0, SEEK_SET))
		return false;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, 0);
	posix_spawn_file_actions_adddup2(&files, fd, 1);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, program, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(in);
	if (!error && waitpid(pid, &status, 0) != pid)
		return false;
	/* 127: what a program says that could not tell the failure of exec to its parent */
	if (error == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		warn("%s not found, with which the kernel is compressed: each boot takes some seconds more: install %s",
		     program, program);
	return !error && !status;
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

struct image {
	void *map;
	struct stat st;
	struct payload payload;
};

static bool image_open(struct image *image, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &image->st))
		fail("%s: %s", path, strerror(errno));
	image->map = mmap(NULL, image->st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	return image->map != MAP_FAILED && find_payload(&image->payload, image->map, image->st.st_size);
}

static void image_close(struct image *image)
{
	if (image->map != MAP_FAILED)
		munmap(image->map, image->st.st_size);
}

/* Unpacks IMAGE into fd and checks the result. */
static bool make_vmlinux(const struct image *image, int fd)
{
	const size_t size = image->payload.unpacked;
	struct stat st;
	void *map;
	bool good;

	if (!unpack(&image->payload, fd) || fstat(fd, &st) || st.st_size != (off_t)size)
		return false;
	map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	good = has_pvh_entry(map, size);
	munmap(map, size);
	return good;
}

/*
 * Folder of unpacked kernels: in the build tree, or in the user's cache, where it belongs to the user alone, because the
 * kernel in it reads the user's files. As the XDG base directory specification has it, a relative path does not count.
 * NULL: there is none.
 */
static char *cache_folder(const struct options *o)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct stat st;
	AUTO_FREE char *parent = NULL;
	char *dir;

	if (o->places.build) {
		dir = format("%s/vm", o->places.build);
		if (!access(dir, W_OK))
			return dir;
		free(dir);
	}
	if (cache && *cache == '/')
		parent = format("%s", cache);
	else if (home && *home == '/')
		parent = format("%s/.cache", home);
	else
		return NULL;
	mkdir(parent, 0700);
	dir = format("%s/libmon", parent);
	if (mkdir(dir, 0700) && errno != EEXIST)
		warn("%s: %s: each boot takes some seconds more: set XDG_CACHE_HOME to a folder that can be written", dir,
		     strerror(errno));
	else if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		warn("%s: others may write or read it, so no kernel is taken from it, and each boot takes some seconds "
		     "more: it has to be a folder of yours, mode 0700", dir);
	else
		return dir;
	free(dir);
	return NULL;
}

/*
 * The copy has its image's time stamp, which reveals a newer image of the same release, its size, and an owner whom the
 * user trusts: the user, or the owner of the build tree whose mon-vm runs.
 */
static bool is_copy(const char *path, const struct options *o, const struct image *image)
{
	struct stat st, tree;

	if (lstat(path, &st) || !S_ISREG(st.st_mode) || st.st_mode & 022)
		return false;
	if (st.st_uid != geteuid() &&
	    (!o->places.build || stat(o->places.build, &tree) || st.st_uid != tree.st_uid))
		return false;
	return st.st_size == (off_t)image->payload.unpacked && st.st_mtim.tv_sec == image->st.st_mtim.tv_sec &&
	       st.st_mtim.tv_nsec == image->st.st_mtim.tv_nsec;
}

/* Removes copies whose image is no longer in /boot, and what a killed run left, a day after they were last read. */
static void remove_old(const char *dir)
{
	const char prefix[] = "vmlinux-";
	time_t yesterday = time(NULL) - 24 * 60 * 60;
	struct dirent *entry;
	DIR *d = opendir(dir);
	struct stat st;

	while (d && (entry = readdir(d))) {
		AUTO_FREE char *image = NULL;

		if (strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		image = format("/boot/vmlinuz-%s", entry->d_name + strlen(prefix));
		if (!exists(image) && !fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    st.st_atime < yesterday)
			unlinkat(dirfd(d), entry->d_name, 0);
	}
	if (d)
		closedir(d);
}

static bool make_copy(const char *dir, const char *path, const struct image *image)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, image->st.st_mtim };
	AUTO_FREE char *tmp = format("%s/vmlinux-XXXXXX", dir);
	int fd = mkostemp(tmp, O_CLOEXEC);
	bool made;

	made = fd >= 0 && make_vmlinux(image, fd) && !fchmod(fd, 0644) && !futimens(fd, times) && !fsync(fd) &&
	       !rename(tmp, path);
	if (fd >= 0) {
		if (!made)
			unlink(tmp);
		close(fd);
	}
	return made;
}

char *vmlinux_get(const struct options *o)
{
	AUTO_FREE char *dir = NULL, *path = NULL;
	struct image image;
	bool there = false;

	if (image_open(&image, o->kernel) && (dir = cache_folder(o))) {
		path = format("%s/vmlinux-%s", dir, o->release);
		there = is_copy(path, o, &image);
		if (!there) {
			remove_old(dir);
			there = make_copy(dir, path, &image);
		}
	}
	image_close(&image);
	return format("%s", there ? path : o->kernel);
}
