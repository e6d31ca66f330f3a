/* SPDX-License-Identifier: GPL-2.0-only */
/* Strips comments of assembly: from # or // to the end of the line, outside strings. */
#ifndef DPU_AS_COMMENT_H
#define DPU_AS_COMMENT_H

#include <stdbool.h>

static inline void strip_comment(char *line)
{
	bool quoted = false;

	for (char *p = line; *p; p++) {
		if (*p == '\\' && p[1] && quoted)
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && (*p == '#' || (*p == '/' && p[1] == '/'))) {
			*p = '\0';
			return;
		}
	}
}

#endif
