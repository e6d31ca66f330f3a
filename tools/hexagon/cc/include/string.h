/* SPDX-License-Identifier: MIT */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memchr(const void *s, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strchr(const char *s, int c);
int strcmp(const char *a, const char *b);
char *strcpy(char *restrict to, const char *restrict from);
size_t strcspn(const char *s, const char *reject);
char *strdup(const char *s);
char *strerror(int number);
size_t strlen(const char *s);
char *strncat(char *restrict to, const char *restrict from, size_t n);
int strncmp(const char *a, const char *b, size_t n);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
size_t strnlen(const char *s, size_t n);
char *strpbrk(const char *s, const char *accept);
char *strrchr(const char *s, int c);
size_t strspn(const char *s, const char *accept);
char *strstr(const char *s, const char *part);
char *strtok(char *restrict s, const char *restrict separators);
char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest);

#endif
