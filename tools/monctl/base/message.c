// SPDX-License-Identifier: GPL-2.0-only
/* Messages, arguments, time: what every command needs. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/monctl/base/monctl.h"

static const char *command_name = "";

void set_command_name(const char *name)
{
	command_name = name;
}

static void print_message(const char *format, va_list args)
{
	fflush(stdout);
	fprintf(stderr, "monctl%s%s: ", *command_name ? " " : "", command_name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
	exit(EXIT_FAILURE);
}

void die_mon(void)
{
	die("%s", mon_error());
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
}

char *format_text(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		die("out of memory");
	return text;
}

void *zeros(size_t count, size_t size)
{
	void *array = calloc(count ? count : 1, size);

	if (!array)
		die("out of memory");
	return array;
}

void *grow(void *array, size_t count, size_t size)
{
	/* the room is the next power of two */
	if (count & (count - 1))
		return array;
	array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		die("out of memory");
	return array;
}

FILE *text_open(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		die("out of memory");
	return out;
}

void text_close(FILE *out)
{
	if (fclose(out))
		die("out of memory");
}

void parse_arguments(const struct argp *argp, int argc, char **argv, void *input)
{
	char *name = format_text("monctl %s", argv[0]);

	argv[0] = name;
	argp_err_exit_status = 2;
	argp_parse(argp, argc, argv, ARGP_IN_ORDER, NULL, input);
	free(name);
}

error_t parse_files(int key, char *arg, struct files *files)
{
	if (key == 'o') {
		files->output = arg;
		return 0;
	}
	if (key != ARGP_KEY_ARG || files->has_input)
		return ARGP_ERR_UNKNOWN;
	files->has_input = true;
	files->input = arg;
	return 0;
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

uint64_t parse_time(const char *text, double plain)
{
	const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "", plain }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 },
		{ "h", 3600e9 },
	};
	char *unit;
	double value = strtod(text, &unit);

	for (size_t i = 0; unit != text && i < COUNT_OF(units); i++)
		if (!strcmp(unit, units[i].unit) && value > 0 && value * units[i].ns < 1e16)
			return value * units[i].ns + 0.5;
	return 0;
}

/* Levenshtein's distance: the number of letters to change, add or leave out. */
#define MOST_LETTERS 63

static size_t distance(const char *a, const char *b)
{
	size_t row[MOST_LETTERS + 1], n = strlen(a), m = strlen(b), i, k;

	if (n > MOST_LETTERS || m > MOST_LETTERS)
		return SIZE_MAX;
	for (k = 0; k <= m; k++)
		row[k] = k;
	for (i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (k = 1; k <= m; k++) {
			size_t best = diagonal + (a[i - 1] != b[k - 1]);

			diagonal = row[k];
			best = row[k] + 1 < best ? row[k] + 1 : best;
			row[k] = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
		}
	}
	return row[m];
}

const char *closest_name(const char *word, const char *const *names, size_t count)
{
	/* a third of the letters may be wrong */
	size_t best = strlen(word) / 3 + 1, length = strlen(word);
	const char *name = NULL;

	/* the shortest name that it begins is nearer than any other one */
	for (size_t i = 0; length >= 4 && i < count; i++)
		if (!strncmp(word, names[i], length) && (!name || strlen(names[i]) < strlen(name)))
			name = names[i];
	if (name)
		return name;

	for (size_t i = 0; i < count; i++) {
		size_t d = distance(word, names[i]);

		if (d >= best)
			continue;
		best = d;
		name = names[i];
	}
	return name;
}
