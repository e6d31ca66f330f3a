/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Real programs in the distribution's qemu-hexagon with the feed: the plugin's counts against
 * counts on paper and against qemu-hexagon's own counters.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hexagon/events.h"
#include "hexagon/time.h"
#include "tests/main.h"
#include "tests/unit/hexagon/program-rig.h"

/*
 * examples/hexagon/hand.S on paper. Packets are numbered there, 36 in all. Instructions:
 *	1-4: 4; 5-9: 2 each, 10; 10: 2; 11: 4; 12: 1; 13: 2; 14: 1;
 *	15-26: three times 1 + 2 * 2 + 3, 24; 27: 2; 28: 2; 29-34: 6; 35: 2; 36: 1;	sum 61
 * NOPs: one in 10, four in 11, one in each of 18, 22, 26: 8.
 * Loop ends: 5 of .Lsum, 6 of .Linner, 3 of .Louter: 14; taken 4 + 3 + 2 = 9.
 * Changed flow: those 9, the jump 29, the call 30, the return 31: 12.
 * Flow instructions: 14 loop ends, 29, 30, 31, 33, 36: 19; conditional: 33.
 * Loads: 5 in 5-9, 2 in 13; stores: 10 (the one of 28 is a vector's); memop: 34.
 * Vector packets 27 and 28, with 2 + 1 instructions, of which the first two are an addition and a subtraction; from 27
 * on 10 packets.
 */
static const uint64_t hand[HEXAGON_COUNTS] = {
	[HEXAGON_PACKETS] = 36, [HEXAGON_INSTS] = 61, [HEXAGON_CHANGED_FLOW] = 12,
	[HEXAGON_ENDLOOP] = 9, [HEXAGON_FLOW] = 19, [HEXAGON_BIMODAL] = 1,
	[HEXAGON_LOADS] = 7, [HEXAGON_STORES] = 1, [HEXAGON_MEMOPS] = 1,
	[HEXAGON_NOPS] = 8, [HEXAGON_DUPLEXES] = 1, [HEXAGON_LOOP_ENDS] = 14,
	[HEXAGON_RETURNS] = 1, [HEXAGON_HVX_PACKETS] = 2, [HEXAGON_HVX_INSTS] = 3,
	[HEXAGON_VECTOR_PACKETS] = 10, [HEXAGON_HVX_ALU] = 2,
};

SUITE("hexagon programs", .timeout = 60, .setup = rig_setup, .teardown = rig_teardown, .prepare = rig_prepare);

TEST(a_program_counted_on_paper)
{
	char output[16];
	struct hexagon_totals now = run("hand", output, sizeof(output));

	for (int i = 0; i < HEXAGON_COUNTS; i++)
		ck_assert_msg(sum(&now, i) == hand[i], "counter %d is %lu, not %lu", i,
			      (unsigned long)sum(&now, i), (unsigned long)hand[i]);
	ck_assert_uint_eq(cycles(&now, 1), 3 * 36);
	/* from packet 27 on */
	ck_assert_uint_eq(now.contexts[1], 3 * 10);
}

TEST(qemus_own_counters_agree)
{
	/*
	 * hand-own reads c20 in packet 35, c21 in 36, c22 in 37: 34 packets; the instructions of
	 * packets 1-34 are 58, without 8 NOPs 50, and the first read is one more; 3 for the vectors.
	 */
	uint32_t own[4] = { 0 };

	run("hand-own", (char *)own, sizeof(own));
	ck_assert_uint_eq(own[0], 34);
	ck_assert_uint_eq(own[1], 51);
	ck_assert_uint_eq(own[2], 3);
}

/*
 * clock.S: 104 packets from one read of a register to the other, 3 cycles each; with stalls, too: code that is in one line waits
 * for it before the first read. UTIMER is read after 3 packets and after 107, at 1.4 GHz.
 */
