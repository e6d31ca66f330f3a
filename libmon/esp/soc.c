// SPDX-License-Identifier: LGPL-2.1-or-later
/* The topology of the running SoC, from the places of its PMU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/esp/monitors.h"

/* With several SoCs LIBMON_ESP_PMU selects one by its PMU, for example espmon_1. */
static const char *pmu_name(void)
{
	const char *name = secure_getenv("LIBMON_ESP_PMU");

	return name && *name ? name : "espmon";
}

static enum esp_tile_kind kind_of(const char *name)
{
	static const char *const names[] = {
		[ESP_TILE_CPU] = "cpu", [ESP_TILE_IO] = "io", [ESP_TILE_MEM] = "mem",
		[ESP_TILE_SLM] = "slm", [ESP_TILE_ACC] = "acc",
	};
	unsigned int i;

	for (i = 1; i < MON_ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return i;
	return ESP_TILE_EMPTY;
}

static void add_tile(struct mon_esp_soc *soc, const struct mon_place *place,
		     const struct mon_event *l2_hits)
{
	unsigned int t = mon_place_get_number(place);
	struct mon_esp_tile *tile = &soc->tile[t];

	soc->dims.rows = mon_place_get_row(place) + 1;
	if (soc->dims.cols <= (unsigned int)mon_place_get_column(place))
		soc->dims.cols = mon_place_get_column(place) + 1;
	tile->kind = kind_of(mon_place_get_kind(place));
	tile->has_l2 = tile->kind == ESP_TILE_ACC && l2_hits &&
		       mon_event_counts_in(l2_hits, place);
	switch (tile->kind) {
	case ESP_TILE_CPU:
		soc->cpu_tile[soc->dims.ncpu++] = t;
		break;
	case ESP_TILE_MEM:
		soc->mem_tile[soc->dims.nmem++] = t;
		break;
	case ESP_TILE_ACC:
		soc->acc_tile[soc->dims.nacc++] = t;
		break;
	default:
		break;
	}
}

static bool add_tiles(struct mon_esp_soc *soc)
{
	const struct mon_event *l2_hits = mon_pmu_find_event(soc->pmu, "l2_hits");
	unsigned int t;

	soc->ntiles = mon_pmu_get_place_count(soc->pmu);
	for (t = 0; t < soc->ntiles && t < ESP_MAX_TILES; t++)
		add_tile(soc, mon_pmu_get_place(soc->pmu, t), l2_hits);
	if (t && t == soc->ntiles && soc->dims.rows * soc->dims.cols == t)
		return true;
	mon_fail(EPROTO, "%s: the folder tiles does not describe a SoC of 1 to %u tiles",
		 mon_pmu_get_name(soc->pmu), ESP_MAX_TILES);
	return false;
}

struct mon_esp_soc *mon_esp_soc_new(void)
{
	struct mon_esp_soc *soc = calloc(1, sizeof(*soc));

	if (!soc) {
		mon_fail(ENOMEM, "espmon: out of memory");
		return NULL;
	}
	soc->pmu = mon_pmu_new(pmu_name());
	if (!soc->pmu || !add_tiles(soc)) {
		mon_esp_soc_free(soc);
		return NULL;
	}
	soc->has_invocations = mon_pmu_find_event(soc->pmu, "acc_invocations");
	soc->has_accesses = mon_pmu_find_event(soc->pmu, "ddr_accesses");
	return soc;
}

void mon_esp_soc_free(struct mon_esp_soc *soc)
{
	if (!soc)
		return;
	mon_pmu_free(soc->pmu);
	free(soc);
}

int mon_esp_soc_match(const struct mon_esp_soc *soc, const struct libmon_esp_dims *dims)
{
	const struct libmon_esp_dims *is = &soc->dims;

	if (!memcmp(dims, is, sizeof(*dims)))
		return 0;
	return mon_fail(EINVAL,
			"soc_defs.h is of a SoC with %u x %u tiles (%u cpu, %u mem, %u acc), the one that is running has %u x %u (%u cpu, %u mem, %u acc): compile with the soc_defs.h that mon-socgen --from-device writes",
			dims->rows, dims->cols, dims->ncpu, dims->nmem, dims->nacc,
			is->rows, is->cols, is->ncpu, is->nmem, is->nacc);
}
