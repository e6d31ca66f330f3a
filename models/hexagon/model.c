/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "hexagon/model.h"

void hexagon_model_init(struct hexagon_model *model, unsigned int threads)
{
	memset(model, 0, sizeof(*model));
	model->threads = threads;
	model->hold = UINT64_MAX;
}

bool hexagon_model_sane(const struct hexagon_model *model)
{
	if (!model->threads || model->threads > HEXAGON_MAX_THREADS)
		return false;
	if (model->pending > HEXAGON_MAX_PENDING || (model->running | model->vector) >> model->threads)
		return false;
	for (unsigned int i = 0; i < model->pending; i++) {
		uint64_t after = i ? model->change[i - 1].at : model->frontier;

		if (model->change[i].thread >= model->threads || model->change[i].at < after ||
		    model->change[i].vector > 1)
			return false;
	}
	return true;
}

uint64_t hexagon_model_clock(const struct hexagon_model *model, unsigned int thread,
			     uint64_t packets)
{
	const struct hexagon_model_thread *t = &model->thread[thread];

	return t->state == HEXAGON_RUNNING ? t->offset + packets : t->left;
}

static void charge_to(struct hexagon_model *model, uint64_t at)
{
	model->rounds[model->running] += at - model->frontier;
	model->contexts[__builtin_popcount(model->running & model->vector)] += at - model->frontier;
	model->frontier = at;
}

/* Charges up to `at`, and makes all changes on the way. */
static void move_frontier(struct hexagon_model *model, uint64_t at)
{
	unsigned int done = 0;

	while (done < model->pending && model->change[done].at <= at) {
		const struct hexagon_model_change *change = &model->change[done++];

		charge_to(model, change->at);
		*(change->vector ? &model->vector : &model->running) ^= 1u << change->thread;
	}
	if (done) {
		model->pending -= done;
		memmove(model->change, model->change + done,
			model->pending * sizeof(model->change[0]));
	}
	if (at > model->frontier)
		charge_to(model, at);
}

/*
 * There is no room for another change: the frontier moves to the first one. A thread that is behind counts as resting
 * until then and continues from there, so its packets are charged later.
 */
static void slip(struct hexagon_model *model, const hexagon_packets_t packets)
{
	uint64_t at = model->change[0].at;
	uint32_t behind = 0;

	for (unsigned int i = 0; i < model->threads; i++) {
		struct hexagon_model_thread *t = &model->thread[i];

		if (t->state == HEXAGON_RUNNING && t->offset + packets[i] < at) {
			t->offset = at - packets[i];
			behind |= 1u << i;
			model->slips++;
		}
	}
	model->running &= ~behind;
	move_frontier(model, at);
	model->running |= behind;
}

/* Brings the model up to date, with room for one more change. */
static void make_room(struct hexagon_model *model, const hexagon_packets_t packets)
{
	hexagon_model_advance(model, packets);
	if (model->pending == HEXAGON_MAX_PENDING)
		slip(model, packets);
}

/* at: not before the frontier */
static void add_change(struct hexagon_model *model, unsigned int thread, uint64_t at, bool vector)
{
	unsigned int i;

	for (i = model->pending; i && model->change[i - 1].at > at; i--)
		;
	memmove(model->change + i + 1, model->change + i,
		(model->pending - i) * sizeof(model->change[0]));
	model->change[i] = (struct hexagon_model_change){ .at = at, .thread = thread, .vector = vector };
	model->pending++;
}

void hexagon_model_start(struct hexagon_model *model, unsigned int thread, uint64_t at,
			 const hexagon_packets_t packets)
{
	struct hexagon_model_thread *t = &model->thread[thread];

	if (t->state == HEXAGON_RUNNING)
		return;
	make_room(model, packets);
	if (at < t->left)
		at = t->left;
	if (at < model->frontier)
		at = model->frontier;
	add_change(model, thread, at, false);
	t->state = HEXAGON_RUNNING;
	t->offset = at - packets[thread];
}

void hexagon_model_stop(struct hexagon_model *model, unsigned int thread,
			const hexagon_packets_t packets, enum hexagon_thread_state state)
{
	struct hexagon_model_thread *t = &model->thread[thread];

	if (t->state == HEXAGON_RUNNING) {
		make_room(model, packets);
		t->left = t->offset + packets[thread];
		add_change(model, thread, t->left, false);
	}
	t->state = state;
	hexagon_model_advance(model, packets);
}

void hexagon_model_vector(struct hexagon_model *model, unsigned int thread, const hexagon_packets_t packets,
			  bool vector)
{
	struct hexagon_model_thread *t = &model->thread[thread];
	uint64_t at;

	if (t->vector == vector)
		return;
	make_room(model, packets);
	at = hexagon_model_clock(model, thread, packets[thread]);
	add_change(model, thread, at > model->frontier ? at : model->frontier, true);
	t->vector = vector;
}

uint64_t hexagon_model_limit(const struct hexagon_model *model, const hexagon_packets_t packets)
{
	uint64_t limit = UINT64_MAX;

	for (unsigned int i = 0; i < model->threads; i++) {
		uint64_t clock = model->thread[i].offset + packets[i];

		if (model->thread[i].state == HEXAGON_RUNNING && clock < limit)
			limit = clock;
	}
	return limit;
}

void hexagon_model_advance(struct hexagon_model *model, const hexagon_packets_t packets)
{
	uint64_t at = hexagon_model_limit(model, packets);

	/* if no thread runs, all pending changes have happened, and no other one can come before them */
	if (at == UINT64_MAX)
		at = model->pending ? model->change[model->pending - 1].at : model->frontier;
	if (at > model->hold)
		at = model->hold > model->frontier ? model->hold : model->frontier;
	move_frontier(model, at);
}

void hexagon_model_finish(struct hexagon_model *model, const hexagon_packets_t packets)
{
	model->hold = UINT64_MAX;
	for (unsigned int i = 0; i < model->threads; i++)
		hexagon_model_stop(model, i, packets, HEXAGON_OFF);
}

static unsigned int model_bits(uint32_t set)
{
	return __builtin_popcount(set);
}

uint64_t hexagon_rounds(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n)
{
	uint64_t sum = 0;

	for (uint32_t set = 0; set < HEXAGON_THREAD_SETS; set++)
		if (model_bits(set) == n)
			sum += rounds[set];
	return sum;
}

uint64_t hexagon_rounds_packets(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n,
				uint32_t mask)
{
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		if (model_bits(set) == n)
			sum += rounds[set] * model_bits(set & mask);
	return sum;
}

uint64_t hexagon_rounds_split(const uint64_t rounds[HEXAGON_THREAD_SETS], unsigned int n,
			      unsigned int most, unsigned int per_cluster, uint32_t mask)
{
	uint32_t first = (1u << per_cluster) - 1;
	uint64_t sum = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++) {
		unsigned int in_first = model_bits(set & first);

		if (model_bits(set) == n && (in_first == most || n - in_first == most))
			sum += rounds[set] * model_bits(set & mask);
	}
	return sum;
}
