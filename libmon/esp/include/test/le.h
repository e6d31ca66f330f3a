/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test/le.h - files of little-endian numbers, under the names that ESP's programs use (-ltest). Items of
 * size bytes, as fread(3) and fwrite(3) count them.
 */
#ifndef TEST_LE_H
#define TEST_LE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

size_t lefread(void *ptr, size_t size, size_t nmemb, FILE *stream);
size_t lefwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream);
/* Reads n_elems items, or ends the program with a message that names path. */
void le_read_elem(void *dest, size_t size_elem, size_t n_elems, FILE *fp, const char *path);

#ifdef __cplusplus
}
#endif
#endif
