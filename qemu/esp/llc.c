/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Last-level cache of a memory tile: inclusive directory of the private caches.
 *
 * The engine makes one pass at a time. A pass looks its line up, counts one pulse (hit unless it
 * needs a free way or an eviction), changes the state and sends what the protocol asks for. Where
 * an owner has to give a line back first (recall), the engine waits for its answer and makes the
 * pass again.
 *
 * Flits are counted where the RTL has its strobes: MEM_COH_REQ and MEM_COH_RSP_RCV when read from
 * the receive queues, MEM_COH_FWD and MEM_COH_RSP_SND when written to the send queues.
 */
#include "esp/cache.h"

#include <string.h>

static void wake(struct esp_soc *soc, unsigned int mem, uint64_t cycle)
{
	esp_wake(soc, ESP_AGENT(soc->mem_tile[mem], ESP_AG_LLC), cycle);
}

void esp_llc_forward(struct esp_soc *soc, unsigned int mem, enum esp_message type, uint32_t line,
		     unsigned int to, unsigned int requester)
{
	unsigned int tile = soc->mem_tile[mem];
	struct esp_packet *p = esp_noc_packet(soc, ESP_PL_FWD, type, tile, soc->cache_tile[to], 2);

	p->addr = line;
	p->cache = requester;
	esp_count(soc, tile, ESP_MON_COH_FWD, 2);
	esp_noc_send(soc, p, 2, ESP_T_LLC);
}

static void respond(struct esp_soc *soc, unsigned int mem, enum esp_message type,
		    const struct esp_packet *request, const struct esp_llc_line *l,
		    unsigned int acks, uint64_t latency)
{
	unsigned int tile = soc->mem_tile[mem];
	unsigned int flits = type == ESP_MSG_PUT_ACK ? 2 : 2 + soc->line_flits;
	struct esp_packet *p = esp_noc_packet(soc, ESP_PL_RSP, type, tile, request->src, flits);

	p->addr = request->addr;
	p->acks = acks;
	if (l)
		p->stamp = l->stamp;
	else if (type == ESP_MSG_PUT_ACK)
		p->stale = true;
	esp_count(soc, tile, ESP_MON_COH_RSP_SND, flits);
	soc->llc[mem].replies++;
	esp_noc_send(soc, p, flits, ESP_T_LLC + latency);
}

void esp_llc_invalidate_sharers(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	unsigned int cache;

	for (cache = 0; cache < soc->ncaches; cache++) {
		if (l->sharers & 1u << cache)
			esp_llc_forward(soc, mem, ESP_MSG_INV_LLC, l->line, cache, 0);
	}
	l->sharers = 0;
}

/* The answer changes the line to V and lets the engine make its pass again. */
void esp_llc_recall(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	soc->llc[mem].waiting = true;
	soc->llc[mem].wait_line = l->line;
	if (l->state != ESP_LLC_SD)
		esp_llc_forward(soc, mem, ESP_MSG_FWD_GETM_LLC, l->line, l->owner, 0);
}

static uint64_t write_back(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	if (!l->dirty)
		return 0;
	l->dirty = false;
	if (soc->probe.ddr_write)
		soc->probe.ddr_write(soc->probe.opaque, l->line, l->stamp);
	return esp_ddr_burst(soc, mem, soc->line_words, ESP_BEAT_WRITE_BACK);
}

uint64_t esp_llc_fill(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l, uint32_t line)
{
	esp_llc_set_line(soc, l, line);
	if (soc->probe.ddr_read)
		l->stamp = soc->probe.ddr_read(soc->probe.opaque, line);
	return esp_ddr_burst(soc, mem, soc->line_words, ESP_BEAT_FILL);
}

enum esp_llc_outcome esp_llc_way(struct esp_soc *soc, unsigned int mem, uint32_t line,
				 struct esp_llc_line **way, uint64_t *cycles)
{
	struct esp_llc_set set = esp_llc_set(soc, mem, line);
	unsigned int tile = soc->mem_tile[mem];
	struct esp_llc_line *l;
	bool evict;
	int at = esp_tags_find(set.tag, set.ways, line);

