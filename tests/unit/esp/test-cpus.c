/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A SoC's processors: filters and shortcuts against the plain reference, counts derived by hand,
 * and four processors at the same time.
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <pthread.h>

#include "tests/unit/esp/compare.h"

#define LINE 16u

static const struct cpu_esp_params small_l1 = {
	.l1d_bytes = 512, .l1d_ways = 4, .l1i_bytes = 256, .l1i_ways = 2,
};

static uint32_t rnd(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

static struct esp_params at_zero(void)
{
	struct esp_params params;

	esp_params_init(&params);
	params.mem_base = 0;
	params.mem_size = MEM_SIZE;
	return params;
}

static void small_design(struct esp_design *design, const char *name)
{
	bench_load(design, name);
	design->l2_sets = 16;
	design->l2_ways = 2;
	design->llc_sets = 32;
	design->llc_ways = 4;
}

/*
 * Accesses like those of programs: walks through arrays, a stack, random pointers, code; sometimes
 * another program with other memory runs (fork, switch).
 */
static uint64_t program_addr(uint64_t *seed, enum cpu_access *what, unsigned int *run)
{
	static const enum cpu_access kinds[] = { CPU_LOAD, CPU_LOAD, CPU_LOAD, CPU_STORE, CPU_FETCH };
	uint64_t base = rnd(seed, 64) ? 0x40000 : 0x40000 + 0x8000 * rnd(seed, 4);

	*what = kinds[rnd(seed, 5)];
	switch (rnd(seed, 4)) {
	case 0:
		return base + (*run += 8) % 0x4000;
	case 1:
		return base + 0x4000 + rnd(seed, 32) * 8;
	case 2:
		return base + rnd(seed, 0x8000 / 8) * 8;
	default:
		return *what == CPU_FETCH ? 0x1000 + rnd(seed, 0x1000 / 4) * 4 : base + rnd(seed, 64) * 8;
	}
}

static const char *const designs[] = { "fft-3x2", "dummy-4x4", "sixteen-4x4", "leon3-2x2", "nocache-2x2" };

SUITE("reference", .timeout = 120);

LOOP_TEST(access_by_access_as_the_reference, 0, sizeof(designs) / sizeof(*designs))
{
	struct esp_params params = at_zero();
	static struct esp_design design;
	static struct compare c;
	uint64_t seed = _i + 1;
	unsigned int i, run = 0;

	small_design(&design, designs[_i]);
	ck_assert_msg(compare_open(&c, &design, &params, &small_l1, 4), "%s", c.why);
	for (i = 0; i < 20000; i++) {
		enum cpu_access what;
		uint64_t addr = program_addr(&seed, &what, &run);

		if (!compare_access(&c, rnd(&seed, 4), what, addr))
			ck_abort_msg("%s", c.why);
	}
	ck_assert_msg(compare_all(&c), "%s", c.why);
	compare_close(&c);
}

/* One processor, caches of the real sizes. */
TEST(usual_geometry_as_the_reference)
{
	struct esp_params params = at_zero();
	static struct esp_design design;
	static struct compare c;
	struct cpu_esp_params l1;
	uint64_t seed = 7;
	unsigned int i, run = 0;

	esp_design_default(&design);
	cpu_esp_params_init(&l1);
	ck_assert_msg(compare_open(&c, &design, &params, &l1, 1), "%s", c.why);
	for (i = 0; i < 30000; i++) {
		enum cpu_access what;
		uint64_t addr = program_addr(&seed, &what, &run) * (1 + i % 3);

		if (!compare_access(&c, 0, what, addr))
			ck_abort_msg("%s", c.why);
	}
	ck_assert_msg(compare_all(&c), "%s", c.why);
	compare_close(&c);
}

static struct cpu_esp *open_cpus(struct bench *b, const struct esp_design *design,
				 unsigned int vcpus)
{
	struct esp_params params = at_zero();
	struct cpu_esp_params l1;
	struct cpu_esp *ce;
	char err[256] = "";
	unsigned int i;

	bench_open(b, design, &params);
	cpu_esp_params_init(&l1);
	ce = cpu_esp_new(b->soc, &l1, err, sizeof(err));
	ck_assert_msg(ce != NULL, "%s", err);
	for (i = 0; i < vcpus; i++)
		ck_assert(cpu_sink_add(&ce->sink, i) != NULL);
	return ce;
}

static void touch(struct cpu_esp *ce, unsigned int vcpu, enum cpu_access what, uint64_t addr)
{
	if (!cpu_filter_hit(ce->sink.filter[vcpu], what, addr / LINE))
		ck_assert(cpu_esp_access(ce, vcpu, what, addr / LINE, false));
}

SUITE("by hand", .timeout = 60);

/*
 * 48 KiB in a loop are 6 lines for each set of 4 ways: with first in, first out, each access
 * misses. 24 KiB are 3 lines a set and stay.
 */
LOOP_TEST(circles_around_the_size_of_a_cache, 0, 2)
{
	unsigned int kib = _i ? 48 : 24, lines = kib * 1024 / LINE, pass, i, cpu, mem;
	struct cpu_esp_counts counts;
	struct cpu_esp *ce;
	struct bench b;

	ce = open_cpus(&b, NULL, 1);
	cpu = 1;
	mem = 2;
	ck_assert_uint_eq(b.design.tiles[cpu].kind, ESP_TILE_CPU);
	ck_assert_uint_eq(b.design.tiles[mem].kind, ESP_TILE_MEM);
	for (pass = 0; pass < 4; pass++) {
		for (i = 0; i < lines; i++)
			touch(ce, 0, CPU_LOAD, 0x100000 + i * LINE);
	}
	cpu_esp_fold(ce);
	cpu_esp_counts(ce, 0, &counts);
	ck_assert_uint_eq(counts.loads, 4 * lines);
	ck_assert_uint_eq(counts.l1d_misses, _i ? 4 * lines : lines);
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_MISS), _i ? 4 * lines : lines);
	/* the LLC holds them all */
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_LLC_MISS), lines);
	ck_assert_uint_eq(mon(&b, mem, ESP_MON_DDR), 2 * lines);
	cpu_esp_free(ce);
	bench_close(&b);
}

