/* SPDX-License-Identifier: GPL-2.0-only */
/* Which counters a command is about: from its options to events in places. */
#ifndef MONCTL_SELECT_H
#define MONCTL_SELECT_H

#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"

struct counter {
	char *text;			/* for mon_group_add() */
	char *terms;			/* without those of the place */
	const struct mon_pmu *pmu;
	const struct mon_event *event;	/* NULL: by code */
	const struct mon_place *place;	/* NULL: the sum of all */
	bool is_clock;			/* not requested: rates need it */
	bool is_asked;			/* -e named it */
	uint64_t config[3];		/* of perf_event_attr */
	uint64_t losses;		/* of its PMU when selection_note_losses() was called */
};

struct wanted_metric {
	const struct metric *metric;
	const struct mon_pmu *pmu;
};

struct selection {
	struct mon_pmus *pmus;
	struct counter *counter;
	size_t count;
	struct wanted_metric *metric;
	size_t nmetrics;
	/* what the options said */
	char **events, **presets;
	size_t nevents, npresets;
	bool per_place;
	bool is_default;		/* neither events nor presets: the preset "budget" */
};

/* -e, --preset and --per-place; its input is a struct selection of zeros. */
extern const struct argp selection_argp;

/* After the options were read; ends the program if there is nothing to count. */
void selection_resolve(struct selection *sel);
/* A preset of the options has a table of its own (monctl-metrics(5)). */
bool selection_table(const struct selection *sel);
/* A counter and its metrics again for all of its places; no effect where there are none. */
void selection_expand_places(struct selection *sel);
void selection_free(struct selection *sel);
/* A PMU of the selection whose device went away; NULL: all are there. */
const char *selection_gone(const struct selection *sel);
void selection_note_losses(struct selection *sel);
/* A PMU that has lost counts since; its device may have gone and come back. NULL: none has. */
const char *selection_lost(const struct selection *sel);

/* "NAME<tab>DESCRIPTION" of each preset. */
void selection_list_presets(bool is_json, FILE *out);

/* Name, unit and scale of what is counted. */
const char *counter_event_name(const struct counter *counter);
const char *counter_unit(const struct counter *counter);
double counter_scale(const struct counter *counter);
/* "espmon/ddr_accesses/" or "espmon/dma_reqs,tile=2/". free() it. */
char *counter_label(const struct counter *counter);

/* An event of its PMU's clock. */
bool counter_is_clock(const struct counter *counter);
/* What the reader of a counter does is counted by its PMU, too. */
bool counter_counts_reader(const struct counter *counter);
/* Whether a name matches a pattern with * and ?. */
bool matches(const char *pattern, const char *name);
/* Its clock in Hz, 0 if it does not say. */
uint64_t pmu_clock(const struct mon_pmu *pmu);

#endif
