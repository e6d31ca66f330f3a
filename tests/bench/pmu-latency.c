// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu-latency: the cost of reading a counter, in a guest and in one run. The best of many batches
 * counts; the others include other work of the host.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define BATCHES 40
#define BATCH 500

static int single, group, software;
static volatile uint64_t sink;
/* counted, because an assertion of Check takes longer than a read */
static unsigned long failures;

static void system_call(void)
{
	sink = syscall(SYS_getppid);
}

static void read_single(void)
{
	uint64_t n[3];

	failures += read(single, n, sizeof(n)) != sizeof(n);
}

static void read_software(void)
{
	uint64_t n[3];

	failures += read(software, n, sizeof(n)) != sizeof(n);
}

static void read_group(void)
{
	uint64_t n[1 + 59];

	failures += read(group, n, sizeof(n)) != sizeof(n);
}

/* Nanoseconds of one call. */
static double best(void (*what)(void))
{
	uint64_t min = UINT64_MAX;
	unsigned int b, i;

	for (b = 0; b < BATCHES; b++) {
		uint64_t t = now_ns();

		for (i = 0; i < BATCH; i++)
			what();
		t = now_ns() - t;
		if (t < min)
			min = t;
	}
	return (double)min / BATCH;
}

SUITE("pmu-latency", .endless = true);

TEST(latency)
{
	struct perf_event_attr dummy = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(dummy), .config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	double software_ns, call_ns, same_ns, other_ns, group_ns, group_other_ns;
	unsigned int i;
	int cpu = pmu_cpu(PMU);

	single = event_open(CYCLES | BYTILE(0));
	group = event_open_on(PMU, BYTILE(0), -1, PERF_FORMAT_GROUP);
	for (i = 1; i < 59; i++)
		event_open_on(PMU, i | BYTILE(0), group, PERF_FORMAT_GROUP);
	software = sys_open(&dummy, cpu, -1);
	ck_assert_int_ge(software, 0);
	stay_on(cpu);
	call_ns = best(system_call);
	software_ns = best(read_software);
	same_ns = best(read_single);
	group_ns = best(read_group);
	stay_on(1 - cpu);
	other_ns = best(read_single);
	group_other_ns = best(read_group);
	ck_assert_uint_eq(failures, 0);
	printf("system call (getppid)              %8.0f ns\n", call_ns);
	printf("read(2), event that counts nothing %8.0f ns  %.2f x the system call\n", software_ns,
	       software_ns / call_ns);
	printf("read(2), CPU of the event          %8.0f ns  %.2f x the system call\n", same_ns,
	       same_ns / call_ns);
	printf("read(2), other CPU                 %8.0f ns  %.2f x the event's CPU (goal 1.2)\n",
	       other_ns, other_ns / same_ns);
	printf("group of 59, CPU of the event      %8.0f ns  %.0f ns a count\n", group_ns,
	       group_ns / 59);
	printf("group of 59, other CPU             %8.0f ns\n", group_other_ns);
}
