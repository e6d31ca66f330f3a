// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiles C to assembly in five steps:
 *
 * 1. clang's preprocessor; long becomes long long (token.c).
 * 2. clang's front end, for a target with the DPU's sizes and alignments: 32-bit ARM has 32-bit
 *    pointers and aligns 64-bit types to 8 bytes.
 * 3. clang's optimizer, for RISC-V. Sizes are fixed in the code since step 2.
 * 4. Accesses to MRAM become DMA (ir.c).
 * 5. clang's code generator, for RISC-V with the registers that the DPU has; then cc_translate().
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dpu/as/asm.h"
#include "dpu/cc/driver.h"
#include "dpu/cc/insn.h"
#include "dpu/cc/ir.h"
#include "dpu/cc/token.h"

#define MEMORY_FILE "/proc/self/fd/%d"

struct command {
	const char *args[2 * CC_MAX_ARGUMENTS];
	unsigned int count;
};

static void arg(struct command *c, const char *text)
{
	if (c->count + 1 < sizeof(c->args) / sizeof(c->args[0]))
		c->args[c->count++] = text;
}

static void args(struct command *c, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		arg(c, texts[i]);
}

/* clang removes a named output when it fails, and complains of one that cannot be removed: a file in memory. */
static void to_standard_output(struct command *c)
{
	int fd;

	for (unsigned int i = 0; c->args[i] && c->args[i + 1]; i++) {
		if (strcmp(c->args[i], "-o") || sscanf(c->args[i + 1], MEMORY_FILE, &fd) != 1)
			continue;
		if (!ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET) && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO)
			c->args[i + 1] = "-";
	}
}

