/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader of .esp_config files. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <stdio.h>
#include <unistd.h>

static struct esp_design d;

static void tiles(const char *kinds)
{
	static const char letters[] = "-cimsa";	/* in the order of enum esp_tile_kind */
	unsigned int t;

	ck_assert_uint_eq(strlen(kinds), d.rows * d.cols);
	for (t = 0; t < d.rows * d.cols; t++)
		ck_assert_msg(letters[d.tiles[t].kind] == kinds[t], "tile %u", t);
}

SUITE("esp design", .timeout = 60);

LOOP_TEST(both_formats_give_the_default_design, 0, 2)
{
	static struct esp_design def;
	unsigned int t;

	esp_design_default(&def);
	bench_load(&d, _i ? "fft-3x2-old" : "fft-3x2");
	tiles("acmaai");
	ck_assert_uint_eq(d.nacc, 3);
	ck_assert_uint_eq(d.coh_noc_width, def.coh_noc_width);
	ck_assert_uint_eq(d.dma_noc_width, def.dma_noc_width);
	ck_assert_uint_eq(d.queue_size, def.queue_size);
	ck_assert_uint_eq(d.llc_sets, def.llc_sets);
	ck_assert_uint_eq(d.llc_ways, def.llc_ways);
	ck_assert_uint_eq(d.l2_sets, def.l2_sets);
	ck_assert_uint_eq(d.acc_l2_ways, def.acc_l2_ways);
	ck_assert_uint_eq(d.line_bits, def.line_bits);
	ck_assert(d.caches && d.scatter_gather);
	for (t = 0; t < 6; t++) {
		ck_assert_int_eq(d.tiles[t].kind, def.tiles[t].kind);
		ck_assert_uint_eq(d.tiles[t].id, def.tiles[t].id);
		ck_assert_int_eq(d.tiles[t].has_l2, def.tiles[t].has_l2);
		ck_assert_str_eq(d.tiles[t].name, def.tiles[t].name);
		ck_assert_str_eq(d.tiles[t].design_point, def.tiles[t].design_point);
		ck_assert_str_eq(d.tiles[t].vendor, def.tiles[t].vendor);
	}
}

TEST(sixteen_tiles)
{
	bench_load(&d, "sixteen-4x4");
	tiles("iaaa" "accm" "accm" "amma");
	ck_assert_uint_eq(d.ncpu, 4);
	ck_assert_uint_eq(d.nmem, 4);
	ck_assert_uint_eq(d.nacc, 7);
	ck_assert_uint_eq(d.llc_sets, 2048);
	ck_assert_str_eq(d.tiles[15].name, "VITDODEC_STRATUS");
	ck_assert_uint_eq(d.tiles[15].id, 6);
	/* An empty design point: two spaces in a row. */
	ck_assert_str_eq(d.tiles[1].design_point, "");
	ck_assert_str_eq(d.tiles[1].vendor, "nvidia");
}

TEST(misspelt_keys_stale_fields_and_old_empty_points)
{
	bench_load(&d, "nvdla-2x2");
	tiles("icam");
	bench_load(&d, "nvdla-2x2-old");
	tiles("mcai");
	ck_assert_str_eq(d.tiles[2].vendor, "nvidia");
	bench_load(&d, "nine-3x3");
	tiles("cia" "ama" "aaa");
	bench_load(&d, "nocache-2x2");
	tiles("mc-i");
	ck_assert(!d.caches);
	bench_load(&d, "slm-3x2");
	tiles("acmssi");
	ck_assert(!d.tiles[3].has_ddr && d.tiles[4].has_ddr);
}

TEST(leon3_has_32_bits)
{
	bench_load(&d, "leon3-2x2");
	ck_assert_uint_eq(esp_design_arch_bits(&d), 32);
	ck_assert_uint_eq(d.coh_noc_width, 32);
	/* Its NoCs are as wide as a word when the file does not say. */
	bench_design(&d, "CPU_ARCH = leon3\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 3\n"
		     "TILE_0_0 = 0 cpu cpu\nTILE_0_1 = 1 mem mem\nTILE_0_2 = 2 misc IO\n");
	ck_assert_uint_eq(d.dma_noc_width, 32);
}

TEST(carriage_returns_and_missing_last_newline)
{
	bench_design(&d, "CPU_ARCH = ariane\r\nCONFIG_NOC_ROWS = 1\r\nCONFIG_NOC_COLS = 3\r\n\r\n"
		     "TILE_0_0 = 0 cpu cpu\r\nTILE_0_1 = 1 misc IO\r\nTILE_0_2 = 2 mem mem");
	tiles("cim");
	ck_assert_uint_eq(d.coh_noc_width, 64);
}

