// SPDX-License-Identifier: GPL-2.0-only
/* monctl record: a time series of counters while a command runs, in a perf.data file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/monctl/record/describe.h"
#include "tools/monctl/record/phase.h"
#include "tools/monctl/record/sampler.h"

/* The share of a processor that sampling may take: the workload is at most 1.3 times slower. */
#define MOST_LOAD_PERCENT 23
/* The share of the samples that must come in the best trial; a busy machine may lose some. */
#define LEAST_REACHED 0.5
/* An interval this many times as long as a reading needs no trial: a sample takes less than ten times as long. */
#define NOT_WORTH_A_TRIAL 50

struct record_options {
	struct selection sel;
	uint64_t interval, duration;
	const char *output;
	bool no_marks, quiet;
	char **command;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct record_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->sel;
		return 0;
	case 'i':
		o->interval = parse_time(arg, 1e6);
		/* the kernel's limit for a clock event */
		if (o->interval < 10000)
			argp_error(state, "-i %s: give a time of at least 10us, as in 500us, 10ms, 5s, 2m or 1h", arg);
		return 0;
	case 'f':
		o->duration = parse_time(arg, 1e9);
		if (!o->duration)
			argp_error(state, "--for %s: give a time, as in 10s", arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (o->duration)
			return 0;
		return parse_command(key, state, &o->command);
	case ARGP_KEY_ARGS:
		if (o->duration)
			argp_error(state, "--for is without a command: the recording ends with it");
		return parse_command(key, state, &o->command);
	case 'o':
		if (!strcmp(arg, "-"))
			argp_error(state, "-o -: a recording is not written in one go: give a file");
		o->output = arg;
		return 0;
	case 'm':
		o->no_marks = true;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	default:
		return parse_command(key, state, &o->command);
	}
}

static const struct argp_option options[] = {
	{ "interval", 'i', "TIME", 0, "Time between two samples, as in 500us, 1ms or 1s (default: 10ms; 100ms where the requests of a sample are counted, too)", 0 },
	{ "for", 'f', "TIME", 0, "Record for that time, without a command", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE (default: monctl.data)", 0 },
	{ "no-marks", 'm', NULL, 0, "Do not record the runs of accelerators, DPUs and DSP programs", 0 },
	{ "quiet", 'q', NULL, 0, "Do not print a summary", 0 },
	{ 0 },
};

struct run {
	struct sampler sampler;
	struct tracepoints marks;
	struct phases phases;
	size_t phase_event;
	struct perfdata_writer *writer;
	size_t *samples, lost;		/* samples of each group */
	const char *gone;		/* a PMU whose device went away, or that lost counts, or NULL */
	uint64_t start, realtime, stop, transfer_ns;
};

/* Counts a reading of counters for its group. Runs are samples, too, of other events. */
static void count_sample(struct run *run, const struct perf_event_header *header)
{
	const struct sampler *s = &run->sampler;
	const struct perfdata_sample *sample = (const void *)header;

	for (size_t i = 0; header->type == PERF_RECORD_SAMPLE && i < s->ngroups; i++)
		if (sample->id == s->event[s->group[i].leader].ids[0])
			run->samples[i]++;
}

static int take_records(void *arg, const void *records, size_t size)
{
	const unsigned char *at = records;
	struct run *run = arg;

	if (perfdata_append(run->writer, records, size))
		return -1;
	for (size_t left = size; left >= sizeof(struct perf_event_header);) {
		const struct perf_event_header *header = (const void *)at;
		const uint64_t *lost = (const void *)(header + 1);

		count_sample(run, header);
		if (header->type == PERF_RECORD_LOST)
			run->lost += lost[1];
		at += header->size;
		left -= header->size;
	}
	return 0;
}

/* Rounds up to two digits. */
static uint64_t round_up(uint64_t ns)
{
	uint64_t step = 1000;

	while (step * 100 < ns)
		step *= 10;
	return (ns / step + 1) * step;
}

/* Tries what samples cost in the kernel, if a read() takes a noticeable part of the interval. */
static bool holds_rate(const struct run *run, uint64_t interval)
{
	struct sampler_trial trial = sampler_try(&run->sampler, interval);

	return trial.load * 100 <= MOST_LOAD_PERCENT && trial.reached >= LEAST_REACHED;
}

static void check_rate(const struct run *run)
{
	uint64_t interval = run->sampler.interval, cost = sampler_cost(&run->sampler);
	uint64_t shortest = cost * 100 / MOST_LOAD_PERCENT, possible = shortest + shortest / 2;

	if (interval >= cost * NOT_WORTH_A_TRIAL || (interval >= shortest && holds_rate(run, interval)))
		return;
	/* longer than the shortest: the next measurement may find that one too short */
	if (interval >= shortest)
		possible = 2 * interval;
	for (possible = round_up(possible); possible < NS_PER_S && !holds_rate(run, possible);)
		possible = round_up(2 * possible);
	die("-i %gms: these counters cannot be sampled that fast here: reading them takes %.3f ms, and sampling may take %d %% of the time: give -i %gms or fewer counters",
	    interval / 1e6, cost / 1e6, MOST_LOAD_PERCENT, possible / 1e6);
}

static void set_start(struct run *run)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	run->realtime = now.tv_sec * NS_PER_S + now.tv_nsec;
	run->start = now_ns();
}

