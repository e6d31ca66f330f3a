// SPDX-License-Identifier: GPL-2.0-only
/* A trace of events in JSON, as ui.perfetto.dev and Chrome's viewer read it: what has counters is a process of it. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/export/export.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"

/* Processes: 1 are the devices that run programs, then each PMU's counters of all places together, then those of its places. */
#define DEVICES 1u

static double microseconds(const struct recording *rec, uint64_t time)
{
	return (time - rec->start) / 1e3;
}

/* Names a process, or a thread of it. */
static void write_name(FILE *out, const char *what, size_t process, size_t thread, const char *name)
{
	json_print(out, ",\n{\"ph\":\"M\",\"name\":%s,\"pid\":%zu,\"tid\":%zu,\"args\":{\"name\":%s}}", what, process, thread, name);
}

/* Returns the process of a place, by its index; nplaces: that of all of them together. */
static size_t process_of(const struct recording *rec, size_t pmu, size_t place)
{
	size_t process = DEVICES + 1 + place;

	while (pmu--)
		process += rec->pmu[pmu].nplaces + 1;
	return process;
}

static void write_process(FILE *out, const struct recording *rec, size_t pmu, size_t index)
{
	const struct rec_pmu *p = &rec->pmu[pmu];
	const struct rec_place *place = &p->place[index];
	char *name = index == p->nplaces ? format_text("%s", p->name) :
		     format_text("%s: %s %u %s", p->name, p->noun, place->number, *place->device ? place->device : place->kind);

	write_name(out, "process_name", process_of(rec, pmu, index), 0, name);
	free(name);
}

static size_t first_mark_of(const struct recording *rec, const char *device)
{
	size_t i = 0;

	while (strcmp(rec->mark[i].device, device))
		i++;
	return i;
}

/* Each device is a thread, with the number of its first run. */
static void write_mark(FILE *out, const struct recording *rec, size_t index)
{
	const struct rec_mark *mark = &rec->mark[index];
	size_t thread = first_mark_of(rec, mark->device);
	char *name = mark_is_phase(mark) ? format_text("%s", mark->user) : format_text("%s (%u)", mark->user, mark->pid);

	if (thread == index)
		write_name(out, "thread_name", DEVICES, thread, mark->device);
	json_print(out, ",\n{\"ph\":\"X\",\"name\":%s,\"pid\":%u,\"tid\":%zu,\"ts\":%.15g,\"dur\":%.15g,\"args\":{\"device\":%s,%s:%s,"
		   "\"about\":%s,\"pid\":%u}}", name, DEVICES, thread, microseconds(rec, mark->begin), (mark->end - mark->begin) / 1e3,
		   mark->device, mark_is_phase(mark) ? "phase" : "program", mark->user, mark->about, mark->pid);
	free(name);
}

/* Writes rates: a value at the begin of each interval in which it changes. */
static void write_counter(FILE *out, const struct recording *rec, const struct rec_counter *counter, const uint64_t *bins)
{
	const struct rec_pmu *pmu = &rec->pmu[counter->pmu];
	size_t rows = recording_rows(rec), index = recording_place(pmu, counter->place), i;
	char *unit = format_text("%s/s", counter->unit);

	for (i = 0; i <= rows; i++) {
		double rate = i < rows ? bins[i] * counter->scale * 1e9 / rec->interval : 0;

		if (i && i < rows && bins[i] == bins[i - 1])
			continue;
		json_print(out, ",\n{\"ph\":\"C\",\"name\":%s,\"pid\":%zu,\"ts\":%.15g,\"args\":{%s:%.15g}}", counter->event,
			   process_of(rec, counter->pmu, index),
			   i < rows ? i * (rec->interval / 1e3) : microseconds(rec, rec->stop), unit, rate);
	}
	free(unit);
}

void export_perfetto(const struct recording *rec, FILE *out)
{
	struct rec_table *table = rec_table_new(rec, 0, rec->interval, recording_rows(rec));
	size_t i;

	json_print(out, "{\"otherData\":{\"command\":%s,\"begin_ns\":%llu},\n\"traceEvents\":[\n"
		   "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"runs and phases\"}}",
		   rec->command, (unsigned long long)rec->realtime, DEVICES);
	for (i = 0; i < rec->nmarks; i++)
		write_mark(out, rec, i);
	for (i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];

		write_process(out, rec, counter->pmu, recording_place(&rec->pmu[counter->pmu], counter->place));
		write_counter(out, rec, counter, rec_table_row(table, counter));
		progress("writing the trace", (double)(i + 1) / rec->ncounters);
	}
	fputs("\n]}\n", out);
	rec_table_free(table);
}
