/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "hexagon/memory.h"
#include "hexagon/packet.h"

/* Not dirty, and no line has this number. */
#define EMPTY 0xfffffffeu
#define DIRTY 1u

void hexagon_memory_usual(struct hexagon_memory_shape *shape, unsigned int version)
{
	*shape = (struct hexagon_memory_shape){
		.l1i = { 32 << 10, 4, 64 },
		.l1d = { 32 << 10, 8, 32 },
		.l2 = { version == 65 ? 512 << 10 : 1 << 20, 8, 64 },
	};
}

static bool is_power(uint32_t n)
{
	return n && !(n & (n - 1));
}

static const char *check_cache(const struct hexagon_cache_shape *shape)
{
	if (!is_power(shape->line) || shape->line < 16 || shape->line > 256)
		return "a line has 16, 32, 64, 128 or 256 bytes";
	if (!shape->ways || shape->ways > 64)
		return "a cache has 1 to 64 ways";
	if (shape->size > 1 << 26 || shape->size % (shape->ways * shape->line) ||
		!is_power(shape->size / (shape->ways * shape->line)))
		return "size / (ways * line) must be a power of two, and size at most 64 MiB";
	return NULL;
}

const char *hexagon_memory_check(const struct hexagon_memory_shape *shape)
{
	const struct hexagon_cache_shape *caches[] = { &shape->l1i, &shape->l1d, &shape->l2 };

	for (int i = 0; i < 3; i++) {
		const char *wrong = check_cache(caches[i]);

		if (wrong)
			return wrong;
		if (caches[i]->line > shape->l2.line)
			return "a line of an L1 cache is not longer than one of the L2";
	}
	return NULL;
}

static bool init_cache(struct hexagon_cache *cache, const struct hexagon_cache_shape *shape)
{
	uint32_t lines = shape->size / shape->line;

	cache->entry = malloc(lines * sizeof(cache->entry[0]));
	if (!cache->entry)
		return false;
	for (uint32_t i = 0; i < lines; i++)
		cache->entry[i] = EMPTY;
	cache->ways = shape->ways;
	cache->mask = lines / shape->ways - 1;
	cache->shift = __builtin_ctz(shape->line);
	return true;
}

bool hexagon_memory_init(struct hexagon_memory *memory, const struct hexagon_memory_shape *shape)
{
	memset(memory, 0, sizeof(*memory));
	memory->shape = *shape;
	if (!hexagon_memory_check(shape) && init_cache(&memory->l1i, &shape->l1i) &&
	    init_cache(&memory->l1d, &shape->l1d) && init_cache(&memory->l2, &shape->l2))
		return true;
	hexagon_memory_free(memory);
	return false;
}

void hexagon_memory_free(struct hexagon_memory *memory)
{
	free(memory->l1i.entry);
	free(memory->l1d.entry);
	free(memory->l2.entry);
	memset(memory, 0, sizeof(*memory));
}

static uint32_t *cache_set(const struct hexagon_cache *cache, uint32_t line)
{
	return cache->entry + (line & cache->mask) * cache->ways;
}

/* Makes a line the latest of its set. If it was not there, *evicted is the entry that went. */
static bool cache_touch(struct hexagon_cache *cache, uint32_t line, uint32_t dirty, uint32_t *evicted)
{
	uint32_t *set = cache_set(cache, line);
	uint32_t entry = line << 1, i = 0;
	bool hit;

	while (i < cache->ways && set[i] >> 1 != line)
		i++;
	hit = i < cache->ways;
	if (hit) {
		entry = set[i];
	} else {
		i = cache->ways - 1;
		*evicted = set[i];
	}
	for (; i; i--)
		set[i] = set[i - 1];
	set[0] = entry | dirty;
	return hit;
}

/* A request to the L2. A line that it evicts goes to memory; no event counts that. */
static bool l2_access(struct hexagon_memory *memory, uint32_t address, uint32_t dirty)
{
	uint32_t evicted;

	return cache_touch(&memory->l2, address >> memory->l2.shift, dirty, &evicted);
}

static enum hexagon_level l2_read(struct hexagon_memory *memory, uint64_t *count, uint32_t address)
{
	bool hit = l2_access(memory, address, 0);

	count[HEXAGON_DU_READS]++;
	count[HEXAGON_L2_READS]++;
	count[HEXAGON_L2_READ_MISSES] += !hit;
	return hit ? HEXAGON_L2 : HEXAGON_FAR;
}

static void l2_write(struct hexagon_memory *memory, uint64_t *count, uint32_t address)
{
	count[HEXAGON_DU_WRITES]++;
	count[HEXAGON_L2_STORES]++;
	count[HEXAGON_L2_STORE_MISSES] += !l2_access(memory, address, DIRTY);
}

static enum hexagon_level fetch(struct hexagon_memory *memory, uint64_t *count, uint32_t address)
{
	uint32_t evicted;
	bool hit;

	count[HEXAGON_FETCHES]++;
	if (cache_touch(&memory->l1i, address >> memory->l1i.shift, 0, &evicted))
		return HEXAGON_NEAR;
	hit = l2_access(memory, address, 0);
	count[HEXAGON_FETCH_MISSES]++;
	count[HEXAGON_L2_FETCHES]++;
	count[HEXAGON_L2_FETCH_MISSES] += !hit;
	return hit ? HEXAGON_L2 : HEXAGON_FAR;
}

