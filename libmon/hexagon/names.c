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

#define EVENT(name) ((void)event_##name, #name)

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
	switch ((unsigned int)counter) {
	case MON_HEXAGON_PKT_ANY:
		return EVENT(committed_pkt_any);
	case MON_HEXAGON_INSTS:
		return EVENT(committed_insts);
	case MON_HEXAGON_ENDLOOP:
		return EVENT(committed_pkt_endloop);
	case MON_HEXAGON_HVX_PKT_THREAD:
		return EVENT(hvx_pkt_thread);
	case MON_HEXAGON_HMX_PKT_THREAD:
		return EVENT(hmx_pkt_thread);
	case MON_HEXAGON_CYCLES_1:
		return EVENT(cycles_1_thread_running);
	case MON_HEXAGON_CYCLES_1 + 1:
		return EVENT(cycles_2_thread_running);
	case MON_HEXAGON_CYCLES_1 + 2:
		return EVENT(cycles_3_thread_running);
	case MON_HEXAGON_CYCLES_1 + 3:
		return EVENT(cycles_4_thread_running);
	case MON_HEXAGON_CYCLES_1 + 4:
		return EVENT(cycles_5_thread_running);
	case MON_HEXAGON_CYCLES_1 + 5:
		return EVENT(cycles_6_thread_running);
	case MON_HEXAGON_CYCLES_1 + 6:
		return EVENT(cycles_7_thread_running);
	case MON_HEXAGON_CYCLES_1 + 7:
		return EVENT(cycles_8_thread_running);
	case MON_HEXAGON_PKT_1:
		return EVENT(committed_pkt_1_thread_running);
	case MON_HEXAGON_PKT_1 + 1:
		return EVENT(committed_pkt_2_thread_running);
	case MON_HEXAGON_PKT_1 + 2:
		return EVENT(committed_pkt_3_thread_running);
	case MON_HEXAGON_PKT_1 + 3:
		return EVENT(committed_pkt_4_thread_running);
	case MON_HEXAGON_PKT_1 + 4:
		return EVENT(committed_pkt_5_thread_running);
	case MON_HEXAGON_PKT_1 + 5:
		return EVENT(committed_pkt_6_thread_running);
	case MON_HEXAGON_PKT_1 + 6:
		return EVENT(committed_pkt_7_thread_running);
	case MON_HEXAGON_PKT_1 + 7:
		return EVENT(committed_pkt_8_thread_running);
	}
	return NULL;
}
