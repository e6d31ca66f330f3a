// SPDX-License-Identifier: GPL-2.0-only
/* libmon/esp/layout.c, and sets.c on the largest SoC: a program for 16x16 with 16 memory tiles. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/main.h"
#include "tests/unit/libmon/fake.h"

#define __SOC_DEFS_H__
#define SOC_ROWS 16
#define SOC_COLS 16
#define SOC_NCPU 1
#define SOC_NMEM 16
#define SOC_NACC 238
#define LINUX 1
#include "libmon/esp/include/monitors.h"

SUITE("layout", .timeout = 60, .setup = fake_init, .teardown = fake_exit);

/* The multifft example of ESP has 3x2 tiles, 1 memory tile, 3 accelerators: 1124 bytes. */
TEST(the_words_are_where_the_compiler_puts_the_members)
{
	esp_monitor_vals_t start, end, diff;

	memset(&start, 0, sizeof(start));
	memset(&end, 0, sizeof(end));
	end.ddr_accesses[15] = 1;
	end.mem_reqs[15].coh_dma_rsps = 2;
	end.l2_stats[255].misses = 3;
	end.llc_stats[15].misses = 4;
	end.acc_stats[237].acc_invocations = 5;
	end.dvfs_op[255][3] = 6;
	end.noc_injects[255][5] = 7;
	end.noc_queue_full[255][5][4] = 8;
	diff = esp_monitor_diff(start, end);
	ck_assert_mem_eq(&diff, &end, sizeof(end));
}

TEST(differences_are_exact_across_wraps)
{
	esp_monitor_vals_t start, end, diff;

	memset(&start, 0, sizeof(start));
	memset(&end, 0, sizeof(end));
	/* 0x10 before the wrap to 0x10 after it */
	start.ddr_accesses[0] = 0xfffffff0;
	end.ddr_accesses[0] = 0x10;
	/* 64 bits: 0x1_ffff_fff0 to 0x2_0000_0010, then a wrap of all 64 bits */
	start.acc_stats[0].acc_mem_lo = 0xfffffff0;
	start.acc_stats[0].acc_mem_hi = 1;
	end.acc_stats[0].acc_mem_lo = 0x10;
	end.acc_stats[0].acc_mem_hi = 2;
	start.acc_stats[237].acc_tot_lo = 0xffffffff;
	start.acc_stats[237].acc_tot_hi = 0xffffffff;
	end.acc_stats[237].acc_tot_lo = 4;
	diff = esp_monitor_diff(start, end);
	ck_assert_uint_eq(diff.ddr_accesses[0], 0x20);
	ck_assert_uint_eq(diff.acc_stats[0].acc_mem_lo, 0x20);
	ck_assert_uint_eq(diff.acc_stats[0].acc_mem_hi, 0);
	ck_assert_uint_eq(diff.acc_stats[237].acc_tot_lo, 5);
	ck_assert_uint_eq(diff.acc_stats[237].acc_tot_hi, 0);
	/* a low word that shrinks takes one from the high word: 3_0000_0000 - 1_0000_0001 */
	start.acc_stats[1].acc_tot_lo = 1;
	start.acc_stats[1].acc_tot_hi = 1;
	end.acc_stats[1].acc_tot_hi = 3;
	diff = esp_monitor_diff(start, end);
	ck_assert_uint_eq(diff.acc_stats[1].acc_tot_lo, 0xffffffff);
	ck_assert_uint_eq(diff.acc_stats[1].acc_tot_hi, 1);
	ck_assert_uint_eq(sub_monitor_vals(0xfffffff0, 0x10), 0x20);
	ck_assert_uint_eq(sub_monitor_vals(5, 9), 4);
}

static uint64_t ticks;

static uint64_t count(uint64_t config)
{
	return ticks * (config & 0xffff);
}

/*
 * 40 in each of 256 tiles, 11 in each of 16 memory tiles, 2 for the CPU's L2, 2 + 4 for each of 238
 * accelerators: 11846 events. Groups of 2045 events that end between tiles: 6 reads.
 */
TEST(sixteen_by_sixteen_is_read_in_a_few_calls)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t *vals = esp_monitor_vals_alloc();
	struct rlimit limit;

	fake_espmon_sized(16, 16, 16);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max < 12500) {
		limit.rlim_max = 12500;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	limit.rlim_cur = limit.rlim_max < 20000 ? limit.rlim_max : 20000;
	setrlimit(RLIMIT_NOFILE, &limit);
	fake_counter = count;
	ck_assert_msg(!esp_monitor(args, vals), "%s", mon_error());
	ck_assert_uint_eq(fake_opens, 256 * 40 + 16 * 11 + 2 + 238 * 6);
	ck_assert_uint_le(fake_largest_group, 2045);
	fake_reads = 0;
	ticks = 1;
	ck_assert_uint_eq(esp_monitor(args, vals), 0);
	ck_assert_uint_eq(fake_reads, 6);
	ck_assert_uint_eq(vals->noc_queue_full[255][5][4], (255 << 8) + 58);
	ck_assert_uint_eq(vals->acc_stats[237].acc_invocations, (255 << 8) + 18);
	ck_assert_uint_eq(vals->ddr_accesses[15], 17 << 8);
	esp_monitor_free();
}
