// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The turns of the ring's threads as rounds.
 *
 * The threads of the ring have a slot each, in their order, and one turn in each round. Turns that only use up credit are
 * not looked at one by one: a slot says in which round its thread has to be looked at again, and in which cycle its
 * first turn is; later ones follow in a fixed period. Only where a thread joins or leaves the ring are slots brought
 * up to date. Meanwhile the credit of a thread is what it had when it was looked at, so that a window may seem open that
 * is used up; dpu_rounds_credits() says how it is.
 *
 * Rounds count from the last time that slots were brought up to date. The turn that was next then, of slot head, was in
 * round 0; slots before it had theirs in that round already and go on in round 1.
 */
#include <string.h>

#include "upmem/dpu-internal.h"

#define SLOTS DPU_MAX_THREADS
#define FEW_SLOTS 16	/* loops of a fixed length become vectors */
#define NO_KEY (UINT32_MAX - 1)
#define OLD (-(1 << 20))	/* a ready time that is long past */

static inline uint32_t round_of(uint32_t key)
{
	return key >> DPU_SLOT_BITS;
}

/* One thread after the other, where some are not ready when the one before has gone. */
static void set_cycles_one_by_one(struct dpu_rounds *r)
{
	int32_t last = 0;

	for (unsigned int i = r->head; i < r->count; i++)
		last = r->cycles[i] = last + 1 > r->ready[i] ? last + 1 : r->ready[i];
	for (unsigned int i = 0; i < r->head; i++)
		last = r->cycles[i] = last + 1 > r->ready[i] ? last + 1 : r->ready[i];
	r->regular = r->count && (uint32_t)(last - r->cycles[r->head]) < r->period;
}

/* One turn a cycle; negative when a thread is not ready for that. */
static inline __attribute__((always_inline)) int32_t set_slots(struct dpu_rounds *r, int32_t slots)
{
	int32_t head = r->head, count = r->count, late = 0;

	for (int32_t i = 0; i < slots; i++) {
		int32_t cycle = 1 + i - head + (i < head ? count : 0), early = cycle - r->ready[i];

		late |= i < count ? early : 0;
		r->cycles[i] = cycle;
	}
	return late;
}

/* The first turn of each slot, one a cycle where all are ready; and do the rounds after it repeat with a fixed period? */
static void set_cycles(struct dpu *dpu)
{
	struct dpu_rounds *r = &dpu->rounds;
	int32_t interval = dpu->timing.dispatch_interval, count = r->count, late;

	if (count <= FEW_SLOTS)
		late = set_slots(r, FEW_SLOTS);
	else
		late = set_slots(r, SLOTS);
	r->expected = NO_KEY;
	r->period = count > interval ? count : interval;
	r->regular = count;
	if (late < 0)
		set_cycles_one_by_one(r);
}

void dpu_rounds_begin(struct dpu *dpu)
{
	struct dpu_rounds *r = &dpu->rounds;
	struct dpu_thread *t = dpu->ring;

	r->count = dpu->ring_size;
	r->head = r->waiting = 0;
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		r->keys[i] = UINT32_MAX;
		r->waits[i] = -1;
	}
	for (unsigned int i = 0; i < r->count; i++, t = t->next) {
		int64_t ready = (int64_t)(t->ready - dpu->cycle);

		r->threads[i] = t - dpu->threads;
		r->keys[i] = t->credit << DPU_SLOT_BITS | i;
		r->ready[i] = ready > OLD ? ready : OLD;
	}
	r->base = dpu->cycle;
	r->active = true;
	set_cycles(dpu);
}

/* One by one: the last key that was written is read at once, which is slow in pieces of another size. */
uint32_t dpu_rounds_next(const struct dpu *dpu)
{
	const struct dpu_rounds *r = &dpu->rounds;
	uint32_t least[2] = { UINT32_MAX, UINT32_MAX };

	for (unsigned int i = 0; i < r->count; i += 2) {
		least[0] = r->keys[i] < least[0] ? r->keys[i] : least[0];
		least[1] = r->keys[i + 1] < least[1] ? r->keys[i + 1] : least[1];
	}
	return least[0] < least[1] ? least[0] : least[1];
}

uint32_t dpu_rounds_from(const struct dpu *dpu, uint64_t cycle)
{
	const struct dpu_rounds *r = &dpu->rounds;
	uint64_t late = cycle - r->base;
	uint32_t lap, key = 0;

	if (cycle <= r->base + r->cycles[r->head])
		return r->head;
	lap = r->regular ? (uint32_t)(late - r->cycles[r->head]) / r->period : 0;
	for (unsigned int n = 0, i = r->head; n < r->count; n++) {
		key = (lap + (i < r->head)) << DPU_SLOT_BITS | i;
		if (r->cycles[i] + (uint64_t)lap * r->period >= late)
			return key;
		i = i + 1 < r->count ? i + 1 : 0;
	}
	return (lap + 1) << DPU_SLOT_BITS | r->head;
}

