/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampling events that are opened together, and perf's buffers for their samples. */
#ifndef MONCTL_EVLIST_H
#define MONCTL_EVLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evlist;
struct perf_event_attr;

/* Called with whole records. Anything but 0 ends the draining. */
typedef int (*record_sink)(void *arg, const void *records, size_t size);

/* cpu: the processor of its events; -1: one of each event on each processor. NULL: out of memory. */
struct evlist *evlist_new(int cpu);
void evlist_free(struct evlist *list);

/* Opens one more event; a member belongs to the group that the list's first event leads. -errno of the kernel. */
int evlist_add(struct evlist *list, const struct perf_event_attr *attr, bool is_member);
/* The kernel's identifiers of the event with that index, one a processor, to be freed; NULL with errno. */
uint64_t *evlist_ids(const struct evlist *list, size_t index, size_t *count);
/* Descriptor of the first event, of a group's leader. */
int evlist_fd(const struct evlist *list);

/* bytes: of the buffer of each processor, a power of two. -errno of the kernel. */
int evlist_map(struct evlist *list, size_t bytes);
/* request: of perf_event_open(2), to the events that lead themselves. -errno of the kernel. */
int evlist_control(const struct evlist *list, unsigned long request, void *arg);
/* Waits until a buffer of one of the lists is filled to a part, a signal comes, or for that long. */
void evlist_wait(struct evlist *const *lists, size_t count, int milliseconds);
int evlist_drain(struct evlist *list, record_sink sink, void *arg);
/* Copies a record that begins at start in a ring of mask + 1 bytes, and may go on at the ring's beginning. */
void evlist_unwrap(const unsigned char *ring, uint64_t mask, uint64_t start, unsigned char *copy, size_t size);

#endif
