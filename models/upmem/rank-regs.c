// SPDX-License-Identifier: LGPL-2.1-or-later
/* The rank's registers and its DMA. */
#include <stdlib.h>
#include <string.h>

#include "upmem/rank-internal.h"

#define CHUNK 65536

static uint64_t shared(struct upmem_rank *rank, const uint64_t *mask)
{
	uint64_t value;

	pthread_mutex_lock(&rank->workers->lock);
	value = *mask;
	pthread_mutex_unlock(&rank->workers->lock);
	return value;
}

static void totals_of(struct upmem_rank *rank, unsigned int n, struct dpu_totals *totals)
{
	if (rank->latched)
		*totals = rank->latch[n];
	else
		dpu_totals(rank->dpus[n], totals);
}

static void set_latch(struct upmem_rank *rank, bool latched)
{
	for (unsigned int i = 0; latched && i < rank->config.dpus; i++)
		dpu_totals(rank->dpus[i], &rank->latch[i]);
	rank->latched = latched;
}

static bool to_dpu(struct upmem_rank *rank, struct dpu *dpu, enum dpu_memory memory,
		   uint32_t offset, uint64_t bus, void *chunk, uint32_t n)
{
	if (memory == DPU_IRAM)
		upmem_rank_profile_collect(rank, dpu);
	return rank->config.bus_read && rank->config.bus_read(rank->config.opaque, bus, chunk, n) &&
	       dpu_write(dpu, memory, offset, chunk, n);
}

static bool from_dpu(struct upmem_rank *rank, struct dpu *dpu, enum dpu_memory memory,
		     uint32_t offset, uint64_t bus, void *chunk, uint32_t n)
{
	return rank->config.bus_write && dpu_read(dpu, memory, offset, chunk, n) &&
	       rank->config.bus_write(rank->config.opaque, bus, chunk, n);
}

static uint32_t transfer_bytes(struct upmem_rank *rank, uint32_t command, enum dpu_memory memory,
			       uint32_t offset)
{
	const struct upmem_dma *dma = &rank->dma;
	struct dpu *dpu = rank->dpus[dma->dpu];
	uint8_t chunk[CHUNK];
	uint32_t n;

	/* Rows are counted for the whole transfer, so a chunk ends at the end of a row. */
	for (uint32_t done = 0; done < dma->length; done += n) {
		uint32_t in_chunk = CHUNK - (offset + done) % CHUNK;

		n = dma->length - done < in_chunk ? dma->length - done : in_chunk;
		if (!(command == UPMEM_DMA_TO_DPU ? to_dpu : from_dpu)(rank, dpu, memory, offset + done,
								       dma->bus + done, chunk, n))
			return UPMEM_DMA_BUS;
	}
	return UPMEM_DMA_OK;
}

static uint32_t state_size(void)
{
	return (dpu_save_size() + 7) & ~UINT32_C(7);
}

static bool is_state(uint32_t address)
{
	return (address & (UPMEM_STATE_MARK | UPMEM_IRAM_MARK)) == UPMEM_STATE_MARK;
}

/* Each piece is taken from the whole state, which does not change while the DPU does not run. */
static uint32_t transfer_state(struct upmem_rank *rank, uint32_t command)
{
	const struct upmem_dma *dma = &rank->dma;
	uint32_t offset = dma->address & ~UPMEM_STATE_MARK;
	uint8_t *state;
	bool ok;

	if (shared(rank, &rank->running) >> dma->dpu & 1)
		return UPMEM_DMA_BUSY;
	if (command != UPMEM_DMA_FROM_DPU || dma->length > state_size() || offset > state_size() - dma->length)
		return UPMEM_DMA_RANGE;
	state = calloc(1, state_size());
	if (!state)
		return UPMEM_DMA_BUS;
	dpu_save(rank->dpus[dma->dpu], state);
	ok = rank->config.bus_write && rank->config.bus_write(rank->config.opaque, dma->bus, state + offset, dma->length);
	free(state);
	return ok ? UPMEM_DMA_OK : UPMEM_DMA_BUS;
}

