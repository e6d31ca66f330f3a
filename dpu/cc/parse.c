// SPDX-License-Identifier: GPL-2.0-only
/* Parses RISC-V instructions as clang prints them. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/insn.h"

/*
 * Arguments and results have the DPU's registers (r0 to r7), as do the registers that a function
 * keeps (r14 to r21), the stack pointer and the return address. clang is told not to use the others
 * (compile.c).
 */
static const struct {
	const char *name;
	uint8_t number;
} registers[] = {
	{ "zero", REG_ZERO }, { "ra", REG_RETURN }, { "sp", REG_STACK },
	{ "a0", 0 }, { "a1", 1 }, { "a2", 2 }, { "a3", 3 }, { "a4", 4 }, { "a5", 5 }, { "a6", 6 },
	{ "a7", 7 }, { "t0", 8 }, { "t1", 9 },
	{ "s0", 14 }, { "s1", 15 }, { "s2", 16 }, { "s3", 17 }, { "s4", 18 }, { "s5", 19 },
	{ "s6", 20 }, { "s7", 21 },
};

enum shape {
	RRR, RRI, RR, LOAD, STORE, BRANCH, BRANCH_SWAPPED, BRANCH_ZERO, SET, SET_SWAPPED, SET_ZERO,
	SHIFT_ADD, LI, LUI, MV, NEG, NOT, JUMP, CALL, TAIL, JR, JALR, RET, NOP, ANDN, FAULT, SELECT
};

