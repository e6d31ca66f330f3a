// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl: perfdata-*.c, recording*.c. The expected numbers follow from fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/monctl/fixture.h"
#include "tools/monctl/answer/counts.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"
#include "tools/monctl/record/recording.h"

static uint64_t factor(const struct rec_counter *counter)
{
	return (counter->event[strlen(counter->event) - 1] - '0' + 1) * (counter->place + 1);
}

/* The row of one counter, by a table of its own. */
static void get_bins(const struct recording *of, const struct rec_counter *counter, uint64_t from, uint64_t bin_ns, size_t nbins,
		     uint64_t *bin)
{
	struct rec_table *table = rec_table_new(of, from, bin_ns, nbins);

	memcpy(bin, rec_table_row(table, counter), nbins * sizeof(*bin));
	rec_table_free(table);
}

SUITE("good", .setup = fixture_load, .teardown = fixture_unload);

TEST(totals_are_last_less_first)
{
	ck_assert_uint_eq(rec->ncounters, FIXTURE_TILES * FIXTURE_EVENTS + 1);
	for (size_t i = 0; i < FIXTURE_TILES * FIXTURE_EVENTS; i++)
		ck_assert_uint_eq(recording_total(rec, &rec->counter[i]),
				  factor(&rec->counter[i]) * FIXTURE_SAMPLES);
	ck_assert_uint_eq(recording_total(rec, &rec->counter[rec->ncounters - 1]), 5 * FIXTURE_SAMPLES);
	/* less the first and the last, which are monctl's own */
	ck_assert_uint_eq(rec->samples, FIXTURE_SAMPLES + 1 - 2);
}

TEST(bins_add_up_whatever_their_width)
{
	static const size_t counts[] = { 1, 3, 7, 100, 333 };
	uint64_t bin[333], sum;

	for (size_t c = 0; c < COUNT_OF(counts); c++) {
		get_bins(rec, &rec->counter[3], 0, (rec->stop - rec->start) / counts[c] + 1, counts[c], bin);
		sum = 0;
		for (size_t b = 0; b < counts[c]; b++)
			sum += bin[b];
		ck_assert_uint_eq(sum, 4 * FIXTURE_SAMPLES);
	}
}

TEST(bins_are_even_when_the_counter_is)
{
	uint64_t bin[10];

	get_bins(rec, &rec->counter[3], 0, FIXTURE_INTERVAL * 10, 10, bin);
	for (size_t b = 0; b < 10; b++)
		ck_assert_uint_eq(bin[b], 4 * 10);
}

/* Late bins are equal to those of a table of all bins. */
TEST(bins_can_begin_anywhere)
{
	uint64_t all[97], part[40];
	uint64_t width = (rec->stop - rec->start) / COUNT_OF(all) + 1;

	get_bins(rec, &rec->counter[3], 0, width, COUNT_OF(all), all);
	for (size_t first = 0; first + COUNT_OF(part) <= COUNT_OF(all); first++) {
		get_bins(rec, &rec->counter[3], first * width, width, COUNT_OF(part), part);
		for (size_t b = 0; b < COUNT_OF(part); b++)
			ck_assert_uint_eq(part[b], all[first + b]);
	}
}

/* From 25 to 75 ms: 50 samples, the runs of dev.1 and the second half of dev.0's. */
TEST(a_part_of_a_recording_is_one)
{
	uint64_t bin[5];

	ck_assert(recording_crop(rec, 25000000, 75000000));
	get_bins(rec, &rec->counter[3], 0, 10 * FIXTURE_INTERVAL, 5, bin);
	for (size_t b = 0; b < 5; b++)
		ck_assert_uint_eq(bin[b], 4 * 10);
	ck_assert_uint_eq(rec->nmarks, 3);
	ck_assert_uint_eq(rec->mark[0].begin, rec->start);
	ck_assert_uint_eq(rec->mark[0].end - rec->start, 5000000);
	ck_assert_uint_eq(rec->mark[2].end, rec->stop);
	ck_assert(!recording_crop(rec, 50000000, 60000000));
}

