// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu/hexagon/hexagon_config.c: attr.config of the PMU hexagon, and the allocation of its eight
 * counters. Compared with pmu/hexagon/ABI-hexagon.txt and the table of the documents in
 * tests/libpfm4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/hexagon/hexagon_config.h"
#include "tests/main.h"
#include "tests/unit/pmu/pmu-test.h"

static const unsigned int cores[] = { 65, 69, 73, 79 };

#define EVENT(config)	((unsigned int)(config) & 0x3ff)
#define STID(config)	((unsigned int)(config) >> 16 & 0xff)

/* By core and selector: true if the table of the documents says that it obeys the thread filter. */
static bool filtered[4][0x400];

/* Only the table of V79 has this flag; the other cores must have the selector. */
static bool has(unsigned int core, const char *seen, const char *v69)
{
	char version[8];

	if (core == 69)
		return !strcmp(v69, "strong") || !strcmp(v69, "assumed") || !strcmp(v69, "article");
	snprintf(version, sizeof(version), "v%u", core);
	return strstr(seen, version);
}

static void read_table(void)
{
	const char *srcdir = getenv("srcdir");
	char line[256], path[512];
	unsigned int n = 0, i;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/libpfm4/hexagon.csv", srcdir ? srcdir : ".");
	file = fopen(path, "r");
	ck_assert_msg(file, "%s", path);
	while (fgets(line, sizeof(line), file)) {
		char *rest = line, *id = strsep(&rest, ","), *name = strsep(&rest, ",");
		char *maskable = strsep(&rest, ","), *seen = strsep(&rest, ",");
		char *v69 = strsep(&rest, ",\n");

		if (!v69 || !name || strcmp(maskable, "yes"))
			continue;
		for (i = 0; i < ARRAY_SIZE(cores); i++)
			filtered[i][strtoul(id, NULL, 16)] = has(cores[i], seen, v69);
		n++;
	}
	fclose(file);
	ck_assert_uint_gt(n, 100);
}

