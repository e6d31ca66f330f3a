/* SPDX-License-Identifier: MIT */
#ifndef UNISTD_H
#define UNISTD_H

#include <stddef.h>

#define STDOUT_FILENO 1
#define STDERR_FILENO 2

typedef int ssize_t;

_Noreturn void _exit(int status);
ssize_t write(int fd, const void *data, size_t size);
int usleep(unsigned int us);
unsigned int sleep(unsigned int seconds);

#endif
