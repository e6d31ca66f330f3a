// SPDX-License-Identifier: GPL-2.0-only
/* PMUs as sysfs describes them: type, CPU, formats and events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

struct mon_pmus {
	struct mon_pmu **pmu;
	size_t count;
};

/* Modules of this project and the PCI devices that they drive, for mon_pmu_missing(). */
static const struct {
	const char *pmu, *vendor, *device, *what;
} devices[] = {
#define MON_SYSTEM(name, pmu, prefix, vendor, product, device, modules, description) \
	{ #pmu, #vendor, #product, description " (PCI " #vendor ":" #product ")" },
#include "events/systems.def"
#undef MON_SYSTEM
};

static bool file_says(const char *dir, const char *entry, const char *file, const char *value)
{
	char *path = mon_format("%s/%s/%s", dir, entry, file);
	char *text = path ? mon_read_text(path) : NULL;
	bool same = text && !strcmp(text, value);

	free(text);
	free(path);
	return same;
}

static bool have_pci_device(const char *vendor, const char *device)
{
	char *dir = mon_format("%s/bus/pci/devices", mon_sysfs_root);
	char **names = NULL;
	size_t count = 0, i;
	bool found = false;

	if (dir && !mon_list_dir(dir, &names, &count)) {
		for (i = 0; i < count && !found; i++)
			found = file_says(dir, names[i], "vendor", vendor) &&
				file_says(dir, names[i], "device", device);
		mon_names_free(names, count);
	}
	free(dir);
	return found;
}

static bool have_module(const char *name)
{
	char *path = mon_format("%s/module/%s", mon_sysfs_root, name);
	bool found = path && mon_is_dir(path);

	free(path);
	return found;
}

int mon_pmu_missing(const char *name)
{
	bool module, device;
	size_t i;

	for (i = 0; i < MON_ARRAY_SIZE(devices); i++) {
		if (strncmp(name, devices[i].pmu, strlen(devices[i].pmu)))
			continue;
		module = have_module(devices[i].pmu);
		device = have_pci_device(devices[i].vendor, devices[i].device);
		if (module)
			return mon_fail(ENODEV, "%s: no such PMU: the module %s is loaded but %s",
					name, devices[i].pmu,
					device ? "did not take the device: see the kernel log" :
					"there is no device for it");
		if (device)
			return mon_fail(ENODEV,
					"%s: no such PMU: the module is not loaded: modprobe %s",
					name, devices[i].pmu);
		return mon_fail(ENODEV,
				"%s: no such PMU: there is neither a device, %s, nor the module %s",
				name, devices[i].what, devices[i].pmu);
	}
	return mon_fail(ENODEV, "%s: no such PMU: %s/bus/event_source/devices has no %s with a cpumask",
			name, mon_sysfs_root, name);
}

char *mon_pmu_read_file(const struct mon_pmu *pmu, const char *file)
{
	char *path = mon_format("%s/%s", pmu->path, file);
	char *text = path ? mon_read_text(path) : NULL;

	if (!text)
		mon_fail(errno, "%s: %s: %s", pmu->name, file, strerror(errno));
	free(path);
	return text;
}

/* "config1:0-7,32-35" */
static bool parse_format(struct mon_format *format, const char *text)
{
	const char *p;
	int n;

	if (strncmp(text, "config", 6))
		return false;
	p = text + 6;
	for (format->nranges = 0; format->nranges < MON_ARRAY_SIZE(format->range); ) {
		struct mon_format_range *range = &format->range[format->nranges];

		range->word = 0;
		if (format->nranges) {
			range->word = format->range[0].word;
		} else if (*p == '1' || *p == '2') {
			range->word = *p++ - '0';
		}
		if (*p != ':' && *p != ',')
			return false;
		p++;
		if (sscanf(p, "%u-%u%n", &range->first, &range->last, &n) != 2) {
			if (sscanf(p, "%u%n", &range->first, &n) != 1)
				return false;
			range->last = range->first;
		}
		if (range->first > range->last || range->last > 63)
			return false;
		format->nranges++;
		p += n;
		if (!*p)
			return true;
	}
	return false;
}

static int read_formats(struct mon_pmu *pmu)
{
	char *dir = mon_format("%s/format", pmu->path);
	char **names = NULL;
	size_t count = 0, i;

	if (!dir)
		return -1;
	if (mon_list_dir(dir, &names, &count)) {
		free(dir);
		return errno == ENOENT ? 0 : -1;
	}
	pmu->formats = calloc(count + 1, sizeof(*pmu->formats));
	for (i = 0; pmu->formats && i < count; i++) {
		char *path = mon_format("%s/%s", dir, names[i]);
		char *text = path ? mon_read_text(path) : NULL;
		struct mon_format *format = &pmu->formats[pmu->nformats];

		/* What cannot be read as a format is no use for us; perf does without it, too. */
		if (text && parse_format(format, text)) {
			format->name = names[i];
			names[i] = NULL;
			pmu->nformats++;
		}
		free(text);
		free(path);
	}
	mon_names_free(names, count);
	free(dir);
	return pmu->formats ? 0 : -1;
}

static void put_bits(struct mon_config *config, const struct mon_format *format, uint64_t value)
{
	size_t i;

	for (i = 0; i < format->nranges; i++) {
		const struct mon_format_range *range = &format->range[i];
		unsigned int width = range->last - range->first + 1;
		uint64_t mask = width == 64 ? UINT64_MAX : (1ULL << width) - 1;

		config->word[range->word] &= ~(mask << range->first);
		config->word[range->word] |= (value & mask) << range->first;
		value = width == 64 ? 0 : value >> width;
	}
}

static uint64_t format_max(const struct mon_format *format)
{
	unsigned int width = 0;
	size_t i;

	for (i = 0; i < format->nranges; i++)
		width += format->range[i].last - format->range[i].first + 1;
	return width >= 64 ? UINT64_MAX : (1ULL << width) - 1;
}

static const struct mon_format *find_format(const struct mon_pmu *pmu, const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nformats; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}

const struct mon_event *mon_pmu_find_event(const struct mon_pmu *pmu, const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nevents; i++)
		if (!strcmp(pmu->events[i].name, name))
			return &pmu->events[i];
	mon_fail(ENOENT, "%s: no event %s: see perf list %s", pmu->name, name, pmu->name);
	return NULL;
}

