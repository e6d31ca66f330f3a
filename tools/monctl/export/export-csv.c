// SPDX-License-Identifier: GPL-2.0-only
/* CSV for data frames. */
#include <math.h>
#include <stdlib.h>

#include "tools/monctl/export/export.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/recording-metric.h"

/* Counts in memory at a time: a long recording is written in blocks of lines. */
#define BLOCK 4000000

struct csv {
	const struct recording *rec;
	struct rec_metrics metrics;
	double *value;			/* of all metrics in a block of lines */
	const struct rec_mark **mark;	/* in the order of their begins */
	size_t first_mark;		/* the runs before it have ended */
	FILE *out;
};

/* Writes the metrics of a line of a block. */
static void put_metric_cells(const struct csv *csv, size_t lines, size_t line)
{
	for (size_t i = 0; i < csv->metrics.count; i++) {
		double value = csv->value[i * lines + line];

		fputc(',', csv->out);
		if (isfinite(value))
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
	csv->mark = zeros(csv->rec->nmarks, sizeof(*csv->mark));
	for (size_t i = 0; i < csv->rec->nmarks; i++)
		csv->mark[i] = &csv->rec->mark[i];
	qsort(csv->mark, csv->rec->nmarks, sizeof(*csv->mark), compare_begins);
}

static void put_quoted(const char *text, FILE *out)
{
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
}

/* Writes "DEVICE USER: ABOUT" of the runs and phases that went on in the interval. */
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
	const uint64_t **column = zeros(columns, sizeof(*column));

	/* a block's columns stay in memory together */
	for (c = 0; c < columns; c++)
		column[c] = rec_table_row(table, &rec->counter[c]);
	for (c = 0; c < csv->metrics.count; c++)
		rec_metric_row(&csv->metrics.metric[c], table, lines, csv->value + c * lines);
	for (r = 0; r < lines && first + r < rows; r++) {
		fprintf(out, "%.6f", (first + r) * (rec->interval / 1e9));
		for (c = 0; c < columns; c++) {
			fputc(',', out);
			print_count(out, column[c][r]);
		}
		put_metric_cells(csv, lines, r);
		put_runs(csv, rec->start + (first + r) * rec->interval, rec->start + (first + r + 1) * rec->interval);
		fprintf(out, "\n");
	}
	free(column);
	rec_table_free(table);
}

/* Writes the names of the columns. The unit of a counter with a scale has the scale before it. */
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
	for (size_t i = 0; i < csv->metrics.count; i++) {
		const struct rec_metric *m = &csv->metrics.metric[i];
		const struct rec_pmu *pmu = &rec->pmu[m->pmu];

		fprintf(csv->out, ",\"%s %s", pmu->name, m->metric->name);
		if (m->place >= 0)
			fprintf(csv->out, ",%s=%d", pmu->noun, m->place);
		fprintf(csv->out, " [%s]\"", m->metric->unit);
	}
	fprintf(csv->out, ",runs\n");
}

void export_csv(const struct recording *rec, FILE *out)
{
	struct csv csv = { .rec = rec, .out = out, .metrics = rec_metrics_new(rec) };
	size_t rows = recording_rows(rec), columns = rec->ncounters;
	size_t at_once = columns ? BLOCK / columns + 1 : 1, first;

	if (at_once > rows)
		at_once = rows;
	csv.value = zeros(csv.metrics.count * at_once, sizeof(*csv.value));
	sort_marks(&csv);
	put_head(&csv);
	for (first = 0; first < rows; first += at_once) {
		put_lines(&csv, first, at_once);
		progress("writing the table", (double)(first + at_once) / rows);
	}
	free(csv.mark);
	free(csv.value);
	rec_metrics_free(&csv.metrics);
}
