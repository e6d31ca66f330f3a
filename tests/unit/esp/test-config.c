// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu/esp/espmon_config.c: attr.config of the PMU espmon. The test has its own table of valid
 * values and of what they count, from ESP's RTL and pmu/esp/ABI-espmon.txt.
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/esp/espmon_config.h"
#include "tests/main.h"
#include "tests/unit/pmu/pmu-test.h"

/*
 * A letter a tile: c cpu, i io, m mem, s slm, e empty; accelerators: a plain, l with a private L2,
 * t third-party, T third-party with a private L2.
 */
#define KINDS "cimsaltTe"

/*
 * Monitors in this table. Monitors that a later ESP adds after them are in events.def and its
 * transcription.
 */
#define NMON 59

/*
 * The kinds of tiles in which the signal of a monitor is wired, by its index of 2023
 * (esp_tile_csr.vhd).
 */
static const struct {
	unsigned int first, last;
	const char *kinds;
} wired[] = {
	{ 0, 0, "m" },		/* DRAM words */
	{ 1, 4, "m" },		/* coherence planes at the LLC */
	{ 5, 6, "ms" },		/* non-coherent DMA */
	{ 7, 8, "m" },		/* LLC-coherent DMA */
	{ 9, 10, "clT" },	/* private L2 */
	{ 11, 12, "m" },	/* LLC */
	{ 13, 18, "altT" },	/* accelerator */
	{ 19, 22, "cimsal" },	/* operating points: nothing in empty and third-party tiles */
	{ 23, 58, KINDS },	/* the network has a router in every tile */
	{ 0x80, 0x81, "altT" },	/* the pairs 14, 15 and 16, 17 */
	{ 0x82, 0x87, KINDS },	/* ejections from the network, in VESPA */
};

static const char *kinds_of(unsigned int layout, unsigned int code)
{
	unsigned int i;

	/* before March 2023 there were 58 monitors, without the one for invocations */
	if (layout == 2021 && code == 18)
		return NULL;
	/* VESPA has the round-trip time, a gauge, in its place, and six monitors of its own */
	if (layout == 65 ? code == 18 : code >= 0x82)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(wired); i++)
		if (code >= wired[i].first && code <= wired[i].last)
			return wired[i].kinds;
	return NULL;
}

static u32 classes_of(char kind)
{
	switch (kind) {
	case 'c':
		return espmon_tile_classes(ESP_TILE_CPU, true, false);
	case 'i':
		return espmon_tile_classes(ESP_TILE_IO, false, false);
	case 'm':
		return espmon_tile_classes(ESP_TILE_MEM, false, false);
	case 's':
		return espmon_tile_classes(ESP_TILE_SLM, false, false);
	case 'a':
		return espmon_tile_classes(ESP_TILE_ACC, false, false);
	case 'l':
		return espmon_tile_classes(ESP_TILE_ACC, true, false);
	case 't':
		return espmon_tile_classes(ESP_TILE_ACC, false, true);
	case 'T':
		return espmon_tile_classes(ESP_TILE_ACC, true, true);
	default:
		return espmon_tile_classes(ESP_TILE_EMPTY, false, false);
	}
}

/* A SoC in one row. */
static struct espmon_id *soc_new(const char *kinds, unsigned int layout)
{
	struct espmon_id *id = calloc(1, sizeof(*id));
	unsigned int tile;

	ck_assert_ptr_nonnull(id);
	id->layout = layout;
	id->ntiles = strlen(kinds);
	id->rows = 1;
	id->cols = id->ntiles;
	for (tile = 0; tile < ESP_MAX_TILES; tile++)
		/* tiles after the last one would count everything, because nothing may read them */
		id->tiles[tile].on = tile < id->ntiles ? classes_of(kinds[tile]) : ~0U;
	return id;
}

static char random_soc[ESP_MAX_TILES + 1];

