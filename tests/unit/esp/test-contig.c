// SPDX-License-Identifier: GPL-2.0-only
/* libmon/esp/buffer.c: contig.h, on a /dev/contig_alloc with chunks of 1 MiB */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/libmon/fake.h"
#include "libmon/esp/include/contig.h"
#include "libmon/include/mon.h"

static void setup(void)
{
	fake_init();
	fake_handles = 0;
	fake_file("dev/contig_alloc", "%s", "");
	setenv("LIBMON_QUIET", "1", 1);
}

SUITE("contig", .setup = setup, .teardown = fake_exit);

TEST(a_handle_names_a_buffer)
{
	contig_handle_t handle, second;
	char *buf;

	ck_assert_msg(contig_alloc(1, &second) != NULL, "%s", mon_error());
	buf = contig_alloc(3 << 19, &handle);
	ck_assert_ptr_nonnull(buf);
	ck_assert_uint_eq(fake_handles, 2);
	/* the fake's handles are 1001 and on, its preferred node the one that was asked for: 0 */
	ck_assert_uint_eq((uintptr_t)contig_to_khandle(second), 1001);
	ck_assert_uint_eq((uintptr_t)contig_to_khandle(handle), 1002);
	ck_assert_int_eq(contig_to_most_allocated(handle), 0);
	contig_write32(0x12345678, handle, 1 << 20);
	ck_assert_int_eq(memcmp(buf + (1 << 20), "\x78\x56\x34\x12", 4), 0);
	ck_assert_uint_eq(contig_read32(handle, 1 << 20), 0x12345678);
	contig_write8(0xab, handle, (2 << 20) - 1);
	ck_assert_uint_eq(contig_read8(handle, (2 << 20) - 1), 0xab);
	contig_write64(UINT64_MAX, second, 8);
	ck_assert_uint_eq(contig_read64(second, 8), UINT64_MAX);
	ck_assert_uint_eq(contig_read16(second, 0), 0);
	contig_free(handle);
	contig_free(second);
	ck_assert_uint_eq(fake_handles, 0);
}

TEST(a_policy_is_passed_on)
{
	struct contig_alloc_params params = { .policy = CONTIG_ALLOC_PREFERRED };
	contig_handle_t handle;

	params.pol.first.ddr_node = 2;
	ck_assert_ptr_nonnull(contig_alloc_policy(params, 1, &handle));
	ck_assert_int_eq(contig_to_most_allocated(handle), 2);
	contig_free(handle);
}

TEST(what_lies_outside_is_not_touched)
{
	contig_handle_t handle;
	unsigned char four[4] = { 1, 2, 3, 4 };

	ck_assert_ptr_nonnull(contig_alloc(1, &handle));
	contig_copy_to(handle, (1 << 20) - 3, four, 4);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(mon_error(), "contig_copy_to: 4 bytes at 1048573: the buffer has 1048576");
	ck_assert_uint_eq(contig_read8(handle, (1 << 20) - 3), 0);
	contig_copy_from(four, handle, ~0UL, 4);
	ck_assert_int_eq(memcmp(four, "\0\0\0", 4), 0);
	contig_free(handle);
}

TEST(errors_are_told)
{
	contig_handle_t handle;

	ck_assert_ptr_null(contig_alloc(0, &handle));
	ck_assert_int_eq(errno, EINVAL);
	errno = 0;
	contig_free((contig_handle_t)(uintptr_t)&handle);
	ck_assert_int_eq(errno, EINVAL);
	contig_free(NULL);
}
