// SPDX-License-Identifier: GPL-2.0-only
/* What C has besides arithmetic: structs, unions, bit fields, pointers, arrays, control flow. */
#include <stddef.h>

#include "program.h"

struct point {
	int x, y;
};

struct mixed {
	char c;
	short s;
	int i;
	long l;
	double d;
	unsigned char tail[3];
};

struct packed {
	char c;
	int i;
	long l;
} __attribute__((packed));

struct fields {
	unsigned int a : 3, b : 7;
	int c : 5;
	unsigned long d : 40;
	unsigned char e : 1;
};

PROGRAM(sizes)
{
	printf("%d %d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int),
	       (int)sizeof(long), (int)sizeof(long long), (int)sizeof(float), (int)sizeof(double));
	printf("%d %d %d %d\n", (int)sizeof(struct mixed), (int)sizeof(struct packed),
	       (int)sizeof(struct fields), (int)_Alignof(long));
	printf("%d %d %d %d %d %d\n", (int)offsetof(struct mixed, s), (int)offsetof(struct mixed, i),
	       (int)offsetof(struct mixed, l), (int)offsetof(struct mixed, d),
	       (int)offsetof(struct mixed, tail), (int)offsetof(struct packed, l));
}

PROGRAM(signs)
{
	char c = OPAQUE((char)200);

	printf("%d %d %d\n", c, c < 0, (signed char)200 == c);
}

static struct point __attribute__((noinline)) add_points(struct point a, struct point b)
{
	return (struct point){ a.x + b.x, a.y + b.y };
}

PROGRAM(struct_value)
{
	struct point p = add_points((struct point){ 1, 2 }, (struct point){ OPAQUE(30), 40 });

	printf("%d %d\n", p.x, p.y);
}

static struct mixed __attribute__((noinline)) change(struct mixed m)
{
	m.c++;
	m.s *= 2;
	m.i -= 100;
	m.l <<= 4;
	m.d /= 2;
	m.tail[2] = m.tail[0] + m.tail[1];
	return m;
}

PROGRAM(struct_large)
{
	struct mixed m = { 'a', -2, 3, 0x123456789, 5.5, { 1, 2, 3 } };

	m = change(change(m));
	printf("%c %d %d %lx %f %d\n", m.c, m.s, m.i, m.l, m.d, m.tail[2]);
}

