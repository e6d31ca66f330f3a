// SPDX-License-Identifier: GPL-2.0-only
/* The console's commands. They have gdb's names, and its abbreviations. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_LIBEDIT
#include <editline/readline.h>
#endif

#include "dpu/dbg/dbg.h"

#define PROMPT "(dpu-dbg) "

#ifndef HAVE_LIBEDIT
/* without libedit the terminal edits lines */
static char *readline(const char *prompt)
{
	char *line = NULL;
	size_t size = 0;

	printf("%s", prompt);
	fflush(stdout);
	if (getline(&line, &size, stdin) >= 0)
		return line;
	free(line);
	return NULL;
}

static void add_history(const char *line)
{
	(void)line;
}
#endif

static bool count_of(struct dbg *d, const char *text, uint64_t *count)
{
	*count = 1;
	return !*text || (parse_number(text, count) && *count) || wrong(d, "%s is no count", text);
}

static bool move(struct dbg *d, char *text, enum way way)
{
	uint64_t count;

	return count_of(d, text, &count) && go(d, way, count);
}

static bool command_step(struct dbg *d, char *text)
{
	return move(d, text, WAY_STEP);
}

static bool command_next(struct dbg *d, char *text)
{
	return move(d, text, WAY_NEXT);
}

static bool command_stepi(struct dbg *d, char *text)
{
	return move(d, text, WAY_STEPI);
}

static bool command_nexti(struct dbg *d, char *text)
{
	return move(d, text, WAY_NEXTI);
}

static bool command_turn(struct dbg *d, char *text)
{
	return move(d, text, WAY_TURN);
}

static bool command_finish(struct dbg *d, char *text)
{
	(void)text;
	return go(d, WAY_FINISH, 1);
}

static bool command_until(struct dbg *d, char *text)
{
	return *text ? go_to(d, text) : go(d, WAY_UNTIL, 1);
}

static bool command_continue(struct dbg *d, char *text)
{
	return move(d, text, WAY_GO);
}

static bool command_run(struct dbg *d, char *text)
{
	(void)text;
	return start(d) && go(d, WAY_GO, 1);
}

static bool command_start(struct dbg *d, char *text)
{
	(void)text;
	if (!start(d))
		return false;
	put_place(d, d->thread, true);
	return true;
}

static bool command_break(struct dbg *d, char *text)
{
	return add_break(d, text, false);
}

static bool command_tbreak(struct dbg *d, char *text)
{
	return add_break(d, text, true);
}

static bool command_delete(struct dbg *d, char *text)
{
	return delete_stops(d, text);
}

static bool one_backtrace(struct dbg *d, unsigned int thread)
{
	printf("Tasklet %u:\n", thread);
	put_backtrace(d, thread);
	return true;
}

static bool command_backtrace(struct dbg *d, char *text)
{
	if (!d->dpu)
		return wrong(d, "nothing runs: use run or start");
	if (*text && strcmp(text, "all"))
		return wrong(d, "backtrace, or backtrace all for every tasklet");
	if (!*text)
		put_backtrace(d, d->thread);
	for (unsigned int i = 0; *text && i < dpu_arch(d->dpu)->threads; i++)
		if (is_under_way(d, i))
			one_backtrace(d, i);
	return true;
}

static bool command_thread(struct dbg *d, char *text)
{
	uint64_t number = d->thread;

	if (!d->dpu)
		return wrong(d, "nothing runs: use run or start");
	if (!strcmp(text, "apply all bt") || !strcmp(text, "apply all backtrace"))
		return command_backtrace(d, "all");
	if (*text && (!parse_number(text, &number) || number >= dpu_arch(d->dpu)->threads))
		return wrong(d, "tasklets have the numbers 0 to %u", dpu_arch(d->dpu)->threads - 1u);
	d->thread = number;
	put_place(d, d->thread, true);
	return true;
}

static bool select_frame(struct dbg *d, uint64_t number)
{
	unsigned int before = d->frame;

	if (!d->dpu)
		return wrong(d, "nothing runs: use run or start");
	d->frame = number < MAX_FRAMES ? number : MAX_FRAMES;
	if (put_selected(d))
		return true;
	d->frame = before;
	return false;
}

static bool command_frame(struct dbg *d, char *text)
{
	uint64_t number = d->frame;

	if (*text && !parse_number(text, &number))
		return wrong(d, "%s is no frame's number: see backtrace", text);
	return select_frame(d, number);
}

