/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages that overtake each other on their way to a private cache. Planes keep no order among
 * each other, but in a small idle SoC that is rare: so the tests make the messages by hand.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/cache.h"

#define LINE	(MEM_BASE / 16 + 5)

/* Cache 0 is the CPU's in tile 1, cache 1 the accelerator's in tile 0. */
static struct bench b;

static void setup(void)
{
	bench_open(&b, NULL, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

static struct esp_l2_line *line(void)
{
	const struct esp_l2_geometry *g = &b.soc->l2_geometry[0];
	unsigned int way;

	for (way = 0; way < g->ways; way++) {
		struct esp_l2_line *l =
			&b.soc->l2_line[g->first + (LINE & (g->sets - 1)) * g->ways + way];

		if (l->state != ESP_L2_I && l->line == LINE)
			return l;
	}
	return NULL;
}

/* A message about a line arrives, from a directory or from cache 1. */
static void arrive_for(uint32_t line, unsigned int plane, enum esp_message type, uint64_t stamp,
		       bool stale, unsigned int acks)
{
	struct esp_packet *p = esp_noc_packet(b.soc, plane, type, 0, 0, 2);

	p->addr = line;
	p->cache = 1;
	p->stamp = stamp;
	p->stale = stale;
	p->acks = acks;
	esp_l2_message(b.soc, 0, p);
}

static void arrive(unsigned int plane, enum esp_message type, uint64_t stamp, bool stale,
		   unsigned int acks)
{
	arrive_for(LINE, plane, type, stamp, stale, acks);
}

static void message(unsigned int plane, enum esp_message type, uint64_t stamp, bool stale)
{
	arrive(plane, type, stamp, stale, 0);
}

static void own(enum esp_access what)
{
	esp_soc_cpu_access(b.soc, 0, what, (uint64_t)LINE * 16, 4);
}

/* Responses that cache 0 has sent, in flits of its tile on plane 3; INV_ACK 2, data 4. */
static unsigned int sent(void)
{
	uint32_t p = esp_router(b.soc, ESP_PL_RSP, 1)->first;
	unsigned int flits = 0;

	for (; p; p = b.soc->packet[p].next)
		flits += b.soc->packet[p].nflits;
	return flits;
}

/* Starts a flush, so that the line is being written back, and checks the flush register. */
static enum esp_mshr_phase give_back(void)
{
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_FLUSH);
	while (b.soc->l2[0].mshr[0].phase == ESP_MSHR_FREE)
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	return b.soc->l2[0].mshr[0].phase;
}

static enum esp_mshr_phase phase(void)
{
	return b.soc->l2[0].mshr[0].phase;
}

SUITE("esp l2", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(put_ack_before_the_forward_keeps_the_data, 0, 3)
{
	static const enum esp_message forward[] = {
		ESP_MSG_FWD_GETS, ESP_MSG_FWD_GETM, ESP_MSG_FWD_GETM_LLC,
	};
	/* To requester and directory; to the requester; to the directory. */
	static const unsigned int flits[] = { 4 + 4, 4, 4 };

	own(ESP_STORE);
	settle(&b);
	ck_assert_int_eq(give_back(), ESP_MI_A);
	message(ESP_PL_RSP, ESP_MSG_PUT_ACK, 0, true);
	ck_assert_int_eq(phase(), ESP_XI_F);
	ck_assert_uint_eq(sent(), 0);
	message(ESP_PL_FWD, forward[_i], 0, false);
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
	ck_assert_uint_eq(sent(), flits[_i]);
}

LOOP_TEST(forward_before_the_put_ack, 0, 2)
{
	own(ESP_STORE);
	settle(&b);
	ck_assert_int_eq(give_back(), ESP_MI_A);
	message(ESP_PL_FWD, _i ? ESP_MSG_FWD_GETM : ESP_MSG_FWD_GETS, 0, false);
	ck_assert_int_eq(phase(), _i ? ESP_II_A : ESP_SI_A);
	ck_assert_uint_eq(sent(), _i ? 4 : 8);
	message(ESP_PL_RSP, ESP_MSG_PUT_ACK, 0, true);
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
}

/* An evicted line waits in MIA, also if it is clean, and has its data there (l2_fsm.sv:880, 1332). */
TEST(clean_owner_on_its_way_back_answers_a_recall_with_data)
{
	own(ESP_LOAD);
	settle(&b);
	ck_assert_int_eq(give_back(), ESP_EI_A);
	message(ESP_PL_FWD, ESP_MSG_FWD_GETM_LLC, 0, false);
	ck_assert_int_eq(phase(), ESP_II_A);
	ck_assert_uint_eq(sent(), 4);
}

/*
 * PUT_ACK of a victim before its forward: the next line is asked for at once (l2_fsm.sv:783), and
 * the forward gets the victim's data, whether it comes before the next line or after it.
 */
LOOP_TEST(put_ack_before_the_forward_does_not_hold_up_the_next_line, 0, 2)
{
	uint32_t sets = b.soc->l2_geometry[0].sets, ways = b.soc->l2_geometry[0].ways, way;
	uint32_t next = LINE + ways * sets;

	for (way = 0; way < ways; way++) {
		esp_soc_cpu_access(b.soc, 0, ESP_STORE, (uint64_t)(LINE + way * sets) * 16, 4);
		settle(&b);
	}
	esp_soc_cpu_access(b.soc, 0, ESP_STORE, (uint64_t)next * 16, 4);
	ck_assert_int_eq(phase(), ESP_MI_A);
	message(ESP_PL_RSP, ESP_MSG_PUT_ACK, 0, true);
	ck_assert_int_eq(phase(), ESP_IM_AD);
	ck_assert_uint_eq(b.soc->l2[0].mshr[0].line, next);
	ck_assert_uint_eq(sent(), 0);
	if (_i) {
		arrive_for(next, ESP_PL_RSP, ESP_MSG_DATA, 7, false, 0);
		ck_assert_int_eq(phase(), ESP_XI_F);
		ck_assert(esp_soc_l2_owns(b.soc, 0, next));
	}
	message(ESP_PL_FWD, ESP_MSG_FWD_GETM, 0, false);
	ck_assert_uint_eq(sent(), 4);
	if (!_i) {
		ck_assert_int_eq(phase(), ESP_IM_AD);
		arrive_for(next, ESP_PL_RSP, ESP_MSG_DATA, 7, false, 0);
	}
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
	ck_assert(esp_soc_l2_owns(b.soc, 0, next));
}

/* A flush is done when its last PUT is sent (l2_input_decoder.sv:122), not when it is answered. */
TEST(flush_ends_with_the_last_put)
{
	uint64_t put;

	own(ESP_STORE);
	settle(&b);
	ck_assert_int_eq(give_back(), ESP_MI_A);
	put = esp_soc_now(b.soc);
	while (!(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS) & ESP_CACHE_STATUS_DONE))
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1);
	ck_assert_int_eq(phase(), ESP_MI_A);
	/* The cycle after the PUT finds no further line. */
	ck_assert_uint_eq(esp_soc_now(b.soc) - put, 1);
}

