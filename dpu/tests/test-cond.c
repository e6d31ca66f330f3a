// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every condition on every instruction that takes it, taken and not taken.
 *
 * The tables below say which conditions hold after an instruction with given operands. They follow
 * UPMEM's assembler documentation and, for nc5 to nc14, the needs of the SDK's sequential readers:
 * no carry into the bit. A condition that an instruction takes and that its row does not name must
 * not hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"
#include "tests/main.h"
#include "dpu/tests/rig.h"

/* For a result of zero the old ZF matters. Columns: always, old ZF set, old ZF clear. */
#define ZERO "true z", "xz", "xnz"
#define NONZERO "true nz xnz", "", ""
#define EQUAL "true z", "xz xles xleu", "xnz xgts xgtu"

struct row {
	uint32_t a, b;			/* r0 and r1 */
	const char *x, *old_zero, *old_nonzero;
	const char *holds;
};

#define CARRY "carry "			/* CF was set before */

/* Sources: what ra says. */
#define A_ZERO " sz spl"
#define A_POSITIVE " snz spl"
#define A_NEGATIVE " snz smi"

#define TOP 0x80000000u
#define ALL 0xffffffffu
/* the end of a list */
#define END { 0, 0, NULL, NULL, NULL, NULL }

static const struct row rows_and[] = {
	{ 12, 3, ZERO, "pl" A_POSITIVE }, { 0, 5, ZERO, "pl" A_ZERO },
	{ 7, 5, NONZERO, "pl" A_POSITIVE }, { TOP | 1, TOP, NONZERO, "mi" A_NEGATIVE }, END
};
static const struct row rows_andn[] = {
	{ 5, 5, ZERO, "pl" A_POSITIVE }, { 0, 6, NONZERO, "pl" A_ZERO },
	{ TOP, TOP | 4, NONZERO, "pl" A_NEGATIVE }, { 1, TOP, NONZERO, "mi" A_POSITIVE }, END
};
static const struct row rows_or[] = {
	{ 0, 0, ZERO, "pl" A_ZERO }, { 1, 2, NONZERO, "pl" A_POSITIVE },
	{ TOP, 0, NONZERO, "mi" A_NEGATIVE }, END
};
static const struct row rows_orn[] = {
	{ ALL, 0, ZERO, "pl" A_NEGATIVE }, { TOP, 0, NONZERO, "pl" A_NEGATIVE },
	{ 0, 0, NONZERO, "mi" A_ZERO }, { 4, 0, NONZERO, "mi" A_POSITIVE }, END
};
static const struct row rows_xor[] = {
	{ 5, 5, ZERO, "pl" A_POSITIVE }, { 0, 9, NONZERO, "pl" A_ZERO },
	{ TOP, 1, NONZERO, "mi" A_NEGATIVE }, END
};
static const struct row rows_nand[] = {
	{ ALL, ALL, ZERO, "pl" A_NEGATIVE }, { TOP | 1, TOP, NONZERO, "pl" A_NEGATIVE },
	{ 0, 1, NONZERO, "mi" A_ZERO }, { 6, 8, NONZERO, "mi" A_POSITIVE }, END
};
static const struct row rows_nor[] = {
	{ ALL, 0, ZERO, "pl" A_NEGATIVE }, { TOP, 1, NONZERO, "pl" A_NEGATIVE },
	{ 0, 0, NONZERO, "mi" A_ZERO }, { 6, 8, NONZERO, "mi" A_POSITIVE }, END
};
static const struct row rows_nxor[] = {
	{ 0xfffffff0, 15, ZERO, "pl" A_NEGATIVE }, { TOP, 0, NONZERO, "pl" A_NEGATIVE },
	{ 0, 0, NONZERO, "mi" A_ZERO }, { 6, 8, NONZERO, "mi" A_POSITIVE }, END
};
/* a byte of 1 for each pair of equal bytes */
static const struct row rows_cmpb4[] = {
	{ 0x11223344, 0, ZERO, "pl" A_POSITIVE }, { 0, 0, NONZERO, "pl" A_ZERO },
	{ TOP, TOP, NONZERO, "pl" A_NEGATIVE }, END
};
static const struct row rows_extsb[] = {
	{ 0x100, 0, ZERO, "pl" A_POSITIVE }, { 0, 0, ZERO, "pl" A_ZERO },
	{ 0x17f, 0, NONZERO, "pl" A_POSITIVE }, { 0x80, 0, NONZERO, "mi" A_POSITIVE },
	{ TOP | 1, 0, NONZERO, "pl" A_NEGATIVE }, END
};
static const struct row rows_extsh[] = {
	{ 0x10000, 0, ZERO, "pl" A_POSITIVE }, { 0, 0, ZERO, "pl" A_ZERO },
	{ 0x17fff, 0, NONZERO, "pl" A_POSITIVE }, { 0x8000, 0, NONZERO, "mi" A_POSITIVE },
	{ TOP | 1, 0, NONZERO, "pl" A_NEGATIVE }, END
};
static const struct row rows_extub[] = {
	{ 0x100, 0, ZERO, "pl" A_POSITIVE }, { 0, 0, ZERO, "pl" A_ZERO },
	{ 0x80, 0, NONZERO, "pl" A_POSITIVE }, { ALL, 0, NONZERO, "pl" A_NEGATIVE }, END
};
static const struct row rows_extuh[] = {
	{ 0x10000, 0, ZERO, "pl" A_POSITIVE }, { 0, 0, ZERO, "pl" A_ZERO },
	{ 0x8000, 0, NONZERO, "pl" A_POSITIVE }, { ALL, 0, NONZERO, "pl" A_NEGATIVE }, END
};

