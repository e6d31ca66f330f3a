/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

/* First counter of the agent's group: read partial, 32, 64, write partial, 32, 64. */
static const unsigned int group_of[MRFLD_NAGENTS] = {
	[MRFLD_AGENT_GFX] = 6,
	[MRFLD_AGENT_DISP] = 7,
	[MRFLD_AGENT_IMAGING] = 8,
	[MRFLD_AGENT_LOWSPEEDPF] = 9,
};

static const unsigned int sizes[] = { 16, 32, 64 };

SUITE("engine");

/* 16 pages are moved by each agent, in each direction and request size. */
LOOP_TEST(every_request_is_counted_once_and_in_the_right_place, 0, MRFLD_NAGENTS * 6)
{
	unsigned int agent = _i / 6, write = _i / 3 % 2, which = _i % 3;
	unsigned int size = sizes[which];
	struct rig *rig = rig_new(NULL);

	rig_job(rig, &(struct job){ .agent = agent, .write = write, .size = size, .bytes = 65536 });
	for (unsigned int a = 0; a < MRFLD_NAGENTS; a++)
		for (unsigned int i = 0; i < 6; i++)
			ck_assert_uint_eq(mrfld_soc_total(rig->soc, group_of[a], i),
					  a == agent && i == 3 * write + which ? 65536 / size : 0);
	/* DRAM: 65536 / 32 accesses, but one for each partial request; half in either channel. */
	for (unsigned int channel = 0; channel < 2; channel++)
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 1, 2 * channel + write),
				  65536 / (size < 32 ? size : 32) / 2);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 1, !write), 0);
	rig_free(rig);
}

TEST(a_read_stream_is_really_read)
{
	struct rig *rig = rig_new(NULL);
	uint64_t sum = 0, got;

	for (uint32_t i = 0; i < 16384; i++) {
		uint32_t word = i * 2654435761u;

		memcpy(rig->mem + RIG_WINDOW + 4 * i, &word, 4);
		sum += word;
	}
	rig_job(rig, &(struct job){ .size = 64, .bytes = 65536 });
	got = rig_engine(rig, 0, MRFLD_ENG_SUM_LO);
	got |= (uint64_t)rig_engine(rig, 0, MRFLD_ENG_SUM_HI) << 32;
	ck_assert_uint_eq(got, sum);
	rig_free(rig);
}

LOOP_TEST(a_write_stream_is_really_written_and_nothing_else, 0, 3)
{
	unsigned int size = sizes[_i];
	struct rig *rig = rig_new(NULL);
	uint32_t word;

	memset(rig->mem + RIG_WINDOW, 0xee, 0x20000);
	rig_job(rig, &(struct job){ .write = true, .size = size, .bytes = 65536, .seed = 0xfffffff0 });
	for (uint32_t i = 0; i < 16384; i++) {
		memcpy(&word, rig->mem + RIG_WINDOW + 4 * i, 4);
		ck_assert_uint_eq(word, 0xfffffff0u + i);
	}
	for (uint32_t i = 65536; i < 0x20000; i++)
		ck_assert_uint_eq(rig->mem[RIG_WINDOW + i], 0xee);
	rig_free(rig);
}

TEST(the_stream_wraps_in_its_window_and_follows_the_page_table)
{
	struct rig *rig = rig_new(NULL);
	uint64_t second = RIG_WINDOW + 0x80000;
	uint32_t word;

	/* Window of 1.5 pages, the second page elsewhere; 3 pages in all: twice through. */
	memcpy(rig->mem + RIG_TABLE + 8, &second, 8);
	rig_job(rig, &(struct job){ .write = true, .size = 32, .bytes = 3 * 4096, .window = 6144 });
	memcpy(&word, rig->mem + RIG_WINDOW, 4);
	ck_assert_uint_eq(word, 6144 / 4);
	memcpy(&word, rig->mem + second + 2044, 4);
	ck_assert_uint_eq(word, 3 * 4096 / 4 - 1);
	memcpy(&word, rig->mem + second + 2048, 4);
	ck_assert_uint_eq(word, 0);
	rig_free(rig);
}

