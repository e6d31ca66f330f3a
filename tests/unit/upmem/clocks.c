// SPDX-License-Identifier: GPL-2.0-only
/* Microseconds of a launch of two ranks by every clock; "phases": transfers before, between and after two launches. */
#include <dpu.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static struct dpu_set_t set;
static uint64_t words[128];

static double read_gettime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double read_thread(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double read_timeofday(void)
{
	struct timeval t;

	gettimeofday(&t, NULL);
	return t.tv_sec * 1e6 + t.tv_usec;
}

static double read_timespec(void)
{
	struct timespec t;

	timespec_get(&t, TIME_UTC);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double read_clock(void)
{
	return clock() * (1e6 / CLOCKS_PER_SEC);
}

static const struct {
	const char *name;
	double (*read)(void);
} clocks[] = {
	{ "clock_gettime", read_gettime }, { "gettimeofday", read_timeofday }, { "clock", read_clock },
	{ "timespec_get", read_timespec }, { "thread", read_thread }
};

#define COUNT (sizeof(clocks) / sizeof(clocks[0]))

static void measure(void)
{
	double before[COUNT], after[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		before[i] = clocks[i].read();
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	for (size_t i = 0; i < COUNT; i++)
		after[i] = clocks[i].read();
	for (size_t i = 0; i < COUNT; i++)
		printf("%s %.0f\n", clocks[i].name, after[i] - before[i]);
	/* the same, but asked for before it is waited for */
	before[0] = read_gettime();
	DPU_ASSERT(dpu_launch(set, DPU_ASYNCHRONOUS));
	DPU_ASSERT(dpu_sync(set));
	printf("later %.0f\n", read_gettime() - before[0]);
}

static void push(dpu_xfer_t direction, const char *name)
{
	struct dpu_set_t dpu;
	uint32_t i;

	DPU_FOREACH(set, dpu, i) {
		DPU_ASSERT(dpu_prepare_xfer(dpu, &words[i]));
	}
	DPU_ASSERT(dpu_push_xfer(set, direction, name, 0, 8, DPU_XFER_DEFAULT));
}

int main(int argc, char **argv)
{
	uint32_t size = 128 << 10;

	if (argc < 2)
		return 2;
	DPU_ASSERT(dpu_alloc_ranks(2, NULL, &set));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	DPU_ASSERT(dpu_broadcast_to(set, "size", 0, &size, sizeof(size), DPU_XFER_DEFAULT));
	if (argc < 3) {
		measure();
	} else {
		push(DPU_XFER_TO_DPU, "a");
		DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
		push(DPU_XFER_FROM_DPU, "c");
		push(DPU_XFER_TO_DPU, "a");
		push(DPU_XFER_TO_DPU, "b");
		DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
		push(DPU_XFER_FROM_DPU, "c");
		push(DPU_XFER_FROM_DPU, "b");
	}
	DPU_ASSERT(dpu_free(set));
	return 0;
}
