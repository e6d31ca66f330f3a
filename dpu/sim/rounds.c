// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The turns of the ring's threads as rounds.
 *
 * Each thread of the ring has a slot, in their order, and one turn in each round. A key, that is a
 * round and a slot, identifies a turn. Turns that only use up credit are not executed one by one: a
 * slot's key is the turn in which its thread must be checked again. Until then the stored credit of
 * a thread is that of its last check, so a window may look open that is used up;
 * dpu_rounds_credits() computes the credits.
 *
 * Cycles are bits of a word. A thread is ready again one dispatch interval after its turn; busy has
 * the next cycles, up to an interval, in which a thread becomes ready. All others are ready and
 * take the first free cycles. So if the ring has at least as many threads as the interval has
 * cycles, each cycle has a turn; else the turns of one interval repeat in the next ones.
 */
#include <string.h>

#include "dpu/sim/dpu-internal.h"

#define NO_KEY 0x7f7f7f7f		/* above all others */
#define NO_EVENT (NO_KEY - 1)	/* no slot has this key */

static inline uint32_t round_of(uint32_t key)
{
	return key >> DPU_SLOT_BITS;
}

static inline uint32_t slot_of(uint32_t key)
{
	return key & ((1 << DPU_SLOT_BITS) - 1);
}

static inline uint64_t low_bits(uint32_t n)
{
	return (UINT64_C(1) << n) - 1;
}

static inline uint32_t count_bits(uint64_t bits)
{
	return __builtin_popcountll(bits);
}

static inline uint32_t last_bit(uint64_t bits)
{
	return 63 - __builtin_clzll(bits);
}

/* Threads that are ready take the first cycles that are free. */
static void set_turns(struct dpu_rounds *r)
{
	r->turns = r->busy;
	if (r->count >= r->interval) {
		r->turns = low_bits(r->interval);
		return;
	}
	for (uint32_t ready = r->count - count_bits(r->busy); ready; ready--)
		r->turns |= r->turns + 1;
}

/* A thread of the ring is ready in a cycle. False if another one becomes ready in it, too. */
static bool begin_at(struct dpu_rounds *r, uint32_t slot, uint64_t ready)
{
	uint64_t bit;

	r->keys[slot] |= slot;
	if (ready <= r->now)
		return true;
	if (ready - r->now >= r->interval)
		return false;
	bit = UINT64_C(1) << (ready - r->now);
	if (r->busy & bit)
		return false;
	r->busy |= bit;
	return true;
}

bool dpu_rounds_begin(struct dpu *dpu)
{
	struct dpu_rounds *r = &dpu->rounds;
	struct dpu_thread *t = dpu->ring;

	r->count = dpu->ring_size;
	r->interval = dpu->timing.dispatch_interval;
	if (!r->count || r->interval > DPU_ROUNDS_INTERVAL)
		return false;
	r->now = t->ready > dpu->cycle ? t->ready : dpu->cycle + 1;
	r->last = dpu->cycle;
	r->busy = r->next = r->waiting = 0;
	memset(r->keys, 0x7f, sizeof(r->keys));
	for (unsigned int i = 0; i < r->count; i++, t = t->next) {
		r->slots[i] = (struct dpu_slot){ -1, t - dpu->threads };
		r->keys[i] = t->credit << DPU_SLOT_BITS;
		if (!begin_at(r, i, t->ready))
			return false;
	}
	set_turns(r);
	r->expected = NO_EVENT;
	r->after = 0;
	r->active = true;
	return true;
}

static inline uint32_t less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t dpu_rounds_next(const struct dpu *dpu)
{
	const uint32_t *keys = dpu->rounds.keys, *end = keys + dpu->rounds.count;
	uint32_t even = NO_KEY, odd = NO_KEY;

	for (; keys < end; keys += 4) {
		even = less(less(even, keys[0]), keys[2]);
		odd = less(less(odd, keys[1]), keys[3]);
	}
	return less(even, odd);
}

uint64_t dpu_rounds_sparse_cycle(const struct dpu *dpu, uint32_t turns)
{
	const struct dpu_rounds *r = &dpu->rounds;
	uint64_t bits = r->turns;

	for (uint32_t rest = turns % r->count; rest; rest--)
		bits &= bits - 1;
	return r->now + (uint64_t)(turns / r->count) * r->interval + __builtin_ctzll(bits);
}

