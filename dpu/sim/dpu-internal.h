/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Internals of the DPU model. Its words:
 *
 * 	turn	one instruction of one thread in its cycle; instructions are counted by turns (dpu_count_turns())
 * 	ring	the threads that take turns, in the order in which their next turns come
 * 	ahead	a thread executes instructions before their turns, if no other thread can observe that
 * 	window	what a thread has executed ahead since it last waited; it can be rolled back to the window's start
 * 	credit	instructions that a thread has executed ahead: that many of its turns are only counted
 * 	settle	roll a thread back, and execute again what its turns have reached
 * 	granule	8 bytes of WRAM, with a mark of the windows that have read or written it
 * 	round	one turn of each thread of the ring; slot: a thread's place in it; key: a turn, as round and slot
 * 	event	a turn that has to be looked at, because others can observe it (events.c)
 * 	block	instructions that are compiled together for the host; an entry is where one may begin
 *
 * Loads and stores run ahead, too, and that is why threads can be rolled back. Without it the interpreter executes
 * a program with a load or store in three instructions at 0.4 of its speed (make bench-upmem, mix), and blocks end at
 * each load.
 */
#ifndef MON_MODELS_UPMEM_DPU_INTERNAL_H
#define MON_MODELS_UPMEM_DPU_INTERNAL_H

#include <stdatomic.h>

#include "dpu/include/model.h"
#include "dpu/isa/dpu_isa.h"

struct dpu_thread;
struct dpu_uop;

/* Execute an instruction and those after it; see fast.c. */
typedef void dpu_turn_fn(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left,
			 uint64_t cycle);
typedef void dpu_ahead_fn(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left);

/*
 * A predecoded instruction. The second operand is always r[rb] + imm: one of the two is zero, so
 * register and immediate forms share their code. rc is DPU_REG_SINK where there is no destination.
 */
struct dpu_uop {
	dpu_turn_fn *turn;
	dpu_ahead_fn *ahead;
	uint32_t imm;
	uint32_t aux;		/* truth table of the condition, shift, or offset of a store */
	uint16_t pc;		/* branch target, at most DPU_IRAM_WORDS */
	uint8_t rc, ra, rb;
	uint8_t cond;		/* enum dpu_cond; enum dpu_fault_kind of a word that is no instruction */
	uint8_t flags;		/* DPU_UOP_* */
	uint8_t op;		/* enum dpu_op; DPU_OP_COUNT: no instruction */
};

#define DPU_REG_SINK 32
#define DPU_REG_RETURN 23	/* the address that a function returns to */

enum {
	DPU_UOP_SET = 1 << 0,		/* the result is the condition's value */
	DPU_UOP_BRANCH = 1 << 1,
	DPU_UOP_SIGNED = 1 << 2,	/* pair destination, sign extension */
	DPU_UOP_UNSIGNED = 1 << 3,	/* pair destination, zero extension */
	DPU_UOP_BIG = 1 << 4,
	DPU_UOP_SAFE = 1 << 5,
	DPU_UOP_IMM = 1 << 6,		/* a store's value is imm */
	DPU_UOP_MEMORY = 1 << 7		/* fast.c loads or stores */
};

struct dpu_thread {
	uint32_t r[34];		/* 24..31 are the constants, 32 and 33 take unused results */
	uint32_t result;	/* the last result; ZF is result == 0 */
	uint32_t carry;
	const struct dpu_uop *at;	/* the next instruction */
	uint32_t credit;		/* instructions that were executed ahead of their turns (ahead.c) */
	uint64_t ready;		/* cycle from which the next instruction may be dispatched */
	uint64_t due;		/* the same for profiles, until its turn is over */
	uint8_t queued, sleeping;
	uint32_t window;		/* mark of what it executes or has executed ahead */
	struct dpu_thread *next, *prev;		/* in the ring, or among those asleep */
};

#define DPU_AHEAD 255		/* instructions that a thread executes ahead, at most */
#define DPU_BLOCKS_AHEAD 1023	/* of a compiled program */
#define DPU_CHANGES 255		/* granules that it writes */
#define DPU_GRANULES (DPU_WRAM_SIZE / 8)

/*
 * A mark is a window's number and thread, or means that several windows up to a number have read.
 */
#define DPU_MARK_BITS 5
#define DPU_MARK_THREAD ((UINT32_C(1) << DPU_MARK_BITS) - 1)
#define DPU_MARK_SHARED (UINT32_C(1) << 31)

