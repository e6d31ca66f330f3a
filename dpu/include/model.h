/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Model of one UPMEM DPU: executes DPU programs and counts their work.
 *
 * Instructions, DMA transfers and their bytes are counted exactly. Cycles come from a model of the
 * pipeline (struct dpu_timing), documented in dpu/docs/upmem-model.md.
 *
 * A struct dpu belongs to one host thread at a time. While dpu_run() executes it, others may only call
 * dpu_totals(), dpu_pmc_*(), dpu_request_stop(), and dpu_read() and dpu_write() for WRAM.
 */
#ifndef MON_MODELS_UPMEM_MODEL_H
#define MON_MODELS_UPMEM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpu/include/dpu_memory.h"
#include "dpu/include/dpu_arch.h"
#include "dpu/include/dpu_fault.h"

#define DPU_RUN_BITS 64			/* threads, then bits that the host may see */

/* Parameters of the cycle model. */
struct dpu_timing {
#define DPU_TIMING(field, ...) uint32_t field;
#include "dpu/include/timing.def"
};

struct dpu_timing_option {
	const char *name;
	size_t offset;			/* of a uint32_t in struct dpu_timing */
	uint32_t least, most;
};

/* The parameters that users may set, ended by a name of NULL. */
extern const struct dpu_timing_option dpu_timing_options[];
/**
 * Checks a set of parameters.
 * @param timing The parameters.
 * @param text Gets "OPTION=VALUE ...: remedy" if one is wrong.
 * @param size Bytes of text.
 * @return False if one is wrong.
 */
bool dpu_timing_ok(const struct dpu_timing *timing, char *text, size_t size);

extern const struct dpu_timing dpu_timing_default;

enum dpu_state { DPU_IDLE, DPU_RUNNING, DPU_FAULT };

struct dpu_fault {
	enum dpu_fault_kind kind;
	uint8_t thread;
	uint16_t pc;
	uint32_t code;
};

/* All counts of the DPU since it was made. */
struct dpu_totals {
	uint64_t instructions, cycles;
	uint64_t ldma, sdma;			/* instructions */
	uint64_t ldma_rows, sdma_rows;		/* DRAM rows that they touched */
	uint64_t read_words, write_words;	/* of 64 bits, by DMA */
	uint64_t host_rows;			/* DRAM rows that host transfers touched */
};

struct dpu;

/* Called before each instruction when tracing, in the order of dispatch. */
typedef void dpu_trace_fn(void *opaque, const struct dpu *dpu, unsigned int thread,
			  unsigned int pc);

/**
 * @param arch The generation.
 * @param timing Parameters of the cycle model.
 * @param clock In Hz; 0: the generation's.
 * @param mram DPU_MRAM_SIZE bytes that the caller owns. NULL: the model maps them, and the system provides a page only
 *        when it is touched.
 * @return A DPU; NULL with errno: out of memory.
 */
struct dpu *dpu_new(const struct dpu_arch *arch, const struct dpu_timing *timing, uint32_t clock,
		    uint8_t *mram);
void dpu_destroy(struct dpu *dpu);
/* Power-on state: memories (a caller's MRAM aside) and registers 0. Totals keep counting up. */
void dpu_reset(struct dpu *dpu);

/* Makes it a DPU of another generation; clock as for dpu_new(). Call it before it loads a program. */
void dpu_set_arch(struct dpu *dpu, const struct dpu_arch *arch, uint32_t clock);

const struct dpu_arch *dpu_arch(const struct dpu *dpu);
uint32_t dpu_clock(const struct dpu *dpu);
const struct dpu_timing *dpu_timing(const struct dpu *dpu);
enum dpu_state dpu_state(const struct dpu *dpu);
const struct dpu_fault *dpu_fault(const struct dpu *dpu);
/* One sentence, for example "illegal instruction at 0x80000058, tasklet 3". */
void dpu_fault_text(const struct dpu *dpu, char *text, size_t size);
/* A register of a thread, 0..31, and its program counter. */
uint32_t dpu_register(const struct dpu *dpu, unsigned int thread, unsigned int reg);
unsigned int dpu_pc(const struct dpu *dpu, unsigned int thread);
/* The word at an instruction index below DPU_IRAM_WORDS; the cycle of the last dispatch. */
uint64_t dpu_iram_word(const struct dpu *dpu, unsigned int index);
uint64_t dpu_cycle(const struct dpu *dpu);

