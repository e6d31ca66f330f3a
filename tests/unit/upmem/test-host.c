// SPDX-License-Identifier: GPL-2.0-only
/* dpu.h on modelled ranks: scatter-gather, queues, numbers of DPUs, probes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libmon/upmem/include/dpu_management.h"
#include "libmon/upmem/include/dpu_probe.h"
#include "libmon/upmem/include/dpu_target_macros.h"
#include "tests/main.h"
#include "tests/unit/upmem/api.h"

#define DPUS 6		/* of two ranks with four each: the first rank has four, the second two */
#define RANGE 64	/* bytes of the program's "data" */

/* The set again, with another profile, and the program in it. */
static void allocate(const char *profile)
{
	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_msg(dpu_alloc(DPUS, profile, &api_set) == DPU_OK, "%s", mon_error());
	api_load();
}

static uint8_t memory[DPUS][RANGE + 8];

/* Two blocks, of 24 bytes and the rest; the argument is that rest. */
static bool two_blocks(struct sg_block_info *out, uint32_t dpu, uint32_t block, void *args)
{
	out->addr = memory[dpu] + (block ? 24 : 0);
	out->length = block ? *(uint32_t *)args : 24;
	return block < 2;
}

/* Neighbours and DPUs differ. */
static void fill_memory(void)
{
	for (int dpu = 0; dpu < DPUS; dpu++)
		for (int i = 0; i < RANGE + 8; i++)
			memory[dpu][i] = dpu * 40 + i;
}

static dpu_error_t scatter(dpu_xfer_t xfer, uint32_t rest, dpu_sg_xfer_flags_t flags)
{
	get_block_t blocks = { two_blocks, &rest, sizeof(rest) };

	return dpu_push_sg_xfer(api_set, xfer, "data", 0, RANGE, &blocks, flags);
}

static void read_range(uint32_t dpu_index, uint8_t range[RANGE])
{
	struct dpu_set_t dpu;
	uint32_t i;

	DPU_FOREACH(api_set, dpu, i) {
		if (i == dpu_index)
			ck_assert_int_eq(dpu_copy_from(dpu, "data", 0, range, RANGE), DPU_OK);
	}
}

SUITE("upmem host", .timeout = 60, .setup = api_setup, .teardown = api_teardown);

LOOP_TEST(blocks_are_gathered_and_scattered, 0, 2)
{
	/* at once, and in the ranks' queues */
	const dpu_sg_xfer_flags_t flags = _i ? DPU_SG_XFER_ASYNC : DPU_SG_XFER_DEFAULT;
	uint8_t range[RANGE], zeros[RANGE] = { 0 };

	allocate("sgXferEnable=true, sgXferMaxBlocksPerDpu=2");
	fill_memory();
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, RANGE - 24, flags), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	for (uint32_t dpu = 0; dpu < DPUS; dpu++) {
		read_range(dpu, range);
		ck_assert_mem_eq(range, memory[dpu], RANGE);
	}
	memset(memory, 0, sizeof(memory));
	ck_assert_int_eq(scatter(DPU_XFER_FROM_DPU, RANGE - 24, flags), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	for (uint32_t dpu = 0; dpu < DPUS; dpu++) {
		read_range(dpu, range);
		ck_assert_mem_eq(memory[dpu], range, RANGE);
		ck_assert_mem_eq(memory[dpu] + RANGE, zeros, 8);
	}
}

TEST(blocks_of_other_lengths_need_a_flag)
{
	uint8_t range[RANGE], zeros[RANGE] = { 0 };

	allocate("sgXferEnable=true");
	fill_memory();
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, 8, DPU_SG_XFER_DEFAULT), DPU_ERR_SG_LENGTH_MISMATCH);
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, RANGE, DPU_SG_XFER_DEFAULT), DPU_ERR_SG_LENGTH_MISMATCH);
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, 8, DPU_SG_XFER_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_ERR_SG_LENGTH_MISMATCH);
	/* too long: cut off */
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, RANGE - 16, DPU_SG_XFER_DISABLE_LENGTH_CHECK), DPU_OK);
	read_range(5, range);
	ck_assert_mem_eq(range, memory[5], RANGE);
	/* too short: zeros */
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, 8, DPU_SG_XFER_DISABLE_LENGTH_CHECK), DPU_OK);
	read_range(5, range);
	ck_assert_mem_eq(range, memory[5], 32);
	ck_assert_mem_eq(range + 32, zeros, RANGE - 32);
}

