/* SPDX-License-Identifier: MIT */
/* Tasklets. */
#ifndef DPU_CC_DEFS_H
#define DPU_CC_DEFS_H

#include <attributes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sysdef.h>

#ifndef NR_TASKLETS
#define NR_TASKLETS 1
#endif

/* The number of this tasklet, from 0. */
static inline sysname_t me(void)
{
	sysname_t id;

	__asm__("move %0, id" : "=r" (id));
	return id;
}

/* Stops the whole DPU with a fault. */
static inline void __attribute__((noreturn)) halt(void)
{
	__asm__ volatile ("fault 4");
	__builtin_unreachable();
}

#endif
