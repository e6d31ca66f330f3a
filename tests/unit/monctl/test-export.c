// SPDX-License-Identifier: GPL-2.0-only
/* tools/monctl: export-*.c, page.c. The expected numbers follow from fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/monctl/fixture.h"
#include "tools/monctl/export/export.h"
#include "tools/monctl/show/openmetrics.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/page.h"

static char *text;
static size_t size;

static void unload(void)
{
	fixture_unload();
	free(text);
	text = NULL;
}

static void export_with(void (*write)(const struct recording *rec, FILE *out))
{
	FILE *out = open_memstream(&text, &size);

	write(rec, out);
	fclose(out);
}

SUITE("export", .setup = fixture_load, .teardown = unload);

TEST(csv_has_a_line_for_each_interval_and_columns_that_add_up)
{
	unsigned long long sum = 0, value;
	size_t lines = 0;
	char *line, *save = NULL;
	double seconds;

	export_with(export_csv);
	line = strtok_r(text, "\n", &save);
	ck_assert_msg(!strncmp(line, "seconds,\"espmon/noc_injects_p0,tile=0/ [flits]\",", 48), "%s", line);
	ck_assert_ptr_nonnull(strstr(line, ",\"upmem/dpu_instructions/ [instructions]\",runs"));
	while ((line = strtok_r(NULL, "\n", &save))) {
		/* the fourth column: 3 a sample, that is tile 2 of plane 0 */
		ck_assert_int_eq(sscanf(line, "%lf,%*u,%*u,%llu", &seconds, &value), 2);
		ck_assert_double_eq_tol(seconds, lines * 1e-3, 1e-9);
		/* dev.0 runs from 20 to 30 ms, dev.1 to 40 ms and from 50 ms on */
		if (lines == 19 || lines == 30)
			ck_assert_str_eq(strchr(line, '"'), "\"dev.1 tester\"");
		if (lines == 20 || lines == 29)
			ck_assert_ptr_nonnull(strstr(line, "dev.0 tester: full, 8 bytes"));
		if (lines == 45)
			ck_assert_str_eq(strchr(line, '"'), "\"\"");
		sum += value;
		lines++;
	}
	ck_assert_uint_eq(lines, FIXTURE_SAMPLES);
	ck_assert_uint_eq(sum, 3 * FIXTURE_SAMPLES);
}

/* The last total of a series in OpenMetrics text. */
static double last_value(const char *series)
{
	const char *at = text, *last = NULL;

	while ((at = strstr(at, series)))
		last = at++;
	ck_assert_msg(last, "no %s", series);
	return strtod(last + strlen(series), NULL);
}

TEST(openmetrics_has_a_head_for_each_family)
{
	double values[FIXTURE_TILES * FIXTURE_EVENTS + 1], shares[COUNT_OF(values)];
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < COUNT_OF(values); i++)
		values[i] = i, shares[i] = 1;
	openmetrics_now(rec, values, shares, false, out);
	fclose(out);
	/* one head a family, the unit in its name once */
	ck_assert_ptr_nonnull(strstr(text, "# TYPE espmon_noc_injects_p0_flits counter\n"
				     "# UNIT espmon_noc_injects_p0_flits flits\n"
				     "# HELP espmon_noc_injects_p0_flits Flits of a plane\n"));
	ck_assert_ptr_nonnull(strstr(text, "# UNIT upmem_dpu_instructions instructions\n"));
	ck_assert_str_eq(text + size - 6, "# EOF\n");
}