_Static_assert(DPU_PUBLISH_TURNS < DPU_ROUNDS_FAR / DPU_ROUNDS_INTERVAL, "a run ends before so many cycles");

uint32_t dpu_rounds_sparse_until(const struct dpu *dpu, uint32_t cycles)
{
	const struct dpu_rounds *r = &dpu->rounds;

	return cycles / r->interval * r->count + count_bits(r->turns & low_bits(cycles % r->interval));
}

/* So many cycles are over. */
static inline void pass_cycles(struct dpu_rounds *r, uint64_t cycles)
{
	uint32_t rest = cycles;

	r->now += cycles;
	r->expected = NO_EVENT;
	if (cycles >= r->interval) {
		r->busy = r->turns;
		if (r->count >= r->interval)
			return;
		rest = (uint32_t)cycles % r->interval;
	}
	r->busy = r->busy >> rest | (r->turns & low_bits(rest)) << (r->interval - rest);
}

/* So many turns are over, in so many cycles. */
static inline void pass(struct dpu *dpu, uint32_t turns, uint64_t cycles)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t slot = slot_of(r->next) + turns, round = round_of(r->next);

	if (slot >= r->count) {
		slot -= r->count;
		round++;
	}
	if (slot >= r->count) {
		round += slot / r->count;
		slot %= r->count;
	}
	r->next = round << DPU_SLOT_BITS | slot;
	dpu_count_turns(dpu, turns);
	pass_cycles(r, cycles);
}

void dpu_rounds_pass(struct dpu *dpu, uint32_t turns, uint64_t cycle)
{
	pass(dpu, turns, cycle - dpu->rounds.now);
}

void dpu_rounds_advance(struct dpu *dpu, uint32_t turns)
{
	if (!turns)
		return;
	pass(dpu, turns, dpu_rounds_cycle(dpu, turns - 1) + 1 - dpu->rounds.now);
	set_turns(&dpu->rounds);
}

/*
 * Four keys, or slots. Threads move by one slot without branches: which ones is not predictable. Keys are below 2^31, as
 * numbers with a sign, too.
 */
typedef int32_t four_words __attribute__((vector_size(16), aligned(4), may_alias));

static inline four_words four_of(const void *words)
{
	return *(const four_words *)words;
}

static inline four_words choose(four_words mask, four_words yes, four_words no)
{
	return (yes & mask) | (no & ~mask);
}

static inline four_words indices(int32_t first)
{
	return first + (four_words){ 0, 1, 2, 3 };
}

/* Clang has no __builtin_shuffle(); compilers make one instruction of this. */
static inline four_words one_back(four_words v)
{
	return (four_words){ v[0], v[0], v[1], v[2] };
}

/* The least of four keys, and its slot, is the next event's. */
static inline void expect_least(struct dpu_rounds *r, four_words keys)
{
	four_words other = { keys[2], keys[3], keys[0], keys[1] };

	keys = choose(keys < other, keys, other);
	r->expected = keys[0] < keys[1] ? keys[0] : keys[1];
	r->after = slot_of(r->expected);
}

/*
 * The threads after a slot, up to the new count, move one slot forward. The least key is found on
 * the way.
 */
static inline void close_gap(struct dpu_rounds *r, unsigned int slot)
{
	four_words least = NO_KEY + (four_words){ 0 };

	for (unsigned int i = 0; i < r->count; i += 4) {
		const four_words behind = indices(i) >= (int32_t)slot;
		const four_words keys = choose(behind, four_of(&r->keys[i + 1]) - 1, four_of(&r->keys[i]));

		*(four_words *)&r->keys[i] = keys;
		*(four_words *)&r->slots[i] = choose(behind, four_of(&r->slots[i + 1]), four_of(&r->slots[i]));
		least = choose(keys < least, keys, least);
	}
	memset(&r->keys[r->count], 0x7f, 4 * sizeof(r->keys[0]));
	expect_least(r, least);
}