/* Shifts: e and o look at the result, se and so at the source, sh32 at bit 5 of the count. */
static const struct row rows_lsl[] = {
	{ 1, 31, NONZERO, "mi e so nsh32" A_POSITIVE },
	{ TOP, 1, ZERO, "pl e se nsh32" A_NEGATIVE },
	{ 3, 32, NONZERO, "pl o so sh32" A_POSITIVE },
	{ 0, 0, ZERO, "pl e se nsh32" A_ZERO }, END
};
static const struct row rows_lsl1[] = {
	{ 0, 0, ZERO, "pl e se nsh32" A_ZERO }, { 0, 1, NONZERO, "pl o se nsh32" A_ZERO },
	{ TOP | TOP >> 1, 1, NONZERO, "mi o se nsh32" A_NEGATIVE },
	{ 4, 32, NONZERO, "pl e se sh32" A_POSITIVE },
	{ 5, 0, NONZERO, "pl o so nsh32" A_POSITIVE }, END
};
/* the bits that lsl shifts out; none for a count of 0 */
static const struct row rows_lslx[] = {
	{ TOP, 1, NONZERO, "pl o se nsh32" A_NEGATIVE },
	{ TOP, 0, ZERO, "pl e se nsh32" A_NEGATIVE },
	{ 5, 32, ZERO, "pl e so sh32" A_POSITIVE }, { 0, 7, ZERO, "pl e se nsh32" A_ZERO },
	{ TOP, 2, NONZERO, "pl e se nsh32" A_NEGATIVE }, END
};
/* the same among ones */
static const struct row rows_lsl1x[] = {
	{ 0, 0, NONZERO, "mi o se nsh32" A_ZERO }, { 0, 1, NONZERO, "mi e se nsh32" A_ZERO },
	{ TOP | 1, 33, NONZERO, "mi o so sh32" A_NEGATIVE },
	{ 2, 1, NONZERO, "mi e se nsh32" A_POSITIVE },
	END
};
static const struct row rows_lsr[] = {
	{ TOP, 31, NONZERO, "pl o se nsh32" A_NEGATIVE },
	{ 1, 1, ZERO, "pl e so nsh32" A_POSITIVE },
	{ TOP | 2, 32, NONZERO, "mi e se sh32" A_NEGATIVE },
	{ 0, 0, ZERO, "pl e se nsh32" A_ZERO }, END
};
static const struct row rows_lsr1[] = {
	{ 0, 1, NONZERO, "mi e se nsh32" A_ZERO }, { 5, 0, NONZERO, "pl o so nsh32" A_POSITIVE },
	{ 0, 32, ZERO, "pl e se sh32" A_ZERO }, { 0, 0, ZERO, "pl e se nsh32" A_ZERO },
	{ TOP, 0, NONZERO, "mi e se nsh32" A_NEGATIVE }, END
};
static const struct row rows_lsrx[] = {
	{ 1, 1, NONZERO, "mi e so nsh32" A_POSITIVE }, { 5, 0, ZERO, "pl e so nsh32" A_POSITIVE },
	{ 1, 31, NONZERO, "pl e so nsh32" A_POSITIVE },
	{ TOP | 1, 33, NONZERO, "mi e so sh32" A_NEGATIVE },
	{ 0, 3, ZERO, "pl e se nsh32" A_ZERO }, END
};
static const struct row rows_lsr1x[] = {
	{ 0, 1, NONZERO, "pl o se nsh32" A_ZERO }, { 1, 1, NONZERO, "mi o so nsh32" A_POSITIVE },
	{ TOP, 32, NONZERO, "mi o se sh32" A_NEGATIVE },
	{ TOP, 0, NONZERO, "mi o se nsh32" A_NEGATIVE }, END
};
static const struct row rows_asr[] = {
	{ TOP, 31, NONZERO, "mi o se nsh32" A_NEGATIVE },
	{ 1, 1, ZERO, "pl e so nsh32" A_POSITIVE },
	{ 4, 33, NONZERO, "pl e se sh32" A_POSITIVE },
	{ 0, 0, ZERO, "pl e se nsh32" A_ZERO }, END
};
static const struct row rows_rol[] = {
	{ TOP, 1, NONZERO, "pl o se nsh32" A_NEGATIVE },
	{ 1, 31, NONZERO, "mi e so nsh32" A_POSITIVE },
	{ 0, 37, ZERO, "pl e se sh32" A_ZERO }, { 0, 5, ZERO, "pl e se nsh32" A_ZERO }, END
};
static const struct row rows_ror[] = {
	{ 1, 1, NONZERO, "mi e so nsh32" A_POSITIVE },
	{ TOP, 31, NONZERO, "pl o se nsh32" A_NEGATIVE },
	{ 0, 37, ZERO, "pl e se sh32" A_ZERO }, { 0, 5, ZERO, "pl e se nsh32" A_ZERO }, END
};

