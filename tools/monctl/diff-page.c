// SPDX-License-Identifier: GPL-2.0-only
/* The page of monctl diff: page/diff.html with the rows. */
#include <math.h>

#include "tools/monctl/diff.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/page.h"

EMBED(diff_head, DIFF_HEAD);
EMBED(diff_tail, DIFF_TAIL);

static void put_number(FILE *out, const char *name, double value)
{
	if (isfinite(value))
		fprintf(out, "\"%s\":%.17g", name, value);
	else
		fprintf(out, "\"%s\":%s", name, isinf(value) ? "\"from 0\"" : "null");
}

static void put_files(FILE *out, const struct diff *diff)
{
	for (size_t k = 0; k < diff->files; k++) {
		const struct diff_file *file = &diff->file[k];

		fprintf(out, "%s{\"path\":", k ? "," : "");
		json_string(out, file->path);
		fprintf(out, ",\"command\":");
		json_string(out, file->command);
		fprintf(out, ",\"verdict\":[");
		for (size_t i = 0; i < file->sentences; i++) {
			fputs(i ? "," : "", out);
			json_string(out, file->sentence[i]);
		}
		fprintf(out, "]}");
	}
}

static void put_row(FILE *out, const struct diff *diff, const struct diff_row *row)
{
	static const char *const kinds[] = { "time", "run", "metric", "count" };

	fprintf(out, "{\"kind\":\"%s\",\"name\":", kinds[row->kind]);
	json_string(out, row->name);
	fprintf(out, ",\"unit\":");
	json_string(out, row->unit);
	fprintf(out, ",\"cells\":[");
	for (size_t k = 0; k < diff->files; k++) {
		fprintf(out, "%s{\"repetitions\":%zu,", k ? "," : "", row->cell[k].count);
		put_number(out, "mean", diff_mean(&row->cell[k]));
		fputc(',', out);
		put_number(out, "deviation", diff_deviation(&row->cell[k]));
		fputc(',', out);
		put_number(out, "change", diff_change(row, k));
		fprintf(out, ",\"beyond\":%s}", k && diff_is_beyond_spread(row, k) ? "true" : "false");
	}
	fprintf(out, "]}");
}

void diff_page(const struct diff *diff, FILE *out)
{
	fwrite(diff_head, 1, diff_head_end - diff_head, out);
	fprintf(out, "{\"files\":[");
	put_files(out, diff);
	fprintf(out, "],\n\"rows\":[");
	for (size_t i = 0; i < diff->rows; i++) {
		fputs(i ? ",\n" : "", out);
		put_row(out, diff, &diff->row[i]);
	}
	fprintf(out, "]}\n");
	fwrite(diff_tail, 1, diff_tail_end - diff_tail, out);
}
