// SPDX-License-Identifier: GPL-2.0-only
/* Rules become sentences. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/metric.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/recording-internal.h"
#include "tools/monctl/verdict.h"

/* Groups of places that one sentence names by their numbers; the rest is counted. */
#define MOST_GROUPS 4
#define MOST_NAMED 6

struct scope {
	const struct verdict_counts *counts;
	size_t pmu;
};

/* What all places together counted: a counter of its own, or theirs added up. */
static double verdict_count(void *arg, const char *terms, int index)
{
	const struct scope *scope = arg;
	const struct recording *rec = scope->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[scope->pmu];
	double sum = NAN;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];

		if (c->pmu != scope->pmu || (strcmp(c->event, terms) && strcmp(c->terms, terms)))
			continue;
		if (index < 0 ? c->place < 0 : c->place == (int)pmu->place[index].number)
			return scope->counts->count[i];
		if (index < 0)
			sum = (isnan(sum) ? 0 : sum) + scope->counts->count[i];
	}
	return sum;
}

/* ---- parts of sentences ---- */

static char *value_text(double value, const char *unit)
{
	double shown = fabs(value);

	if (!strcmp(unit, "%"))
		return format_text(shown >= 9.95 || !shown ? "%.0f %%" : "%.1f %%", value);
	if (shown >= 1e6)
		return format_text("%s%s", with_prefix(value), unit);
	return format_text(value == floor(value) ? "%.0f%s%s" : "%.3g%s%s", value, *unit ? " " : "", unit);
}

/* The value of what stands in braces: a metric with its unit, or any expression. */
static char *brace_text(const char *expression, const struct metric_counts *counts)
{
	const struct metric *metric = metric_find(expression);
	double value = metric ? metric_value(metric, counts, -1) : expression_value(expression, counts, -1, NAN);

	return isnan(value) ? NULL : value_text(value, metric ? metric->unit : "");
}

/* NULL if a value is not known: the sentence would have a hole. */
static char *fill(const char *say, const char *places, const char *value, const struct metric_counts *counts)
{
	char *text = NULL, *part;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool has_hole = false;

	if (!out)
		die("out of memory");
	while (*say) {
		size_t n = *say == '{' ? strcspn(say, "}") : 0;

		if (!n || !say[n]) {
			fputc(*say++, out);
			continue;
		}
		part = format_text("%.*s", (int)n - 1, say + 1);
		say += n + 1;
		if (!strcmp(part, "places")) {
			fputs(places, out);
		} else if (!strcmp(part, "value")) {
			fputs(value, out);
		} else {
			char *number = brace_text(part, counts);

			has_hole |= !number;
			fputs(number ? number : "", out);
			free(number);
		}
		free(part);
	}
	fclose(out);
	if (!has_hole)
		return text;
	free(text);
	return NULL;
}

static void add_sentence(struct verdict *verdict, char *sentence)
{
	if (!sentence)
		return;
	*sentence = toupper((unsigned char)*sentence);
	verdict->sentence = rec_grow(verdict->sentence, verdict->count, sizeof(*verdict->sentence));
	verdict->sentence[verdict->count++] = sentence;
}

/* ---- places, most first ---- */

