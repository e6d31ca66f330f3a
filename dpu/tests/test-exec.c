// SPDX-License-Identifier: GPL-2.0-only
/* Results of instructions, against the same in C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/rig.h"

#define INPUTS \
	".section .dpu_host\n.align 8\na: .long 0\nb: .long 0\nwide: .quad 0\nout: .zero 1024\n.text\n" \
	"main: lw r0, zero, a\nlw r1, zero, b\nmove r2, out\n"

/* The reference: written from the documentation's words, not from the model's table. */
static uint32_t reference(const char *op, uint32_t a, uint32_t b)
{
	unsigned int n = b % 32, i;
	uint32_t x = 0;

	if (!strcmp(op, "add"))
		return a + b;
	if (!strcmp(op, "sub"))
		return a - b;
	if (!strcmp(op, "rsub"))
		return b - a;
	if (!strcmp(op, "and"))
		return a & b;
	if (!strcmp(op, "or"))
		return a | b;
	if (!strcmp(op, "xor"))
		return a ^ b;
	if (!strcmp(op, "nand"))
		return ~(a & b);
	if (!strcmp(op, "nor"))
		return ~(a | b);
	if (!strcmp(op, "nxor"))
		return ~(a ^ b);
	if (!strcmp(op, "andn"))
		return ~a & b;
	if (!strcmp(op, "orn"))
		return ~a | b;
	for (i = 0; i < 32; i++) {
		/* Bit i of the result of a shift: a bit of a, or the bit that is shifted in. */
		bool left = i >= n ? a >> (i - n) & 1 : 0;
		bool right = i + n < 32 ? a >> (i + n) & 1 : 0;

		if (!strcmp(op, "lsl"))
			x |= (uint32_t)left << i;
		else if (!strcmp(op, "lsl1"))
			x |= (uint32_t)(left || i < n) << i;
		else if (!strcmp(op, "lsr"))
			x |= (uint32_t)right << i;
		else if (!strcmp(op, "lsr1"))
			x |= (uint32_t)(right || i + n >= 32) << i;
		else if (!strcmp(op, "asr"))
			x |= (uint32_t)(i + n < 32 ? right : a >> 31) << i;
		else if (!strcmp(op, "rol"))
			x |= (a >> ((i + 32 - n) % 32) & 1) << i;
		else if (!strcmp(op, "ror"))
			x |= (a >> ((i + n) % 32) & 1) << i;
		/* The x forms: the bits that the plain shift drops, in place. */
		else if (!strcmp(op, "lslx"))
			x |= (uint32_t)(i < n ? a >> (32 - n + i) & 1 : 0) << i;
		else if (!strcmp(op, "lsl1x"))
			x |= (uint32_t)(i < n ? a >> (32 - n + i) & 1 : 1) << i;
		else if (!strcmp(op, "lsrx"))
			x |= (uint32_t)(i >= 32 - n ? a >> (i - (32 - n)) & 1 : 0) << i;
		else if (!strcmp(op, "lsr1x"))
			x |= (uint32_t)(i >= 32 - n ? a >> (i - (32 - n)) & 1 : 1) << i;
		else if (!strcmp(op, "cmpb4"))
			x |= (uint32_t)(i % 8 == 0 && (a >> i & 255) == (b >> i & 255)) << i;
	}
	if (!strncmp(op, "mul_", 4)) {
		int32_t l = op[5] == 'h' ? a >> 8 & 255 : a & 255;
		int32_t r = op[8] == 'h' ? b >> 8 & 255 : b & 255;

		if (op[4] == 's' && l > 127)
			l -= 256;
		if (op[7] == 's' && r > 127)
			r -= 256;
		return l * r;
	}
	return x;
}

