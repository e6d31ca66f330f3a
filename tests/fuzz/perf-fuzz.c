// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf-fuzz: random use of libmon's PMUs in a guest; then the kernel's log must have no complaint.
 * Events, groups, reads, faulting reads, ioctls, mappings of event pages, sysfs, processors and
 * child processes are in one random sequence; the same seed repeats it. Of each PMU at least 30 %
 * of the opens must succeed, or the fuzzer would only test the argument checks.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/perf-pmus.h"

#define MAX_FDS 96
#define MAX_MAPS 32
#define MAX_CHILDREN 4
#define MIN_SUCCESS 30	/* per cent of opens */

static unsigned long calls_left = 10000;
static unsigned int seed = 1;

static int fds[MAX_FDS];
static bool inherited[MAX_FDS];	/* the parent has it, too */
static bool is_child;
static unsigned int nfds;
static struct map {
	void *at;
	size_t size;
} maps[MAX_MAPS];
static unsigned int nmaps;
static unsigned int children;
static unsigned long opens[8], opened[8], reads, mapped;/* opens by PMU */

/* xorshift: the same on every machine */
static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static unsigned int below(unsigned int n)
{
	return (rnd() >> 20) % n;
}

static bool one_in(unsigned int n)
{
	return below(n) == 0;
}

static int any_fd(void)
{
	return nfds && !one_in(50) ? fds[below(nfds)] : (int)below(128) - 1;
}

/*
 * Linux before 6.2 locks up, whatever the PMU, if two processes at once give a software event its
 * first member of hardware (__perf_event_ctx_lock_double() with one context). So an inherited event
 * leads no group of the child.
 */
static int any_leader(void)
{
	unsigned int i;

	if (!nfds || one_in(50))
		return is_child ? -1 : (int)below(128) - 1;
	i = below(nfds);
	return inherited[i] ? -1 : fds[i];
}

/* Keeps a descriptor; replaces another one if there are too many. */
static void keep_fd(int fd, bool parents)
{
	unsigned int i = nfds;

	if (nfds == MAX_FDS) {
		i = below(MAX_FDS);
		close(fds[i]);
	} else {
		nfds++;
	}
	fds[i] = fd;
	inherited[i] = parents;
}

/* Of the PMU that it returns, or a software event, NULL. */
static const struct pmu *random_attr(struct perf_event_attr *attr)
{
	const struct pmu *p = &pmus[below(npmus)];

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->read_format = rnd() & 0x1f;
	attr->disabled = one_in(3);
	attr->pinned = one_in(10);
	attr->exclusive = one_in(20);
	if (one_in(8)) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = below(11);
		return NULL;
	}
	attr->type = p->type;
	attr->config = p->events[below(p->nevents)].config;
	if (one_in(3) && p->nfields) {
		const struct field *f = &p->fields[below(p->nfields)];

		attr->config |= (rnd() & ((1ULL << f->bits) - 1)) << f->lo;
		/* espmon and upmem: a place needs the flag that says so, the last field */
		if (!one_in(3))
			attr->config |= 1ULL << p->fields[below(p->nfields)].lo;
	}
	if (one_in(6)) {
		/* the words of the attribute, one of them made up */
		uint64_t words[sizeof(*attr) / 8];

		memcpy(words, attr, sizeof(words));
		words[below(sizeof(words) / 8)] ^= 1ULL << below(64);
		memcpy(attr, words, sizeof(words));
	}
	return p;
}

static void do_open(void)
{
	struct perf_event_attr attr;
	int pid = one_in(20) ? (one_in(2) ? 0 : getpid()) : -1;
	int cpu = one_in(30) ? (int)below(8) - 2 : (int)below(2);
	int group = one_in(3) ? any_leader() : -1;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;
	const struct pmu *p;
	int fd;

	p = random_attr(&attr);
	if (one_in(30))
		flags = rnd() & 0x1f;
	fd = syscall(SYS_perf_event_open, &attr, pid, cpu, group, flags);
	if (p) {
		opens[p - pmus]++;
		opened[p - pmus] += fd >= 0;
	}
	if (fd >= 0)
		keep_fd(fd, false);
}

