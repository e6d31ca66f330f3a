// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device is unplugged while its events are open and read, and plugged in again. pmu-unplug.sh,
 * outside, does what this program requests in lines of its output. Counts stay; the events continue
 * with the new device. MON_STRESS=N makes N cycles, MON_SECONDS=N those of N seconds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu-load.h"
#include "tests/guest/pmu/pmu-readers.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

static unsigned int cycles = 2;

static void ask(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
}

static void run_fft(void)
{
	struct fft *fft = fft_new(0);

	ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
}

/* Until opening an event ends so; the test's time limit is the only one. */
static void wait_until_open_says(int result)
{
	for (;;) {
		const char *type = file_text(SYSFS_PMU PMU "/type");
		struct perf_event_attr attr = { .size = sizeof(attr), .config = DDR_ACCESSES };
		int fd = -ENODEV;

		/* the PMU may go at any time */
		if (type) {
			attr.type = strtoul(type, NULL, 10);
			fd = sys_open(&attr, 0, -1);
		}
		if (fd >= 0)
			close(fd);
		if ((fd < 0 ? fd : 0) == result)
			return;
		sleep_ms(10);
	}
}

static bool prepare(void)
{
	const char *n = getenv("MON_STRESS");

	if (n && atoi(n) > 0)
		cycles = atoi(n);
	return true;
}

SUITE("pmu-unplug", .timeout = 600, .prepare = prepare);

/* Since Linux 6.16 */
static void events_end_with_a_device(void)
{
	struct load *load = load_start(1, ENODEV);
	unsigned int i;

	for (i = 0; another_round(i, cycles); i++) {
		int flits = event_open(INJECTS_P6 | BYTILE(TILE_FFT));

		run_fft();
		ck_assert_uint_eq(event_count(flits), FFT_FLITS);
		load_wait_running(load);
		ask("unplug");
		wait_until_open_says(-ENODEV);
		load_wait_away(load);
		check_revoked(flits);
		close(flits);
		ask("plug");
		wait_until_open_says(0);
		while (access("/dev/fft_stratus.0", R_OK))
			sleep_ms(10);
	}
	load_end(load);
	nothing_leaks(i);
	load_free(load);
}

/*
 * The load runs its FFTs in another tile, and the removal interrupts one of them: between none and
 * all of its accesses have been counted.
 */
TEST(events_outlive_a_device_that_is_pulled_out)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	uint32_t type = pmu_type(PMU);
	int ddr = event_open(DDR_ACCESSES), clock = event_open(CYCLES | BYTILE(TILE_MEM));
	int flits = event_open(INJECTS_P6 | BYTILE(TILE_FFT));
	struct readers *readers;
	struct load *load;
	uint64_t n, rest;
	unsigned int i;

	if (pmu_goes()) {
		events_end_with_a_device();
		return;
	}
	readers = readers_start(2);
	load = load_start(1, ENODEV);
	for (i = 0; another_round(i, cycles); i++) {
		run_fft();
		load_wait_running(load);
		ask("unplug");
		wait_until_open_says(-ENODEV);
		load_wait_away(load);
		ck_assert_uint_eq(event_count(flits), (2 * i + 1) * FFT_FLITS);
		ck_assert_uint_eq(load_cut(load), i + 1);
		rest = event_count(ddr) - (load_done(load) + 2 * i + 1) * FFT_DDR;
		ck_assert_uint_le(rest, (i + 1) * FFT_DDR);
		/* each time one more loss is counted */
		ck_assert_uint_gt(file_number(SYSFS_PMU PMU "/losses"), losses);
		losses = file_number(SYSFS_PMU PMU "/losses");
		n = event_count(clock);
		sleep_ms(5);
		ck_assert_uint_eq(event_count(clock), n);
		ask("plug");
		wait_until_open_says(0);
		while (access("/dev/fft_stratus.0", R_OK))
			sleep_ms(10);
		ck_assert_uint_eq(pmu_type(PMU), type);
		run_fft();
		ck_assert_uint_eq(event_count(flits), (2 * i + 2) * FFT_FLITS);
		ck_assert_uint_gt(event_count(clock), n);
	}
	load_end(load);
	rest = event_count(ddr) - (load_done(load) + 2 * i) * FFT_DDR;
	ck_assert_uint_le(rest, i * FFT_DDR);
	ck_assert_uint_gt(readers_end(readers), 0);
	nothing_leaks(i);
	load_free(load);
}
