// SPDX-License-Identifier: GPL-2.0-only
/* Translates a file of RISC-V assembly: functions go through the passes, data hardly change. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/comment.h"
#include "dpu/cc/insn.h"

struct file {
	struct cc_translation *t;
	const char **taken, **local, **global;
	size_t taken_count, taken_space, local_count, local_space, global_count, global_space;
	bool text;		/* the current section has instructions */
	bool skip;		/* the current section is ignored on a DPU */
	bool debug;		/* it is for debuggers */
	unsigned int base;	/* lines that may begin a function's frame base */
	bool in_function, in_asm;
};

static const char *skip_space(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (cc_name_char(p[n]))
		n++;
	return n;
}

static bool translate_listed(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static const char *copy_name(struct file *f, const char *p)
{
	return cc_pool_string(&f->t->pool, p, name_length(p));
}

/* A code label whose address is data; differences of two labels are for debuggers. */
static void take_label(struct file *f, const char *p)
{
	if ((!cc_starts_with(p, ".LBB") && !cc_starts_with(p, ".Ltmp")) || p[name_length(p)] == '-' ||
	    translate_listed(f->taken, f->taken_count, copy_name(f, p)))
		return;
	f->taken = cc_grow(f->taken, f->taken_count, &f->taken_space, sizeof(*f->taken));
	f->taken[f->taken_count++] = copy_name(f, p);
}

/* The sections of DWARF 4 that dpu-as takes; it makes the lines itself. */
static bool is_debug(const char *section)
{
	static const char *const names[] = { ".debug_info", ".debug_abbrev", ".debug_str", ".debug_ranges", ".debug_loc" };
	size_t n = name_length(section);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], section, n))
			return true;
	return false;
}

/* Names of functions and local names, and labels that tables contain. */
static void survey_line(struct file *f, const char *p)
{
	size_t n = name_length(p);

	if (cc_starts_with(p, ".section") || cc_starts_with(p, ".text") || cc_starts_with(p, ".data") ||
	    cc_starts_with(p, ".bss"))
		f->debug = is_debug(skip_space(p + n));
	if (f->debug)
		return;
	if (cc_starts_with(p, ".globl") || cc_starts_with(p, ".weak")) {
		p = skip_space(p + name_length(p));
		f->global = cc_grow(f->global, f->global_count, &f->global_space, sizeof(*f->global));
		f->global[f->global_count++] = copy_name(f, p);
	} else if (cc_starts_with(p, ".word") || cc_starts_with(p, ".long")) {
		take_label(f, skip_space(p + 5));
	} else if (strstr(p, "%hi(")) {
		take_label(f, strstr(p, "%hi(") + 4);
	} else if (cc_starts_with(p, ".local") || (n && p[n] == ':' && !cc_starts_with(p, ".L"))) {
		if (*p == '.')
			p = skip_space(p + 6);
		f->local = cc_grow(f->local, f->local_count, &f->local_space, sizeof(*f->local));
		f->local[f->local_count++] = copy_name(f, p);
	}
}

