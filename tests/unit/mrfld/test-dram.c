/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

static uint64_t total(struct rig *rig, unsigned int group, unsigned int counter)
{
	return mrfld_soc_total(rig->soc, group, counter);
}

/* What happens, in this order, and what both channels have counted then. */
static const struct row {
	const char *name;
	unsigned int channels, interleave;	/* 0: the default, 2 and 64 bytes */
	uint64_t before;			/* ns that pass */
	struct { bool write; uint64_t addr; unsigned int size; } requests[3];
	struct job jobs[2];			/* side by side */
	uint64_t now;				/* their end; 0: any */
	uint64_t after;				/* ns that pass */
	uint64_t accesses[4];			/* channel 0: reads, writes; channel 1 */
	uint64_t refresh[4];			/* channel 0: cycles of deep, shallow self-refresh; channel 1 */
} rows[] = {
	/* Interleaving every 64 bytes: 0x1000 is channel 0, 0x1040 channel 1. */
	{ "a 64-byte request is two accesses of one channel",
	  .requests = { { false, 0x1000, 64 }, { true, 0x1040, 64 } }, .accesses = { 2, 0, 0, 2 } },
	{ "smaller requests are one access",
	  .requests = { { false, 0x1020, 32 }, { false, 0x1000, 4 }, { false, 0x103f, 1 } }, .accesses = { 3 } },
	{ "eight bytes across a 32-byte boundary need both bursts",
	  .requests = { { false, 0x101c, 8 } }, .accesses = { 2 } },
	/*
	 * Pages 0x100, 0x101, 0x102: channels 0, 1, 0, 128 accesses each. 64 bytes at 100 MB/s are a request each 640
	 * ns. Channel 0 rests for 65 of them in the middle, of which 31.6 us are shallow; channel 1 for 65 before its
	 * page and 64 after it, 31.6 + 30.96 us; * 533 MHz.
	 */
	{ "interleave sets the block of a channel", .interleave = 4096, .jobs = { { .size = 64, .bytes = 3 * 4096 } },
	  .accesses = { 256, 0, 128, 0 }, .refresh = { 0, 16842, 0, 33344 } },
	/* 9000 us deep, 990 us shallow */
	{ "one channel takes everything and the other stays zero", .channels = 1,
	  .jobs = { { .size = 64, .bytes = 4096 } }, .after = 10000000,
	  .accesses = { 128 }, .refresh = { 4797000, 527670 } },

	/* Defaults: shallow after 10 us, deep after 1000 us, 533 MHz. 990 us * 533 MHz, then 1000 us * 533 MHz. */
	{ "an idle channel is busy at first", .after = 10000 },
	{ "an idle channel is then shallow", .before = 10000, .after = 990000, .refresh = { 0, 527670, 0, 527670 } },
	{ "an idle channel is then deep", .before = 1000000, .after = 1000000,
	  .refresh = { 533000, 527670, 533000, 527670 } },
	/* Channel 0: 100 us shallow, then busy. Channel 1: 110 us. */
	{ "an access ends self-refresh of its channel only", .before = 110000, .requests = { { false, 0x1000, 64 } },
	  .after = 10000, .accesses = { 2 }, .refresh = { 0, 53300, 0, 58630 } },
	/*
	 * 64 bytes at 640 kB/s: a request each 100 us, the first 100 us after the start. Each gap of 100 us has 90 us
	 * of shallow self-refresh: 5 requests, 450 us * 533 MHz.
	 */
	{ "gaps between the requests of a stream count", .channels = 1,
	  .jobs = { { .size = 64, .bytes = 5 * 64, .rate = 640 } },
	  .now = 500000, .accesses = { 10 }, .refresh = { 0, 239850 } },
	/*
	 * gfx at 100, 200, 300, 400, 500 us and imaging at 50, 100, ... 500 us: with both, the largest gap is 50 us, of
	 * which 40 us are shallow: 10 gaps, 400 us * 533 MHz.
	 */
	{ "two streams share the time line", .channels = 1,
	  .jobs = { { .agent = MRFLD_AGENT_GFX, .size = 64, .bytes = 5 * 64, .rate = 640 },
		    { .agent = MRFLD_AGENT_IMAGING, .size = 64, .bytes = 10 * 64, .rate = 1280 } },
	  .now = 500000, .accesses = { 30 }, .refresh = { 0, 213200 } },
};

SUITE("dram");

LOOP_TEST(each_row, 0, sizeof(rows) / sizeof(*rows))
{
	const struct row *r = &rows[_i];
	struct mrfld_params params;
	struct rig *rig;
	int i;

	mrfld_params_init(&params);
	params.channels = r->channels ? r->channels : params.channels;
	params.interleave = r->interleave ? r->interleave : params.interleave;
	rig = rig_new(&params);
	rig_pass(rig, r->before);
	for (i = 0; i < 3 && r->requests[i].size; i++)
		mrfld_soc_module0(rig->soc, r->requests[i].write, r->requests[i].addr, r->requests[i].size);
	for (i = 0; i < 2 && r->jobs[i].size; i++)
		rig_start(rig, &r->jobs[i]);
	rig_run(rig);
	while (i--) {
		ck_assert_uint_eq(rig_engine(rig, r->jobs[i].agent, MRFLD_ENG_STATUS), MRFLD_STATUS_DONE);
		ck_assert_uint_eq(rig_engine(rig, r->jobs[i].agent, MRFLD_ENG_DONE_LO), r->jobs[i].bytes);
	}
	if (r->now)
		ck_assert_uint_eq(mrfld_soc_now(rig->soc), r->now);
	rig_pass(rig, r->after);
	for (i = 0; i < 4; i++) {
		ck_assert_msg(total(rig, 1, i) == r->accesses[i], "%s: %d: %u accesses", r->name, i,
			      (unsigned int)total(rig, 1, i));
		ck_assert_msg(total(rig, 2, i) == r->refresh[i], "%s: %d: %u cycles of self-refresh", r->name, i,
			      (unsigned int)total(rig, 2, i));
	}
	rig_free(rig);
}
