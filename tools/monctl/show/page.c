// SPDX-License-Identifier: GPL-2.0-only
/* The HTML page: template and data. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/page.h"
#include "tools/monctl/show/pieces.h"
#include "tools/monctl/answer/recording-metric.h"
#include "tools/monctl/record/select.h"
#include "tools/monctl/answer/verdict.h"

/* page/page.html before and after the data */
EMBED(page_head, PAGE_HEAD);
EMBED(page_tail, PAGE_TAIL);

static void put_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, "\"%s\":", name);
	json_string(out, value);
}

static void put_places(FILE *out, const struct rec_pmu *pmu)
{
	for (size_t i = 0; i < pmu->nplaces; i++) {
		const struct rec_place *place = &pmu->place[i];

		fprintf(out, "%s{\"number\":%u,", i ? "," : "", place->number);
		put_member(out, "kind", place->kind);
		fputc(',', out);
		put_member(out, "name", place->name);
		fputc(',', out);
		put_member(out, "device", place->device);
		fprintf(out, ",\"row\":%d,\"column\":%d}", place->row, place->column);
	}
}

static void put_pmus(FILE *out, const struct counts *counts)
{
	const struct recording *rec = counts->rec;

	for (size_t i = 0; i < rec->npmus; i++) {
		fprintf(out, "%s{", i ? ",\n" : "");
		put_member(out, "name", rec->pmu[i].name);
		fputc(',', out);
		put_member(out, "noun", rec->pmu[i].noun);
		fprintf(out, ",\"is_gone\":%s", rec->pmu[i].is_gone ? "true" : "false");
		fprintf(out, ",\"clock_hz\":%" PRIu64 ",\"places\":[", rec->pmu[i].clock_hz);
		put_places(out, &rec->pmu[i]);
		fprintf(out, "],\"clock\":");
		clock_print_json(counts, i, out);
		fputc('}', out);
	}
}

static void put_event_key(FILE *out, const struct recording *rec, const struct rec_counter *counter)
{
	char *key = format_text("%s/%s", rec->pmu[counter->pmu].name, counter->event);

	json_string(out, key);
	free(key);
}

/* Writes the note of the metric files about the event's numbers. */
static void put_note(FILE *out, const struct recording *rec, const struct rec_counter *counter)
{
	const struct metric_set *set = metrics();
	char *kind = recording_kind(&rec->pmu[counter->pmu]);

	for (size_t i = 0; i < set->nnotes; i++) {
		if (strcmp(set->note[i].kind, kind) || strcmp(set->note[i].event, counter->event))
			continue;
		fputc(',', out);
		put_member(out, "note", set->note[i].text);
		break;
	}
	free(kind);
}

/* Writes the most that a place can count in a cycle. */
static void put_event_limit(FILE *out, const struct recording *rec, const struct rec_counter *counter)
{
	char *kind = recording_kind(&rec->pmu[counter->pmu]);
	double most = event_limit(kind, counter->event, counter->unit);

	if (isfinite(most))
		fprintf(out, ",\"limit\":%.10g", most);
	free(kind);
}

/* Writes each event once. The counters of its places follow each other. */
static void put_events(FILE *out, const struct recording *rec)
{
	const struct rec_counter *last = NULL;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];

		if (last && last->pmu == counter->pmu && !strcmp(last->event, counter->event))
			continue;
		if (last)
			fprintf(out, ",\n");
		put_event_key(out, rec, counter);
		fprintf(out, ":{\"pmu\":%zu,", counter->pmu);
		put_member(out, "name", counter->event);
		fputc(',', out);
		put_member(out, "unit", counter->unit);
		fprintf(out, ",\"scale\":%.17g,", counter->scale);
		put_member(out, "description", counter->description);
		fputc(',', out);
		put_member(out, "terms", counter->terms);
		fprintf(out, ",\"places\":%zu", counter->places);
		put_note(out, rec, counter);
		put_event_limit(out, rec, counter);
		fputc('}', out);
		last = counter;
	}
}

/* Most counters have runs of zeros, which take one number. */
void page_put_bins(FILE *out, const uint64_t *bin, size_t count, bool is_plain)
{
	size_t i = 0, zeros;

	while (i < count) {
		for (zeros = 0; i + zeros < count && !bin[i + zeros]; zeros++)
			;
		if (i)
			fputc(',', out);
		if (zeros && is_plain) {
			for (size_t k = 0; k < zeros; k++)
				fputs(k ? ",0" : "0", out);
		} else if (zeros) {
			fputc('-', out);
			print_count(out, zeros);
		} else if (bin[i] == PAGE_UNKNOWN) {
			fputs("null", out);
		} else {
			print_count(out, bin[i]);
		}
		i += zeros ? zeros : 1;
	}
}

