// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs, drivers, devices and modules are removed and added while events are open and being read: no
 * count is lost without an error that says so. MON_STRESS=N in the environment makes N cycles of
 * each, MON_SECONDS=N as many as fit into N seconds; CK_RUN_CASE=cpus, device, reset, alone, turns,
 * moves, modules or binds chooses one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu-load.h"
#include "tests/guest/pmu/pmu-readers.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

static unsigned int cycles = 4;
static bool stress;

static atomic_bool stop;
static atomic_ulong ffts, opened;

static void *run_ffts(void *arg)
{
	while (!atomic_load(&stop)) {
		if (fft_run(arg))
			return "an FFT did not run";
		atomic_fetch_add(&ffts, 1);
	}
	return NULL;
}

/* Kernels since 6.5 keep CPU 0. */
static bool cpu_can_go(int cpu)
{
	return file_text("/sys/devices/system/cpu/cpu%d/online", cpu);
}

static void cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	file_write(path, online ? "1" : "0");
}

/* Pinned siblings: perf refuses them after the driver has made them, also while events move to another CPU. */
static void *refused_opens(void *leader)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);

	attr.pinned = 1;
	while (!atomic_load(&stop))
		if (sys_open(&attr, pmu_cpu(PMU), (intptr_t)leader) >= 0)
			return "a pinned sibling was opened";
	return NULL;
}

static bool prepare(void)
{
	const char *n = getenv("MON_STRESS");

	if (n && atoi(n) > 0) {
		cycles = atoi(n);
		stress = true;
	}
	stress |= round_seconds() > 0;
	return true;
}

/* A suite for each test, so that CK_RUN_CASE in the environment chooses one. */
SUITE("cpus", .timeout = 600, .prepare = prepare);

TEST(cpus_come_and_go)
{
	struct fft *fft = fft_new(0);
	struct readers *readers;
	pthread_t load, opens;
	void *failure;
	unsigned long losses;
	unsigned int i;
	int cpu, ddr;

	losses = file_number(SYSFS_PMU PMU "/losses");
	ddr = event_open(DDR_ACCESSES);
	readers = readers_start(2);
	ck_assert_int_eq(pthread_create(&load, NULL, run_ffts, fft), 0);
	ck_assert_int_eq(pthread_create(&opens, NULL, refused_opens, (void *)(intptr_t)ddr), 0);
	for (i = 0; another_round(i, cycles); i++) {
		for (cpu = cpu_can_go(0) ? 0 : 1; cpu < 2; cpu++) {
			cpu_set_online(cpu, false);
			ck_assert_int_eq(pmu_cpu(PMU), 1 - cpu);
			cpu_set_online(cpu, true);
			ck_assert_int_eq(pmu_cpu(PMU), 1 - cpu);
		}
	}
	readers_end(readers);
	atomic_store(&stop, true);
	ck_assert_int_eq(pthread_join(load, &failure), 0);
	ck_assert_msg(!failure, "%s", (char *)failure);
	ck_assert_int_eq(pthread_join(opens, &failure), 0);
	ck_assert_msg(!failure, "%s", (char *)failure);
	/* also the FFTs that ran while an event was between two CPUs */
	ck_assert_uint_gt(ffts, 0);
	ck_assert_uint_eq(event_count(ddr), ffts * FFT_DDR);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses);
	nothing_leaks(i);
	fft_free(fft);
}

static void some_ffts(unsigned int n)
{
	struct fft *fft = fft_new(0);

	while (n--)
		ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
}

/* While the device is away its events keep what they have, down to the last count. */
static void check_away(int flits, int cycle_counter, uint64_t flit_count)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);
	uint64_t n = event_count(cycle_counter);

	ck_assert_uint_eq(event_count(flits), flit_count);
	ck_assert_int_eq(sys_open(&attr, pmu_cpu(PMU), -1), -ENODEV);
	ck_assert_uint_eq(event_count(cycle_counter), n);
}