static const char *const socs[] = {
	KINDS,
	"m",
	"e",
	"mcei",			/* 2x2, ESP's default design */
	"acei",			/* nothing counts DRAM here */
	"lcmaai",		/* 3x2 with three FFTs, one of them with an L2 */
	"iaatlccmlccmlmma",	/* 4x4 with four processors and four memory tiles */
	random_soc,		/* 16x16, the most */
};

static void make_random_soc(void)
{
	unsigned int i;

	srandom(20230309);
	for (i = 0; i < ESP_MAX_TILES; i++)
		random_soc[i] = KINDS[random() % strlen(KINDS)];
}

static const unsigned int layouts[] = { 2021, 2023, 65 };
#define NLAYOUTS	ARRAY_SIZE(layouts)

#define CODE(config)	((unsigned int)(config) & 0xff)
#define TILE(config)	((unsigned int)(config) >> 8 & 0xff)
#define BYTILE(config)	((config) >> 16 & 1)

/* True for a bytile event of an existing tile, or an event of all tiles, with an existing code. */
static bool must_be_valid(const char *kinds, unsigned int layout, u64 config)
{
	if (config >> 17)
		return false;
	if (BYTILE(config) ? TILE(config) >= strlen(kinds) : TILE(config) != 0)
		return false;
	return kinds_of(layout, CODE(config));
}

static bool is_later(u64 config)
{
	return CODE(config) >= NMON && CODE(config) < ESP_NMON;
}

/*
 * Register of a code in the monitors' part of a tile's window: in ESP those of 2023, those of 2021 without number 18;
 * VESPA has ejections at 29, queues at 35 (its esp_tile_csr.vhd). A pair is read by its low word, 14 or 16.
 */
static unsigned int register_of(unsigned int layout, unsigned int code)
{
	if (code == 0x80 || code == 0x81)
		return 14 + 2 * (code - 0x80);
	if (code >= 0x82)
		return 29 + code - 0x82;
	if (layout == 2021 && code > 18)
		return code - 1;
	return layout == 65 && code >= 29 ? code + 6 : code;
}

/* Check's own assertions write to a pipe, too slow for millions of them. */
#define agree(what, soc, layout, config)								\
	do {											\
		if (!(what))									\
			ck_abort_msg("%s: config %#llx, tiles %s, layout %u", #what,		\
				     (unsigned long long)(config), soc, layout);		\
	} while (0)

SUITE("espmon");

/* ESP's driver numbers the devices of each name from 0 on, in the order of their nodes. */
TEST(accelerators_are_numbered_by_name)
{
	static const char *const names[] = {
		"nv_nvdla", "", "fft_stratus", "nv_nvdla", "", "fft_stratus",
	};
	static const unsigned int numbers[] = { 0, 0, 0, 1, 0, 1 };
	static struct espmon_id id = { .ntiles = ARRAY_SIZE(names) };
	unsigned int t;

	for (t = 0; t < ARRAY_SIZE(names); t++)
		strcpy(id.tiles[t].acc, names[t]);
	espmon_number(&id);
	for (t = 0; t < ARRAY_SIZE(names); t++)
		ck_assert_uint_eq(id.tiles[t].id, numbers[t]);
}

LOOP_TEST(configs_are_valid_or_not, 0, NLAYOUTS * ARRAY_SIZE(socs))
{
	const char *soc = socs[_i / NLAYOUTS];
	unsigned int layout = layouts[_i % NLAYOUTS], bit;
	struct espmon_id *id;
	u64 config;

	make_random_soc();
	id = soc_new(soc, layout);
	for (config = 0; config < 1 << 20; config++) {
		int err = espmon_config_check(id, config);

		if (is_later(config))
			continue;
		agree(err == (must_be_valid(soc, layout, config) ? 0 : -EINVAL),
		      soc, layout, config);
		if (err)
			continue;
		for (bit = 17; bit < 64; bit++)
			agree(espmon_config_check(id, config | 1ULL << bit) == -EINVAL,
			      soc, layout, config | 1ULL << bit);
	}
	free(id);
}

