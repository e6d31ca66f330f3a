/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader of the log that printf on a DPU leaves in MRAM.
 *
 * A record is a format that consists of conversions only, its NUL, and the arguments: strings with
 * their NUL, characters as 1 byte, integers as 4 or (with l) 8 bytes, floating point as 8. Records
 * are padded with zeroes to 8 bytes. Source: UPMEM SDK's runtime and host libraries.
 */
#ifndef MON_FORMATS_UPMEM_LOG_H
#define MON_FORMATS_UPMEM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints the records. Returns false at the first malformed one; those before it are printed. */
bool dpu_log_print(const uint8_t *log, size_t size, FILE *out);

#endif
