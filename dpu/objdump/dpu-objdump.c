// SPDX-License-Identifier: GPL-2.0-only
/* dpu-objdump: lists the instructions, symbols and segments of DPU programs. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"
#include "dpu/include/dpu_stack.h"
#include "dpu/include/dpu_memory.h"
#include "dpu/include/dpu_program.h"

struct arguments {
	const char *path;
	bool code, symbols, headers, stack, sdk_style;
};

enum { KEY_SDK = 256, KEY_STACK };

static const struct argp_option options[] = {
	{ "disassemble", 'd', 0, 0, "List the instructions (the default)", 0 },
	{ "symbols", 't', 0, 0, "List the symbols instead of the instructions", 0 },
	{ "headers", 'h', 0, 0, "List the segments instead of the instructions", 0 },
	{ "stack", KEY_STACK, 0, 0, "List the stack that each function needs instead of the instructions", 0 },
	{ "hex", KEY_SDK, 0, 0, "Write 32-bit numbers, shifts and DMA lengths in hexadecimal", 0 },
	{ 0 }
};

static error_t objdump_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'd':
		a->code = true;
		break;
	case 't':
		a->symbols = true;
		break;
	case 'h':
		a->headers = true;
		break;
	case KEY_STACK:
		a->stack = true;
		break;
	case KEY_SDK:
		a->sdk_style = true;
		break;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "more than one program");
		a->path = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no program");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* In an object, values are relative to their section. */
static bool is_at(const struct dpu_program *program, const struct dpu_program_symbol *symbol,
		  const struct dpu_segment *s, uint32_t offset)
{
	if (program->object)
		return symbol->section == s->index && symbol->value == offset;
	return !symbol->absolute && symbol->value == s->address + offset;
}

static void list_code(const struct dpu_program *program, const struct dpu_segment *s,
		      bool sdk_style)
{
	uint32_t start = program->object ? 0 : s->address;

	if (program->object)
		printf("\nSection %s:\n", s->section);
	for (uint32_t i = 0; i + 8 <= s->file_size; i += 8) {
		char text[DPU_TEXT_SIZE] = "(illegal)";
		struct dpu_insn insn;
		uint64_t word = 0;

		for (size_t j = 0; j < program->symbol_count; j++)
			if (is_at(program, &program->symbols[j], s, i))
				printf("\n%08" PRIx32 " <%s>:\n", start + i, program->symbols[j].name);
		printf("%08" PRIx32 ":", start + i);
		for (int k = 0; k < 8; k++) {
			printf(" %02x", s->data[i + k]);
			word |= (uint64_t)s->data[i + k] << (8 * k);
		}
		if (dpu_decode(word, &insn))
			dpu_insn_text(&insn, sdk_style ? DPU_TEXT_SDK : DPU_TEXT_OBJDUMP, text);
		printf("\t%s\n", text);
	}
}

/* The deepest first. */
static int compare_needs(const void *a, const void *b)
{
	const struct dpu_stack_function *x = a, *y = b;

	return x->need > y->need ? -1 : x->need < y->need ? 1 : strcmp(x->name, y->name);
}

static void list_stack(const struct dpu_program *program)
{
	const struct dpu_program_symbol *size = dpu_program_symbol(program, "STACK_SIZE_TASKLET_0");
	struct dpu_stack *stack = dpu_stack_new(program);

	if (!stack)
		return;
	qsort(stack->functions, stack->count, sizeof(stack->functions[0]), compare_needs);
	puts("bytes with calls   own  function");
	for (size_t i = 0; i < stack->count; i++) {
		const struct dpu_stack_function *f = &stack->functions[i];

		printf("%16" PRIu32 " %5" PRIu32 "  %s%s%s%s\n", f->need, f->own, f->name,
		       f->recursive ? ", recursion: at least" : "",
		       f->indirect ? ", calls through pointers are left out" : "",
		       f->variable ? ", arrays of variable length are left out" : "");
	}
	if (size)
		printf("a tasklet has %" PRIu32 "\n", size->value);
	dpu_stack_free(stack);
}

static void objdump_list(const struct dpu_program *program, const struct arguments *a)
{
	const char *arch = *program->arch ? program->arch : "not stated";

	if (program->object)
		printf("%s: DPU object, architecture %s, not linked: addresses count from each section\n", a->path,
		       arch);
	else
		printf("%s: DPU program, architecture %s, %" PRIu32 " tasklets\n", a->path, arch,
		       program->tasklets);
	for (size_t i = 0; a->headers && i < program->segment_count; i++) {
		static const char *const memories[] = { "IRAM", "WRAM", "MRAM" };
		const struct dpu_segment *s = &program->segments[i];
		uint32_t offset;
		enum dpu_memory memory = dpu_address(s->address, &offset);

		printf("%s 0x%08" PRIx32 " %8" PRIu32 " bytes, %8" PRIu32 " in the file\n",
		       memories[memory], offset, s->size, s->file_size);
	}
	for (size_t i = 0; a->symbols && i < program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &program->symbols[i];

		printf("%08" PRIx32 " %8" PRIu32 " %c%c %s\n", s->value, s->size,
		       s->absolute ? 'A' : ' ', s->host ? 'H' : ' ', s->name);
	}
	if (a->stack)
		list_stack(program);
	for (size_t i = 0; (a->code || (!a->headers && !a->symbols && !a->stack)) && i < program->segment_count; i++)
		if (program->segments[i].address & DPU_IRAM_FLAG)
			list_code(program, &program->segments[i], a->sdk_style);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, objdump_parse, "PROGRAM", "Lists the instructions of a UPMEM DPU program or object.",
		NULL, NULL, NULL
	};
	struct arguments a = { 0 };
	struct dpu_program *program;
	enum dpu_program_error error;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	error = dpu_program_read_any(a.path, &program);
	if (error) {
		fprintf(stderr, "dpu-objdump: %s: %s\n", a.path,
			errno ? strerror(errno) : dpu_program_error_text(error));
		return EXIT_FAILURE;
	}
	objdump_list(program, &a);
	dpu_program_close(program);
	return EXIT_SUCCESS;
}
