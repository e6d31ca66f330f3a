/* SPDX-License-Identifier: GPL-2.0-only */
/* Events as values of the feed, and the PMU's registers. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon/pmu.h"
#include "tests/main.h"

/* Selectors from the V73 Programmer's Reference Manual, chapter 9. */
#define PKT_ANY 0x003
#define PKT_T2 0x00e
#define PKT_T6 0x015
#define INSTS 0x02a
#define PKT_2_RUNNING 0x026
#define CYCLES_1 0x03b
#define CYCLES_2 0x03c
#define CYCLES_7 0x022
#define HVX_PKT 0x111
#define HVX_PKT_V65 0x113
#define SPLIT_2_0 0x308
#define SPLIT_1_1 0x309
#define PKT_BSB 0x004
#define PKT_SMT 0x008
#define CYCLES_3 0x03d
#define OFF_VIEW 0x0e5
#define REDIRECT_VIEW 0x0e7
#define DU_MISS_VIEW 0x0e9
#define COMMITS_1 0x300
#define CONTEXTS_2 0x116
#define CONTEXTS_5 0x191
#define COPROC_VIEW 0x0ed

static struct hexagon_core core;
static struct hexagon_totals totals;
static struct hexagon_pmu pmu;

static void setup(void)
{
	ck_assert(hexagon_core_init(&core, 69));
	memset(&totals, 0, sizeof(totals));
	hexagon_pmu_reset(&pmu);
}

static uint32_t get(unsigned int offset)
{
	return hexagon_pmu_read(&pmu, &core, &totals, offset);
}

static void set(unsigned int offset, uint32_t value)
{
	hexagon_pmu_write(&pmu, &core, &totals, offset, value);
}

SUITE("hexagon pmu", .setup = setup);

TEST(an_event_is_the_sum_over_the_threads_that_the_filter_lets_through)
{
	for (unsigned int i = 0; i < 6; i++)
		totals.count[i][HEXAGON_INSTS] = 10 + i;
	/* 10 + ... + 15 */
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, INSTS, 0), 75);
	/* thread n has the STID n + 1 */
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, INSTS, 3), 12);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, INSTS, 200), 0);
	/* COMMITTED_PKT_T2 ignores the filter */
	totals.count[2][HEXAGON_PACKETS] = 7;
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, PKT_T2, 1), 7);
}

/* So many packets of each thread of a set, without waiting. */
static void run_together(uint32_t set, uint64_t packets)
{
	totals.cycles[set] = totals.active[set] = core.cycles * packets;
	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
		if (set >> t & 1)
			totals.packets[set][t] = packets;
}

/* A thread of a set waits for n cycles, while others of it do not, or with all others. */
static void wait_hidden(uint32_t set, unsigned int t, enum hexagon_stall cause, uint64_t n)
{
	totals.cycles[set] += n;
	totals.active[set & ~(1u << t)] += n;
	totals.hidden[t][cause] += n;
}

static void wait_open(uint32_t set, unsigned int t, enum hexagon_stall cause, uint64_t n)
{
	totals.cycles[set] += n;
	totals.active[0] += n;
	totals.shown[set] += n;
	totals.open[t][cause] += n;
	totals.parts[t][cause] += HEXAGON_PARTS * n;
}

TEST(cycles_are_told_by_running_threads)
{
	run_together(1 << 0, 5);
	run_together(1 << 0 | 1 << 1, 20);
	run_together(1 << 2 | 1 << 4, 3);
	totals.cycles[0] = 1000;
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CYCLES_1, 0), 3 * 5);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CYCLES_2, 0), 3 * 23);
	/* two packets a round, of which thread 0 has one in 20 rounds */
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, PKT_2_RUNNING, 0), 46);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, PKT_2_RUNNING, 1), 20);
	/* no cycle counts while no thread runs */
	ck_assert_uint_eq(hexagon_cycles(&totals), 3 * 28);
}

TEST(cycles_are_told_by_vector_contexts)
{
	totals.contexts[2] = 40;
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CONTEXTS_2, 0), 40);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CONTEXTS_2 - 1, 0), 0);
	/* V79 has events for five and six contexts, its core in the model four */
	ck_assert(hexagon_core_init(&core, 79));
	ck_assert(!hexagon_event_supplied(&core, CONTEXTS_5));
	core.contexts = 6;
	ck_assert(hexagon_event_supplied(&core, CONTEXTS_5));
}

static bool countable[1024];
static unsigned int distinct;

static void count_event(void *data, const char *name, unsigned int code)
{
	const struct hexagon_core *of = data;

	(void)name;
	if (!hexagon_event_supplied(of, code) || countable[code] || (of->version == 65 && code >= 0x100))
		return;
	countable[code] = true;
	distinct++;
}

