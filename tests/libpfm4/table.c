/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/libpfm4/table.h"

static char *read_file(const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];
	char *text = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/libpfm4/%s", srcdir ? srcdir : ".", name);
	file = fopen(path, "r");
	ck_assert_msg(file, "%s: cannot be read", path);
	len = getdelim(&text, &size, '\0', file);	/* there is none: the whole file */
	ck_assert_msg(len > 0, "%s: empty", path);
	fclose(file);
	return text;
}

void table_read(struct table *table, const char *name)
{
	bool head = true;
	char *line, *rest;

	*table = (struct table){ .text = read_file(name) };
	rest = table->text;
	while ((line = strsep(&rest, "\n"))) {
		char *cell;
		int column = 0;

		if (!*line || *line == '#')
			continue;
		if (head) {
			head = false;
			continue;
		}
		table->rows = realloc(table->rows, (table->nrows + 1) * sizeof(*table->rows));
		memset(table->rows + table->nrows, 0, sizeof(*table->rows));
		while ((cell = strsep(&line, ",")) && column < TABLE_COLUMNS)
			table->rows[table->nrows][column++] = cell;
		table->nrows++;
	}
	ck_assert_msg(table->nrows > 0, "%s: no rows", name);
}

void table_free(struct table *table)
{
	free(table->rows);
	free(table->text);
}

const char *sysfs_name(const char *name)
{
	static char lower[128];
	size_t i;

	for (i = 0; name[i] && i < sizeof(lower) - 1; i++)
		lower[i] = name[i] == '-' ? '_' : tolower((unsigned char)name[i]);
	lower[i] = '\0';
	return lower;
}

bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; list; list = strchr(list, ';')) {
		list += *list == ';';
		if (!strncmp(list, word, len) && (!list[len] || list[len] == ';'))
			return true;
	}
	return false;
}

int encode(const char *event, uint64_t *config, char **fstr)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg), .fstr = fstr };
	int ret = pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);

	if (ret == PFM_SUCCESS) {
		ck_assert_int_eq(arg.count, 1);
		*config = arg.codes[0];
	}
	free(arg.codes);
	return ret;
}

int count_events(const char *pmu)
{
	pfm_pmu_t id;

	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = { .size = sizeof(info) };
		int i, n = 0;

		if (pfm_get_pmu_info(id, &info) != PFM_SUCCESS || strcmp(info.name, pmu))
			continue;
		for (i = info.first_event; i != -1; i = pfm_get_event_next(i))
			n++;
		ck_assert_int_eq(n, info.nevents);
		return n;
	}
	return -1;
}
