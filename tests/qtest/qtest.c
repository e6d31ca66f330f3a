/* SPDX-License-Identifier: GPL-2.0-only */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qemu/compat.h"
#include "tests/qtest/qtest.h"

#define MAX_ARGS 64
#define TIMEOUT_MS 20000

/* A connection and what was read of it beyond the last line. */
struct stream {
	int fd;
	char *buf;
	size_t len, size;
};

struct qtest {
	pid_t pid;
	struct stream qtest;
	struct stream qmp;
	char log[64];
};

static const char *plugin_args = "";

void qtest_plugin_args(const char *args)
{
	plugin_args = args;
}

/* Paths come from the Makefile: the plugin of this build and the qtest accelerator beside it. */
static void qemu_args(const char **argv, const char *device)
{
	static char plugin[4096];
	const char *fixed[] = {
		"qemu-system-x86_64", "-machine", "q35", "-accel", "qtest", "-m", "256",
		"-nodefaults", "-no-user-config", "-display", "none", "-plugin", plugin,
		"-d", MON_LOG_BAD_ACCESSES, "-device", device, NULL
	};

	snprintf(plugin, sizeof(plugin), "%s/qemu/mon-qemu.so%s", TOP_BUILD_DIR, plugin_args);
	memcpy(argv, fixed, sizeof(fixed));
	setenv("QEMU_MODULE_DIR", TOP_BUILD_DIR "/build/qemu/modules", 1);
}

static void add_arg(const char **argv, const char *arg)
{
	size_t n = 0;

	while (argv[n])
		n++;
	ck_assert_uint_lt(n + 1, MAX_ARGS);
	argv[n] = arg;
	argv[n + 1] = NULL;
}

struct qtest *qtest_start(const char *device, ...)
{
	const char *argv[MAX_ARGS] = { NULL };
	char qtest_dev[64], qmp_dev[64];
	int io[2], mon[2];
	struct qtest *q;
	const char *arg;
	char *reply;
	va_list ap;

	q = calloc(1, sizeof(*q));
	ck_assert_ptr_nonnull(q);
	strcpy(q->log, "/tmp/mon-qtest-XXXXXX");
	close(mkstemp(q->log));
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, io), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, mon), 0);

	qemu_args(argv, device);
	snprintf(qtest_dev, sizeof(qtest_dev), "socket,id=qtest,fd=%d", io[1]);
	snprintf(qmp_dev, sizeof(qmp_dev), "socket,id=qmp,fd=%d", mon[1]);
	add_arg(argv, "-chardev");
	add_arg(argv, qtest_dev);
	add_arg(argv, "-qtest");
	add_arg(argv, "chardev:qtest");
	add_arg(argv, "-qtest-log");
	add_arg(argv, "none");
	add_arg(argv, "-chardev");
	add_arg(argv, qmp_dev);
	add_arg(argv, "-mon");
	add_arg(argv, "chardev=qmp,mode=control");
	add_arg(argv, "-D");
	add_arg(argv, q->log);
	va_start(ap, device);
	while ((arg = va_arg(ap, const char *)))
		add_arg(argv, arg);
	va_end(ap);

	q->pid = fork();
	ck_assert_int_ge(q->pid, 0);
	if (!q->pid) {
		close(io[0]);
		close(mon[0]);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(io[1]);
	close(mon[1]);
	q->qtest.fd = io[0];
	q->qmp.fd = mon[0];
	reply = qtest_qmp(q, "{\"execute\":\"qmp_capabilities\"}");
	free(reply);
	return q;
}

void qtest_stop(struct qtest *q)
{
	int status;

	/* a QEMU that has crashed before this is a failure, not a clean end */
	ck_assert_int_eq(waitpid(q->pid, &status, WNOHANG), 0);
	kill(q->pid, SIGTERM);
	ck_assert_int_eq(waitpid(q->pid, &status, 0), q->pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "QEMU ended with status 0x%x",
		      status);
	close(q->qtest.fd);
	close(q->qmp.fd);
	free(q->qtest.buf);
	free(q->qmp.buf);
	unlink(q->log);
	free(q);
}

