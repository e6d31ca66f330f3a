// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers come from the memory that the device tree reserves for accelerators and that the node of
 * the accelerators names (memory-region).
 *
 * mon-vm: --esp
 * not on x86_64: ESP's own addresses are a RISC-V machine's
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/esp/uapi.h"
#include "tests/main.h"

#define CHUNK	(1u << 20)
/*
 * socmap_gen.py: to the end of the memory, 0xc0000000, without the 16 MiB for the machine's device
 * tree. ESP_REGION in the environment is another size.
 */
#define FIRST	0xa0200000u
#define SIZE	0x1ee00000u
#define CHUNKS_MAX (SIZE / CHUNK)

static unsigned long arr[CHUNKS_MAX];

static struct contig_alloc_req alloc(int contig, unsigned int chunks)
{
	struct contig_alloc_req req = {
		.size = (size_t)chunks * CHUNK, .arr = arr, .n_max = CHUNKS_MAX,
		.params.policy = CONTIG_ALLOC_PREFERRED,
	};

	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	ck_assert_uint_eq(req.n, chunks);
	return req;
}

SUITE("esp_accel, memory-region", .timeout = 60);

TEST(reserved_memory_comes_first)
{
	int contig = open("/dev/contig_alloc", O_RDWR | O_CLOEXEC);
	struct contig_alloc_req all, one = {
		.size = CHUNK, .arr = arr, .n_max = 1, .params.policy = CONTIG_ALLOC_PREFERRED,
	};
	const char *region = getenv("ESP_REGION");
	unsigned int size = region ? strtoul(region, NULL, 0) : SIZE, chunks = size / CHUNK, i, k;
	char *map;

	ck_assert_int_ge(contig, 0);
	all = alloc(contig, chunks);
	for (i = 0; i < chunks; i++) {
		ck_assert_uint_ge(arr[i], FIRST);
		ck_assert_uint_le(arr[i], FIRST + size - CHUNK);
		for (k = 0; k < i; k++)
			ck_assert_uint_ne(arr[i], arr[k]);
	}
	map = mmap(NULL, (size_t)chunks * CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, contig, arr[0]);
	ck_assert_ptr_ne(map, MAP_FAILED);
	for (i = 0; i < chunks; i++) {
		ck_assert_int_eq(map[(size_t)i * CHUNK], 0);
		map[(size_t)i * CHUNK] = i;
	}
	munmap(map, (size_t)chunks * CHUNK);
	/* and there is no other */
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &one), -1);
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_FREE, &all.khandle), 0);
	alloc(contig, 1);
	ck_assert(arr[0] >= FIRST && arr[0] < FIRST + size);
	close(contig);
}
