/* SPDX-License-Identifier: GPL-2.0-only */
/* Directory protocol, row by row: flits, beats and pulses of each request in each state. */
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/esp/coherence-rig.h"

/*
 * Accesses of the processors, as text: "1L4" is a load of line 4 by processor 1, S a store, F a
 * fetch; after + the next one follows at once. "1x" flushes the L2 of processor 1, "*" the LLC.
 * Lines 0, 4 and 8 are in set 0, and both kinds of caches have two ways.
 */
struct row {
	const char *name, *before, *then;
	/*
	 * counts that "then" causes: at the memory tile, by all L2s, and flits that each
	 * processor's L2 sends on plane 3
	 */
	struct counts want;
	unsigned int hits, misses, sent[3];
	/* states of lines after it; D: V, and dirty */
	const char *lines;
};

#define DATA	(2 + LC)	/* a message with data */

static const struct row rows[] = {
	{ "GETS, I: exclusive", "", "0L0", { .ddr = LW, .req = 2, .snd = DATA, .miss = 1 }, 0, 1, { 0 }, "0E" },
	{ "GETS of instructions, I: shared", "", "0F0", { .ddr = LW, .req = 2, .snd = DATA, .miss = 1 },
	  0, 1, { 0 }, "0S" },
	{ "GETM, I", "", "0S0", { .ddr = LW, .req = 2, .snd = DATA, .miss = 1 }, 0, 1, { 0 }, "0M" },

	/* a line in V needs no DDR */
	{ "GETS, V", "0L0 0x", "1L0", { .req = 2, .snd = DATA, .hit = 1 }, 0, 1, { 0 }, "0E" },
	{ "GETS of instructions, V", "0L0 0x", "1F0", { .req = 2, .snd = DATA, .hit = 1 }, 0, 1, { 0 }, "0S" },
	{ "GETM, V", "0L0 0x", "1S0", { .req = 2, .snd = DATA, .hit = 1 }, 0, 1, { 0 }, "0M" },

	{ "GETS, S", "0F0", "1L0", { .req = 2, .snd = DATA, .hit = 1 }, 0, 1, { 0 }, "0S" },
	{ "GETS of instructions, S", "0F0", "1F0", { .req = 2, .snd = DATA, .hit = 1 }, 0, 1, { 0 }, "0S" },

	/* the owner sends data to the requester and to the LLC; the LLC itself sends none */
	{ "GETS, E", "0L0", "1L0", { .req = 2, .fwd = 2, .rcv = DATA, .hit = 1 }, 0, 1, { 2 * DATA }, "0S" },
	{ "GETS, M", "0S0", "1L0", { .req = 2, .fwd = 2, .rcv = DATA, .hit = 1 }, 0, 1, { 2 * DATA }, "0S" },

	/* an upgrade: a hit of the L2 although it asks for ownership; INV_ACKs go to it, not to the LLC */
	{ "GETM, S, the only sharer", "0F0", "0S0", { .req = 2, .snd = DATA, .hit = 1 }, 1, 0, { 0 }, "0M" },
	{ "GETM, S, one more", "0F0 1F0", "0S0", { .req = 2, .fwd = 2, .snd = DATA, .hit = 1 },
	  1, 0, { 0, 2, 0 }, "0M" },
	{ "GETM, S, two more", "0F0 1F0 2F0", "0S0", { .req = 2, .fwd = 4, .snd = DATA, .hit = 1 },
	  1, 0, { 0, 2, 2 }, "0M" },

	{ "GETM, E", "0L0", "1S0", { .req = 2, .fwd = 2, .hit = 1 }, 0, 1, { DATA }, "0M" },
	{ "GETM, M", "0S0", "1S0", { .req = 2, .fwd = 2, .hit = 1 }, 0, 1, { DATA }, "0M" },

	/* the first is forwarded: 1 hit; the second finds SD: a hit, then again when the data are there, and is
	 * answered from S */
	{ "GETS, SD", "0S0", "1L0+ 2L0", { .req = 4, .fwd = 2, .rcv = DATA, .snd = DATA, .hit = 3 },
	  0, 2, { 2 * DATA }, "0S" },

	/* acknowledged with 2 flits, and a hit */
	{ "PUTS, E", "0L0", "0x", { .req = 2, .snd = 2, .hit = 1 }, 0, 0, { 0 }, "0V" },
	{ "PUTS, S, one of two", "0F0 1F0", "0x", { .req = 2, .snd = 2, .hit = 1 }, 0, 0, { 0 }, "0S" },
	{ "PUTS, S, the last", "0F0 1F0 0x", "1x", { .req = 2, .snd = 2, .hit = 1 }, 0, 0, { 0 }, "0V" },
	{ "PUTM, M", "0S0", "0x", { .req = DATA, .snd = 2, .hit = 1 }, 0, 0, { 0 }, "0D" },

	/* the way in V is evicted, not the owned one; a dirty line is written first */
	{ "a miss evicts V", "0L0 0x 1L4", "2L8", { .ddr = LW, .req = 2, .snd = DATA, .miss = 1 },
	  0, 1, { 0 }, "0I 4E 8E" },
	{ "a miss evicts V, dirty", "0S0 0x 1L4", "2L8", { .ddr = 2 * LW, .req = 2, .snd = DATA, .miss = 1 },
	  0, 1, { 0 }, "0I 4E 8E" },
	/* two sharers get INV; the LLC does not wait for their answers */
	{ "a miss evicts S", "0F0 1F0 0L4", "2L8", { .ddr = LW, .req = 2, .fwd = 2 * 2, .snd = DATA, .miss = 1 },
	  0, 1, { 0 }, "0I 4E 8E" },
	/*
	 * both lost the line, so the next fetch misses; it recalls line 4, because the LLC's
	 * pointer is at way 1
	 */
	{ "a miss of one that was evicted", "0F0 1F0 0L4 2L8", "1F0",
	  { .ddr = LW, .req = 2, .fwd = 2, .rcv = 2, .snd = DATA, .miss = 1 }, 0, 1, { 2 }, "0S 4I 8E" },
	/* INV_ACK if it was E, data if it was M, and then a write-back; one miss, counted on resume */
	{ "a miss recalls E", "0L0 1L4", "2L8",
	  { .ddr = LW, .req = 2, .fwd = 2, .rcv = 2, .snd = DATA, .miss = 1 }, 0, 1, { 2 }, "0I 4E 8E" },
	{ "a miss recalls M", "0S0 1L4", "2L8",
	  { .ddr = 2 * LW, .req = 2, .fwd = 2, .rcv = DATA, .snd = DATA, .miss = 1 }, 0, 1, { DATA }, "0I 4E 8E" },

	/* the data of a FWD_GETS make the LLC's line dirty, even if the owner has never written */
	{ "LLC flush, clean", "0L0 0x 1x", "*", { .ddr = 0 }, 0, 0, { 0 }, "0I" },
	{ "LLC flush, forwarded", "0L0 1L0 0x 1x", "*", { .ddr = LW }, 0, 0, { 0 }, "0I" },

	/* E, E to M silently, M, M */
	{ "L2 hits", "0L0", "0L0 0S0 0S0 0F0", { 0 }, 4, 0, { 0 }, "0E" },
	/*
	 * One miss. PUTM of DATA or PUTS of 2, acknowledged with 2 and a hit pulse; then GETS 2, which evicts the V
	 * line 0 from the LLC (written if dirty) and is answered with DATA.
	 */
	{ "L2 gives back first", "0L0 0L4", "0L8",
	  { .ddr = LW, .req = 2 + 2, .snd = 2 + DATA, .hit = 1, .miss = 1 }, 0, 1, { 0 }, "0I 4E 8E" },
	{ "L2 gives back first, dirty", "0S0 0L4", "0L8",
	  { .ddr = 2 * LW, .req = DATA + 2, .snd = 2 + DATA, .hit = 1, .miss = 1 }, 0, 1, { 0 }, "0I 4E 8E" },
	/* the second waits for the set; the third waits behind it, then hits */
	{ "L2 set in use", "", "0L0+ 0L4+ 0L0", { .ddr = 2 * LW, .req = 2 * 2, .snd = 2 * DATA, .miss = 2 },
	  1, 2, { 0 }, "0E 4E" },
};

