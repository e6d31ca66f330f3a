/* SPDX-License-Identifier: GPL-2.0-only */
#include <stddef.h>
#include <string.h>

#include "events/hexagon/config.h"
#include "hexagon/events.h"

enum {
#define MON_EVENT(name, config, ...) EV_##name = (config),
#define HEXAGON_V65_EVENT(name, config, ...) EV65_##name = (config),
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

/* Versions and filter of each selector in the main table; what V65 has in its own table is V65's. */
static const struct {
	uint8_t versions;
	bool maskable;
} catalogue[1024] = {
#define MON_EVENT(name, config, places, variants, ...)		\
	[config] = { .versions = (variants), .maskable = (places) & HEXAGON_ON_THREAD },
#define HEXAGON_V65_EVENT(...)
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

enum kind {
	COUNT,		/* sum of one counter over the threads */
	L2_REQUESTS,	/* of the fetch unit, the data unit and the vector units */
	PACKETS_OF,	/* packets of thread n */
	CYCLES,		/* cycles with exactly n threads running: modelled */
	PACKETS,	/* packets while exactly n threads ran: modelled */
	SPLIT,		/* the same, with `most` of them in one cluster: modelled */
};

struct meaning {
	uint16_t code;
	uint8_t kind;
	uint8_t n;
	uint8_t most;
};

static const struct meaning meanings[] = {
	{ EV_committed_pkt_any, COUNT, HEXAGON_PACKETS, 0 },
	{ EV_committed_insts, COUNT, HEXAGON_INSTS, 0 },
	{ EV_committed_loads, COUNT, HEXAGON_LOADS, 0 },
	{ EV_committed_stores, COUNT, HEXAGON_STORES, 0 },
	{ EV_committed_memops, COUNT, HEXAGON_MEMOPS, 0 },
	{ EV_committed_nops, COUNT, HEXAGON_NOPS, 0 },
	{ EV_committed_program_flow_insts, COUNT, HEXAGON_FLOW, 0 },
	{ EV_committed_pkt_changed_flow, COUNT, HEXAGON_CHANGED_FLOW, 0 },
	{ EV_committed_pkt_endloop, COUNT, HEXAGON_ENDLOOP, 0 },
	{ EV_committed_pkt_return, COUNT, HEXAGON_RETURNS, 0 },
	{ EV_committed_pkt_indirect_jump, COUNT, HEXAGON_INDIRECT, 0 },
	{ EV_committed_bimodal_branch_insts, COUNT, HEXAGON_BIMODAL, 0 },
	{ EV_l2fetch_command, COUNT, HEXAGON_L2FETCH, 0 },
	{ EV_dczero_committed, COUNT, HEXAGON_DCZERO, 0 },
	{ EV_dcfetch_committed, COUNT, HEXAGON_DCFETCH, 0 },
	{ EV_hvx_pkt, COUNT, HEXAGON_HVX_PACKETS, 0 },
	{ EV_hvx_pkt_thread, COUNT, HEXAGON_VECTOR_PACKETS, 0 },
	{ EV_icache_access, COUNT, HEXAGON_FETCHES, 0 },
	{ EV_icache_demand_miss, COUNT, HEXAGON_FETCH_MISSES, 0 },
	{ EV_dcache_demand_miss, COUNT, HEXAGON_DATA_MISSES, 0 },
	{ EV_dcache_store_miss, COUNT, HEXAGON_STORE_MISSES, 0 },
	{ EV_l2_iu_access, COUNT, HEXAGON_L2_FETCHES, 0 },
	{ EV_l2_iu_miss, COUNT, HEXAGON_L2_FETCH_MISSES, 0 },
	{ EV_l2_du_read_access, COUNT, HEXAGON_L2_READS, 0 },
	{ EV_l2_du_read_miss, COUNT, HEXAGON_L2_READ_MISSES, 0 },
	{ EV_l2_du_store_access, COUNT, HEXAGON_L2_STORES, 0 },
	{ EV_l2_du_store_miss, COUNT, HEXAGON_L2_STORE_MISSES, 0 },
	{ EV_du_read_to_l2, COUNT, HEXAGON_DU_READS, 0 },
	{ EV_du_write_to_l2, COUNT, HEXAGON_DU_WRITES, 0 },
	{ EV_hvxld_l2, COUNT, HEXAGON_VECTOR_LOADS, 0 },
	{ EV_hvxst_l2, COUNT, HEXAGON_VECTOR_STORES, 0 },
	{ EV_l2_access, L2_REQUESTS, 0, 0 },
	{ EV_committed_pkt_t0, PACKETS_OF, 0, 0 },
	{ EV_committed_pkt_t1, PACKETS_OF, 1, 0 },
	{ EV_committed_pkt_t2, PACKETS_OF, 2, 0 },
	{ EV_committed_pkt_t3, PACKETS_OF, 3, 0 },
	{ EV_committed_pkt_t4, PACKETS_OF, 4, 0 },
	{ EV_committed_pkt_t5, PACKETS_OF, 5, 0 },
	{ EV_committed_pkt_t6, PACKETS_OF, 6, 0 },
	{ EV_committed_pkt_t7, PACKETS_OF, 7, 0 },
	{ EV_cycles_1_thread_running, CYCLES, 1, 0 },
	{ EV_cycles_2_thread_running, CYCLES, 2, 0 },
	{ EV_cycles_3_thread_running, CYCLES, 3, 0 },
	{ EV_cycles_4_thread_running, CYCLES, 4, 0 },
	{ EV_cycles_5_thread_running, CYCLES, 5, 0 },
	{ EV_cycles_6_thread_running, CYCLES, 6, 0 },
	{ EV_cycles_7_thread_running, CYCLES, 7, 0 },
	{ EV_cycles_8_thread_running, CYCLES, 8, 0 },
	{ EV_committed_pkt_1_thread_running, PACKETS, 1, 0 },
	{ EV_committed_pkt_2_thread_running, PACKETS, 2, 0 },
	{ EV_committed_pkt_3_thread_running, PACKETS, 3, 0 },
	{ EV_committed_pkt_4_thread_running, PACKETS, 4, 0 },
	{ EV_committed_pkt_5_thread_running, PACKETS, 5, 0 },
	{ EV_committed_pkt_6_thread_running, PACKETS, 6, 0 },
	{ EV_committed_pkt_7_thread_running, PACKETS, 7, 0 },
	{ EV_committed_pkt_8_thread_running, PACKETS, 8, 0 },
	{ EV_committed_pkt_2_thread_running_2t_plus_0t, SPLIT, 2, 2 },
	{ EV_committed_pkt_2_thread_running_1t_plus_1t, SPLIT, 2, 1 },
	{ EV_committed_pkt_3_thread_running_3t_plus_0t, SPLIT, 3, 3 },
	{ EV_committed_pkt_3_thread_running_2t_plus_1t, SPLIT, 3, 2 },
	{ EV_committed_pkt_4_thread_running_4t_plus_0t, SPLIT, 4, 4 },
	{ EV_committed_pkt_4_thread_running_3t_plus_1t, SPLIT, 4, 3 },
	{ EV_committed_pkt_4_thread_running_2t_plus_2t, SPLIT, 4, 2 },
	{ EV_committed_pkt_5_thread_running_4t_plus_1t, SPLIT, 5, 4 },
	{ EV_committed_pkt_5_thread_running_3t_plus_2t, SPLIT, 5, 3 },
	{ EV_committed_pkt_6_thread_running_4t_plus_2t, SPLIT, 6, 4 },
	{ EV_committed_pkt_6_thread_running_3t_plus_3t, SPLIT, 6, 3 },
};

/* V65 numbers its vector events otherwise, and gives other meanings to some selectors. */
static const struct meaning v65_meanings[] = {
	{ EV65_hvx_pkt, COUNT, HEXAGON_HVX_PACKETS, 0 },
	{ EV65_hvx_pkt_thread, COUNT, HEXAGON_VECTOR_PACKETS, 0 },
};

bool hexagon_core_init(struct hexagon_core *core, unsigned int version)
{
	*core = (struct hexagon_core){ .version = version, .threads = 6, .clusters = 2,
				       .cycles = 3 };
	switch (version) {
	case 65:
		core->threads = 4;
		core->cycles = 2;
		return true;
	case 69:
	case 73:
	case 79:
		return true;
	}
	return false;
}

static const struct meaning *look_up(const struct meaning *list, size_t n, unsigned int code)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].code == code)
			return &list[i];
	return NULL;
}

