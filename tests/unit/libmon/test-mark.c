// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmon/mark.c: each test is a process of its own, because a process looks for the ring only once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/marks.h"
#include "libmon/include/mon.h"
#include "tests/main.h"

static struct mon_marks *ring;

static void make_ring(uint64_t magic, size_t size)
{
	int fd = memfd_create("marks", 0);
	char path[64];

	ck_assert_int_eq(ftruncate(fd, size), 0);
	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ring->magic = magic;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	setenv(MON_MARKS_VARIABLE, path, 1);
}

SUITE("mark");

TEST(a_mark_is_whole)
{
	make_ring(MON_MARKS_MAGIC, sizeof(*ring));
	errno = 7;
	mon_mark("load");
	mon_mark_of(12, "sh", "run");
	mon_mark(NULL);
	ck_assert_int_eq(errno, 7);
	ck_assert_uint_eq(ring->next, 3);
	ck_assert_uint_eq(ring->slot[0].turn, 1);
	ck_assert_uint_eq(ring->slot[0].pid, getpid());
	ck_assert_str_eq(ring->slot[0].program.text, program_invocation_short_name);
	ck_assert_str_eq(ring->slot[0].phase, "load");
	ck_assert_uint_eq(ring->slot[1].turn, 2);
	ck_assert_uint_eq(ring->slot[1].pid, 12);
	ck_assert_str_eq(ring->slot[1].program.text, "sh");
	ck_assert_uint_ge(ring->slot[1].time, ring->slot[0].time);
	ck_assert_str_eq(ring->slot[2].phase, "");
}

TEST(a_long_name_is_cut)
{
	char name[200] = { 0 };

	for (size_t i = 0; i + 1 < sizeof(name); i++)
		name[i] = 'x';
	make_ring(MON_MARKS_MAGIC, sizeof(*ring));
	/* the slot had another name before */
	for (size_t i = 0; i <= MON_MARKS_SLOTS; i++)
		mon_mark(i < MON_MARKS_SLOTS ? name : "y");
	ck_assert_uint_eq(strlen(ring->slot[1].phase), sizeof(ring->slot[1].phase) - 1);
	ck_assert_str_eq(ring->slot[0].phase, "y");
	ck_assert_uint_eq(ring->slot[0].turn, MON_MARKS_SLOTS + 1);
}

/* A child marks with its own process number, and ends its own phase, not its parent's. */
TEST(a_phase_ends_with_its_process)
{
	int pid, status;

	make_ring(MON_MARKS_MAGIC, sizeof(*ring));
	mon_mark("parent");
	for (int marks = 0; marks < 2; marks++) {
		pid = fork();
		if (!pid) {
			if (marks)
				mon_mark("child");
			exit(0);
		}
		waitpid(pid, &status, 0);
	}
	ck_assert_uint_eq(ring->next, 3);
	ck_assert_uint_eq(ring->slot[1].pid, pid);
	ck_assert_str_eq(ring->slot[1].phase, "child");
	ck_assert_uint_eq(ring->slot[2].pid, pid);
	ck_assert_str_eq(ring->slot[2].phase, "");
}

TEST(nobody_records)
{
	unsetenv(MON_MARKS_VARIABLE);
	mon_mark("load");
	mon_mark_of(1, "sh", "run");
}

LOOP_TEST(what_is_no_ring_is_left_alone, 0, 2)
{
	if (_i)
		make_ring(1, sizeof(*ring));
	else
		make_ring(MON_MARKS_MAGIC, sizeof(*ring) - 4096);
	mon_mark("load");
	ck_assert_uint_eq(ring->next, 0);
}