/*
 * The catalogue marks 89 selectors as counted: exactly, by decoding, by class, or by the model of
 * time. One selects nothing and four chain counters, which the registers do: 84. Nine more: four
 * causes of stalls (the fifth, a thread that is off, is among the 84), l2fetch and dcfetch after
 * the L1, two events each, and hmx_pkt_thread, which reads 0. V65 has other numbers for two of
 * them.
 */
TEST(every_event_that_can_be_counted_is)
{
	static const unsigned int versions[] = { 65, 69, 73, 79 };

	for (unsigned int i = 0; i < 4; i++) {
		ck_assert(hexagon_core_init(&core, versions[i]));
		core.stalls = true;
		hexagon_events_list(&core, count_event, &core);
		core.threads = HEXAGON_MAX_THREADS;
		hexagon_events_list(&core, count_event, &core);
	}
	ck_assert_uint_eq(distinct, 84 + 9);
}

/*
 * 100 packets of thread 0 alone, then it waits 30 cycles for data; 10 packets each of threads 0, 1 and 2, which are in
 * cluster 0; while the others commit nothing, thread 1 waits 60 cycles for data and all three 21 for branches, of which
 * thread 2 has all; and 9 cycles of thread 1 for a vector context that the two others hide.
 */
TEST(waits_make_cycles_and_views)
{
	const uint32_t three = 1 << 0 | 1 << 1 | 1 << 2;
	uint64_t cycles, views = 0;

	core.stalls = true;
	run_together(1 << 0, 100);
	run_together(three, 10);
	wait_open(1 << 0, 0, HEXAGON_STALL_DATA, 30);
	wait_open(three, 1, HEXAGON_STALL_DATA, 60);
	wait_open(three, 2, HEXAGON_STALL_REDIRECT, 21);
	wait_hidden(three, 1, HEXAGON_STALL_CONTEXT, 9);
	/* in them the two others commit three packets each */
	totals.packets[three][0] += 3;
	totals.packets[three][2] += 3;
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CYCLES_1, 0), 330);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, CYCLES_3, 0), 30 + 60 + 21 + 9);
	cycles = hexagon_cycles(&totals);
	ck_assert_uint_eq(cycles, 450);
	/* what all wait costs both clusters each cycle, what others hide one turn of three cycles */
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, DU_MISS_VIEW, 0), 2 * 90);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, DU_MISS_VIEW, 2), 2 * 60);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, REDIRECT_VIEW, 0), 2 * 21);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, COPROC_VIEW, 0), 9 / 3);
	/*
	 * of the six turns of a round five are free with one thread, three with three: in 100 rounds, and in 10 and 3;
	 * thread 3 never runs
	 */
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, OFF_VIEW, 0), 500 + 3 * 13);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, OFF_VIEW, 4), 113);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, OFF_VIEW, 1), 0);
	/* top down: every cycle of both clusters commits a packet or has its reason; 136 packets */
	for (unsigned int code = 0xe5; code <= 0xef; code++)
		views += hexagon_event_value(&core, &totals, code, 0);
	ck_assert_uint_eq(136 + views, 2 * cycles);
}

TEST(threads_of_a_cluster_take_turns)
{
	run_together(1 << 0, 100);
	run_together(1 << 0 | 1 << 1 | 1 << 2, 10);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, PKT_SMT, 0), 0);
	/* threads 0 and 3 have the same turn in their clusters: two packets in 7 cycles */
	run_together(1 << 0 | 1 << 3, 7);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, PKT_SMT, 0), 7);
	ck_assert(hexagon_core_init(&core, 73));
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, COMMITS_1, 0), 130);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, COMMITS_1 + 1, 0), 7);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, COMMITS_1 + 2, 0), 0);
}

TEST(names_in_capitals_are_known)
{
	ck_assert_int_eq(hexagon_event_find(&core, "COMMITTED_PKT_ANY"), PKT_ANY);
	ck_assert_int_eq(hexagon_event_find(&core, "Hvx_Pkt"), HVX_PKT);
	ck_assert_int_eq(hexagon_event_find(&core, "COMMITTED_PKT"), -1);
}

TEST(what_an_event_asks_of_the_program)
{
	ck_assert_uint_eq(hexagon_event_features(&core, CYCLES_1), 0);
	ck_assert_uint_eq(hexagon_event_features(&core, 0x013), HEXAGON_FEATURE_MEMORY);
	ck_assert_uint_eq(hexagon_event_features(&core, 0x081), HEXAGON_FEATURE_MEMORY);
	ck_assert(!hexagon_event_supplied(&core, DU_MISS_VIEW));
	core.stalls = true;
	ck_assert(hexagon_event_supplied(&core, DU_MISS_VIEW));
	ck_assert_uint_eq(hexagon_event_features(&core, CYCLES_1),
			  HEXAGON_FEATURE_MEMORY | HEXAGON_FEATURE_TIMING);
	ck_assert_uint_eq(hexagon_event_features(&core, 0x3ff), 0);
}

