/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU accesses while the SoC is at rest: the same changes of state and the same counts as through
 * the network, made at once and in no time.
 *
 * A request to an idle SoC meets nobody. Then the messages of MESI and of the directory follow from
 * the states alone, and what the monitors of the network count follows from who sends how many
 * flits to whom. So messages are only added up here, by sender and receiver, and go over their
 * routes when somebody looks at a monitor. A link stalls only when a router's queue is full, which
 * the few messages of one request cannot bring about.
 *
 * tests/unit/cpu/test-fast.c compares both ways.
 */
#include "qemu/esp/cache.h"

#include <stdlib.h>
#include <string.h>

#define NPLANES		3	/* REQ, FWD, RSP */

struct esp_fast {
	unsigned int nodes;	/* caches (or CPUs without), then memory tiles */
	uint16_t *tile;		/* of a node */
	uint64_t *flits;	/* [(plane * nodes + from) * nodes + to] */
	bool pending;
};

static unsigned int senders(const struct esp_soc *soc)
{
	return soc->ncaches ? soc->ncaches : soc->design.ncpu;
}

bool esp_fast_new(struct esp_soc *soc)
{
	struct esp_fast *f = calloc(1, sizeof(*f));
	unsigned int i;

	soc->fast = f;
	if (!f)
		return false;
	f->nodes = senders(soc) + soc->design.nmem;
	f->tile = calloc(f->nodes, sizeof(*f->tile));
	f->flits = calloc((size_t)NPLANES * f->nodes * f->nodes, sizeof(*f->flits));
	if (!f->tile || !f->flits)
		return false;
	for (i = 0; i < f->nodes; i++) {
		if (i >= senders(soc))
			f->tile[i] = soc->mem_tile[i - senders(soc)];
		else
			f->tile[i] = soc->ncaches ? soc->cache_tile[i] : soc->cpu_tile[i];
	}
	return true;
}

void esp_fast_free(struct esp_soc *soc)
{
	if (!soc->fast)
		return;
	free(soc->fast->tile);
	free(soc->fast->flits);
	free(soc->fast);
}

void esp_fast_reset(struct esp_soc *soc)
{
	struct esp_fast *f = soc->fast;

	memset(f->flits, 0, NPLANES * f->nodes * f->nodes * sizeof(*f->flits));
	f->pending = false;
}

static inline void send(struct esp_soc *soc, enum esp_plane plane, unsigned int from,
			unsigned int to, unsigned int flits)
{
	struct esp_fast *f = soc->fast;

	f->flits[(plane * f->nodes + from) * f->nodes + to] += flits;
}

/* Node of a memory tile. */
static inline unsigned int home_node(const struct esp_soc *soc, unsigned int mem)
{
	return senders(soc) + mem;
}

static void travel(struct esp_soc *soc, enum esp_plane plane, unsigned int from, unsigned int to,
		   uint64_t flits)
{
	unsigned int tile = from, port;

	esp_count(soc, from, ESP_MON_NOC_INJECT(plane), flits);
	esp_count(soc, from, ESP_MON_NOC_QUEUE(plane, ESP_LOCAL), flits);
	while ((port = esp_noc_route(soc, tile, to)) != ESP_LOCAL) {
		esp_count(soc, tile, ESP_MON_NOC_QUEUE(plane, port), flits);
		tile = esp_noc_neighbour(soc, tile, port);
	}
	esp_count(soc, to, ESP_MON_NOC_QUEUE(plane, ESP_LOCAL), flits);
	soc->st->plane[plane].injected += flits;
	soc->st->plane[plane].delivered += flits;
}

/* What a memory tile counts at its own queues. */
static void at_memory(struct esp_soc *soc, enum esp_plane plane, unsigned int from,
		      unsigned int to, uint64_t flits)
{
	const struct esp_fast *f = soc->fast;
	bool sends = from >= senders(soc), takes = to >= senders(soc);

	if (plane == ESP_PL_REQ && takes)
		esp_count(soc, f->tile[to], ESP_MON_COH_REQ, flits);
	else if (plane == ESP_PL_FWD && sends)
		esp_count(soc, f->tile[from], ESP_MON_COH_FWD, flits);
	else if (plane == ESP_PL_RSP && sends)
		esp_count(soc, f->tile[from], ESP_MON_COH_RSP_SND, flits);
	else if (plane == ESP_PL_RSP && takes)
		esp_count(soc, f->tile[to], ESP_MON_COH_RSP_RCV, flits);
}

void esp_fast_fold(const struct esp_soc *const_soc)
{
	/* what changes is in the arena only */
	struct esp_soc *soc = (struct esp_soc *)const_soc;
	struct esp_fast *f = soc->fast;
	unsigned int plane, from, to;

	if (!f->pending)
		return;
	f->pending = false;
	for (plane = 0; plane < NPLANES; plane++) {
		for (from = 0; from < f->nodes; from++) {
			for (to = 0; to < f->nodes; to++) {
				uint64_t *flits = &f->flits[(plane * f->nodes + from) * f->nodes + to];

				if (!*flits)
					continue;
				at_memory(soc, plane, from, to, *flits);
				travel(soc, plane, f->tile[from], f->tile[to], *flits);
				*flits = 0;
			}
		}
	}
}

