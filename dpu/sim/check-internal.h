/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the check share. */
#ifndef MON_MODELS_UPMEM_CHECK_INTERNAL_H
#define MON_MODELS_UPMEM_CHECK_INTERNAL_H

#include "dpu/include/check.h"
#include "dpu/sim/dpu-internal.h"

#define STACK_REGISTER 22
#define LENGTH_SHIFT 21		/* where a DMA's length is in its register */

/* tasklet << CLOCK_BITS | its clock */
struct shadow {
	uint32_t write, reads[2];
	uint16_t write_pc, read_pcs[2];
};

/* Bytes in WRAM, or in MRAM with its mark, that an instruction reads or writes. */
struct access {
	uint32_t address, size;
	uint16_t pc;
	uint8_t thread;
	bool write;
};

static inline struct dpu_finding dpu_check_finding(enum dpu_finding_kind kind, const struct access *a)
{
	return (struct dpu_finding){
		.kind = kind, .pc = a->pc, .thread = a->thread, .address = a->address, .size = a->size, .write = a->write
	};
}

/* A byte's state, as a bit. */
enum { UNWRITTEN = 0, WRITTEN = 1, UNWRITTEN_MRAM = 2, GIVEN_BACK = 4 };

enum check_function {
	CHECK_NONE, CHECK_OWN, CHECK_STRING, CHECK_COPY, CHECK_SET, CHECK_STRCPY, CHECK_STRCAT, CHECK_ALLOC, CHECK_RESET,
	CHECK_BUDDY, CHECK_BUDDY_FREE, CHECK_FSB, CHECK_FSB_GET, CHECK_FSB_FREE, CHECK_BUDDY_REALLOC
};

#define CHECK_OBJECTS 4096
struct check_object {
	struct dpu_place place;	/* a local variable: the next one that begins there takes its place */
	bool gone;		/* a block that was given back */
};

/* Of an origin: the pointer was made from the object's address, not from a number that may be another one. */
#define CHECK_EXACT 0x8000u

struct dpu_check {
	uint32_t clocks[DPU_MAX_THREADS][DPU_MAX_THREADS];
	uint32_t stopped[DPU_MAX_THREADS][DPU_MAX_THREADS];
	uint32_t bits[DPU_ATOMIC_BITS][DPU_MAX_THREADS];
	struct shadow wram[DPU_WRAM_SIZE];
	uint8_t state[DPU_WRAM_SIZE];
	struct shadow *mram;		/* of 8 bytes each; pages come when they are touched */
	uint8_t *mram_written;		/* a bit for each of them */
	uint32_t stack_table;		/* {size, address} of each tasklet's stack, where start-up code reads it */
	struct {
		uint32_t base, size;	/* of the stack; size 0: not known */
		uint32_t length;	/* of a DMA that is being made */
		uint16_t length_pc;
		bool has_length;
		bool has_stack;		/* start-up code has set the stack pointer */
		uint16_t caller;	/* of a function of strings */
		struct dpu_finding *overflow;
		struct {
			enum check_function kind;	/* CHECK_NONE: in no function of the heap */
			uint32_t a, b;			/* its arguments */
			uint16_t back;			/* where it returns to */
		} in;
	} tasklets[DPU_MAX_THREADS];
	uint32_t cache, cache_size;	/* buffers of compiled accesses to MRAM, which round down intentionally */
	bool waits[DPU_IRAM_WORDS];	/* a load in a loop that waits */
	bool copies[DPU_IRAM_WORDS];	/* of a function that copies any bytes */
	bool string[DPU_IRAM_WORDS];	/* of a function of strings, or seqread: its findings are its caller's */
	uint8_t entry[DPU_IRAM_WORDS + 1];	/* the function that begins there */
	bool own[DPU_IRAM_WORDS];	/* of the library: its accesses are none of the user's */
	uint16_t end;			/* where tasklets stop that have returned; 0: not known */
	uint8_t holder[DPU_ATOMIC_BITS];	/* tasklet + 1 */
	uint16_t taken[DPU_ATOMIC_BITS];	/* by the instruction */
	bool is_mutex[DPU_ATOMIC_BITS];
	uint32_t heap;			/* lowest block of mem_alloc(); 0: none */
	uint16_t block_size[DPU_WRAM_SIZE / 8];	/* of a block of the buddy allocator or of fsb_get() */
	uint16_t fsb_size[DPU_WRAM_SIZE / 8];	/* of the blocks of an allocator */
	uint32_t page[DPU_WRAM_SIZE / 8];	/* of a page of seqread: what of MRAM it is, in 8 bytes from 1; 0: of none */
	/* check-bounds.c: numbers of objects, 0 is none */
	struct check_object object[CHECK_OBJECTS];
	unsigned int objects;
	uint16_t variables[DPU_WRAM_SIZE];	/* of the variable that an address is in */
	uint16_t stack[DPU_MAX_THREADS];	/* of a tasklet's stack */
	bool has_references;
	uint16_t reference[DPU_IRAM_WORDS];	/* of the variable whose address an instruction has */
	uint16_t origin[DPU_MAX_THREADS][DPU_REG_SINK + 2];	/* of the object that a register points into */
	uint16_t stored[DPU_WRAM_SIZE / 4];	/* and a word */
	bool grows_down;			/* the stack */
	struct {
		int32_t distance;		/* from the stack pointer */
		uint32_t size;			/* 0: none */
		bool starts, ends;		/* the distance is the variable's own, or another one ends there */
	} locals[DPU_IRAM_WORDS];		/* that an instruction accesses or takes the address of */
	uint32_t told[DPU_IRAM_WORDS];		/* kinds of findings of an access there, a bit each */
	uint16_t reached[DPU_IRAM_WORDS];	/* the last one that an instruction accessed */
	struct dpu_finding_list list;
};