LOOP_TEST(a_program_times_itself, 0, 2)
{
	/* the line comes from memory */
	const uint64_t wait = _i ? HEXAGON_MEMORY_CYCLES : 0;
	uint32_t got[3] = { 0 };

	operations = HEXAGON_READS_CLOCK;
	features = _i ? HEXAGON_FEATURE_TIMING : 0;
	run("clock", (char *)got, sizeof(got));
	ck_assert_uint_eq(got[0], 3 * 104);
	ck_assert_uint_eq(got[1], 104);
	ck_assert_uint_eq(got[2], (3 * 107 + wait) * 19200000 / 1400000000 - (3 * 3 + wait) * 19200000 / 1400000000);
}

/* inside.S; each value is read 9 packets of an instruction after the one before. */
TEST(a_program_counts_itself)
{
	const uint32_t packets = 6 + 1 + 1 + 100 + 6 + 6;
	uint32_t got[3] = { 0 };

	run("inside", (char *)got, sizeof(got));
	ck_assert_uint_eq(got[0], packets);
	ck_assert_uint_eq(got[1], packets + 100 + 9);
	ck_assert_uint_eq(got[2], 3 * (packets + 9 + 9));
}

/*
 * memory.S on paper, with the usual caches of a V69 core: L1D 32 KiB in lines of 32, 8 ways, 128 sets;
 * L1I 32 KiB in lines of 64, 4 ways, 128 sets; L2 1 MiB in lines of 64, 8 ways. Two rounds each.
 */
LOOP_TEST(misses_derived_on_paper, 0, 10)
{
	static const struct {
		const char *program;
		uint64_t data, misses, stores_missed, l2_reads, l2_read_misses, l2_stores,
			 l2_store_misses, vector_loads, vector_load_misses, vector_stores;
	} parts[] = {
		/* 2048 lines a round, twice what the cache holds: all miss; in the L2 every second of the first */
		{ "memory-stream", 4096, 4096, 0, 4096, 1024, 0, 0, 0, 0, 0 },
		/* 512 lines, half of what it holds: the second round hits */
		{ "memory-stream-16k", 1024, 512, 0, 512, 256, 0, 0, 0, 0, 0 },
		/* 8 lines of one set, 8 ways; in the L2 8 sets */
		{ "memory-sets-8", 16, 8, 0, 8, 8, 0, 0, 0, 0, 0 },
		/* a ninth: each line is evicted before its next use */
		{ "memory-sets-9", 18, 18, 0, 18, 9, 0, 0, 0, 0, 0 },
		/* 1024 lines zeroed without a read, each told to the L2; then 1024 loads that hit */
		{ "memory-zero", 2048, 1024, 0, 0, 0, 1024, 512, 0, 0, 0 },
		/* 32 vectors of two lines of the L2; the second round hits */
		{ "memory-vectors", 0, 0, 0, 0, 0, 0, 0, 128, 64, 0 },
		/* at 64: lines 1 and 2; at 4: lines 0 to 2 */
		{ "memory-unaligned", 0, 0, 0, 0, 0, 0, 0, 10, 3, 0 },
		/*
		 * 2048 lines, each read before it is changed; the others evict the first 1024,
		 * which are written
		 */
		{ "memory-stores", 2048, 2048, 2048, 2048, 1024, 1024, 0, 0, 0, 0 },
		/* lines 0 and 1 stored, 2 loaded; the vector store writes back two and drops three; 0 again */
		{ "memory-mixed", 4, 4, 2, 4, 2, 2, 0, 0, 0, 2 },
		/* 1025 lines: set 0 has nine, which miss in both rounds; 1025 + 9; in the L2 513 lines */
		{ "memory-chain", 2050, 1034, 0, 1034, 513, 0, 0, 0, 0, 0 },
	};
	char output[16];
	struct hexagon_totals now;

	features = HEXAGON_FEATURE_MEMORY;
	now = run(parts[_i].program, output, sizeof(output));
	ck_assert_uint_eq(sum(&now, HEXAGON_DATA), parts[_i].data);
	ck_assert_uint_eq(sum(&now, HEXAGON_DATA_MISSES), parts[_i].misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_STORE_MISSES), parts[_i].stores_missed);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_READS), parts[_i].l2_reads);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_READ_MISSES), parts[_i].l2_read_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_STORES), parts[_i].l2_stores);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_STORE_MISSES), parts[_i].l2_store_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_LOADS), parts[_i].vector_loads);
	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_LOAD_MISSES), parts[_i].vector_load_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_STORES), parts[_i].vector_stores);
	ck_assert_uint_eq(sum(&now, HEXAGON_DU_READS), parts[_i].l2_reads);
	ck_assert_uint_eq(sum(&now, HEXAGON_DU_WRITES), parts[_i].l2_stores);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_FETCHES), sum(&now, HEXAGON_FETCH_MISSES));
}

