// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * LIBMON_DPU_REPORT: what each DPU program of a run took, as text, JSON or CSV.
 *
 * Transfers to DPUs before a program's first launch are CPU-DPU, those from DPUs after its last one DPU-CPU, all
 * others inter-DPU; dpu_load() begins anew.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/summary.h"

#define MOST_DPUS (256 * DPU_RANK_MAX_DPUS)	/* of a process */

/* A part of the whole that is worth a name: more than this, or so many times the median. */
#define MOSTLY 0.8
#define UNBALANCED 1.25

enum direction { TO, INTER, FROM, DIRECTIONS };

static const char *const direction_names[] = { "CPU-DPU", "inter-DPU", "DPU-CPU" };

struct moved {
	uint64_t bytes;
	double seconds;
};

struct kernel {
	struct kernel *next;
	char name[sizeof(((struct dpu_program_t *)0)->name)];
	const char *chip;
	uint32_t clock, tasklets;
	unsigned int dpus, launches;
	uint64_t sum[DPU_COUNTS];
	double seconds, host;
	bool launched;			/* since it was loaded */
	struct moved moved[DIRECTIONS];
	struct moved since[DIRECTIONS];	/* the last launch: TO and FROM */
	uint64_t cycles[MOST_DPUS];	/* 0: did not run it */
};

static struct {
	FILE *file;
	enum { TEXT, JSON, CSV } format;
	struct kernel *first, **last;
} summary = { .last = &summary.first };

bool dpu_summary_format(const char *name)
{
	const char *end = strrchr(name, '.');

	if (end && !strcmp(end, ".json"))
		summary.format = JSON;
	else if (end && !strcmp(end, ".csv"))
		summary.format = CSV;
	return summary.format == TEXT && strcmp(name, "summary");
}

void dpu_summary_open(FILE *file)
{
	summary.file = file;
}

static struct kernel *kernel_of(const struct dpu_program_t *program)
{
	struct kernel *k = summary.first;

	if (!summary.file || !program)
		return NULL;
	while (k && strcmp(k->name, program->name))
		k = k->next;
	if (k)
		return k;
	k = calloc(1, sizeof(*k));
	if (!k)
		return NULL;
	strcpy(k->name, program->name);
	k->tasklets = program->elf->tasklets;
	*summary.last = k;
	summary.last = &k->next;
	return k;
}

static void add(struct moved *sum, struct moved *part)
{
	sum->bytes += part->bytes;
	sum->seconds += part->seconds;
	*part = (struct moved){ 0 };
}

void dpu_summary_loaded(const struct dpu_program_t *program)
{
	struct kernel *k = kernel_of(program);

	if (!k)
		return;
	add(&k->moved[TO], &k->since[TO]);
	add(&k->moved[FROM], &k->since[FROM]);
	k->launched = false;
}

void dpu_summary_dpu(const struct dpu_t *dpu, uint64_t cycles)
{
	struct kernel *k = kernel_of(dpu->program);

	if (k)
		k->cycles[dpu->rank->id * DPU_RANK_MAX_DPUS + dpu->index] += cycles;
}

void dpu_summary_launch(const struct dpu_launched *l)
{
	struct kernel *k = kernel_of(l->slowest->program);
	const struct upmem_info *info = &l->slowest->rank->info;

	if (!k)
		return;
	k->chip = info->chip_id >= DPU_CHIP_ID_V1B ? "v1B" : "v1A";
	k->clock = info->clock_hz;
	k->dpus = l->dpus > k->dpus ? l->dpus : k->dpus;
	k->launches++;
	k->seconds += l->kernel;
	k->host += l->host;
	for (unsigned int i = 0; i < DPU_COUNTS; i++)
		k->sum[i] += l->sum[i];
	add(&k->moved[k->launched ? INTER : TO], &k->since[TO]);
	add(&k->moved[INTER], &k->since[FROM]);
	k->launched = true;
}

