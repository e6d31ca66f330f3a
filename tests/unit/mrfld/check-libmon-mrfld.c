/* SPDX-License-Identifier: GPL-2.0-only */
/* libmon's names and formulas of Merrifield; expected numbers are derived by hand. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examples/mrfld/mrfld-agents.h"
#include "mon_mrfld.h"
#include "tests/main.h"

#define CLOSE(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

SUITE("libmon: Merrifield");

LOOP_TEST(groups_are_found_by_both_revisions_names, 0, 9)
{
	/* The article's order and names; the later revision says UNC_SOC_. */
	static const char *const names[] = {
		"Memory_DDR_BW", "DDR_Self_Refresh", "All_Reqs", "Module0_BW", "Module0_Snoops",
		"Graphics_BW", "Display_BW", "Imaging_BW", "LowSpeedPF_BW",
	};
	char name[64] = "UNC_VISA_";

	strcat(name, names[_i]);
	ck_assert_int_eq(mon_mrfld_find_group(name), _i + 1);
	ck_assert_str_eq(mon_mrfld_get_group_name(_i + 1), name);
	strcpy(name, "UNC_SOC_");
	strcat(name, names[_i]);
	ck_assert_int_eq(mon_mrfld_find_group(name), _i + 1);
	strcpy(name, "unc_soc_");
	strcat(name, names[_i]);
	ck_assert_int_eq(mon_mrfld_find_group(name), _i + 1);
	ck_assert_int_eq(mon_mrfld_find_group(names[_i]), _i + 1);
}

TEST(unknown_groups_are_named_in_the_error)
{
	ck_assert_int_eq(mon_mrfld_find_group("UNC_VISA_Module1_BW"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "UNC_VISA_Module1_BW"));
	ck_assert_int_eq(mon_mrfld_find_group(""), -1);
	ck_assert_int_eq(mon_mrfld_find_group("UNC_VISA_"), -1);
	ck_assert_ptr_null(mon_mrfld_get_group_name(0));
	ck_assert_ptr_null(mon_mrfld_get_group_name(10));
	ck_assert_uint_eq(mon_mrfld_get_event_count(10), 0);
}

