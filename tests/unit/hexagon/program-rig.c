/* SPDX-License-Identifier: GPL-2.0-only */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/hexagon/program-rig.h"

#define PLUGIN "qemu/hexagon/hexagon-feed.so"
#define SLOW_PLUGIN "tests/unit/hexagon/slow-plugin.so"
#define SLOW_US 50000

static char feed_file[64];
unsigned int features, operations;
struct hexagon_core core;
int slow_call, slow_us;

bool rig_prepare(void)
{
	if (access(PROGRAMS "hand", X_OK) < 0) {
		puts("skipped: the Hexagon programs were not built: install clang and lld, then configure");
		return false;
	}
	return true;
}

void rig_setup(void)
{
	snprintf(feed_file, sizeof(feed_file), "/tmp/hexagon-feed-%d", (int)getpid());
	unlink(feed_file);
	features = operations = slow_call = 0;
	slow_us = SLOW_US;
	hexagon_core_init(&core, 69);
}

void rig_teardown(void)
{
	unlink(feed_file);
}

pid_t start(const char *program, int *out)
{
	char plugin[160], slow[64], path[128], *argument;
	int fds[2] = { -1, open("/dev/null", O_WRONLY) };
	pid_t pid;

	snprintf(path, sizeof(path), "%s%s", strchr(program, '/') ? "" : PROGRAMS, program);
	argument = strchr(path, ' ');
	if (argument)
		*argument++ = '\0';
	snprintf(plugin, sizeof(plugin), PLUGIN ",feed=%s,core=%u:%u:%u:%u:%u,features=%u,operations=%u", feed_file,
		 core.version, core.threads, core.clusters, core.cycles, core.contexts, features, operations);
	snprintf(slow, sizeof(slow), SLOW_PLUGIN ",call=%d,us=%d", slow_call, slow_us);
	if (out)
		ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		/* if the distribution's qemu-hexagon takes no plugins */
		execl("qemu/hexagon/qemu-hexagon", "qemu-hexagon", "-plugin", plugin, "-plugin", slow, path, argument,
		      (char *)NULL);
		execlp("qemu-hexagon", "qemu-hexagon", "-plugin", plugin, "-plugin", slow, path, argument, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	if (out)
		*out = fds[0];
	return pid;
}

int finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		ck_assert_int_eq(errno, EINTR);
	return status;
}

const struct hexagon_feed *map_feed(void)
{
	int fd = open(feed_file, O_RDONLY);
	void *memory;
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_ge(st.st_size, sizeof(struct hexagon_feed));
	memory = mmap(NULL, sizeof(struct hexagon_feed), PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	close(fd);
	ck_assert_int_eq(hexagon_feed_check(memory, st.st_size), HEXAGON_FEED_OK);
	return memory;
}

bool feed_has_begun(void)
{
	int fd = open(feed_file, O_RDONLY);
	struct stat st = { 0 };
	bool begun = false;

	if (fd >= 0 && fstat(fd, &st) == 0 && (size_t)st.st_size >= sizeof(struct hexagon_feed)) {
		void *memory = mmap(NULL, sizeof(struct hexagon_feed), PROT_READ, MAP_SHARED, fd, 0);

		begun = memory != MAP_FAILED && hexagon_feed_check(memory, st.st_size) == HEXAGON_FEED_OK;
		if (memory != MAP_FAILED)
			munmap(memory, sizeof(struct hexagon_feed));
	}
	if (fd >= 0)
		close(fd);
	return begun;
}

struct hexagon_totals run(const char *program, char *output, size_t size)
{
	struct hexagon_totals now;
	int out;
	pid_t pid = start(program, &out);
	ssize_t n;

	for (size_t got = 0; (n = read(out, output + got, size - got)) > 0; got += n)
		;
	close(out);
	ck_assert_int_eq(finish(pid), 0);
	ck_assert_int_eq(hexagon_feed_read(map_feed(), &now), HEXAGON_FEED_OK);
	return now;
}

uint64_t cycles(const struct hexagon_totals *now, unsigned int n)
{
	uint64_t all = 0;

	for (unsigned int set = 1; set < HEXAGON_THREAD_SETS; set++)
		if ((unsigned int)__builtin_popcount(set) == n)
			all += now->cycles[set];
	return all;
}

uint64_t packets(const struct hexagon_totals *now, unsigned int n)
{
	uint64_t all = 0;

	for (unsigned int set = 1; set < HEXAGON_THREAD_SETS; set++)
		for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
			if ((unsigned int)__builtin_popcount(set) == n)
				all += now->packets[set][t];
	return all;
}

uint64_t sum(const struct hexagon_totals *now, enum hexagon_count count)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		all += now->count[i][count];
	return all;
}
