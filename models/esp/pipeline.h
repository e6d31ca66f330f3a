/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The structure of ESP's own accelerators: jobs that read a block, compute and write a block. There
 * are two local buffers, so the read of the next job overlaps the computation.
 */
#ifndef ESP_PIPELINE_H
#define ESP_PIPELINE_H

#include "esp/mon_esp_acc.h"

#define ESP_PLM_BYTES	32768	/* of one of the two local buffers */

enum esp_slot_state {
	ESP_SLOT_FREE, ESP_SLOT_LOADING, ESP_SLOT_LOADED, ESP_SLOT_COMPUTING, ESP_SLOT_COMPUTED,
	ESP_SLOT_STORING,
};

struct esp_job {
	uint32_t load_offset, load_bytes;	/* from the start of the input */
	uint32_t store_offset, store_bytes;	/* from the start of the output */
	uint64_t cycles;			/* of computation, modelled */
};

/* Data of an accelerator type with this structure. */
struct esp_jobs {
	/* Number of jobs of a run; *error: the error in the registers. */
	uint32_t (*count)(const struct mon_esp_acc *acc, const char **error);
	void (*job)(const struct mon_esp_acc *acc, uint32_t number, struct esp_job *job);
	/* In place on the local buffer; NULL: nothing. */
	void (*compute)(const struct mon_esp_acc *acc, uint32_t number, uint8_t *plm);
};

/* Its state. */
struct esp_pipeline {
	uint32_t load, compute, store, jobs;	/* the next job of each kind, and their number */
	uint64_t compute_end;
	uint8_t slot[2];
	uint8_t plm[2][ESP_PLM_BYTES];
};

void esp_pipeline_start(struct mon_esp_acc *acc);
void esp_pipeline_next(struct mon_esp_acc *acc);

/* The type of an accelerator with this structure, by the name of its row. */
#define ESP_PIPELINE(ROW, ...) {							\
	.row = &esp_acc_rows[ESP_ROW_##ROW],						\
	.state_size = sizeof(struct esp_pipeline),					\
	.start = esp_pipeline_start,							\
	.next = esp_pipeline_next,							\
	.data = &(const struct esp_jobs){ __VA_ARGS__ },				\
}

#endif