static const struct pattern {
	const char *name;
	enum shape shape;
	enum cc_op op;
	int detail;		/* a condition, or a shift */
} patterns[] = {
	{ "add", RRR, OP_ADD, 0 }, { "addi", RRI, OP_ADD, 0 }, { "sub", RRR, OP_SUB, 0 },
	{ "and", RRR, OP_AND, 0 }, { "andi", RRI, OP_AND, 0 },
	{ "or", RRR, OP_OR, 0 }, { "ori", RRI, OP_OR, 0 },
	{ "xor", RRR, OP_XOR, 0 }, { "xori", RRI, OP_XOR, 0 },
	{ "sll", RRR, OP_LSL, 0 }, { "slli", RRI, OP_LSL, 0 },
	{ "srl", RRR, OP_LSR, 0 }, { "srli", RRI, OP_LSR, 0 },
	{ "sra", RRR, OP_ASR, 0 }, { "srai", RRI, OP_ASR, 0 },
	{ "rol", RRR, OP_ROL, 0 }, { "ror", RRR, OP_ROR, 0 }, { "rori", RRI, OP_ROR, 0 },
	/* The DPU's andn and orn negate the first operand, RISC-V's the second. */
	{ "andn", ANDN, OP_ANDN, 0 }, { "orn", ANDN, OP_ORN, 0 }, { "xnor", RRR, OP_NXOR, 0 },
	{ "slt", SET, OP_SET, COND_LTS }, { "sltu", SET, OP_SET, COND_LTU },
	{ "slti", SET, OP_SET, COND_LTS }, { "sltiu", SET, OP_SET, COND_LTU },
	{ "sgt", SET_SWAPPED, OP_SET, COND_LTS }, { "sgtu", SET_SWAPPED, OP_SET, COND_LTU },
	{ "seqz", SET_ZERO, OP_SET, COND_EQ }, { "snez", SET_ZERO, OP_SET, COND_NEQ },
	{ "sltz", SET_ZERO, OP_SET, COND_LTS }, { "sgtz", SET_ZERO, OP_SET, COND_GTS },
	{ "sh1add", SHIFT_ADD, OP_LSL_ADD, 1 }, { "sh2add", SHIFT_ADD, OP_LSL_ADD, 2 },
	{ "sh3add", SHIFT_ADD, OP_LSL_ADD, 3 },
	{ "clz", RR, OP_CLZ, 0 }, { "ctz", RR, OP_CTZ, 0 }, { "cpop", RR, OP_CAO, 0 },
	{ "sext.b", RR, OP_EXTSB, 0 }, { "sext.h", RR, OP_EXTSH, 0 }, { "zext.h", RR, OP_EXTUH, 0 },
	{ "zext.b", RR, OP_EXTUB, 0 }, { "rev8", RR, OP_REV8, 0 },
	{ "min", SELECT, OP_SELECT, COND_LTS }, { "minu", SELECT, OP_SELECT, COND_LTU },
	{ "max", SELECT, OP_SELECT, COND_GTS }, { "maxu", SELECT, OP_SELECT, COND_GTU },
	{ "mul", RRR, OP_MUL, 0 }, { "mulh", RRR, OP_MULH, 0 }, { "mulhu", RRR, OP_MULHU, 0 },
	{ "mulhsu", RRR, OP_MULHSU, 0 }, { "div", RRR, OP_DIV, 0 }, { "divu", RRR, OP_DIVU, 0 },
	{ "rem", RRR, OP_REM, 0 }, { "remu", RRR, OP_REMU, 0 },
	{ "lb", LOAD, OP_LBS, 0 }, { "lbu", LOAD, OP_LBU, 0 }, { "lh", LOAD, OP_LHS, 0 },
	{ "lhu", LOAD, OP_LHU, 0 }, { "lw", LOAD, OP_LW, 0 },
	{ "sb", STORE, OP_SB, 0 }, { "sh", STORE, OP_SH, 0 }, { "sw", STORE, OP_SW, 0 },
	{ "beq", BRANCH, OP_BRANCH, COND_EQ }, { "bne", BRANCH, OP_BRANCH, COND_NEQ },
	{ "blt", BRANCH, OP_BRANCH, COND_LTS }, { "bge", BRANCH, OP_BRANCH, COND_GES },
	{ "bltu", BRANCH, OP_BRANCH, COND_LTU }, { "bgeu", BRANCH, OP_BRANCH, COND_GEU },
	{ "bgt", BRANCH_SWAPPED, OP_BRANCH, COND_LTS }, { "ble", BRANCH_SWAPPED, OP_BRANCH, COND_GES },
	{ "bgtu", BRANCH_SWAPPED, OP_BRANCH, COND_LTU },
	{ "bleu", BRANCH_SWAPPED, OP_BRANCH, COND_GEU },
	{ "beqz", BRANCH_ZERO, OP_BRANCH, COND_EQ }, { "bnez", BRANCH_ZERO, OP_BRANCH, COND_NEQ },
	{ "bltz", BRANCH_ZERO, OP_BRANCH, COND_LTS }, { "bgez", BRANCH_ZERO, OP_BRANCH, COND_GES },
	{ "blez", BRANCH_ZERO, OP_BRANCH, COND_LES }, { "bgtz", BRANCH_ZERO, OP_BRANCH, COND_GTS },
	{ "li", LI, OP_MOVE, 0 }, { "lui", LUI, OP_MOVE, 0 }, { "mv", MV, OP_MOVE, 0 },
	{ "neg", NEG, OP_RSUB, 0 }, { "not", NOT, OP_XOR, 0 },
	{ "j", JUMP, OP_JUMP, 0 }, { "call", CALL, OP_CALL, 0 }, { "tail", TAIL, OP_TAIL, 0 },
	{ "jr", JR, OP_JUMP_REG, 0 }, { "jalr", JALR, OP_CALL_REG, 0 }, { "ret", RET, OP_RETURN, 0 },
	{ "nop", NOP, OP_LABEL, 0 }, { "unimp", FAULT, OP_FAULT, 0 }, { "ebreak", FAULT, OP_FAULT, 0 },
};

struct operands {
	char *text[5];
	unsigned int count;
};

static int find_register(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (strlen(registers[i].name) == length && !memcmp(registers[i].name, text, length))
			return registers[i].number;
	return -1;
}

static uint8_t parse_reg(struct cc_translation *t, const char *text)
{
	int n = find_register(text, strlen(text));

	if (n < 0)
		cc_fail(t, "'%s' is no register that the translator knows", text);
	return n;
}

struct cc_insn *cc_append(struct cc_translation *t, enum cc_op op)
{
	struct cc_function *f = &t->function;
	struct cc_insn *i;

	f->insns = cc_grow(f->insns, f->count, &f->space, sizeof(*i));
	i = &f->insns[f->count++];
	*i = (struct cc_insn){ .op = op, .rd = REG_NONE, .ra = REG_NONE, .rb = REG_NONE };
	return i;
}

/* NAME, NAME+N or NAME-N. */
static void parse_symbol(struct cc_translation *t, struct cc_insn *i, const char *text,
			 size_t length)
{
	size_t n = 0;
	char *end;

	while (n < length && cc_name_char(text[n]))
		n++;
	if (!n)
		cc_fail(t, "expected a name at '%s'", text);
	i->sym = cc_pool_string(&t->pool, text, n);
	if (n == length)
		return;
	i->imm = strtol(text + n, &end, 10);
	if ((text[n] != '+' && text[n] != '-') || end != text + length)
		cc_fail(t, "'%s' is no address", text);
}

