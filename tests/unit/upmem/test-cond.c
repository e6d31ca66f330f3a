// SPDX-License-Identifier: GPL-2.0-only
/* Every condition of every class of instructions, taken and not taken, against C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upmem/isa.h"
#include "tests/unit/upmem/rig.h"

/* What an instruction's condition may look at: UPMEM's assembler documentation. */
struct result {
	uint32_t x, a, count;	/* the result, the source register, the shift's count */
	bool z;			/* the zero flag before */
	bool c, v;
};

static bool is_true(enum dpu_cond cond, const struct result *r)
{
	bool z = r->x == 0, n = r->x >> 31, xz = z && r->z;

	switch (cond) {
	case DPU_COND_TRUE:
		return true;
	case DPU_COND_Z:
		return z;
	case DPU_COND_NZ:
		return !z;
	case DPU_COND_XZ:
		return xz;
	case DPU_COND_XNZ:
		return !xz;
	case DPU_COND_PL:
		return !n;
	case DPU_COND_MI:
		return n;
	case DPU_COND_OV:
		return r->v;
	case DPU_COND_NOV:
		return !r->v;
	case DPU_COND_C:
	case DPU_COND_GEU:
		return r->c;
	case DPU_COND_NC:
	case DPU_COND_LTU:
		return !r->c;
	case DPU_COND_LTS:
		return n != r->v;
	case DPU_COND_GES:
		return n == r->v;
	case DPU_COND_LES:
		return z || n != r->v;
	case DPU_COND_GTS:
		return !z && n == r->v;
	case DPU_COND_LEU:
		return z || !r->c;
	case DPU_COND_GTU:
		return !z && r->c;
	case DPU_COND_XLES:
		return xz || n != r->v;
	case DPU_COND_XGTS:
		return !xz && n == r->v;
	case DPU_COND_XLEU:
		return xz || !r->c;
	case DPU_COND_XGTU:
		return !xz && r->c;
	case DPU_COND_SZ:
		return !r->a;
	case DPU_COND_SNZ:
		return r->a;
	case DPU_COND_SPL:
		return (int32_t)r->a >= 0;
	case DPU_COND_SMI:
		return (int32_t)r->a < 0;
	case DPU_COND_E:
		return r->x % 2 == 0;
	case DPU_COND_O:
		return r->x % 2;
	case DPU_COND_SE:
		return r->a % 2 == 0;
	case DPU_COND_SO:
		return r->a % 2;
	case DPU_COND_SH32:
		return r->count & 32;
	case DPU_COND_NSH32:
		return !(r->count & 32);
	case DPU_COND_MAX:
		return r->x == 32;
	case DPU_COND_NMAX:
		return r->x != 32;
	case DPU_COND_SMALL:
		return r->x < 256;
	case DPU_COND_LARGE:
		return r->x >= 256;
	default:
		return false;
	}
}

/* Carry and overflow of a + b + carry; a subtraction is a + ~b + 1. */
static void sum(struct result *r, uint32_t a, uint32_t b, unsigned int carry)
{
	uint64_t wide = (uint64_t)a + b + carry;
	int64_t wide_signed = (int64_t)(int32_t)a + (int32_t)b + carry;

	r->x = wide;
	r->c = wide >> 32;
	r->v = wide_signed != (int32_t)wide;
}

/* r0 and r1 hold a and b, the carry flag that of a + b. */
#define ARITHMETIC(name, text_, nz, set, left, right, carry) \
	static void name(struct result *r, uint32_t a, uint32_t b) \
	{ \
		bool cf = (uint64_t)a + b > UINT32_MAX; \
\
		(void)cf; \
		sum(r, left, right, carry); \
	}
#define LOGIC(name, text_, nz, set, value) \
	static void name(struct result *r, uint32_t a, uint32_t b) \
	{ \
		(void)a; \
		(void)b; \
		r->x = value; \
	}
