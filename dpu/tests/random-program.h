/* SPDX-License-Identifier: GPL-2.0-only */
/* Random programs in assembly, for comparisons of ways to execute them. */
#ifndef MON_TESTS_UPMEM_RANDOM_PROGRAM_H
#define MON_TESTS_UPMEM_RANDOM_PROGRAM_H

#include <stdint.h>

#define RANDOM_PROGRAM_SIZE 16384

/* The next one of a sequence. */
uint64_t random_number(uint64_t *state);
/* Every kind of instruction, on memory that all tasklets share. */
void random_program(char *text, uint64_t seed);
/*
 * Tasklets that work on memory of their own and sometimes on words that all of them use: such
 * tasklets run ahead and must be rolled back.
 */
void random_private_program(char *text, uint64_t seed);

#endif
