/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU accesses while the SoC is at rest: the same changes of state and the same counts as through
 * the network, made at once and in no time.
 *
 * A request to an idle SoC meets nobody. Then the messages of MESI and of the directory follow from
 * the states alone, and what all monitors count follows from who asked whom for what. So requests
 * are only added up here, by cause; when somebody looks at a monitor they become misses, words of
 * DRAM and flits that go over their routes. A link stalls only when a router's queue is full, which
 * the few messages of one request cannot bring about.
 *
 * tests/unit/cpu/test-fast.c compares both ways.
 */
#include "esp/directory.h"

#include <stdlib.h>
#include <string.h>

#define NPLANES		3	/* REQ, FWD, RSP */
#define RARE		__attribute__((noinline, cold))	/* beside the way of most misses */

/*
 * What no monitor shows yet. Flits from a node to another one, but for those of struct esp_asked:
 */
struct esp_link {
	uint64_t flits[NPLANES];
};

/* Requests of a cache to a memory tile. */
struct esp_asked {
	uint64_t gets[2];	/* for a line; [1]: the LLC had it */
	uint64_t data;		/* of these, answered by the LLC */
	uint64_t puts[2];	/* line given back, [modified] */
	uint64_t write_backs;	/* of the LLC on the way */
};

struct esp_fast {
	unsigned int senders;	/* caches, or CPUs if there are no caches */
	unsigned int nodes;	/* senders, then memory tiles */
	uint16_t *tile;		/* of a node */
	struct esp_link *link;	/* [from * nodes + to] */
	struct esp_asked *asked;	/* [cache * memory tiles + memory tile] */
	bool pending;
};

bool esp_fast_new(struct esp_soc *soc)
{
	struct esp_fast *f = calloc(1, sizeof(*f));
	unsigned int i;

	soc->fast = f;
	if (!f)
		return false;
	f->senders = soc->ncaches ? soc->ncaches : soc->design.ncpu;
	f->nodes = f->senders + soc->design.nmem;
	f->tile = calloc(f->nodes, sizeof(*f->tile));
	f->link = calloc((size_t)f->nodes * f->nodes, sizeof(*f->link));
	f->asked = calloc((size_t)soc->ncaches * soc->design.nmem + 1, sizeof(*f->asked));
	if (!f->tile || !f->link || !f->asked)
		return false;
	for (i = 0; i < f->nodes; i++) {
		if (i >= f->senders)
			f->tile[i] = soc->mem_tile[i - f->senders];
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
	free(soc->fast->link);
	free(soc->fast->asked);
	free(soc->fast);
}

void esp_fast_reset(struct esp_soc *soc)
{
	struct esp_fast *f = soc->fast;

	memset(f->link, 0, (size_t)f->nodes * f->nodes * sizeof(*f->link));
	memset(f->asked, 0, (size_t)soc->ncaches * soc->design.nmem * sizeof(*f->asked));
	f->pending = false;
}

static inline uint64_t *between(const struct esp_soc *soc, unsigned int from, unsigned int to)
{
	return soc->fast->link[from * soc->fast->nodes + to].flits;
}

static inline struct esp_asked *asked(const struct esp_soc *soc, unsigned int cache,
				      unsigned int mem)
{
	return &soc->fast->asked[cache * soc->design.nmem + mem];
}

/* Node of a memory tile. */
static inline unsigned int home_node(const struct esp_soc *soc, unsigned int mem)
{
	return soc->fast->senders + mem;
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
	esp_count(soc, to, ESP_MON_NOC_EJECT(plane), flits);
	soc->st->plane[plane].injected += flits;
	soc->st->plane[plane].delivered += flits;
}

/* What a memory tile counts at its own queues. */
static void at_memory(struct esp_soc *soc, enum esp_plane plane, unsigned int from,
		      unsigned int to, uint64_t flits)
{
	const struct esp_fast *f = soc->fast;
	bool sends = from >= f->senders, takes = to >= f->senders;

	if (plane == ESP_PL_REQ && takes)
		esp_count(soc, f->tile[to], ESP_MON_COH_REQ, flits);
	else if (plane == ESP_PL_FWD && sends)
		esp_count(soc, f->tile[from], ESP_MON_COH_FWD, flits);
	else if (plane == ESP_PL_RSP && sends)
		esp_count(soc, f->tile[from], ESP_MON_COH_RSP_SND, flits);
	else if (plane == ESP_PL_RSP && takes)
		esp_count(soc, f->tile[to], ESP_MON_COH_RSP_RCV, flits);
}

static void ddr(struct esp_soc *soc, unsigned int mem, enum esp_beat why, uint64_t lines)
{
	soc->mem[mem].beats[why] += lines * soc->line_words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, lines * soc->line_words);
}

