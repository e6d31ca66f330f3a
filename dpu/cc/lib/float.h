/* SPDX-License-Identifier: MIT */
/*
 * Floating point for both widths (IEEE 754, to nearest, ties to even, with denormal numbers; a NaN is
 * the quiet one). Included by float32.c and float64.c, which define:
 *
 *	REAL, BITS	the type and the unsigned type of the same size
 *	NAME(x)		the name that clang calls: __##x with sf or df
 *	WIDTH		bits in all
 *	MANTISSA	bits of the fraction: 23 or 52
 */
#include <attributes.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPONENT (WIDTH - MANTISSA - 1)
#define EXPONENT_MAX ((1 << EXPONENT) - 1)
#define BIAS (EXPONENT_MAX >> 1)
#define ONE ((BITS)1)
#define SIGN (ONE << (WIDTH - 1))
#define HIDDEN (ONE << MANTISSA)
#define FRACTION (HIDDEN - 1)
#define INFINITE ((BITS)EXPONENT_MAX << MANTISSA)
#define QUIET_NAN (INFINITE | HIDDEN >> 1)

union NAME(pun) {
	REAL real;
	BITS bits;
};

static inline BITS bits_of(REAL x)
{
	return (union NAME(pun)){ .real = x }.bits;
}

static inline REAL real_of(BITS bits)
{
	return (union NAME(pun)){ .bits = bits }.real;
}

static inline int leading_zeroes(BITS n)
{
	return WIDTH == 32 ? __builtin_clz(n) : __builtin_clzll(n);
}

/* A finite number other than 0: mantissa with its highest bit at MANTISSA, exponent with bias. */
static __noinline BITS unpack(BITS bits, int *exponent)
{
	BITS m = bits & FRACTION;
	int e = bits >> MANTISSA & EXPONENT_MAX, shift;

	if (e) {
		*exponent = e;
		return m | HIDDEN;
	}
	shift = leading_zeroes(m) - (WIDTH - 1 - MANTISSA);
	*exponent = 1 - shift;
	return m << shift;
}

/*
 * Rounds and packs a number with mantissa m, whose highest bit is at MANTISSA + 3 (or lower, if the
 * number is small). The lowest bit is the OR of all lower bits.
 */
static __noinline REAL pack(BITS sign, int exponent, BITS m)
{
	BITS rest;

	if (exponent >= EXPONENT_MAX)
		return real_of(sign | INFINITE);
	if (exponent <= 0) {
		int shift = 1 - exponent;

		m = shift > MANTISSA + 4 ? m != 0 :
			(m >> shift) | ((m & ((ONE << shift) - 1)) != 0);
		exponent = 0;
	}
	rest = m & 7;
	m >>= 3;
	m = (m & ~HIDDEN) | (BITS)exponent << MANTISSA;
	/* A carry of rounding increments the exponent, as it should. */
	if (rest > 4 || (rest == 4 && (m & 1)))
		m++;
	return real_of(sign | m);
}

static __noinline REAL add(BITS a, BITS b)
{
	BITS x = a & ~SIGN, y = b & ~SIGN, sign, m, n;
	int e, f, shift;

	if (x > INFINITE || y > INFINITE)
		return real_of(QUIET_NAN);
	if (x == INFINITE || y == INFINITE) {
		if (x == y && a != b)
			return real_of(QUIET_NAN);
		return real_of(x == INFINITE ? a : b);
	}
	if (!y)
		return real_of(x ? a : a & b);
	if (!x)
		return real_of(b);
	if (x < y) {
		BITS t = a;

		a = b;
		b = t;
		t = x;
		x = y;
		y = t;
	}
	sign = a & SIGN;
	m = unpack(x, &e) << 3;
	n = unpack(y, &f) << 3;
	shift = e - f;
	if (shift > MANTISSA + 3)
		n = 1;
	else if (shift)
		n = n >> shift | ((n & ((ONE << shift) - 1)) != 0);
	if ((a ^ b) & SIGN) {
		m -= n;
		if (!m)
			return real_of(0);
		shift = leading_zeroes(m) - (WIDTH - 1 - MANTISSA - 3);
		m <<= shift;
		e -= shift;
	} else {
		m += n;
		if (m >> (MANTISSA + 4)) {
			m = m >> 1 | (m & 1);
			e++;
		}
	}
	return pack(sign, e, m);
}

REAL NAME(add)(REAL a, REAL b)
{
	return add(bits_of(a), bits_of(b));
}

REAL NAME(sub)(REAL a, REAL b)
{
	return add(bits_of(a), bits_of(b) ^ SIGN);
}

/* The product of two mantissas, its highest bit at MANTISSA + 3 or one above. */
static BITS product(BITS a, BITS b);

