// SPDX-License-Identifier: GPL-2.0-only
/*
 * models/esp/esp_rules.c: for each rule of ESP's generator (NoCConfiguration.py of release 2025.1) a
 * design that it accepts and one that it refuses. Accepted designs can be emulated.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <stdio.h>
#include <string.h>

static char text[65536];

/*
 * A design of rows x cols; settings: lines at the beginning; tiles: the types of the first tiles,
 * the others are empty.
 */
struct design {
	const char *settings;
	unsigned int rows, cols;
	const char *tiles;	/* c cpu, i misc, m mem, s slm, d slm with DDR, a accelerator, A with L2, n without point */
};

static const struct {
	const char *rule;
	struct design taken, refused;
} rules[] = {
	{ "there is no cpu tile",
	  { "", 2, 2, "cim" }, { "", 2, 2, "im" } },
	{ "more than 16 cpu tiles",
	  { "", 5, 5, "cccccccccccccccc" "im" }, { "", 5, 5, "ccccccccccccccccc" "im" } },
	{ "several cpu tiles need CONFIG_CACHE_EN",
	  { "#CONFIG_CACHE_EN is not set\n", 2, 2, "cim" },
	  { "#CONFIG_CACHE_EN is not set\n", 2, 2, "ccim" } },
	{ "exactly 1 misc tile",
	  { "", 2, 2, "cim" }, { "", 2, 2, "cm" } },
	{ "exactly 1 misc tile",
	  { "", 2, 2, "cim" }, { "", 2, 2, "ciim" } },
	{ "there is no memory",
	  { "", 2, 2, "cim" }, { "", 2, 2, "cis" } },
	{ "1, 2 or 4 to 16 mem tiles",
	  { "", 3, 3, "cimmmm" }, { "", 3, 3, "cimmm" } },
	{ "1, 2 or 4 to 16 mem tiles",
	  { "", 5, 5, "cimmmmmmmmmmmmmmmm" }, { "", 5, 5, "cimmmmmmmmmmmmmmmmm" } },
	{ "more than 16 slm tiles",
	  { "CONFIG_SLM_KBYTES = 1024\n", 5, 5, "cimssssssssssssssss" },
	  { "CONFIG_SLM_KBYTES = 1024\n", 5, 5, "cimsssssssssssssssss" } },
	{ "CONFIG_SLM_KBYTES of 1024",
	  { "CONFIG_SLM_KBYTES = 1024\n", 3, 2, "cimss" }, { "CONFIG_SLM_KBYTES = 512\n", 3, 2, "cimss" } },
	{ "CONFIG_SLM_KBYTES of 1024",	/* one with DDR does not count */
	  { "CONFIG_SLM_KBYTES = 512\n", 3, 2, "cimsd" }, { "CONFIG_SLM_KBYTES = 512\n", 3, 2, "cimssd" } },
	{ "at most 8 rows and columns",
	  { "CPU_ARCH = leon3\n", 8, 8, "cim" }, { "CPU_ARCH = leon3\n", 9, 8, "cim" } },
	{ "at most 8 rows and columns",
	  { "CPU_ARCH = leon3\nCONFIG_COH_NOC_WIDTH = 64\nCONFIG_DMA_NOC_WIDTH = 64\n", 16, 16, "cim" },
	  { "CPU_ARCH = leon3\nCONFIG_COH_NOC_WIDTH = 64\n", 16, 16, "cim" } },
	{ "more than 16 private caches",
	  { "", 5, 5, "ccccccccccccccccaaim" }, { "", 5, 5, "ccccccccccccccccAim" } },
	{ "an LLC of 8192 sets and 16 ways",
	  { "CONFIG_CPU_CACHES = 512 4 8192 16\n", 2, 2, "cimm" },
	  { "CONFIG_CPU_CACHES = 512 4 8192 16\n", 2, 2, "cim" } },
	{ "CONFIG_COH_NOC_WIDTH is less than a word",
	  { "CPU_ARCH = leon3\nCONFIG_COH_NOC_WIDTH = 32\n", 2, 2, "cim" },
	  { "CONFIG_COH_NOC_WIDTH = 32\n", 2, 2, "cim" } },
	{ "CONFIG_DMA_NOC_WIDTH is less than a word",
	  { "CPU_ARCH = leon3\nCONFIG_DMA_NOC_WIDTH = 32\n", 2, 2, "cim" },
	  { "CONFIG_DMA_NOC_WIDTH = 32\n", 2, 2, "cim" } },
	{ "CONFIG_COH_NOC_WIDTH is more than a word",
	  { "CONFIG_COH_NOC_WIDTH = 128\n", 2, 2, "cim" },
	  { "CONFIG_COH_NOC_WIDTH = 128\n#CONFIG_CACHE_EN is not set\n", 2, 2, "cim" } },
	{ "CONFIG_CACHE_LINE_SIZE is less than CONFIG_COH_NOC_WIDTH",
	  { "CONFIG_CACHE_LINE_SIZE = 256\nCONFIG_COH_NOC_WIDTH = 256\n", 2, 2, "cim" },
	  { "CONFIG_CACHE_LINE_SIZE = 128\nCONFIG_COH_NOC_WIDTH = 256\n", 2, 2, "cim" } },
	{ "CONFIG_CACHE_LINE_SIZE is less than CONFIG_DMA_NOC_WIDTH",
	  { "CONFIG_CACHE_LINE_SIZE = 256\nCONFIG_DMA_NOC_WIDTH = 256\n", 2, 2, "cim" },
	  { "CONFIG_CACHE_LINE_SIZE = 128\nCONFIG_DMA_NOC_WIDTH = 256\n", 2, 2, "cim" } },
	{ "CONFIG_CACHE_SPANDEX needs CPU_ARCH ariane",
	  { "#CONFIG_CACHE_RTL is not set\nCONFIG_CACHE_SPANDEX = y\n", 2, 2, "cim" },
	  { "CPU_ARCH = leon3\n#CONFIG_CACHE_RTL is not set\nCONFIG_CACHE_SPANDEX = y\n", 2, 2, "cim" } },
	{ "other than 128 needs CONFIG_CACHE_RTL",
	  { "CONFIG_CACHE_LINE_SIZE = 256\nCONFIG_CACHE_RTL = y\n", 2, 2, "cim" },
	  { "CONFIG_CACHE_LINE_SIZE = 256\n#CONFIG_CACHE_RTL is not set\n", 2, 2, "cim" } },
	{ "other than 128 needs CONFIG_CACHE_RTL",
	  { "CONFIG_CACHE_LINE_SIZE = 256\nCONFIG_CACHE_SPANDEX = y\n", 2, 2, "cim" },
	  { "CONFIG_CACHE_LINE_SIZE = 256\n#CONFIG_CACHE_RTL is not set\nCONFIG_CACHE_SPANDEX = y\n", 2, 2, "cim" } },
	{ "CONFIG_JTAG_EN needs 64 bits",
	  { "CONFIG_JTAG_EN = y\n", 2, 2, "cim" },
	  { "CONFIG_JTAG_EN = y\nCONFIG_DMA_NOC_WIDTH = 128\n", 2, 2, "cim" } },
	{ "at most 4 with a DMA NoC of 64 bits",
	  { "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 4\n", 2, 2, "cim" },
	  { "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 5\n", 2, 2, "cim" } },
	{ "at most 4 with a DMA NoC of 64 bits",
	  { "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 11\nCONFIG_DMA_NOC_WIDTH = 128\n", 2, 2, "cim" },
	  { "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 12\nCONFIG_DMA_NOC_WIDTH = 128\n", 2, 2,
	    "cim" } },
	{ "at most 4 with a DMA NoC of 64 bits",
	  { "CPU_ARCH = leon3\n#CONFIG_MULTICAST_NOC_EN is not set\nCONFIG_MAX_MCAST_DESTS = 4\n", 2, 2, "cim" },
	  { "CPU_ARCH = leon3\nCONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 1\n", 2, 2, "cim" } },
	{ "an accelerator has no design point",
	  { "", 2, 2, "cima" }, { "", 2, 2, "cimn" } },
};

