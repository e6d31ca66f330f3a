/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private L2 cache of a CPU tile or of an accelerator tile: MESI, write-back, four outstanding
 * requests.
 *
 * What it counts (esp-caches): one pulse a request when it is decided; a write to a shared line is
 * a hit although it asks for ownership; a request that waits because its set is in use is counted
 * once; forwards and flushes are not counted.
 *
 * The planes do not keep order between each other, and PUT_ACK travels on the response plane. Two
 * rules follow. An INV or recall may find the line gone: it is answered anyhow. And a PUT_ACK tells
 * whether the directory had already sent a forward to this owner (stale); then the data stay until
 * it comes.
 */
#include "esp/directory.h"
#include "esp/probe.h"

#include <string.h>

static struct esp_mshr *mshr_of(struct esp_l2_state *l2, uint32_t line)
{
	unsigned int i;

	for (i = 0; i < ESP_MSHRS; i++) {
		if (l2->mshr[i].phase != ESP_MSHR_FREE && l2->mshr[i].line == line)
			return &l2->mshr[i];
	}
	return NULL;
}

static struct esp_mshr *free_mshr(struct esp_l2_state *l2)
{
	unsigned int i;

	for (i = 0; i < ESP_MSHRS; i++) {
		if (l2->mshr[i].phase == ESP_MSHR_FREE)
			return &l2->mshr[i];
	}
	return NULL;
}

static bool set_in_use(const struct esp_soc *soc, unsigned int cache, unsigned int set)
{
	const struct esp_l2_state *l2 = &soc->l2[cache];
	unsigned int i;

	for (i = 0; i < ESP_MSHRS; i++) {
		const struct esp_mshr *m = &l2->mshr[i];

		if (m->phase != ESP_MSHR_FREE &&
		    (esp_l2_set_of(soc, cache, m->line) == set ||
		     (m->refills && esp_l2_set_of(soc, cache, m->refill) == set)))
			return true;
	}
	return false;
}

static void l2_wake(struct esp_soc *soc, unsigned int cache, uint64_t cycle)
{
	esp_wake(soc, ESP_AGENT(soc->cache_tile[cache], ESP_AG_L2), cycle);
}

static void l2_request(struct esp_soc *soc, unsigned int cache, enum esp_message type,
		       const struct esp_mshr *m, uint32_t line)
{
	unsigned int home = soc->mem_tile[esp_line_home(soc, line)];
	unsigned int flits = type == ESP_MSG_PUTM ? 2 + soc->line_flits : 2;
	struct esp_packet *p =
		esp_noc_packet(soc, ESP_PL_REQ, type, soc->cache_tile[cache], home, flits);

	p->addr = line;
	p->cache = cache;
	p->stamp = m->stamp;
	esp_noc_send(soc, p, flits, ESP_T_L2);
}

/* To another L2, or to the LLC if to is ESP_NONE. */
static void l2_respond(struct esp_soc *soc, unsigned int cache, enum esp_message type,
		       uint32_t line, unsigned int to, uint64_t stamp)
{
	unsigned int tile = to == ESP_NONE ? soc->mem_tile[esp_line_home(soc, line)] :
			    soc->cache_tile[to];
	unsigned int flits = type == ESP_MSG_DATA ? 2 + soc->line_flits : 2;
	struct esp_packet *p =
		esp_noc_packet(soc, ESP_PL_RSP, type, soc->cache_tile[cache], tile, flits);

	p->addr = line;
	p->cache = cache;
	p->stamp = stamp;
	esp_noc_send(soc, p, flits, ESP_T_L2);
}

static void l2_get(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	if (m->phase != ESP_SM_AD)
		m->phase = m->access == ESP_STORE ? ESP_IM_AD : ESP_IS_D;
	l2_request(soc, cache, esp_get_for(m->access), m, m->line);
}

/* Gives a line back; its data stay in the register until the directory has answered. */
static void l2_put(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m,
		   struct esp_l2_line *l)
{
	m->line = l->line;
	m->stamp = l->stamp;
	m->dirty = l->state == ESP_L2_M;
	m->phase = l->state == ESP_L2_M ? ESP_MI_A : l->state == ESP_L2_E ? ESP_EI_A : ESP_SI_A;
	esp_l2_set(soc, cache, l, ESP_L2_I);
	l2_request(soc, cache, m->dirty ? ESP_MSG_PUTM : ESP_MSG_PUTS, m, m->line);
}

