// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that does not answer has counted nothing. The device is upmem's or espmon's, with its memory space
 * switched off: QEMU returns zeros and hardware all ones, and neither is the identity that the
 * driver expects.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define RANK "upmem"
#define LOSSES SYSFS_PMU RANK "/losses"
#define INSTRUCTIONS 0x200
/* Of one run; tests/guest/upmem/upmem-counts.sh says where the number comes from. */
#define RUN_INSTRUCTIONS 539
#define COMMAND_REGISTER 4
#define COMMAND_MEMORY 2

static void run_program(void)
{
	const char *real = "examples/upmem/.libs/bank-pmc examples/upmem/page-kernel.dpu 32 >/dev/null";
	const char *other = "examples/upmem/bank-pmc examples/upmem/page-kernel.dpu 32 >/dev/null";

	/* libtool's wrapper only if there is nothing behind it */
	ck_assert_int_eq(system(access("examples/upmem/.libs/bank-pmc", X_OK) ? other : real), 0);
}

static void device_of_driver_answers(const char *devices, bool yes)
{
	uint16_t command;
	glob_t found;
	int fd;

	ck_assert_int_eq(glob(devices, 0, NULL, &found), 0);
	fd = open(found.gl_pathv[0], O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, &command, 2, COMMAND_REGISTER), 2);
	command = yes ? command | COMMAND_MEMORY : command & ~COMMAND_MEMORY;
	ck_assert_int_eq(pwrite(fd, &command, 2, COMMAND_REGISTER), 2);
	close(fd);
	globfree(&found);
}

static void device_answers(bool yes)
{
	device_of_driver_answers("/sys/bus/pci/drivers/upmem/0*/config", yes);
}

static int instructions(void)
{
	return event_open_on(RANK, INSTRUCTIONS, -1,
			     PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}

SUITE("pmu-silent", .timeout = 30);

/* The read of a group fails, a single event keeps its count, and both catch up. */
TEST(silence_is_no_count)
{
	int fd = instructions(), leader;
	uint64_t n[2];

	leader = event_open_on(RANK, INSTRUCTIONS, -1, PERF_FORMAT_GROUP);
	event_open_on(RANK, INSTRUCTIONS, leader, PERF_FORMAT_GROUP);
	run_program();
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	run_program();
	device_answers(false);
	/* a poll may have come before */
	n[0] = event_count(fd);
	ck_assert(n[0] == RUN_INSTRUCTIONS || n[0] == 2 * RUN_INSTRUCTIONS);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	device_answers(true);
	ck_assert_uint_eq(event_count(fd), 2 * RUN_INSTRUCTIONS);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], 2 * RUN_INSTRUCTIONS);
	ck_assert_uint_eq(n[1], 2 * RUN_INSTRUCTIONS);
}

/*
 * An event that starts without an answer has no first reading. The difference to what its counter held in an
 * earlier run must not become a count. Its loss is counted in "losses", and reading its group fails once, also after
 * the group was stopped.
 */
TEST(an_event_without_a_first_reading_is_told)
{
	int fd = instructions(), leader = event_open_on(RANK, INSTRUCTIONS, -1, PERF_FORMAT_GROUP);
	unsigned long losses = file_number(LOSSES);
	uint64_t n;

	run_program();
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_uint_eq(file_number(LOSSES), losses);
	run_program();
	device_answers(false);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	device_answers(true);
	ck_assert_uint_eq(file_number(LOSSES), losses + 2);
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, &n, 1), EIO);
	ck_assert_int_eq(group_try_read(leader, &n, 1), 0);
	ck_assert_uint_eq(n, RUN_INSTRUCTIONS);
	run_program();
	ck_assert_uint_eq(event_count(fd), 2 * RUN_INSTRUCTIONS);
	ck_assert_int_eq(group_try_read(leader, &n, 1), 0);
	ck_assert_uint_eq(n, 2 * RUN_INSTRUCTIONS);
	ck_assert_uint_eq(file_number(LOSSES), losses + 2);
}

