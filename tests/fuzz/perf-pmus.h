/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMUs of libmon as sysfs describes them, for perf-fuzz.
 */
#ifndef PERF_PMUS_H
#define PERF_PMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYSFS "/sys/bus/event_source/devices"

/* An event as sysfs lists it, and the fields that its PMU has. */
struct event {
	uint64_t config;
};

struct pmu {
	char name[32];
	uint32_t type;
	struct event events[512];
	unsigned int nevents;
	struct field {
		unsigned int lo, bits;
	} fields[8];
	unsigned int nfields;
};

extern struct pmu pmus[8];
extern unsigned int npmus;

/*
 * Reads a file into buf; fmt makes its path of a PMU, a folder and a name. False, and an empty
 * text, if there is nothing to read.
 */
bool read_text(char *buf, size_t size, const char *fmt, const char *pmu, const char *dir,
	       const char *file);
/* Fills pmus[] with all PMUs of libmon in sysfs. */
void find_pmus(void);

#endif
