/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One router of the network: its arbiters, its place in the mesh, its packets. */
#ifndef ESP_ROUTER_H
#define ESP_ROUTER_H

#include "esp/internal.h"

/*
 * An arbiter's order: for each input five bits, the inputs that go before it. A granted input goes
 * after all others.
 */
#define ORDER_BITS	0x1fu
#define ORDER_ROW(order, in)	((order) >> ESP_NPORTS * (in) & ORDER_BITS)
#define ORDER_COLUMN(in)	(0x108421u << (in))
#define ORDER_AT_RESET		(1u << 5 | 3u << 10 | 7u << 15 | 15u << 20)

static inline unsigned int router_arbitrate(uint32_t *order, unsigned int requests)
{
	unsigned int in = 0, left;

	for (left = requests; left; left &= left - 1) {
		in = __builtin_ctz(left);
		if (!(ORDER_ROW(*order, in) & requests))
			break;
	}
	*order &= ~ORDER_COLUMN(in);
	*order |= (ORDER_BITS & ~(1u << in)) << ESP_NPORTS * in;
	return in;
}

static inline void router_set(uint64_t *map, unsigned int bit)
{
	map[bit / 64] |= (uint64_t)1 << bit % 64;
}

static inline void router_clear(uint64_t *map, unsigned int bit)
{
	map[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

/* The tile behind a port. */
static inline unsigned int esp_noc_neighbour(const struct esp_soc *soc, unsigned int tile,
					     unsigned int port)
{
	switch (port) {
	case ESP_NORTH:
		return tile - soc->design.cols;
	case ESP_SOUTH:
		return tile + soc->design.cols;
	case ESP_WEST:
		return tile - 1;
	default:
		return tile + 1;
	}
}

static inline unsigned int esp_noc_opposite(unsigned int port)
{
	static const uint8_t opposite[] = { ESP_SOUTH, ESP_NORTH, ESP_EAST, ESP_WEST };

	return opposite[port];
}

/* A packet has left its tile. */
static inline void esp_noc_unlist(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	struct esp_packet *p = &soc->packet[r->first];

	r->first = p->next;
	if (!r->first) {
		r->last = 0;
		router_clear(soc->st->plane[plane].sending, tile);
	}
	p->next = 0;
}

/* A packet was granted an output; it holds the output until its tail, unless it has only one flit. */
static inline void esp_noc_granted(struct esp_soc *soc, unsigned int plane, unsigned int tile,
				   unsigned int in, unsigned int out, bool holds)
{
	struct esp_router *r = esp_router(soc, plane, tile);

	router_arbitrate(&r->order[out], 1u << in);
	r->way[in] = 1u << out;
	if (holds)
		r->locks |= 1u << out;
}

/* A flit is in an output register. */
static inline void esp_noc_put(struct esp_soc *soc, unsigned int plane, unsigned int tile,
			       unsigned int out, uint32_t flit)
{
	struct esp_router *r = esp_router(soc, plane, tile);

	r->out[out] = flit;
	r->outs |= 1u << out;
	router_set(soc->st->plane[plane].busy, tile);
}

/* Does a plane have the multicast router, which takes two cycles for a head? */
static inline bool esp_noc_multicasts(const struct esp_soc *soc, unsigned int plane)
{
	return soc->design.multicast && (plane == ESP_PL_DMA4 || plane == ESP_PL_DMA6);
}

#endif