TEST(a_job_takes_bytes_over_rate)
{
	struct rig *rig = rig_new(NULL);

	/* 64000 bytes at 3 MB/s: 21333333 ns, rounded down; no drift over 1000 requests. */
	rig_job(rig, &(struct job){ .size = 64, .bytes = 64000, .rate = 3000 });
	ck_assert_uint_eq(mrfld_soc_now(rig->soc), 21333333);
	rig_free(rig);
}

TEST(a_look_at_any_time_finds_exactly_the_requests_due)
{
	struct rig *rig = rig_new(NULL);

	/* 64 bytes at 64 MB/s: one request a microsecond. */
	rig_start(rig, &(struct job){ .write = true, .size = 64, .bytes = 65536, .rate = 64000 });
	for (unsigned int us = 1; us <= 100; us++) {
		rig_pass(rig, 999);
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 6, 5), us - 1);
		rig_pass(rig, 1);
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 6, 5), us);
		/* Data up to the last request is there, and nothing after it. */
		ck_assert_uint_eq(rig->mem[RIG_WINDOW + us * 64 - 4], (us * 16 - 1) & 0xff);
		ck_assert_uint_eq(rig->mem[RIG_WINDOW + us * 64], 0);
		ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_DONE_LO), us * 64);
	}
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), MRFLD_STATUS_RUN);
	rig_free(rig);
}

TEST(one_big_step_equals_many_small_ones)
{
	struct rig *a = rig_new(NULL), *b = rig_new(NULL);
	struct job gfx = { .agent = 0, .size = 64, .bytes = 1 << 20, .rate = 777777 };
	struct job imaging = { .agent = 2, .size = 32, .bytes = 1 << 19, .rate = 123456,
			       .write = true, .snoop = true };

	rig_start(a, &gfx);
	rig_start(a, &imaging);
	rig_start(b, &gfx);
	rig_start(b, &imaging);
	rig_pass(a, 5000000);
	for (int i = 0; i < 5000; i++)
		rig_pass(b, 1000);
	for (unsigned int g = 1; g <= MRFLD_NGROUPS; g++)
		for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
			ck_assert_uint_eq(mrfld_soc_total(a->soc, g, i),
					  mrfld_soc_total(b->soc, g, i));
	ck_assert_int_eq(memcmp(a->mem, b->mem, RIG_MEM), 0);
	rig_free(a);
	rig_free(b);
}

TEST(abort_stops_at_the_last_request)
{
	struct rig *rig = rig_new(NULL);

	rig_start(rig, &(struct job){ .size = 64, .bytes = 65536, .rate = 64000 });
	rig_pass(rig, 10500);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(0, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), 0);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_DONE_LO), 640);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 6, 2), 10);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	rig_free(rig);
}

LOOP_TEST(a_malformed_job_is_refused, 0, 5)
{
	static const struct job bad[] = {
		{ .size = 12, .bytes = 4096 },
		{ .size = 64, .bytes = 4100 },
		{ .size = 64, .bytes = 4096, .window = 100 },
		/* 40 million requests a second are the limit: 64 bytes at 2.56 GB/s. */
		{ .size = 64, .bytes = 4096, .rate = 2560001 },
		{ .size = 4, .bytes = 4096, .rate = 160001 },
	};
	struct rig *rig = rig_new(NULL);

	rig_start(rig, &bad[_i]);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), MRFLD_STATUS_BAD);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	ck_assert_uint_eq(rig->errors, 1);
	rig_free(rig);
}

TEST(an_address_that_is_not_memory_is_a_fault)
{
	struct rig *rig = rig_new(NULL);
	uint64_t nowhere = 1ull << 40;

	memcpy(rig->mem + RIG_TABLE + 8, &nowhere, 8);
	rig_start(rig, &(struct job){ .write = true, .size = 64, .bytes = 65536 });
	rig_run(rig);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), MRFLD_STATUS_FAULT);
	/* The first page was moved. */
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_DONE_LO), 4096);
	rig_free(rig);
}

TEST(registers_of_a_running_agent_do_not_change)
{
	struct rig *rig = rig_new(NULL);

	rig_start(rig, &(struct job){ .size = 64, .bytes = 65536, .rate = 64000 });
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(0, MRFLD_ENG_WINDOW), 0);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_WINDOW), 65536);
	ck_assert_uint_eq(rig->errors, 1);
	rig_run(rig);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), MRFLD_STATUS_DONE);
	rig_free(rig);
}