/* Write-through: each store is a request to the L2, the first of a line misses. */
TEST(stores_reach_the_l2)
{
	struct cpu_esp *ce;
	struct bench b;
	unsigned int i;

	ce = open_cpus(&b, NULL, 1);
	for (i = 0; i < 1000; i++)
		touch(ce, 0, CPU_STORE, 0x2000 + i % 4 * 8);
	cpu_esp_fold(ce);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_MISS), 2);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_HIT), 998);
	/* folding twice adds nothing */
	cpu_esp_fold(ce);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_HIT), 998);
	/* a load misses the L1, because a store allocates no line there, and hits the L2 */
	touch(ce, 0, CPU_LOAD, 0x2000);
	touch(ce, 0, CPU_LOAD, 0x2008);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_HIT), 999);
	cpu_esp_free(ce);
	bench_close(&b);
}

/* A flush of the L2 removes the lines from L1 and filter. */
TEST(flush_reaches_l1_and_filter)
{
	struct cpu_esp_counts counts;
	struct cpu_esp *ce;
	struct bench b;

	ce = open_cpus(&b, NULL, 1);
	touch(ce, 0, CPU_LOAD, 0x2000);
	touch(ce, 0, CPU_STORE, 0x2000);
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	touch(ce, 0, CPU_LOAD, 0x2000);
	cpu_esp_counts(ce, 0, &counts);
	ck_assert_uint_eq(counts.l1d_misses, 2);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_MISS), 2);
	cpu_esp_free(ce);
	bench_close(&b);
}

TEST(impossible_geometry_is_refused)
{
	struct cpu_esp_params l1 = { .l1d_bytes = 3000, .l1d_ways = 8 };
	char err[256] = "";
	struct bench b;

	bench_open(&b, NULL, NULL);
	ck_assert(cpu_esp_new(b.soc, &l1, err, sizeof(err)) == NULL);
	ck_assert_msg(strstr(err, "3000") != NULL, "%s", err);
	bench_close(&b);
}

