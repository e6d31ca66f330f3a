// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device without a mirror of its monitors, as real hardware is: there is nothing to map, and all is
 * read through the kernel.
 *
 * mon-vm: --device espmon,live=off,tlb-quirk=on,clock=1000000000
 */
#include <sys/mman.h>
#include <unistd.h>

#include "libmon/include/mon.h"
#include "tests/guest/pmu.h"

START_TEST(there_is_no_device_file)
{
	ck_assert_int_eq(access(SYSFS_PMU PMU, F_OK), 0);
	ck_assert_int_ne(access("/dev/" PMU, F_OK), 0);
}
END_TEST

START_TEST(pages_say_that_only_the_kernel_knows)
{
	int sum = event_open(DDR_ACCESSES), one = event_open(DDR_ACCESSES | BYTILE(TILE_MEM));
	const volatile struct perf_event_mmap_page *page[2];
	size_t size = sysconf(_SC_PAGESIZE);
	struct fft *fft = fft_new(0);
	unsigned int run, i;
	uint64_t n[2];
	int leader;

	page[0] = mmap(NULL, size, PROT_READ, MAP_SHARED, sum, 0);
	page[1] = mmap(NULL, size, PROT_READ, MAP_SHARED, one, 0);
	ck_assert(page[0] != MAP_FAILED && page[1] != MAP_FAILED);
	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	for (run = 1; run <= 3; run++) {
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_uint_eq(event_count(sum), run * FFT_DDR);
		ck_assert_uint_eq(event_count(one), run * FFT_DDR);
		ck_assert_int_eq(group_try_read(leader, n, 2), 0);
		ck_assert_uint_eq(n[0], run * FFT_DDR);
		ck_assert_uint_eq(n[1], run * FFT_DDR);
		for (i = 0; i < 2; i++)
			ck_assert_uint_eq(page[i]->index, 0);
	}
	fft_free(fft);
}
END_TEST

START_TEST(the_library_asks_the_kernel)
{
	struct mon_group *group = mon_group_new();
	struct fft *fft = fft_new(0);
	uint64_t both[2];
	unsigned int run;

	ck_assert_msg(mon_group_add(group, "espmon/ddr_accesses,bytile,tile=2/") >= 0, "%s",
		      mon_error());
	ck_assert_msg(mon_group_add(group, "espmon/ddr_accesses/") >= 0, "%s", mon_error());
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	for (run = 1; run <= 3; run++) {
		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_msg(!mon_group_read(group, both, 2, NULL), "%s", mon_error());
		ck_assert_uint_eq(both[0], run * FFT_DDR);
		ck_assert_uint_eq(both[1], run * FFT_DDR);
	}
	mon_group_free(group);
	fft_free(fft);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pmu-unmapped");
	TCase *tc = tcase_create("unmapped");

	tcase_set_timeout(tc, 20);
	tcase_add_test(tc, there_is_no_device_file);
	tcase_add_test(tc, pages_say_that_only_the_kernel_knows);
	tcase_add_test(tc, the_library_asks_the_kernel);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
