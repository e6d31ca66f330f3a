// SPDX-License-Identifier: GPL-2.0-only
/* Where the readings of a recording come from: the records of its file, which are read when they are needed. */
#include <stdlib.h>

#include "tools/monctl/record/recording-source.h"

static int compare_ident(const void *a, const void *b)
{
	const struct rec_ident *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

void source_sort(struct rec_source *source)
{
	if (source->nidents)
		qsort(source->ident, source->nidents, sizeof(*source->ident), compare_ident);
}

const struct rec_ident *source_find(const struct rec_source *source, uint64_t id)
{
	const struct rec_ident key = { .id = id };

	if (!source->nidents)
		return NULL;
	return bsearch(&key, source->ident, source->nidents, sizeof(key), compare_ident);
}

const struct perfdata_reading *source_reading(const struct perfdata_sample *sample)
{
	const struct perfdata_reading *reading = (const void *)(sample + 1);
	size_t room = sample->header.size - sizeof(*sample);

	if (room < sizeof(*reading) || !reading->count ||
	    reading->count > (room - sizeof(*reading)) / sizeof(reading->member[0]))
		return NULL;
	return reading;
}

double source_share(const struct perfdata_reading *reading)
{
	return reading->enabled ? (double)reading->running / reading->enabled : 1;
}

/* An estimate never goes back. */
uint64_t source_estimate(uint64_t value, double share, uint64_t before)
{
	double whole = share > 0 ? value / share : 0;

	return whole > before ? whole : before;
}

void source_free(struct rec_source *source)
{
	if (!source)
		return;
	perfdata_close(&source->file);
	free(source->ident);
	free(source->series_of);
	for (size_t i = 0; i < source->nstops; i++)
		free(source->stop[i].first);
	free(source->stop);
	free(source);
}
