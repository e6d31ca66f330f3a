// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl/verdict.c with the rules of events/metrics/: programs whose bottleneck is known, from counts. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/monctl/suites.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/verdict.h"

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
	unsigned long long clock;
	struct count counts[8];
	/* The beginnings of the sentences, in their order; NULL: there is none. */
	const char *says;
};

#define IN(...) { __VA_ARGS__, NOWHERE }
#define ALL(value) { value, NOWHERE }, true

static const struct program programs[] = {
	/* ---- ESP: the first is the worked story of docs/monctl.md, with its counts ---- */
	{ "three FFTs, one coherent", "espmon", "tile", 78000000, {
		{ "acc_mem_cycles", IN(248502, 248487, 1662447), false },
		{ "acc_tot_cycles", IN(2892522, 2892507, 4306701), false } },
	  /* 1662447 / 4306701 = 38.6 %, 248502 / 2892522 = 8.59 % */
	  "Tile 2 (dev) waited 39 % of its run for memory, tiles 0 and 1 8.6 %." },
	{ "the same, computing", "espmon", "tile", 78000000, {
		{ "acc_mem_cycles", IN(248502, 248487), false },
		{ "acc_tot_cycles", IN(2892522, 2892507), false } },
	  "The accelerators computed: the longest wait for memory was 8.6 % of a run." },
	/* four groups: 60, 30 and 20 %, then 8.641 and 8.62 %, of which 8.7 is a bound and 8.6 is none */
	{ "accelerators wait for shares of which most are small", "espmon", "tile", 78000000, {
		{ "acc_mem_cycles", IN(60000, 30000, 20000, 8641, 8620, 4000), false },
		{ "acc_tot_cycles", IN(100000, 100000, 100000, 100000, 100000, 100000), false } },
	  "Tile 0 (dev) waited 60 % of its run for memory, tile 1 (dev) 30 %, tile 2 (dev) 20 %, the other 3 at most 8.7 %." },
	{ "one of three memory tiles serves most", "espmon", "tile", 78000000, {
		{ "ddr_accesses", IN(7300, 2700, 0), false } },
	  "Tile 0 (dev) served 73 % of the DRAM words, tile 1 (dev) 27 %, tile 2 (dev) none." },
	{ "memory tiles share the work", "espmon", "tile", 78000000, {
		{ "ddr_accesses", IN(5000, 5100, 4900), false } }, NULL },
	{ "one memory tile has nothing to share", "espmon", "tile", 78000000, {
		{ "ddr_accesses", IN(50000), false } }, NULL },
	/* the second story: 123000 + 122960 flits of planes 0 and 2 */
	{ "an FFT with full coherence", "espmon", "tile", 78000000, {
		{ "noc_injects_p0", ALL(123000) }, { "noc_injects_p1", ALL(0) }, { "noc_injects_p2", ALL(122960) },
		{ "noc_injects_p3", ALL(0) }, { "noc_injects_p5", ALL(0) }, { "l2_misses", ALL(20500) },
		{ "ddr_accesses", ALL(2050) } },
	  "Coherence moved the data: 245960 flits of protocol and 20500 misses of private L2 caches for 2050 DRAM words." },
	{ "an FFT without coherence", "espmon", "tile", 78000000, {
		{ "noc_injects_p0", ALL(0) }, { "noc_injects_p1", ALL(0) }, { "noc_injects_p2", ALL(0) },
		{ "noc_injects_p3", ALL(41000) }, { "noc_injects_p5", ALL(41160) }, { "l2_misses", ALL(0) },
		{ "ddr_accesses", ALL(81940) } }, NULL },
	/* 8000 / (4000 + 1000) */
	{ "two caches that share lines", "espmon", "tile", 78000000, {
		{ "coh_fwds", ALL(8000) }, { "llc_hits", ALL(4000) }, { "llc_misses", ALL(1000) } },
	  "The last-level cache took lines from private caches: 1.6 flits of forwards and recalls for each of its requests, 8000 flits in all." },
	{ "a cache of its own lines", "espmon", "tile", 78000000, {
		{ "coh_fwds", ALL(2000) }, { "llc_hits", ALL(4000) }, { "llc_misses", ALL(1000) } }, NULL },
	/*
	 * ---- Links of a mesh of two rows: tiles 0, 3 and 4 send requests to the memory at tile 2. Along the row first: those of
	 * tile 0 go east at 0 and 1; those of 3 east at 3 and 4 and north at 5; those of 4 east at 4 and north at 5.
	 */
	/* east of 1: 40000 cycles for the 10000 flits of tiles 0 and 1 are 30000 stalls, 75 %; east of 0: 12000 are 17 % */
	{ "a link in front of memory stalls", "espmon", "tile", 78000000, {
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0), false },
		{ "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0), false },
		{ "ddr_accesses", IN(NAN, NAN, 50000, NAN, NAN, NAN), false },
		{ "noc_queue_full_p5_e", IN(12000, 40000, 0, 10000, 25000, 0), false },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 40000), false } },
	  "The link east of tile 1 stalled in at least 75 % of the cycles with flits of DMA (plane 5). Candidates: "
	  "tile 0 (dev), whose routes to or from tile 2 (dev) go that way." },
	/* the same, and accelerators wait: north of 5 20000 stalls of 40000 for the flits of 3 and 4; east of 4 5000 of 25000 */
	{ "accelerators wait for links", "espmon", "tile", 78000000, {
		{ "acc_mem_cycles", IN(1000, NAN, NAN, 4000, 4000, NAN), false },
		{ "acc_tot_cycles", IN(10000, NAN, NAN, 10000, 10000, NAN), false },
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0), false },
		{ "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0), false },
		{ "ddr_accesses", IN(NAN, NAN, 50000, NAN, NAN, NAN), false },
		{ "noc_queue_full_p5_e", IN(12000, 25000, 0, 10000, 25000, 0), false },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 50000), false } },
	  "Tiles 3 and 4 waited 40 % of their run for memory, tile 0 (dev) 10 %. "
	  /* 15000 of 25000 east of 1, and 30000 of 50000 north of 5 */
	  "The links east of tile 1 and north of tile 5 stalled in at least 60 % of the cycles with flits of DMA (plane 5). "
	  "Candidates: tiles 0, 3 and 4, whose routes to or from tile 2 (dev) go that way." },
	/* answers of 2 go west along row 0, then south: west of 2 all 30000 of them, and 60000 of its 90000 cycles are stalls */
	{ "answers stall on their way", "espmon", "tile", 78000000, {
		{ "noc_injects_p3", IN(0, 0, 30000, 0, 0, 0), false },
		{ "noc_injects_p5", IN(2000, 0, 0, 2000, 2000, 0), false },
		{ "ddr_accesses", IN(NAN, NAN, 30000, NAN, NAN, NAN), false },
		{ "noc_queue_full_p3_w", IN(0, 20000, 90000, 0, 0, 0), false },
		{ "noc_queue_full_p3_s", IN(10000, 10000, 0, 0, 0, 0), false } },
	  "The link west of tile 2 stalled in at least 66 % of the cycles with flits of DMA (plane 3). Candidates: "
	  "tiles 0, 3 and 4, whose routes to or from tile 2 (dev) go that way." },
	{ "links that are full, and move", "espmon", "tile", 78000000, {
		{ "noc_injects_p3", IN(0, 0, 0, 0, 0, 0), false },
		{ "noc_injects_p5", IN(10000, 0, 0, 10000, 10000, 0), false },
		{ "ddr_accesses", IN(NAN, NAN, 30000, NAN, NAN, NAN), false },
		{ "noc_queue_full_p5_e", IN(10000, 10000, 0, 10000, 20000, 0), false },
		{ "noc_queue_full_p5_n", IN(0, 0, 0, 0, 0, 20000), false } }, NULL },
	{ "a tile in front of the link was not counted", "espmon", "tile", 78000000, {
		{ "noc_injects_p5", IN(NAN, 0, 0, 10000, 10000, 0), false },
		{ "noc_queue_full_p5_e", IN(12000, 40000, 0, 10000, 25000, 0), false } }, NULL },
	{ "counts of all accelerators together", "espmon", "tile", 78000000, {
		{ "acc_mem_cycles", ALL(40000) }, { "acc_tot_cycles", ALL(100000) } },
	  "The accelerators waited 40 % of their runs for memory, all of them together." },
	/* ---- UPMEM: the stories of vecadd and reduction ---- */
	{ "vecadd", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", ALL(224210240) }, { "dpu_instructions", ALL(202945600) },
		{ "read_64bit_instruction", ALL(33554432) }, { "write_64bit_instruction", ALL(16777216) } },
	  /* (33554432 + 16777216) * 8 / 224210240 = 1.796, 224210240 / 202945600 = 1.105 */
	  "The DPUs wait for their DMA engines: 1.8 bytes of at most 2 a cycle, and 1.1 cycles/instruction." },
	{ "reduction", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", ALL(22160064) }, { "dpu_instructions", ALL(21615296) },
		{ "read_64bit_instruction", ALL(4194304) }, { "write_64bit_instruction", ALL(0) } },
	  "The DPUs are bound by their pipelines: 1.03 cycles for each instruction, 1 is the best." },
	{ "one tasklet of a pipeline of eleven", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", ALL(1100000) }, { "dpu_instructions", ALL(100000) },
		{ "read_64bit_instruction", ALL(100) }, { "write_64bit_instruction", ALL(0) } },
	  "The pipelines of the DPUs are idle: 11 cycles for each instruction" },
	{ "the same, and nobody counted what its DMA moves", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", ALL(1100000) }, { "dpu_instructions", ALL(100000) } },
	  "The pipelines of the DPUs are idle: 11 cycles for each instruction, 1 is the best. The preset memory" },
	{ "a DPU with twice the work", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", IN(1000, 1000, 1000, 2000), false } },
	  /* 2000 / 1250 */
	  "The DPUs have unequal work: the busiest ran 1.6 times as long as the average." },
	/* the others are at 1.05 cycles an instruction, but the rule is about all of them */
	{ "the first DPU took turns", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", IN(NAN, 1050000), false }, { "dpu_instructions", IN(NAN, 1000000), false } }, NULL },
	{ "a DPU with little more work", "upmem", "dpu", 350000000, {
		/* 2400 / 2100 = 1.14 */
		{ "dpu_cycles", IN(2000, 2000, 2000, 2400), false } }, NULL },
	/* 1.2 cycles an instruction and 1 byte a cycle: neither limit is near */
	{ "pipelines and DMA both have room", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", ALL(1200000) }, { "dpu_instructions", ALL(1000000) },
		{ "read_64bit_instruction", ALL(100000) }, { "write_64bit_instruction", ALL(50000) } }, NULL },
	{ "DPUs with equal work", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", IN(1000, 1000, 1010, 1000), false } }, NULL },
	/* ---- Hexagon ---- */
	{ "one thread", "hexagon", "thread", 0, {
		{ "cycles_1_thread_running", ALL(9000) }, { "cycles_2_thread_running", ALL(0) },
		{ "cycles_3_thread_running", ALL(0) }, { "cycles_4_thread_running", ALL(0) },
		{ "cycles_5_thread_running", ALL(0) }, { "cycles_6_thread_running", ALL(0) } },
	  "Hardware threads are idle: 1 of 6 ran on average while any did." },
	{ "six threads", "hexagon", "thread", 0, {
		{ "cycles_1_thread_running", ALL(0) }, { "cycles_2_thread_running", ALL(0) },
		{ "cycles_3_thread_running", ALL(0) }, { "cycles_4_thread_running", ALL(0) },
		{ "cycles_5_thread_running", ALL(0) }, { "cycles_6_thread_running", ALL(9000) } }, NULL },
	{ "one thread, by the packets of each", "hexagon", "thread", 0, {
		{ "committed_pkt_any", IN(10000, 0, 0, 0, 0, 0), false } },
	  "Hardware threads are idle: 1 of 6 had all the work." },
	{ "six threads by their packets", "hexagon", "thread", 0, {
		{ "committed_pkt_any", IN(10000, 9000, 10000, 9000, 10000, 9000), false } }, NULL },
	{ "four threads were not counted", "hexagon", "thread", 0, {
		{ "committed_pkt_any", IN(10000, 0, NAN, NAN, NAN, NAN), false } }, NULL },
	{ "one instruction a packet", "hexagon", "thread", 0, {
		{ "committed_insts", ALL(11000) }, { "committed_pkt_any", ALL(10000) } },
	  "Packets are less than half full: 1.1 instructions of at most 4." },
	{ "full packets", "hexagon", "thread", 0, {
		{ "committed_insts", ALL(35000) }, { "committed_pkt_any", ALL(10000) } }, NULL },
	/* 150 cycles for each sixth packet, and few fetches that miss */
	{ "every sixth packet misses", "hexagon", "thread", 0, {
		{ "du_cache_miss_pview_cycles", ALL(250000) }, { "iu_no_pkt_pview_cycles", ALL(500) },
		{ "committed_pkt_any", ALL(10000) } },
	  "Hardware threads wait for data: 25 cycles for each packet after misses of the data cache." },
	{ "a program larger than its cache", "hexagon", "thread", 0, {
		{ "du_cache_miss_pview_cycles", ALL(0) }, { "iu_no_pkt_pview_cycles", ALL(120000) },
		{ "committed_pkt_any", ALL(10000) } },
	  "Hardware threads wait for instructions: 12 cycles for each packet." },
	{ "hits", "hexagon", "thread", 0, {
		{ "du_cache_miss_pview_cycles", ALL(900) }, { "iu_no_pkt_pview_cycles", ALL(500) },
		{ "committed_pkt_any", ALL(10000) } }, NULL },
	/* ---- Merrifield, in one second: 200 million bursts of 32 bytes are 6400 of 8528 MB/s ---- */
	{ "streaming", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(100e6) }, { "group=1,counter=1", ALL(0) },
		{ "group=1,counter=2", ALL(100e6) }, { "group=1,counter=3", ALL(0) } },
	  "DRAM is the bottleneck: 6400 MB/s, 75 % of what both channels can move." },
	{ "a tenth of that", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(10e6) }, { "group=1,counter=1", ALL(0) },
		{ "group=1,counter=2", ALL(10e6) }, { "group=1,counter=3", ALL(0) } },
	  "DRAM has room: 640 MB/s, 7.5 % of what both channels can move." },
	{ "one channel was counted", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(100e6) }, { "group=1,counter=1", ALL(0) } }, NULL },
	/* 150 + 30 million bursts of 32 bytes are 5760 of 8528 MB/s */
	{ "reads and writes", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(100e6) }, { "group=1,counter=1", ALL(20e6) },
		{ "group=1,counter=2", ALL(50e6) }, { "group=1,counter=3", ALL(10e6) } },
	  "DRAM is the bottleneck: 5760 MB/s, 68 % of what both channels can move." },
	{ "an idle machine", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(0) }, { "group=1,counter=1", ALL(0) },
		{ "group=1,counter=2", ALL(0) }, { "group=1,counter=3", ALL(0) } }, NULL },
};

