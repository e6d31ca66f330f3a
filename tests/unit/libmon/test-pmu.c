// SPDX-License-Identifier: GPL-2.0-only
/* libmon/pmu.c, event.c, field.c, missing.c, text.c, error.c */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "libmon/internal.h"
#include "tests/main.h"

#define DEVICES "sys/bus/event_source/devices/"

SUITE("pmu", .setup = fake_init, .teardown = fake_exit);

TEST(lists_only_pmus_with_a_cpumask_by_name)
{
	struct mon_pmus *pmus;

	fake_espmon();
	fake_file(DEVICES "cpu/type", "4\n");
	fake_file(DEVICES "arm_dsu/type", "9\n");
	fake_file(DEVICES "arm_dsu/cpumask", "2-5\n");
	pmus = mon_pmus_new();
	ck_assert_ptr_nonnull(pmus);
	ck_assert_uint_eq(mon_pmus_get_count(pmus), 2);
	ck_assert_str_eq(mon_pmu_get_name(mon_pmus_get(pmus, 0)), "arm_dsu");
	ck_assert_int_eq(mon_pmu_get_cpu(mon_pmus_get(pmus, 0)), 2);
	ck_assert_str_eq(mon_pmu_get_name(mon_pmus_get(pmus, 1)), "espmon");
	ck_assert_ptr_null(mon_pmus_get(pmus, 2));
	mon_pmus_free(pmus);
}

TEST(lists_the_instances_of_a_kind_by_number)
{
	/* by name the order would be espmon, espmon_1, espmon_10, espmon_2 */
	static const char *const names[] = { "espmon", "espmon_1", "espmon_2", "espmon_10" };
	static const unsigned int numbers[] = { 0, 1, 2, 10 };
	struct mon_pmus *pmus;
	size_t i;

	for (i = 0; i < MON_ARRAY_SIZE(names); i++)
		fake_pmu(names[i], 42 + i);
	fake_pmu("espmon_x", 60);
	fake_pmu("upmem", 61);
	pmus = mon_pmus_new_of("espmon");
	ck_assert_ptr_nonnull(pmus);
	ck_assert_uint_eq(mon_pmus_get_count(pmus), MON_ARRAY_SIZE(names));
	for (i = 0; i < MON_ARRAY_SIZE(names); i++) {
		const struct mon_pmu *pmu = mon_pmus_get(pmus, i);

		ck_assert_str_eq(mon_pmu_get_name(pmu), names[i]);
		ck_assert_str_eq(mon_pmu_get_kind(pmu), "espmon");
		ck_assert_uint_eq(mon_pmu_get_instance(pmu), numbers[i]);
	}
	mon_pmus_free(pmus);
	pmus = mon_pmus_new_of("hexagon");
	ck_assert_uint_eq(mon_pmus_get_count(pmus), 0);
	mon_pmus_free(pmus);
	pmus = mon_pmus_new();
	ck_assert_uint_eq(mon_pmus_get_count(pmus), MON_ARRAY_SIZE(names) + 2);
	ck_assert_str_eq(mon_pmu_get_name(mon_pmus_get(pmus, 3)), "espmon_10");
	mon_pmus_free(pmus);
}

TEST(tells_its_version)
{
	ck_assert_str_eq(mon_version(), PACKAGE_VERSION);
}

TEST(describes_an_event)
{
	const struct mon_event *event;
	struct mon_pmu *pmu;

	fake_espmon();
	fake_file(DEVICES "espmon/events/dma_reqs.scale", "8e0\n");
	fake_file(DEVICES "espmon/events/dma_reqs.unit", "Bytes\n");
	pmu = mon_pmu_new("espmon");
	event = mon_pmu_find_event(pmu, "dma_reqs");
	ck_assert_ptr_nonnull(event);
	/* monitor index 5 (esp_tile_csr.vhd); sysfs has the last word on unit and scale */
	ck_assert_uint_eq(mon_event_get_config(event, 0), 5);
	ck_assert_str_eq(mon_event_get_unit(event), "Bytes");
	ck_assert(mon_event_get_scale(event) == 8.0);
	ck_assert_str_eq(mon_event_get_where(event), "mem slm");
	event = mon_pmu_find_event(pmu, "acc_tot_cycles");
	ck_assert_uint_eq(mon_event_get_config(event, 0), 0x81);
	ck_assert_str_eq(mon_event_get_unit(event), "cycles");
	ck_assert(mon_event_get_scale(event) == 1.0);
	mon_pmu_free(pmu);
}

