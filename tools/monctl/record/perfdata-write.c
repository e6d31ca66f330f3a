// SPDX-License-Identifier: GPL-2.0-only
/* Writes perf.data. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <xxhash.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"

/* Strings are padded to a multiple of this. */
#define NAME_ALIGN 64

struct perfdata_writer {
	FILE *file;
	char *path;
	const struct perfdata_event *events;
	size_t count;
	struct perfdata_header header;
	uint64_t *sum;			/* PERFDATA_SUMS; those of the blocks that have ended are set */
	XXH3_state_t *block;		/* of the last one, which has not */
};

static int write_failed(const struct perfdata_writer *w)
{
	return mon_fail(errno, "%s: cannot write: %s", w->path, strerror(errno));
}

static void write_words(struct perfdata_writer *w, const void *words, size_t size)
{
	fwrite(words, 1, size, w->file);
}

static void write_u32(struct perfdata_writer *w, uint32_t value)
{
	write_words(w, &value, sizeof(value));
}

static void write_string(struct perfdata_writer *w, const char *text)
{
	static const char zeros[NAME_ALIGN];
	size_t size = strlen(text) + 1, padded = (size + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

	write_u32(w, padded);
	write_words(w, text, size);
	write_words(w, zeros, padded - size);
}

static void write_attrs(struct perfdata_writer *w)
{
	uint64_t ids = sizeof(w->header);
	struct perfdata_attr entry;
	size_t i;

	for (i = 0; i < w->count; i++)
		write_words(w, w->events[i].ids, w->events[i].nids * sizeof(uint64_t));
	w->header.attrs.offset = ftell(w->file);
	w->header.attrs.size = w->count * sizeof(entry);
	for (i = 0; i < w->count; i++) {
		entry.attr = w->events[i].attr;
		entry.ids.offset = ids;
		entry.ids.size = w->events[i].nids * sizeof(uint64_t);
		ids += entry.ids.size;
		write_words(w, &entry, sizeof(entry));
	}
}

/* Writes the description before the records. The header names it even if the file has no end. */
static void write_first_text(struct perfdata_writer *w, const char *text)
{
	static const char zeros[8];
	size_t size = strlen(text);

	w->header.event_types = (struct perfdata_section){ .offset = ftell(w->file), .size = size };
	write_words(w, text, size);
	write_words(w, zeros, -size % sizeof(zeros));
}

static void free_writer(struct perfdata_writer *w)
{
	if (w->file)
		fclose(w->file);
	free(w->path);
	free(w->sum);
	XXH3_freeState(w->block);
	free(w);
}

struct perfdata_writer *perfdata_create(const char *path, const struct perfdata_event *events,
					size_t count, const char *text)
{
	struct perfdata_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		mon_fail(ENOMEM, "%s: out of memory", path);
		return NULL;
	}
	w->path = strdup(path);
	w->sum = malloc(PERFDATA_SUMS_BESIDE * sizeof(*w->sum));
	w->block = XXH3_createState();
	if (!w->path || !w->sum || !w->block) {
		mon_fail(ENOMEM, "%s: out of memory", path);
		free_writer(w);
		return NULL;
	}
	w->events = events;
	w->count = count;
	w->file = fopen(path, "w+e");
	if (!w->file) {
		mon_fail(errno, "%s: cannot create: %s", path, strerror(errno));
		free_writer(w);
		return NULL;
	}
	w->header = (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(w->header),
		.attr_size = sizeof(struct perfdata_attr),
	};
	write_words(w, &w->header, sizeof(w->header));
	write_attrs(w);
	write_first_text(w, text);
	w->header.data.offset = ftell(w->file);
	rewind(w->file);
	write_words(w, &w->header, sizeof(w->header));
	fseek(w->file, 0, SEEK_END);
	if (!perfdata_flush(w))
		return w;
	free_writer(w);
	return NULL;
}

static size_t block_count(const struct perfdata_writer *w)
{
	return (w->header.data.size + PERFDATA_BLOCK - 1) / PERFDATA_BLOCK;
}

static void end_block(struct perfdata_writer *w)
{
	w->sum[block_count(w)] = XXH3_64bits_digest(w->block);
}

static int add_sums(struct perfdata_writer *w, const unsigned char *records, size_t size)
{
	while (size) {
		size_t used = w->header.data.size % PERFDATA_BLOCK;
		size_t part = size < PERFDATA_BLOCK - used ? size : PERFDATA_BLOCK - used;

		if (!used) {
			uint64_t *larger = realloc(w->sum, (block_count(w) + 1 + PERFDATA_SUMS_BESIDE) * sizeof(*larger));

			if (!larger)
				return mon_fail(ENOMEM, "%s: out of memory", w->path);
			w->sum = larger;
			XXH3_64bits_reset(w->block);
		}
		XXH3_64bits_update(w->block, records, part);
		w->header.data.size += part;
		if (used + part == PERFDATA_BLOCK)
			end_block(w);
		records += part;
		size -= part;
	}
	return 0;
}

int perfdata_append(struct perfdata_writer *w, const void *records, size_t size)
{
	if (add_sums(w, records, size))
		return -1;
	return fwrite(records, 1, size, w->file) == size ? 0 : write_failed(w);
}

