// SPDX-License-Identifier: GPL-2.0-only
/* CSV for data frames. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/monctl/export.h"
#include "tools/monctl/monctl.h"

/* As many lines at a time as this many numbers make: a long recording does not have to fit in memory. */
#define BLOCK 4000000

static void put_lines(const struct recording *rec, size_t first, size_t lines, FILE *out)
{
	size_t columns = rec->ncounters, rows = recording_rows(rec), r, c;
	struct rec_table *table = rec_table_new(rec, first * rec->interval, rec->interval, lines);
	const uint64_t **column = calloc(columns + 1, sizeof(*column));

	if (!column)
		die("out of memory");
	/* a block's columns are in memory together */
	for (c = 0; c < columns; c++)
		column[c] = rec_table_row(table, &rec->counter[c]);
	for (r = 0; r < lines && first + r < rows; r++) {
		fprintf(out, "%.6f", (first + r) * (rec->interval / 1e9));
		for (c = 0; c < columns; c++)
			fprintf(out, ",%" PRIu64, column[c][r]);
		fprintf(out, "\n");
	}
	free(column);
	rec_table_free(table);
}

void export_csv(const struct recording *rec, FILE *out)
{
	size_t rows = recording_rows(rec), columns = rec->ncounters, c;
	size_t at_once = columns ? BLOCK / columns + 1 : 1, first;

	if (at_once > rows)
		at_once = rows;
	fprintf(out, "seconds");
	for (c = 0; c < columns; c++) {
		char *name = recording_counter_name(rec, &rec->counter[c]);

		fprintf(out, ",\"%s\"", name);
		free(name);
	}
	fprintf(out, "\n");
	for (first = 0; first < rows; first += at_once) {
		put_lines(rec, first, at_once, out);
		progress("writing the table", (double)(first + at_once) / rows);
	}
}