static void run_command(struct run *run, struct workload *w)
{
	set_start(run);
	if (sampler_read(&run->sampler, take_records, run))
		die_mon();
	sampler_enable(&run->sampler, true);
	workload_start(w);
	while (!workload_poll(w)) {
		sampler_wait(&run->sampler, 100);
		if (sampler_drain(&run->sampler, take_records, run) ||
		    phases_drain(&run->phases, false, take_records, run) || perfdata_flush(run->writer))
			die_mon();
	}
	sampler_enable(&run->sampler, false);
	if (sampler_drain(&run->sampler, take_records, run) || phases_drain(&run->phases, true, take_records, run) ||
	    sampler_read(&run->sampler, take_records, run))
		die_mon();
	run->stop = now_ns();
	run->transfer_ns = phases_transfer_ns(&run->phases);
}

static char *record_describe(const struct run *run, const struct record_options *o)
{
	size_t size;
	char *text = NULL;
	FILE *out = text_open(&text, &size);

	describe_head(out, o->command);
	fprintf(out, "start\t%llu\t%llu\ninterval\t%llu\n", (unsigned long long)run->start,
		(unsigned long long)run->realtime, (unsigned long long)o->interval);
	if (run->stop)
		fprintf(out, "stop\t%llu\ntransfers\t%llu\n", (unsigned long long)run->stop, (unsigned long long)run->transfer_ns);
	describe_selection(out, &o->sel, run->sampler.attr_of);
	for (size_t i = 0; i < run->marks.count; i++)
		tracepoint_describe(&run->marks.item[i], run->sampler.first_mark + i, out);
	phases_describe(run->phase_event, out);
	if (run->gone)
		fprintf(out, "gone\t%s\n", run->gone);
	text_close(out);
	return text;
}