/* Counts: max is 32. */
static const struct row rows_cao[] = {
	{ 0, 0, ZERO, "nmax" A_ZERO }, { ALL, 0, NONZERO, "max" A_NEGATIVE },
	{ 3, 0, NONZERO, "nmax" A_POSITIVE }, END
};
static const struct row rows_clz[] = {
	{ 0, 0, NONZERO, "max" A_ZERO }, { TOP, 0, ZERO, "nmax" A_NEGATIVE },
	{ 1, 0, NONZERO, "nmax" A_POSITIVE }, END
};
static const struct row rows_clo[] = {
	{ ALL, 0, NONZERO, "max" A_NEGATIVE }, { 1, 0, ZERO, "nmax" A_POSITIVE },
	{ TOP, 0, NONZERO, "nmax" A_NEGATIVE }, { 0, 0, ZERO, "nmax" A_ZERO }, END
};
static const struct row rows_cls[] = {
	{ 0, 0, NONZERO, "max" A_ZERO }, { ALL, 0, NONZERO, "max" A_NEGATIVE },
	{ TOP >> 1, 0, NONZERO, "nmax" A_POSITIVE }, END
};

/* Products of bytes: small is below 256. The bytes are at both places, 0xf0 is -16 where signed. */
#define MUL_COMMON \
	{ 0, 0x0505, ZERO, "small" A_ZERO }, { 0x0f0f, 0x1111, NONZERO, "small" A_POSITIVE }, \
	{ 0x1010, 0x1010, NONZERO, "large" A_POSITIVE }, \
	{ TOP | 0x0202, 0x0303, NONZERO, "small" A_NEGATIVE }
static const struct row rows_mul_uu[] = {
	MUL_COMMON, { 0xf0f0, 0x0101, NONZERO, "small" A_POSITIVE },
	{ 0x0101, 0xf0f0, NONZERO, "small" A_POSITIVE }, END
};
static const struct row rows_mul_ss[] = {
	MUL_COMMON, { 0xf0f0, 0x0101, NONZERO, "large" A_POSITIVE },
	{ 0x0101, 0xf0f0, NONZERO, "large" A_POSITIVE },
	{ 0xf0f0, 0xf1f1, NONZERO, "small" A_POSITIVE }, END
};
static const struct row rows_mul_su[] = {
	MUL_COMMON, { 0xf0f0, 0x0101, NONZERO, "large" A_POSITIVE },
	{ 0x0101, 0xf0f0, NONZERO, "small" A_POSITIVE }, END
};

