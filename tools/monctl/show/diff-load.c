// SPDX-License-Identifier: GPL-2.0-only
/* Rows out of files, and what their repetitions say. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/diff.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/recording-metric.h"
#include "tools/monctl/answer/verdict.h"

#define FEWEST_RUNS 2

double diff_mean(const struct diff_cell *cell)
{
	double sum = 0;

	for (size_t i = 0; i < cell->count; i++)
		sum += cell->value[i];
	return cell->count ? sum / cell->count : NAN;
}

double diff_deviation(const struct diff_cell *cell)
{
	double mean = diff_mean(cell), sum = 0;

	if (cell->count < FEWEST_RUNS)
		return NAN;
	for (size_t i = 0; i < cell->count; i++)
		sum += (cell->value[i] - mean) * (cell->value[i] - mean);
	return sqrt(sum / (cell->count - 1));
}

double diff_change(const struct diff_row *row, size_t file)
{
	double a = diff_mean(&row->cell[0]), b = diff_mean(&row->cell[file]);

	if (isnan(a) || isnan(b))
		return NAN;
	if (a == b)
		return 0;
	return a == 0 ? copysign(INFINITY, b) : (b - a) / fabs(a);
}

bool diff_is_beyond_spread(const struct diff_row *row, size_t file)
{
	double a = diff_deviation(&row->cell[0]), b = diff_deviation(&row->cell[file]);
	double difference = diff_mean(&row->cell[file]) - diff_mean(&row->cell[0]), variance = 0;

	if (!isnan(a))
		variance += a * a / row->cell[0].count;
	if (!isnan(b))
		variance += b * b / row->cell[file].count;
	return fabs(difference) > 2 * sqrt(variance);
}

/* ---- rows ---- */

static struct diff_row *find_row(struct diff *diff, enum diff_kind kind, const char *name, const char *unit)
{
	struct diff_row *row;

	for (size_t i = 0; i < diff->rows; i++)
		if (diff->row[i].kind == kind && !strcmp(diff->row[i].name, name))
			return &diff->row[i];
	diff->row = grow(diff->row, diff->rows, sizeof(*diff->row));
	row = &diff->row[diff->rows++];
	*row = (struct diff_row){
		.kind = kind, .name = format_text("%s", name), .unit = format_text("%s", unit),
		.cell = zeros(diff->files, sizeof(*row->cell)),
	};
	return row;
}

static void add_value(struct diff *diff, size_t file, enum diff_kind kind, const char *name, const char *unit,
		      double value)
{
	struct diff_cell *cell;

	if (isnan(value))
		return;
	cell = &find_row(diff, kind, name, unit)->cell[file];
	cell->value = grow(cell->value, cell->count, sizeof(*cell->value));
	cell->value[cell->count++] = value;
}

/* ---- monctl stat --csv ---- */

#define CSV_HEAD "seconds,pmu,event,place,count,unit,value,share,whole,run"
#define CSV_WORDS 10

/* Splits a line at its commas, except those in quotation marks. */
static size_t split_csv(char *line, char **word)
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	while (n < CSV_WORDS) {
		bool is_quoted = *line == '"';

		word[n++] = line += is_quoted;
		line += strcspn(line, is_quoted ? "\"" : ",");
		if (is_quoted && *line)
			*line++ = '\0';
		if (!*line)
			return n;
		*line++ = '\0';
	}
	return n;
}

static void add_line(struct diff *diff, size_t file, char **word, const char **run)
{
	bool is_metric = !*word[4];
	char *name;

	/* intervals and estimates are not compared */
	if (strcmp(word[8], "1") || !*word[6] || strtod(word[7], NULL) < SHARE_OF_EXACT)
		return;
	if (!*run || strcmp(*run, word[9])) {
		add_value(diff, file, DIFF_TIME, "time", "s", strtod(word[0], NULL));
		free((char *)*run);
		*run = format_text("%s", word[9]);
	}
	if (is_metric)
		name = format_text(*word[3] ? "%s in %s" : "%s", word[2], word[3]);
	else
		name = format_text(*word[3] ? "%s/%s/ in %s" : "%s/%s/", word[1], word[2], word[3]);
	add_value(diff, file, is_metric ? DIFF_METRIC : DIFF_COUNT, name, word[5], strtod(word[6], NULL));
	free(name);
}

