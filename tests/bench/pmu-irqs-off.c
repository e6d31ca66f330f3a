// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu-irqs-off: how long interrupts wait for counters, in each path, and what turns cost.
 *
 * paths: the system calls in which the kernel reads registers with interrupts off. With -icount and
 * one processor the time of a call is that of its instructions, and interrupts wait for nearly all
 * of it.
 * read_all: each monitor of each tile in groups, as READ_ALL of ESP's library, beside an event of
 * all tiles.
 * turns: BENCH_TURNS, events that cannot count together, take time from a loop.
 * polls: on each CPU a real-time thread sleeps again and again for TICK_NS; it wakes up late when
 * interrupts are off or the kernel does not schedule, and without -icount also when the host does
 * not run the guest. The first line, without events, is the reference. The second is with events of
 * BENCH_PMU and its further instances open: BENCH_CONFIGS, or all in sysfs.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define TICK_NS 200000
#define MAX_CPUS 16

static unsigned int seconds;
static uint64_t longest_read;

static void *sleeper(void *cpu)
{
	struct sched_param priority = { .sched_priority = 90 };
	uint64_t next, late, end, *worst = malloc(sizeof(*worst));

	ck_assert_ptr_nonnull(worst);
	*worst = 0;
	stay_on((intptr_t)cpu);
	ck_assert_int_eq(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority), 0);
	next = now_ns();
	end = next + seconds * 1000000000ULL;
	while (next < end) {
		struct timespec at;

		next += TICK_NS;
		at.tv_sec = next / 1000000000;
		at.tv_nsec = next % 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		late = now_ns() - next;
		if (late > *worst)
			*worst = late;
		/* ticks missed during a delay are not a second delay */
		next += late / TICK_NS * TICK_NS;
	}
	return worst;
}

static void measure(const char *what)
{
	pthread_t thread[MAX_CPUS];
	uint64_t worst = 0;
	intptr_t cpu, n;

	for (n = 0; n < MAX_CPUS && file_text("/sys/devices/system/cpu/cpu%d/topology/core_id", (int)n); n++)
		;
	for (cpu = 0; cpu < n; cpu++)
		ck_assert_int_eq(pthread_create(&thread[cpu], NULL, sleeper, (void *)cpu), 0);
	for (cpu = 0; cpu < n; cpu++) {
		void *late;

		ck_assert_int_eq(pthread_join(thread[cpu], &late), 0);
		if (*(uint64_t *)late > worst)
			worst = *(uint64_t *)late;
		free(late);
	}
	printf("%-40s latest wake-up %8.3f ms in %u s\n", what, worst / 1e6, seconds);
}

/* An event without a place reads the counters of all tiles or DPUs, with interrupts off. */
static void open_and_read(const char *pmu, uint64_t config)
{
	int fd = event_open_on(pmu, config, -1, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t begin, time;

	event_count(fd);
	begin = now_ns();
	event_count(fd);
	time = now_ns() - begin;
	if (time > longest_read)
		longest_read = time;
}

/* All events of a PMU, those of an aggregate open all its counters. */
static unsigned int open_all(const char *pmu)
{
	char path[256];
	struct dirent *e;
	unsigned int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), SYSFS_PMU "%s/events", pmu);
	dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir))) {
		uint64_t config;

		if (!strchr(e->d_name, '.') &&
		    sscanf(file_text("%s/%s", path, e->d_name), "event=%" SCNx64, &config) == 1) {
			open_and_read(pmu, config);
			n++;
		}
	}
	closedir(dir);
	return n;
}

SUITE("pmu-irqs-off", .endless = true);

TEST(latest_wake_up)
{
	const char *name = getenv("BENCH_PMU"), *configs = getenv("BENCH_CONFIGS");
	unsigned int events = 0, pmus = 0;
	char what[64], pmu[64];

	ck_assert_msg(name, "BENCH_PMU is not set");
	snprintf(pmu, sizeof(pmu), "%s", name);
	/* two polls, which are at most 10 s apart */
	seconds = 22;
	measure("no events");
	while (file_text(SYSFS_PMU "%s/type", pmu)) {
		const char *config = configs;

		if (!configs)
			events += open_all(pmu);
		while (config && *config) {
			char *end;

			open_and_read(pmu, strtoull(config, &end, 0));
			events++;
			config = end + strspn(end, ", ");
		}
		snprintf(pmu, sizeof(pmu), "%.40s_%u", name, ++pmus);
	}
	snprintf(what, sizeof(what), "%u events of %u PMUs", events, pmus);
	measure(what);
	printf("%-40s longest        %8.3f ms\n", "a read(2) of one of them", longest_read / 1e6);
}

/* Configurations of the PMU's events: those of the variable, else all in sysfs. */
static unsigned int configs_of(const char *pmu, const char *list, uint64_t *configs, unsigned int max)
{
	unsigned int n = 0;
	char path[256];
	struct dirent *e;
	DIR *dir;

	while (list && *list && n < max) {
		char *end;

		configs[n++] = strtoull(list, &end, 0);
		list = end + strspn(end, ", ");
	}
	if (n)
		return n;
	snprintf(path, sizeof(path), SYSFS_PMU "%s/events", pmu);
	dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir)) && n < max)
		if (!strchr(e->d_name, '.') &&
		    sscanf(file_text("%s/%s", path, e->d_name), "event=%" SCNx64, &configs[n]) == 1)
			n++;
	closedir(dir);
	return n;
}

/* The longest of several calls' times. */
#define LONGEST(time, what)							\
	do {									\
		uint64_t begin = now_ns();					\
										\
		ck_assert_int_ge(what, 0);					\
		if (now_ns() - begin > (time))					\
			(time) = now_ns() - begin;				\
	} while (0)

