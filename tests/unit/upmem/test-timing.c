// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modelled times of transfers beside recorded ones. transfers.csv: group, row, recorded ms, and the row's transfers as
 * KIND:BYTES:DPUS:RANKS:TIMES, with the bytes of all DPUs and the most DPUs of a rank. Sizes are those of the programs of
 * PrIM, whose repository of records lists them (folders "profile"). dpu/docs/upmem-model.md has the result.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/timing.h"
#include "tests/main.h"

SUITE("upmem timing");

static double transfer_ms(const struct dpu_host_timing *host, const char *text)
{
	struct dpu_host_transfer x = { 0 };
	unsigned int times;
	char kind[16];

	ck_assert_int_eq(sscanf(text, "%15[^:]:%" SCNu64 ":%u:%u:%u", kind, &x.bytes, &x.dpus, &x.ranks, &times), 5);
	x.to = !strncmp(kind, "to", 2) || !strcmp(kind, "same");
	x.same = !strcmp(kind, "same") || strstr(kind, "copy");
	x.wram = strstr(kind, "wram");
	x.first_read = !strncmp(kind, "first", 5);
	return 1000 * times * dpu_host_transfer(host, &x);
}

struct result {
	unsigned int rows, worse;	/* worse: by more than a factor of 1.5 */
	double mean, worst;
};

static struct result compare(const char *group)
{
	struct dpu_host_timing host;
	struct dpu_timing model;
	struct result result = { 0 };
	FILE *file = fopen(UPMEM_TRANSFERS, "r");
	char line[1024];

	ck_assert_int_eq(dpu_timing_parse(&model, &host), DPU_OK);
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		char *rest, *of = strtok_r(line, ",", &rest), *row = strtok_r(NULL, ",", &rest);
		double recorded = atof(strtok_r(NULL, ",", &rest)), ms = 0, factor;

		if (strcmp(of, group))
			continue;
		for (char *x = strtok_r(NULL, " \n", &rest); x; x = strtok_r(NULL, " \n", &rest))
			ms += transfer_ms(&host, x);
		factor = ms > recorded ? ms / recorded : recorded / ms;
		printf("%s: %s: recorded %.3f ms, modelled %.3f ms\n", group, row, recorded, ms);
		result.rows++;
		result.worse += factor > 1.5;
		result.mean += factor == ms / recorded ? factor - 1 : 1 - ms / recorded;
		result.worst = factor > result.worst ? factor : result.worst;
	}
	fclose(file);
	result.mean /= result.rows;
	return result;
}

static const char *model_page(void)
{
	static char page[32768];
	FILE *file = fopen(UPMEM_MODEL_PAGE, "r");

	ck_assert_ptr_nonnull(file);
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	fclose(file);
	return page;
}

static void page_says(const char *what, const struct result *r)
{
	char want[128];

	snprintf(want, sizeof(want), "| %s | %u | %.1f %% | %.2f |", what, r->rows, 100 * r->mean, r->worst);
	ck_assert_msg(strstr(model_page(), want), "not in " UPMEM_MODEL_PAGE ": %s", want);
}

TEST(records_that_the_parameters_were_fitted_to)
{
	struct result r;

	unsetenv("LIBMON_DPU_TIMING");
	r = compare("fitted");
	ck_assert_double_le(r.mean, 0.12);
	ck_assert_double_le(r.worst, 1.5);
	page_says("fitted", &r);
}

/* BS to 60 DPUs: 187 ms here, 92 ms in the other repository. No model can have both within a factor of 1.4. */
TEST(records_that_they_were_not_fitted_to)
{
	struct result r;

	unsetenv("LIBMON_DPU_TIMING");
	r = compare("unseen");
	ck_assert_double_le(r.mean, 0.12);
	ck_assert_uint_eq(r.worse, 1);
	page_says("unseen", &r);
}

static struct result both(struct result a, struct result b)
{
	return (struct result){
		.rows = a.rows + b.rows, .worse = a.worse + b.worse, .worst = a.worst > b.worst ? a.worst : b.worst,
		.mean = (a.rows * a.mean + b.rows * b.mean) / (a.rows + b.rows)
	};
}

TEST(the_other_state_of_the_server_has_parameters_of_its_own)
{
	static const char name[] = "`LIBMON_DPU_TIMING=";
	const char *of_page = strstr(model_page(), name);
	struct result r, all;
	char *timing;

	ck_assert_ptr_nonnull(of_page);
	of_page += strlen(name);
	unsetenv("LIBMON_DPU_TIMING");
	r = compare("other");
	page_says("other, same parameters", &r);
	all = both(compare("fitted"), compare("unseen"));
	timing = strndup(of_page, strcspn(of_page, "`"));
	setenv("LIBMON_DPU_TIMING", timing, 1);
	free(timing);
	r = compare("other");
	ck_assert_double_le(r.mean, 0.12);
	ck_assert_double_le(r.worst, 1.5);
	page_says("other, its own parameters", &r);
	all = both(all, r);
	ck_assert_uint_eq(all.rows, 124);
	ck_assert_double_le(all.mean, 0.12);
	ck_assert_uint_eq(all.worse, 1);
	page_says("all, each state's parameters", &all);
}