static void fold_asked(struct esp_soc *soc, unsigned int cache, unsigned int mem)
{
	struct esp_asked *a = asked(soc, cache, mem);
	uint64_t puts = a->puts[0] + a->puts[1], requests = a->gets[0] + a->gets[1] + puts;
	unsigned int home = home_node(soc, mem);

	between(soc, cache, home)[ESP_PL_REQ] += 2 * requests + a->puts[1] * soc->line_flits;
	between(soc, home, cache)[ESP_PL_RSP] += 2 * puts + a->data * (2 + soc->line_flits);
	soc->llc[mem].requests += requests;
	soc->llc[mem].replies += requests;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_LLC_HIT, requests - a->gets[0]);
	esp_count(soc, soc->mem_tile[mem], ESP_MON_LLC_MISS, a->gets[0]);
	ddr(soc, mem, ESP_BEAT_FILL, a->gets[0]);
	ddr(soc, mem, ESP_BEAT_WRITE_BACK, a->write_backs);
	*a = (struct esp_asked){ 0 };
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
	for (from = 0; from < soc->ncaches; from++) {
		for (to = 0; to < soc->design.nmem; to++)
			fold_asked(soc, from, to);
	}
	for (from = 0; from < f->nodes; from++) {
		for (to = 0; to < f->nodes; to++) {
			uint64_t *flits = between(soc, from, to);

			for (plane = 0; plane < NPLANES; plane++) {
				if (!flits[plane])
					continue;
				at_memory(soc, plane, from, to, flits[plane]);
				travel(soc, plane, f->tile[from], f->tile[to], flits[plane]);
				flits[plane] = 0;
			}
		}
	}
}

/* Nothing is going on but register accesses, which concern no cache. */
static inline bool at_rest(const struct esp_soc *soc)
{
	return !soc->agenda.waiting ||
	       (soc->agenda.waiting == 1 && soc->wake[ESP_PL_REG] != ESP_NEVER);
}

/* An L2 gives its copy up; true if it was modified. */
static RARE bool take_copy(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t *stamp)
{
	struct esp_l2_line *l = esp_l2_lookup(soc, cache, line);
	bool modified;

	if (!l)
		return false;
	modified = l->state == ESP_L2_M;
	*stamp = l->stamp;
	esp_l2_set(soc, cache, l, ESP_L2_I);
	return modified;
}

/* The directory takes a line back from its owner, who sends data if they are modified. */
static RARE void recall(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	unsigned int home = home_node(soc, mem), owner = l->owner;
	uint64_t stamp;

	between(soc, home, owner)[ESP_PL_FWD] += 2;
	between(soc, owner, home)[ESP_PL_RSP] += 2;
	if (take_copy(soc, owner, l->line, &stamp)) {
		between(soc, owner, home)[ESP_PL_RSP] += soc->line_flits;
		esp_dir_data(l, stamp);
	}
	esp_dir_answered(l);
}

/* Sharers lose their copies; they tell it so if it is one of the caches. */
static RARE void drop_sharers(struct esp_soc *soc, unsigned int mem, uint32_t line,
			      uint16_t sharers, unsigned int tell)
{
	unsigned int cache;
	uint64_t stamp;

	for (cache = 0; cache < soc->ncaches; cache++) {
		if (!(sharers & 1u << cache))
			continue;
		between(soc, home_node(soc, mem), cache)[ESP_PL_FWD] += 2;
		take_copy(soc, cache, line, &stamp);
		if (tell != ESP_NONE)
			between(soc, cache, tell)[ESP_PL_RSP] += 2;
	}
}

/* A way for a line that the LLC does not hold, filled from memory. */
static inline unsigned int fast_fill(struct esp_soc *soc, unsigned int mem, struct esp_llc_set set,
				     uint32_t line, struct esp_asked *a)
{
	bool evict;
	unsigned int way = esp_dir_choose(set, &evict);
	struct esp_llc_line *l = &set.line[way];

	if (evict) {
		if (l->state == ESP_LLC_E || l->state == ESP_LLC_M)
			recall(soc, mem, l);
		else if (l->state == ESP_LLC_S)
			drop_sharers(soc, mem, l->line, l->sharers, ESP_NONE);
		a->write_backs += l->dirty;
		esp_dir_evicted(soc, set, way);
	}
	esp_llc_set_line(soc, l, line);
	return way;
}

/* A victim goes back to its directory, which holds it, and answers. */
static inline void fast_put(struct esp_soc *soc, unsigned int cache, struct esp_l2_line *victim)
{
	unsigned int mem = esp_line_home(soc, victim->line);
	struct esp_llc_set set = esp_llc_set(soc, mem, victim->line);
	bool modified = victim->state == ESP_L2_M;
	/* a guess that is usually right */
	int way = victim->home_way;

	if (set.tag[way] != victim->line)
		way = esp_tags_find(set.tag, set.ways, victim->line);
	asked(soc, cache, mem)->puts[modified]++;
	esp_dir_put(&set.line[way], cache, modified, victim->stamp);
	esp_l2_set(soc, cache, victim, ESP_L2_I);
}

