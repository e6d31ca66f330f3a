// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cost of counting: register accesses, counted as flits of plane 5; the limit of registers that
 * events have at a time; and polls while real-time tasks use all processors.
 *
 * mon-vm: --append iomem=relaxed --device espmon,clock=1000000000
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu.h"
#include "tests/main.h"

#define REGISTERS "/sys/module/mon_pmu/parameters/registers"
#define DEFAULT_REGISTERS "16384"
#define MONITORS 59

#define TILE_CPU 1

static void restore(void)
{
	file_write(REGISTERS, DEFAULT_REGISTERS);
}

/*
 * What the processor's tile has injected into plane 5: two flits to read a register of another
 * tile, three to write one. Its own registers, and so this reading, need none (docs/esp-model.md).
 */
#define READ_FLITS 2
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

/*
 * Each monitor of each tile is open. One more is opened: perf removes all events and adds them
 * again, and the new one is read once. Polls come each 60 ms; if one comes in between, the test
 * tries again.
 */
START_TEST(one_more_event_is_one_more_access)
{
	uint32_t before, n = 0;
	unsigned int tile, code, i;

	for (tile = 0; tile < TILES; tile++)
		for (code = 0; code < MONITORS; code++)
			if (tile != TILE_MEM || code != CYCLES)
				event_open(BYTILE(tile) | code);
	for (i = 0; i < 50 && n != READ_FLITS; i++) {
		int fd;

		before = flits();
		fd = event_open(BYTILE(TILE_MEM) | CYCLES);
		n = flits() - before;
		close(fd);
	}
	ck_assert_uint_eq(n, READ_FLITS);
}
END_TEST

/*
 * A counter of 1 GHz is polled four times in 4.3 s: the burst register of its tile and itself, and nothing written.
 * In 3.2 s there are 3 polls; one more may begin and another be late.
 */
START_TEST(a_poll_leaves_the_burst_register_alone)
{
	uint32_t before, n;

	event_open(BYTILE(TILE_MEM) | CYCLES);
	before = flits();
	sleep_ms(3300);
	n = flits() - before;
	ck_assert_uint_ge(n, 2 * 2 * READ_FLITS);
	ck_assert_uint_le(n, 4 * 2 * READ_FLITS);
}
END_TEST

static bool always(int fd)
{
	struct reading r;

	ck_assert_int_eq(event_try_read(fd, &r), 0);
	return r.running == r.enabled;
}

/* Cycles are counted in each of the 6 tiles; a register that two events use counts once. */
START_TEST(events_beyond_the_budget_take_turns)
{
	struct reading before, after;
	int a, b, shared, c;

	file_write(REGISTERS, "12");
	a = event_open(CYCLES);
	b = event_open(INJECTS_P5);
	shared = event_open(BYTILE(3) | CYCLES);
	sleep_ms(100);
	ck_assert(always(a) && always(b) && always(shared));
	c = event_open(INJECTS_P6);
	sleep_ms(200);
	ck_assert(!always(a) && !always(b) && !always(c));
	/* an event that waits for its turn counts as soon as there is room */
	file_write(REGISTERS, DEFAULT_REGISTERS);
	sleep_ms(50);
	ck_assert_int_eq(event_try_read(c, &before), 0);
	sleep_ms(100);
	ck_assert_int_eq(event_try_read(c, &after), 0);
	ck_assert_uint_eq(after.running - before.running, after.enabled - before.enabled);
}
END_TEST

START_TEST(what_is_beyond_the_budget_alone_is_refused)
{
	struct perf_event_attr cycles = attr_of(PMU, CYCLES), injects = attr_of(PMU, INJECTS_P5);
	struct perf_event_attr one = attr_of(PMU, BYTILE(5) | CYCLES);
	int leader, cpu = pmu_cpu(PMU);

	file_write(REGISTERS, "5");
	ck_assert_int_eq(sys_open(&cycles, cpu, -1), -ENOSPC);
	ck_assert_int_ge(sys_open(&one, cpu, -1), 0);
	file_write(REGISTERS, "6");
	leader = sys_open(&cycles, cpu, -1);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_ge(sys_open(&one, cpu, leader), 0);
	ck_assert_int_eq(sys_open(&injects, cpu, leader), -EINVAL);
	file_write(REGISTERS, "12");
	ck_assert_int_ge(sys_open(&injects, cpu, leader), 0);
}
END_TEST

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
START_TEST(polls_need_no_task)
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
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("pmu-cost");
	TCase *tc = tcase_create("cost");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, NULL, restore);
	tcase_add_test(tc, one_more_event_is_one_more_access);
	tcase_add_test(tc, a_poll_leaves_the_burst_register_alone);
	tcase_add_test(tc, events_beyond_the_budget_take_turns);
	tcase_add_test(tc, what_is_beyond_the_budget_alone_is_refused);
	tcase_add_test(tc, polls_need_no_task);
	suite_add_tcase(s, tc);
	return s;
}
