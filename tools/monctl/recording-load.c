// SPDX-License-Identifier: GPL-2.0-only
/* Recordings: readings and marks out of a perf.data file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/mark.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/recording.h"
#include "tools/monctl/recording-internal.h"

/* From the identifiers of perf's events to counters, leaders and tracepoints. */
struct ident {
	uint64_t id;
	size_t attr;
};

struct loader {
	struct recording *rec;
	struct ident *ident;
	size_t nidents;
	size_t *counter_of;		/* by attribute: index of a counter, or SIZE_MAX */
	size_t *series_of;		/* by attribute: series that it leads, or SIZE_MAX */
	struct mark_points points;
};

static int compare_ident(const void *a, const void *b)
{
	const struct ident *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static const struct ident *find_ident(const struct loader *l, uint64_t id)
{
	struct ident key = { .id = id };

	return bsearch(&key, l->ident, l->nidents, sizeof(key), compare_ident);
}

static bool read_idents(struct loader *l, const struct perfdata_file *file)
{
	struct perf_event_attr attr;
	const uint64_t *ids;
	size_t i, k, nids;

	for (i = 0; i < file->nattrs; i++) {
		if (!perfdata_get_attr(file, i, &attr, &ids, &nids))
			return false;
		for (k = 0; k < nids; k++) {
			l->ident = rec_grow(l->ident, l->nidents, sizeof(*l->ident));
			l->ident[l->nidents++] = (struct ident){ ids[k], i };
		}
	}
	qsort(l->ident, l->nidents, sizeof(*l->ident), compare_ident);
	return true;
}

static bool index_attrs(struct loader *l, size_t nattrs)
{
	size_t i;

	l->counter_of = malloc((nattrs + 1) * sizeof(*l->counter_of));
	l->series_of = malloc((nattrs + 1) * sizeof(*l->series_of));
	if (!l->counter_of || !l->series_of)
		die("out of memory");
	for (i = 0; i < nattrs; i++)
		l->counter_of[i] = l->series_of[i] = SIZE_MAX;
	for (i = 0; i < l->rec->ncounters; i++) {
		if (l->rec->counter[i].attr >= nattrs)
			return false;
		l->counter_of[l->rec->counter[i].attr] = i;
	}
	return true;
}

/* The first reading of a group says who its members are, and in which order. */
static bool start_series(struct loader *l, const struct perfdata_reading *reading, size_t leader)
{
	struct recording *rec = l->rec;
	const struct ident *ident;
	size_t i, counter;

	rec->series = rec_grow(rec->series, rec->nseries, sizeof(*rec->series));
	rec->series[rec->nseries] = (struct rec_series){ .members = reading->count };
	l->series_of[leader] = rec->nseries;
	for (i = 0; i < reading->count; i++) {
		ident = find_ident(l, reading->member[i].id);
		if (!ident)
			return false;
		counter = l->counter_of[ident->attr];
		if (counter == SIZE_MAX)
			continue;	/* the clock */
		rec->counter[counter].series = rec->nseries;
		rec->counter[counter].member = i;
	}
	rec->nseries++;
	return true;
}

/* Of a group that takes turns with another one, for the whole time; a counter never goes back. */
static uint64_t estimate(uint64_t value, double share, uint64_t before)
{
	double whole = share > 0 ? value / share : 0;

	return whole > before ? whole : before;
}

static bool add_reading(struct loader *l, const struct perfdata_sample *sample, size_t attr)
{
	const struct perfdata_reading *reading = (const void *)(sample + 1);
	size_t room = sample->header.size - sizeof(*sample), i;
	struct rec_series *s;
	uint64_t *value;

	if (room < sizeof(*reading) ||
	    reading->count > (room - sizeof(*reading)) / sizeof(reading->member[0]) || !reading->count)
		return false;
	if (l->series_of[attr] == SIZE_MAX && !start_series(l, reading, attr))
		return false;
	s = &l->rec->series[l->series_of[attr]];
	if (reading->count != s->members || (s->count && sample->time < s->time[s->count - 1]))
		return false;
	s->time = rec_grow(s->time, s->count, sizeof(*s->time));
	s->value = rec_grow(s->value, s->count, s->members * sizeof(*s->value));
	s->time[s->count] = sample->time;
	value = s->value + s->count++ * s->members;
	s->share = reading->enabled ? (double)reading->running / reading->enabled : 1;
	for (i = 0; i < s->members; i++) {
		value[i] = reading->member[i].value;
		if (s->share < SHARE_OF_EXACT)
			value[i] = estimate(value[i], s->share, s->count > 1 ? value[i - s->members] : 0);
	}
	return true;
}

static bool add_sample(struct loader *l, const struct perf_event_header *header)
{
	const struct perfdata_sample *sample = (const void *)header;
	const struct rec_mark_kind *kind;
	const struct ident *ident;

	if (header->size < sizeof(*sample))
		return false;
	ident = find_ident(l, sample->id);
	if (!ident)
		return false;
	kind = mark_kind_find(l->rec, ident->attr);
	if (kind)
		return mark_points_add(&l->points, sample, kind);
	return add_reading(l, sample, ident->attr);
}

static bool add_record(struct loader *l, const struct perf_event_header *header)
{
	const struct {
		struct perf_event_header header;
		uint64_t id, lost;
	} *lost = (const void *)header;

	if (header->type == PERF_RECORD_SAMPLE)
		return add_sample(l, header);
	if (header->type == PERF_RECORD_LOST && header->size >= sizeof(*lost))
		l->rec->lost += lost->lost;
	return true;
}

/* A recording without an end goes to its last reading. */
static uint64_t last_time(const struct recording *rec)
{
	uint64_t last = rec->start;

	for (size_t i = 0; i < rec->nseries; i++) {
		const struct rec_series *s = &rec->series[i];

		if (s->count && s->time[s->count - 1] > last)
			last = s->time[s->count - 1];
	}
	return last;
}

static void recording_finish(struct recording *rec)
{
	/* monctl's own readings: at the start, and at the stop if it got there */
	size_t own = rec->is_cut ? 1 : 2, i;

	if (rec->is_cut)
		rec->stop = last_time(rec);
	for (i = 0; i < rec->nmarks; i++)
		if (!rec->mark[i].end)
			rec->mark[i].end = rec->stop;
	for (i = 0; i < rec->nseries; i++)
		if (rec->series[i].count > rec->samples + own)
			rec->samples = rec->series[i].count - own;
}

static bool load_records(struct loader *l, const struct perfdata_file *file)
{
	const struct perf_event_header *record;
	size_t offset = 0;

	if (!read_idents(l, file) || !index_attrs(l, file->nattrs))
		return false;
	while ((record = perfdata_next(file, &offset)))
		if (!add_record(l, record))
			return file->is_cut;
	return file->is_cut || offset == file->data.size;
}

struct recording *recording_load(const char *path)
{
	struct loader loader = { 0 };
	struct perfdata_file file;
	const char *text;
	size_t size;

	if (perfdata_open(&file, path))
		return NULL;
	text = perfdata_text(&file, &size);
	if (!text)
		mon_fail(EINVAL, "%s: made by perf alone: record it with monctl record", path);
	else
		loader.rec = recording_parse(text, size, path);
	if (loader.rec)
		loader.rec->is_cut = file.is_cut;
	if (loader.rec && !load_records(&loader, &file)) {
		mon_fail(EINVAL, "%s: damaged: a record does not fit its description", path);
		recording_free(loader.rec);
		loader.rec = NULL;
	}
	if (loader.rec) {
		mark_points_pair(&loader.points, loader.rec);
		recording_finish(loader.rec);
	}
	free(loader.ident);
	mark_points_free(&loader.points);
	free(loader.counter_of);
	free(loader.series_of);
	perfdata_close(&file);
	return loader.rec;
}
