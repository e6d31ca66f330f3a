/* SPDX-License-Identifier: MIT */
/* Doubles from text and as text, exactly: decimal numbers with a fixed point, in words of nine digits. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

#define NINE 9
#define BASE 1000000000u
/* words before the point and after it: of 2^1024, and of 2^-1074 */
#define WHOLE 36
#define WORDS (WHOLE + 122)

#define BITS 52
#define LEAST (-1074)		/* exponent of the least double */
#define MOST (971)		/* of the last bit of the largest */

struct decimal {
	uint32_t word[WORDS];	/* the most significant first */
	int rest;		/* there is something behind the last word */
};

/* Times 2^bits, up to 29. */
static void shift_up(struct decimal *d, unsigned int bits)
{
	uint64_t carry = 0;

	for (int i = WORDS - 1; i >= 0; i--) {
		carry += (uint64_t)d->word[i] << bits;
		d->word[i] = carry % BASE;
		carry /= BASE;
	}
}

/* Divided by 2^bits, up to 9, of which BASE is a multiple. */
static void shift_down(struct decimal *d, unsigned int bits)
{
	uint32_t carry = 0;

	for (int i = 0; i < WORDS; i++) {
		uint32_t word = d->word[i];

		d->word[i] = (word >> bits) + carry;
		carry = (word & ((1u << bits) - 1)) * (BASE >> bits);
	}
	d->rest |= carry != 0;
}

static void shift(struct decimal *d, int bits)
{
	for (; bits > 0; bits -= bits < 29 ? bits : 29)
		shift_up(d, bits < 29 ? bits : 29);
	for (; bits < 0; bits += bits > -9 ? -bits : 9)
		shift_down(d, bits > -9 ? -bits : 9);
}

/* ---- as text */

#define DIGITS (WORDS * NINE)
#define POINT (WHOLE * NINE)
#define PRECISION_MAX 1080	/* behind that all digits are 0 */

struct digits {
	char digit[DIGITS];	/* 0 to 9; the first one is 0, for a carry */
	int first;		/* that is not 0; that before the point for 0 */
};

static void find_first(struct digits *n)
{
	n->first = 0;
	while (n->first < DIGITS && !n->digit[n->first])
		n->first++;
	if (n->first == DIGITS)
		n->first = POINT - 1;
}

static void get_digits(struct digits *n, double x)
{
	struct decimal d = { 0 };
	int exponent;
	uint64_t m = ldexp(frexp(x, &exponent), BITS + 1);

	for (int i = WHOLE - 1; m; i--, m /= BASE)
		d.word[i] = m % BASE;
	shift(&d, exponent - BITS - 1);
	for (int i = 0; i < WORDS; i++)
		for (int k = NINE - 1; k >= 0; k--, d.word[i] /= 10)
			n->digit[i * NINE + k] = d.word[i] % 10;
	find_first(n);
}

/* Rounds to even so that digits from `end` on are 0. */
static void round_to(struct digits *n, int end)
{
	int up, more = 0;

	if (end >= DIGITS)
		return;
	if (end < 0)
		end = 0;
	for (int i = end + 1; i < DIGITS; i++)
		more |= n->digit[i];
	up = n->digit[end] > 5 || (n->digit[end] == 5 && (more || (end && n->digit[end - 1] & 1)));
	memset(n->digit + end, 0, DIGITS - end);
	for (int i = end - 1; up && i >= 0; i--) {
		up = n->digit[i] == 9;
		n->digit[i] = up ? 0 : n->digit[i] + 1;
	}
	find_first(n);
}

static char digit_at(const struct digits *n, int i)
{
	return '0' + (i < DIGITS ? n->digit[i] : 0);
}

static char *put_digits(char *to, const struct digits *n, int from, int whole, int precision, int alternate)
{
	for (int i = 0; i < whole; i++)
		*to++ = digit_at(n, from++);
	if (precision || alternate)
		*to++ = '.';
	for (int i = 0; i < precision; i++)
		*to++ = digit_at(n, from++);
	return to;
}

static char *put_exponent(char *to, char letter, int exponent)
{
	unsigned int e = exponent < 0 ? -exponent : exponent;

	*to++ = letter;
	*to++ = exponent < 0 ? '-' : '+';
	if (e >= 100)
		*to++ = '0' + e / 100;
	*to++ = '0' + e / 10 % 10;
	*to++ = '0' + e % 10;
	return to;
}

static char *put_fixed(char *to, struct digits *n, int precision, int alternate)
{
	int from;

	round_to(n, POINT + precision);
	from = n->first < POINT ? n->first : POINT - 1;
	return put_digits(to, n, from, POINT - from, precision, alternate);
}

static int exponent_of(const struct digits *n)
{
	return POINT - 1 - n->first;
}