static uint32_t unary_reference(const char *op, uint32_t a)
{
	unsigned int n = 0;

	if (!strcmp(op, "cao")) {
		for (; a; a &= a - 1)
			n++;
		return n;
	}
	if (!strcmp(op, "clz")) {
		while (n < 32 && !(a >> (31 - n) & 1))
			n++;
		return n;
	}
	if (!strcmp(op, "clo")) {
		while (n < 32 && (a >> (31 - n) & 1))
			n++;
		return n;
	}
	if (!strcmp(op, "cls")) {
		while (n < 32 && (a >> (31 - n) & 1) == a >> 31)
			n++;
		return n;
	}
	if (!strcmp(op, "extsb"))
		return (a & 255) < 128 ? a & 255 : (a & 255) - 256;
	if (!strcmp(op, "extsh"))
		return (a & 65535) < 32768 ? a & 65535 : (a & 65535) - 65536;
	return !strcmp(op, "extub") ? a & 255 : a & 65535;
}

static const char *const binary[] = {
	"add", "sub", "rsub", "and", "or", "xor", "nand", "nor", "nxor", "andn", "orn", "lsl", "lsl1",
	"lsr", "lsr1", "asr", "rol", "ror", "lslx", "lsl1x", "lsrx", "lsr1x", "cmpb4", "mul_sh_sh",
	"mul_sh_sl", "mul_sh_uh", "mul_sh_ul", "mul_sl_sh", "mul_sl_sl", "mul_sl_uh", "mul_sl_ul",
	"mul_uh_uh", "mul_uh_ul", "mul_ul_uh", "mul_ul_ul"
};
static const char *const unary[] = {
	"cao", "clz", "clo", "cls", "extsb", "extsh", "extub", "extuh"
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Numbers at which carries, signs and shifts change, and random ones. */
static uint32_t interesting(uint64_t *seed)
{
	static const uint32_t edges[] = {
		0, 1, 2, 31, 32, 33, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
		0x80000001, 0xfffffffe, 0xffffffff
	};
	uint64_t r = rig_random(seed);

	return r >> 60 < 8 ? edges[r % COUNT(edges)] : (uint32_t)(r >> 16);
}

SUITE("upmem exec", .timeout = 120);

TEST(arithmetic_is_that_of_c)
{
	char text[8192] = INPUTS, *end = text + strlen(text);
	uint64_t seed = 1;
	struct rig rig;
	size_t i;

	for (i = 0; i < COUNT(binary); i++)
		end += sprintf(end, "%s r3, r0, r1\nsw r2, %zu, r3\n", binary[i], 4 * i);
	for (i = 0; i < COUNT(unary); i++)
		end += sprintf(end, "%s r3, r0\nsw r2, %zu, r3\n", unary[i], 4 * (COUNT(binary) + i));
	strcpy(end, "jump r23\n");
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 400; round++) {
		uint32_t a = interesting(&seed), b = interesting(&seed);

		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_run_ok(&rig);
		for (i = 0; i < COUNT(binary); i++)
			ck_assert_msg(rig_get(&rig, "out", i) == reference(binary[i], a, b),
				      "%s 0x%x, 0x%x = 0x%x", binary[i], a, b, rig_get(&rig, "out", i));
		for (i = 0; i < COUNT(unary); i++)
			ck_assert_msg(rig_get(&rig, "out", COUNT(binary) + i) == unary_reference(unary[i], a),
				      "%s 0x%x", unary[i], a);
	}
	rig_free(&rig);
}

