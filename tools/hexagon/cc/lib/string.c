/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word_t;

#define IS_ALIGNED(p) (((uintptr_t)(p) & 7) == 0)

/* From the first byte to the last. */
static inline __attribute__((always_inline)) void copy(char *t, const char *f, size_t n)
{
	if (IS_ALIGNED(t) && IS_ALIGNED(f))
		for (; n >= 8; n -= 8, t += 8, f += 8)
			*(word_t *)t = *(const word_t *)f;
	while (n--)
		*t++ = *f++;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	copy(to, from, n);
	return to;
}

/* The compiler calls this where both are most likely aligned to 8 bytes, for 32 bytes or more. */
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *restrict to, const void *restrict from, size_t n)
{
	return memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	if (t <= f || t >= f + n) {
		copy(t, f, n);
		return to;
	}
	while (n--)
		t[n] = f[n];
	return to;
}

void *memset(void *to, int c, size_t n)
{
	uint64_t eight = 0x0101010101010101 * (unsigned char)c;
	char *t = to;

	for (; n && !IS_ALIGNED(t); n--)
		*t++ = c;
	for (; n >= 8; n -= 8, t += 8)
		*(word_t *)t = eight;
	while (n--)
		*t++ = c;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

void *memchr(const void *s, int c, size_t n)
{
	for (const unsigned char *p = s; n; n--, p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

size_t strnlen(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i])
		i++;
	return i;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
	size_t length = strnlen(from, n);

	memcpy(to, from, length);
	memset(to + length, 0, n - length);
	return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
	size_t length = strnlen(from, n);
	char *end = to + strlen(to);

	memcpy(end, from, length);
	end[length] = '\0';
	return to;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

char *strrchr(const char *s, int c)
{
	const char *last = NULL;

	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return (char *)last;
	}
}

/* Characters at the start that are in the set, or are not. */
static size_t span(const char *s, const char *set, int wanted)
{
	size_t n = 0;

	while (s[n] && !!strchr(set, s[n]) == wanted)
		n++;
	return n;
}

size_t strspn(const char *s, const char *accept)
{
	return span(s, accept, 1);
}

size_t strcspn(const char *s, const char *reject)
{
	return span(s, reject, 0);
}

char *strpbrk(const char *s, const char *accept)
{
	s += strcspn(s, accept);
	return *s ? (char *)s : NULL;
}

char *strstr(const char *s, const char *part)
{
	size_t n = strlen(part);

	for (; *s || !n; s++)
		if (strncmp(s, part, n) == 0)
			return (char *)s;
	return NULL;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest)
{
	s = s ? s : *rest;
	s += strspn(s, separators);
	*rest = s + strcspn(s, separators);
	if (!*s)
		return NULL;
	if (**rest)
		*(*rest)++ = '\0';
	return s;
}

char *strtok(char *restrict s, const char *restrict separators)
{
	static char *rest;

	return strtok_r(s, separators, &rest);
}

char *strdup(const char *s)
{
	size_t size = strlen(s) + 1;
	char *copy = malloc(size);

	return copy ? memcpy(copy, s, size) : NULL;
}

char *strerror(int number)
{
	static const struct {
		int number;
		const char *text;
	} names[] = {
		{ 0, "Success" }, { EPERM, "Operation not permitted" }, { ENOENT, "No such file or directory" },
		{ ESRCH, "No such process" }, { EINTR, "Interrupted system call" }, { EIO, "Input/output error" },
		{ EBADF, "Bad file descriptor" }, { EAGAIN, "Resource temporarily unavailable" },
		{ ENOMEM, "Cannot allocate memory" }, { EACCES, "Permission denied" },
		{ EBUSY, "Device or resource busy" }, { EINVAL, "Invalid argument" }, { EPIPE, "Broken pipe" },
		{ EDOM, "Numerical argument out of domain" }, { ERANGE, "Numerical result out of range" },
		{ EDEADLK, "Resource deadlock avoided" }, { ENOSYS, "Function not implemented" },
		{ ETIMEDOUT, "Connection timed out" },
	};
	static _Thread_local char other[32];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			return (char *)names[i].text;
	snprintf(other, sizeof(other), "Unknown error %d", number);
	return other;
}
