// SPDX-License-Identifier: GPL-2.0-only
/* dpu-cc: the command line, like that of other C compilers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dpu/as/asm.h"
#include "dpu/cc/driver.h"
#include "dpu/include/dpu_arch.h"

#define DEFAULT_STACK 1024

static void die(const char *what, const char *why)
{
	fprintf(stderr, "dpu-cc: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void depend_arg(struct cc_options *o, const char *arg)
{
	if (o->depend_arg_count == CC_MAX_ARGUMENTS)
		die(arg, "too many options");
	o->depend_args[o->depend_arg_count++] = arg;
}

static void clang_arg(struct cc_options *o, const char *arg)
{
	if (o->clang_arg_count == CC_MAX_ARGUMENTS)
		die(arg, "too many options");
	o->clang_args[o->clang_arg_count++] = arg;
}

static uint32_t cc_number(const char *what, const char *text, uint32_t min, uint32_t max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0), unit = 1;

	/* Makefiles use the suffix k: 2k. */
	if (*end == 'k' || *end == 'K') {
		unit = 1024;
		end++;
	}
	if (!*text || *end || n * unit < min || n * unit > max) {
		fprintf(stderr, "dpu-cc: %s=%s: must be a number from %u to %u\n", what, text, min, max);
		exit(EXIT_FAILURE);
	}
	return n * unit;
}

/* The linker needs NR_TASKLETS and the stacks' sizes, which are macros. */
static void macro(struct cc_options *o, const char *text)
{
	const char *value = strchr(text, '=');
	uint32_t size;

	if (cc_starts_with(text, "NR_TASKLETS="))
		o->tasklets = cc_number("NR_TASKLETS", value + 1, 1, 24);
	else if (cc_starts_with(text, "STACK_SIZE_DEFAULT="))
		o->stack_size = cc_number("STACK_SIZE_DEFAULT", value + 1, 64, 65536);
	if (!value || !cc_starts_with(text, "STACK_SIZE_TASKLET_"))
		return;
	size = cc_number("STACK_SIZE_TASKLET", value + 1, 0, 65536);
	o->largest_stack = size > o->largest_stack ? size : o->largest_stack;
}

static bool is_folder(const char *path, const char *name)
{
	char buffer[4096];
	struct stat st;

	snprintf(buffer, sizeof(buffer), "%s/%s", path, name);
	return !stat(buffer, &st) && S_ISDIR(st.st_mode);
}

/* Uses a folder's include/ and lib/, if they exist. */
static void runtime(struct cc_options *o, const char *folder)
{
	if (is_folder(folder, "include"))
		o->headers = folder;
	if (is_folder(folder, "lib"))
		o->library = folder;
}

/* In a build tree the runtime is in a folder beside the program. */
static void runtime_of_tree(struct cc_options *o)
{
	static char folder[4096];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - sizeof("dpu/cc"));
	char *slash;

	if (n <= 0)
		return;
	folder[n] = '\0';
	slash = strrchr(folder, '/');
	strcpy(slash + 1, "dpu/cc");
	if (is_folder(folder, "include") && is_folder(folder, "lib"))
		runtime(o, folder);
}

static const char *cc_value(int argc, char **argv, int *i)
{
	if (*i + 1 >= argc)
		die(argv[*i], "needs a value");
	return argv[++*i];
}

static void usage(void)
{
	puts("Usage: dpu-cc [OPTION]... FILE...\n"
	     "Compiles and links C for UPMEM DPUs; see dpu-cc(1).\n\n"
	     "  -o FILE, -c, -S, -E, -fsyntax-only, -O0 ... -O3, -Os, -g, -I, -D, -U, -include,\n"
	     "  -isystem, -W..., -f..., -std=..., -M...    as with other compilers\n"
	     "  -DNR_TASKLETS=N                  tasklets (default: 1)\n"
	     "  -DSTACK_SIZE_DEFAULT=BYTES       stack of each tasklet (default: 1024)\n"
	     "  -mcpu=v1A, -mcpu=v1B             architecture (default: v1B; v1A for 17 to 24 tasklets)\n"
	     "  -B FOLDER                        the runtime's include/ and lib/\n"
	     "  --clang=PROGRAM                  clang 13 or later (default: clang)\n"
	     "  -nostdlib, -nostartfiles, -nostdinc, -v, --version");
}

/* Options for clang whose value may be the next argument. */
static bool takes_value(const char *arg)
{
	static const char *const options[] = {
		"-I", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-Xclang", "-Xpreprocessor"
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(arg, options[i]))
			return true;
	return false;
}

