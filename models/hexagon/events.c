/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "events/hexagon/config.h"
#include "hexagon/events.h"

enum {
#define MON_EVENT(name, config, ...) EV_##name = (config),
#define HEXAGON_V65_EVENT(name, config, ...) EV65_##name = (config),
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

/* Versions and filter of each selector in the main table. Events that only V65 has are in its own table. */
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

static const struct {
	const char *name;
	uint16_t code;
	uint8_t versions;
} names[] = {
#define MON_EVENT(name, config, places, variants, ...) { #name, (config), (variants) },
#include "events/hexagon/events.def"
#undef MON_EVENT
};

enum kind {
	NOTHING,	/* reads 0 */
	COUNT,		/* sum of one counter over the threads */
	L2_REQUESTS,	/* of the fetch unit, the data unit and the vector units */
	PACKETS_OF,	/* packets of thread n */
	CYCLES,		/* cycles with exactly n threads running: modelled */
	CONTEXTS,	/* cycles with exactly n threads running that have a vector context: modelled */
	PACKETS,	/* packets while exactly n threads ran: modelled */
	STALL,		/* cycles of a cluster without a packet, because threads waited: modelled */
	IDLE,		/* the same, because a thread was off or in wait: modelled */
	COMMITS,	/* cycles with exactly n packets: modelled */
	SMT,		/* packets beyond the first of a cycle: modelled */
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
	{ EV_dczero_committed, COUNT, HEXAGON_DCZERO, 0 },
	{ EV_dcfetch_committed, COUNT, HEXAGON_DCFETCH, 0 },
	{ EV_committed_fps, COUNT, HEXAGON_FPS, 0 },
	{ EV_hmx_pkt_thread, NOTHING, 0, 0 },
	{ EV_hvx_pkt, COUNT, HEXAGON_HVX_PACKETS, 0 },
	{ EV_hvx_pkt_thread, COUNT, HEXAGON_VECTOR_PACKETS, 0 },
	{ EV_hvxpipe_alu, COUNT, HEXAGON_HVX_ALU, 0 },
	{ EV_hvxpipe_mpy, COUNT, HEXAGON_HVX_MULTIPLY, 0 },
	{ EV_hvxpipe_shift, COUNT, HEXAGON_HVX_SHIFT, 0 },
	{ EV_hvxpipe_perm, COUNT, HEXAGON_HVX_PERMUTE, 0 },
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
	{ EV_dcfetch_hit, COUNT, HEXAGON_DCFETCH_HITS, 0 },
	{ EV_dcfetch_miss, COUNT, HEXAGON_DCFETCH_MISSES, 0 },
	{ EV_l2_du_prefetch_access, COUNT, HEXAGON_DCFETCH_MISSES, 0 },
	{ EV_l2_du_prefetch_miss, COUNT, HEXAGON_DCFETCH_FAR, 0 },
	{ EV_l2fetch_command, COUNT, HEXAGON_L2FETCHES, 0 },
	{ EV_l2fetch_access, COUNT, HEXAGON_L2FETCH_LINES, 0 },
	{ EV_l2fetch_miss, COUNT, HEXAGON_L2FETCH_MISSES, 0 },
	{ EV_l2_access, L2_REQUESTS, 0, 0 },
	{ EV_thread_off_pview_cycles, IDLE, 0, 0 },
	{ EV_redirect_pview_cycles, STALL, HEXAGON_STALL_REDIRECT, 0 },
	{ EV_iu_no_pkt_pview_cycles, STALL, HEXAGON_STALL_FETCH, 0 },
	{ EV_du_cache_miss_pview_cycles, STALL, HEXAGON_STALL_DATA, 0 },
	{ EV_coproc_busy_pview_cycles, STALL, HEXAGON_STALL_VECTOR, 0 },
	{ EV_cycles_1_packet_committed, COMMITS, 1, 0 },
	{ EV_cycles_2_packet_committed, COMMITS, 2, 0 },
	{ EV_cycles_3_packet_committed, COMMITS, 3, 0 },
	{ EV_cycles_4_packet_committed, COMMITS, 4, 0 },
	{ EV_committed_pkt_smt, SMT, 0, 0 },
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
	{ EV_cycles_1_hvx_contexts_running, CONTEXTS, 1, 0 },
	{ EV_cycles_2_hvx_contexts_running, CONTEXTS, 2, 0 },
	{ EV_cycles_3_hvx_contexts_running, CONTEXTS, 3, 0 },
	{ EV_cycles_4_hvx_contexts_running, CONTEXTS, 4, 0 },
	{ EV_cycles_5_hvx_contexts_running, CONTEXTS, 5, 0 },
	{ EV_cycles_6_hvx_contexts_running, CONTEXTS, 6, 0 },
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

/* V65 has other selectors for its vector events, and other meanings for some selectors. */
static const struct meaning v65_meanings[] = {
	{ EV65_hvx_pkt, COUNT, HEXAGON_HVX_PACKETS, 0 },
	{ EV65_hvx_pkt_thread, COUNT, HEXAGON_VECTOR_PACKETS, 0 },
};

bool hexagon_core_init(struct hexagon_core *core, unsigned int version)
{
	*core = (struct hexagon_core){ .version = version, .threads = 6, .clusters = 2,
				       .cycles = 3, .contexts = 4 };
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
	unsigned int per_cluster = core->threads / core->clusters;

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
	case IDLE:
		/* with more threads, some share a turn of a round */
		return core->threads <= core->clusters * core->cycles ? meaning : NULL;
	case COMMITS:
		/* threads of a cluster that share a turn of a round may commit in the same cycle */
		return meaning->n <= core->clusters * ((per_cluster + core->cycles - 1) / core->cycles) ? meaning : NULL;
	case STALL:
		return core->stalls ? meaning : NULL;
	case CONTEXTS:
		return meaning->n <= core->contexts ? meaning : NULL;
	case SPLIT:
		return core->clusters == 2 && meaning->most <= per_cluster &&
		       meaning->n <= meaning->most + per_cluster ?
		       meaning : NULL;
	}
	return meaning;
}

bool hexagon_event_supplied(const struct hexagon_core *core, unsigned int code)
{
	return events_find(core, code) != NULL;
}

const char *hexagon_event_how(const struct hexagon_core *core, unsigned int code)
{
	const struct meaning *meaning = events_find(core, code);

	if (!meaning)
		return NULL;
	switch (meaning->kind) {
	case COUNT:
		if (meaning->n == HEXAGON_L2FETCHES)
			return "measured with the caches";
		if (meaning->n >= HEXAGON_MEMORY_COUNTS)
			return "modelled: caches";
		if (meaning->n == HEXAGON_VECTOR_PACKETS)
			return "modelled: from the thread's first vector packet on";
		return "measured";
	case NOTHING:
		return core->version == 69 ? "reads 0: there is no matrix unit; doubtful on V69" :
		       "reads 0: there is no matrix unit";
	case PACKETS_OF:
		return "measured";
	case L2_REQUESTS:
		return "modelled: caches";
	case STALL:
		return "modelled: stalls";
	case CYCLES:
	case CONTEXTS:
		return core->stalls ? "modelled: time and stalls" : "modelled: time";
	}
	return "modelled: time";
}

uint32_t hexagon_event_features(const struct hexagon_core *core, unsigned int code)
{
	const struct meaning *meaning = events_find(core, code);

	if (!meaning)
		return 0;
	if (meaning->kind == STALL ||
	    ((meaning->kind == CYCLES || meaning->kind == CONTEXTS) && core->stalls))
		return HEXAGON_FEATURE_MEMORY | HEXAGON_FEATURE_TIMING;
	if (meaning->kind == L2_REQUESTS ||
	    (meaning->kind == COUNT && meaning->n >= HEXAGON_MEMORY_COUNTS))
		return HEXAGON_FEATURE_MEMORY;
	return 0;
}

int hexagon_event_find(const struct hexagon_core *core, const char *name)
{
	unsigned int versions = hexagon_variant(core->version);

	if (core->version == 65)
		versions |= HEXAGON_V65_OWN;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].versions & versions && strcasecmp(names[i].name, name) == 0 &&
		    hexagon_event_supplied(core, names[i].code))
			return names[i].code;
	return -1;
}