/* The owner hands the line on, to the directory as well if it keeps a copy. */
static RARE void from_owner(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l,
			    unsigned int owner, unsigned int cache, uint64_t *stamp)
{
	unsigned int home = home_node(soc, mem), data = 2 + soc->line_flits;
	struct esp_l2_line *copy = esp_l2_lookup(soc, owner, l->line);

	between(soc, home, owner)[ESP_PL_FWD] += 2;
	between(soc, owner, cache)[ESP_PL_RSP] += data;
	*stamp = copy->stamp;
	if (l->state != ESP_LLC_SD) {
		esp_l2_set(soc, owner, copy, ESP_L2_I);
		return;
	}
	between(soc, owner, home)[ESP_PL_RSP] += data;
	esp_dir_data(l, copy->stamp);
	esp_dir_answered(l);
	esp_l2_set(soc, owner, copy, ESP_L2_S);
}

/* Asks the directory for a line, which goes into a way; the state in which it comes. */
static inline enum esp_l2_line_state fast_get(struct esp_soc *soc, unsigned int cache,
					      enum esp_access what, uint32_t line,
					      struct esp_l2_line *into)
{
	unsigned int mem = esp_line_home(soc, line);
	struct esp_asked *a = asked(soc, cache, mem);
	struct esp_llc_set set = esp_llc_set(soc, mem, line);
	int way = esp_tags_find(set.tag, set.ways, line);
	struct esp_dir_grant grant;
	struct esp_llc_line *l;

	a->gets[way >= 0]++;
	if (way < 0)
		way = fast_fill(soc, mem, set, line, a);
	l = &set.line[way];
	into->home_way = way;
	grant = esp_dir_get(l, esp_get_for(what), cache);
	if (grant.answer == ESP_DIR_FORWARD) {
		from_owner(soc, mem, l, grant.owner, cache, &into->stamp);
		return ESP_L2_S;
	}
	a->data++;
	into->stamp = l->stamp;
	if (grant.answer == ESP_DIR_INVALIDATE)
		drop_sharers(soc, mem, line, grant.others, cache);
	return grant.answer == ESP_DIR_EDATA ? ESP_L2_E : ESP_L2_S;
}

bool esp_soc_cpu_line_at_once(struct esp_soc *soc, unsigned int cache, enum esp_access what,
			      uint32_t line)
{
	struct esp_l2_ways ways = esp_l2_ways(soc, cache, line);
	struct esp_l2_line *l = esp_l2_find(ways, line);
	unsigned int tile = soc->cache_tile[cache];

	if (!at_rest(soc))
		return false;
	if (l && (what != ESP_STORE || l->state != ESP_L2_S)) {
		esp_count(soc, tile, ESP_MON_L2_HIT, 1);
	} else {
		enum esp_l2_line_state state;

		if (soc->l2[cache].flushing)
			return false;
		soc->fast->pending = true;
		esp_count(soc, tile, l ? ESP_MON_L2_HIT : ESP_MON_L2_MISS, 1);
		if (!l) {
			l = esp_l2_victim(ways);
			if (l->state != ESP_L2_I)
				fast_put(soc, cache, l);
		}
		state = fast_get(soc, cache, what, line, l);
		esp_l2_take(soc, l, line, state);
		l->instruction = what == ESP_FETCH;
	}
	if (what == ESP_STORE) {
		l->state = ESP_L2_M;
		l->stamp = ++soc->st->stamp;
	}
	return true;
}

/* Caches disabled, see fast_uncached() in cpu.c and llc.c. */
static void fast_uncached(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
			  uint64_t addr, unsigned int size)
{
	unsigned int words = (addr % soc->word + size + soc->word - 1) / soc->word;
	unsigned int mem = esp_mem_home(soc, addr), home = home_node(soc, mem);

	between(soc, cpu, home)[ESP_PL_REQ] += what == ESP_STORE ? 2 + words : 3;
	soc->llc[mem].requests++;
	soc->mem[mem].beats[ESP_BEAT_CPU] += words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, words);
	if (what != ESP_STORE)
		between(soc, home, cpu)[ESP_PL_RSP] += 1 + words;
}

bool esp_soc_cpu_access_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
				uint64_t addr, unsigned int size)
{
	if (cpu >= soc->design.ncpu || !size || !esp_mem_holds(soc, addr, size))
		return true;
	if (soc->design.caches)
		return esp_soc_cpu_line_at_once(soc, cpu, what, addr >> soc->line_shift);
	if (!at_rest(soc))
		return false;
	soc->fast->pending = true;
	fast_uncached(soc, cpu, what, addr, size);
	return true;
}