static bool command_up(struct dbg *d, char *text)
{
	uint64_t count;

	return count_of(d, text, &count) && select_frame(d, d->frame + count);
}

static bool command_down(struct dbg *d, char *text)
{
	uint64_t count;

	if (!count_of(d, text, &count))
		return false;
	if (count > d->frame)
		return wrong(d, "this is the innermost frame");
	return select_frame(d, d->frame - count);
}

static bool command_list(struct dbg *d, char *text)
{
	unsigned int pc[DPU_MAX_THREADS];

	if (*text) {
		if (!find_places(d, text, pc))
			return false;
		if (!has_line(d, pc[0]))
			return wrong(d, "no source lines for %s", text);
		d->list_file = d->lines[pc[0]].file;
		d->list_line = d->lines[pc[0]].number > 5 ? d->lines[pc[0]].number - 5 : 1;
	} else if (!d->list_file) {
		return wrong(d, "list what? FUNCTION, LINE or FILE:LINE");
	}
	if (!put_source(d->list_file, d->list_line, d->list_line + 9))
		return wrong(d, "no more lines of %s", d->list_file);
	d->list_line += 10;
	return true;
}

static bool command_disassemble(struct dbg *d, char *text)
{
	unsigned int pc[DPU_MAX_THREADS], first, end;
	const struct dpu_program_symbol *s;

	if (!*text && d->dpu)
		pc[0] = dpu_pc(d->dpu, d->thread);
	else if (!find_places(d, text, pc))
		return false;
	s = function_at(d, pc[0]);
	if (!s)
		return wrong(d, "no function there: use x/10i *ADDRESS");
	first = (s->value & ~DPU_IRAM_FLAG) / 8;
	end = first + (s->size ? s->size / 8 : 1);
	for (unsigned int i = first; i < end; i++)
		put_instruction(d, i, d->dpu && dpu_pc(d->dpu, d->thread) == i ? "=> " : "   ");
	return true;
}

static bool command_echo(struct dbg *d, char *text)
{
	(void)d;
	puts(text);
	return true;
}

static bool command_quit(struct dbg *d, char *text)
{
	(void)text;
	d->quit = true;
	return true;
}

static bool command_help(struct dbg *d, char *text);

/* least: shortest abbreviation */
static const struct command {
	const char *name;
	size_t least;
	bool (*run)(struct dbg *d, char *text);
	const char *help;
	bool repeats;		/* may be repeated by an empty line on a terminal */
} commands[] = {
	{ "backtrace", 2, command_backtrace, "[all]: who called whom, in this tasklet or in every one", false },
	{ "bt", 2, command_backtrace, NULL, false },
	{ "where", 3, command_backtrace, NULL, false },
	{ "frame", 1, command_frame, "[N]: the frame of the backtrace that commands are about", false },
	{ "up", 2, command_up, "[N]: the caller's frame", true },
	{ "down", 3, command_down, "[N]: the frame that it called", true },
	{ "break", 1, command_break, "FUNCTION|LINE|FILE:LINE|*ADDRESS [thread N]: stop there", false },
	{ "tbreak", 2, command_tbreak, "the same, once", false },
	{ "watch", 2, add_watch, "VARIABLE|*ADDRESS: stop when a tasklet changes it", false },
	{ "delete", 1, command_delete, "[N]: a breakpoint or watchpoint, or all", false },
	{ "run", 1, command_run, "from the program's start", false },
	{ "start", 3, command_start, "stop before the program's first instruction", false },
	{ "continue", 1, command_continue, "run until something stops it", true },
	{ "step", 1, command_step, "[N]: this tasklet to another source line", true },
	{ "next", 1, command_next, "[N]: the same, over calls", true },
	{ "stepi", 5, command_stepi, "[N] (si): one instruction of this tasklet", true },
	{ "si", 2, command_stepi, NULL, true },
	{ "nexti", 5, command_nexti, "[N] (ni): the same, over calls", true },
	{ "ni", 2, command_nexti, NULL, true },
	{ "turn", 3, command_turn, "[N]: one instruction of the DPU, of whatever tasklet", true },
	{ "until", 1, command_until, "[PLACE]: to a later line, so out of a loop; or to a place or the caller", true },
	{ "finish", 3, command_finish, "until the function returns", true },
	{ "thread", 1, command_thread, "[N] (tasklet): the tasklet that commands are about", false },
	{ "tasklet", 4, command_thread, NULL, false },
	{ "info", 1, command_info, "breakpoints, tasklets, registers, locals, args, stacks, locks, counters, log, program, "
	  "functions, variables, symbol ADDRESS", false },
	{ "ptype", 2, command_ptype, "EXPRESSION: its type, with a structure's members", false },
	{ "whatis", 4, command_whatis, "EXPRESSION: its type", false },
	{ "undisplay", 3, command_undisplay, "[N]: such an expression no more, or none", false },
	{ "set", 3, command_set, "VARIABLE|$REGISTER = VALUE", false },
	{ "list", 1, command_list, "[FUNCTION|LINE|FILE:LINE]: source lines", true },
	{ "disassemble", 4, command_disassemble, "[FUNCTION]: instructions", false },
	{ "echo", 4, command_echo, "TEXT", false },
	{ "help", 1, command_help, "this list", false },
	{ "quit", 1, command_quit, "leave", false },
};

