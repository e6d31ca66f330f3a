// SPDX-License-Identifier: GPL-2.0-only
/* Stepping and running, one instruction of the DPU at a time. */
#include <signal.h>
#include <string.h>

#include "dpu/dbg/dbg.h"

#define STACK 22

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

enum why { WHY_DONE, WHY_BREAK, WHY_WATCH, WHY_END, WHY_FAULT, WHY_STUCK, WHY_INTERRUPT };

/* Condition for the next stop. */
struct trip {
	enum way way;
	unsigned int thread, from;	/* the tasklet that is stepped, and its place at the start */
	unsigned int to[DPU_MAX_THREADS], places;	/* until: or it is at one of these */
	bool over;			/* runs through a call: until it is back here */
	unsigned int back;
	uint32_t stack;
	/* result: the instruction that was executed last, and the reason of the stop */
	unsigned int last_thread, last_pc;
	struct stop *stop;
};

static bool is_call(const struct dbg *d, unsigned int pc)
{
	const struct dpu_insn *insn = &d->code[pc];

	return insn->encoding && insn->encoding->op == DPU_OP_call && insn->value[DPU_SLOT_RC] != DPU_REG_ZERO;
}

/* The trip's tasklet has executed the instruction at pc. Is the step complete? */
static bool trip_done(const struct dbg *d, struct trip *trip, unsigned int pc)
{
	unsigned int now = dpu_pc(d->dpu, trip->thread);
	bool back = trip->over && now == trip->back &&
		    dpu_register(d->dpu, trip->thread, STACK) == trip->stack;

	if (trip->way == WAY_GO)
		return false;
	for (unsigned int i = 0; i < trip->places; i++)
		if (trip->to[i] == now)
			return true;
	if (back && trip->way != WAY_STEP && trip->way != WAY_NEXT && (trip->way != WAY_UNTIL || trip->places))
		return true;
	if (trip->over && !back)
		return false;
	trip->over = false;
	if (trip->way == WAY_STEPI || trip->way == WAY_TURN)
		return true;
	if (!back && is_call(d, pc) && (trip->way != WAY_STEP || !has_line(d, now))) {
		trip->over = true;
		trip->back = pc + 1;
		trip->stack = dpu_register(d->dpu, trip->thread, STACK);
		return false;
	}
	if (trip->way == WAY_NEXTI || (is_call(d, pc) && !back))
		return true;
	/* until leaves loops */
	if (trip->way == WAY_UNTIL && now < trip->from && function_at(d, now) == function_at(d, trip->from))
		return false;
	return has_line(d, now) && !same_line(d, trip->from, now);
}

/* Records the owner of each atomic bit; the DPU does not. */
static void note_holder(struct dbg *d, unsigned int thread, unsigned int pc)
{
	const struct dpu_insn *insn = &d->code[pc];
	unsigned int bit;

	if (!insn->encoding || (insn->encoding->op != DPU_OP_acquire && insn->encoding->op != DPU_OP_release))
		return;
	bit = bit_of(d, thread, insn);
	if (insn->encoding->op == DPU_OP_release)
		d->holder[bit] = 0;
	else if (!dpu_atomic_taken(d->dpu, bit))
		d->holder[bit] = thread + 1;
}

static enum why run_trip(struct dbg *d, struct trip *trip)
{
	while (!interrupted) {
		int thread = dpu_next(d->dpu);
		unsigned int pc = thread < 0 ? DPU_IRAM_WORDS : dpu_pc(d->dpu, thread);

		trip->stop = thread < 0 || (unsigned int)thread == d->passed ? NULL : stop_at(d, thread, pc);
		trip->last_thread = thread < 0 ? d->thread : (unsigned int)thread;
		trip->last_pc = pc;
		if (trip->stop)
			return WHY_BREAK;
		if (thread >= 0)
			note_holder(d, thread, pc);
		dpu_run(d->dpu, 1);
		if (trip->last_thread == d->passed)
			d->passed = NO_THREAD;
		if (dpu_state(d->dpu) == DPU_FAULT)
			return WHY_FAULT;
		trip->stop = watch_changed(d);
		if (trip->stop)
			return WHY_WATCH;
		if (dpu_state(d->dpu) != DPU_RUNNING)
			return WHY_END;
		if (dpu_pc(d->dpu, thread) == pc && is_stuck(d) && trip->way != WAY_TURN && trip->way != WAY_STEPI)
			return WHY_STUCK;
		if (trip->way == WAY_TURN)
			trip->thread = thread;
		if ((unsigned int)thread == trip->thread && trip_done(d, trip, pc))
			return WHY_DONE;
	}
	return WHY_INTERRUPT;
}

