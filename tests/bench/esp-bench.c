/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Speed of the ESP model: host time of 1 MiB of DMA in each coherence mode, on several designs.
 *
 * 512 KiB are read and 512 KiB written by the first streaming accelerator, on cold caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "esp/soc.h"

#define MEM_BASE	0x80000000u
#define MEM_SIZE	(16u << 20)
#define WORDS		65536u		/* of 8 bytes, each read and written */
#define DUMMY_TOKENS	0x40
#define DUMMY_BATCH	0x44

static uint8_t *memory;
static struct esp_soc *soc;
static bool ended;
static uint64_t ended_at;

static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque;
	memcpy(buf, memory + (addr - MEM_BASE), len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque;
	memcpy(memory + (addr - MEM_BASE), buf, len);
	return true;
}

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
	static const struct esp_soc_ops ops = { mem_read, mem_write, irq, NULL };
	struct esp_params params;
	char err[256] = "";
	double start;
	const uint32_t base = ESP_ACC_BASE;
	uint64_t table = MEM_BASE;

	esp_params_init(&params);
	params.mem_base = MEM_BASE;
	params.mem_size = MEM_SIZE;
	soc = esp_soc_new(design, &params, &ops, NULL, err, sizeof(err));
	if (!soc) {
		fprintf(stderr, "esp-bench: %s: %s\n", name, err);
		exit(1);
	}
	memcpy(memory + 0x10000, &table, sizeof(table));
	esp_soc_write(soc, 0, base + ESP_ACC_PT_ADDRESS, MEM_BASE + 0x10000);
	esp_soc_write(soc, 0, base + ESP_ACC_PT_NCHUNK, 1);
	esp_soc_write(soc, 0, base + ESP_ACC_PT_SHIFT, 24);
	esp_soc_write(soc, 0, base + ESP_ACC_COHERENCE, mode);
	esp_soc_write(soc, 0, base + ESP_ACC_SRC_OFFSET, 1 << 20);
	esp_soc_write(soc, 0, base + ESP_ACC_DST_OFFSET, 2 << 20);
	esp_soc_write(soc, 0, base + DUMMY_TOKENS, WORDS);
	esp_soc_write(soc, 0, base + DUMMY_BATCH, 1);
	ended = false;
	start = seconds();
	esp_soc_write(soc, 0, base + ESP_ACC_CMD, 1);
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
	memory = calloc(1, MEM_SIZE);
	if (!memory)
		return 1;
	for (i = 1; i < argc; i++) {
		const char *name = strrchr(argv[i], '/');

		if (esp_design_read(argv[i], &design, err, sizeof(err))) {
			fprintf(stderr, "esp-bench: %s\n", err);
			return 1;
		}
		for (mode = ESP_COH_NONE; mode <= ESP_COH_FULL; mode++)
			run(name ? name + 1 : argv[i], &design, mode);
	}
	free(memory);
	return 0;
}
