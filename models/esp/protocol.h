/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The coherence protocol: every transition of a private cache and of a directory, once.
 *
 * A transition changes the lines, adds the monitors' counts and names the messages and their
 * receivers. A cache's request and the directory's response to it are returned; forwards and
 * messages that follow from them go to a transport. There are two. The network (network.c) takes
 * time: an answer comes later, and the engines of l2.c and llc.c wait for it. fast.c delivers at
 * once: the answer is there when the transport returns. A transition that needs an answer checks
 * whether it is missing and does not depend on the transport.
 *
 * The functions are inline, so that the compiler makes a version for each transport.
 */
#ifndef ESP_PROTOCOL_H
#define ESP_PROTOCOL_H

#include "esp/directory.h"
#include "esp/probe.h"

/* A message between private caches and the directory of its line. */
struct esp_message_of_line {
	uint64_t stamp;		/* of the data that it carries */
	uint32_t line;
	uint8_t type;		/* enum esp_message */
	uint8_t cache;		/* the requester; in an answer: the sender */
	uint8_t acks;		/* DATA: INV_ACKs to expect */
	bool stale;		/* PUT_ACK: the sender was no longer the owner */
	uint8_t way;		/* the way of the LLC that probably has the line */
};

struct esp_transport {
	/* From a directory to a private cache. */
	void (*forward)(struct esp_soc *soc, unsigned int mem, unsigned int to,
			const struct esp_message_of_line *m);
	/* From a private cache to another one; to = ESP_NONE: to the directory. */
	void (*answer)(struct esp_soc *soc, unsigned int cache, unsigned int to,
		       const struct esp_message_of_line *m);
	/* A line on the DDR bus of a memory tile; the cycles that it takes. */
	uint64_t (*ddr)(struct esp_soc *soc, unsigned int mem, enum esp_beat why);
};

/* Always inline: the transport is a constant then, and so are its functions. */
#define ESP_TRANSITION	static inline __attribute__((always_inline))

/* Which messages carry a line. */
static inline bool esp_has_data(enum esp_message type)
{
	return type == ESP_MSG_PUTM || type == ESP_MSG_DATA || type == ESP_MSG_EDATA;
}

static inline unsigned int esp_message_flits(const struct esp_soc *soc, enum esp_message type)
{
	return 2 + (esp_has_data(type) ? soc->line_flits : 0);
}

/* ---- private caches ---- */

/* The pulses of an L2. */
static inline void esp_l2_pulse(struct esp_soc *soc, unsigned int cache, bool hit, uint32_t n)
{
	esp_count(soc, soc->cache_tile[cache], hit ? ESP_MON_L2_HIT : ESP_MON_L2_MISS, n);
}

enum esp_l2_decision {
	ESP_L2_WAITS,		/* it would have to send a request, and cannot */
	ESP_L2_HITS,
	ESP_L2_UPGRADES,	/* a write to a shared line */
	ESP_L2_MISSES,
};

/* A request of the processor or of the accelerator, and the way that its line has or gets. */
ESP_TRANSITION enum esp_l2_decision esp_l2_decide(struct esp_soc *soc, unsigned int cache,
						  struct esp_l2_ways ways, enum esp_access access,
						  uint32_t line, bool can_ask,
						  struct esp_l2_line **way)
{
	struct esp_l2_line *l = esp_l2_find(ways, line);

	*way = l;
	if (l && (access != ESP_STORE || l->state != ESP_L2_S)) {
		esp_l2_pulse(soc, cache, true, 1);
		return ESP_L2_HITS;
	}
	if (!can_ask)
		return ESP_L2_WAITS;
	esp_l2_pulse(soc, cache, l, 1);
	if (l)
		return ESP_L2_UPGRADES;
	*way = esp_l2_victim(ways);
	return ESP_L2_MISSES;
}

/* A copy goes back to its directory, because another line needs the way or in a flush. */
ESP_TRANSITION struct esp_message_of_line esp_l2_give_back(struct esp_soc *soc, unsigned int cache,
							   struct esp_l2_line *l)
{
	struct esp_message_of_line m = {
		.type = ESP_MSG_PUTS + (l->state == ESP_L2_M),	/* PUTM */
		.line = l->line, .stamp = l->stamp, .cache = cache, .way = l->home_way,
	};

