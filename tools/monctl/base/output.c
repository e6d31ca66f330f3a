// SPDX-License-Identifier: GPL-2.0-only
/* Numbers, text and progress for people, strings for JSON. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/monctl/base/monctl.h"

int terminal_width(void)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= 40)
		return size.ws_col;
	return 80;
}

/* Returns one of several buffers in turn: a printf() may use more than one. */
static char *next_buffer(void)
{
	static char buffers[8][48];
	static unsigned int next;

	return buffers[next++ % COUNT_OF(buffers)];
}

const char *with_prefix(double value)
{
	static const char letters[] = " kMGTPE";
	char *text = next_buffer();
	unsigned int step = 0;

	while (fabs(value) >= 999.5 && step + 2 < sizeof(letters)) {
		value /= 1000;
		step++;
	}
	if (!step)
		snprintf(text, 48, value == floor(value) ? "%.0f " : "%.3g ", value);
	else
		snprintf(text, 48, "%.3g %c", value, letters[step]);
	return text;
}

const char *rate_text(double value, const char *unit, double seconds)
{
	char *text = next_buffer();

	if (!(seconds > 0))
		return "";
	if (!strcmp(unit, "MB"))
		snprintf(text, 48, "%sB/s", with_prefix(1e6 * value / seconds));
	else
		snprintf(text, 48, "%s%s/s", with_prefix(value / seconds), unit);
	return text;
}

void print_count(FILE *out, uint64_t value)
{
	char text[24], *at = text + sizeof(text);

	do
		*--at = '0' + value % 10;
	while (value /= 10);
	fwrite(at, 1, text + sizeof(text) - at, out);
}

void json_string(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = *text;

		/* "<" too: the text may be in a script of a page */
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c == '<' || c == '\177')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

void json_print(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	while (*format) {
		size_t n = strcspn(format, "%");
		char spec[16];
		double value;

		fwrite(format, 1, n, out);
		format += n;
		if (!*format)
			break;
		n = strcspn(format, "scdug") + 1;
		snprintf(spec, sizeof(spec), "%.*s", (int)n, format);
		format += n;
		switch (spec[n - 1]) {
		case 's':
			json_string(out, va_arg(args, const char *));
			break;
		case 'c':
			fputs(va_arg(args, int) ? "true" : "false", out);
			break;
		case 'g':
			value = va_arg(args, double);
			if (isfinite(value))
				fprintf(out, spec, value);
			else
				fputs("null", out);
			break;
		case 'd':
			fprintf(out, "%lld", strchr(spec, 'l') ? va_arg(args, long long) : va_arg(args, int));
			break;
		default:
			print_count(out, strchr(spec, 'z') ? va_arg(args, size_t) : strchr(spec, 'l') ?
				    va_arg(args, unsigned long long) : va_arg(args, unsigned int));
		}
	}
	va_end(args);
}

void print_wrapped(FILE *out, const char *text, int indent, int width)
{
	int column = indent;

	while (*text) {
		int word = strcspn(text, " ");

		/* a number stays beside its sign */
		if (!strncmp(text + word, " %", 2))
			word += 2 + strcspn(text + word + 2, " ");
		if (column > indent && column + 1 + word > width) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", word, text);
		column += word;
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}

void progress(const char *what, double share)
{
	static int last = -1;
	int percent = share * 100;

	if (!isatty(STDERR_FILENO) || percent == last)
		return;
	last = percent;
	if (share >= 1)
		fprintf(stderr, "\r%*s\r", (int)strlen(what) + 8, "");
	else
		fprintf(stderr, "\r%s: %d %%", what, percent);
}
