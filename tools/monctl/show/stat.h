/* SPDX-License-Identifier: GPL-2.0-only */
/* What monctl stat prints. */
#ifndef MONCTL_STAT_H
#define MONCTL_STAT_H

#include "tools/monctl/record/groups.h"
#include "tools/monctl/record/phase.h"
#include "tools/monctl/record/recording.h"

enum stat_form {
	STAT_TEXT, STAT_CSV, STAT_JSON,
};

/* What several runs counted, run by run: counts of all counters, then of all counters of the second run, ... */
struct stat_runs {
	double *count, *share;
	double *seconds;
	size_t count_of_runs;
};

struct stat_table {
	const struct selection *sel;
	struct recording *rec;		/* its description */
	struct stat_runs windows;	/* counts alone: of short stretches of the last run, where rules ask for a peak */
	enum stat_form form;
	FILE *out;
	char **command;
	double time;			/* since the start */
	double seconds;			/* between the readings */
	bool is_whole;			/* the last table: of the whole run */
	bool has_head;
	size_t run;			/* number of this run, from 1 on; with repeat the last table is of all runs */
	size_t repeat;
	struct phases phases;		/* what programs tell */
	uint64_t transfer_ns;		/* of their copies, in the last run */
	struct stat_runs runs;
	const char *attached;		/* "process 42 (name)"; NULL: a command ran */
	int status;
};

void stat_print(struct stat_table *table, const struct reading *before, const struct reading *now);
/* Keeps a whole run for the table of all runs, which is of averages. */
void stat_keep(struct stat_table *table, const struct reading *before, const struct reading *now);
void stat_print_runs(struct stat_table *table);
/* The table that a preset has of its own, after as many runs of the command as it needs; the command's status. */
int stat_own_table(const struct stat_table *table, bool is_once);

#endif
