// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dpu/isa/dpu_isa.h"
#include "tests/unit/upmem/bus.h"
#include "tests/unit/upmem/rank-rig.h"

uint8_t guest[65536];

static struct bus guest_bus = { .memory = guest, .size = sizeof(guest), .base = BUS };

static struct upmem_rank *make(const struct dpu_timing *timing, unsigned int dpus,
			       unsigned int threads, enum dpu_arch_id arch, bool profile)
{
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[arch], .dpus = dpus, .threads = threads, .timing = *timing,
		.profile = profile, .bus_read = bus_read, .bus_write = bus_write, .opaque = &guest_bus,
	};
	struct upmem_rank *rank = upmem_rank_new(&config);

	ck_assert_ptr_nonnull(rank);
	return rank;
}

struct upmem_rank *rank_new(unsigned int dpus, unsigned int threads, enum dpu_arch_id arch)
{
	return make(&dpu_timing_default, dpus, threads, arch, false);
}

struct upmem_rank *rank_new_timed(const struct dpu_timing *timing)
{
	return make(timing, 1, 1, DPU_ARCH_V1B, false);
}

struct upmem_rank *rank_new_profiled(void)
{
	return make(&dpu_timing_default, 2, 2, DPU_ARCH_V1B, true);
}

uint32_t get(struct upmem_rank *rank, uint32_t offset)
{
	return upmem_rank_read(rank, offset, 4);
}

void put(struct upmem_rank *rank, uint32_t offset, uint32_t value)
{
	upmem_rank_write(rank, offset, value, 4);
}

void load_words(struct upmem_rank *rank, unsigned int dpu, const uint64_t *words, unsigned int n)
{
	memcpy(guest, words, n * 8);
	ck_assert_uint_eq(rank_dma(rank, dpu, UPMEM_DMA_TO_DPU, BUS, UPMEM_IRAM_MARK, n * 8), UPMEM_DMA_OK);
}

uint64_t word(const char *name, enum dpu_form form, int32_t rc, int32_t ra, int32_t imm, int32_t cc, int32_t pc)
{
	struct dpu_insn insn = { 0 };
	uint64_t w;

	for (size_t i = 0; i < dpu_encoding_count; i++)
		if (!strcmp(dpu_encodings[i].name, name) && dpu_encodings[i].form == form)
			insn.encoding = &dpu_encodings[i];
	ck_assert_msg(insn.encoding, "%s", name);
	insn.value[DPU_SLOT_RC] = rc;
	insn.value[DPU_SLOT_RA] = ra;
	insn.value[DPU_SLOT_IMM] = imm;
	insn.value[DPU_SLOT_CC] = cc;
	insn.value[DPU_SLOT_PC] = pc;
	ck_assert(dpu_encode(&insn, &w));
	return w;
}

unsigned int count_down(uint64_t *words, uint32_t rounds)
{
	words[0] = word("or", DPU_FORM_rri, 0, DPU_REG_ZERO, rounds, 0, 0);
	words[1] = word("add", DPU_FORM_rrici, 0, 0, -1, 3 /* nz */, 1);
	words[2] = UINT64_C(0x700000000000);	/* ldma r0, r0, 0: r0 is 0 now */
	words[3] = UINT64_C(0x700000000002);	/* sdma r0, r0, 0 */
	words[4] = word("stop", DPU_FORM_ci, 0, 0, 0, 1	/* true */, 4);
	return 5;
}

void wait_idle(struct upmem_rank *rank)
{
	while (get(rank, UPMEM_RUNNING_LO) || get(rank, UPMEM_RUNNING_HI))
		usleep(100);
}

static uint64_t pair(struct upmem_rank *rank, uint32_t offset)
{
	uint32_t low = get(rank, offset);

	return (uint64_t)get(rank, offset + 4) << 32 | low;
}

uint64_t instructions(struct upmem_rank *rank, unsigned int dpu)
{
	return pair(rank, UPMEM_DPU(dpu) + UPMEM_DPU_INSTRUCTIONS_LO);
}

uint64_t cycles(struct upmem_rank *rank, unsigned int dpu)
{
	return pair(rank, UPMEM_DPU(dpu) + UPMEM_DPU_CYCLES_LO);
}

uint64_t pmc(struct upmem_rank *rank, unsigned int dpu, unsigned int first, unsigned int n,
	     uint8_t chain)
{
	uint32_t page = UPMEM_DPU(dpu);
	uint64_t value = 0;

	upmem_rank_write(rank, page + UPMEM_PMC_READ, UPMEM_PMC_READ_SELECT, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain, 1);
	for (unsigned int i = 0; i < n; i++) {
		if (first + i)
			upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain | (first + i), 1);
		value |= (uint64_t)(uint8_t)upmem_rank_read(rank, page + UPMEM_PMC_READ, 1) << (8 * i);
	}
	return value;
}

void pmc_set(struct upmem_rank *rank, unsigned int dpu, uint8_t event1, uint8_t event2,
	     uint8_t chain)
{
	uint32_t page = UPMEM_DPU(dpu);

	upmem_rank_write(rank, page + UPMEM_PMC_ENABLE, 1, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_STOP, 3, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_EVENT1, event1, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_EVENT2, event2, 1);
}
