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

/* The bytes that are left of this tasklet's stack. */
static inline uint32_t check_stack(void)
{
	uint32_t left, end;

	__asm__ volatile ("lw %0, id8, __sys_thread_stack_table_ptr; lw %1, id8, __sys_thread_stack_table_ptr + 4;"
			  "sub %1, r22, %1; add %0, %0, %1" : "=&r" (left), "=&r" (end));
	return left;
}

/* Stops the whole DPU with a fault. */
static inline void __attribute__((noreturn)) halt(void)
{
	__asm__ volatile ("fault 4");
	__builtin_unreachable();
}

#endif
