// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: marks COUNT [SLEEP_US]: a child of this program marks that many phases in turn, "even" and "odd", each
 * SLEEP_US long, and this one the phase "parent" around it. Prints how many nanoseconds a mark took on average.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <mon.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static int mark_phases(int count, int sleep_us)
{
	double in_marks = 0, start = now();

	for (int i = 0; i < count; i++) {
		if (sleep_us)
			start = now();
		mon_mark(i % 2 ? "odd" : "even");
		if (sleep_us) {
			in_marks += now() - start;
			usleep(sleep_us);
		}
	}
	if (!sleep_us)
		in_marks = now() - start;
	printf("%.0f\n", in_marks / count);
	return 0;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0, sleep_us = argc > 2 ? atoi(argv[2]) : 0, status;

	if (count < 1)
		return 2;
	mon_mark("parent");
	if (!fork())
		exit(mark_phases(count, sleep_us));
	wait(&status);
	return WEXITSTATUS(status);
}
