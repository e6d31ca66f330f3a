/* SPDX-License-Identifier: GPL-2.0-only */
/* Non-coherent DMA of an FFT: what a run moves and counts. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <stdio.h>

/* Default design: 0 FFT with L2, 1 cpu, 2 mem, 3 FFT, 4 FFT, 5 IO. */
#define ACC0	0
#define CPU	1
#define MEM	2

static struct bench b;

static void setup(void)
{
	bench_open(&b, NULL, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

/*
 * Mode none, 64-bit words, one word a flit. A read of n words asks with 3 flits (header, address,
 * length) and is answered with 1 + n; a write is 3 + n and has no answer. reads and writes are
 * transactions, in and out the words that they move, the page table among them.
 */
static void expect(unsigned int reads, unsigned int in, unsigned int writes, unsigned int out)
{
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 * reads + 3 * writes + out);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), reads + in);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), in + out);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_NOC_INJECT(5)), 3 * reads + 3 * writes + out);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(3)), reads + in);
}

SUITE("esp dma", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(fft_of_128_points)
{
	struct fft f = fft_default(7);

	fft_run(&b, &f);
	/* 128 points of 8 bytes are 128 words each way, and 1 of the page table: 137, 131, 257. */
	expect(1 + 1, 1 + 128, 1, 128);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 137);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 131);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 257);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 1);
	ck_assert_uint_eq(b.irqs[0], 1);
	ck_assert_uint_eq(b.errors, 0);
}

LOOP_TEST(every_length, 3, 12)
{
	struct fft f = fft_default(_i);
	unsigned int words = 1u << _i;	/* a point is a word */

	fft_run(&b, &f);
	expect(1 + 1, 1 + words, 1, words);
}

LOOP_TEST(every_batch_is_one_read_and_one_write, 1, 5)
{
	struct fft f = fft_default(6);

	f.batches = _i;
	fft_run(&b, &f);
	expect(1 + _i, 1 + 64 * _i, _i, 64 * _i);
}

LOOP_TEST(chunks_split_transfers, 0, 4)
{
	struct fft f = fft_default(8);
	unsigned int i, n = 1u << _i;

	/* 256 points are 2048 bytes: chunks of 2048 / n bytes, scattered and in falling order. */
	f.nchunks = n;
	f.shift = 11 - __builtin_ctz(n);
	for (i = 0; i < n; i++)
		f.chunks[i] = MEM_BASE + 0x100000 + (n - i) * 0x10000;
	fft_run(&b, &f);
	/* The page table has n words, each transfer n transactions. */
	expect(1 + n, n + 256, n, 256);
}

TEST(offsets_shift_input_and_output)
{
	struct fft f = fft_default(5);

	f.src = 0x400;
	f.dst = 0x2008;
	fft_run(&b, &f);
	expect(2, 1 + 32, 1, 32);
	/* Only the output was written. */
	ck_assert_uint_eq(get32(&b, fft_addr(&f, 0x2004)), 0);
	ck_assert_uint_eq(get32(&b, fft_addr(&f, 0x2008 + 32 * 8)), 0);
}

TEST(offset_inside_a_chunk_costs_a_transaction)
{
	struct fft f = fft_default(7);

	/* 1024 bytes from offset 512 in chunks of 1024: two transactions each way of 64 words. */
	f.nchunks = 2;
	f.shift = 10;
	f.chunks[1] = MEM_BASE + 0x300000;
	f.src = f.dst = 512;
	fft_run(&b, &f);
	expect(1 + 2, 2 + 128, 2, 128);
}

TEST(page_table_elsewhere_gives_another_result)
{
	struct fft f = fft_default(7);
	struct fft wrong = f;

	fft_fill(&b, &f);
	wrong.chunks[0] = MEM_BASE + 0x400000;
	fft_start(&b, &wrong);
	acc_finish(&b, 0);
	/* The data were counted, from where the table pointed. */
	expect(2, 129, 1, 128);
	ck_assert_double_gt(fft_wrong(&b, &f), 50);
}

