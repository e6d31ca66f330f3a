// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sentences of budgets: the largest part that is not idle, of the devices that explain most, with its share; then what the
 * other devices did; then a reason or an advice that the metric files know for that part.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/verdict-internal.h"
#include "tools/monctl/base/monctl.h"

/* Devices that explain so much of what the first one explains share its sentence; those with less than LEAST are idle beside it. */
#define EQUAL .8
#define ALIKE 5		/* points of per cent */
#define LEAST .1
/* Further parts that a sentence names, as shares of all that is not idle, as of four alike, and of all. */
#define NAMED_BUSY .24
#define NAMED_IDLE .2
#define MOST_OTHERS 3

/* The devices of one budget, from the first one that explains most. */
struct speaker {
	const struct budget *first;
	size_t count;
	size_t sentence;		/* its first one, SIZE_MAX: none */
};

struct device {
	const struct budget *budget;
	size_t part;			/* that limits it */
	int place;
};

/* The part that prevails, or the largest one that is not idle. SIZE_MAX: all are idle, or a budget has no words for it. */
static size_t limiting_part(const struct budget *b, const struct metric_counts *counts)
{
	size_t largest = SIZE_MAX;

	for (size_t i = 0; i < b->rule->nparts; i++) {
		const struct budget_part *part = &b->rule->part[i];

		if (part->is_child || part->kind == PART_IDLE || !(b->cycles[i] > 0))
			continue;
		if (part->prevails && formula_value(part->prevails, counts, b->place, NAN) > 0)
			return i;
		if (largest == SIZE_MAX || b->cycles[i] > b->cycles[largest])
			largest = i;
	}
	return largest != SIZE_MAX && b->rule->part[largest].say.count + b->rule->say.count ? largest : SIZE_MAX;
}

static double share_of(const struct device *device)
{
	return 100 * device->budget->cycles[device->part] / device->budget->total;
}

/* "39 %", or "8.6 to 17 %" of devices that differ. */
static char *shares_text(const struct device *devices, size_t count)
{
	double least = INFINITY, most = 0;
	char *low, *high, *text;

	for (size_t i = 0; i < count; i++) {
		least = fmin(least, share_of(&devices[i]));
		most = fmax(most, share_of(&devices[i]));
	}
	low = value_text(least, "%");
	high = value_text(most, "%");
	if (strcmp(low, high))
		low[strlen(low) - 2] = '\0';
	text = strcmp(low, high) ? format_text("%s to %s", low, high) : format_text("%s", high);
	free(low);
	free(high);
	return text;
}

static char *names_text(const struct recording *rec, const struct device *devices, size_t count)
{
	return devices_text(rec, devices->budget, &devices->place, sizeof(*devices), count);
}

/* Writes "; WORDS 36 %" of further parts that are large. of_busy: as shares of what is not idle. */
static void put_parts(FILE *out, const struct device *device, bool of_busy)
{
	const struct budget *b = device->budget;
	double busy = budget_busy(b->rule, b->cycles), all = of_busy ? busy : b->total;

	for (size_t i = 0; i < b->rule->nparts; i++) {
		const struct budget_part *part = &b->rule->part[i];
		bool is_idle = part->kind == PART_IDLE;
		char *share;

		if (part->is_child || i == device->part || (is_idle && of_busy) ||
		    b->cycles[i] < (is_idle ? NAMED_IDLE * b->total : NAMED_BUSY * busy))
			continue;
		share = is_idle ? format_text("%.3g %%", 100 * b->cycles[i] / all) : value_text(100 * b->cycles[i] / all, "%");
		fprintf(out, "; %s %s", is_idle ? "idle" : part->words, share);
		free(share);
	}
}

/* The value for a name in braces, of the devices of a sentence. */
static char *fill_of(const struct piece *say, const struct recording *rec, const struct device *devices, size_t count,
		     const struct metric_counts *counts)
{
	const struct budget *first = devices->budget;
	char *device = names_text(rec, devices, count), *share = shares_text(devices, count);
	char *busy = value_text(100 * first->cycles[devices->part] / budget_busy(first->rule, first->cycles), "%");
	char *text = fill(say, (const struct words[]){ { "device", device }, { "share", share }, { "busy", busy },
						       { "part", first->rule->part[devices->part].words },
						       { "its", count > 1 ? "their" : "its" }, { 0 } }, counts, devices->budget->place);

	free(device);
	free(share);
	free(busy);
	return text;
}

