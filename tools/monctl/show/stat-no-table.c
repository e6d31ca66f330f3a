// SPDX-License-Identifier: GPL-2.0-only
/* A preset with a table of its own, in a build without its system. */
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/stat.h"

int stat_own_table(const struct stat_table *table, bool is_once)
{
	(void)table;
	(void)is_once;
	die("this monctl was built without the table of this preset: run ./configure with its system in --with-systems");
}