/*
 * The same programs with stalls. A load that misses waits 12 cycles for the L2, 150 for memory; the
 * numbers of misses are those above. Code has one or two lines, each from memory. The branch back
 * for the second round is predicted as not taken: 4 cycles.
 */
LOOP_TEST(stalls_derived_on_paper, 0, 8)
{
	static const struct {
		const char *program;
		uint64_t redirect, fetch, data, vector;
	} parts[] = {
		{ "memory-stream", 4, 150, 1024 * 150 + 3072 * 12, 0 },
		{ "memory-stream-16k", 4, 150, 256 * 150 + 256 * 12, 0 },
		{ "memory-sets-9", 4, 150, 9 * 150 + 9 * 12, 0 },
		/* dczeroa waits for the L2's answer only */
		{ "memory-zero", 0, 2 * 150, 1024 * 12, 0 },
		{ "memory-vectors", 4, 150, 0, 64 * 150 },
		/* stores wait for nothing */
		{ "memory-stores", 0, 2 * 150, 0, 0 },
		{ "memory-chain", 4, 2 * 150, 513 * 150 + 521 * 12, 0 },
		/*
		 * A branch that is taken every second time keeps its counter at 0 and 1: 500 wrong
		 * predictions; the backward branch is wrong twice at first, until its counter is 2,
		 * and at the end.
		 */
		{ "memory-branches", 503 * 4, 2 * 150, 0, 0 },
	};
	struct hexagon_totals now;
	char output[16];

	features = HEXAGON_FEATURE_TIMING;
	now = run(parts[_i].program, output, sizeof(output));
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_REDIRECT], parts[_i].redirect);
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_FETCH], parts[_i].fetch);
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_DATA], parts[_i].data);
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_VECTOR], parts[_i].vector);
}

TEST(instruction_misses_derived_on_paper)
{
	/*
	 * 48 KiB of packets are 768 lines, with one before and one after them 770. Each of the 128
	 * sets has six lines but four ways: every line misses in both rounds. The L2 has all in the
	 * second.
	 */
	char output[16];
	struct hexagon_totals now;

	features = HEXAGON_FEATURE_MEMORY;
	now = run("memory-code", output, sizeof(output));
	ck_assert_uint_eq(sum(&now, HEXAGON_FETCHES), 2 * 770);
	ck_assert_uint_eq(sum(&now, HEXAGON_FETCH_MISSES), 2 * 770);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_FETCHES), 2 * 770);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_FETCH_MISSES), 770);
}

/*
 * Instructions whose address the plugin takes from registers; two rounds of the first two programs.
 *
 * memory-ahead: the load of line i of 512 follows a dcfetch of line i + 8. Loads 0 to 7 miss in the first round, and
 * the dcfetches of lines 8 to 519; in the second round all hit, because 520 lines fit. The L2's lines are two of
 * these: half of what the L1D reads first, 4 of the 8 and 256 of the 512, comes from memory.
 *
 * memory-l2fetch: 64 lines of the L2, and three rows of 128 bytes, which begin in the middle of a line and touch three:
 * 73 lines, which are there in the second round. The third l2fetch is a stop. The 128 loads of the first round miss
 * the L1D and hit the L2.
 *
 * memory-clean: two stores miss. dccleana leaves its line there, so that the load hits; the other line is gone, and its
 * load misses the L1D only. Both writes are maintenance, which no event counts, and the vector load finds nothing
 * dirty. Of its two lines the L2 has the first.
 */
