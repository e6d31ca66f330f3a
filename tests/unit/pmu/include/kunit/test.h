/* SPDX-License-Identifier: GPL-2.0-only */
/* KUnit in a program: main() runs the cases of the one suite and prints Check's summary line. */
#ifndef TESTS_KUNIT_TEST_H
#define TESTS_KUNIT_TEST_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kunit {
	unsigned int checks, failures;
};

struct kunit_case {
	void (*run)(struct kunit *test);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

#define GFP_KERNEL	0

/* It stays until the program ends. */
#define kunit_kzalloc(test, size, gfp)	calloc(1, size)

#define KUNIT_EXPECT_TRUE(test, condition)								\
	do {												\
		(test)->checks++;									\
		if (!(condition)) {									\
			(test)->failures++;								\
			printf("not ok: %s:%d: %s\n", __func__, __LINE__, #condition);			\
		}											\
	} while (0)
#define KUNIT_EXPECT_EQ(test, left, right)	KUNIT_EXPECT_TRUE(test, (left) == (right))
#define KUNIT_ASSERT_TRUE(test, condition)								\
	do {												\
		KUNIT_EXPECT_TRUE(test, condition);							\
		if ((test)->failures)									\
			exit(1);									\
	} while (0)
#define KUNIT_ASSERT_EQ(test, left, right)	KUNIT_ASSERT_TRUE(test, (left) == (right))
#define KUNIT_ASSERT_NOT_NULL(test, pointer)	KUNIT_ASSERT_TRUE(test, pointer)

#define KUNIT_CASE(function)	{ .run = function }
#define kunit_test_suite(suite)										\
	int main(void)											\
	{												\
		struct kunit test = { 0 };								\
		struct kunit_case *next;								\
													\
		for (next = suite.test_cases; next->run; next++)					\
			next->run(&test);								\
		printf("%u%%: Checks: %u, Failures: %u, Errors: 0\n",					\
		       100 * (test.checks - test.failures) / test.checks, test.checks, test.failures);	\
		return test.failures > 0;								\
	}

#define MODULE_DESCRIPTION(text)	struct kunit_suite
#define MODULE_LICENSE(text)		struct kunit_suite

#endif
