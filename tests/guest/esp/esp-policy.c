// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory tiles of accelerator buffers on a SoC with four: the policies of CONTIG_IOC_ALLOC,
 * checked by the addresses and by the words that each tile's monitors count. ESP_POOL=N in the
 * environment: each tile has a reserved pool of N chunks; then a policy gets the tile it asks for,
 * up to N chunks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libmon/esp/include/fft_stratus.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define CHUNK (1u << 20)
#define MAX_CHUNKS 64
#define MEMS 4
/* of sixteen-4x4.esp_config, with 1 GiB split evenly */
static const unsigned int mem_tile[MEMS] = { 7, 11, 13, 14 };
#define SHARE (256u << 20)

static int contig = -1, acc = -1;
static unsigned int pool;

struct buffer {
	struct contig_alloc_req req;
	unsigned long arr[MAX_CHUNKS];
};

static void setup(void)
{
	contig = open("/dev/contig_alloc", O_RDWR);
	acc = open("/dev/fft_stratus.0", O_RDWR);
	ck_assert_int_ge(contig, 0);
	ck_assert_int_ge(acc, 0);
}

static void teardown(void)
{
	close(acc);
	close(contig);
}

static int try_alloc(struct buffer *b, unsigned int chunks, const struct contig_alloc_params *params)
{
	memset(b, 0, sizeof(*b));
	b->req.size = (size_t)chunks * CHUNK;
	b->req.arr = b->arr;
	b->req.n_max = MAX_CHUNKS;
	b->req.params = *params;
	return ioctl(contig, CONTIG_IOC_ALLOC, &b->req) ? -errno : 0;
}

static struct contig_alloc_params preferred(int node)
{
	return (struct contig_alloc_params){
		.policy = CONTIG_ALLOC_PREFERRED, .pol.first.ddr_node = node,
	};
}

static struct contig_alloc_params balanced(unsigned int cluster)
{
	return (struct contig_alloc_params){
		.policy = CONTIG_ALLOC_BALANCED, .pol.balanced.cluster_size = cluster,
	};
}

static void release(const struct buffer *b)
{
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_FREE, &b->req.khandle), 0);
}

static unsigned int node(const struct buffer *b, unsigned int chunk)
{
	ck_assert_uint_lt(b->arr[chunk] / SHARE, MEMS);
	return b->arr[chunk] / SHARE;
}

/* The tile that has most chunks is the one that the driver names. */
static void expect_most(const struct buffer *b)
{
	unsigned int count[MEMS] = { 0 };

	for (unsigned int i = 0; i < b->req.n; i++)
		count[node(b, i)]++;
	for (unsigned int i = 0; i < MEMS; i++)
		ck_assert_uint_le(count[i], count[b->req.most_allocated]);
}

/* 128 words in and 128 out are on the first chunk's tile; the page table, a word a chunk, anywhere. */
static void expect_traffic(const struct buffer *b)
{
	struct fft_stratus_access access = {
		.esp = { .contig = b->req.khandle, .run = 1 },
		.batch_size = 1, .log_len = 7, .do_bitrev = 1,
	};
	uint64_t sum = 0;
	int event[MEMS];

	for (unsigned int i = 0; i < MEMS; i++)
		event[i] = event_open(DDR_ACCESSES | BYTILE(mem_tile[i]));
	ck_assert_int_eq(ioctl(acc, FFT_STRATUS_IOC_ACCESS, &access), 0);
	for (unsigned int i = 0; i < MEMS; i++) {
		uint64_t words = event_count(event[i]);

		if (i == node(b, 0))
			ck_assert_uint_ge(words, 256);
		sum += words;
		close(event[i]);
	}
	ck_assert_uint_eq(sum, 256 + b->req.n);
}

static bool prepare(void)
{
	if (getenv("ESP_POOL"))
		pool = strtoul(getenv("ESP_POOL"), NULL, 0);
	return true;
}

SUITE("esp policy", .timeout = 60, .setup = setup, .teardown = teardown, .prepare = prepare);

LOOP_TEST(a_preferred_tile_serves_the_buffer, 0, MEMS)
{
	struct contig_alloc_params params = preferred(_i);
	struct buffer b;

	ck_assert_int_eq(try_alloc(&b, 3, &params), 0);
	ck_assert_uint_eq(b.req.n, 3);
	if (pool)
		for (unsigned int i = 0; i < 3; i++)
			ck_assert_uint_eq(node(&b, i), _i);
	expect_most(&b);
	expect_traffic(&b);
	release(&b);
}

TEST(bad_policies_are_refused)
{
	struct contig_alloc_params bad = preferred(MEMS);
	struct buffer b;

	ck_assert_int_eq(try_alloc(&b, 1, &bad), -EINVAL);
	bad = preferred(-1);
	ck_assert_int_eq(try_alloc(&b, 1, &bad), -EINVAL);
	bad = balanced(0);
	ck_assert_int_eq(try_alloc(&b, 1, &bad), -EINVAL);
}

static bool has_pool(void)
{
	if (!pool)
		puts("tests of the pool: not run: they are those of esp-policy-pool.sh");
	return pool;
}

SUITE("esp policy: pool", .timeout = 60, .setup = setup, .teardown = teardown, .applies = has_pool);

TEST(a_full_tile_passes_on_to_the_next)
{
	struct contig_alloc_params params = preferred(3);
	struct buffer b;

	ck_assert_int_eq(try_alloc(&b, pool + 2, &params), 0);
	for (unsigned int i = 0; i < pool + 2; i++)
		ck_assert_uint_eq(node(&b, i), i < pool ? 3 : 0);
	ck_assert_int_eq(b.req.most_allocated, 3);
	release(&b);
}

TEST(balanced_buffers_go_around_in_clusters)
{
	struct contig_alloc_params params = balanced(2);
	struct buffer b;

	ck_assert_int_eq(try_alloc(&b, 12, &params), 0);
	for (unsigned int i = 0; i < 12; i++)
		ck_assert_uint_eq(node(&b, i), (node(&b, 0) + i / 2) % MEMS);
	expect_most(&b);
	release(&b);
}

TEST(the_least_loaded_tile_is_taken)
{
	struct contig_alloc_params least = { .policy = CONTIG_ALLOC_LEAST_LOADED };
	struct buffer load[MEMS], b;

	for (unsigned int free = 0; free < MEMS; free++) {
		for (unsigned int i = 0; i < MEMS; i++) {
			struct contig_alloc_params params = preferred(i);

			ck_assert_int_eq(try_alloc(&load[i], i == free ? 1 : 3, &params), 0);
		}
		ck_assert_int_eq(try_alloc(&b, 1, &least), 0);
		ck_assert_uint_eq(node(&b, 0), free);
		expect_traffic(&b);
		release(&b);
		for (unsigned int i = 0; i < MEMS; i++)
			release(&load[i]);
	}
}

TEST(what_does_not_fit_loses_nothing)
{
	struct contig_alloc_params params = preferred(0);
	struct buffer b;

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(try_alloc(&b, MEMS * pool + 1, &params), -ENOMEM);
		ck_assert_int_eq(try_alloc(&b, MEMS * pool, &params), 0);
		release(&b);
	}
}
