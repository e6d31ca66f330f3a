// SPDX-License-Identifier: GPL-2.0-only
/* The text files of metrics: where they are, and what is found in them by name. */
#include <dirent.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/monctl/base/metric-files.h"
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
	metrics_link(&set);
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

/* A list of patterns. */
static bool is_in_list(const char *list, const char *word)
{
	bool is = false;

	for (size_t n; *list && !is; list += n + (list[n] == ',')) {
		char *pattern;

		n = strcspn(list, ",");
		pattern = format_text("%.*s", (int)n, list);
		is = !fnmatch(pattern, word, 0);
		free(pattern);
	}
	return is;
}

const struct preset *preset_find(const char *name)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->npresets; i++)
		if (!strcmp(set->preset[i].name, name) || is_in_list(set->preset[i].alias, name))
			return &set->preset[i];
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

bool clock_has_event(const struct clock_rule *clock, const char *event)
{
	return clock && is_in_list(clock->events, event);
}

double event_limit(const char *kind, const char *event, const char *unit)
{
	const struct metric_set *set = metrics();
	double most = strcmp(unit, "cycles") ? INFINITY : 1;

	for (size_t i = 0; i < set->nlimits; i++)
		if (!strcmp(set->limit[i].kind, kind) && !fnmatch(set->limit[i].event, event, 0))
			most = set->limit[i].most;
	return most;
}

double event_most(const char *kind, const char *event, const char *unit, size_t places)
{
	const struct clock_rule *clock = clock_find(kind);

	/* readings are not of one instant */
	return !clock || clock->has_no_rates ? NAN : 1.001 * event_limit(kind, event, unit) * (places ? places : 1);
}

double event_rate(double most, double count, double cycles)
{
	if (isnan(most) || !(cycles > 0))
		return NAN;
	return count / cycles > most ? INFINITY : count / cycles;
}
