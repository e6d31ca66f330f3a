// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/monctl/fixture.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"

#define COUNTERS (FIXTURE_TILES * FIXTURE_EVENTS)

enum {
	CLOCK_ESP, FIRST_ESP, CLOCK_UPMEM = FIRST_ESP + COUNTERS, UPMEM, BEGIN, END, EVENTS,
};

/* The fields of a run's tracepoints, as in the description below. */
struct run_fields {
	uint64_t common;
	char device[16];
	uint32_t place, pid;
	char user[16];
	char about[16];
};

static uint64_t ids[EVENTS];
static struct perfdata_event events[EVENTS];

/* Not an assertion of Check: programs that are no tests write the recording, too. */
static void must(bool is)
{
	if (is)
		return;
	fprintf(stderr, "fixture: %s\n", mon_error());
	abort();
}

static void name_events(void)
{
	static char names[EVENTS][64];

	memset(events, 0, sizeof(events));
	for (size_t i = 0; i < EVENTS; i++) {
		ids[i] = 100 + i;
		snprintf(names[i], sizeof(names[i]), "event %zu", i);
		events[i] = (struct perfdata_event){
			.name = names[i], .ids = &ids[i], .nids = 1,
			.attr = { .size = sizeof(struct perf_event_attr),
				  .sample_type = i < BEGIN ? PERFDATA_COUNTER_SAMPLE :
						 PERFDATA_MARK_SAMPLE,
				  .read_format = i < BEGIN ? PERFDATA_READ_FORMAT : 0 },
		};
	}
}

static void append(struct perfdata_writer *w, size_t event, uint64_t time, const void *body, size_t size)
{
	struct perfdata_sample *sample = calloc(1, sizeof(*sample) + size);

	*sample = (struct perfdata_sample){
		.header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(*sample) + size },
		.id = ids[event], .time = FIXTURE_START + time,
	};
	memcpy(sample + 1, body, size);
	must(!perfdata_append(w, sample, sample->header.size));
	free(sample);
}

static void append_esp(struct perfdata_writer *w, uint64_t n)
{
	uint64_t body[3 + 2 * (COUNTERS + 1)] = { COUNTERS + 1, n, n, n, ids[CLOCK_ESP] };

	for (uint64_t i = 0; i < COUNTERS; i++) {
		body[5 + 2 * i] = (i / FIXTURE_TILES + 1) * (i % FIXTURE_TILES + 1) * n;
		body[6 + 2 * i] = ids[FIRST_ESP + i];
	}
	append(w, CLOCK_ESP, n * FIXTURE_INTERVAL, body, sizeof(body));
}

static void append_upmem(struct perfdata_writer *w, uint64_t n)
{
	uint64_t body[] = { 2, n, n, n, ids[CLOCK_UPMEM], 5 * n, ids[UPMEM] };

	append(w, CLOCK_UPMEM, n * FIXTURE_INTERVAL, body, sizeof(body));
}

static void append_run(struct perfdata_writer *w, size_t event, const char *device, uint64_t time)
{
	struct {
		uint32_t size;
		struct run_fields fields;
		uint32_t padding;
	} __attribute__((packed)) body = { .size = sizeof(struct run_fields) + 4 };

	snprintf(body.fields.device, sizeof(body.fields.device), "%s", device);
	snprintf(body.fields.user, sizeof(body.fields.user), "tester");
	if (!strcmp(device, "dev.0"))
		snprintf(body.fields.about, sizeof(body.fields.about), "full, 8 bytes");
	body.fields.pid = 42;
	body.fields.place = 1;
	append(w, event, time, &body, sizeof(body));
}

static char *description(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "monctl\t1\ncommand\t./run <fast>\nmachine\tdesk: Linux 6.1.0 x86_64\nstart\t%llu\t1700000000000000000\nstop\t%llu\n"
		"interval\t%llu\npmu\tespmon\ttile\t1000000\n", FIXTURE_START,
		FIXTURE_START + FIXTURE_SAMPLES * FIXTURE_INTERVAL, FIXTURE_INTERVAL);
	for (int t = 0; t < FIXTURE_TILES; t++)
		fprintf(out, "place\t%d\t%s\t%s\t%s\t%d\t%d\n", t, t ? "acc" : "cpu", t ? "dev" : "",
			t ? "dev.0" : "", t / 2, t % 2);
	for (int i = 0; i < COUNTERS; i++)
		fprintf(out, "counter\t%d\tnoc_injects_p%d\t%d\tflits\t1\tFlits of a plane\n",
			FIRST_ESP + i, i / FIXTURE_TILES, i % FIXTURE_TILES);
	fprintf(out, "pmu\tupmem\tdpu\t0\ncounter\t%d\tdpu_instructions\t-1\tinstructions\t1\tAll\n",
		UPMEM);
	for (int i = BEGIN; i <= END; i++)
		fprintf(out, "mark\t%d\tacc\t%s\t%zu:16\t%zu\t%zu\t%zu:16\t%zu:16\n", i,
			i == BEGIN ? "begin" : "end", offsetof(struct run_fields, device),
			offsetof(struct run_fields, place), offsetof(struct run_fields, pid),
			offsetof(struct run_fields, user), offsetof(struct run_fields, about));
	fclose(out);
	return text;
}

char *fixture_write(void)
{
	static char *const command[] = { "./run", NULL };
	char *path = strdup("/tmp/monctl-test-XXXXXX"), *text;
	struct perfdata_writer *w;

	close(mkstemp(path));
	name_events();
	text = description();
	w = perfdata_create(path, events, EVENTS, text);
	must(w);
	append_run(w, END, "dev.0", 30000000);
	append_run(w, BEGIN, "dev.0", 20000000);
	for (uint64_t n = 0; n <= FIXTURE_SAMPLES; n++) {
		append_esp(w, n);
		append_upmem(w, n);
	}
	append_run(w, END, "dev.1", 40000000);
	append_run(w, BEGIN, "dev.1", 50000000);
	must(!perfdata_finish(w, command, text, NULL, 0));
	free(text);
	return path;
}

struct recording *rec;
static char *rec_path;

void fixture_load(void)
{
	rec_path = fixture_write();
	rec = recording_load(rec_path);
	must(rec);
}

void fixture_unload(void)
{
	recording_free(rec);
	unlink(rec_path);
	free(rec_path);
}

char *fixture_write_changed(void (*change)(unsigned char *data, size_t size))
{
	char *path = fixture_write();
	int fd = open(path, O_RDWR);
	unsigned char *data;
	struct stat st;

	fstat(fd, &st);
	data = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	/* without checksums, as before 0.2 */
	((struct perfdata_header *)data)->features[PERFDATA_SUMS / 64] &= ~(1ull << PERFDATA_SUMS % 64);
	change(data, st.st_size);
	munmap(data, st.st_size);
	close(fd);
	return path;
}
