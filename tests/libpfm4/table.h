/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the tests of libpfm4: the tables of the hardware documents, and encoding. */
#ifndef TESTS_LIBPFM4_TABLE_H
#define TESTS_LIBPFM4_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/pfmlib.h>

#define TABLE_COLUMNS 8

struct table {
	char *text;
	int nrows;
	char *(*rows)[TABLE_COLUMNS];	/* absent columns are NULL */
};

/* Reads tests/libpfm4/NAME: comments and the head line are left out. Fails the test on error. */
void table_read(struct table *table, const char *name);
void table_free(struct table *table);

/* The name that events have here: lower case, '-' as '_'. Returns a static buffer. */
const char *sysfs_name(const char *name);

/* True if WORD is one of the words in LIST, which ';' separates. */
bool has_word(const char *list, const char *word);

/*
 * Encodes EVENT without perf. Returns libpfm4's code; on success *config is the only word. *fstr, if
 * asked for, is to be freed.
 */
int encode(const char *event, uint64_t *config, char **fstr);

/* Number of events that the library has in the PMU; -1 if there is no such PMU. */
int count_events(const char *pmu);

#endif