/* Ready times and keys at a turn, in the cycle after now. */
static inline __attribute__((always_inline)) void advance_slots(struct dpu_rounds *r, uint32_t round, int32_t next,
								int32_t interval, int32_t now, int32_t slots)
{
	int32_t head = r->head, period = r->period, before = ((int32_t)round - 1) * period + interval;

	for (int32_t i = 0; i < slots; i++) {
		int32_t more = (i < next) - (i < head);
		int32_t last = r->cycles[i] + before + (more > 0 ? period : 0) - (more < 0 ? period : 0);
		int32_t ready = ((int32_t)round + more > 0 ? last : r->ready[i]) - now;

		r->ready[i] = ready > OLD ? ready : OLD;
	}
	for (int32_t i = 0; i < slots; i++)
		r->keys[i] -= round << DPU_SLOT_BITS;
}

/* The turns before a slot's in a round are over. */
void dpu_rounds_advance(struct dpu *dpu, uint32_t round, unsigned int slot)
{
	struct dpu_rounds *r = &dpu->rounds;
	int32_t interval = dpu->timing.dispatch_interval, period = r->period, head = r->head, next = slot;
	int32_t now;
	uint64_t turns = dpu_rounds_turns(dpu, round, slot);

	if (!turns)
		return;
	dpu->instructions += turns;
	/* of the slot before this one; it had a turn */
	now = slot ? r->cycles[slot - 1] + ((int32_t)round - (next - 1 < head)) * period :
	      r->cycles[r->count - 1] + ((int32_t)round - 1 - ((int32_t)r->count - 1 < head)) * period;
	if (r->count <= FEW_SLOTS)
		advance_slots(r, round, next, interval, now, FEW_SLOTS);
	else
		advance_slots(r, round, next, interval, now, SLOTS);
	for (unsigned int i = r->count; i < DPU_MAX_THREADS; i++)
		r->keys[i] = UINT32_MAX;
	r->head = slot;
	r->base += now;
	dpu->cycle = r->base;
	r->expected = NO_KEY;
}

void dpu_rounds_restart(struct dpu *dpu)
{
	set_cycles(dpu);
}

void dpu_rounds_remove(struct dpu *dpu, uint32_t round, unsigned int slot)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint64_t cycle = dpu_rounds_cycle(dpu, round, slot);
	int32_t now;

	dpu_rounds_advance(dpu, round, slot);
	now = cycle - r->base;
	r->count--;
	for (unsigned int i = slot; i < r->count; i++) {
		r->threads[i] = r->threads[i + 1];
		r->waits[i] = r->waits[i + 1];
		r->ready[i] = r->ready[i + 1];
		r->keys[i] = r->keys[i + 1] - 1;
	}
	r->keys[r->count] = UINT32_MAX;
	r->waits[r->count] = -1;
	if (slot == r->count) {
		for (unsigned int i = 0; i < r->count; i++)
			r->keys[i] -= 1 << DPU_SLOT_BITS;
		r->head = 0;
	}
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		r->ready[i] -= now;
	r->base += now;
	dpu->cycle = r->base;
	dpu->instructions++;
	set_cycles(dpu);
}

/* As threads.c does: from the end of the ring back to those that are not ready later. */
unsigned int dpu_rounds_insert(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_rounds *r = &dpu->rounds;
	int32_t ready = t->ready > r->base ? (int32_t)(t->ready - r->base) :
			r->base - t->ready < -OLD ? -(int32_t)(r->base - t->ready) : OLD;
	unsigned int passed = 0, slot = r->head, place;

	while (passed < r->count) {
		unsigned int before = slot ? slot - 1 : r->count - 1;

		if (r->ready[before] <= ready)
			break;
		slot = before;
		passed++;
	}
	if (passed == r->count)
		place = r->head;
	else
		place = slot ? slot : r->count;
	for (unsigned int i = r->count; i > place; i--) {
		r->threads[i] = r->threads[i - 1];
		r->waits[i] = r->waits[i - 1];
		r->ready[i] = r->ready[i - 1];
		r->keys[i] = r->keys[i - 1] + 1;
	}
	/* between slot 0 and the last one it is behind the last one; as the first of all it is the next to go */
	if (passed != r->count && place <= r->head)
		r->head++;
	r->count++;
	r->threads[place] = t - dpu->threads;
	r->waits[place] = -1;
	r->ready[place] = ready;
	r->keys[place] = (uint32_t)(place < r->head) << DPU_SLOT_BITS | place;
	set_cycles(dpu);
	return place;
}

void dpu_rounds_credits(struct dpu *dpu, uint32_t round, unsigned int slot)
{
	const struct dpu_rounds *r = &dpu->rounds;

	for (unsigned int i = 0; i < r->count; i++) {
		struct dpu_thread *t = &dpu->threads[r->threads[i]];

		if (i != slot)
			t->credit = r->waits[i] >= 0 ? 0 : round_of(r->keys[i]) - round - (i < slot);
	}
}

void dpu_rounds_end(struct dpu *dpu)
{
	struct dpu_rounds *r = &dpu->rounds;

	dpu_rounds_credits(dpu, 0, r->head);
	for (unsigned int i = 0; i < r->count; i++) {
		struct dpu_thread *t = &dpu->threads[r->threads[i]];

		t->ready = r->base + r->ready[i];
		if (i == r->head)
			t->credit = r->waits[i] >= 0 ? 0 : round_of(r->keys[i]);
	}
	dpu->ring = r->count ? &dpu->threads[r->threads[r->head]] : NULL;
	dpu->cycle = r->base;
	r->active = false;
}
