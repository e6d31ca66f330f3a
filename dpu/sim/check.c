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
#define LENGTH_REACH 24		/* instructions between making a DMA's length and the DMA */
#define NULL_REACH 64		/* bytes of what a NULL pointer should point to */

enum { UNWRITTEN, WRITTEN, UNWRITTEN_MRAM, GIVEN_BACK };

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

bool dpu_finding_add(struct dpu_finding_list *list, const struct dpu_finding *finding)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct dpu_finding *f = &list->findings[i];

		if (f->kind != DPU_FINDING_STACK && f->kind == finding->kind && f->pc == finding->pc &&
		    f->other_pc == finding->other_pc &&
		    (f->kind != DPU_FINDING_MUTEX_WAIT || f->address == finding->address))
			return false;
		/* each stack once */
		if (f->kind == DPU_FINDING_STACK && finding->kind == DPU_FINDING_STACK &&
		    f->thread == finding->thread)
			return false;
		/* the same two accesses, found in the other order */
		if (f->kind == DPU_FINDING_RACE && finding->kind == DPU_FINDING_RACE &&
		    f->pc == finding->other_pc && f->other_pc == finding->pc)
			return false;
	}
	/* there is always room for the stacks, which can cause all others */
	if (list->count >= DPU_MAX_FINDINGS - (finding->kind == DPU_FINDING_STACK ? 0 : DPU_MAX_THREADS))
		return false;
	list->findings[list->count++] = *finding;
	return true;
}

/* The place that a user can change: not in a function of strings, but where it is called. */
static uint16_t place_of(const struct dpu_check *c, unsigned int thread, uint16_t pc)
{
	return c->string[pc] && c->tasklets[thread].caller ? c->tasklets[thread].caller : pc;
}

static void found(struct dpu *dpu, const struct dpu_finding *finding)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = *finding;

	/* the library's accesses to the heap and to its queues are none that a user can change */
	if (c->own[f.pc] || c->tasklets[f.thread].in.kind || (f.kind == DPU_FINDING_RACE && c->own[f.other_pc]))
		return;
	f.pc = place_of(c, f.thread, f.pc);
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

/* True if a stamp is before the thread's current instruction. */
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
		found(dpu, &f);
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
			found(dpu, &f);
	}
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

static void race(struct dpu *dpu, const struct dpu_finding *now, uint32_t then, uint16_t pc, bool write)
{
	struct dpu_finding f = *now;

	f.kind = DPU_FINDING_RACE;
	f.other = then >> CLOCK_BITS;
	f.other_pc = pc;
	f.other_write = write;
	found(dpu, &f);
}

static void shadow_read(struct dpu *dpu, struct shadow *s, uint32_t me, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	unsigned int slot = s->reads[0] >> CLOCK_BITS == now->thread || s->reads[0] == NOBODY ? 0 : 1;

	if (s->write != NOBODY && !before(c, s->write, now->thread))
		race(dpu, now, s->write, s->write_pc, true);
	/* a read of a third tasklet replaces one that is before it, else the second */
	if (slot == 1 && s->reads[1] >> CLOCK_BITS != now->thread && before(c, s->reads[0], now->thread))
		slot = 0;
	s->reads[slot] = me;
	s->read_pcs[slot] = place_of(c, now->thread, now->pc);
}

static void shadow_write(struct dpu *dpu, struct shadow *s, uint32_t me, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	if (s->write != NOBODY && !before(c, s->write, now->thread))
		race(dpu, now, s->write, s->write_pc, true);
	for (unsigned int i = 0; i < 2; i++)
		if (s->reads[i] != NOBODY && !before(c, s->reads[i], now->thread))
			race(dpu, now, s->reads[i], s->read_pcs[i], false);
	*s = (struct shadow){ .write = me, .write_pc = place_of(c, now->thread, now->pc) };
}