SUITE("device", .timeout = 600);

/* Since Linux 6.16: nobody reads a count that is not right, and the next PMU counts from its begin. */
static void device_takes_its_events(void)
{
	struct load *load = load_start(1, ENODEV);
	unsigned int i;

	for (i = 0; another_round(i, cycles); i++) {
		int flits = event_open(INJECTS_P6 | BYTILE(TILE_FFT));

		some_ffts(2);
		ck_assert_uint_eq(event_count(flits), 2 * FFT_FLITS);
		load_wait_running(load);
		espmon_remove();
		load_wait_away(load);
		check_revoked(flits);
		ck_assert_uint_eq(load_cut(load), i + 1);
		espmon_find();
		close(flits);
	}
	load_end(load);
	nothing_leaks(i);
	load_free(load);
}

/*
 * 6 ms: one batch takes less time than the task that removes the device needs from shutting the
 * driver's gate to stopping the accelerator, and so would end in between.
 */
#define CUT_BATCHES 100
#define CUT_DDR FFT_DDR_OF(CUT_BATCHES)

/*
 * The device goes while FFTs run, one of which it cuts off. The number of accesses of that FFT is
 * not known, from none to all; the flits of the accelerator in TILE_FFT are this thread's.
 */
TEST(device_goes_and_comes)
{
	unsigned long done = 0;
	uint32_t type = pmu_type(PMU);
	int ddr = event_open(DDR_ACCESSES), cycle_counter = event_open(CYCLES | BYTILE(TILE_MEM));
	int flits = event_open(INJECTS_P6 | BYTILE(TILE_FFT));
	struct readers *readers;
	struct load *load;
	unsigned int i, in_the_middle = 0;
	uint64_t ddr_count = 0;

	if (pmu_goes()) {
		device_takes_its_events();
		return;
	}
	readers = readers_start(2);
	load = load_start(CUT_BATCHES, ENODEV);
	for (i = 0; another_round(i, cycles); i++) {
		uint64_t before, n;

		some_ffts(2);
		load_wait_running(load);
		before = event_count(cycle_counter);
		sleep_ms(stress ? 1 : 50);
		espmon_remove();
		load_wait_away(load);
		ck_assert_uint_gt(event_count(cycle_counter), before);
		/* counts since the last reading are not lost: these flits were not read before */
		check_away(flits, cycle_counter, 2 * (i + 1) * FFT_FLITS);
		ck_assert_uint_eq(load_cut(load), i + 1);
		n = event_count(ddr) - ddr_count - (load_done(load) - done) * CUT_DDR - 2 * FFT_DDR;
		ck_assert_uint_le(n, CUT_DDR);
		in_the_middle += n && n < CUT_DDR;
		ddr_count = event_count(ddr);
		done = load_done(load);
		espmon_find();
		ck_assert_uint_eq(pmu_type(PMU), type);
	}
	some_ffts(1);
	load_end(load);
	ck_assert_uint_eq(event_count(flits), (2 * i + 1) * FFT_FLITS);
	ck_assert_uint_eq(event_count(ddr) - ddr_count,
			  (load_done(load) - done) * CUT_DDR + FFT_DDR);
	/* one in three on a busy host */
	if (i >= 100)
		ck_assert_uint_gt(in_the_middle, 0);
	ck_assert_uint_gt(readers_end(readers), 0);
	nothing_leaks(i);
	load_free(load);
}

SUITE("reset", .timeout = 600);

/*
 * A function reset under load. Counts since the last reading are lost, and reported; interrupted
 * runs end with EIO; counting continues.
 */