LOOP_TEST(prefetches_derived_on_paper, 0, 3)
{
	static const struct {
		const char *program;
		uint64_t data, misses, l2_reads, l2_read_misses, writes, vector_load_misses;
		uint64_t committed, hits, dcfetch_misses, far, l2fetches, lines, line_misses;
		uint64_t stalls;
	} parts[] = {
		{ "memory-ahead", 1024, 8, 520, 260, 0, 0, 1024, 512, 512, 256, 0, 0, 0, 4 * 150 + 4 * 12 },
		{ "memory-l2fetch", 256, 128, 128, 0, 0, 0, 0, 0, 0, 0, 4, 146, 73, 128 * 12 },
		{ "memory-clean", 4, 3, 3, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 12 },
	};
	struct hexagon_totals now;
	char output[16];

	features = HEXAGON_FEATURE_TIMING;
	operations = HEXAGON_OPERATES_CACHES;
	now = run(parts[_i].program, output, sizeof(output));
	ck_assert_uint_eq(sum(&now, HEXAGON_DATA), parts[_i].data);
	ck_assert_uint_eq(sum(&now, HEXAGON_DATA_MISSES), parts[_i].misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_READS), parts[_i].l2_reads);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2_READ_MISSES), parts[_i].l2_read_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_DU_WRITES), parts[_i].writes);
	ck_assert_uint_eq(sum(&now, HEXAGON_VECTOR_LOAD_MISSES), parts[_i].vector_load_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_DCFETCH), parts[_i].committed);
	ck_assert_uint_eq(sum(&now, HEXAGON_DCFETCH_HITS), parts[_i].hits);
	ck_assert_uint_eq(sum(&now, HEXAGON_DCFETCH_MISSES), parts[_i].dcfetch_misses);
	ck_assert_uint_eq(sum(&now, HEXAGON_DCFETCH_FAR), parts[_i].far);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2FETCHES), parts[_i].l2fetches);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2FETCH_LINES), parts[_i].lines);
	ck_assert_uint_eq(sum(&now, HEXAGON_L2FETCH_MISSES), parts[_i].line_misses);
	/* a prefetch waits for nothing */
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_DATA], parts[_i].stalls);
}

LOOP_TEST(caches_change_no_other_count, 0, 4)
{
	static const char *const programs[] = { "hand", "fir", "hvx-add", "six-threads" };
	struct hexagon_totals with, without;
	char output[64];

	without = run(programs[_i], output, sizeof(output));
	features = HEXAGON_FEATURE_MEMORY;
	with = run(programs[_i], output, sizeof(output));
	for (int i = 0; i < HEXAGON_MEMORY_COUNTS; i++)
		ck_assert_uint_eq(sum(&with, i), sum(&without, i));
	ck_assert_mem_eq(with.cycles, without.cycles, sizeof(with.cycles));
	/* scalar accesses of the program counted on paper: 7 loads, a store, a memop that does both */
	if (!_i)
		ck_assert_uint_eq(sum(&with, HEXAGON_DATA), 10);
	ck_assert_uint_gt(sum(&with, HEXAGON_FETCHES), 0);
}

TEST(six_threads_run_together)
{
	char output[64] = "";
	struct hexagon_totals now = run("six-threads", output, sizeof(output));
	uint64_t weighted = 0, all = 0, each = 0;

	ck_assert_str_eq(output, "the threads agree\n");
	for (unsigned int n = 1; n <= 6; n++) {
		all += cycles(&now, n);
		weighted += n * cycles(&now, n);
		each += packets(&now, n);
	}
	/* each packet is counted under one number of running threads */
	ck_assert_uint_eq(each, sum(&now, HEXAGON_PACKETS));
	ck_assert_uint_eq(weighted, 3 * each);
	for (unsigned int i = 0; i < 6; i++)
		ck_assert_uint_gt(now.count[i][HEXAGON_PACKETS], 0);
	/* six equal threads, the last one created a few dozen packets after the first */
	ck_assert_uint_ge(weighted * 100, all * 595);
	ck_assert_uint_le(weighted, all * 6);
}

