// SPDX-License-Identifier: GPL-2.0-only
/* dpu-run: runs a DPU program on the model, without QEMU. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/dpu_isa.h"
#include "upmem/load.h"
#include "formats/dpu_log.h"

#define MAX_SYMBOLS 64

struct arguments {
	const char *path;
	const struct dpu_arch *arch;	/* NULL: what the program says */
	unsigned int tasklets;		/* 0: what the program says */
	uint64_t limit;
	uint32_t clock;
	bool trace, counters;
	struct dpu_timing timing;
	const char *symbols[MAX_SYMBOLS];
	size_t symbol_count;
};

enum { KEY_ARCH = 256, KEY_TRACE, KEY_LIMIT, KEY_CLOCK, KEY_TIMING };

static const struct argp_option options[] = {
	{ "tasklets", 't', "N", 0, "Run N tasklets, at most those that the program was linked for", 0 },
	{ "arch", KEY_ARCH, "v1A|v1B", 0, "Architecture (default: the program's, else v1B)", 0 },
	{ "clock", KEY_CLOCK, "HZ", 0, "Clock rate (default: the architecture's)", 0 },
	{ "counters", 'c', 0, 0, "Print the counters on standard error", 0 },
	{ "print", 'p', "SYMBOL", 0, "Print a variable's bytes as 32- or 64-bit numbers when done", 0 },
	{ "trace", KEY_TRACE, 0, 0, "Print every instruction on standard error", 0 },
	{ "limit", KEY_LIMIT, "N", 0, "Give up after about N instructions", 0 },
	{ "timing", KEY_TIMING, "NAME=CYCLES", 0,
	  "Set a parameter of the cycle model: dispatch, read, write, half-cycles-per-byte, "
	  "serial-dma", 0 },
	{ 0 }
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "dpu-run: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static uint64_t number(const char *text, uint64_t min, uint64_t max, struct argp_state *state,
		       const char *what)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (!*text || *end || n < min || n > max)
		argp_error(state, "%s '%s': must be %" PRIu64 " to %" PRIu64, what, text, min, max);
	return n;
}

static void set_timing(struct dpu_timing *timing, const char *arg, struct argp_state *state)
{
	const struct {
		const char *name;
		uint32_t *value;
	} names[] = {
		{ "dispatch=", &timing->dispatch_interval },
		{ "read=", &timing->read_latency },
		{ "write=", &timing->write_latency },
		{ "half-cycles-per-byte=", &timing->half_cycles_per_byte },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i].name);

		if (!strncmp(arg, names[i].name, length)) {
			*names[i].value = number(arg + length, i == 0, 100000, state, names[i].name);
			return;
		}
	}
	if (strncmp(arg, "serial-dma=", 11))
		argp_error(state, "unknown timing parameter '%s'", arg);
	timing->serial_dma = number(arg + 11, 0, 1, state, "serial-dma");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 't':
		a->tasklets = number(arg, 1, DPU_MAX_THREADS, state, "tasklets");
		break;
	case KEY_ARCH:
		a->arch = dpu_arch_find(arg);
		if (!a->arch)
			argp_error(state, "architecture '%s': must be v1A or v1B", arg);
		break;
	case KEY_CLOCK:
		a->clock = number(arg, 1, UINT32_MAX, state, "clock");
		break;
	case 'c':
		a->counters = true;
		break;
	case 'p':
		if (a->symbol_count == MAX_SYMBOLS)
			argp_error(state, "more than %d symbols", MAX_SYMBOLS);
		a->symbols[a->symbol_count++] = arg;
		break;
	case KEY_TRACE:
		a->trace = true;
		break;
	case KEY_LIMIT:
		a->limit = number(arg, 1, UINT64_MAX, state, "limit");
		break;
	case KEY_TIMING:
		set_timing(&a->timing, arg, state);
		break;
	case ARGP_KEY_ARG:
		if (a->path)
			argp_error(state, "more than one program");
		a->path = arg;
		break;
	case ARGP_KEY_END:
		if (!a->path)
			argp_error(state, "no program");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void trace(void *opaque, const struct dpu *dpu, unsigned int thread, unsigned int pc)
{
	char text[DPU_TEXT_SIZE] = "(illegal)";
	struct dpu_insn insn;
	uint64_t word = 0;

	(void)opaque;
	if (pc < DPU_IRAM_WORDS)
		word = dpu_iram_word(dpu, pc);
	if (dpu_decode(word, &insn))
		dpu_insn_text(&insn, DPU_TEXT_OBJDUMP, text);
	fprintf(stderr, "%12" PRIu64 " t%02u %08x: %s\n", dpu_cycle(dpu), thread,
		DPU_IRAM_FLAG + 8 * pc, text);
}

