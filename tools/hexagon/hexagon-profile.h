/* SPDX-License-Identifier: GPL-2.0-only */
/* A Hexagon program's profile in callgrind's format: by function and, where it has source lines, by line. */
#ifndef TOOLS_HEXAGON_PROFILE_H
#define TOOLS_HEXAGON_PROFILE_H

#include <stdio.h>

#include "hexagon/events.h"
#include "hexagon/profile.h"

/*
 * The program is a file, for its symbols; it had so many software threads, and the profile has a part for each or one for all.
 * False, and errno, if the program or memory is missing.
 */
bool hexagon_profile_write(FILE *out, const char *program, const struct hexagon_core *core,
			   const struct hexagon_profile *profile, unsigned int threads, bool apart);

#endif
