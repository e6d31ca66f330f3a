/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An accelerator's process, in a sandbox.
 *
 * The program comes from a user, so it gets no network, no other process, no files except its own
 * and those of /usr, all read-only, and limits on memory and files. It can make threads, which share its
 * limit of memory, but no processes, each of which would have a limit of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "esp/remote.h"

#define MEMORY		((rlim_t)4 << 30)
#define FILES		64
#define INSIDE		"/accelerator"

#define FILTER_FD	(MON_ESP_LINK_FD + 1)
#define FILTER_FD_TEXT	"4"	/* for bwrap's command line */
_Static_assert(FILTER_FD == 4, "FILTER_FD_TEXT");

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define OWN_ARCH AUDIT_ARCH_RISCV64
#else
#error "name the audit architecture of this processor (linux/audit.h)"
#endif

/*
 * The system calls of a program in the sandbox. clone() without CLONE_THREAD makes a process. clone3() has its flags in
 * memory, where a filter does not look; glibc takes clone() where clone3() is unknown. Calls of another architecture
 * have other numbers (x32's are above 0x40000000).
 */
#define ON(number, result) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, result)
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))
#define WORD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))

static const struct sock_filter no_processes[] = {
	WORD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	WORD(nr),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	ON(SYS_clone3, REFUSE(ENOSYS)),
#ifdef SYS_fork
	ON(SYS_fork, REFUSE(EAGAIN)),
	ON(SYS_vfork, REFUSE(EAGAIN)),
#endif
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	WORD(args[0]),	/* the flags; little-endian */
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, REFUSE(EAGAIN)),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* bwrap reads the filter from a file. */
static bool make_filter(void)
{
	int fd = memfd_create("filter", 0);

	return fd >= 0 && write(fd, no_processes, sizeof(no_processes)) == sizeof(no_processes) &&
	       !lseek(fd, 0, SEEK_SET) && (fd == FILTER_FD || dup2(fd, FILTER_FD) >= 0);
}

/* In the child: uses nothing that another thread could have locked. */
static void become(int link, char *const argv[], bool confined)
{
	const struct rlimit memory = { MEMORY, MEMORY }, files = { FILES, FILES }, none = { 0, 0 };
	sigset_t all;

	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CORE, &none);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (link == MON_ESP_LINK_FD)
		fcntl(link, F_SETFD, 0);
	else
		dup2(link, MON_ESP_LINK_FD);
	if (confined && !make_filter())
		_exit(127);
	close_range(MON_ESP_LINK_FD + 1 + confined, ~0U, 0);
	/* not before: a new descriptor is above those of the emulator, which may have more */
	setrlimit(RLIMIT_NOFILE, &files);
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
		"/", "--seccomp", FILTER_FD_TEXT, INSIDE, NULL,
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
		become(link[1], confined ? sandbox : plain, confined);
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
