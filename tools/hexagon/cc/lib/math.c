/* SPDX-License-Identifier: MIT */
/*
 * Functions of doubles, by series on a reduced argument. Where a double has too few bits, a value is a sum of two (struct pair).
 * Those of floats are the doubles' rounded.
 */
#include <math.h>
#include <stdint.h>

#define SIZE(a) ((int)(sizeof(a) / sizeof((a)[0])))

struct pair {
	double high, low;	/* low is less than half a unit of the last place of high */
};

static const struct pair ln2 = { 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56 };
static const struct pair per_ln2 = { 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56 };
static const struct pair per_ln10 = { 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57 };
static const struct pair third = { 0x1.5555555555555p-2, 0x1.5555555555555p-56 };
static const struct pair fifth = { 0x1.999999999999ap-3, -0x1.999999999999ap-57 };
/* pi / 2 in three parts */
static const double half_pi[3] = { 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110 };

/* ---- bits */

#define BITS 52
#define BIAS 1023
#define EXPONENT 0x7ff

static uint64_t bits_of(double x)
{
	union {
		double value;
		uint64_t bits;
	} u = { x };

	return u.bits;
}

static double of_bits(uint64_t bits)
{
	union {
		uint64_t bits;
		double value;
	} u = { bits };

	return u.value;
}

static int exponent_of(double x)
{
	return bits_of(x) >> BITS & EXPONENT;
}

double fabs(double x)
{
	return of_bits(bits_of(x) & INT64_MAX);
}

double copysign(double x, double y)
{
	return of_bits((bits_of(x) & INT64_MAX) | (bits_of(y) & ~(uint64_t)INT64_MAX));
}

double frexp(double x, int *exponent)
{
	int e = exponent_of(x);

	*exponent = 0;
	if (e == EXPONENT || x == 0)
		return x;
	if (e == 0) {
		x = frexp(x * 0x1p54, exponent);
		*exponent -= 54;
		return x;
	}
	*exponent = e - (BIAS - 1);
	return of_bits((bits_of(x) & ~((uint64_t)EXPONENT << BITS)) | (uint64_t)(BIAS - 1) << BITS);
}

static double power_of_two(int n)
{
	return of_bits((uint64_t)(n + BIAS) << BITS);
}

double ldexp(double x, int n)
{
	int e;

	if (x == 0 || exponent_of(x) == EXPONENT)
		return x;
	/* one rounding: in the last step, if the result is small */
	x = frexp(x, &e);
	n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
	n += e;
	if (n > BIAS + 1)
		return x * 0x1p1023 * 0x1p1023;
	if (n >= -BIAS + 2)
		return x * 2 * power_of_two(n - 1);
	if (n < -1200)
		n = -1200;
	return x * power_of_two(n + 200) * 0x1p-200;
}

double scalbn(double x, int n)
{
	return ldexp(x, n);
}

double rint(double x)
{
	double y;

	if (exponent_of(x) >= BIAS + BITS)
		return x;
	y = fabs(x) + 0x1p52;
	__asm__ volatile ("" : "+r" (y));
	return copysign(y - 0x1p52, x);
}

double trunc(double x)
{
	double y = rint(x);

	return copysign(fabs(y) > fabs(x) ? fabs(y) - 1 : fabs(y), x);
}

double floor(double x)
{
	double y = rint(x);

	return copysign(y > x ? y - 1 : y, x);
}

double ceil(double x)
{
	double y = rint(x);

	return copysign(y < x ? y + 1 : y, x);
}

double round(double x)
{
	double y = trunc(x);

	return fabs(x - y) >= 0.5 ? y + copysign(1, x) : y;
}

double modf(double x, double *whole)
{
	*whole = trunc(x);
	return copysign(isinf(x) ? 0 : x - *whole, x);
}

long lrint(double x)
{
	return rint(x);
}

long lround(double x)
{
	return round(x);
}

double fmod(double x, double y)
{
	int e, f;
	uint64_t m, n;

	if (isnan(x) || isnan(y) || isinf(x) || y == 0)
		return NAN;
	if (fabs(x) < fabs(y) || isinf(y))
		return x;
	m = frexp(fabs(x), &e) * 0x1p53;
	n = frexp(fabs(y), &f) * 0x1p53;
	for (m %= n; e > f; e--)
		m = 2 * m % n;
	return copysign(ldexp(m, f - 53), x);
}

/* ---- pairs */

static struct pair sum(double a, double b)
{
	double high = a + b, part = high - a;

	return (struct pair){ high, (a - (high - part)) + (b - part) };
}

/* The upper half of the bits. */
static double upper(double a)
{
	return of_bits(bits_of(a) & ~(uint64_t)0x7ffffff);
}

static struct pair product(double a, double b)
{
	double high = a * b, p = upper(a), q = upper(b), r = a - p, s = b - q;

