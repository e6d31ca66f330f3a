// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace in Perfetto's format: protocol buffers after protos/perfetto/trace/ of
 * https://github.com/google/perfetto, whose field numbers are fixed for ever.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/export/export.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"

enum {
	TRACE_PACKET = 1,

	PACKET_CLOCKS = 6, PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_TRACK_EVENT = 11, PACKET_DESCRIPTOR = 60,

	DESCRIPTOR_UUID = 1, DESCRIPTOR_NAME = 2, DESCRIPTOR_PARENT = 5, DESCRIPTOR_COUNTER = 8,

	COUNTER_UNIT_NAME = 6,

	CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2, CLOCK_REALTIME_ID = 1, CLOCK_BOOTTIME_ID = 6,

	ANNOTATION_UINT = 3, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10,

	EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_DOUBLE = 44,

	TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_COUNTER = 4,
};

/* Wire types */
enum {
	WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_BYTES = 2,
};

/* A message that is being built. The longest one contains a name. */
struct message {
	unsigned char data[1024];
	size_t size;
};

static void put_varint(struct message *m, uint64_t value)
{
	for (; value > 127; value >>= 7)
		m->data[m->size++] = value | 128;
	m->data[m->size++] = value;
}

static void put_number(struct message *m, unsigned int field, uint64_t value)
{
	put_varint(m, field << 3 | WIRE_VARINT);
	put_varint(m, value);
}

static void put_double(struct message *m, unsigned int field, double value)
{
	uint64_t bits;

	put_varint(m, field << 3 | WIRE_64_BITS);
	memcpy(&bits, &value, sizeof(bits));
	for (int i = 0; i < 8; i++)
		m->data[m->size++] = bits >> 8 * i;
}

static void put_bytes(struct message *m, unsigned int field, const void *bytes, size_t size)
{
	put_varint(m, field << 3 | WIRE_BYTES);
	put_varint(m, size);
	memcpy(m->data + m->size, bytes, size);
	m->size += size;
}

static void put_string(struct message *m, unsigned int field, const char *text)
{
	size_t size = strlen(text);

	put_bytes(m, field, text, size < 500 ? size : 500);
}

static void put_message(struct message *m, unsigned int field, const struct message *inner)
{
	put_bytes(m, field, inner->data, inner->size);
}

/* Writes a packet of the trace. All packets belong to one sequence. */
static void write_packet(FILE *out, uint64_t time, unsigned int field, const struct message *body)
{
	struct message packet = { .size = 0 }, trace = { .size = 0 };

	if (time)
		put_number(&packet, PACKET_TIMESTAMP, time);
	put_number(&packet, PACKET_SEQUENCE, 1);
	put_message(&packet, field, body);
	put_message(&trace, TRACE_PACKET, &packet);
	fwrite(trace.data, 1, trace.size, out);
}

/* unit is that of a counter, or NULL for a track of slices and for a group. */
static void write_track(FILE *out, uint64_t uuid, uint64_t parent, const char *name, const char *unit)
{
	struct message track = { .size = 0 }, counter = { .size = 0 };

	put_number(&track, DESCRIPTOR_UUID, uuid);
	put_string(&track, DESCRIPTOR_NAME, name);
	if (parent)
		put_number(&track, DESCRIPTOR_PARENT, parent);
	if (unit) {
		put_string(&counter, COUNTER_UNIT_NAME, unit);
		put_message(&track, DESCRIPTOR_COUNTER, &counter);
	}
	write_packet(out, 0, PACKET_DESCRIPTOR, &track);
}

static void write_value(FILE *out, uint64_t time, uint64_t uuid, double value)
{
	struct message event = { .size = 0 };

	put_number(&event, EVENT_TYPE, TYPE_COUNTER);
	put_number(&event, EVENT_TRACK, uuid);
	put_double(&event, EVENT_DOUBLE, value);
	write_packet(out, time, PACKET_TRACK_EVENT, &event);
}

/*
 * Packets without a clock have times of CLOCK_BOOTTIME. This trace has the recording's times there. The snapshot
 * relates them to the time of day.
 */
static void write_clock(FILE *out, const struct recording *rec)
{
	const struct {
		unsigned int id;
		uint64_t time;
	} clocks[] = { { CLOCK_BOOTTIME_ID, rec->start }, { CLOCK_REALTIME_ID, rec->realtime } };
	struct message snapshot = { .size = 0 };

	for (size_t i = 0; i < COUNT_OF(clocks); i++) {
		struct message clock = { .size = 0 };

		put_number(&clock, CLOCK_ID, clocks[i].id);
		put_number(&clock, CLOCK_TIMESTAMP, clocks[i].time);
		put_message(&snapshot, CLOCKS_CLOCK, &clock);
	}
	write_packet(out, rec->start, PACKET_CLOCKS, &snapshot);
}

static void put_argument(struct message *event, const char *name, unsigned int field, const char *text, uint64_t number)
{
	struct message annotation = { .size = 0 };

	put_string(&annotation, ANNOTATION_NAME, name);
	if (text)
		put_bytes(&annotation, field, text, strnlen(text, 200));
	else
		put_number(&annotation, field, number);
	put_message(event, EVENT_ANNOTATION, &annotation);
}

