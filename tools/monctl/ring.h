/* SPDX-License-Identifier: GPL-2.0-only */
/* perf's buffers: one for each processor, for all sampling events on it. */
#ifndef MONCTL_RING_H
#define MONCTL_RING_H

#include <stddef.h>
#include <stdint.h>

struct rings;

/* Called with whole records. Anything but 0 ends the draining. */
typedef int (*ring_sink)(void *arg, const void *records, size_t size);

/* bytes: size of each buffer, a power of two. NULL after a message in mon_error(). */
struct rings *rings_new(size_t bytes);
void rings_free(struct rings *rings);
/* The event's records go to the buffer of its processor. The event stays the caller's. */
int rings_attach(struct rings *rings, int event_fd, int cpu);
/* Sleeps until a buffer is filled to a part, a signal comes, or for that long. */
void rings_wait(struct rings *rings, int milliseconds);
int rings_drain(struct rings *rings, ring_sink sink, void *arg);

#endif
