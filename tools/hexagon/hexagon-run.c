/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-run: runs a program on the Hexagon core of /dev/hexagon, or confined on this machine. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"
#include "tools/hexagon/hexagon-marks.h"
#include "tools/hexagon/hexagon-run-host.h"

/* As env(1) and timeout(1) have them. */
#define STATUS_FAILED 125

#define DEVICE "/dev/hexagon"

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "hexagon-run: %s: %s\n", what, why);
	return STATUS_FAILED;
}

static const char *reason(int error)
{
	switch (error) {
	case ENOENT:
		return "no Hexagon core: run it with --host, load hexagon.ko, or use mon-vm with --device hexagon-pmu";
	case ENOTCONN:
		return "no host runs programs: start mon-vm with --hexagon-dir DIR, or hexagon-host";
	case EBUSY:
		return "the core runs another program: try again when that has ended";
	case EACCES:
		return "permission denied: run as root";
	case EPIPE:
		return "the connection to the host broke";
	}
	return strerror(error);
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= n;
	}
	return 0;
}

/* Relays output until the program has ended; its exit status, or 128 + signal. */
static int run_relay(int device)
{
	struct {
		struct hexagon_run_record record;
		char data[HEXAGON_RUN_DATA_MAX];
	} in;

	for (;;) {
		ssize_t n = read(device, &in, sizeof(in));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < (ssize_t)sizeof(in.record))
			return fail(DEVICE, n < 0 ? reason(errno) : "ended without a status");
		switch (in.record.type) {
		case HEXAGON_RUN_STDOUT:
		case HEXAGON_RUN_STDERR:
			if (write_all(in.record.type == HEXAGON_RUN_STDOUT ? STDOUT_FILENO :
				      STDERR_FILENO, in.data, in.record.size) < 0)
				return fail("output", strerror(errno));
			break;
		case HEXAGON_RUN_MARKS:
			hexagon_marks_add(in.data, in.record.size);
			break;
		case HEXAGON_RUN_END:
			if (in.record.status & HEXAGON_RUN_FAILED)
				return fail("the program was not run to its end",
					    "see the host's message above, or it went away");
			if (in.record.status & HEXAGON_RUN_LATE)
				fputs("hexagon-run: events of the caches that were opened after the "
				      "program had begun count from the next program on\n", stderr);
			if (in.record.status & 0x7f)
				return 128 + (in.record.status & 0x7f);
			return in.record.status >> 8 & 0xff;
		}
	}
}

static int run_in_guest(char **argv)
{
	char request[HEXAGON_RUN_REQUEST_MAX];
	size_t size = 0;
	int device;

	for (int i = 0; argv[i]; i++) {
		size_t length = strlen(argv[i]) + 1;

		if (length > sizeof(request) - size)
			return fail(argv[0], "the arguments are too long: 4092 bytes are possible");
		memcpy(request + size, argv[i], length);
		size += length;
	}
	device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0 || write(device, request, size) < 0)
		return fail(DEVICE, reason(errno));
	return run_relay(device);
}

enum { OPT_HOST = 256, OPT_COUNTERS, OPT_METRICS, OPT_PROFILE, OPT_MARKS, OPT_THREADS, OPT_QUANTUM, OPT_STALLS, OPT_CORE, OPT_LIST,
       OPT_TIMEOUT };

