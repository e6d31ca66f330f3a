/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Six kernels of signal processing with intrinsics of the vector unit (HVX); KERNEL chooses one. Each prints a number that can
 * be derived on paper, as its vector loads, stores and instructions of each pipe: fresh() makes the compiler load again. For
 * that the data is not static: no other thread could change it then.
 */
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 32	/* of a vector */
#define SINGLE __attribute__((noinline))

static inline void fresh(void)
{
	__asm__ volatile ("" : : : "memory");
}

#if KERNEL == 1	/* product of two matrices, a row of it at a time; sum of all elements */
#define N WORDS
static int a[N][N];
union {
	int word[N][WORDS];
	HVX_Vector row[N];
} b, c;

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			a[i][k] = i;
			b.word[i][k] = k;
		}
	for (int i = 0; i < N; i++) {
		HVX_Vector sum = Q6_V_vzero();

		fresh();
		for (int k = 0; k < N; k++)
			sum = Q6_Vw_vmpyiacc_VwVwRh(sum, b.row[k], Q6_R_combine_RlRl(a[i][k], a[i][k]));
		c.row[i] = sum;
	}
	fresh();
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			all += c.word[i][j];
	return all;
}

#elif KERNEL == 2	/* convolution of an image with 3 x 3 ones; sum of all elements but its border */
#define N (2 * WORDS)
union {
	short pixel[N][N];
	HVX_Vector row[N];
} in, out;

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++)
			in.pixel[y][x] = x;
	for (int y = 1; y < N - 1; y++) {
		HVX_Vector sum;

		fresh();
		sum = Q6_Vh_vadd_VhVh(in.row[y], Q6_Vh_vadd_VhVh(in.row[y - 1], in.row[y + 1]));
		/* the neighbours of a pixel, by a rotation of two bytes in each direction */
		out.row[y] = Q6_Vh_vadd_VhVh(sum, Q6_Vh_vadd_VhVh(Q6_V_vror_VR(sum, 2), Q6_V_vror_VR(sum, sizeof(sum) - 2)));
	}
	fresh();
	for (int y = 1; y < N - 1; y++)
		for (int x = 1; x < N - 1; x++)
			all += out.pixel[y][x];
	return all;
}

#elif KERNEL == 3	/* FFTs of 32 impulses, one in each word, with 14 fractional bits; sum of all absolute parts */
#define N 64
#include "cosine.h"

union {
	int word[N][WORDS];
	HVX_Vector sample[N];
} re, im;

static void butterfly(int a, int b, int k)
{
	int c = Q6_R_combine_RlRl(cos_of(k), cos_of(k)), s = Q6_R_combine_RlRl(-cos_of(k - N / 4), -cos_of(k - N / 4));
	HVX_Vector old_re, old_im, new_re, new_im;

	fresh();
	new_re = Q6_Vw_vsub_VwVw(Q6_Vw_vmpyi_VwRh(re.sample[b], c), Q6_Vw_vmpyi_VwRh(im.sample[b], s));
	new_im = Q6_Vw_vadd_VwVw(Q6_Vw_vmpyi_VwRh(re.sample[b], s), Q6_Vw_vmpyi_VwRh(im.sample[b], c));
	new_re = Q6_Vw_vasr_VwR(new_re, 14);
	new_im = Q6_Vw_vasr_VwR(new_im, 14);
	old_re = re.sample[a];
	old_im = im.sample[a];
	re.sample[b] = Q6_Vw_vsub_VwVw(old_re, new_re);
	im.sample[b] = Q6_Vw_vsub_VwVw(old_im, new_im);
	re.sample[a] = Q6_Vw_vadd_VwVw(old_re, new_re);
	im.sample[a] = Q6_Vw_vadd_VwVw(old_im, new_im);
}

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	/* sample 16 in the order of reversed bits: 010000 becomes 000010 */
	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++) {
			re.word[i][word] = i == 2 ? 1000 + word : 0;
			im.word[i][word] = 0;
		}
	for (int half = 1, step = N / 2; half < N; half *= 2, step /= 2)
		for (int start = 0; start < N; start += 2 * half)
			for (int k = 0; k < half; k++)
				butterfly(start + k, start + k + half, k * step);
	fresh();
	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++)
			all += abs(re.word[i][word]) + abs(im.word[i][word]);
	return all;
}

#elif KERNEL == 4	/* 32 sorts of 32 words by Batcher's network; number of elements in their place */
#define N 32
union {
	int word[N][WORDS];
	HVX_Vector key[N];
} data;