static size_t write_tile(char *p, unsigned int t, unsigned int cols, char kind)
{
	static const char *const lines[] = {
		['c'] = "cpu cpu", ['i'] = "misc IO", ['m'] = "mem mem", ['s'] = "slm slm 0",
		['d'] = "slm slm 1", ['-'] = "empty empty", ['a'] = "acc FFT_STRATUS basic_fx32_dma64 0 0 sld",
		['A'] = "acc FFT_STRATUS basic_fx32_dma64 1 0 sld", ['n'] = "acc FFT_STRATUS  0 0 sld",
	};

	return sprintf(p, "TILE_%u_%u = %u %s\n", t / cols, t % cols, t, lines[(unsigned char)kind]);
}

static int parse(const struct design *design, struct esp_design *d, char *err, size_t err_len)
{
	bool arch = strstr(design->settings, "CPU_ARCH"), caches = strstr(design->settings, "CACHE_EN");
	unsigned int t, n = strlen(design->tiles);
	char *p = text;

	p += sprintf(p, "%s%s%sCONFIG_NOC_ROWS = %u\nCONFIG_NOC_COLS = %u\n",
		     arch ? "" : "CPU_ARCH = ariane\n", caches ? "" : "CONFIG_CACHE_EN = y\n",
		     design->settings, design->rows, design->cols);
	for (t = 0; t < design->rows * design->cols; t++)
		p += write_tile(p, t, design->cols, t < n ? design->tiles[t] : '-');
	return esp_design_parse(text, p - text, "design", d, err, err_len);
}