	esp_l2_set(soc, cache, l, ESP_L2_I);
	return m;
}

static inline struct esp_message_of_line esp_l2_get(unsigned int cache, enum esp_access access,
						    uint32_t line)
{
	return (struct esp_message_of_line){
		.type = ESP_MSG_GETS + access, .line = line, .cache = cache,
	};
}

/* Serves a request from a line that the cache holds. */
ESP_TRANSITION void esp_l2_serve(struct esp_soc *soc, unsigned int cache, enum esp_access access,
				 struct esp_l2_line *l)
{
	if (access == ESP_STORE) {
		uint64_t old = l->stamp;

		l->state = ESP_L2_M;
		l->stamp = ++soc->st->stamp;
		esp_probe_store(soc, cache, l->line, old, l->stamp);
	} else {
		esp_probe_load(soc, cache, l->line, l->stamp);
	}
}

/* The data of a request have arrived and serve it. */
ESP_TRANSITION void esp_l2_fill(struct esp_soc *soc, unsigned int cache, enum esp_access access,
				struct esp_l2_line *l, const struct esp_message_of_line *data)
{
	esp_l2_take(soc, l, data->line, ESP_L2_S + (data->type == ESP_MSG_EDATA));	/* E */
	l->stamp = data->stamp;
	l->instruction = access == ESP_FETCH;
	l->home_way = data->way;
	esp_l2_serve(soc, cache, access, l);
}

/* The answer to a forward; dirty: a recall gets data. */
static inline void esp_l2_answer(struct esp_soc *soc, const struct esp_transport *via,
				 unsigned int cache, const struct esp_message_of_line *forward,
				 uint64_t stamp, bool dirty)
{
	struct esp_message_of_line m = {
		.type = ESP_MSG_DATA, .line = forward->line, .stamp = stamp, .cache = cache,
	};

	switch (forward->type) {
	case ESP_MSG_FWD_GETS:
		via->answer(soc, cache, forward->cache, &m);
		via->answer(soc, cache, ESP_NONE, &m);
		break;
	case ESP_MSG_FWD_GETM:
		via->answer(soc, cache, forward->cache, &m);
		break;
	case ESP_MSG_FWD_GETM_LLC:
		if (!dirty)
			m.type = ESP_MSG_INV_ACK;
		via->answer(soc, cache, ESP_NONE, &m);
		break;
	case ESP_MSG_INV:
		m.type = ESP_MSG_INV_ACK;
		via->answer(soc, cache, forward->cache, &m);
		break;
	default:
		break;
	}
}

/* A forward for a line without a request under way. */
static inline void esp_l2_forwarded(struct esp_soc *soc, const struct esp_transport *via,
				    unsigned int cache, const struct esp_message_of_line *forward)
{
	struct esp_l2_line *l = esp_l2_lookup(soc, cache, forward->line);
	bool invalidates = forward->type == ESP_MSG_INV || forward->type == ESP_MSG_INV_LLC;

	/* An owner is never invalidated: such a message is older than the ownership. */
	if (!l || (l->state != ESP_L2_S && invalidates)) {
		esp_l2_answer(soc, via, cache, forward, 0, false);
		return;
	}
	esp_l2_answer(soc, via, cache, forward, l->stamp, l->state == ESP_L2_M);
	esp_l2_set(soc, cache, l, forward->type == ESP_MSG_FWD_GETS ? ESP_L2_S : ESP_L2_I);
}

/* ---- directories ---- */

/* The pulses of an LLC. */
static inline void esp_llc_pulse(struct esp_soc *soc, unsigned int mem, bool hit)
{
	esp_count(soc, soc->mem_tile[mem], hit ? ESP_MON_LLC_HIT : ESP_MON_LLC_MISS, 1);
}

static inline void esp_llc_forward(struct esp_soc *soc, const struct esp_transport *via,
				   unsigned int mem, enum esp_message type, uint32_t line,
				   unsigned int to, unsigned int requester)
{
	struct esp_message_of_line m = { .type = type, .line = line, .cache = requester };

	via->forward(soc, mem, to, &m);
}

