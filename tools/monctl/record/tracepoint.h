/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of libmon's modules: run_begin and run_end of accelerators, ranks and DSPs. Any module may
 * have them: SYSTEM/run_begin and SYSTEM/run_end with the fields device, place, pid and user.
 */
#ifndef MONCTL_TRACEPOINT_H
#define MONCTL_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tracepoint {
	char *system;
	bool is_begin;
	uint64_t id;			/* perf_event_attr.config */
	char *format;			/* what tracefs says about its fields */
};

struct tracepoints {
	struct tracepoint *item;
	size_t count;
};

/* None if tracefs is not there or not readable. */
void tracepoints_find(struct tracepoints *list);
void tracepoints_free(struct tracepoints *list);
/* A line "mark" of the description (recording.h); false if a field is missing. */
bool tracepoint_describe(const struct tracepoint *point, size_t attr, FILE *out);
/* What perf needs to print them: PERFDATA_TRACING's contents. free() it. */
char *tracepoints_data(const struct tracepoints *list, size_t *size);

#endif
