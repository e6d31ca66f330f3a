// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl: perfdata-*.c, recording*.c. The expected numbers follow from fixture.h. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/monctl/fixture.h"
#include "tests/unit/monctl/suites.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/perfdata.h"
#include "tools/monctl/recording.h"

static uint64_t factor(const struct rec_counter *counter)
{
	return (counter->event[strlen(counter->event) - 1] - '0' + 1) * (counter->place + 1);
}

START_TEST(totals_are_last_less_first)
{
	ck_assert_uint_eq(rec->ncounters, FIXTURE_TILES * FIXTURE_EVENTS + 1);
	for (size_t i = 0; i < FIXTURE_TILES * FIXTURE_EVENTS; i++)
		ck_assert_uint_eq(recording_total(rec, &rec->counter[i]),
				  factor(&rec->counter[i]) * FIXTURE_SAMPLES);
	ck_assert_uint_eq(recording_total(rec, &rec->counter[rec->ncounters - 1]), 5 * FIXTURE_SAMPLES);
	/* less the first and the last, which are monctl's own */
	ck_assert_uint_eq(rec->samples, FIXTURE_SAMPLES + 1 - 2);
}
END_TEST

START_TEST(bins_add_up_whatever_their_width)
{
	static const size_t counts[] = { 1, 3, 7, 100, 333 };
	uint64_t bin[333], sum;

	for (size_t c = 0; c < COUNT_OF(counts); c++) {
		recording_bins(rec, &rec->counter[3], (rec->stop - rec->start) / counts[c] + 1, counts[c],
			       bin);
		sum = 0;
		for (size_t b = 0; b < counts[c]; b++)
			sum += bin[b];
		ck_assert_uint_eq(sum, 4 * FIXTURE_SAMPLES);
	}
}
END_TEST

START_TEST(bins_are_even_when_the_counter_is)
{
	uint64_t bin[10];

	recording_bins(rec, &rec->counter[3], FIXTURE_INTERVAL * 10, 10, bin);
	for (size_t b = 0; b < 10; b++)
		ck_assert_uint_eq(bin[b], 4 * 10);
}
END_TEST

START_TEST(runs_are_paired_by_device_and_time)
{
	static const struct {
		const char *device;
		uint64_t begin, end;	/* ms */
	} expected[] = {
		{ "dev.0", 20, 30 }, { "dev.1", 0, 40 }, { "dev.1", 50, FIXTURE_SAMPLES },
	};

	ck_assert_uint_eq(rec->nmarks, COUNT_OF(expected));
	for (size_t i = 0; i < rec->nmarks; i++) {
		ck_assert_str_eq(rec->mark[i].device, expected[i].device);
		ck_assert_uint_eq(rec->mark[i].begin - rec->start, expected[i].begin * 1000000);
		ck_assert_uint_eq(rec->mark[i].end - rec->start, expected[i].end * 1000000);
		ck_assert_str_eq(rec->mark[i].user, "tester");
		ck_assert_uint_eq(rec->mark[i].pid, 42);
	}
}
END_TEST

START_TEST(places_and_names_come_back)
{
	char *name = recording_counter_name(rec, &rec->counter[FIXTURE_TILES + 2]);

	ck_assert_str_eq(name, "espmon/noc_injects_p1,tile=2/");
	free(name);
	ck_assert_str_eq(rec->command, "./run <fast>");
	ck_assert_uint_eq(rec->npmus, 2);
	ck_assert_uint_eq(rec->pmu[0].nplaces, FIXTURE_TILES);
	ck_assert_int_eq(rec->pmu[0].place[3].row, 1);
	ck_assert_str_eq(rec->pmu[0].place[0].kind, "cpu");
}
END_TEST

/* ---- files that are not what they should be ---- */

static void no_magic(unsigned char *data, size_t size)
{
	(void)size;
	data[0] ^= 1;
}

static void data_outside(unsigned char *data, size_t size)
{
	((struct perfdata_header *)data)->data.size = size;
}

static void unfinished(unsigned char *data, size_t size)
{
	(void)size;
	((struct perfdata_header *)data)->data.size = 0;
}

static void record_of_nothing(unsigned char *data, size_t size)
{
	struct perf_event_header *record = (void *)(data + ((struct perfdata_header *)data)->data.offset);

	(void)size;
	record->size = 0;
}

/* Of the first reading: behind the two marks of 40 + 60 bytes each, rounded up to 8 */
static void too_many_members(unsigned char *data, size_t size)
{
	unsigned char *record = data + ((struct perfdata_header *)data)->data.offset;
	const unsigned char *end = data + size;

	while (record < end) {
		struct perfdata_sample *sample = (void *)record;
		struct perfdata_reading *reading = (void *)(sample + 1);

		if (reading->count == FIXTURE_TILES * FIXTURE_EVENTS + 1) {
			reading->count = 1ull << 60;
			return;
		}
		record += sample->header.size;
	}
	ck_abort_msg("no reading in the fixture");
}

static const struct {
	void (*change)(unsigned char *data, size_t size);
	const char *says;
} damages[] = {
	{ no_magic, "not a perf.data file" },
	{ data_outside, "damaged" },
	{ unfinished, "not finished" },
	{ record_of_nothing, "damaged" },
	{ too_many_members, "damaged" },
};

START_TEST(damaged_files_are_refused_with_a_reason)
{
	char *bad = fixture_write_changed(damages[_i].change);

	ck_assert_ptr_null(recording_load(bad));
	ck_assert_msg(strstr(mon_error(), damages[_i].says), "%s", mon_error());
	ck_assert_msg(strstr(mon_error(), bad), "%s", mon_error());
	unlink(bad);
	free(bad);
}
END_TEST

static unsigned int seed;

/* Some bytes anywhere get any value. */
static void scribble(unsigned char *data, size_t size)
{
	srandom(seed);
	for (int i = 0; i < 20; i++)
		data[random() % size] = random();
}

/* Whatever stands in a file, reading it ends, and within the file: valgrind and the sanitizers watch. */
START_TEST(any_file_is_read_or_refused)
{
	char *bad;
	struct recording *loaded;
	uint64_t bin[16];

	seed = _i;
	bad = fixture_write_changed(scribble);
	loaded = recording_load(bad);
	for (size_t i = 0; loaded && i < loaded->ncounters; i++)
		recording_bins(loaded, &loaded->counter[i], 1000000, COUNT_OF(bin), bin);
	if (!loaded)
		ck_assert_msg(strstr(mon_error(), bad), "%s", mon_error());
	recording_free(loaded);
	unlink(bad);
	free(bad);
}
END_TEST

Suite *recording_suite(void)
{
	Suite *suite = suite_create("recording");
	TCase *good = tcase_create("good"), *bad = tcase_create("bad");

	tcase_add_checked_fixture(good, fixture_load, fixture_unload);
	tcase_add_test(good, totals_are_last_less_first);
	tcase_add_test(good, bins_add_up_whatever_their_width);
	tcase_add_test(good, bins_are_even_when_the_counter_is);
	tcase_add_test(good, runs_are_paired_by_device_and_time);
	tcase_add_test(good, places_and_names_come_back);
	suite_add_tcase(suite, good);
	tcase_add_loop_test(bad, damaged_files_are_refused_with_a_reason, 0, COUNT_OF(damages));
	tcase_add_loop_test(bad, any_file_is_read_or_refused, 0, 100);
	suite_add_tcase(suite, bad);
	return suite;
}
