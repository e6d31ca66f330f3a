/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-stat: the profiling metrics of a Hexagon core while a command runs. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mon.h"
#include "mon_hexagon.h"
#include "tools/hexagon-table.h"

const char *argp_program_version = "hexagon-stat " VERSION;

/* As env(1) and timeout(1) have them. */
#define STATUS_FAILED 125
#define MAX_PASSES 16

/* Runs that differ by more than this are told: the program does not repeat. */
#define DIFFERENCE_TOLD 0.01

struct options {
	bool json;
	bool once;
	const char *output;
	char **command;
};

struct profile {
	struct options options;
	struct mon_pmu *pmu;
	char *identifier;
	struct mon_hexagon_core core;
	uint64_t available;
	uint64_t plan[MAX_PASSES];
	int npasses;
	struct mon_hexagon_pass passes[MAX_PASSES];
	int status;		/* of the command */
};

static void fail(const char *what)
{
	fprintf(stderr, "hexagon-stat: %s: %s\n", what, mon_error());
	exit(STATUS_FAILED);
}

static double read_cap(struct profile *p, const char *file)
{
	char *text = mon_pmu_read_file(p->pmu, file);
	double value;

	if (!text)
		fail("hexagon");
	value = strtod(text, NULL);
	free(text);
	return value;
}

static void find_core(struct profile *p)
{
	p->pmu = mon_pmu_new("hexagon");
	if (!p->pmu)
		fail("no Hexagon core");
	p->identifier = mon_pmu_read_file(p->pmu, "identifier");
	if (!p->identifier)
		fail("hexagon");
	p->core.threads = read_cap(p, "caps/threads");
	p->core.cycles = read_cap(p, "caps/cycles_per_packet");
	p->core.clock_hz = read_cap(p, "caps/clock_hz");
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		if (mon_pmu_find_event(p->pmu, mon_hexagon_counter_event(i)))
			p->available |= UINT64_C(1) << i;
	p->npasses = mon_hexagon_plan((1u << MON_HEXAGON_METRICS) - 1, p->core.threads,
					 p->available, p->plan, MAX_PASSES);
	if (p->npasses < 0)
		fail("plan");
}

static struct mon_group *open_pass(struct profile *p, int pass)
{
	struct mon_group *group = mon_group_new();

	if (!group)
		fail("group");
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++) {
		char name[64];

		if (!(p->plan[pass] >> i & 1))
			continue;
		snprintf(name, sizeof(name), "hexagon/%s/", mon_hexagon_counter_event(i));
		if (mon_group_add(group, name) < 0)
			fail(name);
	}
	if (mon_group_open(group) < 0)
		fail("counters");
	return group;
}

static void read_pass(struct profile *p, int number, struct mon_group *group)
{
	struct mon_hexagon_pass *pass = &p->passes[number];
	uint64_t values[MON_HEXAGON_PASS_MAX];
	struct mon_times times;
	int k = 0;

	if (mon_group_read(group, values, MON_HEXAGON_PASS_MAX, &times) < 0)
		fail("counters");
	pass->counters = p->plan[number];
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		if (pass->counters >> i & 1)
			pass->count[i] = values[k++];
	pass->interval_us = times.enabled / 1000.0;
	pass->running_us = times.running / 1000.0;
}

