/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/bench.h"

#include <math.h>
#include <stdio.h>

static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	struct bench *b = opaque;

	if (addr < MEM_BASE || addr - MEM_BASE + len > MEM_SIZE)
		return false;
	memcpy(buf, b->mem + (addr - MEM_BASE), len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	struct bench *b = opaque;

	if (addr < MEM_BASE || addr - MEM_BASE + len > MEM_SIZE)
		return false;
	memcpy(b->mem + (addr - MEM_BASE), buf, len);
	return true;
}

static void irq(void *opaque, unsigned int acc)
{
	struct bench *b = opaque;

	b->irqs[acc]++;
}

static void guest_error(void *opaque, const char *message)
{
	struct bench *b = opaque;

	b->errors++;
	snprintf(b->error, sizeof(b->error), "%s", message);
}

static void transaction(void *opaque, const struct esp_transaction *t)
{
	struct bench *b = opaque;

	if (b->transactions < sizeof(b->transaction) / sizeof(*b->transaction))
		b->transaction[b->transactions] = *t;
	b->transactions++;
}

struct esp_params bench_params(void)
{
	struct esp_params params;

	esp_params_init(&params);
	params.mem_base = MEM_BASE;
	params.mem_size = MEM_SIZE;
	return params;
}

void bench_open(struct bench *b, const struct esp_design *design, const struct esp_params *params)
{
	static const struct esp_soc_ops ops = { mem_read, mem_write, irq, guest_error, NULL, transaction };
	struct esp_params defaults = bench_params();
	char err[256] = "";

	memset(b, 0, sizeof(*b));
	if (design)
		b->design = *design;
	else
		esp_design_default(&b->design);
	b->mem = calloc(1, MEM_SIZE);
	b->soc = esp_soc_new(&b->design, params ? params : &defaults, &ops, b, err, sizeof(err));
	ck_assert_msg(b->soc != NULL, "%s", err);
}

void bench_close(struct bench *b)
{
	esp_soc_free(b->soc);
	free(b->mem);
	b->soc = NULL;
}

void bench_design(struct esp_design *design, const char *text)
{
	char err[256] = "";

	ck_assert_msg(esp_design_parse(text, strlen(text), "text", design, err, sizeof(err)) == 0,
		      "%s", err);
}

void bench_load(struct esp_design *design, const char *name)
{
	char path[512], err[256] = "";

	snprintf(path, sizeof(path), "%s/%s.esp_config", DESIGNS, name);
	ck_assert_msg(esp_design_read(path, design, err, sizeof(err)) == 0, "%s", err);
}

uint32_t bench_read(struct bench *b, uint32_t offset)
{
	return esp_soc_read(b->soc, 0, offset);
}

void bench_write(struct bench *b, uint32_t offset, uint32_t value)
{
	esp_soc_write(b->soc, 0, offset, value);
}

uint32_t acc_read(struct bench *b, unsigned int acc, uint32_t reg)
{
	return bench_read(b, ESP_ACC_BASE + ESP_ACC_STRIDE * acc + reg);
}

void acc_write(struct bench *b, unsigned int acc, uint32_t reg, uint32_t value)
{
	bench_write(b, ESP_ACC_BASE + ESP_ACC_STRIDE * acc + reg, value);
}

uint32_t mon(struct bench *b, unsigned int tile, unsigned int index)
{
	return esp_soc_monitor(b->soc, tile, index);
}

void settle(struct bench *b)
{
	unsigned long steps = 0;

	while (esp_soc_next_event(b->soc) != UINT64_MAX) {
		esp_soc_advance(b->soc, esp_soc_next_event(b->soc));
		ck_assert_msg(++steps < 100000000, "the SoC never comes to rest");
	}
}

uint32_t acc_end(struct bench *b, unsigned int acc)
{
	unsigned int before = b->irqs[acc];
	uint32_t status;

	while (b->irqs[acc] == before) {
		ck_assert_msg(esp_soc_next_event(b->soc) != UINT64_MAX, "accelerator %u hangs",
			      acc);
		esp_soc_advance(b->soc, esp_soc_next_event(b->soc));
	}
	status = acc_read(b, acc, ESP_ACC_STATUS);
	acc_write(b, acc, ESP_ACC_CMD, 0);
	settle(b);
	return status;
}

void acc_finish(struct bench *b, unsigned int acc)
{
	ck_assert_uint_eq(acc_end(b, acc), ESP_ACC_STATUS_DONE);
}

static bool big(const struct bench *b)
{
	return b->design.arch == ESP_ARCH_LEON3;
}

void put32(struct bench *b, uint32_t addr, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		b->mem[addr - MEM_BASE + i] = v >> 8 * (big(b) ? 3 - i : i);
}