/* The first saying whose condition holds and whose values are known; NULL: none. */
static char *choose(const struct sayings *own, const struct sayings *all, const struct recording *rec, const struct device *devices,
		    size_t count, const struct metric_counts *counts)
{
	const struct sayings *sayings = own->count ? own : all;
	char *text = NULL;

	for (size_t i = 0; i < sayings->count && !text; i++) {
		const struct saying *saying = &sayings->saying[i];

		if (!saying->when || formula_value(saying->when, counts, devices->budget->place, NAN) > 0)
			text = fill_of(saying->text, rec, devices, count, counts);
	}
	return text;
}

static void add_main(struct verdict *verdict, const struct recording *rec, const struct device *devices, size_t count,
		     const struct metric_counts *counts)
{
	const struct budget_rule *rule = devices->budget->rule;
	const struct sayings *own = &rule->part[devices->part].say;
	char *head = choose(own, &rule->say, rec, devices, count, counts), *text = NULL;
	size_t size;
	FILE *out;

	if (!head)
		return;
	out = text_open(&text, &size);
	fputs(head, out);
	put_parts(out, devices, (own->count ? own : &rule->say)->is_of_busy);
	fputc('.', out);
	text_close(out);
	free(head);
	verdict_add(verdict, text);
}

static void add_advice(struct verdict *verdict, const struct recording *rec, const struct device *devices, size_t count,
		       const struct metric_counts *counts)
{
	const struct budget_rule *rule = devices->budget->rule;

	verdict_add(verdict, choose(&rule->part[devices->part].also, &rule->also, rec, devices, count, counts));
}

/* "Tile 3 (fft.1): computing 80 %." of devices that another part limits, and how long the rest ran beside the first. */
static void add_others(struct verdict *verdict, const struct recording *rec, const struct device *devices, size_t from, size_t count)
{
	size_t rest = from, size;
	char *text = NULL, *places, *share;
	FILE *out = text_open(&text, &size);

	for (size_t n; rest < count && rest - from < MOST_OTHERS && devices[rest].budget->weight >= LEAST * devices->budget->weight &&
	     (devices[rest].part != devices->part || fabs(share_of(&devices[rest]) - share_of(devices)) > ALIKE); rest += n) {
		for (n = 1; rest + n < count && devices[rest + n].part == devices[rest].part; n++)
			;
		places = names_text(rec, devices + rest, n);
		share = shares_text(devices + rest, n);
		*places = rest > from ? *places : toupper((unsigned char)*places);
		fprintf(out, "%s%s: %s %s", rest > from ? "; " : "", places, devices->budget->rule->part[devices[rest].part].words, share);
		free(places);
		free(share);
	}
	if (rest < count) {
		places = names_text(rec, devices + rest, count - rest);
		share = value_text(100 * devices[rest].budget->weight / devices->budget->weight, "%");
		*places = rest > from ? *places : toupper((unsigned char)*places);
		fprintf(out, "%s%s did %s%s as much", rest > from ? "; " : "", places, count - rest > 1 ? "at most " : "", share);
		free(places);
		free(share);
	}
	if (rest > from || rest < count)
		fputc('.', out);
	text_close(out);
	if (*text)
		verdict_add(verdict, text);
	else
		free(text);
}

/* Per cent of what a device does in which it does not compute. */
static double waiting_of(const struct device *device)
{
	const struct budget *b = device->budget;
	double computing = 0;

	for (size_t i = 0; i < b->rule->nparts; i++)
		computing += b->rule->part[i].kind == PART_COMPUTING ? b->cycles[i] : 0;
	return 100 * (1 - computing / budget_busy(b->rule, b->cycles));
}

/* Of devices that explain nearly as much as the first one that which waits most, if that is more than it does. */
static struct device find_main(const struct device *devices, size_t count)
{
	struct device best = devices[0];

	for (size_t i = 0; i < count && devices[i].budget->weight >= EQUAL * devices[0].budget->weight; i++)
		if (waiting_of(&devices[i]) > waiting_of(&best) + ALIKE)
			best = devices[i];
	return best;
}

