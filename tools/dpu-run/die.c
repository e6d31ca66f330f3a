// SPDX-License-Identifier: GPL-2.0-only
/* The end of dpu-run with a message. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/dpu-run/run.h"

void die(const char *what, const char *why)
{
	fprintf(stderr, "dpu-run: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}
