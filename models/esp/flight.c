/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A packet that is alone on its plane.
 *
 * Nothing stops it, so each flit moves one hop a cycle, and the cycle of the first flit determines
 * all places: flit i enters the network in cycle from + i, is in the output register of router j of
 * the route at the end of cycle from + i + j, and leaves it one cycle later. The plane sleeps until
 * the packet arrives and then adds all counts. When another packet is sent on the plane, or a
 * monitor is read, the flits are put into their places and continue step by step.
 *
 * A packet enters a queue that is read at its reader's pace only if the reader takes each flit as
 * it comes.
 */
#include "esp/router.h"

struct hop {
	unsigned int tile, in, out;
};

static struct hop first_hop(const struct esp_soc *soc, const struct esp_packet *p)
{
	return (struct hop){ p->src, ESP_LOCAL, esp_noc_route(soc, p->src, p->dst) };
}

static struct hop next_hop(const struct esp_soc *soc, const struct esp_packet *p, struct hop h)
{
	h.in = esp_noc_opposite(h.out);
	h.tile = esp_noc_neighbour(soc, h.tile, h.out);
	h.out = esp_noc_route(soc, h.tile, p->dst);
	return h;
}

static uint32_t links_between(const struct esp_soc *soc, unsigned int a, unsigned int b)
{
	unsigned int cols = soc->design.cols;
	unsigned int dx = a % cols > b % cols ? a % cols - b % cols : b % cols - a % cols;
	unsigned int dy = a / cols > b / cols ? a / cols - b / cols : b / cols - a / cols;

	return dx + dy;
}

bool esp_flight_begin(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	const struct esp_router *r = esp_router(soc, plane, tile);
	const struct esp_packet *p = &soc->packet[r->first];
	const struct esp_receiver *to = &soc->receiver[plane * soc->ntiles + p->dst];

	if (r->first != r->last || p->sent || p->ready < p->nflits || p->pace || p->more ||
	    p->not_before > soc->st->now || p->src == p->dst ||
	    (to->queue && !to->entry.kind->reads) || esp_noc_multicasts(soc, plane))
		return false;
	ps->flight = r->first;
	ps->flight_from = soc->st->now;
	ps->flight_links = links_between(soc, p->src, p->dst);
	/* The cycle in which the head reaches a queue, or the tail the tile. */
	esp_wake(soc, plane, soc->st->now + ps->flight_links + (to->queue ? 1 : p->nflits));
	return true;
}

/* Number of flits that have passed a point by a cycle; the first one passes in cycle first. */
static uint32_t passed(const struct esp_packet *p, uint64_t cycle, uint64_t first)
{
	if (cycle < first)
		return 0;
	return cycle - first + 1 < p->nflits ? cycle - first + 1 : p->nflits;
}

/* Adds all counts up to the end of a cycle, and puts flits under way into their places. */
static void flight_place(struct esp_soc *soc, unsigned int plane, uint64_t cycle)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	struct esp_packet *p = &soc->packet[ps->flight];
	const struct esp_receiver *to = &soc->receiver[plane * soc->ntiles + p->dst];
	uint64_t from = ps->flight_from, j;
	struct hop h = first_hop(soc, p);

	p->sent = passed(p, cycle, from);
	p->not_before = from + p->sent - 1;
	esp_noc_injects(soc, plane, p->src, (struct esp_flits){ p->sent, p->sent != 0, p->sent == p->nflits });
	esp_noc_occupies(soc, plane, p->src, ESP_LOCAL, p->sent);
	for (j = 0; from + j <= cycle; j++) {
		uint32_t entered = passed(p, cycle, from + j);
		uint32_t left = passed(p, cycle, from + j + 1);

		esp_noc_granted(soc, plane, h.tile, h.in, h.out, entered < p->nflits);
		esp_noc_occupies(soc, plane, h.tile, h.out, left);
		if (entered > left)
			esp_noc_put(soc, plane, h.tile, h.out,
				    ps->flight << 2 | (left ? 0 : ESP_FLIT_HEAD) |
				    (entered == p->nflits ? ESP_FLIT_TAIL : 0));
		if (h.out == ESP_LOCAL) {
			esp_noc_ejects(soc, plane, h.tile, (struct esp_flits){ left, left != 0, left == p->nflits });
			ps->delivered += left;
			p->got += left;
			if (to->queue && left)
				to->entry.kind->reads(soc, to->entry.number, left);
			break;
		}
		h = next_hop(soc, p, h);
	}
	if (p->sent == p->nflits)
		esp_noc_unlist(soc, plane, p->src);
}

bool esp_flight_step(struct esp_soc *soc, unsigned int plane)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	struct esp_packet *p = &soc->packet[ps->flight];
	const struct esp_receiver *to = &soc->receiver[plane * soc->ntiles + p->dst];
	uint64_t now = soc->st->now, arrival = ps->flight_from + ps->flight_links + p->nflits;

	if (now < arrival) {
		if (to->entry.kind->reads(soc, to->entry.number, 0)) {
			esp_wake(soc, plane, arrival);
			return true;
		}
		flight_place(soc, plane, now - 1);
		ps->flight = 0;
		return false;
	}
	flight_place(soc, plane, now);
	ps->flight = 0;
	to->entry.kind->receive(soc, to->entry.number, p);
	return true;
}

void esp_flight_end(struct esp_soc *soc, unsigned int plane)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	uint64_t cycle = soc->st->now;

	/* Within a cycle planes move in the order of their numbers, before the tiles. */
	if (soc->agenda.running < plane)
		cycle--;
	if (!ps->flight)
		return;
	flight_place(soc, plane, cycle);
	ps->flight = 0;
	esp_wake(soc, plane, cycle + 1);
}

void esp_flights_end(struct esp_soc *soc)
{
	unsigned int plane;

	for (plane = 0; plane < ESP_NPLANES; plane++)
		esp_flight_end(soc, plane);
}