/* An access that begins in one line and ends in the next is never a hit of the filter. */
LOOP_TEST(filter_knows_no_access_to_two_lines, 0, 2)
{
	static struct cpu_filter f;
	enum cpu_access what = _i ? CPU_STORE : CPU_LOAD;
	uint32_t line;

	cpu_filter_forget(&f);
	for (line = 0; line < 2 * CPU_FILTER_LINES; line++) {
		ck_assert(!cpu_filter_hit(&f, what, line));
		ck_assert(!cpu_filter_hit_within(&f, what, line, line + 1));
	}
	for (line = 0; line < 2 * CPU_FILTER_LINES; line++) {
		cpu_filter_set(&f, what, line);
		cpu_filter_set(&f, what, line + 1);
		ck_assert(cpu_filter_hit(&f, what, line));
		ck_assert(!cpu_filter_hit_within(&f, what, line, line + 1));
		/* their lower 32 bits are a line */
		ck_assert(!cpu_filter_hit_within(&f, what, line + (1ULL << 32),
						 line + (1ULL << 32)));
		cpu_filter_clear(&f, what, line);
		ck_assert(!cpu_filter_hit(&f, what, line));
		ck_assert(!cpu_filter_hit_within(&f, what, line, line + 1));
		ck_assert(cpu_filter_hit(&f, what, line + 1));
	}
	ck_assert_uint_eq(cpu_filter_hits(&f, what), 4 * CPU_FILTER_LINES);
	ck_assert_uint_eq(cpu_filter_hits(&f, 1 - what), 0);
}

struct worker {
	pthread_t thread;
	pthread_mutex_t *lock;
	struct cpu_esp *ce;
	unsigned int vcpu;
	uint64_t made[CPU_ACCESSES];
};

#define WORKER_ACCESSES	400000

static void *work(void *opaque)
{
	struct worker *w = opaque;
	uint64_t seed = w->vcpu + 1;
	unsigned int i, run = 0;

	for (i = 0; i < WORKER_ACCESSES; i++) {
		enum cpu_access what;
		uint32_t line = program_addr(&seed, &what, &run) / LINE;

		w->made[what]++;
		if (cpu_filter_hit(w->ce->sink.filter[w->vcpu], what, line))
			continue;
		pthread_mutex_lock(w->lock);
		if (!cpu_esp_access(w->ce, w->vcpu, what, line, false))
			abort();
		pthread_mutex_unlock(w->lock);
	}
	return NULL;
}

/* Four threads, each a virtual CPU of its own tile: no count is lost. */
TEST(four_processors_at_once_conserve_all_accesses)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct esp_design design;
	uint32_t requests = 0, pulses = 0, misses = 0;
	struct worker w[4];
	struct cpu_esp *ce;
	struct bench b;
	unsigned int i, t;

	small_design(&design, "dummy-4x4");
	ck_assert_uint_eq(design.ncpu, 4);
	ce = open_cpus(&b, &design, 4);
	for (i = 0; i < 4; i++) {
		w[i] = (struct worker){ .lock = &lock, .ce = ce, .vcpu = i };
		ck_assert_int_eq(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
	}
	for (i = 0; i < 4; i++)
		pthread_join(w[i].thread, NULL);
	cpu_esp_fold(ce);
	for (t = 0; t < design.rows * design.cols; t++) {
		struct cpu_esp_counts counts;

		if (design.tiles[t].kind == ESP_TILE_CPU) {
			i = design.tiles[t].id;
			cpu_esp_counts(ce, i, &counts);
			ck_assert_uint_eq(counts.loads, w[i].made[CPU_LOAD]);
			ck_assert_uint_eq(counts.stores, w[i].made[CPU_STORE]);
			ck_assert_uint_eq(counts.fetches, w[i].made[CPU_FETCH]);
			ck_assert_uint_eq(mon(&b, t, ESP_MON_L2_HIT) + mon(&b, t, ESP_MON_L2_MISS),
					  counts.l2_requests);
			misses += mon(&b, t, ESP_MON_L2_MISS);
			requests += mon(&b, t, ESP_MON_NOC_INJECT(0));
		} else if (design.tiles[t].kind == ESP_TILE_MEM) {
			pulses += mon(&b, t, ESP_MON_LLC_HIT) + mon(&b, t, ESP_MON_LLC_MISS);
			requests -= mon(&b, t, ESP_MON_COH_REQ);
		}
	}
	/* every flit of a request that a CPU tile sent came to an LLC, and every miss made a pulse */
	ck_assert_uint_eq(requests, 0);
	ck_assert_uint_ge(pulses, misses);
	cpu_esp_free(ce);
	bench_close(&b);
}
