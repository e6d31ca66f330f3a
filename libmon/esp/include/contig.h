/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * contig.h - buffers of chunks for accelerators, source compatible with ESP's libcontig.
 *
 * esp_alloc() (libesp.h) makes the same buffers; its handle is the address.
 *
 * Errors as in mon.h. Where ESP's library ends the program, these functions return; mon_error() and standard error
 * (libesp.h) give the reason.
 */
#ifndef CONTIG_H
#define CONTIG_H

#include <inttypes.h>

#include "contig_alloc.h"
#include "mon.h"

#ifdef __cplusplus
extern "C" {
#endif

struct contig_handle_struct;
typedef struct contig_handle_struct *contig_handle_t;

/*
 * Allocates a buffer of whole chunks (1 MiB unless the module esp_accel has another chunk_log),
 * zeroed and mapped; its handle is in *handle. NULL: ENOMEM; ENOENT: no /dev/contig_alloc; EACCES.
 */
MON_API void *contig_alloc(unsigned long size, contig_handle_t *handle);
/* The same, with a policy that chooses the memory tile. */
MON_API void *contig_alloc_policy(struct contig_alloc_params params, unsigned long size,
				  contig_handle_t *handle);
MON_API void contig_free(contig_handle_t handle);
/* The kernel's handle of the buffer, for esp_access.contig. */
MON_API contig_khandle_t contig_to_khandle(contig_handle_t handle);
/* The memory tile that holds most chunks of the buffer. */
MON_API int contig_to_most_allocated(contig_handle_t handle);
/* Writes outside the buffer are ignored; reads return 0. */
MON_API void contig_copy_to(contig_handle_t handle, unsigned long offset, void *from,
			    unsigned long size);
MON_API void contig_copy_from(void *to, contig_handle_t handle, unsigned long offset,
			      unsigned long size);

#define LIBMON_CONTIG_ACCESS(bits)								\
static inline uint##bits##_t contig_read##bits(contig_handle_t handle, unsigned long offset)	\
{												\
	uint##bits##_t value;									\
												\
	contig_copy_from(&value, handle, offset, sizeof(value));				\
	return value;										\
}												\
static inline void contig_write##bits(uint##bits##_t value, contig_handle_t handle,		\
				      unsigned long offset)					\
{												\
	contig_copy_to(handle, offset, &value, sizeof(value));					\
}

/* contig_read8(handle, offset), contig_write8(value, handle, offset) and so on; offset in bytes */
LIBMON_CONTIG_ACCESS(8)
LIBMON_CONTIG_ACCESS(16)
LIBMON_CONTIG_ACCESS(32)
LIBMON_CONTIG_ACCESS(64)
#undef LIBMON_CONTIG_ACCESS

#ifdef __cplusplus
}
#endif
#endif