#define LOOK_UP(list, code) look_up(list, sizeof(list) / sizeof((list)[0]), code)

static const struct meaning *events_find(const struct hexagon_core *core, unsigned int code)
{
	const struct meaning *meaning;
	int per_cluster = core->threads / core->clusters;

	meaning = core->version == 65 ? LOOK_UP(v65_meanings, code) : NULL;
	if (meaning)
		return meaning;
	if (code >= 1024 || !(catalogue[code].versions & hexagon_variant(core->version)))
		return NULL;
	meaning = LOOK_UP(meanings, code);
	if (!meaning)
		return NULL;
	/* threads that the core does not have */
	switch (meaning->kind) {
	case PACKETS_OF:
		return meaning->n < core->threads ? meaning : NULL;
	case CYCLES:
	case PACKETS:
		return meaning->n <= core->threads ? meaning : NULL;
	case SPLIT:
		return core->clusters == 2 && meaning->most <= per_cluster &&
			       meaning->n - meaning->most <= per_cluster ?
			       meaning : NULL;
	}
	return meaning;
}

bool hexagon_event_supplied(const struct hexagon_core *core, unsigned int code)
{
	return events_find(core, code) != NULL;
}

uint32_t hexagon_event_features(const struct hexagon_core *core, unsigned int code)
{
	const struct meaning *meaning = events_find(core, code);

	if (!meaning)
		return 0;
	if (meaning->kind == L2_REQUESTS ||
	    (meaning->kind == COUNT && meaning->n >= HEXAGON_MEMORY_COUNTS))
		return HEXAGON_FEATURE_MEMORY;
	return 0;
}

