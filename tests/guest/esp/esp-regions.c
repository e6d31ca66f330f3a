// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four memory tiles of 256 MiB: the memory that ESP's tree reserves, 0xa0200000 to 0xbfffffff, lies on the last
 * two. The policies place on these, as with ESP's driver, whose regions 0 and 1 they are.
 *
 * mon-vm: --esp --soc @srcdir@/tests/designs/dummy-4x4.esp_config
 * not on x86_64: ESP's own addresses are a RISC-V machine's
 */
#include <check.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "events/esp/uapi.h"
#include "tests/main.h"

#define CHUNK	(1u << 20)
#define FIRST	0xa0200000u
#define SECOND	0xb0000000u	/* the last tile's first address */
/* of the third tile: 0x10000000 - 0x200000 */
#define ON_THIRD 254

static int contig;
static unsigned long arr[ON_THIRD + 1];

static struct contig_alloc_req alloc(unsigned int chunks, struct contig_alloc_params params)
{
	struct contig_alloc_req req = {
		.size = (size_t)chunks * CHUNK, .arr = arr, .n_max = ON_THIRD + 1, .params = params,
	};

	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	ck_assert_uint_eq(req.n, chunks);
	return req;
}

static void release(struct contig_alloc_req *req)
{
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_FREE, &req->khandle), 0);
}

static unsigned int tile(unsigned int i)
{
	ck_assert_uint_ge(arr[i], FIRST);
	return arr[i] >= SECOND ? 3 : 2;
}

static void setup(void)
{
	contig = open("/dev/contig_alloc", O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(contig, 0);
}

static void teardown(void)
{
	close(contig);
}

SUITE("esp_accel, regions", .timeout = 60, .setup = setup, .teardown = teardown);

/* By ESP's number of the region, and by that of the tile. */
TEST(preferred_regions_serve)
{
	static const unsigned int tile_of[] = { 2, 3, 2, 3 };

	for (int node = 0; node < 4; node++) {
		struct contig_alloc_params params = {
			.policy = CONTIG_ALLOC_PREFERRED, .pol.first.ddr_node = node,
		};
		struct contig_alloc_req req = alloc(2, params);

		ck_assert_uint_eq(tile(0), tile_of[node]);
		ck_assert_uint_eq(tile(1), tile_of[node]);
		ck_assert_int_eq(req.most_allocated, tile_of[node]);
		release(&req);
	}
}

TEST(a_full_region_passes_on)
{
	struct contig_alloc_params params = { .policy = CONTIG_ALLOC_PREFERRED };
	struct contig_alloc_req req = alloc(ON_THIRD + 1, params);

	for (unsigned int i = 0; i <= ON_THIRD; i++)
		ck_assert_uint_eq(tile(i), i < ON_THIRD ? 2 : 3);
	release(&req);
}

TEST(balanced_buffers_take_turns)
{
	struct contig_alloc_params params = {
		.policy = CONTIG_ALLOC_BALANCED, .pol.balanced.cluster_size = 2,
	};
	struct contig_alloc_req req = alloc(8, params);

	for (unsigned int i = 0; i < 8; i++)
		ck_assert_uint_eq(tile(i), tile(0) == 2 ? 2 + i / 2 % 2 : 3 - i / 2 % 2);
	release(&req);
}

TEST(the_least_loaded_region_is_taken)
{
	struct contig_alloc_params first = { .policy = CONTIG_ALLOC_PREFERRED };
	struct contig_alloc_params least = { .policy = CONTIG_ALLOC_LEAST_LOADED };

	for (int node = 0; node < 2; node++) {
		struct contig_alloc_req load, req;

		first.pol.first.ddr_node = node;
		load = alloc(3, first);
		req = alloc(1, least);
		ck_assert_uint_eq(tile(0), node ? 2 : 3);
		release(&load);
		release(&req);
	}
}
