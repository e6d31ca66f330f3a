// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiled programs against the plain interpreter: results and counts; and the cache.
 *
 * BLOCKS_COUNT random programs of each kind from BLOCKS_FIRST on.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/main.h"
#include "dpu/tests/random-program.h"
#include "dpu/tests/rig.h"
#include "dpu/include/blocks.h"

static char cache[] = "/tmp/libmon-blocks-XXXXXX";

static volatile sig_atomic_t children;

static void count_children(int signal)
{
	(void)signal;
	children++;
}

static void use_cache(void)
{
	strcpy(cache + sizeof(cache) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(cache));
	ck_assert_int_eq(setenv("XDG_CACHE_HOME", cache, 1), 0);
}

static void remove_cache(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", cache);
	ck_assert_int_eq(system(command), 0);
}

static void compare_memory(const struct rig *compiled, const struct rig *plain, enum dpu_memory memory)
{
	static uint8_t a[DPU_WRAM_SIZE], b[DPU_WRAM_SIZE];

	ck_assert(dpu_read(compiled->dpu, memory, 0, a, sizeof(a)));
	ck_assert(dpu_read(plain->dpu, memory, 0, b, sizeof(b)));
	ck_assert_mem_eq(a, b, sizeof(a));
}

static void compare(const struct rig *compiled, const struct rig *plain)
{
	struct dpu_totals s, t;

	dpu_totals(compiled->dpu, &s);
	dpu_totals(plain->dpu, &t);
	ck_assert_mem_eq(&s, &t, sizeof(s));
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		for (unsigned int reg = 0; reg < 24; reg++)
			ck_assert_msg(dpu_register(compiled->dpu, i, reg) == dpu_register(plain->dpu, i, reg),
				      "tasklet %u, r%u", i, reg);
	compare_memory(compiled, plain, DPU_WRAM);
	compare_memory(compiled, plain, DPU_MRAM);
}

static void run_compiled(const struct rig *rig, uint64_t turns)
{
	char problem[DPU_BLOCKS_PROBLEM];

	dpu_set_blocks(rig->dpu, DPU_BLOCKS_NOW);
	ck_assert(dpu_boot(rig->dpu));
	while (dpu_run(rig->dpu, turns) == DPU_RUNNING)
		;
	ck_assert_msg(dpu_blocks_used(rig->dpu, problem), "%s", problem);
}

/*
 * In pipelines of the usual depth, short ones, and long ones, in which tasklets wait between their
 * turns.
 */
static void compare_program(const char *text, unsigned int tasklets, uint64_t turns, unsigned int n)
{
	static const uint32_t intervals[] = { 11, 1, 24, 11, 3, 70, 5 };
	struct rig compiled = rig_new(text, tasklets, DPU_ARCH_V1A), plain = rig_new(text, tasklets, DPU_ARCH_V1A);
	struct dpu_timing timing = dpu_timing_default;

	timing.dispatch_interval = intervals[n % 7];
	timing.serial_dma = n % 11 != 0;
	rig_set_timing(&compiled, &timing);
	rig_set_timing(&plain, &timing);
	dpu_set_reference(plain.dpu, true);
	rig_run_ok(&plain);
	run_compiled(&compiled, turns);
	compare(&compiled, &plain);
	rig_free(&compiled);
	rig_free(&plain);
}

