/* SPDX-License-Identifier: GPL-2.0-only */
/* Network: routes, link occupancy cycle by cycle, stalls, conservation. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/cache.h"

/* One row: tile 0 and 1 send, 2 is empty and takes all. */
static const char row[] =
	"CPU_ARCH = ariane\n"
	"CONFIG_NOC_ROWS = 1\n"
	"CONFIG_NOC_COLS = 5\n"
	"TILE_0_0 = 0 cpu cpu\n"
	"TILE_0_1 = 1 empty empty\n"
	"TILE_0_2 = 2 empty empty\n"
	"TILE_0_3 = 3 mem mem\n"
	"TILE_0_4 = 4 misc IO\n";

#define P ESP_PL_REG	/* a plane with FIFOs of 4 that takes messages of no kind and drops them */

static struct bench b;
static struct esp_design design;

static void setup(void)
{
	bench_design(&design, row);
	bench_open(&b, &design, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

static struct esp_packet *send(unsigned int plane, unsigned int src, unsigned int dst,
			       unsigned int flits)
{
	struct esp_packet *p = esp_noc_packet(b.soc, plane, ESP_MSG_NONE, src, dst, flits);

	esp_noc_send(b.soc, p, flits, 0);
	return p;
}

static unsigned int queue(unsigned int tile, enum esp_port port)
{
	return mon(&b, tile, ESP_MON_NOC_QUEUE(P, port));
}

SUITE("esp noc", .timeout = 60, .setup = setup, .teardown = teardown);

#define INJECT		ESP_MON_NOC_INJECT(P)
#define QUEUE(port)	ESP_MON_NOC_QUEUE(P, ESP_##port)
static const struct stream {
	const char *name;
	struct { unsigned int plane, src, dst, flits; } packets[2];	/* sent at once */
	struct { unsigned int tile, event, count; } counts[8];
	unsigned int end;		/* cycle of the last flit; 0: any */
	unsigned int queue_size;	/* 0: the default */
} streams[] = {
	/*
	 * One cycle a hop: the packet is sent in cycle 0 and may leave in 1. The head enters router 0 and its output
	 * register in 1, that of router 1 in 2, that of router 2 in 3, and goes to the tile in 4; the tail follows 9
	 * cycles later. Cycle 14 finds the plane empty and stops it. LOCAL of tile 0 is from the tile, that of tile 2
	 * to it.
	 */
	{ "free links count one a flit", { { P, 0, 2, 10 } },
	  .counts = { { 0, INJECT, 10 }, { 0, QUEUE(LOCAL), 10 }, { 0, QUEUE(EAST), 10 }, { 1, QUEUE(EAST), 10 },
		      { 2, QUEUE(LOCAL), 10 }, { 1, QUEUE(LOCAL), 0 }, { 0, QUEUE(WEST), 0 }, { 2, INJECT, 0 } },
	  .end = 13 },
	/* At tile 0 flits leave in cycles 1..10 and arrive in 4..13. */
	{ "a local port counts a cycle with both directions once", { { P, 0, 2, 10 }, { P, 2, 0, 10 } },
	  .counts = { { 0, QUEUE(LOCAL), 13 }, { 2, QUEUE(LOCAL), 13 } } },
	/*
	 * Tile 1's packet holds east of router 1 from cycle 1; its flit i is in the register at the end of cycle 1 + i
	 * and counts in 2 + i, the tail in 11. Flits 0..3 of tile 0's packet fill the FIFO of router 1 in cycles 2..5.
	 * Flit 4 is in the register of router 0 at the end of cycle 5; the FIFO has room when flit 0 has left it in
	 * cycle 11, so flit 4 counts in 6..12: 7 cycles. The other nine count once: 16. East of router 1 never rests:
	 * 20. The tile takes 20.
	 */
	{ "the loser of a wormhole stalls behind a full FIFO", { { P, 0, 2, 10 }, { P, 1, 2, 10 } },
	  .counts = { { 0, QUEUE(EAST), 9 + 7 }, { 1, QUEUE(EAST), 20 }, { 2, QUEUE(LOCAL), 20 }, { 0, INJECT, 10 },
		      { 1, INJECT, 10 } } },
	{ "planes are independent", { { P, 0, 2, 10 }, { ESP_PL_RSP, 1, 2, 10 } },
	  .counts = { { 0, QUEUE(EAST), 10 }, { 1, ESP_MON_NOC_QUEUE(ESP_PL_RSP, ESP_EAST), 10 } } },
	{ "packets of one tile stay in order", { { P, 0, 2, 3 }, { P, 0, 1, 3 } },
	  .counts = { { 0, QUEUE(EAST), 6 }, { 1, QUEUE(LOCAL), 3 }, { 1, QUEUE(EAST), 3 } } },
	/*
	 * CONFIG_QUEUE_SIZE is the depth on the DMA planes. As above on one of them, to the empty tile: flits 0..7 fit.
	 * Flit 8 is in router 0's register at the end of cycle 9 and may leave in 12: counts 10..12, 3 cycles.
	 */
	{ "queue size moves the stall", { { ESP_PL_DMA4, 0, 2, 10 }, { ESP_PL_DMA4, 1, 2, 10 } },
	  .counts = { { 0, ESP_MON_NOC_QUEUE(ESP_PL_DMA4, ESP_EAST), 9 + 3 } }, .queue_size = 8 },
};

LOOP_TEST(links_count_flits_and_stalls, 0, sizeof(streams) / sizeof(*streams))
{
	const struct stream *s = &streams[_i];
	unsigned int i, n;

	if (s->queue_size) {
		teardown();
		design.queue_size = s->queue_size;
		bench_open(&b, &design, NULL);
	}
	for (i = 0; i < 2 && s->packets[i].flits; i++)
		send(s->packets[i].plane, s->packets[i].src, s->packets[i].dst, s->packets[i].flits);
	settle(&b);
	for (i = 0; i < 8 && s->counts[i].event; i++) {
		n = mon(&b, s->counts[i].tile, s->counts[i].event);
		ck_assert_msg(n == s->counts[i].count, "%s: %u instead of %u at tile %u, event %u", s->name, n,
			      s->counts[i].count, s->counts[i].tile, s->counts[i].event);
	}
	if (s->end)
		ck_assert_uint_eq(esp_soc_now(b.soc), s->end);
}

/* Flits of a link since the last call with the same arguments. */
static unsigned int since(unsigned int tile, enum esp_port port)
{
	static unsigned int before[16][ESP_NPORTS];
	unsigned int now = queue(tile, port), n = now - before[tile][port];

	before[tile][port] = now;
	return n;
}

TEST(routes_go_along_x_first)
{
	unsigned int src, dst;

	teardown();
	bench_load(&design, "sixteen-4x4");
	bench_open(&b, &design, NULL);
	for (src = 0; src < 16; src++) {
		for (dst = 0; dst < 16; dst++) {
			uint64_t start = esp_soc_now(b.soc), hops = 0;
			unsigned int at = src;

			if (src == dst)
				continue;
			send(P, src, dst, 2);
			settle(&b);
			ck_assert_uint_eq(since(src, ESP_LOCAL), 2);
			while (at % 4 != dst % 4) {
				bool east = at % 4 < dst % 4;

				ck_assert_uint_eq(since(at, east ? ESP_EAST : ESP_WEST), 2);
				at += east ? 1 : -1;
				hops++;
			}
			while (at != dst) {
				bool south = at < dst;

				ck_assert_uint_eq(since(at, south ? ESP_SOUTH : ESP_NORTH), 2);
				at += south ? 4 : -4;
				hops++;
			}
			ck_assert_uint_eq(since(dst, ESP_LOCAL), 2);
			/* Head out in 1, a hop a cycle, one to leave; the tail one later. */
			ck_assert_uint_eq(esp_soc_now(b.soc) - start, 1 + hops + 1 + 1);
		}
	}
}

static void nothing(struct esp_soc *soc, unsigned int number)
{
	(void)soc;
	(void)number;
}
static const struct esp_agent_kind idle = { .step = nothing };

LOOP_TEST(three_streams_into_one_memory, 0, 2)
{
	unsigned int acc, in, out, words = 2048, links;
	unsigned int req = _i ? ESP_PL_DMA4 : ESP_PL_DMA6, rsp = _i ? ESP_PL_DMA6 : ESP_PL_DMA4;

	teardown();
	bench_load(&design, "dummy-3x2");
	bench_open(&b, &design, NULL);
	for (acc = 0; acc < 3; acc++) {
		put64(&b, MEM_BASE + 4096 * acc, MEM_BASE + 0x100000 + (acc << 20));
		acc_write(&b, acc, ESP_ACC_PT_ADDRESS, MEM_BASE + 4096 * acc);
		acc_write(&b, acc, ESP_ACC_PT_NCHUNK, 1);
		acc_write(&b, acc, ESP_ACC_PT_SHIFT, 20);
		acc_write(&b, acc, ESP_ACC_COHERENCE, _i ? ESP_COH_LLC : ESP_COH_NONE);
		acc_write(&b, acc, ESP_ACC_DST_OFFSET, 0x80000);
		acc_write(&b, acc, 0x40, words);
		acc_write(&b, acc, 0x44, 1);
		acc_write(&b, acc, ESP_ACC_CMD, 1);
	}
	settle(&b);
	/* Each reads its table, and 2048 words in 4 bursts each way; a coherent write has no
	 * length. */
	out = 3 * (3 + 4 * 3 + 4 * (_i ? 2 : 3) + words);
	in = 3 * (2 + 4 + words);
	ck_assert_uint_eq(mon(&b, 2, _i ? ESP_MON_COH_DMA_REQ : ESP_MON_DMA_REQ), out);
	ck_assert_uint_eq(mon(&b, 2, _i ? ESP_MON_COH_DMA_RSP : ESP_MON_DMA_RSP), in);
	/*
	 * Links into the memory tile (1,0), from (0,0) south, (1,1) west and (2,0) north, carry all
	 * requests. Requests behind a read wait there until the read is answered; coherent writes
	 * wait because the LLC takes less than a flit a cycle.
	 */
	links = mon(&b, 0, ESP_MON_NOC_QUEUE(req, ESP_SOUTH)) +
		mon(&b, 3, ESP_MON_NOC_QUEUE(req, ESP_WEST)) +
		mon(&b, 4, ESP_MON_NOC_QUEUE(req, ESP_NORTH));
	ck_assert_uint_gt(links, out);
	/* On the way back there is one sender, and the receivers have room: no stall. */
	links = mon(&b, 2, ESP_MON_NOC_QUEUE(rsp, ESP_NORTH)) +
		mon(&b, 2, ESP_MON_NOC_QUEUE(rsp, ESP_EAST)) +
		mon(&b, 2, ESP_MON_NOC_QUEUE(rsp, ESP_SOUTH));
	ck_assert_uint_eq(links, in);
	/* Words, and BUSY beats of non-coherent writes whose data had to wait. */
	if (!_i)
		ck_assert_uint_eq(mon(&b, 2, ESP_MON_DDR) - b.soc->mem[0].beats[ESP_BEAT_BUSY],
				  3 * (1 + 2 * words));
}

/*
 * All packets of the pool are in use: the next one is lost, and the SoC reports that until it is
 * reset.
 */
LOOP_TEST(lost_packet_is_told, 0, 2)
{
	struct esp_packet *p;

	if (_i)
		esp_soc_exhaust(b.soc);
	do
		p = esp_noc_packet(b.soc, P, ESP_MSG_NONE, 0, 2, 1);
	while (!_i && esp_packet_index(b.soc, p));
	ck_assert_uint_eq(esp_packet_index(b.soc, p), 0);
	ck_assert(!esp_soc_has_lost(b.soc));
	esp_noc_send(b.soc, p, 1, 0);
	ck_assert(esp_soc_has_lost(b.soc));
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_ptr_nonnull(strstr(b.error, "reset the device"));
	esp_noc_send(b.soc, p, 1, 0);
	ck_assert_uint_eq(b.errors, 1);
	esp_soc_reset(b.soc);
	ck_assert(!esp_soc_has_lost(b.soc));
}

/*
 * A memory tile that reads nothing. Its receive queues hold 8 flits in the asynchronous FIFO and 6
 * on plane 1, 18 on planes 4 and 6 behind it (mem_tile_q.vhd:199-337). They are full, and the local
 * output register takes one more, since an empty one is not stopped by them (sync_noc_xy.vhd:197);
 * then it is occupied in each cycle. Behind it wait the FIFOs of both routers, 4 flits each, and the
 * register between them; the sender is next to the tile.
 *
 * One packet moves on while the queue fills, so that a flit is in the register already when it is
 * full. Of two, the first of which fills the queue, the second finds the register empty; the full
 * queue does not stop it.
 */
LOOP_TEST(full_queue_of_a_memory_tile, 0, 2 * 3)
{
	static const struct { enum esp_plane plane; unsigned int queue; } queues[] = {
		{ ESP_PL_REQ, 8 + 6 }, { ESP_PL_DMA4, 8 + 18 }, { ESP_PL_DMA6, 8 + 18 },
	};
	unsigned int mem = b.soc->mem_tile[0], from = mem - 1, i;
	unsigned int plane = queues[_i % 3].plane, queue = queues[_i % 3].queue;
	bool apart = _i >= 3;
	uint32_t busy;

	/* Its engines are stopped. */
	for (i = 0; i < ESP_AGENTS; i++)
		b.soc->agenda.agent[ESP_AGENT(mem, i)].kind = &idle;
	b.soc->llc[0].request = 1;
	if (apart) {
		esp_noc_send(b.soc, esp_noc_packet(b.soc, plane, ESP_MSG_DMA_WRITE, from, mem, queue), queue, 0);
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 200);
		ck_assert_uint_eq(mon(&b, from, ESP_MON_NOC_INJECT(plane)), queue);
	}
	esp_noc_send(b.soc, esp_noc_packet(b.soc, plane, ESP_MSG_DMA_WRITE, from, mem, 100), 100, 0);
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 200);
	ck_assert_uint_eq(esp_router(b.soc, plane, mem)->rx.count, queue);
	ck_assert_uint_eq(mon(&b, from, ESP_MON_NOC_INJECT(plane)), queue + 1 + 4 + 1 + 4);
	busy = mon(&b, mem, ESP_MON_NOC_QUEUE(plane, ESP_LOCAL));
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 10);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_NOC_QUEUE(plane, ESP_LOCAL)) - busy, 10);
}