/*
 * examples/hexagon/uneven.S: main executes 3 packets, 7 for each child (4 up to the clone, then 3), two, its loop and two
 * more; its last clone ends at packet 3 + 7 * children - 3. A child begins there and executes 2, two, its loop and three. No
 * stalls: 3 cycles a packet.
 *
 * hides: main 3 + 7 + 2 + 3000000 + 2 = 3000014 packets; the child begins at 7, and has 1007.
 * ends: main 3 + 21 + 2 + 5000 + 2 = 5028; children begin at 7, 14 and 21 and have 1007 each: three run from 14 to 21 (main
 *	and two), four from 21 to 1014.
 * cut: main 3 + 14 + 2 + 500 + 2 = 521; the children begin at 7 and at 14 and run until it ends, as a packet is a block:
 *	521 - 7 and 521 - 14.
 */
struct uneven {
	unsigned int children, main_times, child_times, stride;
};

/* Cycles that a child of uneven.S waits for its loads: of 64 bytes one is from memory, of its second 32 from the L2. */
static uint64_t data_waits(const struct uneven *u)
{
	if (!u->stride)
		return 0;
	return u->stride >= 64 ? 150 * u->child_times : (150 + 12) * (u->child_times / (64 / u->stride));
}

/* A thread runs from one clock to another. */
struct life {
	uint64_t begin, end;
};

static int by_clock(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Cycles in which exactly n of so many threads run. */
static uint64_t cycles_on_paper(const struct life *life, unsigned int threads, unsigned int n)
{
	uint64_t clock[2 * HEXAGON_MAX_THREADS], all = 0;

	for (unsigned int i = 0; i < threads; i++) {
		clock[2 * i] = life[i].begin;
		clock[2 * i + 1] = life[i].end;
	}
	qsort(clock, 2 * threads, sizeof(clock[0]), by_clock);
	for (unsigned int i = 0; i + 1 < 2 * threads; i++) {
		unsigned int running = 0;

		for (unsigned int t = 0; t < threads; t++)
			running += life[t].begin <= clock[i] && clock[i] < life[t].end;
		all += running == n ? clock[i + 1] - clock[i] : 0;
	}
	return all;
}

/*
 * uneven.S whose main outlives its children, with stalls or without. A line ends before main's loop0 and one before the
 * child's code: who comes first waits 150, main twice, the first child once. A child's jump is taken, which is predicted
 * wrong: 4. Main's jump back is predicted wrong the first two times that it is taken, and, after two, when it is not taken.
 */
static void assert_paper(const char *program, const struct uneven *u)
{
	uint64_t stall = features == HEXAGON_FEATURE_TIMING;
	struct life life[HEXAGON_MAX_THREADS] = { { .end = 3 * 7 + 150 * stall } };
	struct hexagon_totals now;
	char output[16];

	for (unsigned int k = 1; k <= u->children; k++) {
		if (k > 1)
			life[0].end += 3 * 7 + (k <= 3) * 4 * stall;
		life[k].begin = life[0].end;
		life[k].end = life[0].end + 3 * (7 + u->child_times) + (data_waits(u) + 4 + (k == 1) * 150) * stall;
	}
	life[0].end += 3 * (3 + 4 + u->main_times) + (150 + (u->children > 2) * 4) * stall;
	now = run(program, output, sizeof(output));
	for (unsigned int t = 0; t <= u->children; t++) {
		/* or the formula is wrong */
		ck_assert_uint_le(life[t].end, life[0].end);
		ck_assert_uint_eq(now.count[t][HEXAGON_PACKETS],
				  t ? 7 + u->child_times : 3 + 7 * u->children + 4 + u->main_times);
		ck_assert_uint_eq(now.hidden[t][HEXAGON_STALL_DATA] + now.open[t][HEXAGON_STALL_DATA],
				  t ? data_waits(u) * stall : 0);
		ck_assert_msg(cycles(&now, t + 1) == cycles_on_paper(life, u->children + 1, t + 1),
			      "%s: cycles of %u threads are %lu, not %lu", program, t + 1,
			      (unsigned long)cycles(&now, t + 1),
			      (unsigned long)cycles_on_paper(life, u->children + 1, t + 1));
	}
}

/* The Makefile has the rows: paper-CHILDREN-MAIN_TIMES-CHILD_TIMES-STRIDE. */
LOOP_TEST(cycles_of_thirty_programs_on_paper, 0, 2)
{
	glob_t found;

	ck_assert_int_eq(glob(PROGRAMS "paper-*", 0, NULL, &found), 0);
	ck_assert_uint_ge(found.gl_pathc, 30);
	features = _i ? HEXAGON_FEATURE_TIMING : 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = found.gl_pathv[i] + strlen(PROGRAMS);
		struct uneven u;

		ck_assert_int_eq(sscanf(name, "paper-%u-%u-%u-%u", &u.children, &u.main_times, &u.child_times, &u.stride), 4);
		assert_paper(name, &u);
	}
	globfree(&found);
}

