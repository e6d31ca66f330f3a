// SPDX-License-Identifier: GPL-2.0-only
/* The program that is measured: it starts when everything counts. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/monctl/base/monctl.h"

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

static volatile sig_atomic_t interrupts, last_interrupt, sent_by_program;

static void on_interrupt(int number, siginfo_t *info, void *context)
{
	(void)context;
	interrupts++;
	last_interrupt = number;
	/* the terminal sends to the workload as well, a program to monctl alone */
	sent_by_program = info->si_code <= 0;
}

static const int interrupting[] = { SIGINT, SIGTERM, SIGHUP };

/* nohup(1) has the hang-up ignored, also by the command. */
static bool is_nohup(int number)
{
	struct sigaction action;

	return number == SIGHUP && !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

static void on_child(int number)
{
	(void)number;	/* wakes whoever sleeps */
}

__attribute__((noreturn)) static void run_child(int start, char **command)
{
	ssize_t n;
	char byte;
	int error;

	do {
		n = read(start, &byte, 1);
	} while (n < 0 && errno == EINTR);
	/* monctl ended before it could start */
	if (n != 1)
		_exit(EXIT_FAILURE);
	for (size_t i = 0; i < COUNT_OF(interrupting); i++)
		if (!is_nohup(interrupting[i]))
			signal(interrupting[i], SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	execvp(command[0], command);
	error = errno;
	fprintf(stderr, "monctl: %s: %s\n", command[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/* What execvp() will find; ends the program as a shell does if it will find nothing. */
static void find_program(const char *name)
{
	const char *path = strchr(name, '/') ? "" : getenv("PATH");
	int status = 127;

	for (path = path ? path : "/bin:/usr/bin"; path;) {
		size_t n = strcspn(path, ":");
		char *full = format_text("%.*s%s%s", (int)n, path, n ? "/" : "", name);
		bool is_there = !access(full, F_OK), may_run = !access(full, X_OK);

		free(full);
		if (may_run)
			return;
		if (is_there)
			status = 126;
		path = path[n] ? path + n + 1 : NULL;
	}
	warn("%s: %s", name, status == 127 ? "no such program: give its path, as in ./program" :
	     "it cannot be executed: chmod +x, or give its interpreter");
	exit(status);
}

static void catch_interrupts(void)
{
	struct sigaction action = { .sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO };

	for (size_t i = 0; i < COUNT_OF(interrupting); i++)
		if (!is_nohup(interrupting[i]))
			sigaction(interrupting[i], &action, NULL);
}

char *process_name(int pid)
{
	char *path = format_text("/proc/%d/comm", pid), name[32] = "?";
	FILE *file = fopen(path, "re");

	free(path);
	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	return format_text("%s", name);
}

void workload_attach(struct workload *w, int pid)
{
	*w = (struct workload){ .pid = pid, .go = -1, .process = syscall(SYS_pidfd_open, pid, 0) };
	if (w->process < 0)
		die("--attach %d: %s: give the number of a process that runs, as ps shows it", pid, strerror(errno));
	catch_interrupts();
}

void workload_prepare(struct workload *w, char **command)
{
	struct sigaction child = { .sa_handler = on_child };
	int start[2];

	find_program(command[0]);
	catch_interrupts();
	sigaction(SIGCHLD, &child, NULL);
	*w = (struct workload){ .go = -1, .process = -1, .interrupts = interrupts };
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
	if (write(w->go, "", 1) != 1)
		die("cannot start the command: %s", strerror(errno));
	close(w->go);
	w->go = -1;
}

/*
 * An interrupt of monctl is one of the workload, which may want to clean up; the second one ends a workload
 * that does not.
 */
static void pass_interrupts(struct workload *w)
{
	if (interrupts == w->interrupts)
		return;
	if (interrupts > 1)
		kill(w->pid, SIGKILL);
	else if (sent_by_program)
		kill(w->pid, last_interrupt);
	w->interrupts = interrupts;
}

static bool poll_process(struct workload *w)
{
	struct pollfd ended = { .fd = w->process, .events = POLLIN };

	if (w->ended)
		return true;
	w->ended = poll(&ended, 1, 0) > 0 || interrupts;
	if (w->ended)
		close(w->process);
	return w->ended;
}

bool workload_poll(struct workload *w)
{
	if (w->process >= 0)
		return poll_process(w);
	if (!w->ended && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->ended = true;
	if (!w->ended)
		pass_interrupts(w);
	return w->ended;
}

/* The signals are blocked but while this sleeps, so none can come between the look and the sleep. */
void workload_wait(struct workload *w, uint64_t ns)
{
	struct timespec time = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
	sigset_t block, before;

	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	for (size_t i = 0; i < COUNT_OF(interrupting); i++)
		sigaddset(&block, interrupting[i]);
	sigprocmask(SIG_BLOCK, &block, &before);
	if (!workload_poll(w) && w->process >= 0)
		ppoll(&(struct pollfd){ .fd = w->process, .events = POLLIN }, 1, &time, &before);
	else if (!w->ended)
		pselect(0, NULL, NULL, NULL, &time, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	workload_poll(w);
}

int workload_status(const struct workload *w)
{
	return WIFSIGNALED(w->status) ? 128 + WTERMSIG(w->status) : WEXITSTATUS(w->status);
}
