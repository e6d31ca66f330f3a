// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu/upmem/upmem_config.c: attr.config of the PMU upmem, and the allocation of the two counters of
 * 32 bits, or the one of 64 bits, of a DPU's bank interface. Compared with a plain form of the
 * rules of pmu/upmem/ABI-upmem.txt.
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/upmem/upmem_config.h"
#include "tests/main.h"
#include "tests/unit/pmu/pmu-test.h"

#define CODE(config)	((unsigned int)(config) & 0xfff)
#define DPU(config)	((unsigned int)(config) >> 12 & 0xff)
#define BYDPU(config)	((config) >> 20 & 1)
#define CHAIN(config)	((config) >> 21 & 1)

/* bank_interface_pmc_event_t: one bit of eight each */
static bool is_bank_event(unsigned int code)
{
	return code && code <= 0x80 && !(code & (code - 1));
}

static bool must_be_valid(u64 config, unsigned int dpus, bool pmc)
{
	if (config >> 22)
		return false;
	if (BYDPU(config) ? DPU(config) >= dpus : DPU(config) != 0)
		return false;
	if (is_bank_event(CODE(config)))
		return pmc;
	return (CODE(config) == 0x100 || CODE(config) == 0x200) && !CHAIN(config);
}

SUITE("upmem");

LOOP_TEST(configs_are_valid_or_not, 0, 10)
{
	/* a DPU, a chip, two ranks that are not full, a rank */
	static const unsigned int sizes[] = { 1, 8, 60, 63, 64 };
	unsigned int dpus = sizes[_i / 2], bit;
	bool pmc = _i % 2;
	u64 config;

	for (config = 0; config < 1 << 22; config++) {
		int err = upmem_config_check(config, dpus, pmc);

		if (err != (must_be_valid(config, dpus, pmc) ? 0 : -EINVAL))
			ck_abort_msg("config %#llx of %u DPUs, pmc %d: %d",
				     (unsigned long long)config, dpus, pmc, err);
		for (bit = 22; !err && bit < 64; bit++)
			if (!upmem_config_check(config | 1ULL << bit, dpus, pmc))
				ck_abort_msg("config %#llx with bit %u is valid",
					     (unsigned long long)config, bit);
	}
}

/*
 * The model: a list of the claimed events, and the rule. A DPU has two counters; the same event
 * with the same chain shares; chain needs both.
 */
#define MAX_EVENTS 200

struct claimed {
	u64 config;
	int counter[UPMEM_MAX_DPUS];	/* must stay in the slot in which it was claimed */
};

struct model {
	unsigned int dpus, n;
	struct claimed events[MAX_EVENTS];
};

static bool covers(u64 config, unsigned int dpu)
{
	return !BYDPU(config) || DPU(config) == dpu;
}

/* Counters of a DPU that the claimed events and one more need. */
static unsigned int need(const struct model *m, u64 config, unsigned int dpu)
{
	bool seen[2][0x81] = { { false } };
	unsigned int i, sum = 0;

	for (i = 0; i <= m->n; i++) {
		u64 c = i < m->n ? m->events[i].config : config;

		if (!covers(c, dpu) || !is_bank_event(CODE(c)) || seen[CHAIN(c)][CODE(c)])
			continue;
		seen[CHAIN(c)][CODE(c)] = true;
		sum += CHAIN(c) ? 2 : 1;
	}
	return sum;
}

static bool fits(const struct model *m, u64 config)
{
	unsigned int dpu;

	for (dpu = 0; is_bank_event(CODE(config)) && dpu < m->dpus; dpu++)
		if (covers(config, dpu) && need(m, config, dpu) > 2)
			return false;
	return true;
}

