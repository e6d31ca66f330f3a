// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calls of functions of the heap, whose blocks are followed, and of functions of strings, whose arguments are checked. */
#include "dpu/sim/check-internal.h"

/* From here on the bytes are no block's, or those of a new block that is not written yet. */
static void set_block(struct dpu_check *c, uint32_t address, uint32_t size, bool given_back)
{
	for (uint32_t i = address; i < address + size && i < DPU_WRAM_SIZE; i++)
		if (given_back || c->state[i] == GIVEN_BACK)
			c->state[i] = given_back ? GIVEN_BACK : UNWRITTEN;
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

static uint32_t length_of(const struct dpu *dpu, uint32_t text)
{
	uint32_t n = 0;

	while (text + n < dpu->wram_size && dpu->wram[text + n])
		n++;
	return n;
}

/* The bytes that an argument points to belong to one object. */
static void check_argument(struct dpu *dpu, unsigned int thread, uint16_t pc, unsigned int reg, uint32_t size)
{
	const struct access all = {
		.pc = pc, .thread = thread, .address = dpu->threads[thread].r[reg],
		.size = size < DPU_WRAM_SIZE ? size : DPU_WRAM_SIZE, .write = !reg
	};
	struct dpu_finding f;

	if (size && all.address < DPU_WRAM_SIZE && dpu_check_range_leaves(dpu, &all, &f, reg, 1))
		dpu_check_found(dpu, &f);
}

static void string_called(struct dpu *dpu, unsigned int thread, enum check_function kind, uint16_t pc)
{
	const uint32_t *r = dpu->threads[thread].r;

	dpu->check->tasklets[thread].caller = pc;
	switch (kind) {
	case CHECK_COPY:
		check_argument(dpu, thread, pc, 1, r[2]);
	/* fall through */
	case CHECK_SET:
		check_argument(dpu, thread, pc, 0, r[2]);
		break;
	case CHECK_STRCPY:
		check_argument(dpu, thread, pc, 1, length_of(dpu, r[1]) + 1);
		check_argument(dpu, thread, pc, 0, length_of(dpu, r[1]) + 1);
		break;
	case CHECK_STRCAT:
		check_argument(dpu, thread, pc, 0, length_of(dpu, r[0]) + length_of(dpu, r[1]) + 1);
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
		dpu_check_found(dpu, &(struct dpu_finding){
			.kind = DPU_FINDING_FREED_TWICE, .thread = thread, .address = block, .pc = back - 1,
			.size = c->block_size[block % DPU_WRAM_SIZE / 8]
		});
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