char *qtest_refused(const char *device)
{
	const char *argv[MAX_ARGS] = { NULL };
	char *text = NULL;
	size_t len = 0;
	int err[2], status;
	FILE *out;
	char buf[512];
	ssize_t n;
	pid_t pid;

	qemu_args(argv, device);
	ck_assert_int_eq(pipe(err), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		dup2(err[1], STDERR_FILENO);
		close(err[0]);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(err[1]);
	out = open_memstream(&text, &len);
	while ((n = read(err[0], buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, out);
	fclose(out);
	close(err[0]);
	waitpid(pid, &status, 0);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1,
		      "QEMU was to refuse -device %s, but ended with status 0x%x", device, status);
	return text;
}

/* The next line, to be freed. */
static char *read_line(struct stream *stream, const char *what)
{
	struct pollfd p = { .fd = stream->fd, .events = POLLIN };
	char *end, *line;
	ssize_t n;

	while (!(end = stream->len ? memchr(stream->buf, '\n', stream->len) : NULL)) {
		if (stream->len == stream->size) {
			stream->size = stream->size ? 2 * stream->size : 4096;
			stream->buf = realloc(stream->buf, stream->size);
			ck_assert_ptr_nonnull(stream->buf);
		}
		if (poll(&p, 1, TIMEOUT_MS) != 1)
			ck_abort_msg("QEMU did not answer %s", what);
		n = read(stream->fd, stream->buf + stream->len, stream->size - stream->len);
		if (n <= 0)
			ck_abort_msg("QEMU ended during %s", what);
		stream->len += n;
	}
	line = strndup(stream->buf, end - stream->buf);
	ck_assert_ptr_nonnull(line);
	stream->len -= end + 1 - stream->buf;
	memmove(stream->buf, end + 1, stream->len);
	return line;
}

/* Sends a command and returns the words behind OK; to be freed. */
static char *command(struct qtest *q, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *command(struct qtest *q, const char *format, ...)
{
	char *text, *line;
	va_list ap;
	int len;

	va_start(ap, format);
	len = vasprintf(&text, format, ap);
	va_end(ap);
	ck_assert_int_gt(len, 0);
	ck_assert_int_eq(write(q->qtest.fd, text, len), len);
	for (;;) {
		line = read_line(&q->qtest, text);
		if (strncmp(line, "IRQ ", 4) != 0)
			break;
		free(line);
	}
	ck_assert_msg(!strncmp(line, "OK", 2), "%s answered %s", text, line);
	free(text);
	return line;
}

uint32_t qtest_inl(struct qtest *q, uint16_t port)
{
	char *reply = command(q, "inl 0x%x\n", port);
	uint32_t value = strtoul(reply + 3, NULL, 0);

	free(reply);
	return value;
}

void qtest_outl(struct qtest *q, uint16_t port, uint32_t value)
{
	free(command(q, "outl 0x%x 0x%x\n", port, value));
}

static char size_letter(unsigned int size)
{
	return size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : 'q';
}

uint64_t qtest_read(struct qtest *q, unsigned int size, uint64_t addr)
{
	char *reply = command(q, "read%c 0x%" PRIx64 "\n", size_letter(size), addr);
	uint64_t value = strtoull(reply + 3, NULL, 0);

	free(reply);
	return value;
}

void qtest_write(struct qtest *q, unsigned int size, uint64_t addr, uint64_t value)
{
	free(command(q, "write%c 0x%" PRIx64 " 0x%" PRIx64 "\n", size_letter(size), addr, value));
}

uint32_t qtest_readl(struct qtest *q, uint64_t addr)
{
	return qtest_read(q, 4, addr);
}

void qtest_writel(struct qtest *q, uint64_t addr, uint32_t value)
{
	qtest_write(q, 4, addr, value);
}

void qtest_memread(struct qtest *q, uint64_t addr, void *buf, size_t len)
{
	char *reply = command(q, "read 0x%" PRIx64 " 0x%zx\n", addr, len);
	unsigned int byte;

	/* "OK 0x" and two digits a byte */
	for (size_t i = 0; i < len; i++) {
		ck_assert_int_eq(sscanf(reply + 5 + 2 * i, "%2x", &byte), 1);
		((uint8_t *)buf)[i] = byte;
	}
	free(reply);
}

void qtest_memwrite(struct qtest *q, uint64_t addr, const void *buf, size_t len)
{
	char *hex = malloc(2 * len + 1);

	ck_assert_ptr_nonnull(hex);
	for (size_t i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", ((const uint8_t *)buf)[i]);
	free(command(q, "write 0x%" PRIx64 " 0x%zx 0x%s\n", addr, len, hex));
	free(hex);
}

void qtest_clock_step(struct qtest *q, uint64_t ns)
{
	free(command(q, "clock_step %" PRIu64 "\n", ns));
}

char *qtest_qmp(struct qtest *q, const char *json)
{
	char *line;

	ck_assert_int_eq(write(q->qmp.fd, json, strlen(json)), (ssize_t)strlen(json));
	/* the greeting and events are not the answer */
	for (;;) {
		line = read_line(&q->qmp, json);
		if (strstr(line, "\"return\"") || strstr(line, "\"error\""))
			return line;
		free(line);
	}
}

long qtest_resident(struct qtest *q)
{
	long total, pages = -1;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)q->pid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &pages), 2);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

char *qtest_log(struct qtest *q)
{
	FILE *f = fopen(q->log, "r");
	char *text = NULL;
	size_t size = 0;

	ck_assert_ptr_nonnull(f);
	if (getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(f);
	return text;
}
