// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rank's command interface: any sequence of register accesses, with code and data of the
 * fuzzer's choice. Guest memory is 4 KiB; the sanitizers find accesses outside of anything.
 *
 * Input: records of 8 bytes: kind, size and offset (4 bytes), value (4 bytes).
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/regs/upmem_regs.h"
#include "qemu/upmem/rank.h"

#define GUEST_SIZE 4096

static uint8_t guest[GUEST_SIZE];

static bool bus(uint64_t address, uint32_t length)
{
	return length <= GUEST_SIZE && address <= GUEST_SIZE - length;
}

static bool bus_read(void *opaque, uint64_t address, void *data, uint32_t length)
{
	(void)opaque;
	if (!bus(address, length))
		return false;
	memcpy(data, guest + address, length);
	return true;
}

static bool bus_write(void *opaque, uint64_t address, const void *data, uint32_t length)
{
	(void)opaque;
	if (!bus(address, length))
		return false;
	memcpy(guest + address, data, length);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct upmem_rank *rank;
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .dpus = 2, .threads = 1, .timing = dpu_timing_default,
		.bus_read = bus_read, .bus_write = bus_write,
	};

	if (!rank)
		rank = upmem_rank_new(&config);
	if (!rank)
		abort();
	memset(guest, 0, sizeof(guest));
	memcpy(guest, data, size < GUEST_SIZE ? size : GUEST_SIZE);
	for (; size >= 8; data += 8, size -= 8) {
		uint32_t where, value;

		memcpy(&where, data, 4);
		memcpy(&value, data + 4, 4);
		if (where & 1)
			upmem_rank_write(rank, where >> 4 & (UPMEM_BAR_SIZE - 1), value,
					 where & 2 ? 1 : 4);
		else
			upmem_rank_read(rank, where >> 4 & (UPMEM_BAR_SIZE - 1), where & 2 ? 1 : 4);
	}
	upmem_rank_reset(rank);
	return 0;
}
