// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks of a program while it runs.
 *
 * Vector clocks hold the order between tasklets. A release of an atomic bit is before the acquire
 * that gets it. A boot or resume is before the tasklet's next instructions. A tasklet's
 * instructions before it stopped are before those of a tasklet that finds it stopped. For each byte
 * of WRAM and each 8 bytes of MRAM the last write and the last reads of two tasklets are stored,
 * with their clocks.
 *
 * A load that a loop repeats until the value changes (check-code.c) waits for another tasklet, and
 * is ordered after that tasklet's write.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dpu/sim/check-internal.h"

#define CLOCK_BITS 27
#define CLOCK_MASK ((UINT32_C(1) << CLOCK_BITS) - 1)
#define NOBODY 0		/* clocks begin at 1 */
#define GRANULES (DPU_MRAM_SIZE / 8)

bool dpu_check_new(struct dpu *dpu)
{
	struct dpu_check *c = calloc(1, sizeof(*c));
	size_t size = GRANULES * sizeof(c->mram[0]) + GRANULES / 8;

	if (!c)
		return false;
	c->mram = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->mram == MAP_FAILED) {
		free(c);
		return false;
	}
	madvise(c->mram, size, MADV_NOHUGEPAGE);
	c->mram_written = (uint8_t *)(c->mram + GRANULES);
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++)
		c->clocks[t][t] = 1;
	dpu->check = c;
	return true;
}

void dpu_check_free(struct dpu *dpu)
{
	if (!dpu->check)
		return;
	munmap(dpu->check->mram, GRANULES * sizeof(dpu->check->mram[0]) + GRANULES / 8);
	free(dpu->check);
	dpu->check = NULL;
}

static bool is_known(const struct dpu_finding_list *list, const struct dpu_finding *finding)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct dpu_finding *f = &list->findings[i];

		if (f->kind != DPU_FINDING_STACK && f->kind == finding->kind && f->pc == finding->pc &&
		    f->other_pc == finding->other_pc &&
		    (f->kind != DPU_FINDING_MUTEX_WAIT || f->address == finding->address))
			return true;
		/* each stack once */
		if (f->kind == DPU_FINDING_STACK && finding->kind == DPU_FINDING_STACK &&
		    f->thread == finding->thread)
			return true;
		/* the same two accesses, found in the other order */
		if (f->kind == DPU_FINDING_RACE && finding->kind == DPU_FINDING_RACE &&
		    f->pc == finding->other_pc && f->other_pc == finding->pc)
			return true;
	}
	return false;
}

bool dpu_finding_add(struct dpu_finding_list *list, const struct dpu_finding *finding)
{
	/* there is always room for the stacks, which can cause all others */
	if (is_known(list, finding) ||
	    list->count >= DPU_MAX_FINDINGS - (finding->kind == DPU_FINDING_STACK ? 0 : DPU_MAX_THREADS))
		return false;
	list->findings[list->count++] = *finding;
	return true;
}

uint16_t dpu_check_place_of(const struct dpu_check *c, unsigned int thread, uint16_t pc)
{
	return c->string[pc] && c->tasklets[thread].caller ? c->tasklets[thread].caller : pc;
}

void dpu_check_found(struct dpu *dpu, const struct dpu_finding *finding)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = *finding;

	/* the library's accesses to the heap and to its queues are none that a user can change */
	if (c->own[f.pc] || c->tasklets[f.thread].in.kind || (f.kind == DPU_FINDING_RACE && c->own[f.other_pc]))
		return;
	f.pc = dpu_check_place_of(c, f.thread, f.pc);
	if (is_known(&c->list, &f))
		return;
	if (f.address < DPU_WRAM_SIZE)
		f.in = dpu_check_place(dpu, f.address);
	dpu_finding_add(&c->list, &f);
}

size_t dpu_findings(const struct dpu *dpu, const struct dpu_finding **findings)
{
	*findings = dpu->check ? dpu->check->list.findings : NULL;
	return dpu->check ? dpu->check->list.count : 0;
}

/* ---- order ---- */

static void join(uint32_t *into, const uint32_t *from)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		into[i] = into[i] > from[i] ? into[i] : from[i];
}

static uint32_t stamp(const struct dpu_check *c, unsigned int thread)
{
	return thread << CLOCK_BITS | (c->clocks[thread][thread] & CLOCK_MASK);
}

/* True if a stamp is before the thread's current instruction, or is NOBODY. */
static bool before(const struct dpu_check *c, uint32_t then, unsigned int thread)
{
	return (then & CLOCK_MASK) <= c->clocks[thread][then >> CLOCK_BITS];
}

void dpu_check_acquire(struct dpu *dpu, unsigned int thread, unsigned int bit)
{
	dpu->check->holder[bit] = thread + 1;
	dpu->check->taken[bit] = dpu->threads[thread].at - dpu->code;
	join(dpu->check->clocks[thread], dpu->check->bits[bit]);
}

