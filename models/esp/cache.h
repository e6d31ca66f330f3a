/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * State of the private L2 caches and of the LLC.
 *
 * The caches hold no data: guest memory is shared with the guest's own CPU, so every write goes
 * through to it and data cannot differ. Instead each line carries the stamp of the last write that
 * a real cache's copy would have. An old stamp is a stale copy; tests look at the stamps through
 * probe.h.
 */
#ifndef ESP_CACHE_H
#define ESP_CACHE_H

#include "esp/internal.h"
#include "cpu/tags.h"

#define ESP_MSHRS	4	/* outstanding requests of an L2 */
#define ESP_L2_QUEUE	64	/* requests waiting in front of an L2 */

enum esp_l2_line_state { ESP_L2_I, ESP_L2_S, ESP_L2_E, ESP_L2_M };
enum esp_llc_line_state { ESP_LLC_I, ESP_LLC_V, ESP_LLC_S, ESP_LLC_E, ESP_LLC_M, ESP_LLC_SD };

/* Names as in the literature: old state, new state, the awaited message (Data, Ack). */
enum esp_mshr_phase {
	ESP_MSHR_FREE,
	ESP_IS_D,	/* read miss */
	ESP_IM_AD,	/* write miss */
	ESP_SM_AD,	/* write to a shared line */
	ESP_SI_A, ESP_EI_A, ESP_MI_A,	/* line was given back, waits for the acknowledgement */
	ESP_II_A,	/* the same, after a forward has taken the line */
	ESP_XI_F,	/* acknowledged, no request left, but a forward is still under way */
};

struct esp_mshr {
	uint64_t stamp;
	uint32_t line;		/* given back or asked for */
	uint32_t refill;	/* line to request once the way is free */
	int16_t acks;		/* INV_ACKs that are still missing */
	uint16_t deferred_for;	/* requester of the forward below */
	uint8_t phase, way;
	uint8_t access;		/* enum esp_access of the request */
	uint8_t deferred;	/* forward that came before the data */
	uint8_t home_way;
	bool refills, data, exclusive, dirty, drop;
	/*
	 * A line that was given back after the directory had sent a forward for it. Its data are
	 * kept until the forward comes; the next line is requested meanwhile.
	 */
	bool owes, owed_dirty;
	uint32_t owed;
	uint64_t owed_stamp;
};

struct esp_l2_line {
	uint64_t stamp;
	uint32_t line;
	uint8_t state;
	bool instruction;
	uint8_t home_way;	/* the way of the LLC that probably has it */
};

struct esp_l2_request {
	uint32_t line;
	uint8_t access;
};

struct esp_l2_state {
	uint64_t stepped;
	struct esp_mshr mshr[ESP_MSHRS];
	struct esp_l2_request queue[ESP_L2_QUEUE];
	uint8_t head, count;
	bool flushing, flush_instructions, resetting, done;
	uint32_t command, flush_at;
};

struct esp_llc_line {
	uint64_t stamp;
	uint32_t line;
	uint16_t sharers;
	uint8_t state;
	uint8_t owner : 4;
	bool dirty : 1, instruction : 1;
};

enum esp_llc_offer { ESP_LLC_NO_OFFER, ESP_LLC_OFFERS_READ, ESP_LLC_OFFERS_WRITE };

struct esp_llc_state {
	uint64_t busy;			/* the engine is free from this cycle */
	uint64_t stepped;
	uint32_t request;		/* packet of the L2's complete request, 0 if none */
	uint32_t wait_line;
	bool waiting;			/* for the answer to a recall */
	bool stalled;			/* the request waits for its line or set to leave SD */
	/* coherent DMA: the packet under way, its offer, the current transaction */
	uint32_t in_addr, in_words;
	uint8_t offer;			/* enum esp_llc_offer */
	bool offer_last;		/* the last line of its write */
	uint32_t offered, offer_addr, offer_words;
	bool writing;
	bool again;			/* the pass of its line waited for a recall and comes next */
	uint32_t read_addr, read_left, reply;
	uint32_t read_words, read_flits, read_pending;
	/* controller registers */
	uint32_t command;
	bool flush, reset, done;
};

static inline unsigned int esp_line_home(const struct esp_soc *soc, uint32_t line)
{
	return esp_mem_home(soc, (uint64_t)line << soc->line_shift);
}

