/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring in which programs mark their phases (mon_mark() of mon.h) for who records: shared memory in a file whose
 * name is in the environment. Any number of programs write, one reads; nobody waits. What the reader finds may be
 * nonsense of a broken program.
 */
#ifndef EVENTS_MARKS_H
#define EVENTS_MARKS_H

#include <stdint.h>

#define MON_MARKS_VARIABLE "LIBMON_MARKS"
#define MON_MARKS_MAGIC 0x31736b72616d6e6dull	/* "mnmarks1" */
/* The oldest marks are overwritten when the reader is that many behind. */
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
	uint64_t next;			/* number of the next mark; its slot is the rest by MON_MARKS_SLOTS */
	uint64_t reserved[14];
	struct mon_mark_slot slot[MON_MARKS_SLOTS];
};

#endif