/* Slots of a DPU: 0 and 1 are the counters, 2 is both as one, 3 and 4 are the DPU's own. */
static void check_counters(const struct upmem_alloc *alloc, const struct model *m,
			   unsigned int seed, unsigned int step)
{
	static u64 owner[UPMEM_MAX_DPUS][8];
	unsigned int dpu, i;

	memset(owner, 0, sizeof(owner));
	for (i = 0; i < m->n; i++) {
		const struct claimed *e = &m->events[i];
		unsigned int code = CODE(e->config);
		u64 key = 1ULL << 32 | CHAIN(e->config) << 12 | code;
		int slot;

		for (dpu = 0; dpu < m->dpus; dpu++) {
			if (!covers(e->config, dpu))
				continue;
			slot = upmem_alloc_slot(alloc, e->config, dpu);
			must((int)dpu * 8 + slot == e->counter[dpu]);
			if (code == 0x100) {
				must(slot == 3);
				continue;
			} else if (code == 0x200) {
				must(slot == 4);
				continue;
			}
			must(CHAIN(e->config) ? slot == 2 : slot < 2);
			/* a counter has one event, and a chain leaves no other counter */
			must(!owner[dpu][slot] || owner[dpu][slot] == key);
			owner[dpu][slot] = key;
			must(!owner[dpu][2] || (!owner[dpu][0] && !owner[dpu][1]));
			/* what start() writes into the selectors */
			must(slot == 1 || alloc->dpu[dpu].event[0] == code);
			must(slot == 0 || alloc->dpu[dpu].event[1] == code);
		}
	}
}

/* Claims, and compares with the model: is there room? */
static void claim_both(struct model *m, struct upmem_alloc *alloc, u64 config, unsigned int seed, unsigned int step)
{
	static struct upmem_alloc before;
	u16 counters[UPMEM_MAX_DPUS];
	bool ok = fits(m, config);
	unsigned int dpu;
	int i = 0, n;

	memcpy(&before, alloc, sizeof(before));
	n = upmem_alloc_claim(alloc, m->dpus, config, counters);
	if (!ok) {
		must(n == -ENOSPC);
		must(!memcmp(&before, alloc, sizeof(before)));
		return;
	}
	m->events[m->n].config = config;
	for (dpu = 0; dpu < m->dpus; dpu++)
		if (covers(config, dpu))
			m->events[m->n].counter[dpu] = counters[i++];
	must(n == i);
	m->n++;
}

static u64 random_config(unsigned int dpus)
{
	/* rarely the DPU's own; two kinds are common, so that many events fit */
	unsigned int kind = random() % 16;
	u64 config;

	if (kind < 2)
		config = kind ? 0x200 : 0x100;
	else
		config = 1U << (kind < 10 ? kind & 1 : (unsigned int)random() % 8);
	if (config < 0x100 && !(random() % 4))
		config |= 1 << 21;
	if (random() % 4)
		config |= 1 << 20 | (u64)(random() % dpus) << 12;
	return config;
}

LOOP_TEST(random_claims_follow_the_model, 0, 20)
{
	static const unsigned int sizes[] = { 1, 2, 3, 8, 64 };
	static struct upmem_alloc alloc;
	static struct model m;
	unsigned int seed = _i + 1, step, refused = 0;

	srandom(seed);
	memset(&alloc, 0, sizeof(alloc));
	memset(&m, 0, sizeof(m));
	m.dpus = sizes[_i % ARRAY_SIZE(sizes)];
	for (step = 0; step < 2000; step++) {
		/* first many are claimed, then most are released */
		bool claim = random() % 8 < (step / 250 % 2 ? 2 : 6);

		if (claim && m.n < MAX_EVENTS) {
			u64 config = random_config(m.dpus);

			must(must_be_valid(config, m.dpus, true));
			refused += !fits(&m, config);
			claim_both(&m, &alloc, config, seed, step);
		} else if (m.n) {
			unsigned int i = random() % m.n;

			upmem_alloc_release(&alloc, m.dpus, m.events[i].config);
			m.events[i] = m.events[--m.n];
		}
		check_counters(&alloc, &m, seed, step);
	}
	/* both cases occurred */
	must(refused > 50 && refused < 1500);
	while (m.n) {
		upmem_alloc_release(&alloc, m.dpus, m.events[--m.n].config);
		check_counters(&alloc, &m, seed, step);
	}
	/* then each DPU has room for two events again */
	must(upmem_alloc_claim(&alloc, m.dpus, 0x40, NULL) == (int)m.dpus);
	must(upmem_alloc_claim(&alloc, m.dpus, 0x20, NULL) == (int)m.dpus);
	must(upmem_alloc_claim(&alloc, m.dpus, 0x10, NULL) == -ENOSPC);
}