LOOP_TEST(unequal_threads_derived_on_paper, 0, 3)
{
	static const struct {
		const char *program;
		uint64_t count[4], rounds[5];
	} parts[] = {
		{ "uneven-hides", { 3000014, 1007 }, { 0, 3000014 - 1007, 1007 } },
		{ "uneven-ends", { 5028, 1007, 1007, 1007 }, { 0, 7 + 5028 - 1028, 7 + 7, 7 + 7, 1014 - 21 } },
		{ "uneven-cut", { 521, 514, 507 }, { 0, 7, 7, 521 - 14 } },
	};
	char output[16];
	struct hexagon_totals now = run(parts[_i].program, output, sizeof(output));

	for (unsigned int t = 0; t < 4; t++)
		ck_assert_uint_eq(now.count[t][HEXAGON_PACKETS], parts[_i].count[t]);
	for (unsigned int n = 1; n < 5; n++)
		ck_assert_uint_eq(cycles(&now, n), 3 * parts[_i].rounds[n]);
}

/*
 * A thread that waits holds no other. The child's 1000 loads are 64 bytes apart: each waits for memory, 150 cycles, which
 * main hides. So both run for 3 * 1007 + 150000 cycles, four of a redirect (its branch after the clone is taken) and
 * the fetch of its code: its first two packets are in the line that main has fetched, its loop in the next one, 150. In
 * that time main executes a packet every 3 cycles. It waits for its own first line and for the one that its loop
 * begins in.
 */
TEST(a_waiting_thread_holds_no_other)
{
	char output[16];
	struct hexagon_totals now;

	features = HEXAGON_FEATURE_TIMING;
	now = run("uneven-hides", output, sizeof(output));
	ck_assert_uint_eq(now.hidden[1][HEXAGON_STALL_DATA], 150000);
	ck_assert_uint_eq(now.open[1][HEXAGON_STALL_DATA], 0);
	ck_assert_uint_eq(cycles(&now, 2), 3 * 1007 + 150000 + 4 + 150);
	/* two threads: about 2.9 cycles for each packet */
	ck_assert_uint_ge(packets(&now, 2), cycles(&now, 2) / 3 + 1007 - 102);
	ck_assert_uint_le(packets(&now, 2), cycles(&now, 2) / 3 + 1007);
}

static uint64_t value_of(const struct hexagon_totals *now, const char *name)
{
	return hexagon_event_value(&core, now, hexagon_event_find(&core, name), 0);
}

/*
 * Clusters are 0 to 2 and 3 to 5 on V73, and a program's threads take hardware threads from 0 on. Of main and up to two children
 * no two packets begin in one cycle. Thread 3 is the first one in the other cluster and has the turn of thread 0: each of its
 * packets begins with one of main, which runs longer.
 */
