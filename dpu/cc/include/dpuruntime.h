/* SPDX-License-Identifier: MIT */
/* Primitives of the runtime: tasklets stop and resume each other. */
#ifndef DPU_CC_DPURUNTIME_H
#define DPU_CC_DPURUNTIME_H

#include <built_ins.h>
#include <stdint.h>

#define __AT_THIS_INSTRUCTION "."
#define __AT_NEXT_INSTRUCTION ".+1"

#define __acquire(base, off) __builtin_acquire_rici(base, off, "nz", __AT_THIS_INSTRUCTION)
#define __release(base, off, at) __builtin_release_rici(base, off, "nz", at)
/* Waits until the tasklet has stopped, then resumes it. */
#define __resume(base, off) __builtin_resume_rici(base, off, "nz", __AT_THIS_INSTRUCTION)
#define __stop() __builtin_stop_ci("true", ".+1")

#define likely(x) __builtin_expect((x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define unreachable() __builtin_unreachable()

#define __EMPTY_WAIT_QUEUE 0xff

extern struct {
	uint32_t stack_size, stack_ptr;
} __sys_thread_stack_table_ptr[];

#endif
