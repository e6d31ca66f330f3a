// SPDX-License-Identifier: GPL-2.0-only
/* The routines of examples/upmem/lib/arith.s and arith64.s, against C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/rig.h"

#define ROUNDS 3000

SUITE("upmem arithmetic", .timeout = 120);

TEST(multiplication_and_division_are_those_of_c)
{
	static const char text[] =
		".section .dpu_host\n.align 4\na: .long 0\nb: .long 0\nout: .zero 28\n.text\n"
		"main: move r14, r23\n lw r0, zero, a\n lw r1, zero, b\n call r23, __mulsi3\n"
		" sw zero, out, r0\n lw r0, zero, a\n lw r1, zero, b\n call r23, __udivsi3\n"
		" sw zero, out + 4, r0\n sw zero, out + 8, r1\n"
		" lw r0, zero, a\n lw r1, zero, b\n call r23, __divsi3\n"
		" sw zero, out + 12, r0\n sw zero, out + 16, r1\n"
		" lw r0, zero, a\n lw r1, zero, b\n call r23, __umodsi3\n sw zero, out + 20, r0\n"
		" lw r0, zero, a\n lw r1, zero, b\n call r23, __modsi3\n sw zero, out + 24, r0\n"
		" jump r14\n"
		".include \"lib/arith.s\"\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	uint64_t seed = 13;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t r = rig_random(&seed);
		uint32_t a = r >> 32 >> (round % 31), b = (uint32_t)r >> (r % 32);

		a = round % 3 ? a : -a;
		b = round % 5 ? b + !b : -(b + !b);
		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_run_ok(&rig);
		ck_assert_uint_eq(rig_get(&rig, "out", 0), a * b);
		ck_assert_uint_eq(rig_get(&rig, "out", 1), a / b);
		ck_assert_uint_eq(rig_get(&rig, "out", 2), a % b);
		ck_assert_uint_eq(rig_get(&rig, "out", 5), a % b);
		/* in 64 bits, because C leaves INT32_MIN / -1 open */
		ck_assert_uint_eq(rig_get(&rig, "out", 3), (uint32_t)((int64_t)(int32_t)a / (int32_t)b));
		ck_assert_uint_eq(rig_get(&rig, "out", 4), (uint32_t)((int64_t)(int32_t)a % (int32_t)b));
		ck_assert_uint_eq(rig_get(&rig, "out", 6), (uint32_t)((int64_t)(int32_t)a % (int32_t)b));
	}
	rig_set(&rig, "b", 0, 0);
	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	ck_assert_uint_eq(dpu_fault(rig.dpu)->code, 2);		/* SDK: division by zero */
	rig_free(&rig);
}

/* Calls one routine on a and b (or on a and the shift n); d0 and d2 are its results. */
static struct rig rig_for(const char *routine, bool shift)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 ".section .dpu_host\n.align 8\na: .quad 0\nb: .quad 0\nn: .long 0, 0\nout: .zero 16\n"
		 ".text\nmain: move r14, r23\n ld d0, zero, a\n %s\n call r23, %s\n"
		 " sd zero, out, d0\n sd zero, out + 8, d2\n jump r14\n.include \"lib/arith64.s\"\n",
		 shift ? "lw r2, zero, n" : "ld d2, zero, b", routine);
	return rig_new(text, 1, DPU_ARCH_V1B);
}

/* Numbers at which halves, signs and carries change, and random numbers of all lengths. */
static uint64_t number(uint64_t *seed)
{
	static const uint64_t edges[] = {
		0, 1, 2, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x100000001,
		0x1ffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
		0xffffffff00000000, 0xffffffff7fffffff, 0xfffffffffffffffe, 0xffffffffffffffff
	};
	uint64_t r = rig_random(seed), shift = rig_random(seed) >> 58;

	if (rig_random(seed) >> 62 == 0)
		return edges[r % (sizeof(edges) / sizeof(edges[0]))];
	return r >> shift;
}

