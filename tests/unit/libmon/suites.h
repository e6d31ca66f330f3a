/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *pmu_suite(void);
Suite *group_suite(void);
Suite *live_suite(void);
Suite *monitors_suite(void);
Suite *layout_suite(void);
Suite *run_suite(void);

#endif
