/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Test programs: each test and each suite is a row, which tests/main.c finds.
 *
 *     SUITE("noc", .timeout = 60, .setup = setup, .teardown = teardown);
 *
 *     TEST(idle_costs_no_events)
 *     {
 *             ck_assert(...);
 *     }
 *
 * A suite has the tests that follow it; a file may have several. LOOP_TEST() runs for _i from the first number up to
 * the second, without it; EXIT_TEST() expects that the process ends with a status.
 */
#ifndef TESTS_MAIN_H
#define TESTS_MAIN_H

#include <stdbool.h>
#include <check.h>

struct test_row {
	/* of a test */
	const TTest *const *test;
	int from, to;
	int status;			/* that the test exits with */
	/* of a suite */
	const char *suite;
	unsigned int timeout;		/* seconds; 0: Check's default */
	bool endless;			/* no timeout */
	void (*setup)(void), (*teardown)(void);			/* around each test */
	void (*setup_once)(void), (*teardown_once)(void);	/* around all of them, in the program's own process */
	bool (*prepare)(void);		/* before all tests; false: they cannot run here, and standard output says why */
	bool (*applies)(void);		/* the same for the tests of this suite alone */
	/* where the row stands */
	const char *file;
	int line;
};

/*
 * Check writes down each assertion that it passes, by several system calls: in loops these were most of a test's time.
 * Here it writes where a test first gets to, which still tells how far one came that crashes.
 */
#define _mark_point(file, line) ({ \
	static bool marked; \
\
	if (!marked) { \
		marked = true; \
		(_mark_point)(file, line); \
	} \
	(void)0; \
})

/* Rows lie side by side in a section of their own; "aligned" keeps the compiler from putting gaps between them. */
#define TEST_ROW(row_name, ...) \
	static const struct test_row row_name __attribute__((section("test_rows"), used, aligned(sizeof(void *)))) = \
		{ __VA_ARGS__, .file = __FILE__, .line = __LINE__ }
#define TEST_NAME2(name, line) name##line
#define TEST_NAME(name, line) TEST_NAME2(name, line)

#define SUITE(...) TEST_ROW(TEST_NAME(test_suite_, __LINE__), .suite = __VA_ARGS__)
#define TEST_OF(name, ...) \
	static const TTest *name; \
	TEST_ROW(name##_row, .test = &name, __VA_ARGS__); \
	START_TEST(name)
#define TEST(name) TEST_OF(name, .to = 1)
#define LOOP_TEST(name, first, end) TEST_OF(name, .from = (first), .to = (end))
#define EXIT_TEST(name, exit_status) TEST_OF(name, .to = 1, .status = (exit_status))

#endif
