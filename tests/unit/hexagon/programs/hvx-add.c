/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds two arrays with the vector unit (HVX), 32 words of 32 bits at a time. */
#include "examples/hexagon/linux.h"

#define VECTORS 64
#define ROUNDS 20

typedef int vector __attribute__((vector_size(128), aligned(128)));

static vector a[VECTORS], b[VECTORS], c[VECTORS];

int main(void)
{
	for (int i = 0; i < VECTORS; i++) {
		a[i] = (vector){ 0 } +i;
		b[i] = (vector){ 0 } +1000;
	}
	for (int round = 0; round < ROUNDS; round++) {
		__asm__ volatile ("" : : : "memory");
		for (int i = 0; i < VECTORS; i++)
			c[i] = a[i] + b[i];
	}
	/* last element: 63 + 1000 */
	write_number("sum: ", c[VECTORS - 1][31]);
	return c[VECTORS - 1][31] == 1063 ? 0 : 1;
}