static unsigned int set_size(uint32_t set)
{
	return __builtin_popcount(set);
}

/* Cycles with exactly n threads running. */
static uint64_t cycles_of(const struct hexagon_totals *totals, unsigned int n)
{
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		if (set_size(set) == n)
			sum += totals->cycles[set];
	return sum;
}

/* Packets of the threads of a mask in one set of running threads. */
static uint64_t set_packets(const struct hexagon_totals *totals, uint32_t set, uint32_t mask)
{
	uint64_t sum = 0;

	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
		if (mask >> t & 1)
			sum += totals->packets[set][t];
	return sum;
}

/* While exactly n threads ran, with `most` of them in one cluster; most = 0: however they were split. */
static uint64_t packets_of(const struct hexagon_core *core, const struct hexagon_totals *totals, uint32_t mask,
			   unsigned int n, unsigned int most)
{
	uint32_t first = (1u << core->threads / core->clusters) - 1;
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++) {
		unsigned int in_first = set_size(set & first);

		if (set_size(set) == n && (!most || in_first == most || n - in_first == most))
			sum += set_packets(totals, set, mask);
	}
	return sum;
}

/*
 * Cycles of clusters that a cause cost: while another thread did not wait, the turns of the thread that waited; while
 * all waited, the cycles of all clusters, shared by those that waited.
 */
