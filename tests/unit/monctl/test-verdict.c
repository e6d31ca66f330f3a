// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl/answer/verdict.c with the rules of events/metrics/: programs whose bottleneck is known, from counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tools/monctl/answer/budget.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/verdict-internal.h"
#include "tools/monctl/answer/verdict.h"

/* Counters of a PMU: an event, and its counts in the places 0, 1, ... up to a count of -1; or in all of them. */
#define MOST_PLACES 6
#define COLUMNS 3
#define NOWHERE (-1)

struct count {
	const char *event;
	double in[MOST_PLACES + 1];
	bool is_total;
};

struct program {
	const char *what;
	const char *pmu, *noun;
	struct count counts[16];
	/* The beginning of the sentences, in their order; NULL: there is none. */
	const char *says;
	const char *absent;		/* events that the PMU does not have, in one line each */
	size_t windows;			/* all but the clock counted in the first of them */
};

#define IN(...) { __VA_ARGS__, NOWHERE }, false
#define ALL(value) { value, NOWHERE }, true
#define ESP "espmon", "tile"
#define UPMEM "upmem", "dpu"
#define HEXAGON "hexagon", "thread"
#define MRFLD "mrfld_visa", "place"
/* An accelerator's tile has no other operating point. */
#define TILE_CYCLES(...) { "dvfs_op0", IN(__VA_ARGS__) }, { "dvfs_op1", IN(__VA_ARGS__) }, { "dvfs_op2", IN(__VA_ARGS__) }
#define NO_STALLS "absent\tiu_no_pkt_pview_cycles\nabsent\tdu_cache_miss_pview_cycles\nabsent\tcoproc_busy_pview_cycles\n" \
	"absent\tredirect_pview_cycles\n"
/* What a core with stalls=on counts. */
#define CORE(packets, off, fetch, data, vector, branch) \
	{ "committed_pkt_any", ALL(packets) }, { "thread_off_pview_cycles", ALL(off) }, \
	{ "iu_no_pkt_pview_cycles", ALL(fetch) }, { "du_cache_miss_pview_cycles", ALL(data) }, \
	{ "coproc_busy_pview_cycles", ALL(vector) }, { "redirect_pview_cycles", ALL(branch) }
#define AGENTS(ticks, gfx, disp, imaging, mod0, slow) \
	{ "clock_counter", ALL(ticks) }, { "gfx_reqs", ALL(gfx) }, { "disp_reqs", ALL(disp) }, \
	{ "imaging_reqs", ALL(imaging) }, { "mod0_reqs", ALL(mod0) }, { "lowspeedpf_reqs", ALL(slow) }
#define DPUS(cycles, instructions, reads, writes) \
	{ "dpu_cycles", cycles }, { "dpu_instructions", instructions }, { "read_64bit_instruction", reads }, \
	{ "write_64bit_instruction", writes }

/*
 * Each has one known answer, by construction. The first twenty are those of a review, in its order; its fourth and ninth have
 * fewer tiles here, its fourteenth fewer DPUs.
 */
