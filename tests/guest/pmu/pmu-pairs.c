// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first run of each accelerator after a reset of the device carries from the low word of its
 * 64-bit pairs, which begins 16 below 2^32, to the high one, during other reads: no count goes
 * back, none is more than the time allows. A lost carry would be 2^32.
 *
 * mon-vm: --device espmon,preset=0xfffffff0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define ACC_MEM_CYCLES 0x80
#define ACCS 3
#define ROUNDS 30

static const unsigned int tile_of[ACCS] = { TILE_FFT, 3, 4 };

static atomic_bool reading, stop;
static atomic_uint running;	/* the accelerator that is checked */
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

/*
 * One kind of reader at a time: the guest has two processors, and the user of the accelerators
 * needs one. No reads during a reset.
 */
static void carry_meets(void *(*reader)(void *), void (*open_events)(int *), const int *opened, size_t count)
{
	int fds[ACCS];
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
		/* groups report the loss by the reset until they are closed */
		for (size_t n = 0; i && n < count; n++)
			ck_assert_int_eq(close(opened[n]), 0);
		open_events(fds);
		memset(last, 0, sizeof(last));
		atomic_store(&reading, false);
		atomic_store(&stop, false);
		ck_assert_int_eq(pthread_create(&thread, NULL, reader, fds), 0);
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

static int alone[ACCS], groups[ACCS][3];

static void open_alone(int *fds)
{
	for (unsigned int k = 0; k < ACCS; k++)
		fds[k] = alone[k] = event_open(ACC_TOT_CYCLES | BYTILE(tile_of[k]));
}

static void open_groups(int *fds)
{
	static const uint64_t code[] = { ACC_MEM_CYCLES, ACC_TOT_CYCLES, ACC_TOT_LO };

	for (unsigned int k = 0; k < ACCS; k++) {
		for (unsigned int n = 0; n < 3; n++)
			groups[k][n] = event_open_on(PMU, code[n] | BYTILE(tile_of[k]), n ? groups[k][0] : -1,
						     PERF_FORMAT_GROUP);
		fds[k] = groups[k][0];
	}
}

SUITE("pmu-pairs", .timeout = 30, .setup = setup);

TEST(carry_meets_read)
{
	carry_meets(read_alone, open_alone, alone, ACCS);
}

TEST(carry_meets_group)
{
	carry_meets(read_group, open_groups, groups[0], ACCS * 3);
}