/*
 * check.c: the place that a user can change, which is not in a function of strings, but where it is called; adds
 * a finding, but not the library's own; an access, to be compared with earlier and later ones; a load of a loop that waits,
 * which is ordered after the writes.
 */
uint16_t dpu_check_place_of(const struct dpu_check *c, unsigned int thread, uint16_t pc);
void dpu_check_found(struct dpu *dpu, const struct dpu_finding *finding);
void dpu_check_touch(struct dpu *dpu, struct shadow *shadow, uint32_t count, const struct access *access);
void dpu_check_awaited(struct dpu *dpu, const struct access *access);
/* A tasklet gets an atomic bit, or releases it. */
void dpu_check_acquire(struct dpu *dpu, unsigned int thread, unsigned int bit);
void dpu_check_release(struct dpu *dpu, unsigned int thread, unsigned int bit);
/* check-access.c: is the stack pointer beyond the stack's ends, or an access by it? */
void dpu_check_stack(struct dpu *dpu, const struct access *access, bool by_stack);

/*
 * check-bounds.c: the variables of a program; a new block, which the tasklet's r0 points to and which was allocated at
 * pc; blocks that are no more.
 */
void dpu_check_objects(struct dpu_check *c, const struct dpu_program *program);
void dpu_check_block(struct dpu_check *c, unsigned int thread, uint32_t start, uint32_t size, uint16_t pc);
void dpu_check_no_blocks(struct dpu_check *c, uint32_t first, uint32_t size);
/* What an address in WRAM is in, but for variables. */
struct dpu_place dpu_check_place(const struct dpu *dpu, uint32_t address);
/* Does a load or store leave the object that its pointer belongs to, or has it a pointer to MRAM? Then the finding is made. */
bool dpu_check_leaves(struct dpu *dpu, const struct access *now, struct dpu_finding *finding);
/* The same for bytes that a register points to: one side of a transfer, in units of 8, or a function's argument. */
bool dpu_check_range_leaves(struct dpu *dpu, const struct access *now, struct dpu_finding *finding, unsigned int reg,
			    uint32_t unit);
/* Does a pointer of this origin belong to the other memory than the address? */
bool dpu_check_other_memory(const struct dpu_check *c, const struct access *now, struct dpu_finding *finding,
			    uint16_t number);

#endif