void dpu_summary_transfer(const struct dpu_program_t *program, bool to, uint64_t bytes, double seconds)
{
	struct kernel *k = kernel_of(program);

	if (k)
		add(&k->since[to ? TO : FROM], &(struct moved){ bytes, seconds });
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Seconds of the DPUs: minimum, median, maximum. */
static void spread(struct kernel *k, double seconds[3])
{
	const uint64_t *ran = k->cycles;
	size_t n = MOST_DPUS;

	qsort(k->cycles, MOST_DPUS, sizeof(k->cycles[0]), compare);
	for (; n > 1 && !*ran; n--)
		ran++;
	seconds[0] = (double)ran[0] / k->clock;
	seconds[1] = (double)ran[n / 2] / k->clock;
	seconds[2] = (double)ran[n - 1] / k->clock;
}

static double moved_seconds(const struct kernel *k)
{
	return k->moved[TO].seconds + k->moved[INTER].seconds + k->moved[FROM].seconds;
}

/* A DPU dispatches at most one instruction and moves at most 2 bytes a cycle. */
static const char *bottleneck(const struct kernel *k, const double spread[3])
{
	double cycles = k->sum[DPU_CYCLES];

	if (moved_seconds(k) > k->seconds + k->host)
		return "host transfers";
	if (k->host > k->seconds)
		return "launches";
	if (spread[2] > UNBALANCED * spread[1])
		return "imbalance";
	if (k->sum[DPU_INSTRUCTIONS] > MOSTLY * cycles)
		return "pipeline";
	if (k->sum[DPU_WORDS] * 8 > MOSTLY * 2 * cycles)
		return "MRAM bandwidth";
	return "latency";
}

/* Instructions of a DPU in a second of its own time. */
static double mips(const struct kernel *k)
{
	return k->sum[DPU_CYCLES] ? (double)k->sum[DPU_INSTRUCTIONS] / k->sum[DPU_CYCLES] * k->clock / 1e6 : 0;
}

static void print_text(FILE *f, const struct kernel *k, const double s[3])
{
	fprintf(f, "dpu summary: %s: %u DPU%s %s at %.0f MHz, %u tasklets, %u launch%s (modelled)\n", k->name, k->dpus,
		k->dpus > 1 ? "s" : "", k->chip, k->clock / 1e6, k->tasklets, k->launches, k->launches > 1 ? "es" : "");
	fprintf(f, "  %-12s %12s %12s\n", "", "ms", "MB");
	fprintf(f, "  %-12s %12.3f %12s  DPUs: minimum %.3f, median %.3f, maximum %.3f\n", "kernel", k->seconds * 1e3, "",
		s[0] * 1e3, s[1] * 1e3, s[2] * 1e3);
	fprintf(f, "  %-12s %12.3f\n", "launch", k->host * 1e3);
	for (unsigned int i = 0; i < DIRECTIONS; i++)
		fprintf(f, "  %-12s %12.3f %12.3f\n", direction_names[i], k->moved[i].seconds * 1e3,
			k->moved[i].bytes / 1e6);
	fprintf(f, "  %-12s %12.3f %12s  %" PRIu64 " instructions, %.1f MIPS a DPU, bottleneck: %s\n", "all",
		(k->seconds + k->host + moved_seconds(k)) * 1e3, "", k->sum[DPU_INSTRUCTIONS], mips(k),
		bottleneck(k, s));
}

static void print_json_name(FILE *f, const char *name)
{
	putc('"', f);
	for (; *name; name++) {
		if ((unsigned char)*name < ' ' || *name == '"' || *name == '\\')
			fprintf(f, "\\u%04x", (unsigned char)*name);
		else
			putc(*name, f);
	}
	putc('"', f);
}

static void print_json(FILE *f, const struct kernel *k, const double s[3])
{
	fprintf(f, "%s\n    {\"program\": ", k == summary.first ? "" : ",");
	print_json_name(f, k->name);
	fprintf(f, ", \"chip\": \"%s\", \"clock_hz\": %" PRIu32 ", \"tasklets\": %" PRIu32 ", \"dpus\": %u, "
		"\"launches\": %u,\n", k->chip, k->clock, k->tasklets, k->dpus, k->launches);
	fprintf(f, "     \"kernel_ms\": %.6f, \"dpu_ms\": {\"min\": %.6f, \"median\": %.6f, \"max\": %.6f}, "
		"\"launch_ms\": %.6f,\n", k->seconds * 1e3, s[0] * 1e3, s[1] * 1e3, s[2] * 1e3, k->host * 1e3);
	for (unsigned int i = 0; i < DIRECTIONS; i++)
		fprintf(f, "     \"%s\": {\"bytes\": %" PRIu64 ", \"ms\": %.6f},\n", direction_names[i],
			k->moved[i].bytes, k->moved[i].seconds * 1e3);
	fprintf(f, "     \"instructions\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"dma_words\": %" PRIu64 ", "
		"\"mips\": %.3f, \"bottleneck\": \"%s\"}", k->sum[DPU_INSTRUCTIONS], k->sum[DPU_CYCLES],
		k->sum[DPU_WORDS], mips(k), bottleneck(k, s));
}

static void print_csv(FILE *f, const struct kernel *k, const double s[3])
{
	putc('"', f);
	for (const char *c = k->name; *c; c++)
		fprintf(f, "%s%c", *c == '"' ? "\"" : "", *c);
	fprintf(f, "\",%s,%" PRIu32 ",%" PRIu32 ",%u,%u,%.6f,%.6f,%.6f,%.6f,%.6f", k->chip, k->clock, k->tasklets,
		k->dpus, k->launches, k->seconds * 1e3, s[0] * 1e3, s[1] * 1e3, s[2] * 1e3, k->host * 1e3);
	for (unsigned int i = 0; i < DIRECTIONS; i++)
		fprintf(f, ",%" PRIu64 ",%.6f", k->moved[i].bytes, k->moved[i].seconds * 1e3);
	fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%s\n", k->sum[DPU_INSTRUCTIONS], k->sum[DPU_CYCLES],
		k->sum[DPU_WORDS], mips(k), bottleneck(k, s));
}