#define valid(what)										\
	do {											\
		if (!(what))									\
			ck_abort_msg("core %u, config %#llx: %s", id.core,			\
				     (unsigned long long)config, #what);			\
	} while (0)

SUITE("hexagon");

LOOP_TEST(configs_are_valid_or_not, 0, ARRAY_SIZE(cores))
{
	struct hexagon_id id = { .core = cores[_i] };
	unsigned int bit;
	u64 config;

	read_table();
	/* the device counts seven of eleven selectors */
	for (config = 0; config < 0x400; config++)
		if (config % 11 < 7)
			id.events[config / 32] |= 1U << config % 32;
	for (config = 0; config < 1 << 24; config++) {
		int err = hexagon_config_check(&id, config);
		unsigned int event = EVENT(config);

		if (config & 0xfc00 || event % 11 >= 7)
			valid(err == -EINVAL);
		else if (!STID(config))
			valid(!err);
		else
			valid(err == (filtered[_i][event] ? 0 : -EINVAL));
		for (bit = 24; !err && bit < 64; bit++)
			valid(hexagon_config_check(&id, config | 1ULL << bit) == -EINVAL);
	}
}

/* The model: a list of the events that have been claimed. Equal ones share; there are eight. */
#define MAX_EVENTS 60

struct model {
	unsigned int n;
	struct {
		u32 config;
		int counter;	/* must stay in the counter in which it was claimed */
	} events[MAX_EVENTS];
};

static bool claimed(const struct model *m, u32 config, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (m->events[i].config == config)
			return true;
	return false;
}

static unsigned int distinct(const struct model *m)
{
	unsigned int i, sum = 0;

	for (i = 0; i < m->n; i++)
		sum += !claimed(m, m->events[i].config, i);
	return sum;
}

static void check_counters(const struct hexagon_alloc *alloc, const struct model *m,
			   unsigned int seed, unsigned int step)
{
	u32 owner[8] = { 0 };
	unsigned int i;

	for (i = 0; i < m->n; i++) {
		u32 config = m->events[i].config;
		int counter = hexagon_alloc_find(alloc, config);

		must(counter >= 0 && counter < 8);
		must(counter == m->events[i].counter);
		must(!owner[counter] || owner[counter] == config);
		owner[counter] = config;
		/* what start() writes into the selectors */
		must(alloc->config[counter] == config);
	}
}

LOOP_TEST(random_claims_follow_the_model, 0, 20)
{
	/* the same event for other threads is another one */
	static const u32 pool[] = {
		0x00003, 0x10003, 0x20003, 0xff0003, 0x00004, 0x0003b, 0x0003c, 0x1002a, 0x0002a,
		0x0003d, 0x0003e, 0x0000a, 0x0000b, 0x003ff,
	};
	unsigned int seed = _i + 1, step, i, refused = 0, full = 0;
	struct hexagon_alloc alloc, before;
	struct model m = { 0 };

	srandom(seed);
	memset(&alloc, 0, sizeof(alloc));
	for (step = 0; step < 5000; step++) {
		u32 config = pool[random() % ARRAY_SIZE(pool)];
		/* first many are claimed, then most are released */
		bool claim = random() % 8 < (step / 250 % 2 ? 2 : 6);

		if (claim && m.n < MAX_EVENTS) {
			bool ok = claimed(&m, config, m.n) || distinct(&m) < 8;

			memcpy(&before, &alloc, sizeof(alloc));
			must(hexagon_alloc_claim(&alloc, config) == (ok ? 0 : -ENOSPC));
			if (ok) {
				m.events[m.n].config = config;
				m.events[m.n++].counter = hexagon_alloc_find(&alloc, config);
			} else {
				refused++;
				must(!memcmp(&before, &alloc, sizeof(alloc)));
			}
			full += distinct(&m) == 8;
		} else if (m.n) {
			i = random() % m.n;
			hexagon_alloc_release(&alloc, m.events[i].config);
			m.events[i] = m.events[--m.n];
		}
		check_counters(&alloc, &m, seed, step);
		/* an event that is not claimed has no counter, and its release changes nothing */
		if (!claimed(&m, config, m.n)) {
			must(hexagon_alloc_find(&alloc, config) < 0);
			memcpy(&before, &alloc, sizeof(alloc));
			hexagon_alloc_release(&alloc, config);
			must(!memcmp(&before, &alloc, sizeof(alloc)));
		}
	}
	must(refused > 100 && full > 100);
	while (m.n) {
		hexagon_alloc_release(&alloc, m.events[--m.n].config);
		check_counters(&alloc, &m, seed, step);
	}
	for (i = 0; i < 8; i++)
		must(!hexagon_alloc_claim(&alloc, pool[i]));
	must(hexagon_alloc_claim(&alloc, pool[8]) == -ENOSPC);
}

/*
 * Instructions per cycle take all eight: the cycles with 1 to 6 threads, instructions, end loops.
 * Packets per cycle and number of threads would need twelve.
 */
TEST(instructions_per_cycle_fit_exactly)
{
	static const u32 ipc[] = { 0x3b, 0x3c, 0x3d, 0x3e, 0x0a, 0x0b, 0x2a, 0x39 };
	struct hexagon_alloc alloc, before;
	unsigned int i;

	memset(&alloc, 0, sizeof(alloc));
	for (i = 0; i < ARRAY_SIZE(ipc); i++)
		ck_assert_int_eq(hexagon_alloc_claim(&alloc, ipc[i]), 0);
	memcpy(&before, &alloc, sizeof(alloc));
	ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x03), -ENOSPC);
	/* the same event for one thread */
	ck_assert_int_eq(hexagon_alloc_claim(&alloc, 1 << 16 | 0x2a), -ENOSPC);
	ck_assert_mem_eq(&alloc, &before, sizeof(alloc));
	/* a second user of an event keeps its counter when the first one releases it */
	ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x2a), 0);
	hexagon_alloc_release(&alloc, 0x2a);
	ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x03), -ENOSPC);
	hexagon_alloc_release(&alloc, 0x2a);
	ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x03), 0);
}

/* perf takes events away and adds them again, in another order and with new ones among them. */
TEST(what_comes_back_has_its_counter)
{
	static const u32 order[] = { 7, 2, 5, 0, 6, 1, 4, 3 };
	struct hexagon_alloc alloc = { 0 };
	unsigned int i, k;

	for (i = 0; i < 8; i++)
		ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x30 + i), 0);
	for (i = 0; i < 8; i++)
		hexagon_alloc_release(&alloc, 0x30 + i);
	for (i = 0; i < 8; i++)
		ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x30 + order[i]), 0);
	for (i = 0; i < 8; i++)
		ck_assert_int_eq(hexagon_alloc_find(&alloc, 0x30 + i), i);
	/* three are not added again: new ones leave the counters of the others alone */
	for (i = 0; i < 8; i++)
		hexagon_alloc_release(&alloc, 0x30 + i);
	for (i = 1; i < 8; i += 3)
		hexagon_alloc_forget(&alloc, i);
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x40 + i), 0);
	for (k = 0; k < 8; k++) {
		i = order[k];
		if (i % 3 == 1)
			continue;
		ck_assert_int_eq(hexagon_alloc_claim(&alloc, 0x30 + i), 0);
		ck_assert_int_eq(hexagon_alloc_find(&alloc, 0x30 + i), i);
	}
	/* a counter with users is kept */
	hexagon_alloc_forget(&alloc, 0);
	ck_assert_int_eq(hexagon_alloc_find(&alloc, 0x30), 0);
}
