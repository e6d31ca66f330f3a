/* SPDX-License-Identifier: GPL-2.0-only */
/* Removes functions and data that a program does not use. */
#ifndef MON_DPU_CC_SWEEP_H
#define MON_DPU_CC_SWEEP_H

#include "dpu/cc/driver.h"

/*
 * The first `own` units are the program's, the others the library's. Replaces the texts of units that stay and
 * frees the others. Moves the remaining units to the front and returns their number.
 */
unsigned int cc_sweep(struct cc_unit *units, unsigned int count, unsigned int own);

#endif
