/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of metrics and counters. */
#include "mon_hexagon.h"

#include "libmon/hexagon/hexagon.h"

static const struct {
	const char *name;
	const char *unit;
} metrics[MON_HEXAGON_METRICS] = {
	[MON_HEXAGON_CONCURRENCY] = { "hw_thread_concurrency", "threads" },
	[MON_HEXAGON_PCPP] = { "pcpp", "cycles/packet" },
	[MON_HEXAGON_NT_PCPP] = { "nt_pcpp", "cycles/packet" },
	[MON_HEXAGON_NT_LOAD] = { "nt_load", "%" },
	[MON_HEXAGON_IPC] = { "ipc", "instructions/cycle" },
	[MON_HEXAGON_MIPS] = { "mips", "million instructions/s" },
	[MON_HEXAGON_MPPS] = { "mpps", "million packets/s" },
	[MON_HEXAGON_MPPS_HVX] = { "mpps_hvx", "million packets/s" },
	[MON_HEXAGON_MPPS_HMX] = { "mpps_hmx", "million packets/s" },
	[MON_HEXAGON_DENSITY] = { "packet_density", "instructions/packet" },
};

/* A misspelt name does not compile. */
enum {
#define MON_EVENT(name, ...) event_##name,
#define HEXAGON_V65_EVENT(...)
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

#define COUNTER(counter, event) [counter] = { #event, event_##event }
#define OF_THREADS(n) \
	COUNTER(CYCLES_OF(n), cycles_##n##_thread_running), \
	COUNTER(PACKETS_OF(n), committed_pkt_##n##_thread_running)

static const struct {
	const char *event;
	int exists;
} counters[MON_HEXAGON_COUNTERS] = {
	COUNTER(MON_HEXAGON_PKT_ANY, committed_pkt_any),
	COUNTER(MON_HEXAGON_INSTS, committed_insts),
	COUNTER(MON_HEXAGON_ENDLOOP, committed_pkt_endloop),
	COUNTER(MON_HEXAGON_HVX_PKT_THREAD, hvx_pkt_thread),
	COUNTER(MON_HEXAGON_HMX_PKT_THREAD, hmx_pkt_thread),
	OF_THREADS(1),
	OF_THREADS(2),
	OF_THREADS(3),
	OF_THREADS(4),
	OF_THREADS(5),
	OF_THREADS(6),
	OF_THREADS(7),
	OF_THREADS(8),
};

const char *mon_hexagon_metric_name(enum mon_hexagon_metric metric)
{
	return (unsigned int)metric < MON_HEXAGON_METRICS ? metrics[metric].name : NULL;
}

const char *mon_hexagon_metric_unit(enum mon_hexagon_metric metric)
{
	return (unsigned int)metric < MON_HEXAGON_METRICS ? metrics[metric].unit : NULL;
}

const char *mon_hexagon_counter_event(enum mon_hexagon_counter counter)
{
	return (unsigned int)counter < MON_HEXAGON_COUNTERS ? counters[counter].event : NULL;
}
