// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/pmu/pmu-load.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/guest/pmu/pmu.h"

struct load {
	unsigned int batches;
	int cut_err;	/* of a run that the device's removal interrupts */
	atomic_bool stop;
	atomic_bool holds;	/* the device is open or being opened */
	atomic_ulong done, cut;
	atomic_int err;
	pthread_t thread;
};

static int run_ffts(struct load *load)
{
	struct fft *fft = fft_try_new("/dev/contig_alloc", 1, load->batches);
	int err = 0;

	if (!fft)
		return errno == ENOENT || errno == ENXIO ? ENODEV : errno;
	while (!err && !atomic_load(&load->stop)) {
		err = fft_run(fft);
		atomic_fetch_add(err ? &load->cut : &load->done, 1);
	}
	fft_free(fft);
	return err;
}

static void *run(void *arg)
{
	struct load *load = arg;

	while (!atomic_load(&load->stop) && !atomic_load(&load->err)) {
		int err;

		atomic_store(&load->holds, true);
		err = run_ffts(load);
		atomic_store(&load->holds, false);
		if (err && err != ENODEV && err != load->cut_err)
			atomic_store(&load->err, err);
		sleep_ms(1);
	}
	return NULL;
}

struct load *load_start(unsigned int batches, int cut)
{
	struct load *load = calloc(1, sizeof(*load));

	ck_assert_ptr_nonnull(load);
	load->batches = batches;
	load->cut_err = cut;
	ck_assert_int_eq(pthread_create(&load->thread, NULL, run, load), 0);
	return load;
}

static void check(const struct load *load)
{
	ck_assert_msg(!load->err, "the load failed: %s", strerror(load->err));
}

void load_wait_running(struct load *load)
{
	unsigned long done = load->done;

	while (load->done == done) {
		check(load);
		sleep_ms(1);
	}
}

void load_wait_away(struct load *load)
{
	while (load->holds) {
		check(load);
		sleep_ms(1);
	}
}

unsigned long load_done(const struct load *load)
{
	return load->done;
}

unsigned long load_cut(const struct load *load)
{
	return load->cut;
}

void load_end(struct load *load)
{
	atomic_store(&load->stop, true);
	ck_assert_int_eq(pthread_join(load->thread, NULL), 0);
	check(load);
}

void load_free(struct load *load)
{
	free(load);
}