static void put_counters(FILE *out, const struct page *page)
{
	const struct recording *rec = page->rec;
	uint64_t *bin = calloc(page->bins, sizeof(*bin));

	if (!bin)
		die("out of memory");
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];

		fprintf(out, "%s{\"event\":", i ? ",\n" : "");
		put_event_key(out, rec, counter);
		fprintf(out, ",\"place\":%d,\"bins\":[", counter->place);
		page->get_bins(page, counter, bin);
		page_put_bins(out, bin, page->bins, page->is_plain);
		fprintf(out, "]}");
		if (page->progress)
			progress(page->progress, (double)i / rec->ncounters);
	}
	if (page->progress)
		progress(page->progress, 1);
	free(bin);
}

/* Writes a run. Times are from the start on; an end of -1 means that it is running. */
static void put_mark(FILE *out, const struct recording *rec, const struct rec_mark *mark)
{
	fputc('{', out);
	put_member(out, "device", mark->device);
	fputc(',', out);
	put_member(out, "user", mark->user);
	if (*mark->about) {
		fputc(',', out);
		put_member(out, "about", mark->about);
	}
	if (mark_is_phase(mark))
		fprintf(out, ",\"is_phase\":true");
	fprintf(out, ",\"pid\":%" PRIu32 ",\"begin\":%" PRIu64 ",\"end\":%" PRId64 "}", mark->pid,
		mark->begin - rec->start, mark->end ? (int64_t)(mark->end - rec->start) : -1);
}

void page_write_marks(const struct recording *rec, uint64_t from, FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < rec->nmarks; i++) {
		const struct rec_mark *mark = &rec->mark[i];

		if (mark->end && mark->end - rec->start < from)
			continue;
		fputs(comma, out);
		put_mark(out, rec, mark);
		comma = ",\n";
	}
}

/* Writes a limit; a missing one is null. */
static void put_limit(FILE *out, const char *name, double limit)
{
	if (isfinite(limit))
		fprintf(out, "\"%s\":%.10g,", name, limit);
	else
		fprintf(out, "\"%s\":null,", name);
}

/* Writes an unknown number as null. */
static void put_value(FILE *out, double value)
{
	if (isnan(value))
		fprintf(out, "null");
	else
		fprintf(out, "%.10g", value);
}

static void put_bins(const struct page *page, const struct rec_metric *m, double *value, FILE *out)
{
	fprintf(out, ",\"bins\":[");
	rec_metric_row(m, page->arg, page->bins, value);
	for (size_t k = 0; k < page->bins; k++) {
		fputs(k ? "," : "", out);
		put_value(out, value[k]);
	}
	fputc(']', out);
}

/* Writes a value of a metric and the quotient from which the page calculates those of other times. */
static void put_metric_value(const struct page *page, const struct rec_metric *m, double *value, FILE *out)
{
	fprintf(out, "{\"place\":%d,\"value\":", m->place);
	put_value(out, m->total);
	fprintf(out, ",\"over\":");
	form_print_json(&m->over, out);
	fprintf(out, ",\"under\":");
	if (m->has_forms && m->under.count)
		form_print_json(&m->under, out);
	else
		fputs("null", out);
	fprintf(out, ",\"by\":%.10g", m->metric->scale);
	if (page->is_plain)
		put_bins(page, m, value, out);
	fputc('}', out);
}

static void put_metrics(FILE *out, const struct page *page, const struct counts *counts)
{
	struct rec_metrics all = rec_metrics_of(counts);
	double *value = calloc(page->bins + 1, sizeof(*value));

	if (!value)
		die("out of memory");
	fprintf(out, "\"metrics\":[");
	for (size_t i = 0; i < all.count; i++) {
		const struct rec_metric *m = &all.metric[i], *last = i ? &all.metric[i - 1] : NULL;

		if (last && last->metric == m->metric && last->pmu == m->pmu) {
			fputs(",\n", out);
			put_metric_value(page, m, value, out);
			continue;
		}
		fprintf(out, "%s\n{\"pmu\":%zu,", last ? "]}," : "", m->pmu);
		put_member(out, "name", m->metric->name);
		fputc(',', out);
		put_member(out, "unit", m->metric->unit);
		fputc(',', out);
		put_limit(out, "low", m->metric->low);
		put_limit(out, "high", m->metric->high);
		put_member(out, "description", m->metric->description);
		fprintf(out, ",\"values\":[\n");
		put_metric_value(page, m, value, out);
	}
	fprintf(out, "%s]", all.count ? "]}" : "");
	free(value);
	rec_metrics_free(&all);
}

