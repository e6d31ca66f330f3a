/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of a selection share. */
#ifndef MONCTL_SELECT_INTERNAL_H
#define MONCTL_SELECT_INTERNAL_H

#include "tools/monctl/record/select.h"

/*
 * "NOUN=NUMBER" at the end of terms, as labels have it, is a place too: not the driver's terms, in which a number
 * without "bytile" would mean all of them. Terms of a place in the driver's form stay as they are.
 */
const struct mon_place *select_label_place(const struct mon_pmu *pmu, char *terms);
/* Is there a counter of this text, "PMU/terms/"? */
bool selection_has(const struct selection *sel, const char *text);
/* Adds a counter that is not there yet; in one place, or with NULL as the terms say. */
void select_add(struct selection *sel, const struct mon_pmu *pmu, const char *terms);
void select_add_in(struct selection *sel, const struct mon_pmu *pmu, const char *terms, const struct mon_place *place);

/* Calls for each item of a list: commas between slashes belong to an event. */
void select_each(const char *list, void (*call)(struct selection *, const char *), struct selection *sel);
/*
 * One item of -e. Without a PMU the event is looked for in all; a PMU may be a pattern, too. Returns
 * the number of PMUs that it fits; what a PMU does not understand is told when it is opened.
 */
size_t select_item(struct selection *sel, const char *item, bool exact_pmu);
/* The same; ends the program if nothing fits. */
void select_event(struct selection *sel, const char *item);

#endif
