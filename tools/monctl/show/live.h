/* SPDX-License-Identifier: GPL-2.0-only */
/* What monctl serve shows: totals since it started and the last bins of all counters. */
#ifndef MONCTL_LIVE_H
#define MONCTL_LIVE_H

#include "tools/monctl/record/groups.h"
#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/tracepoint.h"

#define LIVE_BINS 600
/* Runs that are kept; a page with more of them would be slow. */
#define LIVE_MARKS 2000

struct live;

/* Opens and starts the counters of the selection, which must stay, and the tracepoints of runs. */
struct live *live_new(const struct selection *sel, const struct tracepoints *marks, uint64_t interval);
void live_free(struct live *live);
/* One more bin: call it once an interval. The other functions may run at the same time. */
void live_measure(struct live *live);
/* Number of the bin that comes next. */
uint64_t live_next(struct live *live);

/* Each returns text to be freed. */
char *live_page(struct live *live, size_t *size);
char *live_metrics(struct live *live, size_t *size);
/* The bins from a number on, and the runs of which something was seen since, as JSON. */
char *live_data(struct live *live, uint64_t after, size_t *size);

#endif