static void done(struct esp_soc *soc, unsigned int cache, enum esp_access access,
		 struct esp_l2_line *l)
{
	unsigned int tile = soc->cache_tile[cache];

	if (access == ESP_STORE) {
		uint64_t old = l->stamp;

		l->state = ESP_L2_M;
		l->stamp = ++soc->st->stamp;
		esp_probe_store(soc, cache, l->line, old, l->stamp);
	} else {
		esp_probe_load(soc, cache, l->line, l->stamp);
	}
	if (soc->design.tiles[tile].kind == ESP_TILE_ACC)
		soc->l2_served(soc, soc->design.tiles[tile].id);
}

/* Decides a request; false if it has to wait. */
static bool decide(struct esp_soc *soc, unsigned int cache, enum esp_access access, uint32_t line)
{
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_l2_ways ways = esp_l2_ways(soc, cache, line);
	unsigned int tile = soc->cache_tile[cache];
	struct esp_l2_line *l;
	struct esp_mshr *m;

	if (set_in_use(soc, cache, esp_l2_set_of(soc, cache, line)))
		return false;
	l = esp_l2_find(ways, line);
	if (l && (access != ESP_STORE || l->state != ESP_L2_S)) {
		esp_count(soc, tile, ESP_MON_L2_HIT, 1);
		done(soc, cache, access, l);
		return true;
	}
	m = free_mshr(l2);
	if (!m)
		return false;
	memset(m, 0, sizeof(*m));
	m->access = access;
	m->line = line;
	if (l) {
		esp_count(soc, tile, ESP_MON_L2_HIT, 1);
		m->phase = ESP_SM_AD;
		m->way = l - ways.line;
		l2_get(soc, cache, m);
		return true;
	}
	esp_count(soc, tile, ESP_MON_L2_MISS, 1);
	l = esp_l2_victim(ways);
	m->way = l - ways.line;
	if (l->state == ESP_L2_I) {
		l2_get(soc, cache, m);
		return true;
	}
	m->refills = true;
	m->refill = line;
	l2_put(soc, cache, m, l);
	return true;
}

bool esp_l2_ask(struct esp_soc *soc, unsigned int cache, enum esp_access access, uint32_t line)
{
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_l2_request *r;

	/* The usual case needs no event. */
	if (!l2->count && !l2->flushing && soc->design.tiles[soc->cache_tile[cache]].kind ==
	    ESP_TILE_CPU && decide(soc, cache, access, line))
		return true;
	if (l2->count == ESP_L2_QUEUE)
		return false;
	r = &l2->queue[(l2->head + l2->count++) % ESP_L2_QUEUE];
	r->access = access;
	r->line = line;
	l2_wake(soc, cache, soc->st->now + ESP_T_L2_HIT);
	return true;
}

static bool idle(const struct esp_l2_state *l2)
{
	unsigned int i;

	for (i = 0; i < ESP_MSHRS; i++) {
		if (l2->mshr[i].phase != ESP_MSHR_FREE)
			return false;
	}
	return true;
}

/* Gives back one line; false when there is none left and all are acknowledged. */
static bool flush_step(struct esp_soc *soc, unsigned int cache)
{
	const struct esp_l2_geometry *g = &soc->l2_geometry[cache];
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_mshr *m = free_mshr(l2);

	/* Requests under way end first; nothing new is decided meanwhile. */
	if (!l2->flush_at && !idle(l2))
		return true;
	for (; m && l2->flush_at < g->sets * g->ways; l2->flush_at++) {
		struct esp_l2_line *l = &soc->l2_line[g->first + l2->flush_at];

		if (l->state == ESP_L2_I || (l->instruction && !l2->flush_instructions))
			continue;
		memset(m, 0, sizeof(*m));
		m->way = l2->flush_at % g->ways;
		l2_put(soc, cache, m, l);
		l2->flush_at++;
		l2_wake(soc, cache, soc->st->now + 1);
		return true;
	}
	return !idle(l2);
}

