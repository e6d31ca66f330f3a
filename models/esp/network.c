/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The protocol's transport that takes time: a message is a packet, a line of memory a burst on the
 * DDR bus. A memory tile's messages are counted when they are written to the send queue.
 */
#include "esp/network.h"

static void network_send(struct esp_soc *soc, unsigned int plane, unsigned int from,
			 unsigned int to, const struct esp_message_of_line *m, uint64_t latency)
{
	unsigned int flits = esp_message_flits(soc, m->type);
	struct esp_packet *p = esp_noc_packet(soc, plane, m->type, from, to, flits);

	p->addr = m->line;
	p->stamp = m->stamp;
	p->cache = m->cache;
	p->acks = m->acks;
	p->stale = m->stale;
	p->way = m->way;
	esp_noc_send(soc, p, flits, latency);
}

static unsigned int home_tile(const struct esp_soc *soc, uint32_t line)
{
	return soc->mem_tile[esp_line_home(soc, line)];
}

void esp_network_request(struct esp_soc *soc, unsigned int cache,
			 const struct esp_message_of_line *m)
{
	network_send(soc, ESP_PL_REQ, soc->cache_tile[cache], home_tile(soc, m->line), m, ESP_T_L2);
}

static void network_answer(struct esp_soc *soc, unsigned int cache, unsigned int to,
			   const struct esp_message_of_line *m)
{
	network_send(soc, ESP_PL_RSP, soc->cache_tile[cache],
		     to == ESP_NONE ? home_tile(soc, m->line) : soc->cache_tile[to], m, ESP_T_L2);
}

static void network_forward(struct esp_soc *soc, unsigned int mem, unsigned int to,
			    const struct esp_message_of_line *m)
{
	unsigned int tile = soc->mem_tile[mem];

	esp_mem_gives(soc, tile, ESP_PL_FWD, esp_message_flits(soc, m->type));
	network_send(soc, ESP_PL_FWD, tile, soc->cache_tile[to], m, ESP_T_LLC);
}

void esp_network_respond(struct esp_soc *soc, unsigned int mem, unsigned int to,
			 const struct esp_message_of_line *m, uint64_t cycles)
{
	unsigned int tile = soc->mem_tile[mem];

	esp_mem_gives(soc, tile, ESP_PL_RSP, esp_message_flits(soc, m->type));
	network_send(soc, ESP_PL_RSP, tile, soc->cache_tile[to], m, ESP_T_LLC + cycles);
}

static uint64_t network_ddr(struct esp_soc *soc, unsigned int mem, enum esp_beat why)
{
	return esp_ddr_burst(soc, mem, soc->line_words, why);
}

const struct esp_transport esp_network = {
	.forward = network_forward,
	.answer = network_answer,
	.ddr = network_ddr,
};
