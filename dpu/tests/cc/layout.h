/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structs that a host program and a DPU program share: no pointers and no size_t, which have 32
 * bits on a DPU; all other types have the same layout.
 */
#include <stdint.h>

enum kind { KIND_SMALL, KIND_LARGE = 1 << 20 };

struct inner {
	char c;
	long l;
	short s;
};

union either {
	uint8_t bytes[5];
	uint16_t half;
	float f;
};

struct shared {
	char c;			/* signed on both */
	unsigned char uc;
	short s;
	char after_short;
	int i;
	_Bool b;
	long l;			/* 64 bits on both */
	unsigned long ul;
	char after_long;
	long long ll;
	float f;
	double d;
	enum kind kind;
	uint8_t bytes[3];
	uint16_t halves[3];
	struct inner inner, array[2];
	union either either;
	unsigned int low : 3, middle : 13, high : 20;
	long wide : 40;
	signed char last;
} __attribute__((aligned(8)));

struct packed {
	char c;
	long l;
	uint16_t s;
	struct inner inner;
} __attribute__((packed));

/* FIELD(struct, member, value) */
#define FIELDS \
	FIELD(shared, c, -56) FIELD(shared, uc, 200) FIELD(shared, s, -12345) FIELD(shared, after_short, 1) \
	FIELD(shared, i, -1234567890) FIELD(shared, b, 1) FIELD(shared, l, -1234567890123456789) \
	FIELD(shared, ul, 0xfedcba9876543210) FIELD(shared, after_long, -2) FIELD(shared, ll, 0x123456789abcdef) \
	FIELD(shared, f, -1.5f) FIELD(shared, d, 1e-300) FIELD(shared, kind, KIND_LARGE) \
	FIELD(shared, bytes[2], 3) FIELD(shared, halves[2], 0xabcd) FIELD(shared, inner.c, -5) \
	FIELD(shared, inner.l, 1l << 62) FIELD(shared, inner.s, 77) FIELD(shared, array[1].c, 'x') \
	FIELD(shared, array[1].l, -6) FIELD(shared, array[1].s, -7) FIELD(shared, either.f, 0.1f) \
	FIELD(shared, last, -128) FIELD(packed, c, 'p') FIELD(packed, l, -8) FIELD(packed, s, 0x8001) \
	FIELD(packed, inner.c, -9) FIELD(packed, inner.l, -10) FIELD(packed, inner.s, 11)
