// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl/metric.c */
#include <check.h>
#include <math.h>
#include <string.h>

#include "tests/unit/monctl/suites.h"
#include "tools/monctl/metric.h"

struct value {
	const char *terms;
	double value;
};

static double look_up(void *arg, const char *terms)
{
	for (const struct value *v = arg; v->terms; v++)
		if (!strcmp(v->terms, terms))
			return v->value;
	return NAN;
}

static double calculate(const char *expression, const char *unit, struct value *values)
{
	const struct metric metric = { .kind = "p", .unit = unit, .expression = expression };

	return metric_value(&metric, look_up, values, 2.0);
}

START_TEST(expressions_follow_the_rules_of_arithmetic)
{
	static struct value values[] = { { "a", 6 }, { "b", 3 }, { "group=1,counter=0", 10 }, { 0 } };
	static const struct {
		const char *expression;
		double value;
	} cases[] = {
		{ "p@a@", 6 },
		{ "p@a@ + p@b@ * 2", 6 + 3 * 2 },
		{ "(p@a@ + p@b@) * 2", (6 + 3) * 2 },
		{ "p@a@ - p@b@ - 1", 6 - 3 - 1 },
		{ "p@a@ / p@b@ / 2", 6 / 3 / 2. },
		{ "p@group\\\\=1\\\\,counter\\\\=0@ * 32 / duration_time", 10 * 32 / 2.0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_double_eq_tol(calculate(cases[i].expression, "1x", values), cases[i].value, 1e-12);
	ck_assert_double_eq_tol(calculate("p@a@ / p@b@", "100%", values), 200, 1e-12);
}
END_TEST

START_TEST(what_has_no_value_is_not_a_number)
{
	static struct value values[] = { { "a", 6 }, { "zero", 0 }, { 0 } };
	static const char *const expressions[] = {
		"p@a@ / p@zero@", "p@missing@", "p@a@ + p@missing@", "p@a@ )", "p@a@ p@a@", "?", "",
	};

	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++)
		ck_assert_msg(isnan(calculate(expressions[i], "1x", values)), "%s", expressions[i]);
}
END_TEST

/* Each metric of the catalogue has a value when all of its events have counted something. */
static double one(void *arg, const char *terms)
{
	size_t *asked = arg;

	ck_assert_uint_gt(strlen(terms), 0);
	ck_assert_ptr_null(strchr(terms, '\\'));
	++*asked;
	return 1;
}

START_TEST(every_metric_can_be_calculated)
{
	const struct metric *metric;
	char terms[128];
	size_t i, at, listed, asked;

	for (i = 0; (metric = metric_get(i)); i++) {
		asked = listed = at = 0;
		ck_assert_msg(isfinite(metric_value(metric, one, &asked, 1)), "%s", metric->name);
		while (metric_next_event(metric, &at, terms, sizeof(terms)))
			listed++;
		ck_assert_msg(listed == asked && asked, "%s: %zu of %zu events", metric->name, listed,
			      asked);
		ck_assert_ptr_eq(metric_find(metric->name), metric);
	}
	ck_assert_uint_gt(i, 0);
	ck_assert_ptr_null(metric_find("no such metric"));
}
END_TEST

Suite *metric_suite(void)
{
	Suite *suite = suite_create("metric");
	TCase *all = tcase_create("all");

	tcase_add_test(all, expressions_follow_the_rules_of_arithmetic);
	tcase_add_test(all, what_has_no_value_is_not_a_number);
	tcase_add_test(all, every_metric_can_be_calculated);
	suite_add_tcase(suite, all);
	return suite;
}