static void touch(struct dpu *dpu, struct shadow *s, uint32_t count, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	uint32_t me = stamp(c, now->thread);

	for (uint32_t i = 0; i < count; i++, s++) {
		if (now->write && s->write != me)
			shadow_write(dpu, s, me, now);
		else if (now->write && (s->reads[0] != NOBODY || s->reads[1] != NOBODY))
			shadow_write(dpu, s, me, now);
		else if (!now->write && s->reads[0] != me && s->reads[1] != me)
			shadow_read(dpu, s, me, now);
	}
}

/* ---- the heap ---- */

/* From here on the bytes are no block's, or those of a new block that is not written yet. */
static void set_block(struct dpu_check *c, uint32_t address, uint32_t size, bool given_back)
{
	for (uint32_t i = address; i < address + size && i < DPU_WRAM_SIZE; i++)
		if (given_back || c->state[i] == GIVEN_BACK)
			c->state[i] = given_back ? GIVEN_BACK : UNWRITTEN;
}

static void check_given_back(struct dpu *dpu, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = *now;

	f.kind = DPU_FINDING_GIVEN_BACK;
	for (uint32_t i = 0; i < now->size; i++) {
		if (c->state[(now->address + i) % DPU_WRAM_SIZE] == GIVEN_BACK) {
			found(dpu, &f);
			return;
		}
	}
}

/* A tasklet has returned from a function of the heap with a result. */
static void heap_returned(struct dpu_check *c, unsigned int thread, uint32_t result)
{
	enum check_function kind = c->tasklets[thread].in.kind;
	uint32_t a = c->tasklets[thread].in.a, b = c->tasklets[thread].in.b;
	uint16_t pc = c->tasklets[thread].in.back - 1;
	uint16_t *size = &c->block_size[result % DPU_WRAM_SIZE / 8];

	switch (kind) {
	case CHECK_ALLOC:
		c->heap = !c->heap || result < c->heap ? result : c->heap;
		set_block(c, result, a, false);
		dpu_check_block(c, thread, result, a, pc);
		break;
	case CHECK_FSB:
		c->fsb_size[result % DPU_WRAM_SIZE / 8] = a;
		break;
	case CHECK_BUDDY:
	case CHECK_FSB_GET:
		*size = kind == CHECK_BUDDY ? a : c->fsb_size[a % DPU_WRAM_SIZE / 8];
		if (!result)
			break;
		set_block(c, result, *size, false);
		dpu_check_block(c, thread, result, *size, pc);
		break;
	case CHECK_BUDDY_REALLOC:
		if (!result)
			break;
		dpu_check_no_blocks(c, a, 1);
		if (a && a != result)
			set_block(c, a, c->block_size[a % DPU_WRAM_SIZE / 8], true);
		*size = b;
		set_block(c, result, b, false);
		dpu_check_block(c, thread, result, b, pc);
		break;
	case CHECK_BUDDY_FREE:
	case CHECK_FSB_FREE:
		a = kind == CHECK_BUDDY_FREE ? a : b;
		if (!a)
			break;
		set_block(c, a, c->block_size[a % DPU_WRAM_SIZE / 8], true);
		dpu_check_no_blocks(c, a, 1);
		break;
	default:
		break;
	}
}

/* ---- functions of strings ---- */

static uint32_t length_of(const struct dpu *dpu, uint32_t text)
{
	uint32_t n = 0;

	while (text + n < dpu->wram_size && dpu->wram[text + n])
		n++;
	return n;
}

/* The bytes that an argument points to belong to one object. */
static void check_argument(struct dpu *dpu, const struct dpu_finding *call, unsigned int reg, uint32_t size)
{
	struct dpu_finding f = *call;

	f.address = dpu->threads[call->thread].r[reg];
	f.size = size < DPU_WRAM_SIZE ? size : DPU_WRAM_SIZE;
	f.write = !reg;
	if (size && f.address < DPU_WRAM_SIZE && dpu_check_range_leaves(dpu, &f, reg, 1))
		found(dpu, &f);
}

