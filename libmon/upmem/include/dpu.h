/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu.h - host programs of UPMEM DPUs, source compatible with the UPMEM SDK 2025.1.
 *
 * Runs on the ranks of /dev/dpu_rank*, which libmon's driver offers, and without them on DPUs that the
 * library simulates in the process. Names, types, numbers and rules are the SDK's; what the SDK leaves open, and what is not here (checkpoints, the low-level
 * interface), is in the man page dpu(3).
 *
 * Addresses and offsets are in bytes. Transfers must be aligned: WRAM 4, IRAM and MRAM 8 bytes.
 * A set belongs to one thread at a time. mon_error() of mon.h and dpu_error_to_string() have a
 * sentence for each failure.
 */
#ifndef DPU_H
#define DPU_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpu_bank_interface_pmc.h"
#include "dpu_error.h"
#include "dpu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpu_rank_t;
struct dpu_t;
struct dpu_program_t;

typedef enum { DPU_SET_RANKS, DPU_SET_DPU } dpu_set_kind_t;

/* Some DPUs: whole ranks, as dpu_alloc() gives them, or one DPU, as DPU_FOREACH does. */
struct dpu_set_t {
	dpu_set_kind_t kind;
	union {
		struct {
			uint32_t nr_ranks;
			struct dpu_rank_t **ranks;
		} list;
		struct dpu_t *dpu;
	};
};

struct dpu_symbol_t {
	uint32_t address;
	uint32_t size;
};

/* A program that DPU_INCBIN put into the host program. */
struct dpu_incbin_t {
	uint8_t *buffer;
	size_t size;
	const char *path;
};

typedef enum { DPU_ASYNCHRONOUS, DPU_SYNCHRONOUS } dpu_launch_policy_t;
typedef enum { DPU_XFER_TO_DPU, DPU_XFER_FROM_DPU } dpu_xfer_t;

typedef enum {
	DPU_XFER_DEFAULT = 0,
	DPU_XFER_NO_RESET = 1,		/* keep the prepared buffers */
	DPU_XFER_ASYNC = 2,		/* return at once; dpu_sync() waits */
	DPU_XFER_PARALLEL = 4		/* WRAM only: at once, even if the DPU runs */
} dpu_xfer_flags_t;

typedef enum {
	DPU_SG_XFER_DEFAULT = 0,
	DPU_SG_XFER_ASYNC = 2,
	DPU_SG_XFER_DISABLE_LENGTH_CHECK = 4	/* blocks may be shorter or longer than the range */
} dpu_sg_xfer_flags_t;

typedef enum {
	DPU_CALLBACK_DEFAULT = 0,
	DPU_CALLBACK_ASYNC = 1,		/* when the jobs before it are done */
	DPU_CALLBACK_NONBLOCKING = 2,	/* with ASYNC: later jobs do not wait for it */
	DPU_CALLBACK_SINGLE_CALL = 4,	/* once for the set, when the jobs of all ranks are done */
	DPU_CALLBACK_PARALLEL = 8	/* has no effect here */
} dpu_callback_flags_t;

#define DPU_ALLOCATE_ALL UINT_MAX
/* What follows a program's variables in MRAM; its size is the rest of MRAM. */
#define DPU_MRAM_HEAP_POINTER_NAME "__sys_used_mram_end"

/* ---- allocation ---- */

/*
 * At least nr_dpus DPUs in whole ranks, of which the surplus is disabled; DPU_ALLOCATE_ALL takes
 * what is there. profile: NULL, or "key=value,..." with the SDK's keys. Those that matter here:
 * backend (hw, simulator; see dpu(3) for what is taken without it), chipId (ranks of another generation are passed over), sgXferEnable and sgXferMaxBlocksPerDpu.
 * ALLOCATION: not enough ranks, or in use; INVALID_PROFILE.
 */
MON_API dpu_error_t dpu_alloc(uint32_t nr_dpus, const char *profile, struct dpu_set_t *dpu_set);
MON_API dpu_error_t dpu_alloc_ranks(uint32_t nr_ranks, const char *profile,
				    struct dpu_set_t *dpu_set);
