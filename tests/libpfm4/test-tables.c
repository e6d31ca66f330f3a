/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every event of every table encodes as the hardware's documents say. The documents' tables are
 * next to this file; they were not made from events/.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/libpfm4/table.h"
#include "tests/main.h"

static void setup(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	ck_assert_int_eq(pfm_initialize(), PFM_SUCCESS);
}

static void teardown(void)
{
	pfm_terminate();
}

static void expect_config(const char *event, uint64_t expected)
{
	uint64_t config = 0;
	int ret = encode(event, &config, NULL);

	ck_assert_msg(ret == PFM_SUCCESS, "%s: %s", event, pfm_strerror(ret));
	ck_assert_msg(config == expected, "%s: %#llx instead of %#llx", event,
		      (unsigned long long)config, (unsigned long long)expected);
}

static void expect_error(const char *event, int error)
{
	uint64_t config;
	int ret = encode(event, &config, NULL);

	ck_assert_msg(ret == error, "%s: %s instead of %s", event, pfm_strerror(ret), pfm_strerror(error));
}

SUITE("libpfm4 tables", .setup = setup, .teardown = teardown);

/* tile=N adds N << 8 and bit 16 (design: event 0-7, tile 8-15, bytile 16) */
TEST(espmon_events_are_the_monitor_indexes)
{
	struct table t;
	char event[256];

	table_read(&t, "espmon.csv");
	ck_assert_int_eq(count_events("espmon"), t.nrows);
	for (int i = 0; i < t.nrows; i++) {
		uint64_t code = strtoull(t.rows[i][1], NULL, 0);

		snprintf(event, sizeof(event), "espmon::%s", t.rows[i][0]);
		expect_config(event, code);
		snprintf(event, sizeof(event), "espmon::%s:tile=255", t.rows[i][0]);
		expect_config(event, code | 255 << 8 | 1 << 16);
	}
	table_free(&t);
}

/* counter 0-7, group 8-15; 54 lines of the article and the clock of whichever group runs, config 0 */
TEST(mrfld_visa_events_are_group_and_counter)
{
	struct table t;
	char event[256];

	table_read(&t, "mrfld_visa.csv");
	ck_assert_int_eq(t.nrows, 54);
	ck_assert_int_eq(count_events("mrfld_visa"), 55);
	for (int i = 0; i < t.nrows; i++) {
		snprintf(event, sizeof(event), "mrfld_visa::unc_visa_%s", sysfs_name(t.rows[i][1]));
		expect_config(event, atoi(t.rows[i][0]) << 8 | atoi(t.rows[i][2]));
		/* the article's own spelling, but for '-' */
		snprintf(event, sizeof(event), "mrfld_visa::UNC_VISA_%s", t.rows[i][1]);
		if (!strchr(event, '-'))
			expect_config(event, atoi(t.rows[i][0]) << 8 | atoi(t.rows[i][2]));
	}
	expect_config("mrfld_visa::unc_visa_clock_counter", 0);
	table_free(&t);
}

/* event 0-11, dpu 12-19, bydpu 20, chain 21; only the bank interface has counters to chain */
TEST(upmem_events_are_the_codes_of_the_sdk)
{
	struct table t;
	char event[256];

	table_read(&t, "upmem.csv");
	ck_assert_int_eq(t.nrows, 10);
	ck_assert_int_eq(count_events("upmem"), 10);
	for (int i = 0; i < t.nrows; i++) {
		uint64_t code = strtoull(t.rows[i][1], NULL, 0);
		const char *name = sysfs_name(t.rows[i][0]);

		snprintf(event, sizeof(event), "upmem::%s", name);
		expect_config(event, code);
		snprintf(event, sizeof(event), "upmem::%s:dpu=63", name);
		expect_config(event, code | 63 << 12 | 1 << 20);
		snprintf(event, sizeof(event), "upmem::%s:chain", name);
		if (atoi(t.rows[i][2]))
			expect_config(event, code | 1 << 21);
		else
			expect_error(event, PFM_ERR_ATTR);
	}
	table_free(&t);
}

static void check_hexagon_event(const char *pmu, const char *name, const char *id, bool maskable)
{
	uint64_t code = strtoull(id, NULL, 0);
	char event[256];

	snprintf(event, sizeof(event), "%s::%s", pmu, sysfs_name(name));
	expect_config(event, code);
	strcat(event, ":stid=5");
	if (maskable)
		expect_config(event, code | 5 << 16);
	else
		expect_error(event, PFM_ERR_ATTR);
}

TEST(hexagon_has_all_selectors)
{
	struct table t;

	table_read(&t, "hexagon.csv");
	ck_assert_int_eq(t.nrows, 360);
	ck_assert_int_eq(count_events("hexagon"), 360);
	for (int i = 0; i < t.nrows; i++)
		check_hexagon_event("hexagon", t.rows[i][1], t.rows[i][0],
				    !strcmp(t.rows[i][2], "yes"));
	table_free(&t);
}

/*
 * V65: 114 rows seen in it and the 58 of its own; V69: no public table, 240 rows are strong or
 * assumed, and an article reads one more; V73: 300 rows seen, V79: 338.
 */
static const struct {
	const char *pmu, *seen;
	int events;
} versions[] = {
	{ "hexagon_v65", "v65", 172 },
	{ "hexagon_v69", NULL, 241 },
	{ "hexagon_v73", "v73", 300 },
	{ "hexagon_v79", "v79", 338 },
};

LOOP_TEST(a_hexagon_version_has_its_selectors_and_no_others, 0, sizeof(versions) / sizeof(versions[0]))
{
	const char *pmu = versions[_i].pmu, *seen = versions[_i].seen;
	struct table t, v65;
	char event[256];
	int n = 0;

	table_read(&t, "hexagon.csv");
	table_read(&v65, "hexagon_v65.csv");
	ck_assert_int_eq(v65.nrows, 58);

	for (int i = 0; i < t.nrows; i++) {
		const char *name = t.rows[i][1], *v69 = t.rows[i][4];
		bool own = false;

		if (seen ? has_word(t.rows[i][3], seen) :
		    !strcmp(v69, "strong") || !strcmp(v69, "assumed") ||
		    !strcmp(v69, "article")) {
			check_hexagon_event(pmu, name, t.rows[i][0], !strcmp(t.rows[i][2], "yes"));
			n++;
			continue;
		}
		for (int j = 0; seen && !strcmp(seen, "v65") && j < v65.nrows; j++)
			own |= !strcmp(v65.rows[j][1], name);
		if (!own) {
			snprintf(event, sizeof(event), "%s::%s", pmu, sysfs_name(name));
			expect_error(event, PFM_ERR_NOTFOUND);
		}
	}
	for (int i = 0; i < v65.nrows && seen && !strcmp(seen, "v65"); i++, n++)
		check_hexagon_event(pmu, v65.rows[i][1], v65.rows[i][0], false);

	ck_assert_int_eq(n, versions[_i].events);
	ck_assert_int_eq(count_events(pmu), versions[_i].events);
	table_free(&v65);
	table_free(&t);
}
