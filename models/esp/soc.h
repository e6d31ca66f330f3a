/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Model of an ESP SoC: tiles, monitors, accelerators, DMA, caches and network on chip.
 *
 * The model is event-driven on a virtual clock of tile cycles. Call esp_soc_advance() before each
 * access; esp_soc_next_event() tells when to call it again. An idle SoC has no next event and costs
 * nothing. The model does not depend on an emulator: it reaches memory and interrupts through
 * esp_soc_ops. Only one thread at a time may use a SoC.
 */
#ifndef ESP_SOC_H
#define ESP_SOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/esp/esp_config.h"

struct esp_soc;
struct mon_esp_acc_type;

/* What an accelerator's socket asks for, when it begins: one for each packet of data. */
struct esp_transaction {
	uint64_t cycle;
	unsigned int acc, tile;
	const char *what;	/* "table", "load" or "store" */
	uint32_t offset;	/* in the accelerator's buffer */
	uint32_t address;	/* of memory; 0 with another accelerator */
	uint32_t bytes;
	unsigned int partner;	/* the memory tile, or that of the other accelerator */
};

struct esp_soc_ops {
	/*
	 * Physical memory; false if the range is not memory (the model then reads zeros or drops).
	 */
	bool (*mem_read)(void *opaque, uint64_t addr, void *buf, size_t len);
	bool (*mem_write)(void *opaque, uint64_t addr, const void *buf, size_t len);
	/* An interrupt message of accelerator acc reached the IO tile. */
	void (*irq)(void *opaque, unsigned int acc);
	/* Reports an error of the guest, one line without newline; may be NULL. */
	void (*guest_error)(void *opaque, const char *message);
	/* Reports why an accelerator's run failed if the guest is not the cause; NULL: as an error of the guest. */
	void (*failed)(void *opaque, const char *message);
	/* A transaction begins; may be NULL. */
	void (*transaction)(void *opaque, const struct esp_transaction *transaction);
};

/* Parameters beside the design; esp_params_init() gives the defaults. */
struct esp_params {
	uint64_t mem_base;	/* first byte of the SoC's memory */
	uint64_t mem_size;	/* bytes, split evenly and contiguously over the memory tiles */
	unsigned int layout;	/* of the monitors' registers: ESPMON_LAYOUTS */
	uint32_t preset;	/* value of every monitor after reset (of the LO word of a pair) */
	/*
	 * Byte order of words in memory: that of the processor that shares it, big on Leon3 itself,
	 * little where another processor replaces it.
	 */
	bool little_endian;
	/*
	 * Any access to word 3 of an accelerator tile empties its TLB, as in hardware; a running
	 * accelerator then hangs until it is reset. The default.
	 */
	bool tlb_quirk;
	/* Accelerators that override and extend the model's own; NULL ends the list. */
	const struct mon_esp_acc_type *const *accelerators;
};

/*
 * The accelerator that the program FILE implements (mon-esp-acc makes such programs), for the tiles of a name; NULL
 * and the reason. confined: without network, other processes and other files. A run fails if its process makes no
 * progress for silence_ms. The SoC waits for a process a quarter of that at most.
 */
struct mon_esp_acc_type *esp_remote_type(const char *name, const char *file, bool confined,
					 unsigned int silence_ms, char *err, size_t err_len);
void esp_remote_type_free(struct mon_esp_acc_type *type);
/* The program's file, and the name that it gives itself. */
const char *esp_remote_file(const struct mon_esp_acc_type *type);
const char *esp_remote_own_name(const struct mon_esp_acc_type *type);

void esp_params_init(struct esp_params *params);

/* NULL and a message in err if the model cannot have the design or a parameter. */
struct esp_soc *esp_soc_new(const struct esp_design *design, const struct esp_params *params,
			    const struct esp_soc_ops *ops, void *opaque,
			    char *err, size_t err_len);
void esp_soc_free(struct esp_soc *soc);
void esp_soc_reset(struct esp_soc *soc);
/*
 * The reset line of accelerator number acc: its socket loses registers, page table and run; its
 * monitors stay. ESP has no register for it, only the board's reset of everything.
 */
void esp_soc_reset_accelerator(struct esp_soc *soc, unsigned int acc);
const struct esp_design *esp_soc_design(const struct esp_soc *soc);

