// SPDX-License-Identifier: LGPL-2.1-or-later
/* esp_monitor_print(), in the form of ESP's library. */
#include <errno.h>

#include "libmon/esp/monitors.h"
#include "libmon/esp/report.h"

struct printer {
	FILE *fp;
	const struct mon_esp_soc *soc;
	struct mon_esp_layout at;
	const esp_monitor_args_t *args;
	const unsigned int *vals;
	bool all;
};

/* Is the set to be printed? */
static bool wants(const struct printer *p, unsigned int bit)
{
	return p->all || p->args->read_mask & 1u << bit;
}

/* The same for a set that MANY reads from one tile. */
static bool wants_of(const struct printer *p, unsigned int bit, unsigned int tile)
{
	return p->all || (wants(p, bit) && tile == p->args->tile_index);
}

static unsigned long long pair(const unsigned int *lo)
{
	return (unsigned long long)lo[1] << 32 | lo[0];
}

static void print_section(const struct printer *p, const char *title)
{
	fprintf(p->fp, "\n%s\n", title);
}

static void print_memory(const struct printer *p)
{
	static const char *const lines[] = {
		"Coherence requests to LLC", "Coherence forwards from LLC",
		"Coherence responses received by LLC", "Coherence responses sent by LLC",
		"DMA requests to mem tile", "DMA responses from mem tile",
		"Coherent DMA requests to LLC", "Coherent DMA responses from LLC",
	};
	unsigned int m, i;

	print_section(p, "********************MEMORY STATS*******************");
	for (m = 0; m < p->soc->dims.nmem && wants(p, ESP_MON_READ_DDR_ACCESSES); m++)
		fprintf(p->fp, "Off-chip memory accesses at mem tile %u: %u\n", m,
			p->vals[p->at.ddr + m]);
	for (m = 0; m < p->soc->dims.nmem && wants(p, ESP_MON_READ_MEM_REQS); m++)
		for (i = 0; i < MON_ARRAY_SIZE(lines); i++)
			fprintf(p->fp, "%s %u: %u\n", lines[i], m, p->vals[p->at.mem + 8 * m + i]);
}

static void print_l2(const struct printer *p, const char *whose, unsigned int n,
		     unsigned int tile)
{
	const unsigned int *l2 = p->vals + p->at.l2 + 2 * tile;

	fprintf(p->fp, "L2 hits for %s %u: %u\n", whose, n, l2[0]);
	fprintf(p->fp, "L2 misses for %s %u: %u\n", whose, n, l2[1]);
}

static void print_caches(const struct printer *p)
{
	const struct mon_esp_soc *soc = p->soc;
	unsigned int i;

	print_section(p, "********************CACHE STATS********************");
	if (wants(p, ESP_MON_READ_L2_STATS)) {
		for (i = 0; i < soc->dims.ncpu; i++)
			print_l2(p, "CPU", i, soc->cpu_tile[i]);
		for (i = 0; i < soc->dims.nacc; i++)
			if (soc->tile[soc->acc_tile[i]].has_l2)
				print_l2(p, "acc", i, soc->acc_tile[i]);
	}
	for (i = 0; i < soc->dims.nmem && wants(p, ESP_MON_READ_LLC_STATS); i++) {
		const unsigned int *llc = p->vals + p->at.llc + 2 * i;

		fprintf(p->fp, "Hits at LLC %u: %u\n", i, llc[0]);
		fprintf(p->fp, "Misses at LLC %u: %u\n", i, llc[1]);
	}
}

static void print_accelerators(const struct printer *p)
{
	unsigned int k;

	print_section(p, "****************ACCELERATOR STATS******************");
	for (k = 0; k < p->soc->dims.nacc && wants(p, ESP_MON_READ_ACC_STATS); k++) {
		const unsigned int *acc = p->vals + p->at.acc + 6 * k;

		if (!p->all && k != p->args->acc_index)
			continue;
		fprintf(p->fp, "Accelerator %u TLB-loading cycles: %u\n", k, acc[0]);
		fprintf(p->fp, "Accelerator %u mem cycles: %llu\n", k, pair(acc + 1));
		fprintf(p->fp, "Accelerator %u total cycles: %llu\n", k, pair(acc + 3));
		fprintf(p->fp, "Accelerator %u invocations: %u\n", k, acc[5]);
	}
}

