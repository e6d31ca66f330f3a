// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of a preset that says "table hexagon": the metrics of mon_hexagon.h. They need more counters than a core has,
 * so COMMAND runs once for each pass of them, or the passes take turns during one run.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mon_hexagon.h"
#include "libmon/hexagon/table.h"
#include "tools/monctl/show/stat.h"

#define MAX_PASSES 16

/* Runs of a program that repeats itself differ by less than this share. */
#define DIFFERENCE_TOLD 0.01

struct profile {
	const struct selection *sel;
	const struct stat_table *table;
	bool is_once;
	char *identifier;
	struct mon_hexagon_core core;
	uint64_t available;
	uint64_t plan[MAX_PASSES];
	size_t npasses;
	struct mon_hexagon_pass pass[MAX_PASSES];
};

/* A pass: its counters as a selection, and their groups. */
struct pass_groups {
	struct selection sel;
	struct groups *groups;
	struct reading before[MON_HEXAGON_PASS_MAX], after[MON_HEXAGON_PASS_MAX];
};

static const struct counter *find_counter_of(const struct profile *p, unsigned int number)
{
	for (size_t i = 0; i < p->sel->count; i++)
		if (!strcmp(p->sel->counter[i].terms, mon_hexagon_counter_event(number)))
			return &p->sel->counter[i];
	return NULL;
}

static double read_cap(const struct mon_pmu *pmu, const char *file)
{
	char *text = mon_pmu_read_file(pmu, file);
	double value;

	if (!text)
		die_mon();
	value = strtod(text, NULL);
	free(text);
	return value;
}

static void plan_passes(struct profile *p)
{
	const struct mon_pmu *pmu = p->sel->counter[0].pmu;
	int n;

	p->identifier = mon_pmu_read_file(pmu, "identifier");
	if (!p->identifier)
		die_mon();
	p->core.threads = read_cap(pmu, "caps/threads");
	p->core.cycles = read_cap(pmu, "caps/cycles_per_packet");
	p->core.clock_hz = read_cap(pmu, "caps/clock_hz");
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		if (find_counter_of(p, i))
			p->available |= UINT64_C(1) << i;
	n = mon_hexagon_plan((1u << MON_HEXAGON_METRICS) - 1, p->core.threads, p->available, p->plan, MAX_PASSES);
	if (n < 0)
		die_mon();
	p->npasses = n;
}

static void open_pass(const struct profile *p, size_t pass, struct pass_groups *g)
{
	g->sel = (struct selection){ .counter = zeros(MON_HEXAGON_PASS_MAX, sizeof(*g->sel.counter)) };
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		if (p->plan[pass] >> i & 1)
			g->sel.counter[g->sel.count++] = *find_counter_of(p, i);
	g->groups = groups_open(&g->sel);
}

static void close_pass(struct profile *p, size_t number, struct pass_groups *g)
{
	struct mon_hexagon_pass *pass = &p->pass[number];
	size_t k = 0;

	if (groups_read(g->groups, g->after))
		die_mon();
	pass->counters = p->plan[number];
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++) {
		if (!(pass->counters >> i & 1))
			continue;
		pass->count[i] = g->after[k].value - g->before[k].value;
		k++;
	}
	pass->interval_us = (g->after[0].times.enabled - g->before[0].times.enabled) / 1e3;
	pass->running_us = (g->after[0].times.running - g->before[0].times.running) / 1e3;
	groups_free(g->groups);
	free(g->sel.counter);
}

/* Counts passes during one run of the command. The output is that of the first run. */
static int run_passes(struct profile *p, size_t first, size_t count)
{
	struct pass_groups g[MAX_PASSES];
	struct workload w;
	size_t i;

	if (first) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		fflush(stdout);
		if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
			die("/dev/null cannot be opened");
		close(null);
	}
	for (i = 0; i < count; i++)
		open_pass(p, first + i, &g[i]);
	workload_prepare(&w, p->table->command);
	for (i = 0; i < count; i++)
		if (groups_read(g[i].groups, g[i].before))
			die_mon();
	for (i = 0; i < count; i++)
		groups_enable(g[i].groups);
	workload_start(&w);
	while (!workload_poll(&w))
		workload_wait(&w, 3600 * NS_PER_S);
	for (i = 0; i < count; i++)
		groups_disable(g[i].groups);
	for (i = 0; i < count; i++)
		close_pass(p, first + i, &g[i]);
	return workload_status(&w);
}

/* Returns the pass that differs most from the first one; 0: none differs noticeably. */
static size_t worst_pass(const struct profile *p, double *difference)
{
	size_t worst = 0;

	*difference = DIFFERENCE_TOLD;
	for (size_t i = 1; i < p->npasses && !p->is_once; i++) {
		double d = mon_hexagon_difference(&p->pass[0], &p->pass[i], p->core.threads);

		if (d > *difference) {
			*difference = d;
			worst = i;
		}
	}
	return worst;
}

