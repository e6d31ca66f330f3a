// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The fast interpreter: the common forms of the common instructions.
 *
 * Each predecoded instruction has two functions. One is for its tasklet's turn and then gives the
 * turn to the next tasklet; the other runs ahead of the turn and continues with the same tasklet.
 * Both end in a call of the next instruction's function, which the compiler turns into a jump; if
 * it does not, calls nest at most DPU_FAST_BATCH deep. Other instructions are left to the plain
 * interpreter (plain.c).
 */
#include <string.h>

#include "dpu/sim/alu.h"

/*
 * Passed on by the functions in registers: instructions that are left, and the cycle of this turn.
 */
#define TURN struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left, uint64_t cycle
#define AHEAD struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left

/* The run ends at a thread's turn, in a cycle. */
static void exec_leave(struct dpu *dpu, struct dpu_thread *t, uint32_t left, uint64_t cycle)
{
	dpu->left = left;
	dpu->ring = t;
	dpu->cycle = cycle;
}

/* A thread has its turn: its instruction is dispatched in the first cycle after the last turn in which it is ready. */
static inline __attribute__((always_inline)) void take_turn(struct dpu *dpu, struct dpu_thread *t,
							    uint32_t left, uint64_t cycle)
{
	uint64_t now = cycle + 1 > t->ready ? cycle + 1 : t->ready;
	const struct dpu_uop *u = t->at;

	if (__builtin_expect(now >= dpu->limit, 0)) {
		exec_leave(dpu, t, left, cycle);
		return;
	}
	t->ready = now + dpu->timing.dispatch_interval;
	u->turn(dpu, t, u, left, now);
}

static inline __attribute__((always_inline)) void next_turn(TURN)
{
	t->at = u;
	take_turn(dpu, t->next, left - 1, cycle);
}

static inline __attribute__((always_inline)) void next_ahead(AHEAD)
{
	if (__builtin_expect(!--left, 0)) {
		t->at = u;
		dpu->left = left;
		return;
	}
	u->ahead(dpu, t, u, left);
}

/* The plain interpreter executes this one, in the same turn. */
static void plain_turn(TURN)
{
	(void)u;
	exec_leave(dpu, t, left, cycle);
	dpu->plain_turn = true;
}

/* Others can observe this one: it waits for its turn. */
static void ahead_none(AHEAD)
{
	t->at = u;
	dpu->left = left;
}

static inline const struct dpu_uop *exec_target(const struct dpu *dpu, const struct dpu_uop *u,
						bool taken)
{
	return taken ? &dpu->code[u->pc] : u + 1;
}

#define FUNCTIONS(name, next) \
	static void name##_turn(TURN) \
	{ \
		u = next; \
		next_turn(dpu, t, u, left, cycle); \
	} \
	static void name##_ahead(AHEAD) \
	{ \
		u = next; \
		next_ahead(dpu, t, u, left); \
	}

/* SUM and LOGIC: with one register or none as destination, alone or with a branch on the flags. */
static inline const struct dpu_uop *sum_plain(struct dpu_thread *t, const struct dpu_uop *u,
					      struct dpu_sum sum)
{
	t->r[u->rc] = sum.x;
	t->result = sum.x;
	t->carry = sum.carry;
	return u + 1;
}

static inline const struct dpu_uop *sum_branch(const struct dpu *dpu, struct dpu_thread *t,
					       const struct dpu_uop *u, struct dpu_sum sum)
{
	uint32_t flags = dpu_flags(sum.x, sum.carry, sum.overflow, t->result);

	sum_plain(t, u, sum);
	return exec_target(dpu, u, u->aux >> flags & 1);
}

static inline const struct dpu_uop *logic_plain(struct dpu_thread *t, const struct dpu_uop *u,
						uint32_t x)
{
	t->r[u->rc] = x;
	t->result = x;
	return u + 1;
}

static inline const struct dpu_uop *logic_branch(const struct dpu *dpu, struct dpu_thread *t,
						 const struct dpu_uop *u, uint32_t x)
{
	uint32_t flags = dpu_flags(x, 0, 0, t->result);

	logic_plain(t, u, x);
	return exec_target(dpu, u, u->aux >> flags & 1);
}

