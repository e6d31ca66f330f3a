/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fixed_point.h - conversions to and from fixed point, with the names that ESP's programs use.
 *
 * n_int_bits is the number of integer bits, the sign included; the other bits are the fraction.
 * Conversions to fixed point truncate toward zero; the value must fit.
 */
#ifndef FIXED_POINT_H
#define FIXED_POINT_H

static inline double fixed_point_one(int bits, int n_int_bits)
{
	return (double)(1ULL << (bits - n_int_bits));
}

static inline int float_to_fixed32(float value, int n_int_bits)
{
	return (int)(value * (float)fixed_point_one(32, n_int_bits));
}

static inline unsigned int float_to_ufixed32(float value, int n_int_bits)
{
	return (unsigned int)(value * (float)fixed_point_one(32, n_int_bits));
}

static inline long long double_to_fixed64(double value, int n_int_bits)
{
	return (long long)(value * fixed_point_one(64, n_int_bits));
}

static inline unsigned long long double_to_ufixed64(double value, int n_int_bits)
{
	return (unsigned long long)(value * fixed_point_one(64, n_int_bits));
}

static inline float fixed32_to_float(int value, int n_int_bits)
{
	return (float)value / (float)fixed_point_one(32, n_int_bits);
}

static inline float ufixed32_to_float(unsigned int value, int n_int_bits)
{
	return (float)value / (float)fixed_point_one(32, n_int_bits);
}

static inline double fixed64_to_double(long long value, int n_int_bits)
{
	return (double)value / fixed_point_one(64, n_int_bits);
}

static inline double ufixed64_to_double(unsigned long long value, int n_int_bits)
{
	return (double)value / fixed_point_one(64, n_int_bits);
}

#endif
