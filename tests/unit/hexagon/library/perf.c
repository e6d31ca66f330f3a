/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that times itself, reads its counters, marks phases, and sends messages. */
#include <HAP_farf.h>
#include <HAP_perf.h>
#include <assert.h>
#include <mon.h>
#include <qurt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* 1000 packets of two instructions */
static void loop(void)
{
	int count = 0;

	__asm__ volatile ("	loop0(1f, %1)\n"
			  "1:	{ %0 = add(%0,#1)\n"
			  "	  nop }:endloop0\n": "+r" (count) : "r" (1000) : "lc0", "sa0", "usr");
}

int main(int argc, char **argv)
{
	unsigned long long before, once, twice;
	unsigned int counters[8], first[8];

	(void)argv;
	assert(argc == 1);
	/* committed_pkt_any, committed_insts, cycles_1_thread_running */
	qurt_pmu_set(QURT_PMUEVTCFG, 0x3b2a03);
	qurt_pmu_enable(1);
	mon_mark("loops");
	before = HAP_perf_get_pcycles();
	loop();
	once = HAP_perf_get_pcycles() - before;
	before = HAP_perf_get_pcycles();
	loop();
	loop();
	twice = HAP_perf_get_pcycles() - before;
	qurt_pmu_get_pmucnt(first);
	loop();
	qurt_pmu_get_pmucnt(counters);
	for (int i = 0; i < 3; i++)
		first[i] = counters[i] - first[i];
	mon_mark(NULL);
	qurt_pmu_get_pmucnt(counters);
	/* a loop is 1000 packets, and what sets it up, the same each time */
	printf("%d %d\n", twice - once >= 3000 && twice - once < 3100, first[0] >= 1000 && first[0] < 2000);
	printf("%d %d\n", first[1] - first[0] >= 1000 && first[1] - first[0] < 2000, first[2] % 3 == 0 && first[2] >= 3 * first[0]);
	printf("%d\n", HAP_perf_qtimer_count_to_us(19200000) == 1000000);
	/* 1400 cycles are a microsecond */
	before = HAP_perf_get_pcycles();
	printf("%d\n", llabs((long long)(HAP_perf_get_time_us() - before / 1400)) <= 1);
	printf("%lld\n", (long long)time(NULL));
	FARF(HIGH, "message %d", 1);
	FARF(LOW, "not %d", 2);
	return EXIT_SUCCESS;
}
