/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small SoC for the rows of the coherence protocol's tables.
 *
 * 64-bit words and a 64-bit coherence NoC: a line of 16 bytes is LW = 2 words and LC = 2 flits.
 * Messages: requests, forwards and acknowledgements 2 flits, with data 2 + LC = 4.
 */
#ifndef COHERENCE_RIG_H
#define COHERENCE_RIG_H

#include "tests/unit/esp/bench.h"

#include "esp/cache.h"

#define LW	2
#define LC	2
#define MEM	3
#define ACC	5
#define LINE(n)	(MEM_BASE + 0x10000 + 16 * (n))

/* Three processors, one memory, an accelerator; no scatter-gather: no page tables. */
#define SMALL_SOC(caches, has_l2) \
	"CPU_ARCH = ariane\n" \
	"#CONFIG_HAS_SG is not set\n" \
	"CONFIG_NOC_ROWS = 2\n" \
	"CONFIG_NOC_COLS = 3\n" \
	"CONFIG_CACHE_EN = y\n" \
	"CONFIG_CPU_CACHES = " caches "\n" \
	"CONFIG_ACC_CACHES = 4 2\n" \
	"TILE_0_0 = 0 cpu cpu\n" \
	"TILE_0_1 = 1 cpu cpu\n" \
	"TILE_0_2 = 2 cpu cpu\n" \
	"TILE_1_0 = 3 mem mem\n" \
	"TILE_1_1 = 4 misc IO\n" \
	"TILE_1_2 = 5 acc DUMMY_STRATUS basic_dma64 " has_l2 " 0 sld\n"

extern struct bench rig;

/* Set-up and tear-down of each test. */
void setup(void);
void teardown(void);

void issue(unsigned int cpu, enum esp_access what, uint32_t addr);
/* The same, and run until it is complete. */
void cpu_access(unsigned int cpu, enum esp_access what, uint32_t addr);
/* State of a line in the directory. */
enum esp_llc_line_state directory_state(uint32_t addr);
void flush_l2(unsigned int cpu);
/* The monitors that its tile must show. */
void expect_l2(unsigned int cpu, unsigned int hits, unsigned int misses);

/* Of the memory tile. */
struct counts {
	unsigned int ddr, req, fwd, rcv, snd, hit, miss, dma_req, dma_rsp;
};

struct counts memory_counts(void);
bool counts_rose_by(struct counts before, struct counts want);

#define EXPECT(before, ...) EXPECT_COUNTS("", before, ((struct counts){ __VA_ARGS__ }))
#define EXPECT_COUNTS(what, before, want) do { \
		struct counts c_ = memory_counts(); \
		ck_assert_msg(counts_rose_by(before, want), \
			      "%s got ddr %u req %u fwd %u rcv %u snd %u hit %u miss %u dma %u/%u", \
			      what, c_.ddr - before.ddr, c_.req - before.req, c_.fwd - before.fwd, \
			      c_.rcv - before.rcv, c_.snd - before.snd, c_.hit - before.hit, \
			      c_.miss - before.miss, c_.dma_req - before.dma_req, \
			      c_.dma_rsp - before.dma_rsp); \
	} while (0)

#endif