TEST(says_that_an_event_is_unknown)
{
	struct mon_pmu *pmu;

	fake_espmon();
	pmu = mon_pmu_new("espmon");
	ck_assert_ptr_null(mon_pmu_find_event(pmu, "flux"));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "espmon: no event flux"));
	mon_pmu_free(pmu);
}

/* Formats with several ranges and other config words, as in other uncore PMUs. */
TEST(puts_values_into_their_bits)
{
	struct mon_config config = { { 0 } };
	const struct mon_event *event = NULL;
	const struct mon_field *field;
	struct mon_pmu *pmu;

	fake_file(DEVICES "x/type", "7\n");
	fake_file(DEVICES "x/cpumask", "0\n");
	fake_file(DEVICES "x/format/event", "config:0-3,8-11\n");
	fake_file(DEVICES "x/format/all", "config2:0-63\n");
	fake_file(DEVICES "x/format/bit", "config1:5\n");
	fake_file(DEVICES "x/format/odd", "config9:5\n");
	fake_file(DEVICES "x/format/upside_down", "config:7-0\n");
	fake_file(DEVICES "x/events/go", "event=0x21,bit\n");
	fake_file(DEVICES "x/events/newer", "event=0x21,unheard=1\n");
	pmu = mon_pmu_new("x");
	ck_assert_ptr_nonnull(pmu);
	/* low nibble to bits 0-3, high nibble to bits 8-11 */
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "event=0xa5,bit=1,all=0x8000000000000001", "t",
					     &config, &event), 0);
	ck_assert_uint_eq(config.word[0], 0xa05);
	ck_assert_uint_eq(config.word[1], 1 << 5);
	ck_assert_uint_eq(config.word[2], 0x8000000000000001);
	/* an event with a term that we do not know is left out, the others stay */
	ck_assert_uint_eq(mon_pmu_get_event_count(pmu), 1);
	ck_assert_uint_eq(mon_event_get_config(mon_pmu_get_event(pmu, 0), 0), 0x201);
	ck_assert_uint_eq(mon_event_get_config(mon_pmu_get_event(pmu, 0), 1), 1 << 5);
	ck_assert_uint_eq(mon_event_get_config(mon_pmu_get_event(pmu, 0), 3), 0);
	/* the known fields, by name */
	ck_assert_uint_eq(mon_pmu_get_field_count(pmu), 3);
	field = mon_pmu_get_field(pmu, 2);
	ck_assert_str_eq(mon_field_get_name(field), "event");
	ck_assert_str_eq(mon_field_get_bits(field), "config:0-3,8-11");
	ck_assert_uint_eq(mon_field_get_max(field), 0xff);
	ck_assert_ptr_null(mon_pmu_get_field(pmu, 3));
	ck_assert_uint_eq(mon_field_get_max(mon_pmu_find_field(pmu, "all")), UINT64_MAX);
	ck_assert_ptr_null(mon_pmu_find_field(pmu, "odd"));
	ck_assert_int_eq(errno, ENOENT);

	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "event=0x100", "t", &config, &event), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(mon_error(), "t: event=0x100: at most 0xff");
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "event=5x", "t", &config, &event), -1);
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "event=-1", "t", &config, &event), -1);
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "event=", "t", &config, &event), -1);
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "odd=1", "t", &config, &event), -1);
	ck_assert_int_eq(mon_pmu_parse_terms(pmu, "upside_down=1", "t", &config, &event), -1);
	mon_pmu_free(pmu);
}

