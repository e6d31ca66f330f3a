/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU accesses while the SoC is at rest: a transport of the protocol that delivers at once.
 *
 * A request to an idle SoC has no competition. A message goes straight to its receiver, in the
 * order in which the network would deliver, and its answer is there before the call returns.
 * Messages between two nodes are only summed up; when a monitor is read, they are converted to
 * flits on their routes. A link stalls only when a router's queue is full, which the few messages
 * of one request cannot cause.
 *
 * tests/unit/esp/test-fast.c compares both transports.
 */
#include "esp/protocol.h"
#include "esp/router.h"

#include <stdlib.h>
#include <string.h>

#define NPLANES		3	/* REQ, FWD, RSP */
#define RARE		__attribute__((noinline, cold))	/* rarer kinds of messages */

/* Messages from one node to another that no monitor shows yet. */
struct esp_link {
	uint64_t messages[NPLANES];	/* of 2 flits */
	uint64_t lines[NPLANES];	/* their data */
	uint64_t flits[NPLANES];	/* of messages that are longer otherwise */
};

/* Between a sender and another node; what one sender says to another one is in to. */
struct esp_pair {
	struct esp_link to, from;
};

struct esp_fast {
	unsigned int senders;	/* caches, or CPUs if there are no caches */
	unsigned int nodes;	/* memory tiles, then senders */
	uint16_t *tile;		/* of a node */
	struct esp_pair *pair;	/* [sender * nodes + node] */
	bool pending;
	struct esp_message_of_line data;	/* from an owner to a requester */
};

bool esp_fast_new(struct esp_soc *soc)
{
	const uint16_t *sender_tile = soc->ncaches ? soc->cache_tile : soc->cpu_tile;
	struct esp_fast *f = calloc(1, sizeof(*f));

	soc->fast = f;
	if (!f)
		return false;
	f->senders = soc->ncaches ? soc->ncaches : soc->design.ncpu;
	f->nodes = f->senders + soc->design.nmem;
	f->tile = calloc(f->nodes, sizeof(*f->tile));
	f->pair = calloc((size_t)f->senders * f->nodes, sizeof(*f->pair));
	if (!f->tile || !f->pair)
		return false;
	memcpy(f->tile, soc->mem_tile, soc->design.nmem * sizeof(*f->tile));
	memcpy(f->tile + soc->design.nmem, sender_tile, f->senders * sizeof(*f->tile));
	return true;
}

void esp_fast_free(struct esp_soc *soc)
{
	if (!soc->fast)
		return;
	free(soc->fast->tile);
	free(soc->fast->pair);
	free(soc->fast);
}

void esp_fast_reset(struct esp_soc *soc)
{
	struct esp_fast *f = soc->fast;

	memset(f->pair, 0, (size_t)f->senders * f->nodes * sizeof(*f->pair));
	f->pending = false;
}

/* A memory tile's node is its number. */
static inline struct esp_pair *pair_of(const struct esp_soc *soc, unsigned int sender,
				       unsigned int node)
{
	return &soc->fast->pair[sender * soc->fast->nodes + node];
}

/* The routers' counts of uncontended messages. */
static void travel(struct esp_soc *soc, enum esp_plane plane, unsigned int from, unsigned int to,
		   struct esp_flits flits)
{
	unsigned int tile = from, port;

	esp_noc_injects(soc, plane, from, flits);
	esp_noc_occupies(soc, plane, from, ESP_LOCAL, flits.n);
	while ((port = esp_noc_route(soc, tile, to)) != ESP_LOCAL) {
		esp_noc_occupies(soc, plane, tile, port, flits.n);
		tile = esp_noc_neighbour(soc, tile, port);
	}
	esp_noc_occupies(soc, plane, to, ESP_LOCAL, flits.n);
	esp_noc_ejects(soc, plane, to, flits);
	soc->st->plane[plane].delivered += flits.n;
}

static void fold(struct esp_soc *soc, const struct esp_link *link, unsigned int from,
		 unsigned int to)
{
	const struct esp_fast *f = soc->fast;
	enum esp_plane plane;

	for (plane = 0; plane < NPLANES; plane++) {
		uint64_t packets = link->messages[plane];
		uint64_t flits = 2 * packets + soc->line_flits * link->lines[plane] +
				 link->flits[plane];

		if (!packets)
			continue;
		if (from < soc->design.nmem)
			esp_mem_gives(soc, f->tile[from], plane, flits);
		if (to < soc->design.nmem)
			esp_mem_takes(soc, f->tile[to], plane, flits);
		travel(soc, plane, f->tile[from], f->tile[to], (struct esp_flits){ flits, packets, packets });
	}
}

void esp_fast_fold(const struct esp_soc *const_soc)
{
	/* all changing state is in the arena */
	struct esp_soc *soc = (struct esp_soc *)const_soc;
	struct esp_fast *f = soc->fast;
	unsigned int sender, node, own;

	if (!f->pending)
		return;
	for (sender = 0; sender < f->senders; sender++) {
		own = soc->design.nmem + sender;
		for (node = 0; node < f->nodes; node++) {
			fold(soc, &pair_of(soc, sender, node)->to, own, node);
			fold(soc, &pair_of(soc, sender, node)->from, node, own);
		}
	}
	esp_fast_reset(soc);
}