/* Every reading says that its group counted half of the time. */
static void half_of_the_time(unsigned char *data, size_t size)
{
	struct perfdata_header *header = (void *)data;
	unsigned char *record = data + header->data.offset;

	(void)size;
	while (record < data + header->data.offset + header->data.size) {
		struct perfdata_sample *sample = (void *)record;
		struct perfdata_reading *reading = (void *)(sample + 1);

		if (reading->count == FIXTURE_TILES * FIXTURE_EVENTS + 1) {
			reading->enabled = 1000;
			reading->running = 500;
		}
		record += sample->header.size;
	}
}

TEST(groups_that_took_turns_are_estimates)
{
	char *path = fixture_write_changed(half_of_the_time);
	struct recording *loaded = recording_load(path);

	ck_assert_msg(loaded, "%s", mon_error());
	/* tile 3 of plane 0 */
	ck_assert_uint_eq(recording_total(loaded, &loaded->counter[3]), 2 * 4 * FIXTURE_SAMPLES);
	ck_assert_double_eq(recording_share(loaded, &loaded->counter[3]), 0.5);
	ck_assert_double_eq(recording_share(loaded, &loaded->counter[loaded->ncounters - 1]), 1);
	recording_free(loaded);
	unlink(path);
	free(path);
}

/* The kernel lost the SoC's samples 40 to 59. */
static void samples_are_lost(unsigned char *data, size_t size)
{
	struct perfdata_header *header = (void *)data;
	unsigned char *record = data + header->data.offset;
	unsigned int n = 0;

	(void)size;
	while (record < data + header->data.offset + header->data.size) {
		struct perfdata_sample *sample = (void *)record;
		struct perfdata_reading *reading = (void *)(sample + 1);
		uint64_t *lost = (void *)(&sample->header + 1), id = sample->id;

		if (reading->count == FIXTURE_TILES * FIXTURE_EVENTS + 1 && n++ >= 40 && n <= 60) {
			sample->header.type = n == 41 ? PERF_RECORD_LOST : PERF_RECORD_EXIT;
			lost[0] = id;
			lost[1] = 20;
		}
		record += sample->header.size;
	}
}

TEST(lost_samples_are_a_gap)
{
	char *path = fixture_write_changed(samples_are_lost);
	struct recording *loaded = recording_load(path);

	ck_assert_msg(loaded, "%s", mon_error());
	ck_assert_uint_eq(loaded->lost, 20);
	ck_assert_uint_eq(loaded->ngaps, 1);
	ck_assert_uint_eq(loaded->gap[0].from, 39 * FIXTURE_INTERVAL);
	ck_assert_uint_eq(loaded->gap[0].to, 60 * FIXTURE_INTERVAL);
	/* tile 3 of plane 0 */
	ck_assert_uint_eq(recording_total(loaded, &loaded->counter[3]), 4 * FIXTURE_SAMPLES);
	recording_free(loaded);
	unlink(path);
	free(path);
}

/* The DPUs have all of theirs. */
TEST(a_file_has_the_samples_of_the_group_that_has_least)
{
	char *path = fixture_write_changed(samples_are_lost);
	struct recording *loaded = recording_load(path);

	ck_assert_msg(loaded, "%s", mon_error());
	ck_assert_uint_eq(loaded->samples, FIXTURE_SAMPLES + 1 - 2 - 20);
	recording_free(loaded);
	unlink(path);
	free(path);
}

TEST(times_and_names_are_read_as_people_write_them)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} times[] = {
		{ "10ms", 10000000 }, { "500us", 500000 }, { "0.5s", 500000000 }, { "2m", 120000000000 },
		{ "1h", 3600000000000 }, { "3", 3000000 }, { "0", 0 }, { "-1s", 0 }, { "1d", 0 }, { "s", 0 }, { "", 0 },
	};
	static const char *const names[] = { "ddr_accesses", "dma_reqs", "dma_rsps" };

	for (size_t i = 0; i < COUNT_OF(times); i++)
		ck_assert_msg(parse_time(times[i].text, 1e6) == times[i].ns, "%s", times[i].text);
	ck_assert_str_eq(closest_name("ddr_acceses", names, 3), "ddr_accesses");
	ck_assert_str_eq(closest_name("dma_rqs", names, 3), "dma_reqs");
	ck_assert_str_eq(closest_name("committed_pkt", (const char *const[]){ "committed_fps", "committed_pkt_any_long", "committed_pkt_any" }, 3),
			 "committed_pkt_any");
	ck_assert_ptr_null(closest_name("l2_hits", names, 3));
}