#define OPERATIONS \
	ARITHMETIC(add, "add r8, r0, r1", ADD_NZ, LOG_SET, a, b, 0) \
	ARITHMETIC(add_number, "add r8, r0, -7", ADD_NZ, LOG_SET, a, -7u, 0) \
	ARITHMETIC(addc, "addc r8, r0, r1", ADD_NZ, LOG_SET, a, b, cf) \
	ARITHMETIC(sub, "sub r8, r0, r1", SUB_NZ, EXT_SUB_SET, a, ~b, 1) \
	ARITHMETIC(sub_from, "sub r8, 5, r0", SUB_NZ, SUB_SET, 5, ~a, 1) \
	ARITHMETIC(subc, "subc r8, r0, r1", SUB_NZ, EXT_SUB_SET, a, ~b, cf) \
	ARITHMETIC(rsub, "rsub r8, r0, r1", SUB_NZ, SUB_SET, b, ~a, 1) \
	ARITHMETIC(rsubc, "rsubc r8, r0, r1", SUB_NZ, SUB_SET, b, ~a, cf) \
	LOGIC(and, "and r8, r0, r1", LOG_NZ, LOG_SET, a & b) \
	LOGIC(or, "or r8, r0, r1", LOG_NZ, LOG_SET, a | b) \
	LOGIC(xor, "xor r8, r0, r1", LOG_NZ, LOG_SET, a ^ b) \
	LOGIC(nor, "nor r8, r0, r1", LOG_NZ, LOG_SET, ~(a | b)) \
	LOGIC(extsb, "extsb r8, r0", LOG_NZ, LOG_SET, (uint32_t)(int8_t)a) \
	LOGIC(cao, "cao r8, r0", COUNT_NZ, LOG_SET, (uint32_t)__builtin_popcount(a)) \
	LOGIC(clz, "clz r8, r0", COUNT_NZ, LOG_SET, a ? (uint32_t)__builtin_clz(a) : 32) \
	LOGIC(mul_ul_ul, "mul_ul_ul r8, r0, r1", MUL_NZ, LOG_SET, (a & 255) * (b & 255)) \
	LOGIC(mul_sl_ul, "mul_sl_ul r8, r0, r1", MUL_NZ, LOG_SET, (int8_t)a * (b & 255)) \
	LOGIC(cmpb4, "cmpb4 r8, r0, r1", LOG_NZ, LOG_SET, \
	      (uint32_t)((a >> 24) == (b >> 24)) << 24 | \
	      (uint32_t)((a >> 16 & 255) == (b >> 16 & 255)) << 16 | \
	      (uint32_t)((a >> 8 & 255) == (b >> 8 & 255)) << 8 | ((a & 255) == (b & 255))) \
	LOGIC(lsl, "lsl r8, r0, r1", SHIFT_NZ, LOG_SET, a << b % 32) \
	LOGIC(lsr, "lsr r8, r0, r1", SHIFT_NZ, LOG_SET, a >> b % 32) \
	LOGIC(lsr_number, "lsr r8, r0, 7", IMM_SHIFT_NZ, LOG_SET, a >> 7) \
	LOGIC(asr_number, "asr r8, r0, 31", IMM_SHIFT_NZ, LOG_SET, (uint32_t)((int32_t)a >> 31)) \
	LOGIC(lsl_add, "lsl_add r8, r1, r0, 3", DIV_NZ, COUNT, b + (a << 3)) \
	LOGIC(mul_step, "mul_step d8, r0, d2, 3", BOOT, COUNT, b >> 1) \
	LOGIC(div_step, "div_step d8, r0, d2, 3", DIV, COUNT, 0)

OPERATIONS
#undef ARITHMETIC
#undef LOGIC

#define ARITHMETIC(name, text, nz, set, ...) { name, text, DPU_CC_##nz, DPU_CC_##set },
#define LOGIC(name, text, nz, set, value) { name, text, DPU_CC_##nz, DPU_CC_##set },
static const struct {
	void (*result)(struct result *r, uint32_t a, uint32_t b);
	const char *text;
	enum dpu_cc_class branch, set;	/* DPU_CC_COUNT: has none */
} operations[] = { OPERATIONS };
#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

static uint32_t interesting(uint64_t *seed)
{
	static const uint32_t edges[] = {
		0, 1, 2, 5, 7, 31, 32, 63, 255, 256, 0x7fffffff, 0x80000000, 0xfffffff9, 0xffffffff
	};
	uint64_t r = rig_random(seed);

	return r >> 60 < 9 ? edges[r % (sizeof(edges) / sizeof(edges[0]))] : (uint32_t)(r >> 16);
}

#define TEXT_SIZE 32768

/* Both halves of a test's program: its instruction as a branch, or as a set form. */
static char *write_cases(char *end, int op, enum dpu_cc_class class, bool branch)
{
	unsigned int slot = branch ? 0 : DPU_COND_INVALID;

	for (int cond = 0; cond < DPU_COND_NC5; cond++) {
		if (dpu_cond_cc(class, cond) < 0)
			continue;
		/* the carry of a + b, and old's zero flag */
		end += sprintf(end, "add r9, r0, r1\nmove r7, 1\nor r6, r5, 0\n%s, %s%s\n%s"
			       "sw r4, %u, %s\n", operations[op].text, dpu_cond_name(cond),
			       branch ? ", .+2" : "", branch ? "move r7, 0\n" : "", 4 * (slot + cond),
			       branch ? "r7" : "r8");
	}
	return end;
}

