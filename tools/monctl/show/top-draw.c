// SPDX-License-Identifier: GPL-2.0-only
/* The screen of monctl top. */
#include <math.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/top.h"

/* Prints what fits on the line. */
__attribute__((format(printf, 3, 4))) static void put(int y, int x, const char *format, ...)
{
	va_list args;
	char text[256];

	if (y < 0 || y >= LINES || x >= COLS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mvaddnstr(y, x, text, COLS - x);
}

static void draw_bar(const struct top *top, int y, int x, int width, double share)
{
	int filled = share * width + 0.5;

	for (int i = 0; i < filled && x + i < COLS; i++)
		mvaddstr(y, x + i, top->ascii ? "#" : "█");
}

/* ---- events ---- */

static int compare_rates(const void *a, const void *b)
{
	const struct top_row *const *x = a, *const *y = b;

	return ((*x)->rate < (*y)->rate) - ((*x)->rate > (*y)->rate);
}

#define BAR_COLUMN 53

/* Returns the columns of the bar. The history has the others. */
static int bar_width(void)
{
	return (COLS - BAR_COLUMN - 2) / 2;
}

static int past_width(void)
{
	int width = COLS - BAR_COLUMN - bar_width() - 2;

	return width < TOP_PAST ? width : TOP_PAST;
}

/* The rate a number of readings ago, 0: the last; 0 before the first one. */
static double past_rate(const struct top *top, const struct top_row *row, size_t ago)
{
	return row->past[(top->readings - 1 - ago) % TOP_PAST];
}

/* Draws the last readings on the scale of the bars, the newest at the right. */
static void draw_past(const struct top *top, const struct top_row *row, int y, double most)
{
	static const char *const steps_utf8[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const steps_ascii[] = { " ", ".", ".", "-", "-", "=", "=", "#", "#" };
	int width = past_width(), last = (int)COUNT_OF(steps_utf8) - 1;

	for (int ago = 0; ago < width; ago++) {
		double rate = past_rate(top, row, ago);
		int step = rate > 0 && most > 0 ? rate / most * last + 0.5 : 0;

		step = rate > 0 && !step ? 1 : step > last ? last : step;
		mvaddstr(y, COLS - 1 - ago, top->ascii ? steps_ascii[step] : steps_utf8[step]);
	}
}

static void draw_row(const struct top *top, const struct top_row *row, int y, double most)
{
	const char *unit = counter_unit(row->event), *per = row->is_count ? "" : "/s";
	bool is_megabytes = !strcmp(unit, "MB");
	char *text = format_text("%s%s%s", isnan(row->rate) ? "not known " : with_prefix(row->rate * (is_megabytes ? 1e6 : 1)),
				 is_megabytes ? "B" : unit, per);

	put(y, 0, "%-28.28s", counter_event_name(row->event));
	put(y, 29, "%22s", text);
	free(text);
	if (COLS <= 60)
		return;
	draw_bar(top, y, BAR_COLUMN, bar_width(), most > 0 ? row->rate / most : 0);
	draw_past(top, row, y, most);
}

/* Returns the largest rate of a unit in the drawn history: each unit has a scale of its own. */
static double most_of_unit(const struct top *top, const struct top_row *const *row, size_t count, const char *unit)
{
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(counter_unit(row[i]->event), unit))
			continue;
		for (int ago = 0; ago < past_width(); ago++)
			most = fmax(most, past_rate(top, row[i], ago));
	}
	return most;
}

/* Draws the answer from a line on, as far as it takes less than half of the screen. Returns the line after it. */
static int draw_answer(const struct top *top, int y)
{
	for (const char *at = top->answer ? top->answer : ""; *at && y < LINES / 2; y++) {
		size_t n = strcspn(at, "\n");

		put(y, 0, "%.*s", (int)n, at);
		at += n + (at[n] == '\n');
	}
	return y;
}

static void draw_events(const struct top *top)
{
	const struct top_row **row = zeros(top->rows, sizeof(*row));
	size_t count = 0, i;
	int y = draw_answer(top, 2);

	for (i = 0; i < top->rows; i++)
		if (top->row[i].event->pmu == mon_pmus_get(top->sel.pmus, top->pmu))
			row[count++] = &top->row[i];
	qsort(row, count, sizeof(*row), compare_rates);
	attron(A_BOLD);
	put(y, 0, "%-28s %22s", "event", "all places");
	if (COLS > 60)
		put(y, BAR_COLUMN, "%-*.*s%*.*s", bar_width() + 1, bar_width(), "unit's scale", past_width(), past_width(), "history");
	attroff(A_BOLD);
	y++;
	for (i = top->scroll < count ? top->scroll : count - 1; i < count && y < LINES - 1; i++)
		draw_row(top, row[i], y++, most_of_unit(top, row, count, counter_unit(row[i]->event)));
	free(row);
}

/* ---- all ---- */

static void draw_help(void)
{
	static const char *const lines[] = {
		"Tab        the next PMU",
		"up, down   scroll",
		"p, space   pause",
		"h          this help",
		"q, Esc     quit",
	};

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		put(3 + i, 2, "%s", lines[i]);
}

void top_draw(const struct top *top)
{
	erase();
	attron(A_REVERSE);
	put(0, 0, "%-*s", COLS, "");
	put(0, 0, "monctl top  %s  %.1f s%s", mon_pmu_get_name(mon_pmus_get(top->sel.pmus, top->pmu)), top->total_seconds,
	    top->paused ? "  PAUSED" : "");
	put(LINES - 1, 0, "%-*s", COLS, "Tab PMU  up/down  p pause  h help  q quit");
	attroff(A_REVERSE);
	if (top->has_problem)
		put(1, 0, "%s", mon_error());
	if (top->help)
		draw_help();
	else
		draw_events(top);
	refresh();
}
