/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Network on chip: six planes of a mesh, flit by flit (lookahead_router.sv, router_arbiter.sv).
 *
 * A router has an input FIFO and an output register a port. Routing is dimension order, X first, a
 * packet holds an output from head to tail (wormhole), and without contention a flit moves one hop
 * a cycle: it leaves the output register of one router and reaches that of the next in the same
 * cycle.
 *
 * A FIFO that is full at the beginning of a cycle stops the register before it: what is in it
 * stays, and an empty one stays empty. A tile's queue stops it only while there is something in it.
 * A free output goes to the input that has been granted it
 * least recently; at first the order is north, south, west, east, local.
 */
#include "esp/router.h"

#include <stdlib.h>

static unsigned int dimension_order(unsigned int cols, unsigned int tile, unsigned int dst)
{
	if (dst % cols != tile % cols)
		return dst % cols > tile % cols ? ESP_EAST : ESP_WEST;
	if (dst / cols != tile / cols)
		return dst / cols > tile / cols ? ESP_SOUTH : ESP_NORTH;
	return ESP_LOCAL;
}

bool esp_noc_new(struct esp_soc *soc)
{
	unsigned int tile, dst;

	soc->route = malloc((size_t)soc->ntiles * soc->ntiles);
	if (!soc->route)
		return false;
	for (tile = 0; tile < soc->ntiles; tile++) {
		for (dst = 0; dst < soc->ntiles; dst++)
			soc->route[tile * soc->ntiles + dst] =
				dimension_order(soc->design.cols, tile, dst);
	}
	return true;
}

void esp_noc_reset(struct esp_soc *soc)
{
	unsigned int i;

	/* Packet 0 is the end of all lists. */
	for (i = 1; i < soc->npackets; i++)
		soc->packet[i].next = i + 1 < soc->npackets ? i + 1 : 0;
	soc->st->free_packet = 1;
	for (i = 0; i < ESP_NPLANES * soc->ntiles; i++) {
		unsigned int port;

		for (port = 0; port < ESP_NPORTS; port++)
			soc->router[i].order[port] = ORDER_AT_RESET;
		soc->router[i].fork_order = ORDER_AT_RESET;
	}
}

/* Flits of this cycle and of those before it that the other side of an asynchronous FIFO has not seen leave. */
static unsigned int unseen(const struct esp_recent *r, uint64_t now)
{
	return now - r->last < ESP_T_FIFO ? __builtin_popcount(r->bits << (now - r->last) & ((1u << ESP_T_FIFO) - 1)) : 0;
}

static void note(struct esp_recent *r, uint64_t now)
{
	r->bits = (now - r->last < 32 ? r->bits << (now - r->last) : 0) | 1;
	r->last = now;
}

unsigned int esp_noc_queued(const struct esp_soc *soc, unsigned int plane, unsigned int tile, bool late)
{
	const struct esp_router *r = esp_router(soc, plane, tile);
	unsigned int n = late ? unseen(&r->injected, soc->st->now) : 0;
	uint32_t index;

	for (index = r->first; index; index = soc->packet[index].next)
		n += soc->packet[index].ready - soc->packet[index].sent;
	return n;
}

void esp_noc_pop(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;

	if (plane == ESP_PL_DMA6)
		rx->from[rx->head] = soc->st->now + ESP_T_FIFO;
	if (++rx->head == ESP_RX_MAX)
		rx->head = 0;
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

static inline void noc_push(struct esp_soc *soc, unsigned int plane, unsigned int tile,
			    unsigned int port, uint32_t flit)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	unsigned int at = r->head[port] + r->count[port];

	fifo(soc, plane, tile, port)[at >= soc->fifo_depth ? at - soc->fifo_depth : at] = flit;
	r->count[port]++;
	r->ins |= 1u << port;
	router_set(soc->st->plane[plane].busy, tile);
}

static const struct esp_receiver *receiver(const struct esp_soc *soc, unsigned int plane,
					   unsigned int tile)
{
	return &soc->receiver[plane * soc->ntiles + tile];
}

