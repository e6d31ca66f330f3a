// SPDX-License-Identifier: GPL-2.0-only
/*
 * mon-socgen: writes soc_defs.h and soc_locs.h like ESP's own socgen, from a design's .esp_config
 * or from the running SoC.
 */
#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/esp/esp_config.h"
#include "models/esp/esp_tree.h"
#include "libmon/include/mon.h"
#include "models/esp/kernel.h"
#include "tools/esp/espmon-base.h"
#include "common/output.h"

struct options {
	const char *config, *dir, *pmu;
	bool from_device, monitor_base, dts;
	unsigned int clock_hz, layout;
};

enum { OPT_DTS = 256, OPT_CLOCK, OPT_LAYOUT };

static const struct argp_option option_list[] = {
	{ "from-device", 'd', "PMU", OPTION_ARG_OPTIONAL,
	  "describe the SoC that is running (default: espmon)", 0 },
	{ "monitor-base", 'b', "PMU", OPTION_ARG_OPTIONAL,
	  "print the physical address of the monitors of the SoC that is running", 0 },
	{ "dts", OPT_DTS, 0, 0, "print device tree nodes instead, for the SoC's own tree", 0 },
	{ "clock", OPT_CLOCK, "HZ", 0, "clock of the tiles, for --dts and esplink.h (default: 78125000)", 0 },
	{ "layout", OPT_LAYOUT, "NAME", 0, "layout of the monitors, for --dts: 2021, 2023 (default), 2026 (memory on AXI, release 2026.1.0) or vespa", 0 },
	{ "output", 'o', "DIR", 0, "write the files to DIR (default: here)", 0 },
	{ 0 }
};

static error_t socgen_parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'd':
		o->from_device = true;
		o->pmu = arg ? arg : o->pmu;
		return 0;
	case 'b':
		o->monitor_base = true;
		o->pmu = arg ? arg : o->pmu;
		return 0;
	case 'o':
		o->dir = arg;
		return 0;
	case OPT_DTS:
		o->dts = true;
		return 0;
	case OPT_CLOCK:
		o->clock_hz = strtoul(arg, NULL, 10);
		if (!o->clock_hz)
			argp_error(state, "--clock %s: give a number of Hz", arg);
		return 0;
	case OPT_LAYOUT:
		o->layout = esp_layout_of(arg);
		if (!strcmp(arg, "windowed"))
			argp_error(state,
				   "--layout windowed: monitors that restart by themselves cannot be added up, espmon does not count with them");
		if (espmon_register_of(o->layout, ESPMON_coh_reqs) < 0)
			argp_error(state, "--layout %s: 2021, 2023, 2026 or vespa", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (o->config)
			argp_error(state, "%s: one FILE only", arg);
		o->config = arg;
		return 0;
	case ARGP_KEY_END:
		if (o->from_device + o->monitor_base + !!o->config != 1)
			argp_error(state, "give a .esp_config FILE, --from-device or --monitor-base");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = option_list,
	.parser = socgen_parse,
	.args_doc = "FILE\n--from-device\n--monitor-base",
	.doc = "Writes soc_defs.h and soc_locs.h for programs that use monitors.h, and esplink.h for those without an "
	       "operating system.\vFILE is the .esp_config of any ESP release.",
};