/*
 * The upper part of an address counts as 0 and the lower part as the whole address, because the
 * DPU's immediates are wide enough.
 */
static void immediate(struct cc_translation *t, struct cc_insn *i, const char *text)
{
	size_t length = strlen(text);
	long long n;
	char *end;

	if (cc_starts_with(text, "%hi(") && text[length - 1] == ')')
		return;
	if (cc_starts_with(text, "%lo(") && text[length - 1] == ')') {
		parse_symbol(t, i, text + 4, length - 5);
		return;
	}
	n = strtoll(text, &end, 0);
	if (end == text || *end)
		cc_fail(t, "'%s' is no number", text);
	i->imm = n;
}

/* OFFSET(REGISTER) */
static void parse_address(struct cc_translation *t, struct cc_insn *i, char *text)
{
	char *open = strrchr(text, '('), *close = open ? strchr(open, ')') : NULL;

	if (!close || close[1])
		cc_fail(t, "'%s' is no address", text);
	*open = *close = '\0';
	i->ra = parse_reg(t, open + 1);
	if (*text)
		immediate(t, i, text);
}

static const char *parse_target(struct cc_translation *t, const char *text)
{
	size_t length = strlen(text);

	if (length > 4 && !strcmp(text + length - 4, "@plt"))
		length -= 4;
	for (size_t i = 0; i < length; i++)
		if (!cc_name_char(text[i]))
			cc_fail(t, "'%s' is no label", text);
	if (!length)
		cc_fail(t, "a jump without a label");
	return cc_pool_string(&t->pool, text, length);
}