/* The host reaches WRAM while the program runs (UPMEM SDK: DPU_XFER_PARALLEL, FIFOs). */
static uint32_t regs_transfer(struct upmem_rank *rank, uint32_t command)
{
	const struct upmem_dma *dma = &rank->dma;
	enum dpu_memory memory;
	uint32_t offset;

	if (dma->dpu >= rank->config.dpus ||
	    (command != UPMEM_DMA_TO_DPU && command != UPMEM_DMA_FROM_DPU))
		return UPMEM_DMA_COMMAND;
	if (is_state(dma->address))
		return transfer_state(rank, command);
	memory = dpu_address(dma->address, &offset);
	if (memory != DPU_WRAM && shared(rank, &rank->running) >> dma->dpu & 1)
		return UPMEM_DMA_BUSY;
	if (dma->length > UPMEM_DMA_MAX ||
	    !dpu_range_ok(rank->dpus[dma->dpu], memory, offset, dma->length))
		return UPMEM_DMA_RANGE;
	return transfer_bytes(rank, command, memory, offset);
}

/* Replaces one half of a 64-bit value. */
static uint64_t with_word(uint64_t old, uint32_t offset, uint32_t word)
{
	return offset & 4 ? (uint32_t)old | (uint64_t)word << 32 : (old & ~UINT64_C(0xffffffff)) | word;
}

static uint32_t word_of(uint64_t value, uint32_t offset)
{
	return offset & 4 ? value >> 32 : value;
}

static uint32_t read_rank(struct upmem_rank *rank, uint32_t offset)
{
	const struct dpu_arch *arch = rank->config.arch;

	switch (offset) {
	case UPMEM_ID:
		return UPMEM_ID_VALUE;
	case UPMEM_VERSION:
		return UPMEM_VERSION_VALUE;
	case UPMEM_DPUS:
		return rank->config.dpus;
	case UPMEM_CHIP_ID:
		return arch->chip_id;
	case UPMEM_CLOCK_HZ:
		return dpu_clock(rank->dpus[0]);
	case UPMEM_THREADS:
		return arch->threads;
	case UPMEM_IRAM_WORDS:
		return arch->iram_words;
	case UPMEM_WRAM_SIZE:
		return arch->wram_size;
	case UPMEM_MAX_MHZ:
		return dpu_max_rate(&rank->config.timing, dpu_clock(rank->dpus[0])) / 1000000 + 1;
	case UPMEM_IRQ:
		return rank->irq;
	case UPMEM_LATCH:
		return rank->latched;
	case UPMEM_RUNNING_LO:
	case UPMEM_RUNNING_HI:
		return word_of(shared(rank, &rank->running), offset);
	case UPMEM_FAULT_LO:
	case UPMEM_FAULT_HI:
		return word_of(shared(rank, &rank->faulted), offset);
	case UPMEM_STATE_SIZE:
		return state_size();
	case UPMEM_DMA_BUS_LO:
	case UPMEM_DMA_BUS_HI:
		return word_of(rank->dma.bus, offset);
	case UPMEM_DMA_ADDRESS:
		return rank->dma.address;
	case UPMEM_DMA_LENGTH:
		return rank->dma.length;
	case UPMEM_DMA_DPU:
		return rank->dma.dpu;
	case UPMEM_DMA_CONTROL:
		return rank->dma.status;
	default:
		return 0;
	}
}

