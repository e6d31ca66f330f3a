// SPDX-License-Identifier: GPL-2.0-only
/* events/metrics/formula.c, events/metrics/metrics.c, tools/monctl/answer/metric.c */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tools/monctl/answer/metric.h"
#include "tools/monctl/base/metric-files.h"

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
static struct clock_rule cycles = { .is_total = true };

static const struct metric_counts counts = {
	.count = look_up, .arg = values, .places = 2, .clock_hz = 50, .clock = &cycles,
};

/* The value of a text; NaN, too, if it cannot be parsed. */
static double expression_value(const char *text, const struct metric_counts *of, int place, double v)
{
	struct formula_words words = { 0 };
	const char *problem = NULL;
	struct formula *formula = formula_parse(&words, text, &problem);
	double value = formula_value(formula, of, place, v);

	ck_assert(formula || problem);
	formula_free(formula);
	return value;
}

static void parse_clock(void)
{
	struct formula_words words = { 0 };
	const char *problem;

	cycles.formula = cycles.of_all = formula_parse(&words, "{group=1,counter=0} * 10", &problem);
}

static void forget_clock(void)
{
	formula_free(cycles.formula);
}

SUITE("all", .setup = parse_clock, .teardown = forget_clock);

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
		/* "and" binds before "or" */
		{ "1 or zero and zero", 1 }, { "(1 or zero) and zero", 0 }, { "not(missing)", 1 }, { "not(a < b)", 1 }, { "not(a)", 0 },
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
	double value[2] = { NAN, NAN };
	struct metric_counts kept = { .count = look_up, .arg = now, .places = 2, .kept = value };
	struct formula_words words = { 0 };
	const char *problem;
	/* two functions, numbers 0 and 1 */
	struct formula *formula = formula_parse(&words, "min(a) + max(a * v)", &problem);

	ck_assert_double_eq(formula_value(formula, &kept, 0, 7), 2 + 42);
	now[0] = (struct value){ "a", { 60, 20 } };
	ck_assert_double_eq(formula_value(formula, &kept, 1, 7), 2 + 420);
	value[0] = value[1] = NAN;
	ck_assert_double_eq(formula_value(formula, &kept, 0, 7), 20 + 420);
	formula_free(formula);
}

TEST(what_has_no_value_is_not_a_number)
{
	static const char *const expressions[] = {
		"a / zero", "missing", "a + missing", "a )", "a a", "?", "", "(a", "max(missing)", "missing > 1",
		"a > 1 and missing > 1", "{", "v", "min a", "1 +",
	};

	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++)
		ck_assert_msg(isnan(expression_value(expressions[i], &counts, 0, NAN)), "%s", expressions[i]);
}

