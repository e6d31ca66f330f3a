/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A SoC for tests: memory, interrupt and error lines, and the steps of a driver that runs an
 * accelerator.
 */
#ifndef ESP_BENCH_H
#define ESP_BENCH_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "esp/soc.h"

#define MEM_BASE	0x80000000u
#define MEM_SIZE	(16u << 20)

struct bench {
	struct esp_soc *soc;
	uint8_t *mem;
	unsigned int irqs[ESP_MAX_ACCS];
	unsigned int errors;
	char error[256];
	struct esp_transaction transaction[16];	/* the first ones */
	unsigned int transactions;
	struct esp_design design;
};

/* NULL: the default */
void bench_open(struct bench *b, const struct esp_design *design, const struct esp_params *params);
void bench_close(struct bench *b);
/* The defaults with the bench's memory. */
struct esp_params bench_params(void);
/* A design from text in the file format. */
void bench_design(struct esp_design *design, const char *text);

/* One of tests/designs. */
void bench_load(struct esp_design *design, const char *name);

uint32_t bench_read(struct bench *b, uint32_t offset);
void bench_write(struct bench *b, uint32_t offset, uint32_t value);
uint32_t acc_read(struct bench *b, unsigned int acc, uint32_t reg);
void acc_write(struct bench *b, unsigned int acc, uint32_t reg, uint32_t value);
uint32_t mon(struct bench *b, unsigned int tile, unsigned int index);
/* Runs until no packet and no accelerator moves. */
void settle(struct bench *b);
/* Runs until an accelerator is done, then acknowledges; fails the test if it never is. */
void acc_finish(struct bench *b, unsigned int acc);
/* Likewise for a run that may fail: STATUS before the acknowledgement. */
uint32_t acc_end(struct bench *b, unsigned int acc);

void put32(struct bench *b, uint32_t addr, uint32_t v);
uint32_t get32(struct bench *b, uint32_t addr);
void put64(struct bench *b, uint32_t addr, uint64_t v);

struct fft {
	unsigned int acc, coherence, log_len, batches, bitrev;
	uint32_t table;		/* address of the page table */
	uint32_t chunks[16];	/* addresses */
	unsigned int nchunks, shift;
	uint32_t src, dst;	/* offsets in the buffer */
};

/* One chunk of 1 MiB at MEM_BASE + 1 MiB, the page table at MEM_BASE + 64 KiB, mode none. */
struct fft fft_default(unsigned int log_len);
/* Address of a byte of the buffer. */
uint32_t fft_addr(const struct fft *f, uint32_t offset);
/* A reproducible signal in all batches. */
void fft_fill(struct bench *b, const struct fft *f);
/* Writes page table and registers, then starts. */
void fft_start(struct bench *b, const struct fft *f);
/* Share of output numbers that are more than 5 % off a float FFT of the signal, in percent. */
double fft_wrong(struct bench *b, const struct fft *f);
/* Fills, starts, finishes, settles; checks the result. */
void fft_run(struct bench *b, const struct fft *f);

#endif
