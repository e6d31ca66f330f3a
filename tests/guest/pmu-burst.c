// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program maps the monitors itself, as ESP's own library does, and takes samples with the burst
 * registers. The driver detects that, and its counts stay right.
 *
 * mon-vm: --append iomem=relaxed --device espmon,clock=1000000000
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu.h"
#include "tests/main.h"

#define FOREIGN DEBUGFS_PMU PMU "/foreign_bursts"

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

/*
 * The registers of a latched tile do not change, and so do counts, until the next poll: with this
 * clock a second.
 */
START_TEST(a_foreign_sample_does_not_stop_a_count)
{
	volatile uint32_t *burst = burst_register(TILE_MEM);
	int fd = event_open(DDR_ACCESSES | BYTILE(TILE_MEM));
	unsigned long before = file_number(FOREIGN);
	struct fft *fft = fft_new(0);
	uint64_t count;

	ck_assert_int_eq(fft_run(fft), 0);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	/* the test's time limit is the only one */
	while ((count = event_count(fd)) != 2 * FFT_DDR) {
		ck_assert_uint_eq(count, FFT_DDR);
		sleep_ms(10);
	}
	ck_assert_uint_eq(file_number(FOREIGN), before + 1);
	/* the driver has ended it */
	ck_assert_uint_eq(*burst & 1, 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 3 * FFT_DDR);
	ck_assert_uint_eq(file_number(FOREIGN), before + 1);
	fft_free(fft);
}
END_TEST

START_TEST(groups_and_stops_notice_it_too)
{
	volatile uint32_t *burst = burst_register(TILE_MEM);
	int leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	unsigned long before = file_number(FOREIGN);
	struct fft *fft = fft_new(0);
	uint64_t n[2];

	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], FFT_DDR);
	ck_assert_uint_eq(n[1], FFT_DDR);
	ck_assert_uint_eq(file_number(FOREIGN), before + 1);
	*burst = 1;
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], 2 * FFT_DDR);
	ck_assert_uint_eq(n[1], 2 * FFT_DDR);
	ck_assert_uint_eq(file_number(FOREIGN), before + 2);
	fft_free(fft);
}
END_TEST

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
START_TEST(counts_stay_right_all_the_time)
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
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("pmu-burst");
	TCase *tc = tcase_create("burst");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, a_foreign_sample_does_not_stop_a_count);
	tcase_add_test(tc, groups_and_stops_notice_it_too);
	tcase_add_test(tc, counts_stay_right_all_the_time);
	suite_add_tcase(s, tc);
	return s;
}