/* Nothing is going on but register accesses, which concern no cache. */
static inline bool at_rest(const struct esp_soc *soc)
{
	return !soc->heap_len || (soc->heap_len == 1 && soc->heap[0] == ESP_PL_REG);
}

static void ddr(struct esp_soc *soc, unsigned int mem, enum esp_beat why)
{
	soc->mem[mem].beats[why] += soc->line_words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, soc->line_words);
}

/* An L2 gives its copy up; true if it was modified. */
static bool take_copy(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t *stamp)
{
	struct esp_l2_line *l = esp_l2_lookup(soc, cache, line);
	bool dirty;

	if (!l)
		return false;
	dirty = l->state == ESP_L2_M;
	if (stamp)
		*stamp = l->stamp;
	esp_l2_set(soc, cache, l, ESP_L2_I);
	return dirty;
}

/* The directory takes a line back from its owner. */
static void recall(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	unsigned int home = home_node(soc, mem);
	bool dirty;

	send(soc, ESP_PL_FWD, home, l->owner, 2);
	dirty = take_copy(soc, l->owner, l->line, &l->stamp);
	send(soc, ESP_PL_RSP, l->owner, home, dirty ? 2 + soc->line_flits : 2);
	l->dirty |= dirty;
	l->state = ESP_LLC_V;
}

/* All sharers but one lose their copies; they tell it so if it is one of the caches. */
static void drop_sharers(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l,
			 unsigned int but)
{
	unsigned int cache;

	for (cache = 0; cache < soc->ncaches; cache++) {
		if (cache == but || !(l->sharers & 1u << cache))
			continue;
		send(soc, ESP_PL_FWD, home_node(soc, mem), cache, 2);
		take_copy(soc, cache, l->line, NULL);
		if (but != ESP_NONE)
			send(soc, ESP_PL_RSP, cache, but, 2);
	}
	l->sharers = 0;
}

/* A way for a line that the LLC does not hold, filled from memory. */
static struct esp_llc_line *fill(struct esp_soc *soc, unsigned int mem, uint32_t line)
{
	bool evict;
	struct esp_llc_line *l = esp_llc_choose(soc, mem, line, &evict);

	if (evict) {
		if (l->state == ESP_LLC_E || l->state == ESP_LLC_M)
			recall(soc, mem, l);
		else if (l->state == ESP_LLC_S)
			drop_sharers(soc, mem, l, ESP_NONE);
		if (l->dirty)
			ddr(soc, mem, ESP_BEAT_WRITE_BACK);
		esp_llc_evicted(soc, mem, l);
	}
	esp_count(soc, soc->mem_tile[mem], ESP_MON_LLC_MISS, 1);
	esp_llc_set_line(soc, l, line);
	l->state = ESP_LLC_V;
	ddr(soc, mem, ESP_BEAT_FILL);
	return l;
}

/* Where a line is in the LLC; a guess at its way is tried first. */
static struct esp_llc_line *find_line(const struct esp_soc *soc, unsigned int mem, uint32_t line,
				      unsigned int way)
{
	unsigned int set = mem * soc->design.llc_sets + (line & (soc->design.llc_sets - 1));
	size_t at = (size_t)set * soc->design.llc_ways + way;

	return soc->llc_tag[at] == line ? &soc->llc_line[at] : esp_llc_lookup(soc, mem, line);
}

/* A victim goes back to its directory, which answers. */
static void put(struct esp_soc *soc, unsigned int cache, struct esp_l2_line *victim)
{
	unsigned int mem = esp_line_home(soc, victim->line), home = home_node(soc, mem);
	struct esp_llc_line *l = find_line(soc, mem, victim->line, victim->home_way);
	bool dirty = victim->state == ESP_L2_M;

	esp_count(soc, soc->mem_tile[mem], l ? ESP_MON_LLC_HIT : ESP_MON_LLC_MISS, 1);
	if (l && l->state == ESP_LLC_S) {
		l->sharers &= ~(1u << cache);
		if (!l->sharers)
			l->state = ESP_LLC_V;
	} else if (l) {
		l->state = ESP_LLC_V;
		if (dirty) {
			l->dirty = true;
			l->stamp = victim->stamp;
		}
	}
	send(soc, ESP_PL_REQ, cache, home, dirty ? 2 + soc->line_flits : 2);
	send(soc, ESP_PL_RSP, home, cache, 2);
	soc->llc[mem].requests++;
	soc->llc[mem].replies++;
	esp_l2_set(soc, cache, victim, ESP_L2_I);
}

