/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-run --host: a program on qemu-hexagon without a guest. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hexagon/events.h"
#include "tools/hexagon/host/host-sandbox.h"
#include "tools/hexagon/hexagon-marks.h"
#include "tools/hexagon/hexagon-profile.h"
#include "tools/hexagon/hexagon-run-host.h"
#include "libmon/hexagon/table.h"
#include "common/output.h"

/* As env(1) and timeout(1) have them. */
#define STATUS_EXPIRED 124
#define STATUS_FAILED 125

/* all selectors */
#define MAX_EVENTS 1024
#define MEMORY_MIB 1024

struct run {
	struct hexagon_core core;
	struct hexagon_setup setup;
	unsigned int nevents;
	const char *name[MAX_EVENTS];
	unsigned int code[MAX_EVENTS];
	struct program program;
	unsigned int software;	/* rows of the feed */
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "hexagon-run: %s: %s\n", what, why);
	return STATUS_FAILED;
}

/* "hexagon/NAME/" or "NAME" */
static bool add_event(struct run *run, char *text)
{
	size_t length;
	int code;

	if (strncmp(text, "hexagon/", 8) == 0)
		text += 8;
	length = strlen(text);
	if (length && text[length - 1] == '/')
		text[length - 1] = '\0';
	code = hexagon_event_find(&run->core, text);
	if (code < 0) {
		complain(text, run->core.stalls ? "not an event that the core counts: see hexagon-run --list" :
			 "not an event that the core counts: see hexagon-run --list; events of stalls need --stalls");
		return false;
	}
	if (run->nevents == MAX_EVENTS) {
		complain(text, "1024 events are possible");
		return false;
	}
	run->name[run->nevents] = text;
	run->code[run->nevents++] = code;
	run->setup.features |= hexagon_event_features(&run->core, code);
	return true;
}

static bool parse_events(struct run *run, char *list)
{
	for (char *text = strtok(list, ","); text; text = strtok(NULL, ","))
		if (!add_event(run, text))
			return false;
	return true;
}

/* to: a descriptor, or -1 for marks */
static void pass_on(struct run *run, int *from, int to)
{
	char data[HEXAGON_MESSAGE_MAX];
	ssize_t n = sandbox_take(&run->program, from, data);

	if (to < 0)
		hexagon_marks_add(data, n);
	for (ssize_t done = 0, m; to >= 0 && done < n; done += m) {
		m = write(to, data + done, n - done);
		if (m < 0)
			break;
	}
}

/* Until the program has ended, and all of its output is passed on. */
static void wait_for_end(struct run *run)
{
	struct program *program = &run->program;

	while (!sandbox_is_over(program)) {
		struct pollfd fds[4] = {
			{ .fd = program->out, .events = POLLIN },
			{ .fd = program->err, .events = POLLIN },
			{ .fd = program->pidfd, .events = POLLIN },
			{ .fd = program->marks, .events = POLLIN },
		};

		if (poll(fds, 4, 1000) < 0 && errno != EINTR)
			break;
		sandbox_expire(program);
		if (fds[0].revents)
			pass_on(run, &program->out, STDOUT_FILENO);
		if (fds[1].revents)
			pass_on(run, &program->err, STDERR_FILENO);
		if (fds[3].revents)
			pass_on(run, &program->marks, -1);
		if (fds[2].revents)
			sandbox_reap(program, WNOHANG);
	}
}

/* By hardware thread, then by software thread in the order of their creation. */
static void print_threads(const struct run *run, const struct hexagon_totals *totals, unsigned int code)
{
	uint64_t value;

	for (unsigned int i = 0; i < run->core.threads; i++)
		if (hexagon_event_of_row(&run->core, code, totals->count[i], &value))
			fprintf(stderr, "%16" PRIu64 "    hardware thread %u\n", value, i);
	for (unsigned int i = 0; i < run->software; i++)
		if (hexagon_event_of_row(&run->core, code, run->program.counts->row[i], &value))
			fprintf(stderr, "%16" PRIu64 "    software thread %u%s\n", value, i,
				i == HEXAGON_SOFTWARE_ROWS - 1 ? " and later ones" : "");
}