/* Sums. The last rows carry into one bit alone, or set one bit without a carry. */
#define NC_FROM_8 " nc8 nc9 nc10 nc11 nc12 nc13 nc14"
#define NC_FROM_7 " nc7" NC_FROM_8
#define NC_FROM_6 " nc6" NC_FROM_7
#define NC_TO_7 " nc5 nc6 nc7"
#define NC_TO_10 NC_TO_7 " nc8 nc9 nc10"
#define NC_ALL " nc5" NC_FROM_6
#define SUMS \
	{ 0, 0, ZERO, "pl nov nc" NC_ALL A_ZERO }, { ALL, 1, ZERO, "pl nov c" A_NEGATIVE }, \
	{ TOP - 1, 1, NONZERO, "mi ov nc" A_POSITIVE }, \
	{ TOP, TOP, ZERO, "pl ov c" NC_ALL A_NEGATIVE }, \
	{ 0xf0000000, 0x20000000, NONZERO, "pl nov c" NC_ALL A_NEGATIVE }, \
	{ 0x7fe0, 0, NONZERO, "pl nov nc" NC_ALL A_POSITIVE }, \
	{ 1 << 4, 1 << 4, NONZERO, "pl nov nc" NC_FROM_6 A_POSITIVE }, \
	{ 1 << 5, 1 << 5, NONZERO, "pl nov nc nc5" NC_FROM_7 A_POSITIVE }, \
	{ 1 << 6, 1 << 6, NONZERO, "pl nov nc nc5 nc6" NC_FROM_8 A_POSITIVE }, \
	{ 1 << 7, 1 << 7, NONZERO, "pl nov nc" NC_TO_7 " nc9 nc10 nc11 nc12 nc13 nc14" A_POSITIVE }, \
	{ 1 << 8, 1 << 8, NONZERO, "pl nov nc" NC_TO_7 " nc8 nc10 nc11 nc12 nc13 nc14" A_POSITIVE }, \
	{ 1 << 9, 1 << 9, NONZERO, "pl nov nc" NC_TO_7 " nc8 nc9 nc11 nc12 nc13 nc14" A_POSITIVE }, \
	{ 1 << 10, 1 << 10, NONZERO, "pl nov nc" NC_TO_10 " nc12 nc13 nc14" A_POSITIVE }, \
	{ 1 << 11, 1 << 11, NONZERO, "pl nov nc" NC_TO_10 " nc11 nc13 nc14" A_POSITIVE }, \
	{ 1 << 12, 1 << 12, NONZERO, "pl nov nc" NC_TO_10 " nc11 nc12 nc14" A_POSITIVE }, \
	{ 1 << 13, 1 << 13, NONZERO, "pl nov nc" NC_TO_10 " nc11 nc12 nc13" A_POSITIVE }, \
	{ 1 << 14, 1 << 14, NONZERO, "pl nov nc" NC_ALL A_POSITIVE }
static const struct row rows_add[] = { SUMS, END };
static const struct row rows_addc[] = {
	SUMS, { 0x1f, 0, NONZERO, CARRY "pl nov nc" NC_FROM_6 A_POSITIVE },
	{ ALL, 0, ZERO, CARRY "pl nov c" A_NEGATIVE }, END
};
/* r0 + 24 */
static const struct row rows_add_number[] = {
	{ 0, 0, NONZERO, "pl nov nc" NC_ALL A_ZERO }, { -24u, 0, ZERO, "pl nov c" A_NEGATIVE },
	{ 8, 0, NONZERO, "pl nov nc" NC_FROM_6 A_POSITIVE },
	{ TOP - 24, 0, NONZERO, "mi ov nc" A_POSITIVE }, END
};

/* Comparisons: equal, and less and greater, signed and unsigned. */
#define SAME "pl nov geu ges les leu"
#define BELOW "mi nov ltu lts les leu xles xleu"
#define ABOVE "pl nov geu ges gts gtu xgts xgtu"
#define LESS_ABOVE "pl ov geu lts les gtu xles xgtu"	/* negative, large if unsigned */
#define GREATER_BELOW "mi ov ltu ges gts leu xgts xleu"
#define COMPARISONS(carry) \
	{ 5, 5, EQUAL, carry SAME A_POSITIVE }, { 0, 0, EQUAL, carry SAME A_ZERO }, \
	{ 3, 5, NONZERO, carry BELOW A_POSITIVE }, \
	{ 5, 3, NONZERO, carry ABOVE A_POSITIVE }, \
	{ TOP, 1, NONZERO, carry LESS_ABOVE A_NEGATIVE }, \
	{ 1, TOP, NONZERO, carry GREATER_BELOW A_POSITIVE }
