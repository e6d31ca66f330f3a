// SPDX-License-Identifier: GPL-2.0-only
/* The screen of monctl top. */
#include <math.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/top.h"

/* Colours of loads from none to the largest. They differ in lightness. */
static const short loads_256[] = { 17, 19, 61, 97, 173, 215, 230 };
static const short loads_8[] = { COLOR_BLACK, COLOR_BLUE, COLOR_BLUE, COLOR_CYAN, COLOR_CYAN,
				 COLOR_YELLOW, COLOR_WHITE };
#define LOADS ((int)COUNT_OF(loads_256))

/* The same without colours. */
static const char *const shades_utf8[] = { " ", "░", "░", "▒", "▒", "▓", "█" };
static const char *const shades_ascii[] = { " ", ".", ":", "-", "+", "*", "#" };

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

static int load_of(double value, double most)
{
	int load = most > 0 && value > 0 ? value / most * (LOADS - 1) + 0.5 : 0;

	return value > 0 && !load ? 1 : load < LOADS ? load : LOADS - 1;
}

static void set_load(const struct top *top, int load)
{
	static bool ready;

	if (!top->colour)
		return;
	for (int i = 0; !ready && i < LOADS; i++)
		init_pair(1 + i, i < LOADS / 2 + 1 ? COLOR_WHITE : COLOR_BLACK,
			  COLORS >= 256 ? loads_256[i] : loads_8[i]);
	ready = true;
	attron(COLOR_PAIR(1 + load));
}

static void end_load(const struct top *top, int load)
{
	if (top->colour)
		attroff(COLOR_PAIR(1 + load));
}

static const char *shade(const struct top *top, int load)
{
	return top->ascii ? shades_ascii[load] : shades_utf8[load];
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
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

struct row {
	double rate;			/* first, for compare_rates() */
	const struct counter *event;
};

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

/* Draws the last readings on the scale of the bars, the newest at the right. */
static void draw_past(const struct top *top, const struct row *row, int y, double most)
{
	static const char *const steps_utf8[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const steps_ascii[] = { " ", ".", ".", "-", "-", "=", "=", "#", "#" };
	int width = past_width(), last = (int)COUNT_OF(steps_utf8) - 1;

	for (int ago = 0; ago < width; ago++) {
		double rate = top_past(top, row->event, ago);
		int step = rate > 0 && most > 0 ? rate / most * last + 0.5 : 0;

		step = rate > 0 && !step ? 1 : step > last ? last : step;
		mvaddstr(y, COLS - 1 - ago, top->ascii ? steps_ascii[step] : steps_utf8[step]);
	}
}

static void draw_row(const struct top *top, const struct row *row, int y, double most)
{
	const char *unit = counter_unit(row->event);

	put(y, 0, "%-28.28s", counter_event_name(row->event));
	put(y, 29, "%22s", rate_text(row->rate, unit, 1));
	if (COLS <= 60)
		return;
	draw_bar(top, y, BAR_COLUMN, bar_width(), most > 0 ? row->rate / most : 0);
	draw_past(top, row, y, most);
}

/* Returns the largest rate of a unit, now and in the drawn history: each unit has a scale of its own. */
static double most_of_unit(const struct top *top, const struct row *row, size_t count, const char *unit)
{
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(counter_unit(row[i].event), unit))
			continue;
		if (row[i].rate > most)
			most = row[i].rate;
		for (int ago = 0; ago < past_width(); ago++) {
			double rate = top_past(top, row[i].event, ago);

			most = rate > most ? rate : most;
		}
	}
	return most;
}

/* Draws the answer from a line on, as far as it takes less than half of the screen. Returns the line behind it. */
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
	struct row *row = NULL;
	const struct counter *event;
	size_t count = 0, i;
	int y = draw_answer(top, 2);

	while ((event = top_event(top, count))) {
		row = reallocarray(row, count + 1, sizeof(*row));
		if (!row)
			die("out of memory");
		row[count] = (struct row){ top_rate(top, event), event };
		count++;
	}
	if (count)
		qsort(row, count, sizeof(*row), compare_rates);
	attron(A_BOLD);
	put(y, 0, "%-28s %22s", "event", "rate, all places");
	if (COLS > 60)
		put(y, BAR_COLUMN, "%-*.*s%*.*s", bar_width() + 1, bar_width(), "unit's scale", past_width(), past_width(), "history");
	attroff(A_BOLD);
	y++;
	for (i = top->scroll < count ? top->scroll : count - 1; i < count && y < LINES - 1; i++)
		draw_row(top, &row[i], y++, most_of_unit(top, row, count, counter_unit(row[i].event)));
	free(row);
}

/* ---- map ---- */

static const struct counter *counter_at(const struct top *top, const struct counter *event,
					const struct mon_place *place)
{
	for (size_t i = event - top->sel.counter; i < top->sel.count; i++) {
		const struct counter *c = &top->sel.counter[i];

		if (c->pmu == event->pmu && c->place == place && !strcmp(c->terms, event->terms))
			return c;
	}
	return NULL;
}

