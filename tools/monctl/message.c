// SPDX-License-Identifier: GPL-2.0-only
/* Messages, arguments, time: what every command needs. */
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "tools/monctl/monctl.h"

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
