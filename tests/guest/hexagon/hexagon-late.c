// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt of a Hexagon program that has ended is late, and the next program runs already.
 *
 * mon-vm: --device hexagon-pmu --hexagon-dir examples/hexagon
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"
#include "tests/guest/pmu.h"
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

/* Looks until the program has ended, and does not wait for the interrupt. */
static void end(int fd)
{
	static _Alignas(struct hexagon_run_record) char record[HEXAGON_RUN_RECORD_MAX];
	const struct hexagon_run_record *head = (void *)record;

	do {
		while (read(fd, record, sizeof(record)) < 0)
			ck_assert_int_eq(errno, EAGAIN);
	} while (head->type != HEXAGON_RUN_END);
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
		end(fd);
		ck_assert_int_eq(write(fd, "endless", 8), 8);
		sleep_ms(2 * LATE_MS);
		ck_assert_msg(trace_ends_with_begin(), "run %u", i);
		close(fd);
	}
	file_write(TRACING "events/hexagon_run/enable", "0");
	ck_assert_uint_ge(file_number("/sys/module/irq_late/parameters/times"), 10);
	ck_assert_int_eq(system("rmmod irq_late"), 0);
}
