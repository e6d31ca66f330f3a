/* SPDX-License-Identifier: GPL-2.0-only */
/* Small programs that print the same on a host and on a DPU. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM(name) static void __attribute__((noinline)) name(void)
#define RUN(name) (printf("# " #name "\n"), name())

/* A value that the compiler does not know. */
#define OPAQUE(x) ({ \
	__typeof__(x) opaque_ = (x); \
	__asm__ volatile("" : "+m"(opaque_)); \
	opaque_; \
})

/* The same for a string. */
#define TEXT(s) OPAQUE((const char *)(s))

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A hash of all values added so far, in their order. */
static uint32_t hash = 1;

static inline void __attribute__((unused)) mix(uint32_t n)
{
	hash = (hash << 5 | hash >> 27) + (n ^ 0x9e3779b9);
}

static inline void __attribute__((unused)) mix64(uint64_t n)
{
	mix(n);
	mix(n >> 32);
}
