/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Speed of the ESP model: host time of 1 MiB of DMA in each coherence mode, on several designs.
 *
 * 512 KiB are read and 512 KiB written by the first streaming accelerator, on cold caches.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/bench/esp/esp-soc.h"

#define WORDS		65536u		/* of 8 bytes, each read and written */

static struct esp_soc *soc;
static bool ended;
static uint64_t ended_at;

static void irq(void *opaque, unsigned int acc)
{
	(void)opaque;
	(void)acc;
	ended = true;
	ended_at = esp_soc_now(soc);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void run(const char *name, const struct esp_design *design, unsigned int mode)
{
	static const char *const modes[] = { "none", "llc", "recall", "full" };
	double start;

	soc = bench_soc_new("esp-bench", design, NULL, irq);
	ended = false;
	start = seconds();
	bench_soc_start(soc, 0, mode, WORDS);
	while (!ended && esp_soc_next_event(soc) != UINT64_MAX)
		esp_soc_advance(soc, esp_soc_next_event(soc) + 1000);
	start = seconds() - start;
	printf("%-12s %-7s %8.1f MB/s  %7.1f ms for 1 MiB  %9llu cycles\n", name, modes[mode],
	       2 * 8 * WORDS / start / 1e6, start * 1e3, (unsigned long long)ended_at);
	esp_soc_free(soc);
}

int main(int argc, char **argv)
{
	static struct esp_design design;
	char err[256];
	unsigned int mode;
	int i;

	if (argc < 2) {
		fprintf(stderr, "usage: esp-bench DESIGN.esp_config...\n");
		return 2;
	}
	for (i = 1; i < argc; i++) {
		const char *name = strrchr(argv[i], '/');

		if (esp_design_read(argv[i], &design, err, sizeof(err))) {
			fprintf(stderr, "esp-bench: %s\n", err);
			return 1;
		}
		for (mode = ESP_COH_NONE; mode <= ESP_COH_FULL; mode++)
			run(name ? name + 1 : argv[i], &design, mode);
	}
	return 0;
}