static void parse_split(struct cc_translation *t, char *text, struct operands *ops)
{
	ops->count = 0;
	while (isspace((unsigned char)*text))
		text++;
	while (*text) {
		char *start = text, *end;

		while (*text && *text != ',')
			text++;
		end = text;
		if (*text)
			text++;
		while (end > start && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		if (ops->count == sizeof(ops->text) / sizeof(ops->text[0]))
			cc_fail(t, "too many operands");
		ops->text[ops->count++] = start;
		while (isspace((unsigned char)*text))
			text++;
	}
}

static unsigned int wanted(enum shape shape)
{
	switch (shape) {
	case RET:
	case NOP:
	case FAULT:
		return 0;
	case JUMP:
	case CALL:
	case TAIL:
	case JR:
	case JALR:
		return 1;
	case RR:
	case LOAD:
	case STORE:
	case BRANCH_ZERO:
	case SET_ZERO:
	case LI:
	case LUI:
	case MV:
	case NEG:
	case NOT:
		return 2;
	default:
		return 3;
	}
}

static void parse_second(struct cc_translation *t, struct cc_insn *i, const char *text)
{
	int n = find_register(text, strlen(text));

	if (n == REG_ZERO)
		i->imm = 0;
	else if (n >= 0)
		i->rb = n;
	else
		immediate(t, i, text);
}

static void parse_fill(struct cc_translation *t, const struct pattern *p, struct operands *ops)
{
	struct cc_insn *i;
	char **text = ops->text;

	if (p->shape == NOP)
		return;
	i = cc_append(t, p->op);
	switch (p->shape) {
	case SET:
	case SELECT:
		i->cond = p->detail;
	/* fall through */
	case RRR:
	case RRI:
		i->rd = parse_reg(t, text[0]);
		i->ra = parse_reg(t, text[1]);
		parse_second(t, i, text[2]);
		break;
	case SET_SWAPPED:
		i->cond = p->detail;
	/* fall through */
	case ANDN:
		i->rd = parse_reg(t, text[0]);
		i->ra = parse_reg(t, text[2]);
		parse_second(t, i, text[1]);
		break;
	case SHIFT_ADD:
		i->rd = parse_reg(t, text[0]);
		i->ra = parse_reg(t, text[2]);
		i->rb = parse_reg(t, text[1]);
		i->shift = p->detail;
		break;
	case SET_ZERO:
		i->cond = p->detail;
	/* fall through */
	case RR:
	case NEG:
		i->rd = parse_reg(t, text[0]);
		i->ra = parse_reg(t, text[1]);
		break;
	case MV:
		i->rd = parse_reg(t, text[0]);
		parse_second(t, i, text[1]);
		break;
	case NOT:
		i->rd = parse_reg(t, text[0]);
		i->ra = parse_reg(t, text[1]);
		i->imm = -1;
		break;
	case LI:
		i->rd = parse_reg(t, text[0]);
		immediate(t, i, text[1]);
		break;
	case LUI:
		i->rd = parse_reg(t, text[0]);
		immediate(t, i, text[1]);
		i->imm = (uint32_t)i->imm << 12;
		break;
	case LOAD:
		i->rd = parse_reg(t, text[0]);
		parse_address(t, i, text[1]);
		break;
	case STORE:
		i->rb = parse_reg(t, text[0]);
		parse_address(t, i, text[1]);
		break;
	case BRANCH_ZERO:
		i->cond = p->detail;
		i->ra = parse_reg(t, text[0]);
		i->target = parse_target(t, text[1]);
		break;
	case BRANCH:
	case BRANCH_SWAPPED:
		i->cond = p->detail;
		i->ra = parse_reg(t, text[p->shape == BRANCH ? 0 : 1]);
		parse_second(t, i, text[p->shape == BRANCH ? 1 : 0]);
		i->target = parse_target(t, text[2]);
		break;
	case JUMP:
	case CALL:
	case TAIL:
		i->target = parse_target(t, text[0]);
		break;
	case JR:
	case JALR:
		i->ra = parse_reg(t, text[0]);
		break;
	case FAULT:
		i->imm = 4;		/* halt */
		break;
	default:
		break;
	}
	if (i->rd == REG_ZERO) {	/* a hint, or an unused result */
		if (i->op >= OP_LBU && i->op <= OP_LW)
			i->rd = REG_LOW;
		else
			t->function.count--;
	}
}

void cc_parse(struct cc_translation *t, const char *line)
{
	size_t length = 0;
	struct operands ops;
	char copy[512];

	while (line[length] && !isspace((unsigned char)line[length]))
		length++;
	if (strlen(line) >= sizeof(copy))
		cc_fail(t, "an instruction longer than %zu characters", sizeof(copy) - 1);
	strcpy(copy, line + length);
	parse_split(t, copy, &ops);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		const struct pattern *p = &patterns[i];

		if (strlen(p->name) != length || memcmp(p->name, line, length))
			continue;
		if (ops.count != wanted(p->shape))
			cc_fail(t, "'%s' with %u operands", p->name, ops.count);
		parse_fill(t, p, &ops);
		return;
	}
	cc_fail(t, "the DPU has nothing for the instruction '%.*s'", (int)length, line);
}

/* Instructions that the headers use in asm and the passes understand. */
static bool parse_known(struct cc_translation *t, const char *line, uint32_t mentioned)
{
	struct cc_insn *i;
	uint8_t r;

	if (!mentioned || (mentioned & (mentioned - 1)))
		return false;
	r = __builtin_ctz(mentioned);
	if (cc_starts_with(line, "move ") && !strcmp(line + strcspn(line, ","), ", id")) {
		i = cc_append(t, OP_ADD);
		i->ra = REG_ID;
	} else if (cc_starts_with(line, "add ") &&
		   !strcmp(line + strcspn(line, ","), ", id8, __sw_cache_buffer")) {
		i = cc_append(t, OP_ADD);
		i->ra = REG_ID8;
		i->sym = cc_pool_string(&t->pool, "__sw_cache_buffer", strlen("__sw_cache_buffer"));
	} else {
		return false;
	}
	i->rd = r;
	return true;
}

/* r5 or d4 in the text of asm: the author named a register or a pair. */
static uint32_t named_registers(const char *name, size_t length)
{
	char *end;
	unsigned long n;

	if ((*name != 'r' && *name != 'd') || length < 2 || name[1] < '0' || name[1] > '9')
		return 0;
	n = strtoul(name + 1, &end, 10);
	if (end != name + length || n >= REG_COUNT)
		return 0;
	return REG_BIT(n) | (*name == 'd' ? REG_BIT(n + 1) : 0);
}

/*
 * clang writes zero for a value of 0 in a register, but the second source of the DPU's instructions must be an
 * ordinary register. True if zero is there: last, or before the length of a transfer.
 */
