// SPDX-License-Identifier: GPL-2.0-only
/* Writes instructions as text for dpu-as. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/insn.h"

#define OPERAND_SIZE 160

static const char *const conditions[] = {
	[COND_EQ] = "eq", [COND_NEQ] = "neq", [COND_LTU] = "ltu", [COND_GEU] = "geu",
	[COND_LTS] = "lts", [COND_GES] = "ges", [COND_LES] = "les", [COND_GTS] = "gts",
	[COND_LEU] = "leu", [COND_GTU] = "gtu", [COND_TRUE] = "true", [COND_Z] = "z",
	[COND_NZ] = "nz", [COND_PL] = "pl", [COND_MI] = "mi",
};

enum cc_cond cc_swap(enum cc_cond cond)
{
	static const enum cc_cond swapped[] = {
		[COND_EQ] = COND_EQ, [COND_NEQ] = COND_NEQ, [COND_LTU] = COND_GTU,
		[COND_GEU] = COND_LEU, [COND_LTS] = COND_GTS, [COND_GES] = COND_LES,
		[COND_LES] = COND_GES, [COND_GTS] = COND_LTS, [COND_LEU] = COND_GEU,
		[COND_GTU] = COND_LTU,
	};

	return swapped[cond];
}

enum cc_cond cc_negate(enum cc_cond cond)
{
	static const enum cc_cond negated[] = {
		[COND_EQ] = COND_NEQ, [COND_NEQ] = COND_EQ, [COND_LTU] = COND_GEU,
		[COND_GEU] = COND_LTU, [COND_LTS] = COND_GES, [COND_GES] = COND_LTS,
		[COND_LES] = COND_GTS, [COND_GTS] = COND_LES, [COND_LEU] = COND_GTU,
		[COND_GTU] = COND_LEU,
	};

	return negated[cond];
}

static const char *reg_name(uint8_t r)
{
	static const char names[][5] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12",
		"r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23",
		"zero", "one", "lneg", "mneg", "id", "id2", "id4", "id8"
	};

	return r <= REG_ID8 ? names[r] : "zero";
}

/* The assembler takes these names for registers or conditions, unless they are in parentheses. */
static bool ambiguous(const char *name)
{
	static const char *const words[] = {
		"zero", "one", "lneg", "mneg", "id", "id2", "id4", "id8", "true", "false", "z", "nz",
		"e", "o", "pl", "mi", "ov", "nov", "c", "nc", "sz", "snz", "spl", "smi", "so", "se",
		"xz", "xnz", "max", "nmax", "small", "large", "eq", "neq", "ltu", "geu", "lts", "ges",
		"les", "gts", "leu", "gtu"
	};
	size_t length = strlen(name);

	if (strchr("rds", name[0]) && length > 1 && strspn(name + 1, "0123456789") == length - 1)
		return true;
	if (cc_starts_with(name, "nc") || cc_starts_with(name, "x") || cc_starts_with(name, "nsh"))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

static const char *emit_symbol(const char *name, char *buffer)
{
	if (!ambiguous(name))
		return name;
	snprintf(buffer, OPERAND_SIZE, "(%s)", name);
	return buffer;
}

/* SYMBOL+N or N. */
static const char *emit_number(const struct cc_insn *i, char *buffer)
{
	char name[OPERAND_SIZE];

	if (!i->sym)
		snprintf(buffer, OPERAND_SIZE, "%" PRId32, i->imm);
	else if (i->imm)
		snprintf(buffer, OPERAND_SIZE, "%.130s%+" PRId32, emit_symbol(i->sym, name),
			 i->imm);
	else
		snprintf(buffer, OPERAND_SIZE, "%.150s", emit_symbol(i->sym, name));
	return buffer;
}

static bool emit_fits(const struct cc_insn *i, unsigned int bits)
{
	return !i->sym && i->imm >= -(INT32_C(1) << (bits - 1)) && i->imm < INT32_C(1) << (bits - 1);
}

#define put(t, ...) cc_text_printf(&(t)->out, "\t" __VA_ARGS__)

/* Writes the second operand; a number of more than `bits` bits goes through a register. */
static const char *emit_operand(struct cc_translation *t, const struct cc_insn *i,
				unsigned int bits, char *buffer)
{
	if (i->rb != REG_NONE)
		return reg_name(i->rb);
	emit_number(i, buffer);
	if (bits == 32 || emit_fits(i, bits))
		return buffer;
	put(t, "move r13, %s\n", buffer);
	return "r13";
}

static const char *jump(const struct cc_insn *i, char *buffer)
{
	if (!i->target)
		return "";
	snprintf(buffer, OPERAND_SIZE, ", %s, %.140s", conditions[i->cond], i->target);
	return buffer;
}

static void emit_simple(struct cc_translation *t, const struct cc_insn *i, const char *name,
			unsigned int bits)
{
	char a[OPERAND_SIZE], b[OPERAND_SIZE];
	const char *second = emit_operand(t, i, bits, a);

	put(t, "%s %s, %s, %s%s\n", name, reg_name(i->rd), reg_name(i->ra), second, jump(i, b));
}

static void emit_move(struct cc_translation *t, const struct cc_insn *i)
{
	char a[OPERAND_SIZE], b[OPERAND_SIZE];

	if (i->target && i->rb != REG_NONE)
		put(t, "or %s, %s, 0%s\n", reg_name(i->rd), reg_name(i->rb), jump(i, b));
	else if (i->target)
		put(t, "or %s, zero, %s%s\n", reg_name(i->rd), emit_number(i, a), jump(i, b));
	else
		put(t, "move %s, %s\n", reg_name(i->rd),
		    i->rb != REG_NONE ? reg_name(i->rb) : emit_number(i, a));
}

static void emit_shift(struct cc_translation *t, const struct cc_insn *i, const char *name)
{
	char b[OPERAND_SIZE];

	if (i->rb != REG_NONE)
		put(t, "%s %s, %s, %s%s\n", name, reg_name(i->rd), reg_name(i->ra), reg_name(i->rb),
		    jump(i, b));
	else
		put(t, "%s %s, %s, %" PRId32 "%s\n", name, reg_name(i->rd), reg_name(i->ra),
		    i->imm & 31, jump(i, b));
}

static void emit_branch(struct cc_translation *t, const struct cc_insn *i)
{
	char a[OPERAND_SIZE], name[OPERAND_SIZE];
	const char *second = emit_operand(t, i, 11, a);

	put(t, "j%s %s, %s, %s\n", conditions[i->cond], reg_name(i->ra), second,
	    emit_symbol(i->target, name));
}

static void emit_set(struct cc_translation *t, const struct cc_insn *i)
{
	char a[OPERAND_SIZE];
	const char *second = emit_operand(t, i, 24, a);

	put(t, "sub %s, %s, %s, %s\n", reg_name(i->rd), reg_name(i->ra), second, conditions[i->cond]);
}

/* The upper halves, with the lower halves' borrow: as a value, or as a jump. */
static void emit_compare_high(struct cc_translation *t, const struct cc_insn *i)
{
	char a[OPERAND_SIZE];
	const char *second = emit_operand(t, i, 8, a);

	if (i->target)
		put(t, "subc zero, %s, %s, %s, %s\n", reg_name(i->ra), second, conditions[i->cond], i->target);
	else
		put(t, "subc %s, %s, %s, %s\n", reg_name(i->rd), reg_name(i->ra), second, conditions[i->cond]);
}

static void emit_select(struct cc_translation *t, const struct cc_insn *i)
{
	char a[OPERAND_SIZE], b[OPERAND_SIZE];
	const char *second = emit_operand(t, i, 11, a), *rd = reg_name(i->rd),
		   *ra = reg_name(i->ra);

	if (i->rd == i->rb) {
		put(t, "j%s %s, %s, .+2\n", conditions[cc_negate(i->cond)], ra, second);
		put(t, "move %s, %s\n", rd, ra);
		return;
	}
	if (i->rd != i->ra)
		put(t, "move %s, %s\n", rd, ra);
	put(t, "j%s %s, %s, .+2\n", conditions[i->cond], rd, second);
	put(t, "move %s, %s\n", rd, i->rb != REG_NONE ? second : emit_number(i, b));
}

static void emit_memory(struct cc_translation *t, const struct cc_insn *i);

/* One half of a value whose registers do not form a pair. */
static void emit_half(struct cc_translation *t, const struct cc_insn *wide, bool high)
{
	struct cc_insn half = *wide;
	uint8_t r = high ? wide->rc : wide->op == OP_LD ? wide->rd : wide->rb;

	half.op = wide->op == OP_LD ? OP_LW : OP_SW;
	half.imm += high ? 4 : 0;
	if (wide->op == OP_LD)
		half.rd = r;
	else
		half.rb = r;
	emit_memory(t, &half);
}

static void emit_wide(struct cc_translation *t, const struct cc_insn *i)
{
	const char *name = i->op == OP_LD ? "ld" : "sd", *base = reg_name(i->ra);
	uint8_t low = i->op == OP_LD ? i->rd : i->rb;
	bool overwritten = i->op == OP_LD && low == i->ra;	/* the address, by the first of two */
	char a[OPERAND_SIZE];
	const char *offset = emit_number(i, a);

	if (low < REG_COUNT && low == i->rc + 1 && i->rc % 2 == 0 && i->op == OP_LD) {
		put(t, "%s d%d, %s, %s\n", name, i->rc, base, offset);
	} else if (low < REG_COUNT && low == i->rc + 1 && i->rc % 2 == 0) {
		put(t, "%s %s, %s, d%d\n", name, base, offset, i->rc);
	} else if (i->op == OP_SD && low == REG_ZERO && i->rc == REG_ZERO && emit_fits(i, 12)) {
		put(t, "%s %s, %s, 0\n", name, base, offset);
	} else {
		emit_half(t, i, overwritten);
		emit_half(t, i, !overwritten);
	}
}

static void emit_memory(struct cc_translation *t, const struct cc_insn *i)
{
	static const char *const names[] = {
		[OP_LBU] = "lbu", [OP_LBS] = "lbs", [OP_LHU] = "lhu", [OP_LHS] = "lhs", [OP_LW] = "lw",
		[OP_SB] = "sb", [OP_SH] = "sh", [OP_SW] = "sw"
	};
	char a[OPERAND_SIZE];
	const char *offset = emit_number(i, a), *base = reg_name(i->ra);

	if (i->op <= OP_LW)
		put(t, "%s r%d, %s, %s\n", names[i->op], i->rd, base, offset);
	else if (i->rb != REG_ZERO)
		put(t, "%s %s, %s, r%d\n", names[i->op], base, offset, i->rb);
	else if (emit_fits(i, 12))
		put(t, "%s %s, %s, 0\n", names[i->op], base, offset);
	else {
		put(t, "move r13, 0\n");
		put(t, "%s %s, %s, r13\n", names[i->op], base, offset);
	}
}

/* Writes n as a sum of powers of two with factors -1, 0 or 1, no two neighbours nonzero. Returns their number. */
static unsigned int digits_of(int64_t n, int8_t digit[34])
{
	unsigned int count = 0;

	memset(digit, 0, 34);
	for (int k = 0; n && k < 34; k++) {
		if (n & 1) {
			digit[k] = 2 - (n & 3);
			n -= digit[k];
			count++;
		}
		n /= 2;
	}
	return count;
}

#define MAX_DIGITS 8

static bool emit_product_by_shifts(struct cc_translation *t, const struct cc_insn *i)
{
	const char *ra = reg_name(i->ra), *rd = reg_name(i->rd), *sum = "r13";
	int8_t digit[34];
	unsigned int left;
	int k = 33;

	if (i->rb != REG_NONE || i->sym || i->ra >= REG_COUNT)
		return false;
	left = digits_of(i->imm, digit);
	if (!left || left > MAX_DIGITS)
		return false;
	while (!digit[k])
		k--;
	if (left == 1 && digit[k] > 0) {
		put(t, "lsl %s, %s, %d\n", rd, ra, k & 31);
		return true;
	}
	if (k >= 32)			/* a multiple of 2^32 is 0 here */
		put(t, "move r13, 0\n");
	else if (digit[k] > 0 && k == 0)
		put(t, "move r13, %s\n", ra);
	else if (digit[k] > 0)
		put(t, "lsl r13, %s, %d\n", ra, k);
	else {
		put(t, "move r13, 0\n");
		put(t, "lsl_sub %s, r13, %s, %d\n", left == 1 ? rd : "r13", ra, k);
	}
	while (--left) {
		do
			k--;
		while (!digit[k]);
		put(t, "lsl_%s %s, %s, %s, %d\n", digit[k] > 0 ? "add" : "sub", left == 1 ? rd : "r13",
		    sum, ra, k);
	}
	return true;
}

static void emit_product16(struct cc_translation *t, const struct cc_insn *i)
{
	const char *a = reg_name(i->ra), *b = reg_name(i->rb);
	char x = i->shift & 1 ? 's' : 'u', y = i->shift & 2 ? 's' : 'u';

	/* the instruction needs the signed byte first */
	put(t, "mul_%ch_ul r13, %s, %s\n", x, a, b);
	put(t, "mul_%ch_ul r12, %s, %s\n", y, b, a);
	put(t, "add r12, r12, r13\n");
	put(t, "mul_ul_ul r13, %s, %s\n", a, b);
	put(t, "lsl_add r13, r13, r12, 8\n");
	if (x == 'u' && y == 's')
		put(t, "mul_sh_uh r12, %s, %s\n", b, a);
	else
		put(t, "mul_%ch_%ch r12, %s, %s\n", x, y, a, b);
	put(t, "lsl_add %s, r13, r12, 16\n", reg_name(i->rd));
}

static void emit_product8(struct cc_translation *t, const struct cc_insn *i)
{
	static const char *const names[] = { "ul_ul", "sl_ul", "sl_ul", "sl_sl" };
	bool swap = i->shift == 2;

	put(t, "mul_%s %s, %s, %s\n", names[i->shift], reg_name(i->rd),
	    reg_name(swap ? i->rb : i->ra), reg_name(swap ? i->ra : i->rb));
}

/* Library helpers: operands in r11 and r12 or r13, return through r10; they keep all other registers. */
static void emit_helper(struct cc_translation *t, const struct cc_insn *i)
{
	static const struct {
		const char *name;
		const char *first, *second, *result;
	} helpers[] = {
		[OP_MUL] = { "__dpu_mul", "r11", "r12", "r13" },
		[OP_MULHU] = { "__dpu_mulhu", "r11", "r12", "r13" },
		[OP_MULH] = { "__dpu_mulh", "r11", "r12", "r13" },
		[OP_MULHSU] = { "__dpu_mulhsu", "r11", "r12", "r13" },
		[OP_DIV] = { "__dpu_div", "r13", "r11", "r12" },
		[OP_DIVU] = { "__dpu_divu", "r13", "r11", "r12" },
		[OP_REM] = { "__dpu_div", "r13", "r11", "r13" },
		[OP_REMU] = { "__dpu_divu", "r13", "r11", "r13" },
	};
	char a[OPERAND_SIZE];

	put(t, "move %s, %s\n", helpers[i->op].first, reg_name(i->ra));
	put(t, "move %s, %s\n", helpers[i->op].second,
	    i->rb != REG_NONE ? reg_name(i->rb) : emit_number(i, a));
	put(t, "call r10, %s\n", helpers[i->op].name);
	put(t, "move %s, %s\n", reg_name(i->rd), helpers[i->op].result);
}

static void emit_insn(struct cc_translation *t, const struct cc_insn *i)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} simple[] = {
		[OP_ADD] = { "add", 32 }, [OP_SUB] = { "sub", 24 }, [OP_AND] = { "and", 32 },
		[OP_OR] = { "or", 32 }, [OP_XOR] = { "xor", 32 }, [OP_ANDN] = { "andn", 24 },
		[OP_ORN] = { "orn", 24 }, [OP_NXOR] = { "nxor", 24 }, [OP_ADDC] = { "addc", 32 },
		[OP_SUBC] = { "subc", 24 },
	};
	static const char *const others[] = {
		[OP_LSL] = "lsl", [OP_LSR] = "lsr", [OP_ASR] = "asr", [OP_ROL] = "rol", [OP_ROR] = "ror",
		[OP_LSL_ADD] = "lsl_add", [OP_LSL_SUB] = "lsl_sub", [OP_CLZ] = "clz", [OP_CAO] = "cao",
		[OP_EXTSB] = "extsb", [OP_EXTUB] = "extub", [OP_EXTSH] = "extsh", [OP_EXTUH] = "extuh",
	};
	char a[OPERAND_SIZE], b[OPERAND_SIZE];
	const char *rd = reg_name(i->rd), *ra = reg_name(i->ra);

	switch (i->op) {
	case OP_LABEL:
		cc_text_printf(&t->out, "%s:\n", i->target);
		break;
	case OP_DIRECTIVE:
	case OP_ASM:
		cc_text_printf(&t->out, "%s\n", i->target);
		break;
	case OP_MOVE:
		emit_move(t, i);
		break;
	case OP_ADD:
	case OP_SUB:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_ANDN:
	case OP_ORN:
	case OP_NXOR:
	case OP_ADDC:
	case OP_SUBC:
		emit_simple(t, i, simple[i->op].name, simple[i->op].bits);
		break;
	case OP_RSUB:
		put(t, "sub %s, %s, %s%s\n", rd, emit_number(i, a), ra, jump(i, b));
		break;
	case OP_LSL:
	case OP_LSR:
	case OP_ASR:
	case OP_ROL:
	case OP_ROR:
		emit_shift(t, i, others[i->op]);
		break;
	case OP_LSL_ADD:
	case OP_LSL_SUB:
		put(t, "%s %s, %s, %s, %d\n", others[i->op], rd, ra, reg_name(i->rb), i->shift);
		break;
	case OP_CLZ:
	case OP_CAO:
	case OP_EXTSB:
	case OP_EXTUB:
	case OP_EXTSH:
	case OP_EXTUH:
		put(t, "%s %s, %s\n", others[i->op], rd, ra);
		break;
	case OP_CTZ:			/* 32 minus the number of leading zeroes */
		put(t, "add r13, %s, -1\n", ra);
		put(t, "andn r13, %s, r13\n", ra);
		put(t, "clz r13, r13\n");
		put(t, "sub %s, 32, r13\n", rd);
		break;
	case OP_REV8:
		put(t, "rol r13, %s, 8\n", ra);
		put(t, "and r13, r13, 0x00ff00ff\n");
		put(t, "ror r12, %s, 8\n", ra);
		put(t, "and r12, r12, 0xff00ff00\n");
		put(t, "or %s, r12, r13\n", rd);
		break;
	case OP_SET:
		emit_set(t, i);
		break;
	case OP_SETC:
		emit_compare_high(t, i);
		break;
	case OP_LD:
	case OP_SD:
		emit_wide(t, i);
		break;
	case OP_SELECT:
		emit_select(t, i);
		break;
	case OP_MUL8:
		emit_product8(t, i);
		break;
	case OP_MUL16:
		emit_product16(t, i);
		break;
	case OP_MUL:
		if (emit_product_by_shifts(t, i))
			break;
	/* fall through */
	case OP_MULHU:
	case OP_MULH:
	case OP_MULHSU:
	case OP_DIV:
	case OP_DIVU:
	case OP_REM:
	case OP_REMU:
		emit_helper(t, i);
		break;
	case OP_BRANCH:
		emit_branch(t, i);
		break;
	case OP_JUMP:
	case OP_TAIL:
		put(t, "jump %s\n", emit_symbol(i->target, a));
		break;
	case OP_JUMP_REG:
		put(t, "jump %s\n", ra);
		break;
	case OP_CALL:
		put(t, "call r23, %s\n", emit_symbol(i->target, a));
		break;
	case OP_CALL_REG:
		put(t, "call r23, %s\n", ra);
		break;
	case OP_RETURN:
		put(t, "jump r23\n");
		break;
	case OP_FAULT:
		put(t, "fault %" PRId32 "\n", i->imm);
		break;
	default:
		emit_memory(t, i);
	}
}

void cc_emit(struct cc_translation *t)
{
	for (size_t i = 0; i < t->function.count; i++)
		if (!t->function.insns[i].dead)
			emit_insn(t, &t->function.insns[i]);
}
