/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU module 0 of Merrifield: turns the cores' accesses into the requests that reach memory.
 *
 * All virtual CPUs share the module's L2, which is write-back, allocates on stores and includes the
 * L1 caches. It replaces lines in FIFO order, so a hit changes only the dirty bit. L1 caches
 * therefore cannot change what reaches memory, and they are not modelled. A miss is a read of a
 * line; if it evicts a dirty line, a write comes first.
 *
 * Callers hold one lock around all calls; only the filters work without it.
 */
#ifndef MRFLD_MODULE0_H
#define MRFLD_MODULE0_H

#include <stddef.h>

#include "cpu/filter.h"

#define CPU_MODULE0_LINE	64u

/* Defaults: 1 MiB of 16 ways. */
struct cpu_module0_params {
	unsigned int bytes, ways;
};

void cpu_module0_params_init(struct cpu_module0_params *params);

struct cpu_module0 {
	struct cpu_sink sink;		/* the user sets sink.access */
	struct cpu_cache l2;
	uint8_t *dirty;			/* index as in l2.tag[] */
	uint64_t asked[CPU_ACCESSES];
	uint64_t misses, write_backs;
	/* 64-byte request to memory */
	void (*request)(void *opaque, bool write, uint64_t addr);
	void *opaque;
};

/* memory: bytes of physical memory that are cached. NULL and a message if a parameter is impossible. */
struct cpu_module0 *cpu_module0_new(const struct cpu_module0_params *params, uint64_t memory,
				    void (*request)(void *opaque, bool write, uint64_t addr),
				    void *opaque, char *err, size_t err_len);
void cpu_module0_free(struct cpu_module0 *m);
/* An access to a line that the CPU's filter does not know. */
void cpu_module0_access(struct cpu_module0 *m, unsigned int vcpu, enum cpu_access what,
			uint32_t line);
/* Empties the cache without write-backs. */
void cpu_module0_forget(struct cpu_module0 *m);

#endif