static const struct program programs[] = {
	/* the worked story of docs/monctl.md: 1662447 / 4306701 = 38.6 %, 248502 / 2892522 = 8.59 % */
	{ "three FFTs, one coherent", ESP, {
		{ "acc_mem_cycles", IN(248502, 248487, 1662447) }, { "acc_tlb", IN(1980, 1980, 2214) },
		{ "acc_tot_cycles", IN(2892522, 2892507, 4306701) }, TILE_CYCLES(0, 0, 0),
		{ "dvfs_op3", IN(30000000, 30000000, 30000000) } },
	  "Tile 2 (dev) computed in 61 % of its run time; transfers 39 %. Tiles 0 and 1 (dev): computing 91 %.", NULL, 0 },
	{ "one FFT alone computes", ESP, {
		{ "acc_mem_cycles", IN(248502) }, { "acc_tlb", IN(1980) }, { "acc_tot_cycles", IN(2892522) },
		TILE_CYCLES(0), { "dvfs_op3", IN(3000000) } },
	  "Tile 0 (dev) computed in 91 % of its run time.", NULL, 0 },
	/* 10569 / 293750000 = 0.0036 % */
	{ "one FFT of 512 points, then 3 s of sleep", ESP, {
		{ "acc_mem_cycles", IN(1057) }, { "acc_tlb", IN(33) }, { "acc_tot_cycles", IN(10569) },
		TILE_CYCLES(0), { "dvfs_op3", IN(293750000) } },
	  "Tile 0 (dev) computed in 90 % of its run time. The accelerators were idle most of the time: the busiest one ran 0.004 % of it.", NULL, 0 },
	/* 4306701 / 30000000000 = 0.014 %: a slow emulator, or a program that does something else */
	{ "an FFT that waits, and hardly runs", ESP, {
		{ "acc_mem_cycles", IN(1662447) }, { "acc_tlb", IN(2214) }, { "acc_tot_cycles", IN(4306701) },
		TILE_CYCLES(0), { "dvfs_op3", IN(30000000000) } },
	  "Tile 0 (dev) computed in 61 % of its run time; transfers 39 %. The accelerators were idle most of the time: the busiest one ran 0.01 % of it.", NULL, 0 },
	{ "accelerators in a row, one memory tile", ESP, {
		{ "acc_mem_cycles", IN(NAN, 5000, NAN, 84000, 84000, 6000) }, { "acc_tlb", IN(NAN, 1, NAN, 1, 1, 1) },
		{ "acc_tot_cycles", IN(NAN, 100000, NAN, 100000, 100000, 100000) } },
	  "Tiles 3 and 4 (dev) had transfers under way in 84 % of their run time. Tiles 1 and 5 (dev): computing 94 to 95 %."
	  " What an accelerator computes during its transfers is not counted.", NULL, 0 },
	{ "an accelerator thrashes the LLC", ESP, {
		{ "acc_mem_cycles", IN(NAN, 780000) }, { "acc_tlb", IN(NAN, 10) }, { "acc_tot_cycles", IN(NAN, 1000000) },
		{ "llc_hits", IN(262148) }, { "llc_misses", IN(262148) } },
	  "Tile 1 (dev) had transfers under way in 78 % of its run time. What an accelerator computes during its transfers is not counted."
	  " The last-level cache missed 50 % of its requests: 262148 lines came from DRAM.", NULL, 0 },
	{ "matmul on one CPU", ESP, {
		{ "l2_hits", IN(970000) }, { "l2_misses", IN(30000) }, { "llc_hits", ALL(29000) }, { "llc_misses", ALL(1000) },
		{ "coh_fwds", ALL(0) }, { "noc_injects_p0", ALL(60000) }, { "noc_injects_p1", ALL(0) },
		{ "noc_injects_p2", ALL(180000) }, { "noc_injects_p3", ALL(0) }, { "noc_injects_p5", ALL(0) },
		TILE_CYCLES(0), { "dvfs_op3", IN(24000000) } },
	  "Tile 0 (dev): 97 % of its requests hit the private L2, which hardly costs time. What a processor computes is not counted.", NULL, 0 },
	/* 24240000 / 30300; the second one alone missed 30 % of its thousand */
	{ "a CPU that works, and one that hardly does", ESP, {
		{ "l2_hits", IN(970000, 700) }, { "l2_misses", IN(30000, 300) }, { "llc_hits", ALL(29000) },
		{ "llc_misses", ALL(1000) }, { "coh_fwds", ALL(0) }, TILE_CYCLES(0, 0), { "dvfs_op3", IN(24240000, 24240000) } },
	  "Tile 0 (dev): 97 % of its requests hit the private L2, which hardly costs time. What a processor computes is not counted.", NULL, 0 },
	/* all of its loads hit the L1, which counts nothing: what misses is the system around it */
	{ "a pointer chase in the L1", ESP, {
		{ "l2_hits", IN(1201000) }, { "l2_misses", IN(267000) }, { "llc_hits", ALL(327000) }, { "llc_misses", ALL(167000) },
		{ "coh_fwds", ALL(45000) }, TILE_CYCLES(0), { "dvfs_op3", IN(417054000) } },
	  "Tile 0 (dev): 82 % of its requests hit the private L2, which hardly costs time. What a processor computes is not counted.", NULL, 0 },
	/* 20 * 40000 of 10000000 cycles at least: neither much nor little */
	{ "a CPU that may wait", ESP, {
		{ "l2_hits", IN(60000) }, { "l2_misses", IN(40000) }, { "llc_hits", ALL(30000) }, { "llc_misses", ALL(10000) },
		{ "coh_fwds", ALL(0) }, TILE_CYCLES(0), { "dvfs_op3", IN(10000000) } }, "Tile 0 (dev): 40 % of its requests missed the private L2; hits 60 %.", NULL, 0 },
	/* no tile counted its cycles: whether misses take much of them is not known, but hardly anything hit */
	{ "a CPU whose tile counts no cycles", ESP, {
		{ "l2_hits", IN(1100000) }, { "l2_misses", IN(15000000) }, { "llc_hits", ALL(14000000) }, { "llc_misses", ALL(1000000) },
		{ "coh_fwds", ALL(0) } }, "Tile 0 (dev): 93 % of its requests missed the private L2", NULL, 0 },
	{ "a pointer chase on one CPU", ESP, {
		{ "l2_hits", IN(600000) }, { "l2_misses", IN(400000) }, { "llc_hits", ALL(228000) },
		{ "llc_misses", ALL(172000) }, { "coh_fwds", ALL(0) }, { "noc_injects_p0", ALL(800000) },
		{ "noc_injects_p1", ALL(0) }, { "noc_injects_p2", ALL(2400000) }, { "noc_injects_p3", ALL(0) },
		{ "noc_injects_p5", ALL(0) }, TILE_CYCLES(0), { "dvfs_op3", IN(24000000) } },
	  "Tile 0 (dev): 40 % of its requests missed the private L2; hits 60 %. The last-level cache missed 43 % of its requests", NULL, 0 },
	/* two processors; the second one is idle, and what its L2 owns pins 40 % of the sets */
	{ "a walk that fits but for the sets that an idle processor pins", ESP, {
		{ "l2_hits", IN(600000, 100) }, { "l2_misses", IN(400000, 10) }, { "llc_hits", ALL(640000) },
		{ "llc_misses", ALL(160000) }, { "coh_fwds", ALL(0) }, TILE_CYCLES(0), { "dvfs_op3", IN(24000000) } },
	  "Tile 0 (dev): 40 % of its requests missed the private L2; hits 60 %. Lines that another L2 owns and does not use can pin "
	  "sets of the last-level cache", NULL, 0 },
	/* both walk: nobody is idle */
	{ "two walks", ESP, {
		{ "l2_hits", IN(600000, 600000) }, { "l2_misses", IN(400000, 400000) }, { "llc_hits", ALL(1280000) },
		{ "llc_misses", ALL(320000) }, { "coh_fwds", ALL(0) }, TILE_CYCLES(0, 0), { "dvfs_op3", IN(24000000, 24000000) } },
	  "Tiles 0 and 1 (dev): 40 % of their requests missed the private L2; hits 60 %.", NULL, 0 },
	/* the two phases of one recording are answered one by one: test-recording.c cuts them */
	{ "a phase that waits", ESP, {
		{ "acc_mem_cycles", IN(NAN, 75000) }, { "acc_tlb", IN(NAN, 0) }, { "acc_tot_cycles", IN(NAN, 100000) } },
	  "Tile 1 (dev) had transfers under way in 75 % of its run time; computing 25 %. What an accelerator computes during its transfers is not counted.", NULL, 0 },
	{ "a busy tile among many", ESP, {
		{ "acc_mem_cycles", IN(3000, 74000, 2000, 1000, 1000, 1000) }, { "acc_tlb", IN(0, 0, 0, 0, 0, 0) },
		{ "acc_tot_cycles", IN(100000, 100000, 100000, 100000, 100000, 100000) } },
	  "Tile 1 (dev) had transfers under way in 74 % of its run time; computing 26 %. Tiles 0, 2, 3, 4 and 5 (dev): computing 97 to 99 %."
	  " What an accelerator computes during its transfers is not counted.", NULL, 0 },
	/* 4 * 12800 cycles of DMA are less than there are instructions */
	{ "16 tasklets add", UPMEM, { DPUS(IN(1000000), IN(990000), IN(6400), IN(6400)) },
	  "DPU 0 (dev) issued instructions in 99 % of its cycles. Loops that wait for a mutex issue instructions, too.", NULL, 0 },
	/* 4 * 192000 - 30000 = 738000; how many transfers these are is not known */
	{ "transfers of 512 bytes without work", UPMEM, { DPUS(IN(1000000), IN(30000), IN(192000), IN(0)) },
	  "DPU 0 (dev) waited for its DMA engines in at least 74 % of its cycles. Each transfer holds the engine for 33 cycles more", NULL, 0 },
	{ "one tasklet", UPMEM, { DPUS(IN(1100000), IN(100000), IN(100), IN(0)) },
	  "No tasklet of DPU 0 (dev) was ready in 91 % of its cycles. Fewer than 11 tasklets run, or they wait for each other.", NULL, 0 },
	/* no counter tells a spin from work; the sentence says so */
	{ "16 tasklets on one mutex", UPMEM, { DPUS(IN(1000000), IN(995000), IN(16), IN(16)) },
	  "DPU 0 (dev) issued instructions in 100 % of its cycles. Loops that wait for a mutex issue instructions, too.", NULL, 0 },
	/* each issues all of its own time, so the one that runs longest limits */
	{ "each DPU has more work than the one before", UPMEM, {
		DPUS(IN(700000, 800000, 900000, 1000000), IN(697000, 797000, 898000, 998000), IN(0, 0, 0, 0), IN(0, 0, 0, 0)) },
	  "DPU 3 (dev) issued instructions in 100 % of its cycles. DPUs 0 to 2 (dev): issuing instructions 70 to 90 %.", NULL, 0 },
	{ "a DPU with twenty times the work", UPMEM, {
		DPUS(IN(50000, 50000, 50000, 1000000), IN(49000, 49000, 49000, 980000), IN(50, 50, 50, 1000), IN(0, 0, 0, 0)) },
	  "DPU 3 (dev) issued instructions in 98 % of its cycles. DPUs 0 to 2 (dev) did at most 5.0 % as much.", NULL, 0 },
	/* 4 * 20000 are less than the instructions; 33 * 20000 of the other 600000 may begin transfers */
	{ "16 tasklets, transfers of 8 bytes", UPMEM, { DPUS(IN(800000), IN(200000), IN(20000), IN(0)) },
	  "DPU 0 (dev): in 75 % of its cycles a transfer began, or no tasklet was ready: which of both is not known; issuing instructions 25 %. -p dma counts", NULL, 0 },
	/* a packet of 43 cycles in two clusters: 1 commit, 5 turns of threads that are off, 80 cycles for data */
	{ "each load misses", HEXAGON, { CORE(10000, 50000, 0, 800000, 0, 0) },
	  "Hardware threads waited for data in 93 % of the cycles, after misses of the data cache.", NULL, 0 },
	{ "six equal threads", HEXAGON, {
		{ "committed_pkt_any", ALL(60000) }, { "thread_off_pview_cycles", ALL(0) }, { "committed_insts", ALL(62880) } },
	  "Hardware threads committed packets in 100 % of the cycles, with 1.05 instructions/packet of at most 4.", NO_STALLS, 0 },
	{ "48 KiB of code", HEXAGON, { CORE(10000, 50000, 120000, 1000, 0, 500) },
	  "Hardware threads waited for instructions in 66 % of the cycles, after misses of the instruction cache; idle 27.5 %.", NULL, 0 },
	{ "graphics work, the display hardly", MRFLD, { AGENTS(680e6, 8388608, 65536, 0, 0, 0) },
	  "The graphics controller made 99 % of the requests. Together they were at most 3.73 % of what both channels can move in all of the time, "
	  "start-up included.", NULL, 0 },
	/* 16 million requests in a tenth of 400 million ticks: 16e6 * 64 * 400e6 / 8528e6 / 40e6 = 120 % */
	{ "four agents ask for more than there is", MRFLD, { AGENTS(400e6, 4e6, 4e6, 4e6, 0, 4e6) },
	  "DRAM is the bottleneck, and the graphics controller made 25 % of the requests; the display controller 25 %; "
	  "the imaging controller 25 %; the low-speed peripheral fabric 25 %. In the busiest sample", NULL, 10 },

	/* ---- twenty more ---- */
	{ "a phase that computes", ESP, {
		{ "acc_mem_cycles", IN(NAN, 9000) }, { "acc_tlb", IN(NAN, 0) }, { "acc_tot_cycles", IN(NAN, 100000) } },
	  "Tile 1 (dev) computed in 91 % of its run time.", NULL, 0 },
	{ "accelerators did not run", ESP, {
		{ "acc_mem_cycles", IN(0, 0) }, { "acc_tlb", IN(0, 0) }, { "acc_tot_cycles", IN(0, 0) },
		TILE_CYCLES(0, 0), { "dvfs_op3", IN(78125000, 78125000) } }, "Nothing ran: none of the counted devices did anything.", NULL, 0 },
	/* 8000 / (4000 + 1000) */
	{ "two CPUs write the same lines", ESP, {
		{ "l2_hits", IN(50000, 50000) }, { "l2_misses", IN(20000, 20000) },
		{ "coh_fwds", ALL(8000) }, { "llc_hits", ALL(4000) }, { "llc_misses", ALL(1000) },
		TILE_CYCLES(0, 0), { "dvfs_op3", IN(2000000, 2000000) } },
	  "Tiles 0 and 1 (dev): 29 % of their requests missed the private L2, as caches took lines from each other; hits 71 %.", NULL, 0 },
	{ "two CPUs with lines of their own", ESP, {
		{ "l2_hits", IN(990000, 960000) }, { "l2_misses", IN(10000, 40000) },
		{ "coh_fwds", ALL(2000) }, { "llc_hits", ALL(44000) }, { "llc_misses", ALL(6000) },
		TILE_CYCLES(0, 0), { "dvfs_op3", IN(40000000, 40000000) } },
	  "Tile 1 (dev): 96 % of its requests hit the private L2, which hardly costs time. What a processor computes is not counted. Tile 0 (dev) did 25 % as much.", NULL, 0 },
	/* the second story: 123000 + 122960 flits of planes 0 and 2; 150673 / 1031815 = 14.6 % */
	{ "an FFT with full coherence", ESP, {
		{ "acc_tot_cycles", IN(1031815) }, { "acc_mem_cycles", IN(150673) }, { "acc_tlb", IN(0) },
		{ "noc_injects_p0", ALL(123000) }, { "noc_injects_p1", ALL(0) }, { "noc_injects_p2", ALL(122960) },
		{ "noc_injects_p3", ALL(0) }, { "noc_injects_p5", ALL(0) }, { "l2_misses", ALL(20500) },
		{ "ddr_accesses", ALL(2050) } },
	  "Tile 0 (dev) computed in 85 % of its run time. Coherence moved the accelerators' data: 245960 flits of protocol", NULL, 0 },
	{ "two tasklets that add", UPMEM, { DPUS(IN(1100000), IN(200000), IN(100), IN(0)) },
	  "No tasklet of DPU 0 (dev) was ready in 82 % of its cycles. Fewer than 11 tasklets run", NULL, 0 },
	/* 2000000 - 4 * 128000 = 1488000 cycles, 74 %, are neither instructions nor words */
	{ "one tasklet that adds what it reads", UPMEM, { DPUS(IN(2000000), IN(100000), IN(128000), IN(0)) },
	  "DPU 0 (dev): in 74 % of its cycles a transfer began, or no tasklet was ready: which of both is not known", NULL, 0 },
	/* vecadd: 224210240 cycles */
	{ "the engine never rests, and neither does the pipeline", UPMEM, {
		DPUS(IN(224210240), IN(202945600), IN(33554432), IN(16777216)) },
	  /* 4 * 50331648 / 224210240 = 89.8 %; 90.5 % */
	  "DPU 0 (dev): its DMA engines moved words in 90 % of the cycles. The others are beginnings of transfers, 33 cycles each, and rest: -p dma counts transfers. DPU 0 (dev) issued instructions in 91 % of its cycles.", NULL, 0 },
	{ "DPUs with equal work", UPMEM, { DPUS(IN(100000, 100000, 101000), IN(99000, 99000, 99000), IN(0, 0, 0), IN(0, 0, 0)) },
	  "DPUs 0 to 2 (dev) issued instructions in 98 % of their cycles.", NULL, 0 },
	{ "vector loads miss the L2", HEXAGON, { CORE(10000, 50000, 0, 0, 400000, 0) },
	  "Hardware threads waited for the vector unit in 87 % of the cycles, for loads that missed the L2 or for a free context.", NULL, 0 },
	{ "branches that cannot be told", HEXAGON, { CORE(10000, 15000, 100, 0, 0, 40000) },
	  "Hardware threads waited after mispredicted branches in 61 % of the cycles; idle 23 %.", NULL, 0 },
	/* one packet in six turns */
	{ "one thread without stalls", HEXAGON, {
		{ "committed_pkt_any", ALL(10000) }, { "thread_off_pview_cycles", ALL(50000) }, { "committed_insts", ALL(11000) } },
	  "Hardware threads committed packets in 17 % of the cycles, with 1.1 instructions/packet of at most 4; idle 83.3 %. Too few of the 6 hardware threads had something to do.", NO_STALLS, 0 },
	/* 4108 packets, 300 cycles in which the only thread waits for instructions and so both clusters: 20540 of 25248 */
	{ "one thread that stores", HEXAGON, { CORE(4108, 20540, 600, 0, 0, 0) },
	  "Hardware threads committed packets in 16 % of the cycles; idle 81.4 %. Too few of the 6 hardware threads", NULL, 0 },
	/* the largest part, though less than half */
	{ "three threads that wait for data", HEXAGON, { CORE(25000, 45000, 0, 30000, 0, 0) },
	  "Hardware threads waited for data in 30 % of the cycles, after misses of the data cache; committing packets 25 %; idle 45 %.", NULL, 0 },
	{ "one thread, by cycles", HEXAGON, {
		{ "cycles_1_thread_running", ALL(9000) }, { "cycles_2_thread_running", ALL(0) },
		{ "cycles_3_thread_running", ALL(0) }, { "cycles_4_thread_running", ALL(0) },
		{ "cycles_5_thread_running", ALL(0) }, { "cycles_6_thread_running", ALL(0) } },
	  "Hardware threads are idle: 1 of 6 ran on average while any did.", NULL, 0 },
	/* D4: the event counts the cycles of both clusters, so it has no meaning for a packet */
	{ "waits and packets alone", HEXAGON, {
		{ "du_cache_miss_pview_cycles", ALL(804000) }, { "committed_pkt_any", ALL(10000) } }, NULL, NULL, 0 },
	/* D1: packets of six threads, instructions of two */
	{ "operands of different places", HEXAGON, {
		{ "committed_pkt_any", IN(10000, 10000, 10000, 10000, 10000, 10000) }, { "committed_insts", IN(10476, 10476) } },
	  NULL, NULL, 0 },
	{ "the display alone", MRFLD, { AGENTS(400e6, 1000, 7776000, 0, 0, 0) },
	  "The display controller made 100 % of the requests. Together they were at most 5.84 % of what both channels can move in all of the time, "
	  "start-up included.",
	  NULL, 0 },
	/* 100 million bursts in each of two channels: 3.0019 ticks each of 400 million */
	{ "both channels stream", MRFLD, {
		{ "clock_counter", ALL(400e6) }, { "ddr_chan0_read32b", ALL(100e6) }, { "ddr_chan0_write32b", ALL(0) },
		{ "ddr_chan1_read32b", ALL(100e6) }, { "ddr_chan1_write32b", ALL(0) } },
	  "DRAM is the bottleneck: in the busiest sample both channels moved more than 60 % of what they can.", NULL, 0 },
	{ "one channel was counted", MRFLD, {
		{ "clock_counter", ALL(400e6) }, { "ddr_chan0_read32b", ALL(100e6) }, { "ddr_chan0_write32b", ALL(0) } },
	  NULL, NULL, 0 },
	{ "an idle machine", MRFLD, { AGENTS(400e6, 0, 0, 0, 0, 0) }, "Nothing ran: none of the counted devices did anything.", NULL, 0 },
	/*
	 * ---- Links of a mesh of two rows: tiles 0, 3 and 4 send requests to the memory at tile 2. Along the row first: those of
	 * tile 0 go east at 0 and 1; those of 3 east at 3 and 4 and north at 5; those of 4 east at 4 and north at 5.
	 */
	/* east of 1: 40000 cycles for the 10000 flits of tiles 0 and 1 are 30000 stalls, 75 %; east of 0: 12000 are 17 % */
	{ "a link in front of memory stalls", ESP, {
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0) }, { "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0) },
		{ "ddr_accesses", IN(NAN, NAN, 50000, NAN, NAN, NAN) },
		{ "noc_queue_full_p5_e", IN(12000, 40000, 0, 10000, 25000, 0) },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 40000) } },
	  "The link east of tile 1 stalled in at least 75 % of the cycles with flits of DMA (plane 5).", NULL, 0 },
	{ "five links stall alike", ESP, {
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0) }, { "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0) },
		{ "ddr_accesses", IN(NAN, NAN, 50000, NAN, NAN, NAN) },
		{ "noc_queue_full_p5_e", IN(25000, 25000, 0, 25000, 50000, 0) },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 50000) } },
	  "The links east of tile 0, east of tile 1, east of tile 3, east of tile 4 and north of tile 5 stalled in at least 60 % of the "
	  "cycles with flits of DMA (plane 5).", NULL, 0 },
	/* the same, and accelerators wait: north of 5 30000 stalls of 50000; east of 1 15000 of 25000 */
	{ "accelerators wait for links", ESP, {
		{ "acc_mem_cycles", IN(1000, NAN, NAN, 4000, 4000, NAN) },
		{ "acc_tot_cycles", IN(10000, NAN, NAN, 10000, 10000, NAN) }, { "acc_tlb", IN(0, NAN, NAN, 0, 0, NAN) },
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0) }, { "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0) },
		{ "ddr_accesses", IN(NAN, NAN, 50000, NAN, NAN, NAN) },
		{ "noc_queue_full_p5_e", IN(12000, 25000, 0, 10000, 25000, 0) },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 50000) } },
	  "Tiles 3 and 4 (dev) computed in 60 % of their run time; transfers 40 %. Tile 0 (dev): computing 90 %. The links east of tile 1 and north of tile 5 stalled in at least 60 % of the cycles with flits of DMA (plane 5).", NULL, 0 },
	/* answers of 2 go west along row 0, then south: west of 2 all 30000 of them, and 60000 of its 90000 cycles are stalls */
	{ "answers stall on their way", ESP, {
		{ "noc_injects_p3", IN(0, 0, 30000, 0, 0, 0) }, { "noc_injects_p5", IN(2000, 0, 0, 2000, 2000, 0) },
		{ "ddr_accesses", IN(NAN, NAN, 30000, NAN, NAN, NAN) },
		{ "noc_queue_full_p3_w", IN(0, 20000, 90000, 0, 0, 0) },
		{ "noc_queue_full_p3_s", IN(10000, 10000, 0, 0, 0, 0) } },
	  "The link west of tile 2 stalled in at least 66 % of the cycles with flits of DMA (plane 3).", NULL, 0 },
	{ "links that are full, and move", ESP, {
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0) }, { "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0) },
		{ "ddr_accesses", IN(NAN, NAN, 30000, NAN, NAN, NAN) },
		{ "noc_queue_full_p5_e", IN(10000, 10000, 0, 10000, 20000, 0) },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 20000) } }, NULL, NULL, 0 },
	{ "a tile in front of the link was not counted", ESP, {
		{ "noc_injects_p5", IN(NAN, 0, 0, 10000, 10000, 0) },
		{ "noc_queue_full_p5_e", IN(12000, 40000, 0, 10000, 25000, 0) } }, NULL, NULL, 0 },
	{ "counts of all accelerators together", ESP, {
		{ "acc_mem_cycles", ALL(40000) }, { "acc_tot_cycles", ALL(100000) } },
	  NULL, NULL, 0 },
	{ "the first DPU took turns", UPMEM, {
		{ "dpu_cycles", IN(NAN, 1050000) }, { "dpu_instructions", IN(NAN, 1000000) } }, NULL, NULL, 0 },

	/* ---- the kinds of another review ---- */
	/* 480 blocks of 2048 bytes are written: 4 * 122880 of 549573 cycles, 89 %; set-up, 33 * 480, is not known */
	{ "16 tasklets write 2048 bytes each", UPMEM, { DPUS(IN(549573), IN(20000), IN(0), IN(122880)) },
	  "DPU 0 (dev): its DMA engines moved words in 89 % of the cycles.", NULL, 0 },
	/* a mutex around reads: 320 of 2048 bytes are 327680 of 374000 cycles, 88 %, while 360000 instructions spin */
	{ "a mutex around a transfer", UPMEM, { DPUS(IN(374000), IN(360000), IN(81920), IN(0)) },
	  "DPU 0 (dev): its DMA engines moved words in 88 % of the cycles. The others are beginnings of transfers, 33 cycles each, "
	  "and rest: -p dma counts transfers. DPU 0 (dev) issued instructions in 96 % of its cycles. Loops", NULL, 0 },
	{ "8 tasklets walk WRAM", UPMEM, { DPUS(IN(1000000), IN(710000), IN(0), IN(0)) },
	  "DPU 0 (dev) issued instructions in 71 % of its cycles; waiting for a tasklet to become ready 29 %. "
	  "A pipeline is full from 11 ready tasklets on: fewer ran, or they waited.", NULL, 0 },
	{ "a kernel of 16 us", UPMEM, { DPUS(IN(6400), IN(900), IN(0), IN(0)) },
	  "No tasklet of DPU 0 (dev) was ready in 86 % of its cycles. A run this short is mostly start-up code", NULL, 0 },
	{ "DPUs 3 to 5 have five times the work", UPMEM, {
		DPUS(IN(21000, 21000, 21000, 100000, 100000, 100000), IN(20000, 20000, 20000, 99000, 99000, 99000),
		     IN(0, 0, 0, 0, 0, 0), IN(0, 0, 0, 0, 0, 0)) },
	  "DPUs 3 to 5 (dev) issued instructions in 99 % of their cycles. DPUs 0 to 2 (dev): issuing instructions 20 %.", NULL, 0 },
	/* 33 * 18000 of 800000 */
	{ "transfers of 8 bytes, counted by -p dma", UPMEM, {
		{ "dpu_cycles", IN(800000) }, { "dpu_instructions", IN(80000) }, { "ldma_instruction", IN(18000) },
		{ "sdma_instruction", IN(0) } },
	  "DPU 0 (dev): the beginnings of transfers held its DMA engines in 74 % of the cycles", NULL, 0 },
	/* 33 * 1000 of 1066000: the engine moves words in the others, or rests */
	{ "transfers of 2048 bytes, counted by -p dma", UPMEM, {
		{ "dpu_cycles", IN(1066000) }, { "dpu_instructions", IN(80000) }, { "ldma_instruction", IN(1000) },
		{ "sdma_instruction", IN(0) } },
	  "DPU 0 (dev): the beginnings of transfers held its DMA engines in 3.1 % of the cycles", NULL, 0 },
	{ "writes were not counted", UPMEM, {
		{ "dpu_cycles", IN(549573) }, { "dpu_instructions", IN(20000) }, { "read_64bit_instruction", IN(0) } }, NULL, NULL, 0 },
	/* 81923 words of 3368935 cycles: 2.4 % */
	{ "a chain of accelerators that hand data on", ESP, {
		{ "acc_mem_cycles", IN(3368935) }, { "acc_tlb", IN(900) }, { "acc_tot_cycles", IN(4300000) },
		{ "ddr_accesses", ALL(81923) }, { "llc_hits", ALL(0) }, { "llc_misses", ALL(0) } },
	  "Tile 0 (dev) had transfers under way in 78 % of its run time. Memory and last-level caches worked in at most 2.43 % of these "
	  "cycles: for the rest it was the partner of a point-to-point transfer, a busy link, or the way of short transfers.", NULL, 0 },
	/* a fast partner's 83020 cycles are none of the other one's: 81922 words in 733363 cycles of waiting are 11 % */
	{ "a chain of two, of which the second waits", ESP, {
		{ "acc_mem_cycles", IN(83020, 733363) }, { "acc_tlb", IN(51, 51) }, { "acc_tot_cycles", IN(761967, 769289) },
		{ "ddr_accesses", ALL(81922) }, { "llc_hits", ALL(0) }, { "llc_misses", ALL(0) } },
	  "Tile 1 (dev) had transfers under way in 95 % of its run time. Tile 0 (dev): computing 89 %. Memory and last-level caches worked "
	  "in at most 11.2 % of these cycles: for the rest it was the partner of a point-to-point transfer", NULL, 0 },
	/* 20 vectors of 1024 are sorted in 2048 cycles each, during which the next one is read and the last one written: no wait */
	{ "an accelerator that computes during its transfers", ESP, {
		{ "acc_mem_cycles", IN(21660) }, { "acc_tlb", IN(51) }, { "acc_tot_cycles", IN(42300) } },
	  "Tile 0 (dev) had transfers under way in 51 % of its run time; computing 49 %. What an accelerator computes during its transfers "
	  "is not counted.", NULL, 0 },
	/* 300 runs: 24300 computing, 22500 memory, 15300 table */
	{ "300 FFTs of 8 points", ESP, {
		{ "acc_mem_cycles", IN(22500) }, { "acc_tlb", IN(15300) }, { "acc_tot_cycles", IN(62100) },
		{ "ddr_accesses", ALL(5100) }, { "llc_hits", ALL(0) } },
	  "Tile 0 (dev) computed in 39 % of its run time; transfers 36 %", NULL, 0 },
	/* 2000 copies: 139 cycles each, 55 of these the table */
	{ "2000 copies of 64 bytes", ESP, {
		{ "acc_mem_cycles", IN(152000) }, { "acc_tlb", IN(110000) }, { "acc_tot_cycles", IN(278000) },
		{ "ddr_accesses", ALL(34000) }, { "llc_hits", ALL(0) } },
	  "Tile 0 (dev) had transfers under way in 55 % of its run time; waiting for the page table 40 %. What an accelerator computes during its transfers is not counted.", NULL, 0 },
	/* 50000 of 62000 */
	{ "a page table that is read again and again", ESP, {
		{ "acc_mem_cycles", IN(8000) }, { "acc_tlb", IN(50000) }, { "acc_tot_cycles", IN(62000) } },
	  "Tile 0 (dev) waited for the page table in 81 % of its run time. Each run reads the table anew", NULL, 0 },
	{ "one accelerator has 20 times the runs of two others", ESP, {
		{ "acc_mem_cycles", IN(4155, 83100, 4155) }, { "acc_tlb", IN(51, 1020, 51) },
		{ "acc_tot_cycles", IN(48243, 964860, 48243) } },
	  "Tile 1 (dev) computed in 91 % of its run time. Tiles 0 and 2 (dev) did at most 5.0 % as much.", NULL, 0 },
	/* a processor's 5.9 million misses are 118 million cycles or more, the FFT's runs 1 million */
	{ "FFTs beside a processor that copies", ESP, {
		{ "l2_hits", IN(NAN, 6100000) }, { "l2_misses", IN(NAN, 5900000) }, { "llc_hits", ALL(100000) },
		{ "llc_misses", ALL(5900000) }, { "coh_fwds", ALL(0) }, { "acc_mem_cycles", IN(83100) }, { "acc_tlb", IN(1020) },
		{ "acc_tot_cycles", IN(964860) }, TILE_CYCLES(0, 0), { "dvfs_op3", IN(500000000, 500000000) } },
	  "Tile 1 (dev): 49 % of its requests missed the private L2; hits 51 %. Tile 0 (dev) computed in 91 % of its run time.", NULL, 0 },
	{ "stores that fit", ESP, {
		{ "l2_hits", IN(3000000) }, { "l2_misses", IN(30000) }, { "llc_hits", ALL(30000) }, { "llc_misses", ALL(1000) },
		{ "coh_fwds", ALL(0) }, TILE_CYCLES(0), { "dvfs_op3", IN(80000000) } },
	  "Tile 0 (dev): 99 % of its requests hit the private L2, which hardly costs time.", NULL, 0 },
	{ "sleep", UPMEM, { DPUS(IN(0, 0), IN(0, 0), IN(0, 0), IN(0, 0)) },
	  "Nothing ran: none of the counted devices did anything.", NULL, 0 },
	/* the memory clock's ticks while both run: equal */
	{ "display and imaging equal", MRFLD, { AGENTS(400e6, 0, 500000, 500000, 0, 0) },
	  "The display controller made 50 % of the requests; the imaging controller 50 %.", NULL, 0 },
	/* of one thread 42 % of its cycles are branches: 2400 / 5700 */
	{ "one thread with random branches", HEXAGON, { CORE(3300, 28500, 0, 0, 0, 2400) },
	  "Hardware threads committed packets in 9.6 % of the cycles; waiting after mispredicted branches 7.0 %; idle 83.3 %.", NULL, 0 },
};

