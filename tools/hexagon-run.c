/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-run: runs a program on the Hexagon core of /dev/hexagon. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"

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
		return "no Hexagon core: load hexagon.ko, or use mon-vm with --device hexagon-pmu";
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

int main(int argc, char **argv)
{
	char request[HEXAGON_RUN_REQUEST_MAX];
	size_t size = 0;
	int device;

	if (argc < 2 || strcmp(argv[1], "--help") == 0) {
		FILE *to = argc < 2 ? stderr : stdout;

		fputs("Usage: hexagon-run PROGRAM [ARG...]\n"
		      "Run PROGRAM from the host's folder of Hexagon programs on the Hexagon core.\n"
		      "\nExit status: that of PROGRAM, 128+N if signal N ended it, 125 if it cannot run.\n",
		      to);
		return argc < 2 ? STATUS_FAILED : EXIT_SUCCESS;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("hexagon-run " VERSION);
		return EXIT_SUCCESS;
	}
	for (int i = 1; i < argc; i++) {
		size_t length = strlen(argv[i]) + 1;

		if (length > sizeof(request) - size)
			return fail(argv[1], "the arguments are too long: 4092 bytes are possible");
		memcpy(request + size, argv[i], length);
		size += length;
	}
	device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0 || write(device, request, size) < 0)
		return fail(DEVICE, reason(errno));
	return run_relay(device);
}
