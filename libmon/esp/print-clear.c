// SPDX-License-Identifier: LGPL-2.1-or-later
/* libmon's form of esp_monitor_print() (LIBMON_ESP_PRINT=clear): each line says what was counted. */
#include "libmon/esp/print.h"

static void print_memory(const struct mon_esp_printer *p)
{
	static const char *const names[] = {
		"coherence requests received", "coherence forwards sent",
		"coherence responses received", "coherence responses sent",
		"DMA requests received", "DMA responses sent",
		"coherent DMA requests received", "coherent DMA responses sent",
	};
	unsigned int m, i;

	for (m = 0; m < p->soc->dims.nmem; m++) {
		if (mon_esp_wants(p, ESP_MON_READ_DDR_ACCESSES))
			fprintf(p->fp, "memory tile %u: off-chip words: %u\n", m,
				p->vals[p->at.ddr + m]);
		for (i = 0; i < 8 && mon_esp_wants(p, ESP_MON_READ_MEM_REQS); i++)
			fprintf(p->fp, "memory tile %u: %s (flits): %u\n", m, names[i],
				p->vals[p->at.mem + 8 * m + i]);
		if (mon_esp_wants(p, ESP_MON_READ_LLC_STATS))
			fprintf(p->fp, "memory tile %u: LLC hits: %u, misses: %u\n", m,
				p->vals[p->at.llc + 2 * m], p->vals[p->at.llc + 2 * m + 1]);
	}
}

static void print_l2(const struct mon_esp_printer *p)
{
	unsigned int t;

	for (t = 0; t < p->soc->ntiles && mon_esp_wants(p, ESP_MON_READ_L2_STATS); t++)
		fprintf(p->fp, "tile %u: L2 hits: %u, misses: %u\n", t,
			p->vals[p->at.l2 + 2 * t], p->vals[p->at.l2 + 2 * t + 1]);
}

static void print_accelerators(const struct mon_esp_printer *p)
{
	unsigned int k;

	for (k = 0; k < p->soc->dims.nacc && mon_esp_wants(p, ESP_MON_READ_ACC_STATS); k++) {
		const unsigned int *acc = p->vals + p->at.acc + 6 * k;

		if (!p->all && k != p->args->acc_index)
			continue;
		fprintf(p->fp, "accelerator %u: TLB loading cycles: %u\n", k, acc[0]);
		fprintf(p->fp, "accelerator %u: memory cycles: %llu\n", k, mon_esp_pair(acc + 1));
		fprintf(p->fp, "accelerator %u: total cycles: %llu\n", k, mon_esp_pair(acc + 3));
		fprintf(p->fp, "accelerator %u: invocations: %u\n", k, acc[5]);
	}
}

static void print_queues(const struct mon_esp_printer *p, unsigned int t, unsigned int plane)
{
	static const char *const names[] = { "north", "south", "west", "east", "local" };
	const unsigned int *queue = p->vals + p->at.queue + (t * NOC_PLANES + plane) * NOC_QUEUES;
	unsigned int q;

	for (q = 0; q < NOC_QUEUES; q++)
		fprintf(p->fp, "tile %u: plane %u: %s port occupied (cycles): %u\n", t, plane,
			names[q], queue[q]);
}

static void print_tile(const struct mon_esp_printer *p, unsigned int t)
{
	unsigned int i;

	for (i = 0; i < DVFS_OP_POINTS && mon_esp_wants_of(p, ESP_MON_READ_DVFS_OP, t); i++)
		fprintf(p->fp, "tile %u: cycles at operating point %u: %u\n", t, i,
			p->vals[p->at.dvfs + t * DVFS_OP_POINTS + i]);
	for (i = 0; i < NOC_PLANES && mon_esp_wants_of(p, ESP_MON_READ_NOC_INJECTS, t); i++)
		fprintf(p->fp, "tile %u: plane %u: flits injected: %u\n", t, i,
			p->vals[p->at.inject + t * NOC_PLANES + i]);
	for (i = 0; i < NOC_PLANES; i++)
		if (mon_esp_wants_of(p, ESP_MON_READ_NOC_QUEUE_FULL_TILE, t) ||
		    (mon_esp_wants(p, ESP_MON_READ_NOC_QUEUE_FULL_PLANE) &&
		     i == p->args->noc_index))
			print_queues(p, t, i);
}

void mon_esp_print_clear(const struct mon_esp_printer *p)
{
	unsigned int t;

	print_memory(p);
	print_l2(p);
	print_accelerators(p);
	for (t = 0; t < p->soc->ntiles; t++)
		print_tile(p, t);
}
