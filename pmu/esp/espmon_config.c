// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "espmon_config.h"

/* ESP_ON_... classes of the tiles in which an event is defined. */
static const u16 espmon_places[] = {
#define MON_EVENT(name, config, places, ...) \
	[config] = (places),
#include "events/esp/events.def"
#undef MON_EVENT
};

const char *const espmon_tile_kinds[] = {
	[ESP_TILE_EMPTY] = "empty",
	[ESP_TILE_CPU] = "cpu",
	[ESP_TILE_IO] = "io",
	[ESP_TILE_MEM] = "mem",
	[ESP_TILE_SLM] = "slm",
	[ESP_TILE_ACC] = "acc",
};

static_assert(ESP_NMON <= ESPMON_SLOTS, "a slot for each register");
static_assert(ESP_ON_ACC == BIT(ESP_TILE_ACC) && ESP_ON_CPU == BIT(ESP_TILE_CPU), "bits are kinds");

static const struct {
	unsigned int number;
	const char *name;
} espmon_layouts[] = {
#define LAYOUT(number, name, compatible) { number, name },
	ESPMON_LAYOUTS(LAYOUT)
#undef LAYOUT
};

const char *espmon_layout_name(unsigned int layout)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(espmon_layouts); i++)
		if (espmon_layouts[i].number == layout)
			return espmon_layouts[i].name;
	return NULL;
}

/* Of a pair it is that of the low word, which the core widens like any other monitor. */
int espmon_register(const struct espmon_id *id, unsigned int code)
{
	int reg;

	if (code == ESPMON_acc_mem_cycles)
		code = ESPMON_acc_mem_lo;
	else if (code == ESPMON_acc_tot_cycles)
		code = ESPMON_acc_tot_lo;
	reg = espmon_register_of(id->layout, code);
	return reg < 0 ? -EINVAL : reg;
}

void espmon_number(struct espmon_id *id)
{
	unsigned int t, k;

	for (t = 0; t < id->ntiles; t++) {
		struct espmon_tile *tile = &id->tiles[t];

		tile->id = 0;
		for (k = 0; k < t && *tile->acc; k++)
			tile->id += !strcmp(id->tiles[k].acc, tile->acc);
	}
}

int espmon_config_check(const struct espmon_id *id, u64 config)
{
	unsigned int tile = FIELD_GET(ESPMON_CONFIG_TILE, config);

	if (config & ~ESPMON_CONFIG_ALL)
		return -EINVAL;
	if (config & ESPMON_CONFIG_BYTILE ? tile >= id->ntiles : tile)
		return -EINVAL;
	return espmon_register(id, FIELD_GET(ESPMON_CONFIG_EVENT, config)) < 0 ? -EINVAL : 0;
}

int espmon_config_counters(const struct espmon_id *id, u64 config, u16 *counters)
{
	unsigned int code = FIELD_GET(ESPMON_CONFIG_EVENT, config), tile;
	int n = 0;

	code = array_index_nospec(code, ARRAY_SIZE(espmon_places));
	for (tile = 0; tile < id->ntiles; tile++) {
		if (config & ESPMON_CONFIG_BYTILE && tile != FIELD_GET(ESPMON_CONFIG_TILE, config))
			continue;
		if (!(id->tiles[tile].on & espmon_places[code]))
			continue;
		if (counters)
			counters[n] = tile * ESPMON_SLOTS + espmon_register(id, code);
		n++;
	}
	return n;
}

/* DRAM, coherence, caches, and the planes of coherence. */
bool espmon_code_wants(unsigned int code)
{
	return code <= ESP_MON_COH_RSP_SND ||
	       (code >= ESP_MON_L2_HIT && code <= ESP_MON_LLC_MISS) ||
	       (code >= ESP_MON_NOC_INJECT(0) && code < ESP_MON_NOC_INJECT(3)) ||
	       (code >= ESP_MON_NOC_QUEUE(0, 0) && code < ESP_MON_NOC_QUEUE(3, 0)) ||
	       (code >= ESP_MON_NOC_EJECT(0) && code < ESP_MON_NOC_EJECT(3));
}
