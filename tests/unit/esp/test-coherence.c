/* SPDX-License-Identifier: GPL-2.0-only */
/* Directory protocol, row by row: flits, beats and pulses of each request in each state. */
#include "tests/main.h"
#include "tests/unit/esp/coherence-rig.h"

/* ---- requests of private caches ---- */

START_TEST(gets_data_on_invalid_gives_exclusive)
{
	struct counts c = now();

	access(0, ESP_LOAD, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_E);
}
END_TEST

START_TEST(gets_instruction_on_invalid_gives_shared)
{
	struct counts c = now();

	access(0, ESP_FETCH, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(getm_on_invalid)
{
	struct counts c = now();

	access(0, ESP_STORE, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
}
END_TEST

START_TEST(get_on_valid_needs_no_ddr)
{
	static const enum esp_access what[] = { ESP_LOAD, ESP_FETCH, ESP_STORE };
	static const enum esp_llc_line_state state[] = { ESP_LLC_E, ESP_LLC_S, ESP_LLC_M };
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	flush_l2(0);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	c = now();
	access(1, what[_i], LINE(0));
	EXPECT(c, .req = 2, .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), state[_i]);
}
END_TEST

START_TEST(gets_on_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	c = now();
	access(1, _i ? ESP_LOAD : ESP_FETCH, LINE(0));
	EXPECT(c, .req = 2, .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(gets_on_owned_is_forwarded)
{
	struct counts c;

	access(0, _i ? ESP_STORE : ESP_LOAD, LINE(0));
	c = now();
	access(1, ESP_LOAD, LINE(0));
	/* The owner sends data to the requester and to the LLC; the LLC itself sends none. */
	EXPECT(c, .req = 2, .fwd = 2, .rcv = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(2)), 2 * (2 + LC));
}
END_TEST

START_TEST(getm_on_shared_invalidates_the_others)
{
	unsigned int cpu, sharers = _i;
	struct counts c;

	for (cpu = 0; cpu < sharers; cpu++)
		access(cpu, ESP_FETCH, LINE(0));
	c = now();
	access(0, ESP_STORE, LINE(0));
	/* The INV_ACKs go to the requester, not to the LLC. */
	EXPECT(c, .req = 2, .fwd = 2 * (sharers - 1), .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	for (cpu = 1; cpu < sharers; cpu++)
		ck_assert_uint_eq(mon(&b, cpu, ESP_MON_NOC_INJECT(2)), 2);
	/* Upgrade: a hit of the L2 although it asked for ownership. */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_HIT), 1);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_MISS), 1);
}
END_TEST

START_TEST(getm_on_owned_is_forwarded)
{
	struct counts c;

	access(0, _i ? ESP_STORE : ESP_LOAD, LINE(0));
	c = now();
	access(1, ESP_STORE, LINE(0));
	EXPECT(c, .req = 2, .fwd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(2)), 2 + LC);
}
END_TEST

