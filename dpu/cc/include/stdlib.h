/* SPDX-License-Identifier: MIT */
/* Numbers, sorting, the end. */
#ifndef DPU_CC_STDLIB_H
#define DPU_CC_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

typedef struct {
	int quot, rem;
} div_t;

typedef struct {
	long quot, rem;
} ldiv_t;

int abs(int n);
long labs(long n);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
int atoi(const char *text);
long atol(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      int (*compare)(const void *, const void *));
/* Stops the tasklet; the others continue. */
void exit(int status) __attribute__((noreturn));
/* Stops the DPU with a fault. */
void abort(void) __attribute__((noreturn));

#endif
