// SPDX-License-Identifier: GPL-2.0-only
/* The page's data, and export's: JSON of a recording with its answers. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/answer/page-data.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/recording-metric.h"
#include "tools/monctl/record/select.h"
#include "tools/monctl/answer/verdict.h"

static void put_pmus(FILE *out, const struct counts *counts)
{
	const struct recording *rec = counts->rec;

	for (size_t i = 0; i < rec->npmus; i++) {
		const struct rec_pmu *pmu = &rec->pmu[i];

		fputs(i ? ",\n" : "", out);
		json_print(out, "{\"name\":%s,\"noun\":%s,\"clock_hz\":%" PRIu64 ",\"places\":[", pmu->name, pmu->noun,
			   pmu->clock_hz);
		for (size_t k = 0; k < pmu->nplaces; k++) {
			const struct rec_place *place = &pmu->place[k];

			fputs(k ? "," : "", out);
			json_print(out, "{\"number\":%u,\"kind\":%s,\"name\":%s,\"device\":%s,\"row\":%d,\"column\":%d}", place->number,
				   place->kind, place->name, place->device, place->row, place->column);
		}
		fputs("],\"clock\":", out);
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

/* Returns the note of the metric files about the event's numbers, or NULL. */
static const char *find_note(const char *kind, const char *event)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->nnotes; i++)
		if (!strcmp(set->note[i].kind, kind) && !strcmp(set->note[i].event, event))
			return set->note[i].text;
	return NULL;
}

/* Writes each event once. The counters of its places follow each other. */
static void put_events(FILE *out, const struct recording *rec)
{
	const struct rec_counter *last = NULL;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];
		const char *kind = rec->pmu[counter->pmu].kind;

		if (last && last->pmu == counter->pmu && !strcmp(last->event, counter->event))
			continue;
		if (last)
			fprintf(out, ",\n");
		put_event_key(out, rec, counter);
		json_print(out, ":{\"pmu\":%zu,\"name\":%s,\"unit\":%s,\"scale\":%.17g,\"description\":%s,\"terms\":%s,\"places\":%zu,"
			   "\"note\":%s,\"limit\":%.10g}", counter->pmu, counter->event, counter->unit, counter->scale, counter->description,
			   counter->terms, counter->places, find_note(kind, counter->event), event_limit(kind, counter->event, counter->unit));
		last = counter;
	}
}

/* Most counters have runs of zeros, which take one number. */
static void put_bins(FILE *out, const uint64_t *bin, size_t count, bool is_plain)
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
		} else if (bin[i] == REC_UNKNOWN) {
			fputs("null", out);
		} else {
			print_count(out, bin[i]);
		}
		i += zeros ? zeros : 1;
	}
}

static void put_counters(FILE *out, const struct page *page, const struct counts *counts)
{
	const struct recording *rec = page->rec;
	double *rate = zeros(rec->ncounters, sizeof(*rate));

	counts_rates(counts, counts->count, rate);
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];

		fprintf(out, "%s{\"event\":", i ? ",\n" : "");
		put_event_key(out, rec, counter);
		fprintf(out, ",\"place\":%d,", counter->place);
		/* null: above its limit */
		if (!isnan(rate[i]))
			json_print(out, "\"rate\":%.10g,", rate[i]);
		fprintf(out, "\"bins\":[");
		put_bins(out, rec_table_row(page->table, counter), page->bins, page->is_plain);
		fprintf(out, "]}");
		if (page->progress)
			progress(page->progress, (double)i / rec->ncounters);
	}
	if (page->progress)
		progress(page->progress, 1);
	free(rate);
}

