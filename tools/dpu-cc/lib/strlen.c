// SPDX-License-Identifier: MIT
/* What printf needs of string.h. */
#include <string.h>

size_t strlen(const char *text)
{
	const char *p = text;

	while (*p)
		p++;
	return p - text;
}

char *strchr(const char *in, int c)
{
	for (; *in != (char)c; in++)
		if (!*in)
			return NULL;
	return (char *)in;
}
