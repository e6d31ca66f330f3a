/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file format of perf: tools/perf/Documentation/perf.data-file-format.txt of Linux, and for what it
 * leaves out tools/perf/util/header.c. All numbers are of this machine's byte order.
 */
#ifndef MONCTL_PERFDATA_H
#define MONCTL_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#define PERFDATA_MAGIC 0x32454c4946524550ull	/* "PERFILE2" */

/* Bits of the header's features, each a section after the records. */
enum {
	PERFDATA_TRACING = 1,		/* formats of tracepoints */
	PERFDATA_HOSTNAME = 3,
	PERFDATA_RELEASE = 4,
	PERFDATA_ARCH = 6,
	PERFDATA_CPUS = 7,
	PERFDATA_COMMAND = 11,
	PERFDATA_EVENTS = 12,		/* names */
	PERFDATA_GROUPS = 16,
	PERFDATA_KNOWN = 64,		/* perf does not look at the bits beyond its own */
	PERFDATA_MONCTL = 200,		/* ours: what recording.h describes */
	PERFDATA_SUMS = 202,		/* ours, the last section: checksums of all before it */
	PERFDATA_FEATURES = 256,
};

struct perfdata_section {
	uint64_t offset, size;
};

struct perfdata_header {
	uint64_t magic, size, attr_size;
	struct perfdata_section attrs, data;
	struct perfdata_section event_types;	/* perf ignores it: our text as it was before the records */
	uint64_t features[PERFDATA_FEATURES / 64];
};

/*
 * PERFDATA_SUMS holds checksums, the 64 bits of XXH3: of what precedes the records, of each block of the records, of
 * what follows them up to this section, and of these checksums. A file that was never finished has none, nor has one of
 * monctl before 0.2.
 */
#define PERFDATA_BLOCK (16 * 1024)
#define PERFDATA_SUMS_BESIDE 3		/* those that are not of blocks */

struct perfdata_attr {
	struct perf_event_attr attr;
	struct perfdata_section ids;
};

/* What of a sample is written for a counter, and for a mark; the order in a record is perf's. */
#define PERFDATA_BOTH (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		       PERF_SAMPLE_CPU)
#define PERFDATA_COUNTER_SAMPLE (PERFDATA_BOTH | PERF_SAMPLE_READ)
#define PERFDATA_MARK_SAMPLE (PERFDATA_BOTH | PERF_SAMPLE_RAW)
#define PERFDATA_READ_FORMAT (PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | \
			      PERF_FORMAT_TOTAL_TIME_RUNNING)

/* The part that both have, and what follows it in a counter's. */
struct perfdata_sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;			/* perf script asks for it */
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

struct perfdata_value {
	uint64_t value, id;
};

struct perfdata_reading {
	uint64_t count, enabled, running;
	struct perfdata_value member[];
};

/* ---- writing ---- */

struct perfdata_event {
	const char *name;
	struct perf_event_attr attr;
	uint64_t *ids;			/* one for each CPU on which it was opened */
	size_t nids;
	size_t members;			/* of a group's leader: itself and those that follow; else 0 */
};

struct perfdata_writer;

/*
 * NULL after a message in mon_error(). events must stay until the file is finished. text is what
 * PERFDATA_MONCTL can say already: with it a file that is never finished can be read.
 */
struct perfdata_writer *perfdata_create(const char *path, const struct perfdata_event *events,
					size_t count, const char *text);
/* Whole records, as they are in perf's buffers. */
int perfdata_append(struct perfdata_writer *writer, const void *records, size_t size);
/* Hands what was appended to the system: it stays if the program is killed. */
int perfdata_flush(struct perfdata_writer *writer);
/*
 * Writes the sections after the records and the header. text is PERFDATA_MONCTL's; tracing may be
 * empty; command ends with NULL. Frees the writer in any case.
 */
int perfdata_finish(struct perfdata_writer *writer, char *const command[], const char *text,
		    const void *tracing, size_t tracing_size);
/* ---- reading ---- */

struct perfdata_file {
	int fd;
	size_t size;
	unsigned char *base;		/* what precedes the records */
	const struct perfdata_header *header;
	unsigned char *window, *feature;	/* of the records; of a section that was asked for */
	size_t window_at, window_size;
	struct perfdata_section data;
	size_t nattrs;
	size_t attr_size;
	bool is_cut;			/* never finished, damaged, or its end is missing: there are no features */
	uint64_t damage;		/* the offset of the first damage that the checksums have shown; 0: none */
	uint64_t *sum;			/* PERFDATA_SUMS, or NULL */
	size_t checked;			/* of the records, compared with their checksums */
};

/*
 * Opens the file and checks that its parts lie within it, and the checksums of all but the records. These are read piece by
 * piece; their checksums are compared when they are read for the first time, which has to be in order. They may end early,
 * and they end before a damage: close the file then, and open it again with its damage, to have it as one that is cut there.
 * damage is 0 at first.
 */
int perfdata_open(struct perfdata_file *file, const char *path, uint64_t damage);
void perfdata_close(struct perfdata_file *file);
/* The checksum of a part of a file, of which the descriptor is enough. */
uint64_t perfdata_sum(const struct perfdata_file *file, uint64_t from, uint64_t to);
/* PERFDATA_MONCTL's, or of a file that is cut the text that was written first; NULL: perf's own file. */
const char *perfdata_text(struct perfdata_file *file, size_t *size);
/* false: there is no such attribute, or its identifiers are not in the file. */
bool perfdata_get_attr(const struct perfdata_file *file, size_t index, struct perf_event_attr *attr,
		       const uint64_t **ids, size_t *nids);
/*
 * The record at *offset of the data, then *offset is the next one's; NULL at the end or at nonsense. Valid until the
 * next call.
 */
const struct perf_event_header *perfdata_next(struct perfdata_file *file, size_t *offset);

#endif
