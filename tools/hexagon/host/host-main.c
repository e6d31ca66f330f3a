/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-host: runs Hexagon programs for a guest's hexagon-pmu device. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/hexagon/regs.h"
#include "tools/hexagon/host/host-sandbox.h"
#include "hexagon/host.h"

struct options {
	const char *dir;
	const char *socket;
	const char *plugin;
	int fd;
	bool background;
	unsigned int timeout;	/* seconds, 0: none */
	unsigned int memory;	/* MiB */
};

struct host {
	struct options options;
	struct sandbox sandbox;
	int link;		/* to the device, non-blocking */

	/* messages of the device */
	union {
		struct hexagon_message header;
		char bytes[sizeof(struct hexagon_message) + HEXAGON_RUN_MAX];
	} in;
	size_t in_size;

	/* bytes that are being sent to the device: one message after the other */
	char out[sizeof(struct hexagon_message) + HEXAGON_MESSAGE_MAX];
	size_t out_size, out_sent;
	int out_fd;		/* is sent with its first byte, or -1 */

	bool running;
	bool late;		/* it was killed at the deadline; the message about that is not sent yet */
	bool told;		/* a line of the host was sent, the message of the end is not sent yet */
	bool judged;		/* whether the emulator failed */
	unsigned int status;
	struct program program;
};

static void host_queue(struct host *host, uint32_t type, const void *data, size_t size)
{
	struct hexagon_message header = { .type = type, .size = size };

	memcpy(host->out, &header, sizeof(header));
	memcpy(host->out + sizeof(header), data, size);
	host->out_size = sizeof(header) + size;
	host->out_sent = 0;
	host->out_fd = -1;
}

/* Sends a line of the host on the program's standard error. The message of the end has to follow. */
static void queue_line(struct host *host, const char *format, ...)
{
	char line[1024] = "hexagon-host: ";
	size_t n = strlen(line);
	va_list args;

	va_start(args, format);
	vsnprintf(line + n, sizeof(line) - n - 1, format, args);
	va_end(args);
	strcat(line, "\n");
	host_queue(host, HEXAGON_STDERR, line, strlen(line));
}

/* Returns false if the device is gone. */
static bool send_some(struct host *host)
{
	struct iovec iov = { host->out + host->out_sent, host->out_size - host->out_sent };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (host->out_fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &host->out_fd, sizeof(int));
	}
	n = sendmsg(host->link, &message, MSG_NOSIGNAL);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (host->out_fd >= 0) {
		/* from now on only the device and the program hold it */
		close(host->out_fd);
		host->out_fd = -1;
	}
	host->out_sent += n;
	if (host->out_sent == host->out_size)
		host->out_size = 0;
	return true;
}

static void kill_program(struct host *host)
{
	if (host->running && !host->program.ended)
		kill(host->program.pid, SIGKILL);
}

static void start_program(struct host *host, const char *data, size_t size)
{
	char *argv[1024];
	char why[512];
	struct hexagon_setup setup;
	int argc = 0;

	memcpy(&setup, data, sizeof(setup));
	data += sizeof(setup);
	size -= sizeof(setup);
	while (size && argc < 1023) {
		argv[argc++] = (char *)data;
		size -= strlen(data) + 1;
		data += strlen(data) + 1;
	}
	argv[argc] = NULL;
	host->status = HEXAGON_STATUS_FAILED;
	if (!sandbox_start(&host->sandbox, &setup, argv, host->options.timeout, &host->program, why, sizeof(why))) {
		queue_line(host, "%s", why);
		host->told = true;
		return;
	}
	host->running = true;
	host->judged = false;
	host_queue(host, HEXAGON_FEED, "", 0);
	host->out_fd = host->program.feed;
}

