// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt of a Hexagon program that has ended is late, and the next program runs already; or it was there before
 * the device is free.
 *
 * mon-vm: --device hexagon-pmu --hexagon-dir examples/hexagon
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define LATE_MS 30

SUITE("hexagon-late", .timeout = 120);

/* Starts a program as soon as the last one is no longer there. */
static int started(const char *program)
{
	int fd = open("/dev/hexagon", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	ck_assert_int_ge(fd, 0);
	while (write(fd, program, strlen(program) + 1) < 0)
		ck_assert_int_eq(errno, EBUSY);
	return fd;
}

/* Looks until the program has ended, and does not wait for the interrupt, or for pause_ms after each record. */
static void end(int fd, unsigned int pause_ms)
{
	static _Alignas(struct hexagon_run_record) char record[HEXAGON_RUN_RECORD_MAX];
	const struct hexagon_run_record *head = (void *)record;

	do {
		sleep_ms(pause_ms);
		while (read(fd, record, sizeof(record)) < 0)
			ck_assert_int_eq(errno, EAGAIN);
	} while (head->type != HEXAGON_RUN_END);
}

static void *wait_for_device(void *arg)
{
	struct pollfd *device = arg;
	uint64_t begin = now_ns();

	/* after its time it looks once more */
	poll(device, 1, 10000);
	return now_ns() - begin < 8000000000 ? NULL : "nobody has woken it";
}

/* The device is free when the last record has been read, long after the interrupt, or when the file is closed. */
TEST(poll_ends_when_the_device_is_free)
{
	struct pollfd device = { .fd = open("/dev/hexagon", O_RDWR | O_CLOEXEC), .events = POLLOUT };
	pthread_t thread;
	unsigned int i;
	void *failure;
	int fd;

	ck_assert_int_ge(device.fd, 0);
	for (i = 0; i < 2; i++) {
		fd = started("hand");
		device.revents = 0;
		ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_device, &device), 0);
		sleep_ms(500);
		ck_assert_int_eq(device.revents, 0);
		if (!i)
			end(fd, 100);
		close(fd);
		ck_assert_int_eq(pthread_join(thread, &failure), 0);
		ck_assert_msg(!failure, "%s", (char *)failure);
		ck_assert_int_eq(device.revents, POLLOUT);
	}
	close(device.fd);
}

/* The interrupt has one of the two CPUs, so the program tries both. */
TEST(a_late_interrupt_ends_no_other_run)
{
	unsigned int i;
	int fd;

	ck_assert_int_eq(system("insmod build/pmu/$(uname -r)/tests/guest/modules/irq_late.ko handler=hexagon_run after_read=1 "
				"delay_us=30000 long_every=0"), 0);
	file_write(TRACING "trace", "0");
	file_write(TRACING "events/hexagon_run/enable", "1");
	for (i = 0; i < 10; i++) {
		stay_on(i % 2);
		fd = started("hand");
		end(fd, 0);
		ck_assert_int_eq(write(fd, "endless", 8), 8);
		sleep_ms(2 * LATE_MS);
		ck_assert_msg(trace_ends_with_begin(), "run %u", i);
		close(fd);
	}
	file_write(TRACING "events/hexagon_run/enable", "0");
	ck_assert_uint_ge(file_number("/sys/module/irq_late/parameters/times"), 10);
	ck_assert_int_eq(system("rmmod irq_late"), 0);
}
