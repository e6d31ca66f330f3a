/* SPDX-License-Identifier: GPL-2.0-only */
/* Every event of the article is at its counter of its group. */
#include <string.h>

#include "events/mrfld/config.h"
#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

#define SECOND 1000000000ull

struct event {
	const char *name;
	unsigned int group, counter;
};

static const struct event events[] = {
#define MON_EVENT(name, config, ...) \
	{ #name, MON_GET(MRFLD_CONFIG_GROUP, config), MON_GET(MRFLD_CONFIG_COUNTER, config) },
#include "events/mrfld/events.def"
#undef MON_EVENT
};

SUITE("signals");

TEST(the_catalogue_has_45_events_and_9_clocks)
{
	/* The article's table: events of each group, clock included; where the clock is. */
	static const unsigned int size[] = { 0, 5, 5, 6, 7, 3, 7, 7, 7, 7 };
	unsigned int seen[10] = { 0 }, clocks = 0;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct event *e = &events[i];

		if (!e->group)
			continue;	/* clock_counter of whichever group runs */
		ck_assert_uint_lt(e->counter, size[e->group]);
		ck_assert_uint_eq(seen[e->group] >> e->counter & 1, 0);
		seen[e->group] |= 1u << e->counter;
		if (strstr(e->name, "_clock")) {
			clocks++;
			ck_assert_uint_eq(e->counter, size[e->group] - 1);
		}
	}
	ck_assert_uint_eq(clocks, 9);
	for (unsigned int g = 1; g <= 9; g++)
		ck_assert_uint_eq(seen[g], (1u << size[g]) - 1);
}

TEST(each_group_has_its_clock_and_it_runs_at_the_soc_rate)
{
	static const unsigned int clock[] = { 0, 4, 4, 5, 6, 2, 6, 6, 6, 6 };
	struct rig *rig = rig_new(NULL);

	for (unsigned int g = 1; g <= 9; g++) {
		rig_group(rig, g);
		rig_pass(rig, 1000000);
		/* 1 ms at 400 MHz */
		ck_assert_uint_eq(rig_sample(rig, clock[g]), 400000);
	}
	rig_free(rig);
}

TEST(partial_of_module_0_is_the_total_of_all_sizes)
{
	struct rig *rig = rig_new(NULL);

	for (unsigned int write = 0; write < 2; write++) {
		for (unsigned int i = 0; i < 5; i++)
			mrfld_soc_module0(rig->soc, write, 0x1000, 64);
		for (unsigned int i = 0; i < 3; i++)
			mrfld_soc_module0(rig->soc, write, 0x1000, 32);
		for (unsigned int i = 0; i < 2; i++)
			mrfld_soc_module0(rig->soc, write, 0x1000, 8);
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 4, 3 * write), 5 + 3 + 2);
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 4, 3 * write + 1), 3);
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 4, 3 * write + 2), 5);
	}
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 3, 0), 20);
	rig_free(rig);
}

TEST(all_reqs_counts_requests_of_any_size_and_direction)
{
	/* Order of the article's table: module 0, display, GFX, imaging, low-speed fabric. */
	static const unsigned int counter_of[MRFLD_NAGENTS] = {
		[MRFLD_AGENT_GFX] = 2,
		[MRFLD_AGENT_DISP] = 1,
		[MRFLD_AGENT_IMAGING] = 3,
		[MRFLD_AGENT_LOWSPEEDPF] = 4,
	};
	struct rig *rig = rig_new(NULL);

	for (unsigned int a = 0; a < MRFLD_NAGENTS; a++) {
		rig_job(rig, &(struct job){ .agent = a, .size = 64, .bytes = 6400 });
		rig_job(rig, &(struct job){ .agent = a, .size = 32, .bytes = 320, .write = true });
		rig_job(rig, &(struct job){ .agent = a, .size = 8, .bytes = 8 * (a + 1) });
		ck_assert_uint_eq(mrfld_soc_total(rig->soc, 3, counter_of[a]), 100 + 10 + a + 1);
	}
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 3, 0), 0);
	rig_free(rig);
}

TEST(snooped_requests_are_asked_and_answered_once)
{
	struct rig *rig = rig_new(NULL);

	rig_job(rig, &(struct job){ .size = 64, .bytes = 6400, .snoop = true });
	rig_job(rig, &(struct job){ .size = 64, .bytes = 6400 });
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 5, 0), 100);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 5, 1), 100);
	rig_free(rig);
}

TEST(a_counter_sees_only_what_happens_while_it_runs)
{
	struct rig *rig = rig_new(NULL);
	struct job job = { .size = 64, .bytes = 6400 };

	rig_job(rig, &job);
	rig_group(rig, 6);
	rig_job(rig, &job);
	ck_assert_uint_eq(rig_sample(rig, 2), 100);
	rig_group(rig, 1);
	rig_job(rig, &job);
	rig_group(rig, 6);
	ck_assert_uint_eq(rig_sample(rig, 2), 0);
	rig_free(rig);
}