START_TEST(get_on_pending_data_stalls_and_pulses_again)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	c = now();
	issue(1, ESP_LOAD, LINE(0));
	issue(2, ESP_LOAD, LINE(0));
	settle(&b);
	/*
	 * The first is forwarded: 1 hit. The second finds SD: a hit, then again when the data are
	 * there, and is answered from S.
	 */
	EXPECT(c, .req = 4, .fwd = 2, .rcv = 2 + LC, .snd = 2 + LC, .hit = 3);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(puts_is_acknowledged_and_counts_as_hit)
{
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(puts_of_one_of_two_sharers_leaves_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	access(1, ESP_FETCH, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
	flush_l2(1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(putm_brings_data)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2 + LC, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	ck_assert(esp_llc_lookup(b.soc, 0, LINE(0) / 16)->dirty);
}
END_TEST

/* Lines 0, 4, 8 fall in set 0 of the LLC, which has two ways. */
START_TEST(miss_evicts_valid)
{
	bool dirty = _i;
	struct counts c;

	access(0, dirty ? ESP_STORE : ESP_LOAD, LINE(0));
	flush_l2(0);
	access(1, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* The V way goes, not the owned one; a dirty one is written first. */
	EXPECT(c, .ddr = LW + (dirty ? LW : 0), .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(4)), ESP_LLC_E);
}
END_TEST

START_TEST(miss_evicts_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	access(1, ESP_FETCH, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* Two sharers are told and not waited for. */
	EXPECT(c, .ddr = LW, .req = 2, .fwd = 2 * 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	/* They lost it: the next fetch misses. */
	c = now();
	access(1, ESP_FETCH, LINE(0));
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_MISS), 2);
}
END_TEST

START_TEST(miss_evicts_owned_by_recall)
{
	bool modified = _i;
	struct counts c;

	access(0, modified ? ESP_STORE : ESP_LOAD, LINE(0));
	access(1, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* INV_ACK if it was E, data if it was M, and then a write-back. One miss, counted on
	 * resume. */
	EXPECT(c, .ddr = LW + (modified ? LW : 0), .req = 2, .fwd = 2, .rcv = modified ? 2 + LC : 2,
	       .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
}
END_TEST

START_TEST(llc_flush_writes_dirty_lines_and_drops_data)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	access(0, ESP_LOAD, LINE(1));
	flush_l2(0);
	access(1, ESP_FETCH, LINE(2));
	flush_l2(1);
	access(1, ESP_STORE, LINE(3));	/* stays with its owner */
	c = now();
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);	/* takes its time */
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 100);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	EXPECT(c, .ddr = LW);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_V);	/* instructions stay */
	ck_assert_int_eq(dir(LINE(3)), ESP_LLC_M);
	bench_write(&b, ESP_LLC_CTRL, 0);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&b);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_I);
}
END_TEST

/* The data of a FWD_GETS make the LLC's line dirty, also those of an owner that has never written. */
START_TEST(forwarded_data_are_written_back)
{
	bool forwarded = _i;
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	if (forwarded)
		access(1, ESP_LOAD, LINE(0));
	flush_l2(0);
	flush_l2(1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	c = now();
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	EXPECT(c, .ddr = forwarded ? LW : 0);
}
END_TEST

START_TEST(reset_keeps_directory_and_caches_together)
{
	access(0, ESP_STORE, LINE(0));
	access(1, ESP_LOAD, LINE(1));
	flush_l2(1);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_I);
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
}
END_TEST

/* ---- private cache ---- */

START_TEST(l2_hits)
{
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	expect_l2(0, 0, 1);
	c = now();
	access(0, ESP_LOAD, LINE(0));	/* E */
	access(0, ESP_STORE, LINE(0));	/* E to M, silently */
	access(0, ESP_STORE, LINE(0));	/* M */
	access(0, ESP_FETCH, LINE(0));
	expect_l2(0, 4, 1);
	EXPECT(c, 0);
}
END_TEST

START_TEST(l2_miss_with_full_set_gives_back_first)
{
	bool dirty = _i;
	struct counts c;

	/* Lines 0, 4 and 8 share set 0 of the L2. The LLC has as few ways: use lines that it
	 * spreads. */
	access(0, dirty ? ESP_STORE : ESP_LOAD, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	c = now();
	access(0, ESP_LOAD, LINE(8));
	/*
	 * One miss. PUTM 2 + LC or PUTS 2, acknowledged with 2 and a hit pulse; then GETS 2, which
	 * evicts the V line 0 from the LLC (written if dirty) and is answered with 2 + LC.
	 */
	expect_l2(0, 0, 3);
	EXPECT(c, .ddr = LW + (dirty ? LW : 0), .req = (dirty ? 2 + LC : 2) + 2, .snd = 2 + 2 + LC,
	       .hit = 1, .miss = 1);
}
END_TEST

START_TEST(l2_takes_victims_in_turn)
{
	access(0, ESP_LOAD, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	access(0, ESP_LOAD, LINE(8));	/* way 0: line 0 */
	access(0, ESP_LOAD, LINE(12));	/* way 1: line 4 */
	expect_l2(0, 0, 4);
	access(0, ESP_LOAD, LINE(8));
	access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 2, 4);
	access(0, ESP_LOAD, LINE(0));	/* way 0 again */
	access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 3, 5);
}
END_TEST