TEST(a_core_has_the_events_of_its_version_and_size)
{
	ck_assert(hexagon_event_supplied(&core, HVX_PKT));
	ck_assert(!hexagon_event_supplied(&core, 0x000));
	ck_assert(!hexagon_event_supplied(&core, HEXAGON_CHAIN_0));
	ck_assert(!hexagon_event_supplied(&core, PKT_BSB));
	ck_assert(!hexagon_event_supplied(&core, PKT_T6));
	ck_assert(!hexagon_event_supplied(&core, CYCLES_7));
	/* doubtful on V69, certain on V73 */
	ck_assert(!hexagon_event_supplied(&core, SPLIT_2_0));
	ck_assert(!hexagon_event_supplied(&core, 0x3ff));
	ck_assert(!hexagon_event_supplied(&core, 0x400));

	ck_assert(hexagon_core_init(&core, 65));
	ck_assert_uint_eq(core.threads, 4);
	ck_assert_uint_eq(core.cycles, 2);
	ck_assert(hexagon_event_supplied(&core, HVX_PKT_V65));
	ck_assert(!hexagon_event_supplied(&core, HVX_PKT));
	/* four threads: no CYCLES_5 (0x00a), and 0x011 is another event */
	ck_assert(!hexagon_event_supplied(&core, 0x00a));
	ck_assert(!hexagon_event_supplied(&core, 0x011));

	ck_assert(hexagon_core_init(&core, 73));
	ck_assert(hexagon_event_supplied(&core, SPLIT_2_0));
	/* 4 + 0 needs a cluster of four */
	ck_assert(!hexagon_event_supplied(&core, 0x30c));
	core.threads = 8;
	ck_assert(hexagon_event_supplied(&core, 0x30c));
	ck_assert(hexagon_event_supplied(&core, PKT_T6));
	ck_assert(hexagon_core_init(&core, 79));
	ck_assert(!hexagon_core_init(&core, 70));
}

TEST(packets_are_split_by_cluster)
{
	hexagon_core_init(&core, 73);
	run_together(1 << 0 | 1 << 1, 4);
	run_together(1 << 2 | 1 << 3, 5);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, SPLIT_2_0, 0), 8);
	ck_assert_uint_eq(hexagon_event_value(&core, &totals, SPLIT_1_1, 0), 10);
}

TEST(counters_count_while_the_run_bit_is_set)
{
	set(HEXAGON_PMUEVTCFG, PKT_ANY << 8);
	totals.count[0][HEXAGON_PACKETS] = 100;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(1)), 0);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = 140;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(1)), 40);
	set(HEXAGON_SYSCFG, 0);
	totals.count[0][HEXAGON_PACKETS] = 200;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(1)), 40);
	/* enabling does not clear */
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = 201;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(1)), 41);
	/* idle selector */
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 0);
}

LOOP_TEST(all_eight_selectors_have_their_bits, 0, HEXAGON_COUNTERS)
{
	/* HVX_PKT 0x111 in every counter in turn: 0x11 in the byte, 01 in PMUCFG */
	set(_i < 4 ? HEXAGON_PMUEVTCFG : HEXAGON_PMUEVTCFG1, 0x11u << 8 * (_i % 4));
	set(HEXAGON_PMUCFG, 1u << 2 * _i);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[3][HEXAGON_HVX_PACKETS] = 9;
	for (int i = 0; i < HEXAGON_COUNTERS; i++)
		ck_assert_uint_eq(get(HEXAGON_PMUCNT(i)), i == _i ? 9 : 0);
	/* filter: thread 3 is STID 4 */
	set(_i < 4 ? HEXAGON_PMUSTID0 : HEXAGON_PMUSTID1, 5u << 8 * (_i % 4));
	totals.count[3][HEXAGON_HVX_PACKETS] = 12;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(_i)), 9);
	set(_i < 4 ? HEXAGON_PMUSTID0 : HEXAGON_PMUSTID1, 4u << 8 * (_i % 4));
	totals.count[3][HEXAGON_HVX_PACKETS] = 13;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(_i)), 10);
}

