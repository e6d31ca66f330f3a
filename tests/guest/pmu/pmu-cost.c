// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cost of counting: register accesses, counted as flits of plane 5; and polls while real-time tasks use all processors.
 *
 * mon-vm: --append iomem=relaxed --append isolcpus=1 --device espmon,clock=1000000000
 */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define MONITORS 59

#define TILE_CPU 1

/*
 * What the processor's tile has injected into plane 5: two flits to read a register of another
 * tile, three to write one. Its own registers, and so this reading, need none (docs/esp-model.md).
 */
#define READ_FLITS 2
/* The burst register of the tile and the counter. Only zeros need a look at the number of the last tile besides. */
#define PASS_FLITS (2 * READ_FLITS)
static uint32_t flits(void)
{
	static volatile uint32_t *injects;

	if (!injects) {
		int fd = open(ESPMON_DRIVER ESPMON_DEVICE "/resource0", O_RDWR | O_CLOEXEC);
		char *bar;

		ck_assert_int_ge(fd, 0);
		bar = mmap(NULL, ESP_APB_SIZE, PROT_READ, MAP_SHARED, fd, 0);
		ck_assert_ptr_ne(bar, MAP_FAILED);
		injects = (volatile uint32_t *)(bar + ESP_CSR_BASE + TILE_CPU * ESP_CSR_STRIDE + ESP_CSR_MON(INJECTS_P5));
	}
	return *injects;
}

SUITE("pmu-cost", .timeout = 60);

/*
 * Each monitor of each tile is open. One more is opened: perf removes all events and adds them
 * again, and only the new one is read. Polls come each 60 ms; if one comes in between, the test
 * tries again.
 */
TEST(one_more_event_is_one_more_reading)
{
	uint32_t before, n = 0;
	unsigned int tile, code, i;

	for (tile = 0; tile < TILES; tile++)
		for (code = 0; code < MONITORS; code++)
			if (tile != TILE_MEM || code != CYCLES)
				event_open(BYTILE(tile) | code);
	for (i = 0; i < 50 && n != PASS_FLITS; i++) {
		int fd;

		before = flits();
		fd = event_open(BYTILE(TILE_MEM) | CYCLES);
		n = flits() - before;
		close(fd);
	}
	ck_assert_uint_eq(n, PASS_FLITS);
}

/*
 * A counter of 1 GHz is polled four times in 4.3 s, and nothing is written.
 * In 3.2 s there are 3 polls; one more may begin and another be late.
 */
TEST(a_poll_leaves_the_burst_register_alone)
{
	uint32_t before, n;

	event_open(BYTILE(TILE_MEM) | CYCLES);
	before = flits();
	sleep_ms(3300);
	n = flits() - before;
	ck_assert_uint_ge(n, 2 * PASS_FLITS);
	ck_assert_uint_le(n, 4 * PASS_FLITS);
}

static void *hog(void *cpu)
{
	struct sched_param priority = { .sched_priority = 50 };
	uint64_t end = now_ns() + 7000000000ULL;

	stay_on((intptr_t)cpu);
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority))
		return "priority";
	while (now_ns() < end)
		;
	return NULL;
}

/* For 7 s, in which the counter wraps, real-time tasks have all processors. */
TEST(polls_need_no_task)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	pthread_t thread[2];
	intptr_t cpu;

	event_open(BYTILE(TILE_MEM) | CYCLES);
	file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	for (cpu = 0; cpu < 2; cpu++)
		ck_assert_int_eq(pthread_create(&thread[cpu], NULL, hog, (void *)cpu), 0);
	for (cpu = 0; cpu < 2; cpu++) {
		void *failure;

		ck_assert_int_eq(pthread_join(thread[cpu], &failure), 0);
		ck_assert_msg(!failure, "%s", (char *)failure);
	}
	file_write("/proc/sys/kernel/sched_rt_runtime_us", "950000");
	sleep_ms(1500);
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses);
}
