/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *pmu_suite(void);
Suite *group_suite(void);
Suite *place_suite(void);
Suite *catalogue_suite(void);
Suite *contig_suite(void);
Suite *print_suite(void);
Suite *mark_suite(void);
Suite *monitors_suite(void);
Suite *layout_suite(void);
Suite *run_suite(void);

#endif