	return (struct pair){ high, ((p * q - high) + p * s + r * q) + r * s };
}

static struct pair add(struct pair a, struct pair b)
{
	struct pair s = sum(a.high, b.high);

	return sum(s.high, s.low + a.low + b.low);
}

static struct pair multiply(struct pair a, struct pair b)
{
	struct pair p = product(a.high, b.high);

	return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static struct pair divide(struct pair a, struct pair b)
{
	double q = a.high / b.high;
	struct pair p = product(q, b.high);

	return sum(q, ((a.high - p.high) - p.low + a.low - q * b.low) / b.high);
}

/* c[0] + x (c[1] + x (...)) */
static double series(const double *c, int n, double x)
{
	double value = c[--n];

	while (n--)
		value = value * x + c[n];
	return value;
}

/* ---- exponentials and logarithms */

static double exp_of(struct pair x)
{
	/* 1/2!, 1/3!, ... */
	static const double c[] = {
		1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
		1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200,
	};
	double k;
	struct pair r, s;

	if (isnan(x.high))
		return x.high;
	if (x.high > 710)
		return HUGE_VAL;
	if (x.high < -746)
		return 0;
	k = rint(x.high * per_ln2.high);
	r = multiply((struct pair){ -k, 0 }, ln2);
	r = add(r, x);
	/* 1 + r + r^2 ..., from the largest */
	s = sum(1, r.high);
	return ldexp(s.high + (s.low + r.low + r.high * (r.high * series(c, SIZE(c), r.high) + r.low)), k);
}

/* Of a number above 0: with m = x / 2^k, s = (m - 1) / (m + 1), log m = 2 (s + s^3/3 + s^5/5 + ...). */
static struct pair log_of(double x)
{
	static const double c[] = { 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25 };
	int k;
	double m = frexp(x, &k);
	struct pair s, z, tail;

	if (m < M_SQRT1_2) {
		m *= 2;
		k--;
	}
	s = divide((struct pair){ m - 1, 0 }, sum(m, 1));
	z = multiply(s, s);
	tail = multiply(z, add(fifth, (struct pair){ z.high * series(c, SIZE(c), z.high), 0 }));
	tail = multiply(z, add(third, tail));
	s = add(s, multiply(s, tail));
	return add(multiply((struct pair){ k, 0 }, ln2), (struct pair){ 2 * s.high, 2 * s.low });
}

/* What is no number above 0, or infinite. */
static int log_is_special(double x, double *value)
{
	if (x > 0 && !isinf(x))
		return 0;
	*value = x == 0 ? -HUGE_VAL : x < 0 ? NAN : x;
	return 1;
}

double exp(double x)
{
	return exp_of((struct pair){ x, 0 });
}

double exp2(double x)
{
	double k = rint(x);

	if (isnan(x) || x > 1100 || x < -1100)
		return isnan(x) ? x : x > 0 ? HUGE_VAL : 0;
	return ldexp(exp_of(multiply((struct pair){ x - k, 0 }, ln2)), k);
}

double log(double x)
{
	double value;

	return log_is_special(x, &value) ? value : log_of(x).high;
}

double log2(double x)
{
	double value, m;
	int k;

	if (log_is_special(x, &value))
		return value;
	m = frexp(x, &k);
	return m == 0.5 ? k - 1 : multiply(log_of(x), per_ln2).high;
}

double log10(double x)
{
	double value;

	return log_is_special(x, &value) ? value : multiply(log_of(x), per_ln10).high;
}

static double power(double x, double y)
{
	struct pair l = log_of(x);

	if (l.high == 0 || fabs(y) < 0x1p-80)
		return 1;
	/* too large for a product */
	if (fabs(y) > 0x1p64)
		return (l.high > 0) == (y > 0) ? HUGE_VAL : 0;
	return exp_of(multiply(l, (struct pair){ y, 0 }));
}

double pow(double x, double y)
{
	int whole = rint(y) == y, odd = whole && fabs(y) < 0x1p53 && fmod(y, 2) != 0;
	double value;

	if (y == 0 || x == 1)
		return 1;
	if (isnan(x) || isnan(y))
		return NAN;
	if (x == -1 && isinf(y))
		return 1;
	if (x < 0 && !whole && !isinf(x) && !isinf(y))
		return NAN;
	if (x == 0 || isinf(x))
		value = (x == 0) == (y > 0) ? 0 : HUGE_VAL;
	else if (isinf(y))
		value = (fabs(x) > 1) == (y > 0) ? HUGE_VAL : 0;
	else
		value = power(fabs(x), y);
	return odd ? copysign(value, x) : value;
}

double cbrt(double x)
{
	double t;
	struct pair p;

	if (x == 0 || !isfinite(x))
		return x;
	t = power(fabs(x), 1. / 3);
	p = product(t, t);
	/* Newton's step */
	t -= (t - divide((struct pair){ fabs(x), 0 }, p).high) / 3;
	return copysign(t, x);
}

/* Of arguments below 1. */
static struct pair small_sinh(double x)
{
	/* 1/3!, 1/5!, ... */
	static const double c[] = {
		1. / 6, 1. / 120, 1. / 5040, 1. / 362880, 1. / 39916800, 1. / 6227020800, 1. / 1307674368000, 1. / 355687428096000,
		1. / 121645100408832000, 1. / 51090942171709440000.,
	};

