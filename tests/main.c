// SPDX-License-Identifier: GPL-2.0-only
/* main() of the test programs. */
#include <stdlib.h>

#include "tests/main.h"

int main(void)
{
	Suite *suite = test_suite();
	SRunner *runner;
	int failed;

	if (!suite)
		return 77;
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