/* Returns the columns of the chip, or those of a nearly square grid if places have no position. */
static int grid_columns(const struct mon_pmu *pmu, size_t places)
{
	int columns = 0;

	for (size_t i = 0; i < places; i++)
		if (mon_place_get_column(mon_pmu_get_place(pmu, i)) >= columns)
			columns = mon_place_get_column(mon_pmu_get_place(pmu, i)) + 1;
	if (columns)
		return columns;
	while ((size_t)(columns * columns) < places)
		columns++;
	return columns;
}

struct cell {
	int y, x, width, height;
};

static void draw_cell(const struct top *top, const struct cell *cell, const struct mon_place *place,
		      const struct counter *c, double most)
{
	const char *device = mon_place_get_device(place);
	double rate = c ? top->rate[c - top->sel.counter] : 0;
	int load = load_of(rate, most), y, x;
	char text[80];

	if (c)
		set_load(top, load);
	for (y = 0; y < cell->height; y++)
		for (x = 0; x < cell->width - 1; x++)
			put(cell->y + y, cell->x + x, " ");
	snprintf(text, sizeof(text), "%u %s", mon_place_get_number(place),
		 *device ? device : mon_place_get_kind(place));
	put(cell->y, cell->x, "%.*s", cell->width - 1, text);
	if (cell->height > 1) {
		snprintf(text, sizeof(text), "%s", c && !isnan(rate) ? with_prefix(rate) : "-");
		put(cell->y + 1, cell->x, "%.*s", cell->width - 1, text);
	}
	/* without colours the last column of a cell has a shade */
	if (c && !top->colour)
		for (y = 0; y < cell->height; y++)
			put(cell->y + y, cell->x + cell->width - 2, "%s", shade(top, load));
	if (c)
		end_load(top, load);
}

static void draw_scale(const struct top *top, int y, double most, const char *unit)
{
	put(y, 0, "0");
	for (int i = 0; i < LOADS; i++) {
		set_load(top, i);
		put(y, 2 + 3 * i, top->colour ? "   " : "%s%s%s", shade(top, i), shade(top, i),
		    shade(top, i));
		end_load(top, i);
	}
	put(y, 3 + 3 * LOADS, "%s", rate_text(most, unit, 1));
}

static void draw_map(const struct top *top)
{
	const struct mon_pmu *pmu = top_pmu(top);
	const struct counter *event = top_event(top, top->event);
	size_t places = mon_pmu_get_place_count(pmu), i;
	int columns, rows, row, column;
	struct cell cell;
	double most = 0;

	attron(A_BOLD);
	put(2, 0, "%s in each %s", counter_event_name(event), mon_pmu_get_place_noun(pmu));
	attroff(A_BOLD);
	if (!places || !event->place) {
		put(4, 0, "%s: %s", counter_event_name(event),
		    rate_text(top_rate(top, event), counter_unit(event), 1));
		put(5, 0, "This PMU counts for its whole device: it has no map.");
		return;
	}
	columns = grid_columns(pmu, places);
	rows = (places + columns - 1) / columns;
	/* a little wider than high: a character is two dots high */
	cell.height = (LINES - 5) / rows > 1 ? (LINES - 5) / rows : 1;
	cell.width = COLS / columns;
	if (cell.width > 22 && cell.width > 4 * cell.height)
		cell.width = 4 * cell.height > 22 ? 4 * cell.height : 22;
	if (cell.height > 3 && 2 * cell.height > cell.width)
		cell.height = cell.width / 2 > 3 ? cell.width / 2 : 3;
	for (i = 0; i < places; i++) {
		const struct counter *c = counter_at(top, event, mon_pmu_get_place(pmu, i));

		if (c && top->rate[c - top->sel.counter] > most)
			most = top->rate[c - top->sel.counter];
	}
	for (i = 0; i < places; i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);

		row = mon_place_get_row(place) < 0 ? (int)i / columns : mon_place_get_row(place);
		column = mon_place_get_row(place) < 0 ? (int)i % columns : mon_place_get_column(place);
		cell.y = 3 + row * cell.height;
		cell.x = column * cell.width;
		if (cell.y + cell.height < LINES - 1)
			draw_cell(top, &cell, place, counter_at(top, event, place), most);
	}
	draw_scale(top, LINES - 2, most, counter_unit(event));
}

/* ---- all ---- */

static void draw_help(void)
{
	static const char *const lines[] = {
		"Tab        the next PMU",
		"m, Enter   map of the chip, or events by rate",
		"up, down   scroll; in a map the counter before and after",
		"0 to 5     a plane of the NoC, in the map",
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
	put(0, 0, "monctl top  %s  %.1f s%s", mon_pmu_get_name(top_pmu(top)), top->total_seconds,
	    top->paused ? "  PAUSED" : "");
	put(LINES - 1, 0, "%-*s", COLS, "Tab PMU  m map/events  0-5 plane  up/down  p pause  h help  q quit");
	attroff(A_REVERSE);
	if (top->has_problem)
		put(1, 0, "%s", mon_error());
	if (top->help)
		draw_help();
	else if (top->view == TOP_MAP)
		draw_map(top);
	else
		draw_events(top);
	refresh();
}