SUITE("rules of ESP's generator");

LOOP_TEST(each_rule_takes_one_design_and_refuses_another, 0, sizeof(rules) / sizeof(rules[0]))
{
	static struct esp_design d;
	char err[256] = "";

	ck_assert_msg(!parse(&rules[_i].taken, &d, err, sizeof(err)), "%s\n%s", err, text);
	ck_assert_int_eq(parse(&rules[_i].refused, &d, err, sizeof(err)), -1);
	ck_assert_msg(strstr(err, rules[_i].rule) != NULL, "%s: %s", rules[_i].rule, err);
}

LOOP_TEST(what_is_taken_can_be_emulated, 0, sizeof(rules) / sizeof(rules[0]))
{
	static const struct esp_soc_ops ops;
	struct esp_params params;
	static struct esp_design d;
	char err[256] = "";
	struct esp_soc *soc;

	esp_params_init(&params);
	params.mem_size = 1 << 20;
	ck_assert_int_eq(parse(&rules[_i].taken, &d, err, sizeof(err)), 0);
	soc = esp_soc_new(&d, &params, &ops, NULL, err, sizeof(err));
	ck_assert_msg(soc != NULL, "%s\n%s", err, text);
	esp_soc_free(soc);
}

/*
 * Designs by chance. One is made of values that keep all rules of NoCConfiguration.py; every second one then breaks one of
 * them, whose text it has to be refused with.
 */
struct random_design {
	bool narrow, caches, multicast;
	unsigned int rows, cols, coh, dma, line, dests, ncpu, nmem, nio;
	char tiles[8 * 10 + 1], more[64];
};

static unsigned int one_of(unsigned int n, const unsigned int *values)
{
	return values[random() % n];
}
#define ONE_OF(...) one_of(sizeof((unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int), (unsigned int[]){ __VA_ARGS__ })

static struct random_design keep_all_rules(void)
{
	struct random_design r = { .narrow = random() % 3 == 0, .caches = random() % 4, .nio = 1 };
	unsigned int word = r.narrow ? 32 : 64;

	r.rows = 3 + random() % 4;
	r.cols = 3 + random() % 4;
	r.ncpu = r.caches ? 1 + random() % 3 : 1;
	r.nmem = ONE_OF(1, 2, 4);
	r.line = r.caches ? ONE_OF(128, 256, 512) : 128;
	r.coh = r.caches ? ONE_OF(word, 64, 128) : word;
	r.dma = ONE_OF(word, 64, 128);
	r.multicast = r.dma > 32 && random() % 2;
	r.dests = r.dma == 64 ? 1 + random() % 4 : 1 + random() % 11;
	return r;
}

static void two_words(struct random_design *r)
{
	r->coh = r->narrow ? 64 : 128; r->caches = false; r->ncpu = 1;
}
static void no_cpu(struct random_design *r)
{
	r->ncpu = 0;
}
static void two_cpus_without_caches(struct random_design *r)
{
	*r = keep_all_rules(); r->caches = false; r->ncpu = 2;
}
static void no_io(struct random_design *r)
{
	r->nio = 0;
}
static void two_ios(struct random_design *r)
{
	r->nio = 2;
}
static void no_memory(struct random_design *r)
{
	r->nmem = 0;
}
static void three_memories(struct random_design *r)
{
	r->nmem = 3;
}
static void nine_rows(struct random_design *r)
{
	r->narrow = true; r->dma = 32; r->multicast = false; r->rows = 9;
}
static void large_llc(struct random_design *r)
{
	r->nmem = 1; strcpy(r->more, "CONFIG_CPU_CACHES = 512 4 8192 16\n");
}
static void narrow_coh(struct random_design *r)
{
	r->narrow = false; r->dma = 64; r->multicast = false; r->coh = 32;
}
static void narrow_dma(struct random_design *r)
{
	r->narrow = r->multicast = false; r->coh = 64; r->dma = 32;
}
static void short_line(struct random_design *r)
{
	r->caches = true; r->line = 64; r->coh = 128;
}
static void line_of_hls_caches(struct random_design *r)
{
	r->caches = true;
	r->line = 256;
	strcpy(r->more, "#CONFIG_CACHE_RTL is not set\n");
}
static void wide_jtag(struct random_design *r)
{
	r->caches = true; r->line = 256; r->dma = 128; strcpy(r->more, "CONFIG_JTAG_EN = y\n");
}
static void many_dests(struct random_design *r)
{
	r->narrow = false; r->dma = 64; r->coh = 64; r->multicast = true; r->dests = 5;
}