	return sum(x, x * x * x * series(c, SIZE(c), x * x));
}

static struct pair small_cosh(double x)
{
	static const double c[] = {
		1. / 2, 1. / 24, 1. / 720, 1. / 40320, 1. / 3628800, 1. / 479001600, 1. / 87178291200, 1. / 20922789888000,
		1. / 6402373705728000,
	};

	return sum(1, x * x * series(c, SIZE(c), x * x));
}

double sinh(double x)
{
	double a = fabs(x), e;

	if (a < 1)
		return x == 0 ? x : small_sinh(x).high;
	if (a > 700) {
		e = exp(a / 2);
		return copysign(e / 2 * e, x);
	}
	e = exp(a);
	return copysign((e - 1 / e) / 2, x);
}

double cosh(double x)
{
	double a = fabs(x), e;

	if (a < 1)
		return small_cosh(x).high;
	if (a > 700) {
		e = exp(a / 2);
		return e / 2 * e;
	}
	e = exp(a);
	return (e + 1 / e) / 2;
}

double tanh(double x)
{
	if (isnan(x) || x == 0)
		return x;
	if (fabs(x) < 1)
		return divide(small_sinh(x), small_cosh(x)).high;
	return fabs(x) > 22 ? copysign(1, x) : sinh(x) / cosh(x);
}

double hypot(double x, double y)
{
	double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
	struct pair p;
	int e;

	if (isinf(x) || isinf(y))
		return HUGE_VAL;
	if (isnan(x) || isnan(y) || b == 0)
		return isnan(x) || isnan(y) ? NAN : a;
	frexp(a, &e);
	a = ldexp(a, -e);
	b = ldexp(b, -e);
	p = add(product(a, a), product(b, b));
	return ldexp(sqrt(p.high + p.low), e);
}

/* ---- angles */

/* x less n times pi / 2, between -pi / 4 and pi / 4; returns n modulo 4. */
static int reduce(double x, struct pair *r)
{
	double n = rint(x / half_pi[0]);

	*r = (struct pair){ x, 0 };
	if (n == 0)
		return 0;
	for (int i = 0; i < 3; i++)
		*r = add(*r, product(-n, half_pi[i]));
	return (int)fmod(n, 4) & 3;
}

static double sin_of(struct pair r)
{
	static const double c[] = {
		-1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800, -1. / 1307674368000,
		1. / 355687428096000,
	};
	double z = r.high * r.high;

	return r.high + (r.high * z * series(c, SIZE(c), z) + r.low * (1 - z / 2));
}

static double cos_of(struct pair r)
{
	static const double c[] = {
		1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200, 1. / 20922789888000,
		-1. / 6402373705728000,
	};
	double z = r.high * r.high;
	struct pair s = sum(1, -z / 2);
	/* what z lost */
	double lost = product(r.high, r.high).low;

	return s.high + (s.low - lost / 2 + (z * z * series(c, SIZE(c), z) - r.high * r.low));
}

/* sin of x + n pi / 2 */
static double sine(double x, int n)
{
	struct pair r;
	double value;

	if (!isfinite(x))
		return NAN;
	n += reduce(x, &r);
	value = n & 1 ? cos_of(r) : sin_of(r);
	return n & 2 ? -value : value;
}

double sin(double x)
{
	return x == 0 ? x : sine(x, 0);
}

double cos(double x)
{
	return sine(x, 1);
}

double tan(double x)
{
	struct pair r;

	if (x == 0 || !isfinite(x))
		return x == 0 ? x : NAN;
	return reduce(x, &r) & 1 ? -cos_of(r) / sin_of(r) : sin_of(r) / cos_of(r);
}

/* Of a number that is not negative, which may be a pair: atan x = atan a + atan((x - a) / (1 + a x)). */
static double atan_of(struct pair x)
{
	static const struct {
		double until, a;
		struct pair atan;
	} parts[] = {
		{ 0.25, 0, { 0, 0 } },
		{ 0.75, 0.5, { 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 } },
		{ 1.25, 1, { 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 } },
		{ 2, 1.5, { 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56 } },
		{ 4, 2.5, { 0x1.30b6d796a4da8p+0, 0x1.6254cb03bb199p-54 } },
	};
	static const double c[] = {
		-1. / 3, 1. / 5, -1. / 7, 1. / 9, -1. / 11, 1. / 13, -1. / 15, 1. / 17, -1. / 19, 1. / 21, -1. / 23, 1. / 25, -1. / 27,
		1. / 29,
	};
	struct pair t, base = { half_pi[0], half_pi[1] };
	double z;
	int i = 0;

	while (i < SIZE(parts) && x.high > parts[i].until)
		i++;
	if (i == SIZE(parts)) {
		t = divide((struct pair){ -1, 0 }, x);
	} else {
		const struct pair a = { parts[i].a, 0 };

		base = parts[i].atan;
		t = i ? divide(add(x, (struct pair){ -a.high, 0 }), add((struct pair){ 1, 0 }, multiply(a, x))) : x;
	}
	z = t.high * t.high;
	t.low += t.high * z * series(c, SIZE(c), z);
	t = sum(t.high, t.low);
	t = add(base, t);
	return t.high + t.low;
}

double atan(double x)
{
	if (isnan(x) || x == 0)
		return x;
	if (fabs(x) > 0x1p60)
		return copysign(half_pi[0], x);
	return fabs(x) < 0x1p-30 ? x : copysign(atan_of((struct pair){ fabs(x), 0 }), x);
}

double atan2(double y, double x)
{
	double a = fabs(x), b = fabs(y), value;
	struct pair q;

	if (isnan(x) || isnan(y))
		return NAN;
	if (isinf(x) && isinf(y))
		value = M_PI_4;
	else if (b == 0 || isinf(x))
		value = 0;
	else if (a == 0 || isinf(y))
		value = M_PI_2;
	else if (b / a > 0x1p60)
		value = M_PI_2;
	else if (b / a < 0x1p-30)
		/* the rest of the series is less than a bit; below it there is nothing to be exact about */
		value = b / a;
	else {
		q = divide((struct pair){ b, 0 }, (struct pair){ a, 0 });
		value = atan_of(q);
	}
	if (signbit(x)) {
		struct pair p = sum(M_PI, -value);

		value = p.high + (p.low + 2 * half_pi[1]);
	}
	return copysign(value, y);
}

/* sqrt(1 - x^2) */
static struct pair leg(double x)
{
	struct pair p = multiply(sum(1, -x), sum(1, x));
	double root = sqrt(p.high);
	struct pair square = product(root, root);

