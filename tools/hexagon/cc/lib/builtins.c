/* SPDX-License-Identifier: MIT */
/* What the compiler calls to divide. Some clangs use names of the core, others the usual ones. */
#include <stdint.h>

#define ALIAS(name, other) extern __typeof__(name) other __attribute__((alias(#name)));

/* ---- integers: one bit of the quotient at a time */

#define DIVISIONS(mode, type, unsigned_type, zeros) \
	static inline __attribute__((always_inline)) unsigned_type divide_##mode(unsigned_type a, unsigned_type b, unsigned_type *rest) \
	{ \
		unsigned_type quotient = 0; \
		int shift = b && a >= b ? zeros(b) - zeros(a) : -1; \
		\
		for (; shift >= 0; shift--) { \
			quotient <<= 1; \
			if (a >> shift >= b) { \
				a -= b << shift; \
				quotient++; \
			} \
		} \
		*rest = a; \
		return quotient; \
	} \
	\
	static inline unsigned_type size_of_##mode(type a) \
	{ \
		return a < 0 ? -(unsigned_type)a : (unsigned_type)a; \
	} \
	\
	unsigned_type __hexagon_udiv##mode(unsigned_type a, unsigned_type b) \
	{ \
		unsigned_type rest; \
		\
		return divide_##mode(a, b, &rest); \
	} \
	\
	unsigned_type __hexagon_umod##mode(unsigned_type a, unsigned_type b) \
	{ \
		unsigned_type rest; \
		\
		divide_##mode(a, b, &rest); \
		return rest; \
	} \
	\
	type __hexagon_div##mode(type a, type b) \
	{ \
		unsigned_type rest, quotient = divide_##mode(size_of_##mode(a), size_of_##mode(b), &rest); \
		\
		return (a ^ b) < 0 ? -quotient : quotient; \
	} \
	\
	type __hexagon_mod##mode(type a, type b) \
	{ \
		unsigned_type rest; \
		\
		divide_##mode(size_of_##mode(a), size_of_##mode(b), &rest); \
		return a < 0 ? -rest : rest; \
	} \
	\
	ALIAS(__hexagon_udiv##mode, __udiv##mode) \
	ALIAS(__hexagon_umod##mode, __umod##mode) \
	ALIAS(__hexagon_div##mode, __div##mode) \
	ALIAS(__hexagon_mod##mode, __mod##mode)

DIVISIONS(si3, int32_t, uint32_t, __builtin_clz)
DIVISIONS(di3, int64_t, uint64_t, __builtin_clzll)

/* ---- floating point, by its bits */

union real {
	double value;
	uint64_t bits;
};

/* A number as 2^exponent times a mantissa of BITS + 1 bits. */
#define BITS 52
#define BIAS 1023
#define SIGN (1ull << 63)
#define INFINITE (0x7ffull << BITS)

static int unpack(uint64_t bits, uint64_t *mantissa)
{
	int exponent = bits >> BITS & 0x7ff, shift;

	*mantissa = bits & ((1ull << BITS) - 1);
	if (exponent) {
		*mantissa |= 1ull << BITS;
		return exponent - BIAS;
	}
	shift = __builtin_clzll(*mantissa) - (63 - BITS);
	*mantissa <<= shift;
	return 1 - BIAS - shift;
}

/* A mantissa of BITS + 3 bits or one more, of which the last two, and whether there is a rest, tell how to round. */
static double pack(uint64_t sign, int exponent, uint64_t mantissa, int rest)
{
	union real x;
	int shift = 2;

	if (mantissa >> (BITS + 3)) {
		shift++;
		exponent++;
	}
	if (exponent > BIAS) {
		x.bits = sign | INFINITE;
		return x.value;
	}
	if (exponent <= -BIAS) {
		shift += 1 - BIAS - exponent;
		exponent = -BIAS;
	}
	if (shift > 62) {
		x.bits = sign;
		return x.value;
	}
	x.bits = mantissa >> shift;
	rest |= (mantissa & ((1ull << (shift - 1)) - 1)) != 0;
	if (mantissa >> (shift - 1) & 1 && (rest || x.bits & 1))
		x.bits++;
	/* the leading bit of the mantissa adds one to the exponent; rounding may do so once more */
	x.bits += exponent > -BIAS ? (uint64_t)(exponent + BIAS - 1) << BITS : 0;
	x.bits |= sign;
	return x.value;
}

double __hexagon_divdf3(double a, double b)
{
	union real x = { a }, y = { b }, special;
	uint64_t sign = (x.bits ^ y.bits) & SIGN, m, n, quotient = 0;
	uint64_t p = x.bits & ~SIGN, q = y.bits & ~SIGN;
	int exponent;

	if (p > INFINITE || q > INFINITE)
		return p > INFINITE ? a + a : b + b;
	if ((!p && !q) || (p == INFINITE && q == INFINITE))
		return __builtin_nan("");
	if (!p || q == INFINITE || !q || p == INFINITE) {
		special.bits = sign | (!p || q == INFINITE ? 0 : INFINITE);
		return special.value;
	}
	exponent = unpack(x.bits & ~SIGN, &m) - unpack(y.bits & ~SIGN, &n);
	if (m < n) {
		m <<= 1;
		exponent--;
	}
	/* BITS + 3 bits */
	for (int i = 0; i < BITS + 3; i++, m <<= 1) {
		quotient <<= 1;
		if (m >= n) {
			m -= n;
			quotient++;
		}
	}
	return pack(sign, exponent, quotient, m != 0);
}

/* The double has more than twice the bits, so that rounding it once more is right. */
float __hexagon_divsf3(float a, float b)
{
	return __hexagon_divdf3(a, b);
}

ALIAS(__hexagon_divdf3, __divdf3)
ALIAS(__hexagon_divsf3, __divsf3)
ALIAS(__hexagon_divdf3, __hexagon_fast_divdf3)
ALIAS(__hexagon_divdf3, __hexagon_fast2_divdf3)
ALIAS(__hexagon_divsf3, __hexagon_fast2_divsf3)
