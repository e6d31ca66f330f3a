// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program maps the monitors itself, as ESP's own library does, and takes samples with the burst
 * registers. The driver ends them, and its counts stay right.
 *
 * mon-vm: --append iomem=relaxed --append isolcpus=1 --device espmon,clock=1000000000
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

static volatile uint32_t *burst_register(unsigned int tile)
{
	int fd = open(ESPMON_DRIVER ESPMON_DEVICE "/resource0", O_RDWR | O_CLOEXEC);
	char *bar;

	ck_assert_int_ge(fd, 0);
	bar = mmap(NULL, ESP_APB_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(bar, MAP_FAILED);
	close(fd);
	return (volatile uint32_t *)(bar + ESP_CSR_BASE + tile * ESP_CSR_STRIDE + ESP_CSR_BURST);
}

SUITE("pmu-burst", .timeout = 30);

/* The registers of a latched tile do not change. The driver ends the sample when it reads them. */
TEST(a_foreign_sample_does_not_stop_a_count)
{
	volatile uint32_t *burst = burst_register(TILE_MEM);
	int fd = event_open(DDR_ACCESSES | BYTILE(TILE_MEM));
	struct fft *fft = fft_new(0);

	ck_assert_int_eq(fft_run(fft), 0);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 2 * FFT_DDR);
	/* the driver has ended it */
	ck_assert_uint_eq(*burst & 1, 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 3 * FFT_DDR);
	fft_free(fft);
}

/*
 * A sample that is older than an event, and one that is held until the event ends. The tile counts each nanosecond, so
 * the event counts no more than the time around it and no less than the time in it.
 */
LOOP_TEST(an_event_beside_a_sample_has_its_own_counts, 0, 2)
{
	volatile uint32_t *burst = burst_register(TILE_MEM);
	uint64_t before, begin, end, count;
	int fd;

	*burst = 1;
	sleep_ms(300);
	before = now_ns();
	fd = event_open(CYCLES | BYTILE(TILE_MEM));
	begin = now_ns();
	if (_i)
		*burst = 1;
	sleep_ms(_i ? 300 : 5);
	end = now_ns();
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	count = event_count(fd);
	ck_assert_uint_le(count, now_ns() - before);
	ck_assert_uint_ge(count, end - begin);
}

/* The PMUs are on the processor that is not isolated. */
TEST(isolated_processors_are_left_alone)
{
	static const char *const pmus[] = { "espmon", "upmem", "hexagon", "mrfld_visa" };

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (file_text(SYSFS_PMU "%s/cpumask", pmus[i]))
			ck_assert_int_eq(pmu_cpu(pmus[i]), 0);
}

TEST(groups_and_stops_end_it_too)
{
	volatile uint32_t *burst = burst_register(TILE_MEM);
	int leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	struct fft *fft = fft_new(0);
	uint64_t n[2];

	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], FFT_DDR);
	ck_assert_uint_eq(n[1], FFT_DDR);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], 2 * FFT_DDR);
	ck_assert_uint_eq(n[1], 2 * FFT_DDR);
	fft_free(fft);
}

static atomic_bool stop;

static void *write_bursts(void *arg)
{
	volatile uint32_t *burst = arg;

	while (!atomic_load(&stop)) {
		*burst = 1;
		*burst = 0;
	}
	return NULL;
}

/* At any moment no count is lost or added. */
TEST(counts_stay_right_all_the_time)
{
	int fd = event_open(DDR_ACCESSES), leader;
	struct fft *fft = fft_new(0);
	unsigned int i;
	uint64_t n[2];
	pthread_t thread;

	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(pthread_create(&thread, NULL, write_bursts,
					(void *)burst_register(TILE_MEM)), 0);
	for (i = 1; i <= 100; i++) {
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_int_eq(group_try_read(leader, n, 2), 0);
		event_count(fd);
	}
	atomic_store(&stop, true);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], 100 * FFT_DDR);
	ck_assert_uint_eq(n[1], 100 * FFT_DDR);
	ck_assert_uint_eq(event_count(fd), 100 * FFT_DDR);
	fft_free(fft);
}
