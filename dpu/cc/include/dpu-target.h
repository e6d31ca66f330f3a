/* SPDX-License-Identifier: MIT */
/* dpu-cc includes this before every file: macros of the target instead of those of clang's target. */
#ifndef DPU_CC_DPU_TARGET_H
#define DPU_CC_DPU_TARGET_H

#pragma clang system_header

#undef __APCS_32__
#undef __ARMEL__
#undef __ARM_32BIT_STATE
#undef __ARM_ACLE
#undef __ARM_ARCH
#undef __ARM_ARCH_7A__
#undef __ARM_ARCH_ISA_ARM
#undef __ARM_ARCH_ISA_THUMB
#undef __ARM_ARCH_PROFILE
#undef __ARM_EABI__
#undef __ARM_PCS
#undef __SOFTFP__
#undef __THUMB_INTERWORK__
#undef __VFP_FP__
#undef __arm
#undef __arm__

/* BARRIER_INIT(b, 2); is valid with and without its semicolon. */
#pragma clang diagnostic ignored "-Wextra-semi"

#define __dpu__ 1
#define DPU 1

/*
 * A long has 64 bits here. dpu-cc replaces it by long long before the compiler sees it; the preprocessor's macros
 * have to agree.
 */
#undef __LONG_MAX__
#undef __LONG_WIDTH__
#undef __SIZEOF_LONG__
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_WIDTH__ 64
#define __SIZEOF_LONG__ 8
/* Its parameters are long: an expected value of 64 bits must not be truncated. */
#define __builtin_expect(value, expected) \
	(sizeof(value) <= 4 ? (long)__builtin_expect((int)(value), expected) : (long)(value))
#undef __INT64_TYPE__
#undef __UINT64_TYPE__
#undef __INTMAX_TYPE__
#undef __UINTMAX_TYPE__
#undef __INT64_C_SUFFIX__
#undef __UINT64_C_SUFFIX__
#undef __INTMAX_C_SUFFIX__
#undef __UINTMAX_C_SUFFIX__
#undef __INT64_MAX__
#undef __UINT64_MAX__
#undef __INTMAX_MAX__
#undef __UINTMAX_MAX__
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ long unsigned int
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __INT64_C_SUFFIX__ L
#define __UINT64_C_SUFFIX__ UL
#define __INTMAX_C_SUFFIX__ L
#define __UINTMAX_C_SUFFIX__ UL
#define __INT64_MAX__ 9223372036854775807L
#define __UINT64_MAX__ 18446744073709551615UL
#define __INTMAX_MAX__ 9223372036854775807L
#define __UINTMAX_MAX__ 18446744073709551615UL

#endif