/* What threads waited for, and whether another thread hid it. */
static void print_waits(const struct run *run, const struct hexagon_totals *totals)
{
	static const char *const causes[HEXAGON_STALLS] = {
		[HEXAGON_STALL_REDIRECT] = "after mispredicted branches",
		[HEXAGON_STALL_FETCH] = "for instructions",
		[HEXAGON_STALL_DATA] = "for data",
		[HEXAGON_STALL_VECTOR] = "for vectors",
		[HEXAGON_STALL_CONTEXT] = "for a vector context",
	};
	uint64_t cycles = hexagon_cycles(totals), open = 0;

	for (uint32_t set = 1; set < HEXAGON_THREAD_SETS; set++)
		open += totals->shown[set];
	fputs("\n Cycles of waiting      hidden       shown  (hidden: another thread did not wait)\n", stderr);
	for (int cause = 0; cause < HEXAGON_STALLS; cause++) {
		uint64_t hidden = 0, shown = 0;

		for (unsigned int t = 0; t < run->core.threads; t++) {
			hidden += totals->hidden[t][cause];
			shown += totals->open[t][cause];
		}
		if (hidden + shown)
			fprintf(stderr, " %29" PRIu64 " %11" PRIu64 "  %s\n", hidden, shown, causes[cause]);
	}
	fprintf(stderr, " All threads that ran waited in %.1f %% of the %" PRIu64 " cycles.\n",
		cycles ? 100.0 * open / cycles : 0, cycles);
}

static void print_counters(const struct run *run, const struct run_options *options,
			   const struct hexagon_totals *totals)
{
	fputc('\n', stderr);
	for (unsigned int i = 0; i < run->nevents; i++) {
		fprintf(stderr, "%16" PRIu64 "  %s\n",
			hexagon_event_value(&run->core, totals, run->code[i], 0), run->name[i]);
		if (options->threads)
			print_threads(run, totals, run->code[i]);
	}
	fputc('\n', stderr);
}

/* Packets that say more of the other threads than of the program. */
static void print_spins(const struct run *run, const struct hexagon_totals *totals)
{
	uint64_t spun = run->program.counts->spun, all = 0;

	for (unsigned int t = 0; t < run->core.threads; t++)
		all += totals->count[t][HEXAGON_PACKETS];
	if (spun && all)
		fprintf(stderr, "\n Threads spun: %" PRIu64 " packets (%.1f %%) of loops that wait for another thread.\n", spun,
			100.0 * spun / all);
}

/* Here all counters are those of one run. */
static bool print_metrics(const struct run *run, const struct hexagon_totals *totals)
{
	const struct mon_hexagon_core core = {
		.threads = run->core.threads, .cycles = run->core.cycles, .clock_hz = HEXAGON_USUAL_HZ,
	};
	struct mon_hexagon_pass pass = { .interval_us = 1, .running_us = 1 };

	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++) {
		int code = hexagon_event_find(&run->core, mon_hexagon_counter_event(i));

		if (code < 0)
			continue;
		pass.counters |= UINT64_C(1) << i;
		pass.count[i] = hexagon_event_value(&run->core, totals, code, 0);
	}
	fprintf(stderr, "\n Hexagon core hexagon-v%u, %u threads at %d MHz; one run\n\n",
		run->core.version, run->core.threads, HEXAGON_USUAL_HZ / 1000000);
	if (!hexagon_table_print(stderr, &core, pass.counters, &pass, 1))
		return false;
	if (run->core.stalls)
		print_waits(run, totals);
	print_spins(run, totals);
	fputc('\n', stderr);
	return true;
}

static int save_profile(const struct run *run, const struct run_options *options, const char *program)
{
	FILE *out = output_open(options->profile);

	if (!out)
		return complain(options->profile, strerror(errno));
	if (!hexagon_profile_write(out, program, &run->core, hexagon_feed_profile(run->program.counts), run->software,
				   options->threads)) {
		fclose(out);
		return complain(program, strerror(errno));
	}
	return output_close(out, options->profile) ? 0 : complain(options->profile, strerror(errno));
}

