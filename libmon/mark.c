// SPDX-License-Identifier: LGPL-2.1-or-later
/* Marks phases of programs for a recorder. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "events/marks.h"
#include "libmon/internal.h"

static struct mon_marks *ring;		/* NULL: no recording, or not searched for yet */
static pthread_once_t looked = PTHREAD_ONCE_INIT;
static bool has_looked, is_in_phase;
static pid_t self;			/* cached: getpid() is a system call */
static struct mon_mark_name own;	/* name of the program, ready to be copied */

static void on_fork(void)
{
	self = getpid();
	is_in_phase = false;
}

/*
 * Copies a name and terminates it, because the slot may hold a longer one. A loop is faster than strlen() and
 * memcpy() for short names.
 */
static void put_name(char *to, const char *name, size_t room)
{
	while (--room && *name)
		*to++ = *name++;
	*to = '\0';
}

static void write_mark(uint32_t pid, const struct mon_mark_name *program, const char *phase)
{
	uint64_t number = __atomic_fetch_add(&ring->next, 1, __ATOMIC_RELAXED);
	struct mon_mark_slot *slot = &ring->slot[number % MON_MARKS_SLOTS];
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	__atomic_store_n(&slot->turn, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	slot->time = now.tv_sec * 1000000000ull + now.tv_nsec;
	slot->pid = pid;
	slot->program = *program;
	put_name(slot->phase, phase, sizeof(slot->phase));
	__atomic_store_n(&slot->turn, number + 1, __ATOMIC_RELEASE);
}

/* The last phase ends with the program. */
static void on_exit_of_program(void)
{
	if (is_in_phase)
		write_mark(self, &own, "");
}

/* Maps the file only if it is the ring of a running recorder. */
static struct mon_marks *map_ring(const char *path)
{
	struct mon_marks *map = MAP_FAILED;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size == sizeof(*map))
		map = mmap(NULL, sizeof(*map), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return NULL;
	if (map->magic == MON_MARKS_MAGIC)
		return map;
	munmap(map, sizeof(*map));
	return NULL;
}

static void look_for_ring(void)
{
	const char *path = secure_getenv(MON_MARKS_VARIABLE);
	int error = errno;

	ring = path ? map_ring(path) : NULL;
	if (ring) {
		self = getpid();
		put_name(own.text, program_invocation_short_name, sizeof(own.text));
		pthread_atfork(NULL, NULL, on_fork);
		atexit(on_exit_of_program);
	}
	errno = error;
	__atomic_store_n(&has_looked, true, __ATOMIC_RELEASE);
}

static bool is_recorded(void)
{
	if (!__atomic_load_n(&has_looked, __ATOMIC_ACQUIRE))
		pthread_once(&looked, look_for_ring);
	return ring != NULL;
}

void mon_mark(const char *phase)
{
	if (!is_recorded())
		return;
	is_in_phase = phase && *phase;
	write_mark(self, &own, phase ? phase : "");
}

int mon_mark_transfer(uint64_t ns)
{
	if (is_recorded())
		__atomic_fetch_add(&ring->transfer_ns, ns, __ATOMIC_RELAXED);
	return ring != NULL;
}

void mon_mark_of(uint32_t pid, const char *program, const char *phase)
{
	struct mon_mark_name name = { 0 };

	if (!is_recorded())
		return;
	put_name(name.text, program, sizeof(name.text));
	write_mark(pid, &name, phase ? phase : "");
}
