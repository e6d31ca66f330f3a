// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/monctl/record/evlist.c, and groups.c on devices that do not answer. The linker replaces the
 * library's calls by those here (--wrap).
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/main.h"
#include "tools/monctl/record/evlist.h"
#include "tools/monctl/record/groups.h"

/* Two devices with a counter each; a group is known by its counter's text. */
static struct device {
	char *text;
	uint64_t value;
	struct mon_times times;
	int failures;			/* how many of the next readings fail */
	struct mon_group *group;
} devices[] = { { .text = "first" }, { .text = "second" } };

int __wrap_mon_group_add(struct mon_group *group, const char *event);
int __wrap_mon_group_open(struct mon_group *group);
int __wrap_mon_group_read(struct mon_group *group, uint64_t *values, size_t count, struct mon_times *times);

int __wrap_mon_group_add(struct mon_group *group, const char *event)
{
	for (size_t i = 0; i < COUNT_OF(devices); i++)
		if (devices[i].text == event)
			devices[i].group = group;
	return 0;
}

int __wrap_mon_group_open(struct mon_group *group)
{
	(void)group;
	return 0;
}

int __wrap_mon_group_read(struct mon_group *group, uint64_t *values, size_t count, struct mon_times *times)
{
	struct device *device = &devices[devices[0].group == group ? 0 : 1];

	(void)count;
	if (device->failures && device->failures--)
		return mon_fail(EIO, "%s: the device did not answer", device->text);
	*values = device->value;
	*times = device->times;
	return 0;
}

static struct groups *groups;
static struct reading before[2], now[2];

static void open_groups(void)
{
	static struct counter counters[2];
	static const struct selection sel = { .counter = counters, .count = 2 };

	for (size_t i = 0; i < 2; i++) {
		devices[i].value = 100;
		devices[i].times = (struct mon_times){ 1000, 1000 };
		devices[i].failures = 0;
		/* two PMUs, which are told apart by their address alone */
		counters[i] = (struct counter){ .text = devices[i].text, .pmu = (const void *)&devices[i] };
	}
	groups = groups_open(&sel);
	ck_assert_int_eq(groups_read(groups, before), 0);
	now[0] = before[0];
	now[1] = before[1];
}

static void close_groups(void)
{
	groups_free(groups);
}

static void count(size_t device, uint64_t events)
{
	devices[device].value += events;
	devices[device].times.enabled += 1000;
	devices[device].times.running += 1000;
}

SUITE("groups", .setup = open_groups, .teardown = close_groups);

TEST(one_that_is_silent_stops_no_other)
{
	count(0, 5);
	count(1, 7);
	/* a second try would hide a loss */
	devices[0].failures = 1;
	ck_assert_int_eq(groups_read(groups, now), -1);
	ck_assert_ptr_nonnull(strstr(mon_error(), "first: the device did not answer"));
	ck_assert(isnan(reading_count(&before[0], &now[0])));
	ck_assert_double_eq(reading_count(&before[1], &now[1]), 7);
	/* the next reading has what this one missed: 5 and 6 more */
	count(0, 6);
	ck_assert_int_eq(groups_read(groups, now), 0);
	ck_assert_double_eq(reading_count(&before[0], &now[0]), 11);
}

TEST(a_turn_is_an_estimate_and_no_turn_is_not_known)
{
	count(0, 5);
	devices[0].times.running -= 500;
	devices[1].times.enabled += 1000;
	ck_assert_int_eq(groups_read(groups, now), 0);
	/* 5 in half of the time */
	ck_assert_double_eq(reading_count(&before[0], &now[0]), 10);
	ck_assert_double_eq(reading_share(&before[0], &now[0]), 0.5);
	ck_assert(isnan(reading_count(&before[1], &now[1])));
	ck_assert_double_eq(reading_share(&before[1], &now[1]), 0);
}

/*
 * A ring of 16 bytes in its third round: ten bytes from the fourteenth on are 14, 15, then 0 to 7.
 */
TEST(a_record_goes_on_at_the_beginning_of_its_ring)
{
	unsigned char ring[16], copy[10], straight[10];

	for (unsigned char i = 0; i < sizeof(ring); i++)
		ring[i] = i;
	evlist_unwrap(ring, 15, 2 * 16 + 14, copy, sizeof(copy));
	ck_assert_mem_eq(copy, ((unsigned char[]){ 14, 15, 0, 1, 2, 3, 4, 5, 6, 7 }), sizeof(copy));
	evlist_unwrap(ring, 15, 16 + 3, straight, sizeof(straight));
	ck_assert_mem_eq(straight, ring + 3, sizeof(straight));
}
