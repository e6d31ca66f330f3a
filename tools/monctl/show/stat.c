// SPDX-License-Identifier: GPL-2.0-only
/* monctl stat: counts and rates of a command. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events/marks.h"
#include "tools/monctl/record/describe.h"
#include "tools/monctl/record/groups.h"
#include "tools/monctl/show/stat.h"
#include "common/output.h"

struct stat_options {
	struct selection sel;
	enum stat_form form;
	uint64_t interval;		/* ns, 0: only at the end */
	long repeat, pid;		/* pid 0: there is a command */
	bool is_once;
	const char *output;
	char **command;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct stat_options *o = state->input;
	char *end;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->sel;
		return 0;
	case 'I':
		o->interval = parse_time(arg, 1e6);
		if (o->interval < 10000000)
			argp_error(state, "-I %s: give a time of at least 10ms, as in 100ms or 1s; a number alone is ms", arg);
		return 0;
	case 'c':
		o->form = STAT_CSV;
		return 0;
	case 'j':
		o->form = STAT_JSON;
		return 0;
	case 'o':
		o->output = arg;
		return 0;
	case 'r':
		o->repeat = strtol(arg, &end, 10);
		if (*end || o->repeat < 1 || o->repeat > 10000)
			argp_error(state, "-r %s: give a number of runs from 1 to 10000", arg);
		return 0;
	case 'O':
		o->is_once = true;
		return 0;
	case 'A':
		o->pid = strtol(arg, &end, 10);
		if (*end || o->pid < 1)
			argp_error(state, "--attach %s: give the number of a process", arg);
		return 0;
	case ARGP_KEY_END:
		if (o->pid && (o->command || o->repeat > 1))
			argp_error(state, "--attach is without a command and without -r: the counting ends with the process");
		return 0;
	case ARGP_KEY_NO_ARGS:
		return o->pid ? 0 : parse_command(key, state, &o->command);
	default:
		return parse_command(key, state, &o->command);
	}
}

static const struct argp_option options[] = {
	{ "interval", 'I', "TIME", 0, "Also print what was counted in each TIME, as in 100ms or 1s (a number alone: ms)", 0 },
	{ "csv", 'c', NULL, 0, "Values separated by commas, with a head line", 0 },
	{ "json", 'j', NULL, 0, "One JSON object a line, for each interval", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of standard error", 0 },
	{ "repeat", 'r', "RUNS", 0, "Run COMMAND that many times; show averages and standard deviations", 0 },
	{ "once", 'O', NULL, 0,
	  "With a preset that has a table of its own: run COMMAND once, and let the counters take turns; values are estimates", 0 },
	{ "attach", 'A', "PID", 0, "Without a command: count the whole system until that process ends", 0 },
	{ 0 },
};

/* A device that was not named may fail alone. */
static void read_all(const struct stat_options *o, struct groups *groups, struct reading *readings)
{
	static bool has_warned;

	if (!groups_read(groups, readings))
		return;
	if (!o->sel.is_default)
		die_mon();
	if (!has_warned)
		warn("%s: what it counted is not known", mon_error());
	has_warned = true;
}

/* Some formulas are of short stretches: then the counts are read again and again. */
#define WINDOW_NS 10000000
#define MOST_WINDOWS 10000

static bool wants_windows(const struct selection *sel)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->nwindowed; i++)
		for (size_t k = 0; k < sel->count; k++)
			if (!strcmp(mon_pmu_get_kind(sel->counter[k].pmu), set->windowed[i]))
				return true;
	return false;
}

static void add_window(struct stat_table *table, const struct reading *before, const struct reading *now)
{
	struct stat_runs *windows = &table->windows;
	size_t count = table->sel->count, n = windows->count_of_runs;

	windows->count = grow(windows->count, n, count * sizeof(*windows->count));
	for (size_t i = 0; i < count; i++)
		windows->count[n * count + i] = reading_share(&before[i], &now[i]) < SHARE_OF_EXACT ? NAN :
						reading_count(&before[i], &now[i]);
	windows->count_of_runs++;
}