TEST(device_is_reset)
{
	int flits = event_open(INJECTS_P6 | BYTILE(TILE_FFT));
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses"), told;
	struct readers *readers = readers_start(2);
	struct load *load = load_start(1, EIO);
	uint64_t n, before;
	unsigned int i;

	for (i = 0; another_round(i, cycles); i++) {
		load_wait_running(load);
		before = event_count(flits);
		file_write(ESPMON_DRIVER ESPMON_DEVICE "/reset", "1");
		told = file_number(SYSFS_PMU PMU "/losses");
		ck_assert_uint_gt(told, losses);
		losses = told;
		some_ffts(1);
		n = event_count(flits);
		ck_assert_uint_eq(n - before, FFT_FLITS);
	}
	load_end(load);
	ck_assert_uint_gt(readers_end(readers), 0);
	nothing_leaks(i);
	load_free(load);
}

SUITE("alone", .timeout = 600);

/* No event is open: without its device the PMU refuses events; when the device is back it takes them. */
TEST(a_pmu_without_device_refuses_events)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);
	uint32_t type = pmu_type(PMU);
	unsigned int i;

	for (i = 0; another_round(i, cycles); i++) {
		espmon_remove();
		ck_assert_int_eq(sys_open(&attr, 0, -1), pmu_goes() ? -ENOENT : -ENODEV);
		espmon_find();
		ck_assert_uint_eq(pmu_type(PMU), type);
		close(event_open(DDR_ACCESSES));
	}
	nothing_leaks(i);
}

static void module_load(const char *name)
{
	struct utsname u;
	char path[256];
	int fd;

	uname(&u);
	snprintf(path, sizeof(path), "build/pmu/%s/%s.ko", u.release, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	ck_assert_msg(!syscall(SYS_finit_module, fd, "", 0), "%s: %s", path, strerror(errno));
	close(fd);
}

/* A program that opens and reads at the same time only delays it. */
static void module_unload(const char *name)
{
	int tries;

	for (tries = 0; tries < 2000; tries++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return;
		ck_assert_msg(errno == EWOULDBLOCK, "unloading %s: %s", name, strerror(errno));
		sleep_ms(1);
	}
	ck_abort_msg("%s stays in use", name);
}

SUITE("turns", .timeout = 600);

/*
 * A new interval starts the timer that lets events take turns, on all CPUs. The perf core frees it
 * with the PMU, running or not.
 */
TEST(turns_end_with_the_pmu)
{
	unsigned int i, n = stress ? cycles : 20;

	/* longer than unregistering takes, and new each time */
	for (i = 0; another_round(i, n); i++) {
		file_write(SYSFS_PMU PMU "/perf_event_mux_interval_ms", i % 2 ? "300" : "301");
		module_unload("esp_accel");
		module_unload("espmon");
		module_load("espmon");
		module_load("esp_accel");
	}
	sleep_ms(400);
	nothing_leaks(i);
}

/* How long the kernel's grace period takes, for which this call waits. */
static uint64_t grace_ns(void)
{
	uint64_t begin = now_ns();
	unsigned int i;

	for (i = 0; i < 10; i++)
		ck_assert_int_eq(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0), 0);
	return (now_ns() - begin) / 10;
}

SUITE("moves", .timeout = 600);

/* Kernels from 6.2 to 6.12.114 move one event at a time, and each waits for such a period. */
TEST(many_events_move_at_once)
{
	uint64_t grace, took;
	int fd[300], cpu, i;

	/* a new PMU is not where others were moved to before */
	module_unload("esp_accel");
	module_unload("espmon");
	module_load("espmon");
	module_load("esp_accel");
	cpu = pmu_cpu(PMU);
	if (!cpu_can_go(cpu)) {
		printf("this kernel keeps CPU %d, where the events are\n", cpu);
		return;
	}
	for (i = 0; i < 300; i++)
		fd[i] = event_open(DDR_ACCESSES);
	grace = grace_ns();
	took = now_ns();
	cpu_set_online(cpu, false);
	took = now_ns() - took;
	ck_assert_int_eq(pmu_cpu(PMU), 1 - cpu);
	/* where grace periods are never normal ones, neither are those of the kernel's own move */
	if (!file_number("/sys/kernel/rcu_expedited"))
		ck_assert_msg(took < 100 * grace, "%.1f grace periods", (double)took / grace);
	cpu_set_online(cpu, true);
	for (i = 0; i < 300; i++)
		close(fd[i]);
}