static void print_dvfs(const struct printer *p)
{
	unsigned int t, i;

	print_section(p, "*********************DVFS STATS********************");
	for (t = 0; t < p->soc->ntiles; t++)
		for (i = 0; i < DVFS_OP_POINTS && wants_of(p, ESP_MON_READ_DVFS_OP, t); i++)
			fprintf(p->fp, "DVFS Cycles for tile %u at operating point %u: %u\n", t, i,
				p->vals[p->at.dvfs + t * DVFS_OP_POINTS + i]);
}

static void print_queues(const struct printer *p, unsigned int t, unsigned int plane)
{
	const unsigned int *queue = p->vals + p->at.queue + (t * NOC_PLANES + plane) * NOC_QUEUES;
	unsigned int q;

	for (q = 0; q < NOC_QUEUES; q++)
		fprintf(p->fp, "NoC backpressure cycles at tile %u on plane %u for queue %u: %u\n",
			t, plane, q, queue[q]);
}

static void print_noc(const struct printer *p)
{
	/* ESP's library prints only one of the two sets of queues */
	bool by_tile = wants(p, ESP_MON_READ_NOC_QUEUE_FULL_TILE);
	unsigned int t, i;

	print_section(p, "*********************NOC STATS*********************");
	for (t = 0; t < p->soc->ntiles; t++)
		for (i = 0; i < NOC_PLANES && wants_of(p, ESP_MON_READ_NOC_INJECTS, t); i++)
			fprintf(p->fp, "NoC packets injected at tile %u on plane %u: %u\n", t, i,
				p->vals[p->at.inject + t * NOC_PLANES + i]);
	for (t = 0; t < p->soc->ntiles; t++)
		for (i = 0; i < NOC_PLANES; i++)
			if (by_tile ? wants_of(p, ESP_MON_READ_NOC_QUEUE_FULL_TILE, t) :
			    wants(p, ESP_MON_READ_NOC_QUEUE_FULL_PLANE) &&
			    i == p->args->noc_index)
				print_queues(p, t, i);
}

static void print_as_esp(const struct printer *p)
{
	/* ESP's library writes this line to stdout, whatever fp is */
	printf("\tWriting esp_monitor stats to specified file...\n");
	print_section(p, "***************************************************");
	fprintf(p->fp, "******************ESP MONITOR STATS****************\n");
	fprintf(p->fp, "***************************************************\n");
	print_memory(p);
	print_caches(p);
	print_accelerators(p);
	print_dvfs(p);
	print_noc(p);
}

static int print_one(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
		     const unsigned int *vals, FILE *fp)
{
	struct printer p = { .fp = fp, .args = args, .vals = vals };
	struct mon_esp_soc *soc;

	if (!fp)
		return mon_fail(EINVAL, "esp_monitor_print: no file");
	if (args->read_mode == ESP_MON_READ_SINGLE)
		return mon_fail(EINVAL, "esp_monitor_print: a SINGLE value is not in vals");
	soc = mon_esp_soc_new();
	if (!soc || mon_esp_soc_match(soc, dims)) {
		mon_esp_soc_free(soc);
		return -1;
	}
	p.soc = soc;
	p.all = args->read_mode == ESP_MON_READ_ALL;
	mon_esp_layout(dims, &p.at);
	print_as_esp(&p);
	mon_esp_soc_free(soc);
	return ferror(fp) ? mon_fail(EIO, "esp_monitor_print: cannot write") : 0;
}

int libmon_esp_print(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
		     const unsigned int *vals, FILE *fp)
{
	int ret = print_one(dims, args, vals, fp);

	if (ret)
		mon_esp_report();
	return ret;
}
