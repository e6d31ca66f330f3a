// SPDX-License-Identifier: GPL-2.0-only
/* Ends the translator after an error: formats the message and jumps back to the start. */
#include <stdarg.h>
#include <stdio.h>

#include "dpu/cc/insn.h"

void cc_fail(struct cc_translation *t, const char *format, ...)
{
	va_list args;
	int n = snprintf(t->error, CC_ERROR_SIZE, "%s:%u: ", t->name, t->line);

	if (n < 0 || n >= CC_ERROR_SIZE)
		n = 0;
	va_start(args, format);
	vsnprintf(t->error + n, CC_ERROR_SIZE - n, format, args);
	va_end(args);
	longjmp(t->failed, 1);
}
