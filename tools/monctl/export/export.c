// SPDX-License-Identifier: GPL-2.0-only
/* monctl export: a recording for other tools. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/export/export.h"
#include "tools/monctl/answer/page-data.h"
#include "tools/monctl/base/monctl.h"
#include "common/output.h"

struct export_options {
	struct files files;
	void (*write)(const struct recording *rec, FILE *out);
};

static void export_json(const struct recording *rec, FILE *out)
{
	const struct page page = {
		.rec = rec, .bins = recording_rows(rec), .bin_ns = rec->interval, .is_plain = true,
		.table = rec_table_new(rec, 0, rec->interval, recording_rows(rec)),
	};

	page_write_data(&page, out);
	rec_table_free(page.table);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct export_options *o = state->input;

	switch (key) {
	case 'c':
	case 'p':
	case 'j':
		if (o->write)
			argp_error(state, "one format at a time: --csv, --json or --perfetto");
		o->write = key == 'c' ? export_csv : key == 'j' ? export_json : export_perfetto;
		return 0;
	case ARGP_KEY_END:
		if (!o->write)
			argp_error(state, "no format: give --csv, --json or --perfetto");
		return 0;
	default:
		return parse_files(key, arg, &o->files);
	}
}

int cmd_export(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "csv", 'c', NULL, 0, "A table: a line for each interval, a column for each counter", 0 },
		{ "json", 'j', NULL, 0, "All of it: places, units, metrics, runs, verdict, counts of each interval", 0 },
		{ "perfetto", 'p', NULL, 0, "A trace for ui.perfetto.dev: counter tracks and runs", 0 },
		{ "output", 'o', "FILE", 0, "Write to FILE (default: standard output)", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "--csv|--json|--perfetto [FILE]",
		"Write a recording (default: monctl.data) in the format of another tool.",
		NULL, NULL, NULL,
	};
	struct export_options o = { .files = { .input = "monctl.data" } };
	struct recording *rec;
	FILE *out = stdout;

	parse_arguments(&argp, argc, argv, &o);
	rec = recording_load(o.files.input);
	if (!rec)
		die_mon();
	if (o.files.output)
		out = output_open(o.files.output);
	if (!out)
		die("%s: %s", o.files.output, strerror(errno));
	o.write(rec, out);
	if (!output_close(out, o.files.output))
		die("%s: cannot write: %s", out == stdout ? "standard output" : o.files.output, strerror(errno));
	recording_free(rec);
	return 0;
}
