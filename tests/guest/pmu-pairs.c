// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two words of a 64-bit pair are two reads. The first run of each accelerator after a reset of the
 * device carries from the low word, which begins 16 below 2^32, to the high one, while others read: no
 * count goes back, none is more than the time allows. A carry in between would be 2^32 off.
 *
 * mon-vm: --device espmon,preset=0xfffffff0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "libmon/include/mon.h"
#include "tests/guest/pmu.h"

#define ACC_MEM_CYCLES 0x80
#define ACCS 3
#define ROUNDS 30

static const unsigned int tile_of[ACCS] = { TILE_FFT, 3, 4 };

static atomic_bool reading, stop;
static atomic_uint running;	/* the accelerator that is worth looking at */
static uint64_t last[ACCS][2];
static uint64_t began;
static double hz;

static bool possible(uint64_t count, uint64_t *before)
{
	bool yes = count >= *before && count <= (now_ns() - began) * hz / 1e9 * 1.02;

	*before = count;
	return yes;
}

static bool go_on(void)
{
	atomic_store(&reading, true);
	return !atomic_load(&stop);
}

static void *read_alone(void *arg)
{
	const int *fds = arg;

	while (go_on()) {
		unsigned int k = atomic_load(&running);
		struct reading r;

		if (event_try_read(fds[k], &r) || !possible(r.count, last[k]))
			return "read(2) of an event";
	}
	return NULL;
}

static void *read_group(void *arg)
{
	const int *leaders = arg;
	uint64_t n[3];

	while (go_on()) {
		unsigned int k = atomic_load(&running);

		if (group_try_read(leaders[k], n, 3) || !possible(n[0], &last[k][0]) ||
		    !possible(n[1], &last[k][1]))
			return "read(2) of a group";
		/* one instant, so the word that wraps has counted the same */
		if (n[1] != n[2])
			return "the low word of a group is not that of its pair";
	}
	return NULL;
}

static void *read_mapped(void *arg)
{
	struct self **self = arg;
	uint64_t n;

	while (go_on()) {
		unsigned int k = atomic_load(&running);

		if (!self_try_read(self[k], &n) || !possible(n, last[k]))
			return "the mapping";
	}
	return NULL;
}

static void *read_by_library(void *arg)
{
	uint64_t n[ACCS];

	while (go_on()) {
		unsigned int k = atomic_load(&running);

		if (mon_group_read(arg, n, ACCS, NULL) || !possible(n[k], last[k]))
			return "the library";
	}
	return NULL;
}

/*
 * One way to read at a time: the guest has two processors, and the accelerators' user has one. Nobody
 * reads during a reset, which moves the device's memory about, see pmu-rescan.sh.
 */
static void carry_meets(void *(*reader)(void *), void *arg)
{
	uint64_t before, after;
	struct fft *fft[ACCS];
	unsigned int i, k;
	pthread_t thread;
	int tot[ACCS];
	void *failure;

	for (k = 0; k < ACCS; k++) {
		fft[k] = fft_new(k);
		tot[k] = event_open(ACC_TOT_CYCLES | BYTILE(tile_of[k]));
	}
	for (i = 0; i < ROUNDS; i++) {
		file_write(ESPMON_DRIVER ESPMON_DEVICE "/reset", "1");
		atomic_store(&reading, false);
		atomic_store(&stop, false);
		ck_assert_int_eq(pthread_create(&thread, NULL, reader, arg), 0);
		while (!atomic_load(&reading))
			sleep_ms(1);
		for (k = 0; k < ACCS; k++) {
			atomic_store(&running, k);
			before = event_count(tot[k]);
			ck_assert_int_eq(fft_run(fft[k]), 0);
			after = event_count(tot[k]);
			/* it takes more than a cycle for each word that it moves, so it did carry */
			ck_assert_uint_gt(after - before, FFT_DDR);
			ck_assert_uint_lt(after - before, 1U << 31);
		}
		atomic_store(&stop, true);
		ck_assert_int_eq(pthread_join(thread, &failure), 0);
		ck_assert_msg(!failure, "round %u: %s", i, (char *)failure);
	}
	for (k = 0; k < ACCS; k++)
		fft_free(fft[k]);
}

static void setup(void)
{
	hz = file_number(SYSFS_PMU PMU "/caps/clock_hz");
	began = now_ns();
	memset(last, 0, sizeof(last));
}

START_TEST(carry_meets_read)
{
	int fds[ACCS];
	unsigned int k;

	for (k = 0; k < ACCS; k++)
		fds[k] = event_open(ACC_TOT_CYCLES | BYTILE(tile_of[k]));
	carry_meets(read_alone, fds);
}
END_TEST

START_TEST(carry_meets_group)
{
	int leaders[ACCS];
	unsigned int k;

	for (k = 0; k < ACCS; k++) {
		uint64_t tile = BYTILE(tile_of[k]);

		leaders[k] = event_open_on(PMU, ACC_MEM_CYCLES | tile, -1, PERF_FORMAT_GROUP);
		event_open_on(PMU, ACC_TOT_CYCLES | tile, leaders[k], PERF_FORMAT_GROUP);
		event_open_on(PMU, ACC_TOT_LO | tile, leaders[k], PERF_FORMAT_GROUP);
	}
	carry_meets(read_group, leaders);
}
END_TEST

START_TEST(carry_meets_mapping)
{
	struct self *self[ACCS];
	unsigned int k;

	for (k = 0; k < ACCS; k++) {
		int fd = event_open(ACC_TOT_CYCLES | BYTILE(tile_of[k]));

		self[k] = self_new(PMU, fd, SELF_ACC_TOT, 1 << tile_of[k]);
	}
	carry_meets(read_mapped, self);
	for (k = 0; k < ACCS; k++)
		self_free(self[k]);
}
END_TEST

START_TEST(carry_meets_library)
{
	struct mon_group *group = mon_group_new();
	char name[64];
	unsigned int k;

	for (k = 0; k < ACCS; k++) {
		snprintf(name, sizeof(name), "espmon/acc_tot_cycles,bytile,tile=%u/", tile_of[k]);
		ck_assert_msg(mon_group_add(group, name) >= 0, "%s", mon_error());
	}
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	carry_meets(read_by_library, group);
	mon_group_free(group);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pmu-pairs");
	TCase *tc = tcase_create("pairs");

	tcase_set_timeout(tc, 30);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, carry_meets_read);
	tcase_add_test(tc, carry_meets_group);
	tcase_add_test(tc, carry_meets_mapping);
	tcase_add_test(tc, carry_meets_library);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
