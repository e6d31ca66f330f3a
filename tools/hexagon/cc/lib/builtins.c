/* SPDX-License-Identifier: MIT */
/* What the compiler calls to divide. Some clangs use names of the core, others the usual ones. */
#include <stdint.h>

#define ALIAS(name, other) extern __typeof__(name) other __attribute__((alias(#name)));

/* ---- integers: one bit of the quotient at a time */

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b);
uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b);
int32_t __hexagon_divsi3(int32_t a, int32_t b);
int32_t __hexagon_modsi3(int32_t a, int32_t b);
uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b);
uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b);
int64_t __hexagon_divdi3(int64_t a, int64_t b);
int64_t __hexagon_moddi3(int64_t a, int64_t b);

#define DIVIDE(name, type, zeros) \
	static inline __attribute__((always_inline)) type name(type a, type b, type *rest) \
	{ \
		type quotient = 0; \
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
	}
DIVIDE(divide32, uint32_t, __builtin_clz)
DIVIDE(divide64, uint64_t, __builtin_clzll)

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b)
{
	uint32_t rest;

	return divide32(a, b, &rest);
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b)
{
	uint32_t rest;

	divide32(a, b, &rest);
	return rest;
}

int32_t __hexagon_divsi3(int32_t a, int32_t b)
{
	uint32_t rest, q = divide32(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b, &rest);

	return (a ^ b) < 0 ? -q : q;
}

int32_t __hexagon_modsi3(int32_t a, int32_t b)
{
	uint32_t rest;

	divide32(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b, &rest);
	return a < 0 ? -rest : rest;
}

uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b)
{
	uint64_t rest;

	return divide64(a, b, &rest);
}

uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b)
{
	uint64_t rest;

	divide64(a, b, &rest);
	return rest;
}

int64_t __hexagon_divdi3(int64_t a, int64_t b)
{
	uint64_t rest, q = divide64(a < 0 ? -(uint64_t)a : (uint64_t)a, b < 0 ? -(uint64_t)b : (uint64_t)b, &rest);

	return (a ^ b) < 0 ? -q : q;
}

int64_t __hexagon_moddi3(int64_t a, int64_t b)
{
	uint64_t rest;

	divide64(a < 0 ? -(uint64_t)a : (uint64_t)a, b < 0 ? -(uint64_t)b : (uint64_t)b, &rest);
	return a < 0 ? -rest : rest;
}

ALIAS(__hexagon_udivsi3, __udivsi3)
ALIAS(__hexagon_umodsi3, __umodsi3)
ALIAS(__hexagon_divsi3, __divsi3)
ALIAS(__hexagon_modsi3, __modsi3)
ALIAS(__hexagon_udivdi3, __udivdi3)
ALIAS(__hexagon_umoddi3, __umoddi3)
ALIAS(__hexagon_divdi3, __divdi3)
ALIAS(__hexagon_moddi3, __moddi3)

/* ---- floating point, by its bits */

union real64 {
	double value;
	uint64_t bits;
};
union real32 {
	float value;
	uint32_t bits;
};

/* A number as 2^exponent times a mantissa of BITS + 1 bits. */
#define BITS64 52
#define BITS32 23
#define BIAS64 1023
#define BIAS32 127
#define SIGN64 (1ull << 63)
#define SIGN32 (1u << 31)
#define INFINITE64 (0x7ffull << BITS64)
#define INFINITE32 (0xffu << BITS32)

static int unpack64(uint64_t bits, uint64_t *mantissa)
{
	int exponent = bits >> BITS64 & 0x7ff, shift;

	*mantissa = bits & ((1ull << BITS64) - 1);
	if (exponent) {
		*mantissa |= 1ull << BITS64;
		return exponent - BIAS64;
	}
	shift = __builtin_clzll(*mantissa) - (63 - BITS64);
	*mantissa <<= shift;
	return 1 - BIAS64 - shift;
}

/* A mantissa of BITS + 3 bits or one more, of which the last two, and whether there is a rest, tell how to round. */
static double pack64(uint64_t sign, int exponent, uint64_t mantissa, int rest)
{
	union real64 x;
	int shift = 2;

	if (mantissa >> (BITS64 + 3)) {
		shift++;
		exponent++;
	}
	if (exponent > BIAS64) {
		x.bits = sign | INFINITE64;
		return x.value;
	}
	if (exponent <= -BIAS64) {
		shift += 1 - BIAS64 - exponent;
		exponent = -BIAS64;
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
	x.bits += exponent > -BIAS64 ? (uint64_t)(exponent + BIAS64 - 1) << BITS64 : 0;
	x.bits |= sign;
	return x.value;
}

double __hexagon_divdf3(double a, double b);
double __hexagon_divdf3(double a, double b)
{
	union real64 x = { a }, y = { b }, special;
	uint64_t sign = (x.bits ^ y.bits) & SIGN64, m, n, quotient = 0;
	uint64_t p = x.bits & ~SIGN64, q = y.bits & ~SIGN64;
	int exponent;

	if (p > INFINITE64 || q > INFINITE64)
		return p > INFINITE64 ? a + a : b + b;
	if ((!p && !q) || (p == INFINITE64 && q == INFINITE64))
		return __builtin_nan("");
	if (!p || q == INFINITE64 || !q || p == INFINITE64) {
		special.bits = sign | (!p || q == INFINITE64 ? 0 : INFINITE64);
		return special.value;
	}
	exponent = unpack64(x.bits & ~SIGN64, &m) - unpack64(y.bits & ~SIGN64, &n);
	if (m < n) {
		m <<= 1;
		exponent--;
	}
	/* BITS + 3 bits */
	for (int i = 0; i < BITS64 + 3; i++, m <<= 1) {
		quotient <<= 1;
		if (m >= n) {
			m -= n;
			quotient++;
		}
	}
	return pack64(sign, exponent, quotient, m != 0);
}

/* The double has more than twice the bits, so that rounding it once more is right. */
float __hexagon_divsf3(float a, float b);
float __hexagon_divsf3(float a, float b)
{
	return __hexagon_divdf3(a, b);
}

ALIAS(__hexagon_divdf3, __divdf3)
ALIAS(__hexagon_divsf3, __divsf3)
ALIAS(__hexagon_divdf3, __hexagon_fast_divdf3)
ALIAS(__hexagon_divdf3, __hexagon_fast2_divdf3)
ALIAS(__hexagon_divsf3, __hexagon_fast2_divsf3)
