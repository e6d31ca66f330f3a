/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that the kernel's own timer samples: groups led by perf's cpu-clock, as in
 * perf record -e '{cpu-clock,espmon/ddr_accesses/}:S'.
 */
#ifndef MONCTL_SAMPLER_H
#define MONCTL_SAMPLER_H

#include "tools/monctl/record/evlist.h"
#include "tools/monctl/record/perfdata.h"
#include "tools/monctl/record/select.h"
#include "tools/monctl/record/tracepoint.h"

struct sample_group {
	struct evlist *list;
	size_t leader;			/* index of its event; the members follow it */
	size_t count;			/* of all events in it */
	int cpu;
};

struct sampler {
	struct perfdata_event *event;
	size_t count, first_mark;	/* the tracepoints come last, but for foreign events */
	size_t first_foreign;
	size_t *attr_of;		/* event of each counter of the selection */
	struct sample_group *group;
	size_t ngroups;
	const char *unread;		/* an event that sampler_read() could not read; NULL: none */
	struct evlist *marks;		/* NULL: none */
	uint64_t interval;
};

/*
 * Opens all counters and the tracepoints, stopped. Ends the program if the hardware cannot count all of
 * them at the same time; with may_leave_out the selection loses those that do not fit, with a warning.
 */
void sampler_open(struct sampler *sampler, struct selection *sel, const struct tracepoints *marks,
		  uint64_t interval, bool may_leave_out);
/* The tracepoints alone. */
void sampler_open_marks(struct sampler *sampler, const struct tracepoints *marks);
void sampler_close(struct sampler *sampler);
/* One more event of the recording, whose records come from elsewhere; it must stay. Returns its index. */
size_t sampler_add_foreign(struct sampler *sampler, const struct perfdata_event *event);
/* Nanoseconds that a read() of all groups needs. */
uint64_t sampler_cost(const struct sampler *sampler);

struct sampler_trial {
	double load;			/* share of its processor that the samples take, 0 to 1 */
	double reached;			/* share of the samples that came */
};

/*
 * Samples for some intervals, as the recording will, and throws the samples away: what an interrupt costs is
 * more than a read(), and the kernel stops events that take too long. The best of several trials, because
 * others may use the processor at the same time.
 */
struct sampler_trial sampler_try(const struct sampler *sampler, uint64_t interval);
/* Starts or stops all counters and marks. */
void sampler_enable(const struct sampler *sampler, bool is_enabled);
/* Waits until samples fill a part of a buffer, a signal comes, or for that long. */
void sampler_wait(const struct sampler *sampler, int milliseconds);
/* Hands over all records that are there. Anything but 0 from the sink ends that and is returned. */
int sampler_drain(const struct sampler *sampler, record_sink sink, void *arg);
/* Reads all groups now, as records like the kernel's. */
int sampler_read(struct sampler *sampler, record_sink sink, void *arg);

#endif
