// SPDX-License-Identifier: GPL-2.0-only
/*
 * OpenMetrics 1.0: https://github.com/prometheus/OpenMetrics. A metric family is an event of a kind of
 * PMU; its PMU and place are labels.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/openmetrics.h"

/* Writes a name in letters, digits and underscores. */
static void put_name_part(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(isalnum((unsigned char)*text) ? *text : '_', out);
}

/* Prometheus wants units without prefixes. */
static bool is_megabytes(const struct rec_counter *counter)
{
	return !strcmp(counter->unit, "MB");
}

static const char *base_unit(const struct rec_counter *counter)
{
	return is_megabytes(counter) ? "bytes" : counter->unit;
}

/* Names a family. Its name ends with its unit: "espmon_acc_tot_cycles", "espmon_noc_injects_p0_flits". */
static char *family_of(const struct recording *rec, const struct rec_counter *counter)
{
	char *kind = recording_kind(&rec->pmu[counter->pmu]), *text = NULL;
	const char *unit = base_unit(counter);
	size_t size, n = strlen(unit), length = strlen(counter->event);
	FILE *out = open_memstream(&text, &size);

	if (!out)
		die("out of memory");
	put_name_part(out, kind);
	fputc('_', out);
	put_name_part(out, counter->event);
	if (n && (length < n || strcmp(counter->event + length - n, unit))) {
		fputc('_', out);
		put_name_part(out, unit);
	}
	fclose(out);
	free(kind);
	return text;
}

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

/* In the older format a counter's family has the name of its samples, and no unit. */
static void put_head(FILE *out, const char *family, const struct rec_counter *counter, bool is_plain)
{
	const char *suffix = is_plain ? "_total" : "";

	fprintf(out, "# TYPE %s%s counter\n", family, suffix);
	if (*counter->unit && !is_plain) {
		fprintf(out, "# UNIT %s ", family);
		put_name_part(out, base_unit(counter));
		fputc('\n', out);
	}
	fprintf(out, "# HELP %s%s ", family, suffix);
	put_text(out, *counter->description ? counter->description : counter->event);
	fputc('\n', out);
}

static void put_place(FILE *out, const struct rec_pmu *pmu, const struct rec_counter *counter)
{
	if (counter->place >= 0)
		fprintf(out, ",%s=\"%d\"", pmu->noun, counter->place);
}

static void put_sample(FILE *out, const struct recording *rec, const char *family,
		       const struct rec_counter *counter, double value)
{
	const struct rec_pmu *pmu = &rec->pmu[counter->pmu];

	fprintf(out, "%s_total{pmu=\"%s\"", family, pmu->name);
	put_place(out, pmu, counter);
	fprintf(out, "} %.17g", is_megabytes(counter) ? value * 1e6 : value);
}

/* All samples of a family have to follow each other. */
static void for_each_family(const struct recording *rec, bool is_plain, FILE *out,
			    void (*put)(FILE *, const char *family, size_t counter, void *arg), void *arg)
{
	char **family = calloc(rec->ncounters + 1, sizeof(*family));
	bool *done = calloc(rec->ncounters + 1, sizeof(*done));
	size_t i, k;

	if (!family || !done)
		die("out of memory");
	for (i = 0; i < rec->ncounters; i++)
		family[i] = family_of(rec, &rec->counter[i]);
	for (i = 0; i < rec->ncounters; i++) {
		if (done[i])
			continue;
		put_head(out, family[i], &rec->counter[i], is_plain);
		for (k = i; k < rec->ncounters; k++) {
			if (strcmp(family[i], family[k]))
				continue;
			put(out, family[k], k, arg);
			done[k] = true;
		}
	}
	for (i = 0; i < rec->ncounters; i++)
		free(family[i]);
	free(family);
	free(done);
}

struct now {
	const struct recording *rec;
	const double *values;
	const double *shares;
};

static void put_now(FILE *out, const char *family, size_t counter, void *arg)
{
	const struct now *now = arg;

	put_sample(out, now->rec, family, &now->rec->counter[counter], now->values[counter]);
	fputc('\n', out);
}

/* Writes a sample for each counter that took turns: its total is an estimate. */
static void put_shares(FILE *out, const struct now *now)
{
	const struct recording *rec = now->rec;
	bool has_head = false;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];
		const struct rec_pmu *pmu = &rec->pmu[counter->pmu];

		if (now->shares[i] >= SHARE_OF_EXACT)
			continue;
		if (!has_head)
			fprintf(out, "# TYPE monctl_counted_ratio gauge\n"
				"# HELP monctl_counted_ratio Share of the time in which a counter that takes turns "
				"has counted: its total is an estimate. Fewer counters (monctl serve -e) are exact.\n");
		has_head = true;
		fprintf(out, "monctl_counted_ratio{pmu=\"%s\",event=\"", pmu->name);
		put_text(out, counter->event);
		fprintf(out, "\"");
		put_place(out, pmu, counter);
		fprintf(out, "} %.4g\n", now->shares[i]);
	}
}

void openmetrics_now(const struct recording *rec, const double *values, const double *shares, bool is_plain,
		     FILE *out)
{
	struct now now = { rec, values, shares };

	for_each_family(rec, is_plain, out, put_now, &now);
	put_shares(out, &now);
	if (!is_plain)
		fprintf(out, "# EOF\n");
}
