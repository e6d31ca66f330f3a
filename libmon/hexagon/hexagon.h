/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libmon/hexagon share. */
#ifndef LIBMON_HEXAGON_HEXAGON_H
#define LIBMON_HEXAGON_HEXAGON_H

#include <stdbool.h>
#include <stdint.h>

#include "mon_hexagon.h"

#define BIT_OF(counter) (UINT64_C(1) << (counter))
#define CYCLES_OF(n) (MON_HEXAGON_CYCLES_1 + (n) - 1)
#define PACKETS_OF(n) (MON_HEXAGON_PKT_1 + (n) - 1)

/* A metric with one value for each number of running threads. */
static inline bool hexagon_per_n(enum mon_hexagon_metric metric)
{
	return metric == MON_HEXAGON_NT_PCPP || metric == MON_HEXAGON_NT_LOAD;
}

/* The counters for one value of a metric; n as in mon_hexagon_compute(). */
uint64_t hexagon_value_counters(enum mon_hexagon_metric metric, unsigned int threads,
				unsigned int n);

#endif
