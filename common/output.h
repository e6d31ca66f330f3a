/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that a program writes where its user says. They are written in place and never replaced: a device, a link, and
 * the mode of a file that exists stay what they are. "-" is standard output.
 */
#ifndef MON_COMMON_OUTPUT_H
#define MON_COMMON_OUTPUT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns NULL with errno if the file cannot be opened. */
static inline FILE *output_open(const char *path)
{
	return strcmp(path, "-") ? fopen(path, "we") : stdout;
}

/* Returns false with errno if not all was written; a file is empty then, because a part of one is none. */
static inline bool output_close(FILE *out, const char *path)
{
	int error = ferror(out) ? EIO : 0;

	if (fflush(out))
		error = errno;
	if (out != stdout && fclose(out))
		error = errno;
	if (!error)
		return true;
	/* fails on a device, which has no size */
	if (out != stdout)
		(void)!truncate(path, 0);
	errno = error;
	return false;
}

#endif
