// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine sleeps, as the kernel's own test does it: all devices are suspended and resumed. Earlier counts
 * are kept. What the registers do during the sleep is not counted, because on hardware they lose their values.
 * Then counting goes on. The kernel's test keeps the registers, so only the clock shows whether the driver took
 * new bases. An accelerator runs FFTs all the time. The transport of the guest's files does not survive the
 * sleep, so pmu-suspend.sh runs this on a root in memory. MON_SECONDS=N sleeps again and again for N seconds.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/ioctl.h>

#include "tests/guest/pmu/pmu-load.h"
#include "tests/guest/pmu/pmu-readers.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

/* machine_sleep() waits that long while all devices are suspended. */
#define PAUSE_NS 1e9

/* A group that has lost counts says so while it counts. */
static int read_disabled(int fd, uint64_t *counts, unsigned int n)
{
	int err;

	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	err = group_try_read(fd, counts, n);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	return err;
}

SUITE("pmu-suspend", .timeout = 600);

TEST(counts_survive_suspend)
{
	const uint64_t injects = INJECTS_P6 | BYTILE(TILE_FFT);
	int flits = event_open(injects), clock = event_open(CYCLES | BYTILE(TILE_MEM));
	int leader = event_open_on(PMU, injects, -1, PERF_FORMAT_GROUP);
	int clocks = event_open_on(PMU, CYCLES | BYTILE(TILE_MEM), -1, PERF_FORMAT_GROUP);
	double hz = file_number(SYSFS_PMU PMU "/caps/clock_hz"), awake;
	struct readers *readers = readers_start(1);
	struct load *load = load_start(1, ENODEV);
	uint64_t n[2], before, after, group, t;
	struct fft *fft = fft_new(0);
	unsigned int i;

	event_open_on(PMU, injects, leader, PERF_FORMAT_GROUP);
	for (i = 1; another_round(i - 1, 2); i++) {
		load_wait_running(load);
		ck_assert_int_eq(fft_run(fft), 0);
		t = now_ns();
		before = event_count(clock);
		ck_assert_int_eq(read_disabled(clocks, &group, 1), 0);
		machine_sleep();
		/* the device's work between the last reading and the sleep is not known */
		ck_assert_int_eq(group_try_read(clocks, n, 1), EIO);
		ck_assert_int_eq(read_disabled(clocks, n, 1), 0);
		after = event_count(clock);
		/* half of the pause is more than the guest's clock can be wrong */
		awake = (now_ns() - t - PAUSE_NS / 2) * hz / 1e9;
		ck_assert_uint_ge(after, before);
		ck_assert_uint_ge(n[0], group);
		ck_assert_uint_lt(after - before, awake);
		ck_assert_uint_lt(n[0] - group, awake);
		ck_assert_uint_eq(event_count(flits), (2 * i - 1) * FFT_FLITS);
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_uint_eq(event_count(flits), 2 * i * FFT_FLITS);
		ck_assert_int_eq(read_disabled(leader, n, 2), 0);
		ck_assert_uint_eq(n[0], 2 * i * FFT_FLITS);
		ck_assert_uint_eq(n[1], 2 * i * FFT_FLITS);
	}
	readers_end(readers);
	load_end(load);
	ck_assert_uint_eq(load_cut(load), 0);
	load_free(load);
	fft_free(fft);
}

static void *receive(void *arg)
{
	return (void *)(intptr_t)fft_receive(arg, 1);
}

static void *run(void *arg)
{
	return (void *)(intptr_t)fft_run(arg);
}

/* Half a second of computing goes on when the tasks are frozen already. */
TEST(a_run_that_ends_is_not_cut_off)
{
	struct fft *fft = fft_new_long(0, 8000);
	uint64_t t = now_ns();
	pthread_t thread;
	void *error;

	ck_assert_int_eq(fft_run(fft), 0);
	/* the run must not be over before the machine sleeps */
	ck_assert_uint_gt(now_ns() - t, 300000000);
	ck_assert_int_eq(pthread_create(&thread, NULL, run, fft), 0);
	sleep_ms(20);
	machine_sleep();
	ck_assert_int_eq(pthread_join(thread, &error), 0);
	ck_assert_int_eq((intptr_t)error, 0);
	fft_free(fft);
}

/*
 * A run that waits for another accelerator would go on for half a minute. The sleep ends it. A task that waits for
 * that accelerator does not prevent the sleep either, and gets the accelerator afterwards.
 */
TEST(a_run_lets_the_machine_sleep)
{
	struct fft *fft = fft_new(0), *other = fft_new(0);
	pthread_t thread, waiting;
	void *error;

	ck_assert_int_eq(pthread_create(&thread, NULL, receive, fft), 0);
	others_wait();
	ck_assert_int_eq(pthread_create(&waiting, NULL, run, other), 0);
	others_wait();
	machine_sleep();
	ck_assert_int_eq(pthread_join(thread, &error), 0);
	ck_assert_int_eq((intptr_t)error, EIO);
	ck_assert_int_eq(pthread_join(waiting, &error), 0);
	ck_assert_int_eq((intptr_t)error, 0);
	ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
	fft_free(other);
}
