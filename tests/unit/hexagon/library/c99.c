/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the same on this machine and on Hexagon: functions of C99 that a small C library lacks; results that are exact, and
 * others to ten digits. */
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

static const double values[] = { 0.125, 0.5, -0.75, 1.25, 2.5, -3.5, 7.75, 20.25, -0.0, 1e-310 };
#define VALUES ((int)(sizeof(values) / sizeof(values[0])))

static uint32_t bits32(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void exact(double x)
{
	volatile double y = -x / 3;
	int exponent = 0, quotient = 0;
	double whole;

	printf("fma %a fmaf %a fdim %a nearbyint %a rint %a\n", fma(x, y, 1), (double)fmaf(x, y, 1), fdim(x, y), nearbyint(x), rint(x));
	printf("lround %ld llround %lld lrint %ld llrint %lld\n", lround(x), llround(x), lrint(x), llrint(x));
	printf("nextafter %a %a logb %a ilogb %d\n", nextafter(x, 9), (double)nexttowardf(x, -9), logb(x + 64), ilogb(x + 64));
	printf("remainder %a remquo %a", remainder(x, 0.3), remquo(x, 0.25, &quotient));
	printf(" %d scalbn %a scalbln %a\n", quotient & 7, scalbn(x, -3), scalbln(x, 70));
	printf("frexp %a", frexp(x, &exponent));
	printf(" %d modf %a", exponent, modf(x, &whole));
	printf(" %a fmin %a fmax %a copysign %a %d\n", whole, fmin(x, NAN), fmax(x, 1), copysign(3, x), fpclassify(x) == FP_SUBNORMAL);
}

static void near(double x)
{
	double at_least_one = fabs(x) + 1, small = x / 32;
	double complex z = csqrt(x + 2 * I);

	printf("erf %.10g erfc %.10g lgamma %.10g tgamma %.10g\n", erf(x), erfc(x), lgamma(at_least_one + 1), tgamma(at_least_one));
	printf("expm1 %.10g log1p %.10g asinh %.10g acosh %.10g atanh %.10g\n", expm1(x), log1p(fabs(x)), asinh(x), acosh(at_least_one),
	       atanh(small));
	printf("erff %.5g lgammaf %.5g expm1f %.5g log1pf %.5g csqrt %.10g %.10g\n", erff(x), lgammaf(at_least_one + 1), expm1f(x),
	       log1pf(fabs(x)), creal(z), cimag(z));
}

static jmp_buf out;

static void deeper(int n)
{
	if (!n)
		longjmp(out, 7);
	deeper(n - 1);
}

static void jumps(void)
{
	volatile int times = 0;
	int value = setjmp(out);

	times++;
	if (times == 1)
		deeper(20);
	if (times == 2)
		longjmp(out, 0);
	printf("setjmp %d %d\n", value, (int)times);
}

static void texts(void)
{
	char text[80] = "", *at = text;
	intmax_t n;
	int a = 0, b = 0;
	float f = 0;
	struct tm tm = { .tm_year = 126, .tm_mon = 10, .tm_mday = 28, .tm_hour = 12 };

	printf("%a %.2a %A %g\n", 1.0 / 3, 1.0 / 3, -2.5e-308, 0x1.8p3);
	printf("sscanf %d", sscanf("12 0x1f 2.5 rest", "%d %x %f %79s", &a, (unsigned int *)&b, &f, text));
	printf(" %d %d %g %s\n", a, b, f, text);
	n = strtoimax("-123456789012", NULL, 10);
	printf("%jd %" PRIdMAX " %d %d %d\n", n, imaxabs(n), strcasecmp("Hello", "hELLO"), ffs(0x50), strncasecmp("abcd", "ABxx", 2));
	strcpy(text, "one,two,,three");
	for (char *word; (word = strtok_r(at, ",", &at));)
		printf("%s;", word);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M %j", &tm);
	printf(" %s %lld\n", text, (long long)mktime(&tm));
	printf("%zu %s %d %ld\n", wcslen(L"wide"), strerror(0) ? "text" : "none", isblank('\t') != 0, labs(-5));
	errno = 0;
	a = strtoul("99999999999999999999", NULL, 10) == (unsigned long)-1;
	printf("%d %d %a\n", a, errno == ERANGE, strtod("0x1.8p-2", NULL));
}

int main(void)
{
	volatile float a = 0.24999998f, b = 2.3509885e-38f, c = -1e-45f;

	/* llvm-project#104984 */
	printf("%x\n", (unsigned int)bits32(fmaf(a, b, c)));
	for (int i = 0; i < VALUES; i++)
		exact(values[i]);
	for (int i = 0; i < VALUES; i++)
		near(values[i]);
	jumps();
	texts();
	return 0;
}
