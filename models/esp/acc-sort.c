/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SORT_STRATUS: sorts BATCH vectors of LEN floats in place, the smallest first (sort.xml, sort.cpp
 * of ESP's accelerators). Each vector is one load and one store.
 */
#include "esp/kernel.h"
#include "esp/pipeline.h"

#include <stddef.h>
#include <stdlib.h>

#include "events/esp/regs.h"

static uint32_t len_of(const struct mon_esp_acc *acc)
{
	return mon_esp_acc_reg(acc, ESP_SORT_LEN);
}

static uint32_t sort_count(const struct mon_esp_acc *acc, const char **error)
{
	uint32_t len = len_of(acc), batch = mon_esp_acc_reg(acc, ESP_SORT_BATCH);

	if (len < ESP_SORT_LEN_LEAST || len > ESP_SORT_LEN_MOST || len % ESP_SORT_LEN_STEP ||
	    batch > ESP_SORT_BATCH_MOST) {
		*error = "LEN or BATCH is outside of its limits";
		return 0;
	}
	return batch;
}

static void sort_job(const struct mon_esp_acc *acc, uint32_t number, struct esp_job *job)
{
	uint32_t bytes = 4 * len_of(acc);

	job->load_offset = job->store_offset = number * bytes;
	job->load_bytes = job->store_bytes = bytes;
	/* modelled: one float a cycle through the sorter of 32, and one through the merger */
	job->cycles = 2 * len_of(acc);
}

/*
 * The order of IEEE 754 bit patterns: among negative numbers the larger magnitude comes first. Both
 * zeros are equal; the hardware does not define an order of NaNs.
 */
static int64_t key(uint32_t bits)
{
	int64_t magnitude = bits & 0x7fffffff;

	return bits >> 31 ? -magnitude : magnitude;
}

static int sort_compare(const void *a, const void *b)
{
	int64_t x = key(*(const uint32_t *)a), y = key(*(const uint32_t *)b);

	return (x > y) - (x < y);
}

static void sort_compute(const struct mon_esp_acc *acc, uint32_t number, uint8_t *plm)
{
	uint32_t len = len_of(acc), values[ESP_SORT_LEN_MOST], i;

	(void)number;
	for (i = 0; i < len; i++)
		values[i] = mon_esp_acc_get32(acc, plm + 4 * i);
	qsort(values, len, sizeof(*values), sort_compare);
	for (i = 0; i < len; i++)
		mon_esp_acc_put32(acc, plm + 4 * i, values[i]);
}

const struct mon_esp_acc_type esp_acc_sort_stratus =
	ESP_PIPELINE(SORT_STRATUS, sort_count, sort_job, sort_compute);
