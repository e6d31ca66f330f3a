/* SPDX-License-Identifier: GPL-2.0-only */
/* What monctl stat prints. */
#ifndef MONCTL_STAT_H
#define MONCTL_STAT_H

#include "tools/monctl/groups.h"

enum stat_form {
	STAT_TEXT, STAT_CSV, STAT_JSON,
};

struct stat_table {
	const struct selection *sel;
	enum stat_form form;
	FILE *out;
	char **command;
	double time;			/* since the start */
	double seconds;			/* between the readings */
	bool is_whole;			/* the last table: of the whole run */
	bool has_head;
	int status;
};

void stat_print(struct stat_table *table, const struct reading *before, const struct reading *now);

#endif
