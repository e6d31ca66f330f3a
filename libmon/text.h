/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small text files, folders and numbers; linked into each of the libraries. */
#ifndef LIBMON_TEXT_H
#define LIBMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MON_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Contents of a small file without trailing white space, to be freed; NULL with errno. */
char *mon_read_text(const char *path);
__attribute__((format(printf, 1, 2))) char *mon_format(const char *format, ...);
bool mon_is_dir(const char *path);
/* Sorted names in a folder without . and .., to be freed with mon_names_free(). */
int mon_list_dir(const char *path, char ***names, size_t *count);
void mon_names_free(char **names, size_t count);
/* Parses a decimal or 0x number; false if anything else follows. */
bool mon_parse_u64(const char *text, uint64_t *value);

#endif
