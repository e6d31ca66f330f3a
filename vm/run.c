// SPDX-License-Identifier: GPL-2.0-only
/* Runs QEMU, relays COMMAND's input and output, and reports how the guest ended. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "vm/proto.h"
#include "vm/vm.h"

/* Time limit for QEMU to end after COMMAND's exit status has arrived. */
#define POWER_OFF_MS 5000

struct run {
	const struct options *o;
	pid_t qemu;
	int port, console, sigfd;	/* the port and the console are sockets to QEMU */
	FILE *log;	/* the kernel's messages */
	char *log_path;
	bool log_temporary;
	char frame[sizeof(struct vm_frame) + VM_FRAME_MAX];
	size_t have;	/* bytes in frame */
	char input[sizeof(struct vm_frame) + VM_FRAME_MAX];	/* payload on its way to the guest */
	size_t input_len, input_done;
	bool stdin_eof;
	bool closed[3], told[3];/* masks of streams that take no more: all, and those reported to the guest */
	int lost[3];	/* errno of what could not be written to a stream */
	long long deadline;	/* deadline in ms, 0 for none */
	struct alive alive;
	char tail[16384];	/* the console's last output, which holds an oops or a panic */
	size_t tail_len;
	bool got_exit;
	struct vm_exit result;	/* of COMMAND */
	bool timed_out, idle;
	int signal;	/* the signal that ended mon-vm, or 0 */
	bool raw, resized;	/* settings of the terminal */
	struct termios saved;
};

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void open_log(struct run *r)
{
	const char *tmp = getenv("TMPDIR");

	if (r->o->kernel_log) {
		r->log_path = format("%s", r->o->kernel_log);
		r->log = fopen(r->log_path, "we");
	} else {
		int fd;

		r->log_path = format("%s/mon-vm-XXXXXX", tmp && *tmp ? tmp : "/tmp");
		r->log_temporary = true;
		fd = mkstemp(r->log_path);
		r->log = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (!r->log)
		fail("%s: %s", r->log_path, strerror(errno));
	fcntl(fileno(r->log), F_SETFD, FD_CLOEXEC);
	setvbuf(r->log, NULL, _IOLBF, 0);
}

static void start_qemu(struct run *r)
{
	int initramfs = initramfs_make(r->o), port[2], console[2], hexagon;
	struct strv args;
	sigset_t none;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, port) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, console))
		fail("no sockets for QEMU: %s", strerror(errno));
	check_version(r->o);
	hexagon = hexagon_start(r->o);
	args = qemu_args(r->o, port[1], console[1], initramfs, hexagon);
	show_command(r->o, &args);
	r->qemu = fork();
	if (r->qemu < 0)
		fail("cannot fork: %s", strerror(errno));
	if (!r->qemu) {
		int null = open("/dev/null", O_RDWR);

		/* a process group of its own, because Ctrl-C on the terminal is for mon-vm */
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		dup2(null, 0);
		dup2(2, 1);
		fcntl(port[1], F_SETFD, 0);
		fcntl(console[1], F_SETFD, 0);
		if (hexagon >= 0)
			fcntl(hexagon, F_SETFD, 0);
		execvp(args.item[0], args.item);
		fail("%s: %s: install %s", args.item[0], strerror(errno),
		     r->o->arch->qemu_package);
	}
	close(initramfs);
	close(port[1]);
	close(console[1]);
	if (hexagon >= 0)
		close(hexagon);
	r->port = port[0];
	r->console = console[0];
	fcntl(r->port, F_SETFL, O_NONBLOCK);
}

/* True if the signal ends the run. */
static bool take_signal(struct run *r)
{
	struct signalfd_siginfo info;

	if (read(r->sigfd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGWINCH)
		r->resized = true;
	else
		r->signal = info.ssi_signo;
	return r->signal;
}

/* The timeout for poll(): milliseconds until the deadline or until the guest's next VM_ALIVE is due. */
static int time_left(const struct run *r)
{
	long long left = r->deadline - now_ms();

	if (!r->deadline || left > VM_ALIVE_MS)
		return VM_ALIVE_MS;
	return left < 0 ? 0 : (int)left;
}

/*
 * Writes COMMAND's output. If the reader is slow or stopped, signals and the deadline end the wait.
 * A pipe that is ready takes PIPE_BUF bytes without blocking.
 */
static void write_out(struct run *r, int fd, const char *data, size_t len)
{
	while (len && !r->closed[fd]) {
		struct pollfd p[2] = {
			{ .fd = fd, .events = POLLOUT },
			{ .fd = r->sigfd, .events = POLLIN },
		};
		ssize_t n;

		n = poll(p, 2, time_left(r));
		if (n > 0 && p[1].revents && take_signal(r))
			return;
		if (r->deadline && now_ms() >= r->deadline)
			return;
		if (n <= 0 || !p[0].revents)
			continue;
		n = write(fd, data, len < PIPE_BUF ? len : PIPE_BUF);
		if (n > 0) {
			data += n;
			len -= n;
		} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
			r->closed[fd] = true;
			r->lost[fd] = errno == EPIPE ? 0 : errno;	/* a reader may go */
		}
	}
}

