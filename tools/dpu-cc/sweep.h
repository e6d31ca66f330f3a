/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a program and the library is linked. */
#ifndef MON_DPU_CC_SWEEP_H
#define MON_DPU_CC_SWEEP_H

#include "tools/dpu-cc/driver.h"

/*
 * The first `own` units are the program's, the others the library's. Texts of those that stay are replaced, the
 * others freed; returns how many stay, at the start of units.
 */
unsigned int cc_sweep(struct cc_unit *units, unsigned int count, unsigned int own);

#endif