static unsigned long long clock_of(const char *pmu)
{
	return !strcmp(pmu, "espmon") ? 78125000 : !strcmp(pmu, "upmem") || !strcmp(pmu, "mrfld_visa") ? 400000000 : 1400000000;
}

/* The description that recording.h defines, and the counts in its order. */
static struct recording *describe(const struct program *p, double *count)
{
	struct recording *rec;
	/* hardware threads are six */
	size_t size, n = 0, places = strcmp(p->pmu, "hexagon") ? 0 : 6;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\npmu\t%s\t%s\t%llu\n%s", p->pmu, p->noun, clock_of(p->pmu), p->absent ? p->absent : "");
	for (size_t i = 0; i < COUNT_OF(p->counts) && p->counts[i].event; i++)
		for (size_t k = 0; !p->counts[i].is_total && p->counts[i].in[k] != NOWHERE; k++)
			places = k + 1 > places ? k + 1 : places;
	for (size_t i = 0; i < places; i++)
		fprintf(out, "place\t%zu\tkind\t\tdev\t%zu\t%zu\n", i, i / COLUMNS, i % COLUMNS);
	for (size_t i = 0; i < COUNT_OF(p->counts) && p->counts[i].event; i++) {
		for (size_t k = 0; p->counts[i].in[k] != NOWHERE; k++) {
			if (isnan(p->counts[i].in[k]) && !strcmp(p->pmu, "espmon") && !strncmp(p->counts[i].event, "acc_", 4))
				continue;	/* no accelerator */
			/* hardware threads count all events */
			fprintf(out, "counter\t%zu\t%s\t%d\tx\t1\t\t\t%d\n", n, p->counts[i].event,
				p->counts[i].is_total ? -1 : (int)k, strcmp(p->pmu, "hexagon") ? 0 : 6);
			count[n++] = p->counts[i].in[k];
		}
	}
	fclose(out);
	rec = recording_parse(text, size, "test");
	free(text);
	return rec;
}

