/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pieces of code that execute instructions (exec.c) and that predecode.c chooses from.
 *
 * An operation of the arithmetic unit has three: plain (one register or none as destination, no
 * condition), branch (the same with a branch on z, n, C, V and the old ZF) and full (the rest).
 */
#ifndef MON_QEMU_UPMEM_HANDLER_H
#define MON_QEMU_UPMEM_HANDLER_H

/* ALU operations that write ZF and CF: name, result and carry, overflow. */
#define DPU_ARITHMETIC(X) \
	X(add, (x = a + b, c = x < a), ~(a ^ b) & (a ^ x)) \
	X(addc, (wide = (uint64_t)a + b + cf, x = wide, c = wide >> 32), ~(a ^ b) & (a ^ x)) \
	X(sub, (x = a - b, c = a >= b), (a ^ b) & (a ^ x)) \
	X(subc, (wide = (uint64_t)a + (uint32_t)~b + cf, x = wide, c = wide >> 32), \
	  (a ^ b) & (a ^ x)) \
	X(rsub, (x = b - a, c = b >= a), (b ^ a) & (b ^ x)) \
	X(rsubc, (wide = (uint64_t)b + (uint32_t)~a + cf, x = wide, c = wide >> 32), \
	  (b ^ a) & (b ^ x))

/* ALU operations that write ZF alone: name, result. */
#define DPU_LOGIC(X) \
	X(and, a & b) \
	X(or, a | b) \
	X(xor, a ^ b) \
	X(nand, ~(a & b)) \
	X(nor, ~(a | b)) \
	X(nxor, ~(a ^ b)) \
	X(andn, ~a & b) \
	X(orn, ~a | b) \
	X(lsl, a << (b & 31)) \
	X(lsr, a >> (b & 31)) \
	X(asr, (uint32_t)((int32_t)a >> (b & 31))) \
	X(lsl1, a << (b & 31) | ~(ONES << (b & 31))) \
	X(lsr1, a >> (b & 31) | ~(ONES >> (b & 31))) \
	X(lslx, b & 31 ? a >> (32 - (b & 31)) : 0) \
	X(lsrx, b & 31 ? a << (32 - (b & 31)) : 0) \
	X(lsl1x, b & 31 ? a >> (32 - (b & 31)) | ~(ONES >> (32 - (b & 31))) : ONES) \
	X(lsr1x, b & 31 ? a << (32 - (b & 31)) | ~(ONES << (32 - (b & 31))) : ONES) \
	X(rol, ROTATE(a, b)) \
	X(ror, ROTATE(a, -b)) \
	X(cao, (uint32_t)__builtin_popcount(a)) \
	X(clz, a ? (uint32_t)__builtin_clz(a) : 32) \
	X(clo, ~a ? (uint32_t)__builtin_clz(~a) : 32) \
	X(cls, leading_signs(a)) \
	X(extsb, (uint32_t)(int8_t)a) \
	X(extsh, (uint32_t)(int16_t)a) \
	X(extub, a & 0xff) \
	X(extuh, a & 0xffff) \
	X(mul_sh_sh, (uint32_t)(SH(a) * SH(b))) \
	X(mul_sh_sl, (uint32_t)(SH(a) * SL(b))) \
	X(mul_sh_uh, (uint32_t)(SH(a) * UH(b))) \
	X(mul_sh_ul, (uint32_t)(SH(a) * UL(b))) \
	X(mul_sl_sh, (uint32_t)(SL(a) * SH(b))) \
	X(mul_sl_sl, (uint32_t)(SL(a) * SL(b))) \
	X(mul_sl_uh, (uint32_t)(SL(a) * UH(b))) \
	X(mul_sl_ul, (uint32_t)(SL(a) * UL(b))) \
	X(mul_uh_uh, (uint32_t)(UH(a) * UH(b))) \
	X(mul_uh_ul, (uint32_t)(UH(a) * UL(b))) \
	X(mul_ul_uh, (uint32_t)(UL(a) * UH(b))) \
	X(mul_ul_ul, (uint32_t)(UL(a) * UL(b))) \
	X(cmpb4, equal_bytes(a, b))

/* Shift and add: name, shifted value, result; ZF is the shifted value's, CF stays. */
#define DPU_SHIFT_ADD(X) \
	X(lsl_add, a << u->imm, b + s) \
	X(lsl_sub, a << u->imm, b - s) \
	X(lsr_add, a >> u->imm, b + s) \
	X(rol_add, ROTATE(a, u->imm), b + s)

/* WRAM reads and writes, little endian and not safe: name, type. */
#define DPU_LOADS(X) \
	X(lbs, int8_t) X(lbu, uint8_t) X(lhs, int16_t) X(lhu, uint16_t) X(lw, uint32_t)
#define DPU_STORES(X) X(sb, uint8_t) X(sh, uint16_t) X(sw, uint32_t)

#define DPU_OTHERS(X) \
	X(illegal) X(undefined) X(end) X(nop) X(call) X(fault) X(stop) X(acquire) X(release) \
	X(run_bit) X(ld) X(sd) X(load_full) X(store_full) X(dma) X(time) X(time_cfg) X(safe_add) \
	X(safe_sub) X(movd) X(swapd) X(mul_step) X(div_step)

enum dpu_handler {
#define X(name, ...) DPU_H_##name##_plain, DPU_H_##name##_branch, DPU_H_##name##_full,
	DPU_ARITHMETIC(X)
	DPU_LOGIC(X)
#undef X
#define X(name, ...) DPU_H_##name,
	DPU_SHIFT_ADD(X)
	DPU_LOADS(X)
	DPU_STORES(X)
	DPU_OTHERS(X)
#undef X
	DPU_H_COUNT
};

#endif
