/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

static uint64_t total(struct rig *rig, unsigned int group, unsigned int counter)
{
	return mrfld_soc_total(rig->soc, group, counter);
}

SUITE("dram");

TEST(a_64_byte_request_is_two_accesses_of_one_channel)
{
	struct rig *rig = rig_new(NULL);

	mrfld_soc_module0(rig->soc, false, 0x1000, 64);
	mrfld_soc_module0(rig->soc, true, 0x1040, 64);
	/* Interleaving every 64 bytes: 0x1000 is channel 0, 0x1040 channel 1. */
	ck_assert_uint_eq(total(rig, 1, 0), 2);
	ck_assert_uint_eq(total(rig, 1, 1), 0);
	ck_assert_uint_eq(total(rig, 1, 2), 0);
	ck_assert_uint_eq(total(rig, 1, 3), 2);
	rig_free(rig);
}

TEST(smaller_requests_are_one_access)
{
	struct rig *rig = rig_new(NULL);

	mrfld_soc_module0(rig->soc, false, 0x1020, 32);
	mrfld_soc_module0(rig->soc, false, 0x1000, 4);
	mrfld_soc_module0(rig->soc, false, 0x103f, 1);
	ck_assert_uint_eq(total(rig, 1, 0), 3);
	/* Eight bytes across a 32-byte boundary need both bursts. */
	mrfld_soc_module0(rig->soc, false, 0x101c, 8);
	ck_assert_uint_eq(total(rig, 1, 0), 5);
	rig_free(rig);
}

TEST(interleave_sets_the_block_of_a_channel)
{
	struct mrfld_params params;
	struct rig *rig;

	mrfld_params_init(&params);
	params.interleave = 4096;
	rig = rig_new(&params);
	rig_job(rig, &(struct job){ .size = 64, .bytes = 3 * 4096 });
	/* Pages 0x100, 0x101, 0x102: channels 0, 1, 0, 128 accesses each. */
	ck_assert_uint_eq(total(rig, 1, 0), 256);
	ck_assert_uint_eq(total(rig, 1, 2), 128);
	rig_free(rig);
}

TEST(one_channel_takes_everything_and_the_other_stays_zero)
{
	struct mrfld_params params;
	struct rig *rig;

	mrfld_params_init(&params);
	params.channels = 1;
	rig = rig_new(&params);
	rig_job(rig, &(struct job){ .size = 64, .bytes = 4096 });
	rig_pass(rig, 10000000);
	ck_assert_uint_eq(total(rig, 1, 0), 128);
	for (unsigned int i = 2; i < 4; i++) {
		ck_assert_uint_eq(total(rig, 1, i), 0);
		ck_assert_uint_eq(total(rig, 2, i), 0);
	}
	rig_free(rig);
}

TEST(an_idle_channel_is_busy_then_shallow_then_deep)
{
	struct rig *rig = rig_new(NULL);

	/* Defaults: shallow after 10 us, deep after 1000 us, 533 MHz. Counters 0, 1: deep, shallow. */
	rig_pass(rig, 10000);
	ck_assert_uint_eq(total(rig, 2, 1), 0);
	rig_pass(rig, 990000);
	/* 990 us * 533 MHz */
	ck_assert_uint_eq(total(rig, 2, 1), 527670);
	ck_assert_uint_eq(total(rig, 2, 0), 0);
	rig_pass(rig, 1000000);
	ck_assert_uint_eq(total(rig, 2, 1), 527670);
	ck_assert_uint_eq(total(rig, 2, 0), 533000);
	/* Channel 1 is idle as well. */
	ck_assert_uint_eq(total(rig, 2, 2), 533000);
	ck_assert_uint_eq(total(rig, 2, 3), 527670);
	rig_free(rig);
}

TEST(an_access_ends_self_refresh_of_its_channel_only)
{
	struct rig *rig = rig_new(NULL);

	rig_pass(rig, 110000);
	mrfld_soc_module0(rig->soc, false, 0x1000, 64);
	rig_pass(rig, 10000);
	/* Channel 0: 100 us shallow, then busy. Channel 1: 110 us. */
	ck_assert_uint_eq(total(rig, 2, 1), 53300);
	ck_assert_uint_eq(total(rig, 2, 3), 58630);
	rig_free(rig);
}

TEST(gaps_between_the_requests_of_a_stream_count)
{
	struct mrfld_params params;
	struct rig *rig;

	mrfld_params_init(&params);
	params.channels = 1;
	rig = rig_new(&params);
	/*
	 * 64 bytes at 640 kB/s: a request each 100 us, the first 100 us after the start. Each gap of
	 * 100 us has 90 us of shallow self-refresh: 5 requests, 450 us * 533 MHz.
	 */
	rig_job(rig, &(struct job){ .size = 64, .bytes = 5 * 64, .rate = 640 });
	ck_assert_uint_eq(mrfld_soc_now(rig->soc), 500000);
	ck_assert_uint_eq(total(rig, 2, 1), 239850);
	rig_free(rig);
}

TEST(two_streams_share_the_time_line)
{
	struct mrfld_params params;
	struct rig *rig;

	mrfld_params_init(&params);
	params.channels = 1;
	rig = rig_new(&params);
	/*
	 * gfx at 100, 200, 300, 400, 500 us and imaging at 50, 100, ... 500 us: with both, the
	 * largest gap is 50 us, of which 40 us are shallow: 10 gaps, 400 us * 533 MHz.
	 */
	rig_start(rig, &(struct job){ .agent = MRFLD_AGENT_GFX, .size = 64, .bytes = 5 * 64,
				      .rate = 640 });
	rig_start(rig, &(struct job){ .agent = MRFLD_AGENT_IMAGING, .size = 64, .bytes = 10 * 64,
				      .rate = 1280 });
	rig_run(rig);
	ck_assert_uint_eq(mrfld_soc_now(rig->soc), 500000);
	ck_assert_uint_eq(total(rig, 2, 1), 213200);
	rig_free(rig);
}