static bool handle_message(struct host *host)
{
	const char *data = host->in.bytes + sizeof(host->in.header);
	size_t size = host->in.header.size;

	switch (host->in.header.type) {
	case HEXAGON_RUN:
		if (host->running || host->told || size <= sizeof(struct hexagon_setup) ||
		    data[size - 1])
			return false;
		start_program(host, data, size);
		return true;
	case HEXAGON_CANCEL:
		kill_program(host);
		return true;
	}
	return false;
}

/* Returns false if the device is gone or breaks the protocol. */
static bool receive_some(struct host *host)
{
	size_t wanted = sizeof(host->in.header);
	ssize_t n;

	if (host->in_size >= wanted) {
		if (host->in.header.size > HEXAGON_RUN_MAX)
			return false;
		wanted += host->in.header.size;
	}
	if (host->in_size < wanted) {
		n = recv(host->link, host->in.bytes + host->in_size, wanted - host->in_size, 0);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0)
			return false;
		host->in_size += n;
	}
	if (host->in_size < sizeof(host->in.header))
		return true;
	if (host->in.header.size > HEXAGON_RUN_MAX)
		return false;
	if (host->in_size == sizeof(host->in.header) + host->in.header.size) {
		host->in_size = 0;
		return handle_message(host);
	}
	return true;
}

static void take_output(struct host *host, int *pipe, uint32_t type)
{
	char data[HEXAGON_MESSAGE_MAX];
	size_t n = sandbox_take(&host->program, pipe, data);

	if (n)
		host_queue(host, type, data, n);
}

/* The program has ended, and all of its output is known. */
static void judge(struct host *host)
{
	char why[256];

	host->judged = true;
	host->status = host->program.status & 0xffff;
	if (sandbox_judge(&host->program, why, sizeof(why))) {
		host->status = HEXAGON_STATUS_FAILED;
		queue_line(host, "%s", why);
	}
	munmap(host->program.counts, host->program.size);
}

static void queue_end(struct host *host)
{
	uint32_t status = host->status;

	host_queue(host, HEXAGON_END, &status, sizeof(status));
	host->running = false;
	host->told = false;
}

/* Serves one device until it disconnects. */
static void host_serve(struct host *host)
{
	bool connected = true;

	while (connected) {
		bool idle = !host->out_size;
		struct pollfd fds[5] = {
			{ .fd = host->link, .events = idle ? POLLIN : POLLIN | POLLOUT },
			{ .fd = host->running && idle ? host->program.out : -1, .events = POLLIN },
			{ .fd = host->running && idle ? host->program.err : -1, .events = POLLIN },
			{ .fd = host->running ? host->program.pidfd : -1, .events = POLLIN },
			{ .fd = host->running && idle ? host->program.marks : -1, .events = POLLIN },
		};

		if (idle && host->told && !host->running) {
			queue_end(host);
			continue;
		}
		if (idle && !host->late && host->running && sandbox_is_over(&host->program)) {
			if (!host->judged)
				judge(host);
			else
				queue_end(host);
			continue;
		}
		if (poll(fds, 5, host->running ? 1000 : -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents & POLLOUT)
			connected = send_some(host);
		if (connected && fds[0].revents & (POLLIN | POLLHUP | POLLERR))
			connected = receive_some(host);
		if (fds[1].revents && !host->out_size)
			take_output(host, &host->program.out, HEXAGON_STDOUT);
		if (fds[2].revents && !host->out_size)
			take_output(host, &host->program.err, HEXAGON_STDERR);
		if (fds[4].revents && !host->out_size)
			take_output(host, &host->program.marks, HEXAGON_MARKS);
		if (fds[3].revents)
			sandbox_reap(&host->program, WNOHANG);
		host->late |= host->running && sandbox_expire(&host->program);
		if (host->late && !host->out_size) {
			queue_line(host, "killed after %u s: raise --timeout of hexagon-host",
				   host->options.timeout);
			host->late = false;
		}
	}
	if (host->running && !host->program.ended) {
		kill_program(host);
		sandbox_reap(&host->program, 0);
		munmap(host->program.counts, host->program.size);
	}
}

static int listen_on(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int link;

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, path);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, 1) < 0)
		return -1;
	link = accept(fd, NULL, NULL);
	close(fd);
	return link;
}

