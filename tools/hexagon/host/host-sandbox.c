/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confines the emulator, because the program is foreign code and the emulator is not designed to
 * confine it: no network, no other process, no file but the folder of programs, qemu-hexagon and /usr, all
 * read-only; and limits on memory, processes and files.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hexagon/packet.h"
#include "hexagon/profile.h"
#include "tools/hexagon/host/host-elf.h"
#include "tools/hexagon/host/host-sandbox.h"

#define BWRAP "bwrap"
#define CHILDREN "/proc/thread-self/children"
#define QEMU_INSIDE "/qemu-hexagon"
#define PLUGIN_INSIDE "/hexagon-feed.so"
#define PROGRAMS_INSIDE "/programs"
#define MAX_ARGS 1100
#define MAX_PROCESSES 64
#define MAX_FILES 64

static bool say(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return false;
}

/* libmon's own qemu-hexagon, beside hexagon-feed.so, if the distribution's takes no plugins. */
static const char *find_qemu(const char *plugin)
{
	const char *slash = strrchr(plugin, '/');
	static char own[PATH_MAX + 32];

	snprintf(own, sizeof(own), "%.*s/qemu-hexagon", slash ? (int)(slash - plugin) : 1, slash ? plugin : ".");
	return access(own, X_OK) == 0 ? own : "/usr/bin/qemu-hexagon";
}

/* bwrap's arguments up to those of qemu-hexagon. Returns how many there are. */
static int confine(const struct sandbox *sandbox, const char **argv)
{
	const char *const words[] = {
		BWRAP, "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
		"--clearenv", "--uid", "65534", "--gid", "65534", "--hostname", "hexagon",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
		"--ro-bind", sandbox->qemu, QEMU_INSIDE, "--ro-bind", sandbox->plugin, PLUGIN_INSIDE,
		"--ro-bind", sandbox->path, PROGRAMS_INSIDE, "--remount-ro", "/", "--chdir", PROGRAMS_INSIDE, QEMU_INSIDE,
	};

	memcpy(argv, words, sizeof(words));
	return sizeof(words) / sizeof(words[0]);
}

/* Prints the emulator's version, confined as a program. QEMU has V68 to V73 from 8.1 on: of Debian's versions from 10 on. */
static bool namespaces_work(struct sandbox *sandbox)
{
	const char *argv[64];
	int n = confine(sandbox, argv);
	int from[2], status = -1;
	unsigned int major;
	FILE *version;
	pid_t pid;

	argv[n++] = "--version";
	argv[n] = NULL;
	if (pipe2(from, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (!pid) {
		dup2(from[1], STDOUT_FILENO);
		execvp(argv[0], (char **)argv);
		_exit(127);
	}
	close(from[1]);
	version = fdopen(from[0], "r");
	sandbox->has_v73 = version && fscanf(version, "%*s version %u", &major) == 1 && major >= 10;
	/* to its end: a write to a closed pipe would kill it */
	while (version && fgetc(version) != EOF)
		;
	if (version)
		fclose(version);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && version && status == 0;
}

bool sandbox_init(struct sandbox *sandbox, const char *dir, const char *plugin,
		  unsigned int memory_mib)
{
	memset(sandbox, 0, sizeof(*sandbox));
	sandbox->plugin = plugin;
	sandbox->memory_mib = memory_mib;
	sandbox->path = realpath(dir, NULL);
	sandbox->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (sandbox->dir < 0 || !sandbox->path) {
		fprintf(stderr, "hexagon-host: %s: %s\n", dir, strerror(errno));
		return false;
	}
	if (access(plugin, R_OK) < 0) {
		fprintf(stderr, "hexagon-host: %s: %s: run make, or pass --plugin FILE\n", plugin,
			strerror(errno));
		return false;
	}
	sandbox->qemu = find_qemu(plugin);
	if (access(sandbox->qemu, X_OK) < 0) {
		fprintf(stderr, "hexagon-host: %s: %s: install qemu-user\n", sandbox->qemu, strerror(errno));
		return false;
	}
	if (access(CHILDREN, R_OK) < 0) {
		fprintf(stderr,
			"hexagon-host: %s: %s: mount /proc, and use a kernel with "
			"CONFIG_PROC_CHILDREN\n",
			CHILDREN, strerror(errno));
		return false;
	}
	if (!namespaces_work(sandbox)) {
		fprintf(stderr,
			"hexagon-host: programs cannot be confined: install bubblewrap and permit user "
			"namespaces (sysctl kernel.unprivileged_userns_clone=1 "
			"user.max_user_namespaces=10000)\n");
		return false;
	}
	return true;
}

bool sandbox_adopt(void)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
		fprintf(stderr, "hexagon-host: no child subreaper: %s\n", strerror(errno));
		return false;
	}
	return true;
}

/*
 * Kills what remains after the first process of a program. When the first process of a namespace dies, all others in it die, too;
 * but if bwrap is killed while it builds the sandbox, the program's process can remain.
 */
