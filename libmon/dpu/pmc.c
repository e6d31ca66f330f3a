// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bank interface's counters as perf events.
 *
 * They are pinned: perf either counts them all the time or not at all, as the hardware's counters
 * are either configured or not. Events that other programs count and that are the same share the
 * counter; others keep it from us.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events/upmem/config.h"
#include "libmon/dpu/internal.h"

int dpu_open_event(const struct dpu_t *dpu, uint64_t event, enum dpu_event_kind kind, int leader)
{
	struct mon_pmu *pmu = mon_pmu_new(dpu->rank->info.pmu);
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int fd;

	if (!pmu)
		return -1;
	attr.type = mon_pmu_get_type(pmu);
	attr.config = event | MON_PUT(UPMEM_CONFIG_DPU, dpu->index) | UPMEM_CONFIG_BYDPU;
	attr.pinned = kind == DPU_EVENT_PINNED;
	if (kind == DPU_EVENT_GROUPED)
		attr.read_format = PERF_FORMAT_GROUP;
	fd = syscall(SYS_perf_event_open, &attr, -1, mon_pmu_get_cpu(pmu), leader,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		int error = errno;

		mon_fail(error, "event 0x%llx of DPU %u in %s: %s%s", (unsigned long long)event,
			 dpu->index, dpu->rank->info.pmu, strerror(error),
			 error == EACCES || error == EPERM ?
			 ": run as root, with CAP_PERFMON, or with kernel.perf_event_paranoid=0" : "");
	}
	mon_pmu_free(pmu);
	return fd;
}

void dpu_pmc_close(struct dpu_t *dpu)
{
	for (int i = 1; i >= 0; i--) {
		if (dpu->pmc.fd[i] >= 0)
			close(dpu->pmc.fd[i]);
		dpu->pmc.fd[i] = -1;
	}
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

/* A pinned event that has not got its counter reads as end of file. */
static bool has_counter(int fd)
{
	uint64_t value;

	return fd < 0 || read(fd, &value, sizeof(value)) == sizeof(value);
}

static dpu_error_t open_events(struct dpu_t *dpu, const bank_interface_pmc_config_t *config)
{
	bool chain = config->mode == BANK_INTERFACE_PMC_64BIT_MODE;
	const uint64_t events[] = { config->counter_1, chain ? 0 : config->counter_2 };

	for (int i = 0; i < 2; i++) {
		if (!events[i])
			continue;
		dpu->pmc.fd[i] = dpu_open_event(dpu, events[i] | (chain ? UPMEM_CONFIG_CHAIN : 0),
						 DPU_EVENT_PINNED, -1);
		if (dpu->pmc.fd[i] < 0)
			return dpu_explained(DPU_ERR_INTERNAL);
		if (!has_counter(dpu->pmc.fd[i]))
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
		if (dpu->pmc.fd[i] >= 0 && ioctl(dpu->pmc.fd[i], PERF_EVENT_IOC_DISABLE, 0))
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
		if (dpu->pmc.fd[i] >= 0 &&
		    read(dpu->pmc.fd[i], &values[i], sizeof(values[i])) != sizeof(values[i]))
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
