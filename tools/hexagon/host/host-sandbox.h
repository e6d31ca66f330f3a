/* SPDX-License-Identifier: GPL-2.0-only */
/* One program in qemu-hexagon, confined by bubblewrap. */
#ifndef HEXAGON_HOST_SANDBOX_H
#define HEXAGON_HOST_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "hexagon/feed.h"
#include "hexagon/host.h"

struct sandbox {
	int dir;		/* the folder of programs */
	char *path;		/* its absolute name */
	const char *plugin;	/* hexagon-feed.so */
	unsigned int memory_mib;
	const char *qemu;	/* the emulator */
	bool has_v73;		/* it has this core, and not V67 alone */
	char **binds;		/* other visible files: qemu-hexagon, its loader and libraries */
	size_t nbinds;
};

struct program {
	pid_t pid;
	int pidfd;
	int out, err, marks;	/* its output and its marks, non-blocking; -1 after the end */
	int feed;		/* sealed memfd */
	unsigned int operations;	/* what its code may do (hexagon/packet.h, HEXAGON_OPERATES_CACHES) */
	struct hexagon_feed *counts;	/* the same, mapped; only to be read */
	size_t size;		/* of it, with a profile if the setup has that feature */
};

/*
 * Opens the folder, finds the files that qemu-hexagon needs and checks that the kernel permits the
 * confinement. If not, prints the reason and returns false.
 */
bool sandbox_init(struct sandbox *sandbox, const char *dir, const char *plugin,
		  unsigned int memory_mib);

/*
 * From now on processes in the sandbox that outlive their parent become children of the calling
 * process, so that sandbox_clear finds them. Call it in the process that starts programs; it must
 * have no other children. False, and a line on standard error, if the kernel refuses.
 */
bool sandbox_adopt(void);

/*
 * Kills remaining processes after the first process of a program has ended and been waited for. If
 * bwrap is killed while it builds the sandbox, the program's process can remain.
 */
void sandbox_clear(void);

/*
 * Starts argv (NULL-terminated; argv[0] is a path in the folder) on a core. On failure writes one
 * line into why and returns false.
 */
bool sandbox_start(const struct sandbox *sandbox, const struct hexagon_setup *setup,
		   char *const *argv, struct program *program, char *why, size_t size);

/* hexagon-feed.so of this build tree, or where it was installed. */
const char *sandbox_plugin(void);

/*
 * True if standard error, of which this is a piece, says that an assertion of qemu-hexagon failed,
 * as at an unknown instruction. tail keeps the end of the earlier pieces, all zero at first.
 */
#define SANDBOX_TAIL 32
bool sandbox_failed(char tail[SANDBOX_TAIL], const char *data, size_t size);

/*
 * True if the emulator failed, and not the program. status is that of waitpid() for the program's
 * first process, said whether qemu-hexagon has printed that an assertion of its own failed. Writes
 * one line into why if so. Any other signal is the program's.
 */
bool sandbox_judge(const struct program *program, int status, bool said, char *why, size_t size);

#endif