/* The counters of every event: its own in each selected tile that has it, and no other. */
LOOP_TEST(events_have_their_counters, 0, NLAYOUTS * ARRAY_SIZE(socs))
{
	const char *soc = socs[_i / NLAYOUTS];
	unsigned int layout = layouts[_i % NLAYOUTS], tile;
	struct espmon_id *id;
	u64 config;

	make_random_soc();
	id = soc_new(soc, layout);
	for (config = 0; config < 1 << 17; config++) {
		const char *kinds = kinds_of(layout, CODE(config));
		u16 counters[ESP_MAX_TILES];
		int n, k = 0;

		if (!must_be_valid(soc, layout, config))
			continue;
		n = espmon_config_counters(id, config, counters);
		for (tile = 0; tile < strlen(soc); tile++) {
			if (BYTILE(config) && tile != TILE(config))
				continue;
			if (!strchr(kinds, soc[tile]))
				continue;
			agree(k < n && counters[k] == tile * ESPMON_SLOTS + register_of(layout, CODE(config)),
			      soc, layout, config);
			k++;
		}
		agree(k == n && espmon_config_counters(id, config, NULL) == n, soc, layout, config);
	}
	free(id);
}

/*
 * An access to word 3 of an accelerator's tile, which monitor 2 is, clears the accelerator's TLB
 * while it may be running.
 */
TEST(word_3_of_accelerators_is_left_alone)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct espmon_id *id = soc_new("altTm", layouts[i]);
		unsigned int code;
		unsigned int tile;
		u16 counters[5];

		for (tile = 0; tile < 4; tile++)
			for (code = 0; code < 256; code++) {
				u64 config = 1 << 16 | tile << 8 | code;

				if (espmon_config_check(id, config))
					continue;
				if (espmon_config_counters(id, config, counters))
					ck_assert_uint_ne(ESP_CSR_MON(counters[0] % ESPMON_SLOTS), 0xc);
			}
		/* of all tiles only the memory tile has it */
		ck_assert_int_eq(espmon_config_counters(id, 2, counters), 1);
		ck_assert_uint_eq(counters[0], 4 * ESPMON_SLOTS + 2);
		free(id);
	}
}

/* Words of a tile's window: 0 is the burst register, register i is word i + 1. */
TEST(monitors_are_where_their_layout_has_them)
{
	unsigned int i, code;

	ck_assert_uint_eq(ESP_CSR_MON(0), 4);
	for (i = 0; i < NLAYOUTS; i++) {
		struct espmon_id *id = soc_new("m", layouts[i]);

		for (code = 0; code < NMON; code++)
			ck_assert_int_eq(espmon_register(id, code), kinds_of(layouts[i], code) ?
					 (int)register_of(layouts[i], code) : -EINVAL);
		for (code = 0x80; code < 256; code++)
			ck_assert_int_eq(espmon_register(id, code), kinds_of(layouts[i], code) ?
					 (int)register_of(layouts[i], code) : -EINVAL);
		free(id);
	}
}

/*
 * ABI-espmon.txt: ddr_accesses, coherence, l2_*, llc_*, and noc_* of the planes 0 to 2. A plane has
 * one monitor of injections from 23 on, and five of queues from 29 on.
 */
TEST(processors_change_some_events)
{
	static const struct {
		unsigned int first, last;
	} changed[] = {
		{ 0, 0 }, { 1, 4 }, { 9, 10 }, { 11, 12 }, { 23, 25 }, { 29, 29 + 3 * 5 - 1 },
		{ 0x82, 0x84 },		/* ejections */
	};
	unsigned int code, i;

	for (code = 0; code < 256; code++) {
		bool wants = false;

		for (i = 0; i < ARRAY_SIZE(changed); i++)
			if (code >= changed[i].first && code <= changed[i].last)
				wants = true;
		ck_assert_msg(espmon_code_wants(code) == wants, "code %u", code);
	}
}
