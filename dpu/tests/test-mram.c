// SPDX-License-Identifier: GPL-2.0-only
/* MRAM in pieces: what the host and DMA see is one memory. */
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/rig.h"
#include "dpu/sim/dpu-internal.h"

#define PIECE DPU_MRAM_PIECE

static struct dpu *new_dpu(void)
{
	struct dpu *dpu = dpu_new(&dpu_archs[DPU_ARCH_V1B], NULL, 0, NULL);

	ck_assert_ptr_nonnull(dpu);
	return dpu;
}

static bool all_zero(struct dpu *dpu, uint32_t offset, uint32_t length)
{
	uint8_t *bytes = malloc(length);
	bool zero = true;

	memset(bytes, 0xff, length);
	ck_assert(dpu_read(dpu, DPU_MRAM, offset, bytes, length));
	for (uint32_t i = 0; i < length; i++)
		zero &= !bytes[i];
	free(bytes);
	return zero;
}

/* Pieces of two and a half, from the middle of one on; each byte differs from that of the piece before. */
static void fill(uint8_t *bytes, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		bytes[i] = i % 251 + 1;
}

SUITE("upmem mram", .timeout = 60);

TEST(what_nobody_has_written_is_zero_and_takes_no_memory)
{
	struct dpu *dpu = new_dpu();

	ck_assert(all_zero(dpu, 0, DPU_MRAM_SIZE));
	for (unsigned int i = 0; i < DPU_MRAM_PIECES; i++)
		ck_assert_ptr_null(dpu->mram[i]);
	dpu_destroy(dpu);
}

TEST(a_range_of_several_pieces_reads_as_it_was_written)
{
	static uint8_t written[PIECE * 5 / 2], read[PIECE * 5 / 2];
	const uint32_t at = 7 * PIECE - PIECE / 2;
	struct dpu *dpu = new_dpu();

	fill(written, sizeof(written));
	ck_assert(dpu_write(dpu, DPU_MRAM, at, written, sizeof(written)));
	ck_assert(dpu_read(dpu, DPU_MRAM, at, read, sizeof(read)));
	ck_assert_mem_eq(read, written, sizeof(read));
	/* 8 bytes around it, and a read from one piece without memory to another one */
	ck_assert(all_zero(dpu, at - 8, 8) && all_zero(dpu, at + sizeof(written), 8));
	ck_assert(all_zero(dpu, 0, at));
	dpu_destroy(dpu);
}

/* A transfer of 16 bytes has 8 in each of two pieces. */
TEST(dma_goes_from_one_piece_to_the_next)
{
	static const char text[] =
		".section .dpu_host\n.align 8\nbuffer: .quad 0x1111, 0x2222, 0, 0\n.text\n"
		"main: move r0, buffer\n move r1, 0x5ff8\n sdma r0, r1, 1\n"
		" move r0, buffer + 16\n ldma r0, r1, 1\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	uint64_t words[2];

	ck_assert_uint_eq(0x5ff8 + 8, 3 * PIECE);
	rig_run_ok(&rig);
	ck_assert(dpu_read(rig.dpu, DPU_MRAM, 0x5ff8, words, sizeof(words)));
	ck_assert_uint_eq(words[0], 0x1111);
	ck_assert_uint_eq(words[1], 0x2222);
	ck_assert_uint_eq(rig_get64(&rig, "buffer", 2), 0x1111);
	ck_assert_uint_eq(rig_get64(&rig, "buffer", 3), 0x2222);
	rig_free(&rig);
}

TEST(dpus_have_their_own_and_what_one_gives_back_is_zero_for_the_next)
{
	static uint8_t bytes[3 * PIECE], read[3 * PIECE];
	struct dpu *first = new_dpu(), *second = new_dpu(), *third;
	uint64_t one = 1;

	fill(bytes, sizeof(bytes));
	ck_assert(dpu_write(first, DPU_MRAM, 0, bytes, sizeof(bytes)));
	ck_assert(dpu_write(second, DPU_MRAM, PIECE, bytes, sizeof(bytes)));
	dpu_destroy(first);
	third = new_dpu();
	/* 8 bytes in each of its pieces, which were the first one's */
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert(dpu_write(third, DPU_MRAM, i * PIECE + 8, &one, sizeof(one)));
		ck_assert(all_zero(third, i * PIECE, 8) && all_zero(third, i * PIECE + 16, PIECE - 16));
	}
	dpu_reset(third);
	ck_assert(all_zero(third, 0, 4 * PIECE));
	ck_assert(dpu_read(second, DPU_MRAM, PIECE, read, sizeof(read)));
	ck_assert_mem_eq(read, bytes, sizeof(read));
	dpu_destroy(third);
	dpu_destroy(second);
}

/* Each DPU adds room for all of its MRAM: two use all that there is, in turns. */
TEST(there_is_a_piece_for_each_of_each_dpu)
{
	struct dpu *dpus[2] = { new_dpu(), new_dpu() };
	uint64_t word;

	for (uint32_t i = 0; i < 2 * DPU_MRAM_PIECES; i++) {
		word = i + 1;
		ck_assert(dpu_write(dpus[i % 2], DPU_MRAM, i / 2 * PIECE, &word, sizeof(word)));
	}
	for (uint32_t i = 0; i < 2 * DPU_MRAM_PIECES; i++) {
		ck_assert(dpu_read(dpus[i % 2], DPU_MRAM, i / 2 * PIECE, &word, sizeof(word)));
		ck_assert_uint_eq(word, i + 1);
	}
	dpu_destroy(dpus[0]);
	dpu_destroy(dpus[1]);
}
