/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The model's scheduler: wake-up cycles of the agents. */
#include "esp/internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_AGAIN	65536	/* cycles between two looks at a process whose tile's clock is stopped */

static bool before(const struct esp_soc *soc, unsigned int a, unsigned int b)
{
	return soc->wake[a] < soc->wake[b] || (soc->wake[a] == soc->wake[b] && a < b);
}

static void place_at(struct esp_agenda *g, unsigned int at, unsigned int agent)
{
	g->heap[at] = agent;
	g->place[agent] = at + 1;
}

static void sift_up(struct esp_soc *soc, unsigned int at, unsigned int agent)
{
	struct esp_agenda *g = &soc->agenda;

	while (at) {
		unsigned int parent = (at - 1) / 2;

		if (!before(soc, agent, g->heap[parent]))
			break;
		place_at(g, at, g->heap[parent]);
		at = parent;
	}
	place_at(g, at, agent);
}

static void sift_down(struct esp_soc *soc, unsigned int at, unsigned int agent)
{
	struct esp_agenda *g = &soc->agenda;

	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child >= g->heap_len)
			break;
		if (child + 1 < g->heap_len && before(soc, g->heap[child + 1], g->heap[child]))
			child++;
		if (!before(soc, g->heap[child], agent))
			break;
		place_at(g, at, g->heap[child]);
		at = child;
	}
	place_at(g, at, agent);
}

static void leave_heap(struct esp_soc *soc, unsigned int agent)
{
	struct esp_agenda *g = &soc->agenda;
	unsigned int at = g->place[agent] - 1u, last = g->heap[--g->heap_len];

	g->place[agent] = 0;
	if (last == agent)
		return;
	if (at && before(soc, last, g->heap[(at - 1) / 2]))
		sift_up(soc, at, last);
	else
		sift_down(soc, at, last);
}

static void set_soon(struct esp_agenda *g, unsigned int when, unsigned int agent)
{
	g->soon[when][agent / 64] |= (uint64_t)1 << agent % 64;
	g->full[when] |= 1u << agent / 64;
}

static void clear_soon(struct esp_agenda *g, unsigned int when, unsigned int agent)
{
	uint64_t *word = &g->soon[when][agent / 64];

	*word &= ~((uint64_t)1 << agent % 64);
	if (!*word)
		g->full[when] &= ~(1u << agent / 64);
}

static void enter(struct esp_soc *soc, unsigned int agent)
{
	struct esp_agenda *g = &soc->agenda;
	uint64_t cycle = soc->wake[agent], now = soc->st->now;

	if (cycle <= now)
		set_soon(g, g->this, agent);
	else if (cycle == now + 1)
		set_soon(g, !g->this, agent);
	else
		sift_up(soc, g->heap_len++, agent);
}

void esp_wake(struct esp_soc *soc, unsigned int agent, uint64_t cycle)
{
	struct esp_agenda *g = &soc->agenda;

	if (cycle >= soc->wake[agent])
		return;
	if (soc->wake[agent] == ESP_NEVER)
		g->waiting++;
	else if (g->place[agent])
		leave_heap(soc, agent);
	else
		clear_soon(g, !g->this, agent);	/* wake-ups of this cycle cannot become earlier */
	soc->wake[agent] = cycle;
	enter(soc, agent);
}

/* Takes the first agent of this cycle and runs it. */
static void run_first(struct esp_soc *soc)
{
	struct esp_agenda *g = &soc->agenda;
	unsigned int word = __builtin_ctz(g->full[g->this]);
	unsigned int agent = word * 64 + __builtin_ctzll(g->soon[g->this][word]);
	const struct esp_agent_entry *entry = &g->agent[agent];

	clear_soon(g, g->this, agent);
	soc->wake[agent] = ESP_NEVER;
	g->waiting--;
	g->running = agent;
	entry->kind->step(soc, entry->number);
	g->running = UINT_MAX;
}