TEST(a_value_out_of_its_range_is_not_known)
{
	struct formula_words words = { 0 };
	const char *problem;
	struct metric metric = { .formula = formula_parse(&words, "a / b", &problem), .scale = 100, .low = 0, .high = 200 };

	ck_assert_double_eq(metric_value(&metric, &counts, 0), 200);
	metric.high = 199;
	ck_assert(isnan(metric_value(&metric, &counts, 0)));
	metric.high = INFINITY;
	metric.low = 201;
	ck_assert(isnan(metric_value(&metric, &counts, 0)));
	formula_free(metric.formula);
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

static void count_event(void *arg, const char *event, bool is_terms)
{
	size_t *listed = arg;

	ck_assert(*event && is_terms == (strchr(event, '=') != NULL));
	++*listed;
}

TEST(every_metric_can_be_calculated)
{
	const struct formula one_cycle = { .op = FORMULA_NUMBER, .number = 1 };
	struct formula *one_second = (struct formula *)&one_cycle;
	const struct clock_rule second = { .formula = one_second, .of_all = one_second, .is_total = true };
	const struct metric_set *set = metrics();
	size_t i, listed, asked;

	for (i = 0; i < set->nmetrics; i++) {
		const struct metric *metric = &set->metric[i];
		const struct metric_counts ones = { .count = one, .arg = &asked, .clock_hz = 1, .clock = &second };

		asked = listed = 0;
		ck_assert_msg(isfinite(formula_value(metric->formula, &ones, -1, NAN)), "%s", metric->name);
		formula_events(metric->formula, count_event, &listed);
		ck_assert_msg(listed == asked && asked, "%s: %zu of %zu events", metric->name, listed, asked);
		ck_assert_ptr_eq(metric_find(metric->name), metric);
		ck_assert_msg(*metric->unit && *metric->description, "%s", metric->name);
	}
	ck_assert_uint_gt(i, 0);
	ck_assert_ptr_null(metric_find("no such metric"));
}

/* A rate above its limit is not known (review: 11.5 flits a cycle of a link that moves one); ESP's clock has no rates. */
TEST(limits_are_checked_in_one_place)
{
	ck_assert_double_eq(event_rate(event_most("upmem", "dpu_instructions", "instructions", 1), 50, 100), .5);
	ck_assert(isinf(event_rate(event_most("upmem", "dpu_instructions", "instructions", 1), 101, 100)));
	ck_assert_double_eq(event_rate(event_most("upmem", "dpu_instructions", "instructions", 64), 640, 100), 6.4);
	ck_assert(isinf(event_rate(event_most("upmem", "dpu_cycles", "cycles", 1), 200, 100)));
	ck_assert(isnan(event_rate(event_most("upmem", "dpu_instructions", "instructions", 1), 50, 0)));
	ck_assert(isnan(event_rate(event_most("espmon", "noc_injects_p0", "flits", 1), 50, 100)));
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

/* Requests in windows of 100 cycles. */
static const double *requests;
static size_t window;

static double look_up_window(void *arg, const char *terms, int place)
{
	(void)arg;
	(void)place;
	return strcmp(terms, "requests") ? 100 : requests[window];
}

static void select_window(void *arg, size_t index)
{
	(void)arg;
	window = index == SIZE_MAX ? 0 : index;
}

static bool was_window_read(void *arg, size_t index)
{
	(void)arg;
	return index != 1 && index != 2;
}

TEST(an_active_stretch_is_that_without_its_ends)
{
	struct metric_counts of = { .count = look_up_window, .select = select_window, .places = 1, .windows = 9 };

	/* a stretch that begins and ends between readings: 10 in 100 cycles */
	requests = (const double[]){ 0, 1, 6, 10, 10, 10, 7, 2, 0 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), .1, 1e-12);
	/* one that fills a window alone, which begins and ends within others */
	requests = (const double[]){ 0, 0, 1, 10, 5, 0, 0, 0, 0 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), .1, 1e-12);
	/* one that fills none: how long it lasted is not known */
	requests = (const double[]){ 0, 0, 3, 5, 0, 0, 0, 0, 0 };
	ck_assert_double_nan(expression_value("active(requests / cycles)", &of, -1, NAN));
	/* beside one that does, it lasts for 200 cycles: 38 in 500 */
	requests = (const double[]){ 0, 0, 3, 5, 0, 10, 10, 10, 0 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), 38. / 500, 1e-12);
	/* it cannot last longer than all of its windows, as 43 at 1 in 100 cycles would */
	requests = (const double[]){ 10, 10, 1, 1, 1, 10, 10, 0, 0 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), 43. / 700, 1e-12);
	/* 30 at 10 in 100 cycles are 300 cycles, 4 at 1 are 400 */
	requests = (const double[]){ 10, 10, 10, 0, 1, 1, 1, 1, 0 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), 34. / 700, 1e-12);
	/* no reading in the windows 1 and 2: requests began to come in window 3, 10 in 100 cycles, and seem to come evenly before */
	requests = (const double[]){ 0, 2, 2, 2, 9, 10, 9, 1, 0 };
	of.is_read = was_window_read;
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), .1, 1e-12);
	/* less than two readings at each end: window 5 is not known to be full */
	requests = (const double[]){ 0, 0, 0, 0, 8, 9, 7, 0, 0 };
	ck_assert_double_nan(expression_value("active(requests / cycles)", &of, -1, NAN));
	requests = (const double[]){ 2, 2, 2, 2, 9, 10, 9, 9, 1 };
	ck_assert_double_eq_tol(expression_value("active(requests / cycles)", &of, -1, NAN), .1, 1e-12);
}

SUITE("files", .teardown = forget);