TEST(the_register_addresses_are_those_of_the_system_registers)
{
	/* s48-s51 counters 0-3, s44-s47 counters 4-7, s52 PMUEVTCFG, s58 PMUCFG */
	ck_assert_uint_eq(HEXAGON_PMUCNT(0), 4 * 48);
	ck_assert_uint_eq(HEXAGON_PMUCNT(3), 4 * 51);
	ck_assert_uint_eq(HEXAGON_PMUCNT(4), 4 * 44);
	ck_assert_uint_eq(HEXAGON_PMUCNT(7), 4 * 47);
	ck_assert_uint_eq(HEXAGON_PMUEVTCFG, 4 * 52);
	ck_assert_uint_eq(HEXAGON_PMUCFG, 4 * 58);
}

TEST(a_counter_keeps_its_value_when_its_event_changes)
{
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	set(HEXAGON_PMUEVTCFG, PKT_ANY);
	totals.count[0][HEXAGON_PACKETS] = 30;
	totals.count[0][HEXAGON_INSTS] = 1000;
	set(HEXAGON_PMUEVTCFG, INSTS);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 30);
	totals.count[0][HEXAGON_INSTS] = 1005;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 35);
	set(HEXAGON_PMUCNT(0), 1);
	totals.count[0][HEXAGON_INSTS] = 1007;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 3);
}

LOOP_TEST(a_counter_wraps_and_its_neighbour_takes_the_carry, 0, 4)
{
	static const uint32_t chain[4] = { HEXAGON_CHAIN_0, HEXAGON_CHAIN_2, HEXAGON_CHAIN_4,
					   HEXAGON_CHAIN_6 };
	unsigned int even = 2 * _i, odd = even + 1;
	unsigned int evtcfg = even < 4 ? HEXAGON_PMUEVTCFG : HEXAGON_PMUEVTCFG1;

	set(evtcfg, (uint32_t)PKT_ANY << 8 * (even % 4) | chain[_i] << 8 * (odd % 4));
	set(HEXAGON_PMUCNT(even), 0xfffffff0);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = 15;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(even)), 0xffffffff);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(odd)), 0);
	totals.count[0][HEXAGON_PACKETS] = 18;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(even)), 2);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(odd)), 1);
	totals.count[0][HEXAGON_PACKETS] += UINT64_C(3) << 32;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(odd)), 4);
	/* another write does not lose or repeat a carry */
	set(HEXAGON_PMUSTID0, 0);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(odd)), 4);
}

TEST(a_chain_selector_in_another_counter_is_idle)
{
	set(HEXAGON_PMUEVTCFG, PKT_ANY | HEXAGON_CHAIN_2 << 8);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = UINT64_C(5) << 32;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(1)), 0);
}

TEST(v65_looks_at_nine_bits)
{
	hexagon_core_init(&core, 65);
	set(HEXAGON_PMUEVTCFG, PKT_ANY);
	set(HEXAGON_PMUCFG, 2);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = 6;
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 6);
}

TEST(the_latch_holds_one_moment)
{
	set(HEXAGON_PMUEVTCFG, PKT_ANY | INSTS << 8);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.count[0][HEXAGON_PACKETS] = 6;
	totals.count[0][HEXAGON_INSTS] = 8;
	set(HEXAGON_LATCH, 1);
	totals.count[0][HEXAGON_PACKETS] = 60;
	totals.count[0][HEXAGON_INSTS] = 80;
	ck_assert_uint_eq(get(HEXAGON_LATCHED(0)), 6);
	ck_assert_uint_eq(get(HEXAGON_LATCHED(1)), 8);
	ck_assert_uint_eq(get(HEXAGON_PMUCNT(0)), 60);
}

TEST(pcycle_is_64_bits_and_has_its_own_enable)
{
	totals.cycles[1] = 300;
	set(HEXAGON_PCYCLELO, 0xffffffff);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PCYCLEEN);
	totals.cycles[1] = 303;
	ck_assert_uint_eq(get(HEXAGON_PCYCLELO), 2);
	ck_assert_uint_eq(get(HEXAGON_PCYCLEHI), 1);
	set(HEXAGON_SYSCFG, HEXAGON_SYSCFG_PM);
	totals.cycles[1] = 600;
	ck_assert_uint_eq(get(HEXAGON_PCYCLELO), 2);
}

TEST(unknown_bits_read_as_0)
{
	set(HEXAGON_PMUCFG, 0xffffffff);
	ck_assert_uint_eq(get(HEXAGON_PMUCFG), HEXAGON_PMUCFG_EVENTS | HEXAGON_PMUCFG_THMASK);
	set(HEXAGON_SYSCFG, 0xffffffff);
	ck_assert_uint_eq(get(HEXAGON_SYSCFG), HEXAGON_SYSCFG_PM | HEXAGON_SYSCFG_PCYCLEEN);
	set(0, 0xffffffff);
	ck_assert_uint_eq(get(0), 0);
}
