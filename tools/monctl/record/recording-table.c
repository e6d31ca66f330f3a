// SPDX-License-Identifier: GPL-2.0-only
/* Counts over time: one walk over the records for many counters, as a recording may be larger than the memory. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/recording-source.h"

/* A walk over the records: counts between edges. The first bin begins at edge 0. */
struct walk {
	const struct recording *rec;
	uint64_t from, bin_ns;
	size_t nbins, first, count;	/* bins; counters */
	uint64_t *bin;
	bool *is_read;			/* by series and bin, or NULL */
	size_t last_edge;
};

/* A group during a walk: its last reading, and its counts at the last edge. */
struct traveller {
	uint64_t time;
	uint64_t *value, *at_edge;
	size_t edge;			/* the next one */
	bool has_reading;
};

static uint64_t edge_time(const struct walk *w, size_t edge)
{
	uint64_t time = w->rec->start + w->from + edge * w->bin_ns;

	/* the last reading is a little after the stop, and belongs to the last bin */
	if (edge && time >= w->rec->stop)
		return w->rec->is_part ? w->rec->stop : UINT64_MAX;
	return time;
}

static size_t last_edge(const struct walk *w)
{
	uint64_t length = w->rec->stop - w->rec->start;
	uint64_t left = length > w->from ? length - w->from : 0;
	/* without a reading there is no time */
	size_t edges = w->bin_ns ? (left + w->bin_ns - 1) / w->bin_ns : 0;

	return edges < w->nbins ? (edges ? edges : 1) : w->nbins;
}

/* Interpolates: counters are taken to go evenly between two readings. */
static uint64_t between(uint64_t low, uint64_t high, uint64_t part, uint64_t length)
{
	uint64_t gained = high - low;

	if (!gained || !length)
		return high;
	if (gained >> 32 || length >> 32)
		return low + (uint64_t)((unsigned __int128)gained * part / length);
	return low + gained * part / length;
}

/* Ends a bin at an edge, which is part of length after the last reading. next: the reading after it, or NULL. */
static void pass_edge(const struct walk *w, const struct rec_series *s, struct traveller *t,
		      const struct perfdata_reading *next, double share, uint64_t part, uint64_t length)
{
	size_t edge = t->edge++;

	for (size_t i = 0; i < s->members; i++) {
		size_t counter = s->counter[i];
		uint64_t value = t->value[i];

		if (counter == SIZE_MAX)
			continue;
		if (next && t->has_reading)
			value = between(value, source_value(next, i, share, value), part, length);
		else if (next)
			value = source_value(next, i, share, 0);
		if (edge && counter >= w->first && counter < w->first + w->count)
			w->bin[(counter - w->first) * w->nbins + edge - 1] = value - t->at_edge[i];
		t->at_edge[i] = value;
	}
}

static void take_reading(const struct walk *w, const struct rec_series *s, struct traveller *t, uint64_t time,
			 const struct perfdata_reading *reading)
{
	double share = source_share(reading);

	for (; t->edge <= w->last_edge && edge_time(w, t->edge) < time;) {
		uint64_t edge = edge_time(w, t->edge);

		pass_edge(w, s, t, reading, share, t->has_reading ? edge - t->time : 0, time - t->time);
	}
	if (w->is_read && t->edge && t->edge <= w->nbins)
		w->is_read[(s - w->rec->series) * w->nbins + t->edge - 1] = true;
	for (size_t i = 0; i < s->members; i++)
		t->value[i] = source_value(reading, i, share, t->has_reading ? t->value[i] : 0);
	t->time = time;
	t->has_reading = true;
}

/* Finds the last stop with a reading of every group at or before the time. Estimates need all readings before. */
static size_t offset_before(const struct recording *rec, uint64_t time)
{
	const struct rec_source *source = rec->source;
	size_t found = 0;

	for (size_t i = 0; i < rec->nseries; i++)
		if (rec->series[i].share < SHARE_OF_EXACT)
			return 0;
	for (size_t i = 1; i < source->nstops; i++) {
		const struct rec_stop *stop = &source->stop[i];
		size_t k = 0;

		while (k < stop->nseries && stop->first[k] <= time)
			k++;
		if (k < rec->nseries)
			break;
		found = i;
	}
	return source->nstops ? source->stop[found].offset : 0;
}

