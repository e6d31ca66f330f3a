/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU accesses that are done at once, and the same through the network, lead to the same state:
 * after each access of a random trace all monitors but the clock, all lines of all caches, and the
 * conservation counts are equal.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/cache.h"

static const struct shape {
	const char *design;
	unsigned int l2_sets, l2_ways, llc_sets, llc_ways;
} shapes[] = {
	{ "fft-3x2", 4, 2, 8, 4 },
	{ "dummy-4x4", 2, 2, 4, 2 },	/* LLC smaller than the private caches: recalls */
	{ "sixteen-4x4", 4, 1, 8, 2 },
	{ "dummy-16x16", 8, 4, 16, 4 },
	{ "leon3-2x2", 4, 4, 8, 8 },
	{ "nocache-2x2", 1, 1, 1, 1 },
};

static uint64_t seed;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

static void open_shape(struct bench *b, const struct shape *shape)
{
	static struct esp_design design;

	bench_load(&design, shape->design);
	design.l2_sets = shape->l2_sets;
	design.l2_ways = shape->l2_ways;
	design.llc_sets = shape->llc_sets;
	design.llc_ways = shape->llc_ways;
	bench_open(b, &design, NULL);
}

static void same_monitors(struct bench *a, struct bench *b, unsigned long n)
{
	unsigned int tile, i;

	for (tile = 0; tile < a->soc->ntiles; tile++) {
		for (i = 0; i < ESP_NMON; i++) {
			if (i >= ESP_MON_DVFS(0) && i <= ESP_MON_DVFS(3))
				continue;
			if (mon(a, tile, i) != mon(b, tile, i))
				ck_abort_msg("access %lu, tile %u, monitor %u: events %u, at once %u",
					     n, tile, i, mon(a, tile, i), mon(b, tile, i));
		}
	}
}

static void same_caches(const struct esp_soc *a, const struct esp_soc *b, unsigned long n)
{
	const struct esp_l2_geometry *last = &a->l2_geometry[a->ncaches - 1];
	size_t lines = last->first + (size_t)last->sets * last->ways, i;

	for (i = 0; i < lines; i++) {
		const struct esp_l2_line *x = &a->l2_line[i], *y = &b->l2_line[i];

		if (x->state == ESP_L2_I && y->state == ESP_L2_I)
			continue;
		if (x->state != y->state || x->line != y->line || x->stamp != y->stamp ||
		    x->instruction != y->instruction)
			ck_abort_msg("access %lu, L2 way %zu", n, i);
	}
	ck_assert_mem_eq(a->l2_turn, b->l2_turn, last->first_set + last->sets);
	lines = (size_t)a->design.nmem * a->design.llc_sets * a->design.llc_ways;
	for (i = 0; i < lines; i++) {
		const struct esp_llc_line *x = &a->llc_line[i], *y = &b->llc_line[i];

		if (x->state == ESP_LLC_I && y->state == ESP_LLC_I)
			continue;
		if (x->state != y->state || x->line != y->line || x->dirty != y->dirty ||
		    x->stamp != y->stamp || x->instruction != y->instruction ||
		    (x->state == ESP_LLC_S && x->sharers != y->sharers) ||
		    ((x->state == ESP_LLC_E || x->state == ESP_LLC_M) && x->owner != y->owner))
			ck_abort_msg("access %lu, LLC way %zu", n, i);
	}
	ck_assert_mem_eq(a->llc_turn, b->llc_turn, (size_t)a->design.nmem * a->design.llc_sets);
}

static void same_sums(const struct esp_soc *a, const struct esp_soc *b)
{
	unsigned int i;

	for (i = 0; i < a->design.nmem; i++) {
		ck_assert_mem_eq(a->mem[i].beats, b->mem[i].beats, sizeof(a->mem[i].beats));
	}
	for (i = 0; i < ESP_NPLANES; i++) {
		ck_assert_uint_eq(a->st->plane[i].injected, b->st->plane[i].injected);
		ck_assert_uint_eq(a->st->plane[i].delivered, b->st->plane[i].delivered);
	}
}

static const enum esp_access kinds[] = { ESP_LOAD, ESP_LOAD, ESP_STORE, ESP_FETCH };

/* A mix of a few lines that all CPUs use, and many that evict each other. */
static uint32_t random_addr(const struct esp_soc *soc)
{
	uint32_t lines = rnd(4) ? 48 : 4096, line = rnd(lines) * 7;
	uint64_t part = soc->mem_per_tile >> soc->line_shift;

	line = (line + rnd(soc->design.nmem) * part) % (MEM_SIZE >> soc->line_shift);
	return MEM_BASE + (line << soc->line_shift) + rnd(2) * 8 % (1u << soc->line_shift);
}

SUITE("cpu accesses at once", .timeout = 120);

