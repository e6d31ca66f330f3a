/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_management.h - which rank and which DPU is which (UPMEM SDK 2025.1).
 *
 * The SDK's functions that allocate and lock single ranks are not here: use dpu_alloc_ranks().
 */
#ifndef DPU_MANAGEMENT_H
#define DPU_MANAGEMENT_H

#include "dpu.h"
#include "dpu_description.h"
#include "dpu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Describes the first rank that an allocation with this profile would take, whoever has it now; give
 * it back with dpu_free_description(). ALLOCATION: there is none; INVALID_PROFILE.
 */
MON_API dpu_error_t dpu_get_profile_description(const char *profile, dpu_description_t *description);
/* That of an allocated rank, which keeps it. */
MON_API dpu_description_t dpu_get_description(struct dpu_rank_t *rank);

/* Number N of /dev/dpu_rankN, below the rank's kind: see dpu_target_macros.h. */
MON_API dpu_id_t dpu_get_rank_id(struct dpu_rank_t *rank);
/* NUMA node of the rank, or -1. */
MON_API int dpu_get_rank_numa_node(struct dpu_rank_t *rank);
/* Rank id << 16 | slice << 8 | member. */
MON_API dpu_id_t dpu_get_id(struct dpu_t *dpu);
MON_API struct dpu_rank_t *dpu_get_rank(struct dpu_t *dpu);
/* DPU i of a rank is member i % 8 of slice i / 8. */
MON_API dpu_slice_id_t dpu_get_slice_id(struct dpu_t *dpu);
MON_API dpu_member_id_t dpu_get_member_id(struct dpu_t *dpu);
/* NULL: there is no such DPU. */
MON_API struct dpu_t *dpu_get(struct dpu_rank_t *rank, dpu_slice_id_t slice, dpu_member_id_t member);
/* Whether the DPU is part of the allocated set. */
MON_API bool dpu_is_enabled(struct dpu_t *dpu);

/* Sets of one rank or one DPU. rank must stay where it is as long as the set is used. */
MON_API struct dpu_set_t dpu_set_from_rank(struct dpu_rank_t **rank);
MON_API struct dpu_set_t dpu_set_from_dpu(struct dpu_t *dpu);
/* The rank of a set of one rank, else NULL. */
MON_API struct dpu_rank_t *dpu_rank_from_set(struct dpu_set_t set);

struct dpu_iterator_t {
	struct dpu_rank_t *rank;
	uint32_t count;
	uint32_t next_idx;
	bool has_next;
	struct dpu_t *next;
};

MON_API struct dpu_iterator_t dpu_iterator_from(struct dpu_rank_t *rank);
MON_API void dpu_iterator_next(struct dpu_iterator_t *iterator);

#define DPU_STRUCT_EACH1_(it, rank, one, ...) \
	for (struct dpu_iterator_t it = dpu_iterator_from(rank); (one) = it.next, it.has_next; \
	     dpu_iterator_next(&it))
#define DPU_STRUCT_EACH2_(it, rank, one, i) \
	for (struct dpu_iterator_t it = dpu_iterator_from(rank); \
	     (one) = it.next, (i) = it.count, it.has_next; dpu_iterator_next(&it))

/* STRUCT_DPU_FOREACH(rank, dpu) or (rank, dpu, i): the enabled DPUs of a struct dpu_rank_t. */
#define STRUCT_DPU_FOREACH(rank, ...) \
	DPU_THIRD_(__VA_ARGS__, DPU_STRUCT_EACH2_, DPU_STRUCT_EACH1_, ~) \
	(DPU_PASTE_(dpu_iterator_, __COUNTER__), rank, __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