/* The model's structures that compiled programs use; also part of their text (translate.c). */
#define DPU_BLOCKS_TYPES \
	struct dpu_change { \
		uint64_t old; \
		uint32_t granule; \
	}; \
	struct dpu_blocks_call { \
		uint32_t *r; \
		uint8_t *wram; \
		struct dpu_change *changes; \
		uint32_t *changed; \
		uint32_t mark, oldest, shared; \
		uint32_t pc; \
	};

DPU_BLOCKS_TYPES

/*
 * A compiled program: executes up to left instructions of a thread from pc on, which is an entry.
 * Returns the number of instructions that are left, with DPU_BLOCKS_FEW if the next block has more.
 * pc is then the place where it stopped.
 */
typedef uint32_t dpu_blocks_fn(struct dpu_blocks_call *call, uint32_t pc, uint32_t left);
#define DPU_BLOCKS_FEW (UINT32_C(1) << 31)

/* The instructions that a thread has executed ahead, and how to roll it back (ahead.c). */
struct dpu_window {
	uint32_t r[DPU_REG_ZERO];
	uint32_t result, carry;
	const struct dpu_uop *at;
	uint32_t length;		/* instructions */
	uint32_t changed;
	struct dpu_change changes[DPU_CHANGES];	/* of WRAM, in their order */
};

struct dpu_ahead {
	struct dpu_window windows[DPU_MAX_THREADS];
	uint32_t readers[DPU_GRANULES + 3], writers[DPU_GRANULES + 3];	/* marks; the last ones are 0 */
	uint32_t number;		/* of the last window */
	uint32_t oldest;		/* marks below are of closed windows */
	bool settling;			/* a window is executed again */
	bool on;			/* threads run ahead */
	uint64_t cost, turns;		/* since they do; or turns since they do not */
	uint64_t limit;			/* of the cost */
	uint64_t pause;			/* turns until they do again */
	atomic_bool open;		/* WRAM may be ahead of the turns */
	atomic_bool watched;		/* by the host, so it must not be */
};

/*
 * The ring's threads in slots, and the turn in which each must be checked: round << DPU_SLOT_BITS |
 * slot (rounds.c)
 */
#define DPU_SLOT_BITS 5
#define DPU_ROUND_NEVER (UINT32_C(1) << 25)
#define DPU_ROUNDS_INTERVAL 63	/* dispatch intervals that are longer have no rounds */

struct dpu_slot {
	int16_t wait;		/* the atomic bit that its thread tries to get in each turn, or -1 */
	uint8_t thread;
};

struct dpu_rounds {
	uint32_t keys[DPU_MAX_THREADS + 4];	/* more than all others after the last slot */
	struct dpu_slot slots[DPU_MAX_THREADS + 4];
	uint32_t count, interval;
	uint32_t next;			/* the key of the next turn, */
	uint64_t now;			/* which is in this cycle or later */
	uint64_t busy, turns;		/* bits of the cycles from now on: a thread becomes ready, has its turn */
	uint64_t last;			/* cycle of the last turn of a thread that has left */
	uint32_t key;			/* of the turn that is executed */
	uint32_t after, expected;	/* the slot after the last event, and the key of its next turn */
	uint32_t waiting;		/* threads that wait for bits, at least */
	bool active;
	bool exact;			/* credits of threads are those of the turn that is executed */
	bool settled;			/* a thread was rolled back in it */
};

struct dpu_counter {
	uint64_t value;		/* when it last started or stopped */
	uint64_t start;		/* what it counts, at that time */
	uint8_t mode;		/* 1 cycles, 2 instructions, 3 nothing */
	uint8_t running;
};

#define DPU_MRAM_PIECE (UINT32_C(1) << 13)
#define DPU_MRAM_PIECES (DPU_MRAM_SIZE / DPU_MRAM_PIECE)

struct dpu {
	struct dpu_uop code[DPU_IRAM_WORDS + 1];	/* the last one faults */

	/* What a program changes, from threads to saved_end, is saved and loaded as it is (save.c). */
	struct dpu_thread threads[DPU_MAX_THREADS];
	_Alignas(8) uint8_t wram[DPU_WRAM_SIZE];
	uint64_t iram[DPU_IRAM_WORDS];
	uint8_t atomics[DPU_ATOMIC_BITS];
	uint8_t run_bits[DPU_RUN_BITS];

