/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A filter in front of a model: it counts accesses that would not change the model's state.
 *
 * A direct-mapped table of lines whose load or store is a hit without a change of state. Only the
 * virtual CPU itself looks lines up and counts. Entries are written under the model's lock: the CPU
 * itself sets them, and any thread may clear them when it takes the line away. A concurrent look-up
 * is ordered before the change. The usual access thus costs a comparison and an addition, and no
 * lock.
 */
#ifndef CPU_FILTER_H
#define CPU_FILTER_H

#include "cpu/cache.h"

#define CPU_FILTER_LINES	2048u
#define CPU_MAX_VCPUS		256

enum cpu_access { CPU_LOAD, CPU_STORE, CPU_FETCH, CPU_ACCESSES };

struct cpu_filter {
	uint64_t hits[CPU_ACCESSES];
	/* a line; an unused entry holds a line of another entry */
	uint32_t data[CPU_FILTER_LINES][2];	/* [CPU_LOAD], [CPU_STORE] */
	uint32_t fetch[CPU_FILTER_LINES];
};

/*
 * A model that receives accesses. A line is a physical address / line size. The model gets the
 * lines of the first `size` bytes of physical memory and no others.
 */
struct cpu_sink {
	unsigned int line_shift;
	uint64_t size;
	struct cpu_filter *filter[CPU_MAX_VCPUS];
	/* the model sets it, or leaves it NULL: a virtual CPU has got its filter */
	void (*added)(struct cpu_sink *sink, unsigned int vcpu);
	/* An access that the CPU's filter does not know. The CPU has a filter. */
	void (*access)(struct cpu_sink *sink, unsigned int vcpu, enum cpu_access what,
		       uint32_t line);
};

static inline uint32_t *cpu_filter_entry(struct cpu_filter *f, enum cpu_access what, uint64_t line)
{
	unsigned int at = line & (CPU_FILTER_LINES - 1);

	return what == CPU_FETCH ? &f->fetch[at] : &f->data[at][what];
}

/*
 * The value of an unused entry: a line of another entry. It is a distant one, because an access
 * that spans two lines looks up the second line in the first one's entry.
 */
static inline uint32_t cpu_filter_nothing(uint32_t line)
{
	return (line & (CPU_FILTER_LINES - 1)) ^ CPU_FILTER_LINES / 2;
}

/*
 * True, and counted, if the access is a hit that changes nothing. first and last are the lines of
 * its first and last byte; the result is false if they differ. They need not be valid lines.
 */
static inline bool cpu_filter_hit_within(struct cpu_filter *f, enum cpu_access what, uint64_t first,
					 uint64_t last)
{
	if (__atomic_load_n(cpu_filter_entry(f, what, first), __ATOMIC_RELAXED) != last)
		return false;
	/* only this thread writes it, and the compiler makes one instruction of it */
	f->hits[what]++;
	return true;
}

static inline bool cpu_filter_hit(struct cpu_filter *f, enum cpu_access what, uint32_t line)
{
	return cpu_filter_hit_within(f, what, line, line);
}

static inline void cpu_filter_set(struct cpu_filter *f, enum cpu_access what, uint32_t line)
{
	__atomic_store_n(cpu_filter_entry(f, what, line), line, __ATOMIC_RELAXED);
}

static inline void cpu_filter_clear(struct cpu_filter *f, enum cpu_access what, uint32_t line)
{
	uint32_t *entry = cpu_filter_entry(f, what, line);

	if (__atomic_load_n(entry, __ATOMIC_RELAXED) == line)
		__atomic_store_n(entry, cpu_filter_nothing(line), __ATOMIC_RELAXED);
}

/* Hits counted so far; for other threads. */
static inline uint64_t cpu_filter_hits(const struct cpu_filter *f, enum cpu_access what)
{
	return __atomic_load_n(&f->hits[what], __ATOMIC_RELAXED);
}

/* Empties the filter and keeps its counts. */
void cpu_filter_forget(struct cpu_filter *f);
/* Adds an empty filter for a virtual CPU of the sink unless it has one. NULL: out of memory. */
struct cpu_filter *cpu_sink_add(struct cpu_sink *sink, unsigned int vcpu);
/* Empties all filters and keeps their counts. */
void cpu_sink_forget(struct cpu_sink *sink);
void cpu_sink_free(struct cpu_sink *sink);

#endif
