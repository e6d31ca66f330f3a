/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_LINUX_BITFIELD_H
#define TESTS_LINUX_BITFIELD_H

#define FIELD_GET(mask, value)	(((value) & (mask)) >> __builtin_ctzll(mask))

#endif
