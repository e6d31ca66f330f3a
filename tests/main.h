/* SPDX-License-Identifier: GPL-2.0-only */
/* A test program defines its suite; tests/main.c runs it. */
#ifndef TESTS_MAIN_H
#define TESTS_MAIN_H

#include <check.h>

/* NULL: the tests cannot run here, and standard output says why. */
Suite *test_suite(void);

#endif
