// SPDX-License-Identifier: GPL-2.0-only
/* Rewrites LLVM's intermediate code: target, registers, accesses to MRAM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

#define SPACE " addrspace(255)"

/* The data layout that LLVM prints for riscv32; the same in versions 14 to 19. */
#define LAYOUT "target datalayout = \"e-m:e-p:32:32-i64:64-n32-S128\""
#define TRIPLE "target triple = \"riscv32-unknown-unknown-elf\""

/*
 * x8, x9, x18 to x23 become r14 to r21, x10 to x17 r0 to r7, x5 and x6 r8 and r9 (parse.c). These
 * features keep the code generator from using other registers. Each function needs them as
 * attributes.
 */
#define FEATURES "\"target-features\"=\"+m,+%szba,+%szbb,-a,-c,-relax,+reserve-x7,+reserve-x24," \
	"+reserve-x25,+reserve-x26,+reserve-x27,+reserve-x28,+reserve-x29,+reserve-x30," \
	"+reserve-x31\""

static void ir_add(struct cc_text *out, const char *text)
{
	cc_text_add(out, text, strlen(text));
}

/* In clang 13 Zba and Zbb are experimental. */
static void add_features(struct cc_text *out, unsigned int clang)
{
	const char *prefix = clang < 14 ? "experimental-" : "";

	cc_text_printf(out, " " FEATURES, prefix, prefix);
}

void cc_ir_retarget(const char *ir, struct cc_text *out)
{
	while (*ir) {
		size_t length = strcspn(ir, "\n"), size = length + (ir[length] == '\n');

		if (cc_starts_with(ir, "target datalayout")) {
			ir_add(out, LAYOUT "\n");
		} else if (cc_starts_with(ir, "target triple")) {
			ir_add(out, TRIPLE "\n");
		} else if (cc_starts_with(ir, "attributes #")) {
			const char *p = ir, *end = ir + size;

			while (p < end) {
				const char *quote;

				if (!cc_starts_with(p, "\"target-") && !cc_starts_with(p, "\"tune-cpu\"")) {
					cc_text_add(out, p++, 1);
					continue;
				}
				for (int n = 0; n < 4 && p < end; n++) {
					quote = memchr(p, '"', end - p);
					p = quote ? quote + 1 : end;
				}
			}
		} else {
			cc_text_add(out, ir, size);
		}
		ir += size;
	}
}

/* Copies a piece without the address space and without fastcc, outside strings. */
static void add_plain(struct cc_text *out, const char *p, size_t length)
{
	const char *end = p + length;
	bool quoted = false;

	while (p < end) {
		quoted ^= *p == '"';
		if (!quoted && cc_starts_with(p, SPACE)) {
			p += strlen(SPACE);
		} else if (!quoted && cc_starts_with(p, " fastcc ")) {
			p += strlen(" fastcc");
		} else if (!quoted && cc_starts_with(p, "addrspacecast ")) {
			ir_add(out, "bitcast");
			p += strlen("addrspacecast");
		} else {
			cc_text_add(out, p++, 1);
		}
	}
}

/* The end of a type at the start of an operand. */
static size_t type_length(const char *p)
{
	size_t n = 0;
	int depth = 0;

	for (; p[n] && p[n] != '\n'; n++) {
		if (strchr("([{<", p[n]))
			depth++;
		else if (strchr(")]}>", p[n]))
			depth--;
		else if (p[n] == ' ' && !depth && !cc_starts_with(p + n, SPACE) && p[n + 1] != '(')
			break;
	}
	return n;
}

static unsigned int scalar_size(const char *type, size_t length)
{
	static const struct {
		const char *name;
		unsigned int size;
	} sizes[] = {
		{ "i8", 1 }, { "i1", 1 }, { "i16", 2 }, { "i32", 4 }, { "i64", 8 }, { "float", 4 },
		{ "double", 8 }, { "ptr", 4 }, { "half", 2 }
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strlen(sizes[i].name) == length && !memcmp(sizes[i].name, type, length))
			return sizes[i].size;
	return length && type[length - 1] == '*' ? 4 : 0;
}

struct access {
	const char *type;		/* of the value, with its length */
	size_t type_length;
	const char *value;		/* stored; with its length */
	size_t value_length;
	const char *pointer;
	size_t pointer_length;
	const char *rest;		/* ", align 8, ..." */
	size_t rest_length;
	bool opaque;			/* pointers without a type, as LLVM 15 and later write them */
};

