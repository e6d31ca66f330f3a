// SPDX-License-Identifier: GPL-2.0-only
/* The guest kernel's release, and its modules in dependency order. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

/* Offsets in a bzImage: Documentation/x86/boot.rst, "The Real-Mode Kernel Header". */
#define BOOT_MAGIC_AT 0x202
#define BOOT_VERSION_AT 0x20e	/* 16-bit offset of the version string, less 0x200 */

/* An uncompressed image holds the text that the kernel prints first: "Linux version RELEASE (...". */
static char *banner_release(FILE *f)
{
	static const char banner[] = "Linux version ";
	AUTO_FREE char *text = NULL;
	char *found, *release = NULL;
	long size;

	if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET) &&
	    (text = malloc(size + 1)) && fread(text, size, 1, f) == 1) {
		text[size] = 0;
		found = memmem(text, size, banner, strlen(banner));
		if (found) {
			found += strlen(banner);
			release = format("%.*s", (int)strcspn(found, " "), found);
		}
	}
	return release;
}

char *kernel_release(const char *image)
{
	char head[0x210], text[256] = "";
	uint16_t version;
	char *release = NULL;
	FILE *f = fopen(image, "rbe");

	if (!f)
		fail("%s: %s: pass another --kernel FILE", image, strerror(errno));
	if (fread(head, sizeof(head), 1, f) == 1 && !memcmp(head + BOOT_MAGIC_AT, "HdrS", 4)) {
		memcpy(&version, head + BOOT_VERSION_AT, sizeof(version));
		if (version && !fseek(f, version + 0x200, SEEK_SET) &&
		    fread(text, 1, sizeof(text) - 1, f) > 0) {
			text[strcspn(text, " ")] = 0;
			release = format("%s", text);
		}
	}
	if (!release)
		release = banner_release(f);
	fclose(f);
	return release;
}

/* Whether PATH (kernel/fs/9p/9p.ko.xz, ends at ':' or NUL) is the file of module NAME. */
static bool is_module(const char *path, const char *name)
{
	size_t len = strcspn(path, ": ");
	const char *base = memrchr(path, '/', len);
	size_t i;

	base = base ? base + 1 : path;
	for (i = 0; name[i]; i++) {
		if (base[i] != name[i] && !(base[i] == '-' && name[i] == '_'))
			return false;
	}
	return !strncmp(base + i, ".ko", 3);
}

static bool file_has_module(const char *path, const char *name)
{
	AUTO_FREE char *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *f = fopen(path, "re");

	while (f && !found && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		found = is_module(line, name);
	}
	if (f)
		fclose(f);
	return found;
}

void modules_resolve(struct strv *files, const char *modules_dir, const char *release,
		     const char *name)
{
	AUTO_FREE char *dir = format("%s/%s", modules_dir, release), *line = NULL;
	AUTO_FREE char *deps = format("%s/modules.dep", dir), *builtin = format("%s/modules.builtin", dir);
	char *word, *save;
	size_t size = 0;
	bool found = false;
	FILE *f = fopen(deps, "re");

	if (!f)
		fail("%s: %s: install the modules of kernel %s (package linux-image-%s) or pass "
		     "--modules-dir DIR", deps, strerror(errno), release, release);
	while (!found && getline(&line, &size, f) > 0)
		found = is_module(line, name);
	fclose(f);
	if (found) {
		struct strv one = { 0 };

		/* "module: needed_last ... needed_first" */
		for (word = strtok_r(line, ": \n", &save); word; word = strtok_r(NULL, ": \n", &save))
			strv_add(&one, "%s/%s", dir, word);
		for (size_t i = one.n; i-- > 0;) {
			if (!strv_has(files, one.item[i]))
				strv_add(files, "%s", one.item[i]);
		}
		strv_free(&one);
	} else if (!file_has_module(builtin, name)) {
		fail("kernel %s has no module %s: take a distribution kernel with --kernel FILE",
		     release, name);
	}
}
