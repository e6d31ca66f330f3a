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
};

/* Of standard error's text, for a sentence that comes in pieces. */
#define SANDBOX_TAIL 32

struct program {
	pid_t pid;
	int pidfd;		/* -1 after the end */
	int out, err, marks;	/* its output and its marks, non-blocking; -1 after the end */
	int feed;		/* sealed memfd */
	unsigned int operations;	/* what its code may do (hexagon/packet.h, HEXAGON_OPERATES_CACHES) */
	struct hexagon_feed *counts;	/* the same, mapped; only to be read */
	size_t size;		/* of it, with a profile if the setup has that feature */
	int64_t deadline;	/* s */
	bool expired;		/* it was killed then */
	bool ended;
	int status;		/* as waitpid() has it, when it has ended */
	bool said;		/* qemu-hexagon said that an assertion of its own failed */
	char tail[SANDBOX_TAIL];
};

/*
 * Opens the folder, finds qemu-hexagon and checks that the kernel permits the
 * confinement. If not, prints the reason and returns false.
 */
bool sandbox_init(struct sandbox *sandbox, const char *dir, const char *plugin,
		  unsigned int memory_mib);

/*
 * From now on processes in the sandbox that outlive their parent become children of the calling
 * process, so that sandbox_reap finds them. Call it in the process that starts programs; it must
 * have no other children. False, and a line on standard error, if the kernel refuses.
 */
bool sandbox_adopt(void);

/*
 * Starts argv (NULL-terminated; argv[0] is a path in the folder) on a core, for so many seconds (0: for ever). On failure
 * writes one line into why and returns false. The caller unmaps counts.
 */
bool sandbox_start(const struct sandbox *sandbox, const struct hexagon_setup *setup,
		   char *const *argv, unsigned int timeout, struct program *program, char *why, size_t size);

/* Reads from out, err or marks of a program, which becomes -1 at its end; 0 if there is nothing. */
size_t sandbox_take(struct program *program, int *pipe, char data[HEXAGON_MESSAGE_MAX]);

/* Kills the program if its time is over; true if it did so now. */
bool sandbox_expire(struct program *program);

/* If the program's process has ended: takes its status and kills what it left. With options 0 it waits for that. */
void sandbox_reap(struct program *program, int options);

/* The program has ended, and all of its output was read. */
bool sandbox_is_over(const struct program *program);

/* hexagon-feed.so of this build tree, or where it was installed. */
const char *sandbox_plugin(void);

/* True, and one line in why, if the emulator failed and not the program, which is over. Any other signal is the program's. */
bool sandbox_judge(const struct program *program, char *why, size_t size);

#endif
