// SPDX-License-Identifier: GPL-2.0-only
/* Reads perf.data, and checks everything in the file before it is used. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/perfdata.h"

/* The most bytes of attributes, identifiers and description; files of monctl have some hundred KiB. */
#define MOST_BEFORE_RECORDS (256 * 1024 * 1024)
/* Bytes of records in memory; a record has at most 64 KiB. */
#define WINDOW (1024 * 1024)

/* Returns a part of the file before the records, all of which is in memory. */
static bool is_within(const struct perfdata_file *file, const struct perfdata_section *section)
{
	size_t size = file->header->data.offset;

	return section->offset <= size && section->size <= size - section->offset && !(section->offset % 8);
}

static const char *check_header(struct perfdata_file *file)
{
	const struct perfdata_header *h = file->header;

	file->attr_size = h->attr_size;
	if (file->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
	    file->attr_size > 4096 || file->attr_size % 8 || !is_within(file, &h->attrs))
		return "damaged: a part lies outside of the file";
	file->data = h->data;
	file->is_cut = !h->data.size || h->data.size > file->size - h->data.offset;
	if (file->is_cut)
		file->data.size = file->size - h->data.offset;
	file->nattrs = h->attrs.size / file->attr_size;
	return NULL;
}

/* Reads all of the bytes, or returns false. */
static bool read_at(const struct perfdata_file *file, void *to, size_t size, uint64_t offset)
{
	unsigned char *at = to;

	while (size) {
		ssize_t n = pread(file->fd, at, size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= n;
		offset += n;
	}
	return true;
}

/* Returns what is before the records, to be freed; NULL: the header is wrong. */
static const char *read_before_records(struct perfdata_file *file)
{
	struct perfdata_header header;

	if (!file->size)
		return "empty";
	if (file->size < sizeof(header) || !read_at(file, &header, sizeof(header), 0) ||
	    header.magic != PERFDATA_MAGIC)
		return "not a recording (a perf.data file of this machine's byte order)";
	if (header.data.offset < sizeof(header) || header.data.offset > file->size || header.data.offset % 8 ||
	    header.data.offset > MOST_BEFORE_RECORDS)
		return "damaged: a part lies outside of the file";
	file->base = zeros(header.data.offset, 1);
	file->window = zeros(WINDOW, 1);
	if (!read_at(file, file->base, header.data.offset, 0))
		return "cannot be read to its end";
	file->header = (const void *)file->base;
	return check_header(file);
}

static bool has_feature(const struct perfdata_file *file, unsigned int feature)
{
	return file->header->features[feature / 64] >> feature % 64 & 1;
}

/* Finds a section after the records. */
static bool find_section(const struct perfdata_file *file, unsigned int feature, struct perfdata_section *section)
{
	const struct perfdata_header *h = file->header;
	uint64_t table = h->data.offset + h->data.size;
	size_t before = 0;

	if (!has_feature(file, feature))
		return false;
	for (unsigned int f = 0; f < feature; f++)
		before += has_feature(file, f);
	return read_at(file, section, sizeof(*section), table + before * sizeof(*section)) &&
	       section->offset <= file->size && section->size <= file->size - section->offset;
}

static const void *perfdata_feature(struct perfdata_file *file, unsigned int feature, size_t *size)
{
	struct perfdata_section section;

	if (file->is_cut || !find_section(file, feature, &section))
		return NULL;
	free(file->feature);
	file->feature = zeros(section.size, 1);
	*size = section.size;
	return read_at(file, file->feature, section.size, section.offset) ? file->feature : NULL;
}

uint64_t perfdata_sum(const struct perfdata_file *file, uint64_t from, uint64_t to)
{
	XXH3_state_t *sum = XXH3_createState();
	unsigned char piece[PERFDATA_BLOCK];
	uint64_t digest;

	if (!sum)
		die("out of memory");
	XXH3_64bits_reset(sum);
	while (from < to) {
		size_t size = to - from < sizeof(piece) ? to - from : sizeof(piece);

		if (!read_at(file, piece, size, from))
			break;
		XXH3_64bits_update(sum, piece, size);
		from += size;
	}
	digest = XXH3_64bits_digest(sum);
	XXH3_freeState(sum);
	return digest;
}

/* Reads the checksums and compares what is not records with them. A reason: nothing of the file can be shown. */
static const char *check_sums(struct perfdata_file *file)
{
	const struct perfdata_section *data = &file->data;
	uint64_t end = data->offset + data->size;
	size_t n = (data->size + PERFDATA_BLOCK - 1) / PERFDATA_BLOCK + PERFDATA_SUMS_BESIDE;
	struct perfdata_section section;

	if (file->is_cut || !has_feature(file, PERFDATA_SUMS))
		return NULL;
	file->is_cut = true;
	file->damage = end;
	if (!find_section(file, PERFDATA_SUMS, &section) || section.size != n * sizeof(*file->sum))
		return NULL;
	file->sum = zeros(section.size, 1);
	if (!read_at(file, file->sum, section.size, section.offset) ||
	    XXH3_64bits(file->sum, section.size - sizeof(*file->sum)) != file->sum[n - 1]) {
		free(file->sum);
		file->sum = NULL;
		return NULL;
	}
	if (XXH3_64bits(file->base, data->offset) != file->sum[0])
		return "damaged before its first record: record it again";
	if (perfdata_sum(file, end, section.offset) == file->sum[n - 2]) {
		file->is_cut = false;
		file->damage = 0;
	}
	return NULL;
}

/* Compares the records in the window with their checksums, once. */
static bool is_whole(struct perfdata_file *file)
{
	size_t at, size;

	for (at = file->checked; file->sum && at < file->window_at + file->window_size; at += size) {
		size = file->data.size - at < PERFDATA_BLOCK ? file->data.size - at : PERFDATA_BLOCK;
		if (at < file->window_at ||
		    XXH3_64bits(file->window + (at - file->window_at), size) != file->sum[1 + at / PERFDATA_BLOCK]) {
			file->damage = file->data.offset + at;
			return false;
		}
		file->checked = at + size;
	}
	return true;
}

/* What follows the damage of an earlier reading is not read. */
static void end_at(struct perfdata_file *file, uint64_t damage)
{
	file->is_cut = true;
	file->damage = damage;
	if (damage - file->data.offset < file->data.size)
		file->data.size = damage - file->data.offset;
}

int perfdata_open(struct perfdata_file *file, const char *path, uint64_t damage)
{
	const char *problem;
	struct stat st;

	*file = (struct perfdata_file){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (file->fd < 0 || fstat(file->fd, &st)) {
		mon_fail(errno, "%s: %s%s", path, strerror(errno),
			 errno == ENOENT ? ": record it with monctl record" : "");
		perfdata_close(file);
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		perfdata_close(file);
		return mon_fail(EINVAL, "%s: not a file", path);
	}
	file->size = st.st_size;
	problem = read_before_records(file);
	if (!problem && damage)
		end_at(file, damage);
	else if (!problem)
		problem = check_sums(file);
	if (!problem)
		return 0;
	perfdata_close(file);
	return mon_fail(EINVAL, "%s: %s", path, problem);
}

void perfdata_close(struct perfdata_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->base);
	free(file->window);
	free(file->feature);
	free(file->sum);
	*file = (struct perfdata_file){ .fd = -1 };
}

const char *perfdata_text(struct perfdata_file *file, size_t *size)
{
	const struct perfdata_section *first = &file->header->event_types;

	if (!file->is_cut && !has_feature(file, PERFDATA_MONCTL))
		return NULL;
	if (!file->is_cut) {
		const char *text = perfdata_feature(file, PERFDATA_MONCTL, size);

		if (text)
			return text;
		file->is_cut = true;	/* cut after the records */
	}
	if (!first->size || !is_within(file, first))
		return NULL;
	*size = first->size;
	return (const char *)file->base + first->offset;
}

bool perfdata_get_attr(const struct perfdata_file *file, size_t index, struct perf_event_attr *attr,
		       const uint64_t **ids, size_t *nids)
{
	const unsigned char *entry;
	struct perfdata_section section;
	size_t size = file->attr_size - sizeof(section);

	if (index >= file->nattrs)
		return false;
	entry = file->base + file->header->attrs.offset + index * file->attr_size;
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, entry, size < sizeof(*attr) ? size : sizeof(*attr));
	memcpy(&section, entry + size, sizeof(section));
	if (!is_within(file, &section))
		return false;
	*ids = (const uint64_t *)(file->base + section.offset);
	*nids = section.size / sizeof(uint64_t);
	return true;
}

/* Returns a part of the records; NULL: the records end before it. */
static const void *in_window(struct perfdata_file *file, size_t offset, size_t size)
{
	size_t left = file->data.size - offset;

	if (size > left)
		return NULL;
	if (offset < file->window_at || offset + size > file->window_at + file->window_size) {
		file->window_at = offset - offset % PERFDATA_BLOCK;
		left = file->data.size - file->window_at;
		file->window_size = left < WINDOW ? left : WINDOW;
		if (!read_at(file, file->window, file->window_size, file->data.offset + file->window_at) ||
		    !is_whole(file)) {
			file->window_size = 0;
			return NULL;
		}
	}
	return file->window + (offset - file->window_at);
}

const struct perf_event_header *perfdata_next(struct perfdata_file *file, size_t *offset)
{
	const struct perf_event_header *record;

	if (*offset >= file->data.size)
		return NULL;
	record = in_window(file, *offset, sizeof(*record));
	if (!record || record->size < sizeof(*record) || record->size % 8)
		return NULL;
	record = in_window(file, *offset, record->size);
	if (record)
		*offset += record->size;
	return record;
}
