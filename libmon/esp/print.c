// SPDX-License-Identifier: GPL-2.0-only
/* esp_monitor_print() */
#include <errno.h>
#include <string.h>

#include "libmon/esp/monitors.h"

struct printer {
	FILE *fp;
	const struct libmon_esp_dims *dims;
	struct mon_esp_layout at;
	const esp_monitor_args_t *args;
	const unsigned int *vals;
	bool all;
};

static bool wants(const struct printer *p, unsigned int bit)
{
	return p->all || p->args->read_mask & 1u << bit;
}

static unsigned int ntiles(const struct printer *p)
{
	return p->dims->rows * p->dims->cols;
}

static void print_memory(const struct printer *p)
{
	static const char *const names[] = {
		"coherence requests received", "coherence forwards sent",
		"coherence responses received", "coherence responses sent",
		"DMA requests received", "DMA responses sent",
		"coherent DMA requests received", "coherent DMA responses sent",
	};
	unsigned int m, i;

	for (m = 0; m < p->dims->nmem; m++) {
		if (wants(p, ESP_MON_READ_DDR_ACCESSES))
			fprintf(p->fp, "memory tile %u: off-chip words: %u\n", m,
				p->vals[p->at.ddr + m]);
		for (i = 0; i < 8 && wants(p, ESP_MON_READ_MEM_REQS); i++)
			fprintf(p->fp, "memory tile %u: %s (flits): %u\n", m, names[i],
				p->vals[p->at.mem + 8 * m + i]);
		if (wants(p, ESP_MON_READ_LLC_STATS))
			fprintf(p->fp, "memory tile %u: LLC hits: %u, misses: %u\n", m,
				p->vals[p->at.llc + 2 * m], p->vals[p->at.llc + 2 * m + 1]);
	}
}

static void print_l2(const struct printer *p)
{
	unsigned int t;

	for (t = 0; t < ntiles(p); t++)
		fprintf(p->fp, "tile %u: L2 hits: %u, misses: %u\n", t,
			p->vals[p->at.l2 + 2 * t], p->vals[p->at.l2 + 2 * t + 1]);
}

static unsigned long long pair(const unsigned int *lo)
{
	return (unsigned long long)lo[1] << 32 | lo[0];
}

static void print_accelerators(const struct printer *p)
{
	unsigned int k;

	for (k = 0; k < p->dims->nacc; k++) {
		const unsigned int *acc = p->vals + p->at.acc + 6 * k;

		if (!p->all && k != p->args->acc_index)
			continue;
		fprintf(p->fp, "accelerator %u: TLB loading cycles: %u\n", k, acc[0]);
		fprintf(p->fp, "accelerator %u: memory cycles: %llu\n", k, pair(acc + 1));
		fprintf(p->fp, "accelerator %u: total cycles: %llu\n", k, pair(acc + 3));
		fprintf(p->fp, "accelerator %u: invocations: %u\n", k, acc[5]);
	}
}

static void print_queues(const struct printer *p, unsigned int t, unsigned int plane)
{
	static const char *const names[] = { "north", "south", "west", "east", "local" };
	const unsigned int *queue = p->vals + p->at.queue + (t * NOC_PLANES + plane) * NOC_QUEUES;
	unsigned int q;

	for (q = 0; q < NOC_QUEUES; q++)
		fprintf(p->fp, "tile %u: plane %u: %s port occupied (cycles): %u\n", t, plane,
			names[q], queue[q]);
}

static void print_tile(const struct printer *p, unsigned int t)
{
	bool here = p->all || t == p->args->tile_index;
	unsigned int i;

	for (i = 0; i < DVFS_OP_POINTS && here && wants(p, ESP_MON_READ_DVFS_OP); i++)
		fprintf(p->fp, "tile %u: cycles at operating point %u: %u\n", t, i,
			p->vals[p->at.dvfs + t * DVFS_OP_POINTS + i]);
	for (i = 0; i < NOC_PLANES && here && wants(p, ESP_MON_READ_NOC_INJECTS); i++)
		fprintf(p->fp, "tile %u: plane %u: flits injected: %u\n", t, i,
			p->vals[p->at.inject + t * NOC_PLANES + i]);
	for (i = 0; i < NOC_PLANES; i++)
		if ((here && wants(p, ESP_MON_READ_NOC_QUEUE_FULL_TILE)) ||
		    (!p->all && wants(p, ESP_MON_READ_NOC_QUEUE_FULL_PLANE) &&
		     i == p->args->noc_index))
			print_queues(p, t, i);
}

int libmon_esp_print(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
		     const unsigned int *vals, FILE *fp)
{
	struct printer p = { .fp = fp, .dims = dims, .args = args, .vals = vals };
	unsigned int t;

	if (!fp)
		return mon_fail(EINVAL, "esp_monitor_print: no file");
	if (args->read_mode == ESP_MON_READ_SINGLE)
		return mon_fail(EINVAL, "esp_monitor_print: a SINGLE value is not in vals");
	p.all = args->read_mode == ESP_MON_READ_ALL;
	mon_esp_layout(dims, &p.at);
	print_memory(&p);
	if (wants(&p, ESP_MON_READ_L2_STATS))
		print_l2(&p);
	if (wants(&p, ESP_MON_READ_ACC_STATS))
		print_accelerators(&p);
	for (t = 0; t < ntiles(&p); t++)
		print_tile(&p, t);
	return ferror(fp) ? mon_fail(EIO, "esp_monitor_print: cannot write") : 0;
}