static int parse_term(const struct mon_pmu *pmu, char *term, const char *context,
		      struct mon_config *config, const struct mon_event **event)
{
	static const char *const words[] = { "config", "config1", "config2" };
	char *value_text = strchr(term, '=');
	const struct mon_format *format;
	const struct mon_event *named;
	uint64_t value = 1;
	size_t i;

	if (value_text)
		*value_text++ = '\0';
	if (value_text && !mon_parse_u64(value_text, &value))
		return mon_fail(EINVAL, "%s: %s=%s: not a number", context, term, value_text);
	for (i = 0; i < MON_ARRAY_SIZE(words); i++) {
		if (value_text && !strcmp(term, words[i])) {
			config->word[i] = value;
			return 0;
		}
	}
	format = find_format(pmu, term);
	if (format) {
		if (value > format_max(format))
			return mon_fail(EINVAL, "%s: %s=%s: at most %#llx", context, term,
					value_text, (unsigned long long)format_max(format));
		put_bits(config, format, value);
		return 0;
	}
	if (value_text)
		return mon_fail(EINVAL, "%s: no format %s: see %s/format", context, term, pmu->path);
	if (!event)
		return mon_fail(EINVAL, "%s: %s: no such format", context, term);
	named = mon_pmu_find_event(pmu, term);
	if (!named)
		return -1;
	for (i = 0; i < MON_ARRAY_SIZE(config->word); i++)
		config->word[i] |= named->config.word[i];
	*event = named;
	return 0;
}

int mon_pmu_parse_terms(const struct mon_pmu *pmu, const char *terms, const char *context,
			struct mon_config *config, const struct mon_event **event)
{
	char *copy = strdup(terms), *save = NULL, *term;
	int ret = 0;

	if (!copy)
		return mon_fail(ENOMEM, "%s: out of memory", context);
	for (term = strtok_r(copy, ",", &save); term && !ret; term = strtok_r(NULL, ",", &save))
		ret = parse_term(pmu, term, context, config, event);
	free(copy);
	return ret;
}

/* NAME.unit, NAME.scale and the like belong to the event NAME. */
static bool is_event_name(const char *name)
{
	return !strchr(name, '.');
}

static int read_event(struct mon_pmu *pmu, const char *dir, const char *name)
{
	struct mon_event *event = &pmu->events[pmu->nevents];
	char *path = mon_format("%s/%s", dir, name);
	char *unit_path = mon_format("%s/%s.unit", dir, name);
	char *scale_path = mon_format("%s/%s.scale", dir, name);
	char *terms = path ? mon_read_text(path) : NULL;
	char *scale = scale_path ? mon_read_text(scale_path) : NULL;
	struct mon_catalogue_entry entry = { .unit = "", .where = "", .description = "" };
	int ret = -1;

		event->unit = unit_path ? mon_read_text(unit_path) : NULL;
	event->scale = scale ? strtod(scale, NULL) : 1.0;
		event->name = strdup(name);
	if (terms && event->name)
		ret = mon_pmu_parse_terms(pmu, terms, name, &event->config, NULL);
	if (!ret)
		mon_catalogue_find(pmu->name, name, event->config.word[0], &entry);
	event->description = entry.description;
	event->where = strdup(entry.where);
	if (!event->unit)
		event->unit = strdup(entry.unit);
	if (!event->unit || !event->where)
		ret = -1;
	if (ret) {
		free(event->where);
		free(event->unit);
		free(event->name);
		memset(event, 0, sizeof(*event));
	} else {
		pmu->nevents++;
	}
	free(scale);
	free(terms);
	free(scale_path);
	free(unit_path);
	free(path);
	return ret;
}