int perfdata_flush(struct perfdata_writer *w)
{
	return fflush(w->file) || ferror(w->file) ? write_failed(w) : 0;
}

static void write_event_names(struct perfdata_writer *w)
{
	write_u32(w, w->count);
	write_u32(w, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < w->count; i++) {
		const struct perfdata_event *event = &w->events[i];

		write_words(w, &event->attr, sizeof(event->attr));
		write_u32(w, event->nids);
		write_string(w, event->name);
		write_words(w, event->ids, event->nids * sizeof(uint64_t));
	}
}

static void write_groups(struct perfdata_writer *w)
{
	uint32_t groups = 0;
	size_t i;

	for (i = 0; i < w->count; i++)
		groups += w->events[i].members > 1;
	write_u32(w, groups);
	for (i = 0; i < w->count; i++) {
		if (w->events[i].members < 2)
			continue;
		write_string(w, "{anon_group}");
		write_u32(w, i);
		write_u32(w, w->events[i].members);
	}
}

static void write_cpus(struct perfdata_writer *w)
{
	write_u32(w, sysconf(_SC_NPROCESSORS_CONF));
	write_u32(w, sysconf(_SC_NPROCESSORS_ONLN));
}

static void write_command(struct perfdata_writer *w, char *const command[])
{
	uint32_t n = 0;

	while (command[n])
		n++;
	write_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		write_string(w, command[i]);
}

static void write_feature(struct perfdata_writer *w, unsigned int feature, char *const command[],
			  const char *text, const void *tracing, size_t tracing_size)
{
	struct utsname uts;

	uname(&uts);
	switch (feature) {
	case PERFDATA_TRACING:
		write_words(w, tracing, tracing_size);
		break;
	case PERFDATA_HOSTNAME:
		write_string(w, uts.nodename);
		break;
	case PERFDATA_RELEASE:
		write_string(w, uts.release);
		break;
	case PERFDATA_ARCH:
		write_string(w, uts.machine);
		break;
	case PERFDATA_CPUS:
		write_cpus(w);
		break;
	case PERFDATA_COMMAND:
		write_command(w, command);
		break;
	case PERFDATA_EVENTS:
		write_event_names(w);
		break;
	case PERFDATA_GROUPS:
		write_groups(w);
		break;
	case PERFDATA_MONCTL:
		write_words(w, text, strlen(text));
		break;
	}
}

/* Writes the section whose place and size the table and the header have already. */
static void write_sums(struct perfdata_writer *w, long at)
{
	const struct perfdata_file file = { .fd = fileno(w->file) };
	size_t blocks = block_count(w), n = blocks + PERFDATA_SUMS_BESIDE;

	if (w->header.data.size % PERFDATA_BLOCK)
		end_block(w);
	fflush(w->file);
	w->sum[0] = perfdata_sum(&file, 0, w->header.data.offset);
	w->sum[blocks + 1] = perfdata_sum(&file, w->header.data.offset + w->header.data.size, at);
	w->sum[n - 1] = XXH3_64bits(w->sum, (n - 1) * sizeof(*w->sum));
	fseek(w->file, at, SEEK_SET);
	write_words(w, w->sum, n * sizeof(*w->sum));
}

/* Writes a table of all sections after the records, then the sections. */
static void write_features(struct perfdata_writer *w, char *const command[], const char *text,
			   const void *tracing, size_t tracing_size)
{
	static const unsigned int features[] = {
		PERFDATA_TRACING, PERFDATA_HOSTNAME, PERFDATA_RELEASE, PERFDATA_ARCH, PERFDATA_CPUS,
		PERFDATA_COMMAND, PERFDATA_EVENTS, PERFDATA_GROUPS, PERFDATA_MONCTL,
		PERFDATA_SUMS,
	};
	const size_t count = sizeof(features) / sizeof(features[0]);
	struct perfdata_section section[sizeof(features) / sizeof(features[0])], *sums = &section[count - 1];
	long table = w->header.data.offset + w->header.data.size;
	size_t first = tracing_size ? 0 : 1, i;	/* the first may be missing */

	fseek(w->file, table + (count - first) * sizeof(section[0]), SEEK_SET);
	for (i = first; i < count; i++) {
		section[i].offset = ftell(w->file);
		write_feature(w, features[i], command, text, tracing, tracing_size);
		section[i].size = ftell(w->file) - section[i].offset;
		w->header.features[features[i] / 64] |= 1ull << features[i] % 64;
	}
	sums->size = (block_count(w) + PERFDATA_SUMS_BESIDE) * sizeof(*w->sum);
	fseek(w->file, table, SEEK_SET);
	write_words(w, section + first, (count - first) * sizeof(section[0]));
	rewind(w->file);
	write_words(w, &w->header, sizeof(w->header));
	write_sums(w, sums->offset);
}

int perfdata_finish(struct perfdata_writer *w, char *const command[], const char *text,
		    const void *tracing, size_t tracing_size)
{
	int ret;

	write_features(w, command, text, tracing, tracing_size);
	ret = ferror(w->file) | fclose(w->file) ? write_failed(w) : 0;
	w->file = NULL;
	free_writer(w);
	return ret;
}
