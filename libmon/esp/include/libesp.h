/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libesp.h - runs accelerators of an ESP SoC; source compatible with ESP's own library.
 *
 * Differences from ESP's library: functions that return nothing there return 0 here, or an error as in mon.h where
 * ESP's end the program. Times are not printed; hw_ns has the duration of a run. Programs for ESP ignore return
 * values, so libmon-esp, unlike libmon, prints errors: each sentence of mon_error() once on standard error.
 * LIBMON_QUIET=1 in the environment turns that off.
 *
 * Threads may call any function at any time. Do not free a buffer while it is in use.
 */
#ifndef LIBESP_H
#define LIBESP_H

/* ESP's header includes these, and its programs rely on it. */
#include <assert.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "contig.h"
#include "esp.h"
#include "fixed_point.h"
#include "mon.h"
#include "my_stringify.h"
#include "test/test.h"
#include "test/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of `size` bytes in one beat of an accelerator's DMA; a beat is as wide as a pointer. */
static inline unsigned int DMA_WORD_PER_BEAT(unsigned int size)
{
	return sizeof(void *) / size;
}

/* One accelerator and its job. */
typedef struct esp_accelerator_thread_info {
	bool run;			/* false: skip this entry */
	char *devname;			/* for example "fft_stratus.0" */
	void *hw_buf;			/* from esp_alloc() */
	int ioctl_req;			/* for example FFT_STRATUS_IOC_ACCESS */
	/*
	 * Argument of that ioctl, as its first member. The library sets contig, ddr_node,
	 * alloc_policy and run.
	 */
	struct esp_access *esp_desc;
	int fd;				/* the library opens and closes it */
	unsigned long long hw_ns;	/* set by the library: duration of the ioctl in nanoseconds */
} esp_thread_info_t;

/*
 * Allocates a buffer that accelerators can use, in whole chunks (1 MiB unless the module esp_accel
 * has another chunk_log), zeroed and mapped. NULL: ENOMEM; ENOENT: no /dev/contig_alloc; EACCES.
 */
MON_API void *esp_alloc(size_t size);
/* The same, with a policy that chooses the memory tile. */
MON_API void *esp_alloc_policy(struct contig_alloc_params params, size_t size);
/* EINVAL: buf is not a buffer of esp_alloc(). NULL is allowed. */
MON_API int esp_free(void *buf);

/*
 * Runs nacc accelerators concurrently and waits for all. If one of them exchanges data with another
 * (p2p), cfg must contain both.
 */
MON_API int esp_run(esp_thread_info_t cfg[], unsigned int nacc);
/*
 * Runs nthreads chains concurrently. Chain i runs the nacc[i] entries of cfg[i] one after the
 * other, or concurrently if its first one uses p2p.
 */
MON_API int esp_run_parallel(esp_thread_info_t *cfg[], unsigned int nthreads, unsigned int *nacc);

#ifdef __cplusplus
}
#endif
#endif