/* All three events that a DPU can be asked for, one after the other, and their release. */
TEST(a_dpu_has_two_counters)
{
	unsigned int seed = 0, step, i;

	for (step = 0; step < 16 * 16 * 16; step++) {
		struct upmem_alloc alloc;
		struct model m = { .dpus = 1 };

		memset(&alloc, 0, sizeof(alloc));
		for (i = 0; i < 3; i++) {
			unsigned int which = step >> 4 * i & 15;
			u64 config = (u64)(which >> 3) << 21 | 1 << (which & 7);

			claim_both(&m, &alloc, config, seed, step);
			check_counters(&alloc, &m, seed, step);
		}
		while (m.n) {
			upmem_alloc_release(&alloc, 1, m.events[0].config);
			m.events[0] = m.events[--m.n];
			check_counters(&alloc, &m, seed, step);
		}
		must(upmem_alloc_claim(&alloc, 1, 1 << 21 | 0x1, NULL) == 1);
	}
}

/* The last DPU of a rank has no room: the others stay as they were. */
TEST(one_full_dpu_refuses_the_rank)
{
	struct upmem_alloc alloc, before;

	memset(&alloc, 0, sizeof(alloc));
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 1 << 21 | 1 << 20 | 63 << 12 | 0x4, NULL), 1);
	memcpy(&before, &alloc, sizeof(alloc));
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 0x4, NULL), -ENOSPC);
	ck_assert_mem_eq(&alloc, &before, sizeof(alloc));
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 1 << 21 | 0x8, NULL), -ENOSPC);
	ck_assert_mem_eq(&alloc, &before, sizeof(alloc));
	/* the same chained event in all DPUs shares the one of the last */
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 1 << 21 | 0x4, NULL), 64);
	/* cycles and instructions need none of these counters */
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 0x100, NULL), 64);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 1 << 20 | 63 << 12 | 0x200, NULL), 1);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, 1 << 20 | 63 << 12 | 0x200, 63), 4);
}

#define ON(dpu, event) (1ULL << 20 | (u64)(dpu) << 12 | (event))

/* perf takes events away and adds them again, in another order and with new ones among them. */
TEST(what_comes_back_has_its_counter)
{
	static const u64 pair[] = { ON(3, 0x1), ON(3, 0x2) };
	struct upmem_alloc alloc;
	unsigned int i;

	memset(&alloc, 0, sizeof(alloc));
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, pair[i], NULL), 1);
	for (i = 0; i < 2; i++)
		upmem_alloc_release(&alloc, 64, pair[i]);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, pair[1], NULL), 1);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, pair[1], 3), 1);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, pair[0], NULL), 1);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, pair[0], 3), 0);
	for (i = 0; i < 2; i++)
		upmem_alloc_release(&alloc, 64, pair[i]);
	/* the second one is not added again: a new one leaves the counter of the first one alone */
	upmem_alloc_forget(&alloc, 3 * 8 + 1);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, ON(3, 0x4), NULL), 1);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, ON(3, 0x4), 3), 1);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, pair[0], NULL), 1);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, pair[0], 3), 0);
	/* counters with users are kept, those of a chain, too */
	upmem_alloc_forget(&alloc, 3 * 8);
	ck_assert_int_eq(upmem_alloc_slot(&alloc, pair[0], 3), 0);
	ck_assert_int_eq(upmem_alloc_claim(&alloc, 64, 1 << 21 | ON(4, 0x8), NULL), 1);
	for (i = 0; i < 3; i++)
		upmem_alloc_forget(&alloc, 4 * 8 + i);
	ck_assert_int_eq(alloc.dpu[4].event[0], 0x8);
	ck_assert_int_eq(alloc.dpu[4].event[1], 0x8);
}
