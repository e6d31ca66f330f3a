// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accelerators' bus has other addresses than the processor (dma-ranges): a buffer that a program
 * maps is the memory behind its bus address, not what the processor has at that address. For
 * esp-noncoherent.sh, which makes such a tree; WINDOW is the difference.
 */
#include <check.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/uapi.h"
#include "tests/main.h"

#define CHUNK (1u << 20)
/* Memory that the tree reserves for the accelerators (no-map) */
#define FIRST 0xa0200000u

SUITE("esp_accel, window", .timeout = 60);

static char *map(const char *path, unsigned long at)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_SYNC);
	char *bytes;

	ck_assert_int_ge(fd, 0);
	bytes = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
	ck_assert_ptr_ne(bytes, MAP_FAILED);
	close(fd);
	return bytes;
}

TEST(a_buffer_is_the_memory_behind_its_bus_address)
{
	unsigned long window = strtoul(getenv("WINDOW"), NULL, 0), bus;
	int contig = open("/dev/contig_alloc", O_RDWR | O_CLOEXEC);
	struct contig_alloc_req req = {
		.size = CHUNK, .arr = &bus, .n_max = 1, .params.policy = CONTIG_ALLOC_PREFERRED,
	};
	char *buffer, *memory;

	ck_assert_int_ge(contig, 0);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	ck_assert_uint_ge(bus + window, FIRST);
	ck_assert_uint_lt(bus, FIRST);
	memory = map("/dev/mem", bus + window);
	buffer = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, contig, bus);
	ck_assert_ptr_ne(buffer, MAP_FAILED);
	strcpy(memory, "of the accelerators");
	ck_assert_str_eq(buffer, memory);
	strcpy(buffer, "of the program");
	ck_assert_str_eq(memory, buffer);
	close(contig);
}
