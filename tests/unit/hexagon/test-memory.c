/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches: small cases on paper, and ten million random accesses compared with a plain model
 * that follows docs/hexagon-model.md and has a date for each line instead of an order. Then the
 * order of several threads' accesses.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon/memory.h"
#include "hexagon/packet.h"
#include "hexagon/profile.h"
#include "tests/main.h"

#define RANDOM_ACCESSES 10000000

static struct hexagon_memory memory;
static uint64_t count[HEXAGON_COUNTS];

/* L1s: 2 sets of 2 ways; L2: 4 sets of 2 ways, lines twice as long as those of the data cache. */
static const struct hexagon_memory_shape small = {
	.l1i = { 256, 2, 64 },
	.l1d = { 128, 2, 32 },
	.l2 = { 512, 2, 64 },
	.vtcm = 0x10000,
	.vtcm_size = 0x1000,
};

static void setup(void)
{
	memset(count, 0, sizeof(count));
	ck_assert(hexagon_memory_init(&memory, &small));
}

static void teardown(void)
{
	hexagon_memory_free(&memory);
}

/* Accesses as text: kinds, each before its addresses. */
static void play(const char *text)
{
	static const char *const kinds[HEXAGON_ACCESSES] = {
		[HEXAGON_FETCH] = "fetch", [HEXAGON_LOAD] = "load", [HEXAGON_STORE] = "store", [HEXAGON_ZERO] = "zero",
		[HEXAGON_VECTOR_LOAD] = "vload", [HEXAGON_VECTOR_STORE] = "vstore", [HEXAGON_PREFETCH] = "dcfetch",
		[HEXAGON_L2_PREFETCH] = "l2fetch", [HEXAGON_CLEAN] = "clean", [HEXAGON_DROP] = "drop",
		[HEXAGON_DROP_CODE] = "dropcode",
	};
	size_t length;
	int kind = 0;

	for (; *text; text += length, text += strspn(text, " ")) {
		length = strcspn(text, " ");
		if (*text >= '0' && *text <= '9') {
			hexagon_memory_access(&memory, count, kind, strtoul(text, NULL, 0));
			continue;
		}
		for (kind = 0; strncmp(kinds[kind], text, length) || kinds[kind][length]; kind++)
			ck_assert_msg(kind < HEXAGON_ACCESSES - 1, "%s", text);
	}
}