static void check_cases(struct rig *rig, int op, enum dpu_cc_class class, bool branch,
			const struct result *r, uint32_t seen[])
{
	unsigned int slot = branch ? 0 : DPU_COND_INVALID;

	for (int cond = 0; cond < DPU_COND_NC5; cond++) {
		bool expected = is_true(cond, r);

		if (dpu_cond_cc(class, cond) < 0)
			continue;
		seen[slot + cond] |= 1u << expected;
		ck_assert_msg(rig_get(rig, "out", slot + cond) == expected,
			      "%s, %s%s: a = 0x%x, b = 0x%x, old ZF %d", operations[op].text,
			      dpu_cond_name(cond), branch ? ", branch" : "",
			      rig_get(rig, "a", 0), rig_get(rig, "b", 0), r->z);
	}
}

START_TEST(conditions_hold_when_documented)
{
	char text[TEXT_SIZE] = ".section .dpu_host\n.align 8\na: .long 0\nb: .long 0\nold: .long 0\n"
			       "out: .zero 512\n.text\nmain: lw r0, zero, a\nlw r1, zero, b\n"
			       "lw r5, zero, old\nmove r2, r1\nmove r3, r0\nmove r4, out\n";
	char *end = text + strlen(text);
	uint32_t seen[2 * DPU_COND_INVALID] = { 0 };
	uint64_t seed = 20 + _i;
	struct rig rig;

	end = write_cases(end, _i, operations[_i].branch, true);
	if (operations[_i].set != DPU_CC_COUNT)
		end = write_cases(end, _i, operations[_i].set, false);
	strcpy(end, "jump r23\n");
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 400; round++) {
		uint32_t a = interesting(&seed), b = round % 5 ? interesting(&seed) : a;
		struct result r = { .a = a, .count = b, .z = round % 3 == 0 };

		rig_set(&rig, "a", 0, a);
		rig_set(&rig, "b", 0, b);
		rig_set(&rig, "old", 0, !r.z);
		rig_run_ok(&rig);
		operations[_i].result(&r, a, b);
		check_cases(&rig, _i, operations[_i].branch, true, &r, seen);
		if (operations[_i].set != DPU_CC_COUNT)
			check_cases(&rig, _i, operations[_i].set, false, &r, seen);
	}
	/* Where both are possible, both came. */
	ck_assert_uint_eq(seen[DPU_COND_Z] | seen[DPU_COND_SZ], 3);
	rig_free(&rig);
}
END_TEST

START_TEST(every_class_has_been_tested)
{
	bool tested[DPU_CC_COUNT] = { false };

	for (size_t i = 0; i < OPERATION_COUNT; i++) {
		tested[operations[i].branch] = true;
		if (operations[i].set != DPU_CC_COUNT)
			tested[operations[i].set] = true;
	}
	/* these are below */
	tested[DPU_CC_ACQUIRE] = true;
	tested[DPU_CC_RELEASE] = true;
	tested[DPU_CC_TRUE_FALSE] = true;
	tested[DPU_CC_TRUE] = true;
	tested[DPU_CC_FALSE] = true;	/* the plain forms of test-exec.c */
	for (int i = 0; i < DPU_CC_COUNT; i++)
		ck_assert_msg(tested[i], "condition class %d", i);
}
END_TEST

/* The source is a, the bit 40 in all cases; the result is what the bit was. */
START_TEST(run_bits_conditions_look_at_the_old_bit)
{
	static const char *const ops[] = { "boot", "resume", "clr_run", "read_run" };
	static const uint32_t sources[] = { 0, 0x80000000, 0x10000 };
	char text[TEXT_SIZE] = ".section .dpu_host\n.align 8\na: .long 0\nold: .long 0\nout: .zero 512\n"
			       ".text\nmain: lw r0, zero, a\nlw r5, zero, old\nmove r4, out\n";
	char *end = text + strlen(text);
	struct rig rig;

	for (int cond = 0; cond < DPU_COND_NC5; cond++) {
		if (dpu_cond_cc(DPU_CC_BOOT, cond) < 0)
			continue;
		for (int bit = 0; bit < 2; bit++)
			end += sprintf(end, "move r7, 1\n%s zero, 40, false, .+1\nor r6, r5, 0\n"
				       "%s r0, 40, %s, .+2\nmove r7, 0\nsw r4, %u, r7\n",
				       bit ? "resume" : "clr_run", ops[_i], dpu_cond_name(cond),
				       8 * cond + 4 * bit);
	}
	/* what the operation left: bit 40 was 0, and bit 41 1 */
	end += sprintf(end, "clr_run zero, 40, false, .+1\nresume zero, 41, false, .+1\n"
		       "%s zero, 40, false, .+1\n%s zero, 41, false, .+1\n"
		       "move r7, 1\nread_run zero, 40, nz, .+2\nmove r7, 0\nsw r4, 504, r7\n"
		       "move r7, 1\nread_run zero, 41, nz, .+2\nmove r7, 0\nsw r4, 508, r7\njump r23\n",
		       ops[_i], ops[_i]);
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 6; round++) {
		rig_set(&rig, "a", 0, sources[round / 2]);
		rig_set(&rig, "old", 0, round % 2);
		rig_run_ok(&rig);
		for (int cond = 0; cond < DPU_COND_NC5; cond++) {
			for (uint32_t bit = 0; bit < 2 && dpu_cond_cc(DPU_CC_BOOT, cond) >= 0; bit++) {
				const struct result r = {
					.x = bit, .a = sources[round / 2], .z = round % 2 == 0
				};

				ck_assert_msg(rig_get(&rig, "out", 2 * cond + bit) == is_true(cond, &r),
					      "%s, %s, a = 0x%x, bit %u", ops[_i], dpu_cond_name(cond),
					      r.a, bit);
			}
		}
		/* boot and resume set, clr_run clears, read_run leaves it */
		ck_assert_uint_eq(rig_get(&rig, "out", 126), _i < 2);
		ck_assert_uint_eq(rig_get(&rig, "out", 127), _i != 2);
	}
	rig_free(&rig);
}
END_TEST

