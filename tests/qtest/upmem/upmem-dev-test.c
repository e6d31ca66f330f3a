// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device upmem-rank, driven without a guest: identity, DMA with guest memory and its bounds,
 * execution, counters, migration, properties. The model's own tests cover the DPUs.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/upmem/regs.h"
#include "tests/main.h"
#include "tests/qtest/qtest.h"

#define DATA 0x200000	/* guest memory */

static struct qtest *q;
static uint64_t bar;

static void start(const char *device)
{
	struct qtest_pci pci;

	q = qtest_start(device, NULL);
	pci = qtest_pci_setup(q, UPMEM_PCI_VENDOR, UPMEM_PCI_DEVICE);
	bar = pci.bar[0];
}

static void setup(void)
{
	start("upmem-rank,dpus=4");
}

static void teardown(void)
{
	qtest_stop(q);
}

static uint32_t get(uint32_t offset)
{
	return qtest_readl(q, bar + offset);
}

static void put(uint32_t offset, uint32_t value)
{
	qtest_writel(q, bar + offset, value);
}

static uint32_t dma(uint32_t dpu, uint32_t direction, uint64_t bus, uint32_t address, uint32_t length)
{
	put(UPMEM_DMA_BUS_LO, bus);
	put(UPMEM_DMA_BUS_HI, bus >> 32);
	put(UPMEM_DMA_ADDRESS, address);
	put(UPMEM_DMA_LENGTH, length);
	put(UPMEM_DMA_DPU, dpu);
	put(UPMEM_DMA_CONTROL, direction);
	return get(UPMEM_DMA_CONTROL);
}

/* From UPMEM's page: stores r0's 8 bytes and loads them; then stops. Words of tests/unit/upmem. */
static const uint64_t program[] = {
	0x606300000000,		/* move r0, 0 */
	0x700000000002,		/* sdma r0, r0, 0 */
	0x700000000000,		/* ldma r0, r0, 0 */
	0x7ef321000003,		/* stop true, 3 */
};

static void run(uint32_t dpu)
{
	qtest_memwrite(q, DATA, program, sizeof(program));
	ck_assert_uint_eq(dma(dpu, UPMEM_DMA_TO_DPU, DATA, UPMEM_IRAM_MARK, sizeof(program)),
			  UPMEM_DMA_OK);
	put(UPMEM_LAUNCH_LO, 1u << dpu);
	while (get(UPMEM_RUNNING_LO))
		usleep(1000);
	ck_assert_uint_eq(get(UPMEM_FAULT_LO), 0);
}

static uint32_t pmc_byte(uint32_t dpu, unsigned int index)
{
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_READ, UPMEM_PMC_READ_SELECT);
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_CONTROL, 0);
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_CONTROL, index);
	return qtest_read(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_READ);
}

static void count_dma(uint32_t dpu)
{
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_ENABLE, 1);
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_EVENT1, 1);
	qtest_write(q, 1, bar + UPMEM_DPU(dpu) + UPMEM_PMC_EVENT2, 2);
}

SUITE("registers", .timeout = 120, .setup = setup, .teardown = teardown);

TEST(identity)
{
	ck_assert_uint_eq(get(UPMEM_ID), UPMEM_ID_VALUE);
	ck_assert_uint_eq(get(UPMEM_VERSION), UPMEM_VERSION_VALUE);
	ck_assert_uint_eq(get(UPMEM_DPUS), 4);
	ck_assert_uint_eq(get(UPMEM_CHIP_ID), 68);
	ck_assert_uint_eq(get(UPMEM_CLOCK_HZ), 400000000);
	/* 2 GHz and what the default timing's bursts add: pace.c */
	ck_assert_uint_gt(get(UPMEM_MAX_MHZ), 2000);
	ck_assert_uint_lt(get(UPMEM_MAX_MHZ), 2100);
}

TEST(dma_reaches_guest_memory_and_nothing_else)
{
	uint8_t out[256], back[256];

	for (unsigned int i = 0; i < sizeof(out); i++)
		out[i] = i;
	qtest_memwrite(q, DATA, out, sizeof(out));
	ck_assert_uint_eq(dma(3, UPMEM_DMA_TO_DPU, DATA, UPMEM_MRAM_MARK + 64, 256), UPMEM_DMA_OK);
	ck_assert_uint_eq(dma(3, UPMEM_DMA_FROM_DPU, DATA + 4096, UPMEM_MRAM_MARK + 64, 256),
			  UPMEM_DMA_OK);
	qtest_memread(q, DATA + 4096, back, sizeof(back));
	ck_assert_mem_eq(back, out, sizeof(out));
	/* its own registers, and behind the guest's 256 MiB */
	ck_assert_uint_eq(dma(0, UPMEM_DMA_FROM_DPU, bar, UPMEM_MRAM_MARK, 8), UPMEM_DMA_BUS);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_TO_DPU, 0x40000000, UPMEM_MRAM_MARK, 8), UPMEM_DMA_BUS);
	ck_assert_uint_eq(dma(4, UPMEM_DMA_TO_DPU, DATA, UPMEM_MRAM_MARK, 8), UPMEM_DMA_COMMAND);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_TO_DPU, DATA, UPMEM_MRAM_MARK + UPMEM_MRAM_SIZE, 8),
			  UPMEM_DMA_RANGE);
}

