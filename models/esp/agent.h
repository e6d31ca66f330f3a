/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Agents: the model's scheduler. It calls each agent in its wake-up cycle.
 *
 * The lowest layer of the model: it knows nothing of the agents, soc.c fills its tables. There are
 * six NoC planes, then four agents a tile; each has at most one wake-up cycle. An idle agent has
 * none, so an idle SoC has no events. Within a cycle agents run in the order of their numbers:
 * first the planes, then the tiles.
 */
#ifndef ESP_AGENT_H
#define ESP_AGENT_H

#include <stdint.h>

#include "esp/soc.h"

#define ESP_NEVER		UINT64_MAX

enum esp_agent { ESP_AG_MEM, ESP_AG_LLC, ESP_AG_L2, ESP_AG_ACC, ESP_AGENTS };
#define ESP_AGENT(tile, what)	(ESP_NPLANES + (tile) * ESP_AGENTS + (what))

struct esp_packet;

/* The functions of a kind of agents; number: of the plane, memory tile, cache and so on. */
struct esp_agent_kind {
	void (*step)(struct esp_soc *soc, unsigned int number);
	/*
	 * For a queue that is read at its reader's pace: does the reader take flits as they come?
	 * It has taken `read` flits; 0 only asks.
	 */
	bool (*reads)(struct esp_soc *soc, unsigned int number, uint32_t flits);
	/*
	 * Does the receiver take the next flit of a packet, its head or data? False leaves the flit in the router. NULL: it
	 * takes each one as it comes. If its router is not slow, it is only told of the last one.
	 */
	bool (*takes)(struct esp_soc *soc, unsigned int number, const struct esp_packet *packet, bool head);
	/* All flits of a packet have arrived. The receiver frees it. */
	void (*receive)(struct esp_soc *soc, unsigned int number, struct esp_packet *packet);
	/* The send queue has a place for the tail of a packet that requested this call. */
	void (*sent)(struct esp_soc *soc, unsigned int number, const struct esp_packet *packet);
};

struct esp_agent_entry {
	const struct esp_agent_kind *kind;
	uint16_t number;
};

/*
 * Waiting agents: those of this cycle and the next one as bits, all others in a heap by cycle and
 * number. Everything here follows from the wake-up cycles.
 */
struct esp_agenda {
	unsigned int nagents, waiting, words, this;
	unsigned int running;		/* agent, or UINT_MAX */
	uint64_t *soon[2];
	uint32_t full[2];		/* words of soon that are not 0 */
	unsigned int heap_len;
	uint16_t *heap, *place;		/* place + 1 in the heap, 0: not there */
	struct esp_agent_entry *agent;
};

bool esp_agents_new(struct esp_soc *soc, unsigned int nagents);
void esp_agents_free(struct esp_soc *soc);
/* After the wake-up cycles have been set. */
void esp_agents_rebuild(struct esp_soc *soc);
/* Wakes the agent in that cycle at the latest; an earlier wake-up stays. */
void esp_wake(struct esp_soc *soc, unsigned int agent, uint64_t cycle);
void esp_guest_error(struct esp_soc *soc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