static void clear(void)
{
	FILE *list = fopen(CHILDREN, "r");
	long pid;

	if (!list)
		return;
	while (fscanf(list, "%ld", &pid) == 1) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	fclose(list);
}

/* The kernel resolves the name and does not let it leave the folder. */
static int open_program(const struct sandbox *sandbox, const char *name, int flags)
{
	struct open_how how = {
		.flags = flags | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};

	return syscall(SYS_openat2, sandbox->dir, name, &how, sizeof(how));
}

/* qemu-hexagon ends without a message, and with 1 or 255, if it cannot load the program. */
static bool check_program(const struct sandbox *sandbox, const char *name, unsigned int *operations, char *why,
			  size_t size)
{
	bool regular, fit;
	struct stat st;
	int fd;

	if (!*name)
		return say(why, size, "no program: name a file in the folder of programs");
	fd = open_program(sandbox, name, O_PATH);
	if (fd < 0 && errno == EXDEV)
		return say(why, size,
			   "%s: outside the folder of programs: use a name relative to it", name);
	if (fd < 0)
		return say(why, size, "%s: %s in the folder of programs", name, strerror(errno));
	regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	close(fd);
	if (!regular)
		return say(why, size, "%s: not a file", name);
	if (!(st.st_mode & 0111))
		return say(why, size, "%s: not executable: chmod +x", name);
	fd = open_program(sandbox, name, O_RDONLY);
	if (fd < 0)
		return say(why, size, "%s: %s", name, strerror(errno));
	fit = elf_check(fd, name, sandbox->has_v73, why, size);
	*operations = fit ? elf_operations(fd) : 0;
	close(fd);
	return fit;
}

static int make_feed(size_t size)
{
	int fd = memfd_create("hexagon-feed", MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, size) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void limit(int resource, rlim_t value)
{
	const struct rlimit limits = { value, value };

	setrlimit(resource, &limits);
}

/* The plugin's arguments. */
static void describe(char *text, size_t size, const struct program *program, int marks,
		     const struct hexagon_setup *setup)
{
	const struct hexagon_memory_shape *m = &setup->memory;

	snprintf(text, size,
		 PLUGIN_INSIDE ",fd=%d,marks=%d,core=%u:%u:%u:%u:%u,clock=%u,quantum=%u,features=%u,operations=%u,l1i=%u:%u:%u,l1d=%u:%u:%u,"
		 "l2=%u:%u:%u,vtcm=%u:%u,timing=%u:%u:%u", program->feed, marks, setup->version, setup->threads,
		 setup->clusters, setup->cycles, setup->contexts, setup->clock_hz ?: HEXAGON_USUAL_HZ,
		 setup->quantum ?: HEXAGON_QUANTUM,
		 setup->features, program->operations, m->l1i.size,
		 m->l1i.ways, m->l1i.line, m->l1d.size, m->l1d.ways, m->l1d.line, m->l2.size, m->l2.ways,
		 m->l2.line, m->vtcm, m->vtcm_size, setup->timing.l2,
		 setup->timing.memory, setup->timing.redirect);
}

static void run_child(const struct sandbox *sandbox, const struct hexagon_setup *setup,
		      char *const *args, const struct program *program, int out, int err, int marks)
{
	const char *argv[64 + MAX_ARGS];
	char plugin[512], path[PATH_MAX];
	int n = confine(sandbox, argv);

	describe(plugin, sizeof(plugin), program, marks, setup);
	snprintf(path, sizeof(path), PROGRAMS_INSIDE "/%s", args[0]);
	/* the newest; on V67 programs for V68 and V69 run unless they use newer instructions */
	argv[n++] = "-cpu";
	argv[n++] = sandbox->has_v73 ? "v73" : "v67";
	argv[n++] = "-plugin";
	argv[n++] = plugin;
	argv[n++] = path;
	for (int i = 1; args[i] && i < MAX_ARGS - 8; i++)
		argv[n++] = args[i];
	argv[n] = NULL;

	/* until bwrap carries out its --die-with-parent */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	/* of the descriptors only the feed and the pipe of marks are inherited */
	for (int fd = 3; fd < 1024; fd++)
		if (fd != program->feed && fd != marks)
			close(fd);
	limit(RLIMIT_DATA, (rlim_t)sandbox->memory_mib << 20);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, MAX_FILES);
	limit(RLIMIT_NPROC, MAX_PROCESSES);
	execvp(argv[0], (char **)argv);
	_exit(127);
}

/* Of a clock that is never set. */
static int64_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

