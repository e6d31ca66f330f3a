/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Life cycle, time and saved state of the Merrifield uncore model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrfld/model.h"

/* Change it whenever struct mrfld_state changes. */
#define STATE_MAGIC	0x312d646c66726d00ull

/* Interval at which running agents are updated, so that their data keep up with time. */
#define SLICE_NS	1000000u

void mrfld_params_init(struct mrfld_params *params)
{
	*params = (struct mrfld_params){
		.channels = 2,
		.interleave = 64,
		.soc_hz = 400000000,
		.dram_hz = 533000000,
		.shallow_us = 10,
		.deep_us = 1000,
	};
}

static const char *bad_parameter(const struct mrfld_params *p)
{
	if (p->channels != 1 && p->channels != 2)
		return "channels must be 1 or 2";
	if (p->interleave < 64 || p->interleave > 4096 || p->interleave & (p->interleave - 1))
		return "interleave must be a power of two from 64 to 4096";
	if (p->soc_hz < 1000000 || p->dram_hz < 1000000)
		return "soc-hz and dram-hz must be at least 1000000";
	if (p->shallow_us >= p->deep_us)
		return "shallow-us must be less than deep-us";
	return NULL;
}

struct mrfld_soc *mrfld_soc_new(const struct mrfld_params *params, const struct mrfld_ops *ops,
				void *opaque, char *err, size_t err_len)
{
	const char *bad = bad_parameter(params);
	struct mrfld_soc *soc = NULL;

	if (bad) {
		snprintf(err, err_len, "%s", bad);
		return NULL;
	}
	soc = calloc(1, sizeof(*soc));
	if (!soc) {
		snprintf(err, err_len, "out of memory");
		return NULL;
	}
	soc->params = *params;
	soc->ops = *ops;
	soc->opaque = opaque;
	soc->interleave_shift = __builtin_ctz(params->interleave);
	mrfld_soc_reset(soc);
	return soc;
}

void mrfld_soc_free(struct mrfld_soc *soc)
{
	free(soc);
}

void mrfld_soc_reset(struct mrfld_soc *soc)
{
	const struct mrfld_params *p = &soc->params;
	struct mrfld_state *s = &soc->s;
	uint64_t now = s->now;

	memset(s, 0, sizeof(*s));
	s->magic = STATE_MAGIC;
	s->now = now;
	s->channels = p->channels;
	s->interleave = p->interleave;
	s->soc_hz = p->soc_hz;
	s->dram_hz = p->dram_hz;
	s->shallow_us = p->shallow_us;
	s->deep_us = p->deep_us;
	s->faults = p->faults;
	s->mcrx = s->faults.mcrx & ~0xffu;
	s->power_ns = s->faults.power_ms ? now + s->faults.power_ms * 1000000ull : MRFLD_NEVER;
	for (unsigned int i = 0; i < 2; i++)
		s->channel[i].last_ns = now;
	for (unsigned int i = 0; i < MRFLD_NAGENTS; i++)
		mrfld_engine_reset(&s->engine[i]);
	mrfld_scanout_reset(&s->scanout);
}

