/* SPDX-License-Identifier: GPL-2.0-only */
/* Guest memory of a rank without a guest: an array at some bus address. */
#ifndef TEST_UPMEM_BUS_H
#define TEST_UPMEM_BUS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "events/upmem/regs.h"
#include "upmem/rank.h"

struct bus {
	uint8_t *memory;
	uint32_t size;
	uint64_t base;
};

static inline bool bus_holds(const struct bus *bus, uint64_t address, uint32_t length)
{
	return length <= bus->size && address >= bus->base &&
	       address - bus->base <= bus->size - length;
}

/* bus_read and bus_write of a struct upmem_rank_config whose opaque is a struct bus */
static inline bool bus_read(void *opaque, uint64_t address, void *data, uint32_t length)
{
	const struct bus *bus = opaque;

	if (!bus_holds(bus, address, length))
		return false;
	memcpy(data, bus->memory + (address - bus->base), length);
	return true;
}

static inline bool bus_write(void *opaque, uint64_t address, const void *data, uint32_t length)
{
	const struct bus *bus = opaque;

	if (!bus_holds(bus, address, length))
		return false;
	memcpy(bus->memory + (address - bus->base), data, length);
	return true;
}

/* One transfer by the registers of the rank; its status. */
static inline uint32_t rank_dma(struct upmem_rank *rank, unsigned int dpu, uint32_t direction,
				uint64_t bus, uint32_t address, uint32_t length)
{
	upmem_rank_write(rank, UPMEM_DMA_BUS_LO, bus, 4);
	upmem_rank_write(rank, UPMEM_DMA_BUS_HI, bus >> 32, 4);
	upmem_rank_write(rank, UPMEM_DMA_ADDRESS, address, 4);
	upmem_rank_write(rank, UPMEM_DMA_LENGTH, length, 4);
	upmem_rank_write(rank, UPMEM_DMA_DPU, dpu, 4);
	upmem_rank_write(rank, UPMEM_DMA_CONTROL, direction, 4);
	return upmem_rank_read(rank, UPMEM_DMA_CONTROL, 4);
}

#endif
