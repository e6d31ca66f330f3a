// SPDX-License-Identifier: GPL-2.0-only
/*
 * mrfld-bw: bandwidths of the Merrifield SoC each second, as Intel's article works them out.
 *
 * The hardware counts one group at a time. This program lets the groups take turns within each
 * interval, so it shows what each saw in its share of the time; with one --group that is all of it.
 */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "mon_mrfld.h"

struct options {
	double interval;
	unsigned long count;
	double dram_hz;
	bool wanted[MON_MRFLD_GROUPS + 1];
	unsigned int ngroups;
};

static const struct argp_option option_list[] = {
	{ "group", 'g', "NAME", 0, "count this group alone, for example UNC_VISA_Display_BW (repeatable)",
	  0 },
	{ "interval", 'i', "S", 0, "seconds between tables (default 1)", 0 },
	{ "count", 'n', "N", 0, "end after N tables (default: never)", 0 },
	{ "dram-mhz", 'd', "F", 0, "base frequency of the DRAM (default: what the driver says)", 0 },
	{ 0 }
};

static double number(const char *text, const char *what, struct argp_state *state)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0) || value > 1e6)
		argp_error(state, "%s: %s: must be a number above 0", what, text);
	return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	int group;

	switch (key) {
	case 'g':
		group = mon_mrfld_find_group(arg);
		if (group < 0)
			argp_error(state, "--group: %s", mon_error());
		o->ngroups += !o->wanted[group];
		o->wanted[group] = true;
		return 0;
	case 'i':
		o->interval = number(arg, "--interval", state);
		return 0;
	case 'n':
		o->count = number(arg, "--count", state);
		return 0;
	case 'd':
		o->dram_hz = number(arg, "--dram-mhz", state) * 1e6;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: not an option", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void line(const char *name, double read, double write)
{
	printf("%-24s %10.1f %10.1f %10.1f\n", name, read, write, read + write);
}

static void show_ddr(const struct mon_mrfld_counts *counts)
{
	struct mon_mrfld_ddr ddr;

	mon_mrfld_ddr_bandwidth(counts, &ddr);
	line("DDR channel 0", ddr.read[0], ddr.write[0]);
	line("DDR channel 1", ddr.read[1], ddr.write[1]);
	line("DDR", ddr.total_read, ddr.total_write);
}

static void show_agent(const struct mon_mrfld_counts *counts)
{
	static const char *const names[] = {
		[MON_MRFLD_MODULE0_BW] = "CPU module 0",
		[MON_MRFLD_GRAPHICS_BW] = "Graphics",
		[MON_MRFLD_DISPLAY_BW] = "Display",
		[MON_MRFLD_IMAGING_BW] = "Imaging",
		[MON_MRFLD_LOWSPEEDPF_BW] = "Low-speed fabric",
	};
	struct mon_mrfld_agent agent;

	mon_mrfld_agent_bandwidth(counts, &agent);
	line(names[counts->group], agent.read, agent.write);
	if (agent.read_partials + agent.write_partials > 0)
		printf("%-24s %10.0f %10.0f   of unknown size, a second\n", "  partial requests",
		       agent.read_partials / counts->seconds, agent.write_partials / counts->seconds);
}

static void show_estimate(const struct mon_mrfld_counts *counts)
{
	struct mon_mrfld_estimate e;

	mon_mrfld_estimate_bandwidth(counts, &e);
	printf("Estimate, each request taken for 64 bytes: CPU %.1f  display %.1f  graphics %.1f  "
	       "imaging %.1f  fabric %.1f  sum %.1f\n", e.module0, e.display, e.graphics, e.imaging,
	       e.lowspeedpf, e.total);
}

static void show_self_refresh(const struct mon_mrfld_counts *counts, double dram_hz)
{
	struct mon_mrfld_self_refresh r;

	if (mon_mrfld_self_refresh(counts, dram_hz, &r))
		return;
	for (unsigned int i = 0; i < 2; i++)
		printf("Self-refresh channel %u: deep %.1f %%, shallow %.1f %%\n", i, r.deep[i],
		       r.shallow[i]);
}

static void show(const struct options *o, const struct mon_mrfld_counts *counts)
{
	switch (counts->group) {
	case MON_MRFLD_MEMORY_DDR_BW:
		show_ddr(counts);
		break;
	case MON_MRFLD_DDR_SELF_REFRESH:
		show_self_refresh(counts, o->dram_hz);
		break;
	case MON_MRFLD_ALL_REQS:
		show_estimate(counts);
		break;
	case MON_MRFLD_MODULE0_SNOOPS:
		printf("Snoops of CPU module 0: %.0f requests, %.0f replies a second\n",
		       counts->count[1] / counts->seconds, counts->count[0] / counts->seconds);
		break;
	default:
		show_agent(counts);
	}
}

/* One group for its share of the interval. */
static int measure(struct mon_mrfld *mrfld, double seconds, struct mon_mrfld_counts *counts)
{
	struct timespec pause = { .tv_sec = seconds,
				  .tv_nsec = (seconds - (time_t)seconds) * 1e9 };

	if (mon_mrfld_start(mrfld))
		return -1;
	nanosleep(&pause, NULL);
	if (mon_mrfld_stop(mrfld))
		return -1;
	return mon_mrfld_read(mrfld, counts);
}

static int table(const struct options *o, struct mon_mrfld **mrfld)
{
	struct mon_mrfld_counts counts[MON_MRFLD_GROUPS + 1];

	for (int g = 1; g <= MON_MRFLD_GROUPS; g++)
		if (o->wanted[g] && measure(mrfld[g], o->interval / o->ngroups, &counts[g]))
			return -1;
	if (isatty(STDOUT_FILENO))
		printf("\033[H\033[2J");
	printf("%-24s %10s %10s %10s   MB/s\n", "", "read", "write", "total");
	/* bandwidths first, then the rest */
	for (int g = 1; g <= MON_MRFLD_GROUPS; g++)
		if (o->wanted[g] && g != MON_MRFLD_DDR_SELF_REFRESH && g != MON_MRFLD_ALL_REQS &&
		    g != MON_MRFLD_MODULE0_SNOOPS)
			show(o, &counts[g]);
	for (int g = MON_MRFLD_DDR_SELF_REFRESH; g <= MON_MRFLD_MODULE0_SNOOPS; g++)
		if (o->wanted[g] && g != MON_MRFLD_MODULE0_BW)
			show(o, &counts[g]);
	if (o->ngroups > 1)
		printf("Each group counted for %.0f %% of the time.\n", 100.0 / o->ngroups);
	putchar('\n');
	fflush(stdout);
	return 0;
}

static int run(const struct options *o, struct mon_mrfld **mrfld)
{
	for (int g = 1; g <= MON_MRFLD_GROUPS; g++) {
		if (!o->wanted[g])
			continue;
		mrfld[g] = mon_mrfld_new(mon_mrfld_get_group_name(g));
		if (!mrfld[g])
			return -1;
	}
	for (unsigned long n = 0; !o->count || n < o->count; n++)
		if (table(o, mrfld))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		option_list, parse, NULL,
		"Show the memory bandwidths of the Merrifield SoC, like a small top.", NULL, NULL, NULL
	};
	struct mon_mrfld *mrfld[MON_MRFLD_GROUPS + 1] = { NULL };
	struct options o = { .interval = 1 };
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (!o.ngroups)
		for (int g = 1; g <= MON_MRFLD_GROUPS; g++, o.ngroups++)
			o.wanted[g] = true;
	if (!o.dram_hz)
		o.dram_hz = mon_mrfld_dram_hz();
	ret = run(&o, mrfld);
	if (ret)
		fprintf(stderr, "mrfld-bw: %s\n", mon_error());
	for (int g = 1; g <= MON_MRFLD_GROUPS; g++)
		mon_mrfld_free(mrfld[g]);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
