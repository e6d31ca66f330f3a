/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring in which programs mark their phases (mon_mark() of mon.h) for a recorder, and the time of their transfers: shared
 * memory in a file that the environment names.
 *
 * Any number of programs write, one reads; none waits. A broken program may write anything, so the reader checks
 * all values.
 */
#ifndef EVENTS_MARKS_H
#define EVENTS_MARKS_H

#include <stdint.h>

#define MON_MARKS_VARIABLE "LIBMON_MARKS"
#define MON_MARKS_MAGIC 0x31736b72616d6e6dull	/* "mnmarks1" */
/* If the reader is that many marks behind, the oldest are overwritten. */
#define MON_MARKS_SLOTS 8192

struct mon_mark_name {
	char text[44];
};

struct mon_mark_slot {
	uint64_t turn;			/* 0 while it is written, then the mark's number + 1 */
	uint64_t time;			/* ns of CLOCK_MONOTONIC */
	uint32_t pid;
	struct mon_mark_name program;
	char phase[64];			/* "": no phase from here on */
};

struct mon_marks {
	uint64_t magic;
	uint64_t next;			/* of the next mark; its slot: modulo MON_MARKS_SLOTS */
	uint64_t transfer_ns;		/* of copies between a host and its device, the sum of all programs */
	uint64_t reserved[13];
	struct mon_mark_slot slot[MON_MARKS_SLOTS];
};

#endif
