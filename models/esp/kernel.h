/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What distinguishes one accelerator from another: its registers, its jobs and what it computes.
 *
 * An accelerator of ESP's kind works through jobs: read a block into local memory, compute, write a
 * block. Two local buffers let the read of the next job overlap the computation. Adding an
 * accelerator is one file that defines a struct esp_kernel, and its line in kernels.def.
 */
#ifndef ESP_KERNEL_H
#define ESP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/esp_config.h"

struct esp_run {
	const uint32_t *regs;		/* as they were at its start, byte offset / 4 */
	const struct esp_tile *tile;
	bool big_endian;		/* words of the architecture, Leon3 */
};

struct esp_job {
	uint32_t load_offset, load_bytes;	/* from the start of the input */
	uint32_t store_offset, store_bytes;	/* from the start of the output */
	uint64_t cycles;			/* of computation, modelled */
};

/* A register of fixed value; the last of a list has offset 0. */
struct esp_constant {
	uint32_t offset, value;
};

struct esp_kernel {
	const char *name;		/* as in TILE lines of .esp_config */
	uint16_t device;		/* device id, low half of DEVID */
	uint16_t chunks; /* TLB entries, PT_NCHUNK_MAX (data_size of its XML in MiB) */
	const struct esp_constant *constants; /* NULL: none */
	/* Number of jobs of a run; *error: what is wrong with the registers, the run then does
	 * nothing. */
	uint32_t (*jobs)(const struct esp_run *run, const char **error);
	void (*job)(const struct esp_run *run, uint32_t number, struct esp_job *job);
	/* In place on the local buffer, ESP_PLM_BYTES long. */
	void (*compute)(const struct esp_run *run, uint32_t number, uint8_t *plm);
};

/* The kernel of an accelerator tile; a generic one that does nothing if the model has none for its
 * name; NULL for third-party accelerators.
 */
const struct esp_kernel *esp_kernel_find(const struct esp_tile *tile);

/* 32-bit words in the architecture's byte order. */
static inline uint32_t esp_get32(const struct esp_run *run, const uint8_t *p)
{
	if (run->big_endian)
		return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline void esp_put32(const struct esp_run *run, uint8_t *p, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = v >> 8 * (run->big_endian ? 3 - i : i);
}

static inline uint64_t esp_get64(const struct esp_run *run, const uint8_t *p)
{
	uint64_t first = esp_get32(run, p), second = esp_get32(run, p + 4);

	return run->big_endian ? first << 32 | second : second << 32 | first;
}

static inline void esp_put64(const struct esp_run *run, uint8_t *p, uint64_t v)
{
	esp_put32(run, p, run->big_endian ? v >> 32 : v);
	esp_put32(run, p + 4, run->big_endian ? v : v >> 32);
}

#endif
