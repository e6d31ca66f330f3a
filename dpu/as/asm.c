// SPDX-License-Identifier: GPL-2.0-only
/* The assembler's two passes, and the start-up code of every program. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm-internal.h"
#include "dpu/as/comment.h"

/*
 * Start-up code: eleven instructions like that of UPMEM's SDK, so main is at 0x80000058 as in its
 * listings. Tasklet 0 clears the log and the atomic bits. Every tasklet starts the next one, loads
 * its stack pointer (r22) and the stack's size, and calls main unless that is 0.
 */
static const char start_up[] =
	".text\n"
	".type __bootstrap, @function\n"
	"__bootstrap:\n"
	"	jneq id, 0, 2f\n"
	"	sd zero, __stdout_buffer_state, 0\n"
	"	move r0, 255\n"
	"1:	release r0, 0, nz, .+1\n"
	"	add r0, r0, -1, pl, 1b\n"
	"2:	jeq id, NR_TASKLETS - 1, .+2\n"
	"	boot id, 1, true, .+1\n"
	"	ld d22, id8, __sys_thread_stack_table_ptr\n"
	"	jeq r23, 0, __sys_end\n"
	"	call r23, main\n"
	".globl __sys_end\n"
	"__sys_end:\n"
	"	stop true, __sys_end\n"
	".size __bootstrap, . - __bootstrap\n"
	".data\n"
	"__sys_zero: .quad 0\n"
	"__stdout_buffer_state: .quad 0\n"
	".size __stdout_buffer_state, 8\n"
	"__sys_thread_stack_table_ptr:\n";

static const char run_time_variables[] =
	".size __sys_thread_stack_table_ptr, . - __sys_thread_stack_table_ptr\n"
	".section .dpu_host\n"
	".globl CLOCKS_PER_SEC\n"
	".type CLOCKS_PER_SEC, @object\n"
	"CLOCKS_PER_SEC: .long 0\n"
	".size CLOCKS_PER_SEC, 4\n"
	".text\n";

/* Any number of labels, then a directive or an instruction. */
static void statement(struct as *as, char *line)
{
	char *p = line, *end;

	if (as_macro_keeps(as, line))
		return;
	as->order++;
	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		end = p + as_name_length(p);
		if (end == p || *end != ':')
			break;
		if (!as->skipping)
			as_label(as, p, end - p);
		p = end + 1;
	}
	if (end == p) {
		if (*p)
			as_fail(as, "unexpected character '%c'", *p);
		return;
	}
	if (*end && !isspace((unsigned char)*end) && *end != '=')
		as_fail(as, "unexpected character '%c'", *end);
	if (as_macro(as, p, end - p, end))
		return;
	if (end[strspn(end, " \t")] == '=')
		as_assign(as, p, end - p, end + strspn(end, " \t") + 1);
	else if (*p == '.')
		as_directive(as, p, end - p, end);
	else if (!as->skipping)
		as_instruction(as, p, end - p, end);
}

/* Statements of a line, with semicolons between them. */
static void statements(struct as *as, char *line)
{
	bool quoted = false;
	char *start = line;

	strip_comment(line, &as->block);
	for (char *p = line; *p; p++) {
		if (*p == '\\' && p[1] && quoted)
			p++;
		else if (*p == '"')
			quoted = !quoted;
		if (*p != ';' || quoted || as->leaving)
			continue;
		*p = '\0';
		statement(as, start);
		start = p + 1;
	}
	if (!as->leaving)
		statement(as, start);
}

/*
 * "# LINE FILE" of a preprocessor: where the next line comes from. A line with a directive for one is no comment: it would
 * have had an effect.
 */
