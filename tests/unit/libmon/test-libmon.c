// SPDX-License-Identifier: GPL-2.0-only
/* The tests stand in the other files. */
#include <stdlib.h>

#include "tests/main.h"

/* most tests provoke errors; test-print.c checks the messages */
static bool prepare(void)
{
	return !setenv("LIBMON_QUIET", "1", 1);
}

SUITE("libmon", .prepare = prepare);