/* Bytes that this process has read from files. */
static unsigned long long bytes_read(void)
{
	unsigned long long bytes = 0;
	FILE *io = fopen("/proc/self/io", "r");

	ck_assert(io && fscanf(io, "rchar: %llu", &bytes) == 1);
	fclose(io);
	return bytes;
}

/*
 * A table of an hour is written in blocks. If each block were read from the first record on, it
 * would take as long as all blocks before it. The file has 50000 records of 104 bytes, 5.2 MB, of a
 * counter that counts 1 each 10 ns.
 */
TEST(late_bins_do_not_read_from_the_start)
{
	enum { READINGS = 50000 };
	static uint64_t ids[] = { 1, 2 };
	char path[] = "/tmp/monctl-test-XXXXXX", *const command[] = { "run", NULL };
	const struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = PERFDATA_COUNTER_SAMPLE,
					      .read_format = PERFDATA_READ_FORMAT };
	const struct perfdata_event events[] = { { "clock", attr, ids, 1, 2 }, { "event", attr, ids + 1, 1, 0 } };
	const char *text = "monctl\t1\nstart\t0\t0\nstop\t499990\ninterval\t10\npmu\tp\tplace\t0\n"
			   "counter\t1\tevent\t-1\tx\t1\t\n";
	struct {
		struct perfdata_sample sample;
		struct perfdata_reading reading;
		struct perfdata_value member[2];
	} record = {
		.sample = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) }, .id = 1 },
		.reading = { .count = 2 }, .member = { { .id = 1 }, { .id = 2 } },
	};
	uint64_t *bin = calloc(READINGS, sizeof(*bin)), sum = 0;
	unsigned long long before, all, late;
	struct perfdata_writer *w;
	struct recording *large;

	close(mkstemp(path));
	w = perfdata_create(path, events, COUNT_OF(events), text);
	for (uint64_t i = 0; i < READINGS; i++) {
		record.sample.time = 10 * i;
		record.member[1].value = i;
		ck_assert(!perfdata_append(w, &record, sizeof(record)));
	}
	ck_assert(!perfdata_finish(w, command, text, NULL, 0));
	large = recording_load(path);
	ck_assert_msg(large, "%s", mon_error());
	unlink(path);
	before = bytes_read();
	get_bins(large, large->counter, 0, 10, READINGS - 1, bin);
	all = bytes_read() - before;
	for (size_t i = 0; i < READINGS - 1; i++)
		sum += bin[i] == 1;
	ck_assert_uint_eq(sum, READINGS - 1);
	ck_assert_uint_gt(all, READINGS * sizeof(record));
	before = bytes_read();
	get_bins(large, large->counter, (READINGS - 3) * 10, 10, 1, bin);
	late = bytes_read() - before;
	ck_assert_uint_eq(bin[0], 1);
	/* records can be read from each megabyte on, in pieces of one megabyte */
	ck_assert_uint_lt(late, 3 * 1024 * 1024);
	recording_free(large);
	free(bin);
}

/* Rows of a table are those of single counters, in any order. */
TEST(a_table_has_the_bins_of_each_counter)
{
	static const size_t order[] = { 0, 1, 2, 8, 3, 7 };
	uint64_t width = (rec->stop - rec->start) / 97 + 1, bin[97];
	struct rec_table *table = rec_table_new(rec, 0, width, 97);

	for (size_t i = 0; i < COUNT_OF(order); i++) {
		get_bins(rec, &rec->counter[order[i]], 0, width, 97, bin);
		ck_assert(!memcmp(bin, rec_table_row(table, &rec->counter[order[i]]), sizeof(bin)));
	}
	rec_table_free(table);
}

