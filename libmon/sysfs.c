// SPDX-License-Identifier: LGPL-2.1-or-later
/* PMUs' folders and names in sysfs. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

const char *mon_sysfs_root = "/sys";
const char *mon_procfs_root = "/proc";

char *mon_pmu_split_name(const char *name, unsigned int *instance)
{
	size_t length = strlen(name), digits = length;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	*instance = 0;
	if (digits < 2 || digits == length || length - digits > 9 || name[digits - 1] != '_')
		return strdup(name);
	*instance = strtoul(name + digits, NULL, 10);
	return strndup(name, digits - 1);
}

int mon_pmu_list(const struct mon_pmu *pmu, const char *folder, char **dir, char ***names,
		 size_t *count)
{
	*names = NULL;
	*count = 0;
	*dir = mon_format("%s/%s", pmu->path, folder);
	if (!*dir)
		return -1;
	if (!mon_list_dir(*dir, names, count) || errno == ENOENT)
		return 0;
	free(*dir);
	return -1;
}
