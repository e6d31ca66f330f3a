// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * C text as code in this process: the system's compiler makes a shared object of it, which stays in a cache.
 *
 * A file of the cache is the object, the text that it was made from, and a trailer with both sizes
 * and a checksum. dlopen() gets only a file with the right text and checksum, by the descriptor
 * from which it was read.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dpu/include/shared-object.h"

#define FLAGS "-O1", "-shared", "-fPIC", "-nostdlib", "-fno-strict-aliasing", "-pipe", "-w", "-x", "c"
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define MAGIC UINT64_C(0x314b4c4255504400)	/* changes with the layout of the file */
#define MAX_FILE (UINT64_C(1) << 28)

struct trailer {
	uint64_t magic, object_size, text_size, checksum;	/* of what comes before the trailer */
};

static bool fail(char problem[SHARED_OBJECT_PROBLEM], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(problem, SHARED_OBJECT_PROBLEM, format, args);
	va_end(args);
	return false;
}

/* FNV-1a, eight bytes at a time. */
static uint64_t checksum_of(uint64_t sum, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i += 8) {
		uint64_t word = 0;

		memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
		sum = (sum ^ word) * UINT64_C(0x100000001b3);
		sum ^= sum >> 29;
	}
	return sum;
}

static const char *compiler_name(void)
{
	const char *name = secure_getenv("LIBMON_DPU_CC");

	return name && *name ? name : "cc";
}

/* The compiler's path, from PATH. */
static bool find_compiler(char path[PATH_SIZE])
{
	const char *name = compiler_name(), *dirs = secure_getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_SIZE, "%s", name) < PATH_SIZE && !access(path, X_OK);
	while (dirs && *dirs) {
		int length = strcspn(dirs, ":");

		if (length && snprintf(path, PATH_SIZE, "%.*s/%s", length, dirs, name) < PATH_SIZE &&
		    !access(path, X_OK))
			return true;
		dirs += length + (dirs[length] == ':');
	}
	return false;
}

bool shared_object_compiler(struct shared_object_compiler *compiler, char problem[SHARED_OBJECT_PROBLEM])
{
	struct utsname host;
	struct stat st;

	if (!find_compiler(compiler->path) || stat(compiler->path, &st) || uname(&host))
		return fail(problem, "%s: no such compiler: install gcc, or name one in LIBMON_DPU_CC", compiler_name());
	snprintf(compiler->about, sizeof(compiler->about), "%s %s %lld.%09ld %lld " TEXT(FLAGS), host.machine,
		 compiler->path, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_size);
	return true;
}

/* A folder that belongs to the user alone; made if it is missing. */
static bool own_folder(const char *path, char problem[SHARED_OBJECT_PROBLEM])
{
	struct stat st;

	if (mkdir(path, 0700) && errno != EEXIST)
		return fail(problem, "%s: %s: set XDG_CACHE_HOME to a folder that can be written", path, strerror(errno));
	if (lstat(path, &st))
		return fail(problem, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		return fail(problem, "%s: others may write or read it: it has to be a folder of yours, mode 0700", path);
	return true;
}

/* As the XDG base directory specification has it: a relative path does not count. */
static bool cache_folder(char path[PATH_SIZE], char problem[SHARED_OBJECT_PROBLEM])
{
	const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
	int length;

	if (cache && *cache == '/')
		length = snprintf(path, PATH_SIZE, "%s", cache);
	else if (home && *home == '/')
		length = snprintf(path, PATH_SIZE, "%s/.cache", home);
	else
		return fail(problem, "no folder for compiled programs: set HOME or XDG_CACHE_HOME");
	if (length >= PATH_SIZE - 64)
		return fail(problem, "the path of XDG_CACHE_HOME is too long");
	mkdir(path, 0700);
	strcpy(path + length, "/libmon-dpu");
	return own_folder(path, problem);
}

static void *map_file(int fd, size_t *size)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (uint64_t)st.st_size <= sizeof(struct trailer) || (uint64_t)st.st_size > MAX_FILE)
		return NULL;
	*size = st.st_size;
	map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	return map == MAP_FAILED ? NULL : map;
}

/* True if the file is complete, and made from this text. */
static bool file_ok(int fd, const char *text)
{
	size_t size, wanted = strlen(text);
	const uint8_t *map = map_file(fd, &size);
	struct trailer t;
	bool ok;

	if (!map)
		return false;
	memcpy(&t, map + size - sizeof(t), sizeof(t));
	ok = t.magic == MAGIC && t.text_size == wanted && t.object_size == size - sizeof(t) - wanted &&
	     size > sizeof(t) + wanted && !memcmp(map + t.object_size, text, wanted) &&
	     t.checksum == checksum_of(0, map, size - sizeof(t));
	munmap((void *)map, size);
	return ok;
}

static void *open_object(int fd, char problem[SHARED_OBJECT_PROBLEM])
{
	char path[64];
	void *handle;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		fail(problem, "a compiled program cannot be loaded: %s", dlerror());
	return handle;
}

static void *load_file(const char *path, const char *text, char problem[SHARED_OBJECT_PROBLEM])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	void *handle = NULL;

	if (fd < 0)
		return NULL;
	if (file_ok(fd, text))
		handle = open_object(fd, problem);
	close(fd);
	return handle;
}

#define STACK_SIZE 32768

