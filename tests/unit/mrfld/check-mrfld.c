/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>

#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

Suite *test_suite(void)
{
	Suite *suite = suite_create("mrfld model");

	suite_add_tcase(suite, tcase_bus());
	suite_add_tcase(suite, tcase_counters());
	suite_add_tcase(suite, tcase_dram());
	suite_add_tcase(suite, tcase_engine());
	suite_add_tcase(suite, tcase_module0());
	suite_add_tcase(suite, tcase_scanout());
	suite_add_tcase(suite, tcase_signals());
	suite_add_tcase(suite, tcase_soc());
	return suite;
}