/* The last reading fails: the count is that of the last good one, and the loss is counted. */
TEST(an_event_without_a_last_reading_is_told)
{
	unsigned long losses = file_number(LOSSES);
	int fd = instructions();

	run_program();
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	device_answers(false);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	device_answers(true);
	ck_assert_uint_eq(event_count(fd), RUN_INSTRUCTIONS);
	ck_assert_uint_eq(file_number(LOSSES), losses + 1);
}

/* The monitors of an ESP SoC count up all the time: cycles of 78.125 MHz, 12.8 ns each. */
TEST(zeros_are_no_counts)
{
	static const char espmon[] = ESPMON_DRIVER ESPMON_DEVICE "/config";
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	int fd = event_open(BYTILE(TILE_MEM) | CYCLES), leader;
	uint64_t begin = now_ns(), before, n[2];

	leader = event_open_on(PMU, BYTILE(TILE_MEM) | CYCLES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES, leader, PERF_FORMAT_GROUP);
	before = event_count(fd);
	device_of_driver_answers(espmon, false);
	sleep_ms(50);
	n[0] = event_count(fd);
	ck_assert_int_eq(group_try_read(leader, n + 1, 1), EIO);
	device_of_driver_answers(espmon, true);
	ck_assert_uint_eq(n[0], before);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_gt(event_count(fd), before);
	ck_assert_uint_le(event_count(fd) * 128 / 10, now_ns() - begin + 1000000000);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses);
}

/* What the driver reads of registers whose offset has these bits is 0. */
static void read_zeros(unsigned int offset, unsigned int mask)
{
	char command[128];

	snprintf(command, sizeof(command), "insmod build/pmu/$(uname -r)/tests/guest/modules/topo_change.ko "
		 "offset=%#x mask=%#x value=0 right=0", offset, mask);
	ck_assert_int_eq(system(command), 0);
}

static void read_truth(void)
{
	ck_assert_int_eq(system("rmmod topo_change"), 0);
}

/* Cycles of a tile at 78.125 MHz, and 100 ms for the difference of the clocks. */
static uint64_t most_cycles(uint64_t since)
{
	return (now_ns() - since + 100000000) * 10 / 128;
}

/*
 * One register of a tile that answers is 0 for one look, as after a reset behind the driver's back. It was not, and then
 * it is what it was: neither the way to 0 nor the way back is a count. Each is a loss that the group tells once.
 */
TEST(zeros_of_one_register_are_losses)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	uint64_t begin = now_ns(), before, n[2];
	int fd = event_open(BYTILE(0) | CYCLES);
	int leader = event_open_on(PMU, BYTILE(0) | CYCLES, -1, PERF_FORMAT_GROUP);

	event_open_on(PMU, BYTILE(3) | CYCLES, leader, PERF_FORMAT_GROUP);
	sleep_ms(1000);
	before = event_count(fd);
	read_zeros(ESP_CSR_BASE + ESP_CSR_MON(CYCLES), ESP_APB_SIZE - 1);
	ck_assert_uint_eq(event_count(fd), before);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses + 1);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_le(n[1], most_cycles(begin));
	read_truth();
	ck_assert_uint_eq(event_count(fd), before);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses + 2);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_gt(event_count(fd), before);
	ck_assert_uint_le(event_count(fd), most_cycles(begin));
	ck_assert_uint_le(n[0], most_cycles(begin));
}

/* A tile without clock or power: no count, and no loss when it is back. The number of tile 0 is 0 in any case. */
LOOP_TEST(a_tile_of_zeros_is_silent, 0, 2)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses"), tile = _i ? 3 : 0;
	int fd = event_open(BYTILE(tile) | CYCLES), leader;
	uint64_t begin = now_ns(), before, n[2];

	leader = event_open_on(PMU, BYTILE(tile) | CYCLES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, BYTILE(1) | CYCLES, leader, PERF_FORMAT_GROUP);
	sleep_ms(200);
	before = event_count(fd);
	read_zeros(ESP_CSR_BASE + tile * ESP_CSR_STRIDE, ESP_APB_SIZE - ESP_CSR_STRIDE);
	ck_assert_uint_eq(event_count(fd), before);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	read_truth();
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_gt(event_count(fd), before);
	ck_assert_uint_le(event_count(fd), most_cycles(begin));
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses);
}
