// SPDX-License-Identifier: GPL-2.0-only
/* libmon/group.c, perf.c, limits.c */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fake.h"
#include "libmon/internal.h"
#include "tests/main.h"

static uint64_t now;

/* Each event has its own speed. */
static uint64_t by_event(uint64_t config)
{
	return now * ((config & 0xff) + 1);
}

static struct mon_group *group_of(const char *const *names, unsigned int n)
{
	struct mon_group *group = mon_group_new();
	unsigned int i;

	ck_assert_ptr_nonnull(group);
	for (i = 0; i < n; i++)
		ck_assert_msg(mon_group_add(group, names[i]) == (int)i, "%s", mon_error());
	return group;
}

SUITE("group", .setup = fake_init, .teardown = fake_exit);

TEST(encodes_events_in_perf_notation)
{
	/* event config:0-7, tile config:8-15, bytile config:16 */
	static const struct {
		const char *name;
		uint64_t config;
	} cases[] = {
		{ "espmon/ddr_accesses/", 0 },
		{ "espmon/dma_reqs,bytile,tile=2/", 5 | 2 << 8 | 1 << 16 },
		{ "espmon/tile=0x5,bytile=1,event=58/", 58 | 5 << 8 | 1 << 16 },
		{ "espmon/config=0x10205/", 0x10205 },
		{ "espmon/acc_tot_cycles", 0x81 },
	};
	unsigned int i;

	fake_espmon();
	for (i = 0; i < MON_ARRAY_SIZE(cases); i++) {
		struct mon_group *group = group_of(&cases[i].name, 1);

		ck_assert_int_eq(mon_group_open(group), 0);
		ck_assert_uint_eq(fake_last_type, 42);
		ck_assert_uint_eq(fake_last_config, cases[i].config);
		ck_assert_int_eq(fake_last_pid, -1);
		ck_assert_int_eq(fake_last_cpu, 0);
		ck_assert_str_eq(mon_group_get_name(group, 0), cases[i].name);
		mon_group_free(group);
	}
}

TEST(opens_on_the_cpu_of_the_cpumask)
{
	static const char *const names[] = { "espmon/ddr_accesses/" };
	struct mon_group *group;

	fake_espmon();
	fake_file("sys/bus/event_source/devices/espmon/cpumask", "3\n");
	group = group_of(names, 1);
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(fake_last_cpu, 3);
	mon_group_free(group);
}

static void expect_refused(struct mon_group *group, const char *event, int error, const char *words)
{
	ck_assert_int_eq(mon_group_add(group, event), -1);
	ck_assert_int_eq(errno, error);
	ck_assert_msg(strstr(mon_error(), words) != NULL, "%s", mon_error());
}

TEST(refuses_what_is_no_event)
{
	struct mon_group *group = mon_group_new();

	fake_espmon();
	expect_refused(group, "ddr_accesses", EINVAL, "write PMU/EVENT/");
	expect_refused(group, "espmon//", EINVAL, "write PMU/EVENT/");
	expect_refused(group, "espmon/a/b/", EINVAL, "something follows the last /");
	expect_refused(group, "espmon/ddr_accesses/u", EINVAL, "something follows the last /");
	expect_refused(group, "{espmon/ddr_accesses/,espmon/dma_reqs/}", EINVAL, "leave { } out");
	expect_refused(group, "espmon/ddr_accesses,name=w/", EINVAL, "leave it out: only perf gives events names");
	expect_refused(group, "espmon/ddr_accesses,,tile=2/", EINVAL, "a comma with nothing before or after it");
	expect_refused(group, "espmon/flux/", ENOENT, "no event flux");
	expect_refused(group, "espmon/event=256/", EINVAL, "event=0x100: at most 0xff");
	expect_refused(group, "espmon/ddr_accesses,tile=two/", EINVAL, "not a number");
	expect_refused(group, "espmon/ddr_accesses,speed=1/", EINVAL, "no format speed");
	expect_refused(group, "upmem/dpu_cycles/", EINVAL, "one group, one PMU");
	ck_assert_uint_eq(mon_group_get_count(group), 0);
	mon_group_free(group);
	group = mon_group_new();
	expect_refused(group, "upmem/dpu_cycles/", ENODEV, "upmem: no such PMU");
	mon_group_free(group);
}