static bool preprocessor_line(struct as *as, const char *line)
{
	static const char *const directives[] = { "if", "el", "endif", "define", "undef", "include", "error" };
	struct as_file *file;
	unsigned int number;
	char name[1024];

	if (*line++ != '#' || as->block)
		return false;
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (!strncmp(line, directives[i], strlen(directives[i])))
			as_fail(as, "'#%.*s' is for the C preprocessor: name the file .S, and give it to dpu-cc",
				(int)strcspn(line, " \t"), line);
	if (sscanf(line, " %u \"%1023[^\"]", &number, name) != 2)
		return false;
	file = as_keep_file(as, name);
	as->file_name = file->path;
	as->line = number - 1;
	return true;
}

static void read_lines(struct as *as, const char *name, unsigned int first, const char *text)
{
	const char *outer_name = as->file_name;
	size_t outside = as->conditions_outside;
	unsigned int outer_line = as->line;
	char line[AS_LINE_SIZE];

	if (++as->nesting > 100)
		as_fail(as, "files or macros nested too deeply");
	as->file_name = name;
	as->line = first - 1;
	as->conditions_outside = as->condition_count;
	while (*text && !as->leaving) {
		size_t length = strcspn(text, "\n");
		bool marker;

		as->line++;
		if (length >= sizeof(line))
			as_fail(as, "line longer than %zu characters", sizeof(line) - 1);
		memcpy(line, text, length);
		line[length] = '\0';
		marker = preprocessor_line(as, line);
		if (!marker)
			statements(as, line);
		as_macro_line(as, marker ? line : "");
		text += length;
		if (*text)
			text++;
	}
	as_macro_end(as);
	as->nesting--;
	as->conditions_outside = outside;
	as->file_name = outer_name;
	as->line = outer_line;
}

static void define_absolute(struct as *as, const char *name, uint32_t value)
{
	struct as_symbol *s = as_symbol(as, name, strlen(name), true);

	s->section = AS_ABSOLUTE;
	s->offset = value;
	s->global = true;
}

static void run_time(struct as *as)
{
	char line[128];
	unsigned int i;

	define_absolute(as, "NR_TASKLETS", as->options->tasklets);
	define_absolute(as, "DPU_IRAM_SIZE", DPU_IRAM_WORDS * 8);
	define_absolute(as, "DPU_WRAM_SIZE", DPU_WRAM_SIZE);
	define_absolute(as, "DPU_ATOMIC_SIZE", DPU_ATOMIC_BITS);
	define_absolute(as, "DPU_NR_THREADS", DPU_MAX_THREADS);
	if (as->options->no_runtime)
		return;
	read_lines(as, "start-up code", 1, start_up);
	for (i = 0; i < DPU_MAX_THREADS; i++) {
		uint32_t size = i < as->options->tasklets ? as->options->stack_size : 0;

		snprintf(line, sizeof(line), "STACK_SIZE_TASKLET_%u", i);
		define_absolute(as, line, size);
		snprintf(line, sizeof(line), ".long %" PRIu32 ", __sys_stacks + %" PRIu32 "\n", size,
			 (i + as->options->stack_down) * as->options->stack_size);
		read_lines(as, "start-up code", 1, line);
	}
	read_lines(as, "start-up code", 1, run_time_variables);
}

