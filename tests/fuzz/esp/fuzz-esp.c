/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz target of the ESP model: the input is a list of steps (register accesses, words in memory,
 * time, processor accesses, reset, save and load), the first byte chooses the design. No input may
 * crash the model, and the SoC must become idle when its accelerators are stopped. Some inputs go
 * to the reader of designs.
 *
 * With libFuzzer this is the target alone; otherwise DRIVER adds a main() that makes inputs from a
 * seed: fuzz-esp [STEPS [SEED]]
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esp/cache.h"

#define MEM_BASE	0x80000000u
#define MEM_SIZE	(1u << 20)
#define STEP		7	/* bytes: what, where (2), value (4) */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static uint8_t memory[MEM_SIZE];

static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque;
	if (addr < MEM_BASE || addr - MEM_BASE > MEM_SIZE || len > MEM_SIZE - (addr - MEM_BASE))
		return false;
	memcpy(buf, memory + (addr - MEM_BASE), len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque;
	if (addr < MEM_BASE || addr - MEM_BASE > MEM_SIZE || len > MEM_SIZE - (addr - MEM_BASE))
		return false;
	memcpy(memory + (addr - MEM_BASE), buf, len);
	return true;
}

static void irq(void *opaque, unsigned int acc)
{
	(void)opaque;
	(void)acc;
}

static void guest_error(void *opaque, const char *message)
{
	(void)opaque;
	/* The model's own complaints about itself. */
	if (!*message || strstr(message, "exhausted") || strstr(message, "does not answer")) {
		fprintf(stderr, "fuzz-esp: %s\n", message);
		abort();
	}
}

#define TILE(t, what)	"TILE_0_" #t " = " #t " " what "\n"

static const char *const designs[] = {
	/* small caches, private L2s, two memories, all kinds of tiles */
	"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 9\nCONFIG_CACHE_EN = y\n"
	"CONFIG_CPU_CACHES = 4 2 8 2\nCONFIG_ACC_CACHES = 2 2\nCONFIG_MULTICAST_NOC_EN = y\n"
	"CONFIG_MAX_MCAST_DESTS = 3\n" TILE(0, "cpu cpu")
	TILE(1, "cpu cpu") TILE(2, "mem mem") TILE(3, "misc IO") TILE(4, "mem mem") TILE(
		5, "acc FFT_STRATUS fx32 1 0 sld") TILE(6, "acc DUMMY_STRATUS p 1 0 sld")
	TILE(7, "acc FFT_STRATUS fx64 0 0 sld") TILE(8, "acc OTHER p 0 0 sld"),
	/* 32-bit big-endian, no scatter-gather */
	"CPU_ARCH = leon3\n#CONFIG_HAS_SG is not set\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 5\n"
	"CONFIG_CACHE_EN = y\nCONFIG_CPU_CACHES = 4 1 4 1\nCONFIG_ACC_CACHES = 2 1\n" TILE(
		0, "cpu cpu") TILE(1, "mem mem") TILE(2, "misc IO")
	TILE(3, "acc DUMMY_STRATUS p 1 0 sld") TILE(4, "acc FFT_STRATUS p 0 0 sld"),
	/* no caches, wide flits */
	"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 6\nCONFIG_DMA_NOC_WIDTH = 256\n"
	"CONFIG_QUEUE_SIZE = 1\n" TILE(0, "cpu cpu") TILE(1, "mem mem") TILE(2, "misc IO")
	TILE(3, "slm slm 1") TILE(4, "acc DUMMY_STRATUS p 0 0 sld")
	TILE(5, "acc NV_NVDLA  0 0 nvidia"),
	/* wide lines, wide flits */
	"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 1\nCONFIG_NOC_COLS = 5\nCONFIG_CACHE_EN = y\n"
	"CONFIG_CPU_CACHES = 2 2 4 2\nCONFIG_ACC_CACHES = 2 1\nCONFIG_CACHE_LINE_SIZE = 256\n"
	"CONFIG_DMA_NOC_WIDTH = 256\n" TILE(0, "cpu cpu") TILE(1, "mem mem") TILE(2, "misc IO")
	TILE(3, "acc DUMMY_STRATUS p 1 0 sld") TILE(4, "acc FFT_STRATUS p 0 0 sld"),
};

