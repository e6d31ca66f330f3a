/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

#define SECOND 1000000000ull

static void set(struct rig *rig, uint32_t reg, uint32_t value)
{
	mrfld_bar_write(rig->soc, MRFLD_SCAN(reg), value);
}

static void scan(struct rig *rig, uint32_t width, uint32_t height, uint32_t stride, uint32_t cpp,
		 uint32_t refresh)
{
	set(rig, MRFLD_SCAN_WIDTH, width);
	set(rig, MRFLD_SCAN_HEIGHT, height);
	set(rig, MRFLD_SCAN_STRIDE, stride);
	set(rig, MRFLD_SCAN_CPP, cpp);
	set(rig, MRFLD_SCAN_REFRESH, refresh);
	set(rig, MRFLD_SCAN_TABLE_LO, RIG_TABLE);
	set(rig, MRFLD_SCAN_TABLE_HI, 0);
	set(rig, MRFLD_SCAN_CTRL, MRFLD_CTRL_START);
}

static uint32_t get(struct rig *rig, uint32_t reg)
{
	return mrfld_bar_read(rig->soc, MRFLD_SCAN(reg));
}

SUITE("scanout");

TEST(a_full_hd_display_takes_497_664_mb_a_second)
{
	struct rig *rig = rig_new(NULL);
	/* All pages of the frame buffer are the same page; the counts do not depend on that. */
	uint64_t page = RIG_WINDOW;

	for (uint32_t i = 0; i < 1920 * 1080 * 4 / RIG_PAGE; i++)
		memcpy(rig->mem + RIG_TABLE + 8 * i, &page, 8);
	scan(rig, 1920, 1080, 7680, 4, 60000);
	rig_pass(rig, SECOND / 10);
	/* 6 frames of 1920 * 1080 * 4 / 64 = 129600 requests; x 64 B x 10 = 497.664e6 B/s. */
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 7, 2), 6 * 129600);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 3, 1), 6 * 129600);
	ck_assert_uint_eq(get(rig, MRFLD_SCAN_FRAMES), 6);
	/* Twice as many 32-byte reads in DRAM. */
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 1, 0) + mrfld_soc_total(rig->soc, 1, 2),
			  2 * 6 * 129600);
	/* The scan-out is not snooped. */
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 5, 1), 0);
	rig_free(rig);
}

TEST(the_visible_part_of_each_line_is_really_read)
{
	struct rig *rig = rig_new(NULL);
	uint64_t want = 0, got;

	/* 100 lines of 64 pixels of 4 bytes, lines 320 bytes apart. */
	for (uint32_t i = 0; i < 100 * 320 / 4; i++) {
		uint32_t word = i * 2654435761u;

		memcpy(rig->mem + RIG_WINDOW + 4 * i, &word, 4);
		if (i % 80 < 64)
			want += word;
	}
	scan(rig, 64, 100, 320, 4, 60000);
	rig_pass(rig, SECOND / 50);
	ck_assert_uint_eq(get(rig, MRFLD_SCAN_FRAMES), 1);
	got = get(rig, MRFLD_SCAN_SUM_LO);
	got |= (uint64_t)get(rig, MRFLD_SCAN_SUM_HI) << 32;
	ck_assert_uint_eq(got, want);
	rig_free(rig);
}

TEST(the_rest_of_a_line_is_a_32_byte_and_a_partial_request)
{
	struct rig *rig = rig_new(NULL);

	/* 27 pixels of 4 bytes: 108 = 64 + 32 + 12. One frame a second, 10 lines. */
	scan(rig, 27, 10, 128, 4, 1000);
	rig_pass(rig, SECOND);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 7, 0), 10);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 7, 1), 10);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 7, 2), 10);
	rig_free(rig);
}

TEST(stop_stops)
{
	struct rig *rig = rig_new(NULL);

	scan(rig, 64, 100, 256, 4, 60000);
	rig_pass(rig, SECOND / 60);
	set(rig, MRFLD_SCAN_CTRL, 0);
	rig_pass(rig, SECOND);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 7, 2), 400);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	rig_free(rig);
}

LOOP_TEST(a_bad_geometry_is_refused, 0, 6)
{
	static const uint32_t bad[][5] = {
		{ 0, 100, 256, 4, 60000 },
		{ 64, 100, 255, 4, 60000 },	/* stride not a multiple of 64 */
		{ 64, 100, 192, 4, 60000 },	/* stride shorter than a line */
		{ 63, 100, 256, 2, 60000 },	/* line not a multiple of 4 */
		{ 64, 100, 256, 4, 0 },
		{ 16384, 16384, 65536, 4, 60000 },	/* 1 TB/s */
	};
	struct rig *rig = rig_new(NULL);

	scan(rig, bad[_i][0], bad[_i][1], bad[_i][2], bad[_i][3], bad[_i][4]);
	ck_assert_uint_eq(get(rig, MRFLD_SCAN_STATUS), MRFLD_STATUS_BAD);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	rig_free(rig);
}

TEST(a_frame_buffer_that_is_not_memory_is_a_fault)
{
	struct rig *rig = rig_new(NULL);
	uint64_t nowhere = 1ull << 40;

	memcpy(rig->mem + RIG_TABLE, &nowhere, 8);
	scan(rig, 64, 100, 256, 4, 60000);
	rig_pass(rig, SECOND / 60);
	ck_assert_uint_eq(get(rig, MRFLD_SCAN_STATUS), MRFLD_STATUS_FAULT);
	rig_free(rig);
}
