// SPDX-License-Identifier: GPL-2.0-only
/* monctl diff: measurements side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/diff.h"
#include "tools/monctl/base/monctl.h"

#define NAME_WIDTH 34

/* Returns the largest change of a row beyond its spread, in any file. */
static double weight(const struct diff *diff, const struct diff_row *row)
{
	double most = 0;

	for (size_t k = 1; k < diff->files; k++) {
		double change = fabs(diff_change(row, k));

		if (change > most && diff_is_beyond_spread(row, k))
			most = change;
	}
	return most;
}

static const struct diff *sorted_diff;

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	double wx, wy;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	wx = weight(sorted_diff, x);
	wy = weight(sorted_diff, y);
	return wx != wy ? (wx < wy ? 1 : -1) : strcmp(x->name, y->name);
}

static bool is_all_zero(const struct diff *diff, const struct diff_row *row)
{
	for (size_t k = 0; k < diff->files; k++)
		if (row->cell[k].count && diff_mean(&row->cell[k]) != 0)
			return false;
	return true;
}

/* ---- table ---- */

static void print_value(const struct diff_cell *cell)
{
	double mean = diff_mean(cell), deviation = diff_deviation(cell);
	char text[48];

	if (isnan(mean))
		snprintf(text, sizeof(text), "-");
	else if (fabs(mean) < 1e15 && (mean == floor(mean) || fabs(mean) >= 1e5))
		snprintf(text, sizeof(text), "%.0f", mean);
	else
		snprintf(text, sizeof(text), "%.6g", mean);
	printf(" %14s", text);
	if (isnan(deviation) || mean == 0)
		printf(" %9s", "");
	else
		printf(" +- %4.2g %%", 100 * deviation / fabs(mean));
}

static void print_change(const struct diff_row *row, size_t file)
{
	double change = diff_change(row, file);
	char text[32];

	if (isnan(change))
		snprintf(text, sizeof(text), "-");
	else if (isinf(change))
		snprintf(text, sizeof(text), "from 0");
	else if (change && !diff_is_beyond_spread(row, file))
		snprintf(text, sizeof(text), "(%+.1f %%)", 100 * change);
	else
		snprintf(text, sizeof(text), change ? "%+.1f %%" : "=", 100 * change);
	printf(" %11s", text);
}

/* Columns of the longest unit. */
static int unit_width(const struct diff *diff)
{
	size_t width = strlen("unit");

	for (size_t i = 0; i < diff->rows; i++)
		if (!is_all_zero(diff, &diff->row[i]) && strlen(diff->row[i].unit) > width)
			width = strlen(diff->row[i].unit);
	return width;
}

static void print_row(const struct diff *diff, const struct diff_row *row)
{
	printf("%-*s %-*s", NAME_WIDTH, row->name, unit_width(diff), row->unit);
	for (size_t k = 0; k < diff->files; k++) {
		print_value(&row->cell[k]);
		if (k)
			print_change(row, k);
	}
	printf("\n");
}

/* Returns the row for the first sentence: the time of the runs, or of the whole. */
static const struct diff_row *answer_row(const struct diff *diff)
{
	const struct diff_row *first = diff->rows ? &diff->row[0] : NULL;

	for (size_t i = 0; i < diff->rows; i++)
		if (diff->row[i].kind == DIFF_RUN && !isnan(diff_change(&diff->row[i], diff->files - 1)))
			return &diff->row[i];
	return first;
}

static void print_answer(const struct diff *diff)
{
	const struct diff_row *row = answer_row(diff);

	for (size_t k = 1; row && k < diff->files; k++) {
		double change = diff_change(row, k);
		size_t beyond = 0, both = 0;

		for (size_t i = 0; i < diff->rows; i++) {
			if (isnan(diff_change(&diff->row[i], k)) || is_all_zero(diff, &diff->row[i]))
				continue;
			both++;
			beyond += diff_is_beyond_spread(&diff->row[i], k);
		}
		if (isfinite(change) && change && diff_is_beyond_spread(row, k))
			printf("%c: %s is %.1f %% %s than in A (%.4g and %.4g s);", 'A' + (int)k, row->name, 100 * fabs(change),
			       change > 0 ? "longer" : "shorter", diff_mean(&row->cell[k]), diff_mean(&row->cell[0]));
		else
			printf("%c: %s is as long as in A;", 'A' + (int)k, row->name);
		printf(" %zu of %zu values differ by more than their spread.\n", beyond, both);
	}
}

static void print_files(const struct diff *diff)
{
	for (size_t k = 0; k < diff->files; k++) {
		const struct diff_file *file = &diff->file[k];

		printf("%c  %s%s%s\n", 'A' + (int)k, file->path, *file->command ? ": " : "", file->command);
		for (size_t i = 0; i < file->sentences; i++) {
			printf("   ");
			print_wrapped(stdout, file->sentence[i], 3, terminal_width());
		}
	}
}

static void print_diff(const struct diff *diff)
{
	print_answer(diff);
	printf("\n");
	print_files(diff);
	printf("\n%-*s %-*s", NAME_WIDTH, "", unit_width(diff), "unit");
	for (size_t k = 0; k < diff->files; k++) {
		printf(" %14c %9s", 'A' + (int)k, "");
		if (k)
			printf("      %c to A", 'A' + (int)k);
	}
	printf("\n");
	for (size_t i = 0; i < diff->rows; i++)
		if (!is_all_zero(diff, &diff->row[i]))
			print_row(diff, &diff->row[i]);
	printf("\nIn brackets: within the spread of the repetitions (twice its deviation).\n");
}

/* ---- command ---- */

#define MOST_FILES 26

struct diff_options {
	const char *path[MOST_FILES];
	size_t count;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct diff_options *o = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (o->count == MOST_FILES)
			argp_error(state, "at most %d files", MOST_FILES);
		o->path[o->count++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (o->count < 2)
			argp_error(state, "give two files or more: recordings, or files of monctl stat --csv");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_diff(int argc, char **argv)
{
	static const struct argp argp = {
		NULL, parse_option, "A B [C...]",
		"Show recordings, or files of monctl stat --csv, side by side, with what differs beyond the spread of "
		"repetitions first.", NULL, NULL, NULL,
	};
	struct diff_options o = { 0 };
	struct diff diff = { 0 };

	parse_arguments(&argp, argc, argv, &o);
	diff.files = o.count;
	diff.file = zeros(o.count, sizeof(*diff.file));
	for (size_t i = 0; i < o.count; i++)
		if (diff_load(&diff, i, o.path[i]))
			die_mon();
	sorted_diff = &diff;
	qsort(diff.row, diff.rows, sizeof(*diff.row), compare_rows);
	print_diff(&diff);
	diff_free(&diff);
	return 0;
}
