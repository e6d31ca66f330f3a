/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Model of an ESP SoC: tiles, monitors, accelerators, DMA, caches and network on chip.
 *
 * The model is event-driven on a virtual clock of tile cycles. Its user moves the clock with
 * esp_soc_advance() before each access and asks esp_soc_next_event() when to call again; an idle
 * SoC has no next event and costs nothing. The model knows no emulator: memory and interrupts are
 * reached through esp_soc_ops. One thread at a time may use a SoC.
 */
#ifndef ESP_SOC_H
#define ESP_SOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/esp_config.h"

struct esp_soc;
struct mon_esp_acc_type;

struct esp_soc_ops {
	/*
	 * Physical memory; false if the range is not memory (the model then reads zeros or drops).
	 */
	bool (*mem_read)(void *opaque, uint64_t addr, void *buf, size_t len);
	bool (*mem_write)(void *opaque, uint64_t addr, const void *buf, size_t len);
	/* An interrupt message of accelerator acc reached the IO tile. */
	void (*irq)(void *opaque, unsigned int acc);
	/* What a guest did wrong, one line without newline; may be NULL. */
	void (*guest_error)(void *opaque, const char *message);
	/* Why an accelerator's run failed that is not the guest's doing; NULL: as a guest's error. */
	void (*failed)(void *opaque, const char *message);
};

/* Parameters beside the design; esp_params_init() gives the defaults. */
struct esp_params {
	uint64_t mem_base;	/* first byte of the SoC's memory */
	uint64_t mem_size;	/* bytes, split evenly and contiguously over the memory tiles */
	unsigned int layout;	/* of the monitors' registers: ESPMON_LAYOUTS */
	uint32_t preset;	/* value of every monitor after reset (of the LO word of a pair) */
	/*
	 * Words in memory have the byte order of the processor that shares it: big on Leon3 itself,
	 * little where another processor stands in for it.
	 */
	bool little_endian;
	/*
	 * Any access to word 3 of an accelerator tile empties its TLB, as in hardware; a running
	 * accelerator then hangs until it is reset. The default.
	 */
	bool tlb_quirk;
	/* Accelerators beside those of the model, and before them; NULL ends the list. */
	const struct mon_esp_acc_type *const *accelerators;
};

/*
 * An accelerator that the program FILE is, made by mon-esp-acc, for the tiles of a name; NULL and why.
 * confined: without network, other processes and other files. A run fails whose process says nothing
 * for silence_ms.
 */
struct mon_esp_acc_type *esp_remote_type(const char *name, const char *file, bool confined,
					 unsigned int silence_ms, char *err, size_t err_len);
void esp_remote_type_free(struct mon_esp_acc_type *type);

void esp_params_init(struct esp_params *params);

/* NULL and a message in err if the design or a parameter cannot be modelled. */
struct esp_soc *esp_soc_new(const struct esp_design *design, const struct esp_params *params,
			    const struct esp_soc_ops *ops, void *opaque,
			    char *err, size_t err_len);
void esp_soc_free(struct esp_soc *soc);
void esp_soc_reset(struct esp_soc *soc);
/*
 * The reset line of accelerator number acc: its socket forgets registers, page table and run; its
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
 * The same, but does not wait for accelerators in processes of their own that compute: the clock may
 * then stay behind, and next_event() stays the cycle that it waits for.
 */
void esp_soc_try_advance(struct esp_soc *soc, uint64_t cycle);
/* Does such an accelerator run? Then a saved state is of no use. */
bool esp_soc_has_remote_runs(const struct esp_soc *soc);
/* Has the model an accelerator for that accelerator tile? */
bool esp_soc_knows(const struct esp_soc *soc, unsigned int acc);

/*
 * Register access of CPU tile number cpu at a 4-byte aligned offset of the APB window
 * (events/espmon/regs.h). Counts as plane-5 traffic (facts of the RTL: a read is 2 + 2 flits, a
 * write 3, the own tile's CSRs are free).
 */
uint32_t esp_soc_read(struct esp_soc *soc, unsigned int cpu, uint32_t offset);
void esp_soc_write(struct esp_soc *soc, unsigned int cpu, uint32_t offset, uint32_t value);

/*
 * Has the SoC lost a packet since its reset, because there was no room for it in the model? Then no
 * count can be trusted, and its user must let no reader have one.
 */
bool esp_soc_has_lost(const struct esp_soc *soc);

/* Fault injection: takes all free packets until the reset. */
void esp_soc_exhaust(struct esp_soc *soc);

/* Live value of a monitor, whatever the burst register says; no traffic is counted. */
uint32_t esp_soc_monitor(struct esp_soc *soc, unsigned int tile, unsigned int index);

/*
 * A cacheable access of CPU tile number cpu: goes through its private L2, the LLC and DRAM.
 * The access must not cross a cache line.
 */
enum esp_access { ESP_LOAD, ESP_STORE, ESP_FETCH };
void esp_soc_cpu_access(struct esp_soc *soc, unsigned int cpu, enum esp_access what, uint64_t addr,
			unsigned int size);

/*
 * The same at once, without events and time, if the SoC is at rest: states and counts become what
 * they would be if nothing else happened until the access is complete. False, and nothing has
 * changed, if other traffic is under way; then esp_soc_cpu_access() does it.
 */
bool esp_soc_cpu_access_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
				uint64_t addr, unsigned int size);
/* Likewise for a line (address / line size) of main memory, in a design with caches; unchecked. */
bool esp_soc_cpu_line_at_once(struct esp_soc *soc, unsigned int cpu, enum esp_access what,
			      uint32_t line);

/*
 * Does the L2 of CPU tile number cpu hold a line (an address / line size); as modified, so that a
 * write would change nothing?
 */
bool esp_soc_l2_holds(const struct esp_soc *soc, unsigned int cpu, uint32_t line);
bool esp_soc_l2_owns(const struct esp_soc *soc, unsigned int cpu, uint32_t line);

/*
 * Who wants to know that the L2 of a CPU tile lost a line (whole) or the right to write it. Called
 * in the middle of any other call here; must not call back. Reset and load lose all without a call.
 */
void esp_soc_on_l2_loss(struct esp_soc *soc,
			void (*loss)(void *opaque, unsigned int cpu, uint32_t line, bool whole),
			void *opaque);

/* First byte behind the SoC's memory. */
uint64_t esp_soc_memory_end(const struct esp_soc *soc);

/* L2 hits of CPU tile number cpu that need no access because they change no state. */
void esp_soc_l2_hits(struct esp_soc *soc, unsigned int cpu, uint32_t n);

/*
 * Word of the topology block at byte offset (events/espmon/regs.h, BAR2). ESP_TOPO_CLOCK_HZ reads
 * 0: the model counts cycles, how long one lasts only its user knows. ESP_TOPO_LIVE is not set for
 * the same reason.
 */
uint32_t esp_soc_topology(const struct esp_soc *soc, uint32_t offset);

/* Whole state as bytes, for migration. load: false if the bytes are not a state of this design. */
size_t esp_soc_save_size(const struct esp_soc *soc);
void esp_soc_save(const struct esp_soc *soc, void *buf);
bool esp_soc_load(struct esp_soc *soc, const void *buf, size_t len);

#endif