static enum esp_tile_kind kind_of(const char *name)
{
	static const char *const names[] = {
		[ESP_TILE_EMPTY] = "empty", [ESP_TILE_CPU] = "cpu", [ESP_TILE_IO] = "io",
		[ESP_TILE_MEM] = "mem", [ESP_TILE_SLM] = "slm", [ESP_TILE_ACC] = "acc",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return i;
	return ESP_TILE_EMPTY;
}

static bool fail(char *err, size_t err_len, const char *text)
{
	snprintf(err, err_len, "%s", text);
	return false;
}

static void add_tile(struct esp_design *design, const struct mon_place *place,
		     const struct mon_event *l2_hits)
{
	struct esp_tile *tile = &design->tiles[mon_place_get_number(place)];

	tile->kind = kind_of(mon_place_get_kind(place));
	/* sysfs does not tell the vendor; assume ESP's own accelerators */
	strcpy(tile->vendor, "sld");
	tile->has_l2 = tile->kind == ESP_TILE_ACC && l2_hits &&
		       mon_event_counts_in(l2_hits, place);
	design->ncpu += tile->kind == ESP_TILE_CPU;
	design->nmem += tile->kind == ESP_TILE_MEM;
	design->nacc += tile->kind == ESP_TILE_ACC;
	design->rows = mon_place_get_row(place) + 1;
	design->cols = mon_place_get_column(place) + 1;
}

/* sysfs does not tell a running SoC's processor: assume Ariane with 64-bit networks. */
static bool device_design(const char *name, struct esp_design *design, char *err, size_t err_len)
{
	struct mon_pmu *pmu = mon_pmu_new(name);
	const struct mon_event *l2_hits;
	size_t n, t;

	memset(design, 0, sizeof(*design));
	design->arch = ESP_ARCH_ARIANE;
	design->coh_noc_width = 64;
	design->dma_noc_width = 64;
	if (!pmu)
		return fail(err, err_len, mon_error());
	n = mon_pmu_get_place_count(pmu);
	l2_hits = mon_pmu_find_event(pmu, "l2_hits");
	for (t = 0; t < n && t < ESP_MAX_TILES; t++)
		add_tile(design, mon_pmu_get_place(pmu, t), l2_hits);
	mon_pmu_free(pmu);
	if (!n || design->rows * design->cols != n)
		return fail(err, err_len, "the folder tiles of the PMU does not describe a SoC");
	return true;
}

/* Memory tiles that hold a part of the accelerators' pool; all memory tiles share 1 GiB evenly. */
static unsigned int nddr_contig(const struct esp_design *design)
{
	uint64_t share, last = esp_design_pool_end(design) - 1;

	if (!design->nmem)
		return 0;
	share = 0x40000000 / design->nmem;
	last = last / share < design->nmem ? last / share : design->nmem - 1;
	return last - ESP_POOL_FIRST / share + 1;
}

static void write_defs(FILE *file, const void *what)
{
	const struct esp_design *design = what;
	bool narrow = design->coh_noc_width == 32 || design->dma_noc_width == 32;

	fprintf(file, "/* Written by mon-socgen. */\n");
	fprintf(file, "#ifndef __SOC_DEFS_H__\n#define __SOC_DEFS_H__\n\n");
	fprintf(file, "#define SOC_ROWS %u\n", design->rows);
	fprintf(file, "#define SOC_COLS %u\n", design->cols);
	fprintf(file, "#define SOC_NCPU %u\n", design->ncpu);
	fprintf(file, "#define SOC_NMEM %u\n", design->nmem);
	fprintf(file, "#define SOC_NACC %u\n", design->nacc);
	fprintf(file, "#define SOC_NDDR_CONTIG %u\n", nddr_contig(design));
	if (design->nacc)
		fprintf(file, "#define ACCS_PRESENT 1\n");
	fprintf(file, "#define MONITOR_BASE_ADDR %s\n",
		design->arch == ESP_ARCH_LEON3 ? "0x80090000" : "0x60090000");
	fprintf(file, "#define MONITOR_TILE_SIZE 0x200\n");
	fprintf(file, "#define YX_WIDTH %u\n\n#endif\n", narrow ? 3 : 4);
}

static void write_list(FILE *file, const struct esp_design *design, enum esp_tile_kind kind,
		       const char *head)
{
	const char *separator = "";
	unsigned int t;

	fprintf(file, "%s = {", head);
	for (t = 0; t < design->rows * design->cols; t++) {
		if (design->tiles[t].kind != kind)
			continue;
		fprintf(file, "%s{%u, %u}", separator, t / design->cols, t % design->cols);
		separator = ", ";
	}
	fprintf(file, "};\n");
}

static void write_locs(FILE *file, const void *what)
{
	const struct esp_design *design = what;
	const char *separator = "";
	unsigned int t;

	fprintf(file, "/* Written by mon-socgen; to be included inside of a function. */\n");
	write_list(file, design, ESP_TILE_CPU, "soc_loc_t cpu_locs[SOC_NCPU]");
	write_list(file, design, ESP_TILE_MEM, "soc_loc_t mem_locs[SOC_NMEM]");
	if (!design->nacc)
		return;
	write_list(file, design, ESP_TILE_ACC, "soc_loc_t acc_locs[SOC_NACC]");
	fprintf(file, "unsigned int acc_has_l2[SOC_NACC] = {");
	for (t = 0; t < design->rows * design->cols; t++) {
		if (design->tiles[t].kind != ESP_TILE_ACC)
			continue;
		fprintf(file, "%s%u", separator, design->tiles[t].has_l2);
		separator = ", ";
	}
	fprintf(file, "};\n");
}

/*
 * What ESP's generator writes for programs without an operating system (socmap_gen.py, print_esplink_header): the clock
 * sets the APBUART's rate, and the boot ROM's data begin with the device tree.
 */
struct link {
	enum esp_arch arch;
	unsigned int clock_hz;
};

static void write_link(FILE *file, const void *what)
{
	static const struct { unsigned int rom, data, memory, link; } maps[] = {
		[ESP_ARCH_LEON3] = { 0, 0, 0x40000000, 0x80000400 },
		[ESP_ARCH_ARIANE] = { 0x10000, 0x10400, 0x80000000, 0x60000400 },
		[ESP_ARCH_IBEX] = { 0x80, 0x500, 0x80000000, 0x60000400 },
	};
	const struct link *link = what;

	fprintf(file, "/* Written by mon-socgen. */\n#ifndef __SOCMAP_H__\n#define __SOCMAP_H__\n\n"
		"#define BASE_FREQ %u\n#define BOOTROM_BASE_ADDR 0x%x\n#define RODATA_START_ADDR 0x%x\n"
		"#define DRAM_BASE_ADDR 0x%x\n#define ESPLINK_BASE_ADDR 0x%x\n\n#endif\n", link->clock_hz,
		maps[link->arch].rom, maps[link->arch].data, maps[link->arch].memory, maps[link->arch].link);
}

static int write_file(const char *dir, const char *name, const void *what,
		      void (*write)(FILE *file, const void *what))
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = output_open(path);
	if (!file) {
		fprintf(stderr, "mon-socgen: %s: %s: pass a folder that you may write with --output\n", dir, strerror(errno));
		return 1;
	}
	write(file, what);
	if (!output_close(file, path)) {
		fprintf(stderr, "mon-socgen: %s: %s\n", path, strerror(errno));
		return 1;
	}
	return 0;
}

