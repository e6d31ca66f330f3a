/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/coherence-rig.h"

struct bench rig;

void setup(void)
{
	static struct esp_design design;

	/* L2 and LLC of 4 sets with 2 ways */
	bench_design(&design, SMALL_SOC("4 2 4 2", "1"));
	bench_open(&rig, &design, NULL);
}

void teardown(void)
{
	bench_close(&rig);
}

void issue(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	esp_soc_cpu_access(rig.soc, cpu, what, addr, 4);
}

void cpu_access(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	issue(cpu, what, addr);
	settle(&rig);
}

enum esp_llc_line_state directory_state(uint32_t addr)
{
	const struct esp_llc_line *l = esp_llc_lookup(rig.soc, 0, addr / 16);

	return l ? l->state : ESP_LLC_I;
}

void flush_l2(unsigned int cpu)
{
	bench_write(&rig, ESP_L2_CTRL + cpu * ESP_CACHE_CTRL_STRIDE,
		    ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&rig);
}

struct counts memory_counts(void)
{
	return (struct counts){
		mon(&rig, MEM, ESP_MON_DDR), mon(&rig, MEM, ESP_MON_COH_REQ),
		mon(&rig, MEM, ESP_MON_COH_FWD), mon(&rig, MEM, ESP_MON_COH_RSP_RCV),
		mon(&rig, MEM, ESP_MON_COH_RSP_SND), mon(&rig, MEM, ESP_MON_LLC_HIT),
		mon(&rig, MEM, ESP_MON_LLC_MISS), mon(&rig, MEM, ESP_MON_COH_DMA_REQ),
		mon(&rig, MEM, ESP_MON_COH_DMA_RSP),
	};
}

bool counts_rose_by(struct counts before, struct counts want)
{
	struct counts c = memory_counts();

	return c.ddr - before.ddr == want.ddr && c.req - before.req == want.req &&
	       c.fwd - before.fwd == want.fwd && c.rcv - before.rcv == want.rcv &&
	       c.snd - before.snd == want.snd && c.hit - before.hit == want.hit &&
	       c.miss - before.miss == want.miss && c.dma_req - before.dma_req == want.dma_req &&
	       c.dma_rsp - before.dma_rsp == want.dma_rsp;
}

void expect_l2(unsigned int cpu, unsigned int hits, unsigned int misses)
{
	ck_assert_uint_eq(mon(&rig, cpu, ESP_MON_L2_HIT), hits);
	ck_assert_uint_eq(mon(&rig, cpu, ESP_MON_L2_MISS), misses);
}
