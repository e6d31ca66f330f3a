/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>

#include "tests/unit/mrfld/rig.h"

int main(void)
{
	Suite *suite = suite_create("mrfld model");
	SRunner *runner;
	int failed;

	suite_add_tcase(suite, tcase_bus());
	suite_add_tcase(suite, tcase_counters());
	suite_add_tcase(suite, tcase_dram());
	suite_add_tcase(suite, tcase_engine());
	suite_add_tcase(suite, tcase_scanout());
	suite_add_tcase(suite, tcase_signals());
	suite_add_tcase(suite, tcase_soc());
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
