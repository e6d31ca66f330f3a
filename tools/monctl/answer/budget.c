// SPDX-License-Identifier: GPL-2.0-only
/* Budgets: cycles of devices and of their parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/recording-internal.h"

/* What a device is called where the files have a word for it. */
const char *place_noun(const struct rec_pmu *pmu)
{
	const struct metric_set *set = metrics();
	const char *noun = pmu->noun;
	char *kind = recording_kind(pmu);

	for (size_t i = 0; i < set->nbudgets; i++)
		if (!strcmp(set->budget[i].kind, kind) && *set->budget[i].noun)
			noun = set->budget[i].noun;
	free(kind);
	return noun;
}

char *place_label(const struct rec_pmu *pmu, size_t index)
{
	const struct rec_place *place = &pmu->place[index];
	const char *name = *place->device ? place->device : *place->name ? place->name : place->kind;

	if (!*name || !strcasecmp(name, pmu->noun))
		return format_text("%s %u", place_noun(pmu), place->number);
	return format_text("%s %u (%s)", place_noun(pmu), place->number, name);
}

int budget_rounded(const struct budget_rule *rule, const double *cycles, double total, int *share)
{
	size_t i, largest = 0;
	double least = 1;
	int digits, left;

	for (i = 0; i < rule->nparts; i++)
		if (!rule->part[i].is_child && cycles[i] > 0)
			least = fmin(least, cycles[i] / total);
	digits = least < .0005 ? 3 : least < .01 ? 2 : 1;
	left = 100 * pow(10, digits);
	for (i = 0; i < rule->nparts; i++) {
		share[i] = rule->part[i].is_child ? 0 : round(100 * pow(10, digits) * cycles[i] / total);
		left -= share[i];
		if (share[i] > share[largest])
			largest = i;
	}
	/* so equal parts show equal numbers */
	share[largest] += left;
	return digits;
}

static double busy_of(const struct budget_rule *rule, const double *cycles, double total)
{
	double busy = 100;

	for (size_t i = 0; i < rule->nparts; i++)
		if (rule->part[i].kind == PART_IDLE && !rule->part[i].is_child)
			busy -= 100 * cycles[i] / total;
	return busy;
}

static void add_budget(struct budgets *budgets, const struct budget_rule *rule, struct counts_view *view, int place)
{
	struct budget budget = { .rule = rule, .pmu = view->pmu, .place = place,
				 .cycles = calloc(rule->nparts + 1, sizeof(*budget.cycles)) };

	if (!budget.cycles)
		die("out of memory");
	if (!budget_cycles(rule, &view->values, place, budget.cycles, &budget.total) || !(budget.total > 0)) {
		free(budget.cycles);
		return;
	}
	budgets->budget = rec_grow(budgets->budget, budgets->count, sizeof(budget));
	budgets->budget[budgets->count++] = budget;
}

/* For qsort(): the busiest first. */
static int compare_budgets(const void *a, const void *b)
{
	const struct budget *x = a, *y = b;
	double by = busy_of(y->rule, y->cycles, y->total) - busy_of(x->rule, x->cycles, x->total);

	return by > 0 ? 1 : by < 0 ? -1 : (x->place > y->place) - (x->place < y->place);
}

/* Tenths of what a device did while it was not idle. */
static double tenths(const struct budget *budget, size_t part)
{
	double busy = busy_of(budget->rule, budget->cycles, budget->total) / 100 * budget->total;

	return budget->rule->part[part].kind == PART_IDLE || busy <= 0 ? 0 : round(10 * budget->cycles[part] / busy);
}

/* Do two devices show the same whole per cents, and did they do the same while they were not idle? */
static bool looks_like(const struct budget *a, const struct budget *b)
{
	for (size_t i = 0; i < a->rule->nparts; i++)
		if (!a->rule->part[i].is_child &&
		    (round(100 * a->cycles[i] / a->total) != round(100 * b->cycles[i] / b->total) || tenths(a, i) != tenths(b, i)))
			return false;
	return true;
}

static char *group_label(const struct recording *rec, const struct budget *budget, size_t count, bool is_last)
{
	const struct rec_pmu *pmu = &rec->pmu[budget->pmu];

	if (budget->place < 0)
		return format_text("%s %s", pmu->name, budget->rule->device);
	if (count == 1)
		return place_label(pmu, budget->place);
	if (count <= 3)
		return format_text(count == 2 ? "%ss %u and %u" : "%ss %u, %u and %u", place_noun(pmu),
				   pmu->place[budget[0].place].number, pmu->place[budget[1].place].number,
				   pmu->place[budget[count - 1].place].number);
	return is_last ? format_text("%zu others", count) : format_text("%zu %ss", count, place_noun(pmu));
}

