/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Network on chip: six planes of a mesh, flit by flit.
 *
 * A router has an input FIFO and an output register a port. Routing is dimension order, X first, a
 * packet holds an output from head to tail (wormhole), and without contention a flit moves one hop
 * a cycle: it leaves the output register of one router and reaches that of the next in the same
 * cycle. A full FIFO holds the flit in the register before it; that is when an occupied link
 * stalls.
 *
 * What the monitors count (esp_tile_csr.vhd, router): NOC_INJECT a flit taken from the tile,
 * NOC_QUEUE of north, south, west, east a cycle in which the output register is valid, NOC_QUEUE of
 * local a cycle in which a flit goes to the tile or comes from it.
 */
#include "esp/internal.h"

#include <string.h>

void esp_noc_reset(struct esp_soc *soc)
{
	unsigned int i;

	/* Packet 0 is the end of all lists. */
	for (i = 1; i < soc->npackets; i++)
		soc->packet[i].next = i + 1 < soc->npackets ? i + 1 : 0;
	soc->st->free_packet = 1;
}

struct esp_packet *esp_noc_packet(struct esp_soc *soc, unsigned int plane, enum esp_message type,
				  unsigned int src, unsigned int dst, uint32_t nflits)
{
	uint32_t index = soc->st->free_packet;
	struct esp_packet *p = &soc->packet[index];

	/*
	 * The pool is larger than all agents together can fill. Should it run dry nevertheless,
	 * packet 0 takes the message and loses it: a wrong count is better than a dead emulator.
	 */
	soc->st->free_packet = p->next;
	memset(p, 0, sizeof(*p));
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

static void set(uint64_t *map, unsigned int bit)
{
	map[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void clear(uint64_t *map, unsigned int bit)
{
	map[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

void esp_noc_send(struct esp_soc *soc, struct esp_packet *p, uint32_t ready, unsigned int latency)
{
	struct esp_router *r = esp_router(soc, p->plane, p->src);
	uint32_t index = esp_packet_index(soc, p);

	if (!index) {
		esp_guest_error(soc, "network packets exhausted, one is lost");
		return;
	}
	p->ready = ready;
	p->not_before = soc->st->now + 1 + latency;
	p->next = 0;
	if (r->last)
		soc->packet[r->last].next = index;
	else
		r->first = index;
	r->last = index;
	set(soc->st->plane[p->plane].sending, p->src);
	esp_wake(soc, p->plane, p->not_before);
}

void esp_noc_more(struct esp_soc *soc, struct esp_packet *p, uint32_t flits)
{
	p->ready += flits;
	esp_wake(soc, p->plane,
		 soc->st->now + 1 > p->not_before ? soc->st->now + 1 : p->not_before);
}

uint32_t esp_noc_peek(const struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	const struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;

	return rx->count ? rx->flit[rx->head] : 0;
}

void esp_noc_pop(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;

	rx->head = (rx->head + 1) % ESP_TILE_QUEUE;
	rx->count--;
	soc->st->plane[plane].delivered++;
}

static uint32_t *fifo(const struct esp_soc *soc, unsigned int plane, unsigned int tile,
		      unsigned int port)
{
	return soc->fifo +
	       (size_t)((plane * soc->ntiles + tile) * ESP_NPORTS + port) * soc->fifo_depth;
}

static unsigned int depth(const struct esp_soc *soc, unsigned int plane)
{
	return plane == ESP_PL_DMA4 || plane == ESP_PL_DMA6 ? soc->design.queue_size : 4;
}

static void push(struct esp_soc *soc, unsigned int plane, unsigned int tile, unsigned int port,
		 uint32_t flit)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	unsigned int at = r->head[port] + r->count[port];

	fifo(soc, plane, tile, port)[at >= soc->fifo_depth ? at - soc->fifo_depth : at] = flit;
	r->count[port]++;
	r->flits++;
	set(soc->st->plane[plane].busy, tile);
}

unsigned int esp_noc_route(const struct esp_soc *soc, unsigned int tile, unsigned int dst)
{
	unsigned int cols = soc->design.cols;

	if (dst % cols != tile % cols)
		return dst % cols > tile % cols ? ESP_EAST : ESP_WEST;
	if (dst / cols != tile / cols)
		return dst / cols > tile / cols ? ESP_SOUTH : ESP_NORTH;
	return ESP_LOCAL;
}

unsigned int esp_noc_neighbour(const struct esp_soc *soc, unsigned int tile, unsigned int port)
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

static const uint8_t opposite[] = { ESP_SOUTH, ESP_NORTH, ESP_EAST, ESP_WEST };

/* The tile hands one flit to its router. */
static void inject(struct esp_soc *soc, unsigned int plane, unsigned int tile, uint64_t *next)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	struct esp_packet *p = &soc->packet[r->first];
	uint32_t flit;

	if (p->not_before > soc->st->now) {
		if (p->not_before < *next)
			*next = p->not_before;
		return;
	}
	if (p->sent == p->ready)
		return;		/* esp_noc_more() wakes the plane */
	*next = soc->st->now + 1;
	if (r->count[ESP_LOCAL] >= depth(soc, plane))
		return;
	flit = r->first << 2;
	if (!p->sent)
		flit |= ESP_FLIT_HEAD;
	p->sent++;
	if (p->sent == p->nflits)
		flit |= ESP_FLIT_TAIL;
	push(soc, plane, tile, ESP_LOCAL, flit);
	soc->st->plane[plane].injected++;
	esp_count(soc, tile, ESP_MON_NOC_INJECT(plane), 1);
	if (!r->out[ESP_LOCAL])
		esp_count(soc, tile, ESP_MON_NOC_QUEUE(plane, ESP_LOCAL), 1);
	if (!(flit & ESP_FLIT_TAIL))
		return;
	r->first = p->next;
	if (!r->first) {
		r->last = 0;
		clear(soc->st->plane[plane].sending, tile);
	}
	p->next = 0;
	if (p->notify)
		esp_dma_sent(soc, soc->design.tiles[tile].id, p);
}

/* The local output register hands its flit to the tile; false if the tile has no room. */
static bool eject(struct esp_soc *soc, unsigned int plane, unsigned int tile, uint32_t flit)
{
	struct esp_packet *p = &soc->packet[ESP_FLIT_PACKET(flit)];

	if (esp_tile_queues(soc, plane, tile)) {
		struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;

		if (rx->count == ESP_TILE_QUEUE)
			return false;
		rx->flit[(rx->head + rx->count) % ESP_TILE_QUEUE] = flit;
		rx->count++;
		esp_wake(soc, ESP_AGENT(tile, plane == ESP_PL_DMA6 ? ESP_AG_MEM : ESP_AG_LLC),
			 soc->st->now);
		return true;
	}
	soc->st->plane[plane].delivered++;
	p->got++;
	if (flit & ESP_FLIT_TAIL)
		esp_tile_receive(soc, tile, p);
	return true;
}

/* Output registers to the FIFOs of the next routers and to the tile. */
static void links(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	unsigned int port;

	for (port = 0; port < ESP_NPORTS; port++) {
		uint32_t flit = r->out[port];

		if (!flit)
			continue;
		esp_count(soc, tile, ESP_MON_NOC_QUEUE(plane, port), 1);
		if (port == ESP_LOCAL) {
			if (!eject(soc, plane, tile, flit))
				continue;
		} else {
			unsigned int to = esp_noc_neighbour(soc, tile, port);

			if (esp_router(soc, plane, to)->count[opposite[port]] >= depth(soc, plane))
				continue;
			push(soc, plane, to, opposite[port], flit);
		}
		r->out[port] = 0;
		r->flits--;
	}
}

/* Input FIFOs to the output registers that are free. */
static void crossbar(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	uint32_t head[ESP_NPORTS];
	unsigned int in, out, i;

	for (in = 0; in < ESP_NPORTS; in++)
		head[in] = r->count[in] ? fifo(soc, plane, tile, in)[r->head[in]] : 0;
	for (in = 0, i = 0; in < ESP_NPORTS; in++) {
		if (!head[in])
			continue;
		/* Wanted outputs, as a mask in i: only these are looked at below. */
		if (head[in] & ESP_FLIT_HEAD) {
			i |= 1u << esp_noc_route(soc, tile, soc->packet[ESP_FLIT_PACKET(head[in])].dst);
			continue;
		}
		for (out = 0; out < ESP_NPORTS; out++)
			i |= r->lock[out] == in + 1 ? 1u << out : 0;
	}
	for (out = 0; out < ESP_NPORTS; out++) {
		unsigned int k, from = ESP_NPORTS;

		if (!(i & 1u << out) || r->out[out])
			continue;
		if (r->lock[out]) {
			from = r->lock[out] - 1;
			if (!head[from])
				continue;
		} else {
			for (k = 0; k < ESP_NPORTS && from == ESP_NPORTS; k++) {
				in = (r->turn[out] + k) % ESP_NPORTS;
				if (head[in] & ESP_FLIT_HEAD &&
				    esp_noc_route(soc, tile,
						  soc->packet[ESP_FLIT_PACKET(head[in])].dst) == out)
					from = in;
			}
			if (from == ESP_NPORTS)
				continue;
			r->turn[out] = (from + 1) % ESP_NPORTS;
		}
		r->out[out] = head[from];
		r->lock[out] = head[from] & ESP_FLIT_TAIL ? 0 : from + 1;
		if (++r->head[from] == soc->fifo_depth)
			r->head[from] = 0;
		r->count[from]--;
		head[from] = 0;
	}
}

#define FOR_EACH_BIT(map, tile)                                                                    \
	for (unsigned int w_ = 0; w_ < ESP_BITMAP; w_++)                                           \
		for (uint64_t bits_ = (map)[w_];                                                   \
		     bits_ && (tile = w_ * 64 + __builtin_ctzll(bits_), 1); bits_ &= bits_ - 1)

void esp_noc_step(struct esp_soc *soc, unsigned int plane)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	uint64_t before[ESP_BITMAP], next = ESP_NEVER;
	unsigned int tile;

	memcpy(before, ps->busy, sizeof(before));
	FOR_EACH_BIT(ps->sending, tile)
		inject(soc, plane, tile, &next);
	FOR_EACH_BIT(before, tile)
		links(soc, plane, tile);
	FOR_EACH_BIT(ps->busy, tile) {
		if (!esp_router(soc, plane, tile)->flits) {
			clear(ps->busy, tile);
			continue;
		}
		crossbar(soc, plane, tile);
		next = soc->st->now + 1;
	}
	if (next != ESP_NEVER)
		esp_wake(soc, plane, next);
}