static bool compare(const char *cond, uint32_t a, uint32_t b)
{
	int32_t sa = a, sb = b;
	int64_t difference = (int64_t)sa - sb;
	uint32_t x = a - b;

	if (!strcmp(cond, "z"))
		return a == b;
	if (!strcmp(cond, "nz"))
		return a != b;
	if (!strcmp(cond, "ltu"))
		return a < b;
	if (!strcmp(cond, "geu"))
		return a >= b;
	if (!strcmp(cond, "leu"))
		return a <= b;
	if (!strcmp(cond, "gtu"))
		return a > b;
	if (!strcmp(cond, "lts"))
		return sa < sb;
	if (!strcmp(cond, "ges"))
		return sa >= sb;
	if (!strcmp(cond, "les"))
		return sa <= sb;
	if (!strcmp(cond, "gts"))
		return sa > sb;
	if (!strcmp(cond, "pl"))
		return !(x >> 31);
	if (!strcmp(cond, "mi"))
		return x >> 31;
	if (!strcmp(cond, "ov"))
		return difference != (int32_t)x;
	if (!strcmp(cond, "nov"))
		return difference == (int32_t)x;
	if (!strcmp(cond, "sz"))
		return a == 0;
	if (!strcmp(cond, "snz"))
		return a != 0;
	if (!strcmp(cond, "spl"))
		return sa >= 0;
	if (!strcmp(cond, "smi"))
		return sa < 0;
	return !strcmp(cond, "true");
}

/* Each condition twice: as a branch, and as the value of a comparison. */
TEST(conditions_of_comparisons_are_those_of_c)
{
	static const char *const conds[] = {
		"true", "z", "nz", "ltu", "geu", "leu", "gtu", "lts", "ges", "les", "gts", "pl", "mi", "ov",
		"nov", "sz", "snz", "spl", "smi"
	};
	char text[8192] = INPUTS, *end = text + strlen(text);
	uint64_t seed = 2;
	struct rig rig;
	size_t i;

	for (i = 0; i < COUNT(conds); i++)
		end += sprintf(end, "move r3, 1\nsub zero, r0, r1, %s, .+2\nmove r3, 0\n"
			       "sw r2, %zu, r3\nsub r3, r0, r1, %s\nsw r2, %zu, r3\n", conds[i], 8 * i,
			       conds[i], 8 * i + 4);
	strcpy(end, "jump r23\n");
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 400; round++) {
		uint32_t a = interesting(&seed), b = round % 4 ? interesting(&seed) : a;

		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_run_ok(&rig);
		for (i = 0; i < COUNT(conds); i++) {
			uint32_t expected = compare(conds[i], a, b);

			ck_assert_msg(rig_get(&rig, "out", 2 * i) == expected, "branch %s 0x%x 0x%x",
				      conds[i], a, b);
			ck_assert_msg(rig_get(&rig, "out", 2 * i + 1) == expected, "set %s 0x%x 0x%x",
				      conds[i], a, b);
		}
	}
	rig_free(&rig);
}

/* The idiom of compilers: the low words, then the high words with the old ZF and CF. */
TEST(comparisons_of_64_bits_use_the_old_zero_flag)
{
	static const char *const conds[] = { "xz", "xnz", "xleu", "xgtu", "xles", "xgts", "ltu", "geu",
					     "lts", "ges" };
	char text[4096], *end = text;
	uint64_t seed = 3;
	struct rig rig;

	end += sprintf(end, ".section .dpu_host\n.align 8\nx: .quad 0\ny: .quad 0\nout: .zero 64\n"
		       ".text\nmain: ld d0, zero, x\nld d2, zero, y\n");
	for (size_t i = 0; i < COUNT(conds); i++)
		end += sprintf(end, "move r5, 1\nsub zero, r1, r3\nsubc zero, r0, r2, %s, .+2\n"
			       "move r5, 0\nsw zero, out + %zu, r5\n", conds[i], 4 * i);
	strcpy(end, "jump r23\n");
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 400; round++) {
		uint64_t x = (uint64_t)interesting(&seed) << 32 | interesting(&seed);
		uint64_t y = (uint64_t)interesting(&seed) << 32 | interesting(&seed);
		int64_t sx, sy;

		if (round % 3 == 0)
			y = (x & 0xffffffff00000000u) | (uint32_t)y;
		if (round % 7 == 0)
			y = x;
		sx = x;
		sy = y;
		rig_set64(&rig, "x", 0, x);
		rig_set64(&rig, "y", 0, y);
		rig_run_ok(&rig);
		ck_assert_uint_eq(rig_get(&rig, "out", 0), x == y);
		ck_assert_uint_eq(rig_get(&rig, "out", 1), x != y);
		ck_assert_uint_eq(rig_get(&rig, "out", 2), x <= y);
		ck_assert_uint_eq(rig_get(&rig, "out", 3), x > y);
		ck_assert_uint_eq(rig_get(&rig, "out", 4), sx <= sy);
		ck_assert_uint_eq(rig_get(&rig, "out", 5), sx > sy);
		ck_assert_uint_eq(rig_get(&rig, "out", 6), x < y);
		ck_assert_uint_eq(rig_get(&rig, "out", 7), x >= y);
		ck_assert_uint_eq(rig_get(&rig, "out", 8), sx < sy);
		ck_assert_uint_eq(rig_get(&rig, "out", 9), sx >= sy);
	}
	rig_free(&rig);
}

