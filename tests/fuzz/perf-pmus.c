// SPDX-License-Identifier: GPL-2.0-only
#include "tests/fuzz/perf-pmus.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pmu pmus[8];
unsigned int npmus;

bool read_text(char *buf, size_t size, const char *fmt, const char *pmu, const char *dir,
	       const char *file)
{
	char path[600];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), fmt, pmu, dir, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, buf, size - 1);
	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* "config:8-15" or "config:16" */
static bool parse_field(const char *pmu, const char *term, struct field *f)
{
	char text[64];
	unsigned int hi;
	int n;

	if (!read_text(text, sizeof(text), SYSFS "/%s/%s/%s", pmu, "format", term))
		return false;
	n = sscanf(text, "config:%u-%u", &f->lo, &hi);
	if (n < 1)
		return false;
	f->bits = (n == 2 ? hi : f->lo) - f->lo + 1;
	return true;
}

static bool parse_event(struct pmu *p, const char *name, struct event *event)
{
	char text[256], *term, *save;

	if (!read_text(text, sizeof(text), SYSFS "/%s/%s/%s", p->name, "events", name))
		return false;
	event->config = 0;
	for (term = strtok_r(text, ",\n", &save); term; term = strtok_r(NULL, ",\n", &save)) {
		char *value = strchr(term, '=');
		struct field f;

		if (value)
			*value++ = 0;
		if (!parse_field(p->name, term, &f))
			return false;
		event->config |= (value ? strtoull(value, NULL, 0) : 1) << f.lo;
	}
	return true;
}

static void each_file(struct pmu *p, const char *dir, void (*use)(struct pmu *p, const char *name))
{
	char path[128];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), SYSFS "/%s/%s", p->name, dir);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (!strchr(e->d_name, '.'))
			use(p, e->d_name);
	if (d)
		closedir(d);
}

static void add_event(struct pmu *p, const char *name)
{
	if (p->nevents < 512 && parse_event(p, name, &p->events[p->nevents]))
		p->nevents++;
}

static void add_field(struct pmu *p, const char *name)
{
	if (p->nfields < 8 && parse_field(p->name, name, &p->fields[p->nfields]))
		p->nfields++;
}

/* All PMUs that use mon_pmu have a file losses. */
void find_pmus(void)
{
	DIR *dir = opendir(SYSFS);
	struct dirent *e;
	char text[64];

	while (dir && (e = readdir(dir)) && npmus < 8) {
		struct pmu *p = &pmus[npmus];

		snprintf(p->name, sizeof(p->name), "%.31s", e->d_name);
		if (!read_text(text, sizeof(text), SYSFS "/%s%s/%s", p->name, "", "losses") ||
		    !read_text(text, sizeof(text), SYSFS "/%s%s/%s", p->name, "", "type"))
			continue;
		p->type = strtoul(text, NULL, 10);
		each_file(p, "events", add_event);
		each_file(p, "format", add_field);
		if (p->nevents)
			npmus++;
	}
	if (dir)
		closedir(dir);
}