/* Puts devices of one rule and PMU that look alike together, from the first one on. */
static void make_groups(struct budgets *budgets, const struct recording *rec, size_t first)
{
	size_t end = budgets->count, n, before = budgets->ngroups;

	for (size_t at = first; at < end; at += n) {
		struct budget *of = &budgets->budget[at];
		struct budget_group group = { .first = at, .cycles = calloc(of->rule->nparts + 1, sizeof(*group.cycles)) };

		if (!group.cycles)
			die("out of memory");
		/* what follows and looks alike comes next */
		for (n = 0; at + n < end; n++) {
			size_t k = at + n;

			while (k < end && !looks_like(of, &budgets->budget[k]))
				k++;
			if (k == end)
				break;
			struct budget found = budgets->budget[k];

			memmove(of + n + 1, of + n, (k - at - n) * sizeof(*of));
			of[n] = found;
			of[n].group = budgets->ngroups;
			group.total += found.total;
			for (size_t p = 0; p < of->rule->nparts; p++)
				group.cycles[p] += found.cycles[p];
		}
		group.count = n;
		group.busy = busy_of(of->rule, group.cycles, group.total);
		group.label = group_label(rec, of, n, at + n == end && budgets->ngroups > before);
		budgets->group = rec_grow(budgets->group, budgets->ngroups, sizeof(group));
		budgets->group[budgets->ngroups++] = group;
	}
}

/* The devices of a rule; none if all were idle: the command did not use them. */
static void add_rule(struct budgets *budgets, const struct budget_rule *rule, struct counts_view *view)
{
	size_t first = budgets->count;
	double busy = 0;

	if (*rule->device)
		add_budget(budgets, rule, view, -1);
	for (size_t p = 0; !*rule->device && p < view->values.places; p++)
		add_budget(budgets, rule, view, p);
	for (size_t i = first; i < budgets->count; i++)
		busy = fmax(busy, busy_of(rule, budgets->budget[i].cycles, budgets->budget[i].total));
	if (busy <= 0) {
		while (budgets->count > first)
			free(budgets->budget[--budgets->count].cycles);
		return;
	}
	qsort(budgets->budget + first, budgets->count - first, sizeof(*budgets->budget), compare_budgets);
	make_groups(budgets, view->counts->rec, first);
}

struct budgets budgets_new(const struct counts *counts)
{
	const struct metric_set *set = metrics();
	struct budgets budgets = { 0 };

	for (size_t i = 0; i < counts->rec->npmus; i++) {
		struct counts_view view;
		char *kind = recording_kind(&counts->rec->pmu[i]);

		counts_view_init(&view, counts, i);
		for (size_t k = 0; k < set->nbudgets; k++)
			if (!strcmp(set->budget[k].kind, kind))
				add_rule(&budgets, &set->budget[k], &view);
		counts_view_free(&view);
		free(kind);
	}
	return budgets;
}

void budgets_free(struct budgets *budgets)
{
	for (size_t i = 0; i < budgets->count; i++)
		free(budgets->budget[i].cycles);
	for (size_t i = 0; i < budgets->ngroups; i++) {
		free(budgets->group[i].label);
		free(budgets->group[i].cycles);
	}
	free(budgets->budget);
	free(budgets->group);
	*budgets = (struct budgets){ 0 };
}

/* ---- text ---- */

#define BAR_WIDTH 20

/* '#' computing, '=' waiting, '-' missed, '.' idle, '?' not known */
static void print_bar(const struct budget_rule *rule, const double *cycles, double total, FILE *out)
{
	static const char signs[] = { [PART_COMPUTING] = '#', [PART_WAITING] = '=', [PART_MISSED] = '-',
				      [PART_IDLE] = '.', [PART_UNKNOWN] = '?' };
	double sum = 0;
	int at = 0;

	for (size_t i = 0; i < rule->nparts; i++) {
		sum += rule->part[i].is_child ? 0 : cycles[i];
		for (; at < (int)round(sum * BAR_WIDTH / total); at++)
			fputc(signs[rule->part[i].kind], out);
	}
}

