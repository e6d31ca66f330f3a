/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of mon-vm share. */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Exit statuses of mon-vm itself, as timeout(1) and env(1) have them. */
#define VM_STATUS_TIMEOUT 124
#define VM_STATUS_FAILED 125

/* A growing list of strings, always ended by NULL. */
struct strv {
	char **item;
	size_t n;
};

void strv_add(struct strv *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends two words: an option and its value. */
void option(struct strv *v, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void strv_free(struct strv *v);
bool strv_has(const struct strv *v, const char *s);

char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Appends to *text, which becomes another string; NULL is an empty one. */
void extend(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A string of this kind is freed at the end of its scope. */
#define AUTO_FREE __attribute__((cleanup(free_text)))
void free_text(char **text);
/* Prints "mon-vm: ..." and exits with VM_STATUS_FAILED. */
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Prints "mon-vm: ...". */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A value for QEMU's options: doubles each comma. */
char *quote(const char *s);
bool exists(const char *path);
/* Reads a pipe or a file to its end. */
char *read_all(FILE *f, size_t *size);

/* One field for each row of vm/arch.def. */
struct arch {
#define ARCH_FIELD(field, ...) const char *field;
#include "vm/arch.def"
#undef ARCH_FIELD
};

/* The host's architecture; its guests see the host's files. */
const struct arch *arch_native(void);
/* Ends the program if there is no architecture of that name. */
const struct arch *arch_find(const char *name);

/* A folder of the guest, made of one or more folders of the host; an earlier one covers a later one. */
struct layer {
	char *at;
	struct strv folders;
};

/* Places of libmon's own files, in the build tree or as installed. */
struct places {
	char *build;	/* top build directory, NULL when installed */
	char *programs;	/* folder of the tools */
	char *libraries;	/* folder of libmon and its kin */
	char *init;	/* the guest's init */
	char *plugin;	/* mon-qemu.so */
	char *hexagon_host;	/* runs Hexagon programs */
	char *sdk;	/* folder that replaces UPMEM's SDK */
	char *python;	/* folder that holds the module mon */
	char *modules;	/* folder of libmon's kernel modules, one subfolder a release */
	char *root;	/* the folder that is the guest's / */
	char *cross;	/* build tree of a foreign architecture, else NULL */
};

struct options {
	const struct arch *arch;
	struct places places;
	char *kernel;	/* image */
	char *release;	/* folder with the kernel's modules, one subfolder a release */
	char *modules_dir;	/* folder that holds its modules, under the release */
	char *own_modules;	/* folder of libmon's modules for that release; NULL with no_modules */
	char *smp, *mem, *soc, *qmp, *kernel_log, *plugin_args, *hexagon_dir, *upmem_profile;
	int timeout;	/* seconds, 0 for none */
	int silence;	/* longest silence of the guest in seconds, 0 for no limit */
	bool kvm;	/* KVM: the guest's code runs on the host's processor */
	bool interactive, no_modules, verbose, cpu, esp, threads;
	char *bare_metal, *counters;	/* bare-metal program, and the events to count while it runs */
	char *output;	/* writable folder of the host */
	struct strv forwards;	/* forwarded TCP ports */
	struct strv accelerators;	/* NAME=FILE */
	struct strv devices, qemu_args, append, env, module_params, shares;
	struct layer *layers;	/* layers, in the order in which the guest mounts them */
	size_t nlayers;
	char **command;	/* ends with NULL */
};

/* Release in a kernel image (bzImage or uncompressed); NULL if the image has none. */
char *kernel_release(const char *image);

/* Fills kernel, release, modules_dir and own_modules, where they are not given. */
void kernel_find(struct options *o);
/* The newest release with an image in the folder BOOT and, unless no_modules, with libmon's modules; NULL: none. */
char *release_newest(const struct options *o, const char *boot);
/* The file of libmon's module NAME in DIR, compressed or not; NULL: there is none. */
char *own_module(const char *dir, const char *name);

/* Fills layers. */
void layers_find(struct options *o);

/* Appends the modules that NAME needs, then NAME, each once. modules_dir holds RELEASE/modules.dep. */
void modules_resolve(struct strv *files, const char *modules_dir, const char *release,
		     const char *name);

/* What the guest's kernel uses of a module's file, which may be compressed. */
char *module_read(const char *path, size_t *size);
/* The same of a module in memory, whose *size it changes; NULL: it is no ELF file of 64 bits. */
char *module_lighten(const char *data, size_t *size);

/* The guest's TSC frequency in kHz; 0: it has no TSC, or measures it itself. */
unsigned long tsc_khz(const struct options *o);

/*
 * The file that QEMU boots: the ELF file from inside the kernel image, or else the image. It is kept in a folder that
 * belongs to the user alone, or in the build tree.
 */
char *vmlinux_get(const struct options *o);

/* Writes the guest's initramfs to an unnamed file; returns its descriptor. */
int initramfs_make(const struct options *o);

/*
 * Starts hexagon-host for --hexagon-dir. Returns QEMU's end of the connection, or -1 without that
 * option.
 */
int hexagon_start(const struct options *o);

/* QEMU's argument vector. The descriptors: port, console, initramfs. */
/* Ends with a message if the installed QEMU is not the one that mon-qemu.so was built for. */
void check_version(const struct options *o);
struct strv qemu_args(const struct options *o, int port, int console, int initramfs,
		      int hexagon);

/*
 * QEMU's arguments for plugin and devices. hexagon: connect the Hexagon device to hexagon-host; more: properties of
 * the device at the hardware's own addresses, or NULL.
 */
void devices_add(struct strv *v, const struct options *o, bool hexagon, const struct strv *more);

/* QEMU's last arguments: --qmp and --qemu-arg. */
void add_given(struct strv *v, const struct options *o);

/* --verbose */
void show_command(const struct options *o, const struct strv *args);

/* Check the arguments of --output and --forward. */
char *output_find(const char *dir);
void forward_add(struct options *o, const char *port);
/* QEMU's arguments for both. */
void outside_add(struct strv *v, const struct options *o);

/*
 * When the guest was last heard of, in ms. limit: longest silence, 0 for none. born: time of the start, if the
 * first message has a time limit, too. begun: time of the first alive_boots(). worked, moved: QEMU's processor time
 * when it last did something, and when that was. All are zero at first.
 */
struct alive {
	long long limit, heard, born, begun, worked, moved;
	bool hangs;
	bool shows;	/* a terminal shows how long the guest has been booting */
};

/* The guest boots, and has sent nothing yet; a terminal shows for how long. */
void alive_boots(struct alive *a, long long now);
/* Takes that away from the terminal. */
void alive_booted(struct alive *a);

/* A message has arrived. True, after a message to the user, if the guest had been reported as silent. */
bool alive_heard(struct alive *a, long long now);
/* True once, after a message to the user, when the guest has been silent for longer than the limit. */
bool alive_check(struct alive *a, long long now, const char *kernel_log);

/* The guest has not sent its first message in time. */
bool alive_is_lost(const struct alive *a, long long now);

/*
 * The guest has not sent its first message, and QEMU has used less than 5 % of a processor for ALIVE_IDLE_MS and wanted no
 * more (ready: it waits for a processor or a disk). A guest that boots takes all that it gets; a kernel that has too little
 * memory may halt without a word.
 */
#define ALIVE_IDLE_MS 15000
bool alive_is_idle(struct alive *a, long long now, long long worked, bool ready);

/* Runs the guest to its end; returns mon-vm's exit status. */
int run(const struct options *o);
/* The same for a bare-metal program. */
int run_bare(const struct options *o);

#endif
