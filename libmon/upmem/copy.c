// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies between host memory and the DPUs. */
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"

static dpu_error_t check_range(const struct upmem_info *info, uint32_t address, size_t length)
{
	static const char *const names[] = { "IRAM", "WRAM", "MRAM" };
	static const dpu_error_t errors[] = {
		DPU_ERR_INVALID_IRAM_ACCESS, DPU_ERR_INVALID_WRAM_ACCESS, DPU_ERR_INVALID_MRAM_ACCESS
	};
	const uint32_t sizes[] = { info->iram_words * 8, info->wram_size, DPU_MRAM_SIZE };
	uint32_t offset;
	enum dpu_memory memory = dpu_address(address, &offset);
	unsigned int align = memory == DPU_WRAM ? 4 : 8;

	if (offset % align || length % align)
		return dpu_failed(errors[memory],
				  "%s offset %u and length %zu must be multiples of %u", names[memory],
				  offset, length, align);
	if (length > sizes[memory] || offset > sizes[memory] - length)
		return dpu_failed(errors[memory], "%s offset %u and length %zu leave its %u bytes",
				  names[memory], offset, length, sizes[memory]);
	return DPU_OK;
}

dpu_error_t dpu_copy_make(struct dpu_set_t set, dpu_xfer_t xfer, struct dpu_symbol_t symbol,
			  uint32_t offset, size_t length, struct dpu_copy *copy)
{
	struct dpu_rank_t **ranks;

	if (xfer != DPU_XFER_TO_DPU && xfer != DPU_XFER_FROM_DPU)
		return dpu_failed(DPU_ERR_INVALID_MEMORY_TRANSFER, "%d is no direction of a transfer",
				  (int)xfer);
	if (length > symbol.size || offset > symbol.size - length)
		return dpu_failed(DPU_ERR_INVALID_SYMBOL_ACCESS,
				  "offset %u and length %zu leave the symbol's %u bytes", offset, length,
				  symbol.size);
	dpu_set_ranks(&set, &ranks);
	*copy = (struct dpu_copy){
		xfer == DPU_XFER_TO_DPU ? UPMEM_TO_DPU : UPMEM_FROM_DPU, symbol.address + offset, length
	};
	return check_range(&ranks[0]->info, copy->address, length);
}

/* One rank's part of an asynchronous transfer: each DPU has its own buffer. */
struct xfer {
	struct dpu_copy copy;
	void *buffers[DPU_RANK_MAX_DPUS];
};

static dpu_error_t run_xfer(struct dpu_rank_t *rank, const struct xfer *x)
{
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		dpu_error_t error = DPU_OK;

		if (x->buffers[i])
			error = dpu_transfer(&rank->dpus[i], x->copy.direction, x->copy.address,
					     x->buffers[i], x->copy.length);
		if (error)
			return error;
	}
	return DPU_OK;
}

static dpu_error_t xfer_job(struct dpu_rank_t *rank, struct dpu_job *job)
{
	return run_xfer(rank, job->data);
}

static dpu_error_t start_xfer(struct dpu_rank_t *rank, const struct xfer *x, int flags, double seconds)
{
	struct dpu_job job = { .work = xfer_job, .seconds = seconds };
	dpu_error_t error;

	if (flags & DPU_XFER_PARALLEL)
		return run_xfer(rank, x);
	if (!(flags & DPU_XFER_ASYNC)) {
		dpu_jobs_wait(rank);
		return run_xfer(rank, x);
	}
	job.data = malloc(sizeof(*x));
	if (!job.data)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	memcpy(job.data, x, sizeof(*x));
	error = dpu_job_add(rank, &job);
	if (error)
		free(job.data);
	return error;
}

/* same: one buffer for all; else those that were prepared. */
static dpu_error_t copy_push(struct dpu_set_t set, const struct dpu_copy *copy, void *same,
			     int flags)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks), offset;
	dpu_error_t error = DPU_OK;
	double seconds;

	if (flags & DPU_XFER_PARALLEL && dpu_address(copy->address, &offset) != DPU_WRAM)
		return dpu_failed(DPU_ERR_INVALID_PARALLEL_MEMORY_TRANSFER,
				  "only WRAM can be used while the DPU may run");

	dpu_clock_stop();
	seconds = dpu_report_transfer(set, copy, same ? DPU_SAME : DPU_PREPARED);
	for (uint32_t r = 0; !error && r < count; r++) {
		uint64_t mask = dpu_set_mask(set, ranks[r]);
		struct xfer x = { .copy = *copy };

		for (uint32_t i = 0; i < ranks[r]->info.dpus; i++)
			if (mask >> i & 1)
				x.buffers[i] = same ? same : ranks[r]->dpus[i].buffer;
		error = start_xfer(ranks[r], &x, flags, seconds);
	}
	if (!(flags & DPU_XFER_ASYNC)) {
		dpu_clock_spend(ranks, count, dpu_clock_now(), seconds);
		dpu_clock_wait(ranks, count);
	}
	dpu_clock_go();
	return error;
}

