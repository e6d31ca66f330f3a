// SPDX-License-Identifier: GPL-2.0-only
/*
 * What two CPUs do at a time. An event is closed while the others move to another CPU: only that
 * event ends. The others continue without a gap, compared with the register itself. A device goes
 * while the first event sets the timer: it does not run after that.
 *
 * mon-vm: --append iomem=relaxed --device espmon,clock=1000000000
 * not on riscv64 arm64: the probes of event_close and timer_late are x86's
 */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define PROBE "/sys/module/event_close/parameters/"
#define TIMER "/sys/module/timer_late/parameters/"
#define INSMOD "insmod build/pmu/$(uname -r)/"

/* The cycles of the memory's tile, without perf. */
static volatile uint32_t *cycles_register(void)
{
	int fd = open(ESPMON_DRIVER ESPMON_DEVICE "/resource0", O_RDWR | O_CLOEXEC);
	char *bar;

	ck_assert_int_ge(fd, 0);
	bar = mmap(NULL, ESP_APB_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(bar, MAP_FAILED);
	close(fd);
	return (volatile uint32_t *)(bar + ESP_CSR_BASE + TILE_MEM * ESP_CSR_STRIDE + ESP_CSR_MON(CYCLES));
}

/* Closes an event on the CPU to which the others move. */
static void *close_one(void *arg)
{
	(void)arg;
	while (strcmp(file_text(PROBE "moving"), "Y"))
		usleep(100);
	close(event_open(DDR_ACCESSES));
	return NULL;
}

/* a before b, modulo 2^32 */
static bool in_order(uint32_t a, uint32_t b)
{
	return (int32_t)(b - a) >= 0;
}

SUITE("pmu-close", .timeout = 30);

TEST(an_event_that_is_closed_ends_alone)
{
	volatile uint32_t *cycles = cycles_register();
	uint32_t before[2], after[2];
	uint64_t first, count;
	int from = pmu_cpu(PMU), event;
	unsigned long losses;
	pthread_t closer;
	const char *online = cpu_switch(from);

	if (!online)
		return;
	ck_assert_int_eq(system(INSMOD "tests/guest/modules/event_close.ko"), 0);
	losses = file_number(SYSFS_PMU PMU "/losses");
	event = event_open(BYTILE(TILE_MEM) | CYCLES);
	before[0] = *cycles;
	first = event_count(event);
	before[1] = *cycles;
	ck_assert_int_eq(pthread_create(&closer, NULL, close_one, NULL), 0);
	file_write(online, "0");
	after[0] = *cycles;
	count = event_count(event) - first;
	after[1] = *cycles;
	ck_assert_int_eq(pthread_join(closer, NULL), 0);
	file_write(online, "1");
	ck_assert_str_eq(file_text(PROBE "met"), "Y");
	/* between the inner and the outer readings */
	ck_assert(in_order(after[0] - before[1], count));
	ck_assert(in_order(count, after[1] - before[0]));
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses);
	ck_assert_int_eq(system("rmmod event_close"), 0);
}

/* The first event sets the timer on its CPU, which is slow. */
static void *open_one(void *fd)
{
	stay_on(pmu_cpu(PMU));
	*(int *)fd = event_open(DDR_ACCESSES);
	return NULL;
}

TEST(a_timer_ends_with_its_device)
{
	int event = -1;
	pthread_t opener;

	/* its end would wait for the CPU that is slow */
	ck_assert_int_eq(system("rmmod esp_accel"), 0);
	ck_assert_int_eq(system(INSMOD "tests/guest/modules/timer_late.ko"), 0);
	stay_on(1 - pmu_cpu(PMU));
	ck_assert_int_eq(pthread_create(&opener, NULL, open_one, &event), 0);
	while (strcmp(file_text(TIMER "starting"), "Y"))
		usleep(100);
	espmon_remove();
	ck_assert_int_eq(pthread_join(opener, NULL), 0);
	ck_assert_str_eq(file_text(TIMER "met"), "Y");
	/* where the PMU has gone, so has its timer; kernel-verdict says if it runs */
	if (pmu_goes()) {
		check_revoked(event);
		espmon_find();
		close(event);
	} else {
		ck_assert_str_eq(file_text(TIMER "active"), "0");
		espmon_find();
		ck_assert_str_eq(file_text(TIMER "active"), "1");
		close(event);
		ck_assert_str_eq(file_text(TIMER "active"), "0");
	}
	ck_assert_int_eq(system("rmmod timer_late && " INSMOD "esp_accel.ko"), 0);
}