#define REVERSE_COMPARISONS(carry) \
	{ 5, 5, EQUAL, carry SAME A_POSITIVE }, { 0, 0, EQUAL, carry SAME A_ZERO }, \
	{ 5, 3, NONZERO, carry BELOW A_POSITIVE }, \
	{ 3, 5, NONZERO, carry ABOVE A_POSITIVE }, \
	{ 1, TOP, NONZERO, carry LESS_ABOVE A_POSITIVE }, \
	{ TOP, 1, NONZERO, carry GREATER_BELOW A_NEGATIVE }
static const struct row rows_sub[] = { COMPARISONS(""), END };
static const struct row rows_rsub[] = { REVERSE_COMPARISONS(""), END };
/* CF means that there was no borrow; with one, 5 - 4 is equal. */
static const struct row rows_subc[] = {
	COMPARISONS(CARRY), { 5, 5, NONZERO, BELOW A_POSITIVE },
	{ 5, 4, EQUAL, SAME A_POSITIVE }, END
};
static const struct row rows_rsubc[] = {
	REVERSE_COMPARISONS(CARRY), { 5, 5, NONZERO, BELOW A_POSITIVE },
	{ 4, 5, EQUAL, SAME A_POSITIVE }, END
};
/* 5 - r0, with the carry for the second */
static const struct row rows_sub_from[] = {
	{ 5, 0, EQUAL, CARRY SAME A_POSITIVE }, { 7, 0, NONZERO, CARRY BELOW A_POSITIVE },
	{ 0, 0, NONZERO, CARRY ABOVE A_ZERO }, { TOP, 0, NONZERO, CARRY GREATER_BELOW A_NEGATIVE },
	END
};
/* r0 - 24 */
static const struct row rows_sub_number[] = {
	{ 24, 0, EQUAL, CARRY SAME A_POSITIVE }, { 7, 0, NONZERO, CARRY BELOW A_POSITIVE },
	{ 25, 0, NONZERO, CARRY ABOVE A_POSITIVE },
	{ TOP, 0, NONZERO, CARRY LESS_ABOVE A_NEGATIVE }, END
};

static const struct row rows_source[] = {
	{ 0, 0, "true", "", "", A_ZERO }, { 5, 1, "true", "", "", A_POSITIVE },
	{ TOP, 2, "true", "", "", A_NEGATIVE }, END
};
/* the result is the even register, r1 here, shifted right */
static const struct row rows_mul_step[] = {
	{ 0, 1, ZERO, A_ZERO }, { 5, 2, NONZERO, A_POSITIVE }, { TOP, 0, ZERO, A_NEGATIVE }, END
};

#define NONE DPU_CC_COUNT
#define LOG(op, rows) { op " r8, r0, r1", DPU_CC_LOG_NZ, DPU_CC_LOG_SET, rows, 0 }
#define EXT(op, rows) { op " r8, r0", DPU_CC_LOG_NZ, DPU_CC_LOG_SET, rows, 0 }
#define COUNT(op, rows) { op " r8, r0", DPU_CC_COUNT_NZ, DPU_CC_LOG_SET, rows, 0 }
#define MUL(op, rows) { op " r8, r0, r1", DPU_CC_MUL_NZ, DPU_CC_LOG_SET, rows, 0 }
/* by a register, and by each count of the rows below 32 */
#define SHIFT(op, rows) \
	{ op " r8, r0, r1", DPU_CC_SHIFT_NZ, DPU_CC_LOG_SET, rows, 0 }, \
	{ op " r8, r0, 0", DPU_CC_IMM_SHIFT_NZ, DPU_CC_LOG_SET, rows, 1 }, \
	{ op " r8, r0, 1", DPU_CC_IMM_SHIFT_NZ, DPU_CC_LOG_SET, rows, 2 }, \
	{ op " r8, r0, 31", DPU_CC_IMM_SHIFT_NZ, DPU_CC_LOG_SET, rows, 32 }

