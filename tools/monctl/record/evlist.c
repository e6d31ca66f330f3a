// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evlists of libperf. This file alone knows libperf; of its internals it uses where an event keeps its
 * descriptors and who leads it, because the public interface has neither groups nor close-on-exec; and where a ring
 * is, because libperf copies no more than 4 KiB of a record that goes on at the ring's beginning.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>

#include <internal/evsel.h>
#include <internal/mmap.h>
#include <internal/xyarray.h>

#include "tools/monctl/record/evlist.h"

struct evlist {
	struct perf_evlist *list;
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	struct perf_evsel **event;
	size_t count;
};

static int no_print(enum libperf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

struct evlist *evlist_new(int cpu)
{
	struct evlist *list = calloc(1, sizeof(*list));
	char text[16];

	if (!list)
		return NULL;
	libperf_init(no_print);
	snprintf(text, sizeof(text), "%d", cpu);
	list->list = perf_evlist__new();
	list->cpus = perf_cpu_map__new(cpu < 0 ? NULL : text);
	list->threads = perf_thread_map__new_dummy();
	if (!list->list || !list->cpus || !list->threads) {
		evlist_free(list);
		return NULL;
	}
	/* count all processes on those processors */
	perf_thread_map__set_pid(list->threads, 0, -1);
	perf_evlist__set_maps(list->list, list->cpus, list->threads);
	return list;
}

void evlist_free(struct evlist *list)
{
	if (!list)
		return;
	if (list->list)
		perf_evlist__munmap(list->list);
	/* close members first: the kernel makes single events of the members of a leader that is closed */
	while (list->count) {
		struct perf_evsel *event = list->event[--list->count];

		perf_evsel__close(event);
		perf_evlist__remove(list->list, event);
		perf_evsel__delete(event);
	}
	free(list->event);
	if (list->list)
		perf_evlist__delete(list->list);
	perf_cpu_map__put(list->cpus);
	perf_thread_map__put(list->threads);
	free(list);
}

static int fd_of(const struct evlist *list, size_t index, int cpu)
{
	return *(int *)xyarray__entry(list->event[index]->fd, cpu, 0);
}

static int cpus_of(const struct evlist *list)
{
	return perf_cpu_map__nr(list->cpus);
}

int evlist_add(struct evlist *list, const struct perf_event_attr *attr, bool is_member)
{
	struct perf_event_attr own = { 0 };	/* libperf's structure may be longer than ours */
	struct perf_evsel **event = reallocarray(list->event, list->count + 1, sizeof(*event));
	int ret;

	if (!event)
		return -ENOMEM;
	list->event = event;
	memcpy(&own, attr, attr->size);
	event[list->count] = perf_evsel__new(&own);
	if (!event[list->count])
		return -ENOMEM;
	event[list->count]->leader = event[is_member ? 0 : list->count];
	ret = perf_evsel__open(event[list->count], list->cpus, list->threads);
	if (ret) {
		perf_evsel__delete(event[list->count]);
		return ret;
	}
	perf_evlist__add(list->list, event[list->count++]);
	for (int cpu = 0; cpu < cpus_of(list); cpu++)
		fcntl(fd_of(list, list->count - 1, cpu), F_SETFD, FD_CLOEXEC);
	return 0;
}

uint64_t *evlist_ids(const struct evlist *list, size_t index, size_t *count)
{
	uint64_t *ids;

	*count = cpus_of(list);
	ids = calloc(*count, sizeof(*ids));
	for (size_t i = 0; ids && i < *count; i++) {
		if (ioctl(fd_of(list, index, i), PERF_EVENT_IOC_ID, &ids[i])) {
			free(ids);
			return NULL;
		}
	}
	return ids;
}

int evlist_fd(const struct evlist *list)
{
	return fd_of(list, 0, 0);
}

int evlist_map(struct evlist *list, size_t bytes)
{
	errno = 0;
	if (!perf_evlist__mmap(list->list, bytes / sysconf(_SC_PAGESIZE)))
		return 0;
	return errno ? -errno : -ENOMEM;
}

int evlist_control(const struct evlist *list, unsigned long request, void *arg)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->event[i]->leader != list->event[i])
			continue;
		for (int cpu = 0; cpu < cpus_of(list); cpu++)
			if (ioctl(fd_of(list, i, cpu), request, arg))
				return -errno;
	}
	return 0;
}

void evlist_wait(struct evlist *const *lists, size_t count, int milliseconds)
{
	struct pollfd *polls;
	size_t n = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		n += cpus_of(lists[i]);
	polls = calloc(n + 1, sizeof(*polls));
	for (size_t i = 0; polls && i < count; i++)
		for (int cpu = 0; cpu < cpus_of(lists[i]); cpu++)
			polls[used++] = (struct pollfd){ .fd = fd_of(lists[i], 0, cpu), .events = POLLIN };
	poll(polls, used, milliseconds);
	free(polls);
}

void evlist_unwrap(const unsigned char *ring, uint64_t mask, uint64_t start, unsigned char *copy, size_t size)
{
	size_t first = mask + 1 - (start & mask);

	first = first < size ? first : size;
	memcpy(copy, ring + (start & mask), first);
	memcpy(copy + first, ring, size - first);
}

/* Returns the whole record that begins at start. A record has at most 64 KiB. */
static const void *whole_record(const struct perf_mmap *map, const union perf_event *record, uint64_t start)
{
	static _Alignas(8) unsigned char copy[65536];

	if ((const char *)record != map->event_copy)
		return record;
	/* the first page of a map has the ring's head and tail */
	evlist_unwrap((const unsigned char *)map->base + sysconf(_SC_PAGESIZE), map->mask, start, copy, record->header.size);
	return copy;
}

int evlist_drain(struct evlist *list, record_sink sink, void *arg)
{
	struct perf_mmap *map;
	int ret = 0;

	perf_evlist__for_each_mmap(list->list, map, false) {
		union perf_event *record;
		uint64_t start;

		if (perf_mmap__read_init(map) < 0)
			continue;
		for (start = map->start; !ret && (record = perf_mmap__read_event(map)); start = map->start) {
			ret = sink(arg, whole_record(map, record, start), record->header.size);
			perf_mmap__consume(map);
		}
		perf_mmap__read_done(map);
	}
	return ret;
}
