// SPDX-License-Identifier: LGPL-2.1-or-later
/* esp_monitor_vals_t as an array of words, and the difference of two of them. */
#include <errno.h>
#include <string.h>

#include "libmon/esp/monitors.h"

/* The code below treats the structure as words: nothing but unsigned int, no padding. */
_Static_assert(sizeof(esp_mem_reqs_t) == 8 * sizeof(unsigned int), "mem_reqs");
_Static_assert(sizeof(esp_cache_stats_t) == 2 * sizeof(unsigned int), "cache_stats");
_Static_assert(sizeof(esp_acc_stats_t) == 6 * sizeof(unsigned int), "acc_stats");
_Static_assert(sizeof(esp_monitor_vals_t) ==
	       (1 + 8 + 2 + 2 + 6 + DVFS_OP_POINTS + NOC_PLANES + NOC_PLANES * NOC_QUEUES) *
	       sizeof(unsigned int), "vals of a SoC with one tile of each kind");

void mon_esp_layout(const struct libmon_esp_dims *dims, struct mon_esp_layout *layout)
{
	unsigned int ntiles = dims->rows * dims->cols;

	layout->ddr = 0;
	layout->mem = layout->ddr + dims->nmem;
	layout->l2 = layout->mem + 8 * dims->nmem;
	layout->llc = layout->l2 + 2 * ntiles;
	layout->acc = layout->llc + 2 * dims->nmem;
	layout->dvfs = layout->acc + 6 * dims->nacc;
	layout->inject = layout->dvfs + DVFS_OP_POINTS * ntiles;
	layout->queue = layout->inject + NOC_PLANES * ntiles;
	layout->words = layout->queue + NOC_PLANES * NOC_QUEUES * ntiles;
}

static uint64_t layout_pair(const unsigned int *lo)
{
	return (uint64_t)lo[1] << 32 | lo[0];
}

void libmon_esp_diff(const struct libmon_esp_dims *dims, const unsigned int *start,
		     const unsigned int *end, unsigned int *diff)
{
	struct mon_esp_layout layout;
	unsigned int i, k;

	mon_esp_layout(dims, &layout);
	for (i = 0; i < layout.words; i++)
		diff[i] = end[i] - start[i];
	/* acc_mem and acc_tot: a borrow of the low word goes to the high word. */
	for (k = 0; k < dims->nacc; k++) {
		for (i = layout.acc + 6 * k + 1; i < layout.acc + 6 * k + 5; i += 2) {
			uint64_t d = layout_pair(end + i) - layout_pair(start + i);

			diff[i] = d;
			diff[i + 1] = d >> 32;
		}
	}
}
