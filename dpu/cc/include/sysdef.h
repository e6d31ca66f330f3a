/* SPDX-License-Identifier: MIT */
/* Numbers of the machine. */
#ifndef DPU_CC_SYSDEF_H
#define DPU_CC_SYSDEF_H

#include <stdint.h>

typedef uint32_t sysname_t;
typedef uint8_t thread_id_t;

#define DPU_NR_THREADS 24
#ifndef NR_THREADS
#define NR_THREADS DPU_NR_THREADS
#endif

#endif
