/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mon_hexagon.h - profiling metrics of a Hexagon core from its counters.
 *
 * The metrics are those of the article series "Build a Hexagon DSP profiler from scratch", part 7.
 * Each needs certain counters; the core has eight at a time, so that more are counted in passes:
 * one after the other, or taking turns. These functions plan passes and compute metrics; they count
 * nothing. hexagon-stat(1) shows how they are used with mon.h.
 *
 * A value is computed from one pass, never from several, and a value that cannot be is none. The
 * microseconds of a rate are the core's own: total_cycles / clock, counted in the same pass.
 *
 * With total_cycles = sum over n of CYCLES_n_THREAD_RUNNING, n = 1 to the number of threads:
 *
 *	hw_thread_concurrency	sum(n * CYCLES_n) / total_cycles	threads, 1 to threads
 *	pcpp			total_cycles / COMMITTED_PKT_ANY	cycles/packet, from C / threads on
 *	nt_pcpp[n]		CYCLES_n / COMMITTED_PKT_n		cycles/packet, from C / n on
 *	nt_load[n]		COMMITTED_PKT_n / COMMITTED_PKT_ANY	%, sum 100
 *	ipc			(COMMITTED_INSTS + 2 * COMMITTED_PKT_ENDLOOP) / total_cycles
 *							instructions/cycle, up to 6 * threads / C
 *	mips			the same numerator / microseconds	million instructions/s
 *	mpps			COMMITTED_PKT_ANY / microseconds	million packets/s
 *	mpps_hvx		HVX_PKT_THREAD / microseconds		million packets/s, up to mpps
 *	mpps_hmx		HMX_PKT_THREAD / microseconds		million packets/s, up to mpps
 *	packet_density		COMMITTED_INSTS / COMMITTED_PKT_ANY	instructions/packet, 1 to 4
 *
 * where C is the least number of cycles between two packets of one thread.
 *
 * Where the article and the manuals differ:
 *  - The article explains IPC as cycles per instruction; its formula is instructions per cycle, and
 *    so is ipc. It lists COMMITTED_PKT_ANY among IPC's counters, which the formula does not use.
 *  - COMMITTED_INSTS has no end-of-loop markers. The article adds twice the packets whose end loop
 *    was taken and gives no reason for the two; ipc and mips do as it says.
 *  - It says that COMMITTED_INSTS grows by 8 each cycle; the V73 manual says by up to 8.
 *  - HVX_PKT_THREAD and HMX_PKT_THREAD count all packets of threads that own the unit, not the
 *    packets with vector or matrix instructions. mpps_hvx and mpps_hmx inherit that.
 *
 * On the emulated core cycles are modelled (docs/hexagon-model.md): concurrency and the shares are
 * meaningful; pcpp, nt_pcpp and the rates say what the model assumes.
 */
#ifndef MON_HEXAGON_H
#define MON_HEXAGON_H

#include <stddef.h>
#include <stdint.h>

#include "mon.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MON_HEXAGON_THREADS_MAX 8
/* Counters of the core that count at a time. */
#define MON_HEXAGON_PASS_MAX 8

/* The counters that metrics use. A set of counters is a uint64_t with bit 1 << counter. */
enum mon_hexagon_counter {
	MON_HEXAGON_PKT_ANY,
	MON_HEXAGON_INSTS,
	MON_HEXAGON_ENDLOOP,
	MON_HEXAGON_HVX_PKT_THREAD,
	MON_HEXAGON_HMX_PKT_THREAD,
	MON_HEXAGON_CYCLES_1,	/* CYCLES_n_THREAD_RUNNING is MON_HEXAGON_CYCLES_1 + n - 1 */
	MON_HEXAGON_PKT_1 = MON_HEXAGON_CYCLES_1 + MON_HEXAGON_THREADS_MAX,
	MON_HEXAGON_COUNTERS = MON_HEXAGON_PKT_1 + MON_HEXAGON_THREADS_MAX,
};

/* A set of metrics is an unsigned int with bit 1 << metric. */
enum mon_hexagon_metric {
	MON_HEXAGON_CONCURRENCY,
	MON_HEXAGON_PCPP,
	MON_HEXAGON_NT_PCPP,	/* one value for each n */
	MON_HEXAGON_NT_LOAD,	/* one value for each n */
	MON_HEXAGON_IPC,
	MON_HEXAGON_MIPS,
	MON_HEXAGON_MPPS,
	MON_HEXAGON_MPPS_HVX,
	MON_HEXAGON_MPPS_HMX,
	MON_HEXAGON_DENSITY,
	MON_HEXAGON_METRICS,
};