static void print_summary(const struct run *run, const struct record_options *o)
{
	double seconds = (run->stop - run->start) / 1e9;
	size_t taken = SIZE_MAX;
	double expected = seconds * 1e9 / o->interval, reached;
	struct stat st = { 0 };

	stat(o->output, &st);
	/* the rate of a file is that of the group that has least */
	for (size_t i = 0; i < run->sampler.ngroups; i++)
		taken = run->samples[i] < taken ? run->samples[i] : taken;
	/* the first and the last reading are monctl's own */
	taken -= taken < 2 ? taken : 2;
	reached = taken ? seconds * 1e3 / taken : 0;
	if (!o->quiet && expected < 1)
		fprintf(stderr, "monctl record: %zu counter%s, totals alone: %.3f s are shorter than %g ms; %.1f MB in %s\n",
			o->sel.count, o->sel.count == 1 ? "" : "s", seconds, o->interval / 1e6, st.st_size / 1e6, o->output);
	else if (!o->quiet)
		fprintf(stderr, "monctl record: %zu counter%s, %zu samples in %.3f s (%.1f %% of %.0f): one every %.4g ms, asked for every %g ms; %.1f MB in %s\n",
			o->sel.count, o->sel.count == 1 ? "" : "s", taken, seconds, 100 * taken / expected,
			expected, reached, o->interval / 1e6, st.st_size / 1e6, o->output);
	if (expected >= 20 && taken < 0.95 * expected)
		warn("the machine was too busy for a sample every %gms: the totals are right, but some samples cover more than one interval: choose a longer -i",
		     o->interval / 1e6);
	if (run->lost)
		warn("%zu samples were lost: the totals are right, but rates have gaps: choose a longer -i or fewer counters",
		     run->lost);
	if (run->phases.lost)
		warn("%llu of %llu marks of phases came too fast and were lost: mark longer phases",
		     (unsigned long long)run->phases.lost,
		     (unsigned long long)(run->phases.lost + run->phases.taken));
}

/* Ten milliseconds; more where the requests that a sample makes are counted among those of the program. */
static uint64_t default_interval(const struct selection *sel)
{
	for (size_t i = 0; i < sel->count; i++)
		if (counter_counts_reader(&sel->counter[i]))
			return 100000000;
	return 10000000;
}

int cmd_record(int argc, char **argv)
{
	static const struct argp_child children[] = { { &selection_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse_option, "-- COMMAND [ARG...]\n--for TIME",
		"Record counters of the whole system at equal times while COMMAND runs.", children,
		NULL, NULL,
	};
	char *sleeping[] = { "sleep", NULL, NULL };
	struct record_options o = { .output = "monctl.data" };
	struct perfdata_event phase = phases_event();
	struct run run = { 0 };
	size_t tracing_size;
	struct workload w;
	char *text, *tracing;
	const char *gone;

	parse_arguments(&argp, argc, argv, &o);
	if (o.duration) {
		sleeping[1] = format_text("%.9g", o.duration / 1e9);
		o.command = sleeping;
	}
	selection_resolve(&o.sel);
	if (!o.interval)
		o.interval = default_interval(&o.sel);
	if (!o.no_marks)
		tracepoints_find(&run.marks);
	sampler_open(&run.sampler, &o.sel, &run.marks, o.interval, !o.sel.nevents);
	check_rate(&run);
	run.samples = zeros(run.sampler.ngroups, sizeof(*run.samples));
	run.phase_event = sampler_add_foreign(&run.sampler, &phase);
	phases_open(&run.phases);
	workload_prepare(&w, o.command);
	/* the description until the recording is finished */
	set_start(&run);
	text = record_describe(&run, &o);
	run.writer = perfdata_create(o.output, run.sampler.event, run.sampler.count, text);
	if (!run.writer)
		die_mon();
	free(text);
	selection_note_losses(&o.sel);
	run_command(&run, &w);
	gone = selection_gone(&o.sel);
	/* the events of a PMU go with it since Linux 6.16, even if its device is back */
	if (!gone && run.sampler.unread)
		gone = strndupa(run.sampler.unread, strcspn(run.sampler.unread, "/"));
	run.gone = gone ? gone : selection_lost(&o.sel);
	text = record_describe(&run, &o);
	tracing = tracepoints_data(&run.marks, &tracing_size);
	if (perfdata_finish(run.writer, o.command, text, tracing, tracing_size))
		die_mon();
	print_summary(&run, &o);
	if (run.gone)
		warn("%s: %s during the recording: what it counted is not known", run.gone,
		     gone ? "the device went away" : "counts were lost, or the device went away and came back,");
	free(text);
	free(tracing);
	free(sleeping[1]);
	free(run.samples);
	phases_close(&run.phases);
	sampler_close(&run.sampler);
	tracepoints_free(&run.marks);
	selection_free(&o.sel);
	return gone ? EXIT_FAILURE : workload_status(&w);
}