static void stat_measure(struct stat_options *o, struct stat_table *table, struct groups *groups)
{
	struct reading *first = zeros(o->sel.count, sizeof(*first));
	struct reading *before = zeros(o->sel.count, sizeof(*before));
	struct reading *now = zeros(o->sel.count, sizeof(*now));
	struct reading *edge = zeros(o->sel.count, sizeof(*edge));
	uint64_t start, last, next, window = wants_windows(&o->sel) && table->form != STAT_CSV ? WINDOW_NS : 0;
	struct workload w;

	table->windows.count_of_runs = 0;
	if (o->pid)
		workload_attach(&w, o->pid);
	else
		workload_prepare(&w, o->command);
	read_all(o, groups, first);
	memcpy(before, first, o->sel.count * sizeof(*first));
	memcpy(edge, first, o->sel.count * sizeof(*first));
	selection_note_losses(&o->sel);
	groups_enable(groups);
	start = last = now_ns();
	if (!o->pid)
		workload_start(&w);
	next = start + o->interval;
	while (!workload_poll(&w)) {
		uint64_t time = now_ns();

		if (!o->interval || time < next) {
			uint64_t left = o->interval ? next - time : 3600 * NS_PER_S;

			workload_wait(&w, window && window < left ? window : left);
			if (window && table->windows.count_of_runs < MOST_WINDOWS && !workload_poll(&w)) {
				read_all(o, groups, now);
				add_window(table, edge, now);
				memcpy(edge, now, o->sel.count * sizeof(*now));
			}
			continue;
		}
		read_all(o, groups, now);
		table->time = (time - start) / 1e9;
		table->seconds = (time - last) / 1e9;
		stat_print(table, before, now);
		memcpy(before, now, o->sel.count * sizeof(*now));
		last = time;
		next += o->interval;
	}
	groups_disable(groups);
	read_all(o, groups, now);
	if (selection_gone(&o->sel))
		die("%s: the device went away while its counters ran: what it counted is not known", selection_gone(&o->sel));
	/* a group that does not run tells no losses */
	if (selection_lost(&o->sel))
		warn("%s: counts were lost, or the device went away and came back: its counts are too low", selection_lost(&o->sel));
	table->time = table->seconds = (now_ns() - start) / 1e9;
	table->is_whole = true;
	table->transfer_ns = phases_transfer_ns(&table->phases);
	if (o->repeat > 1)
		stat_keep(table, first, now);
	if (o->repeat == 1 || table->form != STAT_TEXT)
		stat_print(table, first, now);
	table->is_whole = false;
	free(first);
	free(before);
	free(now);
	free(edge);
	table->status = workload_status(&w);
}

/* Measures the runs up to the first one that fails. */
static void stat_repeat(struct stat_options *o, struct stat_table *table)
{
	struct groups *groups = groups_open(&o->sel);

	table->repeat = o->repeat;
	for (table->run = 1; table->run <= table->repeat && !table->status; table->run++) {
		stat_measure(o, table, groups);
		progress("runs", (double)table->run / table->repeat);
	}
	groups_free(groups);
	if (table->repeat < 2)
		return;
	if (table->runs.count_of_runs < table->repeat)
		warn("run %zu failed with status %d: the averages are of %zu runs", table->runs.count_of_runs,
		     table->status, table->runs.count_of_runs);
	table->repeat = table->runs.count_of_runs;
	table->is_whole = true;
	stat_print_runs(table);
}

static void end_output(struct stat_options *o, const struct stat_table *table)
{
	if (o->output ? !output_close(table->out, o->output) : fflush(table->out) || ferror(table->out))
		die("%s: cannot write: %s", o->output ? o->output : "standard error", strerror(errno));
	recording_free(table->rec);
	free(table->windows.count);
	selection_free(&o->sel);
}

int cmd_stat(int argc, char **argv)
{
	static const struct argp_child children[] = { { &selection_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse_option, "-- COMMAND [ARG...]\n--attach PID",
		"Count on the whole system while COMMAND runs; show counts, rates and metrics.",
		children, NULL, NULL,
	};
	struct stat_options o = { .form = STAT_TEXT, .repeat = 1 };
	struct stat_table table = { .sel = &o.sel, .out = stderr };
	char *attached = NULL, *name;
	bool has_table, is_recorded;

	parse_arguments(&argp, argc, argv, &o);
	has_table = selection_table(&o.sel);
	if (has_table && (o.pid || o.repeat > 1 || o.interval || o.sel.per_place || o.sel.nevents || o.sel.npresets > 1))
		die("--preset %s goes only with --once, --csv, --json or --output: its table is of runs of its own",
		    o.sel.presets[0]);
	if (o.is_once && !has_table)
		die("--once is for presets that have a table of their own, as profile has");
	selection_resolve(&o.sel);
	if (o.output) {
		table.out = output_open(o.output);
		if (!table.out)
			die("%s: %s", o.output, strerror(errno));
	}
	table.form = o.form;
	table.rec = describe_recording(&o.sel, NULL, 0);
	table.command = o.command;
	if (has_table) {
		table.status = stat_own_table(&table, o.is_once);
		end_output(&o, &table);
		return table.status;
	}
	if (o.pid) {
		name = process_name(o.pid);
		table.attached = attached = format_text("process %ld (%s)", o.pid, name);
		free(name);
	}
	/* the marks of the command are those of a recorder around this one */
	is_recorded = getenv(MON_MARKS_VARIABLE);
	if (!is_recorded)
		phases_open(&table.phases);
	stat_repeat(&o, &table);
	if (!is_recorded)
		phases_close(&table.phases);
	free(attached);
	end_output(&o, &table);
	return table.status;
}
