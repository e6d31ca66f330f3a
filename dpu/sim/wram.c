// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads and stores that are more than a plain little-endian access of one register. */
#include <endian.h>
#include <string.h>

#include "dpu/sim/dpu-internal.h"

/* A safe register holds its limit in the upper half: address + size may not exceed it. */
static bool safe_range_ok(uint32_t base, uint32_t offset, uint32_t size)
{
	return (base & 0xffff) + offset + size <= base >> 16;
}

uint32_t dpu_access_size(enum dpu_op op)
{
	switch (op) {
	case DPU_OP_lbs:
	case DPU_OP_lbu:
	case DPU_OP_sb:
	case DPU_OP_sb_id:
		return 1;
	case DPU_OP_lhs:
	case DPU_OP_lhu:
	case DPU_OP_sh:
	case DPU_OP_sh_id:
		return 2;
	case DPU_OP_ld:
	case DPU_OP_sd:
	case DPU_OP_sd_id:
		return 8;
	default:
		return 4;
	}
}

bool dpu_access_address(const struct dpu *dpu, const struct dpu_uop *u, uint32_t base,
			uint32_t offset, uint32_t *address)
{
	uint32_t size = dpu_access_size(u->op);

	*address = u->flags & DPU_UOP_SAFE ? (base & 0xffff) + offset : base + offset;
	return (!(u->flags & DPU_UOP_SAFE) || safe_range_ok(base, offset, size)) &&
	       dpu_wram_ok(dpu->arch->wram_size, *address, size);
}

void dpu_load_full(const struct dpu *dpu, const struct dpu_uop *u, uint32_t *r, uint32_t address)
{
	uint32_t size = dpu_access_size(u->op);
	uint64_t value = 0;
	bool is_signed = u->op == DPU_OP_lbs || u->op == DPU_OP_lhs;

	memcpy(&value, dpu->wram + address, size);
	value = le64toh(value);
	if (u->flags & DPU_UOP_BIG)
		value = __builtin_bswap64(value) >> (64 - 8 * size);
	if (size == 8) {
		r[u->rc] = value >> 32;
		r[u->rc + 1] = value;
		return;
	}
	if (is_signed || (u->flags & DPU_UOP_SIGNED))
		value = (uint64_t)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
	if (u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED)) {
		r[u->rc] = value >> 32;
		r[u->rc + 1] = value;
	} else {
		r[u->rc] = value;
	}
}

void dpu_store_full(struct dpu *dpu, const struct dpu_uop *u, const uint32_t *r,
		    uint32_t address)
{
	uint32_t size = dpu_access_size(u->op);
	uint64_t value;

	if (u->flags & DPU_UOP_IMM)
		value = (uint64_t)(int64_t)(int32_t)u->imm;
	else if (size == 8)
		value = (uint64_t)r[u->rb] << 32 | r[u->rb + 1];
	else
		value = r[u->rb];
	if (u->op == DPU_OP_sb_id || u->op == DPU_OP_sh_id || u->op == DPU_OP_sw_id ||
	    u->op == DPU_OP_sd_id)
		value |= r[DPU_REG_ID];
	if (u->flags & DPU_UOP_BIG)
		value = __builtin_bswap64(value) >> (64 - 8 * size);
	value = htole64(value);
	memcpy(dpu->wram + address, &value, size);
}