/* Writes a run. Times are from the start on; an end of -1 means that it is running. */
static void put_mark(FILE *out, const struct recording *rec, const struct rec_mark *mark)
{
	json_print(out, "{\"device\":%s,\"user\":%s", mark->device, mark->user);
	if (*mark->about)
		json_print(out, ",\"about\":%s", mark->about);
	if (mark_is_phase(mark))
		fputs(",\"is_phase\":true", out);
	json_print(out, ",\"pid\":%u,\"begin\":%" PRIu64 ",\"end\":%" PRId64 "}", mark->pid, mark->begin - rec->start,
		   mark->end ? (int64_t)(mark->end - rec->start) : -1);
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

static void put_metric_bins(const struct page *page, const struct rec_metric *m, double *value, FILE *out)
{
	fprintf(out, ",\"bins\":[");
	rec_metric_row(m, page->table, page->bins, value);
	for (size_t k = 0; k < page->bins; k++) {
		fputs(k ? "," : "", out);
		json_print(out, "%.10g", value[k]);
	}
	fputc(']', out);
}

/* Writes a value of a metric and the quotient from which the page calculates those of other times. */
static void put_metric_value(const struct page *page, const struct rec_metric *m, double *value, FILE *out)
{
	json_print(out, "{\"place\":%d,\"value\":%.10g,\"over\":", m->place, m->total);
	form_print_json(&m->over, out);
	fprintf(out, ",\"under\":");
	if (m->has_forms && m->under.count)
		form_print_json(&m->under, out);
	else
		fputs("null", out);
	fprintf(out, ",\"by\":%.10g", m->metric->scale);
	if (page->is_plain)
		put_metric_bins(page, m, value, out);
	fputc('}', out);
}

static void put_metrics(FILE *out, const struct page *page, const struct counts *counts)
{
	struct rec_metrics all = rec_metrics_of(counts);
	double *value = zeros(page->bins, sizeof(*value));

	fprintf(out, "\"metrics\":[");
	for (size_t i = 0; i < all.count; i++) {
		const struct rec_metric *m = &all.metric[i], *last = i ? &all.metric[i - 1] : NULL;

		if (last && last->metric == m->metric && last->pmu == m->pmu) {
			fputs(",\n", out);
			put_metric_value(page, m, value, out);
			continue;
		}
		fputs(last ? "]}," : "", out);
		json_print(out, "\n{\"pmu\":%zu,\"name\":%s,\"unit\":%s,\"low\":%.10g,\"high\":%.10g,\"description\":%s,\"values\":[\n", m->pmu,
			   m->metric->name, m->metric->unit, m->metric->low, m->metric->high, m->metric->description);
		put_metric_value(page, m, value, out);
	}
	fprintf(out, "%s]", all.count ? "]}" : "");
	free(value);
	rec_metrics_free(&all);
}

static void put_beyond(FILE *out, const double *value, size_t bins, size_t series, const char **comma)
{
	for (size_t b = 0; b < bins; b++) {
		if (!isinf(value[b]))
			continue;
		fprintf(out, "%s[%zu,%zu]", *comma, b, series);
		*comma = ",";
	}
}

void page_write_beyond(const struct counts *counts, struct rec_table *table, size_t bins, FILE *out)
{
	const struct recording *rec = counts->rec;
	struct rec_metrics all = rec_metrics_of(counts);
	double *value = zeros(bins, sizeof(*value));
	struct counts_view view = { .pmu = SIZE_MAX };
	const char *comma = "";

	fprintf(out, "\"beyond\":[");
	for (size_t i = 0; i < rec->ncounters; i++) {
		if (view.pmu != rec->counter[i].pmu) {
			counts_view_free(&view);
			counts_view_init(&view, counts, rec->counter[i].pmu);
		}
		if (rec_rate_row(&view, &rec->counter[i], table, bins, value))
			put_beyond(out, value, bins, i, &comma);
	}
	counts_view_free(&view);
	for (size_t i = 0; i < all.count; i++) {
		rec_metric_row(&all.metric[i], table, bins, value);
		put_beyond(out, value, bins, rec->ncounters + i, &comma);
	}
	fputc(']', out);
	free(value);
	rec_metrics_free(&all);
}

void page_write_answers(const struct counts *counts, FILE *out)
{
	struct budgets budgets = budgets_new(counts);

	budgets_print_json(&budgets, counts, out);
	budgets_free(&budgets);
	fputc(',', out);
	answers_print_json(counts, out);
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

/* Returns when the recording began, of universal time; NULL if it is not known. */
static const char *date_text(uint64_t realtime)
{
	time_t seconds = realtime / NS_PER_S;
	static char text[32];
	struct tm tm;

	return realtime && gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%FT%TZ", &tm) ? text : NULL;
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
	json_print(out, "{\"command\":%s,\"machine\":%s,\"date\":%s,\"cut_reason\":%s,\"bins\":%zu,\"bin_ns\":%" PRIu64
		   ",\"samples\":%zu,\"lost\":%" PRIu64 ",\"live\":%c,\"next\":%" PRIu64 ",\"interval_ns\":%" PRIu64
		   ",\"length_ns\":%" PRIu64 ",\n\"pmus\":[", rec->command, rec->machine, date_text(rec->realtime), rec->cut_reason,
		   page->bins, page->bin_ns, rec->samples, rec->lost, page->is_live, page->next, rec->interval, rec->stop - rec->start);
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
	put_gaps(out, rec);
	page_write_beyond(counts, page->table, page->bins, out);
	fprintf(out, ",\n\"counters\":[");
	put_counters(out, page, counts);
	fprintf(out, "]}\n");
	counts_free(&own);
}
