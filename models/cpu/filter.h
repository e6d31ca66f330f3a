/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The filter in front of a model: what an access of this virtual CPU would not change.
 *
 * A direct-mapped table of lines whose load, or whose store, is a hit that leaves all states alone.
 * Only the virtual CPU itself looks lines up and counts; entries are written under the model's lock,
 * set by the CPU itself and cleared by whoever takes the line away. A concurrent look-up is ordered
 * before the change. So the usual access costs a comparison and an addition, no lock.
 */
#ifndef CPU_FILTER_H
#define CPU_FILTER_H

#include "cpu/cache.h"

#define CPU_FILTER_LINES	2048u
#define CPU_MAX_VCPUS		256

enum cpu_access { CPU_LOAD, CPU_STORE, CPU_FETCH, CPU_ACCESSES };

struct cpu_filter {
	uint64_t hits[CPU_ACCESSES];
	/* a line, or one that belongs into another entry */
	uint32_t data[CPU_FILTER_LINES][2];	/* [CPU_LOAD], [CPU_STORE] */
	uint32_t fetch[CPU_FILTER_LINES];
};

/*
 * A model that takes accesses. Lines are physical addresses / line size; all lines of the first
 * `size` bytes of physical memory concern it, no others.
 */
struct cpu_sink {
	unsigned int line_shift;
	uint64_t size;
	struct cpu_filter *filter[CPU_MAX_VCPUS];
	/* The model's, or NULL: a filter is there. */
	void (*added)(struct cpu_sink *sink, unsigned int vcpu);
	/* An access that the filter does not know, of a CPU whose filter is there. */
	void (*access)(struct cpu_sink *sink, unsigned int vcpu, enum cpu_access what,
		       uint32_t line);
};

static inline uint32_t *cpu_filter_entry(struct cpu_filter *f, enum cpu_access what, uint64_t line)
{
	unsigned int at = line & (CPU_FILTER_LINES - 1);

	return what == CPU_FETCH ? &f->fetch[at] : &f->data[at][what];
}

/*
 * What an entry holds that knows nothing: a line of another entry, far from it, because an access
 * that spans two lines looks into the entry of the first one for the second one.
 */
static inline uint32_t cpu_filter_nothing(uint32_t line)
{
	return (line & (CPU_FILTER_LINES - 1)) ^ CPU_FILTER_LINES / 2;
}

/*
 * True, and counted, if the access is a hit that changes nothing. first and last are the lines of
 * its first and its last byte; true only if they are the same. They may be any numbers, also some
 * that are no lines.
 */
static inline bool cpu_filter_hit_within(struct cpu_filter *f, enum cpu_access what, uint64_t first,
					 uint64_t last)
{
	if (__atomic_load_n(cpu_filter_entry(f, what, first), __ATOMIC_RELAXED) != last)
		return false;
	/* nobody else writes it, and this is one instruction */
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

/* What the virtual CPU has counted so far; for other threads. */
static inline uint64_t cpu_filter_hits(const struct cpu_filter *f, enum cpu_access what)
{
	return __atomic_load_n(&f->hits[what], __ATOMIC_RELAXED);
}

/* It knows nothing any more; its counts stay. */
void cpu_filter_forget(struct cpu_filter *f);
/* An empty filter for a virtual CPU of the sink, if it has none yet; NULL without memory. */
struct cpu_filter *cpu_sink_add(struct cpu_sink *sink, unsigned int vcpu);
/* Empties all filters; their counts stay. */
void cpu_sink_forget(struct cpu_sink *sink);
void cpu_sink_free(struct cpu_sink *sink);

#endif