static void string_called(struct dpu *dpu, unsigned int thread, enum check_function kind, uint16_t pc)
{
	const uint32_t *r = dpu->threads[thread].r;
	const struct dpu_finding call = { .thread = thread, .pc = pc };

	dpu->check->tasklets[thread].caller = pc;
	switch (kind) {
	case CHECK_COPY:
		check_argument(dpu, &call, 1, r[2]);
	/* fall through */
	case CHECK_SET:
		check_argument(dpu, &call, 0, r[2]);
		break;
	case CHECK_STRCPY:
		check_argument(dpu, &call, 1, length_of(dpu, r[1]) + 1);
		check_argument(dpu, &call, 0, length_of(dpu, r[1]) + 1);
		break;
	case CHECK_STRCAT:
		check_argument(dpu, &call, 0, length_of(dpu, r[0]) + length_of(dpu, r[1]) + 1);
		break;
	default:
		break;
	}
}

void dpu_check_call(struct dpu *dpu, unsigned int thread, uint16_t target, uint16_t back)
{
	struct dpu_check *c = dpu->check;
	const uint32_t *r = dpu->threads[thread].r;
	uint32_t block;

	if (c->tasklets[thread].in.kind && target == c->tasklets[thread].in.back) {
		heap_returned(c, thread, r[0]);
		c->tasklets[thread].in.kind = CHECK_NONE;
		return;
	}
	if (target >= DPU_IRAM_WORDS || c->tasklets[thread].in.kind)
		return;
	if (c->entry[target] >= CHECK_STRING && !c->string[dpu->threads[thread].at - dpu->code])
		string_called(dpu, thread, c->entry[target], back - 1);
	if (c->entry[target] < CHECK_ALLOC)
		return;
	block = c->entry[target] == CHECK_FSB_FREE ? r[1] : r[0];
	if ((c->entry[target] == CHECK_FSB_FREE || c->entry[target] == CHECK_BUDDY_FREE) && block &&
	    c->block_size[block % DPU_WRAM_SIZE / 8] > 8 && c->state[(block + 8) % DPU_WRAM_SIZE] == GIVEN_BACK)
		found(dpu, &(struct dpu_finding){ .kind = DPU_FINDING_FREED_TWICE, .thread = thread, .address = block,
						  .pc = back - 1, .size = c->block_size[block % DPU_WRAM_SIZE / 8] });
	/* before another tasklet can allocate again */
	if (c->entry[target] == CHECK_RESET && c->heap) {
		set_block(c, c->heap, dpu->wram_size - c->heap, true);
		dpu_check_no_blocks(c, c->heap, dpu->wram_size - c->heap);
	}
	c->tasklets[thread].in.kind = c->entry[target];
	c->tasklets[thread].in.a = r[0];
	c->tasklets[thread].in.b = r[1];
	c->tasklets[thread].in.back = back;
}

/* ---- stacks, loads and stores ---- */

/*
 * Stacks grow up in code of UPMEM's compiler, down in that of dpu-cc: the register stays between
 * both ends.
 */
static void check_stack(struct dpu *dpu, const struct dpu_finding *now, bool by_stack)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding **overflow = &c->tasklets[now->thread].overflow;
	int32_t base = c->tasklets[now->thread].base, end = base + c->tasklets[now->thread].size;
	int32_t low = dpu->threads[now->thread].r[STACK_REGISTER], high = low, first = now->address;
	struct dpu_finding f = *now;

	if (end == base || !c->tasklets[now->thread].has_stack)
		return;
	if (by_stack) {
		low = first < low ? first : low;
		high = first + (int32_t)now->size > high ? first + (int32_t)now->size : high;
	}
	if (low >= base && high <= end)
		return;
	f.kind = DPU_FINDING_STACK;
	f.address = base;
	f.room = end - base;
	f.size = f.room + (low < base ? base - low : high - end);
	/* once the register itself may be wrong, only its accesses tell the depth */
	if (*overflow && by_stack && f.size > (*overflow)->size)
		(*overflow)->size = f.size;
	else if (!*overflow && dpu_finding_add(&c->list, &f))
		*overflow = &c->list.findings[c->list.count - 1];
}

static void check_bounds(struct dpu *dpu, const struct dpu_finding *now)
{
	struct dpu_finding f = *now;

	if (!dpu_check_leaves(dpu, &f))
		return;
	if (f.object.kind == DPU_PLACE_STACK && f.kind == DPU_FINDING_BOUNDS && f.object.thread == now->thread)
		check_stack(dpu, now, true);
	else
		found(dpu, &f);
}

