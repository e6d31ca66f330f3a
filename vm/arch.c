// SPDX-License-Identifier: GPL-2.0-only
/* The guests' architectures, and the host files that a guest of a foreign architecture sees. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

static const struct arch archs[] = {
	{
#define ARCH_FIELD(field, x86_64, riscv64, arm64) .field = x86_64,
#include "vm/arch.def"
#undef ARCH_FIELD
	},
	{
#define ARCH_FIELD(field, x86_64, riscv64, arm64) .field = riscv64,
#include "vm/arch.def"
#undef ARCH_FIELD
	},
	{
#define ARCH_FIELD(field, x86_64, riscv64, arm64) .field = arm64,
#include "vm/arch.def"
#undef ARCH_FIELD
	},
};

const struct arch *arch_native(void)
{
	return &archs[0];
}

const struct arch *arch_find(const char *name)
{
	const size_t n = sizeof(archs) / sizeof(archs[0]);
	char *all = NULL;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(archs[i].name, name))
			return &archs[i];
	for (size_t i = 0; i < n; i++)
		extend(&all, "%s%s", i ? ", " : "", archs[i].name);
	fail("--arch %s: there is no such guest: give one of %s", name, all);
}

/* Whether PATH is DIR or below it. */
static bool is_below(const char *path, const char *dir)
{
	/* "/" is above all */
	size_t len = dir[1] ? strlen(dir) : 0;

	return !strncmp(path, dir, len) && (!path[len] || path[len] == '/');
}

static void add_layer(struct options *o, const char *at, const char *top, const char *bottom)
{
	struct layer *layer;

	o->layers = reallocarray(o->layers, o->nlayers + 1, sizeof(*o->layers));
	if (!o->layers)
		fail("out of memory");
	layer = &o->layers[o->nlayers++];
	*layer = (struct layer){ .at = format("%s", at) };
	if (top)
		strv_add(&layer->folders, "%s", top);
	strv_add(&layer->folders, "%s", bottom);
}

static void add_folder(struct options *o, const char *folder)
{
	for (size_t i = 0; i < o->nlayers; i++) {
		if (is_below(folder, o->layers[i].at))
			return;
	}
	add_layer(o, folder, NULL, folder);
}

/*
 * A guest of a foreign architecture has a root file system of its own. Of the host it sees three
 * things: the build tree, with the files built for the guest on top of those built for the host, so
 * that programs have the same names in both; the folders of --share; and the working directory,
 * unless the guest has a folder of that name.
 */
void layers_find(struct options *o)
{
	AUTO_FREE char *cwd = NULL, *own = NULL;
	char path[PATH_MAX];

	if (o->arch == arch_native())
		return;
	add_layer(o, o->places.build, o->places.cross, o->places.build);
	for (size_t i = 0; i < o->shares.n; i++) {
		if (!realpath(o->shares.item[i], path))
			fail("--share %s: there is no such folder", o->shares.item[i]);
		add_folder(o, path);
	}
	cwd = getcwd(NULL, 0);
	if (!cwd)
		fail("the working directory is gone");
	own = format("%s%s", o->places.root, cwd);
	if (!exists(own))
		add_folder(o, cwd);
}
