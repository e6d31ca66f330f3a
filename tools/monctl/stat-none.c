// SPDX-License-Identifier: GPL-2.0-only
/* The table of a preset that says "table hexagon", in a build without that system. */
#include "tools/monctl/monctl.h"
#include "tools/monctl/stat.h"

int stat_hexagon(const struct stat_table *table, bool is_once)
{
	(void)table;
	(void)is_once;
	die("this monctl was built without the table of this preset: run ./configure with hexagon in --with-systems");
}
