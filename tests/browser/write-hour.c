// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: write-hour FILE SAMPLES EVENTS: a recording of a 3x2 SoC, a sample each 10 ms, EVENTS counters in each of its 6
 * tiles. Event 0 counts 1000 * (tile + 1) in each interval; in the interval that ends with sample SAMPLES / 2 tile 5
 * counts a million more, a peak that only a page of single samples shows. Of the others each second one stands still,
 * and the rest counts up to 65535 at random.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"

#define TILES 6
#define INTERVAL 10000000ull
#define START 1000000000ull

struct record {
	struct perfdata_sample sample;
	struct perfdata_reading reading;
	struct perfdata_value member[];
};

static char *describe(size_t samples, size_t events)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\ncommand\tmade\nstart\t%llu\t1700000000000000000\nstop\t%llu\ninterval\t%llu\n"
		"pmu\tespmon\ttile\t78000000\n", START, START + samples * INTERVAL, INTERVAL);
	for (size_t t = 0; t < TILES; t++)
		fprintf(out, "place\t%zu\tacc\tfft\tfft.%zu\t%zu\t%zu\n", t, t, t / 3, t % 3);
	for (size_t e = 0; e < events; e++)
		for (size_t t = 0; t < TILES; t++)
			fprintf(out, "counter\t%zu\tevent_%zu\t%zu\tflits\t1\tAn event\n", 1 + e * TILES + t, e, t);
	fclose(out);
	return text;
}

static uint64_t counted(size_t sample, size_t samples, size_t event, size_t tile)
{
	static uint32_t seed = 1;

	if (!event)
		return 1000 * (tile + 1) + (tile == TILES - 1 && sample == samples / 2 ? 1000000 : 0);
	if (event % 2)
		return 0;
	seed = seed * 1664525 + 1013904223;
	return seed >> 16;
}

int main(int argc, char **argv)
{
	static char *const command[] = { "made", NULL };
	size_t samples = argc == 4 ? strtoul(argv[2], NULL, 10) : 0, events = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	size_t members = TILES * events + 1, size = sizeof(struct record) + members * sizeof(struct perfdata_value);
	struct perfdata_event *event = calloc(members, sizeof(*event));
	struct record *record = calloc(1, size);
	uint64_t *ids = calloc(members, sizeof(*ids));
	struct perfdata_writer *w;
	char *text;

	if (!samples || !events || size > UINT16_MAX || !event || !record || !ids)
		return 2;
	for (size_t i = 0; i < members; i++) {
		record->member[i].id = ids[i] = 1 + i;
		event[i] = (struct perfdata_event){
			.name = i ? "event" : "cpu-clock", .ids = &ids[i], .nids = 1, .members = i ? 0 : members,
			.attr = { .size = sizeof(struct perf_event_attr), .sample_type = PERFDATA_COUNTER_SAMPLE,
				  .read_format = PERFDATA_READ_FORMAT },
		};
	}
	text = describe(samples, events);
	w = perfdata_create(argv[1], event, members, text);
	if (!w)
		die_mon();
	record->sample.header = (struct perf_event_header){ .type = PERF_RECORD_SAMPLE, .size = size };
	record->sample.id = ids[0];
	record->reading.count = members;
	for (size_t n = 0; n <= samples; n++) {
		record->sample.time = START + n * INTERVAL;
		for (size_t i = 1; n && i < members; i++)
			record->member[i].value += counted(n, samples, (i - 1) / TILES, (i - 1) % TILES);
		if (perfdata_append(w, record, size))
			die_mon();
	}
	if (perfdata_finish(w, command, text, NULL, 0))
		die_mon();
	free(text);
	free(event);
	free(record);
	free(ids);
	return 0;
}