TEST(other_conditions_hold_when_documented)
{
	static const char text[] = INPUTS
				   "move r4, 0\n"
				   "add r3, r0, r1, c, 1f\n jump 2f\n1: or r4, r4, 1\n"
				   "2: lsl r3, r0, r1, e, 1f\n jump 2f\n1: or r4, r4, 2\n"
				   "2: lsl r3, r0, r1, so, 1f\n jump 2f\n1: or r4, r4, 4\n"
				   "2: lsl r3, r0, r1, sh32, 1f\n jump 2f\n1: or r4, r4, 8\n"
				   "2: clz r3, r0, max, 1f\n jump 2f\n1: or r4, r4, 16\n"
				   "2: mul_ul_ul r3, r0, r1, small, 1f\n jump 2f\n1: or r4, r4, 32\n"
				   "2: and r3, r0, r1, z, 1f\n jump 2f\n1: or r4, r4, 64\n"
				   "2: sw r2, 0, r4\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	uint64_t seed = 4;

	for (int round = 0; round < 300; round++) {
		uint32_t a = interesting(&seed), b = interesting(&seed), expected = 0;

		expected |= (uint64_t)a + b > UINT32_MAX ? 1 : 0;
		expected |= (a << b % 32) % 2 == 0 ? 2 : 0;
		expected |= a % 2 ? 4 : 0;
		expected |= b & 32 ? 8 : 0;
		expected |= a == 0 ? 16 : 0;
		expected |= (a & 255) * (b & 255) < 256 ? 32 : 0;
		expected |= (a & b) == 0 ? 64 : 0;
		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_run_ok(&rig);
		ck_assert_uint_eq(rig_get(&rig, "out", 0), expected);
	}
	rig_free(&rig);
}

TEST(pairs_extend_swap_and_shift_add)
{
	static const char text[] = INPUTS
				   "add.s d4, r0, r1\n sd r2, 0, d4\n"
				   "add.u d4, r0, r1\n sd r2, 8, d4\n"
				   "swapd d4, d0, false, .+1\n sd r2, 16, d4\n"
				   "lsl_add r4, r1, r0, 5\n sw r2, 24, r4\n"
				   "lsl_sub r4, r1, r0, 5\n sw r2, 28, r4\n"
				   "lsr_add r4, r1, r0, 5\n sw r2, 32, r4\n"
				   "rol_add r4, r1, r0, 5\n sw r2, 36, r4\n"
				   "move.s d4, -2\n sd r2, 40, d4\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	uint64_t seed = 5;

	for (int round = 0; round < 100; round++) {
		uint32_t a = interesting(&seed), b = interesting(&seed), sum = a + b;

		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_run_ok(&rig);
		ck_assert_uint_eq(rig_get64(&rig, "out", 0), (uint64_t)(int64_t)(int32_t)sum);
		ck_assert_uint_eq(rig_get64(&rig, "out", 1), sum);
		/* r0 is the high half of d0; swapped it is the low one */
		ck_assert_uint_eq(rig_get64(&rig, "out", 2), (uint64_t)b << 32 | a);
		ck_assert_uint_eq(rig_get(&rig, "out", 6), b + (a << 5));
		ck_assert_uint_eq(rig_get(&rig, "out", 7), b - (a << 5));
		ck_assert_uint_eq(rig_get(&rig, "out", 8), b + (a >> 5));
		ck_assert_uint_eq(rig_get(&rig, "out", 9), b + (a << 5 | a >> 27));
		ck_assert_uint_eq(rig_get64(&rig, "out", 5), (uint64_t)-2);
	}
	rig_free(&rig);
}

