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

/* Rates of a PMU's counters in seconds of its own clock; without one there are counts. */
static void find_rates(struct top *top, size_t pmu)
{
	const struct counts counts = { .rec = top->rec, .count = top->count };
	const struct rec_pmu *of = &top->rec->pmu[pmu];
	double *cycles_of = calloc(of->nplaces + 1, sizeof(*cycles_of));	/* the last one: of all */
	char *kind = recording_kind(of);
	struct counts_view view;

	if (!cycles_of)
		die("out of memory");
	counts_view_init(&view, &counts, pmu);
	for (size_t p = 0; p <= of->nplaces; p++)
		cycles_of[p] = clock_cycles(&view.values, p < of->nplaces ? (int)p : -1);
	for (size_t i = 0; i < top->sel.count; i++) {
		const struct rec_counter *c = &top->rec->counter[i];
		double cycles, raw = reading_count(&top->before[i], &top->now[i]);
		size_t place = of->nplaces;

		if (c->pmu != pmu)
			continue;
		for (size_t p = 0; p < of->nplaces && c->place >= 0; p++)
			if ((int)of->place[p].number == c->place)
				place = p;
		cycles = cycles_of[place];
		cycles = event_rate(kind, c->event, c->unit, c->place < 0 ? c->places : 1, raw, cycles);
		top->is_count[i] = isnan(cycles) || !of->clock_hz;
		top->rate[i] = raw == 0 ? 0 : isinf(cycles) ? NAN : counter_scale(&top->sel.counter[i]) *
			       (top->is_count[i] ? raw : cycles * of->clock_hz);
	}
	counts_view_free(&view);
	free(cycles_of);
	free(kind);
}

/* What answer_print() says, kept for the screen. */
static void find_answer(struct top *top)
{
	const struct counts counts = { .rec = top->rec, .count = top->count };
	size_t size;
	FILE *out;

	free(top->answer);
	out = open_memstream(&top->answer, &size);
	if (!out)
		die("out of memory");
	answer_print(&counts, out);
	fclose(out);
}

static void top_measure(struct top *top, uint64_t *last)
{
	uint64_t time = now_ns();
	size_t i;

	top->has_problem = groups_read(top->groups, top->now);
	for (i = 0; i < top->sel.count; i++)
		top->count[i] = reading_share(&top->before[i], &top->now[i]) < SHARE_OF_EXACT ? NAN :
				reading_count(&top->before[i], &top->now[i]);
	for (i = 0; i < top->rec->npmus; i++)
		find_rates(top, i);
	find_answer(top);
	memcpy(top->before, top->now, top->sel.count * sizeof(*top->now));
	top_keep(top);
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
	top_find_events(&top);
	top.groups = groups_open(&top.sel);
	top.before = calloc(top.sel.count, sizeof(*top.before));
	top.now = calloc(top.sel.count, sizeof(*top.now));
	top.rec = describe_recording(&top.sel, NULL, 0);
	top.count = calloc(top.sel.count, sizeof(*top.count));
	top.rate = calloc(top.sel.count, sizeof(*top.rate));
	top.is_count = calloc(top.sel.count, sizeof(*top.is_count));
	top.past = calloc(TOP_PAST * top.sel.count, sizeof(*top.past));
	if (!top.before || !top.now || !top.count || !top.rate || !top.is_count || !top.past)
		die("out of memory");
	while (!has_counters(&top, top.pmu))
		top.pmu++;
	groups_enable(top.groups);
	open_screen(&top);
	top_run(&top);
	endwin();
	groups_free(top.groups);
	free(top.before);
	free(top.now);
	free(top.count);
	free(top.answer);
	recording_free(top.rec);
	free(top.rate);
	free(top.is_count);
	free(top.first);
	free(top.past);
	selection_free(&top.sel);
	return 0;
}