static int compile_run(const struct cc_options *options, struct command *c)
{
	int status;
	pid_t child;

	arg(c, NULL);
	if (options->verbose) {
		for (unsigned int i = 0; c->args[i]; i++)
			fprintf(stderr, " %s", c->args[i]);
		fputc('\n', stderr);
	}
	fflush(NULL);
	child = fork();
	if (child < 0) {
		fprintf(stderr, "dpu-cc: cannot start %s: %s\n", c->args[0], strerror(errno));
		return EXIT_FAILURE;
	}
	if (!child) {
		to_standard_output(c);
		execvp(c->args[0], (char *const *)c->args);
		fprintf(stderr, "dpu-cc: %s: %s; install clang, or name it with --clang\n",
			c->args[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILURE;
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "dpu-cc: %s: %s\n", c->args[0], strsignal(WTERMSIG(status)));
		return EXIT_FAILURE;
	}
	return WEXITSTATUS(status);
}

enum language { C, CXX, ASSEMBLY };

static enum language language_of(const char *input)
{
	static const char *const cxx[] = { ".cc", ".cpp", ".cxx", ".C" };

	for (size_t i = 0; i < sizeof(cxx) / sizeof(cxx[0]); i++)
		if (cc_ends_with(input, cxx[i]))
			return CXX;
	return cc_ends_with(input, ".S") ? ASSEMBLY : C;
}

static void front_end(const struct cc_options *options, enum language language, struct command *c, struct cc_pool *pool)
{
	/* there is no library for these */
	static const char *const no_library[] = {
		"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit"
	};
	static const char *const target[] = {
		"--target=armv7-none-eabi", "-mfloat-abi=soft", "-fsigned-char", "-fno-short-enums",
		"-fomit-frame-pointer", "-fno-common",
		"-Xclang", "-fwchar-type=char", "-Xclang", "-fno-signed-wchar",
		"-nostdlibinc", "-Wno-unused-command-line-argument",
		/* not builtins: they take the program's long, which is long long here */
		"-fno-builtin-labs", "-fno-builtin-atol", "-fno-builtin-strtol",
		"-fno-builtin-strtoul",
		/* Errors since clang 15 or 16; UPMEM's compiler only warns. */
		"-Wno-unknown-warning-option", "-Wno-error=implicit-function-declaration",
		"-Wno-error=implicit-int", "-Wno-error=int-conversion",
		"-Wno-error=incompatible-function-pointer-types", "-Wno-error=incompatible-pointer-types",
	};
	char path[4096];

	arg(c, options->clang);
	args(c, target, sizeof(target) / sizeof(target[0]));
	if (language == CXX)
		args(c, no_library, sizeof(no_library) / sizeof(no_library[0]));
	arg(c, options->level);
	args(c, options->clang_args, options->clang_arg_count);
	/* dpu-as knows the sections of DWARF 4 */
	if (options->debug)
		args(c, (const char *const[]){ "-Xclang", "-dwarf-version=4" }, 2);
	arg(c, options->arch[2] == 'A' ? "-D__dpu_v1A__=1" : "-D__dpu_v1B__=1");
	if (options->no_headers)
		return;
	snprintf(path, sizeof(path), "%s/include", options->headers);
	arg(c, "-isystem");
	arg(c, cc_pool_string(pool, path, strlen(path)));
	snprintf(path, sizeof(path), "%s/include/instead", options->headers);
	arg(c, "-idirafter");
	arg(c, cc_pool_string(pool, path, strlen(path)));
	if (language == ASSEMBLY)
		return;
	snprintf(path, sizeof(path), "%s/include/dpu-target.h", options->headers);
	arg(c, "-include");
	arg(c, cc_pool_string(pool, path, strlen(path)));
}

/* Runs the front end with additional arguments; returns its exit status. */
static int run_front_end(const struct cc_options *options, enum language language, const char *const *more, size_t count)
{
	struct command c = { .count = 0 };
	struct cc_pool pool = { NULL, 0, 0 };
	int status;

	front_end(options, language, &c, &pool);
	/* These come last, because -Wpedantic would warn of the preprocessor's line markers and of token.c's types. */
	args(&c, (const char *const[]){ "-Wno-gnu-line-marker", "-Wno-long-long" }, 2);
	args(&c, more, count);
	status = compile_run(options, &c);
	cc_pool_free(&pool);
	return status;
}

static int preprocess(const struct cc_options *options, const char *input, const char *to)
{
	struct cc_options own = *options;

	for (unsigned int i = 0; i < options->depend_arg_count && own.clang_arg_count < CC_MAX_ARGUMENTS; i++)
		own.clang_args[own.clang_arg_count++] = options->depend_args[i];
	return run_front_end(&own, language_of(input), (const char *const[]){ "-E", input, "-o", to }, 4);
}

/* How clang calls preprocessed text of a language. */
static const char *text_of(const char *input)
{
	return language_of(input) == CXX ? "c++-cpp-output" : "cpp-output";
}

/* Of clang; from its output, of which the metadata with "clang version 14.0.6" come last. */
static unsigned int version;

static void read_version(const char *ir)
{
	static const char text[] = "clang version ";

	version = UINT_MAX;
	for (const char *at = ir; (at = strstr(at, text)); at += sizeof(text) - 1)
		version = strtoul(at + sizeof(text) - 1, NULL, 10);
}

static void back_end(const struct cc_options *options, struct command *c)
{
	/* The DPU has instructions for these, or the library has helpers. */
	static const char *const target[] = {
		"--target=riscv32-unknown-elf", "-mabi=ilp32", "-fno-pic",
		"-Wno-everything", "-fno-vectorize", "-fno-slp-vectorize",
		"-mllvm", "-enable-global-merge=false", "-S", "-x", "ir"
	};

	static const char *const experimental[] = {
		"-menable-experimental-extensions", "-march=rv32im_zba0p93_zbb0p93"
	};

	arg(c, options->clang);
	args(c, target, sizeof(target) / sizeof(target[0]));
	if (version < 14)
		args(c, experimental, 2);
	else
		arg(c, "-march=rv32im_zba_zbb");
	arg(c, options->level);
}

static bool back_end_step(const struct cc_options *options, const char *from, const char *to,
			  bool optimize)
{
	struct command c = { .count = 0 };

	back_end(options, &c);
	if (optimize) {
		arg(&c, "-emit-llvm");
		/* it would tell of each store to a variable instead of the variable's place */
		if (options->debug && version >= 17)
			args(&c, (const char *const[]){ "-Xclang", "-fexperimental-assignment-tracking=disabled" }, 2);
	} else {
		arg(&c, "-Xclang");
		arg(&c, "-disable-llvm-passes");
		/* clang must not parse asm: it is for the DPU. */
		arg(&c, "-Xclang");
		arg(&c, "-no-integrated-as");
	}
	arg(&c, from);
	arg(&c, "-o");
	arg(&c, to);
	return compile_run(options, &c) == 0;
}

static bool rewrite(const struct cc_options *options, const char *from, const char *to, const char *input,
		    const char *(*change)(const struct cc_options *options, const char *ir,
					  struct cc_text *out))
{
	struct cc_text out = { NULL, 0, 0 };
	char *ir = dpu_asm_read(from);
	const char *wrong;
	bool ok;

	if (!ir) {
		fprintf(stderr, "dpu-cc: %s: %s\n", from, strerror(errno));
		return false;
	}
	cc_text_add(&out, "", 0);
	wrong = change(options, ir, &out);
	ok = !wrong && cc_write_file(to, out.bytes, out.size);
	if (wrong)
		fprintf(stderr, "%s: error: %s\n", input, wrong);
	free(ir);
	cc_text_free(&out);
	return ok;
}

static const char *lower(const struct cc_options *options, const char *ir, struct cc_text *out)
{
	struct cc_text lowered = { NULL, 0, 0 }, places = { NULL, 0, 0 };
	char folder[4096];
	const char *wrong;

	cc_text_add(&lowered, "", 0);
	cc_text_add(&places, "", 0);
	wrong = cc_ir_lower(ir, version, strcmp(options->level, "-O0"), &lowered);
	snprintf(folder, sizeof(folder), "%s/include", options->headers ? options->headers : "");
	if (!wrong) {
		cc_ir_variables(lowered.bytes, &places);
		cc_ir_lines(places.bytes, folder, out);
	}
	cc_text_free(&lowered);
	cc_text_free(&places);
	return wrong;
}

static const char *retarget(const struct cc_options *options, const char *ir, struct cc_text *out)
{
	(void)options;
	read_version(ir);
	cc_ir_retarget(ir, out);
	return NULL;
}

static const char *widen(const struct cc_options *options, const char *source, struct cc_text *out)
{
	(void)options;
	cc_widen_long(source, out);
	return NULL;
}

/* The functions of dpu-cc's headers are those of C: puts extern "C" around what comes from their folder. */
static const char *widen_cxx(const struct cc_options *options, const char *source, struct cc_text *out)
{
	struct cc_text text = { NULL, 0, 0 };
	bool inside = false;
	char folder[4096];

	snprintf(folder, sizeof(folder), "\"%s/include/", options->headers);
	cc_text_add(&text, "", 0);
	for (const char *end; *source; source = end) {
		const char *name = strchr(source, '"');

		end = source + strcspn(source, "\n");
		end += *end == '\n';
		if (cc_starts_with(source, "# ") && name && name < end && inside != cc_starts_with(name, folder)) {
			inside = !inside;
			cc_text_add(&text, inside ? "extern \"C\" {\n" : "}\n", inside ? 13 : 2);
		}
		cc_text_add(&text, source, end - source);
	}
	cc_widen_long(text.bytes, out);
	cc_text_free(&text);
	return NULL;
}

/* Preprocesses the input for the front end's target into a file. */
static int prepare(const struct cc_options *options, const char *input, const char *to)
{
	bool ready = cc_ends_with(input, ".i");
	int status = ready ? 0 : preprocess(options, input, to);

	if (!status && language_of(input) != ASSEMBLY && !rewrite(options, ready ? input : to, to, input, language_of(input) == CXX ? widen_cxx : widen))
		status = EXIT_FAILURE;
	return status;
}

/* A file in memory, which clang finds by the same name; the caller closes the descriptor. A full disk is no matter for it. */
struct temporary {
	char name[32];
	int fd;
};

static bool temporary(struct temporary *file)
{
	file->fd = memfd_create("dpu-cc", 0);
	if (file->fd < 0) {
		fprintf(stderr, "dpu-cc: no memory for temporary files: %s\n", strerror(errno));
		return false;
	}
	snprintf(file->name, sizeof(file->name), MEMORY_FILE, file->fd);
	return true;
}

int cc_front_end(const struct cc_options *options, const char *input)
{
	struct temporary file;
	int status;

	if (options->last == CC_PREPROCESS)
		return preprocess(options, input, options->output ? options->output : "-");
	if (!temporary(&file))
		return EXIT_FAILURE;
	status = prepare(options, input, file.name);
	if (!status && language_of(input) != ASSEMBLY)
		status = run_front_end(options, language_of(input),
				       (const char *const[]){ "-fsyntax-only", "-x", text_of(input), file.name }, 4);
	close(file.fd);
	return status;
}

static bool steps(const struct cc_options *options, const char *input, const char *a, const char *b,
		  struct cc_text *assembly)
{
	char error[CC_ERROR_SIZE], *text, *translated;

	if (prepare(options, input, b))
		return false;
	if (language_of(input) == ASSEMBLY) {
		text = dpu_asm_read(b);
		if (!text)
			return false;
		cc_text_add(assembly, text, strlen(text));
		free(text);
		return true;
	}
	if (run_front_end(options, language_of(input),
			  (const char *const[]){ "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm",
						 "-o", a, "-x", text_of(input), b }, 9) ||
	    !rewrite(options, a, b, input, retarget))
		return false;
	if (strcmp(options->level, "-O0")) {
		if (!back_end_step(options, b, a, true) || !rewrite(options, a, b, input, lower))
			return false;
	} else if (!rewrite(options, b, b, input, lower)) {
		return false;
	}
	if (!back_end_step(options, b, a, false))
		return false;
	text = dpu_asm_read(a);
	if (!text)
		return false;
	translated = cc_translate(input, text, error);
	free(text);
	if (!translated) {
		const char *what = strstr(error, ": ");

		/* for the message: the line is one of the assembly */
		fprintf(stderr, "%s: error: %s\n", input, what ? what + 2 : error);
		return false;
	}
	cc_text_add(assembly, translated, strlen(translated));
	free(translated);
	return true;
}

bool cc_compile(const struct cc_options *options, const char *input, struct cc_text *assembly)
{
	struct temporary a, b;
	bool ok = false;

	if (!temporary(&a))
		return false;
	if (temporary(&b)) {
		ok = steps(options, input, a.name, b.name, assembly);
		close(b.fd);
	}
	close(a.fd);
	return ok;
}
