// SPDX-License-Identifier: GPL-2.0-only
/* Reads perf.data: nothing in the file is believed before it was checked. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/monctl/monctl.h"
#include "tools/monctl/perfdata.h"

static bool is_within(const struct perfdata_file *file, const struct perfdata_section *section)
{
	return section->offset <= file->size && section->size <= file->size - section->offset &&
	       !(section->offset % 8);
}

static const char *check_header(struct perfdata_file *file)
{
	const struct perfdata_header *h = file->header;

	if (file->size < sizeof(*h) || h->magic != PERFDATA_MAGIC)
		return "not a perf.data file of this machine's byte order";
	file->attr_size = h->attr_size;
	if (file->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
	    file->attr_size > 4096 || file->attr_size % 8 || !is_within(file, &h->attrs) ||
	    h->data.offset > file->size || h->data.offset % 8)
		return "damaged: a part lies outside of the file";
	file->data = h->data;
	file->is_cut = !h->data.size || h->data.size > file->size - h->data.offset;
	if (file->is_cut)
		file->data.size = file->size - h->data.offset;
	file->nattrs = h->attrs.size / file->attr_size;
	return NULL;
}

int perfdata_open(struct perfdata_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *problem;
	struct stat st;
	void *base;

	memset(file, 0, sizeof(*file));
	if (fd < 0 || fstat(fd, &st)) {
		mon_fail(errno, "%s: %s%s", path, strerror(errno),
			 errno == ENOENT ? ": record it with monctl record" : "");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	file->size = st.st_size;
	base = file->size ? mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (base == MAP_FAILED)
		return mon_fail(EINVAL, "%s: %s", path, st.st_size ? strerror(errno) : "empty");
	file->base = base;
	file->header = base;
	problem = check_header(file);
	if (!problem)
		return 0;
	perfdata_close(file);
	return mon_fail(EINVAL, "%s: %s", path, problem);
}

void perfdata_close(struct perfdata_file *file)
{
	if (file->base)
		munmap((void *)file->base, file->size);
	memset(file, 0, sizeof(*file));
}

static bool has_feature(const struct perfdata_file *file, unsigned int feature)
{
	return file->header->features[feature / 64] >> feature % 64 & 1;
}

const void *perfdata_feature(const struct perfdata_file *file, unsigned int feature, size_t *size)
{
	const struct perfdata_header *h = file->header;
	struct perfdata_section table = { .offset = h->data.offset + h->data.size }, section;
	size_t before = 0;

	if (file->is_cut || !has_feature(file, feature))
		return NULL;
	for (unsigned int f = 0; f < feature; f++)
		before += has_feature(file, f);
	table.offset += before * sizeof(section);
	table.size = sizeof(section);
	if (table.offset > file->size || table.size > file->size - table.offset)
		return NULL;
	memcpy(&section, file->base + table.offset, sizeof(section));
	if (section.offset > file->size || section.size > file->size - section.offset)
		return NULL;
	*size = section.size;
	return file->base + section.offset;
}

const char *perfdata_text(const struct perfdata_file *file, size_t *size)
{
	const struct perfdata_section *first = &file->header->event_types;

	if (!file->is_cut)
		return perfdata_feature(file, PERFDATA_MONCTL, size);
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

const struct perf_event_header *perfdata_next(const struct perfdata_file *file, size_t *offset)
{
	const struct perfdata_section *data = &file->data;
	const struct perf_event_header *record;

	if (*offset >= data->size || data->size - *offset < sizeof(*record))
		return NULL;
	record = (const void *)(file->base + data->offset + *offset);
	if (record->size < sizeof(*record) || record->size % 8 || record->size > data->size - *offset)
		return NULL;
	*offset += record->size;
	return record;
}
