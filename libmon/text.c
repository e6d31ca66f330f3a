// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads small text files and folders, such as those of sysfs and procfs. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libmon/text.h"

/* Larger than any file that the library reads. */
#define MAX_FILE 65536

char *mon_read_text(const char *path)
{
	size_t used = 0;
	ssize_t n = 0;
	char *text;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	text = malloc(MAX_FILE + 1);
	while (text && used < MAX_FILE) {
		n = read(fd, text + used, MAX_FILE - used);
		if (n <= 0)
			break;
		used += n;
	}
	close(fd);
	if (!text || n < 0) {
		free(text);
		return NULL;
	}
	while (used && isspace((unsigned char)text[used - 1]))
		used--;
	text[used] = '\0';
	return text;
}

char *mon_format(const char *format, ...)
{
	char *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return n < 0 ? NULL : text;
}

bool mon_is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int mon_list_dir(const char *path, char ***names, size_t *count)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	char **list = NULL;
	size_t n = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		char **more;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		more = reallocarray(list, n + 1, sizeof(*list));
		if (!more)
			goto nomem;
		list = more;
		list[n] = strdup(entry->d_name);
		if (!list[n])
			goto nomem;
		n++;
	}
	closedir(dir);
	if (n)
		qsort(list, n, sizeof(*list), compare_names);
	*names = list;
	*count = n;
	return 0;

nomem:
	closedir(dir);
	mon_names_free(list, n);
	errno = ENOMEM;
	return -1;
}

void mon_names_free(char **names, size_t count)
{
	while (count)
		free(names[--count]);
	free(names);
}

bool mon_parse_u64(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end;
}