/* "TYPE addrspace(255)* POINTER, align N" or "ptr addrspace(255) POINTER, align N". */
static bool parse_pointer(const char *p, struct access *a)
{
	size_t n = 0;

	a->opaque = cc_starts_with(p, "ptr" SPACE " ");
	if (a->opaque)
		n = strlen("ptr" SPACE " ");
	else if (!strncmp(p, a->type, a->type_length) &&
		 cc_starts_with(p + a->type_length, SPACE "* "))
		n = a->type_length + strlen(SPACE "* ");
	else
		return false;
	a->pointer = p + n;
	a->pointer_length = cc_operand_length(a->pointer);
	a->rest = a->pointer + a->pointer_length;
	a->rest_length = strcspn(a->rest, "\n");
	return true;
}

static unsigned int alignment(const struct access *a)
{
	const char *p = strstr(a->rest, ", align ");

	return p && p < a->rest + a->rest_length ? strtoul(p + 8, NULL, 10) : 1;
}

static void add_type(struct cc_text *out, const struct access *a)
{
	add_plain(out, a->type, a->type_length);
}

static void add_pointer_type(struct cc_text *out, const struct access *a)
{
	if (a->opaque) {
		ir_add(out, "ptr");
	} else {
		add_type(out, a);
		ir_add(out, "*");
	}
}

/*
 * Writes code that reads the 8 bytes of MRAM around an address into the tasklet's buffer; %mramN.w
 * is the value's address in WRAM. A value that spans more than 8 bytes goes through a function with
 * a longer buffer.
 */
static void add_fetch(struct cc_text *out, const struct access *a, unsigned int n, bool read)
{
	unsigned int size = scalar_size(a->type, a->type_length);
	const char *byte = a->opaque ? "ptr" : "i8*";
	bool simple = size && alignment(a) >= size;

	cc_text_printf(out, "  %%mram%u.i = ptrtoint ", n);
	add_pointer_type(out, a);
	ir_add(out, " ");
	add_plain(out, a->pointer, a->pointer_length);
	ir_add(out, " to i32\n");
	if (!simple) {
		cc_text_printf(out, "  %%mram%u.b = call %s @__mram_fetch(i32 %%mram%u.i, i32 ptrtoint (", n,
			       byte, n);
		add_pointer_type(out, a);
		ir_add(out, " getelementptr (");
		add_type(out, a);
		ir_add(out, ", ");
		add_pointer_type(out, a);
		ir_add(out, " null, i32 1) to i32))\n");
	} else {
		const char *place = size == 8 ? "b" : "s";

		cc_text_printf(out, "  %%mram%u.%s = call %s asm \"add $0, id8, __sw_cache_buffer\", "
			       "\"=r\"()\n", n, place, byte);
		if (read)
			cc_text_printf(out, "  call void asm sideeffect \"ldma $0, $1, 0\", "
				       "\"r,r,~{memory}\"(%s %%mram%u.%s, i32 %%mram%u.i)\n",
				       byte, n, place, n);
		if (size != 8)
			cc_text_printf(out, "  %%mram%u.o = and i32 %%mram%u.i, 7\n"
				       "  %%mram%u.b = getelementptr i8, %s %%mram%u.s, i32 %%mram%u.o\n",
				       n, n, n, byte, n, n);
	}
	if (a->opaque)
		return;
	cc_text_printf(out, "  %%mram%u.w = bitcast i8* %%mram%u.b to ", n, n);
	add_pointer_type(out, a);
	ir_add(out, "\n");
}

static void add_write_back(struct cc_text *out, const struct access *a, unsigned int n)
{
	unsigned int size = scalar_size(a->type, a->type_length);
	const char *byte = a->opaque ? "ptr" : "i8*";

	if (size && alignment(a) >= size)
		cc_text_printf(out, "  call void asm sideeffect \"sdma $0, $1, 0\", "
			       "\"r,r,~{memory}\"(%s %%mram%u.%s, i32 %%mram%u.i)\n",
			       byte, n, size == 8 ? "b" : "s", n);
	else
		cc_text_printf(out, "  call void @__mram_write_back(i32 %%mram%u.i)\n", n);
}