/* Four stretches from one reading to the next one, from 0.4 intervals on: 0.9 to 1.15 has the first reading. */
TEST(a_stretch_without_a_reading_is_known)
{
	struct rec_table *table = rec_table_new(rec, 2 * FIXTURE_INTERVAL / 5, FIXTURE_INTERVAL / 4, 40);

	rec_table_row(table, rec->counter);
	for (size_t i = 0; i < 40; i++)
		ck_assert_int_eq(rec_table_is_read(table, rec->counter, i), i % 4 == 2);
	rec_table_free(table);
}

/* 20 ms and 30 ms of a phase that began twice: five windows of ten samples, each with readings. */
TEST(stretches_of_a_phase_are_added)
{
	struct counts both = { 0 };

	for (int i = 0; i < 2; i++) {
		struct counts one = counts_between(rec, (i ? 30 : 0) * FIXTURE_INTERVAL, (i ? 60 : 20) * FIXTURE_INTERVAL);

		counts_append(&both, &one);
	}
	ck_assert_uint_eq(both.windows, 5);
	for (size_t c = 0; c < FIXTURE_TILES * FIXTURE_EVENTS; c++) {
		ck_assert_double_eq(both.count[c], 50 * factor(&rec->counter[c]));
		for (size_t w = 0; w < both.windows; w++) {
			ck_assert_double_eq(both.window[w * rec->ncounters + c], 10 * factor(&rec->counter[c]));
			ck_assert(both.is_read[w * rec->ncounters + c]);
		}
	}
	counts_free(&both);
}

TEST(runs_are_paired_by_device_and_time)
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
		ck_assert_str_eq(rec->mark[i].about, strcmp(expected[i].device, "dev.0") ? "" : "full, 8 bytes");
		ck_assert_uint_eq(rec->mark[i].pid, 42);
	}
}

TEST(places_and_names_come_back)
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

/* ---- damaged files ---- */

static void no_magic(unsigned char *data, size_t size)
{
	(void)size;
	data[0] ^= 1;
}

static void record_of_nothing(unsigned char *data, size_t size)
{
	struct perf_event_header *record = (void *)(data + ((struct perfdata_header *)data)->data.offset);

	(void)size;
	record->size = 0;
}

/* Of the first reading: behind the two marks of 40 + 76 bytes each, rounded up to 8 */
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
	{ no_magic, "not a recording" },
	{ record_of_nothing, "damaged" },
	{ too_many_members, "damaged" },
};

SUITE("bad");

LOOP_TEST(damaged_files_are_refused_with_a_reason, 0, COUNT_OF(damages))
{
	char *bad = fixture_write_changed(damages[_i].change);

	ck_assert_ptr_null(recording_load(bad));
	ck_assert_msg(strstr(mon_error(), damages[_i].says), "%s", mon_error());
	ck_assert_msg(strstr(mon_error(), bad), "%s", mon_error());
	unlink(bad);
	free(bad);
}

/* ---- files that end early ---- */

/* The writer was killed: the header is the one of before the first record. */
static void unfinished(unsigned char *data, size_t size)
{
	(void)size;
	((struct perfdata_header *)data)->data.size = 0;
}

/* The records go on for longer than the file. */
static void data_outside(unsigned char *data, size_t size)
{
	((struct perfdata_header *)data)->data.size = size;
}

/* The table of the sections is not there: it has been taken for a file of perf. */
static void no_sections(unsigned char *data, size_t size)
{
	const struct perfdata_header *header = (void *)data;

	memset(data + header->data.offset + header->data.size, 0xff, size - header->data.offset - header->data.size);
}

static void (*const cuts[])(unsigned char *data, size_t size) = { unfinished, data_outside, no_sections };

LOOP_TEST(what_was_written_can_be_read_without_an_end, 0, COUNT_OF(cuts))
{
	char *path = fixture_write_changed(cuts[_i]);
	struct recording *loaded = recording_load(path);

	ck_assert_msg(loaded, "%s", mon_error());
	ck_assert(loaded->is_cut);
	for (size_t i = 0; i < FIXTURE_TILES * FIXTURE_EVENTS; i++)
		ck_assert_uint_eq(recording_total(loaded, &loaded->counter[i]),
				  factor(&loaded->counter[i]) * FIXTURE_SAMPLES);
	ck_assert_uint_eq(loaded->stop - loaded->start, FIXTURE_SAMPLES * FIXTURE_INTERVAL);
	ck_assert_uint_eq(loaded->nmarks, 3);
	recording_free(loaded);
	unlink(path);
	free(path);
}