static void play(const char *word)
{
	for (; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
		unsigned int cpu = *word - '0';
		char *end = NULL;

		if (*word == '*') {
			bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
			settle(&rig);
		} else if (word[1] == 'x') {
			flush_l2(cpu);
		} else {
			issue(cpu, word[1] == 'L' ? ESP_LOAD : word[1] == 'S' ? ESP_STORE : ESP_FETCH,
			      LINE(strtoul(word + 2, &end, 10)));
			if (*end != '+')
				settle(&rig);
		}
	}
}

static void check_lines(const struct row *row)
{
	const char *word = row->lines;

	for (; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
		uint32_t addr = LINE(*word - '0');
		enum esp_llc_line_state state = directory_state(addr);
		char letter = "IVSEM"[state];

		if (state == ESP_LLC_V && esp_llc_lookup(rig.soc, 0, addr / 16)->dirty)
			letter = 'D';
		ck_assert_msg(letter == word[1], "%s: line %c is %c", row->name, *word, letter);
	}
}

SUITE("esp coherence", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(each_row, 0, sizeof(rows) / sizeof(*rows))
{
	const struct row *row = &rows[_i];
	unsigned int cpu, hits = 0, misses = 0, sent[3];
	struct counts c;

	play(row->before);
	for (cpu = 0; cpu < 3; cpu++) {
		hits -= mon(&rig, cpu, ESP_MON_L2_HIT);
		misses -= mon(&rig, cpu, ESP_MON_L2_MISS);
		sent[cpu] = mon(&rig, cpu, ESP_MON_NOC_INJECT(2));
	}
	c = memory_counts();
	play(row->then);
	EXPECT_COUNTS(row->name, c, row->want);
	for (cpu = 0; cpu < 3; cpu++) {
		hits += mon(&rig, cpu, ESP_MON_L2_HIT);
		misses += mon(&rig, cpu, ESP_MON_L2_MISS);
		sent[cpu] = mon(&rig, cpu, ESP_MON_NOC_INJECT(2)) - sent[cpu];
		ck_assert_msg(sent[cpu] == row->sent[cpu], "%s: L2 %u sends %u", row->name, cpu, sent[cpu]);
	}
	ck_assert_msg(hits == row->hits && misses == row->misses, "%s: %u hits, %u misses of L2s", row->name, hits,
		      misses);
	check_lines(row);
}

TEST(llc_flush_writes_dirty_lines_and_drops_data)
{
	struct counts c;

	cpu_access(0, ESP_STORE, LINE(0));
	cpu_access(0, ESP_LOAD, LINE(1));
	flush_l2(0);
	cpu_access(1, ESP_FETCH, LINE(2));
	flush_l2(1);
	cpu_access(1, ESP_STORE, LINE(3));	/* the owner keeps it */
	c = memory_counts();
	bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&rig);
	ck_assert_uint_eq(bench_read(&rig, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);	/* the flush takes some cycles */
	esp_soc_advance(rig.soc, esp_soc_now(rig.soc) + 100);
	ck_assert_uint_eq(bench_read(&rig, ESP_LLC_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	EXPECT(c, .ddr = LW);
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_I);
	ck_assert_int_eq(directory_state(LINE(1)), ESP_LLC_I);
	ck_assert_int_eq(directory_state(LINE(2)), ESP_LLC_V);	/* instructions stay */
	ck_assert_int_eq(directory_state(LINE(3)), ESP_LLC_M);
	bench_write(&rig, ESP_LLC_CTRL, 0);
	ck_assert_uint_eq(bench_read(&rig, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);
	bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&rig);
	ck_assert_int_eq(directory_state(LINE(2)), ESP_LLC_I);
}

TEST(reset_keeps_directory_and_caches_together)
{
	cpu_access(0, ESP_STORE, LINE(0));
	cpu_access(1, ESP_LOAD, LINE(1));
	flush_l2(1);
	bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&rig);
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_M);
	ck_assert_int_eq(directory_state(LINE(1)), ESP_LLC_I);
	bench_write(&rig, ESP_L2_CTRL, ESP_CACHE_CMD_RESET);
	settle(&rig);
	ck_assert_uint_eq(bench_read(&rig, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
	bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&rig);
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_I);
}