/* Tells the sender of a tile's last packet when the tile's send queue has a place for the tail. */
void esp_noc_tell(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_packet *p = &soc->packet[esp_router(soc, plane, tile)->last];
	const struct esp_agent_entry *from = &receiver(soc, plane, tile)->entry;

	if (esp_noc_queued(soc, plane, tile, false) > ESP_SOCKET_QUEUE)
		return;
	from->kind->sent(soc, from->number, p);
	p->notify = 0;
}

/* The cycle of the next flit of a packet whose sender gives data at its own pace, which its queue takes. */
static uint64_t next_due(const struct esp_soc *soc, struct esp_packet *p)
{
	uint64_t now = soc->st->now * ESP_PACE_ONE, queued = (ESP_SOCKET_QUEUE - 1) * (uint64_t)p->pace;

	if (p->sent < p->heads)
		return soc->st->now;
	if (p->sent > p->heads)
		p->due += p->pace;
	if (p->due + queued < now)
		p->due = now - queued;
	return p->due / ESP_PACE_ONE;
}

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
	p->not_before = p->pace ? next_due(soc, p) : soc->st->now;
	if (p->sent == p->nflits)
		flit |= ESP_FLIT_TAIL;
	if (p->type == ESP_MSG_DMA_DATA)
		note(&r->injected, soc->st->now);
	noc_push(soc, plane, tile, ESP_LOCAL, flit);
	esp_noc_injects(soc, plane, tile, (struct esp_flits){ 1, p->sent == 1, p->sent == p->nflits });
	if (!(r->outs & 1u << ESP_LOCAL))
		esp_noc_occupies(soc, plane, tile, ESP_LOCAL, 1);
	if (p->nflits - p->sent <= ESP_SOCKET_QUEUE && soc->packet[r->last].notify)
		esp_noc_tell(soc, plane, tile);
	if (!(flit & ESP_FLIT_TAIL))
		return;
	esp_noc_unlist(soc, plane, tile);
}

void esp_noc_drop(struct esp_soc *soc, unsigned int number, struct esp_packet *p)
{
	(void)number;
	esp_noc_free(soc, p);
}

/* The local output register hands its flit to the tile; false if the tile has no room. */
static bool eject(struct esp_soc *soc, unsigned int plane, unsigned int tile, uint32_t flit)
{
	const struct esp_receiver *to = receiver(soc, plane, tile);
	struct esp_packet *p = &soc->packet[ESP_FLIT_PACKET(flit)];

	if (to->queue) {
		struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;
		bool late = plane == ESP_PL_DMA6;
		unsigned int place = (rx->head + rx->count) % ESP_RX_MAX;

		if (rx->count == esp_rx_depth(plane) || (late && rx->from[place] > soc->st->now))
			return false;
		rx->flit[place] = flit;
		if (late)
			rx->from[place] = soc->st->now + ESP_T_FIFO;
		rx->count++;
		/* while there are flits, the proxy looks in each cycle */
		if (!late || rx->count == 1)
			esp_wake(soc, to->queue, soc->st->now + (late ? ESP_T_FIFO : 0));
		return true;
	}
	if ((flit & ESP_FLIT_TAIL || esp_router(soc, plane, tile)->slow) && to->entry.kind->takes &&
	    !to->entry.kind->takes(soc, to->entry.number, p, flit & ESP_FLIT_HEAD))
		return false;
	soc->st->plane[plane].delivered++;
	if (!p->more)
		p->got++;
	if (flit & ESP_FLIT_TAIL)
		to->entry.kind->receive(soc, to->entry.number, p);
	return true;
}

/* Output registers to the FIFOs of the next routers and to the tile. */
static void links(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	unsigned int left;

	r->read = r->sent = 0;
	for (left = r->outs; left; left &= left - 1) {
		unsigned int port = __builtin_ctz(left);

		esp_noc_occupies(soc, plane, tile, port, 1);
		if (port == ESP_LOCAL) {
			uint32_t flit = r->out[port];

			if (!eject(soc, plane, tile, flit))
				continue;
			esp_noc_ejects(soc, plane, tile,
				       (struct esp_flits){ 1, !!(flit & ESP_FLIT_HEAD), !!(flit & ESP_FLIT_TAIL) });
		} else {
			unsigned int to = esp_noc_neighbour(soc, tile, port);

			if (esp_router(soc, plane, to)->count[esp_noc_opposite(port)] >= depth(soc, plane))
				continue;
			noc_push(soc, plane, to, esp_noc_opposite(port), r->out[port]);
		}
		r->sent |= 1u << port;
	}
	r->outs &= ~r->sent;
}

