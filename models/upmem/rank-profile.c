// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Profiles of a rank: one for each program that its DPUs ran, all DPUs together.
 *
 * The rank does not know programs, only the contents of IRAM. Costs of DPUs with the same
 * instructions belong to one program. The files have a line for each instruction: its index, its
 * word, and its costs; "dpu-run --profile-of" adds the program's names and lines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "upmem/rank-internal.h"

struct rank_profile {
	struct rank_profile *next;
	uint64_t words[DPU_IRAM_WORDS];
	struct dpu_cost cost[DPU_IRAM_WORDS];
};

/* True if all instructions that both have counted are equal. */
static bool same_program(const struct rank_profile *p, const struct dpu *dpu,
			 const struct dpu_cost *cost)
{
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++)
		if (cost[i].instructions && p->cost[i].instructions &&
		    p->words[i] != dpu_iram_word(dpu, i))
			return false;
	return true;
}

static void profile_add(struct rank_profile *p, const struct dpu *dpu, const struct dpu_cost *cost)
{
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		if (!cost[i].instructions)
			continue;
		p->words[i] = dpu_iram_word(dpu, i);
		p->cost[i].instructions += cost[i].instructions;
		p->cost[i].cycles += cost[i].cycles;
		p->cost[i].dma += cost[i].dma;
		p->cost[i].dispatch += cost[i].dispatch;
	}
}

void upmem_rank_profile_collect(struct upmem_rank *rank, struct dpu *dpu)
{
	const struct dpu_cost *cost = dpu_profile(dpu);
	struct rank_profile **p = &rank->profiles;

	if (!cost)
		return;
	while (*p && !same_program(*p, dpu, cost))
		p = &(*p)->next;
	if (!*p)
		*p = calloc(1, sizeof(**p));
	if (*p)
		profile_add(*p, dpu, cost);
	dpu_profile_clear(dpu);
}

static bool write_one(const struct rank_profile *p, const char *prefix, unsigned int number)
{
	char path[4096];
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), "%s-%u.profile", prefix, number);
	file = fopen(path, "w");
	if (!file)
		return false;
	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++)
		if (p->cost[i].instructions)
			fprintf(file, "%u %012" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i,
				p->words[i], p->cost[i].instructions, p->cost[i].cycles,
				p->cost[i].dma, p->cost[i].dispatch);
	ok = !ferror(file);
	return !fclose(file) && ok;
}

bool upmem_rank_profile_write(struct upmem_rank *rank, const char *prefix)
{
	unsigned int number = 0;
	bool ok = true;

	for (unsigned int i = 0; i < rank->config.dpus; i++)
		upmem_rank_profile_collect(rank, rank->dpus[i]);
	for (const struct rank_profile *p = rank->profiles; p; p = p->next)
		ok &= write_one(p, prefix, number++);
	return ok;
}

void upmem_rank_profile_free(struct upmem_rank *rank)
{
	while (rank->profiles) {
		struct rank_profile *next = rank->profiles->next;

		free(rank->profiles);
		rank->profiles = next;
	}
}