static struct verdict said_of(const struct counts *counts)
{
	struct budgets budgets = budgets_new(counts);
	struct verdict verdict = verdict_new(counts, &budgets);

	budgets_free(&budgets);
	return verdict;
}

static char *missing_in(const struct counts *counts)
{
	struct budgets budgets = budgets_new(counts);
	char *text = verdict_missing(counts, &budgets);

	budgets_free(&budgets);
	return text;
}

static char *joined(const struct verdict *verdict)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < verdict->count; i++)
		fprintf(out, "%s%s", i ? " " : "", verdict->sentence[i]);
	fclose(out);
	return text;
}

/* All is counted in the first window; the clock in all of them. */
static void make_windows(const struct recording *rec, const double *count, size_t windows, double *window)
{
	for (size_t w = 0; w < windows; w++)
		for (size_t i = 0; i < rec->ncounters; i++)
			window[w * rec->ncounters + i] = !strcmp(rec->counter[i].event, "clock_counter") ? count[i] / windows :
							 w ? 0 : count[i];
}

SUITE("verdict");

LOOP_TEST(the_first_sentence_is_the_answer, 0, COUNT_OF(programs))
{
	const struct program *p = &programs[_i];
	double count[128], window[16 * 128];
	struct recording *rec = describe(p, count);
	struct verdict verdict;
	char *text;

	make_windows(rec, count, p->windows, window);
	verdict = said_of(&(struct counts){ .rec = rec, .count = count, .window = window, .windows = p->windows });
	text = joined(&verdict);

	if (p->says)
		ck_assert_msg(!strncmp(text, p->says, strlen(p->says)), "%s: %s", p->what, text);
	else
		ck_assert_msg(!verdict.count, "%s: %s", p->what, text);
	free(text);
	verdict_free(&verdict);
	recording_free(rec);
}

