// SPDX-License-Identifier: GPL-2.0-only
/*
 * DPU programs that load, store and transfer anywhere: none may reach the host's memory.
 *
 * Each program is random instructions that access memory, with registers near the edges of the
 * memories. It runs with both interpreters. The sanitizers see accesses outside the DPU; the DPU's
 * own fields are compared with a copy, and MRAM has inaccessible pages on both sides.
 *
 * 	fuzz-upmem-stores [INSTRUCTIONS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dpu/include/debug.h"
#include "dpu/sim/dpu-internal.h"

#define PAGE 4096
#define WORDS 64		/* of a program */
#define TURNS 256		/* at most, of a run */

static uint64_t state;

static uint32_t random32(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 16;
}

static bool touches_memory(enum dpu_op op)
{
	switch (op) {
#define DPU_LOAD(name, ...) case DPU_OP_##name:
#define DPU_STORE(name, ...) case DPU_OP_##name: case DPU_OP_##name##_id:
#include "dpu/sim/alu.def"
	case DPU_OP_ld:
	case DPU_OP_sd:
	case DPU_OP_sd_id:
	case DPU_OP_ldma:
	case DPU_OP_ldmai:
	case DPU_OP_sdma:
		return true;
	default:
		return false;
	}
}

/* Mostly accesses to memory; ldmai seldom, because it makes a program of another kind. */
static uint64_t random_word(void)
{
	for (;;) {
		const struct dpu_encoding *e = &dpu_encodings[random32() % dpu_encoding_count];
		uint64_t bits = (uint64_t)random32() << 24 ^ random32();

		if ((touches_memory(e->op) ? e->op == DPU_OP_ldmai && random32() % 64 : random32() % 16))
			continue;
		return (e->match | (bits & ~e->mask)) & 0xffffffffffff;
	}
}

/* An address near an edge, in a memory, or anything. */
static uint32_t random_address(void)
{
	static const uint32_t edges[] = {
		0, DPU_WRAM_SIZE, 63488, DPU_MRAM_SIZE, DPU_MRAM_FLAG, 0xffffffff, 0x80000000, 0x1000000, 0xfff8, 2048
	};
	uint32_t edge = edges[random32() % (sizeof(edges) / sizeof(edges[0]))];

	switch (random32() % 4) {
	case 0:
		return random32();
	case 1:
		return edge + random32() % 4096 - 2048;
	default:
		return random32() % 60000 & ~7u;
	}
}

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz-upmem-stores: %s\n", what);
	abort();
}

/* 64 MiB between two pages without access. */
static uint8_t *guarded_mram(void)
{
	size_t size = DPU_MRAM_SIZE + 2 * PAGE;
	uint8_t *m = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	must(m != MAP_FAILED && !mprotect(m + PAGE, DPU_MRAM_SIZE, PROT_READ | PROT_WRITE), "no memory");
	return m + PAGE;
}

/* From arch to clock nothing changes while a program runs. */
#define FIXED_START offsetof(struct dpu, wram_size)
#define FIXED_SIZE (offsetof(struct dpu, refresh) - FIXED_START)

static void run_one(struct dpu *dpu, bool reference)
{
	uint64_t words[WORDS];
	uint8_t fixed[FIXED_SIZE], *mram[DPU_MRAM_PIECES];

	for (unsigned int i = 0; i < WORDS; i++)
		words[i] = random_word();
	must(dpu_write(dpu, DPU_IRAM, 0, words, sizeof(words)), "IRAM");
	for (unsigned int i = 0; i < DPU_REG_ZERO; i++)
		dpu_poke_register(dpu, 0, i, random_address());
	memcpy(fixed, (char *)dpu + FIXED_START, FIXED_SIZE);
	memcpy(mram, dpu->mram, sizeof(mram));
	dpu_set_reference(dpu, reference);
	dpu_boot(dpu);
	/* a fault ends a run: continue after it */
	for (unsigned int turns = 0; turns < TURNS; turns++) {
		unsigned int pc;

		if (dpu_run(dpu, TURNS) != DPU_FAULT)
			break;
		pc = dpu_fault(dpu)->pc;
		if (pc + 1 >= WORDS)
			break;
		words[pc] = 0x7c6300000000;	/* nop */
		dpu_halt(dpu);
		must(dpu_write(dpu, DPU_IRAM, 8 * pc, &words[pc], 8), "IRAM");
		dpu_boot(dpu);
	}
	dpu_halt(dpu);
	must(!memcmp(fixed, (char *)dpu + FIXED_START, FIXED_SIZE) && !memcmp(mram, dpu->mram, sizeof(mram)),
	     "the DPU itself has changed");
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		must(dpu_pc(dpu, i) <= DPU_IRAM_WORDS, "a program counter outside the code");
	must(dpu->threads[0].r[DPU_REG_ZERO] == 0 && dpu->threads[0].r[DPU_REG_ZERO + 1] == 1, "the constants");
}

int main(int argc, char **argv)
{
	unsigned long long wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000, runs = 0;
	struct dpu *dpus[2];
	struct dpu_totals t[2] = { { 0 }, { 0 } };

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	for (int i = 0; i < 2; i++) {
		dpus[i] = dpu_new(&dpu_archs[i], NULL, 0, guarded_mram());
		must(dpus[i], "no memory");
	}
	while (t[0].instructions + t[1].instructions < wanted) {
		run_one(dpus[runs % 2], runs / 2 % 2);
		dpu_totals(dpus[runs % 2], &t[runs % 2]);
		runs++;
	}
	printf("fuzz-upmem-stores: %llu programs, %llu instructions, %llu transfers\n", runs,
	       (unsigned long long)(t[0].instructions + t[1].instructions),
	       (unsigned long long)(t[0].ldma + t[0].sdma + t[1].ldma + t[1].sdma));
	for (int i = 0; i < 2; i++) {
		munmap(dpus[i]->mram[0] - PAGE, DPU_MRAM_SIZE + 2 * PAGE);
		dpu_destroy(dpus[i]);
	}
	return EXIT_SUCCESS;
}
