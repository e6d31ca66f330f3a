/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_LINUX_KERNEL_H
#define TESTS_LINUX_KERNEL_H

#define U32_MAX			0xffffffffU
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif
