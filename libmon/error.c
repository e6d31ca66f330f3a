// SPDX-License-Identifier: LGPL-2.1-or-later
/* The error message of a thread's last failed call, and the library's version. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "libmon/internal.h"

static _Thread_local char sentence[512];

const char *mon_version(void)
{
	return PACKAGE_VERSION;
}

const char *mon_error(void)
{
	return sentence;
}

int mon_fail(int error, const char *format, ...)
{
	/* An argument may point into the old message, so format into a copy. */
	char text[sizeof(sentence)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(sentence, sizeof(sentence), "%s", text);
	errno = error;
	return -1;
}
