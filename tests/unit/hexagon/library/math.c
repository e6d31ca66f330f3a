/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints functions of the same numbers on this machine and on Hexagon, as bits: library.sh compares them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "random.h"

/* Between two limits. */
static double between(double low, double high)
{
	return low + (high - low) * ((next() >> 11) * 0x1p-53);
}

static const struct {
	const char *name;
	double (*function)(double);
	float (*single)(float);
	double low, high;
} one[] = {
	{ "sin", sin, sinf, -10, 10 }, { "sin", sin, sinf, -1e6, 1e6 }, { "sin", sin, sinf, -1e12, 1e12 }, { "cos", cos, cosf, -10, 10 },
	{ "cos", cos, cosf, -1e6, 1e6 }, { "tan", tan, tanf, -10, 10 }, { "tan", tan, tanf, -1e6, 1e6 }, { "asin", asin, asinf, -1, 1 },
	{ "acos", acos, acosf, -1, 1 }, { "atan", atan, atanf, -5, 5 }, { "atan", atan, atanf, -1e9, 1e9 }, { "exp", exp, expf, -1, 1 },
	{ "exp", exp, expf, -80, 80 }, { "exp", exp, expf, -745, 709 }, { "exp2", exp2, exp2f, -1074, 1023 }, { "log", log, logf, 0.5, 2 },
	{ "log", log, logf, 1e-10, 1e10 }, { "log2", log2, log2f, 0, 4 }, { "log10", log10, log10f, 0, 100 }, { "sinh", sinh, sinhf, -2, 2 },
	{ "sinh", sinh, sinhf, -700, 700 }, { "cosh", cosh, coshf, -5, 5 }, { "tanh", tanh, tanhf, -3, 3 }, { "cbrt", cbrt, cbrtf, -100, 100 },
};
static const double special[] = {
	0, -0.0, 1, -1, 0.5, -0.5, 2, 8, 10, 100, 1000, 1e-300, 1e300, -1e300, 1e-8, 1e22, INFINITY, -INFINITY, NAN, 0x1p-1074, 709.9, -745.2, 0x1p-30,
};
static const struct {
	const char *name;
	double (*function)(double, double);
	float (*single)(float, float);
	double low, high, low2, high2;
} two[] = {
	{ "pow", pow, powf, 0, 10, -10, 10 }, { "pow", pow, powf, 0.9, 1.1, -5000, 5000 }, { "atan2", atan2, atan2f, -3, 3, -3, 3 },
	{ "hypot", hypot, hypotf, -1e3, 1e3, -1e3, 1e3 }, { "fmod", fmod, fmodf, -1e9, 1e9, -10, 10 },
};
static const double powers[][2] = {
	{ 2, 10 }, { -2, 3 }, { -2, 4 }, { -2, 0.5 }, { 0, 0 }, { 0, -1 }, { -0.0, -1 }, { -0.0, 3 }, { 10, 308 }, { 10, 309 }, { 10, -320 },
	{ 1, NAN }, { NAN, 0 }, { 0.5, INFINITY }, { 2, -INFINITY }, { -1, INFINITY }, { INFINITY, -2 }, { -INFINITY, 3 }, { 3, 40 }, { 7, 0.5 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define TIMES 150

static void show(const char *name, double x, double y, double value, float single)
{
	printf("%s %a %a %016llx %016llx\n", name, x, y, (unsigned long long)bits(value),
	       (unsigned long long)bits(single));
}

int main(void)
{
	for (size_t f = 0; f < COUNT(one); f++) {
		for (int i = 0; i < TIMES; i++) {
			double x = between(one[f].low, one[f].high);

			/* a float's, so that both have the same argument */
			x = i % 2 ? (float)x : x;
			show(one[f].name, x, 0, one[f].function(x), i % 2 ? one[f].single(x) : 0);
		}
		for (size_t i = 0; i < COUNT(special); i++)
			if (fabs(special[i]) < 1e16 || fabs(special[i]) > 1e301)
				show(one[f].name, special[i], 0, one[f].function(special[i]), 0);
	}
	for (size_t f = 0; f < COUNT(two); f++)
		for (int i = 0; i < TIMES; i++) {
			double x = between(two[f].low, two[f].high), y = between(two[f].low2, two[f].high2);

			x = i % 2 ? (float)x : x;
			y = i % 2 ? (float)y : y;
			show(two[f].name, x, y, two[f].function(x, y), i % 2 ? two[f].single(x, y) : 0);
		}
	for (size_t i = 0; i < COUNT(powers); i++)
		show("pow", powers[i][0], powers[i][1], pow(powers[i][0], powers[i][1]), 0);
	return 0;
}