static void print_head(FILE *f, const char *clocks)
{
	if (summary.format == JSON)
		fprintf(f, "{\"times\": \"modelled\", \"clocks\": \"%s\",\n \"programs\": [", clocks);
	else if (summary.format == CSV)
		fputs("program,chip,clock_hz,tasklets,dpus,launches,kernel_ms,dpu_min_ms,dpu_median_ms,dpu_max_ms,"
		      "launch_ms,cpu_dpu_bytes,cpu_dpu_ms,inter_dpu_bytes,inter_dpu_ms,dpu_cpu_bytes,dpu_cpu_ms,"
		      "instructions,cycles,dma_words,mips,bottleneck\n", f);
	else
		fprintf(f, "dpu summary: the host program's clocks: %s\n", clocks);
}

void dpu_summary_print(void)
{
	static void (*const print[])(FILE *f, const struct kernel *k, const double s[3]) = {
		[TEXT] = print_text, [JSON] = print_json, [CSV] = print_csv
	};
	const char *host = dpu_clock_host();
	char clocks[128] = "real";

	if (!summary.first)
		return;
	if (host)
		snprintf(clocks, sizeof(clocks), "modelled, %s", host);
	print_head(summary.file, clocks);
	for (struct kernel *k = summary.first; k; k = k->next) {
		double s[3] = { 0 };

		add(&k->moved[TO], &k->since[TO]);
		add(&k->moved[FROM], &k->since[FROM]);
		if (k->launches)
			spread(k, s);
		else
			k->chip = "-";
		print[summary.format](summary.file, k, s);
	}
	if (summary.format == JSON)
		fputs("\n ]}\n", summary.file);
	if (fflush(summary.file) || ferror(summary.file))
		fputs("libmon-dpu: LIBMON_DPU_REPORT: its file could not be written: is the device full?\n", stderr);
}