/* acquire: z is "got it"; release: nz is "was taken"; movd, swapd, time: always or never. */
START_TEST(branches_of_other_instructions)
{
	static const char text[] =
		".section .atomic\nbit: .space 1\n.section .dpu_host\n.align 8\nout: .zero 64\n.text\n"
		"main: move r0, bit\n move r4, out\n"
		"move r7, 1\n acquire r0, 0, z, .+2\n move r7, 0\n sw r4, 0, r7\n"
		"move r7, 1\n acquire r0, 0, z, .+2\n move r7, 0\n sw r4, 4, r7\n"
		"move r7, 1\n acquire r0, 0, nz, .+2\n move r7, 0\n sw r4, 8, r7\n"
		"move r7, 1\n acquire r0, 0, true, .+2\n move r7, 0\n sw r4, 12, r7\n"
		"move r7, 1\n release r0, 0, nz, .+2\n move r7, 0\n sw r4, 16, r7\n"
		"move r7, 1\n release r0, 0, nz, .+2\n move r7, 0\n sw r4, 20, r7\n"
		"move r7, 1\n movd d2, d4, true, .+2\n move r7, 0\n sw r4, 24, r7\n"
		"move r7, 1\n movd d2, d4, false, .+2\n move r7, 0\n sw r4, 28, r7\n"
		"move r7, 1\n swapd d2, d4, true, .+2\n move r7, 0\n sw r4, 32, r7\n"
		"move r7, 1\n swapd d2, d4, false, .+2\n move r7, 0\n sw r4, 36, r7\n"
		"move r7, 1\n time r2, true, .+2\n move r7, 0\n sw r4, 40, r7\n jump r23\n";
	static const uint32_t expected[] = { 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1 };
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);

	rig_run_ok(&rig);
	for (unsigned int i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_msg(rig_get(&rig, "out", i) == expected[i], "case %u", i);
	rig_free(&rig);
}
END_TEST

START_TEST(conditions_without_a_meaning_fault_with_the_instruction)
{
	const char *name = dpu_cond_name(DPU_COND_NC5 + _i);
	char program[128], text[256];
	struct rig rig;

	snprintf(program, sizeof(program), "main: add r1, r1, r2, %s, .\njump r23\n", name);
	rig = rig_new(program, 1, DPU_ARCH_V1B);
	ck_assert_int_eq(rig_run(&rig), DPU_FAULT);
	ck_assert_int_eq(dpu_fault(rig.dpu)->kind, DPU_FAULT_UNDEFINED);
	dpu_fault_text(rig.dpu, text, sizeof(text));
	snprintf(program, sizeof(program), "\"add r1, r1, r2, %s, 0xb\" at 0x80000058", name);
	ck_assert_msg(strstr(text, program), "%s", text);
	rig_free(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("upmem conditions");
	TCase *tcase = tcase_create("cond");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, conditions_hold_when_documented, 0, OPERATION_COUNT);
	tcase_add_test(tcase, every_class_has_been_tested);
	tcase_add_loop_test(tcase, run_bits_conditions_look_at_the_old_bit, 0, 4);
	tcase_add_test(tcase, branches_of_other_instructions);
	tcase_add_loop_test(tcase, conditions_without_a_meaning_fault_with_the_instruction, 0,
			    DPU_COND_INVALID - DPU_COND_NC5);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
