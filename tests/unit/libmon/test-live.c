// SPDX-License-Identifier: GPL-2.0-only
/* libmon/live.c */
#include <check.h>
#include <errno.h>
#include <string.h>

#include <linux/perf_event.h>

#include "fake.h"
#include "libmon/internal.h"
#include "events/mon_pmu_uapi.h"
#include "suites.h"

static uint64_t slow(uint64_t config)
{
	(void)config;
	return 4711;
}

/* dma_reqs of tile 2, open and with everything mapped that the driver offers. */
static struct mon_group *open_one(const char *event)
{
	struct mon_group *group = mon_group_new();

	ck_assert_msg(!mon_group_add(group, event), "%s", mon_error());
	fake_counter = NULL;
	ck_assert_int_eq(mon_group_open(group), 0);
	ck_assert_int_eq(mon_group_enable(group), 0);
	fake_counter = slow;
	return group;
}

static uint64_t read_one(struct mon_group *group)
{
	uint64_t value = 0;

	ck_assert_msg(!mon_group_read_one(group, 0, &value), "%s", mon_error());
	return value;
}

/*
 * Counter tile * 64 + i, register word tile * 64 + i of the mapping; count = page offset + acc +
 * (register - last) modulo 2^32: 10 + 500 + (0x20 - 0xfffffff0 = 0x30).
 */
START_TEST(reads_across_a_wrap_without_a_system_call)
{
	struct mon_group *group;

	fake_espmon();
	fake_file("dev/espmon", "%s", "");
	fake_values[2 * 64 + 5] = (struct mon_pmu_value){
		.width = 32, .acc = 500, .last = 0xfffffff0,
	};
	fake_regs[2 * 64 + 5] = 0x20;
	fake_page->index = 1;
	fake_page->offset = 10;
	group = open_one("espmon/dma_reqs,bytile,tile=2/");
	fake_reads = 0;
	ck_assert_uint_eq(read_one(group), 10 + 500 + 0x30);
	fake_regs[2 * 64 + 5] = 0x21;
	ck_assert_uint_eq(read_one(group), 10 + 500 + 0x31);
	/* offsets are negative if the event is younger than the counter */
	fake_page->offset = -500;
	ck_assert_uint_eq(read_one(group), 0x31);
	ck_assert_uint_eq(fake_reads, 0);
	ck_assert_uint_eq(fake_mappings, 2);
	mon_group_free(group);
	/* a mapping would keep the module loaded */
	ck_assert_uint_eq(fake_mappings, 0);
}
END_TEST

/* acc_tot_cycles of tile 3: counter 3 * 64 + 60, words 16 (low) and 17 of the tile. */
START_TEST(reads_64_bit_pairs)
{
	struct mon_group *group;

	fake_espmon();
	fake_file("dev/espmon", "%s", "");
	fake_values[3 * 64 + 60] = (struct mon_pmu_value){ .width = 64, .last = 0xfffffffful };
	fake_regs[3 * 64 + 16] = 1;
	fake_regs[3 * 64 + 17] = 1;
	fake_page->index = 1;
	group = open_one("espmon/acc_tot_cycles,bytile,tile=3/");
	/* 0x1_0000_0001 - 0x0_ffff_ffff */
	ck_assert_uint_eq(read_one(group), 2);
	mon_group_free(group);
}
END_TEST

/* In layout 2021 the monitors above 18 lie one word lower: noc_injects_p0, 23, at word 22. */
START_TEST(follows_the_register_map_of_2021)
{
	struct mon_group *group;

	fake_espmon();
	fake_file("sys/bus/event_source/devices/espmon/caps/layout", "2021\n");
	fake_file("dev/espmon", "%s", "");
	fake_values[1 * 64 + 23].width = 32;
	fake_regs[1 * 64 + 22] = 99;
	fake_page->index = 1;
	group = open_one("espmon/noc_injects_p0,bytile,tile=1/");
	ck_assert_uint_eq(read_one(group), 99);
	mon_group_free(group);
}
END_TEST

START_TEST(asks_the_kernel_where_there_is_no_mapping)
{
	struct mon_group *group;

	fake_espmon();
	fake_page->index = 1;
	/* no /dev/espmon */
	group = open_one("espmon/dma_reqs,bytile,tile=2/");
	ck_assert_uint_eq(read_one(group), 4711);
	mon_group_free(group);

	fake_file("dev/espmon", "%s", "");
	/* a sum over tiles */
	group = open_one("espmon/dma_reqs/");
	ck_assert_uint_eq(read_one(group), 4711);
	mon_group_free(group);

	/* index 0: the event does not count now, or the device is gone */
	fake_page->index = 0;
	group = open_one("espmon/dma_reqs,bytile,tile=2/");
	ck_assert_uint_eq(read_one(group), 4711);
	mon_group_free(group);
}
END_TEST

START_TEST(does_not_wait_forever_for_the_kernel)
{
	struct mon_group *group;

	fake_espmon();
	fake_file("dev/espmon", "%s", "");
	fake_page->index = 1;
	fake_values[2 * 64 + 5].width = 32;
	fake_values[2 * 64 + 5].seq = 1;	/* being changed */
	group = open_one("espmon/dma_reqs,bytile,tile=2/");
	ck_assert_uint_eq(read_one(group), 4711);
	mon_group_free(group);
}
END_TEST

Suite *live_suite(void)
{
	Suite *suite = suite_create("live");
	TCase *tcase = tcase_create("live");

	tcase_add_checked_fixture(tcase, fake_init, fake_exit);
	tcase_add_test(tcase, reads_across_a_wrap_without_a_system_call);
	tcase_add_test(tcase, reads_64_bit_pairs);
	tcase_add_test(tcase, follows_the_register_map_of_2021);
	tcase_add_test(tcase, asks_the_kernel_where_there_is_no_mapping);
	tcase_add_test(tcase, does_not_wait_forever_for_the_kernel);
	suite_add_tcase(suite, tcase);
	return suite;
}
