/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test/time.h - the monotonic clock, under the names that ESP's programs use. Nanoseconds. */
#ifndef TEST_TIME_H
#define TEST_TIME_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef CLOCK_MONOTONIC	/* not with -std=c99 alone */
static inline unsigned long long getformattedtime(const struct timespec *t)
{
	return t->tv_sec * 1000000000ULL + t->tv_nsec;
}

/* b - a */
static inline unsigned long long ts_subtract(const struct timespec *a, const struct timespec *b)
{
	return getformattedtime(b) - getformattedtime(a);
}

static inline void gettime(struct timespec *t)
{
	if (clock_gettime(CLOCK_MONOTONIC, t)) {
		perror("clock_gettime");
		exit(EXIT_FAILURE);
	}
}
#endif

#endif