/* Counts that "then" causes; what a row does not name is 0. */
static const struct row {
	const char *name, *before, *then;
	uint64_t want[HEXAGON_COUNTS];
} rows[] = {
	/*
	 * lines 0, 2, 4 of 32 bytes are all in set 0: 0 and 2 miss, 0 hits, 4 evicts 2, 0 hits, 2 misses; in the L2
	 * lines 0, 1, 2 of 64 bytes: sets 0, 1, 2, so that the last one hits
	 */
	{ "the latest two of a set stay", "", "load 0 64 31 128 0 64",
	  { [HEXAGON_DATA] = 6, [HEXAGON_DATA_MISSES] = 4, [HEXAGON_DU_READS] = 4, [HEXAGON_L2_READS] = 4,
	    [HEXAGON_L2_READ_MISSES] = 3 } },
	/* 0 is read and dirty; 64 and 128 evict it: one write, to a line that the L2 has */
	{ "a store allocates and is written when it goes", "", "store 0 load 64 128",
	  { [HEXAGON_DATA] = 3, [HEXAGON_DATA_MISSES] = 3, [HEXAGON_STORE_MISSES] = 1, [HEXAGON_DU_READS] = 3,
	    [HEXAGON_L2_READS] = 3, [HEXAGON_L2_READ_MISSES] = 3, [HEXAGON_DU_WRITES] = 1, [HEXAGON_L2_STORES] = 1 } },
	{ "dczeroa reads nothing", "", "zero 0 0",
	  { [HEXAGON_DATA] = 2, [HEXAGON_DATA_MISSES] = 1, [HEXAGON_DU_WRITES] = 1, [HEXAGON_L2_STORES] = 1,
	    [HEXAGON_L2_STORE_MISSES] = 1 } },
	/* dirty 0 and clean 32, both in L2 line 0: the load has the dirty one written, and both stay */
	{ "a vector load sees what the data cache has", "store 0 load 32", "vload 0 load 0 32",
	  { [HEXAGON_DU_WRITES] = 1, [HEXAGON_L2_STORES] = 1, [HEXAGON_VECTOR_LOADS] = 1, [HEXAGON_DATA] = 2 } },
	/* clean now: the store drops both without a write */
	{ "a vector store drops it", "store 0 load 32 vload 0 load 0 32", "vstore 0 load 0 32",
	  { [HEXAGON_VECTOR_STORES] = 1, [HEXAGON_DATA] = 2, [HEXAGON_DATA_MISSES] = 2, [HEXAGON_DU_READS] = 2,
	    [HEXAGON_L2_READS] = 2 } },
	/* 0 misses both caches, 32 the L1 only, 0 hits; then the load of 32 hits */
	{ "dcfetch moves a line and is no demand", "", "dcfetch 0 32 0 load 32",
	  { [HEXAGON_DCFETCH_HITS] = 1, [HEXAGON_DCFETCH_MISSES] = 2, [HEXAGON_DCFETCH_FAR] = 1, [HEXAGON_DU_READS] = 2,
	    [HEXAGON_L2_READS] = 2, [HEXAGON_L2_READ_MISSES] = 1, [HEXAGON_DATA] = 1 } },
	/* 64 and 128 are in the set of 0 */
	{ "a dirty line that dcfetch evicts is written", "dcfetch 0 32 0 load 32 store 0", "dcfetch 64 128",
	  { [HEXAGON_DCFETCH_MISSES] = 2, [HEXAGON_DCFETCH_FAR] = 2, [HEXAGON_DU_READS] = 2, [HEXAGON_L2_READS] = 2,
	    [HEXAGON_L2_READ_MISSES] = 2, [HEXAGON_DU_WRITES] = 1, [HEXAGON_L2_STORES] = 1 } },
#define MAINTENANCE "clean 0 4096 drop 32 4096 dropcode 1024 4096"
	{ "maintenance counts nothing", "store 0 32 fetch 1024", MAINTENANCE, { 0 } },
	/* 0 is still there, and clean; 32 and the line of code are not, and come from the L2 */
	{ "after maintenance", "store 0 32 fetch 1024 " MAINTENANCE, "load 0 32 fetch 1024 vload 0",
	  { [HEXAGON_DATA] = 2, [HEXAGON_DATA_MISSES] = 1, [HEXAGON_DU_READS] = 1, [HEXAGON_L2_READS] = 1,
	    [HEXAGON_FETCHES] = 1, [HEXAGON_FETCH_MISSES] = 1, [HEXAGON_L2_FETCHES] = 1, [HEXAGON_VECTOR_LOADS] = 1 } },
#define IN_VTCM "load 0x10000 0x10fff vstore 0x10080 dcfetch 0x10040 l2fetch 0x10040"
	{ "VTCM passes by the caches", "", IN_VTCM, { 0 } },
	{ "beside VTCM", IN_VTCM, "load 0xffff 0x11000",
	  { [HEXAGON_DATA] = 2, [HEXAGON_DATA_MISSES] = 2, [HEXAGON_DU_READS] = 2, [HEXAGON_L2_READS] = 2,
	    [HEXAGON_L2_READ_MISSES] = 2 } },
};

SUITE("hexagon memory", .timeout = 120, .setup = setup, .teardown = teardown);

LOOP_TEST(each_row, 0, sizeof(rows) / sizeof(*rows))
{
	play(rows[_i].before);
	memset(count, 0, sizeof(count));
	play(rows[_i].then);
	for (int i = 0; i < HEXAGON_COUNTS; i++)
		ck_assert_msg(count[i] == rows[_i].want[i], "%s: count %d is %u", rows[_i].name, i,
			      (unsigned int)count[i]);
}

LOOP_TEST(wrong_shapes_are_refused, 0, 8)
{
	static const struct hexagon_cache_shape wrong[] = {
		{ 0, 1, 32 }, { 1024, 0, 32 }, { 1024, 2, 33 }, { 1024, 3, 32 }, { 1024, 2, 8 },
		{ 1000, 2, 32 }, { 1 << 27, 2, 64 }, { 1024, 2, 128 },
	};
	struct hexagon_memory_shape shape = small;
	struct hexagon_memory unused;

	ck_assert_ptr_null(hexagon_memory_check(&shape));
	shape.l1d = wrong[_i];
	ck_assert_ptr_nonnull(hexagon_memory_check(&shape));
	ck_assert(!hexagon_memory_init(&unused, &shape));
}

