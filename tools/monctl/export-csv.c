// SPDX-License-Identifier: GPL-2.0-only
/* CSV for data frames. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/monctl/export.h"
#include "tools/monctl/monctl.h"

/* As many lines at a time as this many numbers make: a long recording does not have to fit in memory. */
#define BLOCK 4000000

void export_csv(const struct recording *rec, FILE *out)
{
	size_t rows = recording_rows(rec), columns = rec->ncounters, r, c;
	size_t at_once = columns ? BLOCK / columns + 1 : 1, first;
	uint64_t *bins, *cell;

	if (at_once > rows)
		at_once = rows;
	bins = malloc(at_once * sizeof(*bins));
	cell = calloc(at_once * (columns + 1), sizeof(*cell));
	if (!bins || !cell)
		die("out of memory");
	fprintf(out, "seconds");
	for (c = 0; c < columns; c++) {
		char *name = recording_counter_name(rec, &rec->counter[c]);

		fprintf(out, ",\"%s\"", name);
		free(name);
	}
	fprintf(out, "\n");
	for (first = 0; first < rows; first += at_once) {
		for (c = 0; c < columns; c++) {
			recording_bins(rec, &rec->counter[c], first * rec->interval, rec->interval, at_once,
				       bins);
			for (r = 0; r < at_once; r++)
				cell[r * columns + c] = bins[r];
		}
		for (r = 0; r < at_once && first + r < rows; r++) {
			fprintf(out, "%.6f", (first + r) * (rec->interval / 1e9));
			for (c = 0; c < columns; c++)
				fprintf(out, ",%" PRIu64, cell[r * columns + c]);
			fprintf(out, "\n");
		}
		progress("writing the table", (double)(first + at_once) / rows);
	}
	free(bins);
	free(cell);
}