static uint64_t stalls_of(const struct hexagon_core *core, const struct hexagon_totals *totals,
			  uint32_t mask, unsigned int cause)
{
	uint64_t hidden = 0, parts = 0;

	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++) {
		hidden += mask >> t & 1 ? totals->hidden[t][cause] : 0;
		parts += mask >> t & 1 ? totals->parts[t][cause] : 0;
	}
	return (HEXAGON_PARTS * hidden + core->clusters * core->cycles * parts) / (HEXAGON_PARTS * core->cycles);
}

/* Turns that threads of the mask did not use while others committed packets. */
static uint64_t idle_of(const struct hexagon_core *core, const struct hexagon_totals *totals,
			uint32_t mask)
{
	uint64_t sum = 0;

	mask &= (1u << core->threads) - 1;
	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		sum += (totals->cycles[set] - totals->shown[set]) * set_size(mask & ~set);
	return sum / core->cycles;
}

/* Cycles of a round of these threads in which exactly n packets commit: each has its turn. */
static unsigned int commits_in_round(const struct hexagon_core *core, uint32_t set, unsigned int n)
{
	unsigned int per_cluster = core->threads / core->clusters;
	unsigned int packets[16] = { 0 };
	unsigned int cycles = 0;

	for (unsigned int t = 0; t < core->threads; t++)
		packets[t % per_cluster % core->cycles] += set >> t & 1;
	for (unsigned int i = 0; i < core->cycles; i++)
		cycles += packets[i] == n;
	return cycles;
}

static uint64_t commits_of(const struct hexagon_core *core, const struct hexagon_totals *totals,
			   unsigned int n)
{
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		if (totals->active[set])
			sum += totals->active[set] * commits_in_round(core, set, n);
	return sum / core->cycles;
}

static uint64_t sum_of(const struct hexagon_totals *totals, uint32_t mask, enum hexagon_count count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		if (mask >> i & 1)
			sum += totals->count[i][count];
	return sum;
}

static uint64_t l2_requests(const uint64_t *count)
{
	return count[HEXAGON_L2_FETCHES] + count[HEXAGON_L2_READS] + count[HEXAGON_L2_STORES] +
	       count[HEXAGON_VECTOR_LOADS] + count[HEXAGON_VECTOR_STORES];
}

static uint64_t sum_requests(const struct hexagon_totals *totals, uint32_t mask)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		if (mask >> i & 1)
			sum += l2_requests(totals->count[i]);
	return sum;
}

bool hexagon_event_of_row(const struct hexagon_core *core, unsigned int code,
			  const uint64_t values[HEXAGON_ROW_VALUES], uint64_t *value)
{
	const struct meaning *meaning = events_find(core, code);

	if (!meaning || (meaning->kind != COUNT && meaning->kind != L2_REQUESTS))
		return false;
	*value = meaning->kind == COUNT ? values[meaning->n] : l2_requests(values);
	return true;
}

uint64_t hexagon_event_value(const struct hexagon_core *core, const struct hexagon_totals *totals,
			     unsigned int code, unsigned int stid)
{
	const struct meaning *meaning = events_find(core, code);
	uint32_t mask = (1u << HEXAGON_MAX_THREADS) - 1;
	uint64_t value;

	if (!meaning)
		return 0;
	if (stid && catalogue[code].maskable)
		mask = stid <= HEXAGON_MAX_THREADS ? 1u << (stid - 1) : 0;
	switch (meaning->kind) {
	case COUNT:
		return sum_of(totals, mask, meaning->n);
	case L2_REQUESTS:
		return sum_requests(totals, mask);
	case PACKETS_OF:
		return totals->count[meaning->n][HEXAGON_PACKETS];
	case CYCLES:
		return cycles_of(totals, meaning->n);
	case CONTEXTS:
		return totals->contexts[meaning->n];
	case STALL:
		value = stalls_of(core, totals, mask, meaning->n);
		/* the vector units are busy, too, for a thread that gets no context */
		return meaning->n == HEXAGON_STALL_VECTOR ?
		       value + stalls_of(core, totals, mask, HEXAGON_STALL_CONTEXT) : value;
	case IDLE:
		return idle_of(core, totals, mask);
	case COMMITS:
		return commits_of(core, totals, meaning->n);
	case SMT:
		/* the 2nd, 3rd and 4th of a cycle */
		return commits_of(core, totals, 2) + 2 * commits_of(core, totals, 3) +
		       3 * commits_of(core, totals, 4);
	case PACKETS:
	case SPLIT:
		return packets_of(core, totals, mask, meaning->n, meaning->most);
	}
	return 0;
}

uint64_t hexagon_cycles(const struct hexagon_totals *totals)
{
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		sum += totals->cycles[set];
	return sum;
}
