/* SPDX-License-Identifier: MIT */
/* The log, which the host prints with dpu_log_read(). */
#ifndef DPU_CC_STDIO_H
#define DPU_CC_STDIO_H

#include <attributes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define EOF (-1)

/* Sets the log's size in MRAM, 1 MiB by default; once in a program. */
#define STDOUT_BUFFER_INIT(size) \
	uint8_t __mram_noinit __dma_aligned __stdout_buffer[size]; \
	uint32_t __stdout_buffer_size = (size);

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vprintf(const char *format, va_list args);
int puts(const char *text);
int putchar(int c);

#endif
