/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Six kernels of signal processing; KERNEL chooses one. Each works on `data`, which fits into the L1D, and prints a number that
 * can be derived on paper, as the lines that it touches.
 */
#include "linux.h"

#define SINGLE __attribute__((noinline))

#if KERNEL == 1	/* product of two matrices; sum of all elements */
#define N 32
static struct {
	int a[N][N], b[N][N], c[N][N];
} data __attribute__((aligned(64)));

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			data.a[i][k] = i;
			data.b[i][k] = k;
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			int sum = 0;

			for (int k = 0; k < N; k++)
				sum += data.a[i][k] * data.b[k][j];
			data.c[i][j] = sum;
			all += sum;
		}
	return all;
}

#elif KERNEL == 2	/* convolution of an image with 3 x 3 ones, but for its border; sum of all elements */
#define N 64
static struct {
	unsigned char in[N][N];
	short out[N][N];
} data __attribute__((aligned(64)));

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++)
			data.in[y][x] = x;
	for (int y = 1; y < N - 1; y++)
		for (int x = 1; x < N - 1; x++) {
			int sum = 0;

			for (int i = -1; i < 2; i++)
				for (int j = -1; j < 2; j++)
					sum += data.in[y + i][x + j];
			data.out[y][x] = sum;
			all += sum;
		}
	return all;
}

#elif KERNEL == 3	/* FFT of an impulse, with 14 fractional bits; sum of all absolute parts */
#define N 64
#include "cosine.h"

static struct {
	int re[N], im[N];
} data __attribute__((aligned(64)));

static void butterfly(int a, int b, int k)
{
	int c = cos_of(k), s = -cos_of(k - N / 4);
	int re = (data.re[b] * c - data.im[b] * s) >> 14, im = (data.re[b] * s + data.im[b] * c) >> 14;

	data.re[b] = data.re[a] - re;
	data.im[b] = data.im[a] - im;
	data.re[a] += re;
	data.im[a] += im;
}

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	/* sample 16 in the order of reversed bits: 010000 becomes 000010 */
	for (int i = 0; i < N; i++) {
		data.re[i] = i == 2 ? 1000 : 0;
		data.im[i] = 0;
	}
	for (int half = 1, step = N / 2; half < N; half *= 2, step /= 2)
		for (int start = 0; start < N; start += 2 * half)
			for (int k = 0; k < half; k++)
				butterfly(start + k, start + k + half, k * step);
	for (int i = 0; i < N; i++)
		all += (data.re[i] < 0 ? -data.re[i] : data.re[i]) + (data.im[i] < 0 ? -data.im[i] : data.im[i]);
	return all;
}

#elif KERNEL == 4	/* Shell's sort of a permutation; number of elements in their place */
#define N 1024
static struct {
	int key[N];
} data __attribute__((aligned(64)));

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		data.key[i] = i * 389 % N;
	for (int gap = N / 2; gap; gap /= 2)
		for (int i = gap; i < N; i++) {
			int key = data.key[i], j = i;

			for (; j >= gap && data.key[j - gap] > key; j -= gap)
				data.key[j] = data.key[j - gap];
			data.key[j] = key;
		}
	for (int i = 0; i < N; i++)
		all += data.key[i] == i;
	return all;
}

#elif KERNEL == 5	/* histogram; number of bins with their share */
#define N 8192
static struct {
	unsigned char in[N];
	int bin[256];
} data __attribute__((aligned(64)));

static SINGLE unsigned int run(void)
{
	unsigned int all = 0;

	for (int i = 0; i < N; i++)
		data.in[i] = 7 * i;
	for (int i = 0; i < N; i++)
		data.bin[data.in[i]]++;
	for (int i = 0; i < 256; i++)
		all += data.bin[i] == N / 256;
	return all;
}

#else	/* softmax to the base 2, with 8 fractional bits in and 16 out; sum of all elements */
#define N 512
static struct {
	int in[N], power[N], out[N];
} data __attribute__((aligned(64)));

/* 2^x with 16 fractional bits, x <= 0 */
static unsigned int power_of_2(int x)
{
	int fraction = x & 255;

	/* of 2^f the square that is right at 0 and 1 */
	return (65536 + fraction * 170 + (fraction * fraction * 86 >> 8)) >> (-x + 255) / 256;
}

static unsigned int divide(unsigned long long a, unsigned int b)
{
	unsigned int quotient = 0;

	for (int i = 31; i >= 0; i--)
		if (a >= (unsigned long long)b << i) {
			a -= (unsigned long long)b << i;
			quotient |= 1u << i;
		}
	return quotient;
}

static SINGLE unsigned int run(void)
{
	unsigned int sum = 0, all = 0;
	int most = -65536;

	for (int i = 0; i < N; i++) {
		data.in[i] = 256 * (100 - i % 4);
		most = data.in[i] > most ? data.in[i] : most;
	}
	for (int i = 0; i < N; i++)
		sum += data.power[i] = power_of_2(data.in[i] - most);
	for (int i = 0; i < N; i++)
		all += data.out[i] = divide((unsigned long long)data.power[i] << 16, sum);
	return all;
}
#endif

int main(void)
{
	write_number("result: ", run());
	return 0;
}
