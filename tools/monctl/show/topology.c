// SPDX-License-Identifier: GPL-2.0-only
/* monctl topology: what the PMUs' devices consist of. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/select.h"

struct topology_options {
	bool json;
	const char *pmu;
	bool found;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct topology_options *o = state->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->pmu)
			return ARGP_ERR_UNKNOWN;
		o->pmu = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

struct grid {
	int rows, columns;
};

/* 0 x 0 if the places have no positions. */
static struct grid grid_of(const struct mon_pmu *pmu)
{
	struct grid grid = { 0, 0 };

	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);

		if (mon_place_get_row(place) >= grid.rows)
			grid.rows = mon_place_get_row(place) + 1;
		if (mon_place_get_column(place) >= grid.columns)
			grid.columns = mon_place_get_column(place) + 1;
	}
	return grid;
}

static const struct mon_place *place_at(const struct mon_pmu *pmu, int row, int column)
{
	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);

		if (mon_place_get_row(place) == row && mon_place_get_column(place) == column)
			return place;
	}
	return NULL;
}

/* The widest cell that a terminal's line has room for, at most that of a device's name. */
static int cell_width(const struct mon_pmu *pmu, struct grid grid)
{
	int room = (terminal_width() - 1) / grid.columns - 1, longest = 6;

	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		int n = strlen(mon_place_get_device(mon_pmu_get_place(pmu, i)));

		if (n + 4 > longest)
			longest = n + 4;
	}
	return room < longest ? room : longest;
}

static void print_rule(struct grid grid, int width)
{
	for (int c = 0; c < grid.columns; c++) {
		putchar('+');
		for (int i = 0; i < width; i++)
			putchar('-');
	}
	printf("+\n");
}

/* Number and kind; in a narrow cell the kind's letter, or an accelerator's number. */
static void print_cell(const struct mon_place *place, int width)
{
	const char *kind = place ? mon_place_get_kind(place) : "";
	char *text;

	if (!place)
		text = format_text("%s", "");
	else if (width < 8)
		text = format_text("%u%c", mon_place_get_number(place), *kind);
	else
		text = format_text("%u %s", mon_place_get_number(place),
				   *mon_place_get_device(place) ? mon_place_get_device(place) : kind);
	printf("|%-*.*s", width, width, text);
	free(text);
}

static void print_grid(const struct mon_pmu *pmu, struct grid grid)
{
	int width = cell_width(pmu, grid);

	if (width < 4)
		return;	/* the list of kinds below says it all */
	for (int r = 0; r < grid.rows; r++) {
		print_rule(grid, width);
		for (int c = 0; c < grid.columns; c++)
			print_cell(place_at(pmu, r, c), width);
		printf("|\n");
	}
	print_rule(grid, width);
}

static bool has_kind_before(const struct mon_pmu *pmu, size_t index)
{
	const char *kind = mon_place_get_kind(mon_pmu_get_place(pmu, index));

	for (size_t i = 0; i < index; i++)
		if (!strcmp(kind, mon_place_get_kind(mon_pmu_get_place(pmu, i))))
			return true;
	return false;
}

/* "  acc    3: 0 fft_stratus.0, 3 fft_stratus.1", for each kind of places. */
static void print_kinds(const struct mon_pmu *pmu)
{
	size_t n = mon_pmu_get_place_count(pmu), i, k;

	for (i = 0; i < n; i++) {
		const char *kind = mon_place_get_kind(mon_pmu_get_place(pmu, i));
		char *text = NULL;
		size_t size, count = 0;
		FILE *out;

		if (has_kind_before(pmu, i))
			continue;
		out = text_open(&text, &size);
		for (k = i; k < n; k++) {
			const struct mon_place *place = mon_pmu_get_place(pmu, k);
			const char *device = mon_place_get_device(place);

			if (strcmp(kind, mon_place_get_kind(place)))
				continue;
			fprintf(out, "%s%u%s%s", count++ ? ", " : "", mon_place_get_number(place),
				*device ? " " : "", device);
		}
		text_close(out);
		printf("  %-7s %4zu:  ", kind, count);
		print_wrapped(stdout, text, 16, terminal_width());
		free(text);
	}
}

