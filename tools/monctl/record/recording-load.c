// SPDX-License-Identifier: GPL-2.0-only
/* Recordings: readings and marks out of a perf.data file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/recording-internal.h"
#include "tools/monctl/record/recording-source.h"

/* Distance of the places from which the records can be read. */
#define STOP_BYTES (1024 * 1024)

struct loader {
	struct recording *rec;
	struct rec_source *source;
	size_t *counter_of;		/* by attribute: index of a counter, or SIZE_MAX */
	size_t *told;			/* by series: the first stop that does not know its time yet */
	bool *has_lost;			/* by series: samples after the last one were lost */
	struct mark_points points;
};

static bool read_idents(struct loader *l)
{
	struct rec_source *source = l->source;
	struct perf_event_attr attr;
	const uint64_t *ids;
	size_t i, k, nids;

	for (i = 0; i < source->file.nattrs; i++) {
		if (!perfdata_get_attr(&source->file, i, &attr, &ids, &nids))
			return false;
		for (k = 0; k < nids; k++) {
			source->ident = grow(source->ident, source->nidents, sizeof(*source->ident));
			source->ident[source->nidents++] = (struct rec_ident){ ids[k], i };
		}
	}
	source_sort(source);
	return true;
}

static bool index_attrs(struct loader *l, size_t nattrs)
{
	size_t i;

	l->counter_of = zeros(nattrs, sizeof(*l->counter_of));
	l->source->series_of = zeros(nattrs, sizeof(*l->source->series_of));
	for (i = 0; i < nattrs; i++)
		l->counter_of[i] = l->source->series_of[i] = SIZE_MAX;
	for (i = 0; i < l->rec->ncounters; i++) {
		if (l->rec->counter[i].attr >= nattrs)
			return false;
		l->counter_of[l->rec->counter[i].attr] = i;
	}
	return true;
}

/* Finds the members of a group and their order from its first reading. */
static bool start_series(struct loader *l, const struct perfdata_reading *reading, size_t leader)
{
	struct recording *rec = l->rec;
	const struct rec_ident *ident;
	struct rec_series *s;
	size_t i, counter;

	rec->series = grow(rec->series, rec->nseries, sizeof(*rec->series));
	l->told = grow(l->told, rec->nseries, sizeof(*l->told));
	l->told[rec->nseries] = 0;
	l->has_lost = grow(l->has_lost, rec->nseries, sizeof(*l->has_lost));
	l->has_lost[rec->nseries] = false;
	s = &rec->series[rec->nseries];
	*s = (struct rec_series){
		.members = reading->count, .first = zeros(2 * reading->count, sizeof(*s->first)),
		.counter = zeros(reading->count, sizeof(*s->counter)),
	};
	s->last = s->first + s->members;
	l->source->series_of[leader] = rec->nseries++;
	for (i = 0; i < reading->count; i++) {
		ident = source_find(l->source, reading->member[i].id);
		if (!ident)
			return false;
		counter = s->counter[i] = l->counter_of[ident->attr];
		if (counter == SIZE_MAX)
			continue;	/* the clock */
		rec->counter[counter].series = rec->nseries - 1;
		rec->counter[counter].member = i;
	}
	return true;
}

/* Gives the stops between this reading of a series and the one before this reading's time. */
static void tell_stops(struct loader *l, size_t series, uint64_t time)
{
	for (; l->told[series] < l->source->nstops; l->told[series]++) {
		struct rec_stop *stop = &l->source->stop[l->told[series]];

		while (stop->nseries <= series) {
			stop->first = grow(stop->first, stop->nseries, sizeof(*stop->first));
			stop->first[stop->nseries++] = UINT64_MAX;
		}
		stop->first[series] = time;
	}
}

/* Between two readings of a series samples were lost: how the counts went there is not known. */
static void add_gap(struct recording *rec, uint64_t from, uint64_t to)
{
	struct rec_gap gap = { from > rec->start ? from - rec->start : 0, to - rec->start };

	if (to - from < 2 * rec->interval)
		return;
	rec->gap = grow(rec->gap, rec->ngaps, sizeof(gap));
	rec->gap[rec->ngaps++] = gap;
}

static void take_loss(struct loader *l, uint64_t id)
{
	const struct rec_ident *ident = source_find(l->source, id);
	size_t series = ident ? l->source->series_of[ident->attr] : SIZE_MAX;

	if (series != SIZE_MAX)
		l->has_lost[series] = true;
}

static bool add_reading(struct loader *l, const struct perfdata_sample *sample, size_t attr)
{
	const struct perfdata_reading *reading = source_reading(sample);
	size_t *series = &l->source->series_of[attr], i;
	struct rec_series *s;

	if (!reading || (*series == SIZE_MAX && !start_series(l, reading, attr)))
		return false;
	s = &l->rec->series[*series];
	if (reading->count != s->members || (s->count && sample->time < s->last_time))
		return false;
	tell_stops(l, *series, sample->time);
	if (l->has_lost[*series] && s->count)
		add_gap(l->rec, s->last_time, sample->time);
	l->has_lost[*series] = false;
	s->last_time = sample->time;
	s->share = source_share(reading);
	for (i = 0; i < s->members; i++)
		s->last[i] = source_value(reading, i, s->share, s->last[i]);
	if (!s->count++)
		memcpy(s->first, s->last, s->members * sizeof(*s->first));
	return true;
}