static void for_each_line(struct file *f, const char *text,
			  void (*visit)(struct file *f, const char *line))
{
	char *line = NULL;
	size_t space = 0;

	f->t->line = 0;
	while (*text) {
		size_t length = strcspn(text, "\n");

		f->t->line++;
		if (length + 1 > space) {
			/* The pool frees it, because a failure leaves by longjmp(). */
			space = 2 * length + 256;
			line = cc_pool_space(&f->t->pool, space);
		}
		memcpy(line, text, length);
		while (length && isspace((unsigned char)line[length - 1]))
			length--;
		line[length] = '\0';
		visit(f, skip_space(line));
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
}

static void finish_function(struct file *f)
{
	struct cc_translation *t = f->t;

	if (!f->in_function)
		return;
	f->in_function = false;
	cc_fold_constants(t);
	cc_remove_dead(t);
	cc_fold_constants(t);
	cc_remove_dead(t);
	cc_fuse(t);
	cc_make_pairs(t);
	cc_emit(t);
	t->function.count = 0;
}

static void label(struct file *f, const char *line, size_t length)
{
	struct cc_translation *t = f->t;
	const char *name = cc_pool_string(&t->pool, line, length);

	if (f->text && cc_starts_with(name, ".Lfunc_end"))
		finish_function(f);
	else if (f->text && !f->in_function && !cc_starts_with(name, ".L"))
		f->in_function = true;
	if (!f->in_function) {
		cc_text_printf(&t->out, "%s:\n", name);
	} else if ((cc_starts_with(name, ".Ltmp") &&
		    !translate_listed(f->taken, f->taken_count, name)) ||
		   cc_starts_with(name, ".Lfunc_begin")) {
		/* For debuggers only; no jump goes there. */
		cc_append(t, OP_DIRECTIVE)->target = cc_pool_string(&t->pool, line, length + 1);
	} else {
		cc_append(t, OP_LABEL)->target = name;
	}
}

static void translate_section(struct file *f, const char *line, const char *name)
{
	struct cc_translation *t = f->t;

	finish_function(f);
	f->debug = is_debug(name);
	f->skip = cc_starts_with(name, ".note") || cc_starts_with(name, "\".note") ||
		  (cc_starts_with(name, ".debug") && !f->debug) || cc_starts_with(name, ".riscv") ||
		  cc_starts_with(name, ".eh_frame") || cc_starts_with(name, ".llvm");
	f->text = cc_starts_with(name, ".text");
	if (f->skip)
		return;
	if (cc_starts_with(name, ".init_array") || cc_starts_with(name, ".fini_array") ||
	    cc_starts_with(name, ".tdata") || cc_starts_with(name, ".tbss"))
		cc_fail(t, "section %.*s: constructors and thread-local variables are not supported on "
			"a DPU", (int)name_length(name), name);
	/* Small data sections are ordinary data here. */
	if (cc_starts_with(name, ".sdata") || cc_starts_with(name, ".srodata"))
		cc_text_printf(&t->out, "\t.data\n");
	else if (cc_starts_with(name, ".sbss"))
		cc_text_printf(&t->out, "\t.bss\n");
	else
		cc_text_printf(&t->out, "\t%s\n", line);
}

#define STRING_PIECE 400

/* Splits strings to fit the assembler's lines, with the escapes that it has. */
static void string(struct file *f, const char *p, bool terminated)
{
	struct cc_translation *t = f->t;
	size_t n = 0;

	if (*p++ != '"')
		cc_fail(t, "a string without quotes");
	cc_text_printf(&t->out, "\t.ascii \"");
	while (*p && *p != '"') {
		size_t length = 1;

		if (n >= STRING_PIECE) {
			cc_text_printf(&t->out, "\"\n\t.ascii \"");
			n = 0;
		}
		if (p[0] == '\\' && p[1]) {
			length = 2;
			while (length < 4 && p[1] >= '0' && p[1] <= '7' && p[length] >= '0' &&
			       p[length] <= '7')
				length++;
		}
		if (length == 2 && p[1] == 'b')
			cc_text_printf(&t->out, "\\010");
		else if (length == 2 && p[1] == 'f')
			cc_text_printf(&t->out, "\\014");
		else
			cc_text_add(&t->out, p, length);
		p += length;
		n += length;
	}
	if (*p != '"')
		cc_fail(t, "a string without its closing quote");
	cc_text_printf(&t->out, "%s\"\n", terminated ? "\\000" : "");
}

static void directive(struct file *f, const char *line)
{
	static const char *const dropped[] = {
		".attribute", ".option", ".addrsig", ".addrsig_sym", ".ident", ".cfi_startproc",
		".cfi_endproc", ".cfi_def_cfa_offset", ".cfi_offset", ".cfi_def_cfa", ".cfi_restore",
		".cfi_remember_state", ".cfi_restore_state", ".cfi_sections", ".cfi_def_cfa_register",
		".variant_cc", ".local", ".protected", ".hidden", ".internal"
	};
	struct cc_translation *t = f->t;
	size_t n = name_length(line);
	const char *name = cc_pool_string(&t->pool, line, n), *rest = skip_space(line + n);

	if (!strcmp(name, ".section")) {
		translate_section(f, line, rest);
		return;
	}
	if (!strcmp(name, ".text") || !strcmp(name, ".data") || !strcmp(name, ".bss")) {
		translate_section(f, line, name);
		return;
	}
	if ((f->skip && strcmp(name, ".comm")) ||
	    translate_listed(dropped, sizeof(dropped) / sizeof(dropped[0]), name))
		return;
	if (!strcmp(name, ".asciz") || !strcmp(name, ".string")) {
		string(f, rest, true);
		return;
	}
	if (!strcmp(name, ".ascii")) {
		string(f, rest, false);
		return;
	}
	if (f->text && cc_starts_with(name, ".p2align"))
		return;
	if (!strcmp(name, ".p2align")) {
		cc_text_printf(&t->out, "\t.p2align %ld\n", strtol(rest, NULL, 10));
		return;
	}
	if (!strcmp(name, ".comm"))
		finish_function(f);
	if (!f->in_function) {
		cc_text_printf(&t->out, "\t%s\n", line);
		return;
	}
	cc_append(t, OP_DIRECTIVE)->target = cc_pool_string(&t->pool, line, strlen(line));
}

/*
 * A function's frame base is a register by RISC-V's number. It comes after the function's addresses: one byte, that is
 * 80 + 2 for the stack pointer or 80 + 8 for the frame pointer (DW_OP_reg2, DW_OP_reg8).
 */
static const char *frame_base(struct file *f, const char *line)
{
	const char *operand = skip_space(line + name_length(line));
	long value = strtol(operand, NULL, 10);
	unsigned int reg = 0;

	if (cc_starts_with(line, ".word") && cc_starts_with(operand, ".Lfunc_end"))
		f->base = 1;
	else if (f->base == 1 && cc_starts_with(line, ".byte") && value == 1)
		f->base = 2;
	else if (f->base == 2 && cc_starts_with(line, ".byte") && (value == 82 || value == 88))
		reg = value == 82 ? REG_STACK : 14;
	else
		f->base = 0;
	return reg ? cc_pool_string(&f->t->pool, reg == 14 ? ".byte\t94" : ".byte\t102", reg == 14 ? 8 : 9) : line;
}

static void translate_line(struct file *f, const char *line)
{
	bool block = false;
	size_t n;

	if (cc_starts_with(line, "#APP")) {
		f->in_asm = true;
		return;
	}
	if (cc_starts_with(line, "#NO_APP")) {
		f->in_asm = false;
		return;
	}
	if (f->in_asm) {
		if (!f->in_function)
			cc_fail(f->t, "asm outside of functions is not supported");
		if (*line)
			cc_parse_asm(f->t, line);
		return;
	}
	strip_comment((char *)line, &block);
	if (f->debug)
		line = frame_base(f, line);
	n = name_length(line);
	if (!*line)
		return;
	if (*line == '.' && line[n] != ':')
		directive(f, line);
	else if (f->skip)
		return;
	else if (n && line[n] == ':')
		label(f, line, n);
	else if (f->in_function)
		cc_parse(f->t, line);
	else
		cc_fail(f->t, "'%.40s' outside of a function", line);
}

static void translate_one(struct file *f, const char *assembly)
{
	struct cc_translation *t = f->t;

	for_each_line(f, assembly, survey_line);
	t->taken = f->taken;
	t->taken_count = f->taken_count;
	for (size_t i = 0; i < f->local_count; i++)
		if (!translate_listed(f->global, f->global_count, f->local[i]) &&
		    !translate_listed(f->local, i, f->local[i]))
			cc_text_printf(&t->out, "\t.local %s\n", f->local[i]);
	for_each_line(f, assembly, translate_line);
	finish_function(f);
}

char *cc_translate(const char *name, const char *assembly, char error[CC_ERROR_SIZE])
{
	struct cc_translation *t = cc_realloc(NULL, sizeof(*t));
	struct file *f = cc_realloc(NULL, sizeof(*f));
	char *result;

	*t = (struct cc_translation){ .name = name, .error = error };
	*f = (struct file){ .t = t };
	if (!setjmp(t->failed)) {
		cc_text_add(&t->out, "", 0);
		translate_one(f, assembly);
	} else {
		cc_text_free(&t->out);
	}
	result = t->out.bytes;
	free(f->taken);
	free(f->local);
	free(f->global);
	free(f);
	free(t->function.insns);
	cc_pool_free(&t->pool);
	free(t);
	return result;
}
