/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mon_mrfld.h - the uncore event groups of Intel's Merrifield: names, bandwidths, residencies.
 *
 * Source of names and formulas: "Merrifield Uncore Performance Monitoring Events", Intel Developer
 * Zone. Three slips of that text are corrected here: its formulas for an agent's read and write
 * bandwidth are labelled MB/s but lack the division by 10^6; the self-refresh formula has an
 * unbalanced parenthesis (meant is count * 100 / (time * frequency)); and its note on partial
 * requests speaks of a module 1 that Merrifield does not have. One MB is 10^6 bytes.
 *
 * A group is one set of events that the hardware counts together; two groups cannot count at the
 * same time, so the kernel lets them take turns. counts.count[i] is the event that the article binds
 * to counter i; the group's clock is the last.
 *
 * Errors as in mon.h.
 */
#ifndef MON_MRFLD_H
#define MON_MRFLD_H

#include <stddef.h>
#include <stdint.h>

#include "mon.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Groups, numbered as in perf's term "group". */
enum mon_mrfld_group {
	MON_MRFLD_MEMORY_DDR_BW = 1,
	MON_MRFLD_DDR_SELF_REFRESH,
	MON_MRFLD_ALL_REQS,
	MON_MRFLD_MODULE0_BW,
	MON_MRFLD_MODULE0_SNOOPS,
	MON_MRFLD_GRAPHICS_BW,
	MON_MRFLD_DISPLAY_BW,
	MON_MRFLD_IMAGING_BW,
	MON_MRFLD_LOWSPEEDPF_BW,
};

#define MON_MRFLD_GROUPS 9
#define MON_MRFLD_COUNTERS 8

/* ---- names ---- */

/**
 * @param name The article's name (UNC_VISA_Graphics_BW), that of a later revision (UNC_SOC_Graphics_BW), or either without
 *	the prefix; case does not matter.
 * @return Number of the group; -1 with errno.
 * @error ENOENT There is no such group.
 */
MON_API int mon_mrfld_find_group(const char *name);
/** @return "UNC_VISA_Graphics_BW"; NULL if there is no such group. */
MON_API const char *mon_mrfld_get_group_name(int group);
/** @return Number of events in a group, its clock included; 0 if there is no such group. */
MON_API size_t mon_mrfld_get_event_count(int group);
/** @return perf's name of the event on a counter, for example "gfx_read64b"; NULL if there is none. */
MON_API const char *mon_mrfld_get_event_name(int group, unsigned int counter);
/**
 * @param group The event's group.
 * @param event The article's spelling (DDR_Chan0-Read32B, Clock_Counter) or perf's.
 * @return Counter of the event; -1 with errno.
 * @error ENOENT The group has no such event.
 */
MON_API int mon_mrfld_find_counter(int group, const char *event);
/**
 * @param event Either spelling.
 * @return Group of the event; -1 with errno.
 * @error ENOENT There is no such event, or it is Clock_Counter, which is in each group.
 */
MON_API int mon_mrfld_find_group_of(const char *event);

/* ---- formulas; they do not access the system ---- */

/* Counts of a group in some time. They are estimates if the group took turns, so they are not integers. */
struct mon_mrfld_counts {
	int group;
	double seconds;
	double count[MON_MRFLD_COUNTERS];
};

/** @return count * bytes / seconds / 10^6; 0 if seconds is 0. */
MON_API double mon_mrfld_mb_per_second(double count, unsigned int bytes, double seconds);

/** @return MB/s of an event, at 32 or 64 bytes a count; NAN if it has no known size (partials, clocks, ...). */
MON_API double mon_mrfld_event_bandwidth(const struct mon_mrfld_counts *counts,
					 unsigned int counter);

/* MB/s at the DRAM channels: the exact memory traffic of all agents. */
struct mon_mrfld_ddr {
	double read[2], write[2];	/* of each channel */
	double channel[2];		/* read + write */
	double total_read, total_write, total;
};

/** @error EINVAL The counts are not of MON_MRFLD_MEMORY_DDR_BW. */
MON_API int mon_mrfld_ddr_bandwidth(const struct mon_mrfld_counts *counts,
				    struct mon_mrfld_ddr *ddr);

/*
 * MB/s of an agent in requests of 32 and 64 bytes.
 *
 * Requests of partial size have an unknown payload and are not included. Most writes of the
 * graphics unit are partial, so its write bandwidth looks too small. The structure gives partial
 * requests as counts: for module 0 its "Partial" event, which counts all sizes, less the other two;
 * for the other agents that event itself.
 */
struct mon_mrfld_agent {
	double read, write;
	double read_partials, write_partials;	/* requests */
};

/** @error EINVAL The counts are not of a group of an agent (Module0, Graphics, Display, ..., _BW). */
MON_API int mon_mrfld_agent_bandwidth(const struct mon_mrfld_counts *counts,
				      struct mon_mrfld_agent *agent);

/*
 * Estimated MB/s of all agents together. Each request counts as 64 bytes, so smaller ones count too
 * much. Reads and writes cannot be told apart.
 */
struct mon_mrfld_estimate {
	double module0, display, graphics, imaging, lowspeedpf;
	double total;
};

/** @error EINVAL The counts are not of MON_MRFLD_ALL_REQS. */
MON_API int mon_mrfld_estimate_bandwidth(const struct mon_mrfld_counts *counts,
					 struct mon_mrfld_estimate *estimate);

/* Percent of the time that each channel spent in self-refresh. */
struct mon_mrfld_self_refresh {
	double deep[2], shallow[2];
};

/**
 * @param counts The counts.
 * @param dram_hz Base frequency of the DRAM (mon_mrfld_dram_hz()). No count of the group can replace it, because the group's
 *	clock may run at another rate than the residency counters.
 * @param residency Is filled.
 * @error EINVAL The counts are not of MON_MRFLD_DDR_SELF_REFRESH, or dram_hz is not above 0.
 */
MON_API int mon_mrfld_self_refresh(const struct mon_mrfld_counts *counts, double dram_hz,
				   struct mon_mrfld_self_refresh *residency);

/* ---- counting a group on this machine ---- */

struct mon_mrfld;

/**
 * Opens all events of a group. Counting does not start.
 * @param group Any name that mon_mrfld_find_group() takes.
 */
MON_API struct mon_mrfld *mon_mrfld_new(const char *group);
MON_API void mon_mrfld_free(struct mon_mrfld *mrfld);
MON_API int mon_mrfld_start(struct mon_mrfld *mrfld);
MON_API int mon_mrfld_stop(struct mon_mrfld *mrfld);
/**
 * Counts since the last read, and the time that they cover; stopped time is left out. The time is the group's own
 * clock, read with the counts, if the driver knows its frequency (caps/soc_hz); else perf's. Groups that run at the
 * same time take turns, and the counts are scaled up.
 * @error EAGAIN The group has not counted since the last read.
 * @error EIO The device did not answer, or counts have been lost since the last read.
 * @error ENODEV The device is gone.
 */
MON_API int mon_mrfld_read(struct mon_mrfld *mrfld, struct mon_mrfld_counts *counts);
/** @return Base frequency of the DRAM in Hz, from the driver (caps/dram_hz); 0 if unknown. */
MON_API double mon_mrfld_dram_hz(void);

#ifdef __cplusplus
}
#endif
#endif