static const struct {
	const char *rule;
	void (*breaks)(struct random_design *r);
} broken[] = {
	{ "there is no cpu tile", no_cpu }, { "several cpu tiles need CONFIG_CACHE_EN", two_cpus_without_caches },
	{ "exactly 1 misc tile", no_io }, { "exactly 1 misc tile", two_ios }, { "there is no memory", no_memory },
	{ "1, 2 or 4 to 16 mem tiles", three_memories }, { "at most 8 rows and columns", nine_rows },
	{ "an LLC of 8192 sets and 16 ways", large_llc }, { "CONFIG_COH_NOC_WIDTH is less than a word", narrow_coh },
	{ "CONFIG_DMA_NOC_WIDTH is less than a word", narrow_dma },
	{ "CONFIG_COH_NOC_WIDTH is more than a word", two_words },
	{ "CONFIG_CACHE_LINE_SIZE is less than CONFIG_COH_NOC_WIDTH", short_line },
	{ "other than 128 needs CONFIG_CACHE_RTL", line_of_hls_caches },
	{ "CONFIG_JTAG_EN needs 64 bits", wide_jtag }, { "at most 4 with a DMA NoC of 64 bits", many_dests },
};
#define NBROKEN	(sizeof(broken) / sizeof(broken[0]))

/* In any order, with other tiles between them. */
static void place_tiles(struct random_design *r)
{
	unsigned int n = r->rows * r->cols, i, j, at = 0;
	char tile;

	memset(r->tiles, '-', n);
	memset(r->tiles, 'c', r->ncpu);
	memset(r->tiles + (at += r->ncpu), 'm', r->nmem);
	memset(r->tiles + (at += r->nmem), 'i', r->nio);
	if (r->dma == 64)
		memset(r->tiles + at + r->nio, 'A', random() % 2);
	for (i = n - 1; i; i--) {
		j = random() % (i + 1);
		tile = r->tiles[i];
		r->tiles[i] = r->tiles[j];
		r->tiles[j] = tile;
	}
}

LOOP_TEST(designs_by_chance_follow_the_rules, 0, 2 * NBROKEN)
{
	static const struct esp_soc_ops ops;
	static struct esp_design d;
	struct random_design r;
	struct esp_params params;
	char err[256] = "", settings[512];
	struct esp_soc *soc;

	srandom(62 + _i);
	r = keep_all_rules();
	if (_i & 1)
		broken[_i / 2].breaks(&r);
	place_tiles(&r);
	snprintf(settings, sizeof(settings), "CPU_ARCH = %s\n%sCONFIG_COH_NOC_WIDTH = %u\nCONFIG_DMA_NOC_WIDTH = %u\n"
		 "CONFIG_CACHE_LINE_SIZE = %u\n%sCONFIG_MAX_MCAST_DESTS = %u\n%s",
		 r.narrow ? random() % 2 ? "leon3" : "ibex" : "ariane",
		 r.caches ? "CONFIG_CACHE_EN = y\n" : "#CONFIG_CACHE_EN is not set\n", r.coh, r.dma, r.line,
		 r.multicast ? "CONFIG_MULTICAST_NOC_EN = y\n" : "", r.dests, r.more);
	if (_i & 1) {
		ck_assert_int_eq(parse(&(struct design){ settings, r.rows, r.cols, r.tiles }, &d, err, sizeof(err)), -1);
		ck_assert_msg(strstr(err, broken[_i / 2].rule) != NULL, "%s: %s\n%s", broken[_i / 2].rule, err, text);
		return;
	}
	ck_assert_msg(!parse(&(struct design){ settings, r.rows, r.cols, r.tiles }, &d, err, sizeof(err)), "%s\n%s", err, text);
	esp_params_init(&params);
	soc = esp_soc_new(&d, &params, &ops, NULL, err, sizeof(err));
	ck_assert_msg(soc != NULL, "%s\n%s", err, text);
	esp_soc_free(soc);
}

/* Without CONFIG_VF_POINTS the fields of the accelerators tell a file of before 2024. */
TEST(old_lines_are_told_by_their_fields)
{
	static const char old[] =
		"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 2\nCONFIG_NOC_COLS = 2\nCONFIG_CACHE_EN = y\n"
		"TILE_0_0 = 0 mem mem 0 0 0\nTILE_0_1 = 1 cpu cpu 0 0 0\n"
		"TILE_1_0 = 2 acc FFT_STRATUS 0 0 0 basic_fx32_dma64 1 sld\nTILE_1_1 = 3 misc IO 0 0 0\n";
	static struct esp_design d;
	char err[256] = "";

	ck_assert_msg(!esp_design_parse(old, strlen(old), "old", &d, err, sizeof(err)), "%s", err);
	ck_assert_str_eq(d.tiles[2].design_point, "basic_fx32_dma64");
	ck_assert_str_eq(d.tiles[2].vendor, "sld");
	ck_assert(d.tiles[2].has_l2);
}
