/* SPDX-License-Identifier: GPL-2.0-only */
/* A Hexagon program's profile in callgrind's format: by function and, where it has source lines, by line. */
#ifndef TOOLS_HEXAGON_PROFILE_H
#define TOOLS_HEXAGON_PROFILE_H

#include <stdio.h>

#include "hexagon/events.h"
#include "hexagon/profile.h"

/* The program is a file, for its symbols. False, and errno, if it or the memory is missing. */
bool hexagon_profile_write(FILE *out, const char *program, const struct hexagon_core *core,
			   const struct hexagon_profile *profile);

#endif
