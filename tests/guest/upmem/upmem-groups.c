// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two counters of the bank interface and more events: groups that fit open, others get EINVAL, and
 * single events take turns with right times.
 *
 * mon-vm: --device upmem-rank --mem 1G
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "libmon/upmem/include/dpu.h"
#include "libmon/include/mon.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define BYDPU(n) (1ULL << 20 | (uint64_t)(n) << 12)
#define CHAIN (1ULL << 21)
#define LDMA 0x1
#define SDMA 0x2
#define READ 0x4
#define WRITE 0x8
#define DPU_CYCLES 0x100
#define DPU_INSTRUCTIONS 0x200

#define MAX_EVENTS 5

/* Opens events as one group, or with single each for itself; stops at the first that fails. */
static int open_all(const uint64_t *configs, int *fds, bool single)
{
	for (int i = 0; i < MAX_EVENTS && configs[i]; i++) {
		struct perf_event_attr attr = attr_of("upmem", configs[i]);

		attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		fds[i] = sys_open(&attr, pmu_cpu("upmem"), single || !i ? -1 : fds[0]);
		if (fds[i] < 0)
			return fds[i];
	}
	return 0;
}

static void close_all(int *fds)
{
	for (int i = MAX_EVENTS - 1; i >= 0; i--)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Groups, and the result of opening their last event. */
static const struct {
	uint64_t configs[MAX_EVENTS + 1];
	int error;
} groups[] = {
	{ { LDMA, SDMA }, 0 },
	{ { LDMA, SDMA, READ }, EINVAL },
	{ { LDMA | BYDPU(3), SDMA | BYDPU(3) }, 0 },
	{ { LDMA | BYDPU(3), SDMA | BYDPU(3), READ | BYDPU(3) }, EINVAL },
	/* an event of the rank needs a counter of every DPU */
	{ { LDMA, SDMA, READ | BYDPU(63) }, EINVAL },
	{ { LDMA | BYDPU(0), SDMA | BYDPU(0), READ | BYDPU(1), WRITE | BYDPU(1) }, 0 },
	/* the same event shares a counter */
	{ { LDMA, LDMA, SDMA, LDMA | BYDPU(7), SDMA | BYDPU(7) }, 0 },
	/* 64 bits take both */
	{ { LDMA | CHAIN, LDMA | CHAIN }, 0 },
	{ { LDMA | CHAIN, SDMA | CHAIN }, EINVAL },
	{ { LDMA | CHAIN, LDMA }, EINVAL },
	{ { LDMA, LDMA | CHAIN }, EINVAL },
	{ { LDMA | CHAIN | BYDPU(0), SDMA | CHAIN | BYDPU(1) }, 0 },
	/* these two need none */
	{ { LDMA, SDMA, DPU_CYCLES, DPU_INSTRUCTIONS }, 0 },
	{ { LDMA | CHAIN, DPU_CYCLES, DPU_INSTRUCTIONS }, 0 },
};
#define GROUPS (sizeof(groups) / sizeof(groups[0]))

SUITE("upmem groups", .timeout = 60);

LOOP_TEST(groups_open_when_their_counters_are_enough, 0, GROUPS)
{
	int fds[MAX_EVENTS] = { -1, -1, -1, -1, -1 };

	ck_assert_int_eq(open_all(groups[_i].configs, fds, false), -groups[_i].error);
	close_all(fds);
	/* one by one each of them opens */
	memset(fds, 0xff, sizeof(fds));
	ck_assert_int_eq(open_all(groups[_i].configs, fds, true), 0);
	close_all(fds);
}

TEST(wrong_events_are_invalid)
{
	static const uint64_t wrong[] = {
		0, 3, 0x81, 0x300, 1ULL << 12 | LDMA, BYDPU(64) | LDMA, CHAIN | DPU_CYCLES,
			CHAIN | DPU_INSTRUCTIONS, 1ULL << 22 | LDMA, 1ULL << 63 | LDMA
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct perf_event_attr attr = attr_of("upmem", wrong[i]);

		ck_assert_msg(sys_open(&attr, pmu_cpu("upmem"), -1) == -EINVAL, "config 0x%llx",
			      (unsigned long long)wrong[i]);
	}
}

static struct reading read_one(int fd)
{
	struct reading r;

	ck_assert_int_eq(event_try_read(fd, &r), 0);
	return r;
}

/*
 * The kernel of UPMEM's page runs until each of three events has had a counter and has been without
 * one. No two events are the same, so at no time more than two count.
 */
TEST(more_events_than_counters_take_turns)
{
	static const uint64_t configs[MAX_EVENTS + 1] = {
		LDMA | BYDPU(0), SDMA | BYDPU(0), READ | BYDPU(0)
	};
	static const unsigned int per_run[] = { 2, 3, 2 };	/* loads, stores, words read */
	uint64_t begin, running = 0, enabled = 0, runs = 0;
	int fds[MAX_EVENTS] = { -1, -1, -1, -1, -1 };
	bool all = false;
	struct dpu_set_t set;

	ck_assert_msg(dpu_alloc(1, NULL, &set) == DPU_OK, "%s", mon_error());
	ck_assert_int_eq(dpu_load(set, "examples/upmem/page-kernel.dpu", NULL), DPU_OK);
	begin = now_ns();
	ck_assert_int_eq(open_all(configs, fds, true), 0);
	while (!all) {
		ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
		runs++;
		all = true;
		for (int i = 0; i < 3; i++) {
			struct reading r = read_one(fds[i]);

			all &= r.count > 0 && r.running < r.enabled;
		}
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0), 0);
	for (int i = 0; i < 3; i++) {
		struct reading r = read_one(fds[i]);

		ck_assert_uint_gt(r.running, 0);
		ck_assert_uint_lt(r.running, r.enabled);
		ck_assert_uint_le(r.enabled, now_ns() - begin);
		/* an event that counted for a part of the time has at most the whole count */
		ck_assert_uint_le(r.count, runs * per_run[i]);
		running += r.running;
		enabled = r.enabled > enabled ? r.enabled : enabled;
	}
	ck_assert_uint_le(running, 2 * (now_ns() - begin));
	/* and the counters have not been idle: two count nearly always, one at the very least */
	ck_assert_uint_ge(running, enabled);
	close_all(fds);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}