static const struct device *main_device;

/* For qsort(): those that are as the main device, then those that differ, then those that explain less. */
static int rank_of(const struct device *device)
{
	double weight = device->budget->weight / main_device->budget->weight;
	bool is_alike = device->part == main_device->part && fabs(share_of(device) - share_of(main_device)) <= ALIKE;

	return is_alike && weight >= EQUAL ? 0 : weight >= LEAST && (!is_alike || device->part != main_device->part) ? 1 : 2;
}

static int compare_devices(const void *a, const void *b)
{
	const struct device *x = a, *y = b;
	int rank = rank_of(x) - rank_of(y);

	if (rank)
		return rank;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->budget->weight < y->budget->weight ? 1 : x->budget->weight > y->budget->weight ? -1 :
	       x->budget->place - y->budget->place;
}

/* A program's copies, which are of all its PMUs. */
static bool is_of_copies(const struct speaker *speaker)
{
	return formula_has(speaker->first->rule->formula, FORMULA_TRANSFERS);
}

/* What limits the kernels, and that the copies take longer, is one sentence: the first one of a program has both. */
static void join_copies(struct verdict *verdict, size_t kernels)
{
	char *copies = verdict->sentence[--verdict->count], **sentence = &verdict->sentence[kernels], *text;

	*copies = tolower((unsigned char)*copies);
	text = format_text("%.*s; %s", (int)strlen(*sentence) - 1, *sentence, copies);
	free(copies);
	free(*sentence);
	*sentence = text;
}

static void speak(struct verdict *verdict, const struct recording *rec, const struct speaker *speaker,
		  const struct metric_counts *counts)
{
	struct device *devices = zeros(speaker->count, sizeof(*devices)), first;
	size_t n = 0, equal = 0, from = verdict->count;

	for (size_t i = 0; i < speaker->count; i++) {
		const struct budget *b = &speaker->first[i];
		const struct formula *when = b->rule->when;

		devices[n] = (struct device){ b, limiting_part(b, counts), b->place };
		n += b->weight > 0 && devices[n].part != SIZE_MAX && (!when || formula_value(when, counts, b->place, NAN) > 0);
	}
	if (n) {
		first = find_main(devices, n);
		main_device = &first;
		qsort(devices, n, sizeof(*devices), compare_devices);
		while (equal < n && rank_of(&devices[equal]) == 0)
			equal++;
		add_main(verdict, rec, devices, equal, counts);
		add_others(verdict, rec, devices, equal, n);
		add_advice(verdict, rec, devices, equal, counts);
		if (!is_of_copies(speaker))
			verdict_name_pmu(verdict, from, rec, speaker->first->pmu);
	}
	free(devices);
}

static int compare_speakers(const void *a, const void *b)
{
	const struct speaker *x = a, *y = b;

	return x->first->weight < y->first->weight ? 1 : x->first->weight > y->first->weight ? -1 :
	       (x->first > y->first) - (x->first < y->first);
}

void verdict_of_budgets(struct verdict *verdict, const struct budgets *budgets, struct counts_view *views)
{
	struct speaker *speakers = zeros(budgets->count, sizeof(*speakers));
	size_t n = 0;

	for (size_t i = 0; i < budgets->count; i++) {
		const struct budget *b = &budgets->budget[i], *last = n ? speakers[n - 1].first : NULL;

		if (!last || last->rule != b->rule || last->pmu != b->pmu)
			speakers[n++] = (struct speaker){ b, 0, 0 };
		speakers[n - 1].count++;
	}
	qsort(speakers, n, sizeof(*speakers), compare_speakers);
	for (size_t i = 0; i < n; i++) {
		size_t from = verdict->count, k = 0;

		speak(verdict, views->counts->rec, &speakers[i], &views[speakers[i].first->pmu].values);
		speakers[i].sentence = verdict->count > from ? from : SIZE_MAX;
		while (k < i && (speakers[k].first->pmu != speakers[i].first->pmu || speakers[k].sentence == SIZE_MAX))
			k++;
		if (k < i && verdict->count > from && is_of_copies(&speakers[i]))
			join_copies(verdict, speakers[k].sentence);
	}
	free(speakers);
}