/*
 * mem, producer, reader, consumer in a row: the producer's packet to the consumer and the memory's
 * answer to the reader share the link behind the producer, on the same plane.
 */
TEST(held_up_read_counts_busy_beats)
{
	static const char text[] =
		"CPU_ARCH = ariane\n#CONFIG_HAS_SG is not set\nCONFIG_NOC_ROWS = "
		"1\nCONFIG_NOC_COLS = 6\n"
		"TILE_0_0 = 0 mem mem\nTILE_0_1 = 1 acc DUMMY_STRATUS p 0 0 sld\n"
		"TILE_0_2 = 2 acc DUMMY_STRATUS p 0 0 sld\nTILE_0_3 = 3 acc DUMMY_STRATUS p 0 0 "
		"sld\n"
		"TILE_0_4 = 4 misc IO\nTILE_0_5 = 5 cpu cpu\n";
	unsigned int acc, words = 512;
	uint64_t busy;

	teardown();
	bench_design(&design, text);
	bench_open(&b, &design, NULL);
	for (acc = 0; acc < 3; acc++) {
		acc_write(&b, acc, ESP_ACC_SRC_OFFSET, MEM_BASE);
		acc_write(&b, acc, ESP_ACC_DST_OFFSET, MEM_BASE + 0x10000);
		acc_write(&b, acc, 0x40, words);
		acc_write(&b, acc, 0x44, 1);
	}
	acc_write(&b, 0, ESP_ACC_P2P, 1 << 3);
	acc_write(&b, 2, ESP_ACC_P2P, 1 << 2 | 1 << 4);	/* from column 1, row 0 */
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_write(&b, 2, ESP_ACC_CMD, 1);
	/* The producer has its data when the memory has answered; then the reader starts. */
	while (mon(&b, 1, ESP_MON_NOC_INJECT(3)) < 10)
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	acc_write(&b, 1, ESP_ACC_CMD, 1);
	settle(&b);
	/* Loads of producer and reader, stores of reader and consumer, and what was held up. */
	busy = b.soc->mem[0].beats[ESP_BEAT_BUSY];
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_DDR), 4 * words + busy);
	/*
	 * The answer waits while the rest of the packet of 1 + 512 flits passes. The reader's
	 * request and the DDR latency take less than 100 cycles of that, the queues hold less than
	 * 30 flits.
	 */
	ck_assert_uint_gt(busy, words - 10 - 100 - 30);
	ck_assert_uint_lt(busy, words);
	ck_assert_uint_eq(b.irqs[0] + b.irqs[1] + b.irqs[2], 3);
}

