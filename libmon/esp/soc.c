// SPDX-License-Identifier: GPL-2.0-only
/* The topology of the running SoC, as the PMU espmon shows it in caps/ and tiles. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/esp/monitors.h"

static bool layout_is(const struct mon_pmu *pmu, const char *year)
{
	char *text = mon_pmu_read_file(pmu, "caps/layout");
	bool is = text && !strcmp(text, year);

	free(text);
	return is;
}

static bool read_cap(const struct mon_pmu *pmu, const char *file, unsigned int *value)
{
	char *text = mon_pmu_read_file(pmu, file);
	uint64_t number = 0;
	bool good = text && mon_parse_u64(text, &number) && number && number <= ESP_MAX_TILES;

	if (text && !good)
		mon_fail(EPROTO, "%s: %s: \"%s\" is not a number of tiles", pmu->name, file, text);
	free(text);
	*value = number;
	return good;
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

/* "INDEX ROW COLUMN KIND [NAME.NUMBER [l2]]" */
static bool parse_tile(struct mon_esp_soc *soc, const char *line, unsigned int index)
{
	struct mon_esp_tile *tile = &soc->tile[index];
	char kind[16], name[80], l2[8];
	unsigned int t, row, col;
	int n = sscanf(line, "%u %u %u %15s %79s %7s", &t, &row, &col, kind, name, l2);

	if (n < 4 || t != index)
		return false;
	tile->kind = kind_of(kind);
	tile->has_l2 = tile->kind == ESP_TILE_ACC && n == 6 && !strcmp(l2, "l2");
	switch (tile->kind) {
	case ESP_TILE_CPU:
		soc->dims.ncpu++;
		break;
	case ESP_TILE_MEM:
		soc->mem_tile[soc->dims.nmem++] = index;
		break;
	case ESP_TILE_ACC:
		soc->acc_tile[soc->dims.nacc++] = index;
		break;
	default:
		break;
	}
	return true;
}

static bool read_tiles(struct mon_esp_soc *soc)
{
	char *text = mon_pmu_read_file(soc->pmu, "tiles"), *line, *save = NULL;
	unsigned int n = 0;

	if (!text)
		return false;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++)
		if (n == soc->ntiles || !parse_tile(soc, line, n))
			break;
	free(text);
	if (!line && n == soc->ntiles)
		return true;
	mon_fail(EPROTO, "%s: tiles: line %u: not what %u x %u tiles look like", soc->pmu->name,
		 n + 1, soc->dims.rows, soc->dims.cols);
	return false;
}

struct mon_esp_soc *mon_esp_soc_new(void)
{
	struct mon_esp_soc *soc = calloc(1, sizeof(*soc));

	if (!soc) {
		mon_fail(ENOMEM, "espmon: out of memory");
		return NULL;
	}
	soc->pmu = mon_pmu_new("espmon");
	if (soc->pmu && read_cap(soc->pmu, "caps/rows", &soc->dims.rows) &&
	    read_cap(soc->pmu, "caps/columns", &soc->dims.cols)) {
		soc->ntiles = soc->dims.rows * soc->dims.cols;
		soc->has_invocations = !layout_is(soc->pmu, "2021");
		if (soc->ntiles > ESP_MAX_TILES)
			mon_fail(EPROTO, "espmon: %u x %u tiles: more than %u", soc->dims.rows,
				 soc->dims.cols, ESP_MAX_TILES);
		else if (read_tiles(soc))
			return soc;
	}
	mon_esp_soc_free(soc);
	return NULL;
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