static int load_csv(struct diff *diff, size_t file, FILE *in)
{
	const char *path = diff->file[file].path, *run = NULL;
	char *line = NULL, *word[CSV_WORDS];
	size_t room = 0, number = 1, n;
	int ret = 0;

	while (!ret && getline(&line, &room, in) >= 0) {
		number++;
		n = split_csv(line, word);
		if (n == CSV_WORDS)
			add_line(diff, file, word, &run);
		else
			ret = mon_fail(EINVAL, "%s: line %zu has %zu words rather than %d: write it with monctl stat --csv",
				       path, number, n, CSV_WORDS);
	}
	if (!ret && !run)
		ret = mon_fail(EINVAL, "%s: it has no counts of a whole run: was monctl stat interrupted?", path);
	free(line);
	free((char *)run);
	diff->file[file].command = format_text("%s", "");
	return ret;
}

/* ---- recordings ---- */

static void add_metrics(struct diff *diff, size_t file, const struct recording *rec)
{
	struct rec_metrics metrics = rec_metrics_new(rec);

	for (size_t i = 0; i < metrics.count; i++) {
		const struct rec_metric *m = &metrics.metric[i];
		char *name = format_text(m->place < 0 ? "%s" : "%s in %d", m->metric->name, m->place);

		add_value(diff, file, DIFF_METRIC, name, m->metric->unit, m->total);
		free(name);
	}
	rec_metrics_free(&metrics);
}

/* Each run of a program is a repetition, whichever device it was on; so is each phase of that name. */
static void add_runs(struct diff *diff, size_t file, const struct recording *rec)
{
	for (size_t i = 0; i < rec->nmarks; i++) {
		const struct rec_mark *mark = &rec->mark[i];
		char *name = format_text(mark_is_phase(mark) ? "phase %s" : "run of %s", mark->user);

		add_value(diff, file, DIFF_RUN, name, "s", (mark->end - mark->begin) / 1e9);
		free(name);
	}
}

static int load_recording(struct diff *diff, size_t file)
{
	struct recording *rec = recording_load(diff->file[file].path);
	struct verdict verdict;

	if (!rec)
		return -1;
	add_value(diff, file, DIFF_TIME, "time", "s", (rec->stop - rec->start) / 1e9);
	add_runs(diff, file, rec);
	add_metrics(diff, file, rec);
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];
		char *name = format_text(c->place < 0 ? "%s/%s/" : "%s/%s/ in %d", rec->pmu[c->pmu].name, c->event, c->place);

		if (recording_share(rec, c) >= SHARE_OF_EXACT)
			add_value(diff, file, DIFF_COUNT, name, c->unit, recording_total(rec, c) * c->scale);
		free(name);
	}
	verdict = verdict_between(rec, 0, rec->stop - rec->start);
	diff->file[file].sentence = verdict.sentence;
	diff->file[file].sentences = verdict.count;
	diff->file[file].command = format_text("%s", rec->command);
	recording_free(rec);
	return 0;
}

int diff_load(struct diff *diff, size_t file, const char *path)
{
	char head[sizeof(CSV_HEAD) + 1] = "";
	FILE *in = fopen(path, "re");
	int ret;

	if (!in)
		return mon_fail(errno, "%s: %s: give a recording, or a file of monctl stat --csv", path, strerror(errno));
	diff->file[file].path = path;
	if (fgets(head, sizeof(head), in) && !strcmp(head, CSV_HEAD "\n"))
		ret = load_csv(diff, file, in);
	else
		ret = load_recording(diff, file);
	fclose(in);
	return ret;
}

void diff_free(struct diff *diff)
{
	for (size_t i = 0; i < diff->rows; i++) {
		for (size_t k = 0; k < diff->files; k++)
			free(diff->row[i].cell[k].value);
		free(diff->row[i].cell);
		free(diff->row[i].name);
		free(diff->row[i].unit);
	}
	for (size_t i = 0; i < diff->files; i++) {
		for (size_t k = 0; k < diff->file[i].sentences; k++)
			free(diff->file[i].sentence[k]);
		free(diff->file[i].sentence);
		free(diff->file[i].command);
	}
	free(diff->row);
	free(diff->file);
}