static int finish(struct run *run, const struct run_options *options, const char *file)
{
	const struct hexagon_feed *feed = run->program.counts;
	int status = run->program.status;
	struct hexagon_totals totals;
	enum hexagon_feed_error error;
	char why[512];

	if (run->program.expired) {
		fprintf(stderr, "hexagon-run: %s: ended after %u s: raise --timeout\n", file, options->timeout);
		return STATUS_EXPIRED;
	}
	if (sandbox_judge(&run->program, why, sizeof(why)))
		return complain("the program was not run to its end", why);
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	if (WEXITSTATUS(status))
		return WEXITSTATUS(status);
	error = hexagon_feed_check(feed, sizeof(*feed));
	if (error == HEXAGON_FEED_OK)
		error = hexagon_feed_read(feed, &totals);
	if (error != HEXAGON_FEED_OK)
		return complain("counts", hexagon_feed_strerror(error));
	/* the program could write there */
	run->software = feed->software < HEXAGON_SOFTWARE_ROWS ? feed->software : HEXAGON_SOFTWARE_ROWS;
	if (feed->slips)
		fprintf(stderr, "hexagon-run: %s: this machine decided %u times when a thread went on, because one waited for time or "
			"input while others ran, forked, or was in a call that is not known to wait: counts may differ from run to "
			"run\n", file, feed->slips);
	if (options->counters)
		print_counters(run, options, &totals);
	if (options->metrics && !print_metrics(run, &totals))
		return complain("metrics", "they cannot be computed");
	return options->profile ? save_profile(run, options, file) : 0;
}

/* The cycle at which the program ended, as far as is known. */
static uint64_t end_of(const struct run *run)
{
	const struct hexagon_feed *feed = run->program.counts;
	struct hexagon_totals totals;

	if (hexagon_feed_check(feed, sizeof(*feed)) != HEXAGON_FEED_OK || hexagon_feed_read(feed, &totals) != HEXAGON_FEED_OK)
		return 0;
	return hexagon_cycles(&totals);
}

int run_on_host(const struct run_options *options, char **argv)
{
	char *path = argv[0];
	char *folder = strdup(path), *file = strdup(path);
	char *list = strdup(options->counters ?: "");
	struct sandbox sandbox;
	struct run run = { 0 };
	FILE *marks = NULL;
	char why[512];
	int status;

	if (!folder || !file || !list || !hexagon_core_init(&run.core, options->version))
		return complain("--core", "65, 69, 73 and 79 are known");
	run.core.stalls = options->stalls;
	hexagon_setup_core(&run.setup, &run.core);
	run.setup.quantum = options->quantum;
	run.setup.features = options->stalls ? HEXAGON_FEATURE_MEMORY | HEXAGON_FEATURE_TIMING : 0;
	run.setup.features |= options->profile ? HEXAGON_FEATURE_PROFILE : 0;
	run.setup.timing = (struct hexagon_timing){
		HEXAGON_L2_CYCLES, HEXAGON_MEMORY_CYCLES, HEXAGON_REDIRECT_CYCLES,
	};
	hexagon_memory_usual(&run.setup.memory, options->version);
	if (!parse_events(&run, list) ||
	    !sandbox_init(&sandbox, dirname(folder), sandbox_plugin(), MEMORY_MIB) || !sandbox_adopt())
		return STATUS_FAILED;
	if (options->marks) {
		marks = output_open(options->marks);
		if (!marks)
			return complain(options->marks, strerror(errno));
	}
	hexagon_marks_begin(marks, HEXAGON_USUAL_HZ);
	argv[0] = basename(file);
	if (!sandbox_start(&sandbox, &run.setup, argv, options->timeout, &run.program, why, sizeof(why)))
		return complain("the program was not run", why);
	wait_for_end(&run);
	status = finish(&run, options, path);
	if (!hexagon_marks_end(end_of(&run)) && !status)
		status = complain(options->marks, "it cannot be written");
	munmap(run.program.counts, run.program.size);
	argv[0] = path;
	free(list);
	free(file);
	free(folder);
	return status;
}

static void list_event(void *data, const char *name, unsigned int code)
{
	const struct hexagon_core *core = data;
	const char *how = hexagon_event_how(core, code);

	printf("%s\t%s\t%s\n", name, how ? "yes" : "no",
	       how ? how : hexagon_event_why_not(core, name, code));
}

int list_events(const struct run_options *options)
{
	struct hexagon_core core;

	if (!hexagon_core_init(&core, options->version))
		return complain("--core", "65, 69, 73 and 79 are known");
	core.stalls = options->stalls;
	hexagon_events_list(&core, list_event, &core);
	return 0;
}
