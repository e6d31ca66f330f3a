// SPDX-License-Identifier: GPL-2.0-only
/* main() of the test programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"

extern const struct test_row __start_test_rows[], __stop_test_rows[];

/* Files in the linker's order; in a file by line, because the compiler may lay variables out in another order. */
static int compare(const void *a, const void *b)
{
	const struct test_row *left = *(const struct test_row *const *)a, *right = *(const struct test_row *const *)b;

	if (!strcmp(left->file, right->file))
		return left->line - right->line;
	return left < right ? -1 : 1;
}

static TCase *add_suite(SRunner *runner, const struct test_row *row)
{
	Suite *suite = suite_create(row->suite);
	TCase *tcase = tcase_create(row->suite);

	if (row->timeout || row->endless)
		tcase_set_timeout(tcase, row->timeout);
	tcase_add_checked_fixture(tcase, row->setup, row->teardown);
	tcase_add_unchecked_fixture(tcase, row->setup_once, row->teardown_once);
	suite_add_tcase(suite, tcase);
	srunner_add_suite(runner, suite);
	return tcase;
}

int main(void)
{
	size_t count = __stop_test_rows - __start_test_rows;
	const struct test_row **rows = calloc(count, sizeof(*rows));
	SRunner *runner = srunner_create(NULL);
	TCase *tcase = NULL;
	bool applies = true;
	int failed;

	if (!rows)
		abort();
	for (size_t i = 0; i < count; i++)
		rows[i] = &__start_test_rows[i];
	qsort(rows, count, sizeof(*rows), compare);
	for (size_t i = 0; i < count; i++) {
		if (rows[i]->suite) {
			if (rows[i]->prepare && !rows[i]->prepare())
				return 77;
			applies = !rows[i]->applies || rows[i]->applies();
			tcase = add_suite(runner, rows[i]);
		} else if (!tcase) {
			fprintf(stderr, "%s:%d: a test before the first SUITE()\n", rows[i]->file, rows[i]->line);
			return EXIT_FAILURE;
		} else if (applies) {
			_tcase_add_test(tcase, *rows[i]->test, 0, rows[i]->status, rows[i]->from, rows[i]->to);
		}
	}
	free(rows);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	if (!srunner_ntests_run(runner) && getenv("CK_RUN_CASE")) {
		fprintf(stderr, "CK_RUN_CASE=%s: no suite of that name has a test\n", getenv("CK_RUN_CASE"));
		failed = 1;
	}
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
