// SPDX-License-Identifier: LGPL-2.1-or-later
/* The limit of open files: each counter is a file, and a large SoC has thousands of counters. */
#include <sys/resource.h>

#include "libmon/internal.h"

bool mon_raise_nofile(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

unsigned long mon_nofile(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) ? 0 : limit.rlim_cur;
}
