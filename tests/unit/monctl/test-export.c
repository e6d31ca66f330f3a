// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl: export-*.c, page.c. The expected numbers follow from fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/monctl/fixture.h"
#include "tools/monctl/export/export.h"
#include "tools/monctl/show/prometheus.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/page.h"

static char *text;
static size_t size;

static void unload(void)
{
	fixture_unload();
	free(text);
	text = NULL;
}

static void export_with(void (*write)(const struct recording *rec, FILE *out))
{
	FILE *out = open_memstream(&text, &size);

	write(rec, out);
	fclose(out);
}

SUITE("export", .setup = fixture_load, .teardown = unload);

TEST(csv_has_a_line_for_each_interval_and_columns_that_add_up)
{
	unsigned long long sum = 0, value;
	size_t lines = 0;
	char *line, *save = NULL;
	double seconds;

	export_with(export_csv);
	line = strtok_r(text, "\n", &save);
	ck_assert_msg(!strncmp(line, "seconds,\"espmon/noc_injects_p0,tile=0/ [flits]\",", 48), "%s", line);
	ck_assert_ptr_nonnull(strstr(line, ",\"upmem/dpu_instructions/ [instructions]\",runs"));
	while ((line = strtok_r(NULL, "\n", &save))) {
		/* the fourth column: 3 a sample, that is tile 2 of plane 0 */
		ck_assert_int_eq(sscanf(line, "%lf,%*u,%*u,%llu", &seconds, &value), 2);
		ck_assert_double_eq_tol(seconds, lines * 1e-3, 1e-9);
		/* dev.0 runs from 20 to 30 ms, dev.1 to 40 ms and from 50 ms on */
		if (lines == 19 || lines == 30)
			ck_assert_str_eq(strchr(line, '"'), "\"dev.1 tester\"");
		if (lines == 20 || lines == 29)
			ck_assert_ptr_nonnull(strstr(line, "dev.0 tester: full, 8 bytes"));
		if (lines == 45)
			ck_assert_str_eq(strchr(line, '"'), "\"\"");
		sum += value;
		lines++;
	}
	ck_assert_uint_eq(lines, FIXTURE_SAMPLES);
	ck_assert_uint_eq(sum, 3 * FIXTURE_SAMPLES);
}

/* The last total of a series. */
static double last_value(const char *series)
{
	const char *at = text, *last = NULL;

	while ((at = strstr(at, series)))
		last = at++;
	ck_assert_msg(last, "no %s", series);
	return strtod(last + strlen(series), NULL);
}

TEST(metrics_have_a_head_for_each_family)
{
	double values[FIXTURE_TILES * FIXTURE_EVENTS + 1], shares[COUNT_OF(values)];
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < COUNT_OF(values); i++)
		values[i] = i, shares[i] = 1;
	/* counted half of the time */
	shares[5] = 0.5;
	/* the last one is the rank's; promtool complains about units with prefixes */
	rec->counter[COUNT_OF(values) - 1].unit = "MB";
	values[COUNT_OF(values) - 1] = 2.5;
	prometheus_write(rec, values, shares, out);
	fclose(out);
	ck_assert_double_eq(last_value("upmem_dpu_instructions_bytes_total{pmu=\"upmem\"} "), 2.5e6);
	ck_assert_ptr_nonnull(strstr(text, "# TYPE espmon_noc_injects_p1_flits_total counter\n"
				     "# HELP espmon_noc_injects_p1_flits_total Flits of a plane\n"
				     "espmon_noc_injects_p1_flits_total{pmu=\"espmon\",tile=\"0\"} 4\n"));
	/* one head a family, the unit in its name once */
	ck_assert_ptr_nonnull(strstr(text, "# TYPE upmem_dpu_instructions_bytes_total counter\n"));
	/* only counters that took turns are marked: the fifth counter is plane 1 of tile 1 */
	ck_assert_ptr_nonnull(strstr(text, "\nmonctl_counted_ratio{pmu=\"espmon\",event=\"noc_injects_p1\",tile=\"1\"} 0.5\n"));
	ck_assert_ptr_null(strstr(strstr(text, "\nmonctl_counted_ratio{") + 1, "\nmonctl_counted_ratio{"));
}

/*
 * The trace event format: An event has a type ph: M names a process or thread, C is a counter's value from its time on, X a slice; times are microseconds.
 */
