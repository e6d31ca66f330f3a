// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map of before March 2023: no invocation counter, and all above it one word lower. Event
 * codes are those of the later map.
 *
 * mon-vm: --device espmon,layout=2021
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "libmon/include/mon.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

/* Flits into the memory tile on that plane; the last monitor of the map. */
#define QUEUE_P6_LOCAL 58

SUITE("pmu-layout", .timeout = 20);

TEST(sysfs_tells_the_layout)
{
	DIR *dir = opendir(SYSFS_PMU PMU "/events");
	unsigned int n = 0;
	struct dirent *e;

	ck_assert_str_eq(file_text(SYSFS_PMU PMU "/identifier"), "esp-2021");
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/caps/layout"), 2021);
	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir))) {
		ck_assert_msg(strncmp(e->d_name, "acc_invocations", 15), "%s", e->d_name);
		n += !strchr(e->d_name, '.');
	}
	closedir(dir);
	/* 58 monitors and two pairs */
	ck_assert_uint_eq(n, 60);
}

TEST(what_the_map_has_opens)
{
	unsigned int code;

	for (code = 0; code < 256; code++) {
		bool known = (code <= QUEUE_P6_LOCAL && code != ACC_INVOCATIONS) || code == 0x80 || code == 0x81;
		struct perf_event_attr attr = attr_of(PMU, code);
		int fd = sys_open(&attr, pmu_cpu(PMU), -1);

		ck_assert_msg(known ? fd >= 0 : fd == -EINVAL, "code %u: %d", code, fd);
		if (fd >= 0)
			close(fd);
		attr.config |= BYTILE(TILE_FFT);
		fd = sys_open(&attr, pmu_cpu(PMU), -1);
		ck_assert_msg(known ? fd >= 0 : fd == -EINVAL, "code %u in a tile: %d", code, fd);
		if (fd >= 0)
			close(fd);
	}
}

/* Below the missing counter, above it, and the last: alone and in a group. */
TEST(counts_are_right)
{
	static const struct {
		uint64_t config;
		uint64_t count;
	} events[] = {
		{ DDR_ACCESSES | BYTILE(TILE_MEM), FFT_DDR },
		{ DMA_REQS | BYTILE(TILE_MEM), FFT_FLITS },
		{ INJECTS_P6 | BYTILE(TILE_FFT), FFT_FLITS },
		{ QUEUE_P6_LOCAL | BYTILE(TILE_MEM), FFT_FLITS },
	};
	struct fft *fft = fft_new(TILE_FFT);
	int fds[4], leader = -1;
	uint64_t n[4];
	unsigned int i, run;

	for (i = 0; i < 4; i++) {
		int fd = event_open_on(PMU, events[i].config, leader, PERF_FORMAT_GROUP);

		if (leader < 0)
			leader = fd;
		fds[i] = event_open(events[i].config);
	}
	for (run = 1; run <= 3; run++) {
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_int_eq(group_try_read(leader, n, 4), 0);
		for (i = 0; i < 4; i++) {
			ck_assert_uint_eq(event_count(fds[i]), run * events[i].count);
			ck_assert_uint_eq(n[i], run * events[i].count);
		}
	}
	fft_free(fft);
}

TEST(cycles_follow_the_clock)
{
	unsigned long hz = file_number(SYSFS_PMU PMU "/caps/clock_hz");
	int fd = event_open(CYCLES | BYTILE(TILE_MEM));
	uint64_t t, n;

	t = now_ns();
	n = event_count(fd);
	sleep_ms(100);
	n = event_count(fd) - n;
	t = now_ns() - t;
	ck_assert_uint_gt(n, 0.1 * hz * 0.99);
	ck_assert_uint_lt(n, t / 1e9 * hz * 1.01);
}

TEST(the_library_reads_groups)
{
	static const char *const names[] = {
		"espmon/ddr_accesses,bytile,tile=2/", "espmon/noc_injects_p5,bytile,tile=0/",
		"espmon/noc_queue_full_p5_l,bytile,tile=2/",
	};
	struct mon_group *group = mon_group_new();
	struct fft *fft = fft_new(TILE_FFT);
	unsigned int i, run;
	uint64_t n[3];

	for (i = 0; i < 3; i++)
		ck_assert_msg(mon_group_add(group, names[i]) >= 0, "%s", mon_error());
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	for (run = 1; run <= 3; run++) {
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_int_eq(mon_group_read(group, n, 3, NULL), 0);
		for (i = 0; i < 3; i++)
			ck_assert_uint_eq(n[i], run * (i ? FFT_FLITS : FFT_DDR));
	}
	mon_group_free(group);
	fft_free(fft);
}