static void print_group(const struct budget_group *group, const struct budget_rule *rule, int width, FILE *out)
{
	static const char *const kinds[] = { [PART_COMPUTING] = "", [PART_WAITING] = "waiting for ", [PART_MISSED] = "",
					     [PART_IDLE] = "idle: ", [PART_UNKNOWN] = "not known: " };
	int share[MOST_PARTS], digits = budget_rounded(rule, group->cycles, group->total, share);
	const char *comma = "";
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		die("out of memory");
	for (size_t i = 0; i < rule->nparts; i++) {
		/* what is too small to show was there nevertheless */
		if (rule->part[i].is_child || !(group->cycles[i] > 0))
			continue;
		fprintf(line, "%s%s%s %s%.*f %%", comma, kinds[rule->part[i].kind], rule->part[i].words, share[i] ? "" : "<",
			digits, fmax(share[i], 1) / pow(10, digits));
		for (size_t k = i + 1; k < rule->nparts && rule->part[k].is_child; k++)
			if (group->cycles[k] > 0)
				fprintf(line, " (%s %.1f %%)", rule->part[k].words, 100 * group->cycles[k] / group->total);
		comma = ", ";
	}
	fclose(line);
	fprintf(out, "%-*s ", width, group->label);
	print_bar(rule, group->cycles, group->total, out);
	if ((int)strlen(text) + width + BAR_WIDTH + 3 <= terminal_width()) {
		fprintf(out, "  %s\n", text);
	} else {
		fputs("\n    ", out);
		print_wrapped(out, text, 4, terminal_width());
	}
	free(text);
}

/* "78.1 MHz" of a modelled clock. */
static char *clock_text(const struct rec_pmu *pmu, const struct budget_rule *rule)
{
	char *kind = recording_kind(pmu);
	const struct clock_rule *clock = clock_find(kind);
	char *text;

	free(kind);
	if (strcmp(rule->unit, "cycles") && strcmp(rule->unit, "ticks"))
		return format_text("%s", rule->unit);
	text = format_text("%s", clock ? clock->text : rule->unit);
	if (pmu->clock_hz) {
		char *with = format_text("%s (%sHz)", text, with_prefix(pmu->clock_hz));

		free(text);
		text = with;
	}
	return text;
}

void budgets_print(const struct budgets *budgets, const struct counts *counts, FILE *out)
{
	const struct budget *last = NULL;
	int width = 0;

	for (size_t i = 0; i < budgets->ngroups; i++)
		width = (int)strlen(budgets->group[i].label) > width ? (int)strlen(budgets->group[i].label) : width;
	for (size_t i = 0; i < budgets->ngroups; i++) {
		const struct budget *budget = &budgets->budget[budgets->group[i].first];

		if (!last || last->rule != budget->rule || last->pmu != budget->pmu) {
			char *text = clock_text(&counts->rec->pmu[budget->pmu], budget->rule);

			fprintf(out, "%s, in %s:\n", counts->rec->pmu[budget->pmu].name, text);
			free(text);
		}
		print_group(&budgets->group[i], budget->rule, width, out);
		last = budget;
	}
}

/* ---- JSON ---- */

static void put_expression(FILE *out, const char *name, struct counts_view *view, const char *expression, int place)
{
	struct form form = counts_form(view, expression, place);

	fprintf(out, "\"%s\":", name);
	form_print_json(&form, out);
	form_free(&form);
}

static void put_hz(FILE *out, uint64_t hz)
{
	if (hz)
		fprintf(out, ",\"hz\":%llu", (unsigned long long)hz);
	else
		fputs(",\"hz\":null", out);
}

static void put_part(FILE *out, struct counts_view *view, const struct budget *budget, size_t i)
{
	const struct budget_part *part = &budget->rule->part[i];
	bool is_first = true;

	fputc('{', out);
	if (!part->is_child)
		fprintf(out, "\"kind\":\"%s\",", part_kinds[part->kind]);
	fputs("\"id\":", out);
	json_string(out, part->id);
	fputs(",\"name\":", out);
	json_string(out, part->words);
	fputc(',', out);
	if (*part->expression)
		put_expression(out, "form", view, part->expression, budget->place);
	else
		fputs("\"form\":\"rest\"", out);
	fprintf(out, ",\"is_bound\":%s", part->is_bound ? "true" : "false");
	if (isnan(budget->cycles[i]))
		fputs(",\"cycles\":null,\"share\":null", out);
	else
		fprintf(out, ",\"cycles\":%.12g,\"share\":%.6g", budget->cycles[i], budget->cycles[i] / budget->total);
	if (!part->is_child) {
		fputs(",\"children\":[", out);
		for (size_t k = i + 1; k < budget->rule->nparts && budget->rule->part[k].is_child; k++) {
			if (isnan(budget->cycles[k]))
				continue;
			fputs(is_first ? "" : ",", out);
			put_part(out, view, budget, k);
			is_first = false;
		}
		fputc(']', out);
	}
	fputc('}', out);
}