TEST(events_that_fit_count_all_the_time)
{
	static const uint64_t configs[MAX_EVENTS + 1] = { LDMA | BYDPU(0), SDMA | BYDPU(0) };
	int fds[MAX_EVENTS] = { -1, -1, -1, -1, -1 };
	struct dpu_set_t set;

	ck_assert_int_eq(dpu_alloc(1, NULL, &set), DPU_OK);
	ck_assert_int_eq(dpu_load(set, "examples/upmem/page-kernel.dpu", NULL), DPU_OK);
	ck_assert_int_eq(open_all(configs, fds, true), 0);
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	for (int i = 0; i < 2; i++) {
		struct reading r = read_one(fds[i]);

		ck_assert_uint_eq(r.running, r.enabled);
		ck_assert_uint_eq(r.count, 20 * (2 + i));
	}
	close_all(fds);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}

/*
 * Two chains take turns. Once an event finds no counter, perf tries no further one in this turn. So events that need
 * none of the chains' counters take turns, too, unless they are pinned.
 */
TEST(what_is_pinned_takes_no_turns)
{
	static const uint64_t configs[] = { LDMA | CHAIN, SDMA | CHAIN, DPU_INSTRUCTIONS, DPU_CYCLES };
	struct reading r;
	int fds[4], i;

	for (i = 0; i < 4; i++) {
		struct perf_event_attr attr = attr_of("upmem", configs[i]);

		attr.pinned = i >= 2;
		fds[i] = sys_open(&attr, pmu_cpu("upmem"), -1);
		ck_assert_int_ge(fds[i], 0);
	}
	sleep_ms(300);
	for (i = 0; i < 4; i++) {
		ck_assert_int_eq(event_try_read(fds[i], &r), 0);
		if (i < 2)
			ck_assert_uint_lt(r.running, r.enabled);
		else
			ck_assert_uint_eq(r.running, r.enabled);
		close(fds[i]);
	}
}

