// SPDX-License-Identifier: GPL-2.0-only
/* libmon/esp/monitors.c, sets.c, soc.c: a program for the default SoC, 3x2. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/main.h"
#include "tests/unit/libmon/fake.h"

#define LINUX 1
#include "examples/esp/soc_defs.h"
#include "events/esp/config.h"
#include "libmon/esp/include/monitors.h"

#define TILES "sys/bus/event_source/devices/espmon/tiles"

static uint64_t base;

/*
 * What a monitor has counted since it was opened: 1000 * tile + 10 * event, times base (0 when it is
 * opened). The 64-bit pairs have 2^32 - 16 more.
 */
static uint64_t count(uint64_t config)
{
	unsigned int event = config & 0xff, tile = config >> 8 & 0xff;

	if (!(config & 1 << 16))
		abort();
	return base * (1000 * tile + 10 * event + (event & 0x80 ? 0xfffffff0ull : 0));
}

static void setup(void)
{
	fake_init();
	fake_counter = count;
	base = 0;
}

static void teardown(void)
{
	esp_monitor_free();
	fake_exit();
}

static unsigned int expected(unsigned int tile, unsigned int monitor)
{
	return 1000 * tile + 10 * monitor;
}

SUITE("monitors", .setup = setup, .teardown = teardown);

TEST(single_returns_the_monitor_of_a_tile)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE, .tile_index = 2 };
	unsigned int i;

	fake_espmon();
	for (i = 0; i <= 58; i++) {
		if (i >= MON_ACC_MEM_LO_INDEX && i <= MON_ACC_TOT_HI_INDEX)
			continue;
		args.mon_index = i;
		base = 0;
		ck_assert_uint_eq(esp_monitor(args, NULL), 0);
		base = 1;
		ck_assert_uint_eq(esp_monitor(args, NULL), expected(2, i));
	}
}

/* Both halves come from the 64-bit event: 1 * (2 * 1000 + 10 * 0x80 + 0xfffffff0). */
TEST(single_takes_a_half_from_the_whole_pair)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE, .tile_index = 2 };
	uint64_t sum = 2 * 1000 + 10 * 0x80 + 0xfffffff0ull;

	fake_espmon();
	args.mon_index = MON_ACC_MEM_LO_INDEX;
	esp_monitor(args, NULL);
	args.mon_index = MON_ACC_MEM_HI_INDEX;
	esp_monitor(args, NULL);
	base = 1;
	ck_assert_uint_eq(esp_monitor(args, NULL), 1);
	args.mon_index = MON_ACC_MEM_LO_INDEX;
	ck_assert_uint_eq(esp_monitor(args, NULL), (uint32_t)sum);
	ck_assert_uint_eq(fake_last_config & 0xff, 0x80);
}

static void expect_error(esp_monitor_args_t args, esp_monitor_vals_t *vals, int error,
			 const char *words)
{
	errno = 0;
	ck_assert_uint_eq(esp_monitor(args, vals), UINT32_MAX);
	ck_assert_int_eq(errno, error);
	ck_assert_msg(strstr(mon_error(), words) != NULL, "%s", mon_error());
}

TEST(refuses_what_the_soc_does_not_have)
{
	char behind[80];
	esp_monitor_args_t single = { .read_mode = ESP_MON_READ_SINGLE };
	esp_monitor_args_t many = { .read_mode = ESP_MON_READ_MANY };
	esp_monitor_vals_t vals;

	fake_espmon();
	single.tile_index = 6;
	expect_error(single, NULL, EINVAL, "tile_index 6: the SoC has 6 tiles");
	single.tile_index = 5;
	single.mon_index = ESP_NMON;
	snprintf(behind, sizeof(behind), "mon_index %d: a tile has monitors 0 to %d", ESP_NMON,
		 ESP_NMON - 1);
	expect_error(single, NULL, EINVAL, behind);
	many.read_mask = 1 << ESP_MON_READ_ACC_STATS;
	many.acc_index = 3;
	expect_error(many, &vals, EINVAL, "acc_index 3: the SoC has 3 accelerators");
	many.read_mask = 1 << ESP_MON_READ_NOC_INJECTS;
	many.tile_index = 6;
	expect_error(many, &vals, EINVAL, "tile_index 6");
	many.read_mask = 1 << ESP_MON_READ_NOC_QUEUE_FULL_PLANE;
	many.noc_index = 6;
	expect_error(many, &vals, EINVAL, "noc_index 6");
	many.read_mask = 1 << 9;
	expect_error(many, &vals, EINVAL, "read_mask 0x200");
	many.read_mode = 3;
	expect_error(many, &vals, EINVAL, "read_mode 3");
	many.read_mode = ESP_MON_READ_ALL;
	expect_error(many, NULL, EFAULT, "vals is NULL");
}

