/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of monitors that esp_monitor() reads together. */
#ifndef LIBMON_ESP_SETS_H
#define LIBMON_ESP_SETS_H

#include "libmon/esp/monitors.h"

struct mon_esp_sets;

/* soc must outlive the sets. */
struct mon_esp_sets *mon_esp_sets_new(const struct mon_esp_soc *soc);
void mon_esp_sets_free(struct mon_esp_sets *sets);
/* Reads ALL or MANY into vals, which must be all 0. Returns 0; or -1 with errno, and vals is all 0 again. */
int mon_esp_sets_read(struct mon_esp_sets *sets, const esp_monitor_args_t *args,
		      unsigned int *vals);

#endif
