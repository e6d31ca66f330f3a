// SPDX-License-Identifier: GPL-2.0-only
/* Counters that are read again and again, with the last readings kept. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/describe.h"
#include "tools/monctl/show/live.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/show/prometheus.h"
#include "tools/monctl/show/page.h"
#include "tools/monctl/record/sampler.h"
#include "tools/monctl/answer/verdict.h"

struct live {
	const struct selection *sel;
	uint64_t interval;
	struct groups *groups;
	struct reading *before, *now;
	uint64_t before_ns;
	struct sampler marks;
	struct mark_points points;
	pthread_mutex_t lock;		/* protects all members below */
	struct recording *rec;		/* the description, and runs: they have times of bins, from 0 on */
	double *total;			/* of each counter */
	uint64_t *bin;			/* LIVE_BINS times all counters, a ring */
	uint64_t length[LIVE_BINS];	/* ns of each bin in it */
	double *share;			/* of the time in which each counter counted */
	uint64_t start;
	char *problem;			/* why some bins are not known, or "" */
	uint64_t next;
};

struct live *live_new(const struct selection *sel, const struct tracepoints *marks, uint64_t interval)
{
	struct live *live = zeros(1, sizeof(*live));

	pthread_mutex_init(&live->lock, NULL);
	live->sel = sel;
	live->interval = interval;
	live->rec = describe_recording(sel, marks, interval);
	live->groups = groups_open(sel);
	live->before = zeros(sel->count, sizeof(*live->before));
	live->now = zeros(sel->count, sizeof(*live->now));
	live->total = zeros(sel->count, sizeof(*live->total));
	live->share = zeros(sel->count, sizeof(*live->share));
	live->problem = format_text("%s", "");
	live->bin = zeros(sel->count * LIVE_BINS, sizeof(*live->bin));
	/* takes the ring's memory now, so that a server's does not grow while the ring fills */
	explicit_bzero(live->bin, sel->count * LIVE_BINS * sizeof(*live->bin));
	sampler_open_marks(&live->marks, marks);
	live->start = live->before_ns = now_ns();
	groups_enable(live->groups);
	sampler_enable(&live->marks, true);
	return live;
}