size_t __format_double(char *to, double x, char conversion, int precision, int alternate)
{
	char *start = to, *end, *last, exponent = isupper(conversion) ? 'E' : 'e';
	struct digits n;

	precision = precision < 0 ? 6 : precision > PRECISION_MAX ? PRECISION_MAX : precision;
	get_digits(&n, x);
	switch (tolower(conversion)) {
	case 'f':
		return put_fixed(to, &n, precision, alternate) - start;
	case 'e':
		round_to(&n, n.first + precision + 1);
		to = put_digits(to, &n, n.first, 1, precision, alternate);
		return put_exponent(to, exponent, exponent_of(&n)) - start;
	}
	precision = precision ? precision : 1;
	round_to(&n, n.first + precision);
	if (exponent_of(&n) >= -4 && exponent_of(&n) < precision)
		end = put_fixed(to, &n, precision - 1 - exponent_of(&n), alternate);
	else
		end = put_digits(to, &n, n.first, 1, precision - 1, alternate);
	last = end;
	if (!alternate && memchr(to, '.', end - to)) {
		while (last[-1] == '0')
			last--;
		last -= last[-1] == '.';
	}
	if (exponent_of(&n) < -4 || exponent_of(&n) >= precision)
		last = put_exponent(last, exponent, exponent_of(&n));
	return last - start;
}

/* ---- from text */

/* All before the point, if it is less than 10^18; else that or more. */
static uint64_t whole_of(const struct decimal *d)
{
	for (int i = 0; i < WHOLE - 2; i++)
		if (d->word[i])
			return UINT64_MAX;
	return (uint64_t)d->word[WHOLE - 2] * BASE + d->word[WHOLE - 1];
}

/* -1, 0 or 1: less than a half, a half, more behind the point. */
static int half_of(const struct decimal *d, int *exact)
{
	int more = d->rest;

	for (int i = WHOLE + 1; i < WORDS; i++)
		more |= d->word[i] != 0;
	*exact = !more && !d->word[WHOLE];
	if (d->word[WHOLE] != BASE / 2)
		return d->word[WHOLE] > BASE / 2 ? 1 : -1;
	return more ? 1 : 0;
}

/* The nearest double, of two the even one. */
static double to_double(struct decimal *d, int *range)
{
	uint64_t whole;
	int exponent = 0, half, exact;

	/* a number below the least one needs no more bits than that */
	while ((whole = whole_of(d)) >> (BITS + 1)) {
		int bits = whole == UINT64_MAX ? 9 : 64 - __builtin_clzll(whole) - BITS - 1;

		bits = bits < 9 ? bits : 9;
		shift(d, -bits);
		exponent += bits;
	}
	while (!((whole = whole_of(d)) >> BITS) && exponent > LEAST) {
		int bits = whole ? BITS + 1 - (64 - __builtin_clzll(whole)) : 29;

		bits = bits < exponent - LEAST ? bits : exponent - LEAST;
		bits = bits < 29 ? bits : 29;
		shift(d, bits);
		exponent -= bits;
	}
	half = half_of(d, &exact);
	whole += half > 0 || (half == 0 && whole & 1);
	if (whole >> (BITS + 1)) {
		whole >>= 1;
		exponent++;
	}
	*range = exponent > MOST || (!(whole >> BITS) && !exact);
	return exponent > MOST ? HUGE_VAL : ldexp(whole, exponent);
}

/* Puts a digit at so many places from the point; places before it are negative. */
static int put_digit(struct decimal *d, long place, int digit)
{
	static const uint32_t tens[NINE] = { 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1 };
	long at = WHOLE * NINE + place;

	if (at < 0)
		return digit != 0;
	if (at >= (long)WORDS * NINE)
		d->rest |= digit != 0;
	else
		d->word[at / NINE] += digit * tens[at % NINE];
	return 0;
}

static const char *take_word(const char *s, const char *word)
{
	while (*word && tolower(*s) == *word)
		s++, word++;
	return *word ? NULL : s;
}

static double parse_digits(const char **s, int *range)
{
	const char *p = *s, *first = NULL, *point = NULL, *end;
	struct decimal d = { 0 };
	long exponent = 0, place;
	int over = 0, any = 0;

	for (; isdigit(*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = p;
			continue;
		}
		any = 1;
		if (*p != '0' && !first)
			first = p;
	}
	if (!any)
		return 0;
	end = p;
	if (tolower(*p) == 'e' && (isdigit(p[1]) || ((p[1] == '-' || p[1] == '+') && isdigit(p[2])))) {
		exponent = strtol(p + 1, (char **)&p, 10);
		/* nothing has that many digits */
		exponent = exponent > 100000000 ? 100000000 : exponent < -100000000 ? -100000000 : exponent;
	}
	*s = p;
	if (!first)
		return 0;
	point = point ? point : end;
	place = (first < point ? first - point : first - point - 1) - exponent;
	for (p = first; p < end; p++)
		if (*p != '.')
			over |= put_digit(&d, place++, *p - '0');
	if (over) {
		*range = 1;
		return HUGE_VAL;
	}
	return to_double(&d, range);
}

double strtod(const char *restrict s, char **restrict end)
{
	const char *p = s, *from, *rest;
	int negative, range = 0;
	double value;

	while (isspace(*p))
		p++;
	negative = *p == '-';
	p += *p == '-' || *p == '+';
	from = p;
	rest = take_word(p, "infinity");
	rest = rest ? rest : take_word(p, "inf");
	if (rest) {
		value = HUGE_VAL;
	} else {
		rest = take_word(p, "nan");
		value = NAN;
	}
	if (!rest) {
		rest = p;
		value = parse_digits(&rest, &range);
	}
	if (range)
		errno = ERANGE;
	if (end)
		*end = (char *)(rest == from ? s : rest);
	return negative && rest != from ? -value : value;
}

float strtof(const char *restrict s, char **restrict end)
{
	return strtod(s, end);
}
