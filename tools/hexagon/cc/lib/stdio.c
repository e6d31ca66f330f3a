/* SPDX-License-Identifier: MIT */
/* Output. Standard output is written by lines, and at the end of the program. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system.h"

struct __file {
	int fd;
	int lock;
	int failed;
	size_t used;
	char data[1024];
};

static struct __file out = { .fd = STDOUT_FILENO }, err = { .fd = STDERR_FILENO };
FILE *const stdout = &out, *const stderr = &err;

ssize_t write(int fd, const void *data, size_t size)
{
	long n = __system(SYS_WRITE, fd, (long)data, size, 0, 0, 0);

	if (n < 0) {
		errno = -n;
		return -1;
	}
	return n;
}

static void write_out(FILE *file)
{
	for (size_t done = 0; done < file->used;) {
		ssize_t n = write(file->fd, file->data + done, file->used - done);

		if (n < 0 && errno != EINTR) {
			file->failed = 1;
			break;
		}
		done += n > 0 ? n : 0;
	}
	file->used = 0;
}

static void put(FILE *file, char c)
{
	file->data[file->used++] = c;
	if (file->used == sizeof(file->data) || c == '\n')
		write_out(file);
}

__attribute__((destructor)) static void at_end(void)
{
	write_out(&out);
}

int fflush(FILE *file)
{
	int failed;

	if (!file)
		return fflush(stdout);
	__lock(&file->lock);
	write_out(file);
	failed = file->failed;
	__unlock(&file->lock);
	return failed ? EOF : 0;
}

/* Of a stream that is locked. */
static int end_of_output(FILE *file)
{
	int failed;

	if (file == stderr)
		write_out(file);
	failed = file->failed;
	__unlock(&file->lock);
	return failed;
}

size_t fwrite(const void *restrict data, size_t size, size_t n, FILE *restrict file)
{
	__lock(&file->lock);
	for (size_t i = 0; i < size * n; i++)
		put(file, ((const char *)data)[i]);
	return end_of_output(file) ? 0 : n;
}

int fputs(const char *restrict s, FILE *restrict file)
{
	size_t n = strlen(s);

	return fwrite(s, 1, n, file) == n ? 0 : EOF;
}

int fputc(int c, FILE *file)
{
	unsigned char byte = c;

	return fwrite(&byte, 1, 1, file) == 1 ? byte : EOF;
}

int putc(int c, FILE *file)
{
	return fputc(c, file);
}

int putchar(int c)
{
	return fputc(c, stdout);
}

int puts(const char *s)
{
	__lock(&out.lock);
	while (*s)
		put(&out, *s++);
	put(&out, '\n');
	return end_of_output(&out) ? EOF : 0;
}

void perror(const char *what)
{
	int number = errno;

	if (what && *what)
		fprintf(stderr, "%s: ", what);
	fprintf(stderr, "%s\n", strerror(number));
}

/* ---- printf */

struct sink {
	FILE *file;		/* or */
	char *to;
	size_t size;
	size_t length;		/* of all text, written or not */
};

static void emit(struct sink *sink, char c)
{
	if (sink->file)
		put(sink->file, c);
	else if (sink->length + 1 < sink->size)
		sink->to[sink->length] = c;
	sink->length++;
}

static void repeat(struct sink *sink, char c, int n)
{
	while (n-- > 0)
		emit(sink, c);
}

struct field {
	int left, plus, space, alternate, zero;
	int width, precision;	/* precision -1: none */
	int length;		/* 'H' for hh, 'h', 'l', 'q' for ll, ... */
	char conversion;
};

/* A sign or prefix, zeros, and text, in the field's width. */
static void emit_field(struct sink *sink, const struct field *f, const char *prefix, int zeros, const char *text, int n)
{
	int pad = f->width - (int)strlen(prefix) - zeros - n;

	if (!f->left && !f->zero)
		repeat(sink, ' ', pad);
	for (; *prefix; prefix++)
		emit(sink, *prefix);
	repeat(sink, '0', (f->zero && !f->left && pad > 0 ? pad : 0) + zeros);
	for (int i = 0; i < n; i++)
		emit(sink, text[i]);
	if (f->left)
		repeat(sink, ' ', pad);
}

static const char *sign_of(const struct field *f, int negative)
{
	return negative ? "-" : f->plus ? "+" : f->space ? " " : "";
}

static uint64_t get_integer(const struct field *f, va_list *args, int is_signed)
{
	if (f->length == 'q' || f->length == 'j')
		return va_arg(*args, unsigned long long);
	if (is_signed) {
		int value = va_arg(*args, int);

		return f->length == 'H' ? (signed char)value : f->length == 'h' ? (short)value : value;
	} else {
		unsigned int value = va_arg(*args, unsigned int);

		return f->length == 'H' ? (unsigned char)value : f->length == 'h' ? (unsigned short)value : value;
	}
}

