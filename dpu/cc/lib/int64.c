// SPDX-License-Identifier: MIT
/* 64-bit integer operations that clang calls. */
#include <attributes.h>
#include <stdbool.h>
#include <stdint.h>

static __noinline uint64_t divide(uint64_t n, uint64_t d, uint64_t *remainder)
{
	uint32_t high = n >> 32, low = n, quotient_high = 0;
	uint64_t quotient = 0, r;
	int shift;

	if (!(d >> 32) && !high) {
		*remainder = low % (uint32_t)d;
		return low / (uint32_t)d;
	}
	if (!(d >> 32)) {
		/* The upper word by itself; what remains of it is less than d. */
		uint32_t divisor = d;

		quotient_high = high / divisor;
		n = (uint64_t)(high % divisor) << 32 | low;
	}
	if (n < d) {
		*remainder = n;
		return (uint64_t)quotient_high << 32;
	}
	shift = __builtin_clzll(d) - __builtin_clzll(n);
	d <<= shift;
	r = n;
	for (;;) {
		quotient <<= 1;
		if (r >= d) {
			r -= d;
			quotient |= 1;
		}
		if (!shift--)
			break;
		d >>= 1;
	}
	*remainder = r;
	return (uint64_t)quotient_high << 32 | quotient;
}

uint64_t __udivdi3(uint64_t n, uint64_t d)
{
	uint64_t remainder;

	return divide(n, d, &remainder);
}

uint64_t __umoddi3(uint64_t n, uint64_t d)
{
	uint64_t remainder;

	divide(n, d, &remainder);
	return remainder;
}

int64_t __divdi3(int64_t n, int64_t d)
{
	uint64_t remainder, q = divide(n < 0 ? -(uint64_t)n : (uint64_t)n,
				       d < 0 ? -(uint64_t)d : (uint64_t)d, &remainder);

	return (n < 0) != (d < 0) ? -q : q;
}

int64_t __moddi3(int64_t n, int64_t d)
{
	uint64_t remainder;

	divide(n < 0 ? -(uint64_t)n : (uint64_t)n, d < 0 ? -(uint64_t)d : (uint64_t)d, &remainder);
	return n < 0 ? -remainder : remainder;
}

uint64_t __ashldi3(uint64_t n, int shift)
{
	uint32_t low = n, high = n >> 32;

	if (shift >= 32)
		return (uint64_t)(low << (shift - 32)) << 32;
	if (shift)
		high = high << shift | low >> (32 - shift);
	return (uint64_t)high << 32 | low << shift;
}

uint64_t __lshrdi3(uint64_t n, int shift)
{
	uint32_t low = n, high = n >> 32;

	if (shift >= 32)
		return high >> (shift - 32);
	if (shift)
		low = low >> shift | high << (32 - shift);
	return (uint64_t)(high >> shift) << 32 | low;
}

int64_t __ashrdi3(int64_t n, int shift)
{
	uint32_t low = n;
	int32_t high = n >> 32;

	if (shift >= 32)
		return (int64_t)(high >> 31) << 32 | (uint32_t)(high >> (shift - 32));
	if (shift)
		low = low >> shift | (uint32_t)high << (32 - shift);
	return (int64_t)((uint64_t)(uint32_t)(high >> shift) << 32 | low);
}

/* clang 13 calls this for __builtin_mul_overflow(); later ones have the code in place. */
int64_t __mulodi4(int64_t a, int64_t b, int *overflow)
{
	uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
	uint32_t x_high = x >> 32, y_high = y >> 32;
	uint64_t low = (uint64_t)(uint32_t)x * (uint32_t)y;
	/* if both upper words are not 0, the product overflows anyhow */
	uint64_t middle = (low >> 32) + (uint64_t)x_high * (uint32_t)y + (uint64_t)y_high * (uint32_t)x;
	uint64_t product = middle << 32 | (uint32_t)low;
	bool negative = (a < 0) != (b < 0);

	*overflow = (x_high && y_high) || middle >> 32 || product > (uint64_t)INT64_MAX + negative;
	return negative ? -product : product;
}