static void write_slice(FILE *out, const struct rec_mark *mark, uint64_t uuid)
{
	struct message begin = { .size = 0 }, end = { .size = 0 };
	char *name = mark_is_phase(mark) ? format_text("%s", mark->user) :
		     format_text("%s (%u)", mark->user, mark->pid);

	put_number(&begin, EVENT_TYPE, TYPE_SLICE_BEGIN);
	put_number(&begin, EVENT_TRACK, uuid);
	put_string(&begin, EVENT_NAME, name);
	put_argument(&begin, "device", ANNOTATION_STRING, mark->device, 0);
	put_argument(&begin, mark_is_phase(mark) ? "phase" : "program", ANNOTATION_STRING, mark->user, 0);
	if (*mark->about)
		put_argument(&begin, "about", ANNOTATION_STRING, mark->about, 0);
	put_argument(&begin, "pid", ANNOTATION_UINT, NULL, mark->pid);
	put_argument(&begin, "nanoseconds", ANNOTATION_UINT, NULL, mark->end - mark->begin);
	write_packet(out, mark->begin, PACKET_TRACK_EVENT, &begin);
	put_number(&end, EVENT_TYPE, TYPE_SLICE_END);
	put_number(&end, EVENT_TRACK, uuid);
	write_packet(out, mark->end, PACKET_TRACK_EVENT, &end);
	free(name);
}

/* Identifiers of tracks: PMUs, then counters, devices, places. */
static uint64_t pmu_track(size_t pmu)
{
	return 1 + pmu;
}

static uint64_t counter_track(const struct recording *rec, size_t counter)
{
	return 1 + rec->npmus + counter;
}

static uint64_t device_track(const struct recording *rec, size_t first_mark)
{
	return 1 + rec->npmus + rec->ncounters + first_mark;
}

static uint64_t place_track(const struct recording *rec, size_t pmu, size_t place)
{
	uint64_t track = 1 + rec->npmus + rec->ncounters + rec->nmarks + place;

	while (pmu--)
		track += rec->pmu[pmu].nplaces;
	return track;
}

/* Returns the track above a counter's: that of its tile, DPU or thread, or that of its PMU. */
static uint64_t parent_track(const struct recording *rec, const struct rec_counter *counter)
{
	const struct rec_pmu *pmu = &rec->pmu[counter->pmu];

	for (size_t i = 0; i < pmu->nplaces; i++)
		if ((int)pmu->place[i].number == counter->place)
			return place_track(rec, counter->pmu, i);
	return pmu_track(counter->pmu);
}

static bool has_counters(const struct recording *rec, uint64_t place)
{
	for (size_t i = 0; i < rec->ncounters; i++)
		if (parent_track(rec, &rec->counter[i]) == place)
			return true;
	return false;
}

static void write_groups(FILE *out, const struct recording *rec, size_t pmu)
{
	const struct rec_pmu *p = &rec->pmu[pmu];

	write_track(out, pmu_track(pmu), 0, p->name, NULL);
	for (size_t i = 0; i < p->nplaces; i++) {
		const struct rec_place *place = &p->place[i];
		char *name = format_text("%s %u %s", p->noun, place->number, *place->device ? place->device : place->kind);

		if (has_counters(rec, place_track(rec, pmu, i)))
			write_track(out, place_track(rec, pmu, i), pmu_track(pmu), name, NULL);
		free(name);
	}
}

static size_t first_mark_of(const struct recording *rec, const char *device)
{
	size_t i = 0;

	while (strcmp(rec->mark[i].device, device))
		i++;
	return i;
}

/* Writes rates: a value at the begin of each interval in which it changes. */
static void write_counter(FILE *out, const struct recording *rec, size_t index, const uint64_t *bins)
{
	const struct rec_counter *counter = &rec->counter[index];
	size_t rows = recording_rows(rec), i;
	char *unit = format_text("%s/s", counter->unit);

	write_track(out, counter_track(rec, index), parent_track(rec, counter), counter->event, unit);
	free(unit);
	for (i = 0; i < rows; i++) {
		if (i && bins[i] == bins[i - 1])
			continue;
		write_value(out, rec->start + i * rec->interval, counter_track(rec, index),
			    bins[i] * counter->scale * 1e9 / rec->interval);
	}
	write_value(out, rec->stop, counter_track(rec, index), 0);
}

void export_perfetto(const struct recording *rec, FILE *out)
{
	struct rec_table *table = rec_table_new(rec, 0, rec->interval, recording_rows(rec));
	size_t i;

	write_clock(out, rec);
	for (i = 0; i < rec->npmus; i++)
		write_groups(out, rec, i);
	for (i = 0; i < rec->nmarks; i++)
		if (first_mark_of(rec, rec->mark[i].device) == i)
			write_track(out, device_track(rec, i), 0, rec->mark[i].device, NULL);
	for (i = 0; i < rec->nmarks; i++)
		write_slice(out, &rec->mark[i],
			    device_track(rec, first_mark_of(rec, rec->mark[i].device)));
	for (i = 0; i < rec->ncounters; i++) {
		write_counter(out, rec, i, rec_table_row(table, &rec->counter[i]));
		progress("writing the trace", (double)(i + 1) / rec->ncounters);
	}
	rec_table_free(table);
}