/* The owner hands the line on, to the directory as well if it keeps a copy. */
static void from_owner(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l,
		       unsigned int cache, bool store, uint64_t *stamp)
{
	unsigned int home = home_node(soc, mem), owner = l->owner, data = 2 + soc->line_flits;
	struct esp_l2_line *copy = esp_l2_lookup(soc, owner, l->line);

	send(soc, ESP_PL_FWD, home, owner, 2);
	send(soc, ESP_PL_RSP, owner, cache, data);
	*stamp = copy->stamp;
	if (store) {
		l->state = ESP_LLC_M;
		l->owner = cache;
		esp_l2_set(soc, owner, copy, ESP_L2_I);
		return;
	}
	send(soc, ESP_PL_RSP, owner, home, data);
	l->dirty |= copy->state == ESP_L2_M;
	l->stamp = copy->stamp;
	l->state = ESP_LLC_S;
	l->sharers = 1u << owner | 1u << cache;
	esp_l2_set(soc, owner, copy, ESP_L2_S);
}

/* Asks the directory for a line, which goes into a way; the state in which it comes. */
static enum esp_l2_line_state get(struct esp_soc *soc, unsigned int cache, enum esp_access what,
				  uint32_t line, struct esp_l2_line *into)
{
	unsigned int mem = esp_line_home(soc, line), home = home_node(soc, mem);
	struct esp_llc_line *l = esp_llc_lookup(soc, mem, line);

	send(soc, ESP_PL_REQ, cache, home, 2);
	soc->llc[mem].requests++;
	soc->llc[mem].replies++;
	if (l)
		esp_count(soc, soc->mem_tile[mem], ESP_MON_LLC_HIT, 1);
	else
		l = fill(soc, mem, line);
	into->home_way = (l - soc->llc_line) % soc->design.llc_ways;
	if (l->state == ESP_LLC_E || l->state == ESP_LLC_M) {
		from_owner(soc, mem, l, cache, what == ESP_STORE, &into->stamp);
		return ESP_L2_S;
	}
	send(soc, ESP_PL_RSP, home, cache, 2 + soc->line_flits);
	into->stamp = l->stamp;
	if (what == ESP_STORE) {
		if (l->state == ESP_LLC_S)
			drop_sharers(soc, mem, l, cache);
		l->state = ESP_LLC_M;
		l->owner = cache;
		return ESP_L2_S;
	}
	if (l->state == ESP_LLC_S) {
		l->sharers |= 1u << cache;
		return ESP_L2_S;
	}
	if (what == ESP_FETCH) {
		l->state = ESP_LLC_S;
		l->sharers = 1u << cache;
		l->instruction = true;
		return ESP_L2_S;
	}
	l->state = ESP_LLC_E;
	l->owner = cache;
	return ESP_L2_E;
}

static bool cached(struct esp_soc *soc, unsigned int cache, enum esp_access what, uint32_t line)
{
	unsigned int tile = soc->cache_tile[cache];
	struct esp_l2_line *l = esp_l2_lookup(soc, cache, line);
	const struct esp_l2_state *l2 = &soc->l2[cache];

	if (l && (what != ESP_STORE || l->state != ESP_L2_S)) {
		esp_count(soc, tile, ESP_MON_L2_HIT, 1);
	} else {
		enum esp_l2_line_state state;

		if (l2->flushing)
			return false;
		esp_count(soc, tile, l ? ESP_MON_L2_HIT : ESP_MON_L2_MISS, 1);
		if (!l) {
			l = esp_l2_victim(soc, cache, line);
			if (l->state != ESP_L2_I)
				put(soc, cache, l);
		}
		state = get(soc, cache, what, line, l);
		l->line = line;
		l->instruction = what == ESP_FETCH;
		l->state = state;
	}
	if (what == ESP_STORE) {
		l->state = ESP_L2_M;
		l->stamp = ++soc->st->stamp;
	}
	return true;
}

/* Caches disabled, see uncached() in cpu.c and llc.c. */
static void uncached(struct esp_soc *soc, unsigned int cpu, enum esp_access what, uint64_t addr,
		     unsigned int size)
{
	unsigned int words = (addr % soc->word + size + soc->word - 1) / soc->word;
	unsigned int mem = esp_mem_home(soc, addr), home = home_node(soc, mem);

	send(soc, ESP_PL_REQ, cpu, home, what == ESP_STORE ? 2 + words : 3);
	soc->llc[mem].requests++;
	soc->mem[mem].beats[ESP_BEAT_CPU] += words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, words);
	if (what != ESP_STORE)
		send(soc, ESP_PL_RSP, home, cpu, 1 + words);
}

bool esp_soc_cpu_access_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
				uint64_t addr, unsigned int size)
{
	if (cpu >= soc->design.ncpu || !size || !esp_mem_holds(soc, addr, size))
		return true;
	if (!at_rest(soc))
		return false;
	soc->fast->pending = true;
	if (!soc->design.caches) {
		uncached(soc, cpu, what, addr, size);
		return true;
	}
	return cached(soc, cpu, what, addr >> soc->line_shift);
}