static void print_pmu(const struct mon_pmu *pmu)
{
	struct grid grid = grid_of(pmu);
	uint64_t clock = pmu_clock(pmu);
	char *missing = mon_pmu_read_file(pmu, "caps/not_modelled");

	printf("%s: ", mon_pmu_get_name(pmu));
	if (grid.columns)
		printf("%d x %d ", grid.rows, grid.columns);
	else if (mon_pmu_get_place_count(pmu))
		printf("%zu ", mon_pmu_get_place_count(pmu));
	if (mon_pmu_get_place_count(pmu))
		printf("%s%s, ", mon_pmu_get_place_noun(pmu),
		       mon_pmu_get_place_count(pmu) == 1 ? "" : "s");
	if (clock)
		printf("%sHz, ", with_prefix(clock));
	printf("%zu events, counted on CPU %d\n", mon_pmu_get_event_count(pmu), mon_pmu_get_cpu(pmu));
	if (grid.columns)
		print_grid(pmu, grid);
	print_kinds(pmu);
	if (missing && *missing)
		printf("  not modelled: %s\n", missing);
	free(missing);
}

static void print_place_json(const struct mon_place *place, bool first)
{
	fputs(first ? "" : ",", stdout);
	json_print(stdout, "\n    {\"number\": %u, \"kind\": %s, \"name\": %s, \"device\": %s", mon_place_get_number(place),
		   mon_place_get_kind(place), mon_place_get_name(place), mon_place_get_device(place));
	if (mon_place_get_row(place) >= 0)
		json_print(stdout, ", \"row\": %d, \"column\": %d", mon_place_get_row(place), mon_place_get_column(place));
	json_print(stdout, ", \"terms\": %s}", mon_place_get_terms(place));
}

static void print_pmu_json(const struct mon_pmu *pmu, bool first)
{
	fputs(first ? "" : ",", stdout);
	json_print(stdout, "\n  {\"pmu\": %s, \"noun\": %s, \"clock_hz\": %llu, \"events\": %zu, \"cpu\": %d, \"places\": [",
		   mon_pmu_get_name(pmu), mon_pmu_get_place_noun(pmu), (unsigned long long)pmu_clock(pmu),
		   mon_pmu_get_event_count(pmu), mon_pmu_get_cpu(pmu));
	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++)
		print_place_json(mon_pmu_get_place(pmu, i), !i);
	fputs("]}", stdout);
}

int cmd_topology(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "json", 'j', NULL, 0, "An array of objects", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "[PMU]",
		"Show what the devices of the PMUs consist of: tiles with their kinds and "
		"accelerators, DPUs, hardware threads.",
		NULL, NULL, NULL,
	};
	struct topology_options o = { 0 };
	struct mon_pmus *pmus;

	parse_arguments(&argp, argc, argv, &o);
	pmus = mon_pmus_new();
	if (!pmus)
		die_mon();
	if (o.json)
		printf("[");
	for (size_t i = 0; i < mon_pmus_get_count(pmus); i++) {
		const struct mon_pmu *pmu = mon_pmus_get(pmus, i);

		if (o.pmu && strcmp(o.pmu, mon_pmu_get_name(pmu)))
			continue;
		if (o.json)
			print_pmu_json(pmu, !o.found);
		else
			printf("%s", o.found ? "\n" : ""), print_pmu(pmu);
		o.found = true;
	}
	if (o.json)
		printf("\n]\n");
	mon_pmus_free(pmus);
	/* says whether module or device is missing */
	if (!o.found && o.pmu && !mon_pmu_new(o.pmu))
		die_mon();
	if (!o.found)
		die("no PMU here has places: load libmon's modules, or look inside of mon-vm");
	return 0;
}