static const struct {
	const char *text;
	enum dpu_cc_class branch, set;
	const struct row *rows;
	unsigned int count;		/* if not 0: only the rows with b equal to this - 1 */
} instructions[] = {
	{ "add r8, r0, r1", DPU_CC_ADD_NZ, DPU_CC_LOG_SET, rows_add, 0 },
	{ "add r8, r0, 24", DPU_CC_ADD_NZ, DPU_CC_LOG_SET, rows_add_number, 0 },
	{ "addc r8, r0, r1", DPU_CC_ADD_NZ, DPU_CC_LOG_SET, rows_addc, 0 },
	{ "sub r8, r0, r1", DPU_CC_SUB_NZ, DPU_CC_EXT_SUB_SET, rows_sub, 0 },
	{ "sub r8, r0, 24", DPU_CC_SUB_NZ, DPU_CC_EXT_SUB_SET, rows_sub_number, 0 },
	{ "sub r8, 5, r0", DPU_CC_SUB_NZ, DPU_CC_SUB_SET, rows_sub_from, 0 },
	{ "subc r8, 5, r0", DPU_CC_SUB_NZ, DPU_CC_SUB_SET, rows_sub_from, 0 },
	{ "subc r8, r0, r1", DPU_CC_SUB_NZ, DPU_CC_EXT_SUB_SET, rows_subc, 0 },
	{ "rsub r8, r0, r1", DPU_CC_SUB_NZ, DPU_CC_SUB_SET, rows_rsub, 0 },
	{ "rsubc r8, r0, r1", DPU_CC_SUB_NZ, DPU_CC_SUB_SET, rows_rsubc, 0 },
	LOG("and", rows_and), LOG("andn", rows_andn), LOG("or", rows_or), LOG("orn", rows_orn),
	LOG("xor", rows_xor), LOG("nand", rows_nand), LOG("nor", rows_nor), LOG("nxor", rows_nxor),
	LOG("cmpb4", rows_cmpb4), EXT("extsb", rows_extsb), EXT("extsh", rows_extsh),
	EXT("extub", rows_extub), EXT("extuh", rows_extuh),
	SHIFT("lsl", rows_lsl), SHIFT("lsl1", rows_lsl1), SHIFT("lslx", rows_lslx),
	SHIFT("lsl1x", rows_lsl1x), SHIFT("lsr", rows_lsr), SHIFT("lsr1", rows_lsr1),
	SHIFT("lsrx", rows_lsrx), SHIFT("lsr1x", rows_lsr1x), SHIFT("asr", rows_asr),
	SHIFT("rol", rows_rol), SHIFT("ror", rows_ror),
	COUNT("cao", rows_cao), COUNT("clz", rows_clz),
	COUNT("clo", rows_clo), COUNT("cls", rows_cls),
	MUL("mul_ul_ul", rows_mul_uu), MUL("mul_ul_uh", rows_mul_uu), MUL("mul_uh_ul", rows_mul_uu),
	MUL("mul_uh_uh", rows_mul_uu), MUL("mul_sl_sl", rows_mul_ss), MUL("mul_sl_sh", rows_mul_ss),
	MUL("mul_sh_sl", rows_mul_ss), MUL("mul_sh_sh", rows_mul_ss), MUL("mul_sl_ul", rows_mul_su),
	MUL("mul_sl_uh", rows_mul_su), MUL("mul_sh_ul", rows_mul_su), MUL("mul_sh_uh", rows_mul_su),
	{ "lsl_add r8, r1, r0, 3", DPU_CC_DIV_NZ, NONE, rows_source, 0 },
	{ "lsl_sub r8, r1, r0, 3", DPU_CC_DIV_NZ, NONE, rows_source, 0 },
	{ "lsr_add r8, r1, r0, 3", DPU_CC_DIV_NZ, NONE, rows_source, 0 },
	{ "rol_add r8, r1, r0, 3", DPU_CC_DIV_NZ, NONE, rows_source, 0 },
	{ "div_step d8, r0, d2, 3", DPU_CC_DIV, NONE, rows_source, 0 },
	{ "mul_step d8, r0, d2, 3", DPU_CC_BOOT, NONE, rows_mul_step, 0 },
};
#define INSTRUCTION_COUNT (sizeof(instructions) / sizeof(instructions[0]))

/* Those with an effect of their own are below, those without a documented one in test-fault.c. */
static const char *const others[] = {
	"acquire", "release", "boot", "clr_run", "read_run", "resume", "stop", "movd", "swapd",
	"time", "time_cfg", "hash", "sats"
};

