// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace in Perfetto's format: protocol buffers after protos/perfetto/trace/ of
 * https://github.com/google/perfetto, whose field numbers are fixed for ever.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/export.h"
#include "tools/monctl/mark.h"
#include "tools/monctl/monctl.h"

enum {
	TRACE_PACKET = 1,

	PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_TRACK_EVENT = 11, PACKET_DESCRIPTOR = 60,

	DESCRIPTOR_UUID = 1, DESCRIPTOR_NAME = 2, DESCRIPTOR_PARENT = 5, DESCRIPTOR_COUNTER = 8,

	EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_DOUBLE = 44,

	TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_COUNTER = 4,
};

/* Wire types */
enum {
	WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_BYTES = 2,
};

/* A message that is being put together; the longest has a name in it. */
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

/* A packet of the trace; all are of one sequence. */
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

static void write_track(FILE *out, uint64_t uuid, uint64_t parent, const char *name, bool is_counter)
{
	struct message track = { .size = 0 };

	put_number(&track, DESCRIPTOR_UUID, uuid);
	put_string(&track, DESCRIPTOR_NAME, name);
	if (parent)
		put_number(&track, DESCRIPTOR_PARENT, parent);
	if (is_counter)
		put_bytes(&track, DESCRIPTOR_COUNTER, "", 0);
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

static void write_slice(FILE *out, const struct rec_mark *mark, uint64_t uuid)
{
	struct message begin = { .size = 0 }, end = { .size = 0 };
	char *name = mark_is_phase(mark) ? format_text("%s", mark->user) :
					   format_text("%s (%u)", mark->user, mark->pid);

	put_number(&begin, EVENT_TYPE, TYPE_SLICE_BEGIN);
	put_number(&begin, EVENT_TRACK, uuid);
	put_string(&begin, EVENT_NAME, name);
	write_packet(out, mark->begin, PACKET_TRACK_EVENT, &begin);
	put_number(&end, EVENT_TYPE, TYPE_SLICE_END);
	put_number(&end, EVENT_TRACK, uuid);
	write_packet(out, mark->end, PACKET_TRACK_EVENT, &end);
	free(name);
}

/* Identifiers of tracks: PMUs, then counters, then devices. */
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

static size_t first_mark_of(const struct recording *rec, const char *device)
{
	size_t i = 0;

	while (strcmp(rec->mark[i].device, device))
		i++;
	return i;
}

/* Rates, a value at the begin of each interval; one that stays as it is is not written again. */
static void write_counter(FILE *out, const struct recording *rec, size_t index, const uint64_t *bins)
{
	const struct rec_counter *counter = &rec->counter[index];
	size_t rows = recording_rows(rec), i;
	char *name = recording_counter_name(rec, counter), *label;

	label = format_text("%s %s/s", name, counter->unit);
	write_track(out, counter_track(rec, index), pmu_track(counter->pmu), label, true);
	free(label);
	free(name);
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

	for (i = 0; i < rec->npmus; i++)
		write_track(out, pmu_track(i), 0, rec->pmu[i].name, false);
	for (i = 0; i < rec->nmarks; i++)
		if (first_mark_of(rec, rec->mark[i].device) == i)
			write_track(out, device_track(rec, i), 0, rec->mark[i].device, false);
	for (i = 0; i < rec->nmarks; i++)
		write_slice(out, &rec->mark[i],
			    device_track(rec, first_mark_of(rec, rec->mark[i].device)));
	for (i = 0; i < rec->ncounters; i++) {
		write_counter(out, rec, i, rec_table_row(table, &rec->counter[i]));
		progress("writing the trace", (double)(i + 1) / rec->ncounters);
	}
	rec_table_free(table);
}
