/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the device and hexagon-host say to each other over a local stream socket: messages of a
 * header and size bytes, in the host's byte order.
 *
 * The device asks for one program at a time. The host answers with the feed, then pieces of output
 * in the order in which they came, then the end. It sends nothing else, and nothing unasked.
 */
#ifndef HEXAGON_HOST_H
#define HEXAGON_HOST_H

#include <stdint.h>

#define HEXAGON_MESSAGE_MAX 4096

enum hexagon_message_type {
	/* device to host */
	HEXAGON_RUN = 1,	/* uint32_t hardware threads, then strings: program, arguments */
	HEXAGON_CANCEL,
	/* host to device */
	HEXAGON_FEED,		/* no data; a sealed memfd of the feed comes with it (SCM_RIGHTS) */
	HEXAGON_STDOUT,		/* output */
	HEXAGON_STDERR,		/* output of the program, or what the host has to say */
	HEXAGON_END,		/* uint32_t: HEXAGON_STATUS of events/hexagon/regs.h */
};

struct hexagon_message {
	uint32_t type;
	uint32_t size;
};

#endif