/* Current cycle; the cycle of the next internal event, UINT64_MAX if there is none. */
uint64_t esp_soc_now(const struct esp_soc *soc);
uint64_t esp_soc_next_event(const struct esp_soc *soc);
/* Runs all events up to and including cycle, which must not lie before esp_soc_now(). */
void esp_soc_advance(struct esp_soc *soc, uint64_t cycle);
/*
 * The same, but does not wait for accelerators in processes that compute. The clock may then stay
 * behind, and next_event() returns the cycle that it waits for.
 */
void esp_soc_try_advance(struct esp_soc *soc, uint64_t cycle);
/* Does such an accelerator run? Then the state cannot be saved. */
bool esp_soc_has_remote_runs(const struct esp_soc *soc);
/* Does the model have the accelerator of that tile? */
bool esp_soc_knows(const struct esp_soc *soc, unsigned int acc);

/*
 * Register access of CPU tile number cpu at a 4-byte aligned offset of the APB window
 * (events/esp/regs.h). Counts as plane-5 traffic (facts of the RTL: a read is 2 + 2 flits, a
 * write 3, the own tile's CSRs are free).
 */
uint32_t esp_soc_read(struct esp_soc *soc, unsigned int cpu, uint32_t offset);
void esp_soc_write(struct esp_soc *soc, unsigned int cpu, uint32_t offset, uint32_t value);

/*
 * Has the SoC lost a packet since its reset, because the model had no room for it? Then all counts
 * are wrong, and the user must not show any.
 */
bool esp_soc_has_lost(const struct esp_soc *soc);

/* Fault injection: takes all free packets until the reset. */
void esp_soc_exhaust(struct esp_soc *soc);

/* Value of a monitor now, independent of the burst register; counts no traffic. */
uint32_t esp_soc_monitor(struct esp_soc *soc, unsigned int tile, unsigned int index);

/*
 * A cacheable access of CPU tile number cpu: goes through its private L2, the LLC and DRAM.
 * The access must not cross a cache line.
 */
enum esp_access { ESP_LOAD, ESP_STORE, ESP_FETCH };
void esp_soc_cpu_access(struct esp_soc *soc, unsigned int cpu, enum esp_access what, uint64_t addr,
			unsigned int size);

/*
 * The same, at once, without events and time, if the SoC is at rest. States and counts become what
 * they would be if nothing else happened until the access is complete. Returns false, without any
 * change, if other traffic is under way; use esp_soc_cpu_access() then.
 */
bool esp_soc_cpu_access_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
				uint64_t addr, unsigned int size);
/* The same for a line (address / line size) of main memory, in a design with caches; the arguments are not checked. */
bool esp_soc_cpu_line_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
			      uint32_t line);

/*
 * Does the L2 of CPU tile number cpu hold a line (address / line size) as modified, so that a write
 * would change nothing?
 */
bool esp_soc_l2_owns(const struct esp_soc *soc, unsigned int cpu, uint32_t line);

/*
 * Sets a callback for when the L2 of a CPU tile loses a line (whole) or the right to write it. It
 * runs in the middle of any other call of this header and must not call back. Reset and load lose
 * all lines without a call.
 */
void esp_soc_on_l2_loss(struct esp_soc *soc,
			void (*loss)(void *opaque, unsigned int cpu, uint32_t line, bool whole),
			void *opaque);

/* First byte after the SoC's memory. */
uint64_t esp_soc_memory_end(const struct esp_soc *soc);

/* L2 hits of CPU tile number cpu that change no state and so need no access. */
void esp_soc_l2_hits(struct esp_soc *soc, unsigned int cpu, uint32_t n);

/*
 * Word of the topology block at byte offset (events/esp/regs.h, BAR2). Two facts are the user's:
 * ESP_TOPO_CLOCK_HZ reads 0, because the model counts cycles of unknown duration, and ESP_TOPO_LIVE
 * is not set.
 */
uint32_t esp_soc_topology(const struct esp_soc *soc, uint32_t offset);

/* Whole state as bytes, for migration. load: false if the bytes are not a state of this design. */
size_t esp_soc_save_size(const struct esp_soc *soc);
void esp_soc_save(const struct esp_soc *soc, void *buf);
bool esp_soc_load(struct esp_soc *soc, const void *buf, size_t len);

#endif