static void emit_integer(struct sink *sink, struct field *f, va_list *args)
{
	const char *names = f->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef", *prefix = "";
	int is_signed = f->conversion == 'd' || f->conversion == 'i', zeros;
	unsigned int base = f->conversion == 'o' ? 8 : f->conversion == 'u' || is_signed ? 10 : 16;
	char text[24], *p = text + sizeof(text);
	uint64_t value;

	if (f->conversion == 'p') {
		value = (uintptr_t)va_arg(*args, void *);
		prefix = "0x";
	} else {
		value = get_integer(f, args, is_signed);
	}
	if (is_signed)
		prefix = sign_of(f, (int64_t)value < 0);
	if (is_signed && (int64_t)value < 0)
		value = -value;
	if (f->alternate && value && base == 16 && f->conversion != 'p')
		prefix = f->conversion == 'X' ? "0X" : "0x";
	for (uint64_t rest = value; rest; rest /= base)
		*--p = names[rest % base];
	if (!value && f->precision != 0)
		*--p = '0';
	if (f->alternate && base == 8 && (p == text + sizeof(text) || *p != '0'))
		*--p = '0';
	zeros = f->precision - (int)(text + sizeof(text) - p);
	f->zero &= f->precision < 0;
	emit_field(sink, f, prefix, zeros > 0 ? zeros : 0, p, text + sizeof(text) - p);
}

static void emit_double(struct sink *sink, struct field *f, double x)
{
	const char *prefix = sign_of(f, signbit(x));
	int capitals = f->conversion < 'a';
	char text[__NUMBER_ROOM];

	if (isfinite(x)) {
		emit_field(sink, f, prefix, 0, text, __format_double(text, fabs(x), f->conversion, f->precision, f->alternate));
		return;
	}
	f->zero = 0;
	emit_field(sink, f, prefix, 0, isnan(x) ? capitals ? "NAN" : "nan" : capitals ? "INF" : "inf", 3);
}

static void store_length(const struct field *f, size_t length, va_list *args)
{
	if (f->length == 'q' || f->length == 'j')
		*va_arg(*args, long long *) = length;
	else if (f->length == 'h')
		*va_arg(*args, short *) = length;
	else if (f->length == 'H')
		*va_arg(*args, signed char *) = length;
	else
		*va_arg(*args, int *) = length;
}

static void emit_conversion(struct sink *sink, struct field *f, va_list *args)
{
	const char *text;
	char c;

	switch (f->conversion) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
		emit_integer(sink, f, args);
		break;
	case 'e': case 'f': case 'g': case 'E': case 'F': case 'G':
		emit_double(sink, f, va_arg(*args, double));
		break;
	case 'c':
		c = va_arg(*args, int);
		f->zero = 0;
		emit_field(sink, f, "", 0, &c, 1);
		break;
	case 's':
		text = va_arg(*args, const char *);
		text = text ? text : "(null)";
		f->zero = 0;
		emit_field(sink, f, "", 0, text, strnlen(text, f->precision < 0 ? SIZE_MAX : (size_t)f->precision));
		break;
	case 'n':
		store_length(f, sink->length, args);
		break;
	default:
		emit(sink, f->conversion);
	}
}

static int get_number(const char **format, va_list *args)
{
	int n = 0;

	if (**format == '*') {
		++*format;
		return va_arg(*args, int);
	}
	for (; **format >= '0' && **format <= '9'; ++*format)
		n = 10 * n + **format - '0';
	return n;
}

static const char *get_flags(struct field *f, const char *p)
{
	for (;; p++) {
		switch (*p) {
		case '-':
			f->left = 1;
			break;
		case '+':
			f->plus = 1;
			break;
		case ' ':
			f->space = 1;
			break;
		case '#':
			f->alternate = 1;
			break;
		case '0':
			f->zero = 1;
			break;
		default:
			return p;
		}
	}
}

/* Parses what is behind a '%'; returns what follows it. */
static const char *get_field(struct field *f, const char *p, va_list *args)
{
	*f = (struct field){ .precision = -1 };
	p = get_flags(f, p);
	f->width = get_number(&p, args);
	if (f->width < 0) {
		f->left = 1;
		f->width = -f->width;
	}
	if (*p == '.') {
		p++;
		f->precision = get_number(&p, args);
	}
	for (; *p == 'h' || *p == 'l' || *p == 'z' || *p == 'j' || *p == 't' || *p == 'L'; p++)
		f->length = f->length == 'h' && *p == 'h' ? 'H' : f->length == 'l' && *p == 'l' ? 'q' : *p;
	f->conversion = *p;
	return *p ? p + 1 : p;
}

static int format_to(struct sink *sink, const char *format, va_list args)
{
	struct field field;
	va_list rest;

	va_copy(rest, args);
	while (*format) {
		if (*format != '%') {
			emit(sink, *format++);
			continue;
		}
		format = get_field(&field, format + 1, &rest);
		if (field.conversion)
			emit_conversion(sink, &field, &rest);
	}
	va_end(rest);
	return sink->length;
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list args)
{
	struct sink sink = { .file = file };
	int n;

	__lock(&file->lock);
	n = format_to(&sink, format, args);
	return end_of_output(file) ? -1 : n;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list args)
{
	struct sink sink = { .to = to, .size = size };
	int n = format_to(&sink, format, args);

	if (size)
		to[(size_t)n < size ? (size_t)n : size - 1] = '\0';
	return n;
}

int vprintf(const char *restrict format, va_list args)
{
	return vfprintf(stdout, format, args);
}

int vsprintf(char *restrict to, const char *restrict format, va_list args)
{
	return vsnprintf(to, SIZE_MAX, format, args);
}

int printf(const char *restrict format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(stdout, format, args);
	va_end(args);
	return n;
}

int fprintf(FILE *restrict file, const char *restrict format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(file, format, args);
	va_end(args);
	return n;
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsprintf(to, format, args);
	va_end(args);
	return n;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

void __assert_failed(const char *condition, const char *file, int line, const char *function)
{
	fflush(stdout);
	fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
	abort();
}
