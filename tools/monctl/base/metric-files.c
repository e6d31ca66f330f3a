// SPDX-License-Identifier: GPL-2.0-only
/* The text files of metrics: where they are, and what is found in them by name. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/monctl/answer/metric.h"
#include "tools/monctl/base/monctl.h"

static int is_metrics_file(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && dot != entry->d_name && !strcmp(dot, ".metrics");
}

/* Returns false if the folder is missing. */
static bool read_folder(struct metric_set *set, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_metrics_file, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = format_text("%s/%s", folder, entry[i]->d_name), *problem;

		if (!metrics_read(set, path, &problem)) {
			warn("%s: what follows in the file is left out: see monctl-metrics(5)", problem);
			free(problem);
		}
		free(path);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return n > 0;
}

/* In a build tree the program is at the top, or in libtool's folder .libs. */
static bool read_build_tree(struct metric_set *set)
{
	char self[4096], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	bool found = false;

	for (int up = 0; n > 0 && !found && up < 2; up++) {
		char *folder;

		self[n] = '\0';
		slash = strrchr(self, '/');
		n = slash ? slash - self : 0;
		folder = format_text("%.*s/events/metrics", (int)n, self);
		found = read_folder(set, folder);
		free(folder);
	}
	return found;
}

static void read_user_folder(struct metric_set *set)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *folder;

	if (config && *config)
		folder = format_text("%s/libmon/metrics", config);
	else
		folder = format_text("%s/.config/libmon/metrics", home ? home : "");
	read_folder(set, folder);
	free(folder);
}

const struct metric_set *metrics(void)
{
	static struct metric_set set;
	const char *folder;

	if (set.npresets)
		return &set;
	folder = getenv("MONCTL_METRICS");
	if (folder ? !read_folder(&set, folder) : !read_build_tree(&set) && !read_folder(&set, METRICS_DIR))
		die("%s: no metrics there: install them again, or name a folder in MONCTL_METRICS",
		    folder ? folder : METRICS_DIR);
	read_folder(&set, METRICS_ETC);
	read_user_folder(&set);
	return &set;
}

const struct metric *metric_find(const char *name)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->nmetrics; i++)
		if (!strcmp(set->metric[i].name, name))
			return &set->metric[i];
	return NULL;
}

const struct clock_rule *clock_find(const char *kind)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->nclocks; i++)
		if (!strcmp(set->clock[i].kind, kind))
			return &set->clock[i];
	return NULL;
}

/* ---- names in expressions ---- */

static struct names {
	struct metric_name *name;
	size_t count;
} names;

static int compare_names(const void *a, const void *b)
{
	const struct metric_name *x = a, *y = b;
	int by = strncmp(x->text, y->text, x->length < y->length ? x->length : y->length);

	return by ? by : (x->length > y->length) - (x->length < y->length);
}

/* The first one of a name stays. */
static void add_name(char *text, const struct metric *metric, const struct budget_rule *budget, size_t part)
{
	for (size_t i = 0; i < names.count; i++) {
		if (strcmp(names.name[i].text, text))
			continue;
		free(text);
		return;
	}
	names.name = reallocarray(names.name, names.count + 1, sizeof(*names.name));
	if (!names.name)
		die("out of memory");
	names.name[names.count++] = (struct metric_name){ text, strlen(text), metric, budget, part };
}

static void find_names(const struct metric_set *set)
{
	for (size_t i = 0; i < set->nmetrics; i++)
		add_name(format_text("%s", set->metric[i].name), &set->metric[i], NULL, 0);
	for (size_t i = 0; i < set->nbudgets; i++) {
		const struct budget_rule *rule = &set->budget[i];

		for (size_t part = 0; part < rule->nparts; part++)
			if (!rule->part[part].is_child)
				add_name(format_text("%s_%s", rule->name, rule->part[part].id), NULL, rule, part);
	}
	qsort(names.name, names.count, sizeof(*names.name), compare_names);
}

const struct metric_name *metric_name_find(const char *word, size_t length)
{
	const struct metric_set *set = metrics();
	struct metric_name key = { .text = (char *)word, .length = length };

	if (!names.count)
		find_names(set);
	return bsearch(&key, names.name, names.count, sizeof(key), compare_names);
}
