// SPDX-License-Identifier: GPL-2.0-only
/* monctl: shows the counters of libmon's systems. The commands. */
#include <locale.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "list", cmd_list, "events, with what and where they count" },
	{ "topology", cmd_topology, "the chip: tiles, DPUs, threads" },
	{ "stat", cmd_stat, "counts and rates of a command" },
	{ "top", cmd_top, "live view in the terminal" },
	{ "record", cmd_record, "a time series of a command, in a perf.data file" },
	{ "report", cmd_report, "a recording as one HTML page" },
	{ "diff", cmd_diff, "recordings, or counts of monctl stat --csv, side by side" },
	{ "export", cmd_export, "a recording for other tools" },
	{ "serve", cmd_serve, "live page and metrics over HTTP" },
	{ "mark", cmd_mark, "a phase of a script, in the recording of it" },
};

static void print_usage(FILE *out)
{
	fprintf(out, "Usage: monctl COMMAND [OPTION...]\n\n");
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
	fprintf(out, "\nmonctl COMMAND --help says more; so do the man pages, from monctl(1) on.\n");
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	/* numbers in files and tables are the same everywhere */
	setlocale(LC_NUMERIC, "C");
	if (argc < 2) {
		print_usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "help")) {
		print_usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("monctl (libmon) %s\n", VERSION);
		return 0;
	}
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		set_command_name(commands[i].name);
		return commands[i].run(argc - 1, argv + 1);
	}
	fprintf(stderr, "monctl: %s: no such command: see monctl --help\n", argv[1]);
	return 2;
}
