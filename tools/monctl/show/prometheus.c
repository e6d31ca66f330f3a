// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prometheus' text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats. A family is an event of a kind
 * of PMU; its PMU and place are labels.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/prometheus.h"

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

/* Names a family after its unit: "espmon_acc_tot_cycles_total", "espmon_noc_injects_p0_flits_total". */
static char *family_of(const struct recording *rec, const struct rec_counter *counter)
{
	char *text = NULL;
	const char *unit = base_unit(counter);
	size_t size, n = strlen(unit), length = strlen(counter->event);
	FILE *out = text_open(&text, &size);

	put_name_part(out, rec->pmu[counter->pmu].kind);
	fputc('_', out);
	put_name_part(out, counter->event);
	if (n && (length < n || strcmp(counter->event + length - n, unit))) {
		fputc('_', out);
		put_name_part(out, unit);
	}
	fputs("_total", out);
	text_close(out);
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

static void put_head(FILE *out, const char *family, const struct rec_counter *counter)
{
	fprintf(out, "# TYPE %s counter\n# HELP %s ", family, family);
	put_text(out, *counter->description ? counter->description : counter->event);
	fputc('\n', out);
}

static void put_place(FILE *out, const struct rec_pmu *pmu, const struct rec_counter *counter)
{
	if (counter->place >= 0)
		fprintf(out, ",%s=\"%d\"", pmu->noun, counter->place);
}

/* Writes a sample for each counter that took turns: its total is an estimate. */
static void put_shares(FILE *out, const struct recording *rec, const double *shares)
{
	bool has_head = false;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];
		const struct rec_pmu *pmu = &rec->pmu[counter->pmu];

		if (shares[i] >= SHARE_OF_EXACT)
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
		fprintf(out, "} %.4g\n", shares[i]);
	}
}

/* All samples of a family follow each other. */
void prometheus_write(const struct recording *rec, const double *values, const double *shares, FILE *out)
{
	char **family = zeros(rec->ncounters, sizeof(*family));

	for (size_t i = 0; i < rec->ncounters; i++)
		family[i] = family_of(rec, &rec->counter[i]);
	for (size_t i = 0; i < rec->ncounters; i++) {
		char *of = family[i];

		if (!of)
			continue;
		put_head(out, of, &rec->counter[i]);
		for (size_t k = i; k < rec->ncounters; k++) {
			const struct rec_counter *counter = &rec->counter[k];

			if (!family[k] || strcmp(of, family[k]))
				continue;
			fprintf(out, "%s{pmu=\"%s\"", of, rec->pmu[counter->pmu].name);
			put_place(out, &rec->pmu[counter->pmu], counter);
			fprintf(out, "} %.17g\n", is_megabytes(counter) ? values[k] * 1e6 : values[k]);
			if (k > i)
				free(family[k]);
			family[k] = NULL;
		}
		free(of);
	}
	free(family);
	put_shares(out, rec, shares);
}