/* To each of some sharers. */
static inline void esp_llc_invalidate(struct esp_soc *soc, const struct esp_transport *via,
				      unsigned int mem, enum esp_message type, uint32_t line,
				      unsigned int sharers, unsigned int requester)
{
	for (; sharers; sharers &= sharers - 1)
		esp_llc_forward(soc, via, mem, type, line, __builtin_ctz(sharers), requester);
}

static inline void esp_llc_lose_sharers(struct esp_soc *soc, const struct esp_transport *via,
					unsigned int mem, struct esp_llc_line *l)
{
	unsigned int sharers = l->sharers;

	l->sharers = 0;
	esp_llc_invalidate(soc, via, mem, ESP_MSG_INV_LLC, l->line, sharers, 0);
}

/*
 * Takes a line back from its owner; true if the answer has come, which puts the line into V. If
 * not, the engine waits and repeats its pass.
 */
static inline bool esp_llc_recall(struct esp_soc *soc, const struct esp_transport *via,
				  unsigned int mem, struct esp_llc_line *l)
{
	soc->llc[mem].waiting = true;
	soc->llc[mem].wait_line = l->line;
	/* In SD the last owner's data are already under way. */
	if (l->state == ESP_LLC_SD)
		esp_llc_lose_sharers(soc, via, mem, l);
	else
		esp_llc_forward(soc, via, mem, ESP_MSG_FWD_GETM_LLC, l->line, l->owner, 0);
	return !soc->llc[mem].waiting;
}

/* An owner's answer to a forward or to a recall. */
static inline void esp_llc_answered(struct esp_soc *soc, unsigned int mem,
				    const struct esp_message_of_line *m)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_llc_line *l = esp_llc_lookup(soc, mem, m->line);
	bool recalled = llc->waiting && llc->wait_line == m->line;

	if (l && m->type == ESP_MSG_DATA)
		esp_dir_data(l, m->stamp);
	if (l && (l->state == ESP_LLC_SD || recalled))
		esp_dir_answered(l);
	if (recalled)
		llc->waiting = false;
}

/* Writes a dirty line to DDR and returns the cycles that it takes. */
ESP_TRANSITION uint64_t esp_llc_write_back(struct esp_soc *soc, const struct esp_transport *via,
					   unsigned int mem, struct esp_llc_line *l)
{
	if (!l->dirty)
		return 0;
	esp_probe_ddr_write(soc, l->line, l->stamp);
	return via->ddr(soc, mem, ESP_BEAT_WRITE_BACK);
}

/* Reads a line from DDR into the way and returns the cycles that it takes. */
ESP_TRANSITION uint64_t esp_llc_fill(struct esp_soc *soc, const struct esp_transport *via,
				     unsigned int mem, struct esp_llc_line *l, uint32_t line)
{
	esp_llc_set_line(soc, l, line);
	l->stamp = esp_probe_ddr_read(soc, line);
	return via->ddr(soc, mem, ESP_BEAT_FILL);
}

/* Frees a used way; false: it waits for its owner's answer. */
ESP_TRANSITION bool esp_llc_evict(struct esp_soc *soc, const struct esp_transport *via,
				  unsigned int mem, struct esp_llc_set set, unsigned int way,
				  bool dma, uint64_t *cycles)
{
	struct esp_llc_line *l = &set.line[way];

	switch (l->state) {
	case ESP_LLC_E:
	case ESP_LLC_M:
	case ESP_LLC_SD:
		if (dma)
			esp_llc_pulse(soc, mem, false);
		if (!esp_llc_recall(soc, via, mem, l))
			return false;
		break;
	case ESP_LLC_S:
		esp_llc_lose_sharers(soc, via, mem, l);
		break;
	}
	*cycles += esp_llc_write_back(soc, via, mem, l);
	esp_dir_evicted(soc, set, way);
	return true;
}

enum esp_llc_outcome {
	ESP_LLC_RECALL,		/* waits for an answer, then the pass is repeated */
	ESP_LLC_HIT,
	ESP_LLC_MISS,
};

