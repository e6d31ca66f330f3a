// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups of perf events, opened through libperf. This file alone knows libperf, and of libperf's
 * internals it uses two things: where an evsel keeps its file descriptor (for group reads and
 * close-on-exec, which the public interface lacks) and who leads it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/perf_event.h>

#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include <internal/evsel.h>
#include <internal/xyarray.h>

#include "libmon/internal.h"

struct mon_perf {
	uint32_t type;
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	struct perf_evsel **evsel;
	size_t count, room;
};

static int no_print(enum libperf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static void init_libperf(void)
{
	libperf_init(no_print);
}

struct mon_perf *mon_perf_new(uint32_t type, int cpu)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct mon_perf *perf = calloc(1, sizeof(*perf));
	char list[16];

	pthread_once(&once, init_libperf);
	if (!perf)
		return NULL;
	snprintf(list, sizeof(list), "%d", cpu);
	perf->type = type;
	perf->cpus = perf_cpu_map__new(list);
	perf->threads = perf_thread_map__new_dummy();
	if (!perf->cpus || !perf->threads) {
		mon_perf_free(perf);
		errno = ENOMEM;
		return NULL;
	}
	/* The dummy map has one entry, -1: no thread, the whole CPU. */
	perf_thread_map__set_pid(perf->threads, 0, -1);
	return perf;
}

/* Members first: when a leader goes, the kernel makes single events of its members. */
void mon_perf_free(struct mon_perf *perf)
{
	if (!perf)
		return;
	while (perf->count) {
		struct perf_evsel *evsel = perf->evsel[--perf->count];

		perf_evsel__close(evsel);
		perf_evsel__delete(evsel);
	}
	free(perf->evsel);
	perf_cpu_map__put(perf->cpus);
	perf_thread_map__put(perf->threads);
	free(perf);
}

static int evsel_fd(const struct perf_evsel *evsel)
{
	return *(int *)xyarray__entry(evsel->fd, 0, 0);
}

int mon_perf_fd(const struct mon_perf *perf, size_t index)
{
	return evsel_fd(perf->evsel[index]);
}

static bool make_room(struct mon_perf *perf)
{
	size_t room = perf->room ? 2 * perf->room : 8;
	struct perf_evsel **evsel;

	if (perf->count < perf->room)
		return true;
	evsel = reallocarray(perf->evsel, room, sizeof(*evsel));
	if (!evsel)
		return false;
	perf->evsel = evsel;
	perf->room = room;
	return true;
}

int mon_perf_add(struct mon_perf *perf, const struct mon_config *config)
{
	struct perf_event_attr attr = {
		.type = perf->type,
		.size = sizeof(attr),
		.config = config->word[0],
		.config1 = config->word[1],
		.config2 = config->word[2],
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		/* Members follow their leader. */
		.disabled = perf->count == 0,
	};
	struct perf_evsel *evsel;
	int ret;

	if (!make_room(perf))
		return -ENOMEM;
	evsel = perf_evsel__new(&attr);
	if (!evsel)
		return -ENOMEM;
	evsel->leader = perf->count ? perf->evsel[0] : evsel;
	ret = perf_evsel__open(evsel, perf->cpus, perf->threads);
	if (ret) {
		perf_evsel__delete(evsel);
		return ret;
	}
	fcntl(evsel_fd(evsel), F_SETFD, FD_CLOEXEC);
	perf->evsel[perf->count++] = evsel;
	return 0;
}

static int leader_ioctl(struct mon_perf *perf, unsigned long request, unsigned long flags)
{
	return ioctl(mon_perf_fd(perf, 0), request, flags) < 0 ? -errno : 0;
}

int mon_perf_enable(struct mon_perf *perf)
{
	/* The members are enabled; with the leader the kernel starts all at one instant. */
	return leader_ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
}

int mon_perf_disable(struct mon_perf *perf)
{
	return leader_ioctl(perf, PERF_EVENT_IOC_DISABLE, 0);
}

int mon_perf_reset(struct mon_perf *perf)
{
	return leader_ioctl(perf, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
}