struct mon_hexagon_core {
	unsigned int threads;	/* hardware threads, 1 to MON_HEXAGON_THREADS_MAX */
	unsigned int cycles;	/* least cycles between packets of a thread: caps/cycles_per_packet */
	double clock_hz;	/* caps/clock_hz */
};

/* The counts of one pass. */
struct mon_hexagon_pass {
	uint64_t counters;	/* set of those that are valid */
	uint64_t count[MON_HEXAGON_COUNTERS];
	double interval_us;	/* time for which the pass was enabled */
	double running_us;	/* time for which it counted; less than enabled if it took turns with others */
};

/* Why a value is unknown; the value is 0 then. */
enum mon_hexagon_unknown {
	MON_HEXAGON_KNOWN,
	MON_HEXAGON_NOT_COUNTED,	/* no pass has all its counters, or that pass never ran */
	MON_HEXAGON_UNDEFINED,		/* the divisor is 0 */
	MON_HEXAGON_IMPOSSIBLE,		/* outside the range above: the counters moved too little or too late */
};

struct mon_hexagon_value {
	double value;
	enum mon_hexagon_unknown unknown;
	double share;		/* share of the time, 0 to 1, in which its pass counted */
};

/**
 * @param metric A metric.
 * @return "hw_thread_concurrency" and the other names above; NULL: no such metric.
 */
MON_API const char *mon_hexagon_metric_name(enum mon_hexagon_metric metric);
/**
 * @param metric A metric.
 * @return "threads", "cycles/packet", "%" and so on; NULL: no such metric.
 */
MON_API const char *mon_hexagon_metric_unit(enum mon_hexagon_metric metric);
/**
 * @param counter A counter.
 * @return The event of the PMU hexagon, for example "committed_pkt_any"; NULL: no such counter.
 */
MON_API const char *mon_hexagon_counter_event(enum mon_hexagon_counter counter);

/**
 * @param metric A metric.
 * @param threads Hardware threads of the core, 1 to MON_HEXAGON_THREADS_MAX.
 * @return The set of counters that it needs; 0 if an argument is invalid.
 */
MON_API uint64_t mon_hexagon_metric_counters(enum mon_hexagon_metric metric, unsigned int threads);

/**
 * Plans the passes for a set of metrics. All counters of one value are in one pass, with COMMITTED_PKT_ANY where there
 * is room, so that passes can be compared. A value is left out if it needs a counter outside of available, or more than
 * MON_HEXAGON_PASS_MAX counters (values that use total_cycles on cores with more than 6 threads).
 * @param metrics A set of metrics.
 * @param threads Hardware threads of the core, 1 to MON_HEXAGON_THREADS_MAX.
 * @param available The set of counters that can be counted.
 * @param passes Gets sets of at most MON_HEXAGON_PASS_MAX counters.
 * @param max Number of elements of passes; 16 is always enough.
 * @return The number of passes; -1 with errno.
 * @error EINVAL threads is out of range.
 * @error ENOSPC max is too small.
 */
MON_API int mon_hexagon_plan(unsigned int metrics, unsigned int threads, uint64_t available,
			     uint64_t *passes, size_t max);

/**
 * Computes a metric from one pass: of those that have all its counters the one that counted longest.
 * @param core The core.
 * @param metric A metric.
 * @param n 1 to threads for nt_pcpp and nt_load; ignored otherwise.
 * @param passes The counts.
 * @param npasses Number of elements of passes.
 * @param value Gets the value, or why it is unknown.
 * @return 0; -1 with errno.
 * @error EINVAL No such metric, core or n.
 */
MON_API int mon_hexagon_compute(const struct mon_hexagon_core *core, enum mon_hexagon_metric metric,
				unsigned int n, const struct mon_hexagon_pass *passes, size_t npasses,
				struct mon_hexagon_value *value);

/**
 * How far two runs of the same program differ. Cycles are compared as total_cycles.
 * @param a The counts of one run.
 * @param b Those of the other one.
 * @param threads Hardware threads of the core.
 * @return The largest relative difference, 0 to 1, of a counter that both have; 0 if they have none in common.
 */
MON_API double mon_hexagon_difference(const struct mon_hexagon_pass *a,
				      const struct mon_hexagon_pass *b, unsigned int threads);

#ifdef __cplusplus
}
#endif

#endif
