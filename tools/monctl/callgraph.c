// SPDX-License-Identifier: GPL-2.0-only
/* monctl callgraph: the functions of a profile and their calls as a picture. Graphviz draws it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/monctl/callgrind.h"
#include "tools/monctl/monctl.h"

extern char **environ;

struct callgraph_options {
	struct files files;
	const char *event;
	long thread;
	double least;		/* percent */
};

static const char *const formats[] = { "svg", "png", "pdf", "dot" };

/* The format by the end of the name; NULL: none of ours. */
static const char *format_of(const char *path)
{
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end && i < COUNT_OF(formats); i++)
		if (!strcmp(end + 1, formats[i]))
			return formats[i];
	return NULL;
}

/* Text in quotes of the DOT language; a file may have any bytes as names. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(isprint((unsigned char)*text) && (unsigned char)*text < 128 ? *text : '?', out);
	}
}

static double percent(const struct callgrind *p, uint64_t cost)
{
	return p->total ? 100.0 * cost / p->total : 0;
}

static bool is_drawn(const struct callgrind *p, const struct call_function *f, double least)
{
	return percent(p, f->self + f->below) >= least;
}

/* The more of the costs are its own, the darker it is. */
static void put_function(FILE *out, const struct callgrind *p, const struct call_function *f)
{
	uint64_t all = f->self + f->below;

	fprintf(out, "\tf%u [label=\"", f->index);
	put_text(out, f->name);
	fprintf(out, "\\n%.1f %% itself", percent(p, f->self));
	if (all > p->total)
		fputs("\\nrecursive", out);
	else if (f->below)
		fprintf(out, "\\n%.1f %% with its calls", percent(p, all));
	fprintf(out, "\", fillcolor=\"0.58 %.2f 1.00\", tooltip=\"", p->total ? 0.6 * f->self / p->total : 0);
	put_text(out, f->file);
	fprintf(out, ": %" PRIu64 " itself, %" PRIu64 " in calls\"];\n", f->self, f->below);
}

static void put_arc(FILE *out, const struct callgrind *p, const struct call_arc *arc)
{
	double share = percent(p, arc->cost);

	fprintf(out, "\tf%u -> f%u [label=\"", arc->from->index, arc->to->index);
	/* calls in calls have the costs of the inner ones again */
	if (arc->from != arc->to && arc->cost <= p->total)
		fprintf(out, " %.1f %%\\n", share);
	fprintf(out, " %" PRIu64 "x\", penwidth=%.1f, tooltip=\"%" PRIu64 " in %" PRIu64 " calls\"];\n", arc->times,
		share < 100 ? 1 + share / 33 : 4, arc->cost, arc->times);
}

static void put_graph(FILE *out, const struct callgrind *p, const struct callgraph_options *o)
{
	uint64_t left = 0;
	unsigned int out_of_view = 0;

	fputs("digraph callgraph {\n"
	      "\tgraph [fontname=\"sans-serif\", fontsize=14, labelloc=t, labeljust=l, bgcolor=white];\n"
	      "\tnode [fontname=\"sans-serif\", fontsize=11, shape=box, style=filled];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.7];\n", out);
	for (struct call_function *f = p->functions; f; f = f->next) {
		if (is_drawn(p, f, o->least)) {
			put_function(out, p, f);
			continue;
		}
		out_of_view++;
		left += f->self;
	}
	for (struct call_arc *arc = p->arcs; arc; arc = arc->next)
		if (is_drawn(p, arc->from, o->least) && is_drawn(p, arc->to, o->least))
			put_arc(out, p, arc);
	fputs("\tlabel=\"", out);
	put_text(out, *p->program ? p->program : o->files.input);
	if (o->thread >= 0)
		fprintf(out, ", thread %ld", o->thread);
	fprintf(out, "\\l%" PRIu64 " ", p->total);
	put_text(out, p->event);
	if (strcmp(p->event, p->event_text)) {
		fputs(": ", out);
		put_text(out, p->event_text);
	}
	if (out_of_view)
		fprintf(out, "\\lnot drawn: %u function%s below %g %%, %.1f %% in all", out_of_view, out_of_view > 1 ? "s" : "",
			o->least, percent(p, left));
	fputs("\\l\";\n}\n", out);
}

/* Runs Graphviz with the graph as its input. */
static void draw(FILE *graph, const char *format, const char *path)
{
	char *type = format_text("-T%s", format);
	char *args[] = { "dot", type, "-o", (char *)path, NULL };
	posix_spawn_file_actions_t files;
	int err, status;
	pid_t pid;

	rewind(graph);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fileno(graph), 0);
	err = posix_spawnp(&pid, "dot", &files, NULL, args, environ);
	posix_spawn_file_actions_destroy(&files);
	free(type);
	if (err)
		die("dot: cannot run: %s: install graphviz, or write the graph alone with -o FILE.dot", strerror(err));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("dot: %s", strerror(errno));
	if (status)
		die("%s: dot could not draw it: see its message", path);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct callgraph_options *o = state->input;
	char *end;

	switch (key) {
	case 'e':
		o->event = arg;
		return 0;
	case 't':
		o->thread = strtol(arg, &end, 10);
		if (end == arg || *end || o->thread < 0)
			argp_error(state, "--thread %s: give a number from 0", arg);
		return 0;
	case 'm':
		o->least = strtod(arg, &end);
		if (end == arg || *end || !(o->least >= 0 && o->least <= 100))
			argp_error(state, "--min %s: give a percentage from 0 to 100", arg);
		return 0;
	case ARGP_KEY_END:
		if (!o->files.has_input)
			argp_error(state, "no profile: give a file in callgrind's format");
		if (o->files.output && !format_of(o->files.output))
			argp_error(state, "-o %s: its name must end with .svg, .png, .pdf or .dot", o->files.output);
		return 0;
	default:
		return parse_files(key, arg, &o->files);
	}
}

int cmd_callgraph(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "event", 'e', "EVENT", 0, "Costs of this event of the file (default: Cycles, or else the first one)", 0 },
		{ "thread", 't', "N", 0, "Only software thread N, of a profile with --threads", 0 },
		{ "min", 'm', "PERCENT", 0, "Leave out functions that cost less, with their calls (default: 0.5)", 0 },
		{ "output", 'o', "FILE", 0, "Write to FILE.svg, .png, .pdf or .dot (default: PROFILE.svg)", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "PROFILE",
		"Draw the functions of a profile in callgrind's format and their calls, with Graphviz.", NULL, NULL, NULL,
	};
	struct callgraph_options o = { .thread = -1, .least = 0.5 };
	struct callgrind *profile;
	const char *format;
	char *path;
	FILE *graph;

	parse_arguments(&argp, argc, argv, &o);
	path = o.files.output ? format_text("%s", o.files.output) : format_text("%s.svg", o.files.input);
	format = format_of(path);
	profile = callgrind_load(o.files.input, o.event, o.thread);
	graph = strcmp(format, "dot") ? tmpfile() : fopen(path, "we");
	if (!graph)
		die("%s: cannot create: %s", path, strerror(errno));
	put_graph(graph, profile, &o);
	if (fflush(graph) || ferror(graph))
		die("%s: cannot write: %s", path, strerror(errno));
	if (strcmp(format, "dot"))
		draw(graph, format, path);
	fclose(graph);
	fprintf(stderr, "monctl callgraph: %u functions in %s\n", profile->function_count, path);
	callgrind_free(profile);
	free(path);
	return 0;
}