static bool lower_load(const char *line, struct cc_text *out, unsigned int n)
{
	const char *p = strstr(line, " = load ");
	struct access a;
	bool is_volatile;

	if (!p)
		return false;
	a.type = p + strlen(" = load ");
	is_volatile = cc_starts_with(a.type, "volatile ");
	if (is_volatile)
		a.type += strlen("volatile ");
	a.type_length = cc_operand_length(a.type);
	if (!cc_starts_with(a.type + a.type_length, ", ") ||
	    !parse_pointer(a.type + a.type_length + 2, &a))
		return false;
	add_fetch(out, &a, n, true);
	cc_text_add(out, line, p - line);
	ir_add(out, " = load ");
	add_type(out, &a);
	ir_add(out, ", ");
	add_pointer_type(out, &a);
	cc_text_printf(out, " %%mram%u.%c", n, a.opaque ? 'b' : 'w');
	add_plain(out, a.rest, a.rest_length);
	ir_add(out, "\n");
	return true;
}

static bool lower_store(const char *line, struct cc_text *out, unsigned int n)
{
	struct access a;
	unsigned int size;

	if (!cc_starts_with(line, "  store "))
		return false;
	a.type = line + strlen("  store ");
	if (cc_starts_with(a.type, "volatile "))
		a.type += strlen("volatile ");
	a.type_length = type_length(a.type);
	if (a.type[a.type_length] != ' ')
		return false;
	a.value = a.type + a.type_length + 1;
	a.value_length = cc_operand_length(a.value);
	if (!cc_starts_with(a.value + a.value_length, ", ") ||
	    !parse_pointer(a.value + a.value_length + 2, &a))
		return false;
	size = scalar_size(a.type, a.type_length);
	add_fetch(out, &a, n, size != 8 || alignment(&a) < 8);
	ir_add(out, "  store ");
	add_type(out, &a);
	ir_add(out, " ");
	add_plain(out, a.value, a.value_length);
	ir_add(out, ", ");
	add_pointer_type(out, &a);
	cc_text_printf(out, " %%mram%u.%c", n, a.opaque ? 'b' : 'w');
	add_plain(out, a.rest, a.rest_length);
	ir_add(out, "\n");
	add_write_back(out, &a, n);
	return true;
}

/*
 * @llvm.memcpy.p0i8.p255i8.i32 and so on become the library's @__mram_copy_0_255_32 and so on,
 * which take the intrinsic's arguments.
 */
static bool lower_block(const char *line, struct cc_text *out)
{
	static const char *const names[] = { "@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset." };
	size_t length = strcspn(line, "\n");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *p = strstr(line, names[i]), *q, *end;
		char mangled[64], bits[8];

		if (!p)
			continue;
		q = p + strlen(names[i]);
		end = strchr(q, '(');
		if (!end || end - q >= (long)sizeof(mangled))
			return false;
		snprintf(mangled, sizeof(mangled), "%.*s", (int)(end - q), q);
		if (!strstr(mangled, "p255"))
			return false;
		snprintf(bits, sizeof(bits), "%s", strstr(mangled, ".i64") ? "64" : "32");
		if (cc_starts_with(line, "declare")) {
			const char *byte = strstr(mangled, "p255i8") ? "i8*" : "ptr";

			cc_text_printf(out, "declare void @__mram_%s_%s_%s(%s, %s, i%s, i1)\n",
				       i == 2 ? "set" : cc_starts_with(mangled, "p255") ? "to" : "from",
				       i != 2 && !strstr(mangled, "p0") ? "mram" : "wram", bits, byte,
				       i == 2 ? "i8" : byte, bits);
			return true;
		}
		add_plain(out, line, p - line);
		cc_text_printf(out, "@__mram_%s_%s_%s",
			       i == 2 ? "set" : cc_starts_with(mangled, "p255") ? "to" : "from",
			       i != 2 && !strstr(mangled, "p0") ? "mram" : "wram", bits);
		add_plain(out, end, line + length - end);
		ir_add(out, "\n");
		return true;
	}
	return false;
}

/*
 * Clobbered registers in asm have the DPU's names; the code generator needs RISC-V's (parse.c). r10 to r13, and
 * registers that compiled code never keeps, need no name.
 */