uint32_t get32(struct bench *b, uint32_t addr)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		v |= (uint32_t)b->mem[addr - MEM_BASE + i] << 8 * (big(b) ? 3 - i : i);
	return v;
}

void put64(struct bench *b, uint32_t addr, uint64_t v)
{
	put32(b, addr, v);
	put32(b, addr + 4, v >> 32);
}

struct fft fft_default(unsigned int log_len)
{
	return (struct fft) {
		.log_len = log_len,
		.batches = 1,
		.bitrev = 1,
		.table = MEM_BASE + 0x10000,
		.chunks = { MEM_BASE + 0x100000 },
		.nchunks = 1,
		.shift = 20,
	};
}

uint32_t fft_addr(const struct fft *f, uint32_t offset)
{
	return f->chunks[offset >> f->shift] + (offset & ((1u << f->shift) - 1));
}

static double signal(unsigned int batch, uint32_t i)
{
	/* Pseudo-random numbers in [-1, 1): no output of the transform is 0. */
	uint32_t v = (i + 1) * 2654435761u + batch * 40503u;

	v ^= v >> 15;
	v *= 2246822519u;
	v ^= v >> 13;
	return (double)(v & 0xffff) / 32768 - 1;
}

void fft_fill(struct bench *b, const struct fft *f)
{
	uint32_t i, n = 2u << f->log_len, batch;

	for (batch = 0; batch < f->batches; batch++) {
		for (i = 0; i < n; i++)
			put32(b, fft_addr(f, f->src + 4 * (batch * n + i)),
			      (uint32_t)(int32_t)(signal(batch, i) * (1 << 20)));
	}
}

void fft_start(struct bench *b, const struct fft *f)
{
	unsigned int i;

	for (i = 0; i < f->nchunks; i++) {
		if (big(b) || b->design.arch == ESP_ARCH_IBEX)
			put32(b, f->table + 4 * i, f->chunks[i]);
		else
			put64(b, f->table + 8 * i, f->chunks[i]);
	}
	acc_write(b, f->acc, ESP_ACC_PT_ADDRESS, f->table);
	acc_write(b, f->acc, ESP_ACC_PT_NCHUNK, f->nchunks);
	acc_write(b, f->acc, ESP_ACC_PT_SHIFT, f->shift);
	acc_write(b, f->acc, ESP_ACC_COHERENCE, f->coherence);
	acc_write(b, f->acc, ESP_ACC_SRC_OFFSET, f->src);
	acc_write(b, f->acc, ESP_ACC_DST_OFFSET, f->dst);
	acc_write(b, f->acc, ESP_FFT_BATCH_SIZE, f->batches);
	acc_write(b, f->acc, ESP_FFT_LOG_LEN, f->log_len);
	acc_write(b, f->acc, ESP_FFT_DO_BITREV, f->bitrev);
	acc_write(b, f->acc, ESP_ACC_CMD, 1);
}

/* The recursive FFT in double. A DFT by its definition takes seconds. */
static void reference(double *x, uint32_t n, uint32_t stride, double *out)
{
	uint32_t k;

	if (n == 1) {
		out[0] = x[0];
		out[1] = x[1];
		return;
	}
	reference(x, n / 2, 2 * stride, out);
	reference(x + 2 * stride, n / 2, 2 * stride, out + n);
	for (k = 0; k < n / 2; k++) {
		double c = cos(-2 * M_PI * k / n), s = sin(-2 * M_PI * k / n);
		double *e = out + 2 * k, *o = out + n + 2 * k;
		double re = o[0] * c - o[1] * s, im = o[0] * s + o[1] * c;

		o[0] = e[0] - re;
		o[1] = e[1] - im;
		e[0] += re;
		e[1] += im;
	}
}

double fft_wrong(struct bench *b, const struct fft *f)
{
	uint32_t i, n = 2u << f->log_len, batch, wrong = 0;
	double *x = calloc(n, sizeof(*x)), *y = calloc(n, sizeof(*y));

	for (batch = 0; batch < f->batches; batch++) {
		for (i = 0; i < n; i++)
			x[i] = signal(batch, i);
		reference(x, n / 2, 1, y);
		for (i = 0; i < n; i++) {
			uint32_t raw = get32(b, fft_addr(f, f->dst + 4 * (batch * n + i)));
			double got = (double)(int32_t)raw / (1 << 20);

			wrong += fabs(got - y[i]) > 0.05 * fabs(y[i]);
		}
	}
	free(x);
	free(y);
	return 100.0 * wrong / (n * f->batches);
}

void fft_run(struct bench *b, const struct fft *f)
{
	fft_fill(b, f);
	fft_start(b, f);
	acc_finish(b, f->acc);
	ck_assert_double_le(fft_wrong(b, f), 1.0);
}