static inline uint32_t exec_second(const struct dpu_thread *t, const struct dpu_uop *u)
{
	return t->r[u->rb] + u->imm;
}

#define DPU_SUM(name, ...) \
	FUNCTIONS(name##_plain, \
		  sum_plain(t, u, dpu_##name##_of(t->r[u->ra], exec_second(t, u), t->carry))) \
	FUNCTIONS(name##_branch, \
		  sum_branch(dpu, t, u, dpu_##name##_of(t->r[u->ra], exec_second(t, u), t->carry)))
#define DPU_LOGIC(name, ...) \
	FUNCTIONS(name##_plain, \
		  logic_plain(t, u, dpu_##name##_of(t->r[u->ra], exec_second(t, u)))) \
	FUNCTIONS(name##_branch, \
		  logic_branch(dpu, t, u, dpu_##name##_of(t->r[u->ra], exec_second(t, u))))
#define DPU_SHIFT_ADD(name, ...) \
	static inline const struct dpu_uop *name(struct dpu_thread *t, const struct dpu_uop *u) \
	{ \
		uint32_t s = dpu_##name##_shifted(t->r[u->ra], u->imm); \
\
		t->r[u->rc] = dpu_##name##_of(t->r[u->rb], s); \
		t->result = s; \
		return u + 1; \
	} \
	FUNCTIONS(name##_plain, name(t, u))
#include "dpu/sim/alu.def"

/* The other forms of the arithmetic unit. */
FUNCTIONS(alu, exec_target(dpu, u, dpu_alu(t, u)))
FUNCTIONS(mul_step, exec_target(dpu, u, dpu_mul_step(t, u)))
FUNCTIONS(div_step, exec_target(dpu, u, dpu_div_step(t, u)))

static inline const struct dpu_uop *call(const struct dpu *dpu, struct dpu_thread *t,
					 const struct dpu_uop *u)
{
	uint32_t to = (t->r[u->ra] + t->r[u->rb] + u->imm) & 0xffff;

	t->r[u->rc] = u - dpu->code + 1;
	return &dpu->code[to < DPU_IRAM_WORDS ? to : DPU_IRAM_WORDS];
}

static inline const struct dpu_uop *movd(const struct dpu *dpu, struct dpu_thread *t,
					 const struct dpu_uop *u)
{
	dpu_set_pair(t, u->rc, dpu_pair(t, u->rb));
	return exec_target(dpu, u, u->cond == DPU_COND_TRUE);
}

FUNCTIONS(call, call(dpu, t, u))
FUNCTIONS(movd, movd(dpu, t, u))
FUNCTIONS(nop, u + 1)

/*
 * Accesses to WRAM, of one register or a pair, little endian. One that faults is left to plain.c. They run
 * ahead as far as ahead.c lets them: what the thread's window has accessed before, it may access again.
 */
#define ACCESS(name, type, offset, marks, claim, access) \
	static void name##_turn(TURN) \
	{ \
		uint32_t address = t->r[u->ra] + u->offset; \
		type value; \
\
		if (__builtin_expect(!dpu_wram_ok(dpu->wram_size, address, sizeof(type)), 0)) { \
			plain_turn(dpu, t, u, left, cycle); \
			return; \
		} \
		access; \
		u++; \
		next_turn(dpu, t, u, left, cycle); \
	} \
	static void name##_ahead(AHEAD) \
	{ \
		uint32_t address = t->r[u->ra] + u->offset; \
		type value; \
\
		if (__builtin_expect(!dpu_wram_ok(dpu->wram_size, address, sizeof(type)), 0) || \
		    (dpu->ahead.marks[address / 8] != t->window && !claim(dpu, t, address / 8))) { \
			ahead_none(dpu, t, u, left); \
			return; \
		} \
		access; \
		u++; \
		next_ahead(dpu, t, u, left); \
	}
#define READ(name, type, access) ACCESS(name, type, imm, readers, dpu_window_read, access)
#define WRITE(name, type, access) ACCESS(name, type, aux, writers, dpu_window_write, access)
#define GET memcpy(&value, dpu->wram + address, sizeof(value))
#define PUT memcpy(dpu->wram + address, &value, sizeof(value))
#define DPU_LOAD(name, type) READ(name, type, (GET, t->r[u->rc] = (uint32_t)value))
#define DPU_STORE(name, type) WRITE(name, type, (value = t->r[u->rb] + u->imm, PUT))
#include "dpu/sim/alu.def"
READ(ld, uint64_t, (GET, dpu_set_pair(t, u->rc, value)))
WRITE(sd, uint64_t, (value = dpu_pair(t, u->rb), PUT))

struct functions {
	dpu_turn_fn *turn;
	dpu_ahead_fn *ahead;
	uint8_t flags;
};

/* The plain forms; others are left to the plain interpreter. */
static const struct functions plain[DPU_OP_COUNT] = {
#define BOTH(function) { function##_turn, function##_ahead, 0 }
#define MEMORY(function) { function##_turn, function##_ahead, DPU_UOP_MEMORY }
#define DPU_SUM(name, ...) [DPU_OP_##name] = BOTH(name##_plain),
#define DPU_LOGIC(name, ...) [DPU_OP_##name] = BOTH(name##_plain),
#define DPU_SHIFT_ADD(name, ...) [DPU_OP_##name] = BOTH(name##_plain),
#define DPU_LOAD(name, ...) [DPU_OP_##name] = MEMORY(name),
#define DPU_STORE(name, ...) [DPU_OP_##name] = MEMORY(name),
#include "dpu/sim/alu.def"
	[DPU_OP_ld] = MEMORY(ld),
	[DPU_OP_sd] = MEMORY(sd),
	[DPU_OP_mul_step] = BOTH(mul_step),
	[DPU_OP_div_step] = BOTH(div_step),
	[DPU_OP_call] = BOTH(call),
	[DPU_OP_movd] = BOTH(movd),
	[DPU_OP_nop] = BOTH(nop),
	[DPU_OP_tell] = BOTH(nop),
};

static const struct functions branches[DPU_OP_COUNT] = {
#define DPU_SUM(name, ...) [DPU_OP_##name] = BOTH(name##_branch),
#define DPU_LOGIC(name, ...) [DPU_OP_##name] = BOTH(name##_branch),
#include "dpu/sim/alu.def"
};

static struct functions exec_choose(const struct dpu_uop *u)
{
	static const struct functions others = BOTH(alu), none = { plain_turn, ahead_none, 0 };
	bool pair = u->flags & (DPU_UOP_SIGNED | DPU_UOP_UNSIGNED);

	if (u->op >= DPU_OP_COUNT || u->flags & (DPU_UOP_SAFE | DPU_UOP_BIG))
		return none;
	if (!dpu_is_arithmetic(u->op)) {
		bool fast = plain[u->op].turn && !pair &&
			    !(u->op == DPU_OP_sd && u->flags & DPU_UOP_IMM);

		return fast ? plain[u->op] : none;
	}
	if (pair || u->flags & DPU_UOP_SET)
		return others;
	if (!(u->flags & DPU_UOP_BRANCH))
		return plain[u->op];
	return branches[u->op].turn && u->cond <= DPU_COND_LAST_FLAGS ? branches[u->op] : others;
}

void dpu_fast_prepare(struct dpu_uop *u)
{
	const struct functions f = exec_choose(u);

	u->turn = f.turn;
	u->ahead = f.ahead;
	u->flags |= f.flags;
}

bool dpu_fast_waits(const struct dpu_uop *u)
{
	return u->ahead == ahead_none;
}

/* A turn takes a cycle or more, so that many cycles hold no more turns. */
void dpu_fast_turns(struct dpu *dpu, uint64_t count)
{
	uint64_t first = dpu->ring->ready > dpu->cycle ? dpu->ring->ready : dpu->cycle + 1;

	if (count > DPU_FAST_BATCH)
		count = DPU_FAST_BATCH;
	dpu->limit = first + count < dpu->wake ? first + count : dpu->wake;
	take_turn(dpu, dpu->ring, count, dpu->cycle);
	dpu_count_turns(dpu, count - dpu->left);
}

uint32_t dpu_fast_ahead(struct dpu *dpu, struct dpu_thread *t, uint32_t count)
{
	t->at->ahead(dpu, t, t->at, count);
	return count - dpu->left;
}
