// SPDX-License-Identifier: GPL-2.0-only
/* monctl top: live view in the terminal. Keys and measuring. */
#include <langinfo.h>
#include <math.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/monctl/record/describe.h"
#include "tools/monctl/show/top.h"
#include "tools/monctl/answer/verdict.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct top *top = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &top->sel;
		return 0;
	case 'd':
		top->interval = parse_time(arg, 1e9);
		if (top->interval < NS_PER_S / 10 || top->interval > 3600 * NS_PER_S)
			argp_error(state, "-d %s: give a time from 100ms to 1h, as in 500ms; a number alone is s", arg);
		return 0;
	case 'A':
		top->ascii = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "delay", 'd', "TIME", 0, "Time between two readings, as in 500ms (a number alone: s; default: 1s)", 0 },
	{ "ascii", 'A', NULL, 0, "Draw with plain ASCII", 0 },
	{ 0 },
};

static bool has_counters(const struct top *top, size_t pmu)
{
	for (size_t i = 0; i < top->sel.count; i++)
		if (top->sel.counter[i].pmu == mon_pmus_get(top->sel.pmus, pmu))
			return true;
	return false;
}

static void next_pmu(struct top *top)
{
	do {
		top->pmu = (top->pmu + 1) % mon_pmus_get_count(top->sel.pmus);
	} while (!has_counters(top, top->pmu));
	top->scroll = 0;
}

/* False: the user wants to leave. */
static bool take_key(struct top *top, int key)
{
	switch (key) {
	case 'q':
	case 27:
		return false;
	case '\t':
		next_pmu(top);
		break;
	case 'h':
	case '?':
		top->help = !top->help;
		break;
	case 'p':
	case ' ':
		top->paused = !top->paused;
		break;
	case KEY_UP:
	case 'k':
		if (top->scroll)
			top->scroll--;
		break;
	case KEY_DOWN:
	case 'j':
		top->scroll++;
		break;
	}
	return true;
}

/* Makes the rows, once. Counters of an event mostly follow each other. */
static void find_rows(struct top *top)
{
	top->row_of = zeros(top->sel.count, sizeof(*top->row_of));
	top->row = zeros(top->sel.count, sizeof(*top->row));
	for (size_t i = 0; i < top->sel.count; i++) {
		const struct counter *c = &top->sel.counter[i];
		size_t k = top->rows;

		while (k && (top->row[k - 1].event->pmu != c->pmu || strcmp(top->row[k - 1].event->terms, c->terms)))
			k--;
		if (!k) {
			k = ++top->rows;
			top->row[k - 1].event = c;
		}
		top->row_of[i] = k - 1;
	}
}

/* Sums of rates in seconds of each PMU's own clock; without one there are counts. */
static void find_rates(struct top *top)
{
	const struct counts counts = { .rec = top->rec, .count = top->count };

	counts_rates(&counts, top->raw, top->rate);
	for (size_t k = 0; k < top->rows; k++)
		top->row[k].rate = 0;
	for (size_t i = 0; i < top->sel.count; i++) {
		struct top_row *row = &top->row[top->row_of[i]];
		double hz = top->rec->pmu[top->rec->counter[i].pmu].clock_hz, rate = top->rate[i];

		row->is_count = isnan(rate) || !hz;
		if (top->raw[i] != 0)
			row->rate += isinf(rate) ? NAN : counter_scale(&top->sel.counter[i]) *
				     (row->is_count ? top->raw[i] : rate * hz);
	}
	for (size_t k = 0; k < top->rows; k++)
		top->row[k].past[top->readings % TOP_PAST] = top->row[k].rate;
	top->readings++;
}

static void find_answer(struct top *top)
{
	const struct counts counts = { .rec = top->rec, .count = top->count };
	size_t size;
	FILE *out;

	free(top->answer);
	out = text_open(&top->answer, &size);
	answer_print(&counts, true, out);
	text_close(out);
}

static void top_measure(struct top *top, uint64_t *last)
{
	uint64_t time = now_ns();
	size_t i;

	top->has_problem = groups_read(top->groups, top->now);
	for (i = 0; i < top->sel.count; i++) {
		top->raw[i] = reading_count(&top->before[i], &top->now[i]);
		top->count[i] = reading_share(&top->before[i], &top->now[i]) < SHARE_OF_EXACT ? NAN : top->raw[i];
	}
	find_rates(top);
	find_answer(top);
	memcpy(top->before, top->now, top->sel.count * sizeof(*top->now));
	*last = time;
}

static void top_run(struct top *top)
{
	uint64_t start = now_ns(), last = start;
	int key;

	for (;;) {
		uint64_t time = now_ns();

		if (time - last >= top->interval) {
			if (!top->paused)
				top_measure(top, &last);
			else
				last = time, top->has_problem = groups_read(top->groups, top->before);
		}
		top->total_seconds = (now_ns() - start) / 1e9;
		top_draw(top);
		time = now_ns() - last;
		timeout(time < top->interval ? (top->interval - time) / 1000000 + 1 : 1);
		key = getch();
		if (key != ERR && !take_key(top, key))
			return;
	}
}

static void open_screen(struct top *top)
{
	/* a terminal that is not there would end the program without a word */
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		die("no terminal: monctl stat -I and monctl serve work without one");
	if (!getenv("TERM"))
		setenv("TERM", "vt100", 0);
	initscr();
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		top->ascii = true;
}

int cmd_top(int argc, char **argv)
{
	static const struct argp_child children[] = { { &selection_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse_option, "",
		"Show rates live. Keys: Tab the next PMU, up and down, p pause, h help, q quit.",
		children, NULL, NULL,
	};
	struct top top = { .interval = NS_PER_S };

	parse_arguments(&argp, argc, argv, &top);
	selection_resolve(&top.sel);
	if (!top.sel.per_place)
		selection_expand_places(&top.sel);
	find_rows(&top);
	top.groups = groups_open(&top.sel);
	top.before = zeros(top.sel.count, sizeof(*top.before));
	top.now = zeros(top.sel.count, sizeof(*top.now));
	top.rec = describe_recording(&top.sel, NULL, 0);
	top.raw = zeros(top.sel.count, sizeof(*top.raw));
	top.count = zeros(top.sel.count, sizeof(*top.count));
	top.rate = zeros(top.sel.count, sizeof(*top.rate));
	while (!has_counters(&top, top.pmu))
		top.pmu++;
	groups_enable(top.groups);
	open_screen(&top);
	top_run(&top);
	endwin();
	groups_free(top.groups);
	free(top.before);
	free(top.now);
	free(top.raw);
	free(top.count);
	free(top.answer);
	recording_free(top.rec);
	free(top.rate);
	free(top.row);
	free(top.row_of);
	selection_free(&top.sel);
	return 0;
}
