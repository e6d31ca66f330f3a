/* SPDX-License-Identifier: MIT */
/* The clock is the model's (HAP_perf.h), so that a program does the same in each run. It begins at 0 with the program. */
#ifndef TIME_H
#define TIME_H

#include <stddef.h>

typedef long long time_t;
typedef long clock_t;
struct timespec {
	time_t tv_sec;
	long tv_nsec;
};

#define CLOCKS_PER_SEC 1000000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

clock_t clock(void);
int clock_gettime(int clock, struct timespec *now);
time_t time(time_t *now);
/* The thread waits: it has no cycles meanwhile. */
int nanosleep(const struct timespec *time, struct timespec *left);

#endif
