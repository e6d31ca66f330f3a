// SPDX-License-Identifier: GPL-2.0-only
/*
 * On the host and on a DPU: prints sizes and offsets of the structs of layout.h, and fills them; on
 * a DPU it also checks the values that the host has written.
 */
#include <stddef.h>
#include <stdio.h>

#include "layout.h"

#ifdef HOST
#define __host
#define __dma_aligned
#else
#include <attributes.h>
#endif

/* written: the values of this side; read: dpu-run copies the host's values here. */
__host __dma_aligned struct {
	struct shared shared;
	struct packed packed;
} out, in;

static void describe(void)
{
	printf("%d %d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int),
	       (int)sizeof(long), (int)sizeof(long long), (int)sizeof(float), (int)sizeof(double));
	printf("%d %d %d %d %d\n", (int)sizeof(enum kind), (int)sizeof(_Bool), (int)_Alignof(long),
	       (int)_Alignof(double), (char)200 < 0);
	printf("%d %d %d %d %d\n", (int)sizeof(struct shared), (int)_Alignof(struct shared),
	       (int)sizeof(struct packed), (int)_Alignof(struct packed), (int)sizeof(union either));
#define FIELD(type, name, value) \
	printf(#type "." #name " %d %d\n", (int)offsetof(struct type, name), (int)sizeof(in.type.name));
	FIELDS
#undef FIELD
}

static void fill(void)
{
#define FIELD(type, name, value) out.type.name = value;
	FIELDS
#undef FIELD
	out.shared.low = 5;
	out.shared.middle = 0x1234;
	out.shared.high = 0xabcde;
	out.shared.wide = -0x123456789;
}

#ifndef HOST
static void check(void)
{
#define FIELD(type, name, value) \
	if (in.type.name != (__typeof__(in.type.name))(value)) \
		printf(#type "." #name " is wrong\n");
	FIELDS
#undef FIELD
	if (in.shared.low != 5 || in.shared.middle != 0x1234 || in.shared.high != 0xabcde ||
	    in.shared.wide != -0x123456789)
		printf("the bit-fields are wrong\n");
}
#endif

int main(int argc, char *argv[])
{
	fill();
#ifdef HOST
	FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;

	if (!file || fwrite(&out, sizeof(out), 1, file) != 1 || fclose(file))
		return 1;
#else
	(void)argc;
	(void)argv;
	check();
#endif
	describe();
	return 0;
}
