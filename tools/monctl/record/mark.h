/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs of accelerators, DPU ranks and DSPs, from the samples of their tracepoints. The samples of different
 * processors do not come in the order of their times, so they are collected first.
 */
#ifndef MONCTL_MARK_H
#define MONCTL_MARK_H

#include <stdbool.h>

#include "tools/monctl/record/perfdata.h"
#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/recording-internal.h"

/* A begin or an end. */
struct mark_point {
	bool is_begin;
	struct rec_mark mark;		/* its time is in begin */
};

struct mark_points {
	struct mark_point *item;
	size_t count;
};

/* NULL: the attribute is not a tracepoint's. */
const struct rec_mark_kind *mark_kind_find(const struct recording *rec, size_t attr);
/* False if the sample is too short for its fields. */
bool mark_points_add(struct mark_points *points, const struct perfdata_sample *sample,
		     const struct rec_mark_kind *kind);
/* They become runs of the recording, and points is empty. A run has no end (0) before its end was seen. */
void mark_points_pair(struct mark_points *points, struct recording *rec);
void mark_points_free(struct mark_points *points);
/* A program's own phase, of mon_mark(); else a run of a device. */
bool mark_is_phase(const struct rec_mark *mark);

#endif