static bool zero_source(const char *line)
{
	size_t length = strcspn(line, " \t");
	const char *last = strrchr(line, ',');
	bool dma = cc_starts_with(line, "ldma") || cc_starts_with(line, "sdma");

	if (!last || line[length] == '\0' || cc_starts_with(line, "j"))
		return false;
	if (dma)
		return strstr(line, ", zero,") != NULL;
	last += 1 + strspn(last + 1, " \t");
	return cc_starts_with(last, "zero") && !cc_name_char(last[strlen("zero")]);
}

/* wide.c's comparison of 64 bits. */
static void parse_compare(struct cc_translation *t, const char *condition, char *const *text)
{
	static const struct {
		const char *name;
		enum cc_cond cond;
	} conditions[] = {
		{ "ltu", COND_LTU }, { "geu", COND_GEU }, { "lts", COND_LTS }, { "ges", COND_GES }
	};
	struct cc_insn *i = cc_append(t, OP_SUB);

	i->rd = REG_ZERO;
	i->ra = parse_reg(t, text[1]);
	parse_second(t, i, text[3]);
	i->carries = true;
	i = cc_append(t, OP_SETC);
	i->rd = parse_reg(t, text[0]);
	i->ra = parse_reg(t, text[2]);
	parse_second(t, i, text[4]);
	for (size_t k = 0; k < sizeof(conditions) / sizeof(conditions[0]); k++)
		if (cc_starts_with(condition, conditions[k].name))
			i->cond = conditions[k].cond;
	if (!i->cond)
		cc_fail(t, "'cmp64.%s' has no condition", condition);
}

/* wide.c's pseudo-instructions: 64 bits that are loaded, stored or compared at once. */
static bool parse_wide(struct cc_translation *t, const char *line)
{
	bool load = cc_starts_with(line, "ld64 ");
	struct operands ops;
	struct cc_insn *i;
	int32_t offset;
	char copy[512];
	int base;

	if (strlen(line) >= sizeof(copy) ||
	    !(load || cc_starts_with(line, "sd64 ") || cc_starts_with(line, "cmp64.")))
		return false;
	strcpy(copy, line + strcspn(line, " "));
	parse_split(t, copy, &ops);
	if (ops.count != (*line == 'c' ? 5 : 4))
		return false;
	if (*line == 'c') {
		parse_compare(t, line + strlen("cmp64."), ops.text);
		return true;
	}
	i = cc_append(t, load ? OP_LD : OP_SD);
	*(load ? &i->rd : &i->rb) = parse_reg(t, ops.text[0]);
	i->rc = parse_reg(t, ops.text[1]);
	immediate(t, i, ops.text[2]);
	offset = i->imm;
	base = find_register(ops.text[3], strlen(ops.text[3]));
	if (base < 0) {
		i->imm = 0;
		parse_symbol(t, i, ops.text[3], strlen(ops.text[3]));
		i->imm += offset;
	}
	i->ra = base < 0 ? REG_ZERO : base;
	return true;
}

static void append_asm(struct cc_translation *t, const char *text, size_t size, uint32_t mentioned)
{
	struct cc_insn *i = cc_append(t, OP_ASM);

	i->target = cc_pool_string(&t->pool, text, size);
	i->mentioned = mentioned;
}

void cc_parse_asm(struct cc_translation *t, const char *line)
{
	struct cc_text text = { NULL, 0, 0 };
	const char *p = line;
	uint32_t mentioned = 0;
	bool zero = zero_source(line + strspn(line, " \t"));

	if (parse_wide(t, line + strspn(line, " \t")))
		return;

	while (*p) {
		size_t n = 0;
		int r;

		while (cc_name_char(p[n]))
			n++;
		r = n ? find_register(p, n) : -1;
		/* zero has the same name on the DPU. */
		if (r >= 0 && r < REG_COUNT) {
			cc_text_printf(&text, "r%d", r);
			mentioned |= REG_BIT(r);
		} else if (zero && r == REG_ZERO && text.size && strchr(text.bytes, ',')) {
			cc_text_printf(&text, "r%d", REG_LOW);
		} else {
			mentioned |= named_registers(p, n);
			cc_text_add(&text, p, n ? n : 1);
		}
		p += n ? n : 1;
	}
	if (parse_known(t, line, mentioned)) {
		cc_text_free(&text);
		return;
	}
	if (zero)
		append_asm(t, "\tmove r13, 0", strlen("\tmove r13, 0"), 0);
	append_asm(t, text.bytes ? text.bytes : "", text.size, mentioned);
	cc_text_free(&text);
}
