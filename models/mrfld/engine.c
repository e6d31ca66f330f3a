/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DMA engine of a bus agent: a stream of equal requests at a constant rate.
 *
 * Request k of a job (from 0) happens (k + 1) * unit / rate after the start, so a job of n bytes ends n / rate
 * after it. Contention is not modelled: an agent gets the rate that it asks for.
 */
#include "mrfld/model.h"

static uint32_t payload(uint32_t ctrl)
{
	return ctrl >> MRFLD_CTRL_PAYLOAD_SHIFT & MRFLD_CTRL_PAYLOAD_MASK;
}

static uint32_t request_size(uint32_t ctrl)
{
	switch (ctrl >> MRFLD_CTRL_SIZE_SHIFT & MRFLD_CTRL_SIZE_MASK) {
	case MRFLD_SIZE_64:
		return 64;
	case MRFLD_SIZE_32:
		return 32;
	case MRFLD_SIZE_PARTIAL:
		return payload(ctrl) == 4 || payload(ctrl) == 8 || payload(ctrl) == 16 ?
		       payload(ctrl) : 0;
	default:
		return 0;
	}
}

static bool running(const struct mrfld_engine *engine)
{
	return engine->status & MRFLD_STATUS_RUN;
}

static void engine_finish(struct mrfld_engine *engine, uint32_t status)
{
	engine->done = engine->moved;
	engine->status = status;
	engine->pacer.next_ns = MRFLD_NEVER;
}

static void engine_start(struct mrfld_soc *soc, struct mrfld_engine *engine)
{
	uint32_t unit = request_size(engine->ctrl);

	engine->done = engine->moved = engine->sum = 0;
	engine->pages.index = MRFLD_NEVER;
	if (!unit || !engine->rate || engine->rate * 1000ull / unit > MRFLD_MAX_REQUESTS ||
	    !engine->window || engine->window % unit || engine->total % unit) {
		mrfld_guest_error(soc, "agent started with a bad size, rate, window or total");
		engine_finish(engine, MRFLD_STATUS_BAD);
		return;
	}
	if (!engine->total) {
		engine_finish(engine, MRFLD_STATUS_DONE);
		return;
	}
	engine->unit = unit;
	engine->size = engine->ctrl >> MRFLD_CTRL_SIZE_SHIFT & MRFLD_CTRL_SIZE_MASK;
	engine->status = MRFLD_STATUS_RUN;
	/* rate is in kB/s: that many requests take `unit` milliseconds. */
	mrfld_pacer_start(&engine->pacer, soc->s.now, unit * 1000000ull, engine->rate);
}

void mrfld_engine_step(struct mrfld_soc *soc, unsigned int i)
{
	struct mrfld_engine *engine = &soc->s.engine[i];
	uint64_t addr;

	if (!mrfld_pages_find(soc, &engine->pages, engine->done % engine->window, &addr)) {
		mrfld_engine_move(soc, i);
		engine_finish(engine, MRFLD_STATUS_FAULT);
		return;
	}
	mrfld_request(soc, i, engine->ctrl & MRFLD_CTRL_WRITE, engine->ctrl & MRFLD_CTRL_SNOOP,
		      addr, engine->unit, engine->pacer.next_ns);
	engine->done += engine->unit;
	mrfld_pacer_step(&engine->pacer);
	/* The next page's translation replaces this one's, so move this page's data first. */
	if (engine->done % engine->window % MRFLD_PAGE == 0)
		mrfld_engine_move(soc, i);
	if (running(engine) && engine->done == engine->total) {
		mrfld_engine_move(soc, i);
		if (running(engine))
			engine_finish(engine, MRFLD_STATUS_DONE);
	}
}

static bool write_stream(struct mrfld_soc *soc, struct mrfld_engine *engine, uint64_t addr,
			 uint32_t len)
{
	uint32_t word = engine->seed + (uint32_t)(engine->moved / 4);
	uint8_t buf[MRFLD_PAGE];

	for (uint32_t i = 0; i < len; i += 4, word++) {
		buf[i] = (uint8_t)word;
		buf[i + 1] = (uint8_t)(word >> 8);
		buf[i + 2] = (uint8_t)(word >> 16);
		buf[i + 3] = (uint8_t)(word >> 24);
	}
	return soc->ops.mem_write(soc->opaque, addr, buf, len);
}

