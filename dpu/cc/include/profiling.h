/* SPDX-License-Identifier: MIT */
/*
 * Measures the time of each tasklet in a section of the program.
 *
 * The host, or dpu-run -p NAME, reads the result: for each tasklet its latest start, then its sum, in units of 16
 * counts of the performance counter. With dpu-cc -pg a section that starts twice is fault 6, one that stops without
 * a start fault 7.
 */
#ifndef DPU_CC_PROFILING_H
#define DPU_CC_PROFILING_H

#include <attributes.h>
#include <defs.h>
#include <perfcounter.h>

typedef struct {
	uint32_t start[NR_THREADS], count[NR_THREADS];
#ifdef DPU_PROFILING
	_Bool runs[NR_THREADS];
#endif
} dpu_profiling_t;

#define PROFILING_INIT(name) __host dpu_profiling_t name;

/* Sets the counter to cycles; profiling_start() does not change the counter's mode. */
#define profiling_init(...) ((void)perfcounter_config(COUNT_CYCLES, true))

#ifdef DPU_PROFILING
#define __PROFILING_RUNS(context, now, fault) \
	do { \
		if ((context)->runs[me()] == (now)) \
			__asm__ volatile (fault); \
		(context)->runs[me()] = (now); \
	} while (0)
#else
#define __PROFILING_RUNS(context, now, fault) ((void)0)
#endif

static inline void profiling_start(dpu_profiling_t *context)
{
	__PROFILING_RUNS(context, 1, "fault 6");
	context->start[me()] = perfcounter_get() >> 4;
}

static inline void profiling_stop(dpu_profiling_t *context)
{
	__PROFILING_RUNS(context, 0, "fault 7");
	context->count[me()] += (uint32_t)(perfcounter_get() >> 4) - context->start[me()];
}

#endif
