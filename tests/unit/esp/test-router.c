/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Routers under heavy load, compared in each cycle with a plain one that follows the rules of
 * lookahead_router.sv and router_arbiter.sv:
 *
 * - a FIFO that is full at the beginning of a cycle stops the output register before it: a flit in
 *   it stays, an empty one stays empty;
 * - otherwise the register's flit moves on, and the register takes the next flit, of the packet
 *   that holds the output, or a head that is granted;
 * - an output is granted to the input that was granted least recently; the order at reset is north,
 *   south, west, east, local;
 * - a flit that enters an empty FIFO may leave it in the same cycle.
 *
 * Another plain one follows lookahead_router_multicast.sv, the router of planes 4 and 6 in a design
 * with multicasts; packets have one destination here:
 *
 * - a free output is reserved for an input in one cycle, if it is not stopped, and gets the head in
 *   the next one; the order is updated then, with the requests of that cycle;
 * - if it is stopped then, it is free again and the order is that of reset.
 *
 * ESP_ROUTER_CYCLES sets the cycles of heavy load; of light load there are twice as many.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <stdio.h>

#include "esp/internal.h"

#define PLANE	ESP_PL_DMA4	/* has CONFIG_QUEUE_SIZE, and these tiles drop what arrives */
#define MAX	16		/* tiles */
#define PENDING	64		/* packets that a tile may have before it */

static struct bench b;
static uint32_t seed;
static unsigned int cycles = 20000;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint64_t)(seed >> 8) * below >> 24;
}

struct flit {
	bool head, tail;
	unsigned int dst;
};

struct plain_fifo {
	struct flit flit[16];
	unsigned int n;
};

struct plain_router {
	struct plain_fifo in[ESP_NPORTS];
	struct flit out[ESP_NPORTS];
	bool valid[ESP_NPORTS];
	int held_by[ESP_NPORTS];		/* input, -1: free */
	bool reserved[ESP_NPORTS];		/* reserved for held_by: its head has not been sent */
	long granted[ESP_NPORTS][ESP_NPORTS];	/* [output][input]: when last */
	/* the tile's packets */
	struct flit send[PENDING];
	unsigned int left[PENDING], packets;	/* flits that are not sent of each */
	unsigned int link[ESP_NPORTS], injected;
};

static struct plain_router plain[MAX];
static unsigned int rows, cols, depth;
static bool multicasts;
static long clock_now;

static void plain_reset(void)
{
	unsigned int t, out, in;

	memset(plain, 0, sizeof(plain));
	clock_now = 0;
	for (t = 0; t < MAX; t++) {
		for (out = 0; out < ESP_NPORTS; out++) {
			plain[t].held_by[out] = -1;
			for (in = 0; in < ESP_NPORTS; in++)
				plain[t].granted[out][in] = (long)in - ESP_NPORTS;
		}
	}
}

/* Back to the order of reset: all grants are older than any that follows. */
static void plain_reset_order(struct plain_router *r, unsigned int out)
{
	unsigned int in;

	for (in = 0; in < ESP_NPORTS; in++)
		r->granted[out][in] = (long)in - ESP_NPORTS;
}

static unsigned int plain_route(unsigned int t, unsigned int dst)
{
	if (t % cols < dst % cols)
		return ESP_EAST;
	if (t % cols > dst % cols)
		return ESP_WEST;
	return t < dst ? ESP_SOUTH : t > dst ? ESP_NORTH : ESP_LOCAL;
}

/* The FIFO behind an output; NULL: the tile, which takes all. */
static struct plain_fifo *behind(unsigned int t, unsigned int out)
{
	switch (out) {
	case ESP_NORTH:
		return &plain[t - cols].in[ESP_SOUTH];
	case ESP_SOUTH:
		return &plain[t + cols].in[ESP_NORTH];
	case ESP_WEST:
		return &plain[t - 1].in[ESP_EAST];
	case ESP_EAST:
		return &plain[t + 1].in[ESP_WEST];
	default:
		return NULL;
	}
}

static bool exists(unsigned int t, unsigned int out)
{
	switch (out) {
	case ESP_NORTH:
		return t >= cols;
	case ESP_SOUTH:
		return t + cols < rows * cols;
	case ESP_WEST:
		return t % cols > 0;
	case ESP_EAST:
		return t % cols + 1 < cols;
	default:
		return true;
	}
}

static void shift(struct plain_fifo *f)
{
	memmove(f->flit, f->flit + 1, --f->n * sizeof(*f->flit));
}

