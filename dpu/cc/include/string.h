/* SPDX-License-Identifier: MIT */
/* Strings and memory. */
#ifndef DPU_CC_STRING_H
#define DPU_CC_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *in, int c, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t max);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strchr(const char *in, int c);
char *strrchr(const char *in, int c);
char *strstr(const char *in, const char *what);
size_t strspn(const char *text, const char *of);
size_t strcspn(const char *text, const char *of);

#endif
