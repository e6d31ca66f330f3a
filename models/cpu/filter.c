/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters of virtual CPUs: creation and clearing. */
#include "cpu/filter.h"

#include <stdlib.h>

void cpu_filter_forget(struct cpu_filter *f)
{
	unsigned int i;

	for (i = 0; i < CPU_FILTER_LINES; i++) {
		uint32_t nothing = cpu_filter_nothing(i);

		__atomic_store_n(&f->data[i][CPU_LOAD], nothing, __ATOMIC_RELAXED);
		__atomic_store_n(&f->data[i][CPU_STORE], nothing, __ATOMIC_RELAXED);
		__atomic_store_n(&f->fetch[i], nothing, __ATOMIC_RELAXED);
	}
}

struct cpu_filter *cpu_sink_add(struct cpu_sink *sink, unsigned int vcpu)
{
	struct cpu_filter *f;

	if (vcpu >= CPU_MAX_VCPUS)
		return NULL;
	if (sink->filter[vcpu])
		return sink->filter[vcpu];
	f = aligned_alloc(64, (sizeof(*f) + 63) / 64 * 64);
	if (!f)
		return NULL;
	*f = (struct cpu_filter){ 0 };
	cpu_filter_forget(f);
	sink->filter[vcpu] = f;
	if (sink->added)
		sink->added(sink, vcpu);
	return f;
}

void cpu_sink_forget(struct cpu_sink *sink)
{
	unsigned int i;

	for (i = 0; i < CPU_MAX_VCPUS; i++) {
		if (sink->filter[i])
			cpu_filter_forget(sink->filter[i]);
	}
}

void cpu_sink_free(struct cpu_sink *sink)
{
	unsigned int i;

	for (i = 0; i < CPU_MAX_VCPUS; i++)
		free(sink->filter[i]);
}
