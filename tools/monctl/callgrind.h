/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile in callgrind's format: what functions cost and what their calls did. Format: valgrind's manual, "Callgrind
 * Format Specification", version 1.
 */
#ifndef MONCTL_CALLGRIND_H
#define MONCTL_CALLGRIND_H

#include <stdint.h>

struct call_block;

struct call_function {
	struct call_function *next;	/* in the order of the file */
	const char *object, *file, *name;
	uint64_t self;			/* of the chosen event, without its calls */
	uint64_t below;			/* of its calls of other functions, with all that these call */
	unsigned int index;		/* from 0 */
};

struct call_arc {
	struct call_arc *next;
	struct call_function *from, *to;
	uint64_t times, cost;		/* with all that the called function calls */
};

struct callgrind {
	const char *program;			/* "" if the file does not say */
	const char *event, *event_text;		/* the text is the name if the file has none */
	struct call_function *functions;
	struct call_arc *arcs;
	unsigned int function_count;
	uint64_t total;				/* of all functions */
	struct call_block *blocks;		/* the memory of all this */
};

/*
 * Loads the costs of one event; NULL: of "Cycles", or the first one if there is no such event. thread is a software
 * thread of a file that has them apart; -1: all. Ends the program with a message if it cannot.
 */
struct callgrind *callgrind_load(const char *path, const char *event, long thread);
void callgrind_free(struct callgrind *profile);

#endif
