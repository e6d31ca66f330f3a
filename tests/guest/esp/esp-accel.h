/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of esp_accel's user interface: files, buffers, and runs of an FFT. */
#ifndef TESTS_GUEST_ESP_ACCEL_H
#define TESTS_GUEST_ESP_ACCEL_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "examples/esp/fft.h"
#include "events/esp/accelerators.h"
#include "libmon/esp/include/dummy_stratus.h"
#include "libmon/esp/include/fft_stratus.h"

#define CHUNK (1u << 20)

struct buffer {
	struct contig_alloc_req req;
	unsigned long arr[64];
	int32_t *map;
};

extern int contig, acc;		/* the open files */
extern int32_t input[2 << ESP_FFT_LOG_LEN_MOST];

void setup(void);
void teardown(void);
/* 0 or an error */
int try_alloc(struct buffer *b, size_t size, enum contig_alloc_policy policy, int node);
void *map(const struct buffer *b, size_t size, int flags);
/* Both, which must work. */
void alloc(struct buffer *b, size_t size);
int release(const struct buffer *b);
struct fft_stratus_access fft_of(const struct buffer *b, unsigned int log_len);
int run(int fd, struct fft_stratus_access *access);
/* The transform of the input is at byte dst. */
void expect_fft(const struct buffer *b, unsigned int dst, unsigned int log_len);
void set_timeout(const char *ms);

/* esp-accel-end.c: runs that wait for others or do not end. */
void add_tests_of_ends(TCase *tcase);

#endif