LOOP_TEST(both_ways_leave_the_same_soc_behind, 0, sizeof(shapes) / sizeof(*shapes))
{
	struct bench events, once;
	unsigned long n;

	seed = _i + 1;
	open_shape(&events, &shapes[_i]);
	open_shape(&once, &shapes[_i]);
	for (n = 0; n < 6000; n++) {
		unsigned int cpu = rnd(events.design.ncpu), size = 1u << rnd(3);
		enum esp_access what = kinds[rnd(4)];
		uint32_t addr = random_addr(events.soc);

		esp_soc_cpu_access(events.soc, cpu, what, addr, size);
		settle(&events);
		ck_assert(esp_soc_cpu_access_at_once(once.soc, cpu, what, addr, size));
		if (events.soc->ncaches)
			same_caches(events.soc, once.soc, n);
		if (n % 16 == 0)
			same_monitors(&events, &once, n);
	}
	same_monitors(&events, &once, n);
	same_sums(events.soc, once.soc);
	bench_close(&events);
	bench_close(&once);
}

/* By hand: GETS 2 flits, EDATA 2 + 2; then PUTM 2 + 2, PUT_ACK 2; CPU in tile 1, memory in tile 2. */
TEST(flits_of_a_miss_and_of_a_write_back)
{
	struct bench b;
	unsigned int cpu, mem;

	open_shape(&b, &(struct shape){ "fft-3x2", 1, 1, 64, 4 });
	cpu = b.soc->cpu_tile[0];
	mem = b.soc->mem_tile[0];
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_LOAD, MEM_BASE, 8));
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_MISS), 1);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_REQ), 2);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_RSP_SND), 2 + b.soc->line_flits);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_DDR), b.soc->line_words);
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_STORE, MEM_BASE, 8));
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_HIT), 1);
	ck_assert(esp_soc_l2_owns(b.soc, 0, MEM_BASE >> b.soc->line_shift));
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_LOAD, MEM_BASE + 4096, 8));
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_REQ), 2 + 2 + b.soc->line_flits + 2);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_RSP_SND), 2 * (2 + b.soc->line_flits) + 2);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_LLC_HIT), 1);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_LLC_MISS), 2);
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_NOC_INJECT(ESP_PL_REQ)),
			  mon(&b, mem, ESP_MON_COH_REQ));
	bench_close(&b);
}

TEST(no_shortcut_while_an_accelerator_runs)
{
	struct fft f = fft_default(7);
	struct bench b;

	bench_open(&b, NULL, NULL);
	fft_fill(&b, &f);
	fft_start(&b, &f);
	ck_assert(!esp_soc_cpu_access_at_once(b.soc, 0, ESP_LOAD, MEM_BASE, 8));
	acc_finish(&b, 0);
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_LOAD, MEM_BASE, 8));
	bench_close(&b);
}

/* Full coherence: the accelerator reads what the CPU wrote, by either way. */
TEST(accelerator_takes_modified_lines)
{
	struct fft f = fft_default(7);
	struct bench b;
	unsigned int mem, i;
	uint32_t fwd, rcv;

	bench_open(&b, NULL, NULL);
	mem = b.soc->mem_tile[0];
	f.coherence = ESP_COH_FULL;
	fft_fill(&b, &f);
	for (i = 0; i < 64; i++)
		ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_STORE, fft_addr(&f, 16 * i), 8));
	for (i = 0; i < 64; i++)
		ck_assert(esp_soc_l2_owns(b.soc, 0, fft_addr(&f, 16 * i) >> 4));
	fwd = mon(&b, mem, ESP_MON_COH_FWD);
	rcv = mon(&b, mem, ESP_MON_COH_RSP_RCV);
	fft_start(&b, &f);
	acc_finish(&b, 0);
	/* each of 64 lines read: FWD_GETS and DATA to the LLC; then INV to the CPU, its answer to
	 * the accelerator's L2 */
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_FWD) - fwd, 64 * 2 + 64 * 2);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_COH_RSP_RCV) - rcv, 64 * 4);
	for (i = 0; i < 64; i++)
		ck_assert(!esp_soc_l2_owns(b.soc, 0, fft_addr(&f, 16 * i) >> 4));
	bench_close(&b);
}

struct losses {
	unsigned int whole, rights;
	uint32_t last;
};

static void lost(void *opaque, unsigned int cpu, uint32_t line, bool whole)
{
	struct losses *l = opaque;

	ck_assert_uint_eq(cpu, 0);
	l->last = line;
	if (whole)
		l->whole++;
	else
		l->rights++;
}

TEST(losses_are_told)
{
	struct losses l = { 0 };
	struct bench b;

	open_shape(&b, &(struct shape){ "dummy-4x4", 1, 1, 64, 4 });
	ck_assert_uint_ge(b.design.ncpu, 2);
	esp_soc_on_l2_loss(b.soc, lost, &l);
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_STORE, MEM_BASE, 8));
	ck_assert_uint_eq(l.whole + l.rights, 0);
	/* evicted */
	ck_assert(esp_soc_cpu_access_at_once(b.soc, 0, ESP_STORE, MEM_BASE + 64, 8));
	ck_assert_uint_eq(l.whole, 1);
	ck_assert_uint_eq(l.last, MEM_BASE >> b.soc->line_shift);
	bench_close(&b);
}
