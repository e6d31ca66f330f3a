/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The performance monitors of a tile and their burst register (esp_tile_csr.vhd).
 *
 * Events increment tile->mon[] where they happen. Cycle counts are computed, not incremented: the
 * accelerator's from its state changes, operating point 3's from the time since reset.
 */
#include "esp/internal.h"

#include <string.h>

#include "esp/kernel.h"

static const uint16_t defined_on[256] = {
#define MON_EVENT(name, config, places, ...) [config] = places,
#include "events/esp/events.def"
#undef MON_EVENT
};

/* Codes of the registers; the pairs are two of these each. */
static const uint8_t codes[] = {
#define MON_EVENT(name, config, ...) config,
#include "events/esp/events.def"
#undef MON_EVENT
};
#define NCODES	(sizeof(codes) / sizeof(*codes))

/* ESPMON_INDEX() numbers the lines of the catalogue. */
enum {
#define MON_EVENT(name, ...) LINE_##name,
#include "events/esp/events.def"
#undef MON_EVENT
};
#define MON_EVENT(name, config, ...) \
	_Static_assert(ESPMON_INDEX(config) == LINE_##name, \
		       #name ": lines stand in the order of their codes, and monitors take the next code without a gap");
#include "events/esp/events.def"
#undef MON_EVENT

static bool defined(const struct esp_soc *soc, unsigned int tile, unsigned int code)
{
	const struct esp_tile *t = &soc->design.tiles[tile];
	unsigned int mask = 1u << t->kind | ESP_ON_ANY;

	if (t->kind == ESP_TILE_ACC && t->has_l2)
		mask |= ESP_ON_ACC_L2;
	if (t->kind != ESP_TILE_EMPTY && !(t->kind == ESP_TILE_ACC && !soc->kernel[t->id]))
		mask |= ESP_ON_CLOCKED;
	return defined_on[code] & mask;
}

void esp_monitor_reset(struct esp_soc *soc)
{
	unsigned int tile, i;

	for (tile = 0; tile < soc->ntiles; tile++) {
		for (i = 0; i < NCODES; i++) {
			if (codes[i] != ESP_MON_ACC_MEM_HI && codes[i] != ESP_MON_ACC_TOT_HI &&
			    defined(soc, tile, codes[i]))
				soc->tile[tile].mon[i] = soc->params.preset;
		}
	}
}

static uint32_t live(struct esp_soc *soc, unsigned int tile, unsigned int code)
{
	const struct esp_tile *t = &soc->design.tiles[tile];
	uint32_t value;

	esp_fast_fold(soc);
	esp_flights_end(soc);
	value = soc->tile[tile].mon[ESPMON_INDEX(code)];
	if (code == ESP_MON_DVFS(3) && defined(soc, tile, code))
		return value + (uint32_t)(soc->st->now - soc->st->reset_at);
	if (t->kind == ESP_TILE_ACC && code >= ESP_MON_ACC_TLB && code <= ESP_MON_ACC_TOT_HI) {
		const struct esp_acc_state *acc = &soc->acc[t->id];
		unsigned int low = code < ESP_MON_ACC_TOT_LO ? ESP_MON_ACC_MEM_LO : ESP_MON_ACC_TOT_LO;
		uint64_t cycles;

		esp_acc_account(soc, t->id);
		if (code == ESP_MON_ACC_TLB)
			return value + (uint32_t)acc->tlb_cycles;
		/* The preset is the low word. */
		cycles = (low == ESP_MON_ACC_MEM_LO ? acc->mem_cycles : acc->tot_cycles) +
			 soc->tile[tile].mon[low];
		return code == low ? cycles : cycles >> 32;
	}
	return value;
}

uint32_t esp_soc_monitor(struct esp_soc *soc, unsigned int tile, unsigned int index)
{
	int code = espmon_code_at(soc->params.layout, index);

	if (tile >= soc->ntiles || code < 0)
		return 0;
	return live(soc, tile, code);
}

uint32_t esp_monitor_read(struct esp_soc *soc, unsigned int tile, uint32_t offset)
{
	int code = espmon_code_at(soc->params.layout, offset / 4 - 1);

	if (offset == ESP_CSR_BURST)
		return soc->tile[tile].burst;
	if (code < 0)
		return 0;
	if (soc->tile[tile].burst & 1)
		return soc->tile[tile].shadow[ESPMON_INDEX(code)];
	return live(soc, tile, code);
}

/* Only the edge 0 -> 1 of bit 0 takes a sample; all 32 bits are kept. */
void esp_monitor_burst(struct esp_soc *soc, unsigned int tile, uint32_t value)
{
	struct esp_tile_state *t = &soc->tile[tile];
	unsigned int i;

	if (value & ~t->burst & 1) {
		for (i = 0; i < NCODES; i++)
			t->shadow[i] = live(soc, tile, codes[i]);
	}
	t->burst = value;
}