TEST(a_truncated_file_is_read_up_to_its_last_whole_record)
{
	char *path = fixture_write();
	struct perfdata_header header;
	struct recording *loaded;
	FILE *file = fopen(path, "re");

	ck_assert_uint_eq(fread(&header, sizeof(header), 1, file), 1);
	fclose(file);
	/*
	 * An espmon record has 40 + 24 + 16 * 9 bytes behind its header of 8, upmem's 40 + 24 + 16 * 2; the
	 * records of two ends and begins come first. Half of the readings, and a piece of the next one.
	 */
	ck_assert_int_eq(truncate(path, header.data.offset + header.data.size / 2 + 4), 0);
	loaded = recording_load(path);
	ck_assert_msg(loaded, "%s", mon_error());
	/* tile 2 of plane 0 counts 3 a sample; the last sample that is there is number n */
	for (size_t i = 0; i < loaded->nseries; i++) {
		size_t n = loaded->series[i].count - 1;

		ck_assert_uint_ge(n, FIXTURE_SAMPLES / 2 - 2);
		ck_assert_uint_le(n, FIXTURE_SAMPLES / 2);
		if (loaded->counter[2].series == i)
			ck_assert_uint_eq(recording_total(loaded, &loaded->counter[2]), 3 * n);
	}
	recording_free(loaded);
	unlink(path);
	free(path);
}

/* ---- checksums ---- */

/* The offset of a byte in a recording. */
typedef uint64_t place_fn(const struct perfdata_header *header, uint64_t size);

/* Inverts a byte, and returns its offset. */
static uint64_t damage(const char *path, place_fn *where)
{
	struct perfdata_header header;
	FILE *file = fopen(path, "r+e");
	uint64_t at;
	int byte;

	ck_assert_uint_eq(fread(&header, sizeof(header), 1, file), 1);
	fseek(file, 0, SEEK_END);
	at = where(&header, ftell(file));
	fseek(file, at, SEEK_SET);
	byte = getc(file);
	fseek(file, at, SEEK_SET);
	putc(~byte, file);
	ck_assert_int_eq(fclose(file), 0);
	return at;
}

static uint64_t in_attrs(const struct perfdata_header *header, uint64_t size)
{
	(void)size;
	return header->attrs.offset + 8;
}

static uint64_t in_first_text(const struct perfdata_header *header, uint64_t size)
{
	(void)size;
	return header->event_types.offset + 20;
}

static uint64_t in_first_block(const struct perfdata_header *header, uint64_t size)
{
	(void)size;
	return header->data.offset + PERFDATA_BLOCK - 1;
}

static uint64_t in_second_block(const struct perfdata_header *header, uint64_t size)
{
	(void)size;
	return header->data.offset + PERFDATA_BLOCK + 1;
}

static uint64_t in_table(const struct perfdata_header *header, uint64_t size)
{
	(void)size;
	return header->data.offset + header->data.size + 1;
}

static uint64_t in_sums(const struct perfdata_header *header, uint64_t size)
{
	(void)header;
	return size - 6;
}

static const struct {
	place_fn *where;
	enum { REFUSED, NOTHING, SOME, ALL } shown;
	place_fn *also;			/* another damage behind it */
} sealed[] = {
	{ in_attrs, REFUSED, NULL },
	{ in_first_text, REFUSED, NULL },
	{ in_first_block, NOTHING, NULL },
	{ in_second_block, SOME, NULL },
	{ in_second_block, SOME, in_table },
	{ in_first_block, NOTHING, in_second_block },
	{ in_table, ALL, NULL },
	{ in_sums, ALL, NULL },
};

