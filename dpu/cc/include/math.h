/* SPDX-License-Identifier: MIT */
/* Functions and constants that need no library. */
#ifndef DPU_CC_MATH_H
#define DPU_CC_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

static inline double fabs(double x)
{
	return __builtin_fabs(x);
}

static inline float fabsf(float x)
{
	return __builtin_fabsf(x);
}

static inline double copysign(double x, double sign)
{
	return __builtin_copysign(x, sign);
}

#endif
