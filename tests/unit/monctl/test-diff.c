// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl/show/diff*.c: files of monctl stat --csv written here, and the recording of fixture.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/monctl/fixture.h"
#include "tools/monctl/show/diff.h"
#include "tools/monctl/base/monctl.h"

#define HEAD "seconds,pmu,event,place,count,unit,value,share,whole,run\n"

static struct diff diff;
static char path[2][32];

static void write_file(size_t i, const char *text)
{
	FILE *out;

	snprintf(path[i], sizeof(path[i]), "/tmp/monctl-diff-XXXXXX");
	out = fdopen(mkstemp(path[i]), "w");
	fputs(text, out);
	fclose(out);
}

/* Of runs that take 1, 2 and 3 s, and 11, 12, 13 s. */
static void setup(void)
{
	write_file(0, HEAD
		   "1.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,1\n"
		   "1.0,espmon,\"noc\",3,100,flits,100,1.0,1,1\n"
			/* an interval, and an estimate: neither is compared */
		   "0.5,espmon,\"l2_hits\",,4,requests,4,1.0,0,1\n"
		   "1.0,espmon,\"guess\",,4,requests,4,0.5,1,1\n"
		   "1.0,espmon,\"ratio\",,,%,50,1.0,1,1\n"
		   "2.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,2\n"
		   "2.0,espmon,\"noc\",3,120,flits,120,1.0,1,2\n"
		   "3.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,3\n"
		   "3.0,espmon,\"noc\",3,140,flits,140,1.0,1,3\n");
	write_file(1, HEAD
		   "11.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,1\n"
		   "11.0,espmon,\"noc\",3,110,flits,110,1.0,1,1\n"
		   "11.0,espmon,\"group=1,counter=0\",,9,x,9,1.0,1,1\n"
		   "12.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,2\n"
		   "12.0,espmon,\"noc\",3,130,flits,130,1.0,1,2\n"
		   "13.0,espmon,\"l2_hits\",,7,requests,7,1.0,1,3\n"
		   "13.0,espmon,\"noc\",3,150,flits,150,1.0,1,3\n");
	diff = (struct diff){ .files = 2, .file = calloc(2, sizeof(*diff.file)) };
}

static void teardown(void)
{
	diff_free(&diff);
	unlink(path[0]);
	unlink(path[1]);
}

static const struct diff_row *row_of(const char *name)
{
	for (size_t i = 0; i < diff.rows; i++)
		if (!strcmp(diff.row[i].name, name))
			return &diff.row[i];
	return NULL;
}

static void load_both(void)
{
	for (size_t i = 0; i < 2; i++)
		ck_assert_msg(!diff_load(&diff, i, path[i]), "%s", mon_error());
}

SUITE("diff", .setup = setup, .teardown = teardown);

TEST(repetitions_have_an_average_and_a_deviation)
{
	const struct diff_row *row;

	load_both();
	row = row_of("time");
	ck_assert_uint_eq(row->cell[0].count, 3);
	/* 1, 2, 3: (1 + 0 + 1) / 2 */
	ck_assert_double_eq(diff_mean(&row->cell[0]), 2);
	ck_assert_double_eq(diff_deviation(&row->cell[0]), 1);
	ck_assert_double_eq(diff_change(row, 1), 5);
	ck_assert(diff_is_beyond_spread(row, 1));
	row = row_of("espmon/noc/ in 3");
	/* 100, 120, 140 and 110, 130, 150: 10 more, each with a deviation of 20; 2 * sqrt(2 * 400 / 3) = 32.7 */
	ck_assert_double_eq_tol(diff_change(row, 1), 10 / 120., 1e-12);
	ck_assert(!diff_is_beyond_spread(row, 1));
	row = row_of("espmon/l2_hits/");
	ck_assert_double_eq(diff_change(row, 1), 0);
	ck_assert(!diff_is_beyond_spread(row, 1));
	ck_assert_int_eq(row_of("ratio")->kind, DIFF_METRIC);
	ck_assert_str_eq(row_of("ratio")->unit, "%");
}

TEST(what_cannot_be_compared_is_not)
{
	load_both();
	ck_assert_ptr_null(row_of("espmon/guess/"));
	ck_assert(isnan(diff_change(row_of("espmon/group=1,counter=0/"), 1)));
	ck_assert(isnan(diff_change(row_of("ratio"), 1)));
	ck_assert(isnan(diff_deviation(&row_of("ratio")->cell[0])));
}

TEST(a_recording_has_its_runs)
{
	char *recorded = fixture_write();
	const struct diff_row *row;

	ck_assert(!diff_load(&diff, 0, path[0]));
	ck_assert_msg(!diff_load(&diff, 1, recorded), "%s", mon_error());
	unlink(recorded);
	free(recorded);
	/* 10, 40 and 50 ms of fixture.h */
	row = row_of("run of tester");
	ck_assert_uint_eq(row->cell[1].count, 3);
	ck_assert_double_eq_tol(diff_mean(&row->cell[1]), 0.1 / 3, 1e-9);
	ck_assert_double_eq(diff_mean(&row_of("espmon/noc_injects_p1/ in 3")->cell[1]), 8 * FIXTURE_SAMPLES);
	ck_assert_double_eq_tol(diff_mean(&row_of("time")->cell[1]), 0.1, 1e-9);
	ck_assert_str_eq(diff.file[1].command, "./run <fast>");
}

LOOP_TEST(a_file_that_is_damaged_is_refused, 0, 4)
{
	static const char *const texts[] = { HEAD "1.0,espmon,x\n", HEAD, "nonsense\n", "" };

	unlink(path[0]);
	write_file(0, texts[_i]);
	ck_assert_int_eq(diff_load(&diff, 0, path[0]), -1);
	ck_assert_msg(strstr(mon_error(), path[0]), "%s", mon_error());
}
