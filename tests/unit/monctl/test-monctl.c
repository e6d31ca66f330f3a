// SPDX-License-Identifier: GPL-2.0-only
/* The tests stand in the other files. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/main.h"

static bool prepare(void)
{
	const char *srcdir = getenv("srcdir");
	char folder[4096];

	snprintf(folder, sizeof(folder), "%s/events/metrics", srcdir ? srcdir : ".");
	return !setenv("MONCTL_METRICS", folder, 1) && !setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

SUITE("monctl", .prepare = prepare);