/* Ends what runs and gives the ranks back. INVALID_DPU_SET: not the set that was allocated. */
MON_API dpu_error_t dpu_free(struct dpu_set_t dpu_set);
MON_API dpu_error_t dpu_get_nr_ranks(struct dpu_set_t dpu_set, uint32_t *nr_ranks);
MON_API dpu_error_t dpu_get_nr_dpus(struct dpu_set_t dpu_set, uint32_t *nr_dpus);
/* The DPU of a set of one DPU, else NULL. */
MON_API struct dpu_t *dpu_from_set(struct dpu_set_t set);

/* ---- programs ---- */

/*
 * Loads an ELF program into every DPU of the set; program may be NULL. CLOCKS_PER_SEC gets the
 * DPUs' clock rate in Hz. ELF_NO_SUCH_FILE; ELF_INVALID_FILE: not a program of machine 245;
 * TOO_MANY_TASKLETS; INVALID_IRAM_ACCESS, INVALID_WRAM_ACCESS: too large for these DPUs.
 */
MON_API dpu_error_t dpu_load(struct dpu_set_t dpu_set, const char *binary_path,
			     struct dpu_program_t **program);
MON_API dpu_error_t dpu_load_from_memory(struct dpu_set_t dpu_set, uint8_t *buffer_start,
					 size_t buffer_size, struct dpu_program_t **program);
MON_API dpu_error_t dpu_load_from_incbin(struct dpu_set_t dpu_set, struct dpu_incbin_t *incbin,
					 struct dpu_program_t **program);
/*
 * A __host or __mram variable, or a variable of the runtime: CLOCKS_PER_SEC, error_storage,
 * DPU_MRAM_HEAP_POINTER_NAME. UNKNOWN_SYMBOL.
 */
MON_API dpu_error_t dpu_get_symbol(struct dpu_program_t *program, const char *symbol_name,
				   struct dpu_symbol_t *symbol);

/* ---- execution ---- */

/*
 * Starts tasklet 0 of every DPU of the set. Synchronous: waits; DPU_FAULT if one ended in a fault.
 * NO_PROGRAM_LOADED; DPU_ALREADY_RUNNING; INVALID_LAUNCH_POLICY.
 */
MON_API dpu_error_t dpu_launch(struct dpu_set_t dpu_set, dpu_launch_policy_t policy);
/* done: nothing runs and no asynchronous job waits. fault: a DPU is in fault. */
MON_API dpu_error_t dpu_status(struct dpu_set_t dpu_set, bool *done, bool *fault);
/* Waits for asynchronous launches, transfers and callbacks; returns the first error of them. */
MON_API dpu_error_t dpu_sync(struct dpu_set_t dpu_set);

/* ---- copies ----
 *
 * symbol_offset + length may not pass the symbol: INVALID_SYMBOL_ACCESS. Then: INVALID_WRAM_ACCESS,
 * INVALID_IRAM_ACCESS, INVALID_MRAM_ACCESS for addresses and lengths that are not aligned or leave
 * the memory. NO_PROGRAM_LOADED; DIFFERENT_DPU_PROGRAMS; MRAM_BUSY: a DPU of the set runs.
 */

/* The same bytes to every DPU of the set. */
MON_API dpu_error_t dpu_copy_to(struct dpu_set_t dpu_set, const char *symbol_name,
				uint32_t symbol_offset, const void *src, size_t length);
/* From one DPU; INVALID_DPU_SET for a set of ranks. */
MON_API dpu_error_t dpu_copy_from(struct dpu_set_t dpu_set, const char *symbol_name,
				  uint32_t symbol_offset, void *dst, size_t length);
MON_API dpu_error_t dpu_copy_to_symbol(struct dpu_set_t dpu_set, struct dpu_symbol_t symbol,
				       uint32_t symbol_offset, const void *src, size_t length);
MON_API dpu_error_t dpu_copy_from_symbol(struct dpu_set_t dpu_set, struct dpu_symbol_t symbol,
					 uint32_t symbol_offset, void *dst, size_t length);
/*
 * The buffer of each DPU of the set for the next dpu_push_xfer(), in place of one that was prepared
 * before; NULL takes it back. (The SDK's header speaks of TRANSFER_ALREADY_SET; the SDK does not.)
 */