uint64_t mrfld_soc_now(const struct mrfld_soc *soc)
{
	return soc->s.now;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t mrfld_soc_next_event(const struct mrfld_soc *soc)
{
	uint64_t next = soc->s.power_ns;

	for (unsigned int i = 0; i < MRFLD_NAGENTS; i++) {
		const struct mrfld_engine *engine = &soc->s.engine[i];

		if (engine->pacer.next_ns != MRFLD_NEVER)
			next = earlier(next, earlier(mrfld_engine_end_ns(engine),
						     soc->s.now + SLICE_NS));
	}
	if (soc->s.scanout.pacer.next_ns != MRFLD_NEVER)
		next = earlier(next, soc->s.now + SLICE_NS);
	return next;
}

/* Streams 0 .. MRFLD_NAGENTS - 1 are the engines, the last is the scan-out. */
#define NSTREAMS	(MRFLD_NAGENTS + 1)

static const struct mrfld_pacer *pacer(const struct mrfld_soc *soc, unsigned int stream)
{
	if (stream < MRFLD_NAGENTS)
		return &soc->s.engine[stream].pacer;
	return &soc->s.scanout.pacer;
}

static void run_streams(struct mrfld_soc *soc, uint64_t until)
{
	for (;;) {
		uint64_t limit = MRFLD_NEVER;
		unsigned int first = 0;

		for (unsigned int i = 1; i < NSTREAMS; i++) {
			uint64_t next = pacer(soc, i)->next_ns;

			if (next < pacer(soc, first)->next_ns) {
				limit = pacer(soc, first)->next_ns;
				first = i;
			} else if (next < limit) {
				limit = next;
			}
		}
		if (pacer(soc, first)->next_ns > until)
			return;
		limit = earlier(limit, until);
		do {
			if (first < MRFLD_NAGENTS)
				mrfld_engine_step(soc, first);
			else
				mrfld_scanout_step(soc);
		} while (pacer(soc, first)->next_ns <= limit);
	}
}

static void move_data(struct mrfld_soc *soc)
{
	for (unsigned int i = 0; i < MRFLD_NAGENTS; i++)
		mrfld_engine_move(soc, i);
	mrfld_scanout_move(soc);
}

void mrfld_soc_advance(struct mrfld_soc *soc, uint64_t ns)
{
	struct mrfld_state *s = &soc->s;

	if (soc->busy || ns <= s->now)
		return;
	soc->busy = true;
	while (s->power_ns <= ns) {
		run_streams(soc, s->power_ns);
		s->now = s->power_ns;
		mrfld_counters_lose(soc);
		s->power_ns += s->faults.power_ms * 1000000ull;
	}
	run_streams(soc, ns);
	move_data(soc);
	s->now = ns;
	soc->busy = false;
}

void mrfld_soc_module0(struct mrfld_soc *soc, bool write, uint64_t addr, unsigned int size)
{
	mrfld_request(soc, MRFLD_MODULE0, write, false, addr, size, soc->s.now);
}

size_t mrfld_soc_save_size(const struct mrfld_soc *soc)
{
	return sizeof(soc->s);
}

void mrfld_soc_save(const struct mrfld_soc *soc, void *buf)
{
	memcpy(buf, &soc->s, sizeof(soc->s));
}

static bool pacer_ok(const struct mrfld_pacer *p, uint64_t now)
{
	return p->next_ns == MRFLD_NEVER ||
	       (p->next_ns >= now && p->den && p->r < p->den && p->err < p->den && p->q + p->r);
}

static bool engine_ok(const struct mrfld_engine *e, uint64_t now)
{
	bool active = e->pacer.next_ns != MRFLD_NEVER;

	if (!pacer_ok(&e->pacer, now) || active != !!(e->status & MRFLD_STATUS_RUN))
		return false;
	if (!active)
		return e->moved == e->done;
	return e->unit >= 4 && e->unit <= 64 && !(e->unit & (e->unit - 1)) &&
	       e->size <= MRFLD_SIZE_64 && e->window && e->window % e->unit == 0 &&
	       e->total % e->unit == 0 && e->done % e->unit == 0 && e->done < e->total &&
	       e->moved == e->done;
}

static bool scanout_ok(const struct mrfld_scanout *scan, uint64_t now)
{
	bool active = scan->pacer.next_ns != MRFLD_NEVER;
	uint32_t line = scan->width * scan->cpp;

	if (!pacer_ok(&scan->pacer, now) || active != !!(scan->status & MRFLD_STATUS_RUN))
		return false;
	if (!active)
		return scan->moved == scan->pos;
	return scan->width <= 16384 && scan->height <= 16384 && scan->cpp <= 8 &&
	       scan->stride % 64 == 0 && scan->line < scan->height && scan->pos < line &&
	       scan->moved == scan->pos && scan->pos % 4 == 0;
}

bool mrfld_soc_load(struct mrfld_soc *soc, const void *buf, size_t len)
{
	const struct mrfld_params *p = &soc->params;
	struct mrfld_state s;

	if (len != sizeof(s))
		return false;
	memcpy(&s, buf, sizeof(s));
	if (s.magic != STATE_MAGIC || s.channels != p->channels || s.interleave != p->interleave ||
	    s.soc_hz != p->soc_hz || s.dram_hz != p->dram_hz || s.shallow_us != p->shallow_us ||
	    s.deep_us != p->deep_us || s.group > MRFLD_NGROUPS)
		return false;
	if (s.power_ns != MRFLD_NEVER && (!s.faults.power_ms || s.power_ns <= s.now))
		return false;
	for (unsigned int i = 0; i < MRFLD_NAGENTS; i++) {
		if (!engine_ok(&s.engine[i], s.now))
			return false;
	}
	if (!scanout_ok(&s.scanout, s.now) || s.channel[0].last_ns > s.now ||
	    s.channel[1].last_ns > s.now)
		return false;
	soc->s = s;
	return true;
}