void live_free(struct live *live)
{
	groups_free(live->groups);
	sampler_close(&live->marks);
	mark_points_free(&live->points);
	recording_free(live->rec);
	free(live->before);
	free(live->now);
	free(live->total);
	free(live->share);
	free(live->problem);
	free(live->bin);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

/* Returns the tracepoint of a sample. A tracepoint has an identifier on each processor. */
static const struct rec_mark_kind *kind_of(const struct live *live, uint64_t id)
{
	for (size_t i = 0; i < live->marks.count; i++)
		for (size_t k = 0; k < live->marks.event[i].nids; k++)
			if (live->marks.event[i].ids[k] == id)
				return mark_kind_find(live->rec, i);
	return NULL;
}

static int take_points(void *arg, const void *records, size_t size)
{
	const unsigned char *at = records;
	struct live *live = arg;

	while (size) {
		const struct perfdata_sample *sample = (const void *)at;
		const struct rec_mark_kind *kind = NULL;

		if (sample->header.type == PERF_RECORD_SAMPLE)
			kind = kind_of(live, sample->id);
		if (kind)
			mark_points_add(&live->points, sample, kind);
		at += sample->header.size;
		size -= sample->header.size;
	}
	return 0;
}

/* Returns a time in bins. A bin is as long as the time between two readings. */
static uint64_t bin_time(const struct live *live, uint64_t time, uint64_t now)
{
	double bins = ((double)time - live->before_ns) / (now - live->before_ns) + live->next;

	return bins * live->interval < 1 ? 1 : bins * live->interval;
}

/* Drops the runs that ended before the first bin, and the oldest ones if there are too many. */
static void forget_marks(struct live *live)
{
	uint64_t first = live->next < LIVE_BINS ? 0 : (live->next - LIVE_BINS) * live->interval;
	struct recording *rec = live->rec;
	size_t kept = 0, i;

	for (i = 0; i < rec->nmarks; i++) {
		struct rec_mark *mark = &rec->mark[i];

		if (rec->nmarks - i > LIVE_MARKS || (mark->end && mark->end < first))
			mark_free(mark);
		else
			rec->mark[kept++] = *mark;
	}
	rec->nmarks = kept;
}

static void take_marks(struct live *live, uint64_t now)
{
	for (size_t i = 0; i < live->points.count; i++) {
		uint64_t *time = &live->points.item[i].mark.begin;

		*time = bin_time(live, *time, now);
	}
	mark_points_pair(&live->points, live->rec);
	forget_marks(live);
}

/* Marks the bins of a device that did not answer as unknown. Its next reading contains what this one missed. */
static void tell_problem(struct live *live, bool is_missing)
{
	const char *text = is_missing ? mon_error() : "";

	if (is_missing && !*live->problem)
		warn("%s: its counters have a gap, the others go on", text);
	free(live->problem);
	live->problem = format_text("%s", text);
}

void live_measure(struct live *live)
{
	static const struct reading none;
	size_t count = live->sel->count, i;
	bool is_missing;
	uint64_t *bin, now;

	is_missing = groups_read(live->groups, live->now);
	now = now_ns();
	if (sampler_drain(&live->marks, take_points, live))
		die_mon();
	pthread_mutex_lock(&live->lock);
	if (is_missing || *live->problem)
		tell_problem(live, is_missing);
	live->length[live->next % LIVE_BINS] = now - live->before_ns;
	bin = live->bin + live->next % LIVE_BINS * count;
	for (i = 0; i < count; i++) {
		double counted = reading_count(&live->before[i], &live->now[i]);

		live->share[i] = reading_share(&none, &live->now[i]);
		bin[i] = isnan(counted) ? REC_UNKNOWN : counted + 0.5;
		if (!isnan(counted))
			live->total[i] += counted;
	}
	take_marks(live, now);
	live->next++;
	pthread_mutex_unlock(&live->lock);
	for (i = 0; i < count; i++)
		if (!live->now[i].is_missing)
			live->before[i] = live->now[i];
	live->before_ns = now;
}

uint64_t live_next(struct live *live)
{
	uint64_t next;

	pthread_mutex_lock(&live->lock);
	next = live->next;
	pthread_mutex_unlock(&live->lock);
	return next;
}

/* Copies bins from a number on, counter by counter. The ring has them oldest first; those before the start are 0. */
static struct rec_table *table_of(const struct live *live, uint64_t from, size_t bins)
{
	size_t count = live->sel->count;
	uint64_t *bin = zeros(count * bins, sizeof(*bin));

	for (size_t b = 0; b < bins; b++)
		for (size_t i = 0; i < count; i++)
			bin[i * bins + b] = live->bin[(from + b) % LIVE_BINS * count + i];
	return rec_table_of(live->rec, bin, bins);
}

/* Returns the length of bin b, counted from the oldest one. */
static uint64_t length_at(const struct live *live, size_t b)
{
	return live->length[(live->next + b) % LIVE_BINS];
}

/* Writes what changes with each bin, as members of an object. */
static void put_state(const struct live *live, FILE *out)
{
	fprintf(out, "\"problem\":");
	json_string(out, live->problem);
	fprintf(out, ",\"shares\":[");
	for (size_t i = 0; i < live->sel->count; i++)
		fprintf(out, "%s%.4g", i ? "," : "", live->share[i]);
	fprintf(out, "],");
}

static void put_live(const struct page *page, FILE *out)
{
	const struct live *live = page->arg;

	fprintf(out, "\"lengths\":[");
	for (size_t b = 0; b < LIVE_BINS; b++)
		fprintf(out, "%s%" PRIu64, b ? "," : "", length_at(live, b));
	fprintf(out, "],");
	put_state(live, out);
}

char *live_page(struct live *live, size_t *size)
{
	const struct counts counts = { .rec = live->rec, .count = live->total };
	struct page page = {
		.rec = live->rec, .bins = LIVE_BINS, .bin_ns = live->interval, .is_live = true,
		.put_more = put_live, .arg = live, .counts = &counts,
	};
	char *text;
	FILE *out = text_open(&text, size);

	pthread_mutex_lock(&live->lock);
	page.next = live->next;
	page.table = table_of(live, live->next, LIVE_BINS);
	page_write(&page, out);
	rec_table_free(page.table);
	pthread_mutex_unlock(&live->lock);
	text_close(out);
	return text;
}

char *live_metrics(struct live *live, size_t *size)
{
	size_t count = live->sel->count, i;
	double *value = zeros(count, sizeof(*value));
	char *text;
	FILE *out = text_open(&text, size);

	pthread_mutex_lock(&live->lock);
	for (i = 0; i < count; i++)
		value[i] = live->total[i] * counter_scale(&live->sel->counter[i]);
	prometheus_write(live->rec, value, live->share, out);
	pthread_mutex_unlock(&live->lock);
	text_close(out);
	free(value);
	return text;
}

char *live_data(struct live *live, uint64_t after, size_t *size)
{
	const struct counts counts = { .rec = live->rec, .count = live->total };
	size_t count = live->sel->count, i;
	struct rec_table *table;
	char *text;
	FILE *out = text_open(&text, size);

	pthread_mutex_lock(&live->lock);
	if (after > live->next)
		after = live->next;
	if (live->next - after > LIVE_BINS)
		after = live->next - LIVE_BINS;
	table = table_of(live, after, live->next - after);
	fprintf(out, "{\"next\":%" PRIu64 ",\"bins\":[", live->next);
	for (uint64_t b = after; b < live->next; b++) {
		const uint64_t *bin = live->bin + b % LIVE_BINS * count;

		fprintf(out, "%s[", b > after ? "," : "");
		for (i = 0; i < count; i++)
			if (bin[i] == REC_UNKNOWN)
				fprintf(out, "%snull", i ? "," : "");
			else
				fprintf(out, "%s%" PRIu64, i ? "," : "", bin[i]);
		fputc(']', out);
	}
	fprintf(out, "],\"lengths\":[");
	for (uint64_t b = after; b < live->next; b++)
		fprintf(out, "%s%" PRIu64, b > after ? "," : "", live->length[b % LIVE_BINS]);
	fprintf(out, "],");
	put_state(live, out);
	page_write_beyond(&counts, table, live->next - after, out);
	fputc(',', out);
	rec_table_free(table);
	page_write_answers(&counts, out);
	fprintf(out, ",\"marks\":[");
	page_write_marks(live->rec, after * live->interval, out);
	fprintf(out, "]}\n");
	pthread_mutex_unlock(&live->lock);
	text_close(out);
	return text;
}