/*
 * Two counters. An event that is pinned and one that is not have them; a second pinned event, which was opened first,
 * is enabled. perf adds that first, so it may get the counter of the first pinned event, which then gets the other.
 * Both pinned events count all the time. A pinned event that perf could not add has ended: its read() returns 0.
 */
TEST(a_pinned_event_harms_no_other)
{
	static const uint64_t configs[] = { READ | BYDPU(0), LDMA | BYDPU(0), SDMA | BYDPU(0) };
	struct reading r[2];
	int fds[3], i;

	for (i = 0; i < 3; i++) {
		struct perf_event_attr attr = attr_of("upmem", configs[i]);

		attr.pinned = i < 2;
		attr.disabled = !i;
		fds[i] = sys_open(&attr, pmu_cpu("upmem"), -1);
		ck_assert_int_ge(fds[i], 0);
	}
	sleep_ms(50);
	ck_assert_int_eq(ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0), 0);
	sleep_ms(100);
	for (i = 0; i < 2; i++) {
		ck_assert_int_eq(event_try_read(fds[i], &r[i]), 0);
		ck_assert_uint_gt(r[i].running, 0);
		ck_assert_uint_eq(r[i].running, r[i].enabled);
	}
	for (i = 0; i < 3; i++)
		close(fds[i]);
}

#ifdef __x86_64__
#define PROBE "/sys/module/event_close/parameters/"

