// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes whole files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dpu/cc/driver.h"

char *cc_read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0, n;

	if (!file)
		return NULL;
	do {
		text = cc_realloc(text, size + 65537);
		n = fread(text + size, 1, 65536, file);
		size += n;
		text[size] = '\0';
	} while (n);
	fclose(file);
	return text;
}

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