/* A damage is told with its block of records, or the end of all of them; what stands before it is shown. */
LOOP_TEST(a_damage_is_told_and_ends_the_recording, 0, COUNT_OF(sealed))
{
	struct perfdata_header header;
	struct recording *loaded;
	char expected[64];
	uint64_t at, from;
	char *path = fixture_write();
	FILE *file = fopen(path, "re");

	ck_assert_uint_eq(fread(&header, sizeof(header), 1, file), 1);
	fclose(file);
	ck_assert_uint_gt(header.data.size, PERFDATA_BLOCK);
	at = damage(path, sealed[_i].where);
	if (sealed[_i].also)
		damage(path, sealed[_i].also);
	loaded = recording_load(path);
	unlink(path);
	if (sealed[_i].shown == REFUSED) {
		ck_assert_ptr_null(loaded);
		ck_assert_msg(strstr(mon_error(), "damaged before its first record"), "%s", mon_error());
		free(path);
		return;
	}
	ck_assert_msg(loaded, "%s", mon_error());
	ck_assert(loaded->is_cut);
	from = header.data.offset + (sealed[_i].shown == ALL ? header.data.size :
				     (at - header.data.offset) / PERFDATA_BLOCK * PERFDATA_BLOCK);
	snprintf(expected, sizeof(expected), "the file is damaged at byte %llu of ", (unsigned long long)from);
	ck_assert_msg(strstr(loaded->cut_reason, expected), "%s", loaded->cut_reason);
	/* tile 2 of plane 0 counts 3 a sample */
	if (sealed[_i].shown == ALL)
		ck_assert_uint_eq(recording_total(loaded, &loaded->counter[2]), 3 * FIXTURE_SAMPLES);
	for (size_t i = 0; sealed[_i].shown == SOME && i < loaded->nseries; i++)
		if (loaded->counter[2].series == i) {
			ck_assert_uint_gt(loaded->series[i].count, 1);
			ck_assert_uint_lt(loaded->series[i].count, FIXTURE_SAMPLES + 1);
			ck_assert_uint_eq(recording_total(loaded, &loaded->counter[2]), 3 * (loaded->series[i].count - 1));
		}
	if (sealed[_i].shown == NOTHING)
		ck_assert_uint_eq(loaded->nseries, 0);
	recording_free(loaded);
	free(path);
}

TEST(a_recording_without_a_sample_counts_nothing)
{
	char *path = fixture_write();
	struct perfdata_header header;
	struct recording *loaded;
	struct rec_table *table;
	FILE *file = fopen(path, "re");

	ck_assert_uint_eq(fread(&header, sizeof(header), 1, file), 1);
	fclose(file);
	ck_assert_int_eq(truncate(path, header.data.offset), 0);
	loaded = recording_load(path);
	ck_assert_msg(loaded, "%s", mon_error());
	ck_assert_uint_eq(loaded->stop, loaded->start);
	table = rec_table_new(loaded, 0, loaded->stop - loaded->start, 1);
	for (size_t i = 0; i < loaded->ncounters; i++)
		ck_assert_uint_eq(rec_table_row(table, &loaded->counter[i])[0], 0);
	rec_table_free(table);
	recording_free(loaded);
	unlink(path);
	free(path);
}

static unsigned int seed;

/* Random bytes get random values. */
static void scribble(unsigned char *data, size_t size)
{
	srandom(seed);
	for (int i = 0; i < 20; i++)
		data[random() % size] = random();
}

/*
 * Reading a file with any content ends, and stays within the file: valgrind and the sanitizers
 * check that.
 */
LOOP_TEST(any_file_is_read_or_refused, 0, 100)
{
	char *bad;
	struct recording *loaded;
	uint64_t bin[16];

	seed = _i;
	bad = fixture_write_changed(scribble);
	loaded = recording_load(bad);
	for (size_t i = 0; loaded && i < loaded->ncounters; i++)
		get_bins(loaded, &loaded->counter[i], 0, 1000000, COUNT_OF(bin), bin);
	if (!loaded)
		ck_assert_msg(strstr(mon_error(), bad), "%s", mon_error());
	recording_free(loaded);
	unlink(bad);
	free(bad);
}