void esp_l2_step(struct esp_soc *soc, unsigned int cache)
{
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_l2_request *r = &l2->queue[l2->head];

	if (l2->flushing) {
		if (flush_step(soc, cache))
			return;
		l2->flushing = false;
		l2->done = !l2->resetting;
		if (l2->resetting)
			memset(&soc->l2_turn[soc->l2_geometry[cache].first_set], 0,
			       soc->l2_geometry[cache].sets);
		l2->resetting = false;
	}
	if (!l2->count || !decide(soc, cache, r->access, r->line))
		return;
	l2->head = (l2->head + 1) % ESP_L2_QUEUE;
	l2->count--;
	if (soc->design.tiles[soc->cache_tile[cache]].kind == ESP_TILE_ACC)
		esp_wake(soc, ESP_AGENT(soc->cache_tile[cache], ESP_AG_ACC), soc->st->now);
	if (l2->count)
		l2_wake(soc, cache, soc->st->now + 1);
}

void esp_l2_flush(struct esp_soc *soc, unsigned int cache, bool instructions)
{
	struct esp_l2_state *l2 = &soc->l2[cache];

	if (l2->flushing)
		return;
	l2->flushing = true;
	l2->flush_instructions = instructions;
	l2->flush_at = 0;
	l2->done = false;
	l2_wake(soc, cache, soc->st->now + 1);
}

static void forward(struct esp_soc *soc, unsigned int cache, enum esp_message type, uint32_t line,
		    unsigned int requester);

static void l2_release(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	uint32_t line = m->line;
	enum esp_message deferred = m->deferred;
	unsigned int requester = m->deferred_for;

	m->phase = ESP_MSHR_FREE;
	if (deferred)
		forward(soc, cache, deferred, line, requester);
	l2_wake(soc, cache, soc->st->now + 1);
}

/* The directory knows that the line is back: ask for the next one, if there is one. */
static void given_back(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	if (!m->refills) {
		l2_release(soc, cache, m);
		return;
	}
	m->refills = false;
	m->line = m->refill;
	m->dirty = m->data = false;
	m->acks = 0;
	l2_get(soc, cache, m);
}

/* Data and acknowledgements have come. */
static void arrived(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	struct esp_l2_line *l = &esp_l2_ways(soc, cache, m->line).line[m->way];

	esp_l2_take(soc, l, m->line, m->exclusive ? ESP_L2_E : ESP_L2_S);
	l->stamp = m->stamp;
	l->instruction = m->access == ESP_FETCH;
	done(soc, cache, m->access, l);
	/* An invalidation overtook shared data: they serve this one request. */
	if (m->drop && l->state == ESP_L2_S)
		esp_l2_set(soc, cache, l, ESP_L2_I);
	l2_release(soc, cache, m);
}

/* An owner answers; returns whether anything is owed to the directory. */
static void l2_answer(struct esp_soc *soc, unsigned int cache, enum esp_message type, uint32_t line,
		      unsigned int requester, uint64_t stamp, bool dirty)
{
	switch (type) {
	case ESP_MSG_FWD_GETS:
		l2_respond(soc, cache, ESP_MSG_DATA, line, requester, stamp);
		l2_respond(soc, cache, ESP_MSG_DATA, line, ESP_NONE, stamp);
		break;
	case ESP_MSG_FWD_GETM:
		l2_respond(soc, cache, ESP_MSG_DATA, line, requester, stamp);
		break;
	case ESP_MSG_FWD_GETM_LLC:
		l2_respond(soc, cache, dirty ? ESP_MSG_DATA : ESP_MSG_INV_ACK, line, ESP_NONE,
			   stamp);
		break;
	case ESP_MSG_INV:
		l2_respond(soc, cache, ESP_MSG_INV_ACK, line, requester, 0);
		break;
	default:
		break;
	}
}

static void forward_to_mshr(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m,
			    enum esp_message type, unsigned int requester)
{
	bool invalidation = type == ESP_MSG_INV || type == ESP_MSG_INV_LLC;
	struct esp_l2_line *l;