static unsigned int number(const char *name, unsigned int otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

SUITE("random", .endless = true, .setup = use_cache, .teardown = remove_cache);

/* By 1 to 24 tasklets, whole and in pieces. */
TEST(random_programs_do_the_same)
{
	static char text[RANDOM_PROGRAM_SIZE];
	unsigned int first = number("BLOCKS_FIRST", 0), count = number("BLOCKS_COUNT", 20);

	for (unsigned int i = first; i < first + count; i++) {
		random_program(text, 100000 + i);
		compare_program(text, 1 + i % 24, i % 3 ? 0 : 97, i);
		random_private_program(text, 100000 + i);
		compare_program(text, 1 + i % 24, 0, i);
	}
}

/* A run that stops after some turns has the registers and the clock of these turns. */
LOOP_TEST(a_stop_shows_no_later_turn, 0, 8)
{
	static char text[RANDOM_PROGRAM_SIZE];
	struct rig compiled, plain;

	random_private_program(text, 200000 + _i);
	compiled = rig_new(text, 16, DPU_ARCH_V1A);
	plain = rig_new(text, 16, DPU_ARCH_V1A);
	dpu_set_reference(plain.dpu, true);
	dpu_set_blocks(compiled.dpu, DPU_BLOCKS_NOW);
	ck_assert(dpu_boot(plain.dpu) && dpu_boot(compiled.dpu));
	for (int pieces = 0; pieces < 100; pieces++) {
		ck_assert_int_eq(dpu_run(compiled.dpu, 331), dpu_run(plain.dpu, 331));
		ck_assert_uint_eq(dpu_cycle(compiled.dpu), dpu_cycle(plain.dpu));
		for (unsigned int i = 0; i < 16; i++) {
			ck_assert_uint_eq(dpu_pc(compiled.dpu, i), dpu_pc(plain.dpu, i));
			for (unsigned int reg = 0; reg < 24; reg++)
				ck_assert_uint_eq(dpu_register(compiled.dpu, i, reg), dpu_register(plain.dpu, i, reg));
		}
	}
	rig_free(&compiled);
	rig_free(&plain);
}

SUITE("cache", .timeout = 120, .setup = use_cache, .teardown = remove_cache);

/*
 * Accesses by one register, which a block checks together: whole and half granules; all in WRAM, an
 * address that is not aligned, the last ones outside, and sums that wrap.
 */
LOOP_TEST(accesses_are_tested_together, 0, 12)
{
	static const struct {
		const char *base;
		enum dpu_state end;
	} places[] = {
		{ "own", DPU_IDLE }, { "own + 8", DPU_IDLE }, { "own + 4", DPU_FAULT }, { "own + 2", DPU_FAULT },
		{ "own + 1", DPU_FAULT }, { "65536 - 32", DPU_IDLE }, { "65536 - 24", DPU_FAULT }, { "65536 - 8", DPU_FAULT },
		{ "65536", DPU_FAULT }, { "-8", DPU_FAULT }, { "-24", DPU_FAULT }, { "0", DPU_FAULT },
	};
	char text[1024];

	snprintf(text, sizeof(text), ".bss\n.align 8\nown: .space 64\n.text\nmain: move r0, 3\nmove r1, %s\n"
		 "1: lw r2, r1, 0\n add r2, r2, 1\n sw r1, 4, r2\n lhu r3, r1, 10\n sb r1, 13, r3\n sd r1, 16, d2\n"
		 " lbu r4, r1, 31\n sb r1, 30, r4\n lw r5, r1, -8\n add r0, r0, -1, nz, 1b\n jump r23\n", places[_i].base);
	for (unsigned int tasklets = 1; tasklets <= 3; tasklets += 2) {
		struct rig compiled = rig_new(text, tasklets, DPU_ARCH_V1A), plain = rig_new(text, tasklets, DPU_ARCH_V1A);

		dpu_set_reference(plain.dpu, true);
		dpu_set_blocks(compiled.dpu, DPU_BLOCKS_NOW);
		ck_assert(dpu_boot(plain.dpu) && dpu_boot(compiled.dpu));
		ck_assert_int_eq(dpu_run(plain.dpu, 0), places[_i].end);
		ck_assert_int_eq(dpu_run(compiled.dpu, 0), places[_i].end);
		ck_assert_mem_eq(dpu_fault(compiled.dpu), dpu_fault(plain.dpu), sizeof(struct dpu_fault));
		compare(&compiled, &plain);
		rig_free(&compiled);
		rig_free(&plain);
	}
}

static const char loop[] = "main: move r0, 1000\n1: add r1, r1, r0\n add r0, r0, -1, nz, 1b\n jump r23\n";
static const char other_loop[] = "main: move r0, 1000\n1: xor r1, r1, r0\n add r0, r0, -1, nz, 1b\n jump r23\n";

/*
 * Runs a program; true if it was compiled. Its counts are the interpreter's in any case: 2 and 2 a
 * round, the last jump.
 */
static bool compiled(const char *text, char problem[DPU_BLOCKS_PROBLEM])
{
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1A), plain = rig_new(text, 1, DPU_ARCH_V1A);
	bool used;

	dpu_set_reference(plain.dpu, true);
	rig_run_ok(&plain);
	dpu_set_blocks(rig.dpu, DPU_BLOCKS_NOW);
	rig_run_ok(&rig);
	used = dpu_blocks_used(rig.dpu, problem);
	compare(&rig, &plain);
	rig_free(&rig);
	rig_free(&plain);
	return used;
}

static void compiles(const char *text)
{
	char problem[DPU_BLOCKS_PROBLEM];

	ck_assert_msg(compiled(text, problem), "%s", problem);
}