TEST(programs_run_and_are_counted)
{
	count_dma(2);
	run(2);
	run(2);
	ck_assert_uint_eq(pmc_byte(2, 0), 2);
	ck_assert_uint_eq(pmc_byte(2, 4), 2);
	ck_assert_uint_eq(get(UPMEM_DPU(2) + UPMEM_DPU_INSTRUCTIONS_LO), 8);
	ck_assert_uint_eq(get(UPMEM_DPU(1) + UPMEM_DPU_INSTRUCTIONS_LO), 0);
	ck_assert_uint_eq(get(UPMEM_IRQ), UPMEM_IRQ_IDLE);
	put(UPMEM_IRQ, UPMEM_IRQ_IDLE);
	ck_assert_uint_eq(get(UPMEM_IRQ), 0);
}

TEST(memory_and_counters_migrate)
{
	uint64_t word = UINT64_C(0x0123456789abcdef);

	count_dma(1);
	run(1);
	qtest_memwrite(q, DATA, &word, 8);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_TO_DPU, DATA, UPMEM_MRAM_MARK + UPMEM_MRAM_SIZE - 8, 8),
			  UPMEM_DMA_OK);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_TO_DPU, DATA, 64, 8), UPMEM_DMA_OK);
	q = qtest_migrate(q, "upmem-rank,dpus=4");
	ck_assert_uint_eq(pmc_byte(1, 0), 1);
	ck_assert_uint_eq(get(UPMEM_DPU(1) + UPMEM_DPU_INSTRUCTIONS_LO), 4);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_FROM_DPU, DATA + 8, UPMEM_MRAM_MARK + UPMEM_MRAM_SIZE - 8, 8),
			  UPMEM_DMA_OK);
	ck_assert_uint_eq(qtest_read(q, 8, DATA + 8), word);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_FROM_DPU, DATA + 16, 64, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(qtest_read(q, 8, DATA + 16), word);
	run(1);
	ck_assert_uint_eq(pmc_byte(1, 0), 2);
}

TEST(reset_clears_memory)
{
	qtest_write(q, 8, DATA, 5);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_TO_DPU, DATA, UPMEM_MRAM_MARK, 8), UPMEM_DMA_OK);
	put(UPMEM_RESET, 1);
	ck_assert_uint_eq(dma(0, UPMEM_DMA_FROM_DPU, DATA, UPMEM_MRAM_MARK, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(qtest_read(q, 8, DATA), 0);
}

SUITE("device", .timeout = 120);

TEST(properties_are_checked)
{
	static const char *const refused[][2] = {
		{ "upmem-rank,dpus=65", "dpus=65 is out of range" },
		{ "upmem-rank,dpus=0", "dpus=0 is out of range" },
		{ "upmem-rank,arch=v2", "arch=v2 is unknown" },
		{ "upmem-rank,row-size=1000", "row-size=1000" },
		{ "upmem-rank,clock=2000000001", "clock=2000000001 is out of range" },
		{ "upmem-rank,dispatch-interval=0", "dispatch-interval=0 is out of range" },
		{ "upmem-rank,read-latency=12289", "read-latency=12289" },
		{ "upmem-rank,write-latency=4294967295", "write-latency=4294967295" },
		{ "upmem-rank,half-cycles-per-byte=13", "half-cycles-per-byte=13" },
		{ "upmem-rank,refresh-ns=450", "refresh-busy-ns=230: use at most half of refresh-ns" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char *text = qtest_refused(refused[i][0]);

		ck_assert_msg(strstr(text, refused[i][1]), "%s: %s", refused[i][0], text);
		free(text);
	}
}

TEST(v1a_and_clock)
{
	start("upmem-rank,arch=v1A,clock=200000000,dpus=1");
	ck_assert_uint_eq(get(UPMEM_CHIP_ID), 4);
	ck_assert_uint_eq(get(UPMEM_CLOCK_HZ), 200000000);
	ck_assert_uint_eq(get(UPMEM_THREADS), 24);
	qtest_stop(q);
	/*
	 * The slowest possible timing, by dpu_max_rate(): a turn is 12288 + (33 + 258 rows * 9 + 12288) + 1000 + 256 +
	 * 259 = 28446 cycles, and refreshes add 92 + 14643 * 230 / 3670 = 1010. Three bursts of 16384 turns and 2 million
	 * cycles of 2^32 leave 0.6624 of it: 2000 MHz / 0.6624 = 3019.1, rounded up.
	 */
	start("upmem-rank,dpus=1,dispatch-interval=1000,read-latency=12288,write-latency=12288,"
	      "half-cycles-per-byte=12,row-size=8");
	ck_assert_uint_eq(get(UPMEM_MAX_MHZ), 3020);
	qtest_stop(q);
}

TEST(idle_dpus_cost_less_than_a_mebibyte_each)
{
	long one, all;

	start("upmem-rank,dpus=1");
	one = qtest_resident(q);
	qtest_stop(q);
	start("upmem-rank,dpus=64");
	all = qtest_resident(q);
	qtest_stop(q);
	ck_assert_int_gt(all, one);
	ck_assert_int_lt(all - one, 63 * 1024);
}
