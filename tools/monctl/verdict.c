// SPDX-License-Identifier: GPL-2.0-only
/* Rules become sentences. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/monctl.h"
#include "tools/monctl/recording-internal.h"
#include "tools/monctl/verdict-internal.h"

/* What an event counted: in each place, then in all of them together. */
struct known {
	char *terms;
	double *count;
};

struct scope {
	const struct verdict_counts *counts;
	size_t pmu;
	struct known *known;		/* those that were asked for */
	size_t nknown;
};

/* The index of a place by its number; counters mostly are in the order of places. */
static size_t place_index(const struct rec_pmu *pmu, int number, size_t last)
{
	for (size_t n = 1; n <= pmu->nplaces; n++)
		if ((int)pmu->place[(last + n) % pmu->nplaces].number == number)
			return (last + n) % pmu->nplaces;
	return SIZE_MAX;
}

/* All together: a counter of its own, or those of the places added up. */
static double *find_counts(const struct scope *scope, const char *terms)
{
	const struct recording *rec = scope->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[scope->pmu];
	double *count = calloc(pmu->nplaces + 1, sizeof(*count)), sum = 0, own = NAN;
	size_t at = SIZE_MAX;
	bool any = false, has_own = false;

	if (!count)
		die("out of memory");
	for (size_t i = 0; i <= pmu->nplaces; i++)
		count[i] = NAN;
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];

		if (c->pmu != scope->pmu || (strcmp(c->event, terms) && strcmp(c->terms, terms)))
			continue;
		if (c->place < 0) {
			own = scope->counts->count[i];
			has_own = true;
			continue;
		}
		at = place_index(pmu, c->place, at);
		if (at != SIZE_MAX)
			count[at] = scope->counts->count[i];
		sum += scope->counts->count[i];
		any = true;
	}
	if (any || has_own)
		count[pmu->nplaces] = has_own ? own : sum;
	return count;
}

static double verdict_count(void *arg, const char *terms, int index)
{
	struct scope *scope = arg;
	size_t i = 0, whole = scope->counts->rec->pmu[scope->pmu].nplaces;

	while (i < scope->nknown && strcmp(scope->known[i].terms, terms))
		i++;
	if (i == scope->nknown) {
		scope->known = rec_grow(scope->known, scope->nknown++, sizeof(*scope->known));
		scope->known[i] = (struct known){ format_text("%s", terms), find_counts(scope, terms) };
	}
	return scope->known[i].count[index < 0 ? whole : (size_t)index];
}

static void forget_counts(struct scope *scope)
{
	while (scope->nknown--) {
		free(scope->known[scope->nknown].terms);
		free(scope->known[scope->nknown].count);
	}
	free(scope->known);
}

static void add_sentence(struct verdict *verdict, char *sentence)
{
	if (!sentence)
		return;
	*sentence = toupper((unsigned char)*sentence);
	verdict->sentence = rec_grow(verdict->sentence, verdict->count, sizeof(*verdict->sentence));
	verdict->sentence[verdict->count++] = sentence;
}

/* ---- rules ---- */

/* One value of all places together. */
static void judge_total(struct verdict *verdict, const struct rule *rule, const char *say,
			const struct metric_counts *counts)
{
	double value = expression_value(rule->expression, counts, -1, NAN) * rule->scale;
	char *text;

	if (!*say || isnan(value) || !(expression_value(rule->when, counts, -1, value) > 0))
		return;
	text = value_text(value, rule->unit);
	add_sentence(verdict, fill(say, (const struct words[]){ { "value", text }, { 0 } }, counts));
	free(text);
}

static void judge_places(struct verdict *verdict, const struct rule *rule, const struct rec_pmu *pmu,
			 const struct metric_counts *counts)
{
	struct placed *placed = calloc(pmu->nplaces + 1, sizeof(*placed));
	double sum = 0, value;
	size_t n = 0, i;

	if (!placed)
		die("out of memory");
	for (i = 0; i < pmu->nplaces; i++) {
		value = expression_value(rule->expression, counts, i, NAN) * rule->scale;
		if (isnan(value))
			continue;
		placed[n++] = (struct placed){ value, i };
		sum += value;
	}
	if (!n && rule->of == RULE_EACH) {
		judge_total(verdict, rule, rule->whole, counts);
		free(placed);
		return;
	}
	for (i = 0; rule->of == RULE_SHARES && i < n; i++)
		placed[i].value *= sum > 0 ? 100 / sum : 0;
	qsort(placed, n, sizeof(*placed), compare_placed);
	if (n && expression_value(rule->when, counts, placed[0].place, placed[0].value) > 0)
		add_sentence(verdict, placed_sentence(rule, &(struct naming){ places_text, pmu }, placed, n, counts));
	free(placed);
}