REAL NAME(mul)(REAL p, REAL q)
{
	BITS a = bits_of(p), b = bits_of(q), x = a & ~SIGN, y = b & ~SIGN, sign = (a ^ b) & SIGN, m, n;
	int e, f;

	if (x > INFINITE || y > INFINITE)
		return real_of(QUIET_NAN);
	if (x == INFINITE || y == INFINITE)
		return real_of(x && y ? sign | INFINITE : QUIET_NAN);
	if (!x || !y)
		return real_of(sign);
	m = unpack(x, &e);
	n = unpack(y, &f);
	m = product(m, n);
	e += f - BIAS;
	if (m >> (MANTISSA + 4)) {
		m = m >> 1 | (m & 1);
		e++;
	}
	return pack(sign, e, m);
}

REAL NAME(div)(REAL p, REAL q)
{
	BITS a = bits_of(p), b = bits_of(q), x = a & ~SIGN, y = b & ~SIGN, sign = (a ^ b) & SIGN, m, n;
	BITS quotient = 0;
	int e, f;

	if (x > INFINITE || y > INFINITE || (x == INFINITE && y == INFINITE) || (!x && !y))
		return real_of(QUIET_NAN);
	if (x == INFINITE || !y)
		return real_of(sign | INFINITE);
	if (!x || y == INFINITE)
		return real_of(sign);
	m = unpack(x, &e);
	n = unpack(y, &f);
	e += BIAS - f;
	if (m < n) {
		m <<= 1;
		e--;
	}
	for (int i = 0; i < MANTISSA + 4; i++) {
		quotient <<= 1;
		if (m >= n) {
			m -= n;
			quotient |= 1;
		}
		m <<= 1;
	}
	return pack(sign, e, quotient | (m != 0));
}

/* Returns -1, 0, 1, or 2 if one of them is a NaN. */
static __noinline int compare(REAL p, REAL q)
{
	BITS a = bits_of(p), b = bits_of(q);

	if ((a & ~SIGN) > INFINITE || (b & ~SIGN) > INFINITE)
		return 2;
	if (!((a | b) & ~SIGN))
		return 0;
	if (a & SIGN)
		a = SIGN - (a & ~SIGN) - 1;
	else
		a |= SIGN;
	if (b & SIGN)
		b = SIGN - (b & ~SIGN) - 1;
	else
		b |= SIGN;
	return a < b ? -1 : a > b;
}

int COMPARE(eq)(REAL a, REAL b)
{
	return compare(a, b);
}

int COMPARE(ne)(REAL a, REAL b)
{
	return compare(a, b);
}

int COMPARE(lt)(REAL a, REAL b)
{
	return compare(a, b);
}

int COMPARE(le)(REAL a, REAL b)
{
	return compare(a, b);
}

/* A NaN is neither greater nor equal. */
int COMPARE(gt)(REAL a, REAL b)
{
	int order = compare(a, b);

	return order == 2 ? -1 : order;
}

int COMPARE(ge)(REAL a, REAL b)
{
	int order = compare(a, b);

	return order == 2 ? -1 : order;
}

int COMPARE(unord)(REAL a, REAL b)
{
	return compare(a, b) == 2;
}

static __noinline REAL from_unsigned(BITS sign, uint64_t n)
{
	int shift;

	if (!n)
		return real_of(sign);
	shift = 63 - __builtin_clzll(n) - (MANTISSA + 3);
	if (shift > 0)
		n = n >> shift | ((n & ((UINT64_C(1) << shift) - 1)) != 0);
	else
		n <<= -shift;
	return pack(sign, BIAS + MANTISSA + 3 + shift, n);
}

REAL FROM(si)(int32_t n)
{
	return from_unsigned(n < 0 ? SIGN : 0, n < 0 ? -(uint32_t)n : (uint32_t)n);
}

REAL FROM_UNSIGNED(si)(uint32_t n)
{
	return from_unsigned(0, n);
}

REAL FROM(di)(int64_t n)
{
	return from_unsigned(n < 0 ? SIGN : 0, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

REAL FROM_UNSIGNED(di)(uint64_t n)
{
	return from_unsigned(0, n);
}

/* Without its sign and fraction; what does not fit 64 bits is the largest number. */
static __noinline uint64_t to_unsigned(REAL x)
{
	BITS bits = bits_of(x) & ~SIGN;
	int e = (int)(bits >> MANTISSA) - BIAS;

	if (e < 0)
		return 0;
	if (e > 63)
		return UINT64_MAX;
	bits = (bits & FRACTION) | HIDDEN;
	return e > MANTISSA ? (uint64_t)bits << (e - MANTISSA) : bits >> (MANTISSA - e);
}

uint64_t TO_UNSIGNED(di)(REAL x)
{
	return bits_of(x) & SIGN ? 0 : to_unsigned(x);
}

int64_t TO(di)(REAL x)
{
	uint64_t n = to_unsigned(x);
	bool negative = bits_of(x) & SIGN;

	if (n > (uint64_t)INT64_MAX)
		return negative ? INT64_MIN : INT64_MAX;
	return negative ? -(int64_t)n : (int64_t)n;
}

uint32_t TO_UNSIGNED(si)(REAL x)
{
	uint64_t n = TO_UNSIGNED(di)(x);

	return n >> 32 ? UINT32_MAX : n;
}

int32_t TO(si)(REAL x)
{
	int64_t n = TO(di)(x);

	return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : n;
}
