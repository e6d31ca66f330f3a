/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An accelerator's socket: CMD and an emptied TLB, in each state of esp_acc_dma.vhd:
 *
 * - CMD is read in "running" without a pending transfer, and when the run is done;
 * - an access to word 3 of the tile empties the TLB. After that no transfer begins or ends: one
 *   that is requested waits in the handshake (burst is 1), a load takes its data for a page table
 *   (burst is 1), a store, or a load between two chunks, stays pending in "running" (burst is 0).
 *
 * TOT counts while RUN is set, MEM while burst is.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/internal.h"

static struct bench b;

/* Of the default design. */
enum { ACC0 = 0, MEM = 2 };

static void setup(void)
{
	bench_open(&b, NULL, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

/* Runs until the DMA engine of accelerator 0 has reached a state of a transfer. */
static void until(enum esp_dma_kind kind, enum esp_dma_state state)
{
	const struct esp_acc_state *a = &b.soc->acc[0];

	while (a->fsm != ESP_FSM_RUN || a->dma != state ||
	       (state != ESP_DMA_IDLE && a->dma_kind != kind)) {
		ck_assert_uint_ne(esp_soc_next_event(b.soc), UINT64_MAX);
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	}
}

/* Cycles that a monitor counts in the next thousand. */
static uint32_t in_thousand(unsigned int index)
{
	uint32_t before = mon(&b, ACC0, index);

	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1000);
	return mon(&b, ACC0, index) - before;
}

static const struct moment {
	enum esp_dma_kind kind;
	enum esp_dma_state state;
	bool burst;		/* while it hangs */
} moments[] = {
	{ ESP_DMA_LOAD, ESP_DMA_SETUP, true },	/* requested, not translated */
	{ ESP_DMA_LOAD, ESP_DMA_WAIT, true },	/* data on their way */
	{ ESP_DMA_LOAD, ESP_DMA_NEXT, false },	/* between two chunks */
	{ ESP_DMA_STORE, ESP_DMA_SETUP, true },
	{ ESP_DMA_STORE, ESP_DMA_WAIT, false },	/* data leave, then the store never ends */
	{ ESP_DMA_STORE, ESP_DMA_NEXT, false },
	{ ESP_DMA_LOAD, ESP_DMA_IDLE, true },	/* while it computes: the store's handshake */
};

/* 512 points of 8 bytes in chunks of 2 KiB: each transfer is two transactions. */
static struct fft two_chunks(void)
{
	struct fft f = fft_default(9);

	f.shift = 11;
	f.nchunks = 2;
	f.chunks[1] = f.chunks[0] + 0x100000;
	return f;
}

SUITE("esp socket", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(emptied_tlb_hangs_the_run_for_good, 0, sizeof(moments) / sizeof(*moments))
{
	const struct moment *m = &moments[_i];
	struct fft f = two_chunks();

	fft_fill(&b, &f);
	fft_start(&b, &f);
	until(m->kind, m->state);
	/* Monitor 2 is word 3 of the tile's other window. */
	ck_assert_uint_eq(bench_read(&b, ESP_CSR_BASE + ESP_CSR_STRIDE * ACC0 + ESP_CSR_MON(2)), 0);
	ck_assert_uint_eq(b.errors, 1);
	settle(&b);
	ck_assert_uint_eq(b.irqs[0], 0);
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_write(&b, 0, ESP_ACC_PT_ADDRESS, f.table);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), ESP_ACC_STATUS_RUN);
	ck_assert_uint_eq(in_thousand(ESP_MON_ACC_TOT_LO), 1000);
	ck_assert_uint_eq(in_thousand(ESP_MON_ACC_MEM_LO), m->burst ? 1000 : 0);
	ck_assert_uint_eq(b.irqs[0], 0);
	/* The reset line ends it; counts of the monitors stay. */
	esp_soc_reset_accelerator(b.soc, 0);
	settle(&b);
	ck_assert_uint_gt(mon(&b, ACC0, ESP_MON_ACC_TOT_LO), 2000);
	ck_assert_uint_eq(in_thousand(ESP_MON_ACC_TOT_LO), 0);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_PT_ADDRESS), 0);
	fft_run(&b, &f);
	/* The run that hung was never done, so the monitor's "started" was still set. */
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 1);
}