TEST(scatter_gather_is_checked_as_in_the_sdk)
{
	uint32_t rest = RANGE - 24;
	get_block_t blocks = { two_blocks, &rest, sizeof(rest) };
	struct dpu_set_t dpu;

	api_load();
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, rest, 0), DPU_ERR_SG_NOT_ACTIVATED);
	allocate("sgXferEnable=true,sgXferMaxBlocksPerDpu=1");
	ck_assert_int_eq(scatter(DPU_XFER_TO_DPU, rest, 0), DPU_ERR_SG_TOO_MANY_BLOCKS);
	ck_assert_int_eq(dpu_push_sg_xfer(api_set, DPU_XFER_TO_DPU, "in", 0, 4, &blocks, 0),
			 DPU_ERR_SG_NOT_MRAM_SYMBOL);
	ck_assert_int_eq(dpu_push_sg_xfer(api_set, DPU_XFER_TO_DPU, "data", 8, RANGE, &blocks, 0),
			 DPU_ERR_INVALID_SYMBOL_ACCESS);
	ck_assert_int_eq(dpu_push_sg_xfer(api_set, DPU_XFER_TO_DPU, "data", 0, 12, &blocks, 0),
			 DPU_ERR_INVALID_MRAM_ACCESS);
	ck_assert_int_eq(dpu_push_sg_xfer(api_set, 7, "data", 0, RANGE, &blocks, 0),
			 DPU_ERR_INVALID_MEMORY_TRANSFER);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_push_sg_xfer(dpu, DPU_XFER_TO_DPU, "data", 0, RANGE, &blocks, 0),
				 DPU_ERR_INTERNAL);
	}
	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_int_eq(dpu_alloc(1, "sgXferEnable=maybe", &api_set), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(1, "sgXferMaxBlocksPerDpu=0", &api_set), DPU_ERR_INVALID_PROFILE);
	ck_assert_int_eq(dpu_alloc(1, NULL, &api_set), DPU_OK);
}

/*
 * Takes elements of 8 bytes, of which the first 4 matter, from a queue of four, adds one and puts
 * them into another queue, until the host ends it. The host empties the output in time.
 */
static const char queue_program[] =
	".section .dpu_host\n.align 8\n"
	".globl input\ninput: .quad 0, 0\n .long in_data, 0, 2, 8\n.size input, 32\n"
	".globl output\noutput: .quad 0, 0\n .long out_data, 0, 2, 8\n.size output, 32\n"
	".globl enough\nenough: .long 0\n.size enough, 4\n.align 8\n"
	"in_data: .zero 32\nout_data: .zero 32\n.text\n"
	"main: lw r0, zero, input\n"
	"1: lw r1, zero, input + 8\n jneq r0, r1, 2f\n lw r2, zero, enough\n jz r2, 1b\n jump r23\n"
	"2: and r3, r0, 3\n lsl r3, r3, 3\n lw r4, r3, in_data\n add r4, r4, 1\n"
	" lw r5, zero, output + 8\n and r3, r5, 3\n lsl r3, r3, 3\n sw r3, out_data, r4\n"
	" add r5, r5, 1\n sw zero, output + 8, r5\n"
	" add r0, r0, 1\n sw zero, input, r0\n jump 1b\n";

