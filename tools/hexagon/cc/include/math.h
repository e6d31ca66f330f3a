/* SPDX-License-Identifier: MIT */
/*
 * Results of doubles are within two units of the last place, those of floats within one; sin, cos and tan of more than 10^15
 * are not. errno is not set.
 */
#ifndef MATH_H
#define MATH_H

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)

#define __MATH_1(name) double name(double x); float name##f(float x);
#define __MATH_2(name) double name(double x, double y); float name##f(float x, float y);
__MATH_1(acos)
__MATH_1(asin)
__MATH_1(atan)
__MATH_2(atan2)
__MATH_1(cbrt)
__MATH_1(ceil)
__MATH_2(copysign)
__MATH_1(cos)
__MATH_1(cosh)
__MATH_1(exp)
__MATH_1(exp2)
__MATH_1(fabs)
__MATH_1(floor)
__MATH_2(fmax)
__MATH_2(fmin)
__MATH_2(fmod)
__MATH_2(hypot)
__MATH_1(log)
__MATH_1(log10)
__MATH_1(log2)
__MATH_2(pow)
__MATH_1(rint)
__MATH_1(round)
__MATH_1(sin)
__MATH_1(sinh)
__MATH_1(sqrt)
__MATH_1(tan)
__MATH_1(tanh)
__MATH_1(trunc)
#undef __MATH_1
#undef __MATH_2
double frexp(double x, int *exponent);
double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);
double scalbn(double x, int exponent);
double modf(double x, double *whole);
long lrint(double x);
long lrintf(float x);
long lround(double x);
long lroundf(float x);

#endif