/* "6,339,5140900,-;text\n KEY=value\n" becomes "[    5.140900] text", as dmesg prints it. */
static void log_record(struct run *r, const char *record, size_t len)
{
	const char *text = memchr(record, ';', len);
	unsigned long long us = 0;
	const char *end;

	if (!text)
		return;
	sscanf(record, "%*u,%*u,%llu", &us);
	text++;
	end = memchr(text, '\n', record + len - text);
	if (!end)
		end = record + len;
	fprintf(r->log, "[%5llu.%06llu] %.*s\n", us / 1000000, us % 1000000, (int)(end - text), text);
}

static void take_frame(struct run *r, const struct vm_frame *head, const char *data)
{
	switch (head->type) {
	case VM_STDOUT:
		write_out(r, 1, data, head->len);
		break;
	case VM_STDERR:
		write_out(r, 2, data, head->len);
		break;
	case VM_LOG:
		log_record(r, data, head->len);
		break;
	case VM_EXIT:
		memcpy(&r->result, data, sizeof(r->result));
		r->got_exit = true;
		break;
	case VM_ERROR:
		fprintf(stderr, "mon-vm: guest: %.*s\n", (int)head->len, data);
		break;
	default:
		break;
	}
}

static bool read_port(struct run *r)
{
	struct vm_frame head;
	ssize_t n = read(r->port, r->frame + r->have, sizeof(r->frame) - r->have);

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	r->have += n;
	while (r->have >= sizeof(head)) {
		memcpy(&head, r->frame, sizeof(head));
		if (head.len > VM_FRAME_MAX)
			fail("the guest sent a frame of %u bytes", head.len);
		if (r->have < sizeof(head) + head.len)
			break;
		take_frame(r, &head, r->frame + sizeof(head));
		/* after the output: a slow reader of it delays the guest's messages, too */
		alive_heard(&r->alive, now_ms());
		r->have -= sizeof(head) + head.len;
		memmove(r->frame, r->frame + sizeof(head) + head.len, r->have);
	}
	return true;
}

static bool read_console(struct run *r)
{
	char buf[4096];
	ssize_t n = read(r->console, buf, sizeof(buf));
	size_t keep, drop;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	fwrite(buf, n, 1, r->log);
	keep = n;
	drop = r->tail_len + keep < sizeof(r->tail) ? 0 : r->tail_len + keep - sizeof(r->tail) + 1;
	if (drop > r->tail_len)
		drop = r->tail_len;
	memmove(r->tail, r->tail + drop, r->tail_len - drop);
	r->tail_len -= drop;
	if (keep > sizeof(r->tail) - 1 - r->tail_len)
		keep = sizeof(r->tail) - 1 - r->tail_len;
	memcpy(r->tail + r->tail_len, buf, keep);
	r->tail_len += keep;
	r->tail[r->tail_len] = 0;
	return true;
}

static void queue_frame(struct run *r, enum vm_frame_type type, const void *data, size_t len)
{
	struct vm_frame head = { type, len };

	memcpy(r->input, &head, sizeof(head));
	if (data)
		memcpy(r->input + sizeof(head), data, len);
	r->input_len = sizeof(head) + len;
	r->input_done = 0;
}

static void read_stdin(struct run *r)
{
	ssize_t n = read(0, r->input + sizeof(struct vm_frame), VM_FRAME_MAX);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		n = 0;
		r->stdin_eof = true;
	}
	queue_frame(r, VM_STDIN, NULL, n);
}

static void write_port(struct run *r)
{
	ssize_t n = send(r->port, r->input + r->input_done, r->input_len - r->input_done, MSG_NOSIGNAL);

	if (n > 0)
		r->input_done += n;
	if (r->input_done == r->input_len)
		r->input_done = r->input_len = 0;
}

static void terminal_raw(struct run *r)
{
	struct termios t;

	if (!r->o->interactive || tcgetattr(0, &r->saved))
		return;
	t = r->saved;
	cfmakeraw(&t);
	if (!tcsetattr(0, TCSADRAIN, &t))
		r->raw = true;
}