/* The command waits until the counters run, so that nothing of it is missed. */
static pid_t start_command(struct profile *p, bool quiet, int *go)
{
	int fds[2];
	pid_t pid;
	char byte;

	if (pipe2(fds, O_CLOEXEC) < 0) {
		perror("hexagon-stat: pipe");
		exit(STATUS_FAILED);
	}
	pid = fork();
	if (pid < 0) {
		perror("hexagon-stat: fork");
		exit(STATUS_FAILED);
	}
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) < 0)
			_exit(STATUS_FAILED);
		if (quiet)
			dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(p->options.command[0], p->options.command);
		fprintf(stderr, "hexagon-stat: %s: %s\n", p->options.command[0],
			strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static void finish_command(struct profile *p, pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	if (p->status)
		return;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Counts passes first to last during one run of the command. */
static void stat_run(struct profile *p, int first, int last)
{
	struct mon_group *groups[MAX_PASSES];
	int go;
	pid_t pid = start_command(p, first > 0, &go);

	for (int i = first; i <= last; i++)
		groups[i] = open_pass(p, i);
	for (int i = first; i <= last; i++)
		if (mon_group_enable(groups[i]) < 0)
			fail("counters");
	close(go);
	finish_command(p, pid);
	for (int i = first; i <= last; i++)
		if (mon_group_disable(groups[i]) < 0)
			fail("counters");
	for (int i = first; i <= last; i++) {
		read_pass(p, i, groups[i]);
		mon_group_free(groups[i]);
	}
}

/* The pass that differs most from the first one, if that is worth a word; else 0. */
static int worst_pass(const struct profile *p, double *difference)
{
	int worst = 0;

	*difference = DIFFERENCE_TOLD;
	for (int i = 1; i < p->npasses && !p->options.once; i++) {
		double d = mon_hexagon_difference(&p->passes[0], &p->passes[i], p->core.threads);

		if (d > *difference) {
			*difference = d;
			worst = i;
		}
	}
	return worst;
}

static void show_table(const struct profile *p, FILE *out)
{
	double difference;
	int worst = worst_pass(p, &difference);

	fprintf(out, "\n Hexagon core %s, %u threads at %.0f MHz; %d passes, %s\n\n", p->identifier,
		p->core.threads, p->core.clock_hz / 1e6, p->npasses,
		p->options.once ? "taking turns during one run: estimates" : "one run of the command each");
	if (!hexagon_table_print(out, &p->core, p->available, p->passes, p->npasses))
		fail("metrics");
	fprintf(out, "\n%16.3f  ms of the guest's time\n", p->passes[0].interval_us / 1000);
	if (worst)
		fprintf(out, "\n Run %d differs from run 1 by %.1f %%: the program does not repeat. "
			"Each value is from one run;\n values of different passes do not belong together.\n",
			worst + 1, 100 * difference);
	fputc('\n', out);
}

static bool json_first;

static void show_json_value(FILE *out, const char *name, unsigned int n, const char *unit,
			    const struct mon_hexagon_value *value)
{
	fprintf(out, "%s\n    {\"name\": \"%s\"", json_first ? "" : ",", name);
	json_first = false;
	if (n)
		fprintf(out, ", \"n\": %u", n);
	if (value->unknown)
		fprintf(out, ", \"value\": null, \"reason\": \"%s\"", hexagon_table_unknown(value->unknown));
	else
		fprintf(out, ", \"value\": %.9g", value->value);
	fprintf(out, ", \"unit\": \"%s\", \"share\": %.4g}", unit, value->share);
}

static void show_json(const struct profile *p, FILE *out)
{
	double difference;

	fprintf(out, "{\n  \"core\": \"%s\", \"threads\": %u, \"clock_hz\": %.0f, \"once\": %s,\n",
		p->identifier, p->core.threads, p->core.clock_hz, p->options.once ? "true" : "false");
	fprintf(out, "  \"repeats\": %s,\n  \"passes\": [",
		p->options.once ? "null" : worst_pass(p, &difference) ? "false" : "true");
	for (int i = 0; i < p->npasses; i++) {
		const struct mon_hexagon_pass *pass = &p->passes[i];
		bool first = true;

		fprintf(out, "%s\n    {\"interval_us\": %.3f, \"running_us\": %.3f, \"counters\": {",
			i ? "," : "", pass->interval_us, pass->running_us);
		for (unsigned int k = 0; k < MON_HEXAGON_COUNTERS; k++) {
			if (!(pass->counters >> k & 1))
				continue;
			fprintf(out, "%s\"%s\": %llu", first ? "" : ", ",
				mon_hexagon_counter_event(k), (unsigned long long)pass->count[k]);
			first = false;
		}
		fputs("}}", out);
	}
	fputs("\n  ],\n  \"metrics\": [", out);
	json_first = true;
	if (!hexagon_table_visit(out, &p->core, p->available, p->passes, p->npasses, show_json_value))
		fail("metrics");
	fputs("\n  ]\n}\n", out);
}

enum { OPT_JSON = 256, OPT_ONCE };

static const struct argp_option argp_options[] = {
	{ "json", OPT_JSON, NULL, 0, "Print JSON", 0 },
	{ "once", OPT_ONCE, NULL, 0,
	  "Run COMMAND once and let the passes take turns: values are estimates", 0 },
	{ "output", 'o', "FILE", 0, "Print to FILE (default: standard error)", 0 },
	{ 0 },
};

static error_t stat_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPT_JSON:
		options->json = true;
		return 0;
	case OPT_ONCE:
		options->once = true;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case ARGP_KEY_ARGS:
		options->command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no command: give -- COMMAND [ARG...], for example hexagon-run dot");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		argp_options, stat_parse, "[--] COMMAND [ARG...]",
		"Print the profiling metrics of the Hexagon core while COMMAND runs. The metrics need more "
		"counters than the core has, so COMMAND runs once for each pass; only the first run's "
		"output is shown.\v"
		"Exit status: that of COMMAND, 125 if counting fails.", NULL, NULL, NULL,
	};
	static struct profile profile;
	FILE *out = stderr;

	argp_err_exit_status = STATUS_FAILED;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &profile.options);
	find_core(&profile);
	if (profile.options.output) {
		out = fopen(profile.options.output, "we");
		if (!out) {
			fprintf(stderr, "hexagon-stat: %s: %s\n", profile.options.output,
				strerror(errno));
			return STATUS_FAILED;
		}
	}
	if (profile.options.once)
		stat_run(&profile, 0, profile.npasses - 1);
	else
		for (int i = 0; i < profile.npasses && !profile.status; i++)
			stat_run(&profile, i, i);
	if (profile.status) {
		fprintf(stderr, "hexagon-stat: %s ended with status %d: no metrics of a run that failed\n",
			profile.options.command[0], profile.status);
		return profile.status;
	}
	if (profile.options.json)
		show_json(&profile, out);
	else
		show_table(&profile, out);
	if (fflush(out) || ferror(out)) {
		fprintf(stderr, "hexagon-stat: output: %s\n", strerror(errno));
		return STATUS_FAILED;
	}
	free(profile.identifier);
	mon_pmu_free(profile.pmu);
	return profile.status;
}
