/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans the passes that count the metrics' counters. */
#include <errno.h>

#include "libmon/hexagon/hexagon.h"
#include "libmon/internal.h"

/* Upper bound of the number of values on the largest core. */
#define MAX_NEEDS (MON_HEXAGON_METRICS + 2 * MON_HEXAGON_THREADS_MAX)

static uint64_t all_cycles(unsigned int threads)
{
	uint64_t set = 0;

	for (unsigned int n = 1; n <= threads; n++)
		set |= BIT_OF(CYCLES_OF(n));
	return set;
}

uint64_t hexagon_value_counters(enum mon_hexagon_metric metric, unsigned int threads, unsigned int n)
{
	switch (metric) {
	case MON_HEXAGON_CONCURRENCY:
		return all_cycles(threads);
	case MON_HEXAGON_PCPP:
	case MON_HEXAGON_MPPS:
		return all_cycles(threads) | BIT_OF(MON_HEXAGON_PKT_ANY);
	case MON_HEXAGON_NT_PCPP:
		return BIT_OF(CYCLES_OF(n)) | BIT_OF(PACKETS_OF(n));
	case MON_HEXAGON_NT_LOAD:
		return BIT_OF(PACKETS_OF(n)) | BIT_OF(MON_HEXAGON_PKT_ANY);
	case MON_HEXAGON_IPC:
	case MON_HEXAGON_MIPS:
		return all_cycles(threads) | BIT_OF(MON_HEXAGON_INSTS) |
		       BIT_OF(MON_HEXAGON_ENDLOOP);
	/* PKT_ANY as well: these rates cannot exceed it */
	case MON_HEXAGON_MPPS_HVX:
		return all_cycles(threads) | BIT_OF(MON_HEXAGON_PKT_ANY) |
		       BIT_OF(MON_HEXAGON_HVX_PKT_THREAD);
	case MON_HEXAGON_MPPS_HMX:
		return all_cycles(threads) | BIT_OF(MON_HEXAGON_PKT_ANY) |
		       BIT_OF(MON_HEXAGON_HMX_PKT_THREAD);
	case MON_HEXAGON_DENSITY:
		return BIT_OF(MON_HEXAGON_INSTS) | BIT_OF(MON_HEXAGON_PKT_ANY);
	case MON_HEXAGON_METRICS:
		break;
	}
	return 0;
}

uint64_t mon_hexagon_metric_counters(enum mon_hexagon_metric metric, unsigned int threads)
{
	uint64_t set = 0;

	if ((unsigned int)metric >= MON_HEXAGON_METRICS || !threads ||
	    threads > MON_HEXAGON_THREADS_MAX)
		return 0;
	for (unsigned int n = 1; n <= threads; n++)
		set |= hexagon_value_counters(metric, threads, n);
	return set;
}

static unsigned int size_of(uint64_t set)
{
	return __builtin_popcountll(set);
}

/* Adds PKT_ANY unless the set is too large for a pass then. */
static uint64_t with_packets(uint64_t need)
{
	uint64_t more = need | BIT_OF(MON_HEXAGON_PKT_ANY);

	return size_of(more) <= MON_HEXAGON_PASS_MAX ? more : need;
}

/*
 * The sets that must be counted together: one for each value; one for all n of nt_load, whose sum
 * is 100 %, if they fit into a pass.
 */
static size_t list_needs(unsigned int metrics, unsigned int threads, uint64_t available,
			 uint64_t *needs)
{
	size_t count = 0;

	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
		uint64_t whole = mon_hexagon_metric_counters(metric, threads);

		if (!(metrics >> metric & 1) || whole & ~available)
			continue;
		if (size_of(whole) <= MON_HEXAGON_PASS_MAX) {
			needs[count++] = with_packets(whole);
			continue;
		}
		for (unsigned int n = 1; hexagon_per_n(metric) && n <= threads; n++)
			needs[count++] = with_packets(hexagon_value_counters(metric, threads, n));
	}
	return count;
}

/* Largest first: small sets fill the gaps. The sort is stable, so that equal input gives equal plans. */
static void sort_needs(uint64_t *needs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t need = needs[i];
		size_t j = i;

		for (; j && size_of(needs[j - 1]) < size_of(need); j--)
			needs[j] = needs[j - 1];
		needs[j] = need;
	}
}

static int plan_place(uint64_t need, uint64_t *passes, size_t max, int count)
{
	for (int i = 0; i < count; i++)
		if (!(need & ~passes[i]))
			return count;
	for (int i = 0; i < count; i++) {
		if (size_of(passes[i] | need) <= MON_HEXAGON_PASS_MAX) {
			passes[i] |= need;
			return count;
		}
	}
	if ((size_t)count == max)
		return -1;
	passes[count++] = need;
	return count;
}

int mon_hexagon_plan(unsigned int metrics, unsigned int threads, uint64_t available,
		     uint64_t *passes, size_t max)
{
	uint64_t needs[MAX_NEEDS];
	size_t count;
	int npasses = 0;

	if (!threads || threads > MON_HEXAGON_THREADS_MAX) {
		mon_fail(EINVAL, "%u threads: a Hexagon core has 1 to %d", threads,
			 MON_HEXAGON_THREADS_MAX);
		return -1;
	}
	count = list_needs(metrics, threads, available, needs);
	sort_needs(needs, count);
	for (size_t i = 0; i < count; i++) {
		npasses = plan_place(needs[i], passes, max, npasses);
		if (npasses < 0) {
			mon_fail(ENOSPC, "the metrics need more than %zu passes: give room for 16",
				 max);
			return -1;
		}
	}
	return npasses;
}
