// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets: which ranks and DPUs they are. */
#include "libmon/upmem/internal.h"

struct dpu_t *dpu_from_set(struct dpu_set_t set)
{
	return set.kind == DPU_SET_DPU ? set.dpu : NULL;
}

uint32_t dpu_set_ranks(struct dpu_set_t *set, struct dpu_rank_t ***ranks)
{
	if (set->kind == DPU_SET_RANKS) {
		*ranks = set->list.ranks;
		return set->list.nr_ranks;
	}
	*ranks = &set->dpu->rank;
	return 1;
}

uint64_t dpu_set_mask(struct dpu_set_t set, const struct dpu_rank_t *rank)
{
	uint64_t mask = 0;

	if (set.kind == DPU_SET_DPU)
		return set.dpu->rank == rank ? UINT64_C(1) << set.dpu->index : 0;
	for (uint32_t i = 0; i < rank->info.dpus; i++)
		mask |= (uint64_t)rank->dpus[i].enabled << i;
	return mask;
}

dpu_error_t dpu_visit(struct dpu_set_t set, dpu_visit_fn *visit, void *arg)
{
	struct dpu_rank_t **ranks;
	uint32_t count;

	if (set.kind == DPU_SET_DPU) {
		if (!set.dpu || !set.dpu->enabled)
			return dpu_failed(DPU_ERR_DPU_DISABLED, "the DPU is not part of the allocated set");
		return visit(set.dpu, arg);
	}
	count = dpu_set_ranks(&set, &ranks);
	for (uint32_t r = 0; r < count; r++) {
		for (uint32_t i = 0; i < ranks[r]->info.dpus; i++) {
			dpu_error_t error = DPU_OK;

			if (ranks[r]->dpus[i].enabled)
				error = visit(&ranks[r]->dpus[i], arg);
			if (error)
				return error;
		}
	}
	return DPU_OK;
}

static dpu_error_t count_one(struct dpu_t *dpu, void *arg)
{
	uint32_t *count = arg;

	(void)dpu;
	++*count;
	return DPU_OK;
}

dpu_error_t dpu_get_nr_ranks(struct dpu_set_t set, uint32_t *nr_ranks)
{
	*nr_ranks = set.kind == DPU_SET_RANKS ? set.list.nr_ranks : 1;
	return DPU_OK;
}

dpu_error_t dpu_get_nr_dpus(struct dpu_set_t set, uint32_t *nr_dpus)
{
	*nr_dpus = 0;
	return dpu_visit(set, count_one, nr_dpus);
}
