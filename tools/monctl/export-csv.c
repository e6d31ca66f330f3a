// SPDX-License-Identifier: GPL-2.0-only
/* CSV for data frames. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tools/monctl/export.h"
#include "tools/monctl/metric.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/page.h"
#include "tools/monctl/verdict.h"

/* As many lines at a time as this many numbers make: a long recording does not have to fit in memory. */
#define BLOCK 4000000

/* A metric of all places of a PMU, where its events were counted. */
struct csv_metric {
	const struct metric *metric;
	size_t pmu;
};

struct csv {
	const struct recording *rec;
	struct csv_metric *metric;
	size_t nmetrics;
	double *count;			/* of a line; NaN: it took turns, and metrics are not made of estimates */
	const struct rec_mark **mark;	/* in the order of their begins */
	size_t first_mark;		/* those before it have ended */
	FILE *out;
};

static void find_metrics(struct csv *csv)
{
	const struct metric_set *set = metrics();
	const struct recording *rec = csv->rec;

	csv->metric = calloc(rec->npmus * set->nmetrics + 1, sizeof(*csv->metric));
	if (!csv->metric)
		die("out of memory");
	for (size_t i = 0; i < rec->npmus; i++)
		for (size_t k = 0; k < set->nmetrics; k++)
			if (recording_has_metric(rec, i, &set->metric[k]))
				csv->metric[csv->nmetrics++] = (struct csv_metric){ &set->metric[k], i };
}

/* The metrics of a line whose counts are there. */
static void put_metric_cells(const struct csv *csv)
{
	const struct verdict_counts counts = { csv->rec, csv->count, csv->rec->interval / 1e9 };

	for (size_t i = 0; i < csv->nmetrics; i++) {
		double value = verdict_metric(&counts, csv->metric[i].pmu, csv->metric[i].metric);

		fputc(',', csv->out);
		if (!isnan(value))
			fprintf(csv->out, "%.10g", value);
	}
}

static int compare_begins(const void *a, const void *b)
{
	const struct rec_mark *const *x = a, *const *y = b;

	return ((*x)->begin > (*y)->begin) - ((*x)->begin < (*y)->begin);
}

static void sort_marks(struct csv *csv)
{
	csv->mark = calloc(csv->rec->nmarks + 1, sizeof(*csv->mark));
	if (!csv->mark)
		die("out of memory");
	for (size_t i = 0; i < csv->rec->nmarks; i++)
		csv->mark[i] = &csv->rec->mark[i];
	qsort(csv->mark, csv->rec->nmarks, sizeof(*csv->mark), compare_begins);
}

static void put_quoted(const char *text, FILE *out)
{
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
}

/* "DEVICE USER: ABOUT" of the runs and phases that went on in the interval. */
static void put_runs(struct csv *csv, uint64_t from, uint64_t to)
{
	const struct recording *rec = csv->rec;
	const char *comma = "";

	fprintf(csv->out, ",\"");
	while (csv->first_mark < rec->nmarks && csv->mark[csv->first_mark]->end <= from)
		csv->first_mark++;
	for (size_t i = csv->first_mark; i < rec->nmarks && csv->mark[i]->begin < to; i++) {
		const struct rec_mark *mark = csv->mark[i];

		if (mark->end <= from)
			continue;
		fprintf(csv->out, "%s%s ", comma, mark->device);
		put_quoted(mark->user, csv->out);
		fprintf(csv->out, "%s", *mark->about ? ": " : "");
		put_quoted(mark->about, csv->out);
		comma = "; ";
	}
	fputc('"', csv->out);
}

static void put_lines(struct csv *csv, size_t first, size_t lines)
{
	const struct recording *rec = csv->rec;
	size_t columns = rec->ncounters, rows = recording_rows(rec), r, c;
	FILE *out = csv->out;
	struct rec_table *table = rec_table_new(rec, first * rec->interval, rec->interval, lines);
	const uint64_t **column = calloc(columns + 1, sizeof(*column));

	if (!column)
		die("out of memory");
	/* a block's columns are in memory together */
	for (c = 0; c < columns; c++)
		column[c] = rec_table_row(table, &rec->counter[c]);
	for (r = 0; r < lines && first + r < rows; r++) {
		fprintf(out, "%.6f", (first + r) * (rec->interval / 1e9));
		for (c = 0; c < columns; c++) {
			fprintf(out, ",%" PRIu64, column[c][r]);
			if (!isnan(csv->count[c]))
				csv->count[c] = column[c][r];
		}
		put_metric_cells(csv);
		put_runs(csv, rec->start + (first + r) * rec->interval, rec->start + (first + r + 1) * rec->interval);
		fprintf(out, "\n");
	}
	free(column);
	rec_table_free(table);
}

/* A count of a counter with a scale is a part of its unit. */
static void put_head(const struct csv *csv)
{
	const struct recording *rec = csv->rec;

	fprintf(csv->out, "seconds");
	for (size_t c = 0; c < rec->ncounters; c++) {
		const struct rec_counter *counter = &rec->counter[c];
		char *name = recording_counter_name(rec, counter);

		if (counter->scale == 1)
			fprintf(csv->out, ",\"%s [%s]\"", name, counter->unit);
		else
			fprintf(csv->out, ",\"%s [%.10g %s]\"", name, counter->scale, counter->unit);
		free(name);
	}
	for (size_t i = 0; i < csv->nmetrics; i++)
		fprintf(csv->out, ",\"%s %s [%s]\"", rec->pmu[csv->metric[i].pmu].name, csv->metric[i].metric->name,
			csv->metric[i].metric->unit);
	fprintf(csv->out, ",runs\n");
}

void export_csv(const struct recording *rec, FILE *out)
{
	struct csv csv = { .rec = rec, .out = out, .count = calloc(rec->ncounters + 1, sizeof(*csv.count)) };
	size_t rows = recording_rows(rec), columns = rec->ncounters, c;
	size_t at_once = columns ? BLOCK / columns + 1 : 1, first;

	if (at_once > rows)
		at_once = rows;
	if (!csv.count)
		die("out of memory");
	for (c = 0; c < columns; c++)
		csv.count[c] = recording_share(rec, &rec->counter[c]) < SHARE_OF_EXACT ? NAN : 0;
	sort_marks(&csv);
	find_metrics(&csv);
	put_head(&csv);
	for (first = 0; first < rows; first += at_once) {
		put_lines(&csv, first, at_once);
		progress("writing the table", (double)(first + at_once) / rows);
	}
	free(csv.mark);
	free(csv.metric);
	free(csv.count);
}
