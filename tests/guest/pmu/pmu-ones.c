// SPDX-License-Identifier: GPL-2.0-only
/*
 * The window of the monitors does not answer for a while: all ones are no count. The accelerators
 * continue meanwhile. pmu-silent.c is about a device that answers with zeros.
 *
 * mon-vm: --append iomem=relaxed --append isolcpus=1 --device espmon,clock=1000000000
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define ALWAYS ESP_TOPO_FAULT_READS

static volatile uint32_t *fault_register;

static void setup(void)
{
	int fd = open(ESPMON_DRIVER ESPMON_DEVICE "/resource2", O_RDWR | O_CLOEXEC);
	char *bar;

	ck_assert_int_ge(fd, 0);
	bar = mmap(NULL, ESP_TOPO_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(bar, MAP_FAILED);
	close(fd);
	fault_register = (volatile uint32_t *)(bar + ESP_TOPO_FAULT);
}

/* After so many reads, for so many reads. */
static void silence(unsigned int after, unsigned int reads)
{
	*fault_register = after << ESP_TOPO_FAULT_AFTER | reads;
}

/* Also after a failed test. */
static void teardown(void)
{
	silence(0, 0);
	munmap((char *)fault_register - ESP_TOPO_FAULT, ESP_TOPO_SIZE);
}

SUITE("pmu-ones", .timeout = 30, .setup = setup, .teardown = teardown);

/* The read of a group fails, a single event keeps its count, and both catch up. */
TEST(silence_is_no_count)
{
	int ddr = event_open(DDR_ACCESSES), clock = event_open(CYCLES | BYTILE(TILE_MEM));
	int pair = event_open(ACC_TOT_CYCLES), leader;
	struct fft *fft = fft_new(0);
	uint64_t n[3], cycles, tot;

	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, ACC_TOT_CYCLES, leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(fft_run(fft), 0);
	tot = event_count(pair);
	ck_assert_uint_gt(tot, 0);
	ck_assert_uint_eq(event_count(ddr), FFT_DDR);

	silence(0, ALWAYS);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(ddr), FFT_DDR);
	ck_assert_uint_eq(event_count(pair), tot);
	cycles = event_count(clock);
	sleep_ms(5);
	ck_assert_uint_eq(event_count(clock), cycles);
	ck_assert_int_eq(group_try_read(leader, n, 3), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 3), EIO);
	silence(0, 0);

	ck_assert_uint_eq(event_count(ddr), 2 * FFT_DDR);
	ck_assert_uint_gt(event_count(clock), cycles);
	ck_assert_int_eq(group_try_read(leader, n, 3), 0);
	ck_assert_uint_eq(n[0], 2 * FFT_DDR);
	ck_assert_uint_eq(n[1], event_count(pair));
	ck_assert_uint_gt(n[1], tot);
	ck_assert_uint_le(n[1], event_count(clock));
	ck_assert_uint_eq(n[2], 2 * FFT_DDR);
	fft_free(fft);
}

/*
 * A group of the cycles of all tiles, twice, while READS readings get no answer. A device may take long for each, so
 * the first one ends the pass: the read(2) fails, and leaves the others to those that follow. A poll may take one.
 */
TEST(a_pass_ends_at_its_first_failed_reading)
{
	enum { READS = 6 };
	int leader = event_open_on(PMU, CYCLES, -1, PERF_FORMAT_GROUP), failed;
	uint64_t n[2];

	event_open_on(PMU, CYCLES, leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	silence(0, READS);
	for (failed = 0; group_try_read(leader, n, 2) == EIO; failed++)
		;
	ck_assert_int_le(failed, READS);
	ck_assert_int_ge(failed, READS - 2);
}

/* The event has no first value until the first good reading; see pmu-silent.c. */
TEST(an_event_without_a_first_reading_is_told)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	int fd = event_open(DDR_ACCESSES);
	struct fft *fft = fft_new(0);

	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	silence(0, ALWAYS);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	silence(0, 0);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses + 1);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 2 * FFT_DDR);
	fft_free(fft);
}

/*
 * The second tile that a poll reads, each with two readings, never answers. Those behind it are polled all the same: of
 * six that wrap in 4.3 s only each other one loses counts.
 */
