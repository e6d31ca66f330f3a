// SPDX-License-Identifier: GPL-2.0-only
/* Ends the assembler after an error: formats the message and jumps back to the start. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpu/as/asm-internal.h"

void as_fail(struct as *as, const char *format, ...)
{
	va_list args;
	int n;

	n = snprintf(as->error, DPU_ASM_ERROR_SIZE, "%s:%u: ", as->file_name, as->line);
	if (n < 0 || n >= DPU_ASM_ERROR_SIZE)
		n = 0;
	va_start(args, format);
	n += vsnprintf(as->error + n, DPU_ASM_ERROR_SIZE - n, format, args);
	va_end(args);
	for (const struct as_expansion *e = as->expansion; e; e = e->outer) {
		if (n < DPU_ASM_ERROR_SIZE)
			n += snprintf(as->error + n, DPU_ASM_ERROR_SIZE - n, "; in '%s' used at %s:%u", e->name, e->file_name, e->line);
		free(e->text.bytes);
	}
	longjmp(as->failed, 1);
}

void *as_grow(struct as *as, void *array, size_t count, size_t *space, size_t size)
{
	if (count < *space)
		return array;
	*space = *space ? *space * 2 : 64;
	array = realloc(array, *space * size);
	if (!array)
		as_fail(as, "out of memory");
	return array;
}