	uint32_t ring_size;
	uint64_t engine_free;		/* cycle at which the DMA engine is idle */
	uint64_t refresh_due;		/* cycle from which a refresh of the bank is due */
	uint64_t cycle;			/* of the last dispatch */
	uint64_t instructions;		/* dispatched: dpu_count_turns(), dpu_instructions() */

	struct dpu_counter counters[2];
	uint32_t counter_shown;

	struct dpu_totals totals;	/* cycles and instructions are those above */
	enum dpu_state state;
	struct dpu_fault fault;
	uint8_t lockstep;			/* a thread can change another one: no thread runs ahead */
	uint8_t saved_end[0];

	/* Lists of threads in the order of their ready times: ready, and asleep. NULL: none. */
	struct dpu_thread *ring, *asleep;
	uint64_t wake;			/* the earliest ready time of a sleeper */
	uint64_t limit;			/* cycle at which a run of fast.c ends */
	/* of a run of fast.c: what was left when it ended; a turn waits for the plain interpreter */
	uint32_t left;
	bool plain_turn;
	struct dpu_ahead ahead;
	struct dpu_rounds rounds;
	bool reference;			/* every instruction by the plain interpreter */
	struct dpu_profile *profile;	/* NULL: none */
	struct dpu_check *check;	/* check.c; NULL: none */
	uint32_t waiting;		/* of the check: threads that repeat an attempt to get a bit, a bit each */
	struct {
		int mode;			/* enum dpu_blocks */
		struct dpu_blocks_program *program;
		dpu_blocks_fn *run;		/* NULL: none yet */
	} blocks;

	uint32_t wram_size;
	const struct dpu_arch *arch;
	struct dpu_timing timing;
	uint32_t clock;
	struct {
		uint64_t interval, busy;	/* cycles */
	} refresh;
	dpu_trace_fn *trace;
	void *trace_opaque;
	atomic_bool paced;
	struct {
		uint64_t start, progress;	/* host time in ns and counts when the slice began */
		uint64_t due;			/* host time that the counts so far are worth */
	} pace;
	atomic_bool stop;
	struct {
		_Atomic uint64_t instructions, cycles, ldma, sdma, ldma_rows, sdma_rows;
		_Atomic uint64_t read_words, write_words, host_rows;
	} published;
	bool mram_owned;
	uint8_t *mram[DPU_MRAM_PIECES];	/* NULL: zeros */
};

/* totals.c: what it has counted, for other host threads. */
void dpu_publish(struct dpu *dpu);

/*
 * mram.c: of a new DPU, at own or in memory that it gets when it is written. False: out of memory. Its end; all zeros
 * again, if it is not own; any bytes of it.
 */
bool dpu_mram_new(struct dpu *dpu, uint8_t *own);
void dpu_mram_free(struct dpu *dpu);
void dpu_mram_clear(struct dpu *dpu);
void dpu_mram_read(const struct dpu *dpu, uint32_t offset, void *data, uint32_t length);
void dpu_mram_write(struct dpu *dpu, uint32_t offset, const void *data, uint32_t length);
/* The bytes themselves, if they have memory and are in one piece; else NULL. */
static inline uint8_t *dpu_mram_bytes(const struct dpu *dpu, uint32_t offset, uint32_t length)
{
	uint8_t *piece = dpu->mram[offset / DPU_MRAM_PIECE];

	offset %= DPU_MRAM_PIECE;
	return piece && length <= DPU_MRAM_PIECE - offset ? piece + offset : NULL;
}

/* timer.c */
uint32_t dpu_timer_read(const struct dpu *dpu);
bool dpu_timer_config(struct dpu *dpu, uint32_t config);
void dpu_timer_reset(struct dpu *dpu);

/* pace.c: around at most DPU_PUBLISH_TURNS turns */
void dpu_pace_begin(struct dpu *dpu);
void dpu_pace_end(struct dpu *dpu);

/* profile.c: starts one, before the instructions are fetched again; or ends it */
bool dpu_profile_new(struct dpu *dpu);
void dpu_profile_free(struct dpu *dpu);
/* Puts the counting function before a predecoded instruction's own, if there is a profile. */
void dpu_profile_prepare(struct dpu *dpu, uint32_t index);
/* A turn of a thread in a cycle; and a transfer that it has begun in it. */
void dpu_profile_turn(struct dpu *dpu, struct dpu_thread *t, uint64_t cycle);
void dpu_profile_transfer(struct dpu *dpu, struct dpu_thread *t, uint64_t cycles);
/* A transfer; local and mram are its addresses, ra and rb the program's registers. */
struct dpu_transfer {
	enum dpu_op op;
	uint8_t thread;
	uint16_t pc;
	uint32_t ra, rb, local, mram, bytes;
	bool fits;
};