static uint64_t sum_of(const struct hexagon_totals *totals, uint32_t mask, enum hexagon_count count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		if (mask >> i & 1)
			sum += totals->count[i][count];
	return sum;
}

uint64_t hexagon_event_value(const struct hexagon_core *core, const struct hexagon_totals *totals,
			     unsigned int code, unsigned int stid)
{
	const struct meaning *meaning = events_find(core, code);
	uint32_t mask = (1u << HEXAGON_MAX_THREADS) - 1;

	if (!meaning)
		return 0;
	if (stid && catalogue[code].maskable)
		mask = stid <= HEXAGON_MAX_THREADS ? 1u << (stid - 1) : 0;
	switch (meaning->kind) {
	case COUNT:
		return sum_of(totals, mask, meaning->n);
	case L2_REQUESTS:
		return sum_of(totals, mask, HEXAGON_L2_FETCHES) +
		       sum_of(totals, mask, HEXAGON_L2_READS) +
		       sum_of(totals, mask, HEXAGON_L2_STORES) +
		       sum_of(totals, mask, HEXAGON_VECTOR_LOADS) +
		       sum_of(totals, mask, HEXAGON_VECTOR_STORES);
	case PACKETS_OF:
		return totals->count[meaning->n][HEXAGON_PACKETS];
	case CYCLES:
		return core->cycles * hexagon_rounds(totals->rounds, meaning->n);
	case PACKETS:
		return hexagon_rounds_packets(totals->rounds, meaning->n, mask);
	case SPLIT:
		return hexagon_rounds_split(totals->rounds, meaning->n, meaning->most,
					    core->threads / core->clusters, mask);
	}
	return 0;
}

uint64_t hexagon_cycles(const struct hexagon_core *core, const struct hexagon_totals *totals)
{
	uint64_t sum = 0;

	for (unsigned int n = 1; n <= HEXAGON_MAX_THREADS; n++)
		sum += hexagon_rounds(totals->rounds, n);
	return core->cycles * sum;
}
