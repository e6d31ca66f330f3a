/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_fifo.h - queues in WRAM between host and DPU program (UPMEM SDK 2025.1). Included by dpu.h.
 *
 * The DPU program declares them with INPUT_FIFO_INIT and OUTPUT_FIFO_INIT. Host and program may use
 * a queue at the same time: these transfers do not wait for a launch that runs.
 */
#ifndef DPU_FIFO_H
#define DPU_FIFO_H

#include "dpu_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpu_fifo_rank_t;		/* what the host knows of the queues of a rank */

enum dpu_fifo_direction_t { DPU_INPUT_FIFO, DPU_OUTPUT_FIFO };

struct dpu_fifo_link_t {
	enum dpu_fifo_direction_t direction;
	struct dpu_symbol_t fifo_symbol;
	struct dpu_fifo_rank_t *rank_fifos;
};

/*
 * Finds the queue of this name in the program of a set, which must be loaded; the link is for this
 * set and its ranks and DPUs, until dpu_fifo_link_free(). UNKNOWN_SYMBOL, NO_PROGRAM_LOADED.
 * INVALID_WRAM_ACCESS: the variable is no queue.
 */
MON_API dpu_error_t dpu_link_input_fifo(struct dpu_set_t set, struct dpu_fifo_link_t *link,
					char *fifo_name);
MON_API dpu_error_t dpu_link_output_fifo(struct dpu_set_t set, struct dpu_fifo_link_t *link,
					 char *fifo_name);
MON_API dpu_error_t dpu_fifo_link_free(struct dpu_fifo_link_t *link);

/*
 * The buffer of each DPU of the set for the next push: one element for an input queue, as many as the
 * queue can hold for an output queue.
 */
MON_API dpu_error_t dpu_fifo_prepare_xfer(struct dpu_set_t set, struct dpu_fifo_link_t *link,
					  void *buffer);
/*
 * Input: adds one element to each DPU's queue. WRAM_FIFO_FULL: one stayed full. Output: empties each
 * queue into its buffer, whose elements get_fifo_elem() finds. Only DPU_XFER_NO_RESET has an effect.
 */
MON_API dpu_error_t dpu_fifo_push_xfer(struct dpu_set_t set, struct dpu_fifo_link_t *link,
				       dpu_xfer_flags_t flags);
/* How often a push tries again when a queue is full (at first 0 times), and how long it waits between. */
MON_API void dpu_fifo_set_push_max_retries(struct dpu_fifo_link_t *link, struct dpu_set_t set,
					   uint32_t max_retries);
MON_API void dpu_fifo_set_time_for_push_retries(struct dpu_fifo_link_t *link, struct dpu_set_t set,
						uint32_t time_us);

/* Of one DPU: elements at the last push; element i of those, in the buffer fifo_data. */
MON_API uint16_t get_fifo_size(struct dpu_fifo_link_t *link, struct dpu_set_t dpu);
MON_API uint8_t *get_fifo_elem(struct dpu_fifo_link_t *link, struct dpu_set_t dpu,
			       uint8_t *fifo_data, uint8_t i);

#ifdef __cplusplus
}
#endif
#endif
