/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two forms of esp_monitor_print(). */
#ifndef LIBMON_ESP_PRINT_H
#define LIBMON_ESP_PRINT_H

#include "libmon/esp/monitors.h"

struct mon_esp_printer {
	FILE *fp;
	const struct mon_esp_soc *soc;
	struct mon_esp_layout at;
	const esp_monitor_args_t *args;
	const unsigned int *vals;
	bool all;
};

/* Is the set to be printed? */
static inline bool mon_esp_wants(const struct mon_esp_printer *p, unsigned int bit)
{
	return p->all || p->args->read_mask & 1u << bit;
}

/* The same for a set that MANY reads from one tile. */
static inline bool mon_esp_wants_of(const struct mon_esp_printer *p, unsigned int bit,
				    unsigned int tile)
{
	return p->all || (mon_esp_wants(p, bit) && tile == p->args->tile_index);
}

static inline unsigned long long mon_esp_pair(const unsigned int *lo)
{
	return (unsigned long long)lo[1] << 32 | lo[0];
}

/* print-clear.c */
void mon_esp_print_clear(const struct mon_esp_printer *p);

#endif
