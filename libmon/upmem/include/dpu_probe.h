/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_probe.h - stop-watches around DPU work, as the PrIM programs use them.
 *
 * UPMEM's header is not public. The functions' use is known from programs; layout of the structure
 * and numbers of the constants are not, so that programs must be compiled with this header. An
 * emulated rank has no power meter: energies are refused, times are the host's.
 */
#ifndef DPU_PROBE_H
#define DPU_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "dpu_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MON_API
#define MON_API __attribute__((visibility("default")))
#endif

struct dpu_probe_t {
	const char *name;
	uint64_t start, sum;	/* ns of CLOCK_MONOTONIC */
	uint64_t count;		/* periods from start to stop */
	bool running;
};

typedef enum { DPU_TIME, DPU_ENERGY } dpu_probe_quantity_t;
typedef enum { DPU_AVERAGE, DPU_ACCUMULATE } dpu_probe_operation_t;

/* name: the program's string, which must stay. */
MON_API dpu_error_t dpu_probe_init(const char *name, struct dpu_probe_t *probe);
MON_API dpu_error_t dpu_probe_deinit(struct dpu_probe_t *probe);
/* DPU_ERR_INTERNAL: it runs already, or does not run. */
MON_API dpu_error_t dpu_probe_start(struct dpu_probe_t *probe);
MON_API dpu_error_t dpu_probe_stop(struct dpu_probe_t *probe);
/*
 * DPU_TIME: seconds of all periods, or of one on the average. DPU_ENERGY: DPU_ERR_DRIVER.
 * DPU_ERR_INTERNAL: no period has ended.
 */
MON_API dpu_error_t dpu_probe_get(const struct dpu_probe_t *probe, dpu_probe_quantity_t quantity,
				  dpu_probe_operation_t operation, double *value);

#ifdef __cplusplus
}
#endif
#endif
