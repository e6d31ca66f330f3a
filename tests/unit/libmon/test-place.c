// SPDX-License-Identifier: GPL-2.0-only
/* libmon/place.c, and the sentences about places in field.c */
#include <errno.h>
#include <string.h>

#include "fake.h"
#include "libmon/internal.h"
#include "tests/main.h"

#define DEVICES "sys/bus/event_source/devices/"

static void expect_place(const struct mon_pmu *pmu, unsigned int number, const char *kind,
			 const char *name, const char *device, int row, int column, const char *terms)
{
	const struct mon_place *place = mon_pmu_get_place(pmu, number);

	ck_assert_ptr_nonnull(place);
	ck_assert_uint_eq(mon_place_get_number(place), number);
	ck_assert_str_eq(mon_place_get_kind(place), kind);
	ck_assert_str_eq(mon_place_get_name(place), name);
	ck_assert_str_eq(mon_place_get_device(place), device);
	ck_assert_int_eq(mon_place_get_row(place), row);
	ck_assert_int_eq(mon_place_get_column(place), column);
	ck_assert_str_eq(mon_place_get_terms(place), terms);
}

SUITE("place", .setup = fake_init, .teardown = fake_exit);

TEST(a_soc_has_tiles_in_rows_and_columns)
{
	struct mon_pmu *pmu;

	fake_espmon();
	pmu = mon_pmu_new("espmon");
	ck_assert_str_eq(mon_pmu_get_place_noun(pmu), "tile");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 6);
	expect_place(pmu, 0, "acc", "fft_stratus", "fft_stratus.0", 0, 0, "bytile,tile=0");
	expect_place(pmu, 2, "mem", "", "", 1, 0, "bytile,tile=2");
	expect_place(pmu, 5, "io", "", "", 2, 1, "bytile,tile=5");
	ck_assert_ptr_null(mon_pmu_get_place(pmu, 6));
	mon_pmu_free(pmu);
}

static void fake_upmem(void)
{
	fake_pmu("upmem", 50);
	fake_format("upmem", "event", "config:0-11");
	fake_format("upmem", "dpu", "config:12-19");
	fake_format("upmem", "bydpu", "config:20");
	fake_event("upmem", "dpu_cycles", "event=0x100");
	fake_file(DEVICES "upmem/caps/dpus", "64\n");
}

static void fake_hexagon(void)
{
	fake_pmu("hexagon", 51);
	fake_format("hexagon", "event", "config:0-9");
	fake_format("hexagon", "stid", "config:16-23");
	fake_event("hexagon", "committed_pkt_any", "event=0x003");
	fake_file(DEVICES "hexagon/caps/threads", "6\n");
}

TEST(a_rank_has_dpus)
{
	struct mon_pmu *pmu;

	fake_upmem();
	pmu = mon_pmu_new("upmem");
	ck_assert_str_eq(mon_pmu_get_place_noun(pmu), "dpu");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 64);
	expect_place(pmu, 63, "dpu", "", "", -1, -1, "bydpu,dpu=63");
	ck_assert_uint_eq(mon_field_get_max(mon_pmu_find_field(pmu, "dpu")), 63);
	mon_pmu_free(pmu);
}

/* STID 0 is all threads, thread n has n + 1 (ABI-hexagon.txt). */
TEST(a_core_has_threads)
{
	struct mon_pmu *pmu;

	fake_hexagon();
	pmu = mon_pmu_new("hexagon");
	ck_assert_str_eq(mon_pmu_get_place_noun(pmu), "thread");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 6);
	expect_place(pmu, 0, "thread", "", "", -1, -1, "stid=1");
	expect_place(pmu, 5, "thread", "", "", -1, -1, "stid=6");
	ck_assert_uint_eq(mon_field_get_max(mon_pmu_find_field(pmu, "stid")), 6);
	mon_pmu_free(pmu);
}