/* The move goes on when an event is closed. */
static void *enable_in_the_move(void *fd)
{
	struct perf_event_attr attr = attr_of("upmem", DPU_CYCLES);

	while (strcmp(file_text(PROBE "moving"), "Y"))
		usleep(100);
	ck_assert_int_eq(ioctl(*(int *)fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	close(sys_open(&attr, pmu_cpu("upmem"), -1));
	return NULL;
}

/*
 * Two events have both counters and are about to move to another CPU, for which they keep them. A pinned event that is
 * enabled then gets one all the same: perf never tries it again.
 */
TEST(a_pinned_event_fits_while_others_move)
{
	static const uint64_t configs[] = { READ | BYDPU(0), LDMA | BYDPU(0), SDMA | BYDPU(0) };
	int from = pmu_cpu("upmem"), fds[3], i;
	struct reading r;
	pthread_t enabler;
	const char *online = cpu_switch(from);

	if (!online)
		return;
	ck_assert_int_eq(system("insmod build/pmu/$(uname -r)/tests/guest/modules/event_close.ko"), 0);
	for (i = 0; i < 3; i++) {
		struct perf_event_attr attr = attr_of("upmem", configs[i]);

		attr.pinned = !i;
		attr.disabled = !i;
		fds[i] = sys_open(&attr, from, -1);
		ck_assert_int_ge(fds[i], 0);
	}
	ck_assert_int_eq(pthread_create(&enabler, NULL, enable_in_the_move, &fds[0]), 0);
	file_write(online, "0");
	ck_assert_int_eq(pthread_join(enabler, NULL), 0);
	ck_assert_str_eq(file_text(PROBE "met"), "Y");
	ck_assert_int_eq(event_try_read(fds[0], &r), 0);
	ck_assert_uint_gt(r.running, 0);
	ck_assert_uint_eq(r.running, r.enabled);
	file_write(online, "1");
	for (i = 0; i < 3; i++)
		close(fds[i]);
	ck_assert_int_eq(system("rmmod event_close"), 0);
}
#endif

static void reset_rank(void)
{
	ck_assert_int_eq(system("echo 1 >$(echo /sys/bus/pci/drivers/upmem/0*/reset)"), 0);
}

/*
 * Two groups take turns, and a reset clears the counters. The loss stays known to the group that lost, whatever turns
 * come after it, until a read in a turn of its own tells it, once.
 */
TEST(a_loss_is_not_forgotten_with_the_turn)
{
	static const uint64_t configs[2][2] = { { LDMA, SDMA }, { READ, WRITE } };
	unsigned int failed[2] = { }, i;
	uint64_t values[5];
	int fds[2][2];

	for (int g = 0; g < 2; g++)
		for (i = 0; i < 2; i++) {
			struct perf_event_attr attr = attr_of("upmem", configs[g][i]);

			attr.read_format |= PERF_FORMAT_GROUP;
			fds[g][i] = sys_open(&attr, pmu_cpu("upmem"), i ? fds[g][0] : -1);
			ck_assert_int_ge(fds[g][i], 0);
		}
	sleep_ms(100);
	reset_rank();
	sleep_ms(200);
	/* a read between two turns of a group succeeds, because perf asks the driver only in turns */
	for (i = 0; i < 200; i++) {
		for (int g = 0; g < 2; g++) {
			if (read(fds[g][0], values, sizeof(values)) < 0) {
				ck_assert_int_eq(errno, EIO);
				failed[g]++;
			}
		}
		sleep_ms(5);
	}
	/* a reset lasts for some turns, so both may have lost */
	ck_assert_msg(failed[0] <= 1 && failed[1] <= 1 && failed[0] + failed[1], "%u and %u of 200 failed", failed[0],
		      failed[1]);
	for (int g = 0; g < 2; g++)
		for (i = 0; i < 2; i++)
			close(fds[g][1 - i]);
}

/*
 * Two groups, each with both counters of all DPUs behind a leader that needs none, and whatever the leader's format:
 * they take turns, so each runs half of the time, give or take a turn at either end.
 */
LOOP_TEST(groups_behind_a_free_leader_take_turns, 0, 2)
{
	static const uint64_t configs[2][3] = { { DPU_CYCLES, LDMA, SDMA }, { DPU_CYCLES, READ, WRITE } };
	int fds[2][3];

	for (int g = 0; g < 2; g++)
		for (int i = 0; i < 3; i++) {
			struct perf_event_attr attr = attr_of("upmem", configs[g][i]);

			attr.read_format |= _i ? PERF_FORMAT_GROUP : 0;
			fds[g][i] = sys_open(&attr, pmu_cpu("upmem"), i ? fds[g][0] : -1);
			ck_assert_int_ge(fds[g][i], 0);
		}
	sleep_ms(2000);
	for (int g = 0; g < 2; g++) {
		/* a group's begins with the number of its members, and has all their counts */
		uint64_t values[3 + 3];

		ck_assert_int_eq(read(fds[g][0], values, sizeof(values)), (_i ? 6 : 3) * sizeof(*values));
		ck_assert_uint_ge(10 * values[2], 4 * values[1]);
		ck_assert_uint_le(10 * values[2], 6 * values[1]);
	}
	for (int g = 0; g < 2; g++)
		for (int i = 2; i >= 0; i--)
			close(fds[g][i]);
}

static bool polls(void)
{
	return !system("grep -q mon_pmu_poll /proc/timer_list");
}

/* A timer for 64 bits, which wrap in thousands of years, would be for nothing. */
TEST(only_counters_that_wrap_are_polled)
{
	static const uint64_t wide[] = { DPU_CYCLES, DPU_INSTRUCTIONS | BYDPU(3), LDMA | CHAIN };
	int fds[3], narrow;

	ck_assert(!polls());
	for (int i = 0; i < 3; i++)
		fds[i] = event_open_on("upmem", wide[i], -1, 0);
	ck_assert(!polls());
	/* beside the chain only a counter that nobody has to allocate, or none, would fit */
	close(fds[2]);
	narrow = event_open_on("upmem", SDMA, -1, 0);
	ck_assert(polls());
	close(narrow);
	ck_assert(!polls());
	close(fds[0]);
	close(fds[1]);
}
