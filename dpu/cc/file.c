// SPDX-License-Identifier: GPL-2.0-only
/* Writes whole files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dpu/cc/driver.h"

bool cc_write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "wb") : stdout;
	bool ok = file && fwrite(bytes, 1, size, file) == size;

	if (file && file != stdout)
		ok = !fclose(file) && ok;
	if (!ok)
		fprintf(stderr, "dpu-cc: %s: %s\n", path, strerror(errno));
	return ok;
}