/*
 * If one count is unknown, such as that of a counter that took turns, every rule that needs it is
 * silent.
 */
LOOP_TEST(a_rule_is_silent_when_the_counts_do_not_carry_it, 0, COUNT_OF(programs))
{
	const struct program *p = &programs[_i];
	double count[128];
	struct recording *rec = describe(p, count);
	struct verdict verdict;

	for (size_t i = 0; i < rec->ncounters; i++)
		count[i] = NAN;
	verdict = said_of(&(struct counts){ .rec = rec, .count = count });
	ck_assert_uint_eq(verdict.count, 0);
	verdict_free(&verdict);
	recording_free(rec);
}

/* ---- budgets ---- */

LOOP_TEST(a_budget_adds_up, 0, COUNT_OF(programs))
{
	const struct program *p = &programs[_i];
	double count[128];
	struct recording *rec = describe(p, count);
	struct counts counts = { .rec = rec, .count = count };
	struct budgets budgets = budgets_new(&counts);

	for (size_t i = 0; i < budgets.count; i++) {
		const struct budget *b = &budgets.budget[i];
		int share[16], all = 0;
		double sum = 0;

		int whole = 100 * pow(10, budget_rounded(b->rule, b->cycles, b->total, share));

		for (size_t k = 0; k < b->rule->nparts; k++) {
			if (b->rule->part[k].is_child)
				continue;
			ck_assert_msg(b->cycles[k] >= 0 && b->cycles[k] <= b->total, "%s: %s", p->what, b->rule->part[k].id);
			sum += b->cycles[k];
			all += share[k];
		}
		ck_assert_msg(fabs(sum - b->total) < 1e-6 * b->total && all == whole, "%s: %g of %g", p->what, sum, b->total);
	}
	budgets_free(&budgets);
	recording_free(rec);
}

