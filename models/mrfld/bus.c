/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message bus unit: MCR, MDR and MCRX in PCI configuration space.
 *
 * A write of MCR runs the transaction at once and then clears MCRX. socperf writes MCRX before
 * every access, Linux's iosf_mbi only if it is not zero; both work with a cleared MCRX.
 */
#include "mrfld/model.h"

static bool all_ones(struct mrfld_soc *soc)
{
	if (!soc->s.faults.all_ones || ++soc->s.reads < soc->s.faults.all_ones)
		return false;
	soc->s.reads = 0;
	return true;
}

static void transact(struct mrfld_soc *soc)
{
	uint32_t opcode = soc->s.mcr >> 24, port = soc->s.mcr >> 16 & 0xff;
	uint32_t offset = (soc->s.mcrx & ~0xffu) | (soc->s.mcr >> 8 & 0xff);

	if (soc->s.faults.slow_us && soc->ops.delay)
		mrfld_soc_advance(soc, soc->ops.delay(soc->opaque, soc->s.faults.slow_us));
	if (port == MRFLD_PORT && opcode == MRFLD_WRITE) {
		mrfld_counters_write(soc, offset, soc->s.mdr);
	} else if (port == MRFLD_PORT && opcode == MRFLD_READ) {
		soc->s.mdr = mrfld_counters_read(soc, offset);
		if (all_ones(soc))
			soc->s.mdr = UINT32_MAX;
	} else {
		soc->s.mdr = UINT32_MAX;
	}
	soc->s.mcrx = soc->s.faults.mcrx & ~0xffu;
}

uint32_t mrfld_bus_read(struct mrfld_soc *soc, uint32_t reg)
{
	switch (reg) {
	case MRFLD_CFG_MCR:
		return soc->s.mcr;
	case MRFLD_CFG_MDR:
		return soc->s.mdr;
	case MRFLD_CFG_MCRX:
		return soc->s.mcrx;
	default:
		return UINT32_MAX;
	}
}

void mrfld_bus_write(struct mrfld_soc *soc, uint32_t reg, uint32_t value)
{
	switch (reg) {
	case MRFLD_CFG_MCR:
		soc->s.mcr = value;
		transact(soc);
		break;
	case MRFLD_CFG_MDR:
		soc->s.mdr = value;
		break;
	case MRFLD_CFG_MCRX:
		soc->s.mcrx = value & ~0xffu;
		break;
	}
}
