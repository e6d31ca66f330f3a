// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guest's init, its first process.
 *
 * It mounts the host's root file system, loads modules, runs one command, relays the command's
 * input and output to mon-vm and powers off.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm/init.h"
#include "vm/proto.h"

#define MAX_LIST 4096
#define NOFILE_HARD 1048576	/* the kernel's own default of fs.nr_open */

struct list {
	char *item[MAX_LIST + 1];	/* ends with NULL, as execve() wants it */
	int n;
};

static struct list boot_modules, modules, args, envs, layers;
static const char *cwd = "/";
static char *output;
static bool want_pty, want_network;

static pid_t child;

static void init_add(struct list *list, char *item)
{
	if (list->n == MAX_LIST)
		die("more than %d arguments, variables or modules", MAX_LIST);
	list->item[list->n++] = item;
}

static void read_config(void)
{
	int fd = open(VM_CONFIG, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *text, *p;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", VM_CONFIG, strerror(errno));
	text = malloc(st.st_size + 1);
	if (!text || read(fd, text, st.st_size) != st.st_size)
		die("%s: cannot read it", VM_CONFIG);
	text[st.st_size] = 0;
	close(fd);
	for (p = text; p < text + st.st_size; p += strlen(p) + 1) {
		char *value = strchr(p, '=');

		if (!value)
			die("%s: no '=' in '%s'", VM_CONFIG, p);
		value++;
		if (!strncmp(p, "boot=", 5))
			init_add(&boot_modules, value);
		else if (!strncmp(p, "module=", 7))
			init_add(&modules, value);
		else if (!strncmp(p, "env=", 4))
			init_add(&envs, value);
		else if (!strncmp(p, "cwd=", 4))
			cwd = value;
		else if (!strncmp(p, "layer=", 6))
			init_add(&layers, value);
		else if (!strncmp(p, "arg=", 4))
			init_add(&args, value);
		else if (!strncmp(p, "pty=", 4))
			want_pty = true;
		else if (!strncmp(p, "output=", 7))
			output = value;
		else if (!strncmp(p, "network=", 8))
			want_network = true;
		else
			die("%s: unknown key in '%s'", VM_CONFIG, p);
	}
}

static void load_module(const char *path, const char *params)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("module %s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, params, 0) && errno != EEXIST)
		die("module %s does not load: %s (see the kernel log)", path, strerror(errno));
	close(fd);
}

/* Configures the network card, if there is one. It needs no default route: all hosts are on its subnet. */
static void set_up_network(int s)
{
	struct ifreq card = { .ifr_name = "eth0" };
	struct sockaddr_in *address = (struct sockaddr_in *)&card.ifr_addr;

	address->sin_family = AF_INET;
	inet_pton(AF_INET, VM_ADDRESS, &address->sin_addr);
	if (ioctl(s, SIOCSIFADDR, &card))
		die("no network: %s", strerror(errno));
	card.ifr_flags = IFF_UP;
	if (ioctl(s, SIOCSIFFLAGS, &card))
		die("no network: %s", strerror(errno));
}

static void set_up_system(void)
{
	struct rlimit files = { 1024, NOFILE_HARD };
	struct ifreq lo = { .ifr_name = "lo" };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	lo.ifr_flags = IFF_UP;
	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &lo))
		die("cannot bring the loopback interface up: %s", strerror(errno));
	if (want_network)
		set_up_network(s);
	close(s);
	if (sethostname("mon-vm", 6) || setrlimit(RLIMIT_NOFILE, &files))
		die("cannot set host name and limits: %s", strerror(errno));
}

/*
 * Keeps one perf event of each kind open as long as the guest lives.
 *
 * The kernel patches its code when the first event of a kind is opened and when the last one is
 * closed, while other processors run it. QEMU before 8.1 can miss such a patch in code that it
 * translates for another processor at that moment; that processor then meets the patch's breakpoint
 * for ever.
 */
static void keep_kernel_text(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .disabled = 1,
	};

	if (sysconf(_SC_NPROCESSORS_CONF) < 2)
		return;
	/* this kernel does not have events of this kind */
	for (attr.config = 0; attr.config < PERF_COUNT_SW_MAX; attr.config++)
		syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* init's ends of COMMAND's standard streams; on a terminal in and out are the same descriptor. */
