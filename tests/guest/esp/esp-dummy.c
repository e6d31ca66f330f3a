// SPDX-License-Identifier: GPL-2.0-only
/*
 * DUMMY_STRATUS, whose argument is that of release 2025.1; buffers come from contig.h.
 *
 * mon-vm: --soc @srcdir@/tests/designs/dummy-3x2.esp_config
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "contig.h"
#include "dummy_stratus.h"
#include "tests/main.h"

/* 64-bit words, more than the 512 of one burst */
#define WORDS 700
#define DST (64 << 10)

static contig_handle_t buffer;
static uint64_t *words;
static int acc;

static void setup(void)
{
	unsigned int i;

	words = contig_alloc(1 << 20, &buffer);
	ck_assert_msg(words != NULL, "%s", mon_error());
	acc = open("/dev/dummy_stratus.0", O_RDWR);
	ck_assert_int_ge(acc, 0);
	for (i = 0; i < WORDS; i++)
		words[i] = 1000003ull * (i + 1);
}

static void teardown(void)
{
	close(acc);
	contig_free(buffer);
}

static void expect_copy(void)
{
	ck_assert_int_eq(memcmp((char *)words + DST, words, WORDS * sizeof(*words)), 0);
	ck_assert_uint_eq(words[DST / 8 + WORDS], 0);
}

static struct dummy_stratus_access access_of_2025(void)
{
	struct dummy_stratus_access access = {
		.esp = { .contig = contig_to_khandle(buffer), .run = 1 },
		.tokens = WORDS, .batch = 1, .dst_offset = DST,
	};

	return access;
}

SUITE("esp-dummy", .setup = setup, .teardown = teardown);

/* Size and number of ESP's own header, at release 2025.1, on a 64-bit machine. */
TEST(the_argument_is_esps)
{
	ck_assert_uint_eq(sizeof(struct dummy_stratus_access), 1216);
	ck_assert_uint_eq(DUMMY_STRATUS_IOC_ACCESS, 0x44c05300);
}

TEST(runs_twice)
{
	struct dummy_stratus_access access = access_of_2025();

	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS, &access), 0);
	expect_copy();
	/* a second run with the parameters of the first */
	memset((char *)words + DST, 0, WORDS * sizeof(*words));
	ck_assert_int_eq(ioctl(acc, ESP_IOC_RUN), 0);
	expect_copy();
}

/* ESP's dummy.exe does not initialize source and ndests. */
TEST(what_only_a_multicast_uses_is_not_looked_at)
{
	struct dummy_stratus_access access = access_of_2025();

	access.source = 1;
	access.ndests = 0x7ffe;
	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS, &access), 0);
	expect_copy();
}

TEST(multicast_is_refused)
{
	struct dummy_stratus_access access = access_of_2025();

	access.ndests = 2;
	access.esp.p2p_mcast_dests = 2;
	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS, &access), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	access.ndests = 0;
	access.esp.p2p_mcast_dests = 0;
	access.esp.ndev_yx_table = 1;
	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS, &access), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	access.esp.ndev_yx_table = 0;
	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS, &access), 0);
	expect_copy();
}