static void say(const char *what, uint64_t ns)
{
	printf("%-40s %26.3f ms\n", what, ns / 1e6);
}

/* Events as one group: enabled, read, disabled, and another event that is opened meanwhile. */
static void measure_group(const char *pmu, const uint64_t *configs, unsigned int n)
{
	static uint64_t buffer[1 + 2048];
	uint64_t enable = 0, disable = 0, get = 0, come = 0, go = 0;
	int fds[2048], another = -1, cpu = pmu_cpu(pmu);
	unsigned int i;
	char what[64];

	for (i = 0; i < n; i++) {
		struct perf_event_attr attr = attr_of(pmu, configs[i]);

		attr.read_format = PERF_FORMAT_GROUP;
		attr.disabled = !i;
		fds[i] = sys_open(&attr, cpu, i ? fds[0] : -1);
		ck_assert_msg(fds[i] >= 0, "event 0x%" PRIx64 ": %s", configs[i], strerror(-fds[i]));
	}
	for (i = 0; i < 3; i++) {
		struct perf_event_attr attr = attr_of(pmu, configs[n - 1]);

		LONGEST(enable, ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0));
		LONGEST(get, read(fds[0], buffer, sizeof(buffer)));
		LONGEST(come, another = sys_open(&attr, cpu, -1));
		LONGEST(go, close(another));
		LONGEST(disable, ioctl(fds[0], PERF_EVENT_IOC_DISABLE, 0));
	}
	for (i = n; i; i--)
		close(fds[i - 1]);
	snprintf(what, sizeof(what), "%u events of a group: enable", n);
	say(what, enable);
	say("  read(2)", get);
	say("  another event opens", come);
	say("  and closes", go);
	say("  disable", disable);
}

TEST(longest_times_with_interrupts_off)
{
	const char *pmu = getenv("BENCH_PMU");
	uint64_t configs[2048];
	unsigned int tile, code, n = 0;

	measure_group(pmu, configs, configs_of(pmu, getenv("BENCH_GROUP"), configs, 2048));
	if (strcmp(pmu, PMU))
		return;
	/* as many counters as six tiles have */
	for (tile = 0; tile < 6; tile++)
		for (code = 0; code < 59; code++)
			configs[n++] = BYTILE(tile) | code;
	measure_group(pmu, configs, n);
}

#define READ_ALL_TILES 20

/* Each monitor of each tile in groups of some tiles. */
static void measure_read_all(const char *pmu, unsigned int size)
{
	static uint64_t buffer[3 + 59 * READ_ALL_TILES];
	unsigned int tiles, tile, code, n = 0, i;
	const struct rlimit files = { 20000, 20000 };
	uint64_t get = 0, first = UINT64_MAX, enable = 0;
	int *fds, leader = -1, beside, cpu = pmu_cpu(pmu);
	struct perf_event_attr attr;

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
	tiles = file_number(SYSFS_PMU PMU "/caps/rows") * file_number(SYSFS_PMU PMU "/caps/columns");
	beside = event_open_on(pmu, CYCLES, -1, 0);
	fds = calloc(tiles * 59, sizeof(*fds));
	for (tile = 0; tile < tiles; tile++) {
		if (!(tile % size))
			leader = -1;
		for (code = 0; code < 59; code++) {
			attr = attr_of(pmu, BYTILE(tile) | code);
			attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
					   PERF_FORMAT_TOTAL_TIME_RUNNING;
			attr.disabled = leader < 0;
			fds[n] = sys_open(&attr, cpu, leader);
			ck_assert_msg(fds[n] >= 0, "tile %u: %s", tile, strerror(-fds[n]));
			if (leader < 0)
				leader = fds[n];
			n++;
		}
	}
	for (i = 0; i < n; i += 59 * size) {
		LONGEST(enable, ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0));
		if (!i)
			first = enable;
	}
	sleep_ms(100);
	for (i = 0; i < n; i += 59 * size) {
		LONGEST(get, read(fds[i], buffer, sizeof(buffer)));
		/* nobody takes turns */
		ck_assert_uint_gt(buffer[1], 0);
		ck_assert_uint_eq(buffer[1], buffer[2]);
	}
	printf("%u events of %u tiles in groups of %u, beside one of all tiles, without turns:\n", n, tiles,
	       59 * size);
	say("  the first group's enable", first);
	say("  that of a later group, at most", enable);
	say("  a group's read(2)", get);
	while (n)
		close(fds[--n]);
	close(beside);
	free(fds);
}

TEST(read_all)
{
	const char *pmu = getenv("BENCH_PMU");

	if (strcmp(pmu, PMU))
		return;
	measure_read_all(pmu, READ_ALL_TILES);
}

static uint64_t loop(void)
{
	volatile unsigned int i;
	uint64_t begin = now_ns();

	for (i = 0; i < 50000000; i++)
		;
	return now_ns() - begin;
}

TEST(turns)
{
	const char *pmu = getenv("BENCH_PMU"), *list = getenv("BENCH_TURNS");
	uint64_t configs[16], alone, beside;
	unsigned int n, i;
	int fds[16];

	if (!list)
		return;
	n = configs_of(pmu, list, configs, 16);
	alone = loop();
	for (i = 0; i < n; i++)
		fds[i] = event_open_on(pmu, configs[i], -1, 0);
	beside = loop();
	printf("%u events take turns: %.1f %% of a CPU\n", n, 100.0 * (1 - (double)alone / beside));
	while (i--)
		close(fds[i]);
}
