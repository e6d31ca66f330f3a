// SPDX-License-Identifier: GPL-2.0-only
/* dpu-run: runs a DPU program on one or more DPUs of the model, without QEMU. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpu/isa/dpu_isa.h"
#include "common/elf_lines.h"
#include "common/output.h"
#include "dpu/include/dpu_stack.h"
#include "dpu/run/run.h"
#include "dpu/include/blocks.h"
#include "dpu/include/check.h"
#include "dpu/include/core.h"
#include "dpu/include/load.h"

#define MAX_ITEMS 64
#define MAX_DPUS 2560			/* number of DPUs in the largest servers */

/* Options that may be repeated, in their order. */
struct items {
	const char *text[MAX_ITEMS];
	size_t count;
};

struct arguments {
	const char *path;
	const struct dpu_arch *arch;	/* NULL: as the program says */
	unsigned int tasklets;		/* 0: as the program says */
	unsigned int dpus;
	uint64_t limit;
	uint32_t clock;
	bool trace, counters, reference, verbose, check;
	enum dpu_blocks blocks;
	struct dpu_timing timing;
	const char *profile, *profile_of, *core;
	struct items sets, mrams, dumps, prints;
};

enum {
	KEY_ARCH = 256, KEY_TRACE, KEY_LIMIT, KEY_CLOCK, KEY_TIMING, KEY_REFERENCE, KEY_DPUS, KEY_SET,
	KEY_MRAM, KEY_DUMP, KEY_PROFILE,
	KEY_PROFILE_OF, KEY_CHECK, KEY_BLOCKS, KEY_CORE, KEY_HOST
};

static const struct argp_option options[] = {
	{ "tasklets", 't', "N", 0, "Run N tasklets, at most those that the program was linked for", 0 },
	{ "arch", KEY_ARCH, "v1A|v1B", 0, "Architecture (default: the program's, else v1A)", 0 },
	{ "clock", KEY_CLOCK, "HZ", 0, "Clock rate (default: the architecture's)", 0 },
	{ "dpus", KEY_DPUS, "N", 0, "Run the program on N DPUs (default: 1)", 0 },
	{ "set", KEY_SET, "SYMBOL=VALUE|@FILE", 0,
	  "Set a variable before the start; %d in FILE is the DPU's number", 0 },
	{ "mram", KEY_MRAM, "OFFSET=@FILE", 0, "Fill MRAM from OFFSET on before the start", 0 },
	{ "dump", KEY_DUMP, "SYMBOL|MRAM:OFFSET:LENGTH[=FILE]", 0,
	  "Write memory to FILE when done, or in hexadecimal to standard output", 0 },
	{ "profile", KEY_PROFILE, "FILE", 0,
	  "Write what each instruction cost to FILE, for callgrind_annotate and KCachegrind", 0 },
	{ "profile-of", KEY_PROFILE_OF, "FILE", 0,
	  "Do not run the program: --profile is what a rank's FILE says (mon-vm --upmem-profile)", 0 },
	{ "check", KEY_CHECK, 0, 0,
	  "Report races, reads of what nobody wrote, stacks that are too small and wrong DMA", 0 },
	{ "host", KEY_HOST, 0, 0,
	  "As the first option: run a host program, in modelled time; see dpu-run --host --help", 0 },
	{ "core", KEY_CORE, "FILE", 0, "Write the state of a DPU that faults to FILE, for dpu-dbg", 0 },
	{ "verbose", 'v', 0, 0, "Say what the program is run on", 0 },
	{ "counters", 'c', 0, 0, "Print the counters on standard error", 0 },
	{ "print", 'p', "SYMBOL", 0, "Print a variable's bytes as 32- or 64-bit numbers when done", 0 },
	{ "trace", KEY_TRACE, 0, 0, "Print every instruction on standard error", 0 },
	{ "limit", KEY_LIMIT, "N", 0, "Give up after about N instructions", 0 },
	{ "timing", KEY_TIMING, "NAME=CYCLES", 0,
	  "Set a parameter of the cycle model, for example dma-setup=0", 0 },
	{ "blocks", KEY_BLOCKS, "off|on|now", 0,
	  "Compile the program for this machine: never, while it runs (default), or before it runs", 0 },
	{ "reference", KEY_REFERENCE, 0, 0, "Use the plain interpreter, strictly turn by turn", 0 },
	{ 0 }
};

