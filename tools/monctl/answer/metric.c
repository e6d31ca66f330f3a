// SPDX-License-Identifier: GPL-2.0-only
/* Values of formulas, metrics and budgets. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tools/monctl/answer/metric.h"
#include "tools/monctl/base/monctl.h"

/* A formula in one place. */
struct asked {
	const struct metric_counts *counts;
	int place;
	double v;
	int depth;			/* of metrics in metrics, to stop a metric that contains itself */
};

#define MOST_DEPTH 8

static double value_of(const struct formula *f, const struct asked *asked);

/* The best value, or the sum, of those that are known. */
struct gathered {
	double least, most, sum;
	size_t count;
};

static void gather(struct gathered *of, double value)
{
	if (isnan(value))
		return;
	of->least = of->count ? fmin(of->least, value) : value;
	of->most = of->count ? fmax(of->most, value) : value;
	of->sum += value;
	of->count++;
}

static double result(const struct gathered *of, enum formula_op op)
{
	return !of->count ? NAN : op == FORMULA_MIN ? of->least : op == FORMULA_MEAN ? of->sum / of->count : of->most;
}

/* ---- functions ---- */

static double in_place(const struct formula *f, const struct asked *asked, int place)
{
	struct asked there = *asked;

	there.place = place;
	return value_of(f, &there);
}

/* min, max and mean of each place that has a value; if none has, of all together. */
static double over_places(const struct formula *f, const struct asked *asked)
{
	struct gathered of = { 0 };

	for (size_t i = 0; i < asked->counts->places; i++)
		gather(&of, in_place(f->left, asked, i));
	return of.count ? result(&of, f->op) : in_place(f->left, asked, -1);
}

static double over_windows(const struct formula *f, const struct asked *asked)
{
	const struct metric_counts *counts = asked->counts;
	struct gathered of = { 0 };

	for (size_t i = 0; i < counts->windows; i++) {
		counts->select(counts->arg, i);
		gather(&of, value_of(f->left, asked));
	}
	if (counts->windows)
		counts->select(counts->arg, SIZE_MAX);
	return of.count ? of.most : value_of(f->left, asked);
}

struct quotient {
	double dividend, divisor;
};

/* After so many windows with readings, and those between them. */
static size_t inner_window(const struct metric_counts *counts, size_t from, size_t to, int step, int left)
{
	for (; from != to && left; from += step)
		left -= !counts->is_read || counts->is_read(counts->arg, from);
	return from;
}

static void add_windows(struct quotient *sum, const struct quotient *window, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		sum->dividend += window[i].dividend;
		sum->divisor += window[i].divisor;
	}
}

/*
 * What begins or ends between two readings does not fill the windows that these share, nor the next one if several agents begin:
 * one or two are left out at each end, of a recording two or three, whose bins are not its readings. A stretch lasted for as long
 * as its sum takes at the rate of the others, but not longer than its windows. Returns whether there are others.
 */
static bool add_stretch(struct quotient *sum, const struct metric_counts *counts, const struct quotient *window, size_t from, size_t to)
{
	struct quotient all = { 0 }, inner = { 0 };
	int least = counts->is_read ? 2 : 1;

	add_windows(&all, window, from, to);
	for (int left = least + 1; left >= least && !(inner.divisor > 0); left--)
		add_windows(&inner, window, inner_window(counts, from, to, 1, left), inner_window(counts, to - 1, from - 1, -1, left) + 1);
	sum->dividend += all.dividend;
	sum->divisor += inner.dividend > 0 ? fmin(all.divisor, all.dividend * inner.divisor / inner.dividend) : all.divisor;
	return inner.dividend > 0;
}

static double in_active_windows(const struct formula *f, const struct asked *asked)
{
	const struct metric_counts *counts = asked->counts;
	struct quotient all = { 0 }, *window;
	bool is_known = false;

	if (f->left->op != FORMULA_DIVIDE || !counts->windows)
		return value_of(f->left, asked);
	window = zeros(counts->windows, sizeof(*window));
	for (size_t i = 0, begin = 0; i <= counts->windows; i++) {
		if (i < counts->windows) {
			counts->select(counts->arg, i);
			window[i].dividend = value_of(f->left->left, asked);
			window[i].divisor = value_of(f->left->right, asked);
			if (window[i].dividend != 0)
				continue;
		}
		is_known |= add_stretch(&all, counts, window, begin, i);
		begin = i + 1;
	}
	counts->select(counts->arg, SIZE_MAX);
	free(window);
	return is_known ? all.dividend / all.divisor : NAN;
}

/* min, max, mean and total are the same in each place: their values are kept. */
static double of_places(const struct formula *f, const struct asked *asked)
{
	double *kept = f->has_v || !asked->counts->kept ? NULL : &asked->counts->kept[f->id], value;

	if (kept && *kept == *kept)
		return *kept;
	value = f->op == FORMULA_TOTAL ? in_place(f->left, asked, -1) : over_places(f, asked);
	if (kept)
		*kept = value;
	return value;
}

static double offered(const struct formula *f, const struct asked *asked)
{
	double value = value_of(f->left, asked);
	const struct metric_counts *counts = asked->counts;

	if (!isnan(value) || !counts->is_absent || f->left->op != FORMULA_EVENT)
		return value;
	return counts->is_absent(counts->arg, f->left->event) ? 0 : NAN;
}

