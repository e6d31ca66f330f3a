// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu/mrfld/mrfld_visa_config.c: attr.config of the PMU mrfld_visa, and which of the nine
 * groups has the counters.
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/mrfld/mrfld_visa_config.h"
#include "tests/main.h"
#include "tests/unit/pmu/pmu-test.h"

/*
 * Index of the clock in the groups of Intel's article, which is the last of each: bandwidth and
 * self-refresh of the DRAM, all requests, bandwidth and snoops of module 0, then graphics, display,
 * imaging and fabric.
 */
static const unsigned int clocks[] = { 4, 4, 5, 6, 2, 6, 6, 6, 6 };

#define COUNTER(config)	((unsigned int)(config) & 0xff)
#define GROUP(config)	((unsigned int)(config) >> 8 & 0xff)

static bool must_be_valid(u64 config)
{
	if (config >> 16)
		return false;
	/* the clock of any group */
	if (!GROUP(config))
		return !COUNTER(config);
	return GROUP(config) <= 9 && COUNTER(config) <= clocks[GROUP(config) - 1];
}

/* All valid ones: 45 events, nine clocks, and the clock of any group. */
#define NCONFIGS 55

static void all_configs(u64 *configs)
{
	unsigned int n = 0;
	u64 config;

	for (config = 0; config < 1 << 16; config++) {
		if (!must_be_valid(config))
			continue;
		ck_assert_uint_lt(n, NCONFIGS);
		configs[n++] = config;
	}
	ck_assert_uint_eq(n, NCONFIGS);
}

SUITE("mrfld");

TEST(configs_are_valid_or_not)
{
	unsigned int bit;
	u64 config;

	for (config = 0; config < 1 << 18; config++) {
		int err = mrfld_config_check(config);

		if (err != (must_be_valid(config) ? 0 : -EINVAL))
			ck_abort_msg("config %#llx: %d", (unsigned long long)config, err);
		for (bit = 16; !err && bit < 64; bit++)
			if (!mrfld_config_check(config | 1ULL << bit))
				ck_abort_msg("config %#llx with bit %u is valid",
					     (unsigned long long)config, bit);
	}
}

/* To the core each event has a counter of its own; the last three bits are its slice. */
TEST(events_have_their_counters)
{
	bool taken[10 * 8] = { false };
	u64 configs[NCONFIGS];
	unsigned int i;

	ck_assert_uint_eq(MRFLD_COUNTERS, 10 * 8);
	all_configs(configs);
	for (i = 0; i < NCONFIGS; i++) {
		unsigned int counter = mrfld_counter(configs[i]);

		ck_assert_uint_eq(mrfld_group(configs[i]), GROUP(configs[i]));
		ck_assert_uint_eq(counter, 8 * GROUP(configs[i]) + COUNTER(configs[i]));
		ck_assert_uint_lt(counter, 10 * 8);
		ck_assert(!taken[counter]);
		taken[counter] = true;
	}
}

/* Any two events fit unless they are of two groups. */
TEST(two_groups_never_meet)
{
	u64 configs[NCONFIGS];
	unsigned int i, j;

	all_configs(configs);
	for (i = 0; i < NCONFIGS; i++)
		for (j = 0; j < NCONFIGS; j++) {
			unsigned int a = GROUP(configs[i]), b = GROUP(configs[j]);
			struct mrfld_alloc alloc = { 0 }, before;
			bool ok = !a || !b || a == b;

			ck_assert_int_eq(mrfld_alloc_claim(&alloc, configs[i]), 0);
			before = alloc;
			ck_assert_int_eq(mrfld_alloc_claim(&alloc, configs[j]), ok ? 0 : -ENOSPC);
			if (!ok)
				ck_assert_mem_eq(&alloc, &before, sizeof(alloc));
			/* when the first is released there is room for the second */
			mrfld_alloc_release(&alloc, configs[i]);
			if (!ok)
				ck_assert_int_eq(mrfld_alloc_claim(&alloc, configs[j]), 0);
			mrfld_alloc_release(&alloc, configs[j]);
			ck_assert_uint_eq(alloc.users, 0);
		}
}

/* All events of a group count together, and the clock of any group with them. */
TEST(groups_fit_as_a_whole)
{
	u64 configs[NCONFIGS];
	unsigned int group, i;

	all_configs(configs);
	for (group = 1; group <= 9; group++) {
		struct mrfld_alloc alloc = { 0 };

		for (i = 0; i < NCONFIGS; i++)
			if (!GROUP(configs[i]) || GROUP(configs[i]) == group)
				ck_assert_int_eq(mrfld_alloc_claim(&alloc, configs[i]), 0);
		for (i = 0; i < NCONFIGS; i++)
			if (GROUP(configs[i]) && GROUP(configs[i]) != group)
				ck_assert_int_eq(mrfld_alloc_claim(&alloc, configs[i]), -ENOSPC);
	}
}

/* The model: a list of the events that have been claimed. All but the clock are of one group. */
LOOP_TEST(random_claims_follow_the_model, 0, 20)
{
	unsigned int seed = _i + 1, step, i, n = 0, refused = 0;
	u64 configs[NCONFIGS], events[50];
	struct mrfld_alloc alloc, before;

	srandom(seed);
	all_configs(configs);
	memset(&alloc, 0, sizeof(alloc));
	for (step = 0; step < 5000; step++) {
		/* mostly few, so that groups often change */
		if (random() % 16 < 7 && n < ARRAY_SIZE(events)) {
			u64 config = configs[random() % NCONFIGS];
			bool ok = true;

			for (i = 0; i < n; i++)
				if (GROUP(config) && GROUP(events[i]) &&
				    GROUP(config) != GROUP(events[i]))
					ok = false;
			memcpy(&before, &alloc, sizeof(alloc));
			must(mrfld_alloc_claim(&alloc, config) == (ok ? 0 : -ENOSPC));
			if (ok) {
				events[n++] = config;
			} else {
				refused++;
				must(!memcmp(&before, &alloc, sizeof(alloc)));
			}
		} else if (n) {
			i = random() % n;
			mrfld_alloc_release(&alloc, events[i]);
			events[i] = events[--n];
		}
	}
	must(refused > 100 && refused < 4000);
	while (n)
		mrfld_alloc_release(&alloc, events[--n]);
	must(!alloc.users);
}

/* The clock is the last slice of each group. */
TEST(groups_have_their_size)
{
	unsigned int group;

	for (group = 1; group <= 9; group++)
		ck_assert_uint_eq(mrfld_group_size(group), clocks[group - 1] + 1);
}

/* ABI-mrfld_visa.txt: the processors' accesses are requests of module 0, and the DRAM's work. */
TEST(processors_change_some_events)
{
	u64 configs[NCONFIGS];
	unsigned int i;

	all_configs(configs);
	for (i = 0; i < NCONFIGS; i++) {
		unsigned int group = GROUP(configs[i]);
		/* DRAM, self-refresh, bandwidth of module 0, and the first of all requests */
		bool wants = group == 1 || group == 2 || group == 4 || configs[i] == (3 << 8 | 0);

		ck_assert_msg(mrfld_counter_wants(mrfld_counter(configs[i])) == wants,
			      "config %#llx", (unsigned long long)configs[i]);
	}
}