void dpu_check_release(struct dpu *dpu, unsigned int thread, unsigned int bit)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = {
		.kind = c->holder[bit] ? DPU_FINDING_MUTEX_OTHER : DPU_FINDING_MUTEX_FREE, .thread = thread,
		.other = c->holder[bit] - 1, .other_pc = c->taken[bit], .address = DPU_ELF_ATOMIC + bit,
		.pc = dpu->threads[thread].at - dpu->code
	};

	if (c->is_mutex[bit] && c->holder[bit] != thread + 1)
		dpu_check_found(dpu, &f);
	c->holder[bit] = 0;
	memcpy(c->bits[bit], c->clocks[thread], sizeof(c->bits[bit]));
	c->clocks[thread][thread]++;
}

void dpu_check_start(struct dpu *dpu, unsigned int thread, unsigned int other)
{
	struct dpu_check *c = dpu->check;

	join(c->clocks[thread], c->stopped[other]);
	join(c->clocks[other], c->clocks[thread]);
	c->clocks[thread][thread]++;
}

void dpu_check_stop(struct dpu *dpu, unsigned int thread)
{
	struct dpu_check *c = dpu->check;

	for (unsigned int bit = 0; c->end && dpu->threads[thread].at == &dpu->code[c->end] && bit < DPU_ATOMIC_BITS;
	     bit++) {
		struct dpu_finding f = {
			.kind = DPU_FINDING_MUTEX_HELD, .thread = thread, .pc = c->taken[bit],
			.address = DPU_ELF_ATOMIC + bit
		};

		if (c->is_mutex[bit] && c->holder[bit] == thread + 1)
			dpu_check_found(dpu, &f);
	}
	dpu->waiting = 0;		/* it may have been the last one that others could wait for */
	memcpy(c->stopped[thread], c->clocks[thread], sizeof(c->stopped[thread]));
	c->clocks[thread][thread]++;
}

void dpu_check_saw_stopped(struct dpu *dpu, unsigned int thread, unsigned int other)
{
	join(dpu->check->clocks[thread], dpu->check->stopped[other]);
}

/* The host has waited for all earlier work. */
void dpu_check_boot(struct dpu *dpu)
{
	struct dpu_check *c = dpu->check;
	uint32_t all[DPU_MAX_THREADS] = { 0 };

	dpu->waiting = 0;
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++)
		join(all, c->clocks[t]);
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++) {
		memcpy(c->clocks[t], all, sizeof(all));
		c->clocks[t][t]++;
		c->tasklets[t].has_length = false;
		c->tasklets[t].has_stack = false;
		c->tasklets[t].in.kind = CHECK_NONE;
	}
}

static void race(struct dpu *dpu, const struct access *now, uint32_t then, uint16_t pc, bool write)
{
	struct dpu_finding f = dpu_check_finding(DPU_FINDING_RACE, now);

	f.other = then >> CLOCK_BITS;
	f.other_pc = pc;
	f.other_write = write;
	dpu_check_found(dpu, &f);
}

static void shadow_read(struct dpu *dpu, struct shadow *s, uint32_t me, uint16_t place, const struct access *now)
{
	struct dpu_check *c = dpu->check;
	unsigned int slot = s->reads[0] >> CLOCK_BITS == now->thread || s->reads[0] == NOBODY ? 0 : 1;

	if (!before(c, s->write, now->thread))
		race(dpu, now, s->write, s->write_pc, true);
	/* a read of a third tasklet replaces one that is before it, else the second */
	if (slot == 1 && s->reads[1] >> CLOCK_BITS != now->thread && before(c, s->reads[0], now->thread))
		slot = 0;
	s->reads[slot] = me;
	s->read_pcs[slot] = place;
}

static void shadow_write(struct dpu *dpu, struct shadow *s, uint32_t me, uint16_t place, const struct access *now)
{
	struct dpu_check *c = dpu->check;

	if (!before(c, s->write, now->thread))
		race(dpu, now, s->write, s->write_pc, true);
	for (unsigned int i = 0; i < 2; i++) {
		if (!before(c, s->reads[i], now->thread))
			race(dpu, now, s->reads[i], s->read_pcs[i], false);
		s->reads[i] = NOBODY;
	}
	s->write = me;
	s->write_pc = place;
}

void dpu_check_touch(struct dpu *dpu, struct shadow *s, uint32_t count, const struct access *now)
{
	uint32_t me = stamp(dpu->check, now->thread);
	uint16_t place = dpu_check_place_of(dpu->check, now->thread, now->pc);

	for (const struct shadow *end = s + count; s < end; s++) {
		if (!now->write && s->reads[0] != me && s->reads[1] != me)
			shadow_read(dpu, s, me, place, now);
		else if (now->write && (s->write != me || s->reads[0] != NOBODY || s->reads[1] != NOBODY))
			shadow_write(dpu, s, me, place, now);
	}
}

void dpu_check_awaited(struct dpu *dpu, const struct access *now)
{
	struct dpu_check *c = dpu->check;

	for (const struct shadow *s = &c->wram[now->address]; s < &c->wram[now->address + now->size]; s++)
		if (s->write != NOBODY)
			join(c->clocks[now->thread], c->clocks[s->write >> CLOCK_BITS]);
}