struct streams {
	int in, out, err;
};

static void report_command(int error)
{
	const char *command = args.item[0];

	if (error != ENOENT)
		dprintf(2, "mon-vm: %s: %s\n", command, strerror(error));
	else if (!strchr(command, '/'))
		dprintf(2, "mon-vm: %s: not in PATH (%s): install it, or build it if it is libmon's (./bootstrap)\n",
			command, getenv("PATH") ? getenv("PATH") : "not set");
	else if (!access(command, F_OK))
		dprintf(2, "mon-vm: %s: its interpreter or dynamic linker does not exist in the guest\n", command);
	else
		dprintf(2, "mon-vm: %s: %s (working directory: %s): build it if it is libmon's (./bootstrap)\n",
			command, strerror(error), cwd);
}

__attribute__((noreturn)) static void run_command(int in, int out, int err)
{
	sigset_t none;
	int error;

	setsid();
	if (want_pty)
		ioctl(in, TIOCSCTTY, 0);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(args.item[0], args.item);
	error = errno;
	report_command(error);
	_exit(error == ENOENT ? 127 : 126);
}

static void init_start(struct streams *s)
{
	int in[2], out[2], err[2];

	if (chdir(cwd))
		die("cannot enter %s: %s", cwd, strerror(errno));
	if (want_pty) {
		int unlock = 0, n, tty;
		char name[32];

		in[1] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
		if (in[1] < 0 || ioctl(in[1], TIOCSPTLCK, &unlock) || ioctl(in[1], TIOCGPTN, &n))
			die("no terminal for the command: %s", strerror(errno));
		snprintf(name, sizeof(name), "/dev/pts/%d", n);
		tty = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
		if (tty < 0)
			die("%s: %s", name, strerror(errno));
		in[0] = out[1] = err[1] = tty;
		*s = (struct streams){ in[1], in[1], -1 };
	} else {
		if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
			die("no pipe for the command: %s", strerror(errno));
		*s = (struct streams){ in[1], out[0], err[0] };
	}
	clearenv();
	for (int i = 0; i < envs.n; i++)
		putenv(envs.item[i]);
	child = fork();
	if (child < 0)
		die("cannot fork: %s", strerror(errno));
	if (!child)
		run_command(in[0], out[1], err[1]);
	close(in[0]);
	if (!want_pty) {
		close(out[1]);
		close(err[1]);
	}
	fcntl(s->in, F_SETFL, O_NONBLOCK);
}

/* Data from the host. A frame may arrive in pieces, which are assembled here. */
struct input {
	char buf[sizeof(struct vm_frame) + VM_FRAME_MAX];
	size_t have;	/* bytes in buf */
	size_t done;	/* payload bytes of the frame that COMMAND has got */
};

static void close_stdin(struct streams *s, struct input *in)
{
	static const char eot = 4;	/* a terminal's end-of-file character */

	if (want_pty) {
		if (write(s->in, &eot, 1) < 0)
			in->done = 0;
	} else if (s->in >= 0) {
		close(s->in);
		s->in = -1;
	}
}

