/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the device and hexagon-host say to each other over a local stream socket: messages of a
 * header and size bytes, in the host's byte order.
 *
 * The device asks for one program at a time. The host answers with the feed, then pieces of output
 * in the order in which they came, then the end. It sends nothing else, and nothing without a request.
 */
#ifndef HEXAGON_HOST_H
#define HEXAGON_HOST_H

#include <stdint.h>

#include "hexagon/events.h"
#include "hexagon/threads.h"

#define HEXAGON_MESSAGE_MAX 4096

#define HEXAGON_USUAL_HZ 1400000000

/* The core on which a program runs. */
struct hexagon_setup {
	uint32_t version, threads, clusters, cycles, contexts;	/* struct hexagon_core */
	uint32_t quantum;	/* packets of a turn, if there are more software threads; 0: usual */
	uint32_t features;	/* HEXAGON_FEATURE_... of feed.h to count */
	uint32_t clock_hz;	/* of the core; 0: usual */
	struct hexagon_memory_shape memory;
	struct hexagon_timing timing;
};

static inline void hexagon_setup_core(struct hexagon_setup *setup, const struct hexagon_core *core)
{
	setup->version = core->version;
	setup->threads = core->threads;
	setup->clusters = core->clusters;
	setup->cycles = core->cycles;
	setup->contexts = core->contexts;
}

enum hexagon_message_type {
	/* device to host */
	HEXAGON_RUN = 1,	/* struct hexagon_setup, then strings: program, arguments */
	HEXAGON_CANCEL,
	/* host to device */
	HEXAGON_FEED,		/* no data; a sealed memfd of the feed comes with it (SCM_RIGHTS) */
	HEXAGON_STDOUT,		/* output */
	HEXAGON_STDERR,		/* output of the program, or what the host has to say */
	HEXAGON_MARKS,		/* lines of its marks: "CYCLE THREAD PHASE" */
	HEXAGON_END,		/* uint32_t: HEXAGON_STATUS of events/hexagon/regs.h */
};

/* Bytes of program and arguments, and of a HEXAGON_RUN; others have up to HEXAGON_MESSAGE_MAX. */
#define HEXAGON_WORDS_MAX 4092
#define HEXAGON_RUN_MAX (sizeof(struct hexagon_setup) + HEXAGON_WORDS_MAX)

struct hexagon_message {
	uint32_t type;
	uint32_t size;
};

#endif
