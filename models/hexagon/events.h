/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the events of the catalogue (events/hexagon/events.def) are in terms of the feed: which of them it
 * supplies on a given core, and their values.
 */
#ifndef HEXAGON_EVENTS_H
#define HEXAGON_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "hexagon/feed.h"

/* A core. V69: 6 threads in 2 clusters, 3 cycles from one packet of a thread to the next, 4 vector contexts. */
struct hexagon_core {
	unsigned int version;	/* 65, 69, 73 or 79 */
	unsigned int threads;
	unsigned int clusters;
	unsigned int cycles;
	unsigned int contexts;	/* vector contexts */
	bool stalls;		/* threads wait for caches and branches, too */
};

/* Fills in the documented values of a version; false if the version is not known. */
bool hexagon_core_init(struct hexagon_core *core, unsigned int version);

/* Does the version have this event, and does the feed supply it? Chain events are not counts. */
bool hexagon_event_supplied(const struct hexagon_core *core, unsigned int code);

/* How an event is counted that is supplied: "measured", "caches", ... */
const char *hexagon_event_how(const struct hexagon_core *core, unsigned int code);

/* Why one is not. */
const char *hexagon_event_why_not(const struct hexagon_core *core, const char *name, unsigned int code);

/* Visits each event that the catalogue has for the core's version. */
typedef void (*hexagon_event_visit_t)(void *data, const char *name, unsigned int code);
void hexagon_events_list(const struct hexagon_core *core, hexagon_event_visit_t visit, void *data);

/* The selector of the event of that name, in small letters or capitals, that the core counts, or -1. */
int hexagon_event_find(const struct hexagon_core *core, const char *name);

/* The HEXAGON_FEATURE_... that a program must have been started with to count an event; or 0. */
uint32_t hexagon_event_features(const struct hexagon_core *core, unsigned int code);

/*
 * Value of an event; 0 of one that is not supplied. stid 0 counts all threads, n + 1 thread n only
 * where the event obeys the filter.
 */
uint64_t hexagon_event_value(const struct hexagon_core *core, const struct hexagon_totals *totals,
			     unsigned int code, unsigned int stid);

/* What one thread of a row (feed.h) counted; false if the event is of the core or of hardware threads. */
bool hexagon_event_of_row(const struct hexagon_core *core, unsigned int code,
			  const uint64_t values[HEXAGON_ROW_VALUES], uint64_t *value);

/* Modelled core cycles while at least one thread ran. */
uint64_t hexagon_cycles(const struct hexagon_totals *totals);

#endif