/* ESP's memory map: the window of the processor's architecture, 1 GiB of memory. */
static int print_tree(const struct options *o, const struct esp_design *design)
{
	const bool leon3 = design->arch == ESP_ARCH_LEON3;
	const struct esp_tree tree = {
		.apb = leon3 ? 0x80000000 : 0x60000000,
		.clock_hz = o->clock_hz,
		.layout = o->layout,
		.mem_base = leon3 ? 0x40000000 : 0x80000000,
		.mem_size = 0x40000000,
	};

	esp_tree_print(stdout, design, &tree);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "mon-socgen: standard output: %s\n", strerror(errno));
		return 1;
	}
	return 0;
}

static void warn(const struct esp_design *design)
{
	unsigned int i;

	for (i = 0; i < design->nnotes; i++)
		fprintf(stderr, "mon-socgen: warning: %s\n", design->notes[i]);
#define NOT(name, bit, text) \
	if (esp_design_not_modelled(design) & (bit)) \
		fprintf(stderr, "mon-socgen: warning: not modelled: " text "\n");
	ESP_NOT_MODELLED(NOT)
#undef NOT
}

static int print_monitor_base(const char *pmu)
{
	char err[512];
	uint64_t base;

	if (!espmon_base(pmu, &base, err, sizeof(err))) {
		fprintf(stderr, "mon-socgen: %s\n", err);
		return 1;
	}
	printf("0x%llx\n", (unsigned long long)base);
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { .dir = ".", .pmu = "espmon", .clock_hz = 78125000, .layout = 2023 };
	static struct esp_design design;
	char err[512];
	bool good;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (o.monitor_base)
		return print_monitor_base(o.pmu);
	if (o.from_device)
		good = device_design(o.pmu, &design, err, sizeof(err));
	else
		good = !esp_design_read(o.config, &design, err, sizeof(err));
	if (!good) {
		fprintf(stderr, "mon-socgen: %s\n", err);
		return 1;
	}
	warn(&design);
	if (o.dts)
		return print_tree(&o, &design);
	return write_file(o.dir, "soc_defs.h", &design, write_defs) ||
	       write_file(o.dir, "soc_locs.h", &design, write_locs) ||
	       (o.config && write_file(o.dir, "esplink.h", &(struct link){ design.arch, o.clock_hz }, write_link));
}