/* check.c, check-bounds.c: only where dpu->check is. */
bool dpu_check_new(struct dpu *dpu);
void dpu_check_free(struct dpu *dpu);
/* An instruction, which is no load, is about to write its register, or two. */
void dpu_check_result(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u);
/* A thread's access; its address is in WRAM. */
void dpu_check_load(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size);
void dpu_check_store(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address, uint32_t size);
/* The same, but its address is not. */
void dpu_check_fault(struct dpu *dpu, unsigned int thread, uint16_t pc, uint32_t address);
void dpu_check_dma(struct dpu *dpu, const struct dpu_transfer *transfer);
/*
 * A thread releases an atomic bit, or tries to get it; its old value. Stops all threads if none can go on: that comes with
 * the first attempt of the last one, or when one stops, so that repeated attempts need no call.
 */
void dpu_check_bit(struct dpu *dpu, unsigned int thread, unsigned int bit, bool old);
/* A thread starts another one, stops, or finds another one stopped. */
void dpu_check_start(struct dpu *dpu, unsigned int thread, unsigned int other);
void dpu_check_stop(struct dpu *dpu, unsigned int thread);
void dpu_check_saw_stopped(struct dpu *dpu, unsigned int thread, unsigned int other);
/* A thread goes to another function, or returns; the address that it will return to. */
void dpu_check_call(struct dpu *dpu, unsigned int thread, uint16_t target, uint16_t back);
/* The host starts the program, or has written. */
void dpu_check_boot(struct dpu *dpu);
void dpu_check_host(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length);

/* threads.c: the order of the ring, ring_size threads; and the lists of threads made from it. */
void dpu_threads_save(const struct dpu *dpu, uint8_t order[DPU_MAX_THREADS]);
void dpu_threads_restore(struct dpu *dpu, const uint8_t order[DPU_MAX_THREADS]);
/* A thread joins the ring at a cycle, leaves it, or sleeps until a cycle. */
void dpu_thread_start(struct dpu *dpu, unsigned int thread, uint64_t ready);
void dpu_thread_stop(struct dpu *dpu, unsigned int thread);
void dpu_thread_sleep(struct dpu *dpu, unsigned int thread, uint64_t until);
/* The first sleeper joins the ring of rounds that are active. */
struct dpu_thread *dpu_thread_join(struct dpu *dpu);
/* Brings the sleepers into the ring whose time has come by a cycle, in the order of waking. */
void dpu_threads_wake(struct dpu *dpu, uint64_t cycle);

/* The bits' numbers are hashed: the xor of the two lower bytes. */
static inline uint32_t dpu_bit_index(const struct dpu_thread *t, const struct dpu_uop *u)
{
	uint32_t sum = t->r[u->ra] + u->imm;

	return (sum >> 8 ^ sum) & 0xff;
}

static inline bool dpu_wram_ok(uint32_t wram_size, uint32_t address, uint32_t size)
{
	return address <= wram_size - size && !(address & (size - 1));
}

/*
 * wram.c: big-endian, pair, safe and _id accesses. The address of an access; false: a fault at that
 * address.
 */
uint32_t dpu_access_size(enum dpu_op op);
bool dpu_access_address(const struct dpu *dpu, const struct dpu_uop *u, uint32_t base,
			uint32_t offset, uint32_t *address);
void dpu_load_full(const struct dpu *dpu, const struct dpu_uop *u, uint32_t *r, uint32_t address);
void dpu_store_full(struct dpu *dpu, const struct dpu_uop *u, const uint32_t *r, uint32_t address);

/* windows.c: true if a thread may read or write 8 bytes of WRAM in its window; then marks them. */
bool dpu_window_read(struct dpu *dpu, struct dpu_thread *t, uint32_t granule);
bool dpu_window_write(struct dpu *dpu, struct dpu_thread *t, uint32_t granule);
/*
 * The first granule from one on, before end, that a thread without a window must not access yet:
 * written in an open window, or read in one and about to be written. ONE: thread t must settle,
 * ALL: all.
 */