/* Sends what the guest has to know, once the last frame has gone. */
static void queue_notices(struct run *r)
{
	static const uint32_t stream[3] = { VM_STDIN, VM_STDOUT, VM_STDERR };
	struct winsize size;

	for (int fd = 1; fd < 3; fd++) {
		if (r->closed[fd] && !r->told[fd] && !r->input_len) {
			queue_frame(r, VM_CLOSE, &stream[fd], sizeof(stream[fd]));
			r->told[fd] = true;
		}
	}
	if (r->resized && !r->input_len) {
		r->resized = false;
		if (r->o->interactive && !ioctl(0, TIOCGWINSZ, &size))
			queue_frame(r, VM_RESIZE, &size, sizeof(size));
	}
}

/* The processor time of QEMU in ms. */
static long long worked_ms(const struct run *r)
{
	struct timespec t = { 0 };
	clockid_t clock;

	if (!clock_getcpuclockid(r->qemu, &clock))
		clock_gettime(clock, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* A thread of QEMU runs, or waits for a processor or a disk. */
static bool is_ready(const struct run *r)
{
	AUTO_FREE char *path = format("/proc/%d/task", r->qemu);
	char line[512];
	DIR *tasks = opendir(path);
	struct dirent *task;
	bool ready = false;

	while (tasks && !ready && (task = readdir(tasks))) {
		AUTO_FREE char *name = format("%s/%s/stat", path, task->d_name);
		char *state;
		FILE *f = fopen(name, "re");

		/* the state follows the name, which is in parentheses */
		if (f && fgets(line, sizeof(line), f) && (state = strrchr(line, ')')))
			ready = state[1] && strchr("RD", state[2]);
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	return ready;
}

static void relay_guest(struct run *r)
{
	bool port_open = true, console_open = true;

	r->deadline = r->o->timeout ? now_ms() + r->o->timeout * 1000LL : 0;
	r->alive.limit = r->o->silence * 1000LL;
	r->alive.born = r->o->kvm ? now_ms() : 0;
	r->resized = true;
	while (port_open || console_open) {
		struct pollfd p[4] = {
			{ .fd = r->sigfd, .events = POLLIN },
			{ .fd = port_open ? r->port : -1, .events = POLLIN },
			{ .fd = console_open ? r->console : -1, .events = POLLIN },
			{ .fd = -1, .events = POLLIN },
		};

		queue_notices(r);
		if (!r->alive.heard)
			alive_boots(&r->alive, now_ms());
		if (r->input_len)
			p[1].events |= POLLOUT;
		else if (port_open && !r->stdin_eof && !r->got_exit)
			p[3].fd = 0;
		if (poll(p, 4, time_left(r)) < 0 && errno != EINTR)
			fail("poll: %s", strerror(errno));
		if (r->deadline && now_ms() >= r->deadline) {
			r->timed_out = !r->got_exit;
			return;
		}
		if (alive_is_lost(&r->alive, now_ms()))
			return;
		r->idle = r->o->silence && !strv_has(&r->o->qemu_args, "-S") &&
			  alive_is_idle(&r->alive, now_ms(), worked_ms(r), is_ready(r));
		if (r->idle)
			return;
		if (p[0].revents)
			take_signal(r);
		if (p[1].revents & (POLLIN | POLLHUP | POLLERR)) {
			bool had_exit = r->got_exit;

			port_open = read_port(r);
			if (r->got_exit && !had_exit)
				r->deadline = now_ms() + POWER_OFF_MS;
		} else if (!r->got_exit) {
			alive_check(&r->alive, now_ms(), r->log_path);
		}
		if (p[1].revents & POLLOUT)
			write_port(r);
		if (p[2].revents)
			console_open = read_console(r);
		if (p[3].revents)
			read_stdin(r);
		if (r->signal)
			return;
	}
}

/* The rest of the line that starts with MARK near the console's end, or NULL. */
static char *console_text(struct run *r, const char *mark)
{
	const char *p = strstr(r->tail, mark);

	if (!p)
		return NULL;
	p += strlen(mark);
	return format("%.*s", (int)strcspn(p, "\r\n"), p);
}

/* Names the signal that ended COMMAND as a shell would, which is silent about these two. */
static void tell_signal(int number)
{
	if (number && number != SIGINT && number != SIGPIPE)
		fprintf(stderr, "mon-vm: the command was killed by signal %d (%s)\n", number, strsignal(number));
}

/* What was to be written and could not be: a full disk. */
static bool is_lost(struct run *r)
{
	static const char *const stream[] = { "", "standard output", "standard error" };
	bool lost = false;
	int error;

	for (int fd = 1; fd < 3; fd++) {
		if (r->lost[fd])
			fprintf(stderr, "mon-vm: %s: %s: the rest of the command's output is lost\n", stream[fd],
				strerror(r->lost[fd]));
		lost |= r->lost[fd];
	}
	error = ferror(r->log) ? EIO : 0;
	if (fclose(r->log))
		error = errno;
	if (error && !r->log_temporary)
		fprintf(stderr, "mon-vm: --kernel-log %s: it is not complete: %s\n", r->log_path, strerror(error));
	return lost || (error && !r->log_temporary);
}

/* Reports how the guest ended if COMMAND's own status did not arrive. */
static int exit_report(struct run *r, int qemu_status)
{
	const char *remedy = r->o->kvm ? "; leave --accel kvm out" : "";
	char *text, *bug;

	if (r->signal)
		return 128 + r->signal;
	if (r->got_exit) {
		tell_signal(r->result.signal);
		return r->result.status;
	}
	if (r->timed_out) {
		fprintf(stderr, "mon-vm: timeout: the guest was ended after %d s (--timeout); "
			"kernel log: %s\n", r->o->timeout, r->log_path);
		return VM_STATUS_TIMEOUT;
	}
	if (r->idle) {
		fprintf(stderr, "mon-vm: the guest has stopped: it has said nothing, and QEMU has done nothing for %d s: "
			"try more memory than --mem %s, or another --kernel%s; kernel log: %s\n", ALIVE_IDLE_MS / 1000,
			r->o->mem, remedy, r->log_path);
		return VM_STATUS_FAILED;
	}
	if (alive_is_lost(&r->alive, now_ms())) {
		fprintf(stderr, "mon-vm: --accel kvm: the guest did not start within 10 s: this machine offers "
			"/dev/kvm and does not boot the kernel in it%s; kernel log: %s\n", remedy, r->log_path);
		return VM_STATUS_FAILED;
	}
	text = console_text(r, "Kernel panic - not syncing: ");
	bug = console_text(r, "BUG: ");
	if (text)
		fprintf(stderr, "mon-vm: the guest's kernel panicked: %s%s%s; kernel log: %s\n", text,
			bug ? ": " : "", bug ? bug : "", r->log_path);
	else if ((text = console_text(r, "mon-vm-init: ")))
		fprintf(stderr, "mon-vm: guest: %s; kernel log: %s\n", text, r->log_path);
	else if (WIFSIGNALED(qemu_status))
		fprintf(stderr, "mon-vm: QEMU was killed by signal %d (%s)%s; kernel log: %s\n",
			WTERMSIG(qemu_status), strsignal(WTERMSIG(qemu_status)), remedy, r->log_path);
	else if (WEXITSTATUS(qemu_status))
		fprintf(stderr, "mon-vm: QEMU ended with status %d (the reason is above)%s\n",
			WEXITSTATUS(qemu_status), remedy);
	else
		fprintf(stderr, "mon-vm: the guest ended before its command did; kernel log: %s\n",
			r->log_path);
	return VM_STATUS_FAILED;
}

/*
 * Kills QEMU once COMMAND's status is known, without waiting for the guest to power off. If the
 * devices write files when QEMU ends, it lets QEMU end by itself.
 */
static void end_qemu(const struct run *r)
{
	const struct timespec nap = { 0, 10000000 };

	if (r->o->upmem_profile && !r->got_exit)
		kill(r->qemu, SIGTERM);
	for (int i = 0; r->o->upmem_profile && i < 2000; i++) {
		siginfo_t info = { 0 };

		if (waitid(P_PID, r->qemu, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			return;
		nanosleep(&nap, NULL);
	}
	kill(r->qemu, SIGKILL);
}

int run(const struct options *o)
{
	static struct run r;
	int qemu_status = 0, status;
	sigset_t set;

	r.o = o;
	open_log(&r);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	r.sigfd = signalfd(-1, &set, SFD_CLOEXEC);
	if (r.sigfd < 0)
		fail("signalfd: %s", strerror(errno));
	start_qemu(&r);
	terminal_raw(&r);
	relay_guest(&r);
	alive_booted(&r.alive);
	if (r.raw)
		tcsetattr(0, TCSADRAIN, &r.saved);
	if (r.signal || r.timed_out || r.idle || r.got_exit || alive_is_lost(&r.alive, now_ms()))
		end_qemu(&r);
	waitpid(r.qemu, &qemu_status, 0);
	status = exit_report(&r, qemu_status);
	if (is_lost(&r))
		status = VM_STATUS_FAILED;
	if (r.log_temporary && (r.got_exit || r.signal))
		unlink(r.log_path);
	return status;
}