/* Registers of an accelerator that matter, so that steps hit them. */
static const uint16_t acc_regs[] = {
	ESP_ACC_CMD, ESP_ACC_CMD, ESP_ACC_PT_ADDRESS, ESP_ACC_PT_NCHUNK, ESP_ACC_PT_SHIFT,
	ESP_ACC_COHERENCE, ESP_ACC_P2P, ESP_ACC_MCAST, ESP_ACC_SRC_OFFSET, ESP_ACC_DST_OFFSET,
	ESP_FFT_BATCH_SIZE,
	ESP_FFT_LOG_LEN, ESP_FFT_DO_BITREV, ESP_ACC_YX, ESP_ACC_STATUS,
};

/* Values that are valid more often than random ones. */
static uint32_t value_of(unsigned int kind, uint32_t v)
{
	switch (kind & 7) {
	case 0:
		return v & 1;
	case 1:
		return v & 0xf;
	case 2:
		return v & 0x3ff;
	case 3:
		return MEM_BASE + v % MEM_SIZE;
	case 4:
		return (MEM_BASE + v % MEM_SIZE) & ~0xfffu;
	case 5:
		return v & 0xffff;
	default:
		return v;
	}
}

static void step(struct esp_soc **soc, const struct esp_design *design,
		 const struct esp_params *params, const struct esp_soc_ops *ops, const uint8_t *s)
{
	uint32_t where = s[1] | s[2] << 8;
	uint32_t v = s[3] | s[4] << 8 | s[5] << 16 | (uint32_t)s[6] << 24;
	unsigned int cpu = where % design->ncpu;
	uint32_t offset;

	switch (s[0] & 15) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
		offset = ESP_ACC_BASE + where % design->nacc * ESP_ACC_STRIDE +
			 acc_regs[(where >> 8) % (sizeof(acc_regs) / sizeof(*acc_regs))];
		/* Point to point: any flags, one source anywhere in the row. */
		if (offset % ESP_ACC_STRIDE == ESP_ACC_P2P)
			v = (v & 0xf) | (v >> 8) % 10 << 4;
		else
			v = value_of(s[0] >> 4, v);
		esp_soc_write(*soc, cpu, offset, v);
		break;
	case 5:
		esp_soc_write(*soc, cpu, v % ESP_APB_SIZE, value_of(where, v));
		break;
	case 6:
		esp_soc_read(*soc, where, v % (2 * ESP_APB_SIZE));
		break;
	case 7:
		offset = where % (MEM_SIZE / 8) * 8;
		v = value_of(s[0] >> 4, v);
		memset(memory + offset, 0, 8);
		memcpy(memory + offset, &v, 4);
		break;
	case 8:
	case 9:
		esp_soc_cpu_access(*soc, cpu, where % 3, value_of(3, v) & ~7u, 1 + where % 8);
		break;
	case 10:
		esp_soc_write(*soc, cpu, (where & 1 ? ESP_L2_CTRL : ESP_LLC_CTRL) +
			      (where >> 1) % 3 * ESP_CACHE_CTRL_STRIDE, v & 7);
		break;
	case 11:
	case 12:
	case 13:
		esp_soc_advance(*soc, esp_soc_now(*soc) + v % 2048);
		break;
	case 14:
		esp_soc_monitor(*soc, where % 16, v & 0xff);
		esp_soc_topology(*soc, where);
		offset = ESP_CSR_BASE + where % 10 * ESP_CSR_STRIDE;
		esp_soc_write(*soc, cpu, offset + (v & 8 ? v % ESP_CSR_STRIDE : ESP_CSR_BURST), v);
		esp_soc_read(*soc, cpu, offset + v % ESP_CSR_STRIDE / 4 * 4);
		break;
	case 15:
		if (v % 64 >= 60) {
			esp_soc_reset_accelerator(*soc, where % 16);
		} else if (v % 64 == 0) {
			esp_soc_reset(*soc);
		} else if (v % 64 == 1) {
			size_t size = esp_soc_save_size(*soc);
			void *state = malloc(size);
			struct esp_soc *copy;

			esp_soc_save(*soc, state);
			copy = esp_soc_new(design, params, ops, NULL, NULL, 0);
			if (!state || !copy || !esp_soc_load(copy, state, size))
				abort();
			esp_soc_free(*soc);
			*soc = copy;
			free(state);
		}
	}
}