TEST(events_are_found_in_the_articles_spelling)
{
	ck_assert_int_eq(mon_mrfld_find_counter(1, "DDR_Chan0-Read32B"), 0);
	ck_assert_int_eq(mon_mrfld_find_counter(1, "DDR_Chan1-Write32B"), 3);
	ck_assert_int_eq(mon_mrfld_find_counter(2, "DDR_Chan1_Shallow_Self_Refresh"), 3);
	ck_assert_int_eq(mon_mrfld_find_counter(3, "LowSpeedPF_Reqs"), 4);
	ck_assert_int_eq(mon_mrfld_find_counter(4, "Mod0_ReadPartial"), 0);
	ck_assert_int_eq(mon_mrfld_find_counter(5, "Mod0_Snoop_Reqs"), 1);
	ck_assert_int_eq(mon_mrfld_find_counter(6, "GFX_Write64B"), 5);
	ck_assert_int_eq(mon_mrfld_find_counter(7, "disp_read64b"), 2);
	ck_assert_str_eq(mon_mrfld_get_event_name(1, 0), "ddr_chan0_read32b");
	ck_assert_int_eq(mon_mrfld_find_group_of("DDR_Chan0-Read32B"), 1);
	ck_assert_int_eq(mon_mrfld_find_group_of("Imaging_Read32B"), 8);
	ck_assert_int_eq(mon_mrfld_find_counter(6, "Disp_Read64B"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(mon_mrfld_find_group_of("Mod1_Read64B"), -1);
	ck_assert_int_eq(mon_mrfld_find_counter(0, "Mod0_Reqs"), -1);
}

LOOP_TEST(each_group_has_its_own_clock_counter, 0, 9)
{
	/* Counter indexes of Clock_Counter in the article's nine tables. */
	static const int clock[] = { 4, 4, 5, 6, 2, 6, 6, 6, 6 };

	ck_assert_int_eq(mon_mrfld_find_counter(_i + 1, "Clock_Counter"), clock[_i]);
	ck_assert_uint_eq(mon_mrfld_get_event_count(_i + 1), clock[_i] + 1);
	ck_assert_ptr_null(mon_mrfld_get_event_name(_i + 1, clock[_i] + 1));
	ck_assert_int_eq(mon_mrfld_find_group_of("Clock_Counter"), -1);
}

TEST(bandwidth_of_an_event)
{
	struct mon_mrfld_counts gfx = { .group = 6, .seconds = 2,
					.count = { 7, 1000000, 1000000, 7, 7, 7, 7 } };

	/* 10^6 * 32 B / 2 s = 16 MB/s; 64 B: 32 MB/s */
	CLOSE(mon_mrfld_mb_per_second(1000000, 32, 2), 16);
	CLOSE(mon_mrfld_event_bandwidth(&gfx, 1), 16);
	CLOSE(mon_mrfld_event_bandwidth(&gfx, 2), 32);
	/* partial requests and the clock have no size; counter 7 is no event */
	ck_assert(isnan(mon_mrfld_event_bandwidth(&gfx, 0)));
	ck_assert(isnan(mon_mrfld_event_bandwidth(&gfx, 6)));
	ck_assert(isnan(mon_mrfld_event_bandwidth(&gfx, 7)));
	/* no time, no rate */
	CLOSE(mon_mrfld_mb_per_second(1000000, 32, 0), 0);
	gfx.seconds = 0;
	CLOSE(mon_mrfld_event_bandwidth(&gfx, 1), 0);
}

TEST(ddr_sums)
{
	/* 1, 2, 3, 4 million accesses of 32 B in a second: 32, 64, 96, 128 MB/s */
	struct mon_mrfld_counts counts = { .group = 1, .seconds = 1,
					   .count = { 1e6, 2e6, 3e6, 4e6, 5e8 } };
	struct mon_mrfld_ddr ddr;

	ck_assert_int_eq(mon_mrfld_ddr_bandwidth(&counts, &ddr), 0);
	CLOSE(ddr.read[0], 32);
	CLOSE(ddr.write[1], 128);
	CLOSE(ddr.channel[0], 96);
	CLOSE(ddr.channel[1], 224);
	CLOSE(ddr.total_read, 128);
	CLOSE(ddr.total_write, 192);
	CLOSE(ddr.total, 320);
	counts.group = 3;
	ck_assert_int_eq(mon_mrfld_ddr_bandwidth(&counts, &ddr), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(mon_error(), "UNC_VISA_All_Reqs"));
}

TEST(agents_read_and_write)
{
	/* 0.5 s: (10^6 * 32 + 2 * 10^6 * 64) B = 160 MB: 320 MB/s; (3 * 32 + 4 * 64) = 352: 704 */
	struct mon_mrfld_counts counts = { .group = 4, .seconds = 0.5,
					   .count = { 3000100, 1e6, 2e6, 7000200, 3e6, 4e6, 1 } };
	struct mon_mrfld_agent agent;

	ck_assert_int_eq(mon_mrfld_agent_bandwidth(&counts, &agent), 0);
	CLOSE(agent.read, 320);
	CLOSE(agent.write, 704);
	/* module 0: 3000100 - 10^6 - 2 * 10^6 and 7000200 - 3 * 10^6 - 4 * 10^6 are really partial */
	CLOSE(agent.read_partials, 100);
	CLOSE(agent.write_partials, 200);
	/* the others: the event counts partial requests alone */
	for (int group = 6; group <= 9; group++) {
		counts.group = group;
		ck_assert_int_eq(mon_mrfld_agent_bandwidth(&counts, &agent), 0);
		CLOSE(agent.read, 320);
		CLOSE(agent.read_partials, 3000100);
		CLOSE(agent.write_partials, 7000200);
	}
	counts.group = MON_MRFLD_MODULE0_SNOOPS;
	ck_assert_int_eq(mon_mrfld_agent_bandwidth(&counts, &agent), -1);
	counts.group = 10;
	ck_assert_int_eq(mon_mrfld_agent_bandwidth(&counts, &agent), -1);
}

TEST(all_requests_are_an_estimate_at_64_bytes)
{
	/* Order of the article's table: module 0, display, graphics, imaging, fabric. */
	struct mon_mrfld_counts counts = { .group = 3, .seconds = 1,
					   .count = { 1e6, 2e6, 3e6, 4e6, 5e6, 9e9 } };
	struct mon_mrfld_estimate estimate;

	ck_assert_int_eq(mon_mrfld_estimate_bandwidth(&counts, &estimate), 0);
	CLOSE(estimate.module0, 64);
	CLOSE(estimate.display, 128);
	CLOSE(estimate.graphics, 192);
	CLOSE(estimate.imaging, 256);
	CLOSE(estimate.lowspeedpf, 320);
	/* 15 * 10^6 * 64: the clock is not a request */
	CLOSE(estimate.total, 960);
	counts.group = 1;
	ck_assert_int_eq(mon_mrfld_estimate_bandwidth(&counts, &estimate), -1);
}

TEST(self_refresh_needs_the_dram_frequency)
{
	/* Counters: deep 0, shallow 0, deep 1, shallow 1. 533 MHz for 2 s are 1066 * 10^6 cycles. */
	struct mon_mrfld_counts counts = { .group = 2, .seconds = 2,
					   .count = { 533e6, 266.5e6, 1066e6, 0, 1 } };
	struct mon_mrfld_self_refresh residency;

	ck_assert_int_eq(mon_mrfld_self_refresh(&counts, 533e6, &residency), 0);
	CLOSE(residency.deep[0], 50);
	CLOSE(residency.shallow[0], 25);
	CLOSE(residency.deep[1], 100);
	CLOSE(residency.shallow[1], 0);
	ck_assert_int_eq(mon_mrfld_self_refresh(&counts, 0, &residency), -1);
	ck_assert_int_eq(errno, EINVAL);
	counts.group = 1;
	ck_assert_int_eq(mon_mrfld_self_refresh(&counts, 533e6, &residency), -1);
}

TEST(agents_have_names)
{
	ck_assert_int_eq(mrfld_find_agent("gfx"), 0);
	ck_assert_int_eq(mrfld_find_agent("disp"), 1);
	ck_assert_int_eq(mrfld_find_agent("imaging"), 2);
	ck_assert_int_eq(mrfld_find_agent("LowSpeedPF"), 3);
	ck_assert_int_eq(mrfld_find_agent("mod0"), -1);
	ck_assert_int_eq(errno, ENOENT);
}