TEST(plain_metrics_are_named_as_their_samples)
{
	double values[FIXTURE_TILES * FIXTURE_EVENTS + 1], shares[COUNT_OF(values)];
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < COUNT_OF(values); i++)
		values[i] = i, shares[i] = 1;
	/* counted half of the time */
	shares[5] = 0.5;
	/* the last one is the rank's; promtool complains about units with prefixes */
	rec->counter[COUNT_OF(values) - 1].unit = "MB";
	values[COUNT_OF(values) - 1] = 2.5;
	openmetrics_now(rec, values, shares, true, out);
	fclose(out);
	ck_assert_double_eq(last_value("upmem_dpu_instructions_bytes_total{pmu=\"upmem\"} "), 2.5e6);
	ck_assert_ptr_nonnull(strstr(text, "# TYPE espmon_noc_injects_p1_flits_total counter\n"
				     "# HELP espmon_noc_injects_p1_flits_total Flits of a plane\n"
				     "espmon_noc_injects_p1_flits_total{pmu=\"espmon\",tile=\"0\"} 4\n"));
	ck_assert_ptr_null(strstr(text, "# EOF"));
	/* only counters that took turns are marked: the fifth counter is plane 1 of tile 1 */
	ck_assert_ptr_nonnull(strstr(text, "\nmonctl_counted_ratio{pmu=\"espmon\",event=\"noc_injects_p1\",tile=\"1\"} 0.5\n"));
	ck_assert_ptr_null(strstr(strstr(text, "\nmonctl_counted_ratio{") + 1, "\nmonctl_counted_ratio{"));
}

/* ---- protocol buffers, read as https://protobuf.dev/programming-guides/encoding/ says ---- */

struct field {
	unsigned int number, wire;
	uint64_t value;			/* of a number; or 8 bytes, unchanged */
	const unsigned char *bytes;
	size_t size;
};

static uint64_t varint(const unsigned char **at)
{
	uint64_t value = 0;

	for (int shift = 0;; shift += 7) {
		value |= (uint64_t)(**at & 127) << shift;
		if (!(*(*at)++ & 128))
			return value;
	}
}

static const unsigned char *next_field(const unsigned char *at, struct field *f)
{
	uint64_t key = varint(&at);

	*f = (struct field){ .number = key >> 3, .wire = key & 7 };
	switch (f->wire) {
	case 0:
		f->value = varint(&at);
		break;
	case 1:
		memcpy(&f->value, at, 8);
		at += 8;
		break;
	case 2:
		f->size = varint(&at);
		f->bytes = at;
		at += f->size;
		break;
	default:
		ck_abort_msg("wire type %u", f->wire);
	}
	return at;
}

/* The first field of that number; false if the message has none. */
static bool find_field(const unsigned char *message, size_t length, unsigned int number, struct field *f)
{
	const unsigned char *at = message;

	while (at < message + length) {
		at = next_field(at, f);
		if (f->number == number)
			return true;
	}
	return false;
}

static bool is_text(const struct field *message, unsigned int number, const char *wanted)
{
	struct field f;

	return find_field(message->bytes, message->size, number, &f) && f.size == strlen(wanted) &&
	       !memcmp(f.bytes, wanted, f.size);
}

static uint64_t number_of(const struct field *message, unsigned int number)
{
	struct field f;

	return find_field(message->bytes, message->size, number, &f) ? f.value : 0;
}

/* Whether one of the clocks of a snapshot is the time of day with that value. */
static bool is_realtime(const struct field *snapshot, uint64_t wanted)
{
	const unsigned char *at = snapshot->bytes;
	struct field clock;

	while (at < snapshot->bytes + snapshot->size) {
		at = next_field(at, &clock);
		if (clock.number == 1 && number_of(&clock, 1) == 1 && number_of(&clock, 2) == wanted)
			return true;
	}
	return false;
}

/*
 * Numbers of the published schema: Trace.packet 1; TracePacket: timestamp 8,
 * trusted_packet_sequence_id 10, track_event 11, track_descriptor 60; TrackDescriptor: uuid 1, name 2,
 * parent_uuid 5, counter 8; CounterDescriptor.unit_name 6; TrackEvent: debug_annotations 4, type 9 (slice begin 1, end 2,
 * counter 4), track_uuid 11, name 23, double_counter_value 44; DebugAnnotation: uint_value 3, string_value 6, name 10;
 * TracePacket.clock_snapshot 6, ClockSnapshot.clocks 1, Clock: clock_id 1 (1: CLOCK_REALTIME), timestamp 2.
 */
