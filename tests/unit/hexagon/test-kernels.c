/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernels of signal processing, scalar and with the vector unit: results and counts that are derived on paper. */
#include "hexagon/packet.h"
#include "tests/main.h"
#include "tests/unit/hexagon/program-rig.h"

SUITE("hexagon kernels", .timeout = 60, .setup = rig_setup, .teardown = rig_teardown, .prepare = rig_prepare);

static struct hexagon_totals run_kernel(const char *program, const char *says)
{
	char output[64] = "";
	struct hexagon_totals now;

	features = HEXAGON_FEATURE_MEMORY;
	now = run(program, output, sizeof(output));
	ck_assert_str_eq(output, says);
	return now;
}

/*
 * examples/hexagon/kernel.c: what the kernels print, and the lines of data that they touch, each of which misses once, and every
 * second of them in the L2, too. At most 8 more are of the stack, constants and text.
 */
LOOP_TEST(kernels_derived_on_paper, 0, 6)
{
	static const struct {
		const char *program, *says;
		unsigned int lines;
	} kernels[] = {
		/* c[i][j] = 32 i j: 32 * 496 * 496; three matrices of 4096 bytes */
		{ "kernel-matmul", "result: 7872512\n", 3 * 128 },
		/* 9 x in 62 rows for x = 1..62: 62 * 9 * 1953; 4096 bytes, 62 rows of 128 bytes */
		{ "kernel-convolution", "result: 1089774\n", 128 + 62 * 4 },
		/* an impulse of 1000 at 16 of 64: 1000 (-i)^k */
		{ "kernel-fft", "result: 64000\n", 16 },
		{ "kernel-sort", "result: 1024\n", 128 },
		/* 7 i mod 256 takes each value 32 times */
		{ "kernel-histogram", "result: 256\n", 256 + 32 },
		/* 1, 1/2, 1/4 and 1/8, 128 of each: 65536 / 240 = 273, 136, 68, 34 */
		{ "kernel-softmax", "result: 65408\n", 3 * 64 },
	};
	struct hexagon_totals now = run_kernel(kernels[_i].program, kernels[_i].says);

	ck_assert_uint_ge(sum(&now, HEXAGON_DATA_MISSES), kernels[_i].lines);
	ck_assert_uint_le(sum(&now, HEXAGON_DATA_MISSES), kernels[_i].lines + 8);
	ck_assert_uint_ge(sum(&now, HEXAGON_L2_READ_MISSES), kernels[_i].lines / 2);
	ck_assert_uint_le(sum(&now, HEXAGON_L2_READ_MISSES), kernels[_i].lines / 2 + 8);
}

/*
 * examples/hexagon/hvx-kernel.c: vector loads and stores of 128 bytes, each of two lines of the L2, and instructions by pipe.
 * A splat of a word or byte is one of the multiplier's. The compiler is at -O2, where 14, 16 and 19 do the same.
 */
LOOP_TEST(vector_kernels_derived_on_paper, 0, 6)
{
	static const struct {
		const char *program, *says;
		unsigned int loads, stores, multiplications, shifts, permutations;
	} kernels[] = {
		/* as kernel-matmul; 32 rows, each with a product of all 32 rows */
		{ "hvx-matmul", "result: 7872512\n", 32 * 32, 32, 32 * 32, 0, 0 },
		/* as kernel-convolution; 62 rows of three, with two rotations */
		{ "hvx-convolution", "result: 1089774\n", 62 * 3, 62, 0, 0, 62 * 2 },
		/* 64 times 1000 + word, for 32 words; 32 * log2(64) butterflies with real and imaginary parts */
		{ "hvx-fft", "result: 2079744\n", 192 * 4, 192 * 4, 192 * 4, 192 * 2, 0 },
		/* Batcher's network for 2^5: (25 - 5 + 4) * 2^3 - 1 comparators */
		{ "hvx-sort", "result: 1024\n", 191 * 2, 191 * 2, 0, 0, 0 },
		/* 32 vectors, 8 bins, splats of 0 to 7 */
		{ "hvx-histogram", "result: 8\n", 32, 8, 8, 0, 0 },
		/*
		 * as kernel-softmax; 16 vectors three times, two of them with a result; a product for each and two splats;
		 * of each the exponent, the power and two scalings; log2(32) rotations for the largest and for the sum
		 */
		{ "hvx-softmax", "result: 65408\n", 16 * 3, 16 * 2, 16 + 2, 16 * 4, 2 * 5 },
	};
	struct hexagon_totals now = run_kernel(kernels[_i].program, kernels[_i].says);

	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_LOADS), 2 * kernels[_i].loads);
	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_STORES), 2 * kernels[_i].stores);
	ck_assert_uint_eq(sum(&now, HEXAGON_HVX_MULTIPLY), kernels[_i].multiplications);
	ck_assert_uint_eq(sum(&now, HEXAGON_HVX_SHIFT), kernels[_i].shifts);
	ck_assert_uint_eq(sum(&now, HEXAGON_HVX_PERMUTE), kernels[_i].permutations);
}
