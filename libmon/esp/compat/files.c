// SPDX-License-Identifier: LGPL-2.1-or-later
/* test/le.h and test/wami.h: reads data files of ESP's programs. */
#include <endian.h>
#include <stdint.h>

#include "test/le.h"
#include "test/test.h"
#include "test/wami.h"

/* The files are little-endian, and so is every machine with an ESP SoC that Linux runs on here. */
#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "files of ESP's programs are little-endian"
#endif

size_t lefread(void *ptr, size_t size, size_t nmemb, FILE *stream)
{
	return fread(ptr, size, nmemb, stream);
}

size_t lefwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream)
{
	return fwrite(ptr, size, nmemb, stream);
}

void le_read_elem(void *dest, size_t size_elem, size_t n_elems, FILE *fp, const char *path)
{
	size_t n = lefread(dest, size_elem, n_elems, fp);

	if (n != n_elems)
		die("%s: has %zu items of %zu bytes, not %zu", path, n, size_elem, n_elems);
}

static FILE *open_file(const char *path)
{
	FILE *fp = fopen(path, "rb");

	if (!fp)
		die_errno("%s", path);
	return fp;
}

void wami_read_data_file(void *data, size_t size, const char *path, size_t num_bytes)
{
	FILE *fp = open_file(path);

	le_read_elem(data, size, num_bytes / size, fp, path);
	fclose(fp);
}

void wami_image_file_dimensions(const char *path, int *rows, int *cols)
{
	FILE *fp = open_file(path);
	uint16_t head[2];

	le_read_elem(head, sizeof(head[0]), 2, fp, path);
	fclose(fp);
	*cols = head[0];
	*rows = head[1];
}

void wami_read_image_file(void *data, size_t size, const char *path, size_t num_bytes)
{
	FILE *fp = open_file(path);
	uint16_t head[4];
	size_t bytes;

	le_read_elem(head, sizeof(head[0]), 4, fp, path);
	bytes = (size_t)head[0] * head[1] * head[2] * head[3];
	if (bytes != num_bytes)
		die("%s: its head says %zu bytes, not %zu", path, bytes, num_bytes);
	le_read_elem(data, size, num_bytes / size, fp, path);
	fclose(fp);
}
