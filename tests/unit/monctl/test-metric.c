// SPDX-License-Identifier: GPL-2.0-only
/* events/metrics/metrics.c, tools/monctl/answer/metric.c */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tools/monctl/answer/metric.h"

/* Events of two places; -1 is not counted. */
struct value {
	const char *terms;
	double in[2];
};

static double look_up(void *arg, const char *terms, int place)
{
	for (const struct value *v = arg; v->terms; v++) {
		if (strcmp(v->terms, terms))
			continue;
		if (place < 0)
			return v->in[0] + v->in[1];
		return v->in[place] < 0 ? NAN : v->in[place];
	}
	return NAN;
}

static struct value values[] = {
	{ "a", { 6, 2 } }, { "b", { 3, 1 } }, { "zero", { 0, 0 } }, { "half", { 4, -1 } },
	{ "group=1,counter=0", { 10, 0 } }, { 0 },
};

/* 100 cycles at 50 Hz are 2 s */
static const struct clock_rule cycles = { .expression = (char *)"{group=1,counter=0} * 10", .is_total = true };

static const struct metric_counts counts = {
	.count = look_up, .arg = values, .places = 2, .clock_hz = 50, .clock = &cycles,
};

SUITE("all");

TEST(expressions_follow_the_rules_of_arithmetic)
{
	static const struct {
		const char *expression;
		double value;
	} cases[] = {
		{ "a", 6 },
		{ "a + b * 2", 6 + 3 * 2 },
		{ "(a + b) * 2", (6 + 3) * 2 },
		{ "a - b - 1", 6 - 3 - 1 },
		{ "a / b / 2", 6 / 3 / 2. },
		{ "{group=1,counter=0} * 32 / duration_time", 10 * 32 / 2.0 },
		{ "a / clock", 6 / 50. },
		{ "max(a)", 6 }, { "min(a * 2)", 4 }, { "mean(a)", (6 + 2) / 2. },
		/* a place that does not count the event does not take part */
		{ "mean(half)", 4 }, { "max(a) / mean(a)", 6 / 4. },
		/*
		 * a term after a function is not its argument: it is of this place, where a is 6
		 * and b is 3
		 */
		{ "min(a) / b", 2 / 3. }, { "max(a) < 1.3 * mean(a) and a > 1", 0 },
		{ "a > b", 1 }, { "a < b", 0 }, { "a > b and b > 2", 1 }, { "a > b and b > 4", 0 },
		{ "a < b or b > 2", 1 }, { "v * 2", 14 },
		{ "known(missing) + known(a)", 6 }, { "not(missing)", 1 }, { "not(a < b)", 1 }, { "not(a)", 0 },
		{ "peak(a)", 6 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(fabs(expression_value(cases[i].expression, &counts, 0, 7) - cases[i].value) < 1e-12,
			      "%s is %g", cases[i].expression, expression_value(cases[i].expression, &counts, 0, 7));
	/* all places together */
	ck_assert_double_eq(expression_value("a / b", &counts, -1, NAN), 8 / 4.);
}

TEST(a_walk_over_places_is_kept_unless_it_depends_on_v)
{
	struct value now[] = { { "a", { 6, 2 } }, { "b", { 3, 1 } }, { 0 } };
	struct metric_memo memo = { 0 };
	struct metric_counts kept = { .count = look_up, .arg = now, .places = 2, .memo = &memo };

	ck_assert_double_eq(expression_value("min(a)", &kept, 0, 7), 2);
	ck_assert_double_eq(expression_value("max(a * v)", &kept, 0, 7), 42);
	ck_assert_double_eq(expression_value("total(a + b)", &kept, 1, 7), 12);
	now[0] = (struct value){ "a", { 60, 20 } };
	ck_assert_double_eq(expression_value("min (a) / b", &kept, 1, 7), 2);
	ck_assert_double_eq(expression_value("total(a + b) + total(a) + max(a)", &kept, 0, 7), 12 + 80 + 60);
	ck_assert_double_eq(expression_value("max(a * v)", &kept, 0, 3), 180);
	memo.count = 0;
	ck_assert_double_eq(expression_value("min(a)", &kept, 0, 7), 20);
}

TEST(what_has_no_value_is_not_a_number)
{
	static const char *const expressions[] = {
		"a / zero", "missing", "a + missing", "a )", "a a", "?", "", "(a", "max(missing)", "missing > 1",
		"a > 1 and missing > 1", "{", "v",
	};

	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++)
		ck_assert_msg(isnan(expression_value(expressions[i], &counts, 0, NAN)), "%s", expressions[i]);
}

TEST(a_value_out_of_its_range_is_not_known)
{
	struct metric metric = { .name = "m", .expression = "a / b", .unit = "%", .scale = 100, .low = 0, .high = 200 };

	ck_assert_double_eq(metric_value(&metric, &counts, 0), 200);
	metric.high = 199;
	ck_assert(isnan(metric_value(&metric, &counts, 0)));
	metric.high = INFINITY;
	metric.low = 201;
	ck_assert(isnan(metric_value(&metric, &counts, 0)));
}

/* Each metric of the files has a value when all of its events have counted something. */
static double one(void *arg, const char *terms, int place)
{
	size_t *asked = arg;

	(void)place;
	ck_assert_uint_gt(strlen(terms), 0);
	++*asked;
	return 1;
}

TEST(every_metric_can_be_calculated)
{
	static const struct clock_rule second = { .expression = (char *)"1", .is_total = true };
	const struct metric_set *set = metrics();
	char terms[128];
	size_t i, at, listed, asked;

	for (i = 0; i < set->nmetrics; i++) {
		const struct metric *metric = &set->metric[i];
		const struct metric_counts ones = { .count = one, .arg = &asked, .clock_hz = 1, .clock = &second };

		asked = listed = at = 0;
		ck_assert_msg(isfinite(expression_value(metric->expression, &ones, -1, NAN)), "%s", metric->name);
		while (metric_next_event(metric->expression, &at, terms, sizeof(terms)))
			listed++;
		ck_assert_msg(listed == asked && asked, "%s: %zu of %zu events", metric->name, listed, asked);
		ck_assert_ptr_eq(metric_find(metric->name), metric);
		ck_assert_msg(*metric->unit && *metric->description, "%s", metric->name);
	}
	ck_assert_uint_gt(i, 0);
	ck_assert_ptr_null(metric_find("no such metric"));
}

/* ---- files ---- */

static char path[] = "/tmp/monctl-metrics-XXXXXX";
static struct metric_set set;
static char *problem;

static bool read_text(const char *text)
{
	FILE *file;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	file = fdopen(mkstemp(path), "w");
	fputs(text, file);
	fclose(file);
	return metrics_read(&set, path, &problem);
}

static void forget(void)
{
	unlink(path);
	metrics_free(&set);
	free(problem);
	problem = NULL;
}

SUITE("files", .teardown = forget);

TEST(a_file_has_metrics_presets_rules_notes_and_limits)
{
	ck_assert(read_text("# nothing\npmu p\ngroup g\nlet both a + \\\n\tb\n"
			    "metric m\n\tformula both / both_not\n\tunit %\n\tscale 100\n\trange 0 -\n\ttext Words, words\n"
			    "preset q\n\ttext what\n\tevents a,\\\n\t\tb\n\tmetrics m\n\tdefault no\n"
			    "rule r\n\teach m\n\twhen v > 1\n\tsay It is {value}.\n\twhole All are {value}.\n\tstands 3\n"
			    "rule l\n\tmesh a | b | c + d | e\n"
			    "clock each a\n\ttext ticks\n\thz hz\n\tevents a\n\tin one\n"
			    "budget b\n\teach Thing\n\tlargest a\n\tpart computing | x | words and words | both\n"
			    "\tof y | parts | b\n\tpart waiting | w | more | up to b\n\tpart idle | i | none | rest\n"
			    "note a Take care.\n"
			    "limit a_? .25\nlimit a_b -\n"));
	ck_assert_uint_eq(set.nmetrics, 1);
	ck_assert_str_eq(set.metric[0].kind, "p");
	ck_assert_str_eq(set.metric[0].group, "g");
	ck_assert_str_eq(set.metric[0].expression, "(a + b) / both_not");
	ck_assert_double_eq(set.metric[0].scale, 100);
	ck_assert_double_eq(set.metric[0].low, 0);
	ck_assert(isinf(set.metric[0].high));
	ck_assert_str_eq(set.metric[0].description, "Words, words");
	ck_assert_uint_eq(set.npresets, 1);
	ck_assert_str_eq(set.preset[0].events, "p/a/,p/b/");
	ck_assert_str_eq(set.preset[0].metrics, "m");
	ck_assert(set.preset[0].on_request);
	ck_assert_uint_eq(set.nrules, 2);
	ck_assert_int_eq(set.rule[0].of, RULE_EACH);
	ck_assert_str_eq(set.rule[0].when, "v > 1");
	ck_assert_int_eq(set.rule[0].stands, 3);
	ck_assert_str_eq(set.rule[0].whole, "All are {value}.");
	ck_assert_int_eq(set.rule[1].of, RULE_MESH);
	ck_assert_str_eq(set.rule[1].expression, "a");
	ck_assert_str_eq(set.rule[1].flits, "b");
	ck_assert_str_eq(set.rule[1].tiles, "c + d");
	ck_assert_str_eq(set.rule[1].memory, "e");
	ck_assert_uint_eq(set.nclocks, 1);
	ck_assert_str_eq(set.clock[0].expression, "a");
	ck_assert_str_eq(set.clock[0].hz, "hz");
	ck_assert(set.clock[0].is_once && !set.clock[0].is_total);
	ck_assert_uint_eq(set.nbudgets, 1);
	ck_assert_str_eq(set.budget[0].noun, "Thing");
	ck_assert(set.budget[0].is_largest);
	ck_assert_uint_eq(set.budget[0].nparts, 4);
	ck_assert_str_eq(set.budget[0].part[0].words, "words and words");
	ck_assert_str_eq(set.budget[0].part[0].expression, "(a + b)");
	ck_assert(set.budget[0].part[1].is_child);
	ck_assert(set.budget[0].part[2].is_bound);
	ck_assert_str_eq(set.budget[0].part[2].expression, "b");
	ck_assert_int_eq(set.budget[0].part[3].kind, PART_IDLE);
	ck_assert_str_eq(set.budget[0].part[3].expression, "");
	ck_assert_uint_eq(set.nnotes, 1);
	ck_assert_str_eq(set.note[0].text, "Take care.");
	ck_assert_uint_eq(set.nlimits, 2);
	ck_assert_str_eq(set.limit[0].event, "a_?");
	ck_assert_double_eq(set.limit[0].most, .25);
	ck_assert(isinf(set.limit[1].most));
}

TEST(a_later_file_replaces_metrics_and_adds_to_presets)
{
	ck_assert(read_text("pmu p\nmetric m\n\tformula a\n\tunit x\npreset q\n\ttext first\n\tevents a\n"));
	unlink(path);
	ck_assert(read_text("pmu o\nmetric m\n\tformula b\n\tunit y\npreset q\n\ttext second\n\tevents b\n"));
	ck_assert_uint_eq(set.nmetrics, 1);
	ck_assert_str_eq(set.metric[0].expression, "b");
	ck_assert_str_eq(set.metric[0].kind, "o");
	ck_assert_uint_eq(set.npresets, 1);
	ck_assert_str_eq(set.preset[0].events, "p/a/,o/b/");
	ck_assert_str_eq(set.preset[0].description, "first");
}

LOOP_TEST(a_mistake_is_told_with_its_line, 0, 14)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "metric m\n", ":1: the first line must be" },
		{ "pmu p\nmetrik m\n", ":2: unknown word" },
		{ "pmu p\nmetric\n", ":2: a name is missing" },
		{ "pmu p\n\tformula a\n", ":2: an indented line without" },
		{ "pmu p\nmetric m\n\tscale x\n", ":3: a metric has" },
		{ "pmu p\nmetric m\n\trange 0\n", ":3: a metric has" },
		{ "pmu p\npreset m\n\tdefault yes\n", ":3: a preset has" },
		{ "pmu p\nrule m\n\tfor a\n", ":3: a rule has" },
		{ "pmu p\nclock a\n", ":2: clock:" },
		{ "pmu p\nbudget b\n\tpart working | a | b | c\n", ":3: a budget has" },
		{ "pmu p\nlet a\n", ":2: let:" },
		{ "pmu p\nnote a\n", ":2: note:" },
		{ "pmu p\nlimit a\n", ":2: limit:" },
		{ "pmu p\nlimit a 0\n", ":2: limit:" },
	};

	ck_assert(!read_text(cases[_i].text));
	ck_assert_msg(strstr(problem, cases[_i].says) && !strncmp(problem, path, strlen(path)), "%s", problem);
}
