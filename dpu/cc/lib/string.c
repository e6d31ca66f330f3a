// SPDX-License-Identifier: MIT
/* Strings. */
#include <stdint.h>
#include <string.h>

void *memchr(const void *in, int c, size_t size)
{
	const uint8_t *p = in;

	for (; size; size--, p++)
		if (*p == (uint8_t)c)
			return (void *)p;
	return NULL;
}

size_t strnlen(const char *text, size_t max)
{
	size_t n = 0;

	while (n < max && text[n])
		n++;
	return n;
}

char *strcpy(char *to, const char *from)
{
	char *p = to;

	while ((*p++ = *from++))
		;
	return to;
}

char *strncpy(char *to, const char *from, size_t size)
{
	size_t n = 0;

	for (; n < size && from[n]; n++)
		to[n] = from[n];
	for (; n < size; n++)
		to[n] = '\0';
	return to;
}

char *strcat(char *to, const char *from)
{
	strcpy(to + strlen(to), from);
	return to;
}

char *strncat(char *to, const char *from, size_t size)
{
	size_t n = strnlen(from, size);
	char *end = to + strlen(to);

	memcpy(end, from, n);
	end[n] = '\0';
	return to;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (uint8_t)*a - (uint8_t)*b;
}

int strncmp(const char *a, const char *b, size_t size)
{
	for (; size; size--, a++, b++)
		if (*a != *b || !*a)
			return (uint8_t)*a - (uint8_t)*b;
	return 0;
}

char *strrchr(const char *in, int c)
{
	const char *found = NULL;

	do
		if (*in == (char)c)
			found = in;
	while (*in++);
	return (char *)found;
}

char *strstr(const char *in, const char *what)
{
	size_t length = strlen(what);

	for (; strncmp(in, what, length); in++)
		if (!*in)
			return NULL;
	return (char *)in;
}

size_t strspn(const char *text, const char *of)
{
	size_t n = 0;

	while (text[n] && strchr(of, text[n]))
		n++;
	return n;
}

size_t strcspn(const char *text, const char *of)
{
	size_t n = 0;

	while (text[n] && !strchr(of, text[n]))
		n++;
	return n;
}
