// SPDX-License-Identifier: GPL-2.0-only
/* monctl mark: a phase of a shell's script. */
#include <stdlib.h>
#include <unistd.h>

#include "tools/monctl/base/monctl.h"

struct mark_options {
	const char *phase;
	bool is_end;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct mark_options *o = state->input;

	switch (key) {
	case 'e':
		o->is_end = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->phase || !*arg)
			return ARGP_ERR_UNKNOWN;
		o->phase = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->phase == !o->is_end)
			argp_error(state, "give the name of the phase that begins, or --end");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_mark(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "end", 'e', NULL, 0, "No phase from here on", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "PHASE\n--end",
		"In a script that monctl record runs: name what the script does from here on. "
		"Without a recorder it does nothing.", NULL, NULL, NULL,
	};
	struct mark_options o = { 0 };
	int shell = getppid();
	char *name;

	parse_arguments(&argp, argc, argv, &o);
	name = process_name(shell);
	mon_mark_of(shell, name, o.phase);
	free(name);
	return 0;
}