/* Places the sections: those of one memory follow each other; the stacks are last in WRAM. */
static void lay_out(struct as *as)
{
	static const enum as_section wram[] = { AS_DATA, AS_HOST, AS_BSS, AS_STACKS };
	struct as_buffer *s = as->sections;
	uint32_t address = 0, stacks = as->options->no_runtime ? 0 : as->options->stack_size *
				       as->options->tasklets;

	s[AS_STACKS].size = stacks;
	for (size_t i = 0; i < sizeof(wram) / sizeof(wram[0]); i++) {
		/* compiled code needs this alignment of 16 bytes */
		if (wram[i] == AS_STACKS && as->options->stack_down)
			address = (address + 15) & ~15u;
		s[wram[i]].address = address;
		address = (address + s[wram[i]].size + 7) & ~7u;
	}
	if (address > as->options->arch->wram_size)
		as_fail(as, "WRAM is full: data and stacks need %" PRIu32 " bytes, %s has %" PRIu32
			"; use smaller stacks or fewer tasklets", address, as->options->arch->name,
			as->options->arch->wram_size);
	if (s[AS_TEXT].size > as->options->arch->iram_words * 8)
		as_fail(as, "IRAM is full: %" PRIu32 " instructions, %s has %" PRIu32,
			s[AS_TEXT].size / 8, as->options->arch->name, as->options->arch->iram_words);
	s[AS_MRAM].address = (s[AS_MRAM_NOINIT].size + 7) & ~7u;
	s[AS_MRAM].size = (s[AS_MRAM].size + 7) & ~7u;
	if ((uint64_t)s[AS_MRAM].address + s[AS_MRAM].size > DPU_MRAM_SIZE)
		as_fail(as, "MRAM is full: the program's variables need more than 64 MiB");
	if (s[AS_ATOMIC].size > DPU_ATOMIC_BITS)
		as_fail(as, "more than %u atomic bits", DPU_ATOMIC_BITS);
	for (int i = 0; i < AS_SECTIONS; i++) {
		/* Memory images are whole words; a section keeps its size. */
		s[i].allocated = (s[i].size + 7) & ~7u;
		s[i].bytes = calloc(1, s[i].allocated + 8);
		if (!s[i].bytes)
			as_fail(as, "out of memory");
	}
}

static void define_layout(struct as *as)
{
	struct as_symbol *s = as_symbol(as, "__sys_used_mram_end", 19, true);

	s->section = AS_MRAM;
	s->offset = as->sections[AS_MRAM].size;
	s->global = true;
	/* The value may depend on another symbol that has moved. */
	s = as_symbol(as, "__sys_stacks", 12, true);
	s->section = AS_STACKS;
	s->offset = 0;
}

static void asm_pass(struct as *as, int number, const struct dpu_asm_source *sources, size_t count)
{
	as->pass = number;
	as->order = 0;
	as->expansions = 0;
	as->decided = 0;
	as->current = AS_TEXT;
	for (int i = 0; i < AS_SECTIONS; i++)
		if (i != AS_STACKS)
			as->sections[i].size = 0;
	as->file = 0;
	run_time(as);
	for (size_t i = 0; i < count; i++) {
		as->file = i + 1;
		as->block = false;
		as->current = AS_TEXT;
		as->skipping = false;
		read_lines(as, sources[i].name, 1, sources[i].text);
		as_macro_free(as);
	}
	as->file_name = count ? sources[count - 1].name : "";
}

bool dpu_assemble(const struct dpu_asm_source *sources, size_t count,
		  const struct dpu_asm_options *options, void **image, size_t *size,
		  char error[DPU_ASM_ERROR_SIZE])
{
	struct as as = { .options = options, .read = read_lines, .error = error, .file_name = "" };
	volatile bool ok = false;	/* volatile, because it is used after longjmp */

	for (int i = 0; i < AS_SECTIONS; i++)
		as.sections[i].section = i;
	if (!setjmp(as.failed)) {
		asm_pass(&as, 1, sources, count);
		lay_out(&as);
		define_layout(&as);
		asm_pass(&as, 2, sources, count);
		as_write_elf(&as, image, size);
		ok = true;
	}
	for (int i = 0; i < AS_SECTIONS; i++)
		free(as.sections[i].bytes);
	for (size_t i = 0; i < as.symbol_count; i++)
		free(as.symbols[i].name);
	free(as.symbols);
	free(as.digits);
	free(as.references);
	free(as.conditions);
	free(as.decisions);
	as_macro_free(&as);
	as_line_free(&as);
	while (as.files) {
		struct as_file *next = as.files->next;

		free(as.files->path);
		free(as.files->text);
		free(as.files);
		as.files = next;
	}
	return ok;
}
