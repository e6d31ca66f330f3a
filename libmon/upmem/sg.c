// SPDX-License-Identifier: LGPL-2.1-or-later
/* Scatter-gather: one range of each DPU's MRAM, many blocks of host memory. */
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"

/* What a transfer is about; the same for all ranks. The program's arguments follow it. */
struct sg {
	struct dpu_copy copy;
	bool exact;		/* a DPU's blocks must have the length of the range */
	get_block_func_t block;
	_Alignas(max_align_t) unsigned char args[];
};

static dpu_error_t check_block(const struct sg *sg, const struct dpu_rank_t *rank, uint32_t index,
			       uint32_t block, size_t done, size_t length)
{
	if (block >= rank->sg_blocks)
		return dpu_failed(DPU_ERR_SG_TOO_MANY_BLOCKS, "DPU %u of the set has more than %u blocks: "
				  "allocate it with sgXferMaxBlocksPerDpu=N", index, rank->sg_blocks);
	if (sg->exact && length > sg->copy.length - done)
		return dpu_failed(DPU_ERR_SG_LENGTH_MISMATCH,
				  "the blocks of DPU %u of the set are longer than %u bytes", index,
				  sg->copy.length);
	return DPU_OK;
}

/* Between the blocks of a DPU and its range of bytes; what the blocks do not fill is left alone. */
static dpu_error_t copy_blocks(struct sg *sg, const struct dpu_rank_t *rank, uint32_t index,
			       uint8_t *range)
{
	struct sg_block_info info;
	size_t done = 0;

	for (uint32_t block = 0; sg->block(&info, index, block, sg->args); block++) {
		size_t n = sg->copy.length - done;
		dpu_error_t error = check_block(sg, rank, index, block, done, info.length);

		if (error)
			return error;
		n = info.length < n ? info.length : n;
		if (sg->copy.direction == UPMEM_TO_DPU)
			memcpy(range + done, info.addr, n);
		else
			memcpy(info.addr, range + done, n);
		done += n;
	}
	if (sg->exact && done != sg->copy.length)
		return dpu_failed(DPU_ERR_SG_LENGTH_MISMATCH, "the blocks of DPU %u of the set have %zu "
				  "bytes, not %u", index, done, sg->copy.length);
	return DPU_OK;
}

static dpu_error_t transfer_one(struct sg *sg, struct dpu_t *dpu, uint32_t index)
{
	const struct dpu_copy *copy = &sg->copy;
	uint8_t *range = calloc(1, copy->length);
	dpu_error_t error = DPU_OK;

	if (!range)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	if (copy->direction == UPMEM_FROM_DPU)
		error = dpu_transfer(dpu, copy->direction, copy->address, range, copy->length);
	if (!error)
		error = copy_blocks(sg, dpu->rank, index, range);
	if (!error && copy->direction == UPMEM_TO_DPU)
		error = dpu_transfer(dpu, copy->direction, copy->address, range, copy->length);
	free(range);
	return error;
}

/* DPUs are numbered over the set that was allocated. */
static dpu_error_t transfer_rank(struct dpu_rank_t *rank, struct sg *sg)
{
	uint32_t index = rank->first_dpu;
	dpu_error_t error = DPU_OK;

	for (uint32_t i = 0; !error && i < rank->info.dpus; i++)
		if (rank->dpus[i].enabled)
			error = transfer_one(sg, &rank->dpus[i], index++);
	return error;
}

static dpu_error_t sg_job(struct dpu_rank_t *rank, struct dpu_job *job)
{
	return transfer_rank(rank, job->data);
}

static struct sg *sg_new(const struct dpu_copy *copy, const get_block_t *blocks, int flags)
{
	struct sg *sg = malloc(sizeof(*sg) + blocks->args_size);

	if (!sg)
		return NULL;
	sg->copy = *copy;
	sg->exact = !(flags & DPU_SG_XFER_DISABLE_LENGTH_CHECK);
	sg->block = blocks->f;
	if (blocks->args_size)
		memcpy(sg->args, blocks->args, blocks->args_size);
	return sg;
}

static dpu_error_t push_rank(struct dpu_rank_t *rank, const struct dpu_copy *copy,
			     const get_block_t *blocks, int flags, double seconds)
{
	struct dpu_job job = { .work = sg_job, .seconds = seconds };
	struct sg *sg = sg_new(copy, blocks, flags);
	dpu_error_t error;

	if (!sg)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	if (flags & DPU_SG_XFER_ASYNC) {
		job.data = sg;
		error = dpu_job_add(rank, &job);
		if (error)
			free(sg);
		return error;
	}
	dpu_jobs_wait(rank);
	error = transfer_rank(rank, sg);
	free(sg);
	return error;
}

dpu_error_t dpu_push_sg_xfer_symbol(struct dpu_set_t set, dpu_xfer_t xfer,
				    struct dpu_symbol_t symbol, uint32_t offset, size_t length,
				    get_block_t *blocks, dpu_sg_xfer_flags_t flags)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks), in_memory;
	struct dpu_copy copy;
	dpu_error_t error;
	double seconds;

	if (set.kind != DPU_SET_RANKS)
		return dpu_failed(DPU_ERR_INTERNAL, "scatter-gather takes ranks, not one DPU");
	if (dpu_address(symbol.address, &in_memory) != DPU_MRAM)
		return dpu_failed(DPU_ERR_SG_NOT_MRAM_SYMBOL, "0x%08x is not in MRAM", symbol.address);
	error = dpu_copy_make(set, xfer, symbol, offset, length, &copy);
	for (uint32_t r = 0; !error && r < count; r++)
		if (!ranks[r]->sg_enabled)
			error = dpu_failed(DPU_ERR_SG_NOT_ACTIVATED,
					   "allocate the DPUs with the profile sgXferEnable=true");
	if (error || !length)
		return error;
	dpu_clock_stop();
	seconds = dpu_report_transfer(set, &copy, DPU_BLOCKS);
	for (uint32_t r = 0; !error && r < count; r++)
		error = push_rank(ranks[r], &copy, blocks, flags, seconds);
	if (!(flags & DPU_SG_XFER_ASYNC)) {
		dpu_clock_spend(ranks, count, dpu_clock_now(), seconds);
		dpu_clock_wait(ranks, count);
	}
	dpu_clock_go();
	return error;
}

dpu_error_t dpu_push_sg_xfer(struct dpu_set_t set, dpu_xfer_t xfer, const char *name,
			     uint32_t offset, size_t length, get_block_t *blocks,
			     dpu_sg_xfer_flags_t flags)
{
	struct dpu_symbol_t symbol;
	dpu_error_t error = dpu_find_symbol(set, name, &symbol);

	return error ? error :
	       dpu_push_sg_xfer_symbol(set, xfer, symbol, offset, length, blocks, flags);
}
