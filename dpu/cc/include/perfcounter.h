/* SPDX-License-Identifier: MIT */
/* The DPU's counter of cycles or instructions. */
#ifndef DPU_CC_PERFCOUNTER_H
#define DPU_CC_PERFCOUNTER_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t perfcounter_t;

typedef enum _perfcounter_config_t {
	COUNT_SAME = 0,
	COUNT_CYCLES = 1,
	COUNT_INSTRUCTIONS = 2,
	COUNT_NOTHING = 3,
	COUNT_DISABLE_BOTH = 6,		/* v1B */
	COUNT_ENABLE_BOTH = 7,		/* v1B */
} perfcounter_config_t;

typedef struct {
	perfcounter_t cycles;
	perfcounter_t instr;
} perfcounter_pair_t;

/* Hertz; the host sets it when it loads the program. */
extern const volatile uint32_t CLOCKS_PER_SEC;

/* Registers show bits 4 to 35. */
static inline perfcounter_t perfcounter_get(void)
{
	uint32_t time;

	__asm__ volatile ("time %0" : "=r" (time) : : "memory");
	return (perfcounter_t)time << 4;
}

/* Returns the counter's value before. */
static inline perfcounter_t perfcounter_config(perfcounter_config_t config, bool reset_value)
{
	uint32_t time;

#ifdef __dpu_v1A__
	if (config > COUNT_NOTHING)
		__asm__ volatile ("fault 9");
#endif
	__asm__ volatile ("time_cfg %0, %1" : "=r" (time) : "r" ((uint32_t)config << 1 | reset_value)
			  : "memory");
	return (perfcounter_t)time << 4;
}

#ifdef __dpu_v1B__
/* Stops both counters, reads them, and continues both. */
static inline perfcounter_pair_t perfcounter_get_both(bool should_reset)
{
	perfcounter_pair_t both;
	uint32_t cycles, instr;

	__asm__ volatile ("time_cfg zero, %2\n\t"
			  "time_cfg zero, %3\n\t"
			  "time %0\n\t"
			  "time_cfg zero, %2\n\t"
			  "time %1\n\t"
			  "time_cfg zero, %4"
			  : "=&r" (cycles), "=&r" (instr)
			  : "r" (12), "r" (10), "r" (14 | (uint32_t)should_reset) : "memory");
	both.cycles = (perfcounter_t)cycles << 4;
	both.instr = (perfcounter_t)instr << 4;
	return both;
}
#else
#define perfcounter_get_both(should_reset) \
	_Static_assert(0, "perfcounter_get_both() needs the two counters of v1B: -mcpu=v1B")
#endif

#endif
