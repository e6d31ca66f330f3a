// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmon/systems.c: mon.h gives description, unit and place of every event of all four PMUs. The
 * test expands the catalogues once more and derives the places of an event from their columns in
 * another way than the library.
 */
#include <stdio.h>
#include <string.h>

#include "events/catalogues.h"
#include "fake.h"
#include "libmon/internal.h"
#include "tests/main.h"

static const struct expected {
	const char *pmu, *name;
	unsigned int config, places, variants;
	const char *unit, *description;
} catalogue[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, description, ...) \
	{ MON_PMU, #name, config, places, variants, unit, description },
#include "events/catalogues.def"
#undef MON_EVENT
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

static const char *espmon_where(const struct expected *e);
static const char *mrfld_where(const struct expected *e);
static const char *upmem_where(const struct expected *e);
static const char *hexagon_where(const struct expected *e);

/* PMUs, and which variants of their events: names are unique in these. */
static const struct {
	const char *pmu, *format;
	unsigned int with, without;
	const char *(*where)(const struct expected *e);
} pmus[] = {
	{ "espmon", "config:0-7", 0, 0, espmon_where },
	{ "mrfld_visa", "config:0-15", 0, 0, mrfld_where },
	{ "upmem", "config:0-11", 0, 0, upmem_where },
	{ "hexagon", "config:0-9", 0, HEXAGON_V65_OWN, hexagon_where },
	{ "hexagon", "config:0-9", HEXAGON_V65_OWN, 0, hexagon_where },
};

static bool is_of(const struct expected *e, int p)
{
	return !strcmp(e->pmu, pmus[p].pmu) && !(e->variants & pmus[p].without) &&
	       (e->variants & pmus[p].with) == pmus[p].with;
}

/* The PMU in sysfs, without units; espmon with a tile of each kind. */
static struct mon_pmu *fake_events(int p)
{
	char terms[32], text[512] = "";
	size_t i;

	fake_pmu(pmus[p].pmu, 42);
	fake_format(pmus[p].pmu, "event", pmus[p].format);
	for (i = 0; i < MON_ARRAY_SIZE(catalogue); i++) {
		if (!is_of(&catalogue[i], p))
			continue;
		snprintf(terms, sizeof(terms), "event=0x%x", catalogue[i].config);
		fake_event(pmus[p].pmu, catalogue[i].name, terms);
	}
	for (i = 0; i < MON_ARRAY_SIZE(tiles); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "0 %zu %s\n", i,
			 tiles[i].line);
	if (!strcmp(pmus[p].pmu, "espmon"))
		fake_tiles("espmon", text);
	return mon_pmu_new(pmus[p].pmu);
}

static const char *espmon_where(const struct expected *e)
{
	static char text[64];
	size_t i;

	*text = '\0';
	for (i = 0; i < MON_ARRAY_SIZE(tiles); i++) {
		/* "with an L2" only if the event is not on tiles without L2 */
		if (!(e->places & tiles[i].on) ||
		    (strchr(tiles[i].where, '+') && e->places & tiles[i - 1].on))
			continue;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 *text ? " " : "", tiles[i].where);
	}
	return text;
}

/* bit n of the mask is group n; group 0, the clock of the group that counts, has none */
static const char *mrfld_where(const struct expected *e)
{
#define MRFLD_GROUP(group, name, description) if (e->places == 1U << (group)) return name;
#include "events/mrfld/events.def"
#undef MRFLD_GROUP
	return e->places ? "?" : "all";
}

static const char *upmem_where(const struct expected *e)
{
	(void)e;
	return "dpu";
}

static const char *hexagon_where(const struct expected *e)
{
	return e->places == HEXAGON_ON_THREAD ? "thread" : "core";
}

SUITE("catalogue", .setup = fake_init, .teardown = fake_exit);

LOOP_TEST(every_event_is_described, 0, MON_ARRAY_SIZE(pmus))
{
	struct mon_pmu *pmu = fake_events(_i);
	size_t i, n = 0;

	for (i = 0; i < MON_ARRAY_SIZE(catalogue); i++) {
		const struct expected *e = &catalogue[i];
		const struct mon_event *event;

		if (!is_of(e, _i))
			continue;
		n++;
		event = mon_pmu_find_event(pmu, e->name);
		ck_assert_msg(event != NULL, "%s", e->name);
		ck_assert_uint_eq(mon_event_get_config(event, 0), e->config);
		ck_assert_str_ne(e->unit, "");
		ck_assert_str_eq(mon_event_get_unit(event), e->unit);
		ck_assert_str_ne(e->description, "");
		ck_assert_str_eq(mon_event_get_description(event), e->description);
		ck_assert_str_eq(mon_event_get_where(event), pmus[_i].where(e));
	}
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_eq(mon_pmu_get_event_count(pmu), n);
	mon_pmu_free(pmu);
}

/*
 * The tests above know the systems of this project. Any other system must have events, each with a
 * description and a unit.
 */
TEST(every_system_was_compared)
{
	static const struct {
		const char *pmu, *unit, *description;
	} all[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, description, ...) \
		{ MON_PMU, unit, description },
#include "events/catalogues.def"
#undef MON_EVENT
	};
	static const char *const systems[] = {
#define MON_SYSTEM(name, pmu, ...) #pmu,
#include "events/systems.def"
#undef MON_SYSTEM
	};
	size_t i, p, n;

	for (i = 0; i < MON_ARRAY_SIZE(systems); i++) {
		for (p = 0; p < MON_ARRAY_SIZE(pmus); p++)
			if (!strcmp(pmus[p].pmu, systems[i]))
				break;
		n = p < MON_ARRAY_SIZE(pmus);
		for (p = 0; !n && p < MON_ARRAY_SIZE(all); p++)
			n = !strcmp(all[p].pmu, systems[i]) && *all[p].unit && *all[p].description;
		ck_assert_msg(n, "%s", systems[i]);
	}
}

TEST(an_event_counts_in_the_tiles_of_its_mask)
{
	struct mon_pmu *pmu = fake_events(0);
	size_t i, t;

	ck_assert_uint_eq(mon_pmu_get_place_count(pmu), MON_ARRAY_SIZE(tiles));
	for (i = 0; i < MON_ARRAY_SIZE(catalogue); i++)
		for (t = 0; t < MON_ARRAY_SIZE(tiles) && is_of(&catalogue[i], 0); t++)
			ck_assert_msg(mon_event_counts_in(mon_pmu_find_event(pmu, catalogue[i].name),
							  mon_pmu_get_place(pmu, t)) ==
				      !!(catalogue[i].places & tiles[t].on), "%s in %s",
				      catalogue[i].name, tiles[t].line);
	mon_pmu_free(pmu);
}
