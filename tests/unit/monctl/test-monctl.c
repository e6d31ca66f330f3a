// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/monctl/suites.h"

int main(void)
{
	SRunner *runner = srunner_create(recording_suite());
	const char *srcdir = getenv("srcdir");
	char folder[4096];
	int failed;

	snprintf(folder, sizeof(folder), "%s/events/metrics", srcdir ? srcdir : ".");
	setenv("MONCTL_METRICS", folder, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	srunner_add_suite(runner, verdict_suite());
	srunner_add_suite(runner, diff_suite());
	srunner_add_suite(runner, export_suite());
	srunner_add_suite(runner, groups_suite());
	srunner_add_suite(runner, metric_suite());
	srunner_add_suite(runner, phase_suite());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
