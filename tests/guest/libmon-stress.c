// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads sample all monitors, and single ones, while three accelerators run: no value goes
 * backwards, no pair is torn, and the values of a tile belong to one instant.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "soc_defs.h"
#include "fft_stratus.h"
#include "libesp.h"
#include "monitors.h"
#include "tests/main.h"

#define SECONDS 10

static atomic_bool stop;
static atomic_uint runs, samples, ready;

/* What a thread found ends all of them. */
static char *ends(char *reason)
{
	if (reason)
		atomic_store(&stop, true);
	return reason;
}

static void *run(void *arg)
{
	char name[32];
	struct fft_stratus_access access = {
		.batch_size = 8, .log_len = 9, .do_bitrev = 1,
	};
	esp_thread_info_t cfg = {
		.run = true, .devname = name, .hw_buf = esp_alloc(1 << 20),
		.ioctl_req = FFT_STRATUS_IOC_ACCESS, .esp_desc = &access.esp,
	};

	snprintf(name, sizeof(name), "fft_stratus.%u", (unsigned int)(uintptr_t)arg);
	while (!atomic_load(&stop)) {
		if (!cfg.hw_buf || esp_run(&cfg, 1))
			return ends(strdup(mon_error()));
		atomic_fetch_add(&runs, 1);
	}
	esp_free(cfg.hw_buf);
	return NULL;
}

static uint64_t pair(unsigned int lo, unsigned int hi)
{
	return (uint64_t)hi << 32 | lo;
}

/* Accelerator k of the default SoC is in this tile. */
static const unsigned int acc_tile[SOC_NACC] = { 0, 3, 4 };

/*
 * Both are counts of cycles of the same tile, so if both samples are of one instant each, an
 * accelerator was not busy for longer than the tile had cycles. A run in between may start anew.
 */
static char *compare(const esp_monitor_vals_t *old, const esp_monitor_vals_t *new)
{
	const unsigned int *a = (const unsigned int *)old, *b = (const unsigned int *)new;
	char text[160] = "";
	unsigned int i, k;

	for (i = 0; i < sizeof(*old) / sizeof(*a); i++)
		if ((int)(b[i] - a[i]) < 0 && !*text)
			snprintf(text, sizeof(text), "word %u went from %u to %u", i, a[i], b[i]);
	for (k = 0; k < SOC_NACC; k++) {
		const esp_acc_stats_t *o = &old->acc_stats[k], *n = &new->acc_stats[k];
		uint64_t tot = pair(n->acc_tot_lo, n->acc_tot_hi) -
			       pair(o->acc_tot_lo, o->acc_tot_hi);
		uint64_t mem = pair(n->acc_mem_lo, n->acc_mem_hi) -
			       pair(o->acc_mem_lo, o->acc_mem_hi);
		uint64_t cycles = new->dvfs_op[acc_tile[k]][3] - old->dvfs_op[acc_tile[k]][3];

		if (tot > cycles || mem > tot)
			snprintf(text, sizeof(text), "accelerator %u: mem %llu, tot %llu, tile %llu",
				 k, (unsigned long long)mem, (unsigned long long)tot,
				 (unsigned long long)cycles);
	}
	return *text ? strdup(text) : NULL;
}

static void *sample(void *arg)
{
	esp_monitor_args_t all = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_args_t one = {
		.read_mode = ESP_MON_READ_SINGLE, .tile_index = 3,
		.mon_index = MON_DVFS_BASE_INDEX + 3,
	};
	esp_monitor_vals_t old, new;
	unsigned int before, after;
	char *wrong = NULL;

	(void)arg;
	if (esp_monitor(all, &old))
		return ends(strdup(mon_error()));
	before = esp_monitor(one, NULL);
	atomic_fetch_add(&ready, 1);
	while (!atomic_load(&stop) && !wrong) {
		if (esp_monitor(all, &new))
			return ends(strdup(mon_error()));
		wrong = compare(&old, &new);
		old = new;
		after = esp_monitor(one, NULL);
		if ((int)(after - before) < 0)
			return ends(strdup("a single value went backwards"));
		before = after;
		atomic_fetch_add(&samples, 1);
	}
	return ends(wrong);
}

SUITE("libmon", .timeout = 30);

TEST(two_samplers_and_three_accelerators)
{
	const struct timespec time = { .tv_sec = SECONDS }, tick = { .tv_nsec = 100000000 };
	pthread_t thread[5];
	uintptr_t i;
	void *wrong;

	for (i = 0; i < 5; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, i < 3 ? run : sample, (void *)i),
				 0);
	/* the debug kernel takes more than 10 s to open all counters: the time begins when both samplers have them */
	while (!stop && ready < 2)
		nanosleep(&tick, NULL);
	nanosleep(&time, NULL);
	atomic_store(&stop, true);
	for (i = 0; i < 5; i++) {
		pthread_join(thread[i], &wrong);
		ck_assert_msg(!wrong, "%s", (char *)wrong);
	}
	esp_monitor_free();
	printf("%u runs, %u samples\n", runs, samples);
	ck_assert_uint_ge(runs, 10);
	ck_assert_uint_ge(samples, 100);
}
