/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files here that compile in user space, too, need of the kernel: the unit tests run them
 * on the host.
 */
#ifndef MON_USER_H
#define MON_USER_H

#ifdef __KERNEL__

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/types.h>

#else

#include <assert.h>
#include <errno.h>
#include <linux/types.h>
#include <stdbool.h>
#include <string.h>

typedef __u64 u64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK_ULL(high, low)	(~0ULL >> (63 - (high)) & ~0ULL << (low))
#define FIELD_GET(mask, value)	(((value) & (mask)) >> __builtin_ctzll(mask))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

#endif
#endif
