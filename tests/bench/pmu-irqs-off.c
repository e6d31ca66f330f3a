// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu-irqs-off: how long polls keep interrupts off and other tasks waiting. On each CPU a real-time thread sleeps
 * again and again for TICK_NS; it wakes up late when an interrupt cannot come or the kernel does not give way, and
 * without -icount also when the host does not run the guest. The first line, without events, is what to compare
 * with. The second is with events of BENCH_PMU and its further instances open: BENCH_CONFIGS, or all in sysfs.
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
#include <time.h>

#include "tests/guest/pmu.h"
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
		/* what it missed while it was late is no second delay */
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

START_TEST(latest_wake_up)
{
	const char *name = getenv("BENCH_PMU"), *configs = getenv("BENCH_CONFIGS");
	unsigned int events = 0, pmus = 0;
	char what[64], pmu[64];

	ck_assert_msg(name, "BENCH_PMU is not set");
	snprintf(pmu, sizeof(pmu), "%s", name);
	/* two polls */
	seconds = 2 * file_number(SYSFS_PMU "%s/poll/interval_ms", pmu) / 1000 + 2;
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
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("pmu-irqs-off");
	TCase *tc = tcase_create("polls");

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, latest_wake_up);
	suite_add_tcase(s, tc);
	return s;
}