#define HEAD	"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 2\n"

#define CASES	19

LOOP_TEST(errors_name_file_line_and_reason, 0, CASES)
{
	static const struct { const char *text, *err; } cases[] = {
		{"", "x: CPU_ARCH is missing"},
		{"CPU_ARCH = z80\n", "x:1: CPU_ARCH: 'z80' is none of ariane, leon3, ibex"},
		{"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 17\n",
		 "x:2: CONFIG_NOC_ROWS: 17 is not between 1 and 16"},
		{"CONFIG_NOC_ROWS = two\n", "x:1: CONFIG_NOC_ROWS: 'two' is not a number"},
		{"CONFIG_NOC_ROWS = -1\n", "x:1: CONFIG_NOC_ROWS: '-1' is not a number"},
		{"CONFIG_NOC_ROWS = 99999999999999999999\n",
		 "x:1: CONFIG_NOC_ROWS: '99999999999999999999' is not a number"},
		{"CONFIG_CPU_CACHES = 512 4 1024\n", "x:1: CONFIG_CPU_CACHES: 4 numbers expected"},
		{"CONFIG_CPU_CACHES = 500 4 1024 16\n",
		 "x:1: CONFIG_CPU_CACHES: 500 is not a power of two"},
		{"CPU_ARCH = ariane\n", "x: CONFIG_NOC_ROWS or CONFIG_NOC_COLS is missing"},
		{HEAD "TILE_0_0 = 0 cpu cpu\n", "x: line TILE_0_1 is missing"},
		{HEAD "TILE_0_0 = 0 cpu cpu\nTILE_0_0 = 0 mem mem\n", "x:5: tile 0,0 given twice"},
		{HEAD "TILE_1_0 = 0 cpu cpu\n", "x:4: tile 1,0 lies outside the 1x2 design"},
		{HEAD "TILE_0_0 = 1 cpu cpu\n", "x:4: tile 0,0 has number 1 instead of 0"},
		{HEAD "TILE_0_0 = 0 gpu gpu\n",
		 "x:4: tile type 'gpu' is none of cpu, misc, mem, slm, acc, empty"},
		{HEAD "TILE_0_0 = 0\n", "x:4: tile 0,0: number, type and name expected"},
		{HEAD "TILE_0 = 0 cpu cpu\n",
		 "x:4: 'TILE_0' is not of the form TILE_<row>_<column>"},
		{HEAD "TILE_0_0 = 0 acc FFT_STRATUS point 0\n",
		 "x:4: accelerator FFT_STRATUS: 5 fields, at least 7 expected"},
		{HEAD "TILE_0_0 = 0 acc FFT_STRATUS basic_dma32 0 0 sld\n",
		 "x:4: accelerator FFT_STRATUS: design point basic_dma32 needs a DMA NoC of 32 bits, this one has 64 (CONFIG_DMA_NOC_WIDTH)"},
		{HEAD "TILE_0_0 = 0 mem mem\nTILE_0_1 = 1 misc IO\n",
		 "x: there is no cpu tile: at least 1 is needed"},
	};
	char err[256] = "";

	ck_assert_int_eq(esp_design_parse(cases[_i].text, strlen(cases[_i].text), "x", &d, err,
					  sizeof(err)), -1);
	ck_assert_str_eq(err, cases[_i].err);
	/* A short buffer gets the beginning of the text; NULL is allowed. */
	ck_assert_int_eq(esp_design_parse(cases[_i].text, strlen(cases[_i].text), "x", &d, err, 4),
			 -1);
	ck_assert_uint_lt(strlen(err), 4);
	ck_assert_int_eq(esp_design_parse(cases[_i].text, strlen(cases[_i].text), "x", &d, NULL, 0),
			 -1);
}

#define SOC	"CONFIG_NOC_COLS = 3\nTILE_0_0 = 0 cpu cpu\nTILE_0_1 = 1 misc IO\nTILE_0_2 = 2 mem mem\n"