enum dpu_conflict { DPU_CONFLICT_NONE, DPU_CONFLICT_ONE, DPU_CONFLICT_ALL };
enum dpu_conflict dpu_window_conflict(struct dpu *dpu, const struct dpu_thread *self, uint32_t *granule, uint32_t end,
				      bool write, struct dpu_thread **t);
/* Is it certain, at a quick look, that there is none in a range of bytes? */
bool dpu_window_harmless(const struct dpu *dpu, unsigned int thread, uint32_t address, uint32_t size, bool write);
/* The mark of granules that all windows so far may have read. */
uint32_t dpu_mark_shared(const struct dpu *dpu);
/*
 * Opens a thread's window; undoes its instructions in the window, and returns how many of its turns
 * have come.
 */
struct dpu_window *dpu_window_open(struct dpu *dpu, struct dpu_thread *t);
uint32_t dpu_window_undo(struct dpu *dpu, struct dpu_thread *t);
/* Numbers of windows run out; then, with no window open, all marks go. */
bool dpu_windows_exhausted(const struct dpu *dpu);
void dpu_windows_forget(struct dpu *dpu);

/* fast.c: gives a predecoded instruction its functions. */
void dpu_fast_prepare(struct dpu_uop *u);
/* True if the instruction must wait for its turn. */
bool dpu_fast_waits(const struct dpu_uop *u);
/*
 * Executes up to count turns in the order of the ring, until a sleeper is due (wake) or a turn needs the
 * plain interpreter (plain_turn), which is then begun and not counted.
 */
void dpu_fast_turns(struct dpu *dpu, uint64_t count);
#define DPU_FAST_BATCH 512
/* Executes up to count instructions of a thread that need not wait. Returns how many. */
uint32_t dpu_fast_ahead(struct dpu *dpu, struct dpu_thread *t, uint32_t count);

/* translate.c: the entries of a compiled program, and the program as C; NULL: out of memory. */
enum { DPU_ENTRY_NONE, DPU_ENTRY_BLOCK, DPU_ENTRY_BEHIND };
void dpu_blocks_entries(const struct dpu *dpu, uint8_t entries[DPU_IRAM_WORDS + 1]);
char *dpu_translate(const struct dpu *dpu, const char *about);
#define DPU_BLOCKS_SYMBOL "libmon_dpu_blocks"

/* blocks.c: at the start of a run, and in it after so many turns. */
void dpu_blocks_begin(struct dpu *dpu);
void dpu_blocks_turns(struct dpu *dpu, uint64_t turns);
/* The program changes, or the DPU is destroyed. */
void dpu_blocks_leave(struct dpu *dpu);
/* As dpu_fast_ahead(), in a window, with compiled code. */
uint32_t dpu_blocks_ahead(struct dpu *dpu, struct dpu_thread *t, struct dpu_window *w, uint32_t count);

/* fetch.c: predecodes instructions of IRAM that have changed */
void dpu_fetch(struct dpu *dpu, uint32_t first, uint32_t count);

/*
 * rounds.c: from here to dpu_rounds_end() slots are valid, not the ring. False if the next turn
 * must be executed first, because threads of the ring become ready in the same cycle.
 */
bool dpu_rounds_begin(struct dpu *dpu);
void dpu_rounds_end(struct dpu *dpu);
/* The earliest key; the turns before that of a key; the cycle of the turn after so many; the turns before a cycle. */
uint32_t dpu_rounds_next(const struct dpu *dpu);
static inline uint32_t dpu_rounds_turns(const struct dpu *dpu, uint32_t key)
{
	const struct dpu_rounds *r = &dpu->rounds;
	const uint32_t slot = (1 << DPU_SLOT_BITS) - 1;

	return ((key >> DPU_SLOT_BITS) - (r->next >> DPU_SLOT_BITS)) * r->count + (key & slot) - (r->next & slot);
}

uint64_t dpu_rounds_sparse_cycle(const struct dpu *dpu, uint32_t turns);
static inline uint64_t dpu_rounds_cycle(const struct dpu *dpu, uint32_t turns)
{
	const struct dpu_rounds *r = &dpu->rounds;

	return r->count >= r->interval ? r->now + turns : dpu_rounds_sparse_cycle(dpu, turns);
}

