/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU module 0 of Merrifield: what the cores' accesses become behind their caches.
 *
 * The module's L2 is shared by all virtual CPUs, write-back, allocates on stores and contains the
 * L1 caches. It replaces in turn, so that a hit changes nothing but whether a line is dirty: the
 * L1 caches in front of it cannot change what reaches memory and are not modelled. A miss is a read
 * of a line, a dirty victim a write before it.
 *
 * Callers hold one lock around all calls; only the filters are used without.
 */
#ifndef CPU_MODULE0_H
#define CPU_MODULE0_H

#include <stddef.h>

#include "cpu/filter.h"

#define CPU_MODULE0_LINE	64u

/* Defaults: 1 MiB of 16 ways. */
struct cpu_module0_params {
	unsigned int bytes, ways;
};

void cpu_module0_params_init(struct cpu_module0_params *params);

struct cpu_module0 {
	struct cpu_sink sink;		/* sink.access is the user's */
	struct cpu_cache l2;
	uint8_t *dirty;			/* as l2.tag[] */
	uint64_t asked[CPU_ACCESSES];
	uint64_t misses, write_backs;
	/* 64-byte request to memory */
	void (*request)(void *opaque, bool write, uint64_t addr);
	void *opaque;
};

/* memory: bytes of physical memory that are cached. NULL and a message if that is not possible. */
struct cpu_module0 *cpu_module0_new(const struct cpu_module0_params *params, uint64_t memory,
				    void (*request)(void *opaque, bool write, uint64_t addr),
				    void *opaque, char *err, size_t err_len);
void cpu_module0_free(struct cpu_module0 *m);
/* An access to a line that the CPU's filter does not know. */
void cpu_module0_access(struct cpu_module0 *m, unsigned int vcpu, enum cpu_access what,
			uint32_t line);
/* Empties the cache without a word. */
void cpu_module0_forget(struct cpu_module0 *m);

#endif