/* The place that counts most of an expression; -1: none does. */
static int find_most(const struct counts_view *view, const char *expression)
{
	double most = NAN, value;
	int best = -1;

	for (size_t i = 0; i < view->values.places; i++) {
		value = expression_value(expression, &view->values, i, NAN);
		if (isnan(value) || value <= most)
			continue;
		most = value;
		best = i;
	}
	return best;
}

/* Where the cycles of a budget are counted. */
static int clock_place(const struct counts_view *view, const struct budget *budget)
{
	const char *expression = budget->rule->expression;

	if (budget->place < 0 || !budget_is_of_clock(budget->rule, view->values.clock) ||
	    !isnan(expression_value(expression, &view->values, budget->place, NAN)))
		return budget->place;
	return find_most(view, expression);
}

static void put_budget(FILE *out, const struct budget *budget, struct counts_view *view)
{
	const struct recording *rec = view->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[budget->pmu];
	char *label = group_label(rec, budget, 1, false), *text = clock_text(pmu, budget->rule);
	bool is_first = true;

	fprintf(out, "{\"pmu\":%zu,\"system\":", budget->pmu);
	json_string(out, budget->rule->kind);
	fputs(",\"budget\":", out);
	json_string(out, budget->rule->name);
	fprintf(out, ",\"place\":%d,\"device\":", budget->place < 0 ? -1 : (int)pmu->place[budget->place].number);
	json_string(out, label);
	fputs(",\"unit\":", out);
	json_string(out, budget->rule->unit);
	fprintf(out, ",\"group\":%zu,\"clock\":{\"name\":", budget->group);
	json_string(out, text);
	put_hz(out, pmu->clock_hz);
	fputc(',', out);
	put_expression(out, "form", view, budget->rule->expression, clock_place(view, budget));
	fprintf(out, ",\"is_largest\":%s,\"cycles\":%.12g},\"parts\":[", budget->rule->is_largest ? "true" : "false",
		budget->total);
	for (size_t i = 0; i < budget->rule->nparts; i++) {
		if (budget->rule->part[i].is_child)
			continue;
		fputs(is_first ? "" : ",", out);
		put_part(out, view, budget, i);
		is_first = false;
	}
	fputs("]}", out);
	free(label);
	free(text);
}

void budgets_print_json(const struct budgets *budgets, const struct counts *counts, FILE *out)
{
	struct counts_view view = { .pmu = SIZE_MAX };

	fputs("\"budgets\":[", out);
	for (size_t i = 0; i < budgets->count; i++) {
		if (view.pmu != budgets->budget[i].pmu) {
			counts_view_free(&view);
			counts_view_init(&view, counts, budgets->budget[i].pmu);
		}
		fputs(i ? "," : "", out);
		put_budget(out, &budgets->budget[i], &view);
	}
	counts_view_free(&view);
	fputs("],\"groups\":[", out);
	for (size_t i = 0; i < budgets->ngroups; i++) {
		const struct budget_group *group = &budgets->group[i];

		fprintf(out, "%s{\"label\":", i ? "," : "");
		json_string(out, group->label);
		fprintf(out, ",\"count\":%zu,\"members\":[", group->count);
		for (size_t k = 0; k < group->count; k++)
			fprintf(out, "%s%zu", k ? "," : "", group->first + k);
		fputs("]}", out);
	}
	fputc(']', out);
}

void clock_print_json(const struct counts *counts, size_t pmu, FILE *out)
{
	const struct rec_pmu *of = &counts->rec->pmu[pmu];
	const char *comma = "", *expression;
	struct counts_view view;

	counts_view_init(&view, counts, pmu);
	if (!view.values.clock || isnan(clock_cycles(&view.values, -1))) {
		fputs("null", out);
		counts_view_free(&view);
		return;
	}
	expression = view.values.clock->expression;
	fputs("{\"name\":", out);
	json_string(out, view.values.clock->text);
	put_hz(out, of->clock_hz);
	fprintf(out, ",\"is_common\":%s,\"forms\":[", view.values.clock->is_once ? "true" : "false");
	for (size_t i = 0; !view.values.clock->is_total && i < of->nplaces; i++) {
		if (isnan(expression_value(expression, &view.values, i, NAN)))
			continue;
		fprintf(out, "%s{\"place\":%u,", comma, of->place[i].number);
		put_expression(out, "form", &view, expression, i);
		fputc('}', out);
		comma = ",";
	}
	fprintf(out, "%s{\"place\":-1,", comma);
	put_expression(out, "form", &view, expression, view.values.clock->is_total ? -1 : find_most(&view, expression));
	fputs("}]}", out);
	counts_view_free(&view);
}