static void open_and_count(esp_monitor_args_t args, esp_monitor_vals_t *vals)
{
	base = 0;
	ck_assert_msg(!esp_monitor(args, vals), "%s", mon_error());
	base = 1;
	memset(vals, 0xff, sizeof(*vals));
	ck_assert_uint_eq(esp_monitor(args, vals), 0);
}

static void expect_acc(const esp_acc_stats_t *acc, unsigned int tile)
{
	uint64_t mem = 1000 * tile + 10 * 0x80 + 0xfffffff0ull;
	uint64_t tot = 1000 * tile + 10 * 0x81 + 0xfffffff0ull;

	ck_assert_uint_eq(acc->acc_tlb, expected(tile, 13));
	ck_assert_uint_eq(acc->acc_mem_lo, (uint32_t)mem);
	ck_assert_uint_eq(acc->acc_mem_hi, mem >> 32);
	ck_assert_uint_eq(acc->acc_tot_lo, (uint32_t)tot);
	ck_assert_uint_eq(acc->acc_tot_hi, tot >> 32);
	ck_assert_uint_eq(acc->acc_invocations, expected(tile, 18));
}

/*
 * 3x2: accelerators (tiles 0 with an L2, 3, 4), cpu 1, memory 2, IO 5. Events: 40 in each of the 6
 * tiles, 11 of the memory, 2 of each L2 (tiles 0 and 1), 4 of each accelerator: 267.
 */
TEST(all_fills_every_member_in_one_read)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	static const unsigned int acc_tile[] = { 0, 3, 4 };
	esp_monitor_vals_t vals;
	unsigned int t, p, q, i;

	fake_espmon();
	open_and_count(args, &vals);
	ck_assert_uint_eq(fake_opens, 6 * 40 + 11 + 2 * 2 + 3 * 4);
	fake_reads = 0;
	ck_assert_uint_eq(esp_monitor(args, &vals), 0);
	ck_assert_uint_eq(fake_reads, 1);

	ck_assert_uint_eq(vals.ddr_accesses[0], expected(2, 0));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_reqs, expected(2, 1));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_fwds, expected(2, 2));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_rsps_rcv, expected(2, 3));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_rsps_snd, expected(2, 4));
	ck_assert_uint_eq(vals.mem_reqs[0].dma_reqs, expected(2, 5));
	ck_assert_uint_eq(vals.mem_reqs[0].dma_rsps, expected(2, 6));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_dma_reqs, expected(2, 7));
	ck_assert_uint_eq(vals.mem_reqs[0].coh_dma_rsps, expected(2, 8));
	ck_assert_uint_eq(vals.llc_stats[0].hits, expected(2, 11));
	ck_assert_uint_eq(vals.llc_stats[0].misses, expected(2, 12));
	for (t = 0; t < 6; t++) {
		ck_assert_uint_eq(vals.l2_stats[t].hits, t < 2 ? expected(t, 9) : 0);
		ck_assert_uint_eq(vals.l2_stats[t].misses, t < 2 ? expected(t, 10) : 0);
		for (i = 0; i < 4; i++)
			ck_assert_uint_eq(vals.dvfs_op[t][i], expected(t, 19 + i));
		for (p = 0; p < 6; p++) {
			ck_assert_uint_eq(vals.noc_injects[t][p], expected(t, 23 + p));
			for (q = 0; q < 5; q++)
				ck_assert_uint_eq(vals.noc_queue_full[t][p][q],
						  expected(t, 29 + 5 * p + q));
		}
	}
	for (i = 0; i < 3; i++)
		expect_acc(&vals.acc_stats[i], acc_tile[i]);
}