/* Only register accesses are under way, which do not affect caches. */
static inline bool at_rest(const struct esp_soc *soc)
{
	return !soc->agenda.waiting ||
	       (soc->agenda.waiting == 1 && soc->wake[ESP_PL_REG] != ESP_NEVER);
}

/* ---- the transport ---- */

static const struct esp_transport at_once;

static inline void link_send(struct esp_link *link, enum esp_plane plane, enum esp_message type)
{
	link->messages[plane]++;
	link->lines[plane] += esp_has_data(type);
}

static RARE void fast_forward(struct esp_soc *soc, unsigned int mem, unsigned int to,
			      const struct esp_message_of_line *m)
{
	link_send(&pair_of(soc, to, mem)->from, ESP_PL_FWD, m->type);
	esp_l2_forwarded(soc, &at_once, to, m);
}

static void fast_answer(struct esp_soc *soc, unsigned int cache, unsigned int to,
			const struct esp_message_of_line *m)
{
	unsigned int mem = esp_line_home(soc, m->line);

	if (to == ESP_NONE) {
		link_send(&pair_of(soc, cache, mem)->to, ESP_PL_RSP, m->type);
		esp_llc_answered(soc, mem, m);
	} else {
		link_send(&pair_of(soc, cache, soc->design.nmem + to)->to, ESP_PL_RSP, m->type);
		if (esp_has_data(m->type))
			soc->fast->data = *m;
	}
}

ESP_TRANSITION uint64_t fast_ddr(struct esp_soc *soc, unsigned int mem, enum esp_beat why)
{
	esp_mem_words(soc, mem, why, soc->line_words);
	return 0;
}

static const struct esp_transport at_once = {
	.forward = fast_forward,
	.answer = fast_answer,
	.ddr = fast_ddr,
};

ESP_TRANSITION void fast_put(struct esp_soc *soc, unsigned int cache, struct esp_message_of_line m)
{
	unsigned int mem = esp_line_home(soc, m.line);
	struct esp_pair *pair = pair_of(soc, cache, mem);
	struct esp_message_of_line reply;
	uint64_t cycles = 0;

	link_send(&pair->to, ESP_PL_REQ, m.type);
	link_send(&pair->from, ESP_PL_RSP, ESP_MSG_PUT_ACK);
	esp_probe_request(soc, mem);
	esp_llc_put(soc, &at_once, mem, &m, &reply, &cycles);
}

/* A request for a line, and the response to it. */
ESP_TRANSITION struct esp_message_of_line fast_get(struct esp_soc *soc, unsigned int cache,
						   struct esp_message_of_line m)
{
	unsigned int mem = esp_line_home(soc, m.line);
	struct esp_pair *pair = pair_of(soc, cache, mem);
	struct esp_message_of_line reply;
	uint64_t cycles = 0;

	link_send(&pair->to, ESP_PL_REQ, ESP_MSG_GETS);		/* all kinds of GETs are equally long */
	esp_probe_request(soc, mem);
	esp_llc_get(soc, &at_once, mem, &m, &reply, &cycles);
	if (reply.type == ESP_MSG_NONE)
		return soc->fast->data;
	link_send(&pair->from, ESP_PL_RSP, ESP_MSG_DATA);
	return reply;
}

bool esp_soc_cpu_line_at_once(struct esp_soc *soc, unsigned int cache, enum esp_access what,
			      uint32_t line)
{
	struct esp_l2_ways ways = esp_l2_ways(soc, cache, line);
	struct esp_message_of_line data;
	enum esp_l2_decision decision;
	struct esp_l2_line *l;

	if (!at_rest(soc))
		return false;
	decision = esp_l2_decide(soc, cache, ways, what, line, !soc->l2[cache].flushing, &l);
	if (decision == ESP_L2_HITS)
		esp_l2_serve(soc, cache, what, l);
	if (decision <= ESP_L2_HITS)
		return decision;
	soc->fast->pending = true;
	if (decision == ESP_L2_MISSES && l->state != ESP_L2_I)
		fast_put(soc, cache, esp_l2_give_back(soc, cache, l));
	data = fast_get(soc, cache, esp_l2_get(cache, what, line));
	esp_l2_fill(soc, cache, what, l, &data);
	return true;
}

/* Caches disabled, see cpu_uncached() in cpu.c and llc_uncached() in llc.c. */
static void fast_uncached(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
			  uint64_t addr, unsigned int size)
{
	unsigned int words = (addr % soc->word + size + soc->word - 1) / soc->word;
	unsigned int mem = esp_mem_home(soc, addr);
	struct esp_pair *pair = pair_of(soc, cpu, mem);

	pair->to.messages[ESP_PL_REQ]++;
	pair->to.flits[ESP_PL_REQ] += what == ESP_STORE ? words : 1;
	esp_probe_request(soc, mem);
	esp_mem_words(soc, mem, what == ESP_STORE ? ESP_BEAT_CPU_WRITE : ESP_BEAT_CPU, words);
	if (what != ESP_STORE) {
		pair->from.messages[ESP_PL_RSP]++;
		pair->from.flits[ESP_PL_RSP] += words - 1;
	}
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