/* Has the FIFO or tile after an output register room for one more flit? */
static bool noc_has_room(const struct esp_soc *soc, unsigned int plane, unsigned int tile,
			 unsigned int port)
{
	const struct esp_router *next;
	unsigned int in;

	/* A tile's full queue stops a register that holds a flit only (sync_noc_xy.vhd:197). */
	if (port == ESP_LOCAL)
		return true;
	in = esp_noc_opposite(port);
	next = esp_router(soc, plane, esp_noc_neighbour(soc, tile, port));
	return next->count[in] + (next->read >> in & 1u) < depth(soc, plane);
}

/*
 * Can these output registers take a flit? They can if they are empty and nothing stops them. A
 * packet's flits take all of its outputs in the same cycle, or none.
 */
static inline bool can_load(const struct esp_soc *soc, unsigned int plane, unsigned int tile,
			    const struct esp_router *r, unsigned int outs)
{
	if (r->outs & outs)
		return false;
	/* What follows those that were sent had room in this cycle. */
	for (outs &= ~r->sent; outs; outs &= outs - 1)
		if (!noc_has_room(soc, plane, tile, __builtin_ctz(outs)))
			return false;
	return true;
}

/* The flit at the head of an input FIFO to its output registers. */
static inline void noc_load(struct esp_soc *soc, struct esp_router *r, unsigned int in,
			    unsigned int outs, uint32_t flit)
{
	unsigned int left;

	r->out[__builtin_ctz(outs)] = flit;
	for (left = outs & (outs - 1); left; left &= left - 1)
		r->out[__builtin_ctz(left)] = flit;
	r->outs |= outs;
	r->way[in] = outs;
	if (flit & ESP_FLIT_TAIL)
		r->locks &= ~outs;
	else
		r->locks |= outs;
	if (++r->head[in] == soc->fifo_depth)
		r->head[in] = 0;
	r->read |= 1u << in;
	if (!--r->count[in])
		r->ins &= ~(1u << in);
}

static bool between(unsigned int a, unsigned int b, unsigned int at)
{
	return a <= b ? a <= at && at <= b : b <= at && at <= a;
}

/* Is a tile on the way from src to dst, first along the row, then along the column? */
static bool on_way(const struct esp_soc *soc, unsigned int tile, unsigned int src, unsigned int dst)
{
	unsigned int cols = soc->design.cols, x = tile % cols, y = tile / cols;

	return y == src / cols ? between(src % cols, dst % cols, x) :
	       x == dst % cols && between(src / cols, dst / cols, y);
}

static unsigned int output_to(const struct esp_soc *soc, unsigned int tile,
			      const struct esp_packet *p, unsigned int dst)
{
	return on_way(soc, tile, p->src, dst) ? 1u << esp_noc_route(soc, tile, dst) : 0;
}

/* A multicast is one packet, which forks where the routes to its destinations part. */
static unsigned int noc_branches(const struct esp_soc *soc, unsigned int tile,
				 const struct esp_packet *p)
{
	unsigned int outs = output_to(soc, tile, p, p->dst), i;

	for (i = 0; i < p->more; i++)
		outs |= output_to(soc, tile, p, p->dsts[i]);
	return outs;
}

