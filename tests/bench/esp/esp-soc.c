/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/bench/esp/esp-soc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEM_BASE	0x80000000u
#define MEM_SIZE	(16u << 20)
#define CHUNK		(1u << 20)

static uint8_t memory[MEM_SIZE];

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

struct esp_soc *bench_soc_new(const char *name, const struct esp_design *design,
			      const struct mon_esp_acc_type *const *accelerators,
			      void (*irq)(void *opaque, unsigned int acc))
{
	struct esp_soc_ops ops = { .mem_read = mem_read, .mem_write = mem_write, .irq = irq };
	struct esp_params params;
	struct esp_soc *soc;
	char err[256] = "";

	esp_params_init(&params);
	params.mem_base = MEM_BASE;
	params.mem_size = MEM_SIZE;
	params.accelerators = accelerators;
	soc = esp_soc_new(design, &params, &ops, NULL, err, sizeof(err));
	if (!soc) {
		fprintf(stderr, "%s: %s\n", name, err);
		exit(1);
	}
	return soc;
}

void bench_soc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value)
{
	esp_soc_write(soc, 0, ESP_ACC_BASE + acc * ESP_ACC_STRIDE + offset, value);
}

/* Page tables at the beginning, then a chunk for each accelerator. */
void bench_soc_prepare(struct esp_soc *soc, unsigned int acc, unsigned int mode)
{
	uint32_t table = MEM_BASE + 0x1000 * acc;
	uint64_t chunk = MEM_BASE + CHUNK * (acc + 1);

	memcpy(memory + (table - MEM_BASE), &chunk, sizeof(chunk));
	bench_soc_write(soc, acc, ESP_ACC_PT_ADDRESS, table);
	bench_soc_write(soc, acc, ESP_ACC_PT_NCHUNK, 1);
	bench_soc_write(soc, acc, ESP_ACC_PT_SHIFT, 20);
	bench_soc_write(soc, acc, ESP_ACC_COHERENCE, mode);
}

void bench_soc_start(struct esp_soc *soc, unsigned int acc, unsigned int mode, uint32_t tokens)
{
	bench_soc_prepare(soc, acc, mode);
	bench_soc_write(soc, acc, ESP_ACC_DST_OFFSET, 8 * tokens);
	bench_soc_write(soc, acc, ESP_DUMMY_TOKENS, tokens);
	bench_soc_write(soc, acc, ESP_DUMMY_BATCH, 1);
	bench_soc_write(soc, acc, ESP_ACC_CMD, 1);
}
