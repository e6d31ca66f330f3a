/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's headers, for the host, as far as the pure parts of the drivers need them; like the
 * kernel's own tools/include.
 */
#ifndef TESTS_LINUX_TYPES_H
#define TESTS_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;

#endif