/* COMMAND gets EPIPE at its next write, as with a pipe whose reader has gone. */
static void close_output(struct streams *s, uint32_t which)
{
	int *fd = which == VM_STDOUT ? &s->out : &s->err;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Handles one whole frame; false if COMMAND's input is full and the frame has to wait. */
static bool take_frame(struct streams *s, struct input *in)
{
	struct vm_frame head;
	const char *data = in->buf + sizeof(head);
	size_t total;

	if (in->have < sizeof(head))
		return false;
	memcpy(&head, in->buf, sizeof(head));
	total = sizeof(head) + head.len;
	if (in->have < total)
		return false;
	if (head.type == VM_RESIZE && want_pty)
		ioctl(s->in, TIOCSWINSZ, data);
	if (head.type == VM_CLOSE && !want_pty) {
		uint32_t which;

		memcpy(&which, data, sizeof(which));
		close_output(s, which);
	}
	if (head.type == VM_STDIN && !head.len)
		close_stdin(s, in);
	while (head.type == VM_STDIN && s->in >= 0 && in->done < head.len) {
		ssize_t n = write(s->in, data + in->done, head.len - in->done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n < 0)	/* COMMAND has closed its input: drop the rest */
			break;
		in->done += n;
	}
	in->done = 0;
	in->have -= total;
	memmove(in->buf, in->buf + total, in->have);
	return true;
}

static void relay_kmsg(void)
{
	char record[8192];
	ssize_t n;

	while (kmsg >= 0) {
		n = read(kmsg, record, sizeof(record));
		if (n > 0)
			send_frame(VM_LOG, record, n);
		else if (n < 0 && errno == EPIPE)	/* the ring buffer has overwritten records; go on */
			continue;
		else
			return;
	}
}

/* Sends what can be read from a stream; false at its end. */
static bool relay_out(int fd, enum vm_frame_type type)
{
	static char buf[VM_FRAME_MAX];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n > 0)
		send_frame(type, buf, n);
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Reaps every orphan; true once COMMAND itself has ended. */
static bool init_reap(struct vm_exit *result)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != child)
			continue;
		ended = true;
		result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		result->status = result->signal ? 128 + result->signal : WEXITSTATUS(status);
	}
	return ended;
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Sends VM_ALIVE when it is due; returns the milliseconds until the next one. */
static int send_alive(void)
{
	static long long next;
	long long now = now_ms();

	if (now >= next) {
		send_frame(VM_ALIVE, "", 0);
		next = now + VM_ALIVE_MS;
	}
	return next - now;
}

static void init_relay(struct streams *s, int sigfd)
{
	static struct input in;
	struct vm_exit result = { 0 };
	bool ended = false;

	while (!ended || s->out >= 0 || s->err >= 0) {
		struct pollfd p[6] = {
			{ .fd = sigfd, .events = POLLIN },
			{ .fd = kmsg, .events = POLLIN },
			{ .fd = s->out, .events = POLLIN },
			{ .fd = s->err, .events = POLLIN },
			{ .fd = in.have == sizeof(in.buf) ? -1 : port, .events = POLLIN },
			{ .fd = in.have ? s->in : -1, .events = POLLOUT },
		};
		struct signalfd_siginfo info;

		if (poll(p, 6, send_alive()) <= 0)
			continue;
		if (p[0].revents && read(sigfd, &info, sizeof(info)) > 0 && init_reap(&result)) {
			ended = true;
			kill(-1, SIGKILL);	/* kill processes that keep the streams open */
		}
		if (p[1].revents)
			relay_kmsg();
		if (p[2].revents && !relay_out(s->out, VM_STDOUT))
			s->out = -1;
		if (p[3].revents && !relay_out(s->err, VM_STDERR))
			s->err = -1;
		if (p[4].revents & POLLIN) {
			ssize_t n = read(port, in.buf + in.have, sizeof(in.buf) - in.have);

			if (n > 0)
				in.have += n;
		}
		if (p[5].revents & POLLERR && !want_pty)
			close_stdin(s, &in);
		while (take_frame(s, &in))
			;
	}
	relay_kmsg();
	send_frame(VM_EXIT, &result, sizeof(result));
}

int main(void)
{
	struct streams streams;
	sigset_t chld;
	int i, sigfd;

	read_config();
	mount_at("devtmpfs", "/dev", MS_NOSUID, NULL);
	mount_at("sysfs", "/sys", 0, NULL);
	mount_at("proc", "/proc", 0, NULL);
	umask(022);
	for (i = 0; i < boot_modules.n; i++)
		load_module(boot_modules.item[i], "");
	open_port();
	relay_kmsg();
	for (i = 0; i < modules.n; i++) {
		char *params = strchr(modules.item[i], ' ');

		if (params)
			*params++ = 0;
		load_module(modules.item[i], params ? params : "");
	}
	mount_root(layers.item, layers.n, output);
	set_up_system();
	keep_kernel_text();
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	sigfd = signalfd(-1, &chld, SFD_CLOEXEC);
	init_start(&streams);
	init_relay(&streams, sigfd);
	power_off();
	return 0;
}