	return root == 0 ? p : sum(root, ((p.high - square.high) - square.low + p.low) / (2 * root));
}

double asin(double x)
{
	double a = fabs(x);

	if (isnan(x) || a > 1)
		return NAN;
	if (a < 0x1p-30 || a == 1)
		return a == 1 ? copysign(half_pi[0], x) : x;
	return copysign(atan_of(divide((struct pair){ a, 0 }, leg(a))), x);
}

double acos(double x)
{
	struct pair p;

	if (isnan(x) || fabs(x) > 1)
		return NAN;
	if (fabs(x) < 0x1p-60)
		return half_pi[0];
	if (x == 1 || x == -1)
		return x == 1 ? 0 : M_PI;
	p = divide(leg(x), (struct pair){ fabs(x), 0 });
	if (p.high > 0x1p60)
		return half_pi[0];
	if (x > 0)
		return p.high < 0x1p-30 ? p.high : atan_of(p);
	p = sum(M_PI, -atan_of(p));
	return p.high + (p.low + 2 * half_pi[1]);
}

/* ---- floats */

#define FLOAT_1(name) \
	float name##f(float x) \
	{ \
		return name(x); \
	}
#define FLOAT_2(name) \
	float name##f(float x, float y) \
	{ \
		return name(x, y); \
	}
FLOAT_1(acos)
FLOAT_1(asin)
FLOAT_1(atan)
FLOAT_2(atan2)
FLOAT_1(cbrt)
FLOAT_1(ceil)
FLOAT_2(copysign)
FLOAT_1(cos)
FLOAT_1(cosh)
FLOAT_1(exp)
FLOAT_1(exp2)
FLOAT_1(fabs)
FLOAT_1(floor)
FLOAT_2(fmod)
FLOAT_2(hypot)
FLOAT_1(log)
FLOAT_1(log10)
FLOAT_1(log2)
FLOAT_2(pow)
FLOAT_1(rint)
FLOAT_1(round)
FLOAT_1(sin)
FLOAT_1(sinh)
FLOAT_1(tan)
FLOAT_1(tanh)
FLOAT_1(trunc)

float ldexpf(float x, int n)
{
	return ldexp(x, n);
}

long lrintf(float x)
{
	return lrint(x);
}

long lroundf(float x)
{
	return lround(x);
}