/* Opens and reads as fast as it can; without a PMU it only sees that error. */
static void *user(void *arg)
{
	(void)arg;
	while (!atomic_load(&stop)) {
		const char *type = file_text(SYSFS_PMU PMU "/type");
		struct perf_event_attr attr = { .size = sizeof(attr), .config = DDR_ACCESSES };
		uint64_t n;
		int fd;

		if (!type) {
			/* soon enough to open it while it is still being registered */
			usleep(50);
			continue;
		}
		attr.type = strtoul(type, NULL, 10);
		fd = sys_open(&attr, 0, -1);
		if (fd == -ENOENT || fd == -ENODEV || fd == -EINVAL)
			continue;
		if (fd < 0)
			return strerror(-fd);
		if (read(fd, &n, sizeof(n)) != sizeof(n))
			return "read";
		close(fd);
		atomic_fetch_add(&opened, 1);
		/* a PMU that is always in use cannot be removed */
		sleep_ms(1);
	}
	return NULL;
}

/* Modules that use mon_pmu; the drivers of other PMUs may be loaded, too. */
static unsigned int drivers(char names[][32], unsigned int max)
{
	DIR *dir = opendir("/sys/module/mon_pmu/holders");
	struct dirent *e;
	unsigned int n = 0;

	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir)) && n < max)
		if (e->d_name[0] != '.')
			snprintf(names[n++], 32, "%.31s", e->d_name);
	closedir(dir);
	ck_assert_uint_gt(n, 0);
	return n;
}

SUITE("modules", .timeout = 600);

TEST(modules_go_and_come)
{
	char names[8][32];
	unsigned int n = drivers(names, 8), k;
	pthread_t thread;
	void *failure;
	unsigned int i;

	atomic_store(&stop, false);
	ck_assert_int_eq(pthread_create(&thread, NULL, user, NULL), 0);
	for (i = 0; another_round(i, cycles); i++) {
		module_unload("esp_accel");
		for (k = 0; k < n; k++)
			module_unload(names[k]);
		module_unload("mon_pmu");
		module_load("mon_pmu");
		for (k = 0; k < n; k++)
			module_load(names[k]);
		module_load("esp_accel");
	}
	atomic_store(&stop, true);
	ck_assert_int_eq(pthread_join(thread, &failure), 0);
	ck_assert_msg(!failure, "a user failed: %s", (char *)failure);
	/* some dozens a cycle on an idle machine */
	ck_assert_uint_gt(10 * opened, i);
	some_ffts(1);
	nothing_leaks(i);
}

static void *reset_device(void *arg)
{
	file_write(ESPMON_DRIVER ESPMON_DEVICE "/reset", "1");
	return arg;
}

#define ACCEL "/sys/bus/auxiliary/drivers/esp_accel/"

SUITE("binds", .timeout = 600);

/* A reset takes 100 ms, in which registers read as all ones. */
TEST(a_driver_that_comes_during_a_reset_waits_for_its_end)
{
	char device[64];
	pthread_t thread;
	unsigned int i;
	glob_t found;

	ck_assert_int_eq(glob("/sys/bus/auxiliary/devices/espmon.accel.*", 0, NULL, &found), 0);
	snprintf(device, sizeof(device), "%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
	for (i = 0; another_round(i, cycles); i++) {
		file_write(ACCEL "unbind", device);
		ck_assert_int_eq(pthread_create(&thread, NULL, reset_device, NULL), 0);
		sleep_ms(10 + 20 * (i % 5));
		file_write(ACCEL "bind", device);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		some_ffts(1);
	}
	nothing_leaks(i);
}