static void set_both(struct rig *rig, uint64_t a, uint64_t b)
{
	rig_set64(rig, "a", 0, a);
	rig_set64(rig, "b", 0, b);
	rig_run_ok(rig);
}

TEST(products_of_64_bits_are_those_of_c)
{
	struct rig rig = rig_for("__muldi3", false);
	uint64_t seed = 17;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t a = number(&seed), b = number(&seed);

		set_both(&rig, a, b);
		ck_assert_msg(rig_get64(&rig, "out", 0) == a * b, "%llx * %llx", (unsigned long long)a,
			      (unsigned long long)b);
	}
	rig_free(&rig);
}

TEST(quotients_of_64_bits_are_those_of_c)
{
	struct rig rig = rig_for("__udivdi3", false), rest = rig_for("__umoddi3", false);
	uint64_t seed = 19;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t a = number(&seed), b = number(&seed);

		b += !b;
		set_both(&rig, a, b);
		ck_assert_msg(rig_get64(&rig, "out", 0) == a / b && rig_get64(&rig, "out", 1) == a % b,
			      "%llx / %llx", (unsigned long long)a, (unsigned long long)b);
		set_both(&rest, a, b);
		ck_assert_uint_eq(rig_get64(&rest, "out", 0), a % b);
	}
	rig_free(&rest);
	rig_free(&rig);
}

TEST(signed_quotients_of_64_bits_are_those_of_c)
{
	struct rig rig = rig_for("__divdi3", false), rest = rig_for("__moddi3", false);
	uint64_t seed = 23;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t a = number(&seed), b = number(&seed);

		b += !b;
		/* C does not define this one; in two's complement the result is the operand. */
		if (a == INT64_MIN && b == -1)
			continue;
		set_both(&rig, a, b);
		ck_assert_msg(rig_get64(&rig, "out", 0) == (uint64_t)(a / b) &&
			      rig_get64(&rig, "out", 1) == (uint64_t)(a % b), "%lld / %lld",
			      (long long)a, (long long)b);
		set_both(&rest, a, b);
		ck_assert_int_eq(rig_get64(&rest, "out", 0), a % b);
	}
	rig_free(&rest);
	set_both(&rig, INT64_MIN, -1);
	ck_assert_uint_eq(rig_get64(&rig, "out", 0), INT64_MIN);
	ck_assert_uint_eq(rig_get64(&rig, "out", 1), 0);
	rig_free(&rig);
}

LOOP_TEST(division_by_zero_is_fault_2, 0, 2)
{
	static const uint64_t dividends[] = { 0, 1, UINT64_C(1) << 32, UINT64_MAX };
	struct rig rig = rig_for(_i ? "__divdi3" : "__udivdi3", false);

	for (int i = 0; i < 4; i++) {
		rig_set64(&rig, "a", 0, dividends[i]);
		ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
		ck_assert_int_eq(dpu_fault(rig.dpu)->kind, DPU_FAULT_INSN);
		ck_assert_uint_eq(dpu_fault(rig.dpu)->code, 2);
	}
	rig_free(&rig);
}

LOOP_TEST(shifts_of_64_bits_are_those_of_c, 0, 3)
{
	static const char *const routines[] = { "__ashldi3", "__lshrdi3", "__ashrdi3" };
	struct rig rig = rig_for(routines[_i], true);
	uint64_t seed = 29;

	for (unsigned int n = 0; n < 64; n++) {
		for (int round = 0; round < 20; round++) {
			uint64_t a = number(&seed);
			uint64_t expected = _i == 0 ? a << n : _i == 1 ? a >> n :
					    (uint64_t)((int64_t)a >> n);

			rig_set64(&rig, "a", 0, a);
			rig_set(&rig, "n", 0, n);
			rig_run_ok(&rig);
			ck_assert_msg(rig_get64(&rig, "out", 0) == expected, "%s of %llx by %u",
				      routines[_i], (unsigned long long)a, n);
		}
	}
	rig_free(&rig);
}
