/* SPDX-License-Identifier: MIT */
/* Clocks of the modelled core. All read 0 if the program runs without libmon's plugin. */
#ifndef HAP_PERF_H
#define HAP_PERF_H

/* Cycles of the core in which any thread ran, since the program's start. */
unsigned long long HAP_perf_get_pcycles(void);
/* The same clock in ticks of 19.2 MHz, and in microseconds. */
unsigned long long HAP_perf_get_qtimer_count(void);
unsigned long long HAP_perf_get_time_us(void);
/* Microseconds of so many ticks. */
unsigned long long HAP_perf_qtimer_count_to_us(unsigned long long ticks);

#endif
