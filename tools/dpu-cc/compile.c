// SPDX-License-Identifier: GPL-2.0-only
/*
 * From C to assembly in four steps:
 *
 * 1. clang's front end, for a target whose sizes are the DPU's. UPMEM's compiler has 32-bit pointers
 *    and a 64-bit long; of clang's targets, RenderScript's 32-bit one has them, too.
 * 2. clang's optimizer, for RISC-V. The code of step 1 says itself how large everything is.
 * 3. Accesses to MRAM become DMA (ir.c).
 * 4. clang's code generator, for RISC-V with the registers that the DPU has; cc_translate().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/dpu-cc/driver.h"
#include "tools/dpu-cc/insn.h"
#include "tools/dpu-cc/ir.h"

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
		execvp(c->args[0], (char *const *)c->args);
		fprintf(stderr, "dpu-cc: %s: %s; install clang (14 to 19), or name it with --clang\n",
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

static void front_end(const struct cc_options *options, struct command *c, struct cc_pool *pool)
{
	static const char *const target[] = {
		"--target=armv7-none-eabi", "-mfloat-abi=soft", "-Xclang", "-triple", "-Xclang",
		"renderscript32-unknown-none-eabi", "-fsigned-char", "-fno-short-enums",
		"-fomit-frame-pointer",
		"-Xclang", "-fwchar-type=char", "-Xclang", "-fno-signed-wchar",
		"-nostdlibinc", "-Wno-unused-command-line-argument",
		/* Errors since clang 15 or 16, warnings for UPMEM's compiler. */
		"-Wno-unknown-warning-option", "-Wno-error=implicit-function-declaration",
		"-Wno-error=implicit-int", "-Wno-error=int-conversion",
		"-Wno-error=incompatible-function-pointer-types", "-Wno-error=incompatible-pointer-types",
	};
	char path[4096];

	arg(c, options->clang);
	args(c, target, sizeof(target) / sizeof(target[0]));
	arg(c, options->level);
	args(c, options->clang_args, options->clang_arg_count);
	arg(c, options->arch[2] == 'A' ? "-D__dpu_v1A__=1" : "-D__dpu_v1B__=1");
	if (options->no_headers)
		return;
	snprintf(path, sizeof(path), "%s/include", options->headers);
	arg(c, "-isystem");
	arg(c, cc_pool_string(pool, path, strlen(path)));
	snprintf(path, sizeof(path), "%s/include/dpu-target.h", options->headers);
	arg(c, "-include");
	arg(c, cc_pool_string(pool, path, strlen(path)));
}

int cc_front_end(const struct cc_options *options, const char *input)
{
	struct command c = { .count = 0 };
	struct cc_pool pool = { NULL, 0, 0 };
	int status;

	front_end(options, &c, &pool);
	arg(&c, options->last == CC_PREPROCESS ? "-E" : "-fsyntax-only");
	if (options->output) {
		arg(&c, "-o");
		arg(&c, options->output);
	}
	arg(&c, input);
	status = compile_run(options, &c);
	cc_pool_free(&pool);
	return status;
}

static void back_end(const struct cc_options *options, struct command *c)
{
	/* Multiplication, address arithmetic and bit operations are instructions or helpers of ours. */
	static const char *const target[] = {
		"--target=riscv32-unknown-elf", "-march=rv32im_zba_zbb", "-mabi=ilp32", "-fno-pic",
		"-Wno-everything", "-fno-vectorize", "-fno-slp-vectorize", "-S", "-x", "ir"
	};

	arg(c, options->clang);
	args(c, target, sizeof(target) / sizeof(target[0]));
	arg(c, options->level);
}

static bool back_end_step(const struct cc_options *options, const char *from, const char *to,
			  bool optimize)
{
	struct command c = { .count = 0 };

	back_end(options, &c);
	if (optimize) {
		arg(&c, "-emit-llvm");
	} else {
		arg(&c, "-Xclang");
		arg(&c, "-disable-llvm-passes");
		/* clang is not to read what is in asm: it is for the DPU. */
		arg(&c, "-Xclang");
		arg(&c, "-no-integrated-as");
	}
	arg(&c, from);
	arg(&c, "-o");
	arg(&c, to);
	return compile_run(options, &c) == 0;
}

static bool rewrite(const char *from, const char *to, const char *input,
		    const char *(*change)(const char *ir, struct cc_text *out))
{
	struct cc_text out = { NULL, 0, 0 };
	char *ir = cc_read_file(from);
	const char *wrong;
	bool ok;

	if (!ir) {
		fprintf(stderr, "dpu-cc: %s: %s\n", from, strerror(errno));
		return false;
	}
	cc_text_add(&out, "", 0);
	wrong = change(ir, &out);
	ok = !wrong && cc_write_file(to, out.bytes, out.size);
	if (wrong)
		fprintf(stderr, "%s: error: %s\n", input, wrong);
	free(ir);
	cc_text_free(&out);
	return ok;
}

static const char *retarget(const char *ir, struct cc_text *out)
{
	cc_ir_retarget(ir, out);
	return NULL;
}

static bool steps(const struct cc_options *options, const char *input, const char *a, const char *b,
		  struct cc_text *assembly)
{
	struct command c = { .count = 0 };
	struct cc_pool pool = { NULL, 0, 0 };
	char error[CC_ERROR_SIZE], *text, *translated;
	bool ok;

	front_end(options, &c, &pool);
	args(&c, (const char *const[]){ "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", a,
					 input }, 7);
	ok = compile_run(options, &c) == 0;
	cc_pool_free(&pool);
	if (!ok)
		return false;
	if (!rewrite(a, b, input, retarget))
		return false;
	if (strcmp(options->level, "-O0")) {
		if (!back_end_step(options, b, a, true) || !rewrite(a, b, input, cc_ir_lower))
			return false;
	} else if (!rewrite(b, b, input, cc_ir_lower)) {
		return false;
	}
	if (!back_end_step(options, b, a, false))
		return false;
	text = cc_read_file(a);
	if (!text)
		return false;
	translated = cc_translate(input, text, error);
	free(text);
	if (!translated) {
		const char *what = strstr(error, ": ");

		/* The line is one of the assembly. */
		fprintf(stderr, "%s: error: %s\n", input, what ? what + 2 : error);
		return false;
	}
	cc_text_add(assembly, translated, strlen(translated));
	free(translated);
	return true;
}

bool cc_compile(const struct cc_options *options, const char *input, struct cc_text *assembly)
{
	const char *folder = getenv("TMPDIR");
	char a[4096], b[4096 + 8];
	int fd;
	bool ok;

	snprintf(a, sizeof(a), "%s/dpu-cc-XXXXXX", folder && *folder ? folder : "/tmp");
	fd = mkstemp(a);
	if (fd < 0) {
		fprintf(stderr, "dpu-cc: %s: %s\n", a, strerror(errno));
		return false;
	}
	close(fd);
	snprintf(b, sizeof(b), "%s.ll", a);
	ok = steps(options, input, a, b, assembly);
	unlink(a);
	unlink(b);
	return ok;
}