static const struct argp_option argp_options[] = {
	{ "host", OPT_HOST, NULL, 0, "Run the file PROGRAM on this machine, confined, without a guest", 0 },
	{ "counters", OPT_COUNTERS, "EVENTS", 0, "Print the counts of these events; implies --host", 0 },
	{ "metrics", OPT_METRICS, NULL, 0, "Print the table of hexagon-stat; implies --host", 0 },
	{ "profile", OPT_PROFILE, "FILE", 0, "Write a profile in callgrind's format; implies --host", 0 },
	{ "marks", OPT_MARKS, "FILE", 0, "Write the program's phases as trace events on the core's clock; implies --host", 0 },
	{ "threads", OPT_THREADS, NULL, 0, "With --counters: counts of each hardware and software thread, too; with --profile: a part a "
	  "software thread", 0 },
	{ "quantum", OPT_QUANTUM, "PACKETS", 0, "With --host: length of a turn, if there are more software threads "
	  "than hardware threads", 0 },
	{ "stalls", OPT_STALLS, NULL, 0, "With --host: threads wait for caches and branches", 0 },
	{ "core", OPT_CORE, "N", 0, "With --host: 65, 69 (default), 73 or 79", 0 },
	{ "timeout", OPT_TIMEOUT, "S", 0, "With --host: end the program after S seconds (default: 600; 0: never)", 0 },
	{ "list", OPT_LIST, NULL, 0, "List the events of the core: whether and how each is counted", 0 },
	{ 0 },
};

struct arguments {
	struct run_options options;
	bool host;
	bool list;
	char **command;
};

static error_t run_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	char *end;

	switch (key) {
	case OPT_HOST:
		arguments->host = true;
		return 0;
	case OPT_COUNTERS:
		arguments->options.counters = arg;
		arguments->host = true;
		return 0;
	case OPT_METRICS:
		arguments->options.metrics = true;
		arguments->host = true;
		return 0;
	case OPT_PROFILE:
		arguments->options.profile = arg;
		arguments->host = true;
		return 0;
	case OPT_MARKS:
		arguments->options.marks = arg;
		arguments->host = true;
		return 0;
	case OPT_THREADS:
		arguments->options.threads = true;
		return 0;
	case OPT_QUANTUM:
		arguments->options.quantum = strtoul(arg, &end, 10);
		if (*end || !arguments->options.quantum || strchr(arg, '-'))
			argp_error(state, "--quantum=%s: give a number of packets, 1 or more", arg);
		return 0;
	case OPT_TIMEOUT:
		arguments->options.timeout = strtoul(arg, &end, 10);
		if (!*arg || *end || strchr(arg, '-') || arguments->options.timeout > 1000000)
			argp_error(state, "--timeout=%s: give a number of seconds up to 1000000", arg);
		return 0;
	case OPT_STALLS:
		arguments->options.stalls = true;
		return 0;
	case OPT_LIST:
		arguments->list = arguments->host = true;
		return 0;
	case OPT_CORE:
		arguments->options.version = atoi(arg);
		return 0;
	case ARGP_KEY_ARGS:
		arguments->command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (arguments->list)
			return 0;
		argp_error(state, "no program: name one");
		return EINVAL;
	case ARGP_KEY_END:
		if (!arguments->host && (arguments->options.stalls || arguments->options.quantum ||
					 arguments->options.version != 69))
			argp_error(state, "--stalls, --quantum and --core need --host, --counters, --metrics, --profile or --marks: "
				   "in a guest they are properties of the device hexagon-pmu");
		if (arguments->options.threads && !arguments->options.counters && !arguments->options.profile)
			argp_error(state, "--threads needs --counters or --profile");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		argp_options, run_parse, "PROGRAM [ARG...]",
		"Run PROGRAM from the host's folder of Hexagon programs on the Hexagon core, or, with "
		"--host, a file on this machine.\v"
		"Exit status: that of PROGRAM, 128+N if signal N ended it, 124 after --timeout, 125 if it cannot run.",
		NULL, NULL, NULL,
	};
	struct arguments arguments = { .options.version = 69, .options.timeout = 600 };
	int status;

	argp_err_exit_status = STATUS_FAILED;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
	if (arguments.list)
		return list_events(&arguments.options);
	status = arguments.host ? run_on_host(&arguments.options, arguments.command) :
		 run_in_guest(arguments.command);
	if (status > 128 && status - 128 < NSIG)
		fprintf(stderr, "hexagon-run: %s: ended with status %d, as signal %d does (%s)\n",
			arguments.command[0], status, status - 128, strsignal(status - 128));
	return status;
}
