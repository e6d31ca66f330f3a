// SPDX-License-Identifier: GPL-2.0-only
/* The tables of monctl stat in the form that was asked for, of one run or of several. */
#include <stdlib.h>

#include "tools/monctl/show/stat-frame.h"

void stat_keep(struct stat_table *table, const struct reading *before, const struct reading *now)
{
	const struct frame frame = { table, before, now, ALL_RUNS };
	struct stat_runs *runs = &table->runs;
	size_t count = table->sel->count, n = runs->count_of_runs++;

	runs->count = grow(runs->count, n, count * sizeof(*runs->count));
	runs->share = grow(runs->share, n, count * sizeof(*runs->share));
	runs->seconds = grow(runs->seconds, n, sizeof(*runs->seconds));
	runs->seconds[n] = table->seconds;
	for (size_t i = 0; i < count; i++) {
		runs->count[n * count + i] = frame_count(&frame, i);
		runs->share[n * count + i] = frame_share(&frame, i);
	}
}

void stat_print_runs(struct stat_table *table)
{
	const struct frame frame = { .table = table, .run = ALL_RUNS };

	if (table->form == STAT_TEXT)
		stat_print_text(&frame);
	free(table->runs.count);
	free(table->runs.share);
	free(table->runs.seconds);
}

void stat_print(struct stat_table *table, const struct reading *before, const struct reading *now)
{
	static void (*const forms[])(const struct frame *f) = {
		[STAT_TEXT] = stat_print_text, [STAT_CSV] = stat_print_csv, [STAT_JSON] = stat_print_json,
	};

	forms[table->form](&(struct frame){ table, before, now, ALL_RUNS });
}
