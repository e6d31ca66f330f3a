/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements side by side: recordings, and files of monctl stat --csv. */
#ifndef MONCTL_DIFF_H
#define MONCTL_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are shown. */
enum diff_kind {
	DIFF_TIME, DIFF_RUN, DIFF_METRIC, DIFF_COUNT,
};

/* What a file says about a row: a value for each repetition. */
struct diff_cell {
	double *value;
	size_t count;
};

struct diff_row {
	enum diff_kind kind;
	char *name, *unit;
	struct diff_cell *cell;		/* one for each file; a count of 0: the file does not have it */
};

struct diff_file {
	const char *path;
	char *command;			/* "": not known */
	char **sentence;		/* the verdict, of recordings */
	size_t sentences;
};

struct diff {
	struct diff_file *file;
	size_t files;
	struct diff_row *row;
	size_t rows;
};

/* Adds the file with that index; files must have room. 0, or -1 after a message in mon_error(). */
int diff_load(struct diff *diff, size_t file, const char *path);
void diff_free(struct diff *diff);

/* Of what the repetitions say; NaN: there is none, or one alone has no deviation. */
double diff_mean(const struct diff_cell *cell);
double diff_deviation(const struct diff_cell *cell);
/*
 * How much the file differs from the first, as a share of that; infinite: the first has 0, the other has not. NaN: one
 * of them does not have it.
 */
double diff_change(const struct diff_row *row, size_t file);
/* Whether that is more than twice the deviation of the difference; so is any if there are no repetitions. */
bool diff_is_beyond_spread(const struct diff_row *row, size_t file);

#endif
