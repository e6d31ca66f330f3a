// SPDX-License-Identifier: GPL-2.0-only
/* Parts of the sentences of a verdict: values, places, and names in braces. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/verdict-internal.h"

/* A quotient of two counts has no prefix: 1.02 kbytes/transfer would be read as KiB, or as no number. */
static bool is_quotient(const char *unit)
{
	const char *slash = strchr(unit, '/');

	return slash && strcmp(slash, "/s");
}

char *value_text(double value, const char *unit)
{
	double shown = fabs(value);

	if (!strcmp(unit, "%"))
		return format_text(shown >= 9.95 || !shown ? "%.0f %%" : shown >= .1 ? "%.1f %%" : "%.1g %%", value);
	if (!strncmp(unit, "MB", 2))
		return format_text("%s%s", with_prefix(1e6 * value), unit + 1);
	if (shown >= 999.5 && is_quotient(unit))
		return format_text("%.0f %s", value, unit);
	if (shown >= 1e6 || (shown >= 999.5 && value != floor(value)))
		return format_text("%s%s", with_prefix(value), unit);
	return format_text(value == floor(value) ? "%.0f%s%s" : "%.3g%s%s", value, *unit ? " " : "", unit);
}

/* A metric with its unit, or any formula. NULL: not known. */
static char *number_text(const struct formula *formula, const struct metric_counts *counts, int place)
{
	double value = formula_value(formula, counts, place, NAN);

	return isnan(value) ? NULL : value_text(value, formula->op == FORMULA_METRIC ? formula->metric->unit : "");
}

static const char *word_of(const struct words *words, const char *name)
{
	for (; name && words->name; words++)
		if (!strcmp(words->name, name))
			return words->text;
	return NULL;
}

char *fill(const struct piece *say, const struct words *words, const struct metric_counts *counts, int place)
{
	char *text = NULL, *number;
	const char *own;
	size_t size;
	FILE *out = text_open(&text, &size);
	bool has_hole = false;

	for (; say; say = say->next) {
		fputs(say->text, out);
		if (!say->value)
			continue;
		own = word_of(words, say->value->event);
		number = own ? NULL : number_text(say->value, counts, place);
		has_hole |= !own && !number;
		fputs(own ? own : number ? number : "", out);
		free(number);
	}
	text_close(out);
	if (!has_hole)
		return text;
	free(text);
	return NULL;
}

void verdict_add(struct verdict *verdict, char *sentence)
{
	if (!sentence)
		return;
	*sentence = toupper((unsigned char)*sentence);
	verdict->sentence = grow(verdict->sentence, verdict->count, sizeof(*verdict->sentence));
	verdict->sentence[verdict->count++] = sentence;
}

void verdict_name_pmu(struct verdict *verdict, size_t from, const struct recording *rec, size_t pmu)
{
	char *text;

	if (from == verdict->count || !has_twins(rec, pmu))
		return;
	text = format_text("On %s: %s", rec->pmu[pmu].name, verdict->sentence[from]);
	free(verdict->sentence[from]);
	verdict->sentence[from] = text;
}