TEST(other_pmus_have_none)
{
	struct mon_pmu *pmu;

	fake_pmu("arm_dsu", 9);
	pmu = mon_pmu_new("arm_dsu");
	ck_assert_str_eq(mon_pmu_get_place_noun(pmu), "");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 0);
	mon_pmu_free(pmu);
}

/* They can be counted all the same, all tiles at a time or by their bits. */
TEST(a_file_that_is_not_understood_gives_no_places)
{
	static const char *const broken[] = {
		"", "x\n", "0 0\n", "cpu 0 0\n", "0 0 cpu\n0 mem\n",
	};
	struct mon_group *group;
	struct mon_pmu *pmu;
	size_t i;

	fake_espmon();
	for (i = 0; i < MON_ARRAY_SIZE(broken); i++) {
		fake_tiles("espmon", broken[i]);
		pmu = mon_pmu_new("espmon");
		ck_assert_ptr_nonnull(pmu);
		ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 0);
		ck_assert_uint_eq(mon_field_get_max(mon_pmu_find_field(pmu, "tile")), 255);
		mon_pmu_free(pmu);
	}
	group = mon_group_new();
	ck_assert_int_eq(mon_group_add(group, "espmon/ddr_accesses,bytile,tile=99/"), 0);
	mon_group_free(group);
	fake_upmem();
	fake_file(DEVICES "upmem/caps/dpus", "many\n");
	pmu = mon_pmu_new("upmem");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 0);
	mon_pmu_free(pmu);
}

static void expect_refused(const char *event, const char *sentence)
{
	struct mon_group *group = mon_group_new();

	ck_assert_int_eq(mon_group_add(group, event), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(mon_error(), sentence);
	mon_group_free(group);
}

TEST(a_place_that_is_not_there_is_named)
{
	struct mon_group *group = mon_group_new();
	struct mon_pmu *pmu;

	fake_espmon();
	fake_upmem();
	fake_hexagon();
	expect_refused("espmon/ddr_accesses,bytile,tile=99/",
		       "espmon/ddr_accesses,bytile,tile=99/: espmon has tiles 0 to 5");
	/* more than the bits hold, by bits, and by code */
	expect_refused("espmon/ddr_accesses,bytile,tile=256/",
		       "espmon/ddr_accesses,bytile,tile=256/: espmon has tiles 0 to 5");
	expect_refused("espmon/config=0x10600/", "espmon/config=0x10600/: espmon has tiles 0 to 5");
	pmu = mon_pmu_new("espmon");
	ck_assert_int_eq(mon_group_add_config(group, pmu, 0x10600), -1);
	ck_assert_str_eq(mon_error(), "espmon/config=0x10600/: espmon has tiles 0 to 5");
	ck_assert_int_eq(mon_group_add_config(group, pmu, 0x10500), 0);
	mon_pmu_free(pmu);
	mon_group_free(group);
	expect_refused("espmon/ddr_accesses,tile=2/",
		       "espmon/ddr_accesses,tile=2/: tile=2 counts only with bytile: write bytile,tile=2");
	expect_refused("upmem/dpu_cycles,bydpu,dpu=64/",
		       "upmem/dpu_cycles,bydpu,dpu=64/: upmem has dpus 0 to 63");
	expect_refused("hexagon/committed_pkt_any,stid=7/",
		       "hexagon/committed_pkt_any,stid=7/: hexagon has threads 0 to 5: stid is 0 for all, or 1 more than the number");
}

TEST(instances_have_their_own_places)
{
	struct mon_pmu *pmu;

	fake_espmon();
	fake_second_espmon();
	pmu = mon_pmu_new("espmon_1");
	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), 4);
	expect_place(pmu, 2, "acc", "dummy_stratus", "dummy_stratus.0", 0, 2, "bytile,tile=2");
	mon_pmu_free(pmu);
	expect_refused("espmon_1/ddr_accesses,bytile,tile=4/",
		       "espmon_1/ddr_accesses,bytile,tile=4/: espmon_1 has tiles 0 to 3");
}
