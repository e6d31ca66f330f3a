/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test/wami.h - input files of ESP's WAMI programs (-ltest): 16-bit width, height, channels and depth,
 * and then the pixels. What cannot be read ends the program.
 */
#ifndef TEST_WAMI_H
#define TEST_WAMI_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* num_bytes in items of size bytes, without a head. */
void wami_read_data_file(void *data, size_t size, const char *path, size_t num_bytes);
void wami_read_image_file(void *data, size_t size, const char *path, size_t num_bytes);
void wami_image_file_dimensions(const char *path, int *rows, int *cols);

#ifdef __cplusplus
}
#endif
#endif
