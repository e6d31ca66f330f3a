/* SPDX-License-Identifier: GPL-2.0-only */
/* What the page shows, and export --json writes: a recording with its answers, as JSON. */
#ifndef MONCTL_PAGE_DATA_H
#define MONCTL_PAGE_DATA_H

#include <stdbool.h>

#include "tools/monctl/answer/counts.h"

struct page {
	const struct recording *rec;
	size_t bins;
	uint64_t bin_ns;
	bool is_live;
	bool is_plain;			/* zeros one by one, for other readers than the page */
	uint64_t next;			/* of a live page: number of the first bin that it does not have */
	struct rec_table *table;	/* has the counts of all bins */
	/* Members of the recording's object that only a live page has, with a comma after them; may be NULL. */
	void (*put_more)(const struct page *page, FILE *out);
	const struct counts *counts;	/* of all the time; NULL: those of the recording */
	void *arg;			/* for put_more() */
	const char *progress;		/* what to show while it is written, or NULL */
};

/*
 * "beyond": [[BIN, SERIES], ...], the values that are above or below what can be. Series are the counters, then the values of
 * metrics; the page compares nothing with limits.
 */
void page_write_beyond(const struct counts *counts, struct rec_table *table, size_t bins, FILE *out);
/* "budgets", "groups" and "answers": where the cycles went, and sentences about it. */
void page_write_answers(const struct counts *counts, FILE *out);
/* The object in it alone: PMUs with places, events with units, metrics, runs, verdict, counts of all bins. */
void page_write_data(const struct page *page, FILE *out);
/* The runs that began or ended at a time from the start on, or have not ended, as elements of a list. */
void page_write_marks(const struct recording *rec, uint64_t from, FILE *out);

#endif
