/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recorder of accesses.
 *
 * The file has one 64-bit word for each access, in the host's byte order and in the order in which
 * the virtual CPUs made them: physical address in bits 0 to 47, virtual CPU in 48 to 55, enum
 * cpu_access in 56 to 57. An access that spans two lines is two words.
 */
#ifndef CPU_TRACE_H
#define CPU_TRACE_H

#include "cpu/filter.h"

struct cpu_trace;

static inline uint64_t cpu_trace_word(unsigned int vcpu, enum cpu_access what, uint64_t addr)
{
	return addr | (uint64_t)vcpu << 48 | (uint64_t)what << 56;
}

#define CPU_TRACE_ADDR(word)	((word) & 0xffffffffffffu)
#define CPU_TRACE_VCPU(word)	((unsigned int)((word) >> 48 & 0xff))
#define CPU_TRACE_WHAT(word)	((enum cpu_access)((word) >> 56 & 3))

/* NULL and errno if the file cannot be written. */
struct cpu_trace *cpu_trace_create(const char *path);
/* From any thread. A full disk ends the recording with a message. */
void cpu_trace_add(struct cpu_trace *trace, unsigned int vcpu, enum cpu_access what,
		   uint64_t addr);
/* Later accesses are dropped. */
void cpu_trace_close(struct cpu_trace *trace);

#endif
