/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strips comments of assembly outside strings: from # or // to the end of the line, and block comments; *block: the line
 * begins in one, and then whether it ends in one.
 */
#ifndef DPU_AS_COMMENT_H
#define DPU_AS_COMMENT_H

#include <stdbool.h>

static inline void strip_comment(char *line, bool *block)
{
	bool quoted = false;

	for (char *p = line; *p; p++) {
		if (*block) {
			*block = *p != '*' || p[1] != '/';
			if (!*block)
				*p++ = ' ';
			*p = ' ';
		} else if (!quoted && *p == '/' && p[1] == '*') {
			*block = true;
			*p++ = ' ';
			*p = ' ';
		} else if (*p == '\\' && p[1] && quoted) {
			p++;
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && (*p == '#' || (*p == '/' && p[1] == '/'))) {
			*p = '\0';
			return;
		}
	}
}

#endif