static void put_end(struct dbg *d)
{
	struct dpu_totals totals;
	bool first = true;

	dpu_totals(d->dpu, &totals);
	printf("[The program has ended: %llu instructions, %llu cycles]\n", (unsigned long long)totals.instructions,
	       (unsigned long long)totals.cycles);
	for (unsigned int i = 0; i < dpu_arch(d->dpu)->threads; i++) {
		if (!is_under_way(d, i))
			continue;
		printf("%s %u", first ? "Tasklets still wait, and nobody is left to wake them: info tasklets:" : ",", i);
		first = false;
	}
	if (!first)
		putchar('\n');
	d->target->ended(d);
}

static void put_why(struct dbg *d, const struct trip *trip, enum why why, const char *from)
{
	const struct frame last = { trip->last_pc, 0 };
	char text[256];

	switch (why) {
	case WHY_END:
		put_end(d);
		return;
	case WHY_FAULT:
		dpu_fault_text(d->dpu, text, sizeof(text));
		printf("Fault: %s\n", text);
		put_place(d, d->thread, true);
		d->target->ended(d);
		return;
	case WHY_BREAK:
		printf("%s %u, ", trip->stop->temporary ? "Temporary breakpoint" : "Breakpoint", trip->stop->number);
		break;
	case WHY_WATCH:
		put_change(d, trip->stop);
		printf("tasklet %u wrote it in ", d->thread);
		put_frame(d, &last, false);
		putchar('\n');
		put_line(d, last.pc);
		return;
	case WHY_STUCK:
		puts("Every tasklet waits for another one: info tasklets.");
		break;
	case WHY_INTERRUPT:
		puts("Interrupted.");
		break;
	case WHY_DONE:
		break;
	}
	if (why == WHY_DONE && (trip->way == WAY_STEPI || trip->way == WAY_NEXTI || trip->way == WAY_TURN)) {
		if (trip->way == WAY_TURN)
			printf("tasklet %u: ", d->thread);
		put_instruction(d, dpu_pc(d->dpu, d->thread), "");
		return;
	}
	put_place(d, d->thread, why != WHY_DONE || !from || trip->way == WAY_FINISH || trip->places ||
		  strcmp(from, function_at(d, dpu_pc(d->dpu, d->thread))->name));
}

static bool set_out(struct dbg *d, struct trip *trip)
{
	struct frame frames[MAX_FRAMES];

	trip->from = dpu_pc(d->dpu, trip->thread);
	trip->over = trip->way == WAY_FINISH || trip->places;
	if (!trip->over)
		return true;
	trip->back = DPU_IRAM_WORDS;
	if (find_frames(d, d->thread, frames) < 2)
		return trip->places || wrong(d, "finish: this is the outermost function");
	trip->back = frames[1].pc + 1;
	trip->stack = frames[1].stack;
	return true;
}

static bool run_count(struct dbg *d, struct trip trip, uint64_t count)
{
	const enum way way = trip.way;
	const struct dpu_program_symbol *s;
	const char *from;
	enum why why = WHY_DONE;

	if (d->target->why_not)
		return wrong(d, "%s", d->target->why_not);
	if (!d->dpu || dpu_state(d->dpu) != DPU_RUNNING) {
		if (way == WAY_GO && d->target->launches)
			return start(d) && run_count(d, (struct trip){ .way = WAY_GO, .thread = d->thread }, 1);
		return wrong(d, "The program is not being run: use run or start.");
	}
	s = function_at(d, dpu_pc(d->dpu, d->thread));
	from = s ? s->name : NULL;
	watch_begin(d);
	interrupted = 0;
	signal(SIGINT, interrupt);
	while (count-- && why == WHY_DONE) {
		if (!set_out(d, &trip))
			return false;
		why = run_trip(d, &trip);
	}
	signal(SIGINT, SIG_DFL);
	d->thread = why == WHY_DONE ? trip.thread : why == WHY_FAULT ? dpu_fault(d->dpu)->thread :
		    why == WHY_INTERRUPT || why == WHY_STUCK ? d->thread : trip.last_thread;
	d->passed = why == WHY_FAULT || why == WHY_END ? NO_THREAD : d->thread;
	if (why == WHY_BREAK)
		trip.stop->hits++;
	put_why(d, &trip, why, from);
	if (why != WHY_END)
		put_displays(d);
	if (why == WHY_BREAK && trip.stop->temporary) {
		char number[16];

		snprintf(number, sizeof(number), "%u", trip.stop->number);
		delete_stops(d, number);
	}
	return true;
}

bool go(struct dbg *d, enum way way, uint64_t count)
{
	return run_count(d, (struct trip){ .way = way, .thread = d->thread }, count);
}

bool go_to(struct dbg *d, const char *place)
{
	struct trip trip = { .way = WAY_UNTIL, .thread = d->thread };

	trip.places = find_places(d, place, trip.to);
	return trip.places && run_count(d, trip, 1);
}

bool start(struct dbg *d)
{
	if (d->target->why_not)
		return wrong(d, "%s", d->target->why_not);
	memset(d->holder, 0, sizeof(d->holder));
	d->thread = 0;
	d->passed = NO_THREAD;
	return d->target->start(d);
}
