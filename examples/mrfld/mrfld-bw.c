// SPDX-License-Identifier: GPL-2.0-only
/*
 * mrfld-bw [GROUP [SECONDS]]: bandwidth of an agent of the Merrifield SoC, or of its DRAM, as Intel's article works it out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mon_mrfld.h"

static int measure(struct mon_mrfld *mrfld, unsigned int seconds, struct mon_mrfld_counts *counts)
{
	if (!mrfld || mon_mrfld_start(mrfld))
		return -1;
	sleep(seconds);
	return mon_mrfld_stop(mrfld) || mon_mrfld_read(mrfld, counts) ? -1 : 0;
}

static int show(const struct mon_mrfld_counts *counts)
{
	struct mon_mrfld_agent agent = { 0 };
	struct mon_mrfld_ddr ddr;

	if (counts->group == MON_MRFLD_MEMORY_DDR_BW) {
		mon_mrfld_ddr_bandwidth(counts, &ddr);
		agent.read = ddr.total_read;
		agent.write = ddr.total_write;
	} else if (mon_mrfld_agent_bandwidth(counts, &agent)) {
		return -1;
	}
	printf("%s: read %.1f MB/s, write %.1f MB/s\n", mon_mrfld_get_group_name(counts->group), agent.read, agent.write);
	return 0;
}

int main(int argc, char **argv)
{
	struct mon_mrfld *mrfld = mon_mrfld_new(argc > 1 ? argv[1] : "UNC_VISA_Memory_DDR_BW");
	struct mon_mrfld_counts counts;
	int ret = measure(mrfld, argc > 2 ? strtoul(argv[2], NULL, 0) : 1, &counts) || show(&counts);

	if (ret)
		fprintf(stderr, "mrfld-bw: %s\n", mon_error());
	mon_mrfld_free(mrfld);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