dpu_error_t dpu_broadcast_to_symbol(struct dpu_set_t set, struct dpu_symbol_t symbol,
				    uint32_t offset, const void *src, size_t length,
				    dpu_xfer_flags_t flags)
{
	struct dpu_copy copy;
	dpu_error_t error = dpu_copy_make(set, DPU_XFER_TO_DPU, symbol, offset, length, &copy);

	return error || !length ? error : copy_push(set, &copy, (void *)src, flags);
}

dpu_error_t dpu_broadcast_to(struct dpu_set_t set, const char *name, uint32_t offset,
			     const void *src, size_t length, dpu_xfer_flags_t flags)
{
	struct dpu_symbol_t symbol;
	dpu_error_t error = dpu_find_symbol(set, name, &symbol);

	return error ? error : dpu_broadcast_to_symbol(set, symbol, offset, src, length, flags);
}

dpu_error_t dpu_copy_to_symbol(struct dpu_set_t set, struct dpu_symbol_t symbol, uint32_t offset,
			       const void *src, size_t length)
{
	return dpu_broadcast_to_symbol(set, symbol, offset, src, length, DPU_XFER_DEFAULT);
}

dpu_error_t dpu_copy_to(struct dpu_set_t set, const char *name, uint32_t offset, const void *src,
			size_t length)
{
	return dpu_broadcast_to(set, name, offset, src, length, DPU_XFER_DEFAULT);
}

dpu_error_t dpu_copy_from_symbol(struct dpu_set_t set, struct dpu_symbol_t symbol, uint32_t offset,
				 void *dst, size_t length)
{
	struct dpu_copy copy;
	dpu_error_t error;

	if (set.kind != DPU_SET_DPU)
		return dpu_failed(DPU_ERR_INVALID_DPU_SET,
				  "dpu_copy_from takes one DPU: use DPU_FOREACH or dpu_push_xfer");
	error = dpu_copy_make(set, DPU_XFER_FROM_DPU, symbol, offset, length, &copy);
	return error || !length ? error : copy_push(set, &copy, dst, DPU_XFER_DEFAULT);
}

dpu_error_t dpu_copy_from(struct dpu_set_t set, const char *name, uint32_t offset, void *dst,
			  size_t length)
{
	struct dpu_symbol_t symbol;
	dpu_error_t error;

	if (set.kind != DPU_SET_DPU)
		return dpu_failed(DPU_ERR_INVALID_DPU_SET,
				  "dpu_copy_from takes one DPU: use DPU_FOREACH or dpu_push_xfer");
	error = dpu_find_symbol(set, name, &symbol);
	return error ? error : dpu_copy_from_symbol(set, symbol, offset, dst, length);
}

static dpu_error_t prepare_one(struct dpu_t *dpu, void *buffer)
{
	dpu->buffer = buffer;
	return DPU_OK;
}

dpu_error_t dpu_prepare_xfer(struct dpu_set_t set, void *buffer)
{
	return dpu_visit(set, prepare_one, buffer);
}

/* Prepared buffers are for one push, also for one that failed. */
static dpu_error_t forget_buffers(struct dpu_set_t set, dpu_xfer_flags_t flags, dpu_error_t error)
{
	if (!(flags & DPU_XFER_NO_RESET))
		dpu_visit(set, prepare_one, NULL);
	return error;
}

dpu_error_t dpu_push_xfer_symbol(struct dpu_set_t set, dpu_xfer_t xfer, struct dpu_symbol_t symbol,
				 uint32_t offset, size_t length, dpu_xfer_flags_t flags)
{
	struct dpu_copy copy;
	dpu_error_t error = dpu_copy_make(set, xfer, symbol, offset, length, &copy);

	if (!error && length)
		error = copy_push(set, &copy, NULL, flags);
	return forget_buffers(set, flags, error);
}

dpu_error_t dpu_push_xfer(struct dpu_set_t set, dpu_xfer_t xfer, const char *name, uint32_t offset,
			  size_t length, dpu_xfer_flags_t flags)
{
	struct dpu_symbol_t symbol;
	dpu_error_t error = dpu_find_symbol(set, name, &symbol);

	return error ? forget_buffers(set, flags, error) :
	       dpu_push_xfer_symbol(set, xfer, symbol, offset, length, flags);
}
