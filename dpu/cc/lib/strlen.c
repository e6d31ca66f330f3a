// SPDX-License-Identifier: MIT
/* The functions of string.h that printf needs. */
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