TEST(a_tile_that_does_not_answer_starves_no_other)
{
	enum { CLOCKS = 6 };
	uint64_t n[CLOCKS], most = 0;
	unsigned int i, lost = 0;
	int clock[CLOCKS];

	for (i = 0; i < CLOCKS; i++)
		clock[i] = event_open(CYCLES | BYTILE(i));
	for (i = 0; i < 650; i++) {
		silence(2, 1);
		sleep_ms(10);
	}
	silence(0, 0);
	for (i = 0; i < CLOCKS; i++) {
		n[i] = event_count(clock[i]);
		most = n[i] > most ? n[i] : most;
	}
	for (i = 0; i < CLOCKS; i++)
		lost += most - n[i] > 1ULL << 31;
	ck_assert_uint_gt(lost, 0);
	ck_assert_uint_le(lost, CLOCKS / 2);
}

/*
 * The clock's counters wrap in 4.3 s. Silence for longer than that: no more is counted than what was
 * read before and after it, and reading a group fails.
 */
TEST(silence_beyond_a_wrap_is_a_loss)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	int clock = event_open(CYCLES | BYTILE(TILE_MEM)), leader;
	uint64_t before, n;

	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	before = event_count(clock);
	silence(0, ALWAYS);
	/* a poll comes each 1.1 s */
	sleep_ms(6000);
	ck_assert_uint_eq(event_count(clock), before);
	silence(0, 0);
	ck_assert_uint_ge(file_number(SYSFS_PMU PMU "/losses"), losses + 2);
	n = event_count(clock);
	/* the time of a wrap or more is lost */
	ck_assert_uint_ge(n, before);
	ck_assert_uint_lt(n - before, 1ULL << 32);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, (uint64_t[2]){ 0 }, 2), EIO);
	ck_assert_int_eq(group_try_read(leader, (uint64_t[2]){ 0 }, 2), 0);
}

/* More reads than any event or group here takes. */
#define MOST_READS 24

/*
 * Silence that begins and ends at any read of the driver: while no work is done, each value read is
 * the count from before.
 */
TEST(silence_begins_and_ends_anywhere)
{
	static const uint64_t configs[] = { DDR_ACCESSES, ACC_TOT_CYCLES | BYTILE(TILE_FFT), INJECTS_P6 };
	unsigned int after, reads, i, failed = 0;
	uint64_t right[3], n[3];
	int single[3], leader = -1, err;
	struct fft *fft = fft_new(0);

	for (i = 0; i < 3; i++) {
		single[i] = event_open(configs[i]);
		err = event_open_on(PMU, configs[i], leader, PERF_FORMAT_GROUP);
		if (leader < 0)
			leader = err;
	}
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, right, 3), 0);
	ck_assert_uint_eq(right[0], FFT_DDR);
	for (after = 0; after < MOST_READS; after++) {
		for (reads = 1; reads < MOST_READS; reads++) {
			for (i = 0; i < 3; i++) {
				silence(after, reads);
				ck_assert_uint_eq(event_count(single[i]), right[i]);
			}
			silence(after, reads);
			err = group_try_read(leader, n, 3);
			silence(0, 0);
			ck_assert(!err || err == EIO);
			failed += !!err;
			for (i = 0; !err && i < 3; i++)
				ck_assert_uint_eq(n[i], right[i]);
			/* nothing is left of it */
			ck_assert_int_eq(group_try_read(leader, n, 3), 0);
			for (i = 0; i < 3; i++) {
				ck_assert_uint_eq(event_count(single[i]), right[i]);
				ck_assert_uint_eq(n[i], right[i]);
			}
		}
	}
	ck_assert_uint_gt(failed, MOST_READS);
	fft_free(fft);
}

/*
 * The model has lost a packet: no count can be trusted until the device is reset. Reads fail, and
 * counts do not grow.
 */
TEST(a_lost_packet_is_a_loss)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	int fd = event_open(DDR_ACCESSES), leader;
	volatile uint32_t *lost = fault_register + (ESP_TOPO_LOST - ESP_TOPO_FAULT) / 4;
	struct fft *fft = fft_new(0);
	uint64_t n[2];

	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, INJECTS_P6, leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);

	ck_assert_uint_eq(*lost, 0);
	*lost = 1;
	/* the first register that is read needs a packet, and is the last one that answers */
	event_count(fd);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	ck_assert_uint_eq(*lost, 1);

	file_write(ESPMON_DRIVER ESPMON_DEVICE "/reset", "1");
	ck_assert_uint_eq(*lost, 0);
	ck_assert_uint_gt(file_number(SYSFS_PMU PMU "/losses"), losses);
	ck_assert_int_eq(group_try_read(leader, n, 2), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 2 * FFT_DDR);
	fft_free(fft);
}