static double of_metric(const struct metric *metric, struct asked asked)
{
	double value;

	if (asked.depth++ == MOST_DEPTH)
		return NAN;
	asked.v = NAN;
	value = value_of(metric->formula, &asked) * metric->scale;
	return value < metric->low || value > metric->high ? NAN : value;
}

/* What is not known makes the result unknown; "or" needs one of both. */
static double of_operator(enum formula_op op, double left, double right)
{
	bool is_unknown = isnan(left) || isnan(right);

	switch (op) {
	case FORMULA_ADD:
		return left + right;
	case FORMULA_SUBTRACT:
		return left - right;
	case FORMULA_MULTIPLY:
		return left * right;
	case FORMULA_DIVIDE:
		return right == 0 ? NAN : left / right;
	case FORMULA_LESS:
		return is_unknown ? NAN : left < right;
	case FORMULA_MORE:
		return is_unknown ? NAN : left > right;
	case FORMULA_AND:
		return is_unknown ? NAN : left && right;
	default:
		return isnan(left) ? right : isnan(right) ? left : left || right;
	}
}

static double value_of(const struct formula *f, const struct asked *asked)
{
	const struct metric_counts *counts = asked->counts;
	double clock = counts->clock_hz > 0 ? counts->clock_hz : NAN, value;

	switch (f->op) {
	case FORMULA_NUMBER:
		return f->number;
	case FORMULA_EVENT:
		return counts->count(counts->arg, f->event, asked->place);
	case FORMULA_METRIC:
		return of_metric(f->metric, *asked);
	case FORMULA_DURATION:
		return clock_cycles(counts, -1) / clock;
	case FORMULA_CLOCK:
		return clock;
	case FORMULA_TRANSFERS:
		return counts->transfer_ns ? counts->transfer_ns / 1e9 : NAN;
	case FORMULA_PLACES:
		return counts->places;
	case FORMULA_V:
		return asked->v;
	case FORMULA_MIN:
	case FORMULA_MAX:
	case FORMULA_MEAN:
	case FORMULA_TOTAL:
		return of_places(f, asked);
	case FORMULA_PEAK:
		return over_windows(f, asked);
	case FORMULA_ACTIVE:
		return in_active_windows(f, asked);
	case FORMULA_OFFERED:
		return offered(f, asked);
	case FORMULA_NOT:
		value = value_of(f->left, asked);
		return isnan(value) || value == 0;
	default:
		return of_operator(f->op, value_of(f->left, asked), value_of(f->right, asked));
	}
}

double formula_value(const struct formula *formula, const struct metric_counts *counts, int place, double v)
{
	return formula ? value_of(formula, &(struct asked){ counts, place, v, 0 }) : NAN;
}

double metric_value(const struct metric *metric, const struct metric_counts *counts, int place)
{
	return metric->formula ? of_metric(metric, (struct asked){ counts, place, NAN, 0 }) : NAN;
}

double clock_cycles(const struct metric_counts *counts, int place)
{
	double value = NAN;

	if (!counts->clock)
		return NAN;
	if (place >= 0 && !counts->clock->is_total)
		value = formula_value(counts->clock->formula, counts, place, NAN);
	return isnan(value) ? formula_value(counts->clock->of_all, counts, -1, NAN) : value;
}

/* ---- budgets ---- */

int budget_largest(const struct budget_rule *rule, const struct metric_counts *counts)
{
	double most = NAN, value;
	int best = -1;

	for (size_t i = 0; i < counts->places; i++) {
		value = formula_value(rule->formula, counts, i, NAN);
		if (isnan(value) || value <= most)
			continue;
		most = value;
		best = i;
	}
	return best;
}

bool budget_cycles(const struct budget_rule *rule, const struct metric_counts *counts, int place, double *cycles,
		   double *total, double *beside)
{
	double own = formula_value(rule->formula, counts, place, NAN), left = own, used = 0, value;
	size_t parent = 0;

	*total = own;
	*beside = formula_value(rule->beside, counts, place, NAN);
	/* a place without a counter of its clock has that of another one, if all have the same */
	if (isnan(*beside) && place >= 0 && counts->clock && counts->clock->is_once && rule->beside == counts->clock->formula)
		*beside = clock_cycles(counts, place);
	if (isnan(own))
		return false;
	for (size_t i = 0; i < rule->nparts; i++) {
		const struct budget_part *part = &rule->part[i];
		bool is_known = !part->condition || formula_value(part->condition, counts, place, NAN) > 0;

		value = part->formula ? formula_value(part->formula, counts, place, NAN) : left;
		if (part->is_child) {
			/* no more than the part has */
			cycles[i] = is_known && !isnan(value) ? fmin(value, cycles[parent]) : NAN;
			continue;
		}
		if (isnan(value))
			return false;
		if (part->amount == AMOUNT_LARGEST && place >= 0) {
			*total = fmax(own, formula_value(rule->formula, counts, budget_largest(rule, counts), NAN));
			left = value = *total - used;
		}
		if (part->amount == AMOUNT_UP_TO)
			value -= used;
		parent = i;
		/* readings are not of one instant: a part has neither less than nothing nor more than there is */
		value = fmin(fmax(value, 0), left);
		cycles[i] = value;
		left -= value;
		used += value;
	}
	return true;
}
