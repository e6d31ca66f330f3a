// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Queues in WRAM. The one that adds owns the write pointer, the one that takes the read pointer; both
 * only grow, and an element is at its pointer modulo the queue's length (UPMEM SDK, wramfifo.h).
 * So both sides may work at the same time, and these transfers do not wait for a launch.
 */
#include <stdlib.h>
#include <unistd.h>

#include "libmon/upmem/internal.h"

#define MAX_PTR_SIZE 10		/* 2^10 elements */

/* The variable of the DPU program. */
struct fifo {
	uint64_t read, write;
	uint32_t data, scratch;		/* addresses in WRAM */
	uint32_t ptr_size;		/* 2^ptr_size elements */
	uint32_t data_size;		/* bytes of one */
};

_Static_assert(sizeof(struct fifo) == 32, "the DPU's layout");

struct dpu_fifo_rank_t {
	struct dpu_rank_t *rank;	/* NULL ends the array */
	struct fifo fifo[DPU_RANK_MAX_DPUS];	/* as they were at the last push */
	void *buffer[DPU_RANK_MAX_DPUS];
	uint32_t max_retries, retry_us;
};

static struct dpu_fifo_rank_t *rank_of(struct dpu_fifo_link_t *link, const struct dpu_rank_t *rank)
{
	struct dpu_fifo_rank_t *r = link->rank_fifos;

	while (r && r->rank && r->rank != rank)
		r++;
	return r && r->rank ? r : NULL;
}

static struct fifo *fifo_of(struct dpu_fifo_link_t *link, const struct dpu_t *dpu)
{
	struct dpu_fifo_rank_t *r = dpu ? rank_of(link, dpu->rank) : NULL;

	return r ? &r->fifo[dpu->index] : NULL;
}

static dpu_error_t not_linked(void)
{
	return dpu_failed(DPU_ERR_INVALID_DPU_SET, "the queue was linked for other ranks");
}

static dpu_error_t read_fifo(const struct dpu_fifo_link_t *link, struct dpu_t *dpu, struct fifo *fifo)
{
	dpu_error_t error = dpu_transfer(dpu, UPMEM_FROM_DPU, link->fifo_symbol.address, fifo,
					 sizeof(*fifo));
	uint32_t size = dpu->rank->info.wram_size;

	if (error)
		return error;
	if (fifo->ptr_size > MAX_PTR_SIZE || !fifo->data_size || fifo->data_size % 8 ||
	    fifo->data_size > size || fifo->data % 4 ||
	    fifo->data + ((uint64_t)fifo->data_size << fifo->ptr_size) > size ||
	    fifo->write - fifo->read > 1u << fifo->ptr_size)
		return dpu_failed(DPU_ERR_INVALID_WRAM_ACCESS, "the variable at 0x%x of DPU %u is no queue",
				  link->fifo_symbol.address, dpu->index);
	return DPU_OK;
}

static dpu_error_t link_one(struct dpu_t *dpu, void *arg)
{
	struct dpu_fifo_link_t *link = arg;

	return read_fifo(link, dpu, fifo_of(link, dpu));
}

static dpu_error_t link_fifo(struct dpu_set_t set, struct dpu_fifo_link_t *link, const char *name)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks), offset;
	dpu_error_t error = dpu_find_symbol(set, name, &link->fifo_symbol);

	link->rank_fifos = NULL;
	if (error)
		return error;
	if (link->fifo_symbol.size < sizeof(struct fifo) ||
	    dpu_address(link->fifo_symbol.address, &offset) != DPU_WRAM)
		return dpu_failed(DPU_ERR_INVALID_WRAM_ACCESS, "the variable '%s' is no queue", name);
	link->rank_fifos = calloc(count + 1, sizeof(*link->rank_fifos));
	if (!link->rank_fifos)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (uint32_t i = 0; i < count; i++)
		link->rank_fifos[i].rank = ranks[i];
	error = dpu_visit(set, link_one, link);
	if (error)
		dpu_fifo_link_free(link);
	return error;
}

dpu_error_t dpu_link_input_fifo(struct dpu_set_t set, struct dpu_fifo_link_t *link, char *name)
{
	link->direction = DPU_INPUT_FIFO;
	return link_fifo(set, link, name);
}

dpu_error_t dpu_link_output_fifo(struct dpu_set_t set, struct dpu_fifo_link_t *link, char *name)
{
	link->direction = DPU_OUTPUT_FIFO;
	return link_fifo(set, link, name);
}

dpu_error_t dpu_fifo_link_free(struct dpu_fifo_link_t *link)
{
	free(link->rank_fifos);
	link->rank_fifos = NULL;
	return DPU_OK;
}

/* A visit of the DPUs of a set. */
struct walk {
	struct dpu_fifo_link_t *link;
	void *buffer;
};

