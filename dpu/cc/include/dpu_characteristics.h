/* SPDX-License-Identifier: MIT */
/* Numbers of the machine, the same for v1A and v1B. */
#ifndef DPU_CC_DPU_CHARACTERISTICS_H
#define DPU_CC_DPU_CHARACTERISTICS_H

#include <sysdef.h>

#define DPU_NR_ATOMIC_BITS 256
#define DPU_NR_WORK_REGS 24

#endif
