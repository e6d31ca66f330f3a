/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of each event of the catalogue: how it is counted, or why it is not. */
#include <string.h>

#include "events/hexagon/config.h"
#include "hexagon/events.h"

/* Why an event that begins so is not counted; the first that fits decides. */
static const struct {
	const char *prefix, *why;
} reasons[] = {
	{ "none", "it selects nothing" },
	{ "counter", "it chains counters: the registers do it, perf refuses it" },
	{ "hmx", "qemu-hexagon has no matrix unit" },
	{ "udma", "there is no user DMA" },
	{ "l2_udma", "there is no user DMA" },
	{ "axi", "the bus is not modelled" },
	{ "ahb", "the bus is not modelled" },
	{ "clade", "there is no compressed memory" },
	{ "l2fetch_iu", "this detail of the L2 is not modelled" },
	{ "l2fetch", "an l2fetch is done at once: none is stopped, replaced or held off" },
	{ "tcm", "there is no L2 TCM" },
	{ "l2itcm", "there is no instruction TCM" },
	{ "hvxld_l2_tcm", "there is no L2 TCM" },
	{ "hvxst_l2tcm", "there is no L2 TCM" },
	{ "iu_l1s", "there is no L1S memory" },
	{ "du_l1s", "there is no L1S memory" },
	{ "itlb", "address translation is not modelled" },
	{ "dtlb", "address translation is not modelled" },
	{ "jtlb", "address translation is not modelled" },
	{ "du_spf", "prefetch by hardware is not modelled" },
	{ "iu_prefetch", "prefetch by hardware is not modelled" },
	{ "l2_iu_prefetch", "prefetch by hardware is not modelled" },
	{ "committed_tc1", "instructions are not told by their kind of operation" },
	{ "committed_private", "instructions are not told by their kind of operation" },
	{ "hvx", "the vector unit's pipeline is not modelled" },
	{ "l2_", "this detail of the L2 is not modelled" },
	{ "btb", "this detail of branch prediction is not modelled" },
	{ "tage", "this detail of branch prediction is not modelled" },
	{ "redirect", "this detail of branch prediction is not modelled" },
	{ "", "this detail of the pipeline is not modelled" },
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

const char *hexagon_event_why_not(const struct hexagon_core *core, const char *name, unsigned int code)
{
	struct hexagon_core more = *core;

	more.stalls = true;
	if (hexagon_event_supplied(&more, code))
		return "it needs stalls=on";
	more.threads = HEXAGON_MAX_THREADS;
	if (hexagon_event_supplied(&more, code))
		return "the core has not as many threads";
	if (ends_with(name, "_pview_cycles"))
		return "threads have no such reason to wait in the model";
	more.contexts = HEXAGON_MAX_THREADS;
	if (hexagon_event_supplied(&more, code))
		return "the core has not as many vector contexts";
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strncmp(name, reasons[i].prefix, strlen(reasons[i].prefix)) == 0)
			return reasons[i].why;
	return NULL;
}

void hexagon_events_list(const struct hexagon_core *core, hexagon_event_visit_t visit, void *data)
{
	unsigned int versions = hexagon_variant(core->version);

	if (core->version == 65)
		versions |= HEXAGON_V65_OWN;
#define MON_EVENT(name, config, places, variants, ...)	\
	if ((variants) & versions)			\
		visit(data, #name, (config));
#include "events/hexagon/events.def"
#undef MON_EVENT
}