void page_write_answers(const struct counts *counts, FILE *out)
{
	struct budgets budgets = budgets_new(counts);

	budgets_print_json(&budgets, counts, out);
	budgets_free(&budgets);
	fprintf(out, ",\n");
	if (counts->rec->source)
		answers_print_json(counts, out);
	else
		answer_print_json(counts, out);
}

static void put_shares(const struct recording *rec, FILE *out)
{
	fprintf(out, "\"shares\":[");
	for (size_t i = 0; i < rec->ncounters; i++)
		fprintf(out, "%s%.4g", i ? "," : "", recording_share(rec, &rec->counter[i]));
	fprintf(out, "],");
}

static void put_gaps(FILE *out, const struct recording *rec)
{
	fprintf(out, "\"gaps\":[");
	for (size_t i = 0; i < rec->ngaps; i++)
		fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", rec->gap[i].from, rec->gap[i].to);
	fprintf(out, "],");
}

static void put_levels(FILE *out, const struct page *page)
{
	uint64_t ns = page->rec->interval;

	if (!page->levels)
		return;
	fprintf(out, "\"piece_bins\":%u,\"levels\":[", PIECE_BINS);
	for (size_t i = 0; i < page->levels; i++, ns *= PIECE_FACTOR)
		fprintf(out, "%s%" PRIu64, i ? "," : "", ns);
	fprintf(out, "],\"rows\":%zu,", recording_rows(page->rec));
}

/* "date": when the recording began, of universal time; none if it is not known. */
static void put_date(FILE *out, uint64_t realtime)
{
	time_t seconds = realtime / 1000000000;
	char text[32];
	struct tm tm;

	if (realtime && gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%FT%TZ", &tm))
		fprintf(out, "\"date\":\"%s\",", text);
}

void page_write_data(const struct page *page, FILE *out)
{
	const struct recording *rec = page->rec;
	struct counts own = { 0 };
	const struct counts *counts = page->counts;

	if (!counts) {
		own = counts_between(rec, 0, rec->stop - rec->start);
		counts = &own;
	}
	fprintf(out, "{");
	put_member(out, "command", rec->command);
	fputc(',', out);
	put_member(out, "machine", rec->machine ?: "");
	fputc(',', out);
	put_date(out, rec->realtime);
	put_member(out, "cut_reason", rec->cut_reason ?: "");
	fprintf(out, ",\"bins\":%zu,\"bin_ns\":%" PRIu64 ",\"samples\":%zu,\"lost\":%" PRIu64
		",\"live\":%s,\"next\":%" PRIu64 ",\"interval_ns\":%" PRIu64 ",\"length_ns\":%" PRIu64
		",\n\"pmus\":[", page->bins, page->bin_ns, rec->samples, rec->lost,
		page->is_live ? "true" : "false", page->next, rec->interval, rec->stop - rec->start);
	put_pmus(out, counts);
	fprintf(out, "],\n\"events\":{");
	put_events(out, rec);
	fprintf(out, "},\n\"marks\":[");
	page_write_marks(rec, 0, out);
	fprintf(out, "],");
	if (page->put_more)
		page->put_more(page, out);
	else
		put_shares(rec, out);
	page_write_answers(counts, out);
	fprintf(out, ",\n");
	links_print_json(counts, out);
	fprintf(out, ",\n");
	put_metrics(out, page, counts);
	fputc(',', out);
	put_levels(out, page);
	put_gaps(out, rec);
	fprintf(out, "\n\"counters\":[");
	put_counters(out, page);
	fprintf(out, "]}\n");
	counts_free(&own);
}

void page_write(const struct page *page, FILE *out)
{
	fwrite(page_head, 1, page_head_end - page_head, out);
	page_write_data(page, out);
	fwrite(page_tail, 1, page_tail_end - page_tail, out);
}