static uint64_t run_number(const char *text, uint64_t min, uint64_t max, struct argp_state *state,
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
	char why[128];

	for (const struct dpu_timing_option *o = dpu_timing_options; o->name; o++) {
		size_t length = strlen(o->name);

		if (strncmp(arg, o->name, length) || arg[length] != '=')
			continue;
		*(uint32_t *)((char *)timing + o->offset) =
			run_number(arg + length + 1, 0, UINT32_MAX, state, o->name);
		if (!dpu_timing_ok(timing, why, sizeof(why)))
			argp_error(state, "%s", why);
		return;
	}
	argp_error(state, "unknown timing parameter '%s'; see dpu/docs/upmem-model.md", arg);
}

static void add_item(struct items *items, const char *text, struct argp_state *state)
{
	if (items->count == MAX_ITEMS)
		argp_error(state, "'%s': more than %d of this option", text, MAX_ITEMS);
	items->text[items->count++] = text;
}

static error_t run_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 't':
		a->tasklets = run_number(arg, 1, DPU_MAX_THREADS, state, "tasklets");
		break;
	case KEY_ARCH:
		a->arch = dpu_arch_find(arg);
		if (!a->arch)
			argp_error(state, "architecture '%s': must be v1A or v1B", arg);
		break;
	case KEY_CLOCK:
		a->clock = run_number(arg, 1, UINT32_MAX, state, "clock");
		break;
	case 'c':
		a->counters = true;
		break;
	case 'p':
		add_item(&a->prints, arg, state);
		break;
	case KEY_SET:
		add_item(&a->sets, arg, state);
		break;
	case KEY_MRAM:
		add_item(&a->mrams, arg, state);
		break;
	case KEY_DUMP:
		add_item(&a->dumps, arg, state);
		break;
	case KEY_PROFILE:
		a->profile = arg;
		break;
	case KEY_PROFILE_OF:
		a->profile_of = arg;
		break;
	case KEY_CHECK:
		a->check = true;
		break;
	case KEY_CORE:
		a->core = arg;
		break;
	case KEY_HOST:
		argp_error(state, "--host must be the first option");
		break;
	case KEY_DPUS:
		a->dpus = run_number(arg, 1, MAX_DPUS, state, "dpus");
		break;
	case 'v':
		a->verbose = true;
		break;
	case KEY_TRACE:
		a->trace = true;
		break;
	case KEY_LIMIT:
		a->limit = run_number(arg, 1, UINT64_MAX, state, "limit");
		break;
	case KEY_BLOCKS:
		if (!dpu_blocks_parse(arg, &a->blocks))
			argp_error(state, "blocks '%s': must be off, on or now", arg);
		break;
	case KEY_REFERENCE:
		a->reference = true;
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
		if (a->profile_of && !a->profile)
			argp_error(state, "--profile-of needs --profile, which names the file to write");
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
 * Changes the number of tasklets. Start-up code starts the next tasklet until id is NR_TASKLETS -
 * 1; fewer tasklets are another number in that comparison. More have no stacks.
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

/* Sums over all DPUs; cycles are those of the slowest one. */
static void print_counters(struct dpu *const dpus[], unsigned int count)
{
	struct dpu_totals sum = { 0 };

	for (unsigned int i = 0; i < count; i++) {
		struct dpu_totals t;

		dpu_totals(dpus[i], &t);
		sum.instructions += t.instructions;
		sum.cycles = t.cycles > sum.cycles ? t.cycles : sum.cycles;
		sum.ldma += t.ldma;
		sum.sdma += t.sdma;
		sum.read_words += t.read_words;
		sum.write_words += t.write_words;
	}
	fprintf(stderr, "%16" PRIu64 " dpu_instructions\n", sum.instructions);
	fprintf(stderr, "%16" PRIu64 " dpu_cycles (modelled)\n", sum.cycles);
	if (sum.instructions && count == 1)
		fprintf(stderr, "%16.3f cycles per instruction (modelled)\n",
			(double)sum.cycles / sum.instructions);
	fprintf(stderr, "%16" PRIu64 " ldma_instruction\n", sum.ldma);
	fprintf(stderr, "%16" PRIu64 " sdma_instruction\n", sum.sdma);
	fprintf(stderr, "%16" PRIu64 " read_64bit_instruction\n", sum.read_words);
	fprintf(stderr, "%16" PRIu64 " write_64bit_instruction\n", sum.write_words);
	fprintf(stderr, "%16.3e seconds at %" PRIu32 " Hz (modelled)\n",
		(double)sum.cycles / dpu_clock(dpus[0]), dpu_clock(dpus[0]));
}