void mrfld_engine_move(struct mrfld_soc *soc, unsigned int i)
{
	struct mrfld_engine *engine = &soc->s.engine[i];
	bool ok = true;
	uint64_t addr;

	while (ok && engine->moved < engine->done) {
		uint32_t offset = engine->moved % engine->window;
		uint64_t len = engine->done - engine->moved;

		if (len > MRFLD_PAGE - offset % MRFLD_PAGE)
			len = MRFLD_PAGE - offset % MRFLD_PAGE;
		if (len > engine->window - offset)
			len = engine->window - offset;
		if (!(engine->ctrl & MRFLD_CTRL_WRITE))
			ok = mrfld_pages_sum(soc, &engine->pages, offset, len, &engine->sum);
		else
			ok = mrfld_pages_find(soc, &engine->pages, offset, &addr) &&
			     write_stream(soc, engine, addr, len);
		if (ok)
			engine->moved += len;
	}
	if (!ok) {
		mrfld_guest_error(soc, "agent met an address that is not memory");
		engine_finish(engine, MRFLD_STATUS_FAULT);
	}
}

uint64_t mrfld_engine_end_ns(const struct mrfld_engine *engine)
{
	const struct mrfld_pacer *pacer = &engine->pacer;
	uint64_t more = (engine->total - engine->done) / engine->unit - 1;
	unsigned __int128 ns = (unsigned __int128)more * pacer->r + pacer->err;

	ns = ns / pacer->den + (unsigned __int128)more * pacer->q + pacer->next_ns;
	return ns < MRFLD_NEVER ? (uint64_t)ns : MRFLD_NEVER - 1;
}

static uint32_t low_half(struct mrfld_engine *engine, uint64_t value)
{
	engine->latch = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

uint32_t mrfld_engine_read(struct mrfld_soc *soc, unsigned int i, uint32_t reg)
{
	struct mrfld_engine *engine = &soc->s.engine[i];

	switch (reg) {
	case MRFLD_ENG_CTRL:
		return engine->ctrl;
	case MRFLD_ENG_STATUS:
		return engine->status;
	case MRFLD_ENG_RATE:
		return engine->rate;
	case MRFLD_ENG_SEED:
		return engine->seed;
	case MRFLD_ENG_TABLE_LO:
		return (uint32_t)engine->pages.table;
	case MRFLD_ENG_TABLE_HI:
		return (uint32_t)(engine->pages.table >> 32);
	case MRFLD_ENG_WINDOW:
		return engine->window;
	case MRFLD_ENG_TOTAL_LO:
		return (uint32_t)engine->total;
	case MRFLD_ENG_TOTAL_HI:
		return (uint32_t)(engine->total >> 32);
	case MRFLD_ENG_DONE_LO:
		return low_half(engine, engine->moved);
	case MRFLD_ENG_SUM_LO:
		return low_half(engine, engine->sum);
	case MRFLD_ENG_DONE_HI:
	case MRFLD_ENG_SUM_HI:
		return engine->latch;
	default:
		return 0;
	}
}

void mrfld_engine_write(struct mrfld_soc *soc, unsigned int i, uint32_t reg, uint32_t value)
{
	struct mrfld_engine *engine = &soc->s.engine[i];

	if (reg == MRFLD_ENG_CTRL && value & MRFLD_CTRL_ABORT) {
		if (running(engine))
			engine_finish(engine, 0);
		return;
	}
	if (running(engine)) {
		mrfld_guest_error(soc, "agent register written while the agent runs");
		return;
	}
	switch (reg) {
	case MRFLD_ENG_CTRL:
		engine->ctrl = value & ~MRFLD_CTRL_START;
		if (value & MRFLD_CTRL_START)
			engine_start(soc, engine);
		break;
	case MRFLD_ENG_RATE:
		engine->rate = value;
		break;
	case MRFLD_ENG_SEED:
		engine->seed = value;
		break;
	case MRFLD_ENG_TABLE_LO:
	case MRFLD_ENG_TABLE_HI:
		mrfld_pages_set(&engine->pages, reg == MRFLD_ENG_TABLE_HI, value);
		break;
	case MRFLD_ENG_WINDOW:
		engine->window = value;
		break;
	case MRFLD_ENG_TOTAL_LO:
		engine->total = (engine->total & ~0xffffffffull) | value;
		break;
	case MRFLD_ENG_TOTAL_HI:
		engine->total = (uint32_t)engine->total | (uint64_t)value << 32;
		break;
	}
}

void mrfld_engine_reset(struct mrfld_engine *engine)
{
	*engine = (struct mrfld_engine){
		.pacer.next_ns = MRFLD_NEVER,
		.pages.index = MRFLD_NEVER,
		.rate = 1000000,
		.unit = 64,
	};
}
