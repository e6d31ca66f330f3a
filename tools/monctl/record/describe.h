/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes the description of a recording; recording.h lists its members. */
#ifndef MONCTL_DESCRIBE_H
#define MONCTL_DESCRIBE_H

#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/select.h"
#include "tools/monctl/record/tracepoint.h"

/* command may be NULL. */
void describe_head(FILE *out, char *const command[]);
/* attr_of: index of each counter's event in the file; NULL: the counters' own. */
void describe_selection(FILE *out, const struct selection *sel, const size_t *attr_of);

/* A recording without readings. */
struct recording *describe_recording(const struct selection *sel, const struct tracepoints *marks,
				     uint64_t interval);

#endif