/* By hand, to the cycle: the cycles of the parts of the first group, and how many devices it has. */
static const struct {
	struct program program;
	size_t count;
	double cycles[7];
} by_hand[] = {
	/* computing 4306701 - 1662447 - 2214; idle is beside */
	{ { "tile 2 of three", ESP, {
		{ "acc_mem_cycles", IN(248502, 248487, 1662447) }, { "acc_tlb", IN(1980, 1980, 2214) },
		{ "acc_tot_cycles", IN(2892522, 2892507, 4306701) }, TILE_CYCLES(0, 0, 0),
		{ "dvfs_op3", IN(30000000, 30000000, 30000000) } }, NULL, NULL, 0 },
	  1, { 2642040, 1662447, NAN, 2214 } },
	/*
	 * The engine moves words for 4 * 192000 = 768000, of which 30000 may overlap instructions; of the other 232000 cycles
	 * each may begin a transfer, at 33 of 192000; 3 others run 5 %
	 */
	{ { "DPU 3 of four", UPMEM, {
		DPUS(IN(50000, 50000, 50000, 1000000), IN(49000, 49000, 49000, 30000), IN(50, 50, 50, 192000), IN(0, 0, 0, 0)) },
	    NULL, NULL, 0 },
	  1, { 30000, 738000, 232000, 0, 0 } },
	/* 4 * 10000 for words are less than instructions take; 33 * 10000 at most begin transfers, which all of the rest may be */
	{ { "a DPU with short transfers", UPMEM, { DPUS(IN(400000), IN(100000), IN(6000), IN(4000)) }, NULL, NULL, 0 },
	  1, { 100000, 0, 300000, 0, 0 } },
	/* 86 cycles of two clusters for each of 10000 packets */
	{ { "a core", HEXAGON, { CORE(10000, 50000, 0, 800000, 0, 0) }, NULL, NULL, 0 },
	  1, { 10000, 800000, 0, 0, 0, 50000 } },
	/* 5330000 requests of 64 bytes * 400 MHz / 8528 MB/s = 3.00188 ticks are 16000000 ticks */
	{ { "DRAM of agents", MRFLD, { AGENTS(400e6, 5330000, 2665000, 0, 0, 0) }, NULL, NULL, 0 },
	  1, { 16000000, 8000000, 0, 0, 0, 376000000 } },
	{ { "a core's instructions, by level", HEXAGON, {
		{ "icache_access", ALL(2100) }, { "icache_demand_miss", ALL(12) }, { "l2_iu_miss", ALL(5) } }, NULL, NULL, 0 },
	  1, { 2088, 12, 5 } },
	{ { "a core's data, by level", HEXAGON, {
		{ "l2_du_read_access", ALL(1034) }, { "l2_du_read_miss", ALL(513) } }, NULL, NULL, 0 },
	  1, { 521, 513 } },
	/* (2665000 / 2 + 2665000) * 3.00188 ticks, 533000 * 3.00188, and 266500 at most as much each */
	{ { "graphics, by kind and size", MRFLD, {
		{ "clock_counter", ALL(400e6) }, { "gfx_read32b", ALL(2665000) }, { "gfx_read64b", ALL(2665000) },
		{ "gfx_write32b", ALL(0) }, { "gfx_write64b", ALL(533000) }, { "gfx_readpartial", ALL(266500) },
		{ "gfx_writepartial", ALL(0) } }, NULL, NULL, 0 },
	  1, { 12000000, 1600000, 800000, 385600000 } },
	/* reads of all sizes are 1066000, and these alone have a size that is not known: 266500 */
	{ { "module 0, by kind and size", MRFLD, {
		{ "clock_counter", ALL(400e6) }, { "mod0_read32b", ALL(0) }, { "mod0_read64b", ALL(799500) },
		{ "mod0_write32b", ALL(0) }, { "mod0_write64b", ALL(0) }, { "mod0_readpartial", ALL(1066000) },
		{ "mod0_writepartial", ALL(0) } }, NULL, NULL, 0 },
	  1, { 2400000, 0, 800000, 396800000 } },
	{ { "tile 2 of three, whose clock was counted in tile 0", ESP, {
		{ "acc_mem_cycles", IN(248502, 248487, 1662447) }, { "acc_tlb", IN(1980, 1980, 2214) },
		{ "acc_tot_cycles", IN(2892522, 2892507, 4306701) }, TILE_CYCLES(0), { "dvfs_op3", IN(30000000) } }, NULL, NULL, 0 },
	  1, { 2642040, 1662447, NAN, 2214 } },
	/* one FFT of 2048 points reads 4097 words; the other accelerator did not run */
	{ { "whose words DRAM moved is known", ESP, {
		{ "acc_mem_cycles", IN(4155, 0, NAN) }, { "acc_tlb", IN(51, 0, NAN) }, { "acc_tot_cycles", IN(48243, 0, NAN) },
		{ "ddr_accesses", ALL(4097) }, TILE_CYCLES(0), { "dvfs_op3", IN(100000) } }, NULL, NULL, 0 },
	  1, { 44037, 4155, 4097, 51 } },
	/* of 400000 requests that missed, 172000 went on to DRAM */
	{ { "a processor's lines from DRAM", ESP, {
		{ "l2_hits", IN(600000) }, { "l2_misses", IN(400000) }, { "llc_hits", ALL(228000) }, { "llc_misses", ALL(172000) } },
	    NULL, NULL, 0 },
	  1, { 600000, 400000, 172000 } },
	{ { "lines of two processors are not told apart", ESP, {
		{ "l2_hits", IN(600000, 100000) }, { "l2_misses", IN(400000, 100000) }, { "llc_hits", ALL(228000) },
		{ "llc_misses", ALL(172000) } }, NULL, NULL, 0 },
	  1, { 600000, 400000, NAN } },
};

