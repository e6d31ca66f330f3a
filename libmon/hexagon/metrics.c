/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Computes the metrics of Qualcomm's article from counts. */
#include <errno.h>
#include <math.h>

#include "libmon/hexagon/hexagon.h"
#include "libmon/internal.h"

/* A packet has four slots; a duplex is two instructions in two slots. */
#define INSTS_MAX 4
/* rounding of double arithmetic */
#define ROUNDING 1e-9

/* Possible values of a ratio. */
struct range {
	double low, high;
};

/* Of the passes that have all these counters the one that ran longest, or NULL. */
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

static double total_cycles(const struct mon_hexagon_pass *pass, unsigned int threads)
{
	double sum = 0;

	for (unsigned int n = 1; n <= threads; n++)
		sum += pass->count[CYCLES_OF(n)];
	return sum;
}

static double weighted_cycles(const struct mon_hexagon_pass *pass, unsigned int threads)
{
	double sum = 0;

	for (unsigned int n = 1; n <= threads; n++)
		sum += (double)n * pass->count[CYCLES_OF(n)];
	return sum;
}

static double metrics_instructions(const struct mon_hexagon_pass *pass)
{
	return pass->count[MON_HEXAGON_INSTS] + 2.0 * pass->count[MON_HEXAGON_ENDLOOP];
}

static void divide(struct mon_hexagon_value *value, double dividend, double divisor,
		   struct range range)
{
	double ratio = dividend / divisor;

	if (divisor == 0)
		value->unknown = MON_HEXAGON_UNDEFINED;
	else if (ratio < range.low * (1 - ROUNDING) || ratio > range.high * (1 + ROUNDING))
		value->unknown = MON_HEXAGON_IMPOSSIBLE;
	else
		value->value = ratio;
}

static void evaluate(struct mon_hexagon_value *value, const struct mon_hexagon_core *core,
		     enum mon_hexagon_metric metric, unsigned int n,
		     const struct mon_hexagon_pass *pass)
{
	const uint64_t *count = pass->count;
	double cycles = total_cycles(pass, core->threads);
	double mhz = core->clock_hz / 1e6;
	/* upper bounds per cycle; the formula adds two instructions per end of loop */
	double packets = (double)core->threads / core->cycles;
	double instructions = (INSTS_MAX + 2) * packets;
	double hvx = count[MON_HEXAGON_HVX_PKT_THREAD], hmx = count[MON_HEXAGON_HMX_PKT_THREAD];
	double any = count[MON_HEXAGON_PKT_ANY];
	struct range part = { 0, (any < packets * cycles ? any / cycles : packets) * mhz };

	switch (metric) {
	case MON_HEXAGON_CONCURRENCY:
		divide(value, weighted_cycles(pass, core->threads), cycles,
		       (struct range){ 1, core->threads });
		break;
	case MON_HEXAGON_PCPP:
		divide(value, cycles, any, (struct range){ 1 / packets, INFINITY });
		break;
	case MON_HEXAGON_NT_PCPP:
		divide(value, count[CYCLES_OF(n)], count[PACKETS_OF(n)],
		       (struct range){ (double)core->cycles / n, INFINITY });
		break;
	case MON_HEXAGON_NT_LOAD:
		divide(value, 100.0 * count[PACKETS_OF(n)], any, (struct range){ 0, 100 });
		break;
	case MON_HEXAGON_IPC:
		divide(value, metrics_instructions(pass), cycles, (struct range){ 0, instructions });
		break;
	case MON_HEXAGON_MIPS:
		divide(value, metrics_instructions(pass) * mhz, cycles,
		       (struct range){ 0, instructions * mhz });
		break;
	case MON_HEXAGON_MPPS:
		divide(value, any * mhz, cycles, (struct range){ 0, packets * mhz });
		break;
	case MON_HEXAGON_MPPS_HVX:
		divide(value, hvx * mhz, cycles, part);
		break;
	case MON_HEXAGON_MPPS_HMX:
		divide(value, hmx * mhz, cycles, part);
		break;
	case MON_HEXAGON_DENSITY:
		divide(value, count[MON_HEXAGON_INSTS], any, (struct range){ 1, INSTS_MAX });
		break;
	case MON_HEXAGON_METRICS:
		break;
	}
}

int mon_hexagon_compute(const struct mon_hexagon_core *core, enum mon_hexagon_metric metric,
			unsigned int n, const struct mon_hexagon_pass *passes, size_t npasses,
			struct mon_hexagon_value *value)
{
	const struct mon_hexagon_pass *pass;
	uint64_t counters;

	if ((unsigned int)metric >= MON_HEXAGON_METRICS || !core->threads || !core->cycles ||
	    core->threads > MON_HEXAGON_THREADS_MAX ||
	    (hexagon_per_n(metric) && (!n || n > core->threads))) {
		mon_fail(EINVAL, "metric %d for %u of %u threads: there is no such value", metric, n,
			 core->threads);
		return -1;
	}
	/* prefer one pass for all loads: two runs of a program may differ by a packet */
	counters = mon_hexagon_metric_counters(metric, core->threads);
	if (metric != MON_HEXAGON_NT_LOAD || !best_pass(passes, npasses, counters))
		counters = hexagon_value_counters(metric, core->threads, n);
	pass = best_pass(passes, npasses, counters);
	*value = (struct mon_hexagon_value){ .unknown = MON_HEXAGON_NOT_COUNTED };
	if (!pass)
		return 0;
	value->unknown = MON_HEXAGON_KNOWN;
	value->share = pass->running_us < pass->interval_us ? pass->running_us / pass->interval_us : 1;
	evaluate(value, core, metric, n, pass);
	return 0;
}

static void widen(double *difference, double a, double b)
{
	double large = a > b ? a : b, small = a > b ? b : a;

	if (large > small && 1 - small / large > *difference)
		*difference = 1 - small / large;
}

double mon_hexagon_difference(const struct mon_hexagon_pass *a, const struct mon_hexagon_pass *b,
			      unsigned int threads)
{
	uint64_t cycles = mon_hexagon_metric_counters(MON_HEXAGON_CONCURRENCY, threads);
	uint64_t common = a->counters & b->counters;
	double difference = 0;

	if (cycles && !(cycles & ~common))
		widen(&difference, total_cycles(a, threads), total_cycles(b, threads));
	for (unsigned int i = 0; i < MON_HEXAGON_CYCLES_1; i++)
		if (common >> i & 1)
			widen(&difference, a->count[i], b->count[i]);
	return difference;
}
