/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was counted: the PMUs with their places, the counters, their readings over time, and the runs of
 * accelerators, DPUs and DSP programs.
 *
 * The section PERFDATA_MONCTL of a perf.data file describes it in lines of words that tabs separate:
 *
 *	monctl	1
 *	command	WORDS				what was measured
 *	machine	WORDS				where: host, kernel and architecture
 *	start	MONOTONIC_NS	REALTIME_NS
 *	stop	MONOTONIC_NS
 *	interval	NS
 *	pmu	NAME	NOUN	CLOCK_HZ	then its places and counters
 *	place	NUMBER	KIND	NAME	DEVICE	ROW	COLUMN
 *	absent	EVENT				the PMU does not have it
 *	counter	ATTR	EVENT	PLACE	UNIT	SCALE	DESCRIPTION	TERMS	PLACES
 *						PLACE -1: the sum of all; TERMS as EVENT if they are missing; PLACES
 *						in which it counts, 0: not known
 *	mark	ATTR	SYSTEM	begin|end	DEVICE:SIZE	PLACE	PID	USER:SIZE	ABOUT:SIZE
 *						a tracepoint; offsets of its fields in a record's raw data, of which
 *						ABOUT may be missing; with
 *						the SYSTEM phase one record ends a phase and begins USER's
 *
 *	transfers	NS		of copies to and from devices that programs told (mon_mark_transfer())
 *	gone	PMU				its device went away, or it lost counts
 *
 * ATTR is the index of the event in the file. Times of samples are of CLOCK_MONOTONIC.
 */
#ifndef MONCTL_RECORDING_H
#define MONCTL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct rec_place {
	unsigned int number;
	const char *kind, *name, *device;
	int row, column;
};

struct rec_pmu {
	const char *name, *noun;
	char *kind;			/* "espmon" of espmon_1, as mon.h's kind */
	uint64_t clock_hz;		/* 0: unknown */
	struct rec_place *place;
	size_t nplaces;
	const char **absent;		/* events that metrics know and the PMU does not have */
	size_t nabsent;
	bool is_gone;			/* its device went away: its counts are not known */
};

/* The readings of one group, the first and the last made by monctl itself. */
struct rec_series {
	size_t count, members;
	uint64_t last_time;
	uint64_t *first, *last;		/* what the first and the last reading say of each member */
	size_t *counter;		/* by member: index, or SIZE_MAX of the clock */
	double share;			/* of the time in which it counted; less than 1: values are estimates */
};

struct rec_counter {
	size_t attr;
	size_t pmu;
	const char *event, *unit, *description;
	const char *terms;		/* the event as the driver's terms say it, without a place */
	double scale;
	int place;			/* -1: the sum of all */
	size_t places;			/* in which the event counts; 0: not known */
	size_t series, member;
};

struct rec_mark {
	const char *system;
	char *device, *user;
	char *about;			/* what ran: a size, a mode, a program; may be "" */
	int place;			/* -1: none or many */
	uint32_t pid;
	uint64_t begin, end;		/* an end that was not seen is that of the recording, or 0 while it goes on */
};

struct rec_gap {
	uint64_t from, to;		/* after the start */
};

struct rec_source;

struct recording {
	struct rec_source *source;	/* the readings; NULL: a description alone */
	char *text;			/* the strings of what follows */
	const char *command;
	const char *machine;		/* "HOST: Linux RELEASE ARCHITECTURE"; NULL: not known */
	uint64_t start, stop, realtime, interval;
	bool is_part;			/* start and stop were chosen: there are readings before and after */
	bool is_cut;			/* its end is missing: it stops at the last reading */
	char *cut_reason;		/* why, or NULL */
	struct rec_pmu *pmu;
	size_t npmus;
	struct rec_counter *counter;
	size_t ncounters;
	struct rec_series *series;
	size_t nseries;
	struct rec_mark *mark;
	size_t nmarks;
	struct rec_mark_kind *mark_kind;
	size_t nmark_kinds;
	size_t samples;			/* of the kernel's timer, in the group that has least */
	uint64_t lost;
	uint64_t transfer_ns;		/* of copies to and from devices; 0: none were told */
	struct rec_gap *gap;		/* where samples were lost */
	size_t ngaps;
};

/* From the description alone, without readings. NULL after a message in mon_error(). */
struct recording *recording_parse(const char *text, size_t size, const char *path);
struct recording *recording_load(const char *path);
void recording_free(struct recording *rec);

/* "espmon/noc_injects_p5/" or "espmon/noc_injects_p5,tile=3/"; free() it. */
char *recording_counter_name(const struct recording *rec, const struct rec_counter *counter);
/* Leaves the time between two points, in nanoseconds after the start; false if there is none. */
bool recording_crop(struct recording *rec, uint64_t from, uint64_t to);
/* Number of intervals of a recording. */
size_t recording_rows(const struct recording *rec);
/* The index of a place by its number; nplaces: it has none. */
size_t recording_place(const struct rec_pmu *pmu, int number);
/* The part of the time in which a counter counted. */
double recording_share(const struct recording *rec, const struct rec_counter *counter);
uint64_t recording_total(const struct recording *rec, const struct rec_counter *counter);
/*
 * Counts in nbins stretches of bin_ns each, the first of which begins from nanoseconds after the start. Between two readings a
 * counter is taken to go evenly; the sum over stretches that follow each other from the start to the stop is exact. Reads the
 * records from a little before the stretches on, however late they are. The counters' rows, asked for in the recording's
 * order, take as few walks as fit in memory.
 */
struct rec_table;

/* Counts in memory at a time; more counts need another walk over the file. */
#define REC_CELLS 16000000
/* Count of a stretch that could not be read. */
#define REC_UNKNOWN UINT64_MAX

struct rec_table *rec_table_new(const struct recording *rec, uint64_t from, uint64_t bin_ns, size_t nbins);
/* Of counts that are there already, counter by counter, which it frees. */
struct rec_table *rec_table_of(const struct recording *rec, uint64_t *bin, size_t nbins);
/* Valid until the next call. The rows after it are in memory one after the other, as far as 16 million counts go. */
const uint64_t *rec_table_row(struct rec_table *table, const struct rec_counter *counter);
/* Whether a row that was asked for has a reading in a stretch, and does not only go between two others; of rec_table_new(). */
bool rec_table_is_read(const struct rec_table *table, const struct rec_counter *counter, size_t stretch);
void rec_table_free(struct rec_table *table);

#endif