/* Input FIFOs to the output registers that may be loaded. */
static void crossbar(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	uint32_t head[ESP_NPORTS];
	uint8_t requests[ESP_NPORTS] = { 0 };
	unsigned int wanted = 0, left, in, out;

	for (left = r->ins; left; left &= left - 1) {
		in = __builtin_ctz(left);
		head[in] = fifo(soc, plane, tile, in)[r->head[in]];
		if (head[in] & ESP_FLIT_HEAD) {
			out = esp_noc_route(soc, tile,
					    soc->packet[ESP_FLIT_PACKET(head[in])].dst);
			requests[out] |= 1u << in;
			wanted |= 1u << out;
		} else if (can_load(soc, plane, tile, r, r->way[in])) {
			noc_load(soc, r, in, r->way[in], head[in]);
		}
	}
	for (left = wanted & ~r->locks; left; left &= left - 1) {
		out = __builtin_ctz(left);
		if (!can_load(soc, plane, tile, r, 1u << out))
			continue;
		in = router_arbitrate(&r->order[out], requests[out]);
		noc_load(soc, r, in, 1u << out, head[in]);
	}
}

/* The outputs that the heads of a router's FIFOs want and that are not stopped. */
struct requests {
	uint32_t flit[ESP_NPORTS];	/* of an input */
	uint8_t outs[ESP_NPORTS];
	uint8_t requests[ESP_NPORTS];	/* inputs that may have it, by output */
	uint8_t granted;		/* of the forks that compete the input of the one that may, plus 1 */
};

static void add_request(struct requests *w, unsigned int in)
{
	unsigned int left;

	for (left = w->outs[in]; left; left &= left - 1)
		w->requests[__builtin_ctz(left)] |= 1u << in;
}

/* A fork needs all of its outputs free, and gives way to packets that want only one of them. */
static bool may_fork(const struct esp_router *r, const struct requests *w, unsigned int in)
{
	unsigned int left, out;

	for (left = w->outs[in]; left; left &= left - 1) {
		out = __builtin_ctz(left);
		if (w->requests[out] || r->locks & 1u << out ||
			(r->reserved & 1u << out && r->reserved_for[out] != in))
			return false;
	}
	return true;
}

/*
 * Forks that share an output compete (router_mcast_arbiter.sv): one of them is granted, the one that was least
 * recently, and then none in this router until its tail is at the head of its FIFO.
 */
static void add_forks(struct esp_router *r, struct requests *w, unsigned int forks)
{
	unsigned int once = 0, twice = 0, compete = 0, left, in;

	for (left = forks; left; left &= left - 1) {
		in = __builtin_ctz(left);
		if (!may_fork(r, w, in)) {
			forks &= ~(1u << in);
			continue;
		}
		twice |= once & w->outs[in];
		once |= w->outs[in];
	}
	for (left = forks; left; left &= left - 1) {
		in = __builtin_ctz(left);
		if (w->outs[in] & twice)
			compete |= 1u << in;
		else
			add_request(w, in);
	}
	if (!compete || r->fork)
		return;
	in = router_arbitrate(&r->fork_order, compete);
	add_request(w, in);
	w->granted = in + 1;
}

static struct requests requests_of(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	struct requests w = { 0 };
	unsigned int left, in, forks = 0;

	for (left = r->ins; left; left &= left - 1) {
		unsigned int outs;

		in = __builtin_ctz(left);
		w.flit[in] = fifo(soc, plane, tile, in)[r->head[in]];
		if (!(w.flit[in] & ESP_FLIT_HEAD))
			continue;
		outs = noc_branches(soc, tile, &soc->packet[ESP_FLIT_PACKET(w.flit[in])]);
		if (!can_load(soc, plane, tile, r, outs))
			continue;
		w.outs[in] = outs;
		if (outs & (outs - 1))
			forks |= 1u << in;
		else
			add_request(&w, in);
	}
	add_forks(r, &w, forks);
	return w;
}

/* The outputs that were reserved for an input get its head, or become free: false. */
static bool send_head(struct esp_soc *soc, unsigned int plane, unsigned int tile, unsigned int in,
		      unsigned int outs, const struct requests *w)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	bool load = can_load(soc, plane, tile, r, outs);
	unsigned int left;

	r->reserved &= ~outs;
	for (left = outs; left; left &= left - 1) {
		unsigned int out = __builtin_ctz(left);

		if (!load)
			r->order[out] = ORDER_AT_RESET;
		else if (w->requests[out])
			router_arbitrate(&r->order[out], w->requests[out]);
	}
	if (load)
		noc_load(soc, r, in, outs, w->flit[in]);
	return load;
}

