// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the driver does with the registers of a rank, here with a modelled one in this process. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "events/upmem/regs.h"
#include "libmon/upmem/internal.h"
#include "upmem/rank.h"

/* Pieces of a transfer, as the driver cuts it; activations of rows are counted for each. */
#define PIECE (256 * 1024)
#define LARGE (64 * 1024)	/* below, one call of process_vm_readv() is cheaper */

static int refuse(int error)
{
	errno = error;
	return -1;
}

/* Memory of this process that a transfer of this thread may use. */
static _Thread_local struct {
	uint64_t start, end;
} sure;

static bool is_sure(uint64_t address, uint32_t length)
{
	return address >= sure.start && address + length <= sure.end;
}

/*
 * Large buffers: the kernel finds whether there is memory for all of it, and makes it available at once, which costs
 * less than a page fault for each page. If it cannot, each piece is tried.
 */
static void make_sure(const struct upmem_copy *c)
{
	uint64_t page = sysconf(_SC_PAGESIZE), start = c->buffer & ~(page - 1);
	uint64_t size = (c->buffer + c->length - start + page - 1) & ~(page - 1);

	sure.start = sure.end = 0;
	if (c->length < LARGE || madvise((void *)(uintptr_t)start, size, c->direction == UPMEM_TO_DPU ?
					 MADV_POPULATE_READ : MADV_POPULATE_WRITE))
		return;
	sure.start = c->buffer;
	sure.end = c->buffer + c->length;
}

/*
 * Copies within the process. own is the side that the host program named: the kernel checks that there is memory; where it
 * may not check, there is no check.
 */
static bool own_copy(uint64_t own, void *to, const void *from, uint32_t length)
{
	const struct iovec local = { to, length }, remote = { (void *)from, length };
	ssize_t done;

	if (!is_sure(own, length)) {
		done = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
		if (done >= 0 || errno == EFAULT || errno == ENOMEM)
			return done == (ssize_t)length;
	}
	memcpy(to, from, length);
	return true;
}

bool dpu_own_read(void *opaque, uint64_t address, void *data, uint32_t length)
{
	(void)opaque;
	return own_copy(address, data, (const void *)(uintptr_t)address, length);
}

bool dpu_own_write(void *opaque, uint64_t address, const void *data, uint32_t length)
{
	(void)opaque;
	return own_copy(address, (void *)(uintptr_t)address, data, length);
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

static int modelled_copy(struct upmem_rank *rank, const struct upmem_copy *c)
{
	make_sure(c);
	for (uint32_t done = 0, n; done < c->length; done += n) {
		n = c->length - done < PIECE ? c->length - done : PIECE;
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
		case UPMEM_DMA_BUS:
			return refuse(EFAULT);
		default:
			return refuse(ERANGE);
		}
	}
	return 0;
}

/* None starts if one of them runs. */
static int modelled_launch(struct upmem_rank *rank, uint64_t mask)
{
	if (get_mask(rank, UPMEM_RUNNING_LO) & mask)
		return refuse(EBUSY);
	put_mask(rank, UPMEM_LAUNCH_LO, mask);
	return 0;
}

static void modelled_info(struct upmem_rank *rank, struct upmem_info *info)
{
	*info = (struct upmem_info){
		.dpus = get(rank, UPMEM_DPUS),
		.chip_id = get(rank, UPMEM_CHIP_ID),
		.clock_hz = get(rank, UPMEM_CLOCK_HZ),
		.threads = get(rank, UPMEM_THREADS),
		.iram_words = get(rank, UPMEM_IRAM_WORDS),
		.wram_size = get(rank, UPMEM_WRAM_SIZE),
	};
}

int dpu_modelled_ioctl(struct upmem_rank *rank, unsigned long request, void *arg)
{
	struct upmem_status *status = arg;
	struct upmem_fault *fault = arg;

	switch (request) {
	case UPMEM_IOC_INFO:
		modelled_info(rank, arg);
		return 0;
	case UPMEM_IOC_COPY:
		return modelled_copy(rank, arg);
	case UPMEM_IOC_LAUNCH:
		return modelled_launch(rank, *(uint64_t *)arg);
	case UPMEM_IOC_STATUS:
		status->running = get_mask(rank, UPMEM_RUNNING_LO);
		status->fault = get_mask(rank, UPMEM_FAULT_LO);
		return 0;
	case UPMEM_IOC_WAIT:
		upmem_rank_wait(rank, *(uint64_t *)arg);
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
