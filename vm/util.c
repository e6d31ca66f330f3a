// SPDX-License-Identifier: GPL-2.0-only
/* Lists of strings, messages and file helpers of mon-vm. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

static void say(const char *fmt, va_list ap)
{
	fputs("mon-vm: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	exit(VM_STATUS_FAILED);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

static char *vformat(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		fail("out of memory");
	return s;
}

char *format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = vformat(fmt, ap);
	va_end(ap);
	return s;
}

void extend(char **text, const char *fmt, ...)
{
	AUTO_FREE char *old = *text, *more = NULL;
	va_list ap;

	va_start(ap, fmt);
	more = vformat(fmt, ap);
	va_end(ap);
	*text = format("%s%s", old ? old : "", more);
}

void free_text(char **text)
{
	free(*text);
}

void strv_add(struct strv *v, const char *fmt, ...)
{
	va_list ap;

	v->item = reallocarray(v->item, v->n + 2, sizeof(*v->item));
	if (!v->item)
		fail("out of memory");
	va_start(ap, fmt);
	v->item[v->n++] = vformat(fmt, ap);
	va_end(ap);
	v->item[v->n] = NULL;
}

void option(struct strv *v, const char *name, const char *fmt, ...)
{
	AUTO_FREE char *value = NULL;
	va_list ap;

	va_start(ap, fmt);
	value = vformat(fmt, ap);
	va_end(ap);
	strv_add(v, "%s", name);
	strv_add(v, "%s", value);
}

void strv_free(struct strv *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->item[i]);
	free(v->item);
	*v = (struct strv){ 0 };
}

bool strv_has(const struct strv *v, const char *s)
{
	for (size_t i = 0; i < v->n; i++) {
		if (!strcmp(v->item[i], s))
			return true;
	}
	return false;
}

char *read_all(FILE *f, size_t *size)
{
	char *data = NULL;
	size_t n = 0, max = 0;

	do {
		max += 1 << 20;
		data = realloc(data, max);
		if (!data)
			fail("out of memory");
		n += fread(data + n, 1, max - n, f);
	} while (n == max);
	*size = n;
	return data;
}

bool exists(const char *path)
{
	return !access(path, F_OK);
}

/* In QEMU's options a doubled comma is a comma in a value. */
char *quote(const char *s)
{
	char *out = format("%s%s", s, s), *p = out;	/* room for the worst case */

	for (; *s; s++) {
		*p++ = *s;
		if (*s == ',')
			*p++ = ',';
	}
	*p = 0;
	return out;
}