TEST(perfetto_trace_follows_the_published_schema)
{
	const unsigned char *at, *end;
	uint64_t of_tile_3 = 0, tile_3 = 0, time_before = 0, begins = 0, ends = 0, tracks = 0, clocks = 0;
	double value = 0, counted = 0;
	struct field packet, f, body, time;

	export_with(export_perfetto);
	end = (const unsigned char *)text + size;
	for (at = (const unsigned char *)text; at < end;) {
		at = next_field(at, &packet);
		ck_assert_uint_eq(packet.number, 1);
		ck_assert(find_field(packet.bytes, packet.size, 10, &f) && f.value);
		if (find_field(packet.bytes, packet.size, 60, &body)) {
			tracks++;
			if (is_text(&body, 2, "tile 3 dev.0"))
				tile_3 = number_of(&body, 1);
			/* below its tile, with its unit */
			if (is_text(&body, 2, "noc_injects_p1") && tile_3 && number_of(&body, 5) == tile_3) {
				ck_assert(find_field(body.bytes, body.size, 8, &f) && is_text(&f, 6, "flits/s"));
				of_tile_3 = number_of(&body, 1);
			}
			continue;
		}
		if (find_field(packet.bytes, packet.size, 6, &body)) {
			clocks += is_realtime(&body, 1700000000000000000);
			continue;
		}
		ck_assert(find_field(packet.bytes, packet.size, 11, &body));
		ck_assert(find_field(packet.bytes, packet.size, 8, &time));
		ck_assert_uint_ge(time.value, FIXTURE_START);
		ck_assert(find_field(body.bytes, body.size, 9, &f));
		if (f.value == 1) {
			begins++;
			ck_assert(find_field(body.bytes, body.size, 4, &f));
			ck_assert(is_text(&f, 10, "device"));
			ck_assert(is_text(&f, 6, "dev.0") || is_text(&f, 6, "dev.1"));
			ck_assert(find_field(body.bytes, body.size, 9, &f));
		}
		ends += f.value == 2;
		if (f.value != 4)
			continue;
		ck_assert(find_field(body.bytes, body.size, 11, &f));
		if (f.value != of_tile_3)
			continue;
		/* the integral of the rate is the total */
		counted += value * (time.value - time_before) / 1e9;
		ck_assert(find_field(body.bytes, body.size, 44, &f));
		memcpy(&value, &f.value, 8);
		time_before = time.value;
	}
	ck_assert_double_eq_tol(counted, 8 * FIXTURE_SAMPLES, 1e-6);
	ck_assert_uint_eq(begins, 3);
	ck_assert_uint_eq(ends, 3);
	ck_assert_uint_eq(clocks, 1);
	/* 2 PMUs, the tiles of one of them, their counters, 2 devices */
	ck_assert_uint_eq(tracks, 2 + FIXTURE_TILES + FIXTURE_TILES * FIXTURE_EVENTS + 1 + 2);
}

static void get_bins(const struct page *page, const struct rec_counter *counter, uint64_t *bin)
{
	recording_bins(page->rec, counter, 0, page->bin_ns, page->bins, bin);
}

TEST(page_holds_the_recording_and_nothing_from_elsewhere)
{
	struct page page = { .rec = rec, .bins = 10, .bin_ns = 10 * FIXTURE_INTERVAL, .get_bins = get_bins };
	FILE *out = open_memstream(&text, &size);

	page_write(&page, out);
	fclose(out);
	/* a "<" in a command must not end the script that contains it */
	ck_assert_ptr_nonnull(strstr(text, "\"command\":\"./run \\u003cfast>\""));
	ck_assert_ptr_nonnull(strstr(text, "{\"event\":\"espmon/noc_injects_p1\",\"place\":3,"
				     "\"bins\":[80,80,80,80,80,80,80,80,80,80]}"));
	ck_assert_ptr_nonnull(strstr(text, "{\"device\":\"dev.0\",\"user\":\"tester\",\"about\":\"full, 8 bytes\",\"pid\":42,"
				     "\"begin\":20000000,\"end\":30000000}"));
	ck_assert_ptr_null(strstr(text, "/*@"));
	ck_assert_ptr_null(strstr(text, " src="));
	ck_assert_ptr_null(strstr(text, "<link"));
	/* the library's licence requires its notice in each copy */
	ck_assert_ptr_nonnull(strstr(text, "Permission is hereby granted, free of charge"));
}
