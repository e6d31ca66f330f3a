// SPDX-License-Identifier: GPL-2.0-only
/* Which kernel the guest boots, and where libmon's modules for it are. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

#define DKMS_TREE "/var/lib/dkms/libmon"	/* there while libmon-dkms is installed */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

char *own_module(const char *dir, const char *name)
{
	/* as DKMS compresses them, which does what the kernel's package does */
	static const char *const ends[] = { "", ".xz", ".zst", ".gz" };

	for (size_t i = 0; i < COUNT(ends); i++) {
		char *path = format("%s/%s.ko%s", dir, name, ends[i]);

		if (exists(path))
			return path;
		free(path);
	}
	return NULL;
}

/* Beside the other files of libmon, else where DKMS puts them; NULL: not built for this kernel. */
static char *own_modules_find(const struct options *o, const char *release)
{
	char *dirs[] = {
		format("%s/%s", o->places.modules, release),
		format("%s/%s/updates/dkms", o->modules_dir, release),
	};
	char *found = NULL;

	for (size_t i = 0; i < COUNT(dirs); i++) {
		AUTO_FREE char *dir = dirs[i], *core = found ? NULL : own_module(dir, "mon_pmu");

		if (core)
			found = format("%s", dir);
	}
	return found;
}

char *release_newest(const struct options *o, const char *boot)
{
	size_t len = strlen(o->arch->image);
	struct dirent *entry;
	char *newest = NULL;
	DIR *dir = opendir(boot);

	while (dir && (entry = readdir(dir))) {
		const char *release = entry->d_name + len + 1;
		AUTO_FREE char *modules = NULL;

		if (strncmp(entry->d_name, o->arch->image, len) || entry->d_name[len] != '-' ||
		    (newest && strverscmp(release, newest) < 0))
			continue;
		modules = o->no_modules ? format("%s", "") : own_modules_find(o, release);
		if (modules) {
			free(newest);
			newest = format("%s", release);
		}
	}
	if (dir)
		closedir(dir);
	return newest;
}

/* The release of a guest of another architecture is beside its tree. */
static char *release_foreign(const struct options *o)
{
	AUTO_FREE char *path = format("%s/../release", o->places.root);
	char release[256] = "";
	FILE *f = fopen(path, "re");

	if (!f || !fgets(release, sizeof(release), f))
		fail("%s: cannot read it: run make %s", path, o->arch->name);
	fclose(f);
	release[strcspn(release, "\n")] = 0;
	return format("%s", release);
}

/* The one that libmon was configured for, while it is installed; else the newest that has libmon's modules. */
static char *release_native(const struct options *o)
{
	AUTO_FREE char *image = format("/boot/%s-%s", o->arch->image, KERNEL_RELEASE);
	char *release = *KERNEL_RELEASE && exists(image) ? format("%s", KERNEL_RELEASE) :
			release_newest(o, "/boot");

	if (!release && o->places.build)
		fail("%s not found, and no other kernel in /boot has libmon's modules: install %s and run "
		     "./configure and make again, or pass --kernel FILE", image, o->arch->kernel_package);
	if (!release)
		fail("no kernel in /boot has libmon's modules: %s %s%s, or pass --no-modules",
		     exists(DKMS_TREE) ? "libmon-dkms is installed and has built none: see dkms status and its logs below "
		     DKMS_TREE "; it needs the headers of" : "install", o->arch->kernel_package,
		     exists(DKMS_TREE) ? "" : ", its headers and libmon-dkms");
	return release;
}

void kernel_find(struct options *o)
{
	bool native = o->arch == arch_native();
	const char *root = native ? "" : o->places.root;

	if (!o->modules_dir)
		o->modules_dir = format("%s/lib/modules", root);
	if (o->kernel) {
		o->release = kernel_release(o->kernel);
		if (!o->release)
			fail("%s is not a Linux kernel image", o->kernel);
	} else {
		o->release = native ? release_native(o) : release_foreign(o);
		o->kernel = format("%s/boot/%s-%s", root, o->arch->image, o->release);
		if (!exists(o->kernel))
			fail("%s not found: install %s or pass --kernel FILE", o->kernel, o->arch->kernel_package);
	}
	if (access(o->kernel, R_OK))
		fail("%s: %s: let this user read it, or pass --kernel FILE", o->kernel, strerror(errno));
	if (o->no_modules)
		return;
	o->own_modules = own_modules_find(o, o->release);
	if (!o->own_modules)
		fail("%s/%s not found: libmon's modules are not built for this kernel: %s%s, or pass --no-modules",
		     o->places.modules, o->release, o->places.build ? "run make modules KERNEL_RELEASE=" :
		     exists(DKMS_TREE) ? "see dkms status; DKMS needs linux-headers-" :
		     "install libmon-dkms and linux-headers-", o->release);
}