static bool clang_option(const char *arg)
{
	static const char *const prefixes[] = {
		"-I", "-U", "-W", "-f", "-std", "-pedantic", "-w", "-i", "-ansi", "-P", "-C",
		"-trigraphs"
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (cc_starts_with(arg, prefixes[i]))
			return true;
	return false;
}

/* Options that other compilers have and that change nothing here. */
static bool ignored(const char *arg)
{
	static const char *const prefixes[] = { "-pipe", "-static", "-save-temps", "--sysroot=", "--target=dpu" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (cc_starts_with(arg, prefixes[i]))
			return true;
	return false;
}

/* -MD and so on */
static void depend_option(struct cc_options *o, int argc, char **argv, int *i)
{
	const char *arg = argv[*i];
	bool file = cc_starts_with(arg, "-MF"), target = cc_starts_with(arg, "-MT") || cc_starts_with(arg, "-MQ");

	depend_arg(o, arg);
	o->depend |= !strcmp(arg, "-MD") || !strcmp(arg, "-MMD");
	o->depend_file |= file;
	o->depend_target |= target;
	if ((file || target) && !arg[3])
		depend_arg(o, cc_value(argc, argv, i));
}

static void option(struct cc_options *o, int argc, char **argv, int *i)
{
	const char *arg = argv[*i];

	if (!strcmp(arg, "-o")) {
		o->output = cc_value(argc, argv, i);
	} else if (!strcmp(arg, "-c")) {
		o->last = CC_OBJECT;
	} else if (!strcmp(arg, "-S")) {
		o->last = CC_ASSEMBLY;
	} else if (!strcmp(arg, "-E") || !strcmp(arg, "-M") || !strcmp(arg, "-MM")) {
		o->last = CC_PREPROCESS;
		if (arg[1] == 'M')
			depend_arg(o, arg);
	} else if (cc_starts_with(arg, "-M")) {
		depend_option(o, argc, argv, i);
	} else if (!strcmp(arg, "-fsyntax-only")) {
		o->last = CC_CHECK;
	} else if (cc_starts_with(arg, "-O")) {
		o->level = arg;
	} else if (cc_starts_with(arg, "-g")) {
		o->debug = strcmp(arg, "-g0");
		clang_arg(o, arg);
	} else if (cc_starts_with(arg, "-D")) {
		const char *text = arg[2] ? arg + 2 : cc_value(argc, argv, i);

		macro(o, text);
		clang_arg(o, "-D");
		clang_arg(o, text);
	} else if (!strcmp(arg, "-mcpu=v1A") || !strcmp(arg, "-mcpu=v1B")) {
		o->arch = arg + strlen("-mcpu=");
	} else if (cc_starts_with(arg, "--clang=")) {
		o->clang = arg + strlen("--clang=");
	} else if (cc_starts_with(arg, "-B")) {
		runtime(o, arg[2] ? arg + 2 : cc_value(argc, argv, i));
	} else if (!strcmp(arg, "-pg")) {
		clang_arg(o, "-DDPU_PROFILING");	/* profiling.h checks; dpu-run --profile needs nothing */
	} else if (!strcmp(arg, "-v")) {
		o->verbose = true;
	} else if (!strcmp(arg, "-nostdlib")) {
		o->no_library = true;
	} else if (!strcmp(arg, "-nostartfiles")) {
		o->no_start = true;
	} else if (!strcmp(arg, "-nostdinc")) {
		o->no_headers = true;
		clang_arg(o, arg);
	} else if (!strcmp(arg, "-x")) {
		if (strcmp(cc_value(argc, argv, i), "c"))
			die(argv[*i], "-x takes c: the ending of a file's name says what it is");
	} else if (cc_starts_with(arg, "-l") || cc_starts_with(arg, "-L")) {
		if (!arg[2])
			cc_value(argc, argv, i);	/* ignored: the library is always linked */
	} else if (!strcmp(arg, "--version") || !strcmp(arg, "-dumpversion")) {
		puts("dpu-cc (libmon) " PACKAGE_VERSION);
		exit(EXIT_SUCCESS);
	} else if (!strcmp(arg, "--help")) {
		usage();
		exit(EXIT_SUCCESS);
	} else if (takes_value(arg)) {
		clang_arg(o, arg);
		clang_arg(o, cc_value(argc, argv, i));
	} else if (clang_option(arg)) {
		clang_arg(o, arg);
	} else if (!strcmp(arg, "-target")) {
		if (!cc_starts_with(cc_value(argc, argv, i), "dpu"))
			die(argv[*i], "the only target is dpu");
	} else if (ignored(arg)) {
		return;
	} else {
		die(arg, "unknown option; see dpu-cc(1)");
	}
}

/* FILE.c becomes FILE.o, in the current folder. */
static const char *output_name(const char *input, const char *suffix, char *buffer, size_t size)
{
	const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
	const char *dot = strrchr(base, '.');

	snprintf(buffer, size, "%.*s%s", (int)(dot ? dot - base : (long)strlen(base)), base, suffix);
	return buffer;
}

/* With -MD alone, the file and its target have the names that clang gives them. */
static void depend_names(struct cc_options *o, const char *input)
{
	static char file[4096], target[4096];
	const char *slash = o->output ? strrchr(o->output, '/') : NULL;

	if (!o->depend)
		return;
	if (!o->depend_file) {
		output_name(o->output ? o->output : input, ".d", target, sizeof(target));
		snprintf(file, sizeof(file), "%.*s%s", slash ? (int)(slash + 1 - o->output) : 0, o->output ? o->output : "",
			 target);
		depend_arg(o, "-MF");
		depend_arg(o, file);
	}
	if (!o->depend_target) {
		depend_arg(o, "-MQ");
		depend_arg(o, o->output ? o->output : output_name(input, ".o", target, sizeof(target)));
	}
}

/* Gets a unit of the program: compiles it, or reads it if it is assembly or an object. */
static char *unit(struct cc_options *o, const char *input)
{
	static const char *const compiled[] = { ".c", ".i", ".cc", ".cpp", ".cxx", ".C", ".S" };
	static const char *const objects[] = { ".s", ".o", ".obj" };
	struct cc_text text = { NULL, 0, 0 };
	unsigned int args = o->depend_arg_count;
	bool compile = !strcmp(input, "-");

	for (size_t i = 0; i < sizeof(compiled) / sizeof(compiled[0]); i++)
		compile |= cc_ends_with(input, compiled[i]);
	if (compile) {
		depend_names(o, input);
		compile = cc_compile(o, input, &text);
		o->depend_arg_count = args;
		return compile ? text.bytes : NULL;
	}
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		if (!cc_ends_with(input, objects[i]))
			continue;
		text.bytes = dpu_asm_read(input);
		if (!text.bytes)
			fprintf(stderr, "dpu-cc: %s: %s\n", input, strerror(errno));
		return text.bytes;
	}
	fprintf(stderr, "dpu-cc: %s: neither C (.c), C++ (.cc), assembly (.s, .S) nor an object (.o)\n", input);
	return NULL;
}

static bool write_units(const struct cc_options *o, struct cc_unit *units)
{
	for (unsigned int i = 0; i < o->input_count; i++) {
		char name[4096];
		const char *path = o->output;

		if (!path)
			path = output_name(o->inputs[i], o->last == CC_OBJECT ? ".o" : ".s", name,
					   sizeof(name));
		if (!cc_write_file(path, units[i].text, strlen(units[i].text)))
			return false;
	}
	return true;
}

static bool cc_build(struct cc_options *o)
{
	static struct cc_unit units[CC_MAX_ARGUMENTS];
	bool ok = true;

	for (unsigned int i = 0; ok && i < o->input_count; i++) {
		units[i] = (struct cc_unit){ o->inputs[i], unit(o, o->inputs[i]) };
		ok = units[i].text;
	}
	if (ok)
		ok = o->last == CC_PROGRAM ? cc_link(o, units, o->input_count) : write_units(o, units);
	for (unsigned int i = 0; i < o->input_count; i++)
		free(units[i].text);
	return ok;
}

int main(int argc, char **argv)
{
	static struct cc_options o = {
		.last = CC_PROGRAM, .level = "-O0", .clang = DPU_CC_CLANG,
		.headers = DPU_CC_RUNTIME, .library = DPU_CC_RUNTIME, .tasklets = 1, .stack_size = DEFAULT_STACK
	};

	runtime_of_tree(&o);
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1]) {
			option(&o, argc, argv, &i);
		} else {
			if (o.input_count == CC_MAX_ARGUMENTS)
				die(argv[i], "too many files");
			o.inputs[o.input_count++] = argv[i];
		}
	}
	if (!o.input_count)
		die("no input file", "name a C file");
	o.stack_size = o.largest_stack > o.stack_size ? o.largest_stack : o.stack_size;
	if (!o.arch)
		o.arch = o.tasklets > dpu_archs[DPU_ARCH_V1B].threads ? "v1A" : "v1B";
	if (o.output && o.input_count > 1 && o.last != CC_PROGRAM)
		die("-o", "with -c, -S or -E there must be one input file");
	if (o.last == CC_PREPROCESS || o.last == CC_CHECK) {
		int status = 0;

		for (unsigned int i = 0; !status && i < o.input_count; i++)
			status = cc_front_end(&o, o.inputs[i]);
		return status;
	}
	return cc_build(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
