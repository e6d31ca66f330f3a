// SPDX-License-Identifier: LGPL-2.1-or-later
/* Places of a PMU: where its events can be counted one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

/* More than any device has: 256 tiles, 64 DPUs a rank. */
#define MAX_PLACES 4096

static bool set_terms(struct mon_place *place, const struct mon_topology *topology)
{
	unsigned int value = place->number + topology->first;

	place->terms = mon_format("%s%s%s=%u", topology->select, *topology->select ? "," : "",
				  topology->field, value);
	return place->terms;
}

static struct mon_place *add_place(struct mon_pmu *pmu, const char *kind, const char *device,
				   const char *feature)
{
	struct mon_place *place = reallocarray(pmu->places, pmu->nplaces + 1, sizeof(*place));
	const char *dot = strrchr(device, '.');

	if (!place)
		return NULL;
	pmu->places = place;
	place += pmu->nplaces;
	memset(place, 0, sizeof(*place));
	place->number = pmu->nplaces++;
	place->row = -1;
	place->column = -1;
	place->kind = strdup(kind);
	place->device = strdup(device);
	place->name = strndup(device, dot ? (size_t)(dot - device) : strlen(device));
	place->feature = strdup(feature);
	if (!place->kind || !place->device || !place->name || !place->feature ||
	    !set_terms(place, pmu->topology))
		return NULL;
	return place;
}

/* "INDEX ROW COLUMN KIND [DEVICE [FEATURE]]" */
static bool add_line(struct mon_pmu *pmu, const char *line)
{
	char kind[16], device[80] = "", feature[16] = "";
	unsigned int index, row, column;
	struct mon_place *place;

	if (sscanf(line, "%u %u %u %15s %79s %15s", &index, &row, &column, kind, device,
		   feature) < 4 || index != pmu->nplaces || index >= MAX_PLACES)
		return false;
	place = add_place(pmu, kind, device, feature);
	if (!place)
		return false;
	place->row = row;
	place->column = column;
	return true;
}

static bool read_list(struct mon_pmu *pmu, char *text)
{
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (!add_line(pmu, line))
			return false;
	return true;
}

static bool add_count(struct mon_pmu *pmu, uint64_t count)
{
	while (pmu->nplaces < count && count <= MAX_PLACES)
		if (!add_place(pmu, pmu->topology->noun, "", ""))
			return false;
	return pmu->nplaces == count;
}

/* The file has the number of places, or a line for each. */
void mon_places_read(struct mon_pmu *pmu)
{
	char *path, *text;
	uint64_t count;

	if (!pmu->topology)
		return;
	path = mon_format("%s/%s", pmu->path, pmu->topology->file);
	text = path ? mon_read_text(path) : NULL;
	if (text && !(mon_parse_u64(text, &count) ? add_count(pmu, count) : read_list(pmu, text)))
		mon_places_free(pmu);
	free(text);
	free(path);
}

void mon_places_free(struct mon_pmu *pmu)
{
	while (pmu->nplaces) {
		struct mon_place *place = &pmu->places[--pmu->nplaces];

		free(place->kind);
		free(place->name);
		free(place->device);
		free(place->feature);
		free(place->terms);
	}
	free(pmu->places);
	pmu->places = NULL;
}

const char *mon_pmu_get_place_noun(const struct mon_pmu *pmu)
{
	return pmu->nplaces ? pmu->topology->noun : "";
}

size_t mon_pmu_get_place_count(const struct mon_pmu *pmu)
{
	return pmu->nplaces;
}

const struct mon_place *mon_pmu_get_place(const struct mon_pmu *pmu, size_t index)
{
	return index < pmu->nplaces ? &pmu->places[index] : NULL;
}

unsigned int mon_place_get_number(const struct mon_place *place)
{
	return place->number;
}

const char *mon_place_get_kind(const struct mon_place *place)
{
	return place->kind;
}

const char *mon_place_get_name(const struct mon_place *place)
{
	return place->name;
}

const char *mon_place_get_device(const struct mon_place *place)
{
	return place->device;
}

int mon_place_get_row(const struct mon_place *place)
{
	return place->row;
}

int mon_place_get_column(const struct mon_place *place)
{
	return place->column;
}

const char *mon_place_get_terms(const struct mon_place *place)
{
	return place->terms;
}
