/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random traffic on meshes from 2x2 to 16x16; traffic.h says what is compared. ESP_TRAFFIC_OPS is
 * the number of operations of a design, for long runs: ESP_TRAFFIC_OPS=10000000
 * CK_RUN_CASE=concurrent.
 */
#include "tests/main.h"
#include "tests/unit/esp/traffic.h"

static const char *const designs[] = {
	"dummy-2x2", "dummy-3x2", "dummy-4x4", "dummy-16x16", "fft-3x2", "leon3-2x2", "crowd",
};

/* Five processors and eight accelerators, all with small private caches, and two memories. */
static const char crowd[] =
	"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 4\nCONFIG_NOC_COLS = 4\nCONFIG_CACHE_EN = y\n"
	"CONFIG_CPU_CACHES = 16 2 32 4\nCONFIG_ACC_CACHES = 8 2\n"
	"TILE_0_0 = 0 cpu cpu\nTILE_0_1 = 1 acc DUMMY_STRATUS p 1 0 sld\n"
	"TILE_0_2 = 2 acc DUMMY_STRATUS p 1 0 sld\nTILE_0_3 = 3 cpu cpu\n"
	"TILE_1_0 = 4 acc DUMMY_STRATUS p 1 0 sld\nTILE_1_1 = 5 mem mem\n"
	"TILE_1_2 = 6 acc DUMMY_STRATUS p 1 0 sld\nTILE_1_3 = 7 cpu cpu\n"
	"TILE_2_0 = 8 acc DUMMY_STRATUS p 1 0 sld\nTILE_2_1 = 9 cpu cpu\n"
	"TILE_2_2 = 10 mem mem\nTILE_2_3 = 11 acc DUMMY_STRATUS p 1 0 sld\n"
	"TILE_3_0 = 12 misc IO\nTILE_3_1 = 13 acc DUMMY_STRATUS p 1 0 sld\n"
	"TILE_3_2 = 14 acc DUMMY_STRATUS p 1 0 sld\nTILE_3_3 = 15 cpu cpu\n";

static void load(struct esp_design *design, int i)
{
	if (strcmp(designs[i], "crowd"))
		bench_load(design, designs[i]);
	else
		bench_design(design, crowd);
}
#define DESIGNS_N ((int)(sizeof(designs) / sizeof(*designs)))

static uint64_t operations(uint64_t normal)
{
	const char *text = getenv("ESP_TRAFFIC_OPS");

	return text ? strtoull(text, NULL, 10) : normal;
}

SUITE("concurrent", .timeout = 600);

LOOP_TEST(concurrent_traffic_keeps_data_and_directory, 0, DESIGNS_N)
{
	static struct traffic t;
	static struct esp_design design;
	uint64_t phase, total = operations(60000);

	load(&design, _i);
	traffic_open(&t, &design, NULL);
	for (phase = 1; phase <= 4; phase++) {
		traffic_run(&t, total * phase / 4);
		traffic_check(&t);
	}
	traffic_close(&t);
}

SUITE("single", .timeout = 600);

LOOP_TEST(one_access_at_a_time_reads_the_last_write, 0, DESIGNS_N)
{
	static struct traffic t;
	static struct esp_design design;

	load(&design, _i);
	traffic_open(&t, &design, NULL);
	t.strict = true;
	traffic_run(&t, operations(20000));
	traffic_check(&t);
	traffic_close(&t);
}