/*
 * Start-up code lets each tasklet start the next until id is NR_TASKLETS - 1. Fewer tasklets are
 * another number in that comparison; more would have no stacks.
 */
static void limit_tasklets(struct dpu *dpu, const struct dpu_program *program,
			   unsigned int tasklets)
{
	if (!program->tasklets || tasklets > program->tasklets)
		die(program->tasklets ? "--tasklets" : "NR_TASKLETS",
		    "the program was linked for fewer tasklets; assemble it with more");
	for (unsigned int i = 0; i < 16; i++) {
		uint64_t word = dpu_iram_word(dpu, i);
		struct dpu_insn insn;

		if (!dpu_decode(word, &insn) || insn.encoding->op != DPU_OP_sub ||
		    insn.encoding->form != DPU_FORM_zrici ||
		    insn.value[DPU_SLOT_RA] != DPU_REG_ID ||
		    insn.value[DPU_SLOT_IMM] != (int32_t)program->tasklets - 1)
			continue;
		insn.value[DPU_SLOT_IMM] = tasklets - 1;
		if (dpu_encode(&insn, &word) && dpu_write(dpu, DPU_IRAM, i * 8, &word, 8))
			return;
	}
	die("--tasklets", "the program's start-up code does not compare id with NR_TASKLETS - 1");
}

static void print_symbol(struct dpu *dpu, const struct dpu_program *program, const char *name)
{
	const struct dpu_program_symbol *s = dpu_program_symbol(program, name);
	uint32_t offset, size;
	enum dpu_memory memory;

	if (!s)
		die(name, "no such symbol in the program");
	memory = dpu_address(s->value, &offset);
	size = s->size ? s->size : 8;
	printf("%s =", name);
	for (uint32_t i = 0; i < size; i += 8) {
		uint64_t words = 0;
		uint32_t at = offset + i, align = memory == DPU_WRAM ? 4 : 8;
		uint32_t n = size - i < 8 ? (size - i + align - 1) & -align : 8;

		if (at % align || !dpu_read(dpu, memory, at, &words, n))
			die(name, "not aligned, or outside its memory");
		if (size % 8)
			printf(n > 4 ? " %" PRIu32 " %" PRIu32 : " %" PRIu32, (uint32_t)words,
			       (uint32_t)(words >> 32));
		else
			printf(" %" PRIu64, words);
	}
	printf("\n");
}

/* The whole log: the buffer up to the write pointer, with what was overwritten left out. */
static void print_log(struct dpu *dpu, const struct dpu_program *program)
{
	const struct dpu_program_symbol *buffer = dpu_program_symbol(program, "__stdout_buffer");
	const struct dpu_program_symbol *state = dpu_program_symbol(program, "__stdout_buffer_state");
	uint32_t words[2], offset;
	uint8_t *log;

	if (!buffer || !state || !dpu_read(dpu, DPU_WRAM, state->value, words, 8) || !words[0])
		return;
	if (words[1])
		fprintf(stderr, "dpu-run: the log is longer than its buffer; its beginning is lost\n");
	words[0] &= ~7u;
	log = malloc(words[0]);
	if (dpu_address(buffer->value, &offset) != DPU_MRAM || !log ||
	    !dpu_read(dpu, DPU_MRAM, offset, log, words[0]))
		die("log", "__stdout_buffer_state points outside MRAM");
	if (!dpu_log_print(log, words[0], stdout))
		fprintf(stderr, "dpu-run: the log holds a record that is no printf record\n");
	free(log);
}