static void report_arch(const struct arguments *a, const struct dpu_program *program,
			const struct dpu *dpu)
{
	const char *why = a->arch ? "as told by --arch" : *program->arch ? "as the program says" :
			  "since the program does not say";

	fprintf(stderr, "dpu-run: %s: %s (%s), %.0f MHz, %u DPU%s\n", a->path, dpu_arch(dpu)->name, why,
		dpu_clock(dpu) / 1e6, a->dpus, a->dpus > 1 ? "s" : "");
}

static struct dpu *make_dpu(const struct arguments *a, const struct dpu_program *program,
			    unsigned int index)
{
	struct dpu *dpu = dpu_new(choose_arch(a->path, program, a->arch, a->tasklets), &a->timing, a->clock, NULL);
	struct elf_lines *lines;

	if (!dpu || (a->profile && !dpu_set_profile(dpu, true)) || (a->check && !dpu_set_check(dpu, true)))
		die("memory for the DPU", strerror(errno));
	if (!dpu_load_program(dpu, program))
		die(a->path, "does not fit the memories of the architecture");
	dpu_check_program(dpu, program);
	if (a->check) {
		lines = elf_lines_open(program->elf);
		elf_lines_locals(lines, dpu_check_local, dpu);
		elf_lines_close(lines);
	}
	if (a->tasklets)
		limit_tasklets(dpu, program, a->tasklets);
	for (size_t i = 0; i < a->sets.count; i++)
		set_variable(dpu, index, program, a->sets.text[i]);
	for (size_t i = 0; i < a->mrams.count; i++)
		set_mram(dpu, index, a->mrams.text[i]);
	if (a->trace)
		dpu_set_trace(dpu, trace, NULL);
	dpu_set_reference(dpu, a->reference);
	dpu_set_blocks(dpu, a->blocks);
	return dpu;
}

static void print_results(const struct arguments *a, const struct dpu_program *program, struct dpu *dpu,
			  unsigned int index)
{
	if (a->dpus > 1 && (a->prints.count || a->dumps.count || dpu_program_symbol(program, "__stdout_buffer")))
		printf("DPU %u:\n", index);
	print_log(dpu, program);
	for (size_t i = 0; i < a->prints.count; i++)
		print_variable(dpu, program, a->prints.text[i]);
	for (size_t i = 0; i < a->dumps.count; i++)
		dump_memory(dpu, index, program, a->dumps.text[i]);
}

/* The tasklet whose stack overflowed first, as far as --check was asked; -1: none. */
static int overflowed(const struct dpu *dpu)
{
	const struct dpu_finding *findings;
	size_t count = dpu_findings(dpu, &findings);

	for (size_t i = 0; i < count; i++)
		if (findings[i].kind == DPU_FINDING_STACK)
			return findings[i].thread;
	return -1;
}

/* Reports a DPU's error; true if there was none. */
static bool run_ended(const struct arguments *a, const struct dpu_program *program, const struct dpu *dpu,
		      unsigned int index, bool interrupted)
{
	char text[256] = "still running after the instructions of --limit", which[32] = "", before[80] = "";
	char stack[DPU_STACK_TEXT_SIZE];
	int tasklet = overflowed(dpu);

	if (dpu_state(dpu) == DPU_IDLE)
		return true;
	if (a->dpus > 1)
		snprintf(which, sizeof(which), "DPU %u: ", index);
	if (interrupted)
		snprintf(text, sizeof(text), "interrupted: still running");
	if (dpu_state(dpu) == DPU_FAULT)
		dpu_fault_text(dpu, text, sizeof(text));
	if (tasklet >= 0)
		snprintf(before, sizeof(before), ", after the stack of tasklet %d had overflowed", tasklet);
	fprintf(stderr, "dpu-run: %s: %s%s%s\n", a->path, which, text, before);
	if (tasklet < 0 && dpu_stack_text(program, 0, 0, stack))
		fprintf(stderr, "dpu-run: %s: %sa stack may have overflowed: %s\n", a->path, which, stack);
	return false;
}

/* Reports whether compiled code has run, which only affects speed. */
static void report_blocks(const struct arguments *a, const struct dpu *dpu)
{
	char problem[DPU_BLOCKS_PROBLEM];
	bool used = dpu_blocks_used(dpu, problem);

	if (a->verbose || (*problem && a->blocks == DPU_BLOCKS_NOW))
		fprintf(stderr, "dpu-run: %s: %s%s%s\n", a->path, used ? "compiled" : "interpreted",
			*problem ? ": " : "", problem);
}