uint64_t esp_soc_now(const struct esp_soc *soc)
{
	return soc->st->now;
}

static uint64_t next_wake(const struct esp_soc *soc)
{
	const struct esp_agenda *g = &soc->agenda;

	if (g->full[g->this])
		return soc->st->now;
	if (g->full[!g->this])
		return soc->st->now + 1;
	return g->heap_len ? soc->wake[g->heap[0]] : ESP_NEVER;
}

uint64_t esp_soc_next_event(const struct esp_soc *soc)
{
	uint64_t next = next_wake(soc);

	/* a process that makes no progress does not stop the clock, but may say something */
	if (soc->standing && next > soc->st->now + LOOK_AGAIN)
		next = soc->st->now + LOOK_AGAIN;
	return next > soc->least_horizon ? soc->least_horizon + 1 : next;
}

/* Moves the clock to a cycle; nothing is left to do before it. */
static void move_clock(struct esp_soc *soc, uint64_t cycle)
{
	struct esp_agenda *g = &soc->agenda;

	if (cycle > soc->st->now) {
		g->this = !g->this;
		soc->st->now = cycle;
	}
	while (g->heap_len && soc->wake[g->heap[0]] <= cycle) {
		unsigned int agent = g->heap[0];

		leave_heap(soc, agent);
		set_soon(g, g->this, agent);
	}
}

static void advance(struct esp_soc *soc, uint64_t cycle, bool wait)
{
	struct esp_agenda *g = &soc->agenda;

	if (soc->standing)
		soc->listen(soc, false);
	for (;;) {
		uint64_t next;

		while (g->full[g->this])
			run_first(soc);
		next = next_wake(soc);
		/* an accelerator's process could still make a request in that cycle */
		if ((next < cycle ? next : cycle) > soc->least_horizon) {
			if (!soc->listen(soc, wait))
				return;
			continue;
		}
		if (next > cycle)
			break;
		move_clock(soc, next);
	}
	if (cycle > soc->st->now)
		move_clock(soc, cycle);
}

void esp_soc_advance(struct esp_soc *soc, uint64_t cycle)
{
	advance(soc, cycle, true);
}

void esp_soc_try_advance(struct esp_soc *soc, uint64_t cycle)
{
	advance(soc, cycle, false);
}

void esp_agents_rebuild(struct esp_soc *soc)
{
	struct esp_agenda *g = &soc->agenda;
	unsigned int a;

	g->heap_len = g->waiting = g->this = 0;
	g->full[0] = g->full[1] = 0;
	memset(g->soon[0], 0, 2 * g->words * sizeof(*g->soon[0]));
	memset(g->place, 0, g->nagents * sizeof(*g->place));
	for (a = 0; a < g->nagents; a++) {
		if (soc->wake[a] == ESP_NEVER)
			continue;
		g->waiting++;
		enter(soc, a);
	}
}

bool esp_agents_new(struct esp_soc *soc, unsigned int nagents)
{
	struct esp_agenda *g = &soc->agenda;

	g->nagents = nagents;
	g->running = UINT_MAX;
	g->words = (nagents + 63) / 64;
	g->soon[0] = calloc(2 * g->words, sizeof(*g->soon[0]));
	g->heap = calloc(nagents, sizeof(*g->heap));
	g->place = calloc(nagents, sizeof(*g->place));
	g->agent = calloc(nagents, sizeof(*g->agent));
	if (!g->soon[0] || !g->heap || !g->place || !g->agent)
		return false;
	g->soon[1] = g->soon[0] + g->words;
	return true;
}

void esp_agents_free(struct esp_soc *soc)
{
	free(soc->agenda.agent);
	free(soc->agenda.place);
	free(soc->agenda.heap);
	free(soc->agenda.soon[0]);
}

void esp_guest_error(struct esp_soc *soc, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!soc->ops.guest_error)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	soc->ops.guest_error(soc->opaque, text);
}
