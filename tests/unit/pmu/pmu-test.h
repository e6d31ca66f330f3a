/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the unit tests of those parts of the drivers that need no kernel.
 */
#ifndef TESTS_UNIT_PMU_TEST_H
#define TESTS_UNIT_PMU_TEST_H

#include <check.h>
#include <errno.h>
#include <linux/kernel.h>

/* In a sequence of steps that a seed repeats. */
#define must(what)										\
	do {											\
		if (!(what))									\
			ck_abort_msg("seed %u, step %u: %s", seed, step, #what);		\
	} while (0)

#endif