TEST(l2_takes_victims_in_turn)
{
	cpu_access(0, ESP_LOAD, LINE(0));
	cpu_access(0, ESP_LOAD, LINE(4));
	cpu_access(0, ESP_LOAD, LINE(8));	/* way 0: line 0 */
	cpu_access(0, ESP_LOAD, LINE(12));	/* way 1: line 4 */
	expect_l2(0, 0, 4);
	cpu_access(0, ESP_LOAD, LINE(8));
	cpu_access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 2, 4);
	cpu_access(0, ESP_LOAD, LINE(0));	/* way 0 again */
	cpu_access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 3, 5);
}

TEST(l2_has_four_requests_outstanding)
{
	unsigned int i, busy = 0;

	for (i = 0; i < 4; i++)
		issue(0, ESP_LOAD, LINE(i));
	for (i = 0; i < ESP_MSHRS; i++)
		busy += rig.soc->l2[0].mshr[i].phase != ESP_MSHR_FREE;
	ck_assert_uint_eq(busy, 4);
	expect_l2(0, 0, 4);
	settle(&rig);
	expect_l2(0, 0, 4);
}

TEST(l2_flush_counts_nothing_in_the_l2)
{
	cpu_access(0, ESP_LOAD, LINE(0));
	cpu_access(0, ESP_STORE, LINE(1));
	cpu_access(0, ESP_FETCH, LINE(2));
	expect_l2(0, 0, 3);
	bench_write(&rig, ESP_L2_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&rig);
	ck_assert_uint_eq(bench_read(&rig, ESP_L2_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	expect_l2(0, 0, 3);
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
	ck_assert_int_eq(directory_state(LINE(1)), ESP_LLC_V);
	ck_assert_int_eq(directory_state(LINE(2)), ESP_LLC_S);	/* instructions stay */
	bench_write(&rig, ESP_L2_CTRL, 0);
	ck_assert_uint_eq(bench_read(&rig, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_uint_eq(bench_read(&rig, ESP_L2_CTRL + 0x200 + ESP_CACHE_STATUS), 2u << 28);
}
