/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contention of accelerators at one memory tile: one to all of the design's streaming accelerators
 * start in the same cycle and copy TOKENS words each, in each coherence mode.
 *
 * usage: esp-contention DESIGN.esp_config
 *
 * Prints a line a run: mode, accelerators, mean of acc_mem_cycles, mean of acc_tot_cycles, cycles
 * in which a link of the mesh was occupied (noc_queue_full of north, south, west and east, all
 * planes and tiles), flits times links that they crossed, DRAM words for each accelerator. Without
 * stalls the fifth and the sixth number are equal. docs/esp-contention.md has the table and a plot
 * of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/esp/esp-soc.h"

/* Words of 8 bytes, each read and written: 16 and 16 KiB, which fit into all caches. */
#define TOKENS		2048u

struct sums {
	uint64_t mem, tot, occupied, crossed, words;
};

static unsigned int distance(const struct esp_design *d, unsigned int a, unsigned int b)
{
	return abs((int)(a % d->cols) - (int)(b % d->cols)) +
	       abs((int)(a / d->cols) - (int)(b / d->cols));
}

/*
 * Flits times links: flits of an accelerator go to the memory tile, and flits of the memory tile go
 * to accelerators, all at the same distance or the same number to each. Interrupts and the
 * processor's own accesses, on plane index 4, are left out.
 */
static uint64_t crossed(struct esp_soc *soc, unsigned int mem, unsigned int n)
{
	const struct esp_design *d = esp_soc_design(soc);
	uint64_t sum = 0, hops = 0;
	unsigned int t, plane;

	for (t = 0; t < d->rows * d->cols; t++) {
		if (d->tiles[t].kind != ESP_TILE_ACC || d->tiles[t].id >= n)
			continue;
		hops += distance(d, t, mem);
		for (plane = 0; plane < ESP_NPLANES; plane++) {
			if (plane != 4)
				sum += (uint64_t)distance(d, t, mem) *
				       esp_soc_monitor(soc, t, ESP_MON_NOC_INJECT(plane));
		}
	}
	for (plane = 0; plane < ESP_NPLANES; plane++) {
		if (plane != 4)
			sum += esp_soc_monitor(soc, mem, ESP_MON_NOC_INJECT(plane)) / n * hops;
	}
	return sum;
}

static struct sums look(struct esp_soc *soc, unsigned int mem, unsigned int n)
{
	const struct esp_design *d = esp_soc_design(soc);
	struct sums s = { .words = esp_soc_monitor(soc, mem, ESP_MON_DDR) };
	unsigned int t, plane, port;

	for (t = 0; t < d->rows * d->cols; t++) {
		for (plane = 0; plane < ESP_NPLANES; plane++) {
			for (port = 0; plane != 4 && port < ESP_NPORTS - 1; port++)
				s.occupied += esp_soc_monitor(soc, t,
							      ESP_MON_NOC_QUEUE(plane, port));
		}
		if (d->tiles[t].kind != ESP_TILE_ACC || d->tiles[t].id >= n)
			continue;
		s.mem += esp_soc_monitor(soc, t, ESP_MON_ACC_MEM_LO);
		s.tot += esp_soc_monitor(soc, t, ESP_MON_ACC_TOT_LO);
	}
	s.crossed = crossed(soc, mem, n);
	return s;
}

static void run(const struct esp_design *design, unsigned int mode, unsigned int n)
{
	static const char *const modes[] = { "none", "llc", "recall", "full" };
	struct esp_soc *soc = bench_soc_new("esp-contention", design, NULL, NULL);
	unsigned int acc, mem;
	struct sums s;

	for (mem = 0; design->tiles[mem].kind != ESP_TILE_MEM; mem++)
		;
	for (acc = 0; acc < n; acc++)
		bench_soc_start(soc, acc, mode, TOKENS);
	while (esp_soc_next_event(soc) != UINT64_MAX)
		esp_soc_advance(soc, esp_soc_next_event(soc));
	s = look(soc, mem, n);
	printf("%-6s %u %8llu %8llu %9llu %9llu %7llu\n", modes[mode], n,
	       (unsigned long long)(s.mem / n), (unsigned long long)(s.tot / n),
	       (unsigned long long)s.occupied, (unsigned long long)s.crossed,
	       (unsigned long long)(s.words / n));
	esp_soc_free(soc);
}

int main(int argc, char **argv)
{
	static struct esp_design design;
	unsigned int mode, n;
	char err[256];

	if (argc != 2) {
		fprintf(stderr, "usage: esp-contention DESIGN.esp_config\n");
		return 2;
	}
	if (esp_design_read(argv[1], &design, err, sizeof(err))) {
		fprintf(stderr, "esp-contention: %s\n", err);
		return 1;
	}
	if (design.nmem != 1) {
		fprintf(stderr, "esp-contention: %s has %u memory tiles: use a design with one\n",
			argv[1], design.nmem);
		return 1;
	}
	puts("mode n acc_mem acc_tot occupied crossed words");
	for (mode = ESP_COH_NONE; mode <= ESP_COH_FULL; mode++) {
		for (n = 1; n <= design.nacc; n++)
			run(&design, mode, n);
	}
	return 0;
}
