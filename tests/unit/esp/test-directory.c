/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An LLC that evicts, compared after each operation with a plain one that follows the rules of
 * llc_process_request.sv and llc_lookup_way.sv:
 *
 * - a new line takes the lowest free way; else, from the set's pointer on, the first V; else the
 *   first way. The pointer moves on only if the way that was evicted is the pointer's;
 * - a line is clean when it is filled. It becomes dirty by PUTM, by DMA, by the data of a recall
 *   (from M only; E answers without data) and by every answer to FWD_GETS, also from a clean owner;
 * - a dirty victim is written back;
 * - a request counts one hit or miss. A line of coherent DMA that waits for an owner, its own or
 *   the victim's, counts at the recall and again when it continues.
 */
#include "tests/main.h"
#include "tests/unit/esp/coherence-rig.h"

/* Words of 8 bytes, lines of 16. */
#define L2_SETS		4u
#define L2_WAYS		2u
#define LLC_SETS	4u
#define LLC_WAYS	4u
#define LINES		96u
static uint32_t seed;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint64_t)(seed >> 8) * below >> 24;
}

enum plain_state { I, V, S, E, M };

struct plain_line {
	enum plain_state state;
	uint32_t line;
	bool dirty, instruction;
	unsigned int owner, sharers;
};

struct plain_l2 {
	struct plain_line way[L2_SETS][L2_WAYS];
	unsigned int next[L2_SETS];
};

static struct plain_l2 l2[3];
static struct plain_line llc[LLC_SETS][LLC_WAYS];
static unsigned int pointer[LLC_SETS];
static struct plain_counts {
	unsigned int ddr, req, fwd, rcv, snd, hit, miss;
} plain;

static struct plain_line *in_l2(unsigned int cpu, uint32_t line)
{
	unsigned int way;

	for (way = 0; way < L2_WAYS; way++) {
		struct plain_line *l = &l2[cpu].way[line % L2_SETS][way];

		if (l->state != I && l->line == line)
			return l;
	}
	return NULL;
}

static struct plain_line *in_llc(uint32_t line)
{
	unsigned int way;

	for (way = 0; way < LLC_WAYS; way++) {
		struct plain_line *l = &llc[line % LLC_SETS][way];

		if (l->state != I && l->line == line)
			return l;
	}
	return NULL;
}

/* The owner returns its line: data of 2 + 2 flits if it has written them, else 2. */
static void plain_recall(struct plain_line *l)
{
	struct plain_line *copy = in_l2(l->owner, l->line);

	plain.fwd += 2;
	plain.rcv += copy->state == M ? 4 : 2;
	if (copy->state == M)
		l->dirty = true;
	copy->state = I;
	l->state = V;
}

static void plain_drop_sharers(struct plain_line *l, unsigned int but)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 3; cpu++) {
		if (cpu == but || !(l->sharers & 1u << cpu))
			continue;
		plain.fwd += 2;
		if (in_l2(cpu, l->line))
			in_l2(cpu, l->line)->state = I;
	}
	l->sharers = 0;
}

/* A free way; evicts a line if there is none. */
static struct plain_line *plain_way(uint32_t line, bool dma)
{
	struct plain_line *set = llc[line % LLC_SETS], *l;
	unsigned int *p = &pointer[line % LLC_SETS], way, i, victim = *p;

	for (way = 0; way < LLC_WAYS; way++) {
		if (set[way].state == I)
			return &set[way];
	}
	for (i = 0; i < LLC_WAYS; i++) {
		if (set[(*p + i) % LLC_WAYS].state == V) {
			victim = (*p + i) % LLC_WAYS;
			break;
		}
	}
	l = &set[victim];
	if (l->state == E || l->state == M) {
		plain_recall(l);
		if (dma)
			plain.miss++;
	} else if (l->state == S) {
		plain_drop_sharers(l, 3);
	}
	if (l->dirty)
		plain.ddr += 2;
	if (victim == *p)
		*p = (*p + 1) % LLC_WAYS;
	l->state = I;
	return l;
}

static void plain_put(unsigned int cpu, struct plain_line *copy)
{
	struct plain_line *l = in_llc(copy->line);

	plain.req += copy->state == M ? 4 : 2;
	plain.snd += 2;
	plain.hit++;
	if (copy->state == S) {
		l->sharers &= ~(1u << cpu);
		if (!l->sharers)
			l->state = V;
	} else {
		l->state = V;
		if (copy->state == M)
			l->dirty = true;
	}
	copy->state = I;
}