/* True if a word is in a list of words. */
static bool listed(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static bool expected(const struct row *row, bool old_zero, const char *condition)
{
	return listed(row->x, condition) || listed(row->holds, condition) ||
	       listed(old_zero ? row->old_zero : row->old_nonzero, condition);
}

#define TEXT_SIZE 32768

/* An instruction with each condition of a class: as a branch, or with the condition as result. */
static char *write_cases(char *end, const char *text, enum dpu_cc_class class, bool branch)
{
	unsigned int slot = branch ? 0 : DPU_COND_INVALID;

	for (int cond = 0; cond < DPU_COND_INVALID; cond++) {
		if (class == NONE || dpu_cond_cc(class, cond) < 0)
			continue;
		/* the carry flag, and the old zero flag */
		end += sprintf(end, "add zero, lneg, r10\nmove r7, 1\nor zero, r5, 0\n%s, %s%s\n%s"
			       "sw r4, %u, %s\n", text, dpu_cond_name(cond), branch ? ", .+2" : "",
			       branch ? "move r7, 0\n" : "", 4 * (slot + cond),
			       branch ? "r7" : "r8");
	}
	return end;
}

static void check_cases(struct rig *rig, const char *text, enum dpu_cc_class class, bool branch,
			const struct row *row, bool old_zero)
{
	unsigned int slot = branch ? 0 : DPU_COND_INVALID;

	for (int cond = 0; cond < DPU_COND_INVALID; cond++) {
		if (class == NONE || dpu_cond_cc(class, cond) < 0)
			continue;
		ck_assert_msg(rig_get(rig, "out", slot + cond) ==
			      expected(row, old_zero, dpu_cond_name(cond)),
			      "%s, %s%s: a = 0x%x, b = 0x%x, old ZF %d, CF %d", text,
			      dpu_cond_name(cond), branch ? ", branch" : "", row->a, row->b, old_zero,
			      listed(row->holds, "carry"));
	}
}

SUITE("upmem conditions", .timeout = 120);

LOOP_TEST(conditions_hold_as_the_table_says, 0, INSTRUCTION_COUNT)
{
	char program[TEXT_SIZE] =
		".section .dpu_host\n.align 8\na: .long 0\nb: .long 0\nold: .long 0\n"
		"carry: .long 0\nout: .zero 512\n.text\nmain: lw r0, zero, a\nlw r1, zero, b\nlw r5, zero, old\n"
		"lw r10, zero, carry\nmove r2, r1\nmove r3, r0\nmove r4, out\n";
	const char *text = instructions[_i].text;
	char *end = program + strlen(program);
	struct rig rig;

	end = write_cases(end, text, instructions[_i].branch, true);
	end = write_cases(end, text, instructions[_i].set, false);
	strcpy(end, "jump r23\n");
	rig = rig_new(program, 1, DPU_ARCH_V1B);
	for (const struct row *row = instructions[_i].rows; row->x; row++) {
		if (instructions[_i].count && row->b != instructions[_i].count - 1)
			continue;
		for (int old = 0; old < 2; old++) {
			rig_set(&rig, "a", 0, row->a);
			rig_set(&rig, "b", 0, row->b);
			rig_set(&rig, "old", 0, old);
			rig_set(&rig, "carry", 0, listed(row->holds, "carry"));
			rig_run_ok(&rig);
			check_cases(&rig, text, instructions[_i].branch, true, row, !old);
			check_cases(&rig, text, instructions[_i].set, false, row, !old);
		}
	}
	rig_free(&rig);
}

/* The name of an encoding is the operation's, then the extension: "add.s". */
static bool begins_with(const char *text, const struct dpu_encoding *e)
{
	size_t length = strcspn(e->name, ".");

	return !strncmp(text, e->name, length) && (text[length] == ' ' || !text[length]);
}

static bool is_tested(const struct dpu_encoding *e, enum dpu_cc_class class)
{
	for (size_t i = 0; i < INSTRUCTION_COUNT; i++)
		if (begins_with(instructions[i].text, e) &&
		    (instructions[i].branch == class || instructions[i].set == class))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (begins_with(others[i], e))
			return true;
	return false;
}

TEST(every_instruction_with_a_condition_is_tested)
{
	for (size_t i = 0; i < dpu_encoding_count; i++) {
		const struct dpu_encoding *e = &dpu_encodings[i];

		for (int j = 0; j < DPU_MAX_OPERANDS && e->operands[j]; j++) {
			int class = dpu_operands[e->operands[j]].kind - DPU_KIND_CC;

			/* never: the plain forms of test-exec.c */
			ck_assert_msg(class < 0 || class == DPU_CC_FALSE || is_tested(e, class),
				      "%s, condition class %d", e->name, class);
		}
	}
}

static void seen_with(const struct row *rows, enum dpu_cc_class class, uint32_t seen[])
{
	for (const struct row *row = rows; row->x; row++)
		for (int cond = 0; cond < DPU_COND_INVALID; cond++)
			for (int old = 0; old < 2 && dpu_cond_cc(class, cond) >= 0; old++)
				seen[cond] |= 1u << expected(row, old, dpu_cond_name(cond));
}

/* In each class each condition was both true and false, except those that always or never hold. */
TEST(conditions_are_seen_both_ways)
{
	for (int class = 0; class < DPU_CC_COUNT; class++) {
		uint32_t seen[DPU_COND_INVALID] = { 0 };

		for (size_t i = 0; i < INSTRUCTION_COUNT; i++)
			if ((int)instructions[i].branch == class ||
			    (int)instructions[i].set == class)
				seen_with(instructions[i].rows, class, seen);
		for (int cond = DPU_COND_Z; cond < DPU_COND_INVALID; cond++)
			ck_assert_msg(!seen[cond] || seen[cond] == 3, "class %d, %s", class,
				      dpu_cond_name(cond));
	}
}

/* boot, resume, clr_run and read_run: the result is what the bit was, 0 or 1. */
static const struct row rows_bit[2][3] = {
	{ { 0, 0, ZERO, A_ZERO }, { TOP, 0, ZERO, A_NEGATIVE }, { 0x10000, 0, ZERO, A_POSITIVE } },
	{ { 0, 0, NONZERO, A_ZERO },
	  { TOP, 0, NONZERO, A_NEGATIVE },
	  { 0x10000, 0, NONZERO, A_POSITIVE } },
};

LOOP_TEST(run_bits_conditions_look_at_the_old_bit, 0, 4)
{
	static const char *const ops[] = { "boot", "resume", "clr_run", "read_run" };
	char text[TEXT_SIZE] = ".section .dpu_host\n.align 8\na: .long 0\nold: .long 0\n"
			       "out: .zero 512\n.text\nmain: lw r0, zero, a\nlw r5, zero, old\nmove r4, out\n";
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
	/* after the operation: bit 40 was 0, and bit 41 1 */
	end += sprintf(end, "clr_run zero, 40, false, .+1\nresume zero, 41, false, .+1\n"
		       "%s zero, 40, false, .+1\n%s zero, 41, false, .+1\n"
		       "move r7, 1\nread_run zero, 40, nz, .+2\nmove r7, 0\nsw r4, 504, r7\n"
		       "move r7, 1\nread_run zero, 41, nz, .+2\nmove r7, 0\nsw r4, 508, r7\n"
		       "jump r23\n", ops[_i], ops[_i]);
	rig = rig_new(text, 1, DPU_ARCH_V1B);
	for (int round = 0; round < 6; round++) {
		bool old_zero = round % 2 == 0;

		rig_set(&rig, "a", 0, rows_bit[0][round / 2].a);
		rig_set(&rig, "old", 0, !old_zero);
		rig_run_ok(&rig);
		for (int cond = 0; cond < DPU_COND_NC5; cond++) {
			for (int bit = 0; bit < 2 && dpu_cond_cc(DPU_CC_BOOT, cond) >= 0; bit++) {
				const struct row *row = &rows_bit[bit][round / 2];

				ck_assert_msg(rig_get(&rig, "out", 2 * cond + bit) ==
					      expected(row, old_zero, dpu_cond_name(cond)),
					      "%s, %s, a = 0x%x, bit %u", ops[_i], dpu_cond_name(cond),
					      row->a, bit);
			}
		}
		/* boot and resume set, clr_run clears, read_run leaves it */
		ck_assert_uint_eq(rig_get(&rig, "out", 126), _i < 2);
		ck_assert_uint_eq(rig_get(&rig, "out", 127), _i != 2);
	}
	rig_free(&rig);
}

/* acquire: z is "got it"; release: nz is "was taken"; movd, swapd, time: always or never. */
TEST(branches_of_other_instructions)
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
