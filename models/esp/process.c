/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An accelerator's process, in a sandbox.
 *
 * The program comes from a user, so it gets no network, no other process, no files except its own
 * and those of /usr, all read-only, and limits on memory and files.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "esp/remote.h"

#define MEMORY		((rlim_t)4 << 30)
#define FILES		64
#define INSIDE		"/accelerator"

/* In the child: uses nothing that another thread could have locked. */
static void become(int link, char *const argv[])
{
	const struct rlimit memory = { MEMORY, MEMORY }, files = { FILES, FILES }, none = { 0, 0 };
	sigset_t all;

	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_NOFILE, &files);
	setrlimit(RLIMIT_CORE, &none);
	setpgid(0, 0);
	if (link == MON_ESP_LINK_FD)
		fcntl(link, F_SETFD, 0);
	else
		dup2(link, MON_ESP_LINK_FD);
	close_range(MON_ESP_LINK_FD + 1, ~0U, 0);
	execvp(argv[0], argv);
	_exit(127);
}

bool esp_process_start(struct esp_process *process, const char *file, bool confined, char *why,
		       size_t size)
{
	char *path = realpath(file, NULL);
	char *const sandbox[] = {
		"bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
		"--clearenv", "--uid", "65534", "--gid", "65534", "--hostname", "accelerator",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink",
		"usr/lib64", "/lib64", "--proc", "/proc", "--ro-bind", path, INSIDE, "--remount-ro",
		"/", INSIDE, NULL,
	};
	char *const plain[] = { path, NULL };
	int link[2];

	process->fd = -1;
	process->pid = 0;
	if (!path || access(path, X_OK)) {
		snprintf(why, size, "%s: %s: make it with mon-esp-acc", file, strerror(errno));
		free(path);
		return false;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link)) {
		snprintf(why, size, "%s: no socket: %s", file, strerror(errno));
		free(path);
		return false;
	}
	process->pid = fork();
	if (!process->pid)
		become(link[1], confined ? sandbox : plain);
	close(link[1]);
	free(path);
	if (process->pid < 0) {
		snprintf(why, size, "%s: no process: %s", file, strerror(errno));
		close(link[0]);
		process->pid = 0;
		return false;
	}
	process->fd = link[0];
	return true;
}

void esp_process_end(struct esp_process *process, char *how, size_t size)
{
	int status = 0, tries;
	pid_t ended = 0;

	if (process->fd >= 0)
		close(process->fd);
	process->fd = -1;
	if (!process->pid)
		return;
	/* a program that ended by itself can be reaped in a moment */
	for (tries = 0; how && !ended && tries < 50; tries++) {
		ended = waitpid(process->pid, &status, WNOHANG);
		if (!ended)
			usleep(2000);
	}
	if (!ended) {
		kill(-process->pid, SIGKILL);
		kill(process->pid, SIGKILL);
		waitpid(process->pid, &status, 0);
	}
	process->pid = 0;
	if (!how)
		return;
	if (!ended)
		snprintf(how, size, "closed its socket");
	else if (WIFSIGNALED(status))
		snprintf(how, size, "was ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) > 128)	/* bwrap's notation */
		snprintf(how, size, "was ended by signal %d", WEXITSTATUS(status) - 128);
	else
		snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
}
