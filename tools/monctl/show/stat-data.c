// SPDX-License-Identifier: GPL-2.0-only
/* The tables of monctl stat for programs: CSV and JSON. */
#include <math.h>
#include <stdlib.h>

#include "tools/monctl/answer/page-data.h"
#include "tools/monctl/show/stat-frame.h"

/* Calls for each metric that is known: of all places together, and with --per-place of each place. */
static void for_each_metric(const struct frame *f,
			    void (*call)(const struct frame *f, const struct wanted_metric *m, const struct mon_place *place,
					 double value, void *arg), void *arg)
{
	const struct selection *sel = f->table->sel;

	for (size_t i = 0; i < sel->nmetrics; i++) {
		const struct wanted_metric *m = &sel->metric[i];
		int places = sel->per_place ? mon_pmu_get_place_count(m->pmu) : 0;

		for (int p = -1; p < places; p++) {
			double value = frame_metric(f, m, p);

			if (!isnan(value))
				call(f, m, p < 0 ? NULL : mon_pmu_get_place(m->pmu, p), value, arg);
		}
	}
}

static void csv_metric(const struct frame *f, const struct wanted_metric *m, const struct mon_place *place, double value,
		       void *arg)
{
	const struct stat_table *table = f->table;

	(void)arg;
	fprintf(table->out, "%.6f,%s,\"%s\",", table->time, mon_pmu_get_name(m->pmu), m->metric->name);
	if (place)
		fprintf(table->out, "%u", mon_place_get_number(place));
	fprintf(table->out, ",,%s,%.10g,%.4f,%d,%zu\n", m->metric->unit, value, frame_metric_is_estimate(f, m) ? 0.0 : 1.0,
		table->is_whole, table->run);
}

static void json_metric(const struct frame *f, const struct wanted_metric *m, const struct mon_place *place, double value,
			void *arg)
{
	FILE *out = f->table->out;
	const char **comma = arg;

	fputs(*comma, out);
	json_print(out, "{\"pmu\": %s, \"metric\": %s", mon_pmu_get_name(m->pmu), m->metric->name);
	if (place)
		json_print(out, ", \"place\": %u", mon_place_get_number(place));
	json_print(out, ", \"value\": %.10g, \"is_estimate\": %c, \"unit\": %s}", value, frame_metric_is_estimate(f, m),
		   m->metric->unit);
	*comma = ", ";
}

void stat_print_csv(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;

	if (!table->has_head)
		fprintf(table->out, "seconds,pmu,event,place,count,unit,value,share,whole,run\n");
	table->has_head = true;
	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		if (c->is_clock)
			continue;
		fprintf(table->out, "%.6f,%s,\"%s\",", table->time, mon_pmu_get_name(c->pmu), counter_event_name(c));
		if (c->place)
			fprintf(table->out, "%u", mon_place_get_number(c->place));
		if (isnan(frame_count(f, i)))
			fprintf(table->out, ",,%s,", counter_unit(c));
		else
			fprintf(table->out, ",%.0f,%s,%.10g", frame_count(f, i), counter_unit(c), frame_scaled(f, i));
		fprintf(table->out, ",%.4f,%d,%zu\n", frame_share(f, i), table->is_whole, table->run);
	}
	for_each_metric(f, csv_metric, NULL);
	fflush(table->out);
}

void stat_print_json(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	FILE *out = table->out;
	const char *comma = "";
	struct counts counts = frame_counts(f, true);

	json_print(out, "{\"time\": %.9g, \"seconds\": %.9g, \"whole\": %c, \"run\": %zu, \"counters\": [", table->time, table->seconds,
		   table->is_whole, table->run);
	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		fputs(i ? ", " : "", out);
		json_print(out, "{\"pmu\": %s, \"event\": %s", mon_pmu_get_name(c->pmu), counter_event_name(c));
		if (c->place)
			json_print(out, ", \"place\": %u", mon_place_get_number(c->place));
		json_print(out, ", \"count\": %.17g, \"value\": %.10g, \"share\": %.4g, \"unit\": %s}", round(frame_count(f, i)),
			   frame_scaled(f, i), frame_share(f, i), counter_unit(c));
	}
	fprintf(out, "], \"metrics\": [");
	for_each_metric(f, json_metric, &comma);
	fprintf(out, "], ");
	page_write_answers(&counts, out);
	free((double *)counts.count);
	fprintf(out, "}\n");
	fflush(out);
}