static void sort_two(int a, int b)
{
	HVX_Vector x, y;

	fresh();
	x = data.key[a];
	y = data.key[b];
	data.key[a] = Q6_Vw_vmin_VwVw(x, y);
	data.key[b] = Q6_Vw_vmax_VwVw(x, y);
}

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++)
			data.word[i][word] = (13 * i + word) % N;
	for (int size = 1; size < N; size *= 2)
		for (int gap = size; gap; gap /= 2)
			for (int first = gap % size; first + gap < N; first += 2 * gap)
				for (int i = first; i < first + gap && i + gap < N; i++)
					if (i / (2 * size) == (i + gap) / (2 * size))
						sort_two(i, i + gap);
	fresh();
	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++)
			all += data.word[i][word] == i;
	return all;
}

#elif KERNEL == 5	/* histogram of bytes from 0 to 7; number of bins with their share */
#define N 32
#define BINS 8
union {
	unsigned char byte[N][4 * WORDS];
	HVX_Vector in[N];
} data;
union {
	unsigned char byte[BINS][4 * WORDS];
	HVX_Vector count[BINS];
} bins;

static SINGLE unsigned int run(void)
{
	HVX_Vector count[BINS], one = Q6_Vb_vsplat_R(1);
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		for (int k = 0; k < 4 * WORDS; k++)
			data.byte[i][k] = (7 * k + i) % BINS;
	for (int bin = 0; bin < BINS; bin++)
		count[bin] = Q6_V_vzero();
	for (int i = 0; i < N; i++) {
		HVX_Vector in;

		fresh();
		in = data.in[i];
#pragma clang loop unroll(full)
		for (int bin = 0; bin < BINS; bin++)
			count[bin] = Q6_Vb_condacc_QVbVb(Q6_Q_vcmp_eq_VbVb(in, Q6_Vb_vsplat_R(bin)), count[bin], one);
	}
	for (int bin = 0; bin < BINS; bin++)
		bins.count[bin] = count[bin];
	fresh();
	for (int bin = 0; bin < BINS; bin++) {
		unsigned int sum = 0;

		for (int k = 0; k < 4 * WORDS; k++)
			sum += bins.byte[bin][k];
		all += sum == N * 4 * WORDS / BINS;
	}
	return all;
}

#else	/* softmax to the base 2 of whole numbers with 8 fractional bits in, 16 out; sum of all elements */
#define N 16
union {
	int word[N][WORDS];
	HVX_Vector part[N];
} in, power, out;

/* Of all words, in each word: each step adds or compares the half that the steps before have not reached. */
static HVX_Vector sum_of(HVX_Vector v)
{
	for (unsigned int bytes = sizeof(v) / 2; bytes >= sizeof(int); bytes /= 2)
		v = Q6_Vw_vadd_VwVw(v, Q6_V_vror_VR(v, bytes));
	return v;
}

static HVX_Vector most_of(HVX_Vector v)
{
	for (unsigned int bytes = sizeof(v) / 2; bytes >= sizeof(int); bytes /= 2)
		v = Q6_Vw_vmax_VwVw(v, Q6_V_vror_VR(v, bytes));
	return v;
}

static SINGLE unsigned int run(void)
{
	HVX_Vector most = Q6_V_vsplat_R(-65536), sum = Q6_V_vzero(), one = Q6_V_vsplat_R(65536);
	unsigned int all = 0, share;

	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++)
			in.word[i][word] = 256 * (100 - word % 4);
	fresh();
	for (int i = 0; i < N; i++)
		most = Q6_Vw_vmax_VwVw(most, in.part[i]);
	most = most_of(most);
	for (int i = 0; i < N; i++) {
		HVX_Vector halvings;

		fresh();
		halvings = Q6_Vw_vasr_VwR(Q6_Vw_vsub_VwVw(most, in.part[i]), 8);
		power.part[i] = Q6_Vw_vlsr_VwVw(one, halvings);
		sum = Q6_Vw_vadd_VwVw(sum, Q6_Vw_vlsr_VwVw(one, halvings));
	}
	share = 65536u / ((unsigned int)Q6_R_vextract_VR(sum_of(sum), 0) >> 16);
	for (int i = 0; i < N; i++) {
		HVX_Vector part;

		fresh();
		part = Q6_Vw_vmpyi_VwRh(Q6_Vw_vasr_VwR(power.part[i], 8), Q6_R_combine_RlRl(share, share));
		out.part[i] = Q6_Vw_vasr_VwR(part, 8);
	}
	fresh();
	for (int i = 0; i < N; i++)
		for (int word = 0; word < WORDS; word++)
			all += out.word[i][word];
	return all;
}
#endif

int main(void)
{
	printf("result: %u\n", run());
	return 0;
}