static bool plain_inject(struct plain_router *r, bool stop)
{
	struct flit f;

	if (!r->packets || stop)
		return false;
	f = r->send[0];
	f.tail = r->left[0] == 1;
	r->send[0].head = false;
	r->in[ESP_LOCAL].flit[r->in[ESP_LOCAL].n++] = f;
	if (!--r->left[0]) {
		r->packets--;
		memmove(r->send, r->send + 1, r->packets * sizeof(*r->send));
		memmove(r->left, r->left + 1, r->packets * sizeof(*r->left));
	}
	r->injected++;
	return true;
}

/* The input whose head wants an output and was granted it least recently; -1: none. */
static int plain_arbiter(unsigned int t, unsigned int out, const bool *given)
{
	struct plain_router *r = &plain[t];
	int in, best = -1;

	for (in = 0; in < ESP_NPORTS; in++) {
		const struct plain_fifo *f = &r->in[in];

		if (f->n && !given[in] && f->flit[0].head &&
		    plain_route(t, f->flit[0].dst) == out &&
		    (best < 0 || r->granted[out][in] < r->granted[out][best]))
			best = in;
	}
	return best;
}

/* The input whose flit a free output register takes now; -1: none. An input gives one a cycle. */
static int plain_choose(unsigned int t, unsigned int out, const bool *given)
{
	struct plain_router *r = &plain[t];
	int best, holder = r->held_by[out];

	if (holder >= 0 && !r->reserved[out])
		return r->in[holder].n && !given[holder] ? holder : -1;
	best = plain_arbiter(t, out, given);
	if (multicasts && holder < 0) {
		r->held_by[out] = best;
		r->reserved[out] = best >= 0;
		return -1;
	}
	if (best >= 0)
		r->granted[out][best] = clock_now;
	r->reserved[out] = false;
	return multicasts ? holder : best;
}

/* An output that is stopped: what was reserved is free again. */
static void plain_stopped(struct plain_router *r, unsigned int out)
{
	if (!r->reserved[out])
		return;
	r->reserved[out] = false;
	r->held_by[out] = -1;
	plain_reset_order(r, out);
}

static void plain_cycle(void)
{
	bool stop[MAX][ESP_NPORTS];
	unsigned int t, out;

	for (t = 0; t < rows * cols; t++) {
		for (out = 0; out < ESP_NPORTS; out++)
			stop[t][out] = exists(t, out) && behind(t, out) &&
				       behind(t, out)->n == depth;
	}
	for (t = 0; t < rows * cols; t++) {
		struct plain_router *r = &plain[t];
		bool in = plain_inject(r, r->in[ESP_LOCAL].n == depth);

		for (out = 0; out < ESP_NPORTS; out++)
			r->link[out] += r->valid[out];
		r->link[ESP_LOCAL] += in && !r->valid[ESP_LOCAL];
	}
	for (t = 0; t < rows * cols; t++) {
		for (out = 0; out < ESP_NPORTS; out++) {
			struct plain_fifo *to = exists(t, out) ? behind(t, out) : NULL;

			if (!plain[t].valid[out] || stop[t][out])
				continue;
			if (to)
				to->flit[to->n++] = plain[t].out[out];
			plain[t].valid[out] = false;
		}
	}
	for (t = 0; t < rows * cols; t++) {
		struct plain_router *r = &plain[t];
		bool given[ESP_NPORTS] = { false };

		for (out = 0; out < ESP_NPORTS; out++) {
			int in = exists(t, out) && !stop[t][out] ? plain_choose(t, out, given) : -1;

			if (stop[t][out])
				plain_stopped(r, out);
			if (in < 0)
				continue;
			r->out[out] = r->in[in].flit[0];
			r->valid[out] = true;
			r->held_by[out] = r->out[out].tail ? -1 : in;
			shift(&r->in[in]);
			given[in] = true;
		}
	}
	clock_now++;
}

/* Both get a packet that may leave in the next cycle. */
static void send(unsigned int src, unsigned int dst, unsigned int flits)
{
	struct esp_packet *p = esp_noc_packet(b.soc, PLANE, ESP_MSG_NONE, src, dst, flits);
	struct plain_router *r = &plain[src];

	esp_noc_send(b.soc, p, flits, 0);
	r->send[r->packets] = (struct flit){ .head = true, .dst = dst };
	r->left[r->packets++] = flits;
}

static void compare(unsigned int cycle)
{
	unsigned int t, out;

	for (t = 0; t < rows * cols; t++) {
		ck_assert_msg(mon(&b, t, ESP_MON_NOC_INJECT(PLANE)) == plain[t].injected,
			      "cycle %u, tile %u: %u flits injected, not %u", cycle, t,
			      mon(&b, t, ESP_MON_NOC_INJECT(PLANE)), plain[t].injected);
		for (out = 0; out < ESP_NPORTS; out++)
			ck_assert_msg(mon(&b, t, ESP_MON_NOC_QUEUE(PLANE, out)) ==
				      plain[t].link[out],
				      "cycle %u, tile %u, port %u: %u cycles occupied, not %u",
				      cycle, t, out, mon(&b, t, ESP_MON_NOC_QUEUE(PLANE, out)),
				      plain[t].link[out]);
	}
}

