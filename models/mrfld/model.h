/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Internals of the Merrifield uncore model.
 *
 * All state is plain data in struct mrfld_state, so a copy of it is a saved state.
 */
#ifndef MRFLD_MODEL_H
#define MRFLD_MODEL_H

#include "mrfld/soc.h"
#include "events/mrfld/regs.h"

#define MRFLD_PAGE	4096u
#define MRFLD_NEVER	UINT64_MAX
/* Limit of requests per second of one engine (2.56 GB/s of 64 B), so that a guest cannot occupy the emulator. */
#define MRFLD_MAX_REQUESTS	40000000u

/* Sources of requests: the DMA engines by register number, then module 0. */
#define MRFLD_MODULE0	MRFLD_NAGENTS
#define MRFLD_NSOURCES	(MRFLD_NAGENTS + 1)

/* requests[source][0 read, 1 write][MRFLD_SIZE_...], as the system agent sees them. */
struct mrfld_requests {
	uint64_t count[MRFLD_NSOURCES][2][3];
	uint64_t snoop_requests;
	uint64_t snoop_replies;
};

struct mrfld_channel {
	uint64_t accesses[2];	/* 32-byte reads, writes */
	uint64_t last_ns;	/* time of the last access */
	uint64_t shallow_ns;	/* finished idle periods; a read adds the current one */
	uint64_t deep_ns;
};

struct mrfld_slice {
	uint64_t base;		/* the signal's total when value was computed */
	uint32_t value;
	uint32_t data;
	uint32_t command;
	uint32_t events;
	uint32_t sticky;	/* status bits that stay until they are cleared */
	uint32_t running;
};

/* Evenly spaced requests without rounding drift: next_ns moves by q + r / den. */
struct mrfld_pacer {
	uint64_t next_ns;	/* MRFLD_NEVER: idle */
	uint64_t q, r, den, err;
};

/* A page table and its most recent translation. */
struct mrfld_pages {
	uint64_t table;
	uint64_t index;		/* page number of the cached address; MRFLD_NEVER: none */
	uint64_t addr;
};

struct mrfld_engine {
	struct mrfld_pacer pacer;
	struct mrfld_pages pages;
	uint64_t total;
	uint64_t done;		/* bytes requested so far */
	uint64_t moved;		/* bytes of them whose data have moved */
	uint64_t sum;
	uint32_t ctrl;
	uint32_t status;
	uint32_t rate;
	uint32_t seed;
	uint32_t window;
	uint32_t unit;		/* bytes a request */
	uint32_t size;		/* MRFLD_SIZE_... */
	uint32_t latch;		/* HI half of the counter at the last read of LO */
};

struct mrfld_scanout {
	struct mrfld_pacer pacer;
	struct mrfld_pages pages;
	uint64_t sum;		/* of the frame so far */
	uint64_t frame_sum;	/* of the last complete frame */
	uint32_t ctrl;
	uint32_t status;
	uint32_t width, height, stride, cpp, refresh;
	uint32_t line, pos;	/* next request: byte pos of line */
	uint32_t moved;		/* bytes of the line that have been read */
	uint32_t frames;
	uint32_t latch;
};

struct mrfld_state {
	uint64_t magic;
	uint64_t now;
	uint64_t power_ns;	/* next power loss */
	uint32_t mcr, mdr, mcrx;
	uint32_t group;
	uint32_t reads, samples;	/* transactions counted for the fault injection */
	uint32_t channels, interleave, soc_hz, dram_hz, shallow_us, deep_us;
	struct mrfld_faults faults;
	uint32_t reserved;
	struct mrfld_requests requests;
	struct mrfld_channel channel[2];
	struct mrfld_slice slice[MRFLD_NCOUNTERS];
	struct mrfld_engine engine[MRFLD_NAGENTS];
	struct mrfld_scanout scanout;
};

struct mrfld_soc {
	struct mrfld_params params;
	struct mrfld_ops ops;
	void *opaque;
	unsigned int interleave_shift;
	bool busy;		/* inside advance: memory callbacks must not call back */
	struct mrfld_state s;
};

void mrfld_guest_error(struct mrfld_soc *soc, const char *message);

/* Time of the next step of den steps that take num nanoseconds, counted from start. */
void mrfld_pacer_start(struct mrfld_pacer *pacer, uint64_t start, uint64_t num, uint64_t den);
void mrfld_pacer_step(struct mrfld_pacer *pacer);

/* dram.c: one request of up to 64 bytes, within one 64-byte block, at time ns. */
void mrfld_dram_request(struct mrfld_soc *soc, bool write, uint64_t addr, unsigned int size,
			uint64_t ns);
/* Nanoseconds that a channel has spent in self-refresh. */
uint64_t mrfld_dram_shallow_ns(const struct mrfld_soc *soc, unsigned int channel);
uint64_t mrfld_dram_deep_ns(const struct mrfld_soc *soc, unsigned int channel);

/* A request of a source: the system agent counts it, snoops on request, and DRAM serves it. */
void mrfld_request(struct mrfld_soc *soc, unsigned int source, bool write, bool snoop,
		   uint64_t addr, unsigned int size, uint64_t ns);

/* pages.c */
void mrfld_pages_set(struct mrfld_pages *pages, bool high, uint32_t value);
bool mrfld_pages_find(struct mrfld_soc *soc, struct mrfld_pages *pages, uint64_t offset,
		      uint64_t *addr);
/* Reads [offset, offset + len) of the window and adds its 32-bit words to sum. */
bool mrfld_pages_sum(struct mrfld_soc *soc, struct mrfld_pages *pages, uint64_t offset,
		     uint32_t len, uint64_t *sum);

/* engine.c: step sends one request; move copies the data of the requests so far; end_ns is the end of the job. */
void mrfld_engine_step(struct mrfld_soc *soc, unsigned int i);
void mrfld_engine_move(struct mrfld_soc *soc, unsigned int i);
uint64_t mrfld_engine_end_ns(const struct mrfld_engine *engine);
uint32_t mrfld_engine_read(struct mrfld_soc *soc, unsigned int i, uint32_t reg);
void mrfld_engine_write(struct mrfld_soc *soc, unsigned int i, uint32_t reg, uint32_t value);
void mrfld_engine_reset(struct mrfld_engine *engine);

/* scanout.c */
void mrfld_scanout_step(struct mrfld_soc *soc);
void mrfld_scanout_move(struct mrfld_soc *soc);
uint32_t mrfld_scanout_read(struct mrfld_soc *soc, uint32_t reg);
void mrfld_scanout_write(struct mrfld_soc *soc, uint32_t reg, uint32_t value);
void mrfld_scanout_reset(struct mrfld_scanout *scanout);

/* counters.c: registers of the counter unit, at their offset in the port. */
uint32_t mrfld_counters_read(struct mrfld_soc *soc, uint32_t offset);
void mrfld_counters_write(struct mrfld_soc *soc, uint32_t offset, uint32_t value);
/* Power loss: all registers zero, counters stopped, no group selected. */
void mrfld_counters_lose(struct mrfld_soc *soc);

#endif