void dpu_check_fault(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_finding now = { .pc = pc, .thread = thread, .address = address, .size = 1 };

	if ((c->origin[thread][dpu->code[pc].ra] & ~CHECK_EXACT) == c->stack[thread])
		check_stack(dpu, &now, true);
}

/* Pointers to no object at all. */
static void check_pointer(struct dpu *dpu, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[now->pc];
	const uint32_t *r = dpu->threads[now->thread].r;
	struct dpu_finding f = *now;

	f.kind = DPU_FINDING_NULL;
	if ((u->ra >= DPU_REG_ZERO || !r[u->ra]) && c->has_references && !c->reference[now->pc] &&
	    now->address < NULL_REACH)
		found(dpu, &f);
	f.kind = DPU_FINDING_RETURNED;
	if (c->grows_down && c->tasklets[now->thread].has_stack && u->ra != STACK_REGISTER &&
	    now->address - c->tasklets[now->thread].base < c->tasklets[now->thread].size &&
	    now->address + now->size <= r[STACK_REGISTER])
		found(dpu, &f);
}

static void check_unwritten(struct dpu *dpu, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = *now;

	for (uint32_t i = 0; i < now->size; i++)
		if (c->state[now->address + i] == WRITTEN || c->state[now->address + i] == GIVEN_BACK)
			return;
	f.kind = c->state[now->address] == UNWRITTEN ? DPU_FINDING_UNWRITTEN : DPU_FINDING_UNWRITTEN_MRAM;
	found(dpu, &f);
}

/* A page of seqread has more than the program needs: what it loads of it, it reads in MRAM. */
static void touch_page(struct dpu *dpu, const struct dpu_finding *now)
{
	uint32_t granule = dpu->check->page[now->address / 8] - 1;
	struct dpu_finding f = *now;

	f.address = DPU_MRAM_FLAG | (granule * 8 + now->address % 8);
	touch(dpu, &dpu->check->mram[granule], 1, &f);
}

void dpu_check_load(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_finding now = { .pc = pc, .thread = thread, .address = address, .size = size };

	check_stack(dpu, &now, dpu->code[pc].ra == STACK_REGISTER);
	c->tasklets[thread].has_stack |= address == c->stack_table + 8 * thread;
	check_given_back(dpu, &now);
	check_bounds(dpu, &now);
	check_pointer(dpu, &now);
	if (!c->copies[pc])
		check_unwritten(dpu, &now);
	if (c->page[address / 8])
		touch_page(dpu, &now);
	if (!c->waits[pc]) {
		touch(dpu, &c->wram[address], size, &now);
		return;
	}
	for (uint32_t i = 0; i < size; i++)
		if (c->wram[address + i].write != NOBODY)
			join(c->clocks[thread], c->clocks[c->wram[address + i].write >> CLOCK_BITS]);
}

void dpu_check_store(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_finding now = {
		.pc = pc, .thread = thread, .address = address, .size = size, .write = true
	};

	check_stack(dpu, &now, dpu->code[pc].ra == STACK_REGISTER);
	check_given_back(dpu, &now);
	check_bounds(dpu, &now);
	check_pointer(dpu, &now);
	memset(&c->state[address], WRITTEN, size);
	c->page[address / 8] = 0;
	touch(dpu, &c->wram[address], size, &now);
}

/* ---- transfers ---- */

void dpu_check_shift(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t value)
{
	struct dpu_check *c = dpu->check;

	c->tasklets[thread].length = value;
	c->tasklets[thread].length_pc = pc;
	c->tasklets[thread].has_length = true;
}

static void check_length(struct dpu *dpu, const struct dpu_finding *now)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f = *now;
	unsigned int distance = now->pc - c->tasklets[now->thread].length_pc;
	uint32_t length = c->tasklets[now->thread].length;

	if (!c->tasklets[now->thread].has_length)
		return;
	c->tasklets[now->thread].has_length = false;
	if (distance > LENGTH_REACH || (length && length <= DPU_DMA_MAX && !(length % 8)))
		return;
	f.kind = DPU_FINDING_DMA_LENGTH;
	f.size = length;
	found(dpu, &f);
}

