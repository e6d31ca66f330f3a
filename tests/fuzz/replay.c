// SPDX-License-Identifier: GPL-2.0-only
/* Runs a fuzz target on every file of its seed corpus (CORPUS), whole and cut. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
	static uint8_t data[MAX_SIZE];
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(EXIT_FAILURE);
	}
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	for (size_t part = 1; part <= 4; part++)
		LLVMFuzzerTestOneInput(data, size * part / 4);
}

int main(void)
{
	DIR *dir = opendir(CORPUS);
	struct dirent *entry;
	unsigned int files = 0;
	char path[4096];

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", CORPUS, entry->d_name);
		replay(path);
		files++;
	}
	if (dir)
		closedir(dir);
	if (!files) {
		fprintf(stderr, "%s: no corpus\n", CORPUS);
		return EXIT_FAILURE;
	}
	printf("100%%: Checks: %u, Failures: 0, Errors: 0\n", files);
	return EXIT_SUCCESS;
}