LOOP_TEST(a_budget_is_that_on_paper, 0, COUNT_OF(by_hand))
{
	double count[128];
	struct recording *rec = describe(&by_hand[_i].program, count);
	struct budgets budgets = budgets_new(&(struct counts){ .rec = rec, .count = count });

	ck_assert_uint_gt(budgets.ngroups, 0);
	ck_assert_uint_eq(budgets.group[0].count, by_hand[_i].count);
	for (size_t k = 0; k < budgets.budget[0].rule->nparts; k++)
		ck_assert_msg(isnan(by_hand[_i].cycles[k]) ? isnan(budgets.group[0].cycles[k]) :
			      fabs(budgets.group[0].cycles[k] - by_hand[_i].cycles[k]) < 0.5, "%s: part %zu is %.1f",
			      by_hand[_i].program.what, k, budgets.group[0].cycles[k]);
	budgets_free(&budgets);
	recording_free(rec);
}

/* All were idle for 99 %; tile 2 waited 39 % of what it ran, the others 9 %. */
TEST(devices_that_hardly_run_are_told_apart)
{
	static const struct program mostly_idle = { "mostly idle", ESP, {
		{ "acc_mem_cycles", IN(248502, 248487, 1662447) }, { "acc_tlb", IN(1980, 1980, 2214) },
		{ "acc_tot_cycles", IN(2892522, 2892507, 4306701) }, TILE_CYCLES(0), { "dvfs_op3", IN(400000000) } }, NULL, NULL, 0 };
	double count[128];
	struct recording *rec = describe(&mostly_idle, count);
	struct budgets budgets = budgets_new(&(struct counts){ .rec = rec, .count = count });

	ck_assert_uint_eq(budgets.ngroups, 2);
	ck_assert_str_eq(budgets.group[0].label, "tile 2 (dev)");
	ck_assert_str_eq(budgets.group[1].label, "tiles 0 and 1 (dev)");
	budgets_free(&budgets);
	recording_free(rec);
}

TEST(equal_devices_are_one_group)
{
	const struct program *p = &by_hand[1].program;
	double count[128];
	struct recording *rec = describe(p, count);
	struct budgets budgets = budgets_new(&(struct counts){ .rec = rec, .count = count });

	/* and the same of their engines */
	ck_assert_uint_eq(budgets.ngroups, 4);
	ck_assert_str_eq(budgets.group[0].label, "DPU 3 (dev)");
	ck_assert_str_eq(budgets.group[2].label, "DPU 3 (dev): DMA engine");
	ck_assert_str_eq(budgets.group[1].label, "DPUs 0 to 2 (dev)");
	/* 49000 issue, 1000 begin transfers or wait, 950000 are idle until DPU 3 is done, in each of three */
	ck_assert_double_eq(budgets.group[1].cycles[0], 147000);
	ck_assert_double_eq(budgets.group[1].cycles[4], 2850000);
	budgets_free(&budgets);
	recording_free(rec);
}

/* What to count is said where there is no sentence, and only of devices that did something. */
TEST(a_missing_counter_is_named)
{
	static const struct program some = { "", HEXAGON, { { "committed_pkt_any", ALL(10000) } }, NULL, NO_STALLS, 0 };
	static const struct program each = { "", HEXAGON, { { "committed_pkt_any", IN(10000) } }, NULL, NO_STALLS, 0 };
	double count[8];
	struct recording *rec = describe(&some, count);
	struct counts counts = { .rec = rec, .count = count };
	char *text = missing_in(&counts);

	ck_assert_msg(text && strstr(text, "thread_off_pview_cycles was not counted: -p budget counts it."), "%s", text);
	free(text);
	count[0] = NAN;
	text = missing_in(&counts);
	ck_assert_msg(text && strstr(text, "too short to estimate"), "%s", text);
	free(text);
	count[0] = 0;
	ck_assert_ptr_null(missing_in(&counts));
	recording_free(rec);
	rec = describe(&each, count);
	counts.rec = rec;
	count[0] = NAN;
	text = missing_in(&counts);
	ck_assert_msg(text && strstr(text, "its counters of each thread took turns. Choose fewer with -e."), "%s", text);
	free(text);
	recording_free(rec);
}

/* Cycles of the program's run are known, of which nothing follows. */
TEST(where_nothing_is_said_a_missing_counter_is_named)
{
	static const struct program pipeline = { "", UPMEM, { { "dpu_cycles", IN(100000) }, { "dpu_instructions", IN(90000) } }, NULL, NULL, 0 };
	double count[8];
	struct recording *rec = describe(&pipeline, count);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	answer_print(&(struct counts){ .rec = rec, .count = count, .transfer_ns = 100000 }, false, out);
	fclose(out);
	ck_assert_msg(strstr(text, "as read_64bit_instruction was not") != NULL, "%s", text);
	free(text);
	recording_free(rec);
}