LOOP_TEST(invalidation_that_overtakes_shared_data, 0, 2)
{
	own(ESP_LOAD);		/* GETS is on its way */
	ck_assert_int_eq(phase(), ESP_IS_D);
	message(ESP_PL_FWD, _i ? ESP_MSG_INV_LLC : ESP_MSG_INV, 0, false);
	ck_assert_uint_eq(sent(), _i ? 0 : 2);
	message(ESP_PL_RSP, ESP_MSG_DATA, 7, false);
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
	ck_assert_ptr_null(line());	/* it served the load and is invalid */
}

TEST(old_invalidation_before_exclusive_data_does_not_drop_them)
{
	own(ESP_LOAD);
	message(ESP_PL_FWD, ESP_MSG_INV_LLC, 0, false);
	message(ESP_PL_RSP, ESP_MSG_EDATA, 7, false);
	ck_assert_ptr_nonnull(line());
	ck_assert_int_eq(line()->state, ESP_L2_E);
	ck_assert_uint_eq(line()->stamp, 7);
}

LOOP_TEST(forward_before_the_data_waits_for_them, 0, 2)
{
	own(_i ? ESP_STORE : ESP_LOAD);
	message(ESP_PL_FWD, ESP_MSG_FWD_GETM, 0, false);
	ck_assert_uint_eq(sent(), 0);
	message(ESP_PL_RSP, _i ? ESP_MSG_DATA : ESP_MSG_EDATA, 7, false);
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
	ck_assert_uint_eq(sent(), 4);
	ck_assert_ptr_null(line());
}

TEST(upgrade_that_loses_its_line)
{
	own(ESP_FETCH);
	settle(&b);
	ck_assert_int_eq(line()->state, ESP_L2_S);
	own(ESP_STORE);
	ck_assert_int_eq(phase(), ESP_SM_AD);
	message(ESP_PL_FWD, ESP_MSG_INV, 0, false);
	ck_assert_int_eq(phase(), ESP_IM_AD);
	ck_assert_uint_eq(sent(), 2);
	ck_assert_ptr_null(line());
	message(ESP_PL_RSP, ESP_MSG_DATA, 9, false);
	ck_assert_int_eq(line()->state, ESP_L2_M);
}

TEST(acknowledgements_before_the_data)
{
	own(ESP_STORE);
	message(ESP_PL_RSP, ESP_MSG_INV_ACK, 0, false);
	ck_assert_int_eq(phase(), ESP_IM_AD);
	arrive(ESP_PL_RSP, ESP_MSG_DATA, 3, false, 2);
	ck_assert_int_eq(phase(), ESP_IM_AD);
	message(ESP_PL_RSP, ESP_MSG_INV_ACK, 0, false);
	ck_assert_int_eq(phase(), ESP_MSHR_FREE);
	ck_assert_int_eq(line()->state, ESP_L2_M);
}

TEST(late_messages_find_nothing_or_an_owner)
{
	message(ESP_PL_FWD, ESP_MSG_INV, 0, false);
	ck_assert_uint_eq(sent(), 2);		/* each requester gets its answer */
	message(ESP_PL_FWD, ESP_MSG_INV_LLC, 0, false);
	ck_assert_uint_eq(sent(), 2);
	message(ESP_PL_RSP, ESP_MSG_PUT_ACK, 0, false);
	settle(&b);
	own(ESP_STORE);
	settle(&b);
	message(ESP_PL_FWD, ESP_MSG_INV_LLC, 0, false);
	ck_assert_int_eq(line()->state, ESP_L2_M);	/* older than the ownership */
}