	if (at >= 0) {
		esp_count(soc, tile, ESP_MON_LLC_HIT, 1);
		*way = &set.line[at];
		return ESP_LLC_HIT;
	}
	at = esp_llc_choose(set, &evict);
	if (at < 0)
		return ESP_LLC_BLOCKED;
	*way = l = &set.line[at];
	if (evict) {
		if (l->state == ESP_LLC_E || l->state == ESP_LLC_M) {
			/* Counted when the pass is repeated. */
			esp_llc_recall(soc, mem, l);
			return ESP_LLC_RECALL;
		}
		if (l->state == ESP_LLC_S)
			esp_llc_invalidate_sharers(soc, mem, l);
		*cycles += write_back(soc, mem, l);
		esp_llc_evicted(soc, set, at);
	}
	esp_count(soc, tile, ESP_MON_LLC_MISS, 1);
	return ESP_LLC_MISS;
}

static unsigned int count_bits(uint16_t v)
{
	return __builtin_popcount(v);
}

static void give(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p,
		 struct esp_llc_line *l, uint64_t latency)
{
	switch (p->type) {
	case ESP_MSG_GETS:
		l->state = ESP_LLC_E;
		l->owner = p->cache;
		respond(soc, mem, ESP_MSG_EDATA, p, l, 0, latency);
		break;
	case ESP_MSG_GETS_I:
		l->state = ESP_LLC_S;
		l->sharers = 1u << p->cache;
		l->instruction = true;
		respond(soc, mem, ESP_MSG_DATA, p, l, 0, latency);
		break;
	default:
		l->state = ESP_LLC_M;
		l->owner = p->cache;
		respond(soc, mem, ESP_MSG_DATA, p, l, 0, latency);
	}
}

/* GETM of a line that others share: they answer to the requester, who is told how many. */
static void upgrade(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p,
		    struct esp_llc_line *l)
{
	uint16_t others = l->sharers & ~(1u << p->cache);
	unsigned int cache;

	for (cache = 0; cache < soc->ncaches; cache++) {
		if (others & 1u << cache)
			esp_llc_forward(soc, mem, ESP_MSG_INV, l->line, cache, p->cache);
	}
	l->sharers = 0;
	l->state = ESP_LLC_M;
	l->owner = p->cache;
	respond(soc, mem, ESP_MSG_DATA, p, l, count_bits(others), 0);
}

static void forward_to_owner(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p,
			     struct esp_llc_line *l)
{
	if (p->type == ESP_MSG_GETM) {
		esp_llc_forward(soc, mem, ESP_MSG_FWD_GETM, l->line, l->owner, p->cache);
		l->state = ESP_LLC_M;
		l->owner = p->cache;
	} else {
		esp_llc_forward(soc, mem, ESP_MSG_FWD_GETS, l->line, l->owner, p->cache);
		l->state = ESP_LLC_SD;
		l->sharers = 1u << l->owner | 1u << p->cache;
	}
	soc->llc[mem].replies++;	/* by the owner */
}

static uint64_t get(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p, bool *again)
{
	struct esp_llc_line *l;
	uint64_t cycles = 0;

	*again = true;
	switch (esp_llc_way(soc, mem, p->addr, &l, &cycles)) {
	case ESP_LLC_BLOCKED:
		soc->llc[mem].stalled = true;
		return 0;
	case ESP_LLC_RECALL:
		return 0;
	case ESP_LLC_MISS:
		cycles += esp_llc_fill(soc, mem, l, p->addr);
		give(soc, mem, p, l, cycles);
		*again = false;
		return cycles;
	case ESP_LLC_HIT:
		break;
	}
	if (l->state == ESP_LLC_SD) {
		soc->llc[mem].stalled = true;
		return 0;
	}
	*again = false;
	switch (l->state) {
	case ESP_LLC_V:
		give(soc, mem, p, l, 0);
		break;
	case ESP_LLC_S:
		if (p->type == ESP_MSG_GETM) {
			upgrade(soc, mem, p, l);
			break;
		}
		l->sharers |= 1u << p->cache;
		respond(soc, mem, ESP_MSG_DATA, p, l, 0, 0);
		break;
	default:
		forward_to_owner(soc, mem, p, l);
	}
	return 0;
}