static void compiles_not(const char *text, const char *reason)
{
	char problem[DPU_BLOCKS_PROBLEM];

	ck_assert(!compiled(text, problem));
	ck_assert_msg(strstr(problem, reason), "%s", problem);
}

/* The one file of the cache. */
static void cache_file(char path[PATH_MAX])
{
	glob_t found;

	snprintf(path, PATH_MAX, "%s/libmon-dpu/*", cache);
	ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
	ck_assert_uint_eq(found.gl_pathc, 1);
	snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
	globfree(&found);
}

static size_t read_file(const char *path, uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	size = fread(data, 1, size, file);
	fclose(file);
	return size;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static ino_t inode(const char *path)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_ino;
}

/* The second run takes the file and does not need the compiler. The text in it names the compiler's options. */
TEST(the_cache_keeps_programs)
{
	static uint8_t file[1 << 20];
	char path[PATH_MAX];
	ino_t first;

	compiles(loop);
	cache_file(path);
	ck_assert_ptr_nonnull(memmem(file, read_file(path, file, sizeof(file)), "\"-nostdlib\"", 11));
	first = inode(path);
	compiles(loop);
	ck_assert_uint_eq(inode(path), first);
}

/* After a change of any byte, or a cut, the next run makes the file anew. */
TEST(a_damaged_file_is_made_anew)
{
	static uint8_t good[1 << 20], bad[1 << 20];
	char path[PATH_MAX];
	size_t size, at;

	compiles(loop);
	cache_file(path);
	size = read_file(path, good, sizeof(good));
	for (int i = 0; i < 8; i++) {
		memcpy(bad, good, size);
		at = (2 * i + 1) * size / 16;
		bad[at] ^= 1 << i;
		ck_assert_int_eq(unlink(path), 0);
		write_file(path, bad, size);
		compiles(loop);
		read_file(path, bad, sizeof(bad));
		ck_assert_int_eq(bad[at], good[at]);
		ck_assert_int_eq(unlink(path), 0);
		write_file(path, good, at);
		compiles(loop);
		ck_assert_uint_eq(read_file(path, bad, sizeof(bad)), size);
	}
}

/* Another program, version or compiler has another text; here its file has this one's name. */
TEST(a_file_of_another_version_is_made_anew)
{
	static uint8_t other[1 << 20], now[1 << 20];
	char path[PATH_MAX];
	size_t size;

	compiles(other_loop);
	cache_file(path);
	size = read_file(path, other, sizeof(other));
	ck_assert_int_eq(unlink(path), 0);
	compiles(loop);
	cache_file(path);
	ck_assert_int_eq(unlink(path), 0);
	write_file(path, other, size);
	compiles(loop);
	ck_assert(read_file(path, now, sizeof(now)) != size || memcmp(now, other, size));
}

TEST(without_a_cache_programs_are_interpreted)
{
	char path[PATH_MAX];

	ck_assert_int_eq(setenv("XDG_CACHE_HOME", "/proc", 1), 0);
	compiles_not(loop, "/proc/libmon-dpu: ");
	ck_assert_int_eq(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
	compiles_not(loop, "/dev/null/libmon-dpu: ");
	ck_assert_int_eq(setenv("XDG_CACHE_HOME", cache, 1), 0);
	snprintf(path, sizeof(path), "%s/libmon-dpu", cache);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(chmod(path, 0755), 0);
	compiles_not(loop, "mode 0700");
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(symlink("/tmp", path), 0);
	compiles_not(loop, "mode 0700");
}

static void use_compiler(const char *script)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/cc", cache);
	write_file(path, (const uint8_t *)script, strlen(script));
	ck_assert_int_eq(chmod(path, 0700), 0);
	ck_assert_int_eq(setenv("LIBMON_DPU_CC", path, 1), 0);
}