static void print_counters(const struct dpu *dpu)
{
	struct dpu_totals t;

	dpu_totals(dpu, &t);
	fprintf(stderr, "%16" PRIu64 " dpu_instructions\n", t.instructions);
	fprintf(stderr, "%16" PRIu64 " dpu_cycles (modelled)\n", t.cycles);
	if (t.instructions)
		fprintf(stderr, "%16.3f cycles per instruction (modelled)\n",
			(double)t.cycles / t.instructions);
	fprintf(stderr, "%16" PRIu64 " ldma_instruction\n", t.ldma);
	fprintf(stderr, "%16" PRIu64 " sdma_instruction\n", t.sdma);
	fprintf(stderr, "%16" PRIu64 " read_64bit_instruction\n", t.read_words);
	fprintf(stderr, "%16" PRIu64 " write_64bit_instruction\n", t.write_words);
	fprintf(stderr, "%16.3e seconds at %" PRIu32 " Hz (modelled)\n",
		(double)t.cycles / dpu_clock(dpu), dpu_clock(dpu));
}

static const struct dpu_arch *choose_arch(const struct arguments *a,
					  const struct dpu_program *program)
{
	const struct dpu_arch *arch = a->arch;

	if (!arch)
		arch = dpu_arch_find(program->arch);
	if (!arch)
		arch = &dpu_archs[DPU_ARCH_V1B];
	if (program->tasklets > arch->threads && !a->tasklets) {
		char why[80];

		snprintf(why, sizeof(why), "%" PRIu32 " tasklets, but %s has %u; see --tasklets",
			 program->tasklets, arch->name, arch->threads);
		die(a->path, why);
	}
	if (a->tasklets > arch->threads)
		die("--tasklets", "more than the architecture has");
	return arch;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, "PROGRAM", "Runs a UPMEM DPU program and prints its log.",
		NULL, NULL, NULL
	};
	struct arguments a = { .timing = dpu_timing_default };
	struct dpu_program *program;
	enum dpu_program_error error;
	enum dpu_state state;
	struct dpu *dpu;
	char text[256];

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	error = dpu_program_read(a.path, &program);
	if (error)
		die(a.path, errno ? strerror(errno) : dpu_program_error_text(error));
	dpu = dpu_new(choose_arch(&a, program), &a.timing, a.clock, NULL);
	if (!dpu)
		die("memory for the DPU", strerror(errno));
	if (!dpu_load_program(dpu, program))
		die(a.path, "does not fit the memories of the architecture");
	if (a.tasklets)
		limit_tasklets(dpu, program, a.tasklets);
	if (a.trace)
		dpu_set_trace(dpu, trace, NULL);
	dpu_boot(dpu);
	state = dpu_run(dpu, a.limit);
	if (state == DPU_RUNNING)
		dpu_halt(dpu);
	print_log(dpu, program);
	for (size_t i = 0; i < a.symbol_count && state != DPU_RUNNING; i++)
		print_symbol(dpu, program, a.symbols[i]);
	fflush(stdout);
	if (a.counters)
		print_counters(dpu);
	dpu_fault_text(dpu, text, sizeof(text));
	dpu_program_close(program);
	dpu_destroy(dpu);
	if (state == DPU_RUNNING)
		die(a.path, "still running after the instructions of --limit");
	if (state == DPU_FAULT)
		die(a.path, text);
	return EXIT_SUCCESS;
}