	switch (m->phase) {
	case ESP_IS_D:
	case ESP_IM_AD:
	case ESP_SM_AD:
		if (!invalidation) {
			/* The directory has made us owner already, the data are on their way. */
			m->deferred = type;
			m->deferred_for = requester;
			return;
		}
		m->drop = true;
		if (m->phase == ESP_SM_AD) {
			l = esp_l2_lookup(soc, cache, m->line);
			if (l)
				esp_l2_set(soc, cache, l, ESP_L2_I);
			m->phase = ESP_IM_AD;
		}
		l2_answer(soc, cache, type, m->line, requester, 0, false);
		return;
	case ESP_EI_A:
	case ESP_MI_A:
		l2_answer(soc, cache, type, m->line, requester, m->stamp, m->dirty);
		if (!invalidation)
			m->phase = type == ESP_MSG_FWD_GETS ? ESP_SI_A : ESP_II_A;
		return;
	case ESP_XI_F:
		l2_answer(soc, cache, type, m->line, requester, m->stamp, m->dirty);
		if (!invalidation)
			given_back(soc, cache, m);
		return;
	default:
		l2_answer(soc, cache, type, m->line, requester, m->stamp, m->dirty);
		if (m->phase == ESP_SI_A)
			m->phase = ESP_II_A;
	}
}

static void forward(struct esp_soc *soc, unsigned int cache, enum esp_message type, uint32_t line,
		    unsigned int requester)
{
	struct esp_mshr *m = mshr_of(&soc->l2[cache], line);
	struct esp_l2_line *l;

	if (m) {
		forward_to_mshr(soc, cache, m, type, requester);
		return;
	}
	l = esp_l2_lookup(soc, cache, line);
	if (!l) {
		l2_answer(soc, cache, type, line, requester, 0, false);
		return;
	}
	/* An owner is never invalidated: such a message is older than the ownership. */
	if (l->state != ESP_L2_S && (type == ESP_MSG_INV || type == ESP_MSG_INV_LLC)) {
		l2_answer(soc, cache, type, line, requester, 0, false);
		return;
	}
	l2_answer(soc, cache, type, line, requester, l->stamp, l->state == ESP_L2_M);
	esp_l2_set(soc, cache, l, type == ESP_MSG_FWD_GETS ? ESP_L2_S : ESP_L2_I);
}

static void response(struct esp_soc *soc, unsigned int cache, struct esp_packet *p)
{
	struct esp_mshr *m = mshr_of(&soc->l2[cache], p->addr);

	if (!m)
		return;
	switch (p->type) {
	case ESP_MSG_EDATA:
	case ESP_MSG_DATA:
		m->data = true;
		m->exclusive = p->type == ESP_MSG_EDATA;
		m->stamp = p->stamp;
		m->acks += p->acks;
		break;
	case ESP_MSG_INV_ACK:
		m->acks--;
		break;
	case ESP_MSG_PUT_ACK:
		if (p->stale && (m->phase == ESP_EI_A || m->phase == ESP_MI_A))
			m->phase = ESP_XI_F;
		else
			given_back(soc, cache, m);
		return;
	}
	if (m->data && m->acks == 0 && m->phase >= ESP_IS_D && m->phase <= ESP_SM_AD)
		arrived(soc, cache, m);
}

void esp_l2_message(struct esp_soc *soc, unsigned int cache, struct esp_packet *p)
{
	if (p->plane == ESP_PL_FWD)
		forward(soc, cache, p->type, p->addr, p->cache);
	else
		response(soc, cache, p);
	esp_noc_free(soc, p);
}

/* The controller of a CPU's L2: flush is started by CMD, and DONE stays until CMD is written 0. */
uint32_t esp_l2_read(struct esp_soc *soc, unsigned int cache, uint32_t reg)
{
	const struct esp_l2_state *l2 = &soc->l2[cache];

	if (reg == ESP_CACHE_CMD)
		return l2->command;
	if (reg == ESP_CACHE_STATUS)
		return (l2->done ? ESP_CACHE_STATUS_DONE : 0) | cache << 28;
	return 0;
}

void esp_l2_write(struct esp_soc *soc, unsigned int cache, uint32_t reg, uint32_t value)
{
	struct esp_l2_state *l2 = &soc->l2[cache];

	if (reg != ESP_CACHE_CMD)
		return;
	l2->command = value & (ESP_CACHE_CMD_RESET | ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	if (!(value & ESP_CACHE_CMD_FLUSH))
		l2->done = false;
	/*
	 * A reset gives all lines back: dropped without a word, they would still have an owner in
	 * the directory, who never answers.
	 */
	if (value & (ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_RESET))
		esp_l2_flush(soc, cache, value & (ESP_CACHE_CMD_FLUSH_I | ESP_CACHE_CMD_RESET));
	l2->resetting |= (value & ESP_CACHE_CMD_RESET) && !(value & ESP_CACHE_CMD_FLUSH);
}
