// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any access to monitor 2 of an accelerator's tile empties the TLB of the accelerator, as in ESP's own
 * socket, and a run of it then hangs. The monitor is not defined there, so the driver must not read it for
 * any event. During the test the accelerator waits for the data of another one. At 1 GHz the driver polls
 * once a second.
 *
 * mon-vm: --device espmon,live=off,tlb-quirk=on,clock=1000000000
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define COH_FWDS 2
/* From one to the other: two page tables, an input and an output. */
#define FFT_PAIR_DDR (2 + 2 * 128)
#define RUNS 100
#define POLLS 3

static atomic_bool stop;

static void *read_alone(void *arg)
{
	const int *fds = arg;
	struct reading r;

	while (!atomic_load(&stop))
		if (event_try_read(fds[0], &r) || r.count || event_try_read(fds[1], &r) || r.count)
			return "an event alone";
	return NULL;
}

static void *read_group(void *arg)
{
	int leader = *(int *)arg;
	uint64_t n[TILES + 1];
	unsigned int i;

	while (!atomic_load(&stop)) {
		ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
		if (group_try_read(leader, n, TILES + 1))
			return "a group";
		for (i = 0; i <= TILES; i++)
			if (n[i])
				return "a group that counts";
	}
	return NULL;
}

static void *receive(void *arg)
{
	int err = fft_receive(arg, 1);

	return err ? strerror(err) : NULL;
}

static void join(pthread_t thread)
{
	void *failure;

	ck_assert_int_eq(pthread_join(thread, &failure), 0);
	ck_assert_msg(!failure, "%s", (char *)failure);
}

struct wait {
	struct fft *to, *from;
	int ddr, invocations;
	pthread_t thread;
};

/* An accelerator that has begun and waits. */
static void wait_begin(struct wait *w)
{
	w->ddr = event_open(DDR_ACCESSES);
	w->invocations = event_open(ACC_INVOCATIONS);
	w->to = fft_new(0);
	w->from = fft_new(1);
	ck_assert_int_eq(pthread_create(&w->thread, NULL, receive, w->to), 0);
	while (!event_count(w->invocations))
		sleep_ms(1);
	/* its page table, no more */
	while (!event_count(w->ddr))
		sleep_ms(1);
}

/* It gets what it waits for and comes to its end. */
static void wait_end(struct wait *w, unsigned int other_runs)
{
	ck_assert_int_eq(fft_send(w->from), 0);
	join(w->thread);
	ck_assert_uint_eq(event_count(w->ddr), FFT_PAIR_DDR + other_runs * FFT_DDR);
	ck_assert_uint_eq(event_count(w->invocations), 2 + other_runs);
	fft_free(w->from);
	fft_free(w->to);
}

SUITE("readers", .timeout = 60);

TEST(reading_disturbs_no_run)
{
	struct fft *fft = fft_new(2);
	int leader, alone[2], err;
	pthread_t threads[2];
	struct wait w;
	unsigned int i;

	wait_begin(&w);
	alone[0] = event_open(COH_FWDS);
	alone[1] = event_open(COH_FWDS | BYTILE(TILE_FFT));
	leader = event_open_on(PMU, COH_FWDS, -1, PERF_FORMAT_GROUP);
	for (i = 0; i < TILES; i++)
		event_open_on(PMU, COH_FWDS | BYTILE(i), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(pthread_create(&threads[0], NULL, read_alone, alone), 0);
	ck_assert_int_eq(pthread_create(&threads[1], NULL, read_group, &leader), 0);
	for (i = 0; i < RUNS; i++) {
		err = fft_run(fft);
		ck_assert_msg(!err, "run %u: %s", i, strerror(err));
	}
	atomic_store(&stop, true);
	join(threads[0]);
	join(threads[1]);
	wait_end(&w, RUNS);
	fft_free(fft);
}

SUITE("polls", .timeout = 60);

/* No event is opened or read while the accelerator runs. */
TEST(polls_disturb_no_run)
{
	/* a quarter of a wrap */
	unsigned long interval = (1ULL << 30) * 1000 / file_number(SYSFS_PMU PMU "/caps/clock_hz");
	struct wait w;
	unsigned int i;

	event_open(COH_FWDS);
	for (i = 0; i < TILES; i++)
		event_open(COH_FWDS | BYTILE(i));
	wait_begin(&w);
	sleep_ms(POLLS * interval);
	wait_end(&w, 0);
}
