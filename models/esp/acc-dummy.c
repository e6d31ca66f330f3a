/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DUMMY_STRATUS: copies BATCH times TOKENS 64-bit words from input to output, in bursts of at most
 * 512 (dummy.xml, dummy.hpp of ESP's accelerators).
 */
#include "esp/kernel.h"
#include "esp/pipeline.h"

#include <stddef.h>

#define BURST		512	/* words of its local memory */
#define HANDSHAKE	2	/* modelled cycles between load and store */

static uint32_t bursts(const struct mon_esp_acc *acc)
{
	/* TOKENS is counted down in a signed int: from 2^31 on the loop does not run. */
	uint32_t tokens = mon_esp_acc_reg(acc, ESP_DUMMY_TOKENS);

	return tokens > ESP_DUMMY_TOKENS_MOST ? 0 : (tokens + BURST - 1) / BURST;
}

static uint32_t dummy_count(const struct mon_esp_acc *acc, const char **error)
{
	uint64_t jobs = (uint64_t)bursts(acc) * mon_esp_acc_reg(acc, ESP_DUMMY_BATCH);

	if (jobs > UINT32_MAX / BURST / 8) {
		*error = "BATCH times TOKENS is more than 4 GiB";
		return 0;
	}
	return jobs;
}

static void dummy_job(const struct mon_esp_acc *acc, uint32_t number, struct esp_job *job)
{
	uint32_t tokens = mon_esp_acc_reg(acc, ESP_DUMMY_TOKENS), per_batch = bursts(acc);
	uint32_t first = number % per_batch * BURST, left = tokens - first;

	job->load_offset = job->store_offset = (number / per_batch * tokens + first) * 8;
	job->load_bytes = job->store_bytes = (left < BURST ? left : BURST) * 8;
	job->cycles = HANDSHAKE;
}

const struct mon_esp_acc_type esp_acc_dummy_stratus =
	ESP_PIPELINE(DUMMY_STRATUS, dummy_count, dummy_job, NULL);
