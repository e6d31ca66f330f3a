// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "suites.h"

int main(void)
{
	SRunner *runner = srunner_create(pmu_suite());
	int failed;

	/* most tests provoke errors; test-print.c checks the messages */
	setenv("LIBMON_QUIET", "1", 1);
	srunner_add_suite(runner, group_suite());
	srunner_add_suite(runner, place_suite());
	srunner_add_suite(runner, catalogue_suite());
	srunner_add_suite(runner, contig_suite());
	srunner_add_suite(runner, print_suite());
	srunner_add_suite(runner, monitors_suite());
	srunner_add_suite(runner, layout_suite());
	srunner_add_suite(runner, run_suite());
	srunner_add_suite(runner, mark_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