static bool add_sample(struct loader *l, const struct perf_event_header *header)
{
	const struct perfdata_sample *sample = (const void *)header;
	const struct rec_mark_kind *kind;
	const struct rec_ident *ident;

	if (header->size < sizeof(*sample))
		return false;
	ident = source_find(l->source, sample->id);
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
	if (header->type == PERF_RECORD_LOST && header->size >= sizeof(*lost)) {
		l->rec->lost += lost->lost;
		take_loss(l, lost->id);
	}
	return true;
}

/* Ends a recording without an end at its last reading. */
static uint64_t last_time(const struct recording *rec)
{
	uint64_t last = rec->start;

	for (size_t i = 0; i < rec->nseries; i++) {
		const struct rec_series *s = &rec->series[i];

		if (s->count && s->last_time > last)
			last = s->last_time;
	}
	return last;
}

static void recording_finish(struct recording *rec)
{
	/* without monctl's own readings: at the start, and at the stop if there is one */
	size_t own = rec->is_cut ? 1 : 2, i;

	if (rec->is_cut)
		rec->stop = last_time(rec);
	for (i = 0; i < rec->nmarks; i++)
		if (!rec->mark[i].end)
			rec->mark[i].end = rec->stop;
	/* of the group that has least: a file has one rate */
	for (i = 0; i < rec->nseries; i++) {
		size_t samples = rec->series[i].count > own ? rec->series[i].count - own : 0;

		rec->samples = i && rec->samples < samples ? rec->samples : samples;
	}
}

/* Adds a stop: the records can be read from here on. */
static void add_stop(struct loader *l, size_t offset)
{
	struct rec_source *source = l->source;

	if (source->nstops && offset - source->stop[source->nstops - 1].offset < STOP_BYTES)
		return;
	source->stop = grow(source->stop, source->nstops, sizeof(*source->stop));
	source->stop[source->nstops++] = (struct rec_stop){ .offset = offset };
}

static bool load_records(struct loader *l)
{
	struct perfdata_file *file = &l->source->file;
	const struct perf_event_header *record;
	uint64_t damage = file->damage;
	size_t offset = 0;

	if (!read_idents(l) || !index_attrs(l, file->nattrs))
		return false;
	add_stop(l, 0);
	while ((record = perfdata_next(file, &offset))) {
		if (!add_record(l, record))
			return file->is_cut;
		add_stop(l, offset);
	}
	return file->damage == damage && (file->is_cut || offset == file->data.size);
}

static struct recording *load_from(struct loader *l, const char *path)
{
	size_t size;
	const char *text = perfdata_text(&l->source->file, &size);

	if (!text) {
		mon_fail(EINVAL, "%s: made by perf alone: record it with monctl record", path);
		return NULL;
	}
	l->rec = recording_parse(text, size, path);
	if (!l->rec)
		return NULL;
	l->rec->is_cut = l->source->file.is_cut;
	if (l->source->file.damage)
		l->rec->cut_reason = format_text("the file is damaged at byte %" PRIu64 " of %zu", l->source->file.damage,
						 l->source->file.size);
	else if (l->rec->is_cut)
		l->rec->cut_reason = format_text("monctl record was killed or the file was cut");
	if (load_records(l))
		return l->rec;
	mon_fail(EINVAL, "%s: damaged: a record does not fit its description", path);
	recording_free(l->rec);
	return NULL;
}

/* *damage: where the file is damaged, 0: that is not known; afterwards what reading it has shown. */
static struct recording *load_until(const char *path, uint64_t *damage)
{
	struct loader loader = { .source = zeros(1, sizeof(*loader.source)) };
	struct recording *rec = NULL;

	if (!perfdata_open(&loader.source->file, path, *damage))
		rec = load_from(&loader, path);
	*damage = loader.source->file.damage;
	if (rec) {
		mark_points_pair(&loader.points, rec);
		recording_finish(rec);
		if (rec->is_cut)
			warn("%s: the recording has no end: %s: totals go up to its last sample, after %.3f s", path,
			     rec->cut_reason, (rec->stop - rec->start) / 1e9);
		rec->source = loader.source;
	} else {
		source_free(loader.source);
	}
	mark_points_free(&loader.points);
	free(loader.counter_of);
	free(loader.told);
	free(loader.has_lost);
	return rec;
}

struct recording *recording_load(const char *path)
{
	uint64_t damage = 0;
	struct recording *rec = load_until(path, &damage);

	/* what was read before the damage was found is of a file with an end */
	return rec || !damage ? rec : load_until(path, &damage);
}
