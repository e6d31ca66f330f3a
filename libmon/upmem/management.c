// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers of ranks and DPUs, and what a rank is made of. */
#include <stdlib.h>

#include "libmon/upmem/internal.h"
#include "libmon/upmem/include/dpu_management.h"

dpu_id_t dpu_get_rank_id(struct dpu_rank_t *rank)
{
	return rank->id;	/* of kind FUNCTIONAL_SIMULATOR, which is 0 */
}

int dpu_get_rank_numa_node(struct dpu_rank_t *rank)
{
	(void)rank;
	return -1;
}

dpu_id_t dpu_get_id(struct dpu_t *dpu)
{
	return dpu_get_rank_id(dpu->rank) << 16 | dpu_get_slice_id(dpu) << 8 | dpu_get_member_id(dpu);
}

struct dpu_rank_t *dpu_get_rank(struct dpu_t *dpu)
{
	return dpu->rank;
}

dpu_slice_id_t dpu_get_slice_id(struct dpu_t *dpu)
{
	return dpu->index / DPU_MAX_NR_DPUS_PER_CI;
}

dpu_member_id_t dpu_get_member_id(struct dpu_t *dpu)
{
	return dpu->index % DPU_MAX_NR_DPUS_PER_CI;
}

struct dpu_t *dpu_get(struct dpu_rank_t *rank, dpu_slice_id_t slice, dpu_member_id_t member)
{
	uint32_t index = slice * DPU_MAX_NR_DPUS_PER_CI + member;

	return member < DPU_MAX_NR_DPUS_PER_CI && index < rank->info.dpus ? &rank->dpus[index] : NULL;
}

bool dpu_is_enabled(struct dpu_t *dpu)
{
	return dpu->enabled;
}

struct dpu_set_t dpu_set_from_rank(struct dpu_rank_t **rank)
{
	return (struct dpu_set_t){ .kind = DPU_SET_RANKS, .list = { 1, rank } };
}

struct dpu_set_t dpu_set_from_dpu(struct dpu_t *dpu)
{
	return (struct dpu_set_t){ .kind = DPU_SET_DPU, .dpu = dpu };
}

struct dpu_rank_t *dpu_rank_from_set(struct dpu_set_t set)
{
	return set.kind == DPU_SET_RANKS && set.list.nr_ranks == 1 ? set.list.ranks[0] : NULL;
}

static void iterator_find(struct dpu_iterator_t *it)
{
	while (it->next_idx < it->rank->info.dpus && !it->rank->dpus[it->next_idx].enabled)
		it->next_idx++;
	it->has_next = it->next_idx < it->rank->info.dpus;
	it->next = it->has_next ? &it->rank->dpus[it->next_idx] : NULL;
}

struct dpu_iterator_t dpu_iterator_from(struct dpu_rank_t *rank)
{
	struct dpu_iterator_t it = { .rank = rank };

	iterator_find(&it);
	return it;
}

void dpu_iterator_next(struct dpu_iterator_t *it)
{
	if (!it->has_next)
		return;
	it->count++;
	it->next_idx++;
	iterator_find(it);
}

/* The DPUs' clock is half of fck (UPMEM SDK: 700 MHz divided by 2 for v1A). */
#define CLOCK_DIVISION 2

dpu_description_t dpu_description_new(const struct upmem_info *info)
{
	struct dpu_hw_description_t hw = {
		.signature.chip_id = info->chip_id,
		.timings.fck_frequency_in_mhz = info->clock_hz / 1000000 * CLOCK_DIVISION,
		.timings.clock_division = CLOCK_DIVISION,
		.topology.nr_of_dpus_per_control_interface =
			info->dpus < DPU_MAX_NR_DPUS_PER_CI ? info->dpus : DPU_MAX_NR_DPUS_PER_CI,
		.topology.nr_of_control_interfaces =
			(info->dpus + DPU_MAX_NR_DPUS_PER_CI - 1) / DPU_MAX_NR_DPUS_PER_CI,
		.memories.mram_size = DPU_MRAM_SIZE,
		.memories.wram_size = info->wram_size / 4,
		.memories.iram_size = info->iram_words,
		.dpu.nr_of_threads = info->threads,
		.dpu.nr_of_atomic_bits = DPU_ATOMIC_BITS,
		.dpu.nr_of_work_registers_per_thread = DPU_WORK_REGISTERS,
	};
	dpu_description_t description = calloc(1, sizeof(*description));

	if (!description)
		return NULL;
	hw.topology.ci_mask = (1u << hw.topology.nr_of_control_interfaces) - 1;
	description->hw = hw;
	description->type = FUNCTIONAL_SIMULATOR;
	description->refcount = 1;
	return description;
}

void dpu_acquire_description(dpu_description_t description)
{
	__atomic_add_fetch(&description->refcount, 1, __ATOMIC_RELAXED);
}

void dpu_free_description(dpu_description_t description)
{
	if (!description || __atomic_sub_fetch(&description->refcount, 1, __ATOMIC_ACQ_REL))
		return;
	if (description->_internals.free)
		description->_internals.free(description->_internals.data);
	free(description);
}

dpu_description_t dpu_get_description(struct dpu_rank_t *rank)
{
	if (!rank->description)
		rank->description = dpu_description_new(&rank->info);
	return rank->description;
}