struct placed {
	double value;
	size_t place;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

static int compare_places(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* "tile 4 (fft_stratus.2)", "tiles 0 and 3", "62 tiles" */
static char *places_text(const struct rec_pmu *pmu, struct placed *first, size_t count)
{
	const struct rec_place *place = &pmu->place[first->place];
	const char *device = *place->device ? place->device : *place->name ? place->name : place->kind;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (count == 1 && *device)
		return format_text("%s %u (%s)", pmu->noun, place->number, device);
	if (count > MOST_NAMED)
		return format_text("%zu %ss", count, pmu->noun);
	out = open_memstream(&text, &size);
	if (!out)
		die("out of memory");
	qsort(first, count, sizeof(*first), compare_places);
	fprintf(out, "%s%s ", pmu->noun, count > 1 ? "s" : "");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%u", !i ? "" : i + 1 < count ? ", " : " and ", pmu->place[first[i].place].number);
	fclose(out);
	return text;
}

/* Of places that show the same number. */
static size_t group_size(const struct placed *placed, size_t count, const char *unit)
{
	char *first = value_text(placed->value, unit);
	size_t n = 1;

	for (; n < count; n++) {
		char *text = value_text(placed[n].value, unit);
		bool is_same = !strcmp(first, text);

		free(text);
		if (!is_same)
			break;
	}
	free(first);
	return n;
}

/* The sentence of the first group, then what the others have: "Tile 4 waited 39 % ..., tiles 0 and 3 9 %." */
static char *places_sentence(const struct rule *rule, const struct rec_pmu *pmu, struct placed *placed,
			     size_t count, const struct metric_counts *counts)
{
	size_t n = group_size(placed, count, rule->unit), at = n, groups = 1, size;
	char *places, *value = value_text(placed->value, rule->unit);
	char *head, *text = NULL;
	FILE *out;

	places = places_text(pmu, placed, n);
	head = fill(rule->say, places, value, counts);
	free(places);
	free(value);
	if (!head)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		die("out of memory");
	fputs(head, out);
	free(head);
	for (; at < count && groups < MOST_GROUPS; at += n, groups++) {
		n = group_size(placed + at, count - at, rule->unit);
		/* the last group takes all that is left */
		if (groups + 1 == MOST_GROUPS && at + n < count) {
			value = value_text(placed[at].value, rule->unit);
			fprintf(out, ", the other %zu at most %s", count - at, value);
			free(value);
			break;
		}
		value = placed[at].value == 0 ? format_text("none") : value_text(placed[at].value, rule->unit);
		places = places_text(pmu, placed + at, n);
		fprintf(out, ", %s %s", places, value);
		free(places);
		free(value);
	}
	fputc('.', out);
	fclose(out);
	return text;
}

/* ---- rules ---- */

/* Counts that are not by place are of all of them. */
static void judge_all(struct verdict *verdict, const struct rule *rule, const struct rec_pmu *pmu,
		      const struct metric_counts *counts)
{
	double value = expression_value(rule->expression, counts, -1, NAN) * rule->scale;
	char *places, *text, *sentence;

	if (isnan(value) || !(expression_value(rule->when, counts, -1, value) > 0))
		return;
	places = format_text("all %ss together", pmu->noun);
	text = value_text(value, rule->unit);
	sentence = fill(rule->say, places, text, counts);
	if (sentence)
		add_sentence(verdict, format_text("%s.", sentence));
	free(sentence);
	free(places);
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
		judge_all(verdict, rule, pmu, counts);
		free(placed);
		return;
	}
	for (i = 0; rule->of == RULE_SHARES && i < n; i++)
		placed[i].value *= sum > 0 ? 100 / sum : 0;
	qsort(placed, n, sizeof(*placed), compare_placed);
	if (n && expression_value(rule->when, counts, placed[0].place, placed[0].value) > 0)
		add_sentence(verdict, places_sentence(rule, pmu, placed, n, counts));
	free(placed);
}

static void judge_total(struct verdict *verdict, const struct rule *rule, const struct metric_counts *counts)
{
	double value = expression_value(rule->expression, counts, -1, NAN) * rule->scale;
	char *text;

	if (isnan(value) || !(expression_value(rule->when, counts, -1, value) > 0))
		return;
	text = value_text(value, rule->unit);
	add_sentence(verdict, fill(rule->say, "", text, counts));
	free(text);
}

static void judge(struct verdict *verdict, const struct rule *rule, const struct verdict_counts *counts)
{
	for (size_t i = 0; i < counts->rec->npmus; i++) {
		const struct rec_pmu *pmu = &counts->rec->pmu[i];
		struct scope scope = { counts, i };
		const struct metric_counts of_pmu = {
			.count = verdict_count, .arg = &scope, .places = pmu->nplaces,
			.seconds = counts->seconds, .clock_hz = pmu->clock_hz,
		};
		char *kind = recording_kind(pmu);

		if (!strcmp(kind, rule->kind) && rule->of == RULE_TOTAL)
			judge_total(verdict, rule, &of_pmu);
		else if (!strcmp(kind, rule->kind))
			judge_places(verdict, rule, pmu, &of_pmu);
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
