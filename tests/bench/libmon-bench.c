// SPDX-License-Identifier: GPL-2.0-only
/*
 * esp_monitor() compared with a plain loop that reads the same registers through a mapping of the
 * device's BAR and writes the burst registers, as ESP's own library does. Runs in the guest as
 * root, with iomem=relaxed on the kernel command line. Times are the best of several batches, in
 * guest time.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <mon.h>

#include "soc_defs.h"
#include "monitors.h"
#include "soc_locs.h"
#include "events/esp/regs.h"

#define BATCHES	7

static volatile uint32_t *apb, *live;
static esp_monitor_vals_t vals;
static volatile uint32_t sink;

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "libmon-bench: %s: %s\n", what, why);
	exit(1);
}

static volatile uint32_t *map_bar(unsigned int bar, size_t size)
{
	char pattern[80];
	glob_t found;
	void *map;
	int fd;

	snprintf(pattern, sizeof(pattern), "/sys/bus/pci/drivers/espmon/0*/resource%u", bar);
	if (glob(pattern, 0, NULL, &found))
		fail(pattern, "no such device");
	fd = open(found.gl_pathv[0], O_RDWR);
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		fail(found.gl_pathv[0], "cannot map: boot with iomem=relaxed");
	globfree(&found);
	close(fd);
	return map;
}

static unsigned int tile_of(soc_loc_t loc)
{
	return loc.row * SOC_COLS + loc.col;
}

static uint32_t reg(unsigned int tile, unsigned int offset)
{
	return apb[(ESP_CSR_BASE + tile * ESP_CSR_STRIDE + offset) / 4];
}

static void burst(unsigned int tile, uint32_t value)
{
	apb[(ESP_CSR_BASE + tile * ESP_CSR_STRIDE + ESP_CSR_BURST) / 4] = value;
}

/* All tiles are latched, then all registers are read, then all are released. */
static void plain_all(void)
{
	unsigned int t, i, k;

	for (t = 0; t < SOC_NTILES; t++)
		burst(t, 1);
	for (k = 0; k < SOC_NMEM; k++)
		for (i = 0; i < 13; i++)
			if (i != ESP_MON_L2_HIT && i != ESP_MON_L2_MISS)
				sink = reg(tile_of(mem_locs[k]), ESP_CSR_MON(i));
	for (k = 0; k < SOC_NCPU + SOC_NACC; k++) {
		if (k >= SOC_NCPU && !acc_has_l2[k - SOC_NCPU])
			continue;
		t = tile_of(k < SOC_NCPU ? cpu_locs[k] : acc_locs[k - SOC_NCPU]);
		sink = reg(t, ESP_CSR_MON(ESP_MON_L2_HIT));
		sink = reg(t, ESP_CSR_MON(ESP_MON_L2_MISS));
	}
	for (k = 0; k < SOC_NACC; k++)
		for (i = ESP_MON_ACC_TLB; i <= ESP_MON_ACC_INVOCATIONS; i++)
			sink = reg(tile_of(acc_locs[k]), ESP_CSR_MON(i));
	for (t = 0; t < SOC_NTILES; t++)
		for (i = ESP_MON_DVFS(0); i < ESP_NMON; i++)
			sink = reg(t, ESP_CSR_MON(i));
	for (t = 0; t < SOC_NTILES; t++)
		burst(t, 0);
}

static void plain_single(void)
{
	sink = reg(0, ESP_CSR_MON(ESP_MON_NOC_INJECT(0)));
}

static void live_single(void)
{
	sink = live[ESP_MON_NOC_INJECT(0)];
}

static void monitor_single(void)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_SINGLE, .mon_index = MON_NOC_TILE_INJECT_BASE_INDEX,
	};

	sink = esp_monitor(args, NULL);
}

static void monitor_all(void)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };

	if (esp_monitor(args, &vals))
		fail("esp_monitor", mon_error());
}

/* 354 counters in six groups. */
static void open_groups(void)
{
	struct mon_group *groups[6];
	unsigned int t, i;
	char name[64];

	for (t = 0; t < 6; t++) {
		groups[t] = mon_group_new();
		for (i = 0; i < ESP_NMON; i++) {
			snprintf(name, sizeof(name), "espmon/event=%u,bytile,tile=%u/", i, t);
			if (!groups[t] || mon_group_add(groups[t], name) < 0)
				fail(name, mon_error());
		}
		if (mon_group_open(groups[t]))
			fail("mon_group_open", mon_error());
	}
	while (t--)
		mon_group_free(groups[t]);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* Nanoseconds of one call. */
static double best(void (*function)(void), unsigned int calls)
{
	double shortest = 0, start, time;
	unsigned int batch, i;

	function();
	for (batch = 0; batch < BATCHES; batch++) {
		start = now();
		for (i = 0; i < calls; i++)
			function();
		time = (now() - start) / calls;
		if (!batch || time < shortest)
			shortest = time;
	}
	return shortest;
}

int main(void)
{
	unsigned int many = SOC_NTILES > 64 ? 1 : 100;
	double raw, mirror, single, plain, all;

	apb = map_bar(0, ESP_APB_SIZE);
	live = map_bar(4, ESP_LIVE_SIZE);
	raw = best(plain_single, 20 * many);
	mirror = best(live_single, 1000 * many);
	single = best(monitor_single, 1000 * many);
	plain = best(plain_all, many);
	all = best(monitor_all, many);
	printf("%ux%u: one register: %.0f ns (BAR4: %.0f ns); esp_monitor SINGLE: %.0f ns, %.2f (%.2f) times\n",
	       SOC_ROWS, SOC_COLS, raw, mirror, single, single / raw, single / mirror);
	printf("%ux%u: plain loop over all: %.1f us; esp_monitor READ_ALL: %.1f us, %.2f times\n",
	       SOC_ROWS, SOC_COLS, plain / 1e3, all / 1e3, all / plain);
	printf("%ux%u: six groups of 59 counters, opened and closed: %.1f ms\n", SOC_ROWS, SOC_COLS,
	       best(open_groups, 1) / 1e6);
	esp_monitor_free();
	return 0;
}
