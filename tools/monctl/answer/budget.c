// SPDX-License-Identifier: GPL-2.0-only
/* Budgets: cycles of devices and of their parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"

/* Places that are named by their numbers; more are counted. */
#define MOST_NAMED 6
/* From this share on a bar is of what is not idle. */
#define MOSTLY_IDLE .9

/* What a device is called where the files have a word for it. */
static const char *place_noun(const struct rec_pmu *pmu)
{
	const struct metric_set *set = metrics();
	const char *noun = pmu->noun;

	for (size_t i = 0; i < set->nbudgets; i++)
		if (!strcmp(set->budget[i].kind, pmu->kind) && *set->budget[i].noun)
			noun = set->budget[i].noun;
	return noun;
}

static int compare_numbers(const void *a, const void *b)
{
	return (*(unsigned int *)a > *(unsigned int *)b) - (*(unsigned int *)a < *(unsigned int *)b);
}

/* "fft_stratus.2", or "" where the noun says it all. */
static const char *place_name(const struct rec_pmu *pmu, const struct rec_place *place)
{
	const char *name = *place->device ? place->device : *place->name ? place->name : place->kind;

	return strcasecmp(name, pmu->noun) ? name : "";
}

char *devices_text(const struct recording *rec, const struct budget *budget, const int *first, size_t stride, size_t count)
{
	const struct rec_pmu *pmu = &rec->pmu[budget->pmu];
	const char *noun = place_noun(pmu), *name;
	unsigned int *number;
	size_t length, size;
	char *text = NULL;
	FILE *out;

	if (budget->place < 0)
		return format_text("%s %s", pmu->name, budget->rule->device);
	number = zeros(count, sizeof(*number));
	name = place_name(pmu, &pmu->place[*first]);
	/* several have one name but for their numbers, or none */
	length = strcspn(name, ".");
	for (size_t i = 0; i < count; i++) {
		const struct rec_place *place = &pmu->place[*(const int *)((const char *)first + i * stride)];
		const char *other = place_name(pmu, place);

		number[i] = place->number;
		if (strcspn(other, ".") != length || strncmp(other, name, length))
			name = "";
	}
	qsort(number, count, sizeof(*number), compare_numbers);
	out = text_open(&text, &size);
	if (count > 2 && number[count - 1] - number[0] == count - 1)
		fprintf(out, "%ss %u to %u", noun, number[0], number[count - 1]);
	else if (count > MOST_NAMED)
		fprintf(out, "%zu %ss", count, noun);
	else
		for (size_t i = 0; i < count; i++)
			fprintf(out, "%s%s %u", i ? "" : noun, i ? i + 1 < count ? "," : " and" : count > 1 ? "s" : "", number[i]);
	if (*name)
		fprintf(out, " (%.*s)", (int)(count > 1 ? length : strlen(name)), name);
	text_close(out);
	free(number);
	return text;
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

double budget_busy(const struct budget_rule *rule, const double *cycles)
{
	double busy = 0;

	for (size_t i = 0; i < rule->nparts; i++)
		busy += rule->part[i].kind == PART_IDLE || rule->part[i].is_child ? 0 : cycles[i];
	return busy;
}

double budget_idle_beside(const struct budget_rule *rule, const double *cycles, double total, double beside)
{
	double idle = 1 - budget_busy(rule, cycles) / total;

	if (!isnan(beside))
		return beside > total ? 100 * (1 - total / beside) : 0;
	return idle > MOSTLY_IDLE && idle < 1 ? 100 * idle : NAN;
}

static void add_budget(struct budgets *budgets, const struct budget_rule *rule, struct counts_view *view, int place)
{
	struct budget budget = { .rule = rule, .pmu = view->pmu, .place = place,
				 .cycles = zeros(rule->nparts, sizeof(*budget.cycles)) };

	if (!budget_cycles(rule, &view->values, place, budget.cycles, &budget.total, &budget.beside) || !(budget.total > 0)) {
		free(budget.cycles);
		return;
	}
	budget.weight = budget_busy(rule, budget.cycles);
	if (rule->weight && budget.weight > 0)
		budget.weight = formula_value(rule->weight, &view->values, place, NAN);
	budgets->budget = grow(budgets->budget, budgets->count, sizeof(budget));
	budgets->budget[budgets->count++] = budget;
}

/* For qsort(): what explains most first. */
static int compare_budgets(const void *a, const void *b)
{
	const struct budget *x = a, *y = b;

	return x->weight < y->weight ? 1 : x->weight > y->weight ? -1 : (x->place > y->place) - (x->place < y->place);
}

/* Tenths of what a device did while it was not idle. */
static double tenths(const struct budget *budget, size_t part)
{
	double busy = budget_busy(budget->rule, budget->cycles);

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

bool has_twins(const struct recording *rec, size_t pmu)
{
	size_t i = 0;

	while (i < rec->npmus && (i == pmu || strcmp(rec->pmu[i].kind, rec->pmu[pmu].kind)))
		i++;
	return i < rec->npmus;
}

/* With what the budgets are about, and with the PMU where that is not clear. */
static char *group_label(const struct recording *rec, const struct budget *budget, size_t count)
{
	const char *title = budget->rule->title;
	bool is_of_twin = budget->place >= 0 && has_twins(rec, budget->pmu);
	char *devices = devices_text(rec, budget, &budget->place, sizeof(*budget), count);
	char *label = format_text("%s%s%s%s%s", is_of_twin ? rec->pmu[budget->pmu].name : "", is_of_twin ? " " : "", devices,
				  *title ? ": " : "", title);

	free(devices);
	return label;
}

/* Puts devices of one rule and PMU that look alike together, from the first one on. */
static void make_groups(struct budgets *budgets, const struct recording *rec, size_t first)
{
	size_t end = budgets->count, n;

	for (size_t at = first; at < end; at += n) {
		struct budget *of = &budgets->budget[at];
		struct budget_group group = { .first = at, .cycles = zeros(of->rule->nparts, sizeof(*group.cycles)) };

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
			group.beside += found.beside;
			for (size_t p = 0; p < of->rule->nparts; p++)
				group.cycles[p] += found.cycles[p];
		}
		group.count = n;
		group.label = group_label(rec, of, n);
		budgets->group = grow(budgets->group, budgets->ngroups, sizeof(group));
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
		busy = fmax(busy, budget_busy(rule, budgets->budget[i].cycles));
	if (busy <= 0) {
		while (budgets->count > first)
			free(budgets->budget[--budgets->count].cycles);
		return;
	}
	qsort(budgets->budget + first, budgets->count - first, sizeof(*budgets->budget), compare_budgets);
	make_groups(budgets, view->counts->rec, first);
}

/* Copies are of a program, whose run is as long as that of the PMU that ran longest. */
static bool is_of_run(const struct counts *counts, const struct budget_rule *rule, size_t pmu)
{
	double most = 0, value;
	size_t longest = pmu;

	for (size_t i = 0; formula_has(rule->formula, FORMULA_TRANSFERS) && i < counts->rec->npmus; i++) {
		struct counts_view view;

		counts_view_init(&view, counts, i);
		value = formula_value(rule->formula, &view.values, -1, NAN);
		counts_view_free(&view);
		if (!(value > most))
			continue;
		most = value;
		longest = i;
	}
	return longest == pmu;
}

struct budgets budgets_new(const struct counts *counts)
{
	const struct metric_set *set = metrics();
	struct budgets budgets = { 0 };

	for (size_t i = 0; i < counts->rec->npmus; i++) {
		struct counts_view view;

		counts_view_init(&view, counts, i);
		for (size_t k = 0; k < set->nbudgets; k++)
			if (!strcmp(set->budget[k].kind, counts->rec->pmu[i].kind) && is_of_run(counts, &set->budget[k], i))
				add_rule(&budgets, &set->budget[k], &view);
		counts_view_free(&view);
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

/* '#' computing, '=' waiting, '-' missed, '.' idle, '?' not known; without_idle: the bar is of the rest. */
static void print_bar(const struct budget_rule *rule, const double *cycles, double total, bool without_idle, FILE *out)
{
	static const char signs[] = { [PART_COMPUTING] = '#', [PART_WAITING] = '=', [PART_MISSED] = '-',
				      [PART_IDLE] = '.', [PART_UNKNOWN] = '?' };
	double sum = 0;
	int at = 0;

	total = without_idle ? budget_busy(rule, cycles) : total;
	for (size_t i = 0; i < rule->nparts; i++) {
		if (rule->part[i].is_child || (without_idle && rule->part[i].kind == PART_IDLE))
			continue;
		sum += cycles[i];
		for (; at < (int)round(sum * BAR_WIDTH / total); at++)
			fputc(signs[rule->part[i].kind], out);
	}
}

/* Shares of parts of a part are of that part. */
static void print_children(const struct budget_rule *rule, const double *cycles, size_t parent, int digits, FILE *out)
{
	for (size_t k = parent + 1; k < rule->nparts && rule->part[k].is_child; k++)
		if (cycles[k] > 0)
			fprintf(out, " (%s in %.*f %% of these)", rule->part[k].words, digits, 100 * cycles[k] / cycles[parent]);
}

static char *parts_text(const struct budget_group *group, const struct budget_rule *rule, double idle)
{
	static const char *const kinds[] = { [PART_COMPUTING] = "", [PART_WAITING] = "", [PART_MISSED] = "",
					     [PART_IDLE] = "idle: ", [PART_UNKNOWN] = "not known: " };
	int share[MOST_PARTS], digits = budget_rounded(rule, group->cycles, group->total, share);
	const char *comma = "";
	char *text = NULL;
	size_t size;
	FILE *out = text_open(&text, &size);

	for (size_t i = 0; i < rule->nparts; i++) {
		/* what is too small to show was there nevertheless */
		if (rule->part[i].is_child || !(group->cycles[i] > 0))
			continue;
		fprintf(out, "%s%s%s %s%.*f %%", comma, kinds[rule->part[i].kind], rule->part[i].words, share[i] ? "" : "<",
			digits, fmax(share[i], 1) / pow(10, digits));
		print_children(rule, group->cycles, i, digits, out);
		comma = ", ";
	}
	if (!isnan(group->beside) && idle > 0)
		fprintf(out, "; idle %.3g %% of the time", idle);
	text_close(out);
	return text;
}

static void print_group(const struct budget_group *group, const struct budget_rule *rule, int width, FILE *out)
{
	double idle = budget_idle_beside(rule, group->cycles, group->total, group->beside);
	char *text = parts_text(group, rule, idle);

	fprintf(out, "%-*s ", width, group->label);
	print_bar(rule, group->cycles, group->total, !isnan(idle), out);
	if ((int)strlen(text) + width + BAR_WIDTH + 3 <= terminal_width()) {
		fprintf(out, "  %s\n", text);
	} else {
		fputs("\n    ", out);
		print_wrapped(out, text, 4, terminal_width());
	}
	free(text);
}

/* Others are of requests, which are no time. */
static bool is_of_cycles(const struct budget_rule *rule)
{
	return !strcmp(rule->unit, "cycles") || !strcmp(rule->unit, "ticks");
}

/* "78.1 MHz" of a modelled clock. */
static char *clock_text(const struct rec_pmu *pmu, const struct budget_rule *rule)
{
	const struct clock_rule *clock = clock_find(pmu->kind);
	char *text;

	if (!is_of_cycles(rule))
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

static void put_formula(FILE *out, const char *name, struct counts_view *view, const struct formula *formula, int place)
{
	struct form form = counts_form(view, formula, place);

	fprintf(out, "\"%s\":", name);
	form_print_json(&form, out);
	form_free(&form);
}

/* Parts of a part: what all of the time says. */
static void put_children(FILE *out, const struct budget *budget, size_t parent)
{
	const char *comma = "";

	fputs(",\"children\":[", out);
	for (size_t k = parent + 1; k < budget->rule->nparts && budget->rule->part[k].is_child; k++) {
		if (isnan(budget->cycles[k]))
			continue;
		fputs(comma, out);
		json_print(out, "{\"id\":%s,\"name\":%s,\"cycles\":%.12g,\"share\":%.6g}", budget->rule->part[k].id,
			   budget->rule->part[k].words, budget->cycles[k], budget->cycles[k] / budget->cycles[parent]);
		comma = ",";
	}
	fputc(']', out);
}

/* The series up to which a part fills the bar: the sum of the parts up to it. */
static struct form mark_of(struct counts_view *view, const struct budget *budget, size_t i, struct form level)
{
	const struct budget_rule *rule = budget->rule;
	const struct budget_part *part = &rule->part[i];
	struct form own;

	if (part->amount == AMOUNT_OWN) {
		own = counts_form(view, part->formula, budget->place);
		form_add(&level, &own, 1);
		form_free(&own);
		return level;
	}
	form_free(&level);
	if (part->amount == AMOUNT_UP_TO)
		return counts_form(view, part->formula, budget->place);
	return counts_form(view, rule->formula, part->amount == AMOUNT_LARGEST && budget->place >= 0 ?
			   budget_largest(rule, &view->values) : budget->place);
}

static void put_parts(FILE *out, struct counts_view *view, const struct budget *budget)
{
	struct form level = { .is_known = true };

	fputs(",\"parts\":[", out);
	for (size_t i = 0; i < budget->rule->nparts; i++) {
		const struct budget_part *part = &budget->rule->part[i];

		if (part->is_child)
			continue;
		level = mark_of(view, budget, i, level);
		fputs(i ? "," : "", out);
		json_print(out, "{\"kind\":%s,\"id\":%s,\"name\":%s,\"cycles\":%.12g,\"share\":%.6g,\"is_of_largest\":%c,\"mark\":",
			   part_kinds[part->kind], part->id, part->words, budget->cycles[i], budget->cycles[i] / budget->total,
			   part->amount == AMOUNT_LARGEST);
		form_print_json(&level, out);
		put_children(out, budget, i);
		fputc('}', out);
	}
	fputc(']', out);
	form_free(&level);
}

/* NaN: its clock has no known rate. */
static double known_hz(const struct rec_pmu *pmu)
{
	return pmu->clock_hz ? pmu->clock_hz : NAN;
}

static void put_budget(FILE *out, const struct budget *budget, struct counts_view *view)
{
	const struct recording *rec = view->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[budget->pmu];
	char *label = group_label(rec, budget, 1), *text = clock_text(pmu, budget->rule);

	json_print(out, "{\"pmu\":%zu,\"system\":%s,\"budget\":%s,\"place\":%d,\"device\":%s,\"title\":%s,\"unit\":%s,\"group\":%zu,"
		   "\"clock\":{\"name\":%s,\"hz\":%.12g,\"cycles\":%.12g}", budget->pmu, budget->rule->kind, budget->rule->name,
		   budget->place < 0 ? -1 : (int)pmu->place[budget->place].number, label, budget->rule->title, budget->rule->unit,
		   budget->group, text, is_of_cycles(budget->rule) ? known_hz(pmu) : NAN, budget->total);
	if (!isnan(budget->beside)) {
		fprintf(out, ",\"beside\":{\"cycles\":%.12g,", budget->beside);
		put_formula(out, "form", view, budget->rule->beside, budget->place);
		fputc('}', out);
	}
	put_parts(out, view, budget);
	fputc('}', out);
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

		fputs(i ? "," : "", out);
		json_print(out, "{\"label\":%s,\"count\":%zu,\"members\":[", group->label, group->count);
		for (size_t k = 0; k < group->count; k++)
			fprintf(out, "%s%zu", k ? "," : "", group->first + k);
		fputs("]}", out);
	}
	fputc(']', out);
}

void clock_print_json(const struct counts *counts, size_t pmu, FILE *out)
{
	const struct rec_pmu *of = &counts->rec->pmu[pmu];
	const struct clock_rule *clock;
	const char *comma = "";
	struct counts_view view;

	counts_view_init(&view, counts, pmu);
	clock = view.values.clock;
	if (!clock || isnan(clock_cycles(&view.values, -1))) {
		fputs("null", out);
		counts_view_free(&view);
		return;
	}
	json_print(out, "{\"name\":%s,\"hz\":%.12g,\"has_rates\":%c,\"forms\":[", clock->text, known_hz(of), !clock->has_no_rates);
	for (int i = clock->is_total ? -1 : 0; i < (clock->is_total ? 0 : (int)of->nplaces); i++) {
		if (isnan(formula_value(clock->formula, &view.values, i, NAN)))
			continue;
		fprintf(out, "%s{\"place\":%d,", comma, i < 0 ? -1 : (int)of->place[i].number);
		put_formula(out, "form", &view, clock->formula, i);
		fputc('}', out);
		comma = ",";
	}
	fputs("]}", out);
	counts_view_free(&view);
}
