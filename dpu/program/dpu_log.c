// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the log of printf on a DPU. */
#include <string.h>

#include "dpu/include/dpu_log.h"

struct reader {
	const uint8_t *at, *end;
};

static bool log_take(struct reader *r, void *value, size_t size)
{
	if ((size_t)(r->end - r->at) < size)
		return false;
	memcpy(value, r->at, size);
	r->at += size;
	return true;
}

/* A string with its NUL. */
static const char *take_string(struct reader *r)
{
	const char *text = (const char *)r->at;
	const uint8_t *nul;

	if (r->at >= r->end)
		return NULL;
	nul = memchr(r->at, 0, r->end - r->at);
	if (!nul)
		return NULL;
	r->at = nul + 1;
	return text;
}

#define SPEC_SIZE 32

/*
 * Copies one conversion, "%-8.3lu", with the length modifier that the host's printf needs. Returns
 * the text after it, or NULL. Rejects '*' and %n, because the DPU's program is not trusted.
 */
static const char *log_parse(const char *format, char spec[SPEC_SIZE], bool *is_long)
{
	size_t n = 0;

	*is_long = false;
	if (*format != '%')
		return NULL;
	spec[n++] = *format++;
	while (*format && strchr("-+ #0123456789.", *format) && n < SPEC_SIZE - 4)
		spec[n++] = *format++;
	while (*format && strchr("lhz", *format)) {
		*is_long |= *format == 'l';
		format++;
	}
	if (!*format || !strchr("sciduxXoeEfgG", *format))
		return NULL;
	if (*is_long && strchr("diuxXo", *format)) {
		spec[n++] = 'l';
		spec[n++] = 'l';
	}
	spec[n++] = *format;
	spec[n] = '\0';
	/* Limit widths: a large one would only keep the host busy. */
	return strspn(spec + 1, "-+ #0123456789.") > 12 ? NULL : format + 1;
}

/* log_parse() lets only safe conversions into this format string. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static bool print_argument(struct reader *r, const char *spec, bool is_long, FILE *out)
{
	char kind = spec[strlen(spec) - 1];
	long long wide;
	const char *text;
	double real;
	uint8_t c;
	int32_t n;

	switch (kind) {
	case 's':
		text = take_string(r);
		return text && fprintf(out, spec, text) >= 0;
	case 'c':
		return log_take(r, &c, 1) && fprintf(out, spec, c) >= 0;
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return log_take(r, &real, 8) && fprintf(out, spec, real) >= 0;
	default:
		if (is_long)
			return log_take(r, &wide, 8) && fprintf(out, spec, wide) >= 0;
		return log_take(r, &n, 4) && fprintf(out, spec, n) >= 0;
	}
}
#pragma GCC diagnostic pop

bool dpu_log_print(const uint8_t *log, size_t size, FILE *out)
{
	struct reader r = { log, log + size };

	for (;;) {
		const char *format;
		char spec[SPEC_SIZE];
		bool is_long;

		while (r.at < r.end && *r.at != '%')
			r.at++;
		if (r.at == r.end)
			return true;
		format = take_string(&r);
		if (!format)
			return false;
		while (*format) {
			format = log_parse(format, spec, &is_long);
			if (!format || !print_argument(&r, spec, is_long, out))
				return false;
		}
	}
}