TEST(a_file_has_metrics_presets_rules_notes_and_limits)
{
	ck_assert(read_text("# nothing\npmu p\ngroup g\nlet both a + \\\n\tb\n"
			    "metric m\n\tformula both / both_not\n\tunit %\n\tscale 100\n\ttext Words, words\n"
			    "preset q\n\ttext what\n\tevents a,\\\n\t\tb\n\tplaces a,b\n\tmetrics m\n\talso Q,Q2\n\tdefault no\n"
			    "rule r\n\ttotal m\n\twhen v > 1\n\tsay It is {value}.\n"
			    "rule l\n\tmesh a | b\n"
			    "clock each a\n\ttext ticks\n\thz hz\n\tevents a\n\tin one\n\trates no\n"
			    "budget b\n\teach Thing\n\ttitle engine\n\tcycles a\n\tbeside c\n"
			    "\tpart computing | x | words and words | both\n\t\tsay One {share} | a > b\n\t\tsay Two\n\t\talso Three\n"
			    "\t\tprevails m > 85\n"
			    "\tof y | parts | b | a > 0\n\tpart waiting | w | more | up to b\n\tpart waiting | r | left | rest\n"
			    "\tpart idle | i | none | largest\n"
			    "note a Take care.\n"
			    "limit a_? .25\nlimit a_b -\n"));
	metrics_link(&set);
	ck_assert_uint_eq(set.nmetrics, 1);
	ck_assert_str_eq(set.metric[0].kind, "p");
	ck_assert_str_eq(set.metric[0].group, "g");
	/* (a + b) / both_not */
	ck_assert_int_eq(set.metric[0].formula->op, FORMULA_DIVIDE);
	ck_assert_int_eq(set.metric[0].formula->left->op, FORMULA_ADD);
	ck_assert_str_eq(set.metric[0].formula->left->right->event, "b");
	ck_assert_str_eq(set.metric[0].formula->right->event, "both_not");
	ck_assert_double_eq(set.metric[0].scale, 100);
	ck_assert_double_eq(set.metric[0].low, 0);
	ck_assert(isinf(set.metric[0].high));
	ck_assert_str_eq(set.metric[0].description, "Words, words");
	ck_assert_uint_eq(set.npresets, 1);
	ck_assert_str_eq(set.preset[0].events, "p/a/,p/b/");
	ck_assert_str_eq(set.preset[0].places, ";p/a/,p/b/");
	ck_assert_str_eq(set.preset[0].metrics, "m");
	ck_assert_str_eq(set.preset[0].alias, "Q,Q2");
	ck_assert(set.preset[0].on_request);
	ck_assert_uint_eq(set.nrules, 2);
	ck_assert_ptr_null(set.rule[0].event);
	ck_assert_ptr_eq(set.rule[0].formula->metric, &set.metric[0]);
	ck_assert(set.rule[0].when->has_v);
	ck_assert_ptr_nonnull(set.rule[1].event);
	ck_assert_str_eq(set.rule[1].event, "a");
	ck_assert_str_eq(set.rule[1].flits, "b");
	ck_assert_uint_eq(set.nclocks, 1);
	ck_assert_str_eq(set.clock[0].formula->event, "a");
	ck_assert_str_eq(set.clock[0].hz, "hz");
	ck_assert(set.clock[0].is_once && set.clock[0].has_no_rates && !set.clock[0].is_total);
	ck_assert_uint_eq(set.nbudgets, 1);
	ck_assert_str_eq(set.budget[0].noun, "Thing");
	ck_assert_str_eq(set.budget[0].title, "engine");
	ck_assert_str_eq(set.budget[0].beside->event, "c");
	ck_assert_uint_eq(set.budget[0].nparts, 5);
	ck_assert_str_eq(set.budget[0].part[0].words, "words and words");
	ck_assert_ptr_eq(set.budget[0].part[0].formula, set.metric[0].formula->left);
	ck_assert_uint_eq(set.budget[0].part[0].say.count, 2);
	ck_assert_str_eq(set.budget[0].part[0].say.saying[0].text->text, "One ");
	ck_assert_str_eq(set.budget[0].part[0].say.saying[0].text->value->event, "share");
	ck_assert_int_eq(set.budget[0].part[0].say.saying[0].when->op, FORMULA_MORE);
	ck_assert_ptr_null(set.budget[0].part[0].say.saying[1].when);
	ck_assert_str_eq(set.budget[0].part[0].also.saying[0].text->text, "Three");
	ck_assert_ptr_eq(set.budget[0].part[0].prevails->left->metric, &set.metric[0]);
	ck_assert(set.budget[0].part[1].is_child && set.budget[0].part[1].condition);
	ck_assert_int_eq(set.budget[0].part[2].amount, AMOUNT_UP_TO);
	ck_assert_str_eq(set.budget[0].part[2].formula->event, "b");
	ck_assert_int_eq(set.budget[0].part[3].amount, AMOUNT_REST);
	ck_assert_int_eq(set.budget[0].part[4].kind, PART_IDLE);
	ck_assert_int_eq(set.budget[0].part[4].amount, AMOUNT_LARGEST);
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
	ck_assert_str_eq(set.metric[0].formula->event, "b");
	ck_assert_str_eq(set.metric[0].kind, "o");
	ck_assert_uint_eq(set.npresets, 1);
	ck_assert_str_eq(set.preset[0].events, "p/a/,o/b/");
	ck_assert_str_eq(set.preset[0].description, "first");
}

LOOP_TEST(a_mistake_is_told_with_its_line, 0, 20)
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
		{ "pmu p\nmetric m\n\tformula (a + b\n", ":3: a formula lacks a )" },
		{ "pmu p\nmetric m\n\tformula a +\n", ":3: a formula lacks a number" },
		{ "pmu p\nmetric m\n\tformula min a\n", ":3: a function of a formula" },
		{ "pmu p\nmetric m\n\tformula a b\n", ":3: a formula has something after" },
		{ "pmu p\nrule m\n\tsay It is {value\n", ":3: a sentence lacks a }" },
		{ "pmu p\nrule m\n\tsay It is {a b} here\n", ":3: a formula has something after" },
	};

	ck_assert(!read_text(cases[_i].text));
	ck_assert_msg(strstr(problem, cases[_i].says) && !strncmp(problem, path, strlen(path)), "%s", problem);
}
