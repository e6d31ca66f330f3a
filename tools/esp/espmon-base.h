/* SPDX-License-Identifier: GPL-2.0-only */
/* Physical address of the monitors of a running SoC. */
#ifndef TOOLS_ESPMON_BASE_H
#define TOOLS_ESPMON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value for MONITOR_BASE_ADDR of ESP's soc_defs.h; false and a message in err. */
bool espmon_base(const char *pmu, uint64_t *base, char *err, size_t err_len);

#endif