TEST(cmd_0_before_the_next_request_helps)
{
	struct fft f = two_chunks();

	fft_fill(&b, &f);
	fft_start(&b, &f);
	until(ESP_DMA_LOAD, ESP_DMA_SETUP);
	until(ESP_DMA_LOAD, ESP_DMA_IDLE);
	bench_read(&b, ESP_CSR_BASE + ESP_CSR_STRIDE * ACC0 + ESP_CSR_MON(2));
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), 0);
	fft_run(&b, &f);
}

TEST(word_3_is_harmless_when_nothing_runs)
{
	struct fft f = fft_default(7);
	uint32_t req;

	fft_run(&b, &f);
	req = mon(&b, MEM, ESP_MON_DMA_REQ);
	acc_read(&b, 0, ESP_ACC_PT_ADDRESS);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
	/* The table is fetched again: 3 flits beside the load's 3 and the store's 3 + 128. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ) - req, 3 + 3 + 3 + 128);
	ck_assert_uint_eq(b.errors, 0);
}

/* In each state of a transfer, except during a computation: there CMD = 0 ends the run. */
LOOP_TEST(cmd_0_and_1_during_a_transfer_change_nothing, 0, sizeof(moments) / sizeof(*moments) - 1)
{
	const struct moment *m = &moments[_i];
	struct fft f = two_chunks();
	uint32_t tot, mem;

	fft_run(&b, &f);
	tot = mon(&b, ACC0, ESP_MON_ACC_TOT_LO);
	mem = mon(&b, ACC0, ESP_MON_ACC_MEM_LO);
	fft_fill(&b, &f);
	fft_start(&b, &f);
	until(m->kind, m->state);
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
	ck_assert_double_le(fft_wrong(&b, &f), 1);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_TOT_LO), 2 * tot);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_MEM_LO), 2 * mem);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 2);
	ck_assert_uint_eq(b.irqs[0], 2);
}

TEST(cmd_0_waits_for_all_chunks_of_a_transfer)
{
	struct fft f = two_chunks();

	fft_fill(&b, &f);
	fft_start(&b, &f);
	until(ESP_DMA_LOAD, ESP_DMA_WAIT);
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), 0);
	/* The table of 2 words and the load of 512. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 2 + 512);
	ck_assert_uint_eq(b.irqs[0], 0);
}

TEST(cmd_0_and_1_when_done_are_an_invocation)
{
	struct fft f = fft_default(7);
	unsigned int i;

	fft_fill(&b, &f);
	fft_start(&b, &f);
	for (i = 1; i < 4; i++) {
		settle(&b);
		ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
		ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), i);
		acc_write(&b, 0, ESP_ACC_CMD, 0);
		acc_write(&b, 0, ESP_ACC_CMD, 1);
	}
}

static uint32_t run_cycles(void)
{
	return mon(&b, ACC0, ESP_MON_ACC_TOT_LO) - mon(&b, ACC0, ESP_MON_ACC_TLB);
}

/* Each chunk after the first costs a translation that MEM does not count, in both directions. */
TEST(burst_is_0_between_chunks)
{
	struct fft one = fft_default(9), four = one;
	uint32_t run, mem;

	four.shift = 10;
	four.nchunks = 4;
	four.chunks[1] = four.chunks[0] + 1024;
	four.chunks[2] = four.chunks[0] + 2048;
	four.chunks[3] = four.chunks[0] + 3072;
	fft_run(&b, &one);
	run = run_cycles();
	mem = mon(&b, ACC0, ESP_MON_ACC_MEM_LO);
	fft_run(&b, &four);
	/* The additional cycles of the second run. */
	run = run_cycles() - 2 * run;
	mem = mon(&b, ACC0, ESP_MON_ACC_MEM_LO) - 2 * mem;
	ck_assert_uint_eq(run - mem, 2 * 3 * ESP_T_DMA_SETUP);
}
