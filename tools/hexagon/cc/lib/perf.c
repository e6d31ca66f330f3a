/* SPDX-License-Identifier: MIT */
/* What the program asks of the model (events/hexagon/services.h): clocks, counters, phases. */
#include <HAP_farf.h>
#include <HAP_perf.h>
#include <mon.h>
#include <qurt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "events/hexagon/services.h"
#include "system.h"

int __service(int number, struct hexagon_service *service, long a, long b)
{
	*service = (struct hexagon_service){ 0 };
	__system(HEXAGON_SERVICE_CALL, number, (long)service, a, b, 0, 0);
	return service->done ? 0 : -1;
}

static struct hexagon_service read_clock(void)
{
	struct hexagon_service service;

	__service(HEXAGON_SERVICE_CLOCK, &service, 0, 0);
	return service;
}

unsigned long long HAP_perf_get_pcycles(void)
{
	return read_clock().value[0];
}

unsigned long long HAP_perf_get_qtimer_count(void)
{
	return read_clock().value[1];
}

unsigned long long HAP_perf_qtimer_count_to_us(unsigned long long ticks)
{
	/* 19.2 ticks a microsecond */
	return ticks * 10 / (HEXAGON_UTIMER_HZ / 100000);
}

unsigned long long HAP_perf_get_time_us(void)
{
	return HAP_perf_qtimer_count_to_us(HAP_perf_get_qtimer_count());
}

unsigned long long qurt_get_core_pcycles(void)
{
	return HAP_perf_get_pcycles();
}

unsigned long long qurt_sysclock_get_hw_ticks(void)
{
	return HAP_perf_get_qtimer_count();
}

clock_t clock(void)
{
	return HAP_perf_get_time_us();
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	unsigned long long ticks = HAP_perf_get_qtimer_count();

	(void)clock;
	now->tv_sec = ticks / HEXAGON_UTIMER_HZ;
	now->tv_nsec = ticks % HEXAGON_UTIMER_HZ * 1000 * 10 / (HEXAGON_UTIMER_HZ / 100000);
	return 0;
}

time_t time(time_t *now)
{
	time_t seconds = HAP_perf_get_qtimer_count() / HEXAGON_UTIMER_HZ;

	if (now)
		*now = seconds;
	return seconds;
}

void mon_mark(const char *phase)
{
	struct hexagon_service service;

	__service(HEXAGON_SERVICE_MARK, &service, (long)(phase ? phase : ""), 0);
}

/* ---- the PMU: numbers of system registers */

#define SYSCFG 18
#define SYSCFG_PM 0x200
#define SYSCFG_PCYCLEEN 0x40

static int register_of(int reg)
{
	static const unsigned char numbers[] = {
		[QURT_PMUCNT0] = 48, 49, 50, 51, [QURT_PMUCFG] = 58, [QURT_PMUEVTCFG] = 52,
		[QURT_PMUCNT4] = 44, 45, 46, 47, [QURT_PMUEVTCFG1] = 54, [QURT_PMUSTID0] = 53, [QURT_PMUSTID1] = 55,
	};

	return reg >= 0 && reg < (int)sizeof(numbers) ? numbers[reg] : -1;
}

void qurt_pmu_enable(int enable)
{
	struct hexagon_service service;

	__service(HEXAGON_SERVICE_WRITE, &service, SYSCFG, SYSCFG_PCYCLEEN | (enable ? SYSCFG_PM : 0));
}

void qurt_pmu_set(int reg, unsigned int value)
{
	struct hexagon_service service;

	if (register_of(reg) >= 0)
		__service(HEXAGON_SERVICE_WRITE, &service, register_of(reg), value);
}

unsigned int qurt_pmu_get(int reg)
{
	struct hexagon_service service = { 0 };

	if (register_of(reg) >= 0)
		__service(HEXAGON_SERVICE_READ, &service, register_of(reg), 0);
	return service.value[0];
}

void qurt_pmu_get_pmucnt(void *values)
{
	static const unsigned char counters[] = {
		QURT_PMUCNT0, QURT_PMUCNT1, QURT_PMUCNT2, QURT_PMUCNT3, QURT_PMUCNT4, QURT_PMUCNT5, QURT_PMUCNT6, QURT_PMUCNT7,
	};
	unsigned int *to = values;

	for (unsigned int i = 0; i < sizeof(counters); i++)
		to[i] = qurt_pmu_get(counters[i]);
}

void __farf(const char *level, const char *file, int line, const char *format, ...)
{
	const char *slash = strrchr(file, '/');
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "%s:%d: %s: %s\n", slash ? slash + 1 : file, line, level, text);
}
