/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs accelerators of which the driver knows only the number of registers:
 *
 * 	esp-own vadd WORDS ADDEND	the header is mon-socgen's; checks the result
 * 	esp-own DEVICE VALUE...		a value for each register
 *
 * Prints how the run ended: "right", "wrong", or the name of an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contig.h"
#include "events/esp/accelerators.h"
#include "tests/guest/esp/vadd_stratus.h"

#define BUFFER	(1 << 20)
#define OUTPUT	4096	/* word */

static int ended(int ret)
{
	puts(ret < 0 ? strerrorname_np(errno) : "right");
	return ret < 0;
}

static int open_device(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDWR);
	if (fd < 0) {
		perror(path);
		exit(2);
	}
	return fd;
}

static int vadd(uint32_t *buffer, contig_khandle_t handle, uint32_t words, uint32_t addend)
{
	struct vadd_stratus_access access = {
		.esp = { .contig = handle, .run = 1, .coherence = ACC_COH_NONE },
		.words = words, .addend = addend, .output = OUTPUT,
	};
	int fd = open_device("vadd_stratus.0");
	uint32_t i;

	for (i = 0; i < 2 * words; i++)
		buffer[i] = 7 * i;
	if (ioctl(fd, VADD_STRATUS_IOC_ACCESS, &access) < 0)
		return ended(-1);
	for (i = 0; i < 2 * words; i++) {
		if (buffer[2 * OUTPUT + i] != 7 * i + addend) {
			puts("wrong");
			return 1;
		}
	}
	return ended(0);
}

int main(int argc, char **argv)
{
	struct {
		struct esp_access esp;
		uint32_t word[ESP_ACC_MEMBERS_MAX];
	} access = { .esp = { .run = 1, .coherence = ACC_COH_NONE } };
	contig_handle_t handle;
	void *buffer = contig_alloc(BUFFER, &handle);
	int i;

	if (!buffer || argc < 3) {
		fprintf(stderr, "esp-own: no buffer, or no arguments\n");
		return 2;
	}
	if (!strcmp(argv[1], "vadd"))
		return vadd(buffer, contig_to_khandle(handle), atoi(argv[2]), atoi(argv[3]));
	access.esp.contig = contig_to_khandle(handle);
	for (i = 2; i < argc && i < ESP_ACC_MEMBERS_MAX; i++)
		access.word[i - 2] = strtoul(argv[i], NULL, 0);
	return ended(ioctl(open_device(argv[1]), ESP_ACC_ACCESS_CMD(argc - 2 + 2), &access));
}
