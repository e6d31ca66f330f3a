/* SPDX-License-Identifier: MIT */
/* Output to the two standard streams. There is no input, and there are no other files. */
#ifndef STDIO_H
#define STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

typedef struct __file FILE;
extern FILE *const stdout, *const stderr;
#define stdout stdout
#define stderr stderr

#define __PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))

int fflush(FILE *file);
int fprintf(FILE *restrict file, const char *restrict format, ...) __PRINTF(2, 3);
int fputc(int c, FILE *file);
int fputs(const char *restrict s, FILE *restrict file);
size_t fwrite(const void *restrict data, size_t size, size_t n, FILE *restrict file);
int printf(const char *restrict format, ...) __PRINTF(1, 2);
int putc(int c, FILE *file);
int putchar(int c);
int puts(const char *s);
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) __PRINTF(3, 4);
int sprintf(char *restrict to, const char *restrict format, ...) __PRINTF(2, 3);
int vfprintf(FILE *restrict file, const char *restrict format, va_list args) __PRINTF(2, 0);
int vprintf(const char *restrict format, va_list args) __PRINTF(1, 0);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list args) __PRINTF(3, 0);
int vsprintf(char *restrict to, const char *restrict format, va_list args) __PRINTF(2, 0);
void perror(const char *what);

#endif
