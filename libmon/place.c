// SPDX-License-Identifier: LGPL-2.1-or-later
/* Places of a PMU: its tiles, DPUs or hardware threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

/* Upper bound of any device: 256 tiles, 64 DPUs a rank. */
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

/* "ROW COLUMN KIND [DEVICE [FEATURE]]" */
static bool add_line(struct mon_pmu *pmu, const char *line)
{
	char kind[16], device[80] = "", feature[16] = "";
	unsigned int row, column;
	struct mon_place *place;

	if (sscanf(line, "%u %u %15s %79s %15s", &row, &column, kind, device, feature) < 3 ||
	    pmu->nplaces >= MAX_PLACES)
		return false;
	place = add_place(pmu, kind, device, feature);
	if (!place)
		return false;
	place->row = row;
	place->column = column;
	return true;
}

static char *read_file(const struct mon_pmu *pmu, const char *suffix)
{
	char *path = mon_format("%s/%s%s", pmu->path, pmu->topology->file, suffix);
	char *text = path ? mon_read_text(path) : NULL;

	free(path);
	return text;
}

/* The folder has the files 0, 1, ... */
static bool read_folder(struct mon_pmu *pmu)
{
	bool good = true;
	char number[16];
	char *text;

	do {
		snprintf(number, sizeof(number), "/%zu", pmu->nplaces);
		text = read_file(pmu, number);
		good = !text || add_line(pmu, text);
		free(text);
	} while (text && good);
	return good;
}

static bool add_count(struct mon_pmu *pmu, uint64_t count)
{
	while (pmu->nplaces < count && count <= MAX_PLACES)
		if (!add_place(pmu, pmu->topology->noun, "", ""))
			return false;
	return pmu->nplaces == count;
}

/* Either a file with the number of places, or a folder with one file each. */
void mon_places_read(struct mon_pmu *pmu)
{
	uint64_t count;
	char *text;

	if (!pmu->topology)
		return;
	text = read_file(pmu, "");
	if (!(text ? mon_parse_u64(text, &count) && add_count(pmu, count) : read_folder(pmu)))
		mon_places_free(pmu);
	free(text);
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
