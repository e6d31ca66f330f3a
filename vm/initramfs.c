// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the guest's initramfs, anew for each run (it takes milliseconds).
 *
 * It holds init, its configuration, the few modules that reach the host's root file system, and libmon's, in
 * the kernel's "newc" format of cpio (Documentation/driver-api/early-userspace/buffer-format.rst).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/proto.h"
#include "vm/vm.h"

struct cpio {
	FILE *f;
	unsigned int ino;
};

static void pad(FILE *f)
{
	while (ftell(f) % 4)
		fputc(0, f);
}

static void entry(struct cpio *c, const char *name, mode_t mode, unsigned int major,
		  unsigned int minor, const void *data, size_t size)
{
	/* magic ino mode uid gid nlink mtime size devmajor devminor rdevmajor rdevminor namesize check */
	fprintf(c->f, "070701%08x%08x%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x", ++c->ino, mode,
		0, 0, 1, 0, size, 0, 0, major, minor, strlen(name) + 1, 0);
	fwrite(name, strlen(name) + 1, 1, c->f);
	pad(c->f);
	if (size)
		fwrite(data, size, 1, c->f);
	pad(c->f);
}

static void add_file(struct cpio *c, const char *name, const char *path)
{
	FILE *f = fopen(path, "rbe");
	AUTO_FREE char *data = NULL;
	size_t size;

	if (!f)
		fail("%s: %s", path, strerror(errno));
	data = read_all(f, &size);
	fclose(f);
	entry(c, name, S_IFREG | 0755, 0, 0, data, size);
}

static void add_module(struct cpio *c, const char *name, const char *path)
{
	size_t size;
	AUTO_FREE char *data = module_read(path, &size);

	entry(c, name, S_IFREG | 0644, 0, 0, data, size);
}

static void __attribute__((format(printf, 3, 4))) add_config(FILE *f, const char *key, const char *fmt, ...)
{
	va_list ap;

	fprintf(f, "%s=", key);
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fputc(0, f);
}

/* libmon's modules in load order: a module after those that it needs. */
static struct strv own_modules(void)
{
	char list[] = "mon_pmu"
#define MON_SYSTEM(name, pmu, prefix, vendor, product, device, fixed, options, modules, ...) " " modules
#include "events/built.def"
#undef MON_SYSTEM
	;
	struct strv v = { 0 };
	char *rest = NULL;

	for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
		strv_add(&v, "%s", name);
	return v;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void check_param(const struct strv *modules, const char *param)
{
	for (size_t i = 0; i < modules->n; i++) {
		size_t len = strlen(modules->item[i]);

		if (!strncmp(param, modules->item[i], len) && param[len] == '.')
			return;
	}
	fail("--module-param %s: libmon has no such module", param);
}

static void add_own_modules(struct cpio *c, FILE *config, const struct options *o)
{
	struct strv modules = own_modules();

	for (size_t k = 0; k < o->module_params.n; k++)
		check_param(&modules, o->module_params.item[k]);
	if (o->no_modules)
		return;
	for (size_t i = 0; i < modules.n; i++) {
		const char *name = modules.item[i];
		AUTO_FREE char *path = own_module(o->own_modules, name), *file = format("modules/%s.ko", name);

		if (!path)
			continue;
		add_module(c, file, path);
		fprintf(config, "module=/%s", file);
		for (size_t k = 0; k < o->module_params.n; k++) {
			const char *p = o->module_params.item[k];

			if (!strncmp(p, name, strlen(name)) && p[strlen(name)] == '.')
				fprintf(config, " %s", p + strlen(name) + 1);
		}
		fputc(0, config);
	}
}

static void add_environment(FILE *config, const struct options *o)
{
	const char *term = getenv("TERM");

	/* mon-vm's folder holds the tools, in a build tree and when installed */
	add_config(config, "env", "PATH=%s:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		   o->places.programs);
	add_config(config, "env", "HOME=/root");
	add_config(config, "env", "TERM=%s", term && *term ? term : "dumb");
	add_config(config, "env", "LD_LIBRARY_PATH=%s:%s", o->places.libraries, o->places.sdk);
	add_config(config, "env", "PYTHONPATH=%s/python:%s", o->places.sdk, o->places.python);
	/* last, because init lets a later variable replace an earlier one */
	for (size_t i = 0; i < o->env.n; i++)
		add_config(config, "env", "%s", o->env.item[i]);
}

/* qemu_args() gives the shares these names. */
static void add_layers(FILE *config, const struct options *o)
{
	size_t share = 0;

	for (size_t i = 0; i < o->nlayers; i++) {
		fputs("layer=", config);
		for (size_t k = 0; k < o->layers[i].folders.n; k++)
			fprintf(config, "%s" VM_SHARE_NAME, k ? ":" : "", share++);
		fprintf(config, "=%s%c", o->layers[i].at, 0);
	}
}

/* Files that a dynamically linked init needs before it has mounted a root file system. */
static void add_libraries(struct cpio *c, const struct options *o)
{
	const char *const names[] = { o->arch->loader, o->arch->libc };

	if (!*o->arch->loader)
		return;
	entry(c, "lib", S_IFDIR | 0755, 0, 0, NULL, 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		AUTO_FREE char *path = format("%s%s", o->places.root, names[i]);
		/* the loader searches /lib as well */
		AUTO_FREE char *to = format("lib/%s", strrchr(names[i], '/') + 1);

		add_file(c, to, path);
	}
}

int initramfs_make(const struct options *o)
{
	static const char *const boot[] = { "virtio_pci", "virtio_console", "9p", "9pnet_virtio",
					    "overlay" };
	int fd = memfd_create("mon-vm-initramfs", 0);
	struct cpio c = { .f = fd < 0 ? NULL : fdopen(dup(fd), "wb") };
	struct strv files = { 0 };
	AUTO_FREE char *text = NULL, *cwd = getcwd(NULL, 0);
	size_t size = 0;
	FILE *config = open_memstream(&text, &size);

	if (!c.f || !config || !cwd)
		fail("no memory for the initramfs: %s", strerror(errno));
	for (size_t i = 0; i < COUNT(boot); i++)
		modules_resolve(&files, o->modules_dir, o->release, boot[i]);
	if (o->forwards.n)
		modules_resolve(&files, o->modules_dir, o->release, "virtio_net");
	entry(&c, "dev", S_IFDIR | 0755, 0, 0, NULL, 0);
	entry(&c, "dev/console", S_IFCHR | 0600, 5, 1, NULL, 0);
	entry(&c, "modules", S_IFDIR | 0755, 0, 0, NULL, 0);
	add_file(&c, "init", o->places.init);
	add_libraries(&c, o);
	for (size_t i = 0; i < files.n; i++) {
		AUTO_FREE char *name = format("modules/%zu.ko", i);

		add_module(&c, name, files.item[i]);
		add_config(config, "boot", "/%s", name);
	}
	add_own_modules(&c, config, o);
	add_environment(config, o);
	add_config(config, "cwd", "%s", cwd);
	add_layers(config, o);
	if (o->interactive)
		add_config(config, "pty", "1");
	if (o->output)
		add_config(config, "output", "%s", o->output);
	if (o->forwards.n)
		add_config(config, "network", "1");
	for (size_t i = 0; o->command[i]; i++)
		add_config(config, "arg", "%s", o->command[i]);
	fclose(config);
	entry(&c, VM_CONFIG + 1, S_IFREG | 0600, 0, 0, text, size);
	entry(&c, "TRAILER!!!", 0, 0, 0, NULL, 0);
	if (fclose(c.f))
		fail("cannot write the initramfs: %s", strerror(errno));
	return fd;
}
