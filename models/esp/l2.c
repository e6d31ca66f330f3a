/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private L2 cache of a CPU tile or of an accelerator tile: MESI, write-back, four outstanding
 * requests.
 *
 * Counts (esp-caches): one pulse for each request when it is decided. A write to a shared line is a
 * hit although it requests ownership. A request that waits because its set is in use is counted
 * once. Forwards and flushes are not counted.
 *
 * The planes do not keep order between each other, and PUT_ACK travels on the response plane. So an
 * INV or recall may find the line gone: it is answered all the same. And a PUT_ACK says whether the
 * directory had already sent a forward to this owner (stale): the data are then kept until the
 * forward comes, while the next line is requested (l2_fsm.sv:783).
 */
#include "esp/network.h"

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

/* The register that holds a line's data for a forward that was sent before its PUT_ACK. */
static struct esp_mshr *mshr_owing(struct esp_l2_state *l2, uint32_t line)
{
	unsigned int i;

	for (i = 0; i < ESP_MSHRS; i++) {
		if (l2->mshr[i].owes && l2->mshr[i].owed == line)
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

static void l2_get(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	struct esp_message_of_line request;

	if (m->phase != ESP_SM_AD)
		m->phase = m->access == ESP_STORE ? ESP_IM_AD : ESP_IS_D;
	request = esp_l2_get(cache, m->access, m->line);
	esp_network_request(soc, cache, &request);
}

/* Gives a line back; the register holds its data until the directory has answered. */
static void l2_put(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m,
		   struct esp_l2_line *l)
{
	struct esp_message_of_line request;

	m->line = l->line;
	m->stamp = l->stamp;
	m->dirty = l->state == ESP_L2_M;
	m->phase = l->state == ESP_L2_M ? ESP_MI_A : l->state == ESP_L2_E ? ESP_EI_A : ESP_SI_A;
	request = esp_l2_give_back(soc, cache, l);
	esp_network_request(soc, cache, &request);
}

/* Tells the accelerator that its request has ended. */
static void l2_served(struct esp_soc *soc, unsigned int cache)
{
	const struct esp_tile *tile = &soc->design.tiles[soc->cache_tile[cache]];

	if (tile->kind == ESP_TILE_ACC)
		soc->l2_served(soc, tile->id);
}

/* Decides a request; false if the request has to wait. */
static bool decide(struct esp_soc *soc, unsigned int cache, enum esp_access access, uint32_t line)
{
	struct esp_l2_ways ways = esp_l2_ways(soc, cache, line);
	struct esp_mshr *m = free_mshr(&soc->l2[cache]);
	enum esp_l2_decision decision;
	struct esp_l2_line *l;

	if (set_in_use(soc, cache, esp_l2_set_of(soc, cache, line)))
		return false;
	decision = esp_l2_decide(soc, cache, ways, access, line, m, &l);
	if (decision == ESP_L2_WAITS)
		return false;
	if (decision == ESP_L2_HITS) {
		esp_l2_serve(soc, cache, access, l);
		l2_served(soc, cache);
		return true;
	}
	memset(m, 0, sizeof(*m));
	m->access = access;
	m->line = line;
	m->way = l - ways.line;
	if (decision == ESP_L2_UPGRADES)
		m->phase = ESP_SM_AD;
	if (l->state != ESP_L2_I && decision == ESP_L2_MISSES) {
		m->refills = true;
		m->refill = line;
		l2_put(soc, cache, m, l);
	} else {
		l2_get(soc, cache, m);
	}
	return true;
}

bool esp_l2_ask(struct esp_soc *soc, unsigned int cache, enum esp_access access, uint32_t line)
{
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_l2_request *r;

	/* The usual case, without an event. */
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

/*
 * Gives back one line; false if there is none left. The last one may still be under way
 * (l2_input_decoder.sv:122).
 */
static bool flush_step(struct esp_soc *soc, unsigned int cache)
{
	const struct esp_l2_geometry *g = &soc->l2_geometry[cache];
	struct esp_l2_state *l2 = &soc->l2[cache];
	struct esp_mshr *m = free_mshr(l2);

	/* Requests under way end first; no new one is decided meanwhile. */
	if (!l2->flush_at && !idle(l2))
		return true;
	for (; l2->flush_at < g->sets * g->ways; l2->flush_at++) {
		struct esp_l2_line *l = &soc->l2_line[g->first + l2->flush_at];

		if (l->state == ESP_L2_I || (l->instruction && !l2->flush_instructions))
			continue;
		if (!m)
			return true;
		memset(m, 0, sizeof(*m));
		m->way = l2->flush_at % g->ways;
		l2_put(soc, cache, m, l);
		l2->flush_at++;
		l2_wake(soc, cache, soc->st->now + 1);
		return true;
	}
	return false;
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

static void forward(struct esp_soc *soc, unsigned int cache,
		    const struct esp_message_of_line *forward);

static void l2_release(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m)
{
	struct esp_message_of_line deferred = {
		.type = m->deferred, .line = m->line, .cache = m->deferred_for,
	};

	m->phase = ESP_MSHR_FREE;
	m->deferred = ESP_MSG_NONE;
	if (m->owes) {
		m->phase = ESP_XI_F;
		m->line = m->owed;
	}
	if (deferred.type)
		forward(soc, cache, &deferred);
	l2_wake(soc, cache, soc->st->now + 1);
}

/* The directory has taken the line back: request the next one, if there is one. */
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
	struct esp_message_of_line data = {
		.type = m->exclusive ? ESP_MSG_EDATA : ESP_MSG_DATA, .line = m->line,
		.stamp = m->stamp, .way = m->home_way,
	};

	esp_l2_fill(soc, cache, m->access, l, &data);
	l2_served(soc, cache);
	/* An invalidation overtook the shared data: they serve this request only. */
	if (m->drop && l->state == ESP_L2_S)
		esp_l2_set(soc, cache, l, ESP_L2_I);
	l2_release(soc, cache, m);
}

static void forward_to_mshr(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m,
			    const struct esp_message_of_line *f)
{
	bool invalidation = f->type == ESP_MSG_INV || f->type == ESP_MSG_INV_LLC;
	struct esp_l2_line *l;

	switch (m->phase) {
	case ESP_IS_D:
	case ESP_IM_AD:
	case ESP_SM_AD:
		if (!invalidation) {
			/* The directory has made this cache the owner; the data are under way. */
			m->deferred = f->type;
			m->deferred_for = f->cache;
			return;
		}
		m->drop = true;
		if (m->phase == ESP_SM_AD) {
			l = esp_l2_lookup(soc, cache, m->line);
			if (l)
				esp_l2_set(soc, cache, l, ESP_L2_I);
			m->phase = ESP_IM_AD;
		}
		esp_l2_answer(soc, &esp_network, cache, f, 0, false);
		return;
	case ESP_EI_A:
	case ESP_MI_A:
		/* A recall gets the data of a clean line as well (l2_fsm.sv:880, MIA). */
		esp_l2_answer(soc, &esp_network, cache, f, m->stamp, true);
		if (!invalidation)
			m->phase = f->type == ESP_MSG_FWD_GETS ? ESP_SI_A : ESP_II_A;
		return;
	default:
		esp_l2_answer(soc, &esp_network, cache, f, m->stamp, m->dirty);
		if (m->phase == ESP_SI_A)
			m->phase = ESP_II_A;
	}
}

/* The forward that a line's data were kept for. */
static void forward_to_owing(struct esp_soc *soc, unsigned int cache, struct esp_mshr *m,
			     const struct esp_message_of_line *f)
{
	esp_l2_answer(soc, &esp_network, cache, f, m->owed_stamp, m->owed_dirty);
	if (f->type == ESP_MSG_INV || f->type == ESP_MSG_INV_LLC)
		return;
	m->owes = false;
	if (m->phase == ESP_XI_F)
		l2_release(soc, cache, m);
}

static void forward(struct esp_soc *soc, unsigned int cache, const struct esp_message_of_line *f)
{
	struct esp_mshr *m = mshr_owing(&soc->l2[cache], f->line);

	if (m) {
		forward_to_owing(soc, cache, m, f);
		return;
	}
	m = mshr_of(&soc->l2[cache], f->line);
	if (m)
		forward_to_mshr(soc, cache, m, f);
	else
		esp_l2_forwarded(soc, &esp_network, cache, f);
}

static void response(struct esp_soc *soc, unsigned int cache, const struct esp_message_of_line *r)
{
	struct esp_mshr *m = mshr_of(&soc->l2[cache], r->line);

	if (!m)
		return;
	switch (r->type) {
	case ESP_MSG_EDATA:
	case ESP_MSG_DATA:
		m->data = true;
		m->exclusive = r->type == ESP_MSG_EDATA;
		m->stamp = r->stamp;
		m->acks += r->acks;
		m->home_way = r->way;
		break;
	case ESP_MSG_INV_ACK:
		m->acks--;
		break;
	case ESP_MSG_PUT_ACK:
		if (r->stale && (m->phase == ESP_EI_A || m->phase == ESP_MI_A)) {
			m->owes = true;
			m->owed = m->line;
			m->owed_stamp = m->stamp;
			m->owed_dirty = m->dirty;
		}
		given_back(soc, cache, m);
		return;
	}
	if (m->data && m->acks == 0 && m->phase >= ESP_IS_D && m->phase <= ESP_SM_AD)
		arrived(soc, cache, m);
}

void esp_l2_message(struct esp_soc *soc, unsigned int cache, struct esp_packet *p)
{
	struct esp_message_of_line m = esp_message_in(p);

	if (p->plane == ESP_PL_FWD)
		forward(soc, cache, &m);
	else
		response(soc, cache, &m);
	esp_noc_free(soc, p);
}

/* Controller of a CPU's L2: CMD starts a flush; DONE stays until CMD is written 0. */
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
	 * A reset gives all lines back. If it dropped them, the directory would still have an owner
	 * for them that never answers.
	 */
	if (value & (ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_RESET))
		esp_l2_flush(soc, cache, value & (ESP_CACHE_CMD_FLUSH_I | ESP_CACHE_CMD_RESET));
	l2->resetting |= (value & ESP_CACHE_CMD_RESET) && !(value & ESP_CACHE_CMD_FLUSH);
}
