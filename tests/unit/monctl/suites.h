/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TEST_MONCTL_SUITES_H
#define TEST_MONCTL_SUITES_H

#include <check.h>

Suite *diff_suite(void);
Suite *export_suite(void);
Suite *groups_suite(void);
Suite *metric_suite(void);
Suite *phase_suite(void);
Suite *recording_suite(void);
Suite *verdict_suite(void);

#endif