/* Reports the findings of the check on all DPUs, each once. True if there are none. */
static bool put_findings(const struct arguments *a, const struct dpu_program *program, struct dpu *const dpus[])
{
	struct elf_lines *lines = elf_lines_open(program->elf);
	struct dpu_finding_list list = { 0 };

	for (unsigned int i = 0; i < a->dpus; i++) {
		if (dpu_state(dpus[i]) == DPU_RUNNING)
			dpu_check_end(dpus[i]);
		dpu_findings_print(&list, dpus[i], "dpu-run: check: ", stderr, program, lines);
	}
	elf_lines_close(lines);
	return !list.count;
}

/* Writes the core of the first DPU that faulted. */
static void put_core(const struct arguments *a, const struct dpu_program *program, struct dpu *const dpus[])
{
	int fd;

	for (unsigned int i = 0; i < a->dpus; i++) {
		if (dpu_state(dpus[i]) != DPU_FAULT)
			continue;
		fd = open(a->core, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0 || !dpu_core_write(fd, dpus[i], program) || close(fd))
			die(a->core, strerror(errno));
		return;
	}
}

static void put_profile(const struct arguments *a, const struct dpu_program *program,
			struct dpu *const dpus[])
{
	static struct dpu_cost cost[DPU_IRAM_WORDS];
	FILE *file;

	if (a->profile_of)
		add_profile_of(cost, a->profile_of, program);
	for (unsigned int i = 0; !a->profile_of && i < a->dpus; i++)
		add_profile(cost, dpus[i]);
	file = output_open(a->profile);
	if (!file)
		die(a->profile, strerror(errno));
	write_profile(file, a->path, program, cost);
	if (!output_close(file, a->profile))
		die(a->profile, strerror(errno));
}

/* dpu-run --host: libmon-dpu's program for it, beside this one in a build tree, else installed; argv is its own. */
static void run_host(char **argv)
{
	char beside[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", beside, sizeof(beside) - sizeof("dpu-run-host"));

	if (n > 0) {
		beside[n] = '\0';
		strcpy(strrchr(beside, '/') + 1, "dpu-run-host");
		execv(beside, argv);
	}
	execv(DPU_RUN_HOST, argv);
	die("--host needs libmon-dpu's " DPU_RUN_HOST, strerror(errno));
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, run_parse, "PROGRAM", "Runs a UPMEM DPU program and prints its log.",
		NULL, NULL, NULL
	};
	static struct dpu *dpus[MAX_DPUS];
	struct arguments a = { .timing = dpu_timing_default, .dpus = 1, .blocks = DPU_BLOCKS_ON };
	struct dpu_program *program;
	enum dpu_program_error error;
	int interrupted;
	bool ok = true;

	if (argc > 1 && !strcmp(argv[1], "--host")) {
		argv[1] = argv[0];
		run_host(argv + 1);
	}
	if (!dpu_blocks_environment(&a.blocks))
		die("LIBMON_DPU_BLOCKS", "use off, on or now");
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	error = dpu_program_read(a.path, &program);
	if (error)
		die(a.path, errno ? strerror(errno) : dpu_program_error_text(error));
	if (a.profile_of) {
		put_profile(&a, program, dpus);
		dpu_program_close(program);
		return EXIT_SUCCESS;
	}
	for (unsigned int i = 0; i < a.dpus; i++)
		dpus[i] = make_dpu(&a, program, i);
	if (a.verbose)
		report_arch(&a, program, dpus[0]);
	interrupted = launch(dpus, a.dpus, a.limit, a.trace);
	if (a.core)
		put_core(&a, program, dpus);
	if (a.check)	/* what the check has found can be the cause of a fault */
		ok &= put_findings(&a, program, dpus);
	for (unsigned int i = 0; i < a.dpus; i++) {
		ok &= run_ended(&a, program, dpus[i], i, interrupted);
		dpu_halt(dpus[i]);
		print_results(&a, program, dpus[i], i);
	}
	fflush(stdout);
	report_blocks(&a, dpus[0]);
	if (a.counters)
		print_counters(dpus, a.dpus);
	if (a.profile)
		put_profile(&a, program, dpus);
	for (unsigned int i = 0; i < a.dpus; i++)
		dpu_destroy(dpus[i]);
	dpu_program_close(program);
	if (interrupted) {
		/* ended by the signal, as callers expect */
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
