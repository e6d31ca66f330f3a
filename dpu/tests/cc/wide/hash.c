// SPDX-License-Identifier: GPL-2.0-only
/* A hash table, sorted and printed. It uses most of the library. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 256

struct entry {
	uint64_t key;
	int64_t value;
} table[SIZE];
char name[16];

static struct entry *find(uint64_t key)
{
	uint32_t i = (uint32_t)key * 2654435761u >> 24;

	while (table[i].key && table[i].key != key)
		i = (i + 1) % SIZE;
	return &table[i];
}

static int by_value(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

/* Never called. */
int unused(int a)
{
	printf("%f\n", (double)a / 3);
	return a;
}

int main(void)
{
	int64_t sum = 0;
	ldiv_t d;

	for (int i = 0; i < 100; i++) {
		struct entry *e = find(i % 61 + 1);

		e->key = i % 61 + 1;
		e->value += i;
	}
	qsort(table, SIZE, sizeof(table[0]), by_value);
	strcpy(name, "mean");
	for (int i = 0; i < SIZE; i++)
		sum += table[i].value;
	d = ldiv(sum, table[SIZE - 1].value);
	printf("%s %ld rest %ld, largest %lu: %ld\n", name, d.quot, d.rem, table[SIZE - 1].key,
	       table[SIZE - 1].value);
	return 0;
}