/* Non-zero words outside of what each bit of read_mask selects. */
static unsigned int filled(const esp_monitor_vals_t *vals)
{
	const unsigned int *words = (const unsigned int *)vals;
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(*vals) / sizeof(*words); i++)
		n += words[i] != 0;
	return n;
}

TEST(many_fills_what_each_bit_says_and_zeros_the_rest)
{
	/* words that are not 0: all but those whose monitor index and tile are both 0 */
	static const struct {
		unsigned int bit, words;
	} cases[] = {
		{ ESP_MON_READ_DDR_ACCESSES, 1 },
		{ ESP_MON_READ_MEM_REQS, 8 },
		{ ESP_MON_READ_L2_STATS, 2 * 2 },
		{ ESP_MON_READ_LLC_STATS, 2 },
		/* the pairs' high words are 1 */
		{ ESP_MON_READ_ACC_STATS, 6 },
		{ ESP_MON_READ_DVFS_OP, 4 },
		{ ESP_MON_READ_NOC_INJECTS, 6 },
		{ ESP_MON_READ_NOC_QUEUE_FULL_TILE, 30 },
		{ ESP_MON_READ_NOC_QUEUE_FULL_PLANE, 6 * 5 },
	};
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY, .acc_index = 2, .tile_index = 3, .noc_index = 4,
	};
	esp_monitor_vals_t vals;
	unsigned int i, opens;

	fake_espmon();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		args.read_mask = 1 << cases[i].bit;
		fake_opens = 0;
		open_and_count(args, &vals);
		ck_assert_msg(filled(&vals) == cases[i].words, "bit %u: %u words", cases[i].bit,
			      filled(&vals));
		/* opened once, and only what is read (a pair is one event) */
		opens = fake_opens;
		ck_assert_uint_eq(opens, cases[i].bit == ESP_MON_READ_ACC_STATS ? 4 :
				  cases[i].words);
		ck_assert_uint_eq(esp_monitor(args, &vals), 0);
		ck_assert_uint_eq(fake_opens, opens);
	}
}

TEST(many_reads_the_tile_plane_and_accelerator_that_are_asked_for)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY, .acc_index = 2, .tile_index = 3, .noc_index = 4,
		.read_mask = 0x1ff,
	};
	esp_monitor_vals_t vals;

	fake_espmon();
	open_and_count(args, &vals);
	expect_acc(&vals.acc_stats[2], 4);
	ck_assert_uint_eq(vals.acc_stats[0].acc_invocations, 0);
	ck_assert_uint_eq(vals.dvfs_op[3][3], expected(3, 22));
	ck_assert_uint_eq(vals.noc_injects[3][5], expected(3, 28));
	ck_assert_uint_eq(vals.noc_injects[2][5], 0);
	/* tile 3 all planes and plane 4 in all tiles, both at once */
	ck_assert_uint_eq(vals.noc_queue_full[3][0][2], expected(3, 29 + 2));
	ck_assert_uint_eq(vals.noc_queue_full[5][4][1], expected(5, 29 + 20 + 1));
	ck_assert_uint_eq(vals.noc_queue_full[5][3][1], 0);
	/* 30 of the tile, 5 in each of the other 5 tiles, 1 + 8 + 4 + 2 + 4 + 4 + 6 */
	ck_assert_uint_eq(fake_opens, 30 + 25 + 29);
}

TEST(values_of_other_arguments_do_not_start_anew)
{
	esp_monitor_args_t all = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_args_t ddr = { .read_mode = ESP_MON_READ_MANY, .read_mask = 1 };
	esp_monitor_vals_t vals;

	fake_espmon();
	base = 0;
	esp_monitor(all, &vals);
	base = 5;
	esp_monitor(ddr, &vals);
	ck_assert_uint_eq(vals.ddr_accesses[0], 0);
	base = 6;
	/* fields that the mask does not use make no new set */
	ddr.tile_index = 3;
	ddr.acc_index = 9;
	fake_opens = 0;
	esp_monitor(ddr, &vals);
	ck_assert_uint_eq(fake_opens, 0);
	ck_assert_uint_eq(vals.ddr_accesses[0], expected(2, 0));
	esp_monitor(all, &vals);
	ck_assert_uint_eq(vals.ddr_accesses[0], 6 * expected(2, 0));
}