LOOP_TEST(threads_fill_the_first_cluster, 1, 4)
{
	static const char *const programs[] = { "", "paper-1-4000-1000-0", "paper-2-4000-1000-0", "paper-3-5000-1000-0" };
	static const char *const all[] = {
		"", "", "committed_pkt_2_thread_running_2t_plus_0t", "committed_pkt_3_thread_running_3t_plus_0t",
		"committed_pkt_4_thread_running_3t_plus_1t",
	};
	struct hexagon_totals now;
	char output[16];

	hexagon_core_init(&core, 73);
	now = run(programs[_i], output, sizeof(output));
	ck_assert_uint_gt(packets(&now, _i + 1), 0);
	ck_assert_uint_eq(value_of(&now, all[_i + 1]), packets(&now, _i + 1));
	ck_assert_uint_eq(value_of(&now, "cycles_2_packet_committed"), now.count[3][HEXAGON_PACKETS]);
}

/*
 * redirect.S. The first packet waits 150 cycles for its line, the trap ends at 159, where the child begins. Both execute two
 * packets up to 165. The child's branch waits from 165 to 169; main executes two packets, up to 171, and then waits for its load.
 * The child's next packet is from 169 to 172; from then on it waits for its line, and main, until 321, for its load.
 */
TEST(a_branch_waits_before_the_next_packet)
{
	struct hexagon_totals now;
	char output[64];

	features = HEXAGON_FEATURE_TIMING;
	now = run("tests/unit/hexagon/redirect", output, sizeof(output));
	ck_assert_uint_eq(now.hidden[1][HEXAGON_STALL_REDIRECT], 4);
	ck_assert_uint_eq(now.open[1][HEXAGON_STALL_REDIRECT], 0);
	ck_assert_uint_eq(now.hidden[0][HEXAGON_STALL_DATA], 1);
	ck_assert_uint_eq(now.open[0][HEXAGON_STALL_DATA], 321 - 172);
}

/*
 * events.S, in packets: main executes 11, 7 for each of five children (4 up to the clone, then 3), 2, 2000
 * and 2. Child k begins at 11 + 7 * (k - 1) + 4 and executes 10 and its loop if it has vectors, else 8 and its loop. Main's
 * context begins at 1, that of child 1 at 15 + 5 and those of 3 and 4 14 and 21 later; 4 ends at 15 + 21 + 210, 1 at 15 +
 * 310, 3 at 15 + 14 + 410. So there are two contexts for 14 and for 439 - 325, three for 7 and for 325 - 246, four for 246 -
 * 41. Main and the children 1, 3 and 4 have a permutation and a shift each.
 */
TEST(events_derived_on_paper)
{
	char output[16];
	struct hexagon_totals now = run("events", output, sizeof(output));

	ck_assert_uint_eq(sum(&now, HEXAGON_PACKETS), 11 + 35 + 2004 + 310 + 410 + 210 + 2 * 108);
	ck_assert_uint_eq(now.contexts[2], 3 * (14 + 114));
	ck_assert_uint_eq(now.contexts[3], 3 * (7 + 79));
	ck_assert_uint_eq(now.contexts[4], 3 * 205);
	ck_assert_uint_eq(sum(&now, HEXAGON_HVX_PERMUTE), 4);
	ck_assert_uint_eq(sum(&now, HEXAGON_HVX_SHIFT), 4);
	ck_assert_uint_eq(sum(&now, HEXAGON_FPS), 1);
	ck_assert_uint_eq(sum(&now, HEXAGON_INDIRECT), 2);
}

/* The greatest value of each event over some programs. */
struct greatest {
	uint64_t value[1024];
	const struct hexagon_totals *now;
	unsigned int supplied, counting;
};

static void take_greatest(void *data, const char *name, unsigned int code)
{
	struct greatest *g = data;
	uint64_t value = hexagon_event_value(&core, g->now, code, 0);

	(void)name;
	if (value > g->value[code])
		g->value[code] = value;
}

static void assert_counts(void *data, const char *name, unsigned int code)
{
	struct greatest *g = data;

	if (!hexagon_event_supplied(&core, code))
		return;
	g->supplied++;
	g->counting += g->value[code] > 0;
	/* qemu-hexagon has no matrix unit */
	ck_assert_msg(g->value[code] > 0 || strcmp(name, "hmx_pkt_thread") == 0, "V%u: no program makes %s count",
		      core.version, name);
}

