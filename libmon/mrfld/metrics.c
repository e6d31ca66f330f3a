// SPDX-License-Identifier: LGPL-2.1-or-later
/* The formulas of Intel's article. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "libmon/internal.h"
#include "libmon/mrfld/mrfld.h"

/* Counters of an agent's group; the order is the same in all of them. */
enum { READ_PARTIAL, READ_32, READ_64, WRITE_PARTIAL, WRITE_32, WRITE_64 };

static int wrong_group(const struct mon_mrfld_counts *counts, const char *wanted)
{
	const char *name = mon_mrfld_get_group_name(counts->group);

	return mon_fail(EINVAL, "%s: these are not counts of %s", name ? name : "no group", wanted);
}

double mon_mrfld_mb_per_second(double count, unsigned int bytes, double seconds)
{
	return seconds > 0 ? count * bytes / seconds / 1e6 : 0;
}

double mon_mrfld_event_bandwidth(const struct mon_mrfld_counts *counts, unsigned int counter)
{
	const struct mrfld_event *event = mrfld_event(counts->group, counter);

	if (!event || !*event->scale)
		return NAN;
	return counts->seconds > 0 ? counts->count[counter] * atof(event->scale) / counts->seconds :
	       0;
}

int mon_mrfld_ddr_bandwidth(const struct mon_mrfld_counts *counts, struct mon_mrfld_ddr *ddr)
{
	if (counts->group != MON_MRFLD_MEMORY_DDR_BW)
		return wrong_group(counts, "UNC_VISA_Memory_DDR_BW");
	*ddr = (struct mon_mrfld_ddr){ 0 };
	for (unsigned int i = 0; i < 2; i++) {
		ddr->read[i] = mon_mrfld_mb_per_second(counts->count[2 * i], 32, counts->seconds);
		ddr->write[i] = mon_mrfld_mb_per_second(counts->count[2 * i + 1], 32,
							counts->seconds);
		ddr->channel[i] = ddr->read[i] + ddr->write[i];
		ddr->total_read += ddr->read[i];
		ddr->total_write += ddr->write[i];
	}
	ddr->total = ddr->total_read + ddr->total_write;
	return 0;
}

static double both_sizes(const struct mon_mrfld_counts *counts, unsigned int c32, unsigned int c64)
{
	return mon_mrfld_mb_per_second(counts->count[c32], 32, counts->seconds) +
	       mon_mrfld_mb_per_second(counts->count[c64], 64, counts->seconds);
}

int mon_mrfld_agent_bandwidth(const struct mon_mrfld_counts *counts, struct mon_mrfld_agent *agent)
{
	const double *count = counts->count;

	if (counts->group != MON_MRFLD_MODULE0_BW && (counts->group < MON_MRFLD_GRAPHICS_BW ||
						      counts->group > MON_MRFLD_LOWSPEEDPF_BW))
		return wrong_group(counts, "a group of an agent");
	agent->read = both_sizes(counts, READ_32, READ_64);
	agent->write = both_sizes(counts, WRITE_32, WRITE_64);
	agent->read_partials = count[READ_PARTIAL];
	agent->write_partials = count[WRITE_PARTIAL];
	if (counts->group == MON_MRFLD_MODULE0_BW) {
		agent->read_partials -= count[READ_32] + count[READ_64];
		agent->write_partials -= count[WRITE_32] + count[WRITE_64];
	}
	return 0;
}

int mon_mrfld_estimate_bandwidth(const struct mon_mrfld_counts *counts,
				 struct mon_mrfld_estimate *estimate)
{
	double mb[5];

	if (counts->group != MON_MRFLD_ALL_REQS)
		return wrong_group(counts, "UNC_VISA_All_Reqs");
	estimate->total = 0;
	for (unsigned int i = 0; i < MON_ARRAY_SIZE(mb); i++) {
		mb[i] = mon_mrfld_mb_per_second(counts->count[i], 64, counts->seconds);
		estimate->total += mb[i];
	}
	estimate->module0 = mb[0];
	estimate->display = mb[1];
	estimate->graphics = mb[2];
	estimate->imaging = mb[3];
	estimate->lowspeedpf = mb[4];
	return 0;
}

int mon_mrfld_self_refresh(const struct mon_mrfld_counts *counts, double dram_hz,
			   struct mon_mrfld_self_refresh *residency)
{
	if (counts->group != MON_MRFLD_DDR_SELF_REFRESH)
		return wrong_group(counts, "UNC_VISA_DDR_Self_Refresh");
	if (!(dram_hz > 0))
		return mon_fail(EINVAL,
				"self-refresh: the DRAM's base frequency must be given: it is not counted");
	for (unsigned int i = 0; i < 2; i++) {
		double cycles = counts->seconds * dram_hz;

		residency->deep[i] = cycles > 0 ? counts->count[2 * i] * 100 / cycles : 0;
		residency->shallow[i] = cycles > 0 ? counts->count[2 * i + 1] * 100 / cycles : 0;
	}
	return 0;
}