/* A request of 2 flits for a line; the state in which it comes. */
static enum plain_state plain_get(unsigned int cpu, enum esp_access what, uint32_t line)
{
	struct plain_line *l = in_llc(line), *copy;

	plain.req += 2;
	if (l) {
		plain.hit++;
	} else {
		l = plain_way(line, false);
		*l = (struct plain_line){ .state = V, .line = line };
		l->instruction = what == ESP_FETCH;
		plain.miss++;
		plain.ddr += 2;
	}
	if (l->state == E || l->state == M) {
		copy = in_l2(l->owner, line);
		plain.fwd += 2;
		if (what == ESP_STORE) {
			copy->state = I;
			l->state = M;
			l->owner = cpu;
			return M;
		}
		plain.rcv += 4;
		copy->state = S;
		l->dirty = true;
		l->state = S;
		l->sharers = 1u << l->owner | 1u << cpu;
		return S;
	}
	plain.snd += 4;
	if (what == ESP_STORE) {
		if (l->state == S)
			plain_drop_sharers(l, cpu);
		l->state = M;
		l->owner = cpu;
		return M;
	}
	if (l->state == S || what == ESP_FETCH) {
		l->sharers = (l->state == S ? l->sharers : 0) | 1u << cpu;
		l->state = S;
		return S;
	}
	l->state = E;
	l->owner = cpu;
	return E;
}

static void plain_access(unsigned int cpu, enum esp_access what, uint32_t line)
{
	struct plain_line *copy = in_l2(cpu, line), *set = l2[cpu].way[line % L2_SETS];
	unsigned int *next = &l2[cpu].next[line % L2_SETS], way;

	if (copy && (what != ESP_STORE || copy->state != S)) {
		if (what == ESP_STORE)
			copy->state = M;
		return;
	}
	if (!copy) {
		for (way = 0; way < L2_WAYS && set[way].state != I; way++)
			;
		if (way == L2_WAYS) {
			way = *next;
			*next = (way + 1) % L2_WAYS;
			plain_put(cpu, &set[way]);
		}
		copy = &set[way];
	}
	*copy = (struct plain_line){ .state = I, .line = line };
	copy->state = plain_get(cpu, what, line);
	copy->instruction = what == ESP_FETCH;
}

/* words: of the two in the line */
static void plain_dma(uint32_t line, bool write, unsigned int words)
{
	struct plain_line *l = in_llc(line);

	if (l) {
		plain.hit++;
		if (l->state == E || l->state == M) {
			plain_recall(l);
			plain.hit++;
		} else if (l->state == S) {
			plain_drop_sharers(l, 3);
		}
	} else {
		l = plain_way(line, true);
		*l = (struct plain_line){ .line = line };
		plain.miss++;
		if (!write || words < 2)
			plain.ddr += 2;
	}
	l->state = V;
	l->dirty |= write;
}

static void plain_flush(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < L2_SETS * L2_WAYS; i++) {
		struct plain_line *l = &l2[cpu].way[i / L2_WAYS][i % L2_WAYS];

		if (l->state != I)
			plain_put(cpu, l);
	}
}

static void plain_flush_llc(void)
{
	unsigned int i;

	for (i = 0; i < LLC_SETS * LLC_WAYS; i++) {
		struct plain_line *l = &llc[i / LLC_WAYS][i % LLC_WAYS];

		if (l->state != V)
			continue;
		if (l->dirty)
			plain.ddr += 2;
		if (!l->instruction)
			l->state = I;
	}
}

static uint32_t addr_of(uint32_t line)
{
	return MEM_BASE + 16 * line;
}

static void both(unsigned int cpu, enum esp_access what, uint32_t line)
{
	/* Half of them as the plug-in for processors makes them, which takes no time. */
	if (rnd(2) || !esp_soc_cpu_access_at_once(rig.soc, cpu, what, addr_of(line), 8))
		esp_soc_cpu_access(rig.soc, cpu, what, addr_of(line), 8);
	settle(&rig);
	plain_access(cpu, what, line);
}