static enum hexagon_level data(struct hexagon_memory *memory, uint64_t *count,
			       enum hexagon_access access, uint32_t address)
{
	enum hexagon_level level = HEXAGON_L2;
	uint32_t dirty = access == HEXAGON_LOAD ? 0 : DIRTY;
	uint32_t evicted;

	count[HEXAGON_DATA]++;
	if (cache_touch(&memory->l1d, address >> memory->l1d.shift, dirty, &evicted))
		return HEXAGON_NEAR;
	count[HEXAGON_DATA_MISSES]++;
	count[HEXAGON_STORE_MISSES] += access == HEXAGON_STORE;
	if (access == HEXAGON_ZERO)
		l2_write(memory, count, address);
	else
		level = l2_read(memory, count, address);
	if (evicted & DIRTY)
		l2_write(memory, count, (evicted >> 1) << memory->l1d.shift);
	return level;
}

/* Cleans a line, if the cache has it, or drops it. Returns whether it was dirty. */
static bool cache_clean(struct hexagon_cache *cache, uint32_t line, bool drop)
{
	uint32_t *set = cache_set(cache, line), i = 0;
	bool dirty;

	while (i < cache->ways && set[i] >> 1 != line)
		i++;
	if (i == cache->ways)
		return false;
	dirty = set[i] & DIRTY;
	set[i] &= ~DIRTY;
	if (!drop)
		return dirty;
	for (; i + 1 < cache->ways; i++)
		set[i] = set[i + 1];
	set[i] = EMPTY;
	return dirty;
}

/* The L1 data cache gives up what it has of a line of the L2 that a vector unit reads or writes. */
static void snoop(struct hexagon_memory *memory, uint64_t *count, uint32_t address, bool drop)
{
	uint32_t first = address >> memory->l2.shift << memory->l2.shift;
	uint32_t end = first + (1u << memory->l2.shift);

	for (uint32_t at = first; at != end; at += 1u << memory->l1d.shift)
		if (cache_clean(&memory->l1d, at >> memory->l1d.shift, drop))
			l2_write(memory, count, at);
}

static enum hexagon_level prefetch(struct hexagon_memory *memory, uint64_t *count, uint32_t address)
{
	enum hexagon_level level;
	uint32_t evicted;

	if (cache_touch(&memory->l1d, address >> memory->l1d.shift, 0, &evicted)) {
		count[HEXAGON_DCFETCH_HITS]++;
		return HEXAGON_NEAR;
	}
	count[HEXAGON_DCFETCH_MISSES]++;
	level = l2_read(memory, count, address);
	count[HEXAGON_DCFETCH_FAR] += level == HEXAGON_FAR;
	if (evicted & DIRTY)
		l2_write(memory, count, (evicted >> 1) << memory->l1d.shift);
	return level;
}

static void l2_prefetch(struct hexagon_memory *memory, uint64_t *count, uint32_t address)
{
	count[HEXAGON_L2FETCH_LINES]++;
	count[HEXAGON_L2FETCH_MISSES] += !l2_access(memory, address, 0);
}

/* The events of writes leave out the maintenance of caches. */
static void maintain(struct hexagon_memory *memory, bool drop, uint32_t address)
{
	if (cache_clean(&memory->l1d, address >> memory->l1d.shift, drop))
		l2_access(memory, address, DIRTY);
}

static enum hexagon_level vector(struct hexagon_memory *memory, uint64_t *count, bool store,
				 uint32_t address)
{
	bool hit;

	snoop(memory, count, address, store);
	hit = l2_access(memory, address, store ? DIRTY : 0);
	count[store ? HEXAGON_VECTOR_STORES : HEXAGON_VECTOR_LOADS]++;
	count[store ? HEXAGON_VECTOR_STORE_MISSES : HEXAGON_VECTOR_LOAD_MISSES] += !hit;
	return hit ? HEXAGON_NEAR : HEXAGON_FAR;
}

enum hexagon_level hexagon_memory_access(struct hexagon_memory *memory, uint64_t *count,
					 enum hexagon_access access, uint32_t address)
{
	if (address - memory->shape.vtcm < memory->shape.vtcm_size)
		return HEXAGON_NEAR;
	switch (access) {
	case HEXAGON_FETCH:
		return fetch(memory, count, address);
	case HEXAGON_LOAD:
	case HEXAGON_STORE:
	case HEXAGON_ZERO:
		return data(memory, count, access, address);
	case HEXAGON_VECTOR_LOAD:
	case HEXAGON_VECTOR_STORE:
		return vector(memory, count, access == HEXAGON_VECTOR_STORE, address);
	case HEXAGON_PREFETCH:
		return prefetch(memory, count, address);
	case HEXAGON_L2_PREFETCH:
		l2_prefetch(memory, count, address);
		break;
	case HEXAGON_CLEAN:
	case HEXAGON_DROP:
		maintain(memory, access == HEXAGON_DROP, address);
		break;
	case HEXAGON_DROP_CODE:
		cache_clean(&memory->l1i, address >> memory->l1i.shift, true);
		break;
	case HEXAGON_ACCESSES:
		break;
	}
	return HEXAGON_NEAR;
}
