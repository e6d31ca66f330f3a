// SPDX-License-Identifier: LGPL-2.1-or-later
/* DPU_FOREACH and DPU_RANK_FOREACH. */
#include "libmon/upmem/internal.h"

static void rank_find(struct dpu_set_rank_iterator_t *it)
{
	const struct dpu_set_t *set = it->set;

	it->has_next = false;
	if (set->kind == DPU_SET_DPU) {
		it->has_next = !it->next_idx;
		it->next = *set;
	} else if (it->next_idx < set->list.nr_ranks) {
		it->has_next = true;
		it->next.kind = DPU_SET_RANKS;
		it->next.list.nr_ranks = 1;
		it->next.list.ranks = &set->list.ranks[it->next_idx];
	}
}

struct dpu_set_rank_iterator_t dpu_set_rank_iterator_from(struct dpu_set_t *set)
{
	struct dpu_set_rank_iterator_t it = { .set = set };

	rank_find(&it);
	return it;
}

void dpu_set_rank_iterator_next(struct dpu_set_rank_iterator_t *it)
{
	if (!it->has_next)
		return;
	it->count++;
	it->next_idx++;
	rank_find(it);
}

/* The first enabled DPU from next_idx on in this rank or a later one. */
static void dpu_find(struct dpu_set_dpu_iterator_t *it)
{
	struct dpu_set_rank_iterator_t *ranks = &it->rank_iterator;

	it->has_next = false;
	while (ranks->has_next) {
		struct dpu_rank_t *rank;

		if (ranks->next.kind == DPU_SET_DPU) {
			it->has_next = !it->next_idx;
			it->next = ranks->next;
			return;
		}
		rank = ranks->next.list.ranks[0];
		for (; it->next_idx < rank->info.dpus; it->next_idx++) {
			if (!rank->dpus[it->next_idx].enabled)
				continue;
			it->has_next = true;
			it->next.kind = DPU_SET_DPU;
			it->next.dpu = &rank->dpus[it->next_idx];
			return;
		}
		it->next_idx = 0;
		dpu_set_rank_iterator_next(ranks);
	}
}

struct dpu_set_dpu_iterator_t dpu_set_dpu_iterator_from(struct dpu_set_t *set)
{
	struct dpu_set_dpu_iterator_t it = { .rank_iterator = dpu_set_rank_iterator_from(set) };

	dpu_find(&it);
	return it;
}

void dpu_set_dpu_iterator_next(struct dpu_set_dpu_iterator_t *it)
{
	if (!it->has_next)
		return;
	it->count++;
	it->next_idx++;
	dpu_find(it);
}
