// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * LIBMON_DPU_REPORT: a line for each launch in the simulator. Its time is the modelled time of the DPU
 * that took longest, and apart from it what the launch and the transfers before it cost the host.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/upmem/config.h"
#include "libmon/upmem/timing.h"

enum { INSTRUCTIONS, CYCLES, WORDS, COUNTS };

static const uint64_t events[COUNTS] = {
	UPMEM_dpu_instructions, UPMEM_dpu_cycles, UPMEM_read_64bit_instruction | UPMEM_write_64bit_instruction
};

/* The launch that a rank's DPUs are in, and their counts before it. */
struct dpu_report {
	uint64_t mask;
	uint64_t before[DPU_RANK_MAX_DPUS][COUNTS];
};

static struct {
	pthread_mutex_t lock;
	pthread_once_t once;
	FILE *file;		/* NULL: nobody wants it */
	struct dpu_host_timing host;
	unsigned int launches;
	double transfers;	/* seconds since the last launch */
} report = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

static void report_open(void)
{
	const char *name = getenv("LIBMON_DPU_REPORT");
	struct dpu_timing model;

	if (!name || !*name || dpu_timing_parse(&model, &report.host))
		return;
	report.file = strcmp(name, "1") ? fopen(name, "ae") : stderr;
	if (report.file)
		setlinebuf(report.file);
	else
		fprintf(stderr, "libmon-dpu: LIBMON_DPU_REPORT=%s: %m\n", name);
}

static bool wanted(const struct dpu_rank_t *rank)
{
	pthread_once(&report.once, report_open);
	return report.file && rank->device->simulator;
}

static uint64_t count_of(const struct dpu_rank_t *rank, uint32_t dpu, unsigned int i)
{
	uint64_t total = 0;

	dpu_simulator_total(rank->fd, dpu, events[i], &total);
	return total;
}

void dpu_report_before(struct dpu_rank_t *rank, uint64_t mask)
{
	struct dpu_report *r = rank->report;

	if (!wanted(rank))
		return;
	if (!r)
		r = rank->report = calloc(1, sizeof(*r));
	if (!r)
		return;
	r->mask = mask;
	for (uint32_t d = 0; d < rank->info.dpus; d++)
		for (unsigned int i = 0; mask >> d & 1 && i < COUNTS; i++)
			r->before[d][i] = count_of(rank, d, i);
}

void dpu_report_free(struct dpu_rank_t *rank)
{
	free(rank->report);
}

struct launch {
	unsigned int dpus;
	uint64_t sum[COUNTS];
	uint64_t most;			/* cycles of the slowest DPU */
	const struct dpu_t *slowest;
};

static void add_rank(struct launch *l, const struct dpu_rank_t *rank, uint64_t mask)
{
	for (uint32_t d = 0; d < rank->info.dpus; d++) {
		uint64_t counts[COUNTS];

		if (!(mask >> d & 1))
			continue;
		for (unsigned int i = 0; i < COUNTS; i++) {
			counts[i] = count_of(rank, d, i) - rank->report->before[d][i];
			l->sum[i] += counts[i];
		}
		if (!l->dpus++ || counts[CYCLES] > l->most) {
			l->most = counts[CYCLES];
			l->slowest = &rank->dpus[d];
		}
	}
}

static void print(const struct launch *l)
{
	double hz = l->slowest->rank->info.clock_hz, mean = (double)l->sum[CYCLES] / l->dpus;

	pthread_mutex_lock(&report.lock);
	fprintf(report.file, "dpu launch %u: %u DPU%s, %.3f ms modelled + %.3f ms launch",
		++report.launches, l->dpus, l->dpus > 1 ? "s" : "", l->most / hz * 1e3,
		report.host.launch_us / 1e3);
	if (report.host.transfers)
		fprintf(report.file, " + %.3f ms transfers before it", report.transfers * 1e3);
	fprintf(report.file, ", %" PRIu64 " instructions, %" PRIu64 " DMA words, slowest DPU %u of rank %u, "
		"imbalance %.2f\n", l->sum[INSTRUCTIONS], l->sum[WORDS], l->slowest->index,
		l->slowest->rank->id, mean > 0 ? l->most / mean : 1);
	report.transfers = 0;
	pthread_mutex_unlock(&report.lock);
}

void dpu_report_after(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count)
{
	struct launch l = { 0 };

	for (uint32_t i = 0; i < count; i++)
		if (wanted(ranks[i]) && ranks[i]->report)
			add_rank(&l, ranks[i], ranks[i]->report->mask & dpu_set_mask(set, ranks[i]));
	if (l.dpus)
		print(&l);
}

/*
 * The rates for one DPU and for the 64 of a rank are published; between them the rate is taken to grow with
 * a power of the number of DPUs. Ranks are taken to transfer at the same time.
 */
static double rate(uint32_t one, uint32_t all, unsigned int dpus)
{
	return one * pow(dpus, log((double)all / one) / log(DPU_RANK_MAX_DPUS)) * 1e6;
}

void dpu_report_transfer(struct dpu_set_t set, const struct dpu_copy *copy, bool same)
{
	bool to = copy->direction == UPMEM_TO_DPU;
	const struct dpu_host_timing *host = &report.host;
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);
	unsigned int most = 0;
	double seconds;

	if (!count || !wanted(ranks[0]) || !host->transfers)
		return;
	for (uint32_t i = 0; i < count; i++) {
		unsigned int dpus = __builtin_popcountll(dpu_set_mask(set, ranks[i]));

		most = dpus > most ? dpus : most;
	}
	seconds = (double)copy->length * most /
		  (!to ? rate(host->serial_from, host->parallel_from, most) :
		   rate(host->serial_to, same ? host->broadcast : host->parallel_to, most));
	pthread_mutex_lock(&report.lock);
	report.transfers += seconds;
	pthread_mutex_unlock(&report.lock);
}