TEST(opens_again_after_free)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t *vals = esp_monitor_vals_alloc();
	esp_monitor_vals_t *more = esp_monitor_vals_alloc();

	fake_espmon();
	ck_assert_ptr_nonnull(vals);
	ck_assert_uint_eq(more->noc_injects[5][5], 0);
	ck_assert_uint_eq(esp_monitor(args, vals), 0);
	esp_monitor_free();
	esp_monitor_free();
	ck_assert_uint_eq(fake_open_events, 0);
	vals = esp_monitor_vals_alloc();
	base = 3;
	ck_assert_uint_eq(esp_monitor(args, vals), 0);
	/* counts since the new start */
	ck_assert_uint_eq(vals->ddr_accesses[0], 0);
}

TEST(names_both_topologies_if_soc_defs_h_does_not_fit)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t vals;

	fake_espmon_sized(4, 4, 4);
	expect_error(args, &vals, EINVAL, "of a SoC with 3 x 2 tiles (1 cpu, 1 mem, 3 acc)");
	expect_error(args, &vals, EINVAL, "running has 4 x 4 (1 cpu, 4 mem, 10 acc)");
	args.read_mode = ESP_MON_READ_SINGLE;
	expect_error(args, NULL, EINVAL, "mon-socgen --from-device");
}

TEST(missing_permission_and_device_are_errors)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE, .tile_index = 2 };
	esp_monitor_vals_t vals;

	expect_error(args, NULL, ENODEV, "espmon: no such PMU");
	fake_espmon();
	fake_file("proc/sys/kernel/perf_event_paranoid", "2\n");
	fake_open_error = EACCES;
	expect_error(args, NULL, EACCES, "CAP_PERFMON");
	args.read_mode = ESP_MON_READ_ALL;
	memset(&vals, 0xff, sizeof(vals));
	expect_error(args, &vals, EACCES, "it is 2");
	ck_assert_uint_eq(filled(&vals), 0);
	/* and works as soon as it is permitted */
	fake_open_error = 0;
	ck_assert_uint_eq(esp_monitor(args, &vals), 0);
	fake_read_error = -1;
	memset(&vals, 0xff, sizeof(vals));
	expect_error(args, &vals, ENODEV, "went away");
	ck_assert_uint_eq(filled(&vals), 0);
}

TEST(broken_topology_files_are_errors)
{
	static const char *const broken[] = {
		"", "0 0 cpu\n1 1 mem\n", "0 1 cpu\n", "x\n",
		"0 0 mem\n0 0 mem\n0 0 mem\n0 0 mem\n0 0 mem\n0 0 mem\n0 0 mem\n",
	};
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE };
	unsigned int i;

	fake_espmon();
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		fake_tiles("espmon", broken[i]);
		expect_error(args, NULL, EPROTO, "espmon: the folder tiles does not describe a SoC");
	}
	fake_remove(TILES);
	expect_error(args, NULL, EPROTO, "espmon: the folder tiles does not describe a SoC");
}

static void *sample(void *arg)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t vals;
	unsigned int i;

	for (i = 0; i < 200; i++) {
		args.read_mode = i % 2 ? ESP_MON_READ_ALL : ESP_MON_READ_MANY;
		args.read_mask = 1 << i % 9;
		if (esp_monitor(args, &vals))
			return arg;
		args.read_mode = ESP_MON_READ_SINGLE;
		args.tile_index = i % 6;
		args.mon_index = i % ESP_NMON;
		if (esp_monitor(args, NULL) == UINT32_MAX)
			return arg;
	}
	return NULL;
}

TEST(threads_may_sample_at_the_same_time)
{
	pthread_t thread[4];
	void *failed;
	unsigned int i;

	fake_espmon();
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, sample, &base), 0);
	for (i = 0; i < 4; i++) {
		pthread_join(thread[i], &failed);
		ck_assert_ptr_null(failed);
	}
}