MON_API dpu_error_t dpu_prepare_xfer(struct dpu_set_t dpu_set, void *buffer);
/* Transfers between the prepared buffers and their DPUs; DPUs without one are left out. */
MON_API dpu_error_t dpu_push_xfer(struct dpu_set_t dpu_set, dpu_xfer_t xfer,
				  const char *symbol_name, uint32_t symbol_offset, size_t length,
				  dpu_xfer_flags_t flags);
MON_API dpu_error_t dpu_push_xfer_symbol(struct dpu_set_t dpu_set, dpu_xfer_t xfer,
					 struct dpu_symbol_t symbol, uint32_t symbol_offset,
					 size_t length, dpu_xfer_flags_t flags);
/* A block of host memory. */
struct sg_block_info {
	uint8_t *addr;
	uint32_t length;
};

/* Tells block block_index of DPU dpu_index, counted over the allocated set; false: no more blocks. */
typedef bool (*get_block_func_t)(struct sg_block_info *out, uint32_t dpu_index, uint32_t block_index,
				 void *args);

typedef struct get_block_t {
	get_block_func_t f;
	void *args;		/* copied */
	size_t args_size;
} get_block_t;

/*
 * Transfers between a range of each DPU's MRAM and blocks of host memory, one after the other. Blocks
 * whose sum is not length are SG_LENGTH_MISMATCH; without that check the rest of the range becomes
 * zero or is not read, and what is too much of the blocks is left alone. INTERNAL: one DPU;
 * SG_NOT_ACTIVATED: the profile lacks sgXferEnable=true; SG_TOO_MANY_BLOCKS: more than
 * sgXferMaxBlocksPerDpu, or without that than DPUs; SG_NOT_MRAM_SYMBOL.
 */
MON_API dpu_error_t dpu_push_sg_xfer(struct dpu_set_t dpu_set, dpu_xfer_t xfer,
				     const char *symbol_name, uint32_t symbol_offset, size_t length,
				     get_block_t *get_block_info, dpu_sg_xfer_flags_t flags);
MON_API dpu_error_t dpu_push_sg_xfer_symbol(struct dpu_set_t dpu_set, dpu_xfer_t xfer,
					    struct dpu_symbol_t symbol, uint32_t symbol_offset,
					    size_t length, get_block_t *get_block_info,
					    dpu_sg_xfer_flags_t flags);
/* With DPU_XFER_ASYNC src must stay until dpu_sync(). */
MON_API dpu_error_t dpu_broadcast_to(struct dpu_set_t dpu_set, const char *symbol_name,
				     uint32_t symbol_offset, const void *src, size_t length,
				     dpu_xfer_flags_t flags);
MON_API dpu_error_t dpu_broadcast_to_symbol(struct dpu_set_t dpu_set, struct dpu_symbol_t symbol,
					    uint32_t symbol_offset, const void *src, size_t length,
					    dpu_xfer_flags_t flags);

/* ---- callbacks, log, errors ---- */

/*
 * Calls callback(rank's set, index of the rank, args), or once with the whole set. Synchronous: its
 * error is returned; asynchronous: dpu_sync() returns it. A callback may use synchronous functions,
 * but not dpu_sync(). NONBLOCKING_SYNC_CALLBACK: NONBLOCKING without ASYNC.
 */
MON_API dpu_error_t dpu_callback(struct dpu_set_t dpu_set,
				 dpu_error_t (*callback)(struct dpu_set_t, uint32_t, void *),
				 void *args, dpu_callback_flags_t flags);
/*
 * Prints "=== DPU#0x%x ===" with dpu_get_id() and what the DPU's program has logged since its launch. LOG_CONTEXT_MISSING: the program
 * has no log; LOG_BUFFER_TOO_SMALL: it wrapped, and what is left was printed; LOG_FORMAT.
 */
MON_API dpu_error_t dpu_log_read(struct dpu_set_t set, FILE *stream);
MON_API dpu_error_t dpulog_read_for_dpu(struct dpu_t *dpu, FILE *stream);
/*
 * The SDK's words for an error; if it was this thread's last one, with the sentence that mon_error()
 * has about it. Free it with free().
 */
MON_API char *dpu_error_to_string(dpu_error_t status);

/* ---- iterators ---- */

struct dpu_set_rank_iterator_t {
	struct dpu_set_t *set;
	uint32_t count;		/* how many came before */
	uint32_t next_idx;
	bool has_next;
	struct dpu_set_t next;
};

