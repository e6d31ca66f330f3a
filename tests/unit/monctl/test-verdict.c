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
#define MOST_PLACES 5
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
	/* What the first sentence says; NULL: there is no sentence. */
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
	  "The accelerators computed: none waited more than 8.6 % of its run for memory." },
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
	{ "a DPU with twice the work", "upmem", "dpu", 350000000, {
		{ "dpu_cycles", IN(1000, 1000, 1000, 2000), false } },
	  /* 2000 / 1250 */
	  "The DPUs have unequal work: the busiest ran 1.6 times as long as the average." },
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
	{ "an idle machine", "mrfld_visa", "", 0, {
		{ "group=1,counter=0", ALL(0) }, { "group=1,counter=1", ALL(0) },
		{ "group=1,counter=2", ALL(0) }, { "group=1,counter=3", ALL(0) } }, NULL },
};

/* The description that recording.h defines, and the counts in its order. */
static struct recording *describe(const struct program *p, double *count)
{
	struct recording *rec;
	size_t size, n = 0, places = 0;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\npmu\t%s\t%s\t%llu\n", p->pmu, p->noun, p->clock);
	for (size_t i = 0; i < COUNT_OF(p->counts) && p->counts[i].event; i++)
		for (size_t k = 0; !p->counts[i].is_total && p->counts[i].in[k] != NOWHERE; k++)
			places = k + 1 > places ? k + 1 : places;
	for (size_t i = 0; i < places; i++)
		fprintf(out, "place\t%zu\tkind\t\tdev\t-1\t-1\n", i);
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

START_TEST(the_first_sentence_is_the_answer)
{
	const struct program *p = &programs[_i];
	double count[64];
	struct recording *rec = describe(p, count);
	struct verdict verdict = verdict_new(&(struct verdict_counts){ rec, count, 1 });

	if (p->says)
		ck_assert_msg(verdict.count && !strncmp(verdict.sentence[0], p->says, strlen(p->says)), "%s: %s",
			      p->what, verdict.count ? verdict.sentence[0] : "silent");
	else
		ck_assert_msg(!verdict.count, "%s: %s", p->what, verdict.count ? verdict.sentence[0] : "");
	verdict_free(&verdict);
	recording_free(rec);
}
END_TEST

/* One count that nobody knows, as of a counter that took turns, and every rule that needs it is silent. */
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