/* l2.c */
static inline unsigned int esp_l2_set_of(const struct esp_soc *soc, unsigned int cache,
					 uint32_t line)
{
	return line & (soc->l2_geometry[cache].sets - 1);
}
/* The set of an L2 that a line belongs to. */
struct esp_l2_ways {
	struct esp_l2_line *line;
	const uint32_t *tag;	/* ESP_NO_LINE: the way is free */
	uint8_t *turn;
	unsigned int n;
};
static inline struct esp_l2_ways esp_l2_ways(const struct esp_soc *soc, unsigned int cache,
					     uint32_t line)
{
	const struct esp_l2_geometry *g = &soc->l2_geometry[cache];
	unsigned int set = line & (g->sets - 1), ways = g->ways;
	size_t first = g->first + (size_t)set * ways;

	return (struct esp_l2_ways){
		.line = &soc->l2_line[first],
		.tag = &soc->l2_tag[first],
		.turn = &soc->l2_turn[g->first_set + set],
		.n = ways,
	};
}
static inline struct esp_l2_line *esp_l2_find(struct esp_l2_ways w, uint32_t line)
{
	int way = cpu_tags_find(w.tag, w.n, line);

	return way >= 0 ? &w.line[way] : NULL;
}
static inline struct esp_l2_line *esp_l2_lookup(const struct esp_soc *soc, unsigned int cache,
						uint32_t line)
{
	return esp_l2_find(esp_l2_ways(soc, cache, line), line);
}
/* The way for a line: a free one, or the one whose turn it is. */
static inline struct esp_l2_line *esp_l2_victim(struct esp_l2_ways w)
{
	int way = cpu_tags_find(w.tag, w.n, ESP_NO_LINE);

	if (way < 0) {
		way = *w.turn;
		*w.turn = way + 1u == w.n ? 0 : way + 1;
	}
	return &w.line[way];
}
/* Puts a line into a way. */
static inline void esp_l2_take(struct esp_soc *soc, struct esp_l2_line *l, uint32_t line,
			       enum esp_l2_line_state state)
{
	soc->l2_tag[l - soc->l2_line] = line;
	l->line = line;
	l->state = state;
}
/* Takes a line (I) or its right to be written (S) away. */
static inline void esp_l2_set(struct esp_soc *soc, unsigned int cache, struct esp_l2_line *l,
			      enum esp_l2_line_state state)
{
	l->state = state;
	if (state == ESP_L2_I)
		soc->l2_tag[l - soc->l2_line] = ESP_NO_LINE;
	if (soc->l2_loss && cache < soc->design.ncpu)
		soc->l2_loss(soc->l2_loss_opaque, cache, l->line, state == ESP_L2_I);
}
void esp_l2_step(struct esp_soc *soc, unsigned int cache);
/* False if the cache's queue is full. */
bool esp_l2_ask(struct esp_soc *soc, unsigned int cache, enum esp_access access, uint32_t line);
void esp_l2_flush(struct esp_soc *soc, unsigned int cache, bool instructions);
void esp_l2_message(struct esp_soc *soc, unsigned int cache, struct esp_packet *packet);
uint32_t esp_l2_read(struct esp_soc *soc, unsigned int cache, uint32_t reg);
void esp_l2_write(struct esp_soc *soc, unsigned int cache, uint32_t reg, uint32_t value);

/* llc.c */
void esp_llc_step(struct esp_soc *soc, unsigned int mem);
bool esp_llc_reads(struct esp_soc *soc, unsigned int mem, uint32_t flits);
void esp_llc_request(struct esp_soc *soc, unsigned int mem, struct esp_packet *packet);
void esp_llc_response(struct esp_soc *soc, unsigned int mem, struct esp_packet *packet);
uint32_t esp_llc_read(struct esp_soc *soc, unsigned int mem, uint32_t reg);
void esp_llc_write(struct esp_soc *soc, unsigned int mem, uint32_t reg, uint32_t value);
/* The way of a line in the LLC. */
struct esp_llc_set {
	struct esp_llc_line *line;
	uint32_t *tag;		/* ESP_NO_LINE: the way is free */
	uint8_t *turn;
	unsigned int ways;
};
static inline struct esp_llc_set esp_llc_set(const struct esp_soc *soc, unsigned int mem,
					     uint32_t line)
{
	unsigned int ways = soc->design.llc_ways, sets = soc->design.llc_sets;
	size_t set = (size_t)mem * sets + (line & (sets - 1));

	return (struct esp_llc_set){
		.line = &soc->llc_line[set * ways],
		.tag = &soc->llc_tag[set * ways],
		.turn = &soc->llc_turn[set],
		.ways = ways,
	};
}
static inline struct esp_llc_line *esp_llc_lookup(const struct esp_soc *soc, unsigned int mem,
						  uint32_t line)
{
	struct esp_llc_set s = esp_llc_set(soc, mem, line);
	int way = cpu_tags_find(s.tag, s.ways, line);

	return way >= 0 ? &s.line[way] : NULL;
}
/* Empties a way for another line; the caller sets its state at once. */
static inline void esp_llc_set_line(struct esp_soc *soc, struct esp_llc_line *l, uint32_t line)
{
	*l = (struct esp_llc_line){ .line = line };
	soc->llc_tag[l - soc->llc_line] = line;
}
static inline void esp_llc_drop(struct esp_soc *soc, struct esp_llc_line *l)
{
	l->state = ESP_LLC_I;
	soc->llc_tag[l - soc->llc_line] = ESP_NO_LINE;
}
/* llc-dma.c */
/* Can the receiver read a flit now? Reads one flit of the next request. */
bool esp_llc_dma_wants(const struct esp_soc *soc, unsigned int mem);
void esp_llc_dma_arrival(struct esp_soc *soc, unsigned int mem);
/* Has the engine something to do? Is it in the middle of a transaction? */
bool esp_llc_dma_pending(const struct esp_soc *soc, unsigned int mem);
bool esp_llc_dma_active(const struct esp_soc *soc, unsigned int mem);
/* Does one line of the current read or write; false if it has to wait. */
bool esp_llc_dma_pass(struct esp_soc *soc, unsigned int mem);
/* Sends the flits of the line that was read. */
void esp_llc_dma_reply(struct esp_soc *soc, unsigned int mem);

#endif
