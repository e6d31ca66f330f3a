/* SPDX-License-Identifier: GPL-2.0-only */
/* The parameters of operations.c, shared with upmem-model. */
#ifndef MON_TESTS_BENCH_OPERATIONS_H
#define MON_TESTS_BENCH_OPERATIONS_H

#define ELEMENTS 256
#define ROUNDS 16

#endif
