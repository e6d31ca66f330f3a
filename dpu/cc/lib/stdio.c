// SPDX-License-Identifier: MIT
/* printf for formats and texts that the compiler does not know; makes records like log.c's. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "log.h"

#define SPEC_SIZE 32

/* A record under construction. Most records fit the buffer, so the log is locked only while it is written. */
struct record {
	uint8_t piece[96] __dma_aligned;
	uint32_t filled, length;
};

static __noinline void flush(struct record *r)
{
	uint32_t at;

	if (!r->length)
		ATOMIC_BIT_ACQUIRE(__stdout);
	at = __log_place(r->filled);
	mram_write(r->piece, __stdout_buffer + at, r->filled);
	r->length += r->filled;
	r->filled = 0;
	if (r->length > __stdout_buffer_size)
		__asm__ volatile ("fault 5");
}

static __noinline void put(struct record *r, char c)
{
	r->piece[r->filled++] = c;
	if (r->filled == sizeof(r->piece))
		flush(r);
}

static __noinline void put_bytes(struct record *r, const void *bytes, uint32_t n)
{
	const char *p = bytes;
	uint32_t filled = r->filled;

	while (n--) {
		r->piece[filled++] = *p++;
		if (filled == sizeof(r->piece)) {
			r->filled = filled;
			flush(r);
			filled = 0;
		}
	}
	r->filled = filled;
}

static void begin(struct record *r)
{
	r->filled = 0;
	r->length = 0;
}

static void end(struct record *r)
{
	while (r->filled & 7)
		r->piece[r->filled++] = 0;
	if (r->filled)
		flush(r);
	ATOMIC_BIT_RELEASE(__stdout);
}

/* One conversion, from its % to its letter. */
struct spec {
	char text[SPEC_SIZE];
	uint8_t size;
	bool is_long;
	char kind;
};

static void add(struct spec *s, char c)
{
	if (s->size < SPEC_SIZE - 1)
		s->text[s->size++] = c;
}

/* The host does not know *: write the number instead. */
static void add_number(struct spec *s, int n, bool precision)
{
	char digits[10];
	unsigned int count = 0, m = n;

	if (n < 0) {
		if (precision) {	/* ignored */
			s->size--;
			return;
		}
		add(s, '-');
		m = -m;
	}
	do
		digits[count++] = '0' + m % 10;
	while (m /= 10);
	while (count)
		add(s, digits[--count]);
}

static bool flag(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '*' || c == '+' || c == ' ' || c == '#';
}

static bool length_of(char c)
{
	return c == 'l' || c == 'h' || c == 'z' || c == 'j' || c == 't' || c == 'L';
}

static bool real(char kind)
{
	kind |= 32;
	return kind >= 'e' && kind <= 'g';
}

static bool integer(char kind)
{
	return kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o';
}

static const char *parse(const char *p, struct spec *s, va_list *args)
{
	s->size = 0;
	s->is_long = false;
	add(s, *p++);
	while (flag(*p)) {
		if (*p == '*')
			add_number(s, va_arg(*args, int), p[-1] == '.');
		else
			add(s, *p);
		p++;
	}
	for (; length_of(*p); p++)
		if (*p == 'l' || *p == 'j')
			s->is_long = true;
	s->kind = *p;
	if (s->kind == 'p') {
		add(s, '#');
		s->kind = 'x';
	}
	if (s->is_long && integer(s->kind))
		add(s, 'l');
	else
		s->is_long = false;
	add(s, s->kind);
	return *p ? p + 1 : p;
}

static void put_argument(struct record *r, const struct spec *s, va_list *args)
{
	if (s->kind == 's') {
		const char *text = va_arg(*args, const char *);

		put_bytes(r, text, strlen(text) + 1);
	} else if (s->kind == 'c') {
		put(r, va_arg(*args, int));
	} else if (real(s->kind)) {
		double x = va_arg(*args, double);

		put_bytes(r, &x, 8);
	} else if (s->is_long) {
		uint64_t n = va_arg(*args, uint64_t);

		put_bytes(r, &n, 8);
	} else {
		uint32_t n = va_arg(*args, uint32_t);

		put_bytes(r, &n, 4);
	}
}

/* First the conversions, then the arguments. */
static __noinline void walk(struct record *r, const char *format, va_list *args, bool arguments)
{
	struct spec s;
	const char *p = format;

	while (*p) {
		const char *start = p;

		if (p[0] == '%' && p[1] != '%') {
			p = parse(p, &s, args);
			if (arguments)
				put_argument(r, &s, args);
			else
				put_bytes(r, s.text, s.size);
			if (!arguments && s.kind == 's')
				(void)va_arg(*args, const char *);
			else if (!arguments && (s.is_long || real(s.kind)))
				(void)va_arg(*args, uint64_t);
			else if (!arguments)
				(void)va_arg(*args, uint32_t);
			continue;
		}
		if (*p == '%')
			start = ++p;
		do
			p++;
		while (*p && *p != '%');
		if (arguments) {
			put_bytes(r, start, p - start);
			put(r, 0);
		} else {
			put(r, '%');
			put(r, 's');
		}
	}
}

int vprintf(const char *format, va_list args)
{
	struct record record, *r = &record;
	va_list again;

	va_copy(again, args);
	begin(r);
	walk(r, format, &again, false);
	put(r, 0);
	va_end(again);
	va_copy(again, args);
	walk(r, format, &again, true);
	va_end(again);
	end(r);
	return 0;
}

int printf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	return 0;
}

int puts(const char *text)
{
	struct record record, *r = &record;

	begin(r);
	put_bytes(r, "%s%s", 5);
	put_bytes(r, text, strlen(text) + 1);
	put_bytes(r, "\n", 2);
	end(r);
	return 0;
}

int putchar(int c)
{
	struct record record, *r = &record;

	begin(r);
	put_bytes(r, "%c", 3);
	put(r, c);
	end(r);
	return c;
}