/* A burst of words from one place to another; off: begin in the middle of a line. */
static void dma(uint32_t from, uint32_t to, unsigned int words, bool off)
{
	unsigned int n, first;

	acc_write(&rig, 0, ESP_ACC_COHERENCE, ESP_COH_RECALL);
	acc_write(&rig, 0, ESP_ACC_SRC_OFFSET, addr_of(from) + 8 * off);
	acc_write(&rig, 0, ESP_ACC_DST_OFFSET, addr_of(to) + 8 * off);
	acc_write(&rig, 0, 0x40, words);
	acc_write(&rig, 0, 0x44, 1);
	acc_write(&rig, 0, ESP_ACC_CMD, 1);
	acc_finish(&rig, 0);
	for (n = 0; n < words; n += first, from++) {
		first = off && !n ? 1 : 2;
		plain_dma(from, false, 2);
	}
	for (n = 0; n < words; n += first, to++) {
		first = off && !n ? 1 : words - n < 2 ? 1 : 2;
		plain_dma(to, true, first);
	}
}

static void compare(unsigned int operation, unsigned int what)
{
	const struct { unsigned int index, want; const char *name; } rows[] = {
		{ ESP_MON_DDR, plain.ddr, "DDR words" },
		{ ESP_MON_COH_REQ, plain.req, "request flits" },
		{ ESP_MON_COH_FWD, plain.fwd, "forward flits" },
		{ ESP_MON_COH_RSP_RCV, plain.rcv, "response flits received" },
		{ ESP_MON_COH_RSP_SND, plain.snd, "response flits sent" },
		{ ESP_MON_LLC_HIT, plain.hit, "hits" },
		{ ESP_MON_LLC_MISS, plain.miss, "misses" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(mon(&rig, MEM, rows[i].index) == rows[i].want,
			      "operation %u (kind %u): %u %s, not %u", operation, what,
			      mon(&rig, MEM, rows[i].index), rows[i].name, rows[i].want);
}

static void open_small(void)
{
	static struct esp_design design;

	bench_design(&design, SMALL_SOC("4 2 4 4", "0"));
	bench_open(&rig, &design, NULL);
	memset(l2, 0, sizeof(l2));
	memset(llc, 0, sizeof(llc));
	memset(pointer, 0, sizeof(pointer));
	memset(&plain, 0, sizeof(plain));
}

static void close_small(void)
{
	bench_close(&rig);
}

enum kind { LOAD, STORE, FETCH, FLUSH, FLUSH_LLC, DMA, KINDS };

static void operate(enum kind kind)
{
	unsigned int cpu = rnd(3);
	uint32_t line = rnd(LINES);

	switch (kind) {
	case LOAD:
		both(cpu, ESP_LOAD, line);
		break;
	case STORE:
		both(cpu, ESP_STORE, line);
		break;
	case FETCH:
		both(cpu, ESP_FETCH, line);
		break;
	case FLUSH:
		bench_write(&rig, ESP_L2_CTRL + cpu * ESP_CACHE_CTRL_STRIDE,
			    ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
		settle(&rig);
		plain_flush(cpu);
		break;
	case FLUSH_LLC:
		bench_write(&rig, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
		settle(&rig);
		esp_soc_advance(rig.soc, esp_soc_now(rig.soc) + 1000);
		bench_write(&rig, ESP_LLC_CTRL, 0);
		settle(&rig);
		plain_flush_llc();
		break;
	default:
		dma(line, LINES + rnd(LINES), 1 + rnd(24), rnd(2));
	}
}

/* Shares of the kinds of operations, in 32nds. */
static const struct mix {
	const char *name;
	unsigned int parts[KINDS];
} mixes[] = {
	/* for the pointer: V lines between owned ones */
	{ "loads of one kind", { [LOAD] = 31, [FLUSH] = 1 } },
	/* clean lines that another processor asks for, and then has to be evicted */
	{ "loads, fetches, stores", { [LOAD] = 20, [FETCH] = 5, [STORE] = 7 } },
	/* DMA that evicts what the processors own */
	{ "stores and DMA", { [STORE] = 24, [DMA] = 8 } },
	{ "everything", { [LOAD] = 12, [STORE] = 8, [FETCH] = 4, [FLUSH] = 2, [FLUSH_LLC] = 1,
			  [DMA] = 5 } },
};

SUITE("esp directory", .timeout = 60, .setup = open_small, .teardown = close_small);

LOOP_TEST(evicting_llc, 0, sizeof(mixes) / sizeof(*mixes))
{
	const struct mix *mix = &mixes[_i];
	unsigned int n, kind, part;

	seed = _i + 1;
	for (n = 0; n < 6000; n++) {
		part = rnd(32);
		for (kind = 0; part >= mix->parts[kind]; kind++)
			part -= mix->parts[kind];
		operate(kind);
		compare(n, kind);
	}
	/* The LLC has evicted lines. */
	ck_assert_uint_gt(plain.miss, 2 * LINES);
}
