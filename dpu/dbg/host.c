// SPDX-License-Identifier: GPL-2.0-only
/*
 * Target: one DPU of a host program that runs in the simulator.
 *
 * The host program is a child. When it launches the DPU, libmon-dpu writes the DPU's state into a shared file and
 * sends a byte. dpu-dbg executes the DPU, writes the state back and sends a byte (libmon/upmem/debug.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dpu/dbg/dbg.h"
#include "dpu/run/run.h"
#include "dpu/include/core.h"

static struct {
	pid_t pid;		/* 0: it has ended */
	int socket, file;
	bool has_dpu;		/* this process has the DPU */
	unsigned int launches;
} host;

static void wait_for_host(struct dbg *d)
{
	int status = 0;

	while (waitpid(host.pid, &status, 0) < 0 && errno == EINTR)
		;
	host.pid = 0;
	if (WIFSIGNALED(status))
		printf("[The host program was killed by signal %d]\n", WTERMSIG(status));
	else
		printf("[The host program has ended with status %d]\n", WEXITSTATUS(status));
	d->passed = NO_THREAD;
}

static bool give_back(struct dbg *d)
{
	if (!host.has_dpu)
		return true;
	if (dpu_state(d->dpu) == DPU_RUNNING)
		return wrong(d, "the host program has started the DPU already: use continue");
	host.has_dpu = false;
	if (!dpu_core_write(host.file, d->dpu, d->program))
		die("the DPU's state", strerror(errno));
	return write(host.socket, "", 1) == 1;
}

/* The host has loaded another program, or another copy of this one. */
static void take_other(struct dbg *d, struct dpu_program *program)
{
	bool same = d->program && d->program->image_size == program->image_size &&
		    !memcmp(d->program->image, program->image, program->image_size);

	if (same) {
		dpu_program_close(program);
		return;
	}
	take_program(d, program);
	renew_stops(d);
}

static bool take_dpu(struct dbg *d)
{
	struct dpu_program *program;
	const char *why;
	char byte;

	if (read(host.socket, &byte, 1) != 1) {
		fflush(stdout);
		wait_for_host(d);
		return false;
	}
	dpu_destroy(d->dpu);
	d->dpu = dpu_core_read(host.file, &program, &why);
	if (!d->dpu)
		die("the DPU's state", why);
	host.has_dpu = true;
	dpu_set_reference(d->dpu, true);
	take_other(d, program);
	printf("[Launch %u of the DPU]\n", ++host.launches);
	return true;
}

static bool host_start(struct dbg *d)
{
	if (!host.pid)
		return wrong(d, "the host program has ended: start dpu-dbg again");
	fflush(stdout);
	return give_back(d) && take_dpu(d);
}

static void host_ended(struct dbg *d)
{
	(void)d;
	puts("[continue: the host program goes on, until it launches this DPU again]");
}

/* As with gdb, the debugged program ends with the debugger. */
static void host_close(struct dbg *d)
{
	(void)d;
	if (!host.pid)
		return;
	kill(-host.pid, SIGKILL);
	waitpid(host.pid, NULL, 0);
}

/* In the child. The terminal's input belongs to dpu-dbg. */
static void become_host(const char *dpu, char **command, int socket)
{
	char text[64];
	int null = open("/dev/null", O_RDONLY);

	snprintf(text, sizeof(text), "%d,%d,%s", socket, host.file, dpu);
	setenv(DPU_DEBUG_VARIABLE, text, 1);
	setenv("LIBMON_DPU_BACKEND", "simulator", 1);
	unsetenv("LIBMON_DPU_CHECK");
	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	execvp(command[0], command);
	die(command[0], strerror(errno));
}

bool target_host(struct dbg *d, const char *dpu, char **command)
{
	static const struct target target = {
		.launches = true, .start = host_start, .ended = host_ended, .close = host_close,
	};
	int pair[2];

	host.file = memfd_create("dpu", 0);
	if (host.file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die(command[0], strerror(errno));
	host.socket = pair[0];
	fcntl(host.socket, F_SETFD, FD_CLOEXEC);
	fflush(stdout);
	host.pid = fork();
	if (host.pid < 0)
		die(command[0], strerror(errno));
	if (!host.pid)
		become_host(dpu, command, pair[1]);
	close(pair[1]);
	signal(SIGPIPE, SIG_IGN);
	d->target = &target;
	d->path = command[0];
	if (start(d))
		put_place(d, d->thread, true);
	return true;
}