struct dpu_set_dpu_iterator_t {
	struct dpu_set_rank_iterator_t rank_iterator;
	uint32_t count;
	uint32_t next_idx;
	bool has_next;
	struct dpu_set_t next;
};

MON_API struct dpu_set_rank_iterator_t dpu_set_rank_iterator_from(struct dpu_set_t *set);
MON_API void dpu_set_rank_iterator_next(struct dpu_set_rank_iterator_t *iterator);
MON_API struct dpu_set_dpu_iterator_t dpu_set_dpu_iterator_from(struct dpu_set_t *set);
MON_API void dpu_set_dpu_iterator_next(struct dpu_set_dpu_iterator_t *iterator);

#define DPU_PASTE2_(a, b) a##b
#define DPU_PASTE_(a, b) DPU_PASTE2_(a, b)
#define DPU_THIRD_(a, b, c, ...) c
#define DPU_EACH1_(kind, it, set, one, ...) \
	for (struct dpu_set_##kind##_iterator_t it = dpu_set_##kind##_iterator_from(&(set)); \
	     (one) = it.next, it.has_next; dpu_set_##kind##_iterator_next(&it))
#define DPU_EACH2_(kind, it, set, one, i) \
	for (struct dpu_set_##kind##_iterator_t it = dpu_set_##kind##_iterator_from(&(set)); \
	     (one) = it.next, (i) = it.count, it.has_next; dpu_set_##kind##_iterator_next(&it))

/*
 * DPU_FOREACH(set, dpu) or DPU_FOREACH(set, dpu, i): the DPUs of a set, which must be a variable; i,
 * a variable of the program, counts over the whole set. DPU_RANK_FOREACH: the same by ranks.
 */
#define DPU_FOREACH(set, ...) \
	DPU_THIRD_(__VA_ARGS__, DPU_EACH2_, DPU_EACH1_, ~) \
	(dpu, DPU_PASTE_(dpu_iterator_, __COUNTER__), set, __VA_ARGS__)
#define DPU_RANK_FOREACH(set, ...) \
	DPU_THIRD_(__VA_ARGS__, DPU_EACH2_, DPU_EACH1_, ~) \
	(rank, DPU_PASTE_(dpu_iterator_, __COUNTER__), set, __VA_ARGS__)

/* Runs a statement that returns a dpu_error_t; if it fails, says so and runs on_error. */
#define DPU_CHECK(statement, on_error) \
	do { \
		dpu_error_t dpu_check_ = (statement); \
		if (dpu_check_ != DPU_OK) { \
			char *dpu_check_text_ = dpu_error_to_string(dpu_check_); \
			fprintf(stderr, "%s:%d(%s): DPU Error (%s)\n", __FILE__, __LINE__, \
				__func__, dpu_check_text_); \
			free(dpu_check_text_); \
			on_error; \
		} \
	} while (0)

#define DPU_ASSERT(statement) DPU_CHECK(statement, exit(EXIT_FAILURE))

/* Embeds the file path into the host program as the variable name, of type struct dpu_incbin_t. */
#define DPU_INCBIN(name, file) \
	__asm__(".section .rodata\n" \
		".balign 8\n" \
		".global dpu_incbin_start_" #name "\n" \
		"dpu_incbin_start_" #name ":\n" \
		".incbin \"" file "\"\n" \
		".global dpu_incbin_end_" #name "\n" \
		"dpu_incbin_end_" #name ":\n" \
		".byte 0\n" \
		".previous\n"); \
	extern uint8_t dpu_incbin_start_##name[], dpu_incbin_end_##name[]; \
	static inline struct dpu_incbin_t dpu_incbin_get_##name(void) \
	{ \
		struct dpu_incbin_t dpu_incbin_ = { dpu_incbin_start_##name, \
			(size_t)(dpu_incbin_end_##name - dpu_incbin_start_##name), file }; \
		return dpu_incbin_; \
	} \
	static struct dpu_incbin_t name; \
	__attribute__((constructor)) static void dpu_incbin_set_##name(void) \
	{ \
		name = dpu_incbin_get_##name(); \
	}

#ifdef __cplusplus
}
#endif

#include "dpu_fifo.h"

#endif