START_TEST(l2_set_conflict_counts_once)
{
	issue(0, ESP_LOAD, LINE(0));
	issue(0, ESP_LOAD, LINE(4));	/* same set, waits */
	issue(0, ESP_LOAD, LINE(0));	/* waits behind it, then hits */
	settle(&b);
	expect_l2(0, 1, 2);
}
END_TEST

START_TEST(l2_has_four_requests_outstanding)
{
	unsigned int i, busy = 0;

	for (i = 0; i < 4; i++)
		issue(0, ESP_LOAD, LINE(i));
	for (i = 0; i < ESP_MSHRS; i++)
		busy += b.soc->l2[0].mshr[i].phase != ESP_MSHR_FREE;
	ck_assert_uint_eq(busy, 4);
	expect_l2(0, 0, 4);
	settle(&b);
	expect_l2(0, 0, 4);
}
END_TEST

START_TEST(l2_flush_counts_nothing_in_the_l2)
{
	access(0, ESP_LOAD, LINE(0));
	access(0, ESP_STORE, LINE(1));
	access(0, ESP_FETCH, LINE(2));
	expect_l2(0, 0, 3);
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	expect_l2(0, 0, 3);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_V);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_S);	/* instructions stay */
	bench_write(&b, ESP_L2_CTRL, 0);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + 0x200 + ESP_CACHE_STATUS), 2u << 28);
}
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("esp coherence");
	TCase *tc = tcase_create("rows");

	tcase_set_timeout(tc, 60);	/* for busy machines */
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gets_data_on_invalid_gives_exclusive);
	tcase_add_test(tc, gets_instruction_on_invalid_gives_shared);
	tcase_add_test(tc, getm_on_invalid);
	tcase_add_loop_test(tc, get_on_valid_needs_no_ddr, 0, 3);
	tcase_add_loop_test(tc, gets_on_shared, 0, 2);
	tcase_add_loop_test(tc, gets_on_owned_is_forwarded, 0, 2);
	tcase_add_loop_test(tc, getm_on_shared_invalidates_the_others, 1, 4);
	tcase_add_loop_test(tc, getm_on_owned_is_forwarded, 0, 2);
	tcase_add_test(tc, get_on_pending_data_stalls_and_pulses_again);
	tcase_add_test(tc, puts_is_acknowledged_and_counts_as_hit);
	tcase_add_test(tc, puts_of_one_of_two_sharers_leaves_shared);
	tcase_add_test(tc, putm_brings_data);
	tcase_add_loop_test(tc, miss_evicts_valid, 0, 2);
	tcase_add_test(tc, miss_evicts_shared);
	tcase_add_loop_test(tc, miss_evicts_owned_by_recall, 0, 2);
	tcase_add_test(tc, llc_flush_writes_dirty_lines_and_drops_data);
	tcase_add_loop_test(tc, forwarded_data_are_written_back, 0, 2);
	tcase_add_test(tc, reset_keeps_directory_and_caches_together);
	tcase_add_test(tc, l2_hits);
	tcase_add_loop_test(tc, l2_miss_with_full_set_gives_back_first, 0, 2);
	tcase_add_test(tc, l2_takes_victims_in_turn);
	tcase_add_test(tc, l2_set_conflict_counts_once);
	tcase_add_test(tc, l2_has_four_requests_outstanding);
	tcase_add_test(tc, l2_flush_counts_nothing_in_the_l2);
	suite_add_tcase(s, tc);
	return s;
}
