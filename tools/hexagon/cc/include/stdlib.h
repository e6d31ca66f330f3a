/* SPDX-License-Identifier: MIT */
#ifndef STDLIB_H
#define STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff

typedef struct {
	long long quot, rem;
} lldiv_t;
typedef struct {
	long quot, rem;
} ldiv_t;
typedef struct {
	int quot, rem;
} div_t;

/* Memory is aligned to 16 bytes; vectors need aligned_alloc(128, size). */
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *aligned_alloc(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
int posix_memalign(void **p, size_t alignment, size_t size);

_Noreturn void abort(void);
int atexit(void (*function)(void));
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
char *getenv(const char *name);

int abs(int x);
long labs(long x);
long long llabs(long long x);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
lldiv_t lldiv(long long a, long long b);

double atof(const char *s);
int atoi(const char *s);
long atol(const char *s);
long long atoll(const char *s);
double strtod(const char *restrict s, char **restrict end);
float strtof(const char *restrict s, char **restrict end);
long strtol(const char *restrict s, char **restrict end, int base);
long long strtoll(const char *restrict s, char **restrict end, int base);
unsigned long strtoul(const char *restrict s, char **restrict end, int base);
unsigned long long strtoull(const char *restrict s, char **restrict end, int base);

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
int rand(void);
void srand(unsigned int seed);

#endif
