// SPDX-License-Identifier: GPL-2.0-only
/* The HTML page: template and data. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/mark.h"
#include "tools/monctl/metric.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/page.h"
#include "tools/monctl/pieces.h"
#include "tools/monctl/recording-metric.h"
#include "tools/monctl/select.h"
#include "tools/monctl/verdict.h"

/* page/page.html before and behind the data */
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

static void put_pmus(FILE *out, const struct recording *rec)
{
	for (size_t i = 0; i < rec->npmus; i++) {
		fprintf(out, "%s{", i ? ",\n" : "");
		put_member(out, "name", rec->pmu[i].name);
		fputc(',', out);
		put_member(out, "noun", rec->pmu[i].noun);
		fprintf(out, ",\"clock_hz\":%" PRIu64 ",\"places\":[", rec->pmu[i].clock_hz);
		put_places(out, &rec->pmu[i]);
		fprintf(out, "]}");
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
	const struct metric_set *set = metrics();
	char *kind = recording_kind(&rec->pmu[counter->pmu]);
	double most = strcmp(counter->unit, "cycles") ? 0 : 1;

	for (size_t i = 0; i < set->nlimits; i++)
		if (!strcmp(set->limit[i].kind, kind) && matches(set->limit[i].event, counter->event))
			most = set->limit[i].most;
	if (most > 0)
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

bool recording_has_metric(const struct recording *rec, size_t pmu, const struct metric *metric)
{
	const char *expression = metric->expression;
	char terms[128];
	char *kind = recording_kind(&rec->pmu[pmu]);
	bool is_other = strcmp(kind, metric->kind);
	size_t at = 0, i;

	free(kind);
	if (is_other)
		return false;
	while (metric_next_event(expression, &at, terms, sizeof(terms))) {
		for (i = 0; i < rec->ncounters; i++)
			if (rec->counter[i].pmu == pmu && (!strcmp(rec->counter[i].event, terms) ||
							   !strcmp(rec->counter[i].terms, terms)))
				break;
		if (i == rec->ncounters)
			return false;
	}
	return true;
}

/* Writes an unknown number as null. */
static void put_value(FILE *out, double value)
{
	if (isnan(value))
		fprintf(out, "null");
	else
		fprintf(out, "%.10g", value);
}

/* Writes values for other programs: of all places together (-1), then of each place. The page calculates them. */
static void put_metric_values(FILE *out, const struct page *page, size_t pmu, const struct metric *metric)
{
	struct rec_metrics all = rec_metrics_new(page->rec);
	double *value = calloc(page->bins + 1, sizeof(*value));
	const char *comma = "";

	if (!value)
		die("out of memory");
	fprintf(out, ",\"values\":[");
	for (size_t i = 0; i < all.count; i++) {
		const struct rec_metric *m = &all.metric[i];

		if (m->pmu != pmu || m->metric != metric)
			continue;
		fprintf(out, "%s\n{\"place\":%d,\"value\":", comma, m->place);
		put_value(out, rec_metric_total(m));
		fprintf(out, ",\"bins\":[");
		rec_metric_row(m, page->arg, page->bins, page->bin_ns / 1e9, value);
		for (size_t k = 0; k < page->bins; k++) {
			fputs(k ? "," : "", out);
			put_value(out, value[k]);
		}
		fprintf(out, "]}");
		comma = ",";
	}
	fputc(']', out);
	free(value);
	rec_metrics_free(&all);
}

/* Writes the metrics whose events were recorded. The page calculates their values for any time and place. */
static void put_metrics(FILE *out, const struct page *page)
{
	const struct recording *rec = page->rec;
	const struct metric_set *set = metrics();
	const char *comma = "";

	fprintf(out, "\"metrics\":[");
	for (size_t i = 0; i < rec->npmus; i++) {
		for (size_t k = 0; k < set->nmetrics; k++) {
			const struct metric *m = &set->metric[k];

			if (!recording_has_metric(rec, i, m))
				continue;
			fprintf(out, "%s\n{\"pmu\":%zu,", comma, i);
			put_member(out, "name", m->name);
			fputc(',', out);
			put_member(out, "expression", m->expression);
			fputc(',', out);
			put_member(out, "unit", m->unit);
			fprintf(out, ",\"scale\":%.10g,", m->scale);
			put_limit(out, "low", m->low);
			put_limit(out, "high", m->high);
			put_member(out, "description", m->description);
			if (page->is_plain)
				put_metric_values(out, page, i, m);
			fputc('}', out);
			comma = ",";
		}
	}
	fprintf(out, "]");
}

static void put_rule(FILE *out, const struct rule *rule, const char *of)
{
	const struct {
		const char *name, *value;
	} members[] = {
		{ "of", of }, { "expression", rule->expression }, { "when", rule->when }, { "unit", rule->unit },
		{ "say", rule->say }, { "also", rule->also }, { "whole", rule->whole }, { "flits", rule->flits },
		{ "tiles", rule->tiles }, { "memory", rule->memory },
	};

	for (size_t i = 0; i < COUNT_OF(members); i++) {
		if (!*members[i].value)
			continue;
		put_member(out, members[i].name, members[i].value);
		fputc(',', out);
	}
}

/* Writes the rules about the recorded PMUs in the order of their sentences, for verdicts of a part of the time. */
static void put_rules(FILE *out, const struct recording *rec)
{
	static const char *const of[] = {
		[RULE_EACH] = "each", [RULE_TOTAL] = "total", [RULE_SHARES] = "shares", [RULE_LINKS] = "links",
	};
	struct verdict_rules rules = verdict_rules();
	const char *comma = "";

	fprintf(out, "\"rules\":[");
	for (size_t k = 0; k < rules.count; k++) {
		const struct rule *rule = rules.rule[k];

		for (size_t i = 0; i < rec->npmus; i++) {
			char *kind = recording_kind(&rec->pmu[i]);
			bool is_other = strcmp(kind, rule->kind);

			free(kind);
			if (is_other)
				continue;
			fprintf(out, "%s\n{\"pmu\":%zu,", comma, i);
			put_rule(out, rule, of[rule->of]);
			fprintf(out, "\"scale\":%.10g}", rule->scale);
			comma = ",";
		}
	}
	fprintf(out, "],");
	free(rules.rule);
}

/* Writes verdict and shares of a recording that has ended. */
static void put_whole(const struct recording *rec, FILE *out)
{
	struct verdict verdict = verdict_between(rec, 0, rec->stop - rec->start);

	fprintf(out, "\"verdict\":");
	verdict_print_json(&verdict, out);
	fprintf(out, ",\"shares\":[");
	for (size_t i = 0; i < rec->ncounters; i++)
		fprintf(out, "%s%.4g", i ? "," : "", recording_share(rec, &rec->counter[i]));
	fprintf(out, "]");
	verdict_free(&verdict);
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

void page_write_data(const struct page *page, FILE *out)
{
	const struct recording *rec = page->rec;

	fprintf(out, "{");
	put_member(out, "command", rec->command);
	fprintf(out, ",\"bins\":%zu,\"bin_ns\":%" PRIu64 ",\"samples\":%zu,\"lost\":%" PRIu64
		",\"live\":%s,\"next\":%" PRIu64 ",\"interval_ns\":%" PRIu64 ",\"length_ns\":%" PRIu64
		",\"is_cut\":%s,\n\"pmus\":[", page->bins, page->bin_ns, rec->samples, rec->lost,
		page->is_live ? "true" : "false", page->next, rec->interval, rec->stop - rec->start,
		rec->is_cut ? "true" : "false");
	put_pmus(out, rec);
	fprintf(out, "],\n\"events\":{");
	put_events(out, rec);
	fprintf(out, "},\n\"marks\":[");
	page_write_marks(rec, 0, out);
	fprintf(out, "],");
	if (page->put_more)
		page->put_more(page, out);
	else
		put_whole(rec, out);
	fputc(',', out);
	put_metrics(out, page);
	fputc(',', out);
	if (!page->is_live)
		put_rules(out, rec);
	put_levels(out, page);
	fprintf(out, "\n\"counters\":[");
	put_counters(out, page);
	fprintf(out, "]}\n");
}

void page_write(const struct page *page, FILE *out)
{
	fwrite(page_head, 1, page_head_end - page_head, out);
	page_write_data(page, out);
	fwrite(page_tail, 1, page_tail_end - page_tail, out);
}
