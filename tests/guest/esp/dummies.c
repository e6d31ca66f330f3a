// SPDX-License-Identifier: GPL-2.0-only
/* usage: dummies COHERENCE BYTES BATCHES FROM TO [RUNS]: these of the SoC's DUMMY_STRATUS copy so much each, at the same time. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contig.h"
#include "dummy_stratus.h"

static int copy(int coherence, size_t bytes, unsigned int batches, int number, int runs)
{
	contig_handle_t buffer;
	char name[40];
	int fd, ready;
	size_t size = bytes * batches;

	snprintf(name, sizeof(name), "/dev/dummy_stratus.%d", number);
	fd = open(name, O_RDWR);
	ready = fd >= 0 && contig_alloc(2 * size, &buffer);
	if (!ready) {
		perror(name);
		return 1;
	}
	struct dummy_stratus_access access = {
		.esp = { .contig = contig_to_khandle(buffer), .run = 1, .coherence = coherence },
		.tokens = bytes / 8, .batch = batches, .dst_offset = size,
	};

	while (runs-- > 0) {
		if (ioctl(fd, DUMMY_STRATUS_IOC_ACCESS, &access)) {
			perror(name);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int wrong = 0, status, from, to;

	if (argc != 6 && argc != 7)
		return 2;
	from = atoi(argv[4]);
	to = atoi(argv[5]);
	for (int i = from; i <= to; i++)
		if (!fork())
			return copy(atoi(argv[1]), strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0), i, argc > 6 ? atoi(argv[6]) : 1);
	while (wait(&status) > 0)
		wrong |= status;
	return wrong != 0;
}