TEST(without_bit_reversal_the_result_differs)
{
	struct fft f = fft_default(7);

	f.bitrev = 0;
	fft_fill(&b, &f);
	fft_start(&b, &f);
	acc_finish(&b, 0);
	ck_assert_double_gt(fft_wrong(&b, &f), 50);
}

TEST(twice_the_run_twice_the_counts)
{
	struct fft f = fft_default(7);

	fft_run(&b, &f);
	fft_run(&b, &f);
	expect(4, 2 * 129, 2, 2 * 128);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 2);
}

TEST(abort_half_way_has_moved_and_counted_half)
{
	struct fft f = fft_default(8);

	f.batches = 4;
	fft_fill(&b, &f);
	fft_start(&b, &f);
	/* Stop in the middle of the second batch's store. */
	while (mon(&b, MEM, ESP_MON_DMA_REQ) < 3 + 3 * 4 + (3 + 256) + 100)
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), 0);
	ck_assert_uint_eq(b.irqs[0], 0);
	/*
	 * The current transaction ended: page table, two stores of 256 words, and the loads before
	 * them. There are two buffers: batch 3 cannot have been loaded.
	 */
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_NOC_INJECT(5)), mon(&b, MEM, ESP_MON_DMA_REQ));
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + 3 * 3 + 2 * (3 + 256));
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 3 * 256 + 2 * 256);
	f.batches = 2;
	ck_assert_double_le(fft_wrong(&b, &f), 1);
	/* The accelerator works again. */
	f.batches = 4;
	fft_run(&b, &f);
}

TEST(table_written_during_a_run_is_for_the_next)
{
	struct fft f = fft_default(8), next = f;
	struct esp_params params = bench_params();

	/* With tlb_quirk, as on the hardware, the run would hang. */
	params.tlb_quirk = false;
	bench_close(&b);
	bench_open(&b, NULL, &params);
	next.table += 4096;
	next.chunks[0] += 0x100000;
	fft_fill(&b, &f);
	fft_fill(&b, &next);
	put64(&b, next.table, next.chunks[0]);
	fft_start(&b, &f);
	while (!(acc_read(&b, 0, ESP_ACC_STATUS) & ESP_ACC_STATUS_RUN))
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	acc_write(&b, 0, ESP_ACC_PT_ADDRESS, next.table);
	acc_finish(&b, 0);
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_double_le(fft_wrong(&b, &f), 1);
	ck_assert_double_gt(fft_wrong(&b, &next), 50);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
	ck_assert_double_le(fft_wrong(&b, &next), 1);
}

TEST(start_during_the_abort_runs_afterwards)
{
	struct fft f = fft_default(8);

	fft_fill(&b, &f);
	fft_start(&b, &f);
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 60);
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
	ck_assert_double_le(fft_wrong(&b, &f), 1);
}

LOOP_TEST(memory_errors_end_the_run, 0, 8)
{
	struct fft f = fft_default(7);

	switch (_i) {
	case 0:
		f.table = 0x1000;	/* page table outside memory */
		break;
	case 1:
		f.chunks[0] = MEM_BASE + MEM_SIZE;
		break;
	case 2:
		f.chunks[0] = MEM_BASE + MEM_SIZE - 512;	/* reaches over the end */
		break;
	case 3:
		f.chunks[0] = 0xfffffff8;
		break;
	case 4:
		f.nchunks = 0;
		break;
	case 5:
		f.src = 0xfffffff0;	/* far beyond the table, wraps */
		break;
	case 6:
		f.log_len = 12;		/* more than the local memory holds */
		break;
	case 7:
		f.batches = 0;
		break;
	}
	if (_i == 0) {
		acc_write(&b, 0, ESP_ACC_PT_ADDRESS, f.table);
		acc_write(&b, 0, ESP_ACC_PT_NCHUNK, 1);
		acc_write(&b, 0, ESP_ACC_PT_SHIFT, 20);
		acc_write(&b, 0, ESP_FFT_BATCH_SIZE, 1);
		acc_write(&b, 0, ESP_FFT_LOG_LEN, 7);
		acc_write(&b, 0, ESP_ACC_CMD, 1);
	} else {
		fft_start(&b, &f);
	}
	/* a transfer that moved nothing is an error for the driver, too */
	ck_assert_uint_eq(acc_end(&b, 0), ESP_ACC_STATUS_DONE | (_i < 6 ? ESP_ACC_STATUS_ERR : 0));
	ck_assert_int_eq(b.errors > 0, _i < 7);
	f = fft_default(7);
	fft_run(&b, &f);
}