static dpu_error_t prepare_one(struct dpu_t *dpu, void *arg)
{
	const struct walk *walk = arg;
	struct dpu_fifo_rank_t *r = rank_of(walk->link, dpu->rank);

	if (!r)
		return not_linked();
	r->buffer[dpu->index] = walk->buffer;
	return DPU_OK;
}

dpu_error_t dpu_fifo_prepare_xfer(struct dpu_set_t set, struct dpu_fifo_link_t *link, void *buffer)
{
	struct walk walk = { link, buffer };

	return dpu_visit(set, prepare_one, &walk);
}

static dpu_error_t fifo_put(const struct dpu_fifo_link_t *link, struct dpu_t *dpu,
			    const struct dpu_fifo_rank_t *r, struct fifo *fifo, void *element)
{
	uint32_t mask = (1u << fifo->ptr_size) - 1;
	dpu_error_t error = read_fifo(link, dpu, fifo);

	for (uint32_t i = 0; !error && fifo->write - fifo->read > mask; i++) {
		if (i == r->max_retries)
			return dpu_failed(DPU_ERR_WRAM_FIFO_FULL, "the queue of DPU %u is full", dpu->index);
		usleep(r->retry_us);
		error = read_fifo(link, dpu, fifo);
	}
	if (!error)
		error = dpu_transfer(dpu, UPMEM_TO_DPU,
				     fifo->data + (fifo->write & mask) * fifo->data_size, element,
				     fifo->data_size);
	if (error)
		return error;
	fifo->write++;
	return dpu_transfer(dpu, UPMEM_TO_DPU,
			    link->fifo_symbol.address + offsetof(struct fifo, write), &fifo->write,
			    sizeof(fifo->write));
}

/* The pointers first: what the DPU adds meanwhile is the next push's. */
static dpu_error_t take_all(const struct dpu_fifo_link_t *link, struct dpu_t *dpu,
			    struct fifo *fifo, void *buffer)
{
	dpu_error_t error = read_fifo(link, dpu, fifo);

	if (!error)
		error = dpu_transfer(dpu, UPMEM_FROM_DPU, fifo->data, buffer,
				     fifo->data_size << fifo->ptr_size);
	return error ? error :
	       dpu_transfer(dpu, UPMEM_TO_DPU, link->fifo_symbol.address + offsetof(struct fifo, read),
			    &fifo->write, sizeof(fifo->write));
}

static dpu_error_t push_one(struct dpu_t *dpu, void *arg)
{
	struct dpu_fifo_link_t *link = ((struct walk *)arg)->link;
	struct dpu_fifo_rank_t *r = rank_of(link, dpu->rank);
	void *buffer = r ? r->buffer[dpu->index] : NULL;

	if (!r)
		return not_linked();
	if (!buffer)
		return DPU_OK;
	return link->direction == DPU_INPUT_FIFO ?
	       fifo_put(link, dpu, r, &r->fifo[dpu->index], buffer) :
	       take_all(link, dpu, &r->fifo[dpu->index], buffer);
}

dpu_error_t dpu_fifo_push_xfer(struct dpu_set_t set, struct dpu_fifo_link_t *link,
			       dpu_xfer_flags_t flags)
{
	struct walk walk = { link, NULL };
	dpu_error_t error = dpu_visit(set, push_one, &walk);

	if (!error && !(flags & DPU_XFER_NO_RESET))
		error = dpu_visit(set, prepare_one, &walk);
	return error;
}

void dpu_fifo_set_push_max_retries(struct dpu_fifo_link_t *link, struct dpu_set_t set,
				   uint32_t max_retries)
{
	(void)set;
	for (struct dpu_fifo_rank_t *r = link->rank_fifos; r && r->rank; r++)
		r->max_retries = max_retries;
}

void dpu_fifo_set_time_for_push_retries(struct dpu_fifo_link_t *link, struct dpu_set_t set,
					uint32_t time_us)
{
	(void)set;
	for (struct dpu_fifo_rank_t *r = link->rank_fifos; r && r->rank; r++)
		r->retry_us = time_us;
}

uint16_t get_fifo_size(struct dpu_fifo_link_t *link, struct dpu_set_t set)
{
	const struct fifo *fifo = fifo_of(link, dpu_from_set(set));

	return fifo ? fifo->write - fifo->read : 0;
}

uint8_t *get_fifo_elem(struct dpu_fifo_link_t *link, struct dpu_set_t set, uint8_t *fifo_data,
		       uint8_t i)
{
	const struct fifo *fifo = fifo_of(link, dpu_from_set(set));

	return fifo ? fifo_data + (fifo->read + i) % (1u << fifo->ptr_size) * fifo->data_size : NULL;
}