static void do_close(void)
{
	unsigned int i;

	if (!nfds)
		return;
	i = below(nfds);
	close(fds[i]);
	fds[i] = fds[--nfds];
	inherited[i] = inherited[nfds];
}

static void do_read(void)
{
	static char buf[16384];
	static const size_t sizes[] = { 0, 8, 16, 24, 32, 128, 4096, sizeof(buf) };
	void *to = one_in(16) ? (void *)(rnd() & 0xfffff) : buf;

	/* a wild pointer below 1 MB: nothing is mapped there */
	if (syscall(SYS_read, any_fd(), to, sizes[below(8)]) > 0)
		reads++;
}

static void do_ioctl(void)
{
	static const unsigned long codes[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_PERIOD, PERF_EVENT_IOC_SET_OUTPUT,
		PERF_EVENT_IOC_ID, PERF_EVENT_IOC_PAUSE_OUTPUT, PERF_EVENT_IOC_ENABLE,
		PERF_EVENT_IOC_DISABLE,
	};
	uint64_t value = rnd();
	unsigned long arg;

	switch (below(4)) {
	case 0:
		arg = PERF_IOC_FLAG_GROUP;
		break;
	case 1:
		arg = any_fd();
		break;
	case 2:
		arg = (unsigned long)&value;
		break;
	default:
		arg = one_in(10) ? rnd() : 0;
	}
	ioctl(any_fd(), codes[below(sizeof(codes) / sizeof(codes[0]))], arg);
}

static void keep_map(void *at, size_t size)
{
	if (at == MAP_FAILED)
		return;
	mapped++;
	if (nmaps == MAX_MAPS) {
		unsigned int i = below(MAX_MAPS);

		munmap(maps[i].at, maps[i].size);
		maps[i] = maps[--nmaps];
	}
	maps[nmaps++] = (struct map){ at, size };
}

static void map_event(void)
{
	size_t page = sysconf(_SC_PAGESIZE), size = page * (one_in(2) ? 1 : 1 + (1 << below(3)));

	keep_map(mmap(NULL, size, one_in(4) ? PROT_READ | PROT_WRITE : PROT_READ,
		      one_in(20) ? MAP_PRIVATE : MAP_SHARED, any_fd(), one_in(20) ? page : 0),
		 size);
}

/* Through the kernel, because a mapping may have no page there: EFAULT instead of a signal. */
static void touch_map(void)
{
	static int sink = -1;
	struct map *m;

	if (!nmaps)
		return;
	m = &maps[below(nmaps)];
	if (sink < 0)
		sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (one_in(2)) {
		int pipes[2];

		if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK))
			return;
		if (write(pipes[1], (char *)m->at + below(m->size / 8) * 8, 8) < 0)
			errno = 0;
		close(pipes[0]);
		close(pipes[1]);
	} else {
		madvise(m->at, m->size, below(26));
	}
}

static void change_map(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned int i;
	void *to;

	if (!nmaps)
		return;
	i = below(nmaps);
	switch (below(4)) {
	case 0:
		mprotect(maps[i].at, maps[i].size, below(8));
		break;
	case 1:
		to = mremap(maps[i].at, maps[i].size, maps[i].size + page, MREMAP_MAYMOVE);
		if (to != MAP_FAILED)
			maps[i] = (struct map){ to, maps[i].size + page };
		break;
	case 2:
		/* from 6.1.148 on the kernel does not split mappings of a buffer */
		if (maps[i].size > page && !munmap(maps[i].at, page)) {
			maps[i].at = (char *)maps[i].at + page;
			maps[i].size -= page;
		}
		break;
	default:
		munmap(maps[i].at, maps[i].size);
		maps[i] = maps[--nmaps];
	}
}

static void do_sysfs(void)
{
	static const char *const files[] = {
		"cpumask", "type", "tiles/0", "identifier", "losses", "caps/width",
		"perf_event_mux_interval_ms",
	};
	char text[4096];

	read_text(text, sizeof(text), SYSFS "/%s%s/%s", pmus[below(npmus)].name, "",
		  files[below(sizeof(files) / sizeof(files[0]))]);
}