static bool command_help(struct dbg *d, char *text)
{
	(void)d;
	(void)text;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].help)
			printf("%-12s %s\n", commands[i].name, commands[i].help);
	puts("print/FORMAT EXPRESSION|$REGISTER|*ADDRESS (p): such as a[i].b->c; FORMAT is x, d, u, t, c or s, and b, h, w or g");
	puts("display/FORMAT EXPRESSION: shows it now and at each stop; display: all of them");
	puts("x/NFORMAT ADDRESS|VARIABLE: N numbers from there on; format i: instructions, s: text");
	return true;
}

static const struct command *find_command(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (length >= commands[i].least && length <= strlen(commands[i].name) &&
		    !strncmp(commands[i].name, word, length))
			return &commands[i];
	return NULL;
}

/* print and x take a format after a slash. */
static bool with_format(struct dbg *d, char *line, bool *taken)
{
	size_t length = strcspn(line, " /\t");
	bool print = !strncmp("print", line, length) && length, examine = length == 1 && *line == 'x';
	bool display = length >= 4 && !strncmp("display", line, length);
	char *rest = line + length, *format = "";

	*taken = print || examine || display;
	if (!*taken)
		return false;
	if (display)
		return command_display(d, rest + strspn(rest, " \t"));
	if (*rest == '/') {
		format = rest + 1;
		rest += strcspn(rest, " \t");
	}
	if (*rest)
		*rest++ = '\0';
	return print ? command_print(d, format, rest) : command_examine(d, format, rest);
}

static void run_line(struct dbg *d, char *line)
{
	size_t length = strcspn(line, " \t");
	const struct command *c = find_command(line, length);
	char *rest = line + length;
	bool taken;

	if (!c) {
		with_format(d, line, &taken);
		if (!taken)
			wrong(d, "no command %.*s: try help", (int)length, line);
		return;
	}
	while (isspace((unsigned char)*rest))
		rest++;
	c->run(d, rest);
}

/* Reads a line, without spaces around it; NULL at the end. The caller frees it. */
static char *read_line(bool terminal)
{
	char *line = NULL, *start;
	size_t size = 0;
	size_t n;

	if (terminal) {
		line = readline(PROMPT);
	} else if (getline(&line, &size, stdin) < 0) {
		free(line);
		return NULL;
	}
	if (!line)
		return NULL;
	n = strlen(line);
	while (n && isspace((unsigned char)line[n - 1]))
		line[--n] = '\0';
	start = line + strspn(line, " \t");
	memmove(line, start, strlen(start) + 1);
	return line;
}

/* An empty line on a terminal repeats the last command if that command allows it. */
static char *repeated(char *line, char **last)
{
	const struct command *c;

	if (*line) {
		add_history(line);
		free(*last);
		*last = strdup(line);
		return line;
	}
	c = *last ? find_command(*last, strcspn(*last, " \t")) : NULL;
	if (!c || !c->repeats)
		return line;
	free(line);
	return strdup(*last);
}

void read_commands(struct dbg *d)
{
	bool terminal = isatty(STDIN_FILENO);
	char *last = NULL, *line;

	while (!d->quit && (line = read_line(terminal))) {
		if (terminal)
			line = repeated(line, &last);
		else if (*line && *line != '#')
			printf(PROMPT "%s\n", line);
		if (line && *line && *line != '#')
			run_line(d, line);
		fflush(stdout);
		free(line);
	}
	free(last);
}
