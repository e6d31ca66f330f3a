// SPDX-License-Identifier: LGPL-2.1-or-later
/* Stop-watches. */
#include <time.h>

#include "libmon/upmem/internal.h"
#include "libmon/upmem/include/dpu_probe.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

dpu_error_t dpu_probe_init(const char *name, struct dpu_probe_t *probe)
{
	*probe = (struct dpu_probe_t){ .name = name };
	return DPU_OK;
}

dpu_error_t dpu_probe_deinit(struct dpu_probe_t *probe)
{
	return dpu_probe_init(probe->name, probe);
}

dpu_error_t dpu_probe_start(struct dpu_probe_t *probe)
{
	if (probe->running)
		return dpu_failed(DPU_ERR_INTERNAL, "probe '%s' runs already", probe->name);
	probe->running = true;
	probe->start = now_ns();
	return DPU_OK;
}

dpu_error_t dpu_probe_stop(struct dpu_probe_t *probe)
{
	uint64_t now = now_ns();

	if (!probe->running)
		return dpu_failed(DPU_ERR_INTERNAL, "probe '%s' does not run: call dpu_probe_start",
				  probe->name);
	probe->running = false;
	probe->sum += now - probe->start;
	probe->count++;
	return DPU_OK;
}

dpu_error_t dpu_probe_get(const struct dpu_probe_t *probe, dpu_probe_quantity_t quantity,
			  dpu_probe_operation_t operation, double *value)
{
	if (quantity != DPU_TIME)
		return dpu_failed(DPU_ERR_DRIVER, "probe '%s': an emulated rank has no power meter: ask for "
				  "DPU_TIME, or compile without ENERGY", probe->name);
	if (!probe->count)
		return dpu_failed(DPU_ERR_INTERNAL, "probe '%s' has not been started and stopped",
				  probe->name);
	*value = probe->sum * 1e-9;
	if (operation == DPU_AVERAGE)
		*value /= probe->count;
	return DPU_OK;
}