static void do_misc(void)
{
	struct pollfd p = { .fd = any_fd(), .events = POLLIN | POLLHUP };
	cpu_set_t set;

	switch (below(6)) {
	case 0:
		CPU_ZERO(&set);
		CPU_SET(below(2), &set);
		sched_setaffinity(0, sizeof(set), &set);
		break;
	case 1:
		poll(&p, 1, 0);
		break;
	case 2:
		prctl(one_in(2) ? PR_TASK_PERF_EVENTS_DISABLE : PR_TASK_PERF_EVENTS_ENABLE);
		break;
	case 3:
		if (nfds && nfds < MAX_FDS) {
			unsigned int i = below(nfds);
			int fd = dup(fds[i]);

			if (fd >= 0)
				keep_fd(fd, inherited[i]);
		}
		break;
	case 4:
		fcntl(any_fd(), F_SETFL, one_in(2) ? O_NONBLOCK : O_ASYNC);
		break;
	default:
		sched_yield();
	}
}

static void step(void);

/*
 * A child inherits its parent's events and mappings, uses them for a while, and exits at a random
 * moment.
 */
static void do_fork(void)
{
	unsigned int n = below(200);
	uint64_t next = rnd() | 1;
	pid_t pid;

	while (waitpid(-1, NULL, children >= MAX_CHILDREN ? 0 : WNOHANG) > 0)
		children--;
	if (is_child)
		return;
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return;
	if (pid) {
		children++;
		return;
	}
	state = next;
	is_child = true;
	memset(inherited, true, sizeof(inherited));
	while (n--)
		step();
	_exit(0);
}

static void step(void)
{
	switch (below(32)) {
	case 0 ... 9:
		do_open();
		break;
	case 10 ... 14:
		do_read();
		break;
	case 15 ... 19:
		do_ioctl();
		break;
	case 20 ... 22:
		do_close();
		break;
	case 23 ... 25:
		map_event();
		break;
	case 26:
		touch_map();
		break;
	case 27:
		change_map();
		break;
	case 28:
		do_sysfs();
		break;
	case 29 ... 30:
		do_misc();
		break;
	default:
		if (one_in(8))
			do_fork();
		else
			touch_map();
	}
}

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	switch (key) {
	case 'n':
		calls_left = strtoul(arg, NULL, 0);
		return 0;
	case 's':
		seed = strtoul(arg, NULL, 0);
		return 0;
	case ARGP_KEY_ARG:
		argp_usage(argp);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "calls", 'n', "N", 0, "random calls to make (default 10000)", 0 },
		{ "seed", 's', "S", 0, "begin of the sequence (default 1)", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		options, parse, NULL, "Use the PMUs of libmon at random.", NULL, NULL, NULL
	};
	const char *env = getenv("MON_FUZZ_CALLS");
	unsigned long calls;
	unsigned int i;
	bool ok = true;

	if (env)
		calls_left = strtoul(env, NULL, 0);
	env = getenv("MON_FUZZ_SEED");
	if (env)
		seed = strtoul(env, NULL, 0);
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	find_pmus();
	if (!npmus) {
		fprintf(stderr, "perf-fuzz: no PMU of libmon in " SYSFS ": load its modules\n");
		return 1;
	}
	signal(SIGIO, SIG_IGN);
	state = seed * 0x9e3779b97f4a7c15ULL | 1;
	for (calls = calls_left; calls_left; calls_left--)
		step();
	while (wait(NULL) > 0)
		;
	printf("seed %u: %lu calls on %u PMUs, %lu reads, %lu mappings\n", seed, calls, npmus,
	       reads, mapped);
	for (i = 0; i < npmus; i++) {
		printf("%s: %lu opens, %lu %% succeeded\n", pmus[i].name, opens[i],
		       opens[i] ? opened[i] * 100 / opens[i] : 0);
		ok &= opens[i] && opened[i] * 100 >= opens[i] * MIN_SUCCESS;
	}
	/* the summary line that guest tests end with */
	printf("%d%%: Checks: 1, Failures: %d, Errors: 0\n", ok ? 100 : 0, !ok);
	return !ok;
}