/* A run's turns take fewer cycles. */
#define DPU_ROUNDS_FAR (UINT32_C(1) << 24)
uint32_t dpu_rounds_sparse_until(const struct dpu *dpu, uint32_t cycles);
static inline uint32_t dpu_rounds_until(const struct dpu *dpu, uint64_t cycle)
{
	const struct dpu_rounds *r = &dpu->rounds;
	uint32_t cycles = cycle - r->now < DPU_ROUNDS_FAR ? cycle - r->now : DPU_ROUNDS_FAR;

	return r->count >= r->interval ? cycles : dpu_rounds_sparse_until(dpu, cycles);
}

/* The one counter of instructions. Each engine reports the turns that are over. */
static inline void dpu_count_turns(struct dpu *dpu, uint32_t turns)
{
	dpu->instructions += turns;
}

/* Those before the turn that is executed; in rounds, turns before it may not be counted yet. */
static inline uint64_t dpu_instructions(const struct dpu *dpu)
{
	return dpu->instructions + (dpu->rounds.active ? dpu_rounds_turns(dpu, dpu->rounds.key) : 0);
}

/* So many turns are over. */
void dpu_rounds_advance(struct dpu *dpu, uint32_t turns);
/* So many are over, and a cycle has come. */
void dpu_rounds_pass(struct dpu *dpu, uint32_t turns, uint64_t cycle);
/*
 * A thread leaves with its turn, which comes after so many; a sleeping one joins when its time has
 * come, and gets a slot.
 */
void dpu_rounds_remove(struct dpu *dpu, uint32_t key, uint32_t turns, uint64_t cycle);
unsigned int dpu_rounds_insert(struct dpu *dpu, const struct dpu_thread *t);
/* The turns before the first one of a thread that joins now; it leaves with that one, where each cycle has a turn. */
uint32_t dpu_rounds_before_new(const struct dpu *dpu);
void dpu_rounds_visit(struct dpu *dpu, uint32_t turns);
/* Gives threads the credit that they have when the turn of a key has come. */
void dpu_rounds_credits(struct dpu *dpu, uint32_t key);

/*
 * events.c: takes turns ahead until so many instructions are counted, or threads that become ready in one cycle must
 * take turns in order first. False: none.
 */
bool dpu_events_run(struct dpu *dpu, uint64_t end);

/*
 * ahead.c: a thread without credit executes ahead of its turns as far as possible; returns its new
 * credit.
 */
void dpu_ahead_run(struct dpu *dpu, struct dpu_thread *t);
/* A thread will access WRAM in its turn. */
void dpu_ahead_touch(struct dpu *dpu, const struct dpu_thread *self, uint32_t address, uint32_t size, bool write);
/* Called at the start of a run, and in it from time to time after so many turns. */
void dpu_ahead_begin(struct dpu *dpu, uint64_t turns);
/* Accesses to memory wait for their turns for a while. */
void dpu_ahead_pause(struct dpu *dpu);
/* At the end of a run; at the program's start. */
void dpu_ahead_end(struct dpu *dpu);
void dpu_ahead_boot(struct dpu *dpu);
/* From any host thread: the host will access WRAM, and must see it as the turns have left it. */
void dpu_ahead_host(struct dpu *dpu);

/* dma.c: when clock and timing are known. */
void dpu_dma_init(struct dpu *dpu);
/* The whole effect of one DMA instruction of a thread; false after a fault. */
bool dpu_dma(struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra, uint32_t rb,
	     uint32_t length);
bool dpu_dma_fits(const struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra, uint32_t rb, uint32_t length);
uint64_t dpu_rows_touched(const struct dpu *dpu, uint32_t offset, uint32_t length);

/* plain.c: acquire or release, alone; executes a thread's next instruction in the cycle dpu->cycle, alone. */
void dpu_atomic_bit(struct dpu *dpu, unsigned int thread, const struct dpu_uop *u);
void dpu_plain_step(struct dpu *dpu, unsigned int thread);

static inline void dpu_raise(struct dpu *dpu, enum dpu_fault_kind kind, unsigned int thread,
			     uint32_t pc, uint32_t code)
{
	dpu->fault = (struct dpu_fault){ kind, thread, pc, code };
	dpu->state = DPU_FAULT;
}

/* Arithmetic, which has a destination and may branch. */
static inline bool dpu_is_arithmetic(enum dpu_op op)
{
	switch (op) {
#define DPU_SUM(name, ...) case DPU_OP_##name:
#define DPU_LOGIC(name, ...) case DPU_OP_##name:
#define DPU_SHIFT_ADD(name, ...) case DPU_OP_##name:
#include "dpu/sim/alu.def"
		return true;
	default:
		return false;
	}
}

#endif
