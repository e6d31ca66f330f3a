// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bank interface's counters as events (event.c).
 *
 * perf's are pinned: perf either counts them all the time or not at all, as the hardware's counters
 * are either configured or not. Events that other programs count and that are the same share the
 * counter; others keep it from us.
 */
#include <errno.h>
#include <string.h>

#include "events/upmem/config.h"
#include "libmon/upmem/internal.h"

void dpu_pmc_close(struct dpu_t *dpu)
{
	for (int i = 1; i >= 0; i--)
		dpu_event_close(&dpu->pmc.events[i]);
}

/* Every call takes one DPU of a generation that has counters. */
static dpu_error_t check_dpu(struct dpu_set_t set, bool needs_v1b, struct dpu_t **dpu)
{
	*dpu = dpu_from_set(set);
	if (!*dpu)
		return dpu_failed(DPU_ERR_INTERNAL,
				  "bank interface counters belong to one DPU: call this in DPU_FOREACH");
	if (needs_v1b && (*dpu)->rank->info.chip_id < DPU_CHIP_ID_V1B)
		return dpu_failed(DPU_ERR_INTERNAL,
				  "this DPU is of generation v1A, which has no bank interface counters");
	return DPU_OK;
}

static dpu_error_t check_config(const bank_interface_pmc_config_t *config)
{
	if (config->mode != BANK_INTERFACE_PMC_32BIT_MODE &&
	    config->mode != BANK_INTERFACE_PMC_64BIT_MODE)
		return dpu_failed(DPU_ERR_INTERNAL, "%d is no mode of the bank interface counters",
				  (int)config->mode);
	if ((unsigned int)config->counter_1 > BANK_INTERFACE_PMC_CYCLES ||
	    (unsigned int)config->counter_2 > BANK_INTERFACE_PMC_CYCLES)
		return dpu_failed(DPU_ERR_INTERNAL, "0x%x or 0x%x is no event of the bank interface",
				  (unsigned int)config->counter_1, (unsigned int)config->counter_2);
	if (config->mode == BANK_INTERFACE_PMC_64BIT_MODE && config->counter_1 != config->counter_2)
		return dpu_failed(DPU_ERR_INTERNAL, "in 64-bit mode both events must be the same");
	return DPU_OK;
}

static dpu_error_t open_events(struct dpu_t *dpu, const bank_interface_pmc_config_t *config)
{
	bool chain = config->mode == BANK_INTERFACE_PMC_64BIT_MODE;
	const uint64_t events[] = { config->counter_1, chain ? 0 : config->counter_2 };

	for (int i = 0; i < 2; i++) {
		uint64_t value;

		if (!events[i])
			continue;
		if (!dpu_event_open(&dpu->pmc.events[i], dpu, events[i] | (chain ? UPMEM_CONFIG_CHAIN : 0),
				    DPU_EVENT_PINNED, NULL))
			return dpu_explained(DPU_ERR_INTERNAL);
		if (!dpu_event_read(&dpu->pmc.events[i], &value, 1))
			return dpu_failed(DPU_ERR_INTERNAL,
					  "the bank interface counters of DPU %u are taken by other events: "
					  "end the perf or the program that counts them", dpu->index);
	}
	return DPU_OK;
}

dpu_error_t dpu_bank_interface_pmc_enable(struct dpu_set_t set, bank_interface_pmc_config_t config)
{
	struct dpu_t *dpu;
	dpu_error_t error = check_dpu(set, true, &dpu);

	if (!error)
		error = check_config(&config);
	if (error)
		return error;
	dpu_pmc_close(dpu);
	error = open_events(dpu, &config);
	if (error) {
		dpu_pmc_close(dpu);
		return error;
	}
	dpu->pmc.configured = true;
	dpu->pmc.mode = config.mode;
	return DPU_OK;
}

dpu_error_t dpu_bank_interface_pmc_disable(struct dpu_set_t set)
{
	struct dpu_t *dpu;
	dpu_error_t error = check_dpu(set, true, &dpu);

	if (!error)
		dpu_pmc_close(dpu);
	return error;
}

dpu_error_t dpu_bank_interface_pmc_stop_counters(struct dpu_set_t set)
{
	struct dpu_t *dpu;
	dpu_error_t error = check_dpu(set, true, &dpu);

	for (int i = 0; !error && i < 2; i++)
		if (dpu->pmc.events[i].open && !dpu_event_stop(&dpu->pmc.events[i]))
			error = dpu_failed(DPU_ERR_INTERNAL, "stop: %s", strerror(errno));
	return error;
}

dpu_error_t dpu_bank_interface_pmc_read_counters(struct dpu_set_t set,
						 bank_interface_pmc_result_t *result)
{
	uint64_t values[2] = { 0 };
	struct dpu_t *dpu;
	dpu_error_t error = check_dpu(set, false, &dpu);

	if (error)
		return error;
	if (!dpu->pmc.configured)
		return dpu_failed(DPU_ERR_INTERNAL,
				  "the bank interface counters of DPU %u were never enabled", dpu->index);
	for (int i = 0; i < 2; i++)
		if (dpu->pmc.events[i].open && !dpu_event_read(&dpu->pmc.events[i], &values[i], 1))
			return dpu_failed(DPU_ERR_INTERNAL, "the counters of DPU %u were taken away",
					  dpu->index);
	if (dpu->pmc.mode == BANK_INTERFACE_PMC_64BIT_MODE) {
		result->one_64bits.counter_1 = values[0];
	} else {
		result->two_32bits.counter_1 = values[0];
		result->two_32bits.counter_2 = values[1];
	}
	return DPU_OK;
}