/* As ESP's reader does (soc.py): what has no effect passes, a switch that is neither "= y" nor unset is off. */
LOOP_TEST(what_has_no_effect_is_noted, 0, 10)
{
	static const struct {
		const char *text, *note;
		uint32_t not_modelled;
	} cases[] = {
		{ "hello\n", "'hello' is not of the form KEY = value and has no effect here", 0 },
		{ "NOC_0_0 = 0\n", "'NOC_0_0' is not known and has no effect here", 0 },
		{ "GLOB_PHYS_ADDR_BITS = 64\n", "'GLOB_PHYS_ADDR_BITS' is not known and has no effect here", 0 },
		/* no orders for a terminal */
		{ "E\033[31m\a = red\n", "'E\\033[31m\\007' is not known and has no effect here", 0 },
		{ "CONFIG_CACHE_EN = maybe\n", "CONFIG_CACHE_EN: 'maybe' counts as off, as in ESP", 0 },
		{ "CONFIG_QUEUE_SIZE = 64\n", "CONFIG_QUEUE_SIZE: 64: ESP's generator has 2 to 17", ESP_NOT_SIZES },
		{ "CONFIG_CPU_CACHES = 16 4 1024 16\n", "CONFIG_CPU_CACHES: 16: ESP's generator has 32 to 8192",
		  ESP_NOT_SIZES },
		{ "CONFIG_MEM_LINK_WIDTH = 1024\n", "CONFIG_MEM_LINK_WIDTH: 1024: ESP's generator has 32 to 512",
		  ESP_NOT_SIZES },
		{ "CONFIG_CACHE_EN = y\n#CONFIG_CACHE_RTL is not set\nCONFIG_CACHE_SPANDEX = y\n", NULL, ESP_NOT_SPANDEX },
		{ "CONFIG_CACHE_EN = y\n#CONFIG_CACHE_RTL is not set\n", NULL, ESP_NOT_HLS_CACHES },
	};
	char text[512], expected[256];

	snprintf(text, sizeof(text), "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\n%s" SOC, cases[_i].text);
	bench_design(&d, text);
	snprintf(expected, sizeof(expected), "text:3: %s", cases[_i].note ?: "");
	ck_assert_uint_eq(d.nnotes, !!cases[_i].note);
	ck_assert_str_eq(d.nnotes ? d.notes[0] : "text:3: ", expected);
	ck_assert_uint_eq(esp_design_not_modelled(&d), cases[_i].not_modelled);
}

TEST(many_notes_end_with_their_number)
{
	char text[1024] = "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\n" SOC;
	unsigned int i;

	for (i = 0; i < 20; i++)
		sprintf(text + strlen(text), "NOC_%u_0 = 0\n", i);
	bench_design(&d, text);
	ck_assert_uint_eq(d.nnotes, ESP_MAX_NOTES);
	ck_assert_str_eq(d.notes[ESP_MAX_NOTES - 1], "text: 13 more lines have no effect here or are beyond ESP's menus");
}

TEST(binary_and_endless_lines_are_refused)
{
	static char text[5000];
	char err[256] = "";

	memset(text, 'A', sizeof(text));
	ck_assert_int_eq(esp_design_parse(text, sizeof(text), "x", &d, err, sizeof(err)), -1);
	ck_assert_str_eq(err, "x:1: line longer than 255 characters");
	memcpy(text, "POWER_0_0 = ", 12);
	ck_assert_int_eq(esp_design_parse(text, sizeof(text), "x", &d, err, sizeof(err)), -1);
	ck_assert_int_eq(esp_design_parse("CPU\0ARCH = ariane", 17, "x", &d, err, sizeof(err)), -1);
	ck_assert_str_eq(err, "x:1: not a text file");
}

TEST(missing_file)
{
	char err[256] = "";

	ck_assert_int_eq(esp_design_read("/nowhere/x.esp_config", &d, err, sizeof(err)), -1);
	ck_assert_str_eq(err, "/nowhere/x.esp_config: No such file or directory");
	ck_assert_int_eq(esp_design_read("/", &d, err, sizeof(err)), -1);
}

#define NAMES	14

LOOP_TEST(every_design_of_the_repository_runs, 0, NAMES)
{
	static const char *const names[] = {
		"fft-3x2", "fft-3x2-old", "nocache-2x2", "nocache-fft-3x2-old", "nvdla-2x2",
		"nvdla-2x2-old", "sixteen-4x4", "nine-3x3", "leon3-2x2", "slm-3x2", "dummy-2x2",
		"dummy-3x2", "dummy-4x4", "dummy-16x16",
	};
	struct bench b;
	unsigned int t, acc;

	bench_load(&d, names[_i]);
	bench_open(&b, &d, NULL);
	for (t = 0; t < d.rows * d.cols; t++)
		ck_assert_uint_eq(
			bench_read(&b, ESP_CSR_BASE + ESP_CSR_STRIDE * t + ESP_CSR_TILE_ID), t);
	for (acc = 0; acc < d.nacc; acc++) {
		struct fft f = fft_default(5);

		t = esp_soc_topology(b.soc, ESP_TOPO_ACC(acc) + ESP_TOPO_ACC_TILE);
		if (strcmp(d.tiles[t].name, "FFT_STRATUS"))
			continue;
		f.acc = acc;
		fft_run(&b, &f);
	}
	settle(&b);
	bench_close(&b);
}
