/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/coherence-rig.h"

struct bench b;

void setup(void)
{
	static struct esp_design design;

	/* L2 and LLC of 4 sets with 2 ways */
	bench_design(&design, SMALL_SOC("4 2 4 2", "1"));
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