/* A design's text with changed bytes: three bytes of the input are a place and the new value. */
static void reader(const uint8_t *data, size_t len)
{
	static struct esp_design design;
	const char *text = designs[len % (sizeof(designs) / sizeof(*designs))];
	char copy[2048], err[64];
	size_t n = strlen(text), i;

	memcpy(copy, text, n);
	for (i = 0; i + 2 < len && i < 24; i += 3)
		copy[(data[i] | data[i + 1] << 8) % n] = data[i + 2];
	if (esp_design_parse(copy, n, "x", &design, err, sizeof(err)) && !err[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct esp_soc_ops ops = { mem_read, mem_write, irq, guest_error, NULL, NULL };
	static struct esp_design design;
	struct esp_params params;
	struct esp_soc *soc;
	char err[256];
	const char *text;
	uint64_t end;

	if (!len)
		return 0;
	if (*data % 64 == 63) {
		reader(data + 1, len - 1);
		return 0;
	}
	text = designs[*data % (sizeof(designs) / sizeof(*designs))];
	if (esp_design_parse(text, strlen(text), "design", &design, err, sizeof(err)))
		abort();
	esp_params_init(&params);
	params.mem_base = MEM_BASE;
	params.mem_size = MEM_SIZE;
	params.tlb_quirk = !(*data & 64);
	params.layout = *data & 128 ? 2021 : 2023;
	soc = esp_soc_new(&design, &params, &ops, NULL, err, sizeof(err));
	if (!soc)
		abort();
	memset(memory, 0, sizeof(memory));
	for (data++, len--; len >= STEP; data += STEP, len -= STEP)
		step(&soc, &design, &params, &ops, data);
	/* Stop all accelerators: then everything must come to rest. */
	for (len = 0; len < design.nacc; len++)
		esp_soc_write(soc, 0, ESP_ACC_BASE + len * ESP_ACC_STRIDE + ESP_ACC_CMD, 0);
	end = esp_soc_now(soc) + 10000000;
	esp_soc_advance(soc, end);
	if (esp_soc_next_event(soc) != UINT64_MAX) {
		fprintf(stderr, "fuzz-esp: no rest after all accelerators were stopped\n");
		abort();
	}
	for (len = 0; len < soc->ncaches; len++) {
		const struct esp_l2_state *l2 = &soc->l2[len];
		unsigned int i, busy = l2->count || l2->flushing;

		for (i = 0; i < ESP_MSHRS; i++)
			busy += l2->mshr[i].phase != ESP_MSHR_FREE;
		if (busy) {
			fprintf(stderr, "fuzz-esp: cache %zu waits for ever\n", len);
			abort();
		}
	}
	esp_soc_free(soc);
	return 0;
}

#ifdef DRIVER
int main(int argc, char **argv)
{
	unsigned long long steps = argc > 1 ? strtoull(argv[1], NULL, 0) : 200000, n;
	uint64_t x = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	static uint8_t input[1 + 512 * STEP];
	size_t i;

	for (n = 0; n < steps; n += sizeof(input) / STEP) {
		for (i = 0; i < sizeof(input); i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			input[i] = x >> 56;
		}
		LLVMFuzzerTestOneInput(input, sizeof(input));
	}
	printf("fuzz-esp: %llu steps\n", n);
	return 0;
}
#endif