/* Returns the group that a record is a reading of, or NULL. */
static const struct rec_series *series_of(const struct recording *rec, const struct perf_event_header *record)
{
	const struct perfdata_sample *sample = (const void *)record;
	const struct rec_ident *ident;
	size_t series;

	if (record->type != PERF_RECORD_SAMPLE || record->size < sizeof(*sample))
		return NULL;
	ident = source_find(rec->source, sample->id);
	series = ident ? rec->source->series_of[ident->attr] : SIZE_MAX;
	return series < rec->nseries ? &rec->series[series] : NULL;
}

static void walk_records(const struct walk *w, struct traveller *traveller)
{
	const struct recording *rec = w->rec;
	size_t offset = offset_before(rec, edge_time(w, 0)), left = rec->nseries;
	const struct perf_event_header *record;

	while (left && (record = perfdata_next(&rec->source->file, &offset))) {
		const struct rec_series *s = series_of(rec, record);
		const struct perfdata_sample *sample = (const void *)record;
		const struct perfdata_reading *reading = s ? source_reading(sample) : NULL;
		struct traveller *t = s ? &traveller[s - rec->series] : NULL;

		/* the file may have changed since it was loaded */
		if (!reading || reading->count != s->members || t->edge > w->last_edge)
			continue;
		take_reading(w, s, t, sample->time, reading);
		left -= t->edge > w->last_edge;
	}
	for (size_t i = 0; i < rec->nseries; i++)
		while (traveller[i].has_reading && traveller[i].edge <= w->last_edge)
			pass_edge(w, &rec->series[i], &traveller[i], NULL, 1, 0, 0);
}

static void fill(struct walk *w)
{
	const struct recording *rec = w->rec;
	struct traveller *traveller = zeros(rec->nseries, sizeof(*traveller));
	size_t i;

	memset(w->bin, 0, w->nbins * w->count * sizeof(*w->bin));
	for (i = 0; i < rec->nseries; i++) {
		traveller[i].value = zeros(2 * rec->series[i].members, sizeof(uint64_t));
		traveller[i].at_edge = traveller[i].value + rec->series[i].members;
	}
	w->last_edge = last_edge(w);
	if (rec->source)
		walk_records(w, traveller);
	for (i = 0; i < rec->nseries; i++)
		free(traveller[i].value);
	free(traveller);
}

struct rec_table {
	struct walk walk;
	size_t room;			/* counters at a time */
};

struct rec_table *rec_table_new(const struct recording *rec, uint64_t from, uint64_t bin_ns, size_t nbins)
{
	struct rec_table *table = zeros(1, sizeof(*table));
	size_t room = REC_CELLS / nbins + 1;

	table->room = room < rec->ncounters ? room : rec->ncounters;
	table->walk = (struct walk){
		.rec = rec, .from = from, .bin_ns = bin_ns, .nbins = nbins,
		.bin = zeros(table->room * nbins, sizeof(uint64_t)), .is_read = zeros(rec->nseries * nbins, sizeof(bool)),
	};
	return table;
}

struct rec_table *rec_table_of(const struct recording *rec, uint64_t *bin, size_t nbins)
{
	struct rec_table *table = zeros(1, sizeof(*table));

	table->walk = (struct walk){ .rec = rec, .nbins = nbins, .count = rec->ncounters, .bin = bin };
	return table;
}

const uint64_t *rec_table_row(struct rec_table *table, const struct rec_counter *counter)
{
	struct walk *w = &table->walk;
	size_t index = counter - w->rec->counter;

	if (index < w->first || index >= w->first + w->count) {
		w->first = index;
		w->count = w->rec->ncounters - index < table->room ? w->rec->ncounters - index : table->room;
		fill(w);
	}
	return w->bin + (index - w->first) * w->nbins;
}

bool rec_table_is_read(const struct rec_table *table, const struct rec_counter *counter, size_t stretch)
{
	return table->walk.is_read[counter->series * table->walk.nbins + stretch];
}

void rec_table_free(struct rec_table *table)
{
	free(table->walk.is_read);
	free(table->walk.bin);
	free(table);
}
