// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What launches and transfers in the simulator take, for the clocks and for LIBMON_DPU_REPORT: a line for each
 * launch, and the summary. A recorder is told what transfers take on any device. A launch takes the modelled time of
 * the DPU that took longest, and apart from it what the launch costs the host.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/upmem/config.h"
#include "libmon/upmem/summary.h"
#include "libmon/upmem/timing.h"

static const uint64_t events[DPU_COUNTS] = {
	UPMEM_dpu_instructions, UPMEM_dpu_cycles, UPMEM_read_64bit_instruction | UPMEM_write_64bit_instruction
};

/* The launch that a rank's DPUs are in, and their counts before it. */
struct dpu_report {
	uint64_t mask;
	uint64_t before[DPU_RANK_MAX_DPUS][DPU_COUNTS];
};

static struct {
	pthread_mutex_t lock;
	pthread_once_t once;
	FILE *lines;		/* NULL: not requested */
	struct dpu_host_timing host;
	bool wanted;		/* by lines, summary or clocks */
	unsigned int launches;
	double transfers;	/* seconds since the last launch */
	bool launched;		/* and MRAM has not been read since */
} report = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

static void put_summary(void)
{
	pthread_mutex_lock(&report.lock);
	dpu_summary_print();
	pthread_mutex_unlock(&report.lock);
}

static void report_open(void)
{
	const char *name = secure_getenv("LIBMON_DPU_REPORT");
	struct dpu_timing model;
	bool lines;
	FILE *file;

	if (dpu_timing_parse(&model, &report.host))
		return;
	report.wanted = dpu_clock_host();
	if (!name || !*name)
		return;
	lines = dpu_summary_format(name);
	if (!strcmp(name, "1") || !strcmp(name, "summary"))
		file = stderr;
	else
		file = strcmp(name, "-") ? fopen(name, lines ? "ae" : "we") : stdout;
	if (!file) {
		fprintf(stderr, "libmon-dpu: LIBMON_DPU_REPORT=%s: %m\n", name);
		return;
	}
	setlinebuf(file);
	report.wanted = true;
	dpu_summary_open(file);
	report.lines = lines ? file : NULL;
	atexit(put_summary);
}

static bool wanted(const struct dpu_rank_t *rank)
{
	pthread_once(&report.once, report_open);
	return report.wanted && rank->device->simulator;
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
		for (unsigned int i = 0; mask >> d & 1 && i < DPU_COUNTS; i++)
			r->before[d][i] = count_of(rank, d, i);
}

void dpu_report_free(struct dpu_rank_t *rank)
{
	free(rank->report);
}

static void add_rank(struct dpu_launched *l, const struct dpu_rank_t *rank, uint64_t mask)
{
	for (uint32_t d = 0; d < rank->info.dpus; d++) {
		uint64_t counts[DPU_COUNTS];

		if (!(mask >> d & 1))
			continue;
		for (unsigned int i = 0; i < DPU_COUNTS; i++) {
			counts[i] = count_of(rank, d, i) - rank->report->before[d][i];
			l->sum[i] += counts[i];
		}
		dpu_summary_dpu(&rank->dpus[d], counts[DPU_CYCLES]);
		if (!l->dpus++ || counts[DPU_CYCLES] > l->most) {
			l->most = counts[DPU_CYCLES];
			l->slowest = &rank->dpus[d];
		}
	}
}

static void print(const struct dpu_launched *l)
{
	double mean = (double)l->sum[DPU_CYCLES] / l->dpus;

	fprintf(report.lines, "dpu launch %u: %u DPU%s, %.3f ms modelled + %.3f ms launch", ++report.launches, l->dpus,
		l->dpus > 1 ? "s" : "", l->kernel * 1e3, l->host * 1e3);
	if (report.host.transfers)
		fprintf(report.lines, " + %.3f ms transfers before it", report.transfers * 1e3);
	fprintf(report.lines, ", %" PRIu64 " instructions, %" PRIu64 " DMA words, slowest DPU %u of rank %u, "
		"imbalance %.2f\n", l->sum[DPU_INSTRUCTIONS], l->sum[DPU_WORDS], l->slowest->index,
		l->slowest->rank->id, mean > 0 ? l->most / mean : 1);
}

double dpu_report_after(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count, uint32_t launched)
{
	struct dpu_launched l = { 0 };

	pthread_mutex_lock(&report.lock);
	for (uint32_t i = 0; i < count; i++)
		if (wanted(ranks[i]) && ranks[i]->report)
			add_rank(&l, ranks[i], ranks[i]->report->mask & dpu_set_mask(set, ranks[i]));
	if (l.dpus) {
		l.kernel = (double)l.most / l.slowest->rank->info.clock_hz;
		l.host = dpu_host_launch(&report.host, launched);
		dpu_summary_launch(&l);
		if (report.lines)
			print(&l);
		report.transfers = 0;
	}
	report.launched = true;
	pthread_mutex_unlock(&report.lock);
	return l.kernel + l.host;
}

/* The DPUs of a rank that a transfer is about; *buffer: the one that all so far have, or NULL. */
static uint64_t taking_part(const struct dpu_rank_t *rank, uint64_t mask, enum dpu_source source, bool first,
			    const void **buffer)
{
	for (uint32_t i = 0; source == DPU_PREPARED && i < rank->info.dpus; i++) {
		const void *own = rank->dpus[i].buffer;

		if (!own)
			mask &= ~(UINT64_C(1) << i);
		if (!(mask >> i & 1))
			continue;
		*buffer = first || *buffer == own ? own : NULL;
		first = false;
	}
	return mask;
}

double dpu_report_transfer(struct dpu_set_t set, const struct dpu_copy *copy, enum dpu_source source)
{
	struct dpu_host_transfer x = { .to = copy->direction == UPMEM_TO_DPU };
	const struct dpu_t *first = NULL;
	const void *buffer = NULL;
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks), offset;
	bool is_wanted = count && wanted(ranks[0]), is_recorded = mon_mark_transfer(0), of_several;
	double seconds;

	if (!count || (!is_wanted && !is_recorded))
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t mask = taking_part(ranks[i], dpu_set_mask(set, ranks[i]), source, !first, &buffer);
		uint32_t dpus = __builtin_popcountll(mask);

		if (mask && !first)
			first = &ranks[i]->dpus[__builtin_ctzll(mask)];
		x.ranks += mask != 0;
		x.dpus = dpus > x.dpus ? dpus : x.dpus;
		x.bytes += (uint64_t)copy->length * dpus;
	}
	if (!first)
		return 0;
	/* one buffer for a read: dpu_copy_from() */
	of_several = dpu_set_mask((struct dpu_set_t){ .kind = DPU_SET_RANKS }, ranks[0]) != dpu_set_mask(set, ranks[0]);
	x.same = x.to ? source == DPU_SAME || buffer : source == DPU_SAME && of_several;
	x.wram = dpu_address(copy->address, &offset) != DPU_MRAM;
	pthread_mutex_lock(&report.lock);
	x.first_read = report.launched && !x.to && !x.wram;
	report.launched &= !x.first_read;
	seconds = dpu_host_transfer(&report.host, &x);
	mon_mark_transfer(seconds * 1e9);
	if (is_wanted) {
		report.transfers += seconds;
		dpu_summary_transfer(first->program, x.to, x.bytes, seconds);
	}
	pthread_mutex_unlock(&report.lock);
	return is_wanted ? seconds : 0;
}

void dpu_report_loaded(const struct dpu_program_t *program)
{
	pthread_mutex_lock(&report.lock);
	dpu_summary_loaded(program);
	pthread_mutex_unlock(&report.lock);
}