static void put(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p)
{
	unsigned int tile = soc->mem_tile[mem];
	struct esp_llc_line *l = esp_llc_lookup(soc, mem, p->addr);
	bool owner;

	/* A line that was recalled meanwhile is not there: the pulse follows its invalid way. */
	esp_count(soc, tile, l ? ESP_MON_LLC_HIT : ESP_MON_LLC_MISS, 1);
	owner = l && (l->state == ESP_LLC_E || l->state == ESP_LLC_M) && l->owner == p->cache;
	if (owner) {
		l->state = ESP_LLC_V;
		if (p->type == ESP_MSG_PUTM) {
			l->dirty = true;
			l->stamp = p->stamp;
		}
	} else if (l && (l->state == ESP_LLC_S || l->state == ESP_LLC_SD)) {
		l->sharers &= ~(1u << p->cache);
		if (l->state == ESP_LLC_S && !l->sharers)
			l->state = ESP_LLC_V;
	}
	respond(soc, mem, ESP_MSG_PUT_ACK, p, owner ? l : NULL, 0, 0);
}

void esp_llc_response(struct esp_soc *soc, unsigned int mem, struct esp_packet *p)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_llc_line *l = esp_llc_lookup(soc, mem, p->addr);

	esp_count(soc, soc->mem_tile[mem], ESP_MON_COH_RSP_RCV, p->nflits);
	if (l && p->type == ESP_MSG_DATA) {
		l->stamp = p->stamp;
		l->dirty |= p->dirty;
	}
	if (l && l->state == ESP_LLC_SD)
		l->state = l->sharers ? ESP_LLC_S : ESP_LLC_V;
	else if (l && llc->waiting && llc->wait_line == p->addr)
		l->state = ESP_LLC_V;
	if (llc->waiting && llc->wait_line == p->addr)
		llc->waiting = false;
	wake(soc, mem, soc->st->now + 1);
}

/* Reads at most one flit of the next L2 request. */
static void read_request(struct esp_soc *soc, unsigned int mem)
{
	unsigned int tile = soc->mem_tile[mem];
	uint32_t flit;

	if (soc->llc[mem].request)
		return;
	flit = esp_noc_peek(soc, ESP_PL_REQ, tile);
	if (!flit)
		return;
	esp_noc_pop(soc, ESP_PL_REQ, tile);
	esp_count(soc, tile, ESP_MON_COH_REQ, 1);
	if (flit & ESP_FLIT_TAIL) {
		soc->llc[mem].request = ESP_FLIT_PACKET(flit);
		soc->llc[mem].requests++;
	}
}

/* Caches disabled: the processor's words on planes 1 and 3. */
static uint64_t uncached(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p)
{
	unsigned int tile = soc->mem_tile[mem];
	uint64_t cycles = esp_ddr_burst(soc, mem, p->words, ESP_BEAT_CPU);
	struct esp_packet *reply;

	if (p->type == ESP_MSG_STORE) {
		soc->st->uncached[soc->design.tiles[p->src].id]--;
		return cycles;
	}
	reply = esp_noc_packet(soc, ESP_PL_RSP, ESP_MSG_WORDS, tile, p->src, 1 + p->words);
	esp_count(soc, tile, ESP_MON_COH_RSP_SND, 1 + p->words);
	esp_noc_send(soc, reply, 1 + p->words, cycles);
	return cycles;
}

static bool request_ready(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];
	const struct esp_packet *p = &soc->packet[llc->request];
	const struct esp_llc_line *l;
	struct esp_llc_set set;
	unsigned int i;

	if (!llc->request)
		return false;
	if (!llc->stalled)
		return true;
	l = esp_llc_lookup(soc, mem, p->addr);
	if (l)
		return l->state != ESP_LLC_SD;
	set = esp_llc_set(soc, mem, p->addr);
	for (i = 0; i < set.ways; i++) {
		if (set.line[i].state != ESP_LLC_SD)
			return true;
	}
	return false;
}

static bool serve(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->request];
	uint64_t cycles = 0;
	bool again = false;

	if (!request_ready(soc, mem))
		return false;
	llc->stalled = false;
	switch (p->type) {
	case ESP_MSG_GETS:
	case ESP_MSG_GETS_I:
	case ESP_MSG_GETM:
		cycles = get(soc, mem, p, &again);
		break;
	case ESP_MSG_PUTS:
	case ESP_MSG_PUTM:
		put(soc, mem, p);
		break;
	default:
		cycles = uncached(soc, mem, p);
	}
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	if (!again) {
		llc->request = 0;
		esp_noc_free(soc, p);
	}
	return true;
}