static int read_events(struct mon_pmu *pmu)
{
	char *dir = mon_format("%s/events", pmu->path);
	char **names = NULL;
	size_t count = 0, i;

	if (!dir)
		return -1;
	if (mon_list_dir(dir, &names, &count)) {
		free(dir);
		return errno == ENOENT ? 0 : -1;
	}
	pmu->events = calloc(count + 1, sizeof(*pmu->events));
	/* An event that a newer kernel writes in a way that we do not know is left out. */
	for (i = 0; pmu->events && i < count; i++)
		if (is_event_name(names[i]))
			read_event(pmu, dir, names[i]);
	mon_names_free(names, count);
	free(dir);
	return pmu->events ? 0 : -1;
}

static bool read_number(struct mon_pmu *pmu, const char *file, uint64_t *value)
{
	char *path = mon_format("%s/%s", pmu->path, file);
	char *text = path ? mon_read_text(path) : NULL;
	bool good = false;

	/* A list of CPUs begins with its first one. */
	if (text) {
		text[strcspn(text, ",-")] = '\0';
		good = mon_parse_u64(text, value);
	}
	free(text);
	free(path);
	return good;
}

struct mon_pmu *mon_pmu_new(const char *name)
{
	struct mon_pmu *pmu = calloc(1, sizeof(*pmu));
	uint64_t type = 0, cpu = 0;

	if (!pmu)
		goto nomem;
	pmu->name = strdup(name);
	pmu->path = mon_format("%s/bus/event_source/devices/%s", mon_sysfs_root, name);
	if (!pmu->name || !pmu->path)
		goto nomem;
	if (!*name || strchr(name, '/') || !read_number(pmu, "type", &type) ||
	    !read_number(pmu, "cpumask", &cpu)) {
		mon_pmu_free(pmu);
		mon_pmu_missing(name);
		return NULL;
	}
	pmu->type = type;
	pmu->cpu = cpu;
	if (!read_formats(pmu) && !read_events(pmu))
		return pmu;
nomem:
	mon_pmu_free(pmu);
	mon_fail(ENOMEM, "%s: out of memory", name);
	return NULL;
}

void mon_pmu_free(struct mon_pmu *pmu)
{
	size_t i;

	if (!pmu)
		return;
	for (i = 0; i < pmu->nevents; i++) {
		free(pmu->events[i].name);
		free(pmu->events[i].where);
		free(pmu->events[i].unit);
	}
	for (i = 0; i < pmu->nformats; i++)
		free(pmu->formats[i].name);
	free(pmu->events);
	free(pmu->formats);
	free(pmu->path);
	free(pmu->name);
	free(pmu);
}

struct mon_pmus *mon_pmus_new(void)
{
	char *dir = mon_format("%s/bus/event_source/devices", mon_sysfs_root);
	struct mon_pmus *pmus = calloc(1, sizeof(*pmus));
	char **names = NULL;
	size_t count = 0, i;

	if (!dir || !pmus || mon_list_dir(dir, &names, &count)) {
		mon_fail(errno, "%s: %s", dir ? dir : "PMUs", strerror(errno));
		free(pmus);
		free(dir);
		return NULL;
	}
	pmus->pmu = calloc(count + 1, sizeof(*pmus->pmu));
	for (i = 0; pmus->pmu && i < count; i++) {
		struct mon_pmu *pmu = mon_pmu_new(names[i]);

		if (pmu)
			pmus->pmu[pmus->count++] = pmu;
	}
	mon_names_free(names, count);
	free(dir);
	if (!pmus->pmu) {
		free(pmus);
		mon_fail(ENOMEM, "PMUs: out of memory");
		return NULL;
	}
	return pmus;
}

void mon_pmus_free(struct mon_pmus *pmus)
{
	if (!pmus)
		return;
	while (pmus->count)
		mon_pmu_free(pmus->pmu[--pmus->count]);
	free(pmus->pmu);
	free(pmus);
}

size_t mon_pmus_get_count(const struct mon_pmus *pmus)
{
	return pmus->count;
}

const struct mon_pmu *mon_pmus_get(const struct mon_pmus *pmus, size_t index)
{
	return index < pmus->count ? pmus->pmu[index] : NULL;
}

const char *mon_pmu_get_name(const struct mon_pmu *pmu)
{
	return pmu->name;
}

uint32_t mon_pmu_get_type(const struct mon_pmu *pmu)
{
	return pmu->type;
}

int mon_pmu_get_cpu(const struct mon_pmu *pmu)
{
	return pmu->cpu;
}

size_t mon_pmu_get_event_count(const struct mon_pmu *pmu)
{
	return pmu->nevents;
}

const struct mon_event *mon_pmu_get_event(const struct mon_pmu *pmu, size_t index)
{
	return index < pmu->nevents ? &pmu->events[index] : NULL;
}

const char *mon_event_get_name(const struct mon_event *event)
{
	return event->name;
}

const char *mon_event_get_unit(const struct mon_event *event)
{
	return event->unit;
}

double mon_event_get_scale(const struct mon_event *event)
{
	return event->scale;
}

const char *mon_event_get_description(const struct mon_event *event)
{
	return event->description;
}

const char *mon_event_get_where(const struct mon_event *event)
{
	return event->where;
}

uint64_t mon_event_get_config(const struct mon_event *event)
{
	return event->config.word[0];
}