static bool is_written(const struct dpu_check *c, uint32_t granule)
{
	return c->mram_written[granule / 8] >> granule % 8 & 1;
}

/* Bytes move with their state; of 8 bytes in MRAM one written byte is enough. */
static void move_state(struct dpu_check *c, uint32_t local, uint32_t granule, bool to_mram)
{
	bool written = false;

	if (!to_mram) {
		memset(&c->state[local], is_written(c, granule) ? WRITTEN : UNWRITTEN_MRAM, 8);
		return;
	}
	for (unsigned int i = 0; i < 8; i++)
		written |= c->state[local + i] == WRITTEN;
	if (written)
		c->mram_written[granule / 8] |= 1 << granule % 8;
	else
		c->mram_written[granule / 8] &= ~(1 << granule % 8);
}

void dpu_check_dma(struct dpu *dpu, const struct dpu_transfer *t)
{
	struct dpu_check *c = dpu->check;
	bool to_mram = t->op == DPU_OP_sdma, to_iram = t->op == DPU_OP_ldmai;
	struct dpu_finding now = {
		.kind = DPU_FINDING_DMA_WRAM, .pc = t->pc, .thread = t->thread, .address = t->ra & 0xffffff,
		.size = t->bytes, .write = !to_mram
	}, wrong;

	check_stack(dpu, &now, false);
	if (now.address % 8)
		found(dpu, &now);
	check_length(dpu, &now);
	wrong = now;
	if (!to_iram && dpu_check_other_memory(c, &wrong, c->origin[t->thread][dpu->code[t->pc].ra]))
		found(dpu, &wrong);
	now.address = DPU_MRAM_FLAG | t->rb;
	now.kind = t->fits ? DPU_FINDING_DMA_MRAM : DPU_FINDING_DMA_RANGE;
	if (!t->fits || (now.address % 8 && t->local - c->cache >= c->cache_size))
		found(dpu, &now);
	wrong = now;
	if (dpu_check_other_memory(c, &wrong, c->origin[t->thread][dpu->code[t->pc].rb]))
		found(dpu, &wrong);
	if (!t->fits)
		return;
	now.address = t->local;
	if (!to_iram)
		check_given_back(dpu, &now);
	wrong = now;
	if (!to_iram && now.write)
		memset(&c->stored[now.address / 4], 0, now.size / 4 * sizeof(c->stored[0]));
	if (!to_iram && dpu_check_range_leaves(dpu, &wrong, dpu->code[t->pc].ra, 8))
		found(dpu, &wrong);
	wrong = now;
	wrong.address = DPU_MRAM_FLAG | t->mram;
	wrong.write = to_mram;
	/* seqread_get() and others of these read whole pages */
	if (!c->string[t->pc] && dpu_check_range_leaves(dpu, &wrong, dpu->code[t->pc].rb, 8))
		found(dpu, &wrong);
	for (uint32_t i = 0; !to_iram && i < t->bytes; i += 8) {
		move_state(c, t->local + i, (t->mram + i) / 8, to_mram);
		if (!to_mram)
			c->page[(t->local + i) / 8] = c->string[t->pc] ? (t->mram + i) / 8 + 1 : 0;
	}
	now.address = t->local;
	if (!to_iram)
		touch(dpu, &c->wram[t->local], t->bytes, &now);
	if (!to_iram && !to_mram && c->string[t->pc])
		return;
	now.address = DPU_MRAM_FLAG | t->mram;
	now.write = to_mram;
	touch(dpu, &c->mram[t->mram / 8], t->bytes / 8, &now);
}

void dpu_check_host(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length)
{
	struct dpu_check *c = dpu->check;

	if (memory == DPU_WRAM)
		memset(&c->state[offset], WRITTEN, length);
	for (uint32_t i = offset / 8; memory == DPU_MRAM && i < (offset + length) / 8; i++)
		c->mram_written[i / 8] |= 1 << i % 8;
}