/*
 * Flush: dirty lines without private copy go to DDR, data lines are dropped. Reset drops all lines
 * without private copy; the others stay, or their owners would wait for forwards that were never
 * sent.
 */
static bool control(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	size_t i, n = (size_t)soc->design.llc_sets * soc->design.llc_ways;
	struct esp_llc_line *l = &soc->llc_line[mem * n];
	uint64_t cycles = soc->design.llc_sets;

	if (!llc->flush && !llc->reset)
		return false;
	if (llc->flush) {
		for (i = 0; i < n; i++) {
			if (l[i].state != ESP_LLC_V)
				continue;
			if (l[i].dirty)
				cycles += soc->line_words;
			write_back(soc, mem, &l[i]);
			if (!l[i].instruction || llc->command & ESP_CACHE_CMD_FLUSH_I)
				esp_llc_drop(soc, &l[i]);
		}
	}
	if (llc->reset) {
		for (i = 0; i < n; i++) {
			if (l[i].state == ESP_LLC_V)
				esp_llc_drop(soc, &l[i]);
		}
		memset(&soc->llc_turn[(size_t)mem * soc->design.llc_sets], 0, soc->design.llc_sets);
	}
	llc->done = llc->flush;
	llc->flush = llc->reset = false;
	llc->busy = soc->st->now + cycles;
	return true;
}

/* Room in the send queues: what a pass sends must not pile up. */
static bool room(const struct esp_soc *soc, unsigned int tile)
{
	const struct esp_router *fwd = esp_router(soc, ESP_PL_FWD, tile);
	uint32_t p = fwd->first;
	unsigned int n;

	for (n = 0; p && n < ESP_TILE_QUEUE; n++)
		p = soc->packet[p].next;
	return !p;
}

void esp_llc_step(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	unsigned int tile = soc->mem_tile[mem], i;
	uint64_t now = soc->st->now;

	if (llc->stepped < now) {
		read_request(soc, mem);
		esp_llc_dma_arrival(soc, mem);
		llc->stepped = now;
	}
	if (now >= llc->busy) {
		esp_llc_dma_reply(soc, mem);
		if (!llc->waiting && room(soc, tile) && !control(soc, mem)) {
			for (i = 0; i < 3; i++) {
				static bool (*const engine[])(struct esp_soc *, unsigned int) = {
					serve, esp_llc_dma_read, esp_llc_dma_write,
				};
				unsigned int turn = (llc->turn + i) % 3;

				if (engine[turn](soc, mem)) {
					llc->turn = (turn + 1) % 3;
					break;
				}
			}
		}
	}
	if (llc->busy > now && (llc->request || esp_llc_dma_pending(soc, mem)))
		wake(soc, mem, llc->busy);
	if ((!llc->request && esp_noc_peek(soc, ESP_PL_REQ, tile)) || esp_llc_dma_wants(soc, mem) ||
	    !room(soc, tile) ||
	    (llc->busy <= now && !llc->waiting &&
	     (llc->flush || llc->reset || esp_llc_dma_pending(soc, mem))))
		wake(soc, mem, now + 1);
	if (llc->busy > now && (llc->flush || llc->reset))
		wake(soc, mem, llc->busy);
}

uint32_t esp_llc_read(struct esp_soc *soc, unsigned int mem, uint32_t reg)
{
	const struct esp_llc_state *llc = &soc->llc[mem];

	if (reg == ESP_CACHE_CMD)
		return llc->command;
	if (reg == ESP_CACHE_STATUS)
		return llc->done && soc->st->now >= llc->busy ? ESP_CACHE_STATUS_DONE : 0;
	return 0;
}

void esp_llc_write(struct esp_soc *soc, unsigned int mem, uint32_t reg, uint32_t value)
{
	struct esp_llc_state *llc = &soc->llc[mem];

	if (reg != ESP_CACHE_CMD)
		return;
	llc->command = value & (ESP_CACHE_CMD_RESET | ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	llc->flush |= value & ESP_CACHE_CMD_FLUSH;
	llc->reset |= value & ESP_CACHE_CMD_RESET;
	if (!(value & ESP_CACHE_CMD_FLUSH))
		llc->done = false;
	wake(soc, mem, soc->st->now + 1);
}
