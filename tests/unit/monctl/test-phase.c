// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl/record/phase.c, and the recording of phases by mark.c. */
#include <stdlib.h>
#include <string.h>

#include "events/marks.h"
#include "tests/main.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/phase.h"

static struct phases phases;
static struct recording *rec;
static struct mark_points points;

/* As when a recording is loaded: its description has the event as attribute 3. */
static int take(void *arg, const void *records, size_t size)
{
	const struct perfdata_sample *sample = records;

	(void)arg;
	ck_assert_uint_eq(sample->header.size, size);
	ck_assert(mark_points_add(&points, sample, mark_kind_find(rec, 3)));
	return 0;
}

static void setup(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\n");
	phases_describe(3, out);
	fclose(out);
	rec = recording_parse(text, size, "test");
	free(text);
	phases_open(&phases);
}

static void teardown(void)
{
	phases_close(&phases);
	recording_free(rec);
}

static void pair(bool is_last)
{
	ck_assert_int_eq(phases_drain(&phases, is_last, take, NULL), 0);
	mark_points_pair(&points, rec);
}

SUITE("phase", .setup = setup, .teardown = teardown);

TEST(a_phase_goes_to_the_next_mark_of_its_process)
{
	mon_mark_of(1, "sh", "load");
	mon_mark_of(2, "other", "wait");
	mon_mark_of(1, "sh", "run");
	mon_mark_of(1, "sh", "");
	/* nothing is to end there */
	mon_mark_of(3, "third", "");
	pair(false);
	ck_assert_uint_eq(rec->nmarks, 3);
	ck_assert_str_eq(rec->mark[0].device, "sh (1)");
	ck_assert_str_eq(rec->mark[0].user, "load");
	ck_assert_uint_eq(rec->mark[0].end, rec->mark[2].begin);
	ck_assert_str_eq(rec->mark[1].device, "other (2)");
	ck_assert_uint_eq(rec->mark[1].end, 0);
	ck_assert_str_eq(rec->mark[2].user, "run");
	ck_assert_uint_ge(rec->mark[2].end, rec->mark[2].begin);
	ck_assert(mark_is_phase(&rec->mark[0]));
	/* a second reading continues */
	mon_mark_of(2, "other", "work");
	pair(false);
	ck_assert_uint_eq(rec->nmarks, 4);
	ck_assert_uint_eq(rec->mark[1].end, rec->mark[3].begin);
}

/* The reader is more than a ring behind: the oldest records are lost, and counted. */
TEST(marks_that_come_too_fast_are_counted)
{
	for (size_t i = 0; i < MON_MARKS_SLOTS + 10; i++)
		mon_mark_of(1, "sh", i % 2 ? "odd" : "even");
	pair(false);
	ck_assert_uint_eq(phases.lost, 10);
	ck_assert_uint_eq(phases.taken, MON_MARKS_SLOTS);
	ck_assert_uint_eq(rec->nmarks, MON_MARKS_SLOTS);
}

/* A program was killed between its two writes: later records wait, but not for ever. */
TEST(a_mark_that_was_never_finished_is_left_out)
{
	mon_mark_of(1, "sh", "a");
	mon_mark_of(1, "sh", "b");
	mon_mark_of(1, "sh", "c");
	phases.ring->slot[1].turn = 0;
	pair(false);
	ck_assert_uint_eq(phases.taken, 1);
	pair(true);
	ck_assert_uint_eq(phases.taken, 2);
	ck_assert_uint_eq(phases.lost, 1);
	ck_assert_str_eq(rec->mark[1].user, "c");
}

/* A program writes garbage. */
TEST(nonsense_in_the_ring_does_no_harm)
{
	memset(phases.ring, 'x', sizeof(*phases.ring));
	phases.ring->next = 1;
	phases.ring->slot[0].turn = 1;
	pair(true);
	ck_assert_uint_eq(rec->nmarks, 1);
	ck_assert_uint_lt(strlen(rec->mark[0].device), 64);
	ck_assert_uint_le(strlen(rec->mark[0].user), 64);
	/* the last but one slot happens to look complete */
	memset(phases.ring, 0xff, sizeof(*phases.ring));
	pair(true);
	ck_assert_uint_eq(rec->nmarks, 2);
	ck_assert_uint_gt(phases.lost, MON_MARKS_SLOTS);
}

TEST(times_of_copies_add_up)
{
	ck_assert_int_eq(mon_mark_transfer(0), 1);
	ck_assert_uint_eq(phases_transfer_ns(&phases), 0);
	mon_mark_transfer(2000);
	mon_mark_transfer(500);
	ck_assert_uint_eq(phases_transfer_ns(&phases), 2500);
	ck_assert_uint_eq(phases_transfer_ns(&phases), 0);
}