/* Memory that the compiler's process and the one that waits for it share with ours. */
struct child {
	char *const *argv;
	const char *output;
	int input, status;
	atomic_int *running;
	sigset_t signals;
	_Alignas(16) char stacks[2][STACK_SIZE];
};

static int be_compiler(void *opaque)
{
	const struct child *child = opaque;
	int null = open("/dev/null", O_WRONLY);

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(child->input, 0);
	dup2(null, 1);
	dup2(null, 2);
	syscall(SYS_close_range, 3, ~0U, 0);
	sigprocmask(SIG_SETMASK, &child->signals, NULL);
	execv(child->argv[0], child->argv);
	_exit(127);
}

/* Ends the compiler and what it has started, which need not heed SIGTERM, when the host program has ended. */
static int wait_for_compiler(void *opaque)
{
	struct child *child = opaque;
	sigset_t wanted;
	int number;
	pid_t pid;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	sigaddset(&wanted, SIGTERM);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	pid = clone(be_compiler, child->stacks[1] + STACK_SIZE, CLONE_VM | CLONE_VFORK | SIGCHLD, child);
	atomic_store(child->running, pid > 0 ? pid : 0);
	while (pid > 0 && !waitpid(pid, &child->status, WNOHANG)) {
		sigwait(&wanted, &number);
		if (number == SIGTERM) {
			kill(-pid, SIGKILL);
			unlink(child->output);
		}
	}
	atomic_store(child->running, 0);
	_exit(child->status ? 1 : 0);
}

/*
 * The calling program may wait for its own children, and must not get one that it did not start.
 * wait() does not return a child that has no exit signal, but exec() sets one; so the compiler is a
 * child of such a process. Only this thread waits in the meantime. True if the compiler succeeded.
 */
static bool run_compiler(char *const argv[], const char *output, int input, atomic_int *running)
{
	struct child *child = malloc(sizeof(*child));
	sigset_t all, old;
	int status = -1;
	pid_t pid;

	if (!child)
		return false;
	child->argv = argv;
	child->output = output;
	child->input = input;
	child->status = -1;
	child->running = running;
	sigfillset(&all);
	sigemptyset(&child->signals);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = clone(wait_for_compiler, child->stacks[0] + STACK_SIZE, CLONE_VM | CLONE_VFORK, child);
	while (pid > 0 && waitpid(pid, &status, __WCLONE) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	free(child);
	return !status;
}

static bool compile(const struct shared_object_compiler *compiler, int input, char *output, atomic_int *running,
		    char problem[SHARED_OBJECT_PROBLEM])
{
	char *const argv[] = { (char *)compiler->path, FLAGS, "-", "-o", output, NULL };

	if (run_compiler(argv, output, input, running))
		return true;
	return fail(problem, "%s: it does not compile the program, or the cache's disk is full", compiler->path);
}

static bool write_all(int fd, const void *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno != EINTR)
			return false;
		data = (const char *)data + (n > 0 ? n : 0);
		size -= n > 0 ? n : 0;
	}
	return true;
}

/* Appends the text and the trailer to the object. */
static bool seal(const char *path, const char *text)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct trailer t = { .magic = MAGIC, .text_size = strlen(text) };
	struct stat st;
	uint8_t *whole;
	bool ok = false;

	if (fd < 0)
		return false;
	whole = fstat(fd, &st) ? NULL : malloc(st.st_size + t.text_size);
	if (whole && pread(fd, whole, st.st_size, 0) == st.st_size && lseek(fd, 0, SEEK_END) == st.st_size) {
		memcpy(whole + st.st_size, text, t.text_size);
		t.object_size = st.st_size;
		t.checksum = checksum_of(0, whole, st.st_size + t.text_size);
		ok = write_all(fd, text, t.text_size) && write_all(fd, &t, sizeof(t));
	}
	free(whole);
	return !close(fd) && ok;
}

static int text_file(const char *text)
{
	int fd = memfd_create("libmon-dpu", MFD_CLOEXEC);

	if (fd >= 0 && write_all(fd, text, strlen(text)) && !lseek(fd, 0, SEEK_SET))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void *make_file(const struct shared_object_compiler *compiler, char path[PATH_SIZE], const char *text,
		       atomic_int *running, char problem[SHARED_OBJECT_PROBLEM])
{
	char temporary[PATH_SIZE + 32];
	int input = text_file(text);
	void *handle = NULL;

	if (input < 0) {
		fail(problem, "memory for a program's text: %s", strerror(errno));
		return NULL;
	}
	snprintf(temporary, sizeof(temporary), "%s.%d.new", path, (int)getpid());
	if (compile(compiler, input, temporary, running, problem)) {
		if (!seal(temporary, text) || rename(temporary, path))
			fail(problem, "%s: %s", path, strerror(errno));
		else
			handle = load_file(path, text, problem);
	}
	unlink(temporary);
	close(input);
	return handle;
}

void *shared_object_open(const struct shared_object_compiler *compiler, const char *text, atomic_int *running,
			 char problem[SHARED_OBJECT_PROBLEM])
{
	char path[PATH_SIZE];
	void *handle;

	if (!cache_folder(path, problem))
		return NULL;
	sprintf(path + strlen(path), "/%016" PRIx64 ".so", checksum_of(0, text, strlen(text)));
	handle = load_file(path, text, problem);
	return handle ? handle : make_file(compiler, path, text, running, problem);
}
