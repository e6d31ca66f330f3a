/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/coherence-rig.h"

/* Three processors, one memory, an accelerator with private L2; no scatter-gather: no page tables.
 */
static const char two_rows[] =
	"CPU_ARCH = ariane\n"
	"#CONFIG_HAS_SG is not set\n"
	"CONFIG_NOC_ROWS = 2\n"
	"CONFIG_NOC_COLS = 3\n"
	"CONFIG_CACHE_EN = y\n"
	"CONFIG_CPU_CACHES = 4 2 4 2\n"	/* L2 and LLC of 4 sets with 2 ways */
	"CONFIG_ACC_CACHES = 4 2\n"
	"TILE_0_0 = 0 cpu cpu\n"
	"TILE_0_1 = 1 cpu cpu\n"
	"TILE_0_2 = 2 cpu cpu\n"
	"TILE_1_0 = 3 mem mem\n"
	"TILE_1_1 = 4 misc IO\n"
	"TILE_1_2 = 5 acc DUMMY_STRATUS basic_dma64 1 0 sld\n";

struct bench b;

void setup(void)
{
	static struct esp_design design;

	bench_design(&design, two_rows);
	bench_open(&b, &design, NULL);
}

void teardown(void)
{
	bench_close(&b);
}

void issue(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	esp_soc_cpu_access(b.soc, cpu, what, addr, 4);
}

void access(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	issue(cpu, what, addr);
	settle(&b);
}

enum esp_llc_line_state dir(uint32_t addr)
{
	const struct esp_llc_line *l = esp_llc_lookup(b.soc, 0, addr / 16);

	return l ? l->state : ESP_LLC_I;
}

void flush_l2(unsigned int cpu)
{
	bench_write(&b, ESP_L2_CTRL + cpu * ESP_CACHE_CTRL_STRIDE,
		    ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&b);
}

struct counts now(void)
{
	return (struct counts){
		mon(&b, MEM, ESP_MON_DDR),	   mon(&b, MEM, ESP_MON_COH_REQ),
		mon(&b, MEM, ESP_MON_COH_FWD),	   mon(&b, MEM, ESP_MON_COH_RSP_RCV),
		mon(&b, MEM, ESP_MON_COH_RSP_SND), mon(&b, MEM, ESP_MON_LLC_HIT),
		mon(&b, MEM, ESP_MON_LLC_MISS),	   mon(&b, MEM, ESP_MON_COH_DMA_REQ),
		mon(&b, MEM, ESP_MON_COH_DMA_RSP),
	};
}

bool same(struct counts before, struct counts want)
{
	struct counts c = now();

	return c.ddr - before.ddr == want.ddr && c.req - before.req == want.req &&
	       c.fwd - before.fwd == want.fwd && c.rcv - before.rcv == want.rcv &&
	       c.snd - before.snd == want.snd && c.hit - before.hit == want.hit &&
	       c.miss - before.miss == want.miss && c.dma_req - before.dma_req == want.dma_req &&
	       c.dma_rsp - before.dma_rsp == want.dma_rsp;
}

void expect_l2(unsigned int cpu, unsigned int hits, unsigned int misses)
{
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_HIT), hits);
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_MISS), misses);
}