static void link_queues(struct dpu_fifo_link_t *in, struct dpu_fifo_link_t *out)
{
	char input[] = "input", output[] = "output";

	api_assemble(queue_program, 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_msg(dpu_link_input_fifo(api_set, in, input) == DPU_OK, "%s", mon_error());
	ck_assert_msg(dpu_link_output_fifo(api_set, out, output) == DPU_OK, "%s", mon_error());
}

static dpu_error_t push(struct dpu_fifo_link_t *in, uint64_t value)
{
	uint64_t elements[DPUS];
	struct dpu_set_t dpu;
	uint32_t i;

	DPU_FOREACH(api_set, dpu, i) {
		elements[i] = value + 1000 * i;
		ck_assert_int_eq(dpu_fifo_prepare_xfer(dpu, in, &elements[i]), DPU_OK);
	}
	return dpu_fifo_push_xfer(api_set, in, DPU_XFER_DEFAULT);
}

TEST(queues_fill_and_empty)
{
	static uint8_t buffers[DPUS][32];
	struct dpu_fifo_link_t in, out;
	struct dpu_set_t dpu;
	uint32_t one = 1, i;

	link_queues(&in, &out);
	for (uint64_t n = 0; n < 4; n++)
		ck_assert_int_eq(push(&in, n), DPU_OK);
	ck_assert_int_eq(push(&in, 4), DPU_ERR_WRAM_FIFO_FULL);
	ck_assert_int_eq(dpu_copy_to(api_set, "enough", 0, &one, 4), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
	for (int again = 0; again < 2; again++) {
		DPU_FOREACH(api_set, dpu, i) {
			ck_assert_int_eq(dpu_fifo_prepare_xfer(dpu, &out, buffers[i]), DPU_OK);
		}
		ck_assert_int_eq(dpu_fifo_push_xfer(api_set, &out, DPU_XFER_DEFAULT), DPU_OK);
		DPU_FOREACH(api_set, dpu, i) {
			ck_assert_uint_eq(get_fifo_size(&out, dpu), again ? 0 : 4);
			for (uint8_t n = 0; n < get_fifo_size(&out, dpu); n++) {
				uint32_t got;

				memcpy(&got, get_fifo_elem(&out, dpu, buffers[i], n), sizeof(got));
				ck_assert_uint_eq(got, n + 1 + 1000 * i);
			}
		}
	}
	ck_assert_int_eq(dpu_fifo_link_free(&in), DPU_OK);
	ck_assert_int_eq(dpu_fifo_link_free(&out), DPU_OK);
}

/* More elements than a queue holds, while the programs run. */
TEST(queues_work_while_the_dpus_run)
{
	static uint8_t buffers[DPUS][32];
	uint32_t one = 1, i, taken[DPUS] = { 0 }, missing = DPUS * 40;
	struct dpu_fifo_link_t in, out;
	struct dpu_set_t dpu;

	link_queues(&in, &out);
	dpu_fifo_set_push_max_retries(&in, api_set, UINT32_MAX);
	dpu_fifo_set_time_for_push_retries(&in, api_set, 100);
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	for (uint64_t n = 0; missing; n++) {
		/* four at a time, so that the output cannot overflow */
		for (uint64_t k = 4 * n; k < 4 * n + 4 && k < 40; k++)
			ck_assert_int_eq(push(&in, k), DPU_OK);
		DPU_FOREACH(api_set, dpu, i) {
			ck_assert_int_eq(dpu_fifo_prepare_xfer(dpu, &out, buffers[i]), DPU_OK);
		}
		for (uint32_t before = missing; missing > before - 4 * DPUS && missing;) {
			ck_assert_int_eq(dpu_fifo_push_xfer(api_set, &out, DPU_XFER_NO_RESET), DPU_OK);
			DPU_FOREACH(api_set, dpu, i) {
				for (uint8_t e = 0; e < get_fifo_size(&out, dpu); e++, missing--) {
					uint32_t got;

					memcpy(&got, get_fifo_elem(&out, dpu, buffers[i], e), sizeof(got));
					ck_assert_uint_eq(got, taken[i]++ + 1 + 1000 * i);
				}
			}
		}
	}
	/* accesses to other memories wait */
	ck_assert_int_eq(dpu_broadcast_to(api_set, DPU_MRAM_HEAP_POINTER_NAME, 0, buffers, 8,
					  DPU_XFER_PARALLEL), DPU_ERR_INVALID_PARALLEL_MEMORY_TRANSFER);
	ck_assert_int_eq(dpu_broadcast_to(api_set, "enough", 0, &one, 4, DPU_XFER_PARALLEL), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	dpu_fifo_link_free(&in);
	dpu_fifo_link_free(&out);
}

TEST(what_is_no_queue_is_not_linked)
{
	char missing[] = "nothing", number[] = "in", data[] = "data";
	struct dpu_fifo_link_t link;

	ck_assert_int_eq(dpu_link_input_fifo(api_set, &link, number), DPU_ERR_NO_PROGRAM_LOADED);
	api_load();
	ck_assert_int_eq(dpu_link_input_fifo(api_set, &link, missing), DPU_ERR_UNKNOWN_SYMBOL);
	ck_assert_int_eq(dpu_link_output_fifo(api_set, &link, number), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_int_eq(dpu_link_output_fifo(api_set, &link, data), DPU_ERR_INVALID_WRAM_ACCESS);
	/* elements of 0 bytes */
	api_assemble(".section .dpu_host\n.align 8\n.globl in\nin: .zero 32\n.size in, 32\n.text\n"
		     "main: jump r23\n", 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_link_input_fifo(api_set, &link, number), DPU_ERR_INVALID_WRAM_ACCESS);
	ck_assert_ptr_nonnull(strstr(mon_error(), "no queue"));
}

TEST(ranks_and_dpus_have_numbers)
{
	struct dpu_set_t rank_set, dpu_set;
	uint32_t ranks = 0, r, i;

	DPU_RANK_FOREACH(api_set, rank_set, r) {
		struct dpu_rank_t *rank = dpu_rank_from_set(rank_set);
		uint32_t dpus = 0, n;
		struct dpu_t *dpu;

		ck_assert_ptr_nonnull(rank);
		ck_assert_uint_eq(dpu_get_rank_id(rank) & DPU_TARGET_MASK, r);
		ck_assert_uint_eq(dpu_get_rank_id(rank) >> DPU_TARGET_SHIFT, FUNCTIONAL_SIMULATOR);
		DPU_FOREACH(rank_set, dpu_set, i) {
			dpu = dpu_from_set(dpu_set);
			ck_assert_ptr_eq(dpu_get_rank(dpu), rank);
			ck_assert_uint_eq(dpu_get_slice_id(dpu), 0);
			ck_assert_uint_eq(dpu_get_member_id(dpu), i);
			ck_assert_uint_eq(dpu_get_id(dpu), r << 16 | i);
			ck_assert_ptr_eq(dpu_get(rank, 0, i), dpu);
			ck_assert_ptr_eq(dpu_from_set(dpu_set_from_dpu(dpu)), dpu);
		}
		STRUCT_DPU_FOREACH(rank, dpu, n) {
			ck_assert_uint_eq(n, dpus);
			ck_assert(dpu_is_enabled(dpu));
			dpus++;
		}
		ck_assert_uint_eq(dpus, r ? 2 : 4);
		ck_assert_int_eq(dpu_is_enabled(dpu_get(rank, 0, 3)), !r);
		ck_assert_ptr_null(dpu_get(rank, 0, 4));
		ck_assert_ptr_null(dpu_get(rank, 1, 0));
		ck_assert_ptr_eq(dpu_rank_from_set(dpu_set_from_rank(&rank)), rank);
		ranks++;
	}
	ck_assert_uint_eq(ranks, 2);
	ck_assert_ptr_null(dpu_rank_from_set(api_set));
}

/* v1B of events/upmem: 400 MHz, 16 tasklets, 3968 instructions, 63488 bytes; ranks of four DPUs */
TEST(ranks_are_described)
{
	dpu_description_t d;
	struct dpu_set_t rank;

	/* of a rank that this program uses */
	ck_assert_int_eq(dpu_get_profile_description(NULL, &d), DPU_OK);
	ck_assert_uint_eq(d->hw.signature.chip_id, vD_asic8_v1_4);
	ck_assert_uint_eq(d->hw.timings.fck_frequency_in_mhz / d->hw.timings.clock_division, 400);
	ck_assert_uint_eq(d->hw.topology.nr_of_control_interfaces, 1);
	ck_assert_uint_eq(d->hw.topology.nr_of_dpus_per_control_interface, 4);
	ck_assert_uint_eq(d->hw.memories.mram_size, 64 << 20);
	ck_assert_uint_eq(d->hw.memories.wram_size, 63488 / 4);
	ck_assert_uint_eq(d->hw.memories.iram_size, 3968);
	ck_assert_uint_eq(d->hw.dpu.nr_of_threads, 16);
	ck_assert_uint_eq(d->hw.dpu.nr_of_work_registers_per_thread, 24);
	ck_assert_uint_eq(d->type, FUNCTIONAL_SIMULATOR);
	DPU_RANK_FOREACH(api_set, rank) {
		const dpu_description_t of_rank = dpu_get_description(dpu_rank_from_set(rank));

		ck_assert_uint_eq(of_rank->hw.memories.mram_size, d->hw.memories.mram_size);
		ck_assert_uint_eq(of_rank->hw.memories.wram_size, d->hw.memories.wram_size);
		ck_assert_uint_eq(of_rank->hw.memories.iram_size, d->hw.memories.iram_size);
	}
	dpu_acquire_description(d);
	dpu_free_description(d);
	ck_assert_uint_eq(d->refcount, 1);
	dpu_free_description(d);
	ck_assert_int_eq(dpu_get_profile_description("chipId=0x2", &d), DPU_ERR_ALLOCATION);
	ck_assert_int_eq(dpu_get_profile_description("colour=blue", &d), DPU_ERR_INVALID_PROFILE);
	/* and of a free rank, which is free afterwards */
	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_int_eq(dpu_get_profile_description("", &d), DPU_OK);
	ck_assert_uint_eq(d->hw.dpu.nr_of_threads, 16);
	dpu_free_description(d);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &api_set), DPU_OK);
}

TEST(probes_have_times_and_no_energies)
{
	struct dpu_probe_t probe;
	double sum = -1, average = -1, energy = -1;

	ck_assert_int_eq(dpu_probe_init("probe", &probe), DPU_OK);
	ck_assert_int_eq(dpu_probe_get(&probe, DPU_TIME, DPU_ACCUMULATE, &sum), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_probe_stop(&probe), DPU_ERR_INTERNAL);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(dpu_probe_start(&probe), DPU_OK);
		ck_assert_int_eq(dpu_probe_start(&probe), DPU_ERR_INTERNAL);
		usleep(1000);
		ck_assert_int_eq(dpu_probe_stop(&probe), DPU_OK);
	}
	ck_assert_int_eq(dpu_probe_get(&probe, DPU_TIME, DPU_ACCUMULATE, &sum), DPU_OK);
	ck_assert_int_eq(dpu_probe_get(&probe, DPU_TIME, DPU_AVERAGE, &average), DPU_OK);
	ck_assert_double_ge(sum, 0.004);
	ck_assert_double_eq(average, sum / 4);
	ck_assert_int_eq(dpu_probe_get(&probe, DPU_ENERGY, DPU_ACCUMULATE, &energy), DPU_ERR_DRIVER);
	ck_assert_ptr_nonnull(strstr(mon_error(), "no power meter"));
	ck_assert_double_eq(energy, -1);
	ck_assert_int_eq(dpu_probe_deinit(&probe), DPU_OK);
}
