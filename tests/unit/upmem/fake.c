// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The inside of libmon's host library, for the functions that reach the device. */
#include "libmon/dpu/internal.h"
#undef DPU_FOREACH

#include "events/upmem/regs.h"
#include "tests/unit/upmem/fake.h"
#include "upmem/rank.h"

#define MAX_RANKS 4
#define FIRST_FD 1000

static struct {
	struct upmem_rank *rank;
	bool open;
} ranks[MAX_RANKS];
static unsigned int rank_count, dpu_count;
static const struct dpu_device_ops *kernel;

/* Guest memory is this process's. */
static bool bus_read(void *opaque, uint64_t address, void *data, uint32_t length)
{
	(void)opaque;
	memcpy(data, (void *)(uintptr_t)address, length);
	return true;
}

static bool bus_write(void *opaque, uint64_t address, const void *data, uint32_t length)
{
	(void)opaque;
	memcpy((void *)(uintptr_t)address, data, length);
	return true;
}

static uint32_t get(struct upmem_rank *rank, uint32_t offset)
{
	return upmem_rank_read(rank, offset, 4);
}

static void put(struct upmem_rank *rank, uint32_t offset, uint32_t value)
{
	upmem_rank_write(rank, offset, value, 4);
}

static uint64_t get_mask(struct upmem_rank *rank, uint32_t offset)
{
	return (uint64_t)get(rank, offset + 4) << 32 | get(rank, offset);
}

static void put_mask(struct upmem_rank *rank, uint32_t offset, uint64_t mask)
{
	put(rank, offset, mask);
	put(rank, offset + 4, mask >> 32);
}

static int refuse(int error)
{
	errno = error;
	return -1;
}

static int fake_open(uint32_t id)
{
	if (id >= rank_count)
		return refuse(ENOENT);
	if (ranks[id].open)
		return refuse(EBUSY);
	ranks[id].open = true;
	return FIRST_FD + id;
}

static int fake_close(int fd)
{
	put(ranks[fd - FIRST_FD].rank, UPMEM_RESET, 1);
	ranks[fd - FIRST_FD].open = false;
	return 0;
}

static int copy(struct upmem_rank *rank, const struct upmem_copy *c)
{
	for (uint32_t done = 0, n; done < c->length; done += n) {
		n = c->length - done < UPMEM_DMA_MAX ? c->length - done : UPMEM_DMA_MAX;
		put(rank, UPMEM_DMA_BUS_LO, c->buffer + done);
		put(rank, UPMEM_DMA_BUS_HI, (c->buffer + done) >> 32);
		put(rank, UPMEM_DMA_ADDRESS, c->address + done);
		put(rank, UPMEM_DMA_LENGTH, n);
		put(rank, UPMEM_DMA_DPU, c->dpu);
		put(rank, UPMEM_DMA_CONTROL, c->direction == UPMEM_TO_DPU ? UPMEM_DMA_TO_DPU :
		    UPMEM_DMA_FROM_DPU);
		switch (get(rank, UPMEM_DMA_CONTROL)) {
		case UPMEM_DMA_OK:
			break;
		case UPMEM_DMA_BUSY:
			return refuse(EBUSY);
		default:
			return refuse(ERANGE);
		}
	}
	return 0;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	struct upmem_rank *rank = ranks[fd - FIRST_FD].rank;
	struct upmem_info *info = arg;
	struct upmem_status *status = arg;
	struct upmem_fault *fault = arg;

	switch (request) {
	case UPMEM_IOC_INFO:
		memset(info, 0, sizeof(*info));
		info->dpus = dpu_count;
		info->chip_id = get(rank, UPMEM_CHIP_ID);
		info->clock_hz = get(rank, UPMEM_CLOCK_HZ);
		info->threads = get(rank, UPMEM_THREADS);
		info->iram_words = get(rank, UPMEM_IRAM_WORDS);
		info->wram_size = get(rank, UPMEM_WRAM_SIZE);
		strcpy(info->pmu, "upmem_that_is_not_there");
		return 0;
	case UPMEM_IOC_COPY:
		return copy(rank, arg);
	case UPMEM_IOC_LAUNCH:
		if (get_mask(rank, UPMEM_RUNNING_LO) & *(uint64_t *)arg)
			return refuse(EBUSY);
		put_mask(rank, UPMEM_LAUNCH_LO, *(uint64_t *)arg);
		return 0;
	case UPMEM_IOC_STATUS:
		status->running = get_mask(rank, UPMEM_RUNNING_LO);
		status->fault = get_mask(rank, UPMEM_FAULT_LO);
		return 0;
	case UPMEM_IOC_WAIT:
		while (get_mask(rank, UPMEM_RUNNING_LO) & *(uint64_t *)arg)
			sched_yield();
		return 0;
	case UPMEM_IOC_HALT:
		put_mask(rank, UPMEM_HALT_LO, *(uint64_t *)arg);
		return 0;
	case UPMEM_IOC_FAULT:
		fault->kind = get(rank, UPMEM_DPU(fault->dpu) + UPMEM_DPU_FAULT_KIND);
		fault->pc = get(rank, UPMEM_DPU(fault->dpu) + UPMEM_DPU_FAULT_PC);
		fault->thread = get(rank, UPMEM_DPU(fault->dpu) + UPMEM_DPU_FAULT_THREAD);
		fault->code = get(rank, UPMEM_DPU(fault->dpu) + UPMEM_DPU_FAULT_CODE);
		return 0;
	default:
		return refuse(ENOTTY);
	}
}

static const struct dpu_device_ops fake = { fake_open, fake_ioctl, fake_close };

void fake_begin(unsigned int count, unsigned int dpus, enum dpu_arch_id arch)
{
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[arch], .dpus = dpus, .threads = 2, .timing = dpu_timing_default,
		.bus_read = bus_read, .bus_write = bus_write,
	};

	ck_assert_uint_le(count, MAX_RANKS);
	rank_count = count;
	dpu_count = dpus;
	for (unsigned int i = 0; i < count; i++) {
		ranks[i].rank = upmem_rank_new(&config);
		ranks[i].open = false;
		ck_assert_ptr_nonnull(ranks[i].rank);
	}
	kernel = dpu_device;
	dpu_device = &fake;
}

void fake_end(void)
{
	for (unsigned int i = 0; i < rank_count; i++)
		upmem_rank_free(ranks[i].rank);
	rank_count = 0;
	dpu_device = kernel;
}

unsigned int fake_open_ranks(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < rank_count; i++)
		n += ranks[i].open;
	return n;
}