/* ---- for people ---- */

static bool profile_text(const struct profile *p, FILE *out)
{
	double difference;
	size_t worst = worst_pass(p, &difference);

	fprintf(out, "\n Hexagon core %s, %u threads at %.0f MHz; %zu passes, %s\n\n", p->identifier,
		p->core.threads, p->core.clock_hz / 1e6, p->npasses,
		p->is_once ? "taking turns during one run: estimates" : "one run of the command each");
	if (!hexagon_table_print(out, &p->core, p->available, p->pass, p->npasses))
		return false;
	fprintf(out, "\n%16.3f  ms of the guest's time\n", p->pass[0].interval_us / 1000);
	if (worst)
		fprintf(out, "\n Run %zu differs from run 1 by %.1f %%: the program does not repeat. "
			"Each value is from one run;\n values of different passes do not belong together.\n",
			worst + 1, 100 * difference);
	fputc('\n', out);
	return true;
}

/* ---- for programs ---- */

static void csv_value(FILE *out, const char *name, unsigned int n, const char *unit, const struct mon_hexagon_value *value)
{
	fprintf(out, "%s,", name);
	if (n)
		fprintf(out, "%u", n);
	fputc(',', out);
	if (!value->unknown)
		fprintf(out, "%.9g", value->value);
	fprintf(out, ",%s,%.4g\n", unit, value->share);
}

static bool profile_csv(const struct profile *p, FILE *out)
{
	fprintf(out, "metric,n,value,unit,share\n");
	return hexagon_table_visit(out, &p->core, p->available, p->pass, p->npasses, csv_value);
}

static const char *json_comma;

static void json_value(FILE *out, const char *name, unsigned int n, const char *unit, const struct mon_hexagon_value *value)
{
	fputs(json_comma, out);
	json_comma = ",";
	json_print(out, "\n    {\"name\": %s", name);
	if (n)
		json_print(out, ", \"n\": %u", n);
	json_print(out, ", \"value\": %.9g", value->unknown ? NAN : value->value);
	if (value->unknown)
		json_print(out, ", \"reason\": %s", hexagon_table_unknown(value->unknown));
	json_print(out, ", \"unit\": %s, \"share\": %.4g}", unit, value->share);
}

static bool profile_json(const struct profile *p, FILE *out)
{
	double difference;
	bool is_known;

	json_print(out, "{\n  \"core\": %s, \"threads\": %u, \"clock_hz\": %.15g, \"once\": %c,\n  \"repeats\": ", p->identifier,
		   p->core.threads, p->core.clock_hz, p->is_once);
	fputs(p->is_once ? "null" : worst_pass(p, &difference) ? "false" : "true", out);
	fputs(",\n  \"passes\": [", out);
	for (size_t i = 0; i < p->npasses; i++) {
		const struct mon_hexagon_pass *pass = &p->pass[i];
		const char *comma = "";

		fprintf(out, "%s\n    {\"interval_us\": %.3f, \"running_us\": %.3f, \"counters\": {",
			i ? "," : "", pass->interval_us, pass->running_us);
		for (unsigned int k = 0; k < MON_HEXAGON_COUNTERS; k++) {
			if (!(pass->counters >> k & 1))
				continue;
			fputs(comma, out);
			json_print(out, "%s: %llu", mon_hexagon_counter_event(k), (unsigned long long)pass->count[k]);
			comma = ", ";
		}
		fputs("}}", out);
	}
	fputs("\n  ],\n  \"metrics\": [", out);
	json_comma = "";
	is_known = hexagon_table_visit(out, &p->core, p->available, p->pass, p->npasses, json_value);
	fputs("\n  ]\n}\n", out);
	return is_known;
}

int stat_own_table(const struct stat_table *table, bool is_once)
{
	static bool (*const forms[])(const struct profile *p, FILE *out) = {
		[STAT_TEXT] = profile_text, [STAT_CSV] = profile_csv, [STAT_JSON] = profile_json,
	};
	struct profile p = { .sel = table->sel, .table = table, .is_once = is_once };
	size_t at_once, i;
	int status = 0;

	plan_passes(&p);
	at_once = is_once ? p.npasses : 1;
	for (i = 0; i < p.npasses && !status; i += at_once)
		status = run_passes(&p, i, at_once);
	if (status)
		warn("%s ended with status %d: no metrics of a run that failed", table->command[0], status);
	else if (!forms[table->form](&p, table->out))
		die_mon();
	free(p.identifier);
	return status;
}
