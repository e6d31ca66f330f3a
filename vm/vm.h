/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit statuses of mon-vm itself, chosen as timeout(1) and env(1) do. */
#define VM_STATUS_TIMEOUT 124
#define VM_STATUS_FAILED 125

/* A growing list of strings, always ended by NULL. */
struct strv {
	char **item;
	size_t n;
};

void strv_add(struct strv *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Two words: an option of a program and its value. */
void option(struct strv *v, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void strv_free(struct strv *v);
bool strv_has(const struct strv *v, const char *s);

char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints "mon-vm: ..." and ends the program with VM_STATUS_FAILED. */
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* For a value in QEMU's options: a comma is doubled. */
char *quote(const char *s);
bool exists(const char *path);

/* A row of vm/arch.def is a field. */
struct arch {
#define ARCH_FIELD(field, ...) const char *field;
#include "vm/arch.def"
#undef ARCH_FIELD
};

/* The architecture of this machine, whose guest sees this machine's files. */
const struct arch *arch_native(void);
/* Ends the program if there is none of that name. */
const struct arch *arch_find(const char *name);

/* A folder of the guest, made of folders of the host; the first covers the next. */
struct layer {
	char *at;
	struct strv folders;
};

/* Where our own files are: in the build tree that mon-vm stands in, or where they are installed. */
struct places {
	char *build; /* top build directory, NULL when installed */
	char *programs; /* where mon-vm is, and the tools */
	char *init; /* the guest's init */
	char *plugin; /* mon-qemu.so */
	char *hexagon_host; /* runs Hexagon programs */
	char *sdk; /* what stands for UPMEM's SDK */
	char *modules; /* folder of our kernel modules, under the release */
	char *root; /* what the guest sees as / */
	char *cross; /* the build tree of a foreign architecture, else NULL */
};

struct options {
	const struct arch *arch;
	struct places places;
	char *kernel; /* image */
	char *release; /* of that image */
	char *modules_dir; /* folder that holds its modules, under the release */
	char *own_modules; /* folder of libmon's modules for that release; NULL with no_modules */
	char *smp, *mem, *soc, *qmp, *kernel_log, *plugin_args, *hexagon_dir, *upmem_profile;
	int timeout; /* seconds, 0 for none */
	int silence; /* seconds without a sign of life, 0 for any number */
	bool kvm; /* the guest's code runs on the host's processor */
	bool interactive, no_modules, verbose, cpu, esp, threads;
	char *bare_metal, *counters; /* a program without a system, and what to count of its run */
	char *output; /* writable folder of the host */
	struct strv forwards; /* TCP ports */
	struct strv accelerators; /* NAME=FILE */
	struct strv devices, qemu_args, append, env, module_params, shares;
	struct layer *layers; /* in the order in which the guest mounts them */
	size_t nlayers;
	char **command; /* ends with NULL */
};

/* Release string in a kernel image (bzImage, or one that is not compressed); NULL if it has none. */
char *kernel_release(const char *image);

/* Fills kernel, release, modules_dir and own_modules, where they are not given. */
void kernel_find(struct options *o);
/* The newest release with an image in the folder BOOT and, unless no_modules, with libmon's modules; NULL: none. */
char *release_newest(const struct options *o, const char *boot);
/* The file of libmon's module NAME in DIR, compressed or not; NULL: there is none. */
char *own_module(const char *dir, const char *name);

/* Fills layers. */
void layers_find(struct options *o);

/* modules_dir holds RELEASE/modules.dep. Appends the modules that NAME needs and NAME itself, in load order, each once. */
void modules_resolve(struct strv *files, const char *modules_dir, const char *release,
		     const char *name);

/* kHz of the guest's time stamp counter; 0: it has none, or finds out by itself. */
unsigned long tsc_khz(const struct options *o);

/* What QEMU boots: the ELF file out of the kernel image, or the image if that cannot be had. */
char *vmlinux_get(const struct options *o);

/* The guest's initramfs in an unnamed file; returns its descriptor. */
int initramfs_make(const struct options *o);

/*
 * Starts hexagon-host for the programs of --hexagon-dir. Returns the descriptor of QEMU's end of
 * the connection, or -1 without that option.
 */
int hexagon_start(const struct options *o);

/* QEMU's argument vector; the descriptors are the guest's port, its console and its initramfs. */
struct strv qemu_args(const struct options *o, int port, int console, int initramfs,
		       int hexagon);

/*
 * The plugin and QEMU's arguments for each device; hexagon: with the host's side of Hexagon programs;
 * more: properties of the device that stands at the hardware's own addresses, or NULL.
 */
void devices_add(struct strv *v, const struct options *o, bool hexagon, const struct strv *more);

/* --verbose */
void show_command(const struct options *o, const struct strv *args);

/* Arguments of --output and --forward, checked. */
char *output_find(const char *dir);
void forward_add(struct options *o, const char *port);
/* QEMU's arguments for both. */
void outside_add(struct strv *v, const struct options *o);

/*
 * When the guest was last heard of, in ms; limit: of its silence, 0 for none; born: when it started, if it has to be
 * heard of soon. All zero at first.
 */
struct alive {
	long long limit, heard, born;
	bool hangs;
};

/* The guest sent something now; true, and a message, if it was taken for dead. */
bool alive_heard(struct alive *a, long long now);
/* True, and a message, once when the guest has been silent for too long since it was first heard of. */
bool alive_check(struct alive *a, long long now, const char *kernel_log);

/* A guest that has to be heard of soon was not, and will not be. */
bool alive_is_lost(const struct alive *a, long long now);

/* Runs the guest to its end and returns the exit status for mon-vm. */
int run(const struct options *o);
/* The same for a program without a system. */
int run_bare(const struct options *o);

#endif