/* The description that recording.h defines, and the counts in its order. */
static struct recording *describe(const struct program *p, double *count)
{
	struct recording *rec;
	/* hardware threads are six */
	size_t size, n = 0, places = strcmp(p->pmu, "hexagon") ? 0 : 6;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\npmu\t%s\t%s\t%llu\n", p->pmu, p->noun, p->clock);
	for (size_t i = 0; i < COUNT_OF(p->counts) && p->counts[i].event; i++)
		for (size_t k = 0; !p->counts[i].is_total && p->counts[i].in[k] != NOWHERE; k++)
			places = k + 1 > places ? k + 1 : places;
	for (size_t i = 0; i < places; i++)
		fprintf(out, "place\t%zu\tkind\t\tdev\t%zu\t%zu\n", i, i / COLUMNS, i % COLUMNS);
	for (size_t i = 0; i < COUNT_OF(p->counts) && p->counts[i].event; i++) {
		for (size_t k = 0; p->counts[i].in[k] != NOWHERE; k++) {
			fprintf(out, "counter\t%zu\t%s\t%d\tx\t1\t\n", n, p->counts[i].event,
				p->counts[i].is_total ? -1 : (int)k);
			count[n++] = p->counts[i].in[k];
		}
	}
	fclose(out);
	rec = recording_parse(text, size, "test");
	free(text);
	return rec;
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

START_TEST(the_first_sentence_is_the_answer)
{
	const struct program *p = &programs[_i];
	double count[64];
	struct recording *rec = describe(p, count);
	struct verdict verdict = verdict_new(&(struct verdict_counts){ rec, count, 1 });
	char *text = joined(&verdict);

	if (p->says)
		ck_assert_msg(!strncmp(text, p->says, strlen(p->says)), "%s: %s", p->what, text);
	else
		ck_assert_msg(!verdict.count, "%s: %s", p->what, text);
	free(text);
	verdict_free(&verdict);
	recording_free(rec);
}
END_TEST

/*
 * If one count is unknown, such as that of a counter that took turns, every rule that needs it is
 * silent.
 */
START_TEST(a_rule_is_silent_when_the_counts_do_not_carry_it)
{
	const struct program *p = &programs[_i];
	double count[64];
	struct recording *rec = describe(p, count);
	struct verdict verdict;

	for (size_t i = 0; i < rec->ncounters; i++)
		count[i] = NAN;
	verdict = verdict_new(&(struct verdict_counts){ rec, count, 1 });
	ck_assert_uint_eq(verdict.count, 0);
	verdict_free(&verdict);
	recording_free(rec);
}
END_TEST

Suite *verdict_suite(void)
{
	Suite *suite = suite_create("verdict");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, the_first_sentence_is_the_answer, 0, COUNT_OF(programs));
	tcase_add_loop_test(all, a_rule_is_silent_when_the_counts_do_not_carry_it, 0, COUNT_OF(programs));
	suite_add_tcase(suite, all);
	return suite;
}
