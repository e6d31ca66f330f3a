/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of a selection, opened: as few groups as the hardware allows. */
#ifndef MONCTL_GROUPS_H
#define MONCTL_GROUPS_H

#include "tools/monctl/record/select.h"

struct reading {
	uint64_t value;			/* raw */
	struct mon_times times;
	bool is_missing;		/* it could not be read: value and times are those of the reading before */
};

struct groups;

/* Opens all; ends the program with the reason if that cannot be. */
struct groups *groups_open(const struct selection *sel);
void groups_free(struct groups *groups);
void groups_enable(struct groups *groups);
void groups_disable(struct groups *groups);
/*
 * One reading for each counter of the selection. -1: some are missing, and mon_error() says why; readings
 * must then hold those before.
 */
int groups_read(struct groups *groups, struct reading *readings);

/*
 * What was counted between two readings, an estimate if the counter had to share the hardware; NaN if nobody
 * knows: it never counted, or the second reading is missing.
 */
double reading_count(const struct reading *before, const struct reading *after);
/* The share of the time in which it really counted, 0 to 1. */
double reading_share(const struct reading *before, const struct reading *after);

#endif