/* Each event that a core supplies counts in one of these programs, on a core with its usual threads or with eight. */
LOOP_TEST(each_event_counts, 0, 4)
{
	static const struct {
		const char *name;
		unsigned int operations;
	} programs[] = {
		{ "events", 0 }, { "hand", 0 }, { "hvx-add", 0 }, { "memory-branches", 0 }, { "memory-ahead", HEXAGON_OPERATES_CACHES },
		{ "memory-l2fetch", HEXAGON_OPERATES_CACHES }, { "memory-vectors", 0 }, { "memory-stores", 0 },
		{ "memory-zero", 0 }, { "eight-threads", 0 },
	};
	static const unsigned int versions[] = { 65, 69, 73, 79 };
	static struct hexagon_totals now;
	struct greatest g = { .now = &now };
	char output[64];

	features = HEXAGON_FEATURE_TIMING;
	hexagon_core_init(&core, versions[_i]);
	core.stalls = true;
	for (unsigned int usual = core.threads; ; core.threads = HEXAGON_MAX_THREADS) {
		for (unsigned int i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
			operations = programs[i].operations;
			now = run(programs[i].name, output, sizeof(output));
			hexagon_events_list(&core, take_greatest, &g);
		}
		hexagon_events_list(&core, assert_counts, &g);
		if (core.threads != usual || core.version < 73)
			break;
	}
}

LOOP_TEST(the_examples_compute_right, 0, 3)
{
	static const struct {
		const char *program, *says;
		bool vectors;
	} examples[] = {
		/* 256 times 0+...+15 = 120, times 3, times 200 rounds */
		{ "dot", "dot product: 18432000\n", false },
		/* 0+...+15 */
		{ "fir", "filtered: 120\n", false },
		/* 63 + 1000 */
		{ "hvx-add", "sum: 1063\n", true },
	};
	char output[64] = "";
	struct hexagon_totals now = run(examples[_i].program, output, sizeof(output));

	ck_assert_str_eq(output, examples[_i].says);
	ck_assert_int_eq(sum(&now, HEXAGON_HVX_PACKETS) > 0, examples[_i].vectors);
	ck_assert_uint_gt(sum(&now, HEXAGON_LOOP_ENDS), sum(&now, HEXAGON_ENDLOOP));
	ck_assert_uint_gt(sum(&now, HEXAGON_ENDLOOP), 0);
}

TEST(live_counts_never_decrease)
{
	struct hexagon_totals before = { 0 }, now;
	const struct hexagon_feed *feed;
	const struct timespec tick = { .tv_nsec = 1000000 };
	unsigned int moved = 0, samples = 0;
	pid_t pid;
	int status;

	pid = start("six-threads-long", NULL);
	while (!feed_has_begun())
		nanosleep(&tick, NULL);
	feed = map_feed();
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (hexagon_feed_read(feed, &now) == HEXAGON_FEED_OK) {
			for (unsigned int n = 0; n <= 6; n++)
				ck_assert_uint_ge(cycles(&now, n), cycles(&before, n));
			for (unsigned int i = 0; i < 6; i++)
				for (int c = 0; c < HEXAGON_COUNTS; c++)
					ck_assert_uint_ge(now.count[i][c], before.count[i][c]);
			moved += now.count[0][HEXAGON_PACKETS] > before.count[0][HEXAGON_PACKETS];
			samples++;
			before = now;
		}
		nanosleep(&tick, NULL);
	}
	ck_assert_int_eq(status, 0);
	ck_assert_uint_gt(samples, 10);
	ck_assert_uint_gt(moved, 5);
	ck_assert_int_eq(hexagon_feed_read(feed, &now), HEXAGON_FEED_OK);
	for (unsigned int n = 0; n <= 6; n++)
		ck_assert_uint_ge(cycles(&now, n), cycles(&before, n));
}
