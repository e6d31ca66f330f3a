// SPDX-License-Identifier: GPL-2.0-only
/* dpu-dbg: a debugger on the model of a DPU. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"
#include "dpu/run/run.h"

struct arguments {
	struct alone alone;
	size_t sets, mrams;
	bool host;
	unsigned int rank, dpu;
	char **command;
};

enum { KEY_ARCH = 256, KEY_SET, KEY_MRAM, KEY_HOST, KEY_DPU };

static const struct argp_option options[] = {
	{ "host", KEY_HOST, 0, 0, "PROGRAM is a host program; what follows it are its arguments", 0 },
	{ "dpu", KEY_DPU, "RANK.DPU", 0, "The DPU of the host program (default: 0.0)", 0 },
	{ "arch", KEY_ARCH, "v1A|v1B", 0, "Architecture (default: the program's, else v1A)", 0 },
	{ "set", KEY_SET, "SYMBOL=VALUE|@FILE", 0, "Set a variable before the start", 0 },
	{ "mram", KEY_MRAM, "OFFSET=@FILE", 0, "Fill MRAM from OFFSET on before the start", 0 },
	{ 0 }
};

static void dbg_item(const char *items[], size_t *count, const char *text, struct argp_state *state)
{
	if (*count == MAX_ITEMS)
		argp_error(state, "'%s': more than %d of this option", text, MAX_ITEMS);
	items[(*count)++] = text;
}

static void parse_dpu(struct arguments *a, const char *text, struct argp_state *state)
{
	char end;

	if (sscanf(text, "%u.%u%c", &a->rank, &a->dpu, &end) != 2)
		argp_error(state, "DPU '%s': must be RANK.DPU, such as 0.3", text);
	a->host = true;
}

static error_t dbg_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case KEY_ARCH:
		a->alone.arch = dpu_arch_find(arg);
		if (!a->alone.arch)
			argp_error(state, "architecture '%s': must be v1A or v1B", arg);
		break;
	case KEY_SET:
		dbg_item(a->alone.sets, &a->sets, arg, state);
		break;
	case KEY_MRAM:
		dbg_item(a->alone.mrams, &a->mrams, arg, state);
		break;
	case KEY_HOST:
		a->host = true;
		break;
	case KEY_DPU:
		parse_dpu(a, arg, state);
		break;
	case ARGP_KEY_ARG:
		a->command = &state->argv[state->next - 1];
		if (!a->host && state->next < state->argc)
			argp_error(state, "more than one program: arguments are for --host");
		state->next = state->argc;
		break;
	case ARGP_KEY_END:
		if (!a->command)
			argp_error(state, "no program");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, dbg_parse, "PROGRAM|CORE\n--host PROGRAM [ARGUMENT]...",
		"Debugs a UPMEM DPU program on the model: break, step, watch, print; help lists the commands.",
		NULL, NULL, NULL
	};
	static struct dbg d = { .passed = NO_THREAD };
	struct arguments a = { .host = false };
	char dpu[32];

	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a);
	d.path = a.command[0];
	snprintf(dpu, sizeof(dpu), "%u,%u", a.rank, a.dpu);
	if (a.host)
		target_host(&d, dpu, a.command);
	else if (!target_core(&d, d.path))
		target_alone(&d, &a.alone);
	fflush(stdout);
	read_commands(&d);
	d.target->close(&d);
	if (d.dwarf)
		elf_lines_close(d.dwarf);
	dpu_program_close(d.program);
	dpu_destroy(d.dpu);
	return d.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