enum { OPT_FD = 256, OPT_SOCKET, OPT_TIMEOUT, OPT_MEMORY, OPT_PLUGIN, OPT_BACKGROUND };

static const struct argp_option argp_options[] = {
	{ "socket", OPT_SOCKET, "PATH", 0, "Listen at this path for one device", 0 },
	{ "fd", OPT_FD, "N", 0, "Use the connected socket that was inherited as descriptor N", 0 },
	{ "background", OPT_BACKGROUND, NULL, 0,
	  "Return once programs can be run, and serve in the background", 0 },
	{ "timeout", OPT_TIMEOUT, "S", 0,
	  "Kill a program after S seconds (default: 600; 0: never)", 0 },
	{ "memory", OPT_MEMORY, "MIB", 0, "Memory for qemu-hexagon (default: 1024)", 0 },
	{ "plugin", OPT_PLUGIN, "FILE", 0, "hexagon-feed.so (default: that of this build)", 0 },
	{ 0 },
};

static unsigned int host_number(struct argp_state *state, const char *name, const char *text,
				unsigned long max)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || value > max)
		argp_error(state, "--%s %s: give a number up to %lu", name, text, max);
	return value;
}

static error_t host_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPT_FD:
		options->fd = host_number(state, "fd", arg, 1023);
		return 0;
	case OPT_SOCKET:
		options->socket = arg;
		return 0;
	case OPT_BACKGROUND:
		options->background = true;
		return 0;
	case OPT_TIMEOUT:
		options->timeout = host_number(state, "timeout", arg, 1000000);
		return 0;
	case OPT_MEMORY:
		options->memory = host_number(state, "memory", arg, 1 << 20);
		return 0;
	case OPT_PLUGIN:
		options->plugin = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (options->dir)
			return ARGP_ERR_UNKNOWN;
		options->dir = arg;
		return 0;
	case ARGP_KEY_END:
		if (!options->dir)
			argp_error(state, "no folder: name the one that holds the programs");
		if ((options->fd < 0) == !options->socket)
			argp_error(state, "give --socket PATH or --fd N");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		argp_options, host_parse, "DIR",
		"Run Hexagon programs from DIR, confined, for a guest's hexagon-pmu device, until the "
		"device goes. mon-vm --hexagon-dir DIR starts it.", NULL, NULL, NULL,
	};
	static struct host host;

	host.options = (struct options){ .fd = -1, .timeout = 600, .memory = 1024 };
	argp_parse(&argp, argc, argv, 0, NULL, &host.options);
	if (!host.options.plugin)
		host.options.plugin = sandbox_plugin();
	if (!sandbox_init(&host.sandbox, host.options.dir, host.options.plugin,
			  host.options.memory))
		return EXIT_FAILURE;
	/* not daemon(): messages on standard error still go to the caller */
	if (host.options.background && fork() != 0)
		return EXIT_SUCCESS;
	host.link = host.options.socket ? listen_on(host.options.socket) : host.options.fd;
	if (!sandbox_adopt())
		return EXIT_FAILURE;
	if (host.link < 0 || fcntl(host.link, F_SETFL, O_NONBLOCK) < 0) {
		fprintf(stderr, "hexagon-host: %s: %s\n",
			host.options.socket ? host.options.socket : "--fd", strerror(errno));
		return EXIT_FAILURE;
	}
	signal(SIGPIPE, SIG_IGN);
	/* Ctrl-C on the terminal is meant for the caller; this process ends when the device goes */
	if (host.options.background)
		setpgid(0, 0);
	host.out_fd = -1;
	host_serve(&host);
	return EXIT_SUCCESS;
}