static struct metric_counts counts_of(struct scope *scope)
{
	const struct rec_pmu *pmu = &scope->counts->rec->pmu[scope->pmu];

	return (struct metric_counts){
		.count = verdict_count, .arg = scope, .places = pmu->nplaces,
		.seconds = scope->counts->seconds, .clock_hz = pmu->clock_hz,
	};
}

static void judge(struct verdict *verdict, const struct rule *rule, const struct verdict_counts *counts)
{
	for (size_t i = 0; i < counts->rec->npmus; i++) {
		const struct rec_pmu *pmu = &counts->rec->pmu[i];
		struct scope scope = { .counts = counts, .pmu = i };
		const struct metric_counts of_pmu = counts_of(&scope);
		char *kind = recording_kind(pmu);

		if (!strcmp(kind, rule->kind) && rule->of == RULE_TOTAL)
			judge_total(verdict, rule, rule->say, &of_pmu);
		else if (!strcmp(kind, rule->kind) && rule->of == RULE_LINKS)
			add_sentence(verdict, links_sentence(rule, pmu, &of_pmu));
		else if (!strcmp(kind, rule->kind))
			judge_places(verdict, rule, pmu, &of_pmu);
		forget_counts(&scope);
		free(kind);
	}
}

static int compare_rules(const void *a, const void *b)
{
	const struct rule *const *x = a, *const *y = b;

	if ((*x)->stands != (*y)->stands)
		return (*x)->stands < (*y)->stands ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

struct verdict_rules verdict_rules(void)
{
	const struct metric_set *set = metrics();
	struct verdict_rules rules = {
		.rule = calloc(set->nrules + 1, sizeof(*rules.rule)), .count = set->nrules,
	};

	if (!rules.rule)
		die("out of memory");
	for (size_t i = 0; i < set->nrules; i++)
		rules.rule[i] = &set->rule[i];
	qsort(rules.rule, rules.count, sizeof(*rules.rule), compare_rules);
	return rules;
}

struct verdict verdict_new(const struct verdict_counts *counts)
{
	struct verdict_rules rules = verdict_rules();
	struct verdict verdict = { 0 };

	for (size_t i = 0; i < rules.count; i++)
		judge(&verdict, rules.rule[i], counts);
	free(rules.rule);
	return verdict;
}

struct verdict verdict_between(const struct recording *rec, uint64_t from, uint64_t to)
{
	struct rec_table *table = rec_table_new(rec, from, to - from, 1);
	double *count = calloc(rec->ncounters + 1, sizeof(*count));
	struct verdict verdict;

	if (!count)
		die("out of memory");
	for (size_t i = 0; i < rec->ncounters; i++)
		count[i] = rec->counter[i].series < rec->nseries &&
			   recording_share(rec, &rec->counter[i]) >= SHARE_OF_EXACT ?
			   (double)rec_table_row(table, &rec->counter[i])[0] : NAN;
	rec_table_free(table);
	verdict = verdict_new(&(struct verdict_counts){ rec, count, (to - from) / 1e9 });
	free(count);
	return verdict;
}

void verdict_free(struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->count; i++)
		free(verdict->sentence[i]);
	free(verdict->sentence);
	*verdict = (struct verdict){ 0 };
}

void verdict_print(const struct verdict *verdict, FILE *out)
{
	for (size_t i = 0; i < verdict->count; i++)
		print_wrapped(out, verdict->sentence[i], 0, terminal_width());
}

void verdict_print_json(const struct verdict *verdict, FILE *out)
{
	fputc('[', out);
	for (size_t i = 0; i < verdict->count; i++) {
		fputs(i ? ", " : "", out);
		json_string(out, verdict->sentence[i]);
	}
	fputc(']', out);
}