/*
 * Gets a way for a line: its own, which is *way or -1, a free one or one that it frees. On a miss
 * the way is invalid. *cycles grows by the DDR time of a write-back.
 *
 * A pass counts its pulse at its end. One of DMA also counts it when it begins to wait for a
 * private copy, and again when it is resumed (llc_process_request.sv:1068).
 */
ESP_TRANSITION enum esp_llc_outcome esp_llc_way(struct esp_soc *soc,
						const struct esp_transport *via, unsigned int mem,
						struct esp_llc_set set, bool dma, int *way,
						uint64_t *cycles)
{
	bool evict;

	if (*way >= 0) {
		esp_llc_pulse(soc, mem, true);
		return ESP_LLC_HIT;
	}
	*way = esp_dir_choose(set, &evict);
	if (evict && !esp_llc_evict(soc, via, mem, set, *way, dma, cycles))
		return ESP_LLC_RECALL;
	esp_llc_pulse(soc, mem, false);
	return ESP_LLC_MISS;
}

/*
 * A pass for a cache's GETS or GETM; false: it has to be repeated. *reply goes to the cache, unless
 * its type is ESP_MSG_NONE: then the line's owner answers.
 */
ESP_TRANSITION bool esp_llc_get(struct esp_soc *soc, const struct esp_transport *via,
				unsigned int mem, const struct esp_message_of_line *m,
				struct esp_message_of_line *reply, uint64_t *cycles)
{
	struct esp_llc_set set = esp_llc_set(soc, mem, m->line);
	int way = cpu_tags_find(set.tag, set.ways, m->line);
	struct esp_llc_line *l;
	struct esp_dir_grant g;

	switch (esp_llc_way(soc, via, mem, set, false, &way, cycles)) {
	case ESP_LLC_RECALL:
		return false;
	case ESP_LLC_MISS:
		*cycles += esp_llc_fill(soc, via, mem, &set.line[way], m->line);
		break;
	case ESP_LLC_HIT:
		break;
	}
	l = &set.line[way];
	g = esp_dir_get(l, m->type, m->cache);
	if (g.answer == ESP_DIR_WAIT) {
		soc->llc[mem].stalled = true;
		return false;
	}
	esp_probe_reply(soc, mem);	/* by the LLC or by the owner */
	if (g.answer == ESP_DIR_FORWARD) {
		reply->type = ESP_MSG_NONE;
		esp_llc_forward(soc, via, mem,
				m->type == ESP_MSG_GETM ? ESP_MSG_FWD_GETM : ESP_MSG_FWD_GETS,
				l->line, g.owner, m->cache);
		return true;
	}
	*reply = (struct esp_message_of_line){
		.type = ESP_MSG_DATA + (g.answer == ESP_DIR_EDATA),	/* EDATA */
		.line = m->line, .stamp = l->stamp, .way = way,
	};
	if (g.answer == ESP_DIR_INVALIDATE) {
		reply->acks = __builtin_popcount(g.others);
		esp_llc_invalidate(soc, via, mem, ESP_MSG_INV, m->line, g.others, m->cache);
	}
	return true;
}

/*
 * A pass for a PUTS or PUTM. A line that was recalled meanwhile is missing: it still gets a way,
 * which stays free.
 */
ESP_TRANSITION bool esp_llc_put(struct esp_soc *soc, const struct esp_transport *via,
				unsigned int mem, const struct esp_message_of_line *m,
				struct esp_message_of_line *reply, uint64_t *cycles)
{
	struct esp_llc_set set = esp_llc_set(soc, mem, m->line);
	/* the cache's guess of the way is usually right */
	int way = set.tag[m->way] == m->line ? m->way :
		  cpu_tags_find(set.tag, set.ways, m->line);
	bool owner = false;

	switch (esp_llc_way(soc, via, mem, set, false, &way, cycles)) {
	case ESP_LLC_RECALL:
		return false;
	case ESP_LLC_MISS:
		break;
	case ESP_LLC_HIT:
		owner = esp_dir_put(&set.line[way], m->cache, m->type == ESP_MSG_PUTM,
				    m->stamp);
		break;
	}
	esp_probe_reply(soc, mem);
	*reply = (struct esp_message_of_line){
		.type = ESP_MSG_PUT_ACK, .line = m->line, .stale = !owner,
	};
	return true;
}

#endif