TEST(perfetto_trace_has_counters_runs_and_their_names)
{
	double time, time_before = 0, rate, rate_before = 0, counted = 0, begin, length;
	unsigned int process = 0, of, pid, runs = 0, tid;

	export_with(export_perfetto);
	ck_assert_ptr_nonnull(strstr(text, "\"begin_ns\":1700000000000000000"));
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "\"args\":{\"name\":\"espmon: tile 3 dev.0\"}"))
			ck_assert_int_eq(sscanf(line, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u", &process), 1);
		if (sscanf(line, "{\"ph\":\"C\",\"name\":\"noc_injects_p1\",\"pid\":%u,\"ts\":%lf,\"args\":{\"flits/s\":%lf}}",
			   &of, &time, &rate) == 3 && of == process) {
			/* the integral of the rate is the total */
			counted += rate_before * (time - time_before) / 1e6;
			time_before = time;
			rate_before = rate;
		}
		if (sscanf(line, "{\"ph\":\"X\",\"name\":\"tester (%u)\",\"pid\":1,\"tid\":%u,\"ts\":%lf,\"dur\":%lf", &pid, &tid, &begin,
			   &length) != 4)
			continue;
		ck_assert_uint_eq(pid, 42);
		runs++;
		/* dev.0 runs from 20 to 30 ms */
		if (strstr(line, "\"device\":\"dev.0\",\"program\":\"tester\",\"about\":\"full, 8 bytes\"")) {
			ck_assert_double_eq_tol(begin, 20000, 1e-9);
			ck_assert_double_eq_tol(length, 10000, 1e-9);
		}
	}
	ck_assert_double_eq_tol(counted, 8 * FIXTURE_SAMPLES, 1e-6);
	ck_assert_uint_eq(runs, 3);
}

TEST(page_holds_the_recording_and_nothing_from_elsewhere)
{
	struct page page = { .rec = rec, .bins = 10, .bin_ns = 10 * FIXTURE_INTERVAL,
			     .table = rec_table_new(rec, 0, 10 * FIXTURE_INTERVAL, 10) };
	FILE *out = open_memstream(&text, &size);

	page_write(&page, out);
	rec_table_free(page.table);
	fclose(out);
	/* a "<" in a command must not end the script that contains it */
	ck_assert_ptr_nonnull(strstr(text, "\"command\":\"./run \\u003cfast>\""));
	ck_assert_ptr_nonnull(strstr(text, "{\"event\":\"espmon/noc_injects_p1\",\"place\":3,"
				     "\"bins\":[80,80,80,80,80,80,80,80,80,80]}"));
	ck_assert_ptr_nonnull(strstr(text, "{\"device\":\"dev.0\",\"user\":\"tester\",\"about\":\"full, 8 bytes\",\"pid\":42,"
				     "\"begin\":20000000,\"end\":30000000}"));
	ck_assert_ptr_null(strstr(text, "/*@"));
	ck_assert_ptr_null(strstr(text, " src="));
	ck_assert_ptr_null(strstr(text, "<link"));
	/* the library's licence requires its notice in each copy */
	ck_assert_ptr_nonnull(strstr(text, "Permission is hereby granted, free of charge"));
}

/* A DPU issues one instruction a cycle at most: 120 in 100 cycles are not of the same moment. So CPI is below 1 there. */
TEST(what_is_beyond_a_limit_is_told_by_bin_and_series)
{
	static const char description[] = "monctl\t1\npmu\tupmem\tdpu\t350000000\nplace\t0\tdpu\t\t\t-1\t-1\n"
					  "counter\t0\tdpu_cycles\t0\tcycles\t1\t\tdpu_cycles\t1\n"
					  "counter\t1\tdpu_instructions\t0\tinstructions\t1\t\tdpu_instructions\t1\n";
	static const uint64_t bins[] = { 100, 100, 100, REC_UNKNOWN, 50, 120, 100, 200 };
	struct recording *own = recording_parse(description, strlen(description), "own");
	struct counts counts = { .rec = own, .count = (const double[]){ 400, 470 } };
	struct rec_table *table = rec_table_of(own, memcpy(malloc(sizeof(bins)), bins, sizeof(bins)), 4);
	FILE *out = open_memstream(&text, &size);

	page_write_beyond(&counts, table, 4, out);
	fclose(out);
	rec_table_free(table);
	recording_free(own);
	/* the instructions, then CPI of all DPUs and of the one */
	ck_assert_str_eq(text, "\"beyond\":[[1,1],[1,2],[1,3]]");
}
