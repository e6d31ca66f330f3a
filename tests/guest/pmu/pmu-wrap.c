// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters wrap, and every count stays right: by read(2), in groups, and by mapping.
 *
 * The guest's clock skips what the guest sleeps (QEMU's -icount with sleep=off), so hours of tile
 * cycles at 1 GHz, with every poll of the driver, pass in seconds. The clock that checks them is
 * the ACPI timer, whose 3.579545 MHz the guest need not calibrate, and which QEMU derives from the
 * same time as the tile clock. The registers start 16 below the wrap.
 *
 * not on riscv64 arm64: its clock source is acpi_pm, which virtual time drives
 * mon-vm: --smp 1 --device espmon,clock=1000000000,preset=0xfffffff0 --qemu-arg -icount --qemu-arg shift=3,sleep=off --append clocksource=acpi_pm --env TEST_TIMEOUT=100000
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

/* MON_STRESS in the environment: the 10000 of a full run. */
#define WRAPS 300
#define STRESS_WRAPS 10000

static unsigned int wraps = WRAPS;

static bool prepare(void)
{
	if (getenv("MON_STRESS"))
		wraps = STRESS_WRAPS;
	return true;
}

SUITE("pmu-wrap", .endless = true, .prepare = prepare);

TEST(the_clocks_are_one)
{
	ck_assert_str_eq(file_text("/sys/devices/system/clocksource/clocksource0/"
				   "current_clocksource"), "acpi_pm");
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/caps/clock_hz"), 1000000000);
}

/* The first 16 accesses are before the wrap. */
TEST(an_fft_wraps_all_its_counters)
{
	int fd = event_open(DDR_ACCESSES | BYTILE(TILE_MEM)), leader;
	struct fft *fft = fft_new(0);
	uint64_t n[3];

	/* a group of a sum, of one tile and of the cycles of a run, which are more than 16 */
	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, DMA_REQS, leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	ck_assert_int_eq(group_try_read(leader, n, 3), 0);
	ck_assert_uint_eq(n[0], FFT_DDR);
	ck_assert_uint_eq(n[1], FFT_DDR);
	/* flits: 3 for the page table, 3 for the input, 3 + 128 for the output */
	ck_assert_uint_eq(n[2], 137);
	fft_free(fft);
}

/* Cycles, at 1 a nanosecond, between two instants. */
struct window {
	uint64_t begin_min, begin_max;
};

static void check(const struct window *w, const char *how, uint64_t n, uint64_t before,
		  uint64_t after)
{
	/* 1e-8 is far above the rounding of clocks, and 1e-4 of a wrap after STRESS_WRAPS */
	uint64_t tolerance = 1000 + (after - w->begin_min) / 100000000;

	ck_assert_msg(n + tolerance >= before - w->begin_max &&
		      n <= after - w->begin_min + tolerance,
		      "%s: %llu cycles in %llu to %llu ns", how, (unsigned long long)n,
		      (unsigned long long)(before - w->begin_max),
		      (unsigned long long)(after - w->begin_min));
}

/*
 * The instant of a counter of a group lies between two readings of an event of that clock which
 * began earlier, and so does their difference, the same for all readings.
 */
struct offset {
	int64_t least, most;
};

static void check_offset(struct offset *o, uint64_t n, uint64_t first, uint64_t last)
{
	if ((int64_t)(first - n) > o->least)
		o->least = first - n;
	if ((int64_t)(last - n) < o->most)
		o->most = last - n;
	ck_assert_int_le(o->least, o->most);
}

TEST(thousands_of_wraps)
{
	uint64_t total = (uint64_t)wraps << 32, elapsed, n[3], first, last;
	unsigned long late = file_number(SYSFS_PMU PMU "/losses");
	struct offset leader_offset = { INT64_MIN, INT64_MAX }, tile_offset = leader_offset;
	int64_t twice = 0;
	struct window one, group;
	int single, leader;

	srandom(1);
	one.begin_min = now_ns();
	single = event_open(CYCLES | BYTILE(0));
	one.begin_max = now_ns();
	group.begin_min = now_ns();
	leader = event_open_on(PMU, CYCLES | BYTILE(0), -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES | BYTILE(5), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES | BYTILE(0), leader, PERF_FORMAT_GROUP);
	group.begin_max = now_ns();
	do {
		uint64_t before, after;

		/* up to three wraps between two readings, sometimes none */
		sleep_ms(random() % 13000);
		before = now_ns();
		first = event_count(single);
		ck_assert_int_eq(group_try_read(leader, n, 3), 0);
		last = event_count(single);
		after = now_ns();
		check(&one, "read(2)", first, before, after);
		check(&one, "read(2) again", last, before, after);
		check(&group, "leader", n[0], before, after);
		check(&group, "another tile", n[1], before, after);
		check(&group, "member", n[2], before, after);
		ck_assert_uint_le(first, last);
		check_offset(&leader_offset, n[0], first, last);
		check_offset(&tile_offset, n[1], first, last);
		/* one counter, sampled once: they differ by what the leader counted before */
		if (!twice)
			twice = n[0] - n[2];
		ck_assert_int_eq(n[0] - n[2], twice);
		elapsed = after - one.begin_min;
	} while (elapsed < total);
	ck_assert_uint_ge(last >> 32, wraps - 1);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), late);
}

/* Without events there are no polls. What the device counts then is not counted, however often it wraps. */
TEST(wraps_between_events_do_not_count)
{
	struct window w;
	int fd;

	sleep_ms(10000);
	w.begin_min = now_ns();
	fd = event_open(CYCLES | BYTILE(0));
	w.begin_max = now_ns();
	check(&w, "new event", event_count(fd), w.begin_max, now_ns());
}

/* The PMU goes while its poll timer is still pending for an event that has been closed. */
TEST(polls_go_on_after_the_driver_was_away)
{
	uint64_t before, n;
	struct window w;
	int fd;

	close(event_open(CYCLES | BYTILE(0)));
	espmon_remove();
	espmon_find();
	w.begin_min = now_ns();
	fd = event_open(CYCLES | BYTILE(0));
	w.begin_max = now_ns();
	sleep_ms(20000);
	before = now_ns();
	n = event_count(fd);
	check(&w, "event", n, before, now_ns());
}