TEST(loads_and_stores_of_all_sizes)
{
	static const char text[] = INPUTS
				   "sw r2, 64, r0\n"
				   "lbs r3, r2, 64\n sw r2, 0, r3\n lbu r3, r2, 67\n sw r2, 4, r3\n"
				   "lhs r3, r2, 66\n sw r2, 8, r3\n lhu r3, r2, 64\n sw r2, 12, r3\n"
				   "lw !big, r3, r2, 64\n sw r2, 16, r3\n lhu !big, r3, r2, 64\n sw r2, 20, r3\n"
				   "lw.s d4, r2, 64\n sd r2, 24, d4\n lbu.u d4, r2, 65\n sd r2, 32, d4\n"
				   "sd !big, r2, 72, d0\n"
				   "sb r2, 40, -1\n sh r2, 42, 0x1234\n sw r2, 44, -5\n sd r2, 48, -6\n"
				   "sh r2, 56, r0\n sb r2, 58, r0\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	uint32_t a = 0x89abcdef, b = 0x01234567;

	rig_set(&rig, "a", 0, a);
	rig_set(&rig, "b", 0, b);
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "out", 0), 0xffffffef);
	ck_assert_uint_eq(rig_get(&rig, "out", 1), 0x89);
	ck_assert_uint_eq(rig_get(&rig, "out", 2), 0xffff89ab);
	ck_assert_uint_eq(rig_get(&rig, "out", 3), 0xcdef);
	ck_assert_uint_eq(rig_get(&rig, "out", 4), 0xefcdab89);
	ck_assert_uint_eq(rig_get(&rig, "out", 5), 0xefcd);
	ck_assert_uint_eq(rig_get64(&rig, "out", 3), 0xffffffff89abcdef);
	ck_assert_uint_eq(rig_get64(&rig, "out", 4), 0xcd);
	/* d0 = 89abcdef01234567, stored with its highest byte first */
	ck_assert_uint_eq(rig_get64(&rig, "out", 9), 0x67452301efcdab89);
	ck_assert_uint_eq(rig_get(&rig, "out", 10), 0x123400ff);
	ck_assert_uint_eq(rig_get(&rig, "out", 11), (uint32_t)-5);
	ck_assert_uint_eq(rig_get64(&rig, "out", 6), (uint64_t)-6);
	ck_assert_uint_eq(rig_get(&rig, "out", 14), 0x00efcdef);
	rig_free(&rig);
}

/* 20000 programs of 64 random words: none crashes; loops are stopped. */
TEST(random_words_do_not_harm_the_interpreter)
{
	struct dpu *dpu = dpu_new(&dpu_archs[DPU_ARCH_V1A], NULL, 0, NULL);
	uint64_t seed = 7, words[64];
	int faults_seen = 0;

	ck_assert_ptr_nonnull(dpu);
	for (int round = 0; round < 20000; round++) {
		for (int i = 0; i < 64; i++) {
			words[i] = rig_random(&seed) >> 16;
			/* More legal ones: few words with a top nibble from a on are. */
			if (words[i] >> 44 > 9)
				words[i] &= UINT64_C(0x7fffffffffff);
		}
		ck_assert(dpu_write(dpu, DPU_IRAM, 0, words, sizeof(words)));
		ck_assert(dpu_boot(dpu));
		faults_seen += dpu_run(dpu, 500) == DPU_FAULT;
		dpu_halt(dpu);
	}
	ck_assert_int_gt(faults_seen, 10000);
	dpu_destroy(dpu);
}