/* ---- the plain model: each line has a date, the oldest is replaced */

struct plain_line {
	uint64_t address, date;
	bool valid, dirty;
};

struct plain_cache {
	struct hexagon_cache_shape shape;
	struct plain_line line[64];
};

static uint64_t now;

static struct plain_line *plain_find(struct plain_cache *c, uint64_t address)
{
	for (uint32_t i = 0; i < c->shape.size / c->shape.line; i++)
		if (c->line[i].valid && c->line[i].address == address / c->shape.line)
			return &c->line[i];
	return NULL;
}

/* Inserts a line; returns the one that it replaces. */
static struct plain_line plain_put(struct plain_cache *c, uint64_t address, bool dirty)
{
	uint32_t sets = c->shape.size / c->shape.line / c->shape.ways;
	uint64_t number = address / c->shape.line;
	struct plain_line *place = NULL, old;

	for (uint32_t way = 0; way < c->shape.ways; way++) {
		struct plain_line *l = &c->line[number % sets * c->shape.ways + way];

		if (!place || (place->valid && (!l->valid || l->date < place->date)))
			place = l;
	}
	old = *place;
	*place = (struct plain_line){ number, now, true, dirty };
	return old;
}

static bool plain_l2(struct plain_cache *l2, uint64_t address)
{
	struct plain_line *l = plain_find(l2, address);

	now++;
	if (l)
		l->date = now;
	else
		plain_put(l2, address, false);
	return l != NULL;
}

struct plain {
	struct plain_cache l1i, l1d, l2;
	uint64_t count[HEXAGON_COUNTS];
};

static void plain_write(struct plain *p, uint64_t address)
{
	p->count[HEXAGON_DU_WRITES]++;
	p->count[HEXAGON_L2_STORES]++;
	if (!plain_l2(&p->l2, address))
		p->count[HEXAGON_L2_STORE_MISSES]++;
}

static void plain_data(struct plain *p, enum hexagon_access access, uint64_t address)
{
	struct plain_line *l = plain_find(&p->l1d, address), old;

	bool dirty = access == HEXAGON_STORE || access == HEXAGON_ZERO, ahead = access == HEXAGON_PREFETCH;

	now++;
	if (!ahead)
		p->count[HEXAGON_DATA]++;
	else
		p->count[l ? HEXAGON_DCFETCH_HITS : HEXAGON_DCFETCH_MISSES]++;
	if (l) {
		l->date = now;
		l->dirty |= dirty;
		return;
	}
	if (!ahead)
		p->count[HEXAGON_DATA_MISSES]++;
	if (access == HEXAGON_STORE)
		p->count[HEXAGON_STORE_MISSES]++;
	old = plain_put(&p->l1d, address, dirty);
	if (access == HEXAGON_ZERO) {
		plain_write(p, address);
	} else {
		p->count[HEXAGON_DU_READS]++;
		p->count[HEXAGON_L2_READS]++;
		if (!plain_l2(&p->l2, address)) {
			p->count[HEXAGON_L2_READ_MISSES]++;
			p->count[HEXAGON_DCFETCH_FAR] += ahead;
		}
	}
	if (old.valid && old.dirty)
		plain_write(p, old.address * p->l1d.shape.line);
}

static void plain_vector(struct plain *p, bool store, uint64_t address)
{
	uint64_t first = address / p->l2.shape.line * p->l2.shape.line;

	for (uint64_t a = first; a < first + p->l2.shape.line; a += p->l1d.shape.line) {
		struct plain_line *l = plain_find(&p->l1d, a);

		if (l && l->dirty)
			plain_write(p, a);
		if (l)
			l->dirty = false;
		if (l && store)
			l->valid = false;
	}
	p->count[store ? HEXAGON_VECTOR_STORES : HEXAGON_VECTOR_LOADS]++;
	if (!plain_l2(&p->l2, address))
		p->count[store ? HEXAGON_VECTOR_STORE_MISSES : HEXAGON_VECTOR_LOAD_MISSES]++;
}