static void add_clobbers(struct cc_text *line, const char *p, size_t length)
{
	static const char *const names[] = {
		"x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x5", "x6", NULL, NULL, NULL, NULL,
		"x8", "x9", "x18", "x19", "x20", "x21", "x22", "x23"
	};
	const char *end = p + length;

	cc_text_add(line, "", 0);
	while (p < end) {
		bool pair = cc_starts_with(p, "~{d");
		char *after;
		unsigned long n;

		if (!(pair || cc_starts_with(p, "~{r")) || p[3] < '0' || p[3] > '9' ||
		    (n = strtoul(p + 3, &after, 10)) >= sizeof(names) / sizeof(names[0]) || *after != '}') {
			cc_text_add(line, p++, 1);
			continue;
		}
		cc_text_printf(line, "~{%s}", names[n] ? names[n] : "memory");
		if (pair && names[n + 1])
			cc_text_printf(line, ",~{%s}", names[n + 1]);
		p = after + 1;
	}
}

/* Gives the instructions in out from `from` on the source line of the instruction that they replace. */
static void keep_location(struct cc_text *out, size_t from, const char *replaced)
{
	static const char dbg[] = ", !dbg !";
	const char *location = strstr(replaced, dbg);
	struct cc_text lines = { NULL, 0, 0 };
	size_t length;

	if (!location)
		return;
	length = strlen(dbg) + strspn(location + strlen(dbg), "0123456789");
	cc_text_add(&lines, out->bytes + from, out->size - from);
	out->size = from;
	for (const char *p = lines.bytes; *p; p = strchr(p, '\n') + 1) {
		size_t n = strcspn(p, "\n");

		cc_text_add(out, p, n);
		if (!memmem(p, n, dbg, strlen(dbg)))
			cc_text_add(out, location, length);
		ir_add(out, "\n");
	}
	cc_text_free(&lines);
}

const char *cc_ir_lower(const char *ir, unsigned int clang, bool wide, struct cc_text *out)
{
	struct cc_text line = { NULL, 0, 0 };
	struct cc_records records = { .count = 0 };
	const char *wrong = NULL, *function = ir;
	bool fetch = false;
	unsigned int n = 0;

	for (const char *next = ir; *next;) {
		size_t length = strcspn(next, "\n"), from = out->size;
		const char *p, *brace, *rest;

		if (cc_starts_with(next, "define "))
			function = next;
		line.size = 0;
		add_clobbers(&line, next, length);
		next += length + (next[length] == '\n');
		length = line.size;
		p = line.bytes;
		if (cc_starts_with(p, "module asm"))
			wrong = "asm outside of functions is not supported";
		if (*p == '@' && strstr(p, " thread_local"))
			wrong = "thread-local variables are not supported; use an array with an element for "
				"each tasklet";
		if (strstr(p, ", ...) @") && strstr(p, " call ") && strstr(p, " byval("))
			wrong = "a struct of more than 64 bytes as a variable argument is not supported; "
				"pass a pointer";
		if (cc_starts_with(p, "  ") && strstr(p, SPACE) &&
		    (lower_load(p, out, n) || lower_store(p, out, n))) {
			keep_location(out, from, p);
			n++;
			fetch = true;
		} else if (wide && cc_ir_wide(ir, function, p, out, n)) {
			keep_location(out, from, p);
			n++;
		} else if (cc_starts_with(p, "attributes #") && (brace = strchr(p, '{'))) {
			cc_text_add(out, p, brace + 1 - p);
			add_features(out, clang);
			cc_text_printf(out, "%s\n", brace + 1);
		} else if (cc_starts_with(p, "define ") && !strstr(p, ") #") && !strstr(p, "addr #") &&
			   p[length - 1] == '{') {
			add_plain(out, p, length - 1);
			add_features(out, clang);
			ir_add(out, " {\n");
		} else if (cc_starts_with(p, "  ") && (rest = cc_ir_record(ir, p, &records, out))) {
			add_plain(out, rest, p + length - rest);
			ir_add(out, "\n");
		} else if (!lower_block(p, out)) {
			add_plain(out, p, length);
			ir_add(out, "\n");
		}
	}
	cc_text_free(&line);
	cc_ir_records_end(&records, out);
	if (fetch)
		ir_add(out, strstr(ir, "ptr" SPACE) ?
		       "\ndeclare ptr @__mram_fetch(i32, i32)\ndeclare void @__mram_write_back(i32)\n" :
		       "\ndeclare i8* @__mram_fetch(i32, i32)\ndeclare void @__mram_write_back(i32)\n");
	return wrong;
}
