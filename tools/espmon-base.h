/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the monitors of a running SoC are in physical memory. */
#ifndef TOOLS_ESPMON_BASE_H
#define TOOLS_ESPMON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What MONITOR_BASE_ADDR of ESP's soc_defs.h has to be; false and a sentence in err. */
bool espmon_base(const char *pmu, uint64_t *base, char *err, size_t err_len);

#endif