static void expect_missing(const char *name, const char *words)
{
	ck_assert_ptr_null(mon_pmu_new(name));
	ck_assert_int_eq(errno, ENODEV);
	ck_assert_msg(strstr(mon_error(), words) != NULL, "%s", mon_error());
}

TEST(says_whether_module_or_device_is_missing)
{
	expect_missing("espmon", "neither a device, Columbia ESP tile monitors (PCI 1af4:10f0), nor the module espmon: "
		       "a guest of mon-vm has both");
	fake_file("sys/bus/pci/devices/0000:00:01.0/vendor", "0x1af4\n");
	fake_file("sys/bus/pci/devices/0000:00:01.0/device", "0x10f0\n");
	expect_missing("espmon", "the module is not loaded: modprobe espmon");
	fake_file("sys/module/espmon/refcnt", "0\n");
	expect_missing("espmon", "did not take the device: see the kernel log");
	fake_remove("sys/bus/pci");
	expect_missing("espmon", "the module espmon is loaded but there is no device");
	expect_missing("espmon_1", "there are fewer devices, Columbia ESP tile monitors");
	expect_missing("../cpu", "no such PMU");
	expect_missing("", "no such PMU");
}

TEST(survives_broken_sysfs_files)
{
	fake_espmon();
	fake_file(DEVICES "espmon/type", "many\n");
	ck_assert_ptr_null(mon_pmu_new("espmon"));
	fake_file(DEVICES "espmon/type", "42\n");
	fake_file(DEVICES "espmon/cpumask", "\n");
	ck_assert_ptr_null(mon_pmu_new("espmon"));
	ck_assert_int_eq(errno, ENODEV);
}

/*
 * A second handle of a PMU does not read the event files again; another CPU or folder is another
 * PMU.
 */
TEST(shares_what_it_has_read)
{
	struct mon_pmu *first, *second, *moved, *plugged;
	char *here = mon_format("%s/bus/event_source/devices/espmon", mon_sysfs_root);
	char *away = mon_format("%s_1", here);

	fake_espmon();
	first = mon_pmu_new("espmon");
	ck_assert_ptr_nonnull(first);
	fake_remove(DEVICES "espmon/events/dma_reqs");
	second = mon_pmu_new("espmon");
	ck_assert_ptr_eq(second, first);
	ck_assert_ptr_nonnull(mon_pmu_find_event(second, "dma_reqs"));
	fake_file(DEVICES "espmon/cpumask", "1\n");
	moved = mon_pmu_new("espmon");
	ck_assert_int_eq(mon_pmu_get_cpu(moved), 1);
	ck_assert_int_eq(mon_pmu_get_cpu(first), 0);
	ck_assert_ptr_null(mon_pmu_find_event(moved, "dma_reqs"));
	ck_assert_int_eq(rename(here, away), 0);
	fake_espmon();
	plugged = mon_pmu_new("espmon");
	ck_assert_ptr_ne(plugged, first);
	ck_assert_ptr_nonnull(mon_pmu_find_event(plugged, "dma_reqs"));
	mon_pmu_free(plugged);
	mon_pmu_free(first);
	/* the other handles are still valid */
	ck_assert_str_eq(mon_pmu_get_name(second), "espmon");
	mon_pmu_free(second);
	mon_pmu_free(moved);
	free(away);
	free(here);
}

TEST(reads_files_of_a_pmu)
{
	struct mon_pmu *pmu;
	char *text;

	fake_espmon();
	pmu = mon_pmu_new("espmon");
	text = mon_pmu_read_file(pmu, "caps/layout");
	ck_assert_str_eq(text, "2023");
	free(text);
	ck_assert_ptr_null(mon_pmu_read_file(pmu, "caps/heads"));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(mon_error(), "caps/heads"));
	mon_pmu_free(pmu);
}