bool sandbox_start(const struct sandbox *sandbox, const struct hexagon_setup *setup,
		   char *const *argv, unsigned int timeout, struct program *program, char *why, size_t size)
{
	int out[2], err[2], marks[2];

	*program = (struct program){ .deadline = timeout ? seconds() + timeout : INT64_MAX };
	if (!check_program(sandbox, argv[0], &program->operations, why, size))
		return false;
	program->size = setup->features & HEXAGON_FEATURE_PROFILE ? HEXAGON_FEED_WITH_PROFILE :
			sizeof(struct hexagon_feed);
	program->feed = make_feed(program->size);
	if (program->feed < 0)
		return say(why, size, "no memory for the feed: %s", strerror(errno));
	program->counts = mmap(NULL, program->size, PROT_READ, MAP_SHARED, program->feed, 0);
	if (program->counts == MAP_FAILED)
		goto no_map;
	if (pipe(out) < 0)
		goto no_out;
	if (pipe(err) < 0)
		goto no_err;
	if (pipe(marks) < 0)
		goto no_marks;
	program->pid = fork();
	if (program->pid < 0)
		goto no_fork;
	if (!program->pid)
		run_child(sandbox, setup, argv, program, out[1], err[1], marks[1]);
	close(out[1]);
	close(err[1]);
	close(marks[1]);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	fcntl(marks[0], F_SETFL, O_NONBLOCK);
	program->out = out[0];
	program->err = err[0];
	program->marks = marks[0];
	program->pidfd = syscall(SYS_pidfd_open, program->pid, 0);
	return true;

no_fork:
	close(marks[0]);
	close(marks[1]);
no_marks:
	close(err[0]);
	close(err[1]);
no_err:
	close(out[0]);
	close(out[1]);
no_out:
	munmap(program->counts, program->size);
no_map:
	close(program->feed);
	return say(why, size, "the program cannot be started: %s", strerror(errno));
}

/* Signals that an emulator gets for its own faults. */
static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGILL ||
	       number == SIGFPE || number == SIGTRAP;
}

/* Does standard error, of which this is a piece, say that an assertion of qemu-hexagon failed, as at an unknown instruction? */
static bool says_failure(char tail[SANDBOX_TAIL], const char *data, size_t size)
{
	/* of an assertion, and of unreachable code */
	static const char *const words[] = { ": assertion failed: ", ": code should not be reached" };
	char text[SANDBOX_TAIL + HEXAGON_MESSAGE_MAX];
	bool found;

	memcpy(text, tail, SANDBOX_TAIL);
	memcpy(text + SANDBOX_TAIL, data, size);
	found = memmem(text, SANDBOX_TAIL + size, words[0], strlen(words[0])) ||
		memmem(text, SANDBOX_TAIL + size, words[1], strlen(words[1]));
	memcpy(tail, text + size, SANDBOX_TAIL);
	return found;
}

size_t sandbox_take(struct program *program, int *pipe, char data[HEXAGON_MESSAGE_MAX])
{
	ssize_t n = read(*pipe, data, HEXAGON_MESSAGE_MAX);

	if (n > 0) {
		if (pipe == &program->err)
			program->said |= says_failure(program->tail, data, n);
		return n;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(*pipe);
		*pipe = -1;
	}
	return 0;
}

bool sandbox_expire(struct program *program)
{
	if (program->ended || program->expired || seconds() < program->deadline)
		return false;
	program->expired = true;
	kill(program->pid, SIGKILL);
	return true;
}

void sandbox_reap(struct program *program, int options)
{
	pid_t pid;

	do
		pid = waitpid(program->pid, &program->status, options);
	while (pid < 0 && errno == EINTR);
	if (pid <= 0)
		return;
	program->ended = true;
	close(program->pidfd);
	program->pidfd = -1;
	clear();
}

bool sandbox_is_over(const struct program *program)
{
	return program->ended && program->out < 0 && program->err < 0 && program->marks < 0;
}

bool sandbox_judge(const struct program *program, char *why, size_t size)
{
	int status = program->status;
	/* bwrap reports a signal of its command as a shell does: 128 + number */
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
	bool began = program->counts->began, exited = program->counts->exited;

	if (WIFSIGNALED(status) && !is_fault(number))
		return false;
	if (is_fault(number) && !exited && program->said) {
		say(why, size, program->operations & HEXAGON_READS_PRIVILEGED ?
		    "the emulator failed: the program has reads of counters that only the system may read (PMUCNT, GPMUCNT, "
		    "PCYCLE): use qurt_pmu_get() or UPCYCLE" :
		    "the emulator failed: the file is damaged, or has an instruction that V67 does not know");
		return true;
	}
	if (!began)
		say(why, size, "the emulator could not load the program: the file is damaged, or needs "
		    "more memory than --memory gives");
	return !began;
}

const char *sandbox_plugin(void)
{
	static char path[PATH_MAX + 32];
	char self[PATH_MAX] = "";
	char *slash;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0) {
		slash = strrchr(self, '/');
		if (slash)
			*slash = '\0';
		snprintf(path, sizeof(path), "%s/qemu/hexagon/hexagon-feed.so", self);
		if (access(path, R_OK) == 0)
			return path;
	}
	return PKGLIBEXECDIR "/hexagon-feed.so";
}
