/* SPDX-License-Identifier: GPL-2.0-only */
/* Phases of programs (mon_mark() of mon.h): the ring that a recording makes, and its marks as perf's records. */
#ifndef MONCTL_PHASE_H
#define MONCTL_PHASE_H

#include "tools/monctl/record/evlist.h"
#include "tools/monctl/record/perfdata.h"

/* The system of phases among the runs of a recording. */
#define PHASE_SYSTEM "phase"

struct mon_marks;

struct phases {
	struct mon_marks *ring;
	int fd;
	uint64_t next;			/* the first mark that was not taken */
	uint64_t taken, lost;
};

/* Makes the ring and names it in the environment of programs that are started from now on. */
void phases_open(struct phases *phases);
void phases_close(struct phases *phases);
/*
 * Hands over what was marked since the last time. is_last: also what follows a mark that was begun and never
 * finished. Anything but 0 from the sink ends that and is returned.
 */
int phases_drain(struct phases *phases, bool is_last, record_sink sink, void *arg);

/* Time of copies that programs told (mon_mark_transfer()) since the last call. */
uint64_t phases_transfer_ns(struct phases *phases);

/* The event that the records are of, with the kernel's of programs' own output; and a line "mark" of recording.h. */
struct perfdata_event phases_event(void);
void phases_describe(size_t attr, FILE *out);

#endif
