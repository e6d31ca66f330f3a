// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmon/systems.c: mon.h gives description, unit and place of every event of all four PMUs. The
 * catalogues are expanded once more here; where an event counts is derived from their columns in
 * another way than in the library.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "events/espmon/regs.h"
#include "fake.h"
#include "libmon/internal.h"
#include "suites.h"

struct expected {
	const char *name;
	unsigned int code;
	const char *unit, *description;
	unsigned int place;
};

static const struct expected espmon[] = {
#define ESPMON_EVENT(name, code, tiles, unit, description) { #name, code, unit, description, tiles },
#include "events/espmon/events.def"
};

static const struct expected mrfld_visa[] = {
#define MRFLD_EVENT(name, group, counter, unit, scale, description) \
	{ #name, 256 * (group) + (counter), unit, description, group },
#include "events/mrfld_visa/events.def"
};

static const struct expected upmem[] = {
#define UPMEM_EVENT(name, code, unit, description) { #name, code, unit, description, 0 },
#include "events/upmem/events.def"
};

static const struct expected hexagon[] = {
#define HEXAGON_EVENT(name, code, versions, maskable, confidence, from, unit, description) \
	{ #name, code, unit, description, maskable },
#include "events/hexagon/events.def"
};

static const struct expected hexagon_v65[] = {
#define HEXAGON_V65_EVENT(name, code, from, unit, description) { #name, code, unit, description, 0 },
#include "events/hexagon/events.def"
};

/* Kinds of tiles, an accelerator with an L2, and which bits of the catalogue's mask they have. */
static const struct {
	const char *line, *where;
	unsigned int on;
} tiles[] = {
	{ "empty", "empty", ESP_ON_ANY },
	{ "cpu", "cpu", ESP_ON_CPU | ESP_ON_CLOCKED | ESP_ON_ANY },
	{ "io", "io", ESP_ON_IO | ESP_ON_CLOCKED | ESP_ON_ANY },
	{ "mem", "mem", ESP_ON_MEM | ESP_ON_CLOCKED | ESP_ON_ANY },
	{ "slm", "slm", ESP_ON_SLM | ESP_ON_CLOCKED | ESP_ON_ANY },
	{ "acc fft_stratus.0", "acc", ESP_ON_ACC | ESP_ON_CLOCKED | ESP_ON_ANY },
	{ "acc fft_stratus.1 l2", "acc+l2",
	  ESP_ON_ACC | ESP_ON_ACC_L2 | ESP_ON_CLOCKED | ESP_ON_ANY },
};

static struct mon_pmu *fake_events(const char *name, const char *format,
				   const struct expected *expected, size_t count)
{
	char terms[32], text[512] = "";
	size_t i;

	fake_pmu(name, 42);
	fake_format(name, "event", format);
	for (i = 0; i < count; i++) {
		snprintf(terms, sizeof(terms), "event=0x%x", expected[i].code);
		fake_event(name, expected[i].name, terms);
	}
	for (i = 0; i < MON_ARRAY_SIZE(tiles); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%zu 0 %zu %s\n", i, i,
			 tiles[i].line);
	if (!strcmp(name, "espmon"))
		fake_file("sys/bus/event_source/devices/espmon/tiles", "%s", text);
	return mon_pmu_new(name);
}

static const char *espmon_where(const struct expected *e)
{
	static char text[64];
	size_t i;

	*text = '\0';
	for (i = 0; i < MON_ARRAY_SIZE(tiles); i++) {
		/* with an L2 only if not without one, too */
		if (!(e->place & tiles[i].on) ||
		    (strchr(tiles[i].where, '+') && e->place & tiles[i - 1].on))
			continue;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 *text ? " " : "", tiles[i].where);
	}
	return text;
}

static const char *mrfld_where(const struct expected *e)
{
#define MRFLD_GROUP(group, name, description) if (e->place == (group)) return name;
#include "events/mrfld_visa/events.def"
	return "any group";
}

static const char *upmem_where(const struct expected *e)
{
	(void)e;
	return "dpu";
}

static const char *hexagon_where(const struct expected *e)
{
	return e->place ? "thread" : "core";
}

static const struct {
	const char *pmu, *format;
	const struct expected *events;
	size_t count;
	const char *(*where)(const struct expected *e);
} systems[] = {
	{ "espmon", "config:0-7", espmon, MON_ARRAY_SIZE(espmon), espmon_where },
	{ "mrfld_visa", "config:0-15", mrfld_visa, MON_ARRAY_SIZE(mrfld_visa), mrfld_where },
	{ "upmem", "config:0-11", upmem, MON_ARRAY_SIZE(upmem), upmem_where },
	{ "hexagon", "config:0-9", hexagon, MON_ARRAY_SIZE(hexagon), hexagon_where },
	{ "hexagon", "config:0-9", hexagon_v65, MON_ARRAY_SIZE(hexagon_v65), hexagon_where },
};

START_TEST(every_event_is_described)
{
	struct mon_pmu *pmu = fake_events(systems[_i].pmu, systems[_i].format, systems[_i].events,
					  systems[_i].count);
	size_t i;

	ck_assert_uint_eq(mon_pmu_get_event_count(pmu), systems[_i].count);
	for (i = 0; i < systems[_i].count; i++) {
		const struct expected *e = &systems[_i].events[i];
		const struct mon_event *event = mon_pmu_find_event(pmu, e->name);

		ck_assert_msg(event != NULL, "%s", e->name);
		ck_assert_uint_eq(mon_event_get_config(event, 0), e->code);
		ck_assert_str_ne(e->unit, "");
		ck_assert_str_eq(mon_event_get_unit(event), e->unit);
		ck_assert_str_ne(e->description, "");
		ck_assert_str_eq(mon_event_get_description(event), e->description);
		ck_assert_str_eq(mon_event_get_where(event), systems[_i].where(e));
	}
	mon_pmu_free(pmu);
}
END_TEST

START_TEST(an_event_counts_in_the_tiles_of_its_mask)
{
	struct mon_pmu *pmu = fake_events("espmon", "config:0-7", espmon, MON_ARRAY_SIZE(espmon));
	size_t i, t;

	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), MON_ARRAY_SIZE(tiles));
	for (i = 0; i < MON_ARRAY_SIZE(espmon); i++)
		for (t = 0; t < MON_ARRAY_SIZE(tiles); t++)
			ck_assert_msg(mon_event_counts_in(mon_pmu_find_event(pmu, espmon[i].name),
							  mon_pmu_get_place(pmu, t)) ==
				      !!(espmon[i].place & tiles[t].on), "%s in %s",
				      espmon[i].name, tiles[t].line);
	mon_pmu_free(pmu);
}
END_TEST

Suite *catalogue_suite(void)
{
	Suite *suite = suite_create("catalogue");
	TCase *tcase = tcase_create("catalogue");

	tcase_add_checked_fixture(tcase, fake_init, fake_exit);
	tcase_add_loop_test(tcase, every_event_is_described, 0, MON_ARRAY_SIZE(systems));
	tcase_add_test(tcase, an_event_counts_in_the_tiles_of_its_mask);
	suite_add_tcase(suite, tcase);
	return suite;
}
