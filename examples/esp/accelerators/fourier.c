/* SPDX-License-Identifier: MIT */
/*
 * An accelerator in C: FFTs in place. fourier.cpp and fourier.v do the same in SystemC and Verilog, bit
 * for bit: a point is two 32-bit numbers, roots of unity have 30 fractional bits, and what is
 * shifted out of a product is cut off.
 *
 *   mon-esp-acc c -o fourier.acc fourier.c
 */
#include <math.h>
#include <mon_esp_acc.h>

#define BATCH_SIZE	0x40	/* registers, as in fourier.xml */
#define LOG_LEN		0x44
#define MOST_LOG	8
#define MOST		(1 << MOST_LOG)
#define POINT		8	/* bytes */

struct fourier {
	uint32_t batch;			/* batches that are done */
	bool loaded;
	uint8_t plm[POINT * MOST];
};

struct point {
	int32_t re, im;
};

static struct point root(unsigned int k)
{
	const double unit = 1 << 30, angle = 2 * acos(-1) * k / MOST;

	return (struct point){ lround(cos(angle) * unit), lround(-sin(angle) * unit) };
}

static unsigned int reversed(unsigned int i, unsigned int bits)
{
	unsigned int r = 0;

	for (; bits--; i >>= 1)
		r = r << 1 | (i & 1);
	return r;
}

static void butterfly(struct point *a, struct point *b, struct point w)
{
	int32_t re = ((int64_t)w.re * b->re - (int64_t)w.im * b->im) >> 30;
	int32_t im = ((int64_t)w.re * b->im + (int64_t)w.im * b->re) >> 30;
	struct point x = *a;

	*a = (struct point){ (uint32_t)x.re + re, (uint32_t)x.im + im };
	*b = (struct point){ (uint32_t)x.re - re, (uint32_t)x.im - im };
}

static void transform(const struct mon_esp_acc *acc, uint8_t *plm, unsigned int bits)
{
	struct point p[MOST];
	unsigned int n = 1u << bits, half, i, k;

	for (i = 0; i < n; i++) {
		const uint8_t *at = plm + POINT * reversed(i, bits);

		p[i] = (struct point){ mon_esp_acc_get32(acc, at), mon_esp_acc_get32(acc, at + 4) };
	}
	for (half = 1; half < n; half *= 2) {
		for (i = 0; i < n; i += 2 * half)
			for (k = 0; k < half; k++)
				butterfly(&p[i + k], &p[i + k + half], root(k * (MOST / 2 / half)));
	}
	for (i = 0; i < n; i++) {
		mon_esp_acc_put32(acc, plm + POINT * i, p[i].re);
		mon_esp_acc_put32(acc, plm + POINT * i + 4, p[i].im);
	}
}

static void start(struct mon_esp_acc *acc)
{
	struct fourier *f = acc->state;
	uint32_t bits = mon_esp_acc_reg(acc, LOG_LEN);

	f->batch = 0;
	f->loaded = false;
	if (bits < 1 || bits > MOST_LOG)
		mon_esp_acc_refuse(acc, "log_len is 1 to 8");
}

static void next(struct mon_esp_acc *acc)
{
	uint32_t bits = mon_esp_acc_reg(acc, LOG_LEN), bytes = POINT << bits;
	struct fourier *f = acc->state;

	if (f->batch == mon_esp_acc_reg(acc, BATCH_SIZE)) {
		mon_esp_acc_done(acc);
	} else if (!f->loaded) {
		f->loaded = true;
		mon_esp_acc_read(acc, f->plm, f->batch * bytes, bytes, 0);
	} else {
		transform(acc, f->plm, bits);
		mon_esp_acc_compute(acc, bits << (bits - 1));	/* a butterfly a cycle */
		mon_esp_acc_write(acc, f->plm, f->batch * bytes, bytes, 0);
		f->loaded = false;
		f->batch++;
	}
}

static const struct esp_acc_row row = {
	.name = "FOURIER_STRATUS",
	.device = 0x323,
	.chunks = 2,
	.members = 2,
	.member = { { .offset = BATCH_SIZE }, { .offset = LOG_LEN } },
};

const struct mon_esp_acc_type mon_esp_accelerator = {
	.row = &row,
	.state_size = sizeof(struct fourier),
	.start = start,
	.next = next,
};