TEST(too_long_page_table_is_cut)
{
	struct fft f = fft_default(7);
	struct fft more = f;

	fft_fill(&b, &f);
	fft_start(&b, &f);
	acc_finish(&b, 0);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_PT_NCHUNK_MAX), 128);
	fft_fill(&b, &more);
	acc_write(&b, 0, ESP_ACC_PT_ADDRESS, more.table);
	acc_write(&b, 0, ESP_ACC_PT_NCHUNK, 0xffffffff);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
	ck_assert_uint_eq(b.errors, 1);
	/* 1 + 128 + 128 words before, then a table of 128 and the same data. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 257 + 128 + 256);
	ck_assert_double_le(fft_wrong(&b, &more), 1);
}

TEST(tiny_chunks_still_move)
{
	struct fft f = fft_default(2);

	/* Chunks of one byte: every beat is a transaction, taken from the chunk of its first byte.
	 */
	acc_write(&b, 0, ESP_ACC_PT_SHIFT, 0);
	f.shift = 0;
	f.nchunks = 16;
	fft_start(&b, &f);
	ck_assert_uint_eq(acc_end(&b, 0), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_uint_gt(b.errors, 0);
	ck_assert_uint_eq(b.irqs[0], 1);
}

TEST(three_at_once)
{
	struct fft f[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		f[i] = fft_default(9);
		f[i].acc = i;
		f[i].batches = 2;
		f[i].coherence =
			i == 2 ? ESP_COH_FULL : i;	/* none, llc, full without L2 = recall */
		f[i].table += i * 4096;
		f[i].chunks[0] += i << 20;
		fft_fill(&b, &f[i]);
	}
	for (i = 0; i < 3; i++)
		fft_start(&b, &f[i]);
	for (i = 0; i < 3; i++)
		ck_assert_uint_eq(acc_read(&b, i, ESP_ACC_STATUS) & ESP_ACC_STATUS_DONE, 0);
	settle(&b);
	for (i = 0; i < 3; i++) {
		ck_assert_uint_eq(b.irqs[i], 1);
		ck_assert_double_le(fft_wrong(&b, &f[i]), 1);
	}
	/* One in mode none, two coherent ones, 512 words and two batches each. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + 2 * 3 + 2 * (3 + 512));
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_COH_DMA_REQ), 2 * (3 + 2 * 3 + 2 * (2 + 512)));
}

static uint32_t total(void)
{
	return mon(&b, ACC0, ESP_MON_ACC_TOT_LO);
}

TEST(cycles_follow_the_states)
{
	struct fft f = fft_default(7);
	uint32_t tlb, mem, tot;

	fft_run(&b, &f);
	tlb = mon(&b, ACC0, ESP_MON_ACC_TLB);
	mem = mon(&b, ACC0, ESP_MON_ACC_MEM_LO);
	tot = total();
	ck_assert_uint_gt(tlb, 0);
	ck_assert_uint_gt(mem, 256);	/* a word a cycle at best */
	/*
	 * TOT - TLB is the time in state RUN: load, compute and store of one batch one after the
	 * other. Compute is modelled as 64 * 7 butterflies of 3, 128 swaps of 3 and 128 copies of 2
	 * cycles.
	 */
	ck_assert_uint_ge(tot - tlb, mem + 64 * 7 * 3 + 128 * 3 + 128 * 2);
	ck_assert_uint_le(tot - tlb, mem + 64 * 7 * 3 + 128 * 3 + 128 * 2 + 8);
	/* Idle, nothing counts. */
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1000);
	ck_assert_uint_eq(total(), tot);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_TOT_HI), 0);
}