TEST(reads_all_events_in_one_call)
{
	static const char *const names[] = {
		"espmon/ddr_accesses/", "espmon/dma_reqs/", "espmon/event=58/",
	};
	struct mon_group *group;
	struct mon_times times;
	uint64_t values[4];

	fake_espmon();
	fake_counter = by_event;
	now = 1000;
	group = group_of(names, 3);
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	now += 7;
	ck_assert_int_eq(mon_group_read(group, values, 3, &times), 0);
	ck_assert_uint_eq(fake_reads, 1);
	/* 7 ticks at speeds 1, 6 and 59 */
	ck_assert_uint_eq(values[0], 7);
	ck_assert_uint_eq(values[1], 42);
	ck_assert_uint_eq(values[2], 413);
	ck_assert_uint_eq(times.enabled, 2000);
	ck_assert_uint_eq(times.running, 1000);
	ck_assert(mon_scale(values[1], &times) == 84.0);
	ck_assert(fake_cloexec);

	ck_assert_int_eq(mon_group_reset(group), 0);
	now += 1;
	ck_assert_int_eq(mon_group_read(group, values, 4, NULL), 0);
	ck_assert_uint_eq(values[2], 59);
	/* an array that is too short is not changed */
	values[0] = 77;
	ck_assert_int_eq(mon_group_read(group, values, 2, NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(mon_error(), "espmon: the group has 3 events, the array has room for 2");
	ck_assert_uint_eq(values[0], 77);
	mon_group_free(group);
	ck_assert_uint_eq(fake_open_events, 0);
}

TEST(gives_the_descriptor_of_each_event)
{
	static const char *const names[] = { "espmon/ddr_accesses/", "espmon/dma_reqs/" };
	uint64_t words[3 + 2];
	struct mon_group *group;

	fake_espmon();
	fake_counter = by_event;
	now = 0;
	group = group_of(names, 2);
	ck_assert_int_eq(mon_group_get_fd(group, 0), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_str_eq(mon_pmu_get_name(mon_group_get_pmu(group)), "espmon");
	/* dma_reqs, the second, is event 5 */
	ck_assert_uint_eq(mon_group_get_config(group, 1, 0), 5);
	ck_assert_uint_eq(mon_group_get_config(group, 1, 1), 0);
	ck_assert_uint_eq(mon_group_get_config(group, 1, 3), 0);
	ck_assert_uint_eq(mon_group_get_config(group, 2, 0), 0);
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	now = 2;
	/*
	 * a read of the leader returns the group: number of events, two times, values 2 * 1 and 2 *
	 * 6
	 */
	ck_assert_int_eq(read(mon_group_get_fd(group, 0), words, sizeof(words)), sizeof(words));
	ck_assert_uint_eq(words[0], 2);
	ck_assert_uint_eq(words[3], 2);
	ck_assert_uint_eq(words[4], 12);
	ck_assert_int_ne(mon_group_get_fd(group, 1), mon_group_get_fd(group, 0));
	ck_assert_int_eq(mon_group_get_fd(group, 2), -1);
	ck_assert_int_eq(errno, EINVAL);
	mon_group_free(group);
}

TEST(scale_of_a_group_that_never_ran_is_0)
{
	struct mon_times times = { .enabled = 5, .running = 0 };

	ck_assert(mon_scale(9, &times) == 0.0);
}

TEST(states_are_checked)
{
	static const char *const names[] = { "espmon/ddr_accesses/" };
	struct mon_group *group = mon_group_new();
	uint64_t value;

	fake_espmon();
	ck_assert_int_eq(mon_group_open(group), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(mon_group_enable(group), -1);
	mon_group_free(group);

	group = group_of(names, 1);
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_open(group), -1);
	ck_assert_int_eq(errno, EBUSY);
	mon_group_close(group);
	ck_assert_int_eq(mon_group_disable(group), -1);
	ck_assert_int_eq(mon_group_reset(group), -1);
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	/* and opens again */
	ck_assert_int_eq(mon_group_open(group), 0);
	mon_group_free(group);
	mon_group_free(NULL);
}

TEST(an_open_group_takes_further_events)
{
	static const char *const names[] = { "espmon/ddr_accesses/" };
	struct mon_group *group;
	uint64_t values[2];

	fake_espmon();
	fake_counter = by_event;
	now = 0;
	group = group_of(names, 1);
	ck_assert_int_eq(mon_group_open(group), 0);
	/* the hardware has no room for it */
	fake_open_error = EINVAL;
	fake_opens = fake_open_good = 0;
	ck_assert_int_eq(mon_group_add(group, "espmon/dma_reqs/"), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(mon_error(), "espmon/dma_reqs/: the driver refuses it") != NULL, "%s", mon_error());
	ck_assert_uint_eq(mon_group_get_count(group), 1);
	ck_assert_uint_eq(fake_open_events, 1);
	fake_open_error = 0;
	ck_assert_int_eq(mon_group_add(group, "espmon/dma_reqs/"), 1);
	/* one more open, not the whole group again */
	ck_assert_uint_eq(fake_opens, 1);
	ck_assert_int_eq(mon_group_enable(group), 0);
	now = 10;
	ck_assert_int_eq(mon_group_read(group, values, 2, NULL), 0);
	/* the speeds of events 0 and 5 */
	ck_assert_uint_eq(values[0], 10 * 1);
	ck_assert_uint_eq(values[1], 10 * 6);
	mon_group_free(group);
	ck_assert_uint_eq(fake_open_events, 0);
}

TEST(a_full_group_says_so)
{
	struct mon_group *group = mon_group_new();
	struct mon_pmu *pmu;
	unsigned int i;

	fake_espmon();
	pmu = mon_pmu_new("espmon");
	for (i = 0; i < MON_GROUP_MAX; i++)
		ck_assert_int_eq(mon_group_add_config(group, pmu, i % 59), i);
	ck_assert_int_eq(mon_group_add_config(group, pmu, 0), -1);
	ck_assert_int_eq(errno, E2BIG);
	mon_pmu_free(pmu);
	mon_group_free(group);
}

static void expect_open_error(int error, int expected, const char *words)
{
	static const char *const names[] = { "espmon/ddr_accesses/", "espmon/dma_reqs/" };
	struct mon_group *group = group_of(names, 2);

	fake_open_error = error;
	fake_opens = 0;
	fake_open_good = 1;	/* the second event fails */
	ck_assert_int_eq(mon_group_open(group), -1);
	ck_assert_int_eq(errno, expected);
	ck_assert_msg(strstr(mon_error(), words) != NULL, "%s", mon_error());
	/* nothing stays open */
	ck_assert_uint_eq(fake_open_events, 0);
	mon_group_free(group);
}

TEST(explains_why_an_event_does_not_open)
{
	fake_espmon();
	fake_file("proc/sys/kernel/perf_event_paranoid", "3\n");
	expect_open_error(EACCES, EACCES, "CAP_PERFMON");
	expect_open_error(EACCES, EACCES,
			  "kernel.perf_event_paranoid at 0 or less (it is 3)");
	expect_open_error(EPERM, EPERM, "CAP_PERFMON");
	expect_open_error(EINVAL, EINVAL, "espmon/dma_reqs/: the driver refuses it");
	expect_open_error(ENODEV, ENODEV, "espmon: no such PMU");
	expect_open_error(ENFILE, ENFILE, "fs.file-max");
	expect_open_error(ENOSYS, ENOSYS, "no perf events");
	expect_open_error(ENOMEM, ENOMEM, "espmon/dma_reqs/: Cannot allocate memory");
}

TEST(raises_the_limit_of_open_files_and_names_it_in_the_end)
{
	struct rlimit limit;
	char words[128];

	fake_espmon();
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 500;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	snprintf(words, sizeof(words), "the limit of open files is %lu and the group needs 1 more",
		 (unsigned long)limit.rlim_max);
	expect_open_error(EMFILE, EMFILE, words);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_uint_eq(limit.rlim_cur, limit.rlim_max);
}

TEST(a_device_that_went_away_is_an_error)
{
	static const char *const names[] = { "espmon/ddr_accesses/" };
	struct mon_group *group;
	uint64_t value = 77;

	fake_espmon();
	group = group_of(names, 1);
	ck_assert_int_eq(mon_group_open(group), 0);
	fake_read_error = -1;	/* 0 bytes: the event is in error state */
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	ck_assert_int_eq(errno, ENODEV);
	fake_read_error = ENODEV;
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	ck_assert_int_eq(errno, ENODEV);
	ck_assert_str_eq(mon_error(), "espmon: the device went away");
	fake_read_error = EIO;
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	ck_assert_int_eq(errno, EIO);
	ck_assert_str_eq(mon_error(),
			 "espmon: the device did not answer or lost counts: read again");
	fake_read_error = 0;
	/* its time stands still from the second read on */
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), 0);
	value = 77;
	fake_gone = true;
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), -1);
	ck_assert_int_eq(errno, ENODEV);
	ck_assert_str_eq(mon_error(), "espmon: the device went away");
	ck_assert_uint_eq(value, 77);
	fake_gone = false;
	ck_assert_int_eq(mon_group_read(group, &value, 1, NULL), 0);
	mon_group_free(group);
}