/* An older core has no such event: no preset counts it. */
TEST(what_a_device_does_not_count_is_told)
{
	static const struct program old = { "", HEXAGON, { { "committed_pkt_any", ALL(10000) } },
		NULL, NO_STALLS "absent\tthread_off_pview_cycles\n", 0 };
	double count[8];
	struct recording *rec = describe(&old, count);
	char *text = missing_in(&(struct counts){ .rec = rec, .count = count });

	ck_assert_msg(text && strstr(text, "is not known: it does not count thread_off_pview_cycles."), "%s", text);
	free(text);
	recording_free(rec);
}

TEST(a_device_that_went_away_did_not_take_turns)
{
	static const struct program some = { "", HEXAGON, { { "committed_pkt_any", ALL(10000) } }, NULL, NO_STALLS, 0 };
	double count[8];
	struct recording *rec = describe(&some, count);
	struct counts counts = { .rec = rec, .count = count };
	char *text;

	count[0] = NAN;
	rec->pmu[0].is_gone = true;
	text = missing_in(&counts);
	ck_assert_msg(text && strstr(text, "the device went away or lost counts"), "%s", text);
	ck_assert_ptr_null(strstr(text, "turns"));
	free(text);
	recording_free(rec);
}

/* 100 of 1000 requests missed, 40 of these 100 went to memory; a request waits for nothing. */
TEST(requests_miss_and_parts_of_parts_are_shares_of_these)
{
	static const struct program some = { "", HEXAGON, { { "icache_access", ALL(1000) }, { "icache_demand_miss", ALL(100) },
		{ "l2_iu_miss", ALL(40) } }, NULL, NO_STALLS, 0 };
	double count[8];
	struct recording *rec = describe(&some, count);
	struct counts counts = { .rec = rec, .count = count };
	struct budgets budgets = budgets_new(&counts);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	budgets_print(&budgets, &counts, out);
	fclose(out);
	ck_assert_msg(strstr(text, "misses 10.0 % (memory in 40.0 % of") && strstr(text, "in requests"), "%s", text);
	ck_assert_ptr_null(strstr(text, "waiting"));
	free(text);
	budgets_free(&budgets);
	recording_free(rec);
}

TEST(a_clock_alone_is_no_work)
{
	static const struct program idle = { "", ESP, { { "ddr_accesses", IN(0) }, { "dvfs_op3", IN(78125000) } }, NULL, NULL, 0 };
	double count[8];
	struct recording *rec = describe(&idle, count);

	ck_assert_ptr_null(missing_in(&(struct counts){ .rec = rec, .count = count }));
	recording_free(rec);
}

TEST(a_number_stays_beside_its_sign)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print_wrapped(out, "idle: no run 99.5 %, waiting", 4, 22);
	fclose(out);
	ck_assert_str_eq(text, "idle: no run\n    99.5 %, waiting\n");
	free(text);
}

static const struct {
	double value;
	const char *unit, *text;
} shown[] = {
	{ 1023.4, "bytes/transfer", "1023 bytes/transfer" },
	{ 63.96, "bytes/transfer", "64 bytes/transfer" },
	{ 1023.4, "flits/s", "1.02 kflits/s" },
	{ 1.5, "MB/s", "1.5 MB/s" },
	{ 1500, "MB/s", "1.5 GB/s" },
};

LOOP_TEST(a_quotient_of_counts_has_no_prefix, 0, COUNT_OF(shown))
{
	char *text = value_text(shown[_i].value, shown[_i].unit);

	ck_assert_str_eq(text, shown[_i].text);
	free(text);
}

static char *said_with_copies(const struct program *program, uint64_t ns)
{
	double count[64];
	struct recording *own = describe(program, count);
	struct verdict verdict = said_of(&(struct counts){ .rec = own, .count = count, .transfer_ns = ns });
	char *said = joined(&verdict);

	verdict_free(&verdict);
	recording_free(own);
	return said;
}

/* 4 million cycles of 400 MHz are 10 ms. Copies that take 90 ms are 90 % of the run. */
TEST(copies_that_are_longer_than_the_kernels_are_a_part_of_the_run)
{
	static const char copies[] = "opies between host and DPUs took 90 % of the program's run, as libmon-dpu models them.";
	const struct program longer = { "a kernel of 10 ms", UPMEM, {
		DPUS(IN(4000000, 4000000), IN(400000, 400000), IN(900000, 900000), IN(0, 0)) }, NULL, NULL, 0 };
	const struct program shorter = { "a kernel of 10 us", UPMEM, { DPUS(IN(4000), IN(900), IN(0), IN(0)) }, NULL, NULL, 0 };
	char *said = said_with_copies(&longer, 90000000);

	ck_assert_msg(strstr(said, "DPUs 0 and 1 (dev): their DMA engines moved words in 90 % of the cycles; copies between host and DPUs "
			     "took 90 % of the program's run, as libmon-dpu models them. The others") == said, "%s", said);
	free(said);
	said = said_with_copies(&longer, 10000000);
	ck_assert_msg(strstr(said, "opies") == NULL, "%s", said);
	free(said);
	/* what limits so short a kernel comes after them */
	said = said_with_copies(&shorter, 90000);
	ck_assert_msg(strstr(said, copies) == said + 1, "%s", said);
	free(said);
}

/* 4 and 0.4 million cycles of 400 MHz are 10 and 1 ms, copies take 90 ms of the program's 100. */
TEST(of_several_ranks_a_sentence_says_which_one)
{
	static const char description[] = "monctl\t1\n"
		"pmu\tupmem\tdpu\t400000000\nplace\t0\tdpu\t\t\t-1\t-1\n"
		"counter\t0\tdpu_cycles\t0\tcycles\t1\t\t\t1\ncounter\t1\tdpu_instructions\t0\tinstructions\t1\t\t\t1\n"
		"counter\t2\tread_64bit_instruction\t0\twords\t1\t\t\t1\ncounter\t3\twrite_64bit_instruction\t0\twords\t1\t\t\t1\n"
		"pmu\tupmem_1\tdpu\t400000000\nplace\t0\tdpu\t\t\t-1\t-1\n"
		"counter\t4\tdpu_cycles\t0\tcycles\t1\t\t\t1\ncounter\t5\tdpu_instructions\t0\tinstructions\t1\t\t\t1\n"
		"counter\t6\tread_64bit_instruction\t0\twords\t1\t\t\t1\ncounter\t7\twrite_64bit_instruction\t0\twords\t1\t\t\t1\n";
	static const double count[] = { 400000, 200000, 0, 0, 4000000, 4000000, 0, 0 };
	struct recording *own = recording_parse(description, strlen(description), "test");
	const struct counts counts = { .rec = own, .count = count, .transfer_ns = 90000000 };
	struct budgets budgets = budgets_new(&counts);
	struct verdict verdict = said_of(&counts);
	char *said = joined(&verdict);

	ck_assert_str_eq(said, "On upmem_1: DPU 0 issued instructions in 100 % of its cycles; copies between host and DPUs took 90 % of the "
			 "program's run, as libmon-dpu models them. Loops that wait for a mutex issue instructions, too. On upmem: DPU 0 "
			 "issued instructions in 50 % of its cycles; waiting for a tasklet to become ready 50 %. A pipeline is full from 11 ready "
			 "tasklets on: fewer ran, or they waited.");
	ck_assert_uint_eq(budgets.ngroups, 3);
	ck_assert_str_eq(budgets.group[0].label, "upmem DPU 0");
	ck_assert_str_eq(budgets.group[1].label, "upmem_1 DPU 0");
	ck_assert_str_eq(budgets.group[2].label, "upmem_1 program's run");
	free(said);
	verdict_free(&verdict);
	budgets_free(&budgets);
	recording_free(own);
}
