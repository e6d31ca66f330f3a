/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets of the network: their pool, and those that a tile is sending. */
#include "esp/router.h"

#include <stddef.h>
#include <string.h>

struct esp_packet *esp_noc_packet(struct esp_soc *soc, unsigned int plane, enum esp_message type,
				  unsigned int src, unsigned int dst, uint32_t nflits)
{
	uint32_t index = soc->st->free_packet;
	struct esp_packet *p = &soc->packet[index];

	/*
	 * The pool is larger than all agents together can fill. If it runs empty nevertheless,
	 * packet 0 takes the message and loses it, and from then on the monitors cannot be read.
	 */
	soc->st->free_packet = p->next;
	memset(p, 0, offsetof(struct esp_packet, dsts));
	soc->st->packets_used++;
	p->plane = plane;
	p->type = type;
	p->src = src;
	p->dst = dst;
	p->nflits = nflits;
	return p;
}

void esp_noc_free(struct esp_soc *soc, struct esp_packet *p)
{
	uint32_t index = esp_packet_index(soc, p);

	if (!index)
		return;
	p->type = ESP_MSG_NONE;
	p->next = soc->st->free_packet;
	soc->st->free_packet = index;
	soc->st->packets_used--;
}

bool esp_soc_has_lost(const struct esp_soc *soc)
{
	return soc->st->lost;
}

void esp_soc_exhaust(struct esp_soc *soc)
{
	soc->st->free_packet = 0;
}

void esp_noc_send(struct esp_soc *soc, struct esp_packet *p, uint32_t ready, unsigned int latency)
{
	struct esp_router *r = esp_router(soc, p->plane, p->src);
	uint32_t index = esp_packet_index(soc, p);

	if (!index) {
		if (!soc->st->lost)
			esp_guest_error(soc, "network packets exhausted, one is lost: the monitors "
					"do not answer any more, reset the device");
		soc->st->lost = true;
		return;
	}
	esp_flight_end(soc, p->plane);
	p->ready = ready;
	p->not_before = soc->st->now + 1 + latency;
	p->next = 0;
	if (r->last)
		soc->packet[r->last].next = index;
	else
		r->first = index;
	r->last = index;
	router_set(soc->st->plane[p->plane].sending, p->src);
	esp_wake(soc, p->plane, p->not_before);
}

void esp_noc_more(struct esp_soc *soc, struct esp_packet *p, uint32_t flits)
{
	p->ready += flits;
	esp_wake(soc, p->plane,
		 soc->st->now + 1 > p->not_before ? soc->st->now + 1 : p->not_before);
}

void esp_noc_hurry(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	uint32_t index;

	for (index = esp_router(soc, plane, tile)->first; index; index = soc->packet[index].next) {
		struct esp_packet *p = &soc->packet[index];

		if (!p->pace)
			continue;
		p->pace = 0;
		p->not_before = soc->st->now;
		esp_wake(soc, plane, soc->st->now + 1);
	}
}

bool esp_noc_has_room(const struct esp_soc *soc, const struct esp_packet *p, unsigned int room)
{
	return p->ready - p->sent < room || soc->st->now > p->not_before + ESP_T_STUCK;
}
