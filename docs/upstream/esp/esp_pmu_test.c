// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the ESP PMU driver: registers of events, counters of events, and wraps.
 */
#include <kunit/test.h>

#include "esp_pmu.h"

#define EVENT(code)		((u64)(code))
#define EVENT_IN(code, tile)	((u64)(code) | (tile) << 8 | 1 << 16)

static struct espmon_id *soc_new(struct kunit *test, u32 layout)
{
	static const u8 kinds[] = {
		ESP_TILE_ACC, ESP_TILE_CPU, ESP_TILE_MEM, ESP_TILE_ACC, ESP_TILE_ACC,
		ESP_TILE_IO, ESP_TILE_SLM, ESP_TILE_EMPTY, ESP_TILE_MEM
	};
	struct espmon_id *id = kunit_kzalloc(test, sizeof(*id), GFP_KERNEL);
	unsigned int t;

	KUNIT_ASSERT_NOT_NULL(test, id);
	id->layout = layout;
	id->ntiles = ARRAY_SIZE(kinds);
	/* tile 0 has a private L2, tile 4 is behind an AXI socket */
	for (t = 0; t < id->ntiles; t++)
		id->on[t] = espmon_tile_classes(kinds[t], t == 0, t == 4);
	return id;
}

/* Word 0 of a window is the burst register; monitor i of 2023 is word i + 1. */
static void monitors_of_2023_are_in_their_order(struct kunit *test)
{
	struct espmon_id *id = soc_new(test, 2023);
	unsigned int code;

	KUNIT_EXPECT_EQ(test, ESP_CSR_BURST, 0);
	for (code = 0; code < 59; code++) {
		KUNIT_EXPECT_EQ(test, espmon_register(id, code), code);
		KUNIT_EXPECT_EQ(test, ESP_CSR_MON(espmon_register(id, code)), 4 * (code + 1));
	}
	for (code = 59; code < 0x80; code++)
		KUNIT_EXPECT_EQ(test, espmon_register(id, code), -EINVAL);
	for (code = 0x82; code < 0x100; code++)
		KUNIT_EXPECT_EQ(test, espmon_register(id, code), -EINVAL);
}

static void monitors_of_2021_have_no_invocations(struct kunit *test)
{
	struct espmon_id *id = soc_new(test, 2021);
	unsigned int code;

	for (code = 0; code < 18; code++)
		KUNIT_EXPECT_EQ(test, espmon_register(id, code), code);
	KUNIT_EXPECT_EQ(test, espmon_register(id, 18), -EINVAL);
	for (code = 19; code < 59; code++)
		KUNIT_EXPECT_EQ(test, espmon_register(id, code), code - 1);
}

static void pairs_are_read_by_their_low_word(struct kunit *test)
{
	static const u32 layouts[] = { 2021, 2023 };
	struct espmon_id *id;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		id = soc_new(test, layouts[i]);
		KUNIT_EXPECT_EQ(test, espmon_register(id, 0x80), 14);
		KUNIT_EXPECT_EQ(test, espmon_register(id, 0x81), 16);
	}
}

static void wrong_configs_are_refused(struct kunit *test)
{
	struct espmon_id *id = soc_new(test, 2023);
	unsigned int bit;

	KUNIT_EXPECT_EQ(test, espmon_config_check(id, EVENT(58)), 0);
	KUNIT_EXPECT_EQ(test, espmon_config_check(id, EVENT(59)), -EINVAL);
	KUNIT_EXPECT_EQ(test, espmon_config_check(id, EVENT_IN(0, 8)), 0);
	KUNIT_EXPECT_EQ(test, espmon_config_check(id, EVENT_IN(0, 9)), -EINVAL);
	/* a tile without bytile */
	KUNIT_EXPECT_EQ(test, espmon_config_check(id, 1 << 8), -EINVAL);
	for (bit = 17; bit < 64; bit++)
		KUNIT_EXPECT_EQ(test, espmon_config_check(id, 1ULL << bit), -EINVAL);
}

static void expect_tiles(struct kunit *test, const struct espmon_id *id, u64 config,
			 unsigned int reg, const char *tiles)
{
	u16 counters[ESP_MAX_TILES];
	int i, n = espmon_config_counters(id, config, counters);

	KUNIT_EXPECT_EQ(test, espmon_config_counters(id, config, NULL), n);
	KUNIT_ASSERT_EQ(test, n, (int)strlen(tiles));
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, counters[i], (tiles[i] - '0') * ESPMON_SLOTS + reg);
}

static void events_have_the_counters_of_their_tiles(struct kunit *test)
{
	struct espmon_id *id = soc_new(test, 2023);

	expect_tiles(test, id, EVENT(0), 0, "28");		/* DRAM */
	expect_tiles(test, id, EVENT(5), 5, "268");		/* DMA */
	expect_tiles(test, id, EVENT(9), 9, "01");		/* private L2 */
	expect_tiles(test, id, EVENT(0x81), 16, "034");	/* accelerators */
	expect_tiles(test, id, EVENT(22), 22, "0123568");	/* cycles */
	expect_tiles(test, id, EVENT(23), 23, "012345678");	/* network */
	expect_tiles(test, id, EVENT_IN(0, 8), 0, "8");
	expect_tiles(test, id, EVENT_IN(0, 1), 0, "");
}

static void deltas_cross_a_wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, esp_counter_delta(5, 5, U32_MAX), 0ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_delta(5, 12, U32_MAX), 7ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_delta(U32_MAX, 0, U32_MAX), 1ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_delta(0xfffffff0, 0x10, U32_MAX), 0x20ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_delta(1, 0, U32_MAX), 0xffffffffULL);
}

static void polls_come_four_times_a_wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, esp_counter_poll_ns(4000000000ULL), 1000000000ULL);
	/* at most every 10 s, at least every ms */
	KUNIT_EXPECT_EQ(test, esp_counter_poll_ns(40000000004ULL), 10000000000ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_poll_ns(~0ULL), 10000000000ULL);
	KUNIT_EXPECT_EQ(test, esp_counter_poll_ns(1), 1000000ULL);
}

static struct kunit_case esp_pmu_test_cases[] = {
	KUNIT_CASE(monitors_of_2023_are_in_their_order),
	KUNIT_CASE(monitors_of_2021_have_no_invocations),
	KUNIT_CASE(pairs_are_read_by_their_low_word),
	KUNIT_CASE(wrong_configs_are_refused),
	KUNIT_CASE(events_have_the_counters_of_their_tiles),
	KUNIT_CASE(deltas_cross_a_wrap),
	KUNIT_CASE(polls_come_four_times_a_wrap),
	{}
};

static struct kunit_suite esp_pmu_test_suite = {
	.name = "esp_pmu",
	.test_cases = esp_pmu_test_cases,
};

kunit_test_suite(esp_pmu_test_suite);

MODULE_DESCRIPTION("KUnit tests of the ESP PMU driver");
MODULE_LICENSE("GPL");
