/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU module 0: what its L2 reads and writes, derived by hand, and beside a plain list. */
#include "mrfld/module0.h"
#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

#define MEM_SIZE (16u << 20)

static uint32_t rnd(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

struct requests {
	uint64_t n[2];
	uint64_t last[2];
};

static void note(void *opaque, bool write, uint64_t addr)
{
	struct requests *r = opaque;

	r->n[write]++;
	r->last[write] = addr;
}

static void touch0(struct cpu_module0 *m, unsigned int vcpu, enum cpu_access what, uint64_t addr)
{
	if (!cpu_filter_hit(m->sink.filter[vcpu], what, addr / CPU_MODULE0_LINE))
		cpu_module0_access(m, vcpu, what, addr / CPU_MODULE0_LINE);
}

static struct cpu_module0 *open_module0(struct requests *r, unsigned int bytes, unsigned int ways)
{
	struct cpu_module0_params params = { .bytes = bytes, .ways = ways };
	char err[256] = "";
	struct cpu_module0 *m = cpu_module0_new(&params, MEM_SIZE, note, r, err, sizeof(err));

	ck_assert_msg(m != NULL, "%s", err);
	ck_assert(cpu_sink_add(&m->sink, 0) && cpu_sink_add(&m->sink, 1));
	return m;
}

SUITE("module 0");

/* 8 KiB of 2 ways: 64 sets. 4 passes over 16 KiB miss each time, and all lines but the last 128 of
 * them that were written have gone back. */
TEST(module0_reads_and_writes_back)
{
	struct requests r = { 0 };
	struct cpu_module0 *m = open_module0(&r, 8192, 2);
	unsigned int pass, i;

	for (pass = 0; pass < 4; pass++) {
		for (i = 0; i < 16384; i += 8)
			touch0(m, 0, CPU_STORE, i);
	}
	ck_assert_uint_eq(r.n[0], 4 * 256);
	ck_assert_uint_eq(r.n[1], 4 * 256 - 128);
	cpu_module0_free(m);
}

TEST(module0_is_shared_by_its_cores)
{
	struct requests r = { 0 };
	struct cpu_module0 *m = open_module0(&r, 8192, 2);

	touch0(m, 0, CPU_LOAD, 0x1000);
	touch0(m, 1, CPU_LOAD, 0x1000);
	touch0(m, 1, CPU_STORE, 0x1010);
	touch0(m, 0, CPU_LOAD, 0x1020);
	ck_assert_uint_eq(r.n[0], 1);
	/*
	 * two more lines of the same set: the first one, dirty by the other core, is evicted for
	 * both
	 */
	touch0(m, 0, CPU_LOAD, 0x2000);
	touch0(m, 0, CPU_LOAD, 0x3000);
	ck_assert_uint_eq(r.n[1], 1);
	ck_assert_uint_eq(r.last[1], 0x1000);
	touch0(m, 0, CPU_LOAD, 0x1000);
	ck_assert_uint_eq(r.n[0], 4);
	cpu_module0_free(m);
}

/* Compared with a list of lines for each set, oldest first. */
TEST(module0_as_a_plain_list)
{
	struct { uint32_t line; bool dirty; } list[16][4], *set;
	unsigned int fill[16] = { 0 }, i, k;
	struct requests r = { 0 };
	struct cpu_module0 *m = open_module0(&r, 16 * 4 * 64, 4);
	uint64_t seed = 3, reads = 0, writes = 0;

	for (i = 0; i < 200000; i++) {
		uint32_t line = rnd(&seed, 200);
		bool store = rnd(&seed, 3) == 0;

		touch0(m, rnd(&seed, 2), store ? CPU_STORE : CPU_LOAD, (uint64_t)line * 64);
		set = list[line % 16];
		for (k = 0; k < fill[line % 16] && set[k].line != line; k++)
			;
		if (k == fill[line % 16]) {
			if (k == 4) {
				writes += set[0].dirty;
				memmove(set, set + 1, 3 * sizeof(*set));
				k = 3;
			} else {
				fill[line % 16]++;
			}
			set[k].line = line;
			set[k].dirty = false;
			reads++;
		}
		set[k].dirty |= store;
		if (r.n[0] != reads || r.n[1] != writes)
			ck_abort_msg("access %u", i);
	}
	cpu_module0_free(m);
}
