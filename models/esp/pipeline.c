/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of ESP's own accelerators: read, compute, write with two local buffers. */
#include "esp/pipeline.h"

void esp_pipeline_start(struct mon_esp_acc *acc)
{
	const struct esp_jobs *jobs = acc->type->data;
	struct esp_pipeline *p = acc->state;
	const char *error = NULL;

	p->load = p->compute = p->store = 0;
	p->slot[0] = p->slot[1] = ESP_SLOT_FREE;
	p->jobs = jobs->count(acc, &error);
	if (error) {
		p->jobs = 0;
		mon_esp_acc_refuse(acc, error);
	}
}

/* The request has been served. */
static void moved(struct esp_pipeline *p)
{
	uint8_t *load = &p->slot[p->load & 1], *store = &p->slot[p->store & 1];

	if (*load == ESP_SLOT_LOADING) {
		*load = ESP_SLOT_LOADED;
		p->load++;
	} else if (*store == ESP_SLOT_STORING) {
		*store = ESP_SLOT_FREE;
		p->store++;
	}
}

static void begin(struct mon_esp_acc *acc, uint64_t cycle)
{
	const struct esp_jobs *jobs = acc->type->data;
	struct esp_pipeline *p = acc->state;
	struct esp_job job = { 0 };

	jobs->job(acc, p->compute, &job);
	if (jobs->compute)
		jobs->compute(acc, p->compute, p->plm[p->compute & 1]);
	p->compute_end = cycle + job.cycles;
	p->slot[p->compute & 1] = ESP_SLOT_COMPUTING;
}

/*
 * The computation up to now. A block that has waited starts when the one before it ends, a block
 * that has just come starts now.
 */
static void compute(struct mon_esp_acc *acc, bool loaded_now)
{
	struct esp_pipeline *p = acc->state;
	uint64_t from = acc->now;

	for (;;) {
		uint8_t *slot = &p->slot[p->compute & 1];

		if (*slot == ESP_SLOT_COMPUTING && p->compute_end <= acc->now) {
			*slot = ESP_SLOT_COMPUTED;
			p->compute++;
			from = loaded_now && p->compute + 1 == p->load ? acc->now : p->compute_end;
		} else if (*slot == ESP_SLOT_LOADED) {
			begin(acc, from);
		} else {
			return;
		}
	}
}

/* Reads have priority over writes. */
void esp_pipeline_next(struct mon_esp_acc *acc)
{
	const struct esp_jobs *jobs = acc->type->data;
	struct esp_pipeline *p = acc->state;
	uint32_t loads = p->load;
	struct esp_job job = { 0 };

	moved(p);
	compute(acc, p->load != loads);
	if (p->load < p->jobs && p->slot[p->load & 1] == ESP_SLOT_FREE) {
		jobs->job(acc, p->load, &job);
		p->slot[p->load & 1] = ESP_SLOT_LOADING;
		mon_esp_acc_read(acc, p->plm[p->load & 1], job.load_offset, job.load_bytes, 0);
	} else if (p->store < p->jobs && p->slot[p->store & 1] == ESP_SLOT_COMPUTED) {
		jobs->job(acc, p->store, &job);
		p->slot[p->store & 1] = ESP_SLOT_STORING;
		mon_esp_acc_write(acc, p->plm[p->store & 1], job.store_offset, job.store_bytes, 0);
	} else if (p->store == p->jobs) {
		mon_esp_acc_done(acc);
	} else {
		mon_esp_acc_compute(acc, p->compute_end - acc->now);
	}
}
