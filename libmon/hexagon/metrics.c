/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "libmon/hexagon/hexagon.h"
#include "libmon/internal.h"

/* Counters of one value, already scaled. */
struct counted {
	double count[MON_HEXAGON_COUNTERS];
	double interval_us;
	unsigned int flags;
};

/* The pass that has all of these counters and ran longest, or NULL. */
static const struct mon_hexagon_pass *best_pass(const struct mon_hexagon_pass *passes, size_t npasses,
						uint64_t counters)
{
	const struct mon_hexagon_pass *best = NULL;

	for (size_t i = 0; i < npasses; i++)
		if (!(counters & ~passes[i].counters) && passes[i].running_us > 0 &&
		    (!best || passes[i].running_us > best->running_us))
			best = &passes[i];
	return best;
}

static void metrics_take(struct counted *all, const struct mon_hexagon_pass *pass,
			 uint64_t counters)
{
	double factor = 1;

	if (pass->running_us < pass->interval_us) {
		factor = pass->interval_us / pass->running_us;
		all->flags |= MON_HEXAGON_SCALED;
	}
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		if (counters >> i & 1)
			all->count[i] = pass->count[i] * factor;
}

static void collect(struct counted *all, const struct mon_hexagon_pass *passes, size_t npasses,
		    uint64_t counters)
{
	const struct mon_hexagon_pass *pass = best_pass(passes, npasses, counters);
	bool first = true;

	*all = (struct counted){ 0 };
	if (pass) {
		metrics_take(all, pass, counters);
		all->interval_us = pass->interval_us;
		return;
	}
	all->flags = MON_HEXAGON_MIXED;
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++) {
		if (!(counters >> i & 1))
			continue;
		pass = best_pass(passes, npasses, BIT_OF(i));
		if (!pass) {
			all->flags = MON_HEXAGON_NOT_COUNTED;
			return;
		}
		metrics_take(all, pass, BIT_OF(i));
		if (first)
			all->interval_us = pass->interval_us;
		first = false;
	}
}

static double total_cycles(const struct counted *all, unsigned int threads)
{
	double sum = 0;

	for (unsigned int n = 1; n <= threads; n++)
		sum += all->count[CYCLES_OF(n)];
	return sum;
}

static double weighted_cycles(const struct counted *all, unsigned int threads)
{
	double sum = 0;

	for (unsigned int n = 1; n <= threads; n++)
		sum += n * all->count[CYCLES_OF(n)];
	return sum;
}

static double metrics_instructions(const struct counted *all)
{
	return all->count[MON_HEXAGON_INSTS] + 2 * all->count[MON_HEXAGON_ENDLOOP];
}

static struct mon_hexagon_value divide(double dividend, double divisor, unsigned int flags)
{
	if (divisor == 0)
		return (struct mon_hexagon_value){ 0, flags | MON_HEXAGON_UNDEFINED };
	return (struct mon_hexagon_value){ dividend / divisor, flags };
}

static struct mon_hexagon_value evaluate(enum mon_hexagon_metric metric, unsigned int threads,
					 unsigned int n, const struct counted *all)
{
	const double *count = all->count;
	unsigned int flags = all->flags;

	switch (metric) {
	case MON_HEXAGON_CONCURRENCY:
		return divide(weighted_cycles(all, threads), total_cycles(all, threads), flags);
	case MON_HEXAGON_PCPP:
		return divide(total_cycles(all, threads), count[MON_HEXAGON_PKT_ANY], flags);
	case MON_HEXAGON_NT_PCPP:
		return divide(count[CYCLES_OF(n)], count[PACKETS_OF(n)], flags);
	case MON_HEXAGON_NT_LOAD:
		return divide(100 * count[PACKETS_OF(n)], count[MON_HEXAGON_PKT_ANY], flags);
	case MON_HEXAGON_IPC:
		return divide(metrics_instructions(all), total_cycles(all, threads), flags);
	case MON_HEXAGON_MIPS:
		return divide(metrics_instructions(all), all->interval_us, flags);
	case MON_HEXAGON_MPPS:
		return divide(count[MON_HEXAGON_PKT_ANY], all->interval_us, flags);
	case MON_HEXAGON_MPPS_HVX:
		return divide(count[MON_HEXAGON_HVX_PKT_THREAD], all->interval_us, flags);
	case MON_HEXAGON_MPPS_HMX:
		return divide(count[MON_HEXAGON_HMX_PKT_THREAD], all->interval_us, flags);
	case MON_HEXAGON_DENSITY:
		return divide(count[MON_HEXAGON_INSTS], count[MON_HEXAGON_PKT_ANY], flags);
	case MON_HEXAGON_METRICS:
		break;
	}
	return (struct mon_hexagon_value){ 0, MON_HEXAGON_NOT_COUNTED };
}

int mon_hexagon_compute(enum mon_hexagon_metric metric, unsigned int threads, unsigned int n,
			const struct mon_hexagon_pass *passes, size_t npasses,
			struct mon_hexagon_value *value)
{
	struct counted all;
	uint64_t counters;

	if ((unsigned int)metric >= MON_HEXAGON_METRICS || !threads ||
	    threads > MON_HEXAGON_THREADS_MAX || (hexagon_per_n(metric) && (!n || n > threads))) {
		mon_fail(EINVAL, "metric %d for %u of %u threads: there is no such value", metric, n,
			 threads);
		return -1;
	}
	/* all loads from one pass if there is one: another run of a program may differ by a packet */
	counters = mon_hexagon_metric_counters(metric, threads);
	if (metric != MON_HEXAGON_NT_LOAD || !best_pass(passes, npasses, counters))
		counters = hexagon_value_counters(metric, threads, n);
	collect(&all, passes, npasses, counters);
	if (all.flags & MON_HEXAGON_NOT_COUNTED)
		*value = (struct mon_hexagon_value){ 0, MON_HEXAGON_NOT_COUNTED };
	else
		*value = evaluate(metric, threads, n, &all);
	return 0;
}