/* cpu, mem, IO and empty tiles; the memory tile only sends, since it takes at its own pace. */
static void open_mesh(unsigned int r, unsigned int c, unsigned int queue_size, bool multicast)
{
	static struct esp_design design;
	char text[2048];
	unsigned int t;
	int n;

	rows = r;
	cols = c;
	depth = queue_size;
	multicasts = multicast;
	n = snprintf(text, sizeof(text), "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = %u\n"
		     "CONFIG_NOC_COLS = %u\nCONFIG_QUEUE_SIZE = %u\n%s", r, c, queue_size,
		     multicast ? "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = 4\n" : "");
	for (t = 0; t < r * c; t++)
		n += snprintf(text + n, sizeof(text) - n, "TILE_%u_%u = %u %s\n", t / c, t % c, t,
			      t == 0 ? "cpu cpu" : t == 1 ? "mem mem" : t == 2 ? "misc IO" :
			      "empty empty");
	bench_design(&design, text);
	bench_open(&b, &design, NULL);
	plain_reset();
}

static const struct mesh {
	unsigned int rows, cols, queue_size;
	bool multicast;
} meshes[] = {
	{ 3, 2, 2, false }, { 3, 2, 4, false }, { 3, 3, 2, false },
	{ 3, 3, 4, false }, { 3, 3, 8, false }, { 4, 4, 4, false }, { 1, 4, 1, false },
	{ 3, 2, 2, true }, { 3, 3, 4, true }, { 3, 3, 8, true }, { 4, 4, 4, true },
};

/* Planes 4 and 6 carry no packet of one flit; their router would miss its end. */
static unsigned int shortest(const struct mesh *m)
{
	return m->multicast ? 2 : 1;
}

static bool prepare(void)
{
	const char *text = getenv("ESP_ROUTER_CYCLES");

	if (text)
		cycles = strtoul(text, NULL, 0);
	return true;
}

SUITE("esp router", .timeout = 60, .prepare = prepare);

/* Half of all packets go to one tile, so that all inputs of its routers compete. */
LOOP_TEST(heavy_load_on_every_port_in_every_cycle, 0, sizeof(meshes) / sizeof(*meshes))
{
	const struct mesh *m = &meshes[_i];
	unsigned int cycle, hot, n = m->rows * m->cols;
	uint32_t stalls = 0, t, out;

	seed = _i + 1;
	open_mesh(m->rows, m->cols, m->queue_size, m->multicast);
	hot = n - 1;
	for (cycle = 0; cycle < cycles; cycle++) {
		for (t = 0; t < n; t++) {
			unsigned int dst = rnd(2) ? hot : rnd(n);

			if (plain[t].packets == PENDING || rnd(8) || dst == t || dst == 1)
				continue;
			send(t, dst, shortest(m) + rnd(rnd(4) ? 4 : 24));
		}
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1);
		plain_cycle();
		compare(cycle);
	}
	for (t = 0; t < n; t++) {
		for (out = 0; out < ESP_LOCAL; out++)
			stalls += plain[t].link[out];
	}
	/* The load was heavy: the links into the hot tile were never free for long. */
	ck_assert_uint_gt(stalls, cycle);
	bench_close(&b);
}

/*
 * Packets that are mostly alone on their plane, checked now and then: the model moves such a packet
 * in one step, up to the next check or the next packet.
 */
LOOP_TEST(light_load_looked_at_now_and_then, 0, sizeof(meshes) / sizeof(*meshes))
{
	const struct mesh *m = &meshes[_i];
	unsigned int cycle, n = m->rows * m->cols, look = 0;
	uint32_t alone = 0;

	seed = _i + 100;
	open_mesh(m->rows, m->cols, m->queue_size, m->multicast);
	for (cycle = 0; cycle < 2 * cycles; cycle++) {
		unsigned int src = rnd(n), dst = rnd(n);

		if (!rnd(12) && dst != src && dst != 1 && plain[src].packets < PENDING)
			send(src, dst, shortest(m) + rnd(6));
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1);
		plain_cycle();
		alone += b.soc->st->plane[PLANE].flight != 0;
		if (look--)
			continue;
		compare(cycle);
		look = rnd(20);
	}
	settle(&b);
	for (cycle = 0; cycle < 100; cycle++)
		plain_cycle();
	compare(cycle);
	/* none for the router for multicasts */
	ck_assert(m->multicast ? alone == 0 : alone > cycles / 10);
	bench_close(&b);
}