/*
 * Answers on plane 4 share it with coherent requests, those on plane 6 with the other requests, and
 * a memory tile serves one request at a time: there is no deadlock, and all words are moved.
 */
TEST(mixed_modes_over_four_memories_end)
{
	unsigned int round, acc, mode, words = 256, moved = 0, m;
	uint32_t seed = 1, part = MEM_SIZE / 4;

	teardown();
	bench_load(&design, "dummy-4x4");
	bench_open(&b, &design, NULL);
	for (round = 0; round < 100; round++) {
		for (acc = 0; acc < design.nacc; acc++) {
			uint32_t table = MEM_BASE + 4096 * acc;

			seed = seed * 1664525 + 1013904223;
			mode = seed >> 30 ? ESP_COH_NONE : ESP_COH_LLC;
			put64(&b, table, MEM_BASE);
			acc_write(&b, acc, ESP_ACC_PT_ADDRESS, table);
			acc_write(&b, acc, ESP_ACC_PT_NCHUNK, 1);
			acc_write(&b, acc, ESP_ACC_PT_SHIFT, 24);
			acc_write(&b, acc, ESP_ACC_COHERENCE, mode);
			acc_write(&b, acc, ESP_ACC_SRC_OFFSET,
				  part * (seed >> 28 & 3) + 0x100000 + 0x10000 * acc);
			acc_write(&b, acc, ESP_ACC_DST_OFFSET,
				  part * (seed >> 26 & 3) + 0x200000 + 0x10000 * acc);
			acc_write(&b, acc, ESP_DUMMY_TOKENS, words);
			acc_write(&b, acc, ESP_DUMMY_BATCH, 1);
			acc_write(&b, acc, ESP_ACC_CMD, 1);
			moved += mode == ESP_COH_NONE ? 1 + 2 * words : 0;
		}
		settle(&b);
		for (acc = 0; acc < design.nacc; acc++) {
			ck_assert_uint_eq(b.irqs[acc], round + 1);
			acc_write(&b, acc, ESP_ACC_CMD, 0);
		}
		settle(&b);
	}
	for (m = 0; m < design.nmem; m++)
		moved -= b.soc->mem[m].beats[ESP_BEAT_DMA] + b.soc->mem[m].beats[ESP_BEAT_DMA_WRITE];
	ck_assert_uint_eq(moved, 0);
}

TEST(idle_costs_no_events)
{
	ck_assert_uint_eq(esp_soc_next_event(b.soc), UINT64_MAX);
	esp_soc_advance(b.soc, 1000000000000);
	ck_assert_uint_eq(esp_soc_now(b.soc), 1000000000000);
	send(P, 0, 2, 2);
	ck_assert_uint_eq(esp_soc_next_event(b.soc), 1000000000001);
	settle(&b);
	ck_assert_uint_eq(esp_soc_next_event(b.soc), UINT64_MAX);
}
