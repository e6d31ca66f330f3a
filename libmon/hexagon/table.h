/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The article's metrics as a table, for monctl and hexagon-run; no part of libmon-hexagon.so. */
#ifndef LIBMON_HEXAGON_TABLE_H
#define LIBMON_HEXAGON_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "mon_hexagon.h"

/* One value of a metric: its name and value; n is 0 if it has one value only. */
typedef void (*hexagon_table_show_t)(FILE *out, const char *name, unsigned int n, const char *unit,
				     const struct mon_hexagon_value *value);

/* Shows each value of the metrics whose counters are available. False if one is not computed. */
bool hexagon_table_visit(FILE *out, const struct mon_hexagon_core *core, uint64_t available,
			 const struct mon_hexagon_pass *passes, size_t npasses,
			 hexagon_table_show_t show);

/* The same, each as a line of a table. */
bool hexagon_table_print(FILE *out, const struct mon_hexagon_core *core, uint64_t available,
			 const struct mon_hexagon_pass *passes, size_t npasses);

/* Why a value is not known, in words; NULL if it is. */
const char *hexagon_table_unknown(enum mon_hexagon_unknown unknown);

#endif
