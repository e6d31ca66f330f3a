/* SPDX-License-Identifier: GPL-2.0-only */
/* What a tasklet of operations.c does, for it and for upmem-model. */
#ifndef MON_TESTS_BENCH_OPERATIONS_H
#define MON_TESTS_BENCH_OPERATIONS_H

#define ELEMENTS 256
#define ROUNDS 16

#endif