PROGRAM(struct_packed)
{
	struct packed p = { 1, OPAQUE(0x12345678), OPAQUE(0x1122334455667788) };
	unsigned char bytes[sizeof(p)];

	p.i++;
	p.l--;
	memcpy(bytes, &p, sizeof(p));
	for (unsigned int i = 0; i < sizeof(p); i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

PROGRAM(bit_fields)
{
	struct fields f = { 0 };

	for (int i = 0; i < 50; i++) {
		f.a += 3;
		f.b += i;
		f.c -= 7;
		f.d = f.d * 5 + i;
		f.e ^= i & 1;
	}
	printf("%u %u %d %lx %u\n", f.a, f.b, f.c, (unsigned long)f.d, f.e);
}

PROGRAM(unions)
{
	union {
		uint64_t wide;
		uint32_t words[2];
		uint8_t bytes[8];
		float real;
	} u = { OPAQUE(0x0123456789abcdefu) };

	printf("%x %x %x %x\n", u.words[0], u.words[1], u.bytes[0], u.bytes[7]);
	u.real = OPAQUE(1.5f);
	printf("%x\n", u.words[0]);
}

struct list {
	struct list *next;
	int value;
};

PROGRAM(linked_list)
{
	struct list nodes[10], *head = NULL;
	int sum = 0;

	for (int i = 0; i < 10; i++) {
		nodes[i] = (struct list){ head, i * i };
		head = &nodes[i];
	}
	for (struct list **p = &head; *p;)
		if ((*p)->value % 2)
			*p = (*p)->next;
		else
			p = &(*p)->next;
	for (struct list *n = head; n; n = n->next)
		sum = sum * 3 + n->value;
	printf("%d\n", sum);
}

PROGRAM(pointers)
{
	int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, *p = a + OPAQUE(2), *q = &a[7], **pp = &p;

	*p++ = 10;
	*--q += *p;
	**pp *= 3;
	printf("%d %d %d %d %d\n", (int)(q - p), a[2], a[3], a[6], p < q);
}

PROGRAM(function_pointers)
{
	extern int twice(int), square(int);
	static int (*const table[])(int) = { twice, square, twice };
	int x = 3;

	for (int i = 0; i < 6; i++)
		x = table[OPAQUE(i) % 3](x) % 1000;
	printf("%d\n", x);
}

int __attribute__((noinline)) twice(int x)
{
	return 2 * x;
}

int __attribute__((noinline)) square(int x)
{
	return x * x;
}

PROGRAM(arrays)
{
	static int table[3][4][5];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			for (int k = 0; k < 5; k++)
				table[i][j][k] = i * 100 + j * 10 + k;
	for (int i = 0; i < 60; i++)
		sum = sum * 7 + table[OPAQUE(i) % 3][i % 4][i % 5];
	printf("%d\n", sum);
}

PROGRAM(variable_array)
{
	int n = OPAQUE(12), squares[n];

	for (int i = 0; i < n; i++)
		squares[i] = i * i;
	printf("%d %d\n", squares[n - 1], (int)(sizeof(squares) / sizeof(squares[0])));
}

static int __attribute__((noinline)) dense(int n)
{
	switch (n) {
	case 0: return 10;
	case 1: return 7;
	case 2: return -3;
	case 3: n += 4;	/* fall through */
	case 4: return n * 2;
	case 5: return 99;
	case 6: case 7: return n - 1;
	case 9: return 1234;
	default: return -n;
	}
}

PROGRAM(switch_dense)
{
	for (int i = -2; i < 12; i++)
		printf("%d ", dense(i));
	printf("\n");
}

static const char *__attribute__((noinline)) sparse(long n)
{
	switch (n) {
	case -1: return "minus";
	case 1: return "one";
	case 1000: return "thousand";
	case 1000000007: return "prime";
	case 0x100000000: return "wide";
	case 5 ... 9: return "range";
	default: return "other";
	}
}

PROGRAM(switch_sparse)
{
	static const long n[] = { -1, 0, 1, 5, 7, 9, 10, 1000, 1000000007, 0x100000000, 0x100000001 };

	for (unsigned int i = 0; i < COUNT(n); i++)
		printf("%s ", sparse(n[i]));
	printf("\n");
}

static int __attribute__((noinline)) effects(int x)
{
	int i = x, j;

	j = i++ + ++i;
	j += (i -= 2, i * 3);
	j = j > 5 && i++ ? j | 64 : j ^ 64;
	j <<= x & 3;
	return j || i ? j + i : 0;
}

PROGRAM(expressions)
{
	for (int i = 0; i < 8; i++)
		printf("%d ", effects(i));
	printf("\n");
}

PROGRAM(loops)
{
	int n = 0, i, j;

	for (i = 0; i < 20; i++) {
		if (i % 3 == 0)
			continue;
		if (i > OPAQUE(15))
			break;
		j = i;
		do
			n += j;
		while (j-- > i / 2);
		while (j < i)
			j += 2, n ^= j;
	}
	printf("%d %d\n", n, i);
}

/*
 * a + 1 < a is true only if a + 1 is 0: loops that count up to the wrap, and the comparison itself.
 */
PROGRAM(wraps)
{
	static unsigned int values[] = { 0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff };
	unsigned int rounds = 0, n = OPAQUE(0xfffffff0u), a, old;

	do {
		rounds++;
		__asm__ volatile ("");
	} while (++n);
	for (int i = OPAQUE(1000); i; i--) {
		rounds++;
		__asm__ volatile ("");
	}
	printf("%u %u\n", rounds, n);
	for (unsigned int i = 0; i < COUNT(values); i++) {
		a = OPAQUE(values[i]);
		old = a++;
		printf("%d %d %u %u", a < old, a >= old, a, old);
		if (a < old)
			printf(" wraps");
		a = OPAQUE(a);
		if (a + 1 > a)
			printf(" and the next does not");
		printf("\n");
	}
}

PROGRAM(go_to)
{
	int i = 0, n = 0;

again:
	n += i;
	if (++i < OPAQUE(10))
		goto again;
	if (n == 45)
		goto out;
	n = -1;
out:
	printf("%d\n", n);
}

PROGRAM(computed_go_to)
{
	static const void *const targets[] = { && a, && b, && c };
	int n = 1, i = 0;

next:
	if (i >= 9)
		goto out;
	goto *targets[OPAQUE(i++) % 3];
a:
	n += 5;
	goto next;
b:
	n *= 3;
	goto next;
c:
	n -= 2;
	goto next;
out:
	printf("%d\n", n);
}

static int counter(void)
{
	static int n = 5;

	return n++;
}

PROGRAM(statics)
{
	int a = counter(), b = counter(), c = counter();

	printf("%d %d %d\n", a, b, c);
}

enum color { RED, GREEN = 5, BLUE, LAST = -1 };

PROGRAM(enums)
{
	enum color c = OPAQUE(BLUE);

	printf("%d %d %d %d\n", c, (int)sizeof(c), RED, LAST < 0);
}

PROGRAM(initializers)
{
	static const struct {
		int a[3];
		struct point p;
		const char *s;
		long l;
	} t[2] = { { .a = { [1] = 5 }, .p.y = 2, .s = "x" }, { { 1, 2, 3 }, { 4, 5 }, "yz", -6 } };
	static const uint32_t ones[4] = { ~0u, ~0u, ~0u, ~0u };
	int i = OPAQUE(0);

	printf("%d %d %d %s %ld\n", t[i].a[1], t[i].a[2], t[i].p.y, t[i].s, t[i].l);
	printf("%d %d %d %s %ld %x\n", t[i + 1].a[2], t[i + 1].p.x, t[i + 1].p.y, t[i + 1].s, t[i + 1].l,
	       ones[i + 3]);
}

int main(void)
{
	RUN(sizes);
	RUN(signs);
	RUN(struct_value);
	RUN(struct_large);
	RUN(struct_packed);
	RUN(bit_fields);
	RUN(unions);
	RUN(linked_list);
	RUN(pointers);
	RUN(function_pointers);
	RUN(arrays);
	RUN(variable_array);
	RUN(switch_dense);
	RUN(switch_sparse);
	RUN(expressions);
	RUN(loops);
	RUN(wraps);
	RUN(go_to);
	RUN(computed_go_to);
	RUN(statics);
	RUN(enums);
	RUN(initializers);
	return 0;
}
