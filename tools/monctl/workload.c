// SPDX-License-Identifier: GPL-2.0-only
/* The program that is measured: it starts when everything counts. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/monctl/monctl.h"

error_t parse_command(int key, struct argp_state *state, char ***command)
{
	switch (key) {
	case ARGP_KEY_ARGS:
		*command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no command: give -- COMMAND [ARG...]");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static volatile sig_atomic_t got_interrupt;

static void on_interrupt(int number)
{
	(void)number;
	got_interrupt = 1;
}

static void on_child(int number)
{
	(void)number;	/* wakes whoever sleeps */
}

__attribute__((noreturn)) static void run_child(int start, char **command)
{
	char byte;
	int error;

	/* end of file: the parent has closed its end, or is gone */
	while (read(start, &byte, 1) < 0 && errno == EINTR)
		;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	execvp(command[0], command);
	error = errno;
	fprintf(stderr, "monctl: %s: %s\n", command[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

void workload_prepare(struct workload *w, char **command)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	int start[2];

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_child;
	sigaction(SIGCHLD, &action, NULL);
	*w = (struct workload){ .go = -1 };
	if (pipe2(start, O_CLOEXEC))
		die("no pipe for %s: %s", command[0], strerror(errno));
	w->pid = fork();
	if (w->pid < 0)
		die("cannot start %s: %s", command[0], strerror(errno));
	if (!w->pid) {
		close(start[1]);
		run_child(start[0], command);
	}
	close(start[0]);
	w->go = start[1];
}

void workload_start(struct workload *w)
{
	close(w->go);
	w->go = -1;
}

bool workload_poll(struct workload *w)
{
	if (!w->ended && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->ended = true;
	return w->ended;
}

/* SIGCHLD is blocked but while this sleeps, so it cannot come between the look and the sleep. */
void workload_wait(struct workload *w, uint64_t ns)
{
	struct timespec time = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
	sigset_t block, before;

	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &before);
	if (!workload_poll(w) && !got_interrupt)
		pselect(0, NULL, NULL, NULL, &time, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	workload_poll(w);
}

int workload_status(const struct workload *w)
{
	return WIFSIGNALED(w->status) ? 128 + WTERMSIG(w->status) : WEXITSTATUS(w->status);
}

bool interrupted(void)
{
	return got_interrupt;
}
