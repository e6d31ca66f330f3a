/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Model of the Merrifield uncore: bus agents that move memory, two DRAM channels, and the counters
 * that watch them, behind the message bus unit of PCI configuration space.
 *
 * The model is event-driven on virtual time in nanoseconds. Call mrfld_soc_advance() before each
 * access; mrfld_soc_next_event() tells when to call it again. An idle system has no next event and
 * costs nothing. Every request of every agent happens at its own time, in order over all agents.
 * Data move in larger steps, but all data up to the last request have moved when
 * mrfld_soc_advance() returns. The model does not depend on an emulator: it reaches memory and
 * delays through mrfld_ops. Only one thread at a time may use a model.
 */
#ifndef MRFLD_SOC_H
#define MRFLD_SOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrfld_soc;

struct mrfld_ops {
	/* Physical memory; false if the range is not memory. */
	bool (*mem_read)(void *opaque, uint64_t addr, void *buf, size_t len);
	bool (*mem_write)(void *opaque, uint64_t addr, const void *buf, size_t len);
	/* Waits us microseconds and returns the time then, in ns; NULL: transactions take no time. */
	uint64_t (*delay)(void *opaque, uint32_t us);
	/* Reports an error of the guest, one line without newline; may be NULL. */
	void (*guest_error)(void *opaque, const char *message);
};

/* Injected faults; events/mrfld/regs.h explains each. 0 is off. */
struct mrfld_faults {
	uint32_t all_ones;
	uint32_t lost_sample;
	uint32_t slow_us;
	uint32_t mcrx;
	uint32_t power_ms;
};

/*
 * Parameters; mrfld_params_init() gives the defaults. The real part's clock rates, interleaving and
 * self-refresh delays are not published, so the defaults are assumptions.
 */
struct mrfld_params {
	unsigned int channels;	/* 1 or 2; on one-channel parts all channel-1 counts stay 0 */
	uint32_t interleave;	/* bytes of a channel's block: 64 ... 4096, 2^n */
	uint32_t soc_hz;	/* rate of Clock_Counter; default 400 MHz */
	uint32_t dram_hz;	/* rate of the self-refresh counts; default 533 MHz */
	uint32_t shallow_us;	/* idle time of a channel before shallow self-refresh; default 10 */
	uint32_t deep_us;	/* ... before deep self-refresh, which replaces shallow; default 1000 */
	struct mrfld_faults faults;
};

void mrfld_params_init(struct mrfld_params *params);

/* NULL and a message in err if a parameter is out of range. */
struct mrfld_soc *mrfld_soc_new(const struct mrfld_params *params, const struct mrfld_ops *ops,
				void *opaque, char *err, size_t err_len);
void mrfld_soc_free(struct mrfld_soc *soc);
/* Stops the agents and resets counters, group and self-refresh; time continues. */
void mrfld_soc_reset(struct mrfld_soc *soc);

/* Current time; the time of the next call of advance, UINT64_MAX if nothing is going on. */
uint64_t mrfld_soc_now(const struct mrfld_soc *soc);
uint64_t mrfld_soc_next_event(const struct mrfld_soc *soc);
/* Runs everything up to and including ns; ignores a time in the past. */
void mrfld_soc_advance(struct mrfld_soc *soc, uint64_t ns);

/* Message bus unit: 32-bit access at MRFLD_CFG_MCR, _MDR or _MCRX. A write of MCR is a transaction. */
uint32_t mrfld_bus_read(struct mrfld_soc *soc, uint32_t reg);
void mrfld_bus_write(struct mrfld_soc *soc, uint32_t reg, uint32_t value);

/* Agents, scan-out and faults: 32-bit access at a 4-byte aligned offset of BAR0. */
uint32_t mrfld_bar_read(struct mrfld_soc *soc, uint32_t offset);
void mrfld_bar_write(struct mrfld_soc *soc, uint32_t offset, uint32_t value);

/*
 * A request of CPU module 0 that reached memory (a cache miss or write-back): counts as Mod0_* and
 * in DRAM. 1 to 64 bytes within one 64-byte block. Without such calls Mod0_* count only the snoops
 * that agents cause.
 */
void mrfld_soc_module0(struct mrfld_soc *soc, bool write, uint64_t addr, unsigned int size);

/* The value that a counter of a group would have if it had counted since reset. */
uint64_t mrfld_soc_total(const struct mrfld_soc *soc, unsigned int group, unsigned int counter);

/* Whole state as bytes, for migration between little-endian hosts. load: false if the bytes are no state. */
size_t mrfld_soc_save_size(const struct mrfld_soc *soc);
void mrfld_soc_save(const struct mrfld_soc *soc, void *buf);
bool mrfld_soc_load(struct mrfld_soc *soc, const void *buf, size_t len);

#endif