static void plain_access(struct plain *p, enum hexagon_access access, uint64_t address)
{
	struct plain_line *l;

	switch (access) {
	case HEXAGON_FETCH:
		p->count[HEXAGON_FETCHES]++;
		l = plain_find(&p->l1i, address);
		now++;
		if (l) {
			l->date = now;
			return;
		}
		plain_put(&p->l1i, address, false);
		p->count[HEXAGON_FETCH_MISSES]++;
		p->count[HEXAGON_L2_FETCHES]++;
		if (!plain_l2(&p->l2, address))
			p->count[HEXAGON_L2_FETCH_MISSES]++;
		return;
	case HEXAGON_LOAD:
	case HEXAGON_STORE:
	case HEXAGON_ZERO:
	case HEXAGON_PREFETCH:
		plain_data(p, access, address);
		return;
	case HEXAGON_L2_PREFETCH:
		p->count[HEXAGON_L2FETCH_LINES]++;
		if (!plain_l2(&p->l2, address))
			p->count[HEXAGON_L2FETCH_MISSES]++;
		return;
	case HEXAGON_CLEAN:
	case HEXAGON_DROP:
		l = plain_find(&p->l1d, address);
		if (l && l->dirty)
			plain_l2(&p->l2, address);
		if (l)
			l->dirty = false;
		if (l && access == HEXAGON_DROP)
			l->valid = false;
		return;
	case HEXAGON_DROP_CODE:
		l = plain_find(&p->l1i, address);
		if (l)
			l->valid = false;
		return;
	default:
		plain_vector(p, access == HEXAGON_VECTOR_STORE, address);
	}
}

TEST(a_plain_model_agrees_on_random_accesses)
{
	static struct plain plain = { .l1i = { .shape = { 256, 2, 64 } },
				      .l1d = { .shape = { 512, 4, 32 } },
				      .l2 = { .shape = { 1024, 4, 64 } } };
	const struct hexagon_memory_shape shape = { plain.l1i.shape, plain.l1d.shape, plain.l2.shape,
						    0, 0 };
	struct hexagon_memory fast;
	uint32_t seed = 1;

	ck_assert(hexagon_memory_init(&fast, &shape));
	for (int i = 0; i < RANDOM_ACCESSES; i++) {
		/* Numerical Recipes' generator; the upper bits are the good ones */
		seed = seed * 1664525 + 1013904223;
		enum hexagon_access access = (seed >> 16) % HEXAGON_ACCESSES;
		/* three times what the L2 holds */
		bool code = access == HEXAGON_FETCH || access == HEXAGON_DROP_CODE;
		uint32_t address = (seed >> 8) % 3072 + (code ? 1024 : 0);

		plain_access(&plain, access, address);
		hexagon_memory_access(&fast, count, access, address);
		if (i % 100000 == 0)
			ck_assert_mem_eq(count, plain.count, sizeof(count));
	}
	for (int i = 0; i < HEXAGON_COUNTS; i++)
		ck_assert_uint_eq(count[i], plain.count[i]);
	ck_assert_uint_gt(count[HEXAGON_VECTOR_STORE_MISSES], RANDOM_ACCESSES / 100);
	ck_assert_uint_gt(count[HEXAGON_DCFETCH_FAR], RANDOM_ACCESSES / 100);
	hexagon_memory_free(&fast);
}

/*
 * 48 Ki packets have an entry each, three quarters of the table; all others share the first entry.
 */
TEST(packets_of_a_profile_are_told_apart)
{
	static struct hexagon_profile profile;
	static bool seen[HEXAGON_PROFILE_PLACES];

	for (uint32_t i = 0; i < 49152; i++) {
		uint32_t place = hexagon_profile_place(&profile, 0x20000 + 4 * i);

		ck_assert_uint_gt(place, 0);
		ck_assert_uint_lt(place, HEXAGON_PROFILE_PLACES);
		ck_assert(!seen[place]);
		seen[place] = true;
		ck_assert_uint_eq(profile.place[place].pc, 0x20000 + 4 * i);
	}
	ck_assert_uint_eq(hexagon_profile_place(&profile, 0), 0);
	ck_assert(seen[hexagon_profile_place(&profile, 0x20000)]);
}
