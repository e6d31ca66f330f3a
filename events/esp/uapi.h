/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Interface of /dev/contig_alloc and of the accelerators' device files, as ESP's own drivers define
 * it.
 *
 * Programs built for ESP's drivers work with these, and the other way round. Layouts and ioctl
 * numbers are those of a 64-bit little-endian machine (RISC-V, x86-64).
 *
 * The kernel module esp_accel and the user library include this file; programs also include a
 * header for each accelerator, libmon/esp/include/<name>.h.
 */
#ifndef ESP_ACCEL_UAPI_H
#define ESP_ACCEL_UAPI_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/ioctl.h>
#include <linux/types.h>
#else
#include <linux/types.h>
#include <sys/ioctl.h>
#ifndef __user
#define __user
#endif
#endif

/*
 * A buffer of physical chunks. The value is a number of the kernel, cast to a pointer. It is valid
 * only in the process that allocated the buffer, and never used as an address.
 */
struct contig_khandle_struct {
	char unused;
};

/* Placement of a buffer's chunks; memory tiles are numbered in row-major order. */
enum contig_alloc_policy {
	CONTIG_ALLOC_PREFERRED,		/* any free chunks, from ddr_node on */
	CONTIG_ALLOC_LEAST_LOADED,	/* all on the memory tile with the fewest chunks in use */
	CONTIG_ALLOC_BALANCED,		/* cluster_size chunks on each memory tile in turn */
};

struct contig_alloc_preferred {
	int ddr_node;
};

/*
 * threshold: penalty of memory tile 0, which also serves the processors. It is chosen only if it
 * has at least threshold + 1 chunks fewer in use than every other tile.
 */
struct contig_alloc_least_loaded {
	unsigned int threshold;
};

struct contig_alloc_balanced {
	unsigned int threshold;
	unsigned int cluster_size;
};

struct contig_alloc_params {
	enum contig_alloc_policy policy;
	union {
		struct contig_alloc_preferred first;
		struct contig_alloc_least_loaded lloaded;
		struct contig_alloc_balanced balanced;
	} pol;
};

struct contig_alloc_req {
	struct contig_khandle_struct *khandle;	/* out */
	struct contig_alloc_params params;
	unsigned long size;		/* bytes */
	unsigned long __user *arr;	/* room for n_max bus addresses of chunks; out */
	void __user *mm;		/* not used by the kernel */
	unsigned int n;			/* chunks, out */
	int most_allocated;		/* memory tile that holds most of them; out */
	unsigned int n_max;
};

#define CONTIG_IOC_ALLOC	_IOWR('1', 0, struct contig_alloc_req)
#define CONTIG_IOC_FREE		_IOR('1', 1, struct contig_khandle_struct *)
#define CONTIG_IOC_CHUNK_LOG	_IOW('1', 2, unsigned long)

enum accelerator_coherence {
	ACC_COH_NONE,		/* bypasses the caches; they are flushed first */
	ACC_COH_LLC,		/* coherent with the LLC; private caches are flushed first */
	ACC_COH_RECALL,		/* the LLC recalls lines from private caches */
	ACC_COH_FULL,		/* through the private L2 of the accelerator's tile */
	ACC_COH_AUTO,		/* the driver chooses, by footprint and reuse_factor */
};

/* First member of the argument of every accelerator's access ioctl. */
struct esp_access {
	struct contig_khandle_struct *contig;
	__u8 run;			/* start and wait; else only store for ESP_IOC_RUN */
	__u8 p2p_store;		/* output goes to another accelerator */
	__u8 p2p_nsrcs;		/* number of accelerators that the input comes from */
	char p2p_srcs[4][64];		/* their device names, for example fft_stratus.0 */
	__u8 p2p_mcast_dests;	/* more than 1 is not supported (EOPNOTSUPP) */
	__u8 ndev_yx_table;		/* not supported (EOPNOTSUPP) unless 0 */
	char acc_yx_table[14][64];
	enum accelerator_coherence coherence;
	unsigned int footprint;		/* bytes, for ACC_COH_AUTO; 0: the size of the buffer */
	enum contig_alloc_policy alloc_policy;
	unsigned int ddr_node;
	unsigned int in_place;
	unsigned int reuse_factor;
};

/*
 * Sources of later runs of this open file (p2p_srcs): descriptors of their device files, open for
 * writing, on the same SoC. This ioctl is an extension of ESP's interface. A run may also name an
 * accelerator without a descriptor: it then waits until that one runs with p2p_store for the same
 * user. EBADF: not such a file; EXDEV: of another SoC.
 */
struct esp_sources {
	__u32 n;
	__s32 fd[4];
};

#define ESP_IOC_SOURCES	_IOW('E', 2, struct esp_sources)
#define ESP_IOC_RUN	_IO('E', 0)	/* the run that the last access ioctl described */
#define ESP_IOC_FLUSH	_IO('E', 1)	/* flushes caches for that run's coherence mode */

#endif
