// SPDX-License-Identifier: GPL-2.0-only
/* Ends the program with a message. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpu/run/run.h"

void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(EXIT_FAILURE);
}