/* The lock of the arbiter of forks at the end of a cycle. */
static void lock_forks(struct esp_router *r, const struct requests *w, bool freed, unsigned int ins)
{
	unsigned int in = r->fork - 1u;

	if (freed || (r->fork && ins & 1u << in && w->flit[in] & ESP_FLIT_TAIL))
		r->fork = 0;
	else if (w->granted)
		r->fork = w->granted;
}

/*
 * Planes 4 and 6 of a design with multicasts (lookahead_router_multicast.sv). A free output is
 * reserved in one cycle and gets the head in the next one. If it is stopped in that cycle, it is
 * free again and its arbiter is reset. The arbiter's order depends on the requests of the head's
 * cycle.
 */
static void multicast_crossbar(struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	struct esp_router *r = esp_router(soc, plane, tile);
	const struct requests w = requests_of(soc, plane, tile);
	unsigned int busy = r->locks | r->reserved, ins = r->ins, left, in, out;
	bool freed = false;

	for (in = 0; in < ESP_NPORTS; in++) {
		unsigned int outs = 0;

		for (left = r->reserved; left; left &= left - 1) {
			out = __builtin_ctz(left);
			if (r->reserved_for[out] == in)
				outs |= 1u << out;
		}
		if (outs)
			freed |= !send_head(soc, plane, tile, in, outs, &w);
		else if (r->ins & 1u << in && !(w.flit[in] & ESP_FLIT_HEAD) &&
			 can_load(soc, plane, tile, r, r->way[in]))
			noc_load(soc, r, in, r->way[in], w.flit[in]);
	}
	for (out = 0; out < ESP_NPORTS; out++) {
		uint32_t order = r->order[out];

		if (busy & 1u << out || !w.requests[out])
			continue;
		r->reserved |= 1u << out;
		r->reserved_for[out] = router_arbitrate(&order, w.requests[out]);
	}
	lock_forks(r, &w, freed, ins);
}

#define FOR_EACH_BIT(soc, map, tile)                                                               \
	for (unsigned int w_ = 0; w_ < (soc)->bitmap_words; w_++)                                  \
		for (uint64_t bits_ = (map)[w_];                                                   \
		     bits_ && (tile = w_ * 64 + __builtin_ctzll(bits_), 1); bits_ &= bits_ - 1)

/* The only tile that sends on a plane where nothing is under way; -1 if there is no such tile. */
static int only_sender(const struct esp_soc *soc, const struct esp_plane_state *ps)
{
	unsigned int w;
	int tile = -1;

	for (w = 0; w < soc->bitmap_words; w++) {
		if (ps->busy[w] || ps->sending[w] & (ps->sending[w] - 1) ||
		    (ps->sending[w] && tile >= 0))
			return -1;
		if (ps->sending[w])
			tile = w * 64 + __builtin_ctzll(ps->sending[w]);
	}
	return tile;
}

void esp_noc_step(struct esp_soc *soc, unsigned int plane)
{
	struct esp_plane_state *ps = &soc->st->plane[plane];
	bool multicasts = esp_noc_multicasts(soc, plane);
	uint64_t next = ESP_NEVER;
	unsigned int tile;
	int only;

	if (ps->flight && esp_flight_step(soc, plane))
		return;
	only = only_sender(soc, ps);
	if (only >= 0 && esp_flight_begin(soc, plane, only))
		return;

	FOR_EACH_BIT(soc, ps->sending, tile) {
		inject(soc, plane, tile, &next);
	}
	FOR_EACH_BIT(soc, ps->busy, tile) {
		links(soc, plane, tile);
	}
	FOR_EACH_BIT(soc, ps->busy, tile) {
		struct esp_router *r = esp_router(soc, plane, tile);

		if (!(r->ins | r->outs)) {
			r->read = r->sent = 0;
			router_clear(ps->busy, tile);
			continue;
		}
		if (multicasts)
			multicast_crossbar(soc, plane, tile);
		else
			crossbar(soc, plane, tile);
		next = soc->st->now + 1;
	}
	if (next != ESP_NEVER)
		esp_wake(soc, plane, next);
}