/**
 * Host access while the DPU does not run.
 * @param dpu The DPU.
 * @param memory IRAM, WRAM or MRAM.
 * @param offset In bytes, a multiple of 4 in WRAM, of 8 in IRAM and MRAM.
 * @param data The bytes.
 * @param length Their number, aligned as offset.
 * @return False, and nothing is done, if the range leaves the memory or is not aligned.
 */
bool dpu_write(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, const void *data,
	       uint32_t length);
bool dpu_read(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, void *data,
	      uint32_t length);
/* The same range check alone; it also counts the rows that a host transfer activates in MRAM. */
bool dpu_range_ok(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length);
/* Starts thread 0 at instruction 0. False when the DPU runs already. */
bool dpu_boot(struct dpu *dpu);
/**
 * Executes until the program ends or faults, or a stop was requested. The result does not depend on how calls divide
 * the work.
 * @param dpu The DPU.
 * @param max_turns Ends after about so many instructions; 0: no limit.
 * @return Its state.
 */
enum dpu_state dpu_run(struct dpu *dpu, uint64_t max_turns);
/* Makes dpu_run() return soon. From any host thread. */
void dpu_request_stop(struct dpu *dpu);
/* Ends a program from outside: no thread runs any more. */
void dpu_halt(struct dpu *dpu);

/*
 * While it is paced, the DPU waits for the host's clock when its counters would advance by more than
 * DPU_PACE a second. Takes effect, also while it runs, from its next slice on.
 */
void dpu_set_paced(struct dpu *dpu, bool paced);
#define DPU_PACE UINT64_C(2000000000)
/* A rate in counts a second: no 32-bit counter of a paced DPU wraps sooner than at this rate. */
uint64_t dpu_max_rate(const struct dpu_timing *timing, uint32_t clock);

/* Executes every instruction with the plain interpreter, strictly turn by turn. */
void dpu_set_reference(struct dpu *dpu, bool reference);

/* The cost of an instruction, all tasklets together. */
struct dpu_cost {
	uint64_t instructions;		/* how often it was dispatched */
	uint64_t cycles;		/* of the DPU, from the dispatch before to its own */
	uint64_t dma;			/* cycles that tasklets waited for its transfers */
	uint64_t dispatch;		/* cycles that tasklets were ready for it and others went first */
};

/*
 * Starts or stops counting the cost of each instruction; the DPU must not run. The sums of
 * instructions and cycles equal the DPU's counts meanwhile. False: out of memory.
 */
bool dpu_set_profile(struct dpu *dpu, bool on);
/* By instruction index, DPU_IRAM_WORDS and one; NULL without a profile. */
const struct dpu_cost *dpu_profile(struct dpu *dpu);

void dpu_profile_clear(struct dpu *dpu);

void dpu_set_trace(struct dpu *dpu, dpu_trace_fn *trace, void *opaque);

/* The totals; while the DPU runs they may lag by up to DPU_PUBLISH_TURNS instructions. */
void dpu_totals(const struct dpu *dpu, struct dpu_totals *totals);
#define DPU_PUBLISH_TURNS 16384
/* Bytes of one DMA instruction. */
#define DPU_DMA_MAX 2048

/* The DPU's state without MRAM, while it does not execute. */
size_t dpu_save_size(void);
void dpu_save(const struct dpu *dpu, void *data);
/**
 * Sets the state of a DPU that does not execute. Checks everything that indexes something.
 * @param dpu A DPU of the same generation.
 * @param data What dpu_save() wrote, dpu_save_size() bytes.
 * @return False, and the DPU is reset, for data that no DPU of this generation can have saved.
 */
bool dpu_restore(struct dpu *dpu, const void *data);

#endif
