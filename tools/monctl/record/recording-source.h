/* SPDX-License-Identifier: GPL-2.0-only */
/* The file behind a recording, for recording-load.c and recording-table.c. */
#ifndef MONCTL_RECORDING_SOURCE_H
#define MONCTL_RECORDING_SOURCE_H

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"

/* From the identifiers of perf's events to attributes. */
struct rec_ident {
	uint64_t id;
	size_t attr;
};

/* A place in the records from which they can be read. */
struct rec_stop {
	size_t offset;
	uint64_t *first;		/* of each series the time of the first reading from there on, or UINT64_MAX */
	size_t nseries;			/* in first; of others nothing was read before */
};

struct rec_source {
	struct perfdata_file file;
	struct rec_ident *ident;
	size_t nidents;
	size_t *series_of;		/* by attribute: the series that it leads, or SIZE_MAX */
	struct rec_stop *stop;
	size_t nstops;
};

void source_sort(struct rec_source *source);
const struct rec_ident *source_find(const struct rec_source *source, uint64_t id);
/* What a sample of a group says; NULL: it is too short for that. */
const struct perfdata_reading *source_reading(const struct perfdata_sample *sample);
/* The part of the time in which its group has counted. */
double source_share(const struct perfdata_reading *reading);
/* A count of a group that took turns, estimated for the whole time. before: that of the reading before. */
uint64_t source_estimate(uint64_t value, double share, uint64_t before);
/* A member's count, an estimate if the group took turns. Inline: an hour has a hundred million of them. */
static inline uint64_t source_value(const struct perfdata_reading *reading, size_t member, double share, uint64_t before)
{
	uint64_t value = reading->member[member].value;

	return share >= SHARE_OF_EXACT ? value : source_estimate(value, share, before);
}
void source_free(struct rec_source *source);

#endif