static void write_rank(struct upmem_rank *rank, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case UPMEM_IRQ:
		rank->irq &= ~value;
		break;
	case UPMEM_LATCH:
		set_latch(rank, value & 1);
		break;
	case UPMEM_RESET:
		if (value & 1)
			upmem_rank_clear(rank);
		break;
	case UPMEM_LAUNCH_LO:
	case UPMEM_LAUNCH_HI:
		upmem_rank_launch(rank, with_word(0, offset, value));
		break;
	case UPMEM_HALT_LO:
	case UPMEM_HALT_HI:
		upmem_rank_halt(rank, with_word(0, offset, value));
		break;
	case UPMEM_DMA_BUS_LO:
	case UPMEM_DMA_BUS_HI:
		rank->dma.bus = with_word(rank->dma.bus, offset, value);
		break;
	case UPMEM_DMA_ADDRESS:
		rank->dma.address = value;
		break;
	case UPMEM_DMA_LENGTH:
		rank->dma.length = value;
		break;
	case UPMEM_DMA_DPU:
		rank->dma.dpu = value;
		break;
	case UPMEM_DMA_CONTROL:
		rank->dma.status = regs_transfer(rank, value);
		break;
	}
}

static uint32_t dpu_state_register(struct upmem_rank *rank, unsigned int n)
{
	uint32_t state;

	pthread_mutex_lock(&rank->workers->lock);
	state = rank->running >> n & 1 ? UPMEM_DPU_RUNNING :
		rank->faulted >> n & 1 ? UPMEM_DPU_FAULT : UPMEM_DPU_IDLE;
	pthread_mutex_unlock(&rank->workers->lock);
	return state;
}

static uint32_t read_dpu(struct upmem_rank *rank, unsigned int n, uint32_t offset)
{
	/* While the DPU runs this is the old value; it does not change then. */
	struct dpu_fault fault = { 0 };
	struct dpu_totals totals;
	uint64_t value;

	if (offset >= UPMEM_DPU_FAULT_KIND && offset <= UPMEM_DPU_FAULT_CODE &&
	    dpu_state_register(rank, n) == UPMEM_DPU_FAULT)
		fault = *dpu_fault(rank->dpus[n]);
	switch (offset) {
	case UPMEM_DPU_STATE:
		return dpu_state_register(rank, n);
	case UPMEM_DPU_FAULT_KIND:
		return fault.kind;
	case UPMEM_DPU_FAULT_PC:
		return fault.pc;
	case UPMEM_DPU_FAULT_THREAD:
		return fault.thread;
	case UPMEM_DPU_FAULT_CODE:
		return fault.code;
	case UPMEM_DPU_CYCLES_LO:
	case UPMEM_DPU_INSTRUCTIONS_LO:
		totals_of(rank, n, &totals);
		value = offset == UPMEM_DPU_CYCLES_LO ? totals.cycles : totals.instructions;
		rank->high[n][offset != UPMEM_DPU_CYCLES_LO] = value >> 32;
		return value;
	case UPMEM_DPU_CYCLES_HI:
		return rank->high[n][0];
	case UPMEM_DPU_INSTRUCTIONS_HI:
		return rank->high[n][1];
	default:
		return 0;
	}
}

uint32_t upmem_rank_read(struct upmem_rank *rank, uint32_t offset, unsigned int size)
{
	unsigned int page = offset / UPMEM_PAGE;

	if (page > rank->config.dpus)
		return 0;
	if (size == 1 && page)
		return dpu_pmc_read(&rank->pmcs[page - 1], offset % UPMEM_PAGE);
	if (size != 4)
		return 0;
	return page ? read_dpu(rank, page - 1, offset % UPMEM_PAGE) : read_rank(rank, offset);
}

void upmem_rank_write(struct upmem_rank *rank, uint32_t offset, uint32_t value, unsigned int size)
{
	unsigned int page = offset / UPMEM_PAGE;
	struct dpu_totals totals;

	if (page > rank->config.dpus)
		return;
	if (size == 1 && page) {
		totals_of(rank, page - 1, &totals);
		dpu_pmc_write(&rank->pmcs[page - 1], rank->dpus[page - 1], &totals,
			      offset % UPMEM_PAGE, value);
		dpu_set_paced(rank->dpus[page - 1], rank->pmcs[page - 1].running);
	} else if (size == 4 && !page) {
		write_rank(rank, offset, value);
	}
}
