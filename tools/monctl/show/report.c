// SPDX-License-Identifier: GPL-2.0-only
/* monctl report: a recording as one HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/page.h"
#include "tools/monctl/answer/verdict.h"
#include "common/output.h"

/* Bins that a browser draws quickly, and bytes that an e-mail can have. */
#define MOST_BINS 4096
#define MOST_BYTES 20000000

struct report_options {
	struct files files;
	uint64_t from, to;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_options *o = state->input;

	switch (key) {
	case 'f':
		o->from = parse_time(arg, 1e9);
		if (!o->from && strcmp(arg, "0"))
			argp_error(state, "--from %s: give a time after the start, as in 1.5s", arg);
		return 0;
	case 't':
		o->to = parse_time(arg, 1e9);
		if (!o->to)
			argp_error(state, "--to %s: give a time after the start, as in 2s", arg);
		return 0;
	default:
		return parse_files(key, arg, &o->files);
	}
}

/* Makes a page with a bin a sample, at most MOST_BINS, and halves the bins until the page is small enough. */
static char *make_page(const struct counts *counts, size_t *size)
{
	const struct recording *rec = counts->rec;
	uint64_t length = rec->stop - rec->start;
	struct page page = {
		.rec = rec, .counts = counts, .progress = "writing the page",
		.bins = rec->interval ? length / rec->interval : 1,
	};
	char *text;
	FILE *out;

	/* a bin without a sample would look more exact than it is */
	if (page.bins > rec->samples + 1)
		page.bins = rec->samples + 1;
	if (page.bins > MOST_BINS)
		page.bins = MOST_BINS;
	if (page.bins > REC_CELLS / (rec->ncounters + 1))
		page.bins = REC_CELLS / (rec->ncounters + 1);
	if (!page.bins)
		page.bins = 1;
	for (;;) {
		page.bin_ns = length / page.bins + 1;
		page.table = rec_table_new(rec, 0, page.bin_ns, page.bins);
		out = text_open(&text, size);
		page_write(&page, out);
		text_close(out);
		rec_table_free(page.table);
		if (*size <= MOST_BYTES || page.bins == 1)
			return text;
		free(text);
		page.bins /= 2;
	}
}

int cmd_report(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "output", 'o', "FILE", 0, "Write to FILE, \"-\" for standard output (default: FILE.html)", 0 },
		{ "from", 'f', "TIME", 0, "Begin at this time after the start (a number alone: s)", 0 },
		{ "to", 't', "TIME", 0, "End at this time after the start", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "[FILE]",
		"Make one HTML page of a recording (default: monctl.data): timeline, map of the chip, "
		"totals. The page needs no network.",
		NULL, NULL, NULL,
	};
	struct report_options o = { .files = { .input = "monctl.data" }, .to = UINT64_MAX };
	struct recording *rec;
	struct counts counts;
	char *text, *path = NULL;
	size_t size;
	FILE *out;

	parse_arguments(&argp, argc, argv, &o);
	rec = recording_load(o.files.input);
	if (!rec)
		die_mon();
	if ((o.from || o.to != UINT64_MAX) && !recording_crop(rec, o.from, o.to))
		die("%s: nothing was recorded from --from to --to: it is %.3f s long", o.files.input,
		    (rec->stop - rec->start) / 1e9);
	counts = counts_between(rec, 0, rec->stop - rec->start);
	text = make_page(&counts, &size);
	if (!o.files.output)
		o.files.output = path = format_text("%s.html", o.files.input);
	out = output_open(o.files.output);
	if (out)
		fwrite(text, 1, size, out);
	if (!out || !output_close(out, o.files.output))
		die("%s: cannot write: %s", o.files.output, strerror(errno));
	if (out != stdout) {
		answers_print(&counts, stderr);
		fprintf(stderr, "monctl report: %.1f MB in %s\n", size / 1e6, o.files.output);
	}
	free(text);
	free(path);
	counts_free(&counts);
	recording_free(rec);
	return 0;
}