/* The threads from a slot on, up to the old count, move one slot back. */
static inline void make_gap(struct dpu_rounds *r, unsigned int slot)
{
	four_words behind, keys, slots;

	for (unsigned int i = r->count & ~3u; i; i -= 4) {
		behind = indices(i) > (int32_t)slot;
		keys = choose(behind, four_of(&r->keys[i - 1]) + 1, four_of(&r->keys[i]));
		slots = choose(behind, four_of(&r->slots[i - 1]), four_of(&r->slots[i]));
		*(four_words *)&r->keys[i] = keys;
		*(four_words *)&r->slots[i] = slots;
	}
	behind = indices(0) > (int32_t)slot;
	keys = four_of(r->keys);
	slots = four_of(r->slots);
	*(four_words *)r->keys = choose(behind, one_back(keys) + 1, keys);
	*(four_words *)r->slots = choose(behind, one_back(slots), slots);
}

void dpu_rounds_remove(struct dpu *dpu, uint32_t key, uint32_t turns, uint64_t cycle)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t slot = slot_of(key);

	dpu_count_turns(dpu, turns + 1);
	pass_cycles(r, cycle - r->now);
	r->next = key;
	r->last = cycle;
	r->now = cycle + 1;
	r->busy >>= 1;
	r->count--;
	close_gap(r, slot);
	if (slot == r->count)
		r->next = (round_of(key) + 1) << DPU_SLOT_BITS;
	set_turns(r);
}

/* The threads that become ready after this cycle. */
static inline uint32_t ready_later(const struct dpu_rounds *r)
{
	return r->busy == low_bits(r->interval) ? r->interval - 1 : count_bits(r->busy >> 1);
}

uint32_t dpu_rounds_before_new(const struct dpu *dpu)
{
	return dpu->rounds.count - ready_later(&dpu->rounds);
}

void dpu_rounds_visit(struct dpu *dpu, uint32_t turns)
{
	struct dpu_rounds *r = &dpu->rounds;

	pass(dpu, turns, turns);
	dpu_count_turns(dpu, 1);
	r->last = r->now++;
	r->busy >>= 1;
}

/* As in threads.c: before those that are not ready yet, at the end of the ring. */
unsigned int dpu_rounds_insert(struct dpu *dpu, const struct dpu_thread *t)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t place = slot_of(r->next), round = round_of(r->next), later = ready_later(r);

	if (later <= place) {
		place -= later;
		round++;
		r->next++;
	} else {
		place += r->count - later;
	}
	make_gap(r, place);
	r->count++;
	r->slots[place] = (struct dpu_slot){ -1, t - dpu->threads };
	r->keys[place] = round << DPU_SLOT_BITS | place;
	set_turns(r);
	return place;
}

void dpu_rounds_credits(struct dpu *dpu, uint32_t key)
{
	const struct dpu_rounds *r = &dpu->rounds;

	for (unsigned int i = 0; i < r->count; i++)
		dpu->threads[r->slots[i].thread].credit =
			r->slots[i].wait >= 0 ? 0 : round_of(r->keys[i]) - round_of(key) - (i < slot_of(key));
}

/* The ring's threads in the order of their slots, from one on. */
static void link_ring(struct dpu *dpu, uint32_t first)
{
	struct dpu_rounds *r = &dpu->rounds;
	struct dpu_thread *before = r->count ? &dpu->threads[r->slots[r->count - 1].thread] : NULL;

	dpu->ring = r->count ? &dpu->threads[r->slots[first].thread] : NULL;
	for (unsigned int i = 0; i < r->count; i++) {
		struct dpu_thread *t = &dpu->threads[r->slots[i].thread];

		before->next = t;
		t->prev = before;
		before = t;
	}
}

/* The last threads of the ring are those that are not ready. */
void dpu_rounds_end(struct dpu *dpu)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t first = slot_of(r->next), slot = first;

	dpu_rounds_credits(dpu, r->next);
	link_ring(dpu, first);
	dpu->cycle = r->last;
	if (r->busy && r->now + last_bit(r->busy) - r->interval > r->last)
		dpu->cycle = r->now + last_bit(r->busy) - r->interval;
	for (unsigned int i = 0; i < r->count; i++) {
		slot = slot ? slot - 1 : r->count - 1;
		dpu->threads[r->slots[slot].thread].ready = r->now + (r->busy ? last_bit(r->busy) : 0);
		r->busy &= r->busy ? ~(UINT64_C(1) << last_bit(r->busy)) : 0;
	}
	r->active = false;
}