/* A limit of the files' size replaces a full disk; 4 KiB, 8 blocks, hold no object. */
TEST(a_full_disk_leaves_nothing)
{
	char pattern[PATH_MAX];
	glob_t found;

	use_compiler("#!/bin/sh\nulimit -f 8\nexec cc \"$@\"\n");
	compiles_not(loop, "full");
	ck_assert_int_eq(unsetenv("LIBMON_DPU_CC"), 0);
	snprintf(pattern, sizeof(pattern), "%s/libmon-dpu/*", cache);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

/* Compilers that are missing, fail, or write another file; the output is their last argument. */
TEST(without_a_compiler_programs_are_interpreted)
{
	ck_assert_int_eq(setenv("LIBMON_DPU_CC", "/nonexistent/cc", 1), 0);
	compiles_not(loop, "/nonexistent/cc: no such compiler");
	use_compiler("#!/bin/sh\nexit 1\n");
	compiles_not(loop, "does not compile");
	use_compiler("#!/bin/sh\nfor last; do :; done\necho junk >$last\n");
	compiles_not(loop, "cannot be loaded");
	ck_assert_int_eq(unsetenv("LIBMON_DPU_CC"), 0);
	compiles(loop);
}

/* The calling process waits for its own children, and never gets the compiler. */
TEST(the_compiler_is_nobody_s_child)
{
	ck_assert_int_eq(signal(SIGCHLD, count_children) == SIG_ERR, 0);
	compiles(loop);
	ck_assert_int_eq(children, 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

/*
 * Code after a word that is no instruction is reached by jumps only, and entered after its accesses
 * to WRAM.
 */
TEST(code_behind_no_instruction_compiles)
{
	static const char text[] =
		"main: jump over\n fault 1\n lw r1, zero, 16\n lw r2, zero, 24\n add r1, r1, r2\nover: move r3, 5\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1A);
	uint64_t nothing = 0, fault_insn = dpu_program_symbol(rig.program, "main")->value / 8 % DPU_IRAM_WORDS + 1;
	char problem[DPU_BLOCKS_PROBLEM];

	ck_assert(dpu_write(rig.dpu, DPU_IRAM, 8 * fault_insn, &nothing, sizeof(nothing)));
	dpu_set_blocks(rig.dpu, DPU_BLOCKS_NOW);
	rig_run_ok(&rig);
	ck_assert_msg(dpu_blocks_used(rig.dpu, problem), "%s", problem);
	ck_assert_uint_eq(dpu_register(rig.dpu, 0, 3), 5);
	rig_free(&rig);
}

/*
 * The compiled code arrives while the program runs; the results do not change. Then others share
 * the code.
 */
TEST(code_comes_while_a_program_runs)
{
	static const char text[] =
		"main: move r1, 0\n move r0, 400000\n1: add r1, r1, r0\n xor r2, r1, r0\n add r0, r0, -1, nz, 1b\n jump r23\n";
	char problem[DPU_BLOCKS_PROBLEM] = "";
	struct rig rigs[2];
	uint32_t r1 = 0, r2 = 0;

	for (uint32_t r0 = 400000; r0; r0--) {
		r1 += r0;
		r2 = r1 ^ r0;
	}
	for (int i = 0; i < 2; i++) {
		rigs[i] = rig_new(text, 16, DPU_ARCH_V1A);
		dpu_set_blocks(rigs[i].dpu, DPU_BLOCKS_ON);
		ck_assert(dpu_boot(rigs[i].dpu));
		while (dpu_run(rigs[i].dpu, i ? 20000 : 0) == DPU_RUNNING)
			if (i && !*problem && !dpu_blocks_used(rigs[i].dpu, problem))
				usleep(100000);
		ck_assert_uint_eq(dpu_register(rigs[i].dpu, 5, 1), r1);
		ck_assert_uint_eq(dpu_register(rigs[i].dpu, 5, 2), r2);
	}
	ck_assert_msg(dpu_blocks_used(rigs[1].dpu, problem), "%s", problem);
	rig_free(&rigs[0]);
	rig_free(&rigs[1]);
}

/* A DPU that is freed does not wait for a compiler that takes a minute. */
TEST(a_compiler_is_ended)
{
	static const char text[] = "main: move r0, 1200000\n1: add r0, r0, -1, nz, 1b\n jump r23\n";
	const char *preload = getenv("LD_PRELOAD");
	time_t start = time(NULL);
	struct rig rig;

	/* valgrind gives the process that waits for the compiler memory of its own */
	if (preload && strstr(preload, "vgpreload"))
		return;
	use_compiler("#!/bin/sh\nexec sleep 60\n");
	rig = rig_new(text, 16, DPU_ARCH_V1A);
	dpu_set_blocks(rig.dpu, DPU_BLOCKS_ON);
	ck_assert(dpu_boot(rig.dpu));
	ck_assert_int_eq(dpu_run(rig.dpu, 0), DPU_IDLE);
	rig_free(&rig);
	ck_assert_int_lt(time(NULL) - start, 50);
	ck_assert_int_eq(unsetenv("LIBMON_DPU_CC"), 0);
}
