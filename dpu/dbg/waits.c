// SPDX-License-Identifier: GPL-2.0-only
/* The state of a tasklet, and what it waits for. */
#include <string.h>

#include "dpu/dbg/dbg.h"

unsigned int bit_of(const struct dbg *d, unsigned int thread, const struct dpu_insn *insn)
{
	uint32_t sum = dpu_register(d->dpu, thread, insn->value[DPU_SLOT_RA]) + insn->value[DPU_SLOT_IMM];

	return (sum >> 8 ^ sum) & 0xff;
}

/* End of the start-up code, where finished tasklets stop. */
static bool at_end(const struct dbg *d, unsigned int pc)
{
	const struct dpu_program_symbol *end = dpu_program_symbol(d->program, "__sys_end");

	return end && DPU_IRAM_FLAG + 8 * pc == end->value;
}

bool is_under_way(const struct dbg *d, unsigned int thread)
{
	unsigned int pc = dpu_pc(d->dpu, thread);
	struct dpu_thread_view view;

	dpu_view(d->dpu, thread, &view);
	return view.started || (pc && !at_end(d, pc));
}

/* "mutex even": dpu-cc and UPMEM's headers put the kind before the name. */
static void bit_text(const struct dbg *d, unsigned int bit, char text[WAIT_TEXT])
{
	static const char *const kinds[] = { "mutex_", "barrier_", "semaphore_" };
	const struct dpu_program_symbol *s = variable_at(d, 0xf0000000u + bit);
	const char *name;

	if (!s) {
		snprintf(text, WAIT_TEXT, "atomic bit %u", bit);
		return;
	}
	name = strstr(s->name, "atomic_bit_");
	name = name ? name + strlen("atomic_bit_") : s->name;
	for (size_t i = 0; i < 3; i++) {
		size_t length = strlen(kinds[i]);

		if (strncmp(name, kinds[i], length))
			continue;
		snprintf(text, WAIT_TEXT, "%s%.*s %s", i ? "the bit of " : "", (int)length - 1, kinds[i],
			 name + length);
		return;
	}
	snprintf(text, WAIT_TEXT, "atomic bit %s", name);
}

static void acquire_text(const struct dbg *d, unsigned int bit, char text[WAIT_TEXT])
{
	char name[WAIT_TEXT];

	bit_text(d, bit, name);
	if (d->holder[bit])
		snprintf(text, WAIT_TEXT, "waits for %.80s, which tasklet %d has", name, d->holder[bit] - 1);
	else
		snprintf(text, WAIT_TEXT, "waits for %.80s, which is taken", name);
}

/* A tasklet sleeps during a transfer, and for some cycles after its start. */
static bool in_transfer(const struct dbg *d, unsigned int thread)
{
	unsigned int pc = dpu_pc(d->dpu, thread);
	const struct dpu_encoding *e = d->code[pc ? pc - 1 : 0].encoding;
	struct dpu_thread_view view;

	dpu_view(d->dpu, thread, &view);
	return view.transfers && pc && e &&
	       (e->op == DPU_OP_ldma || e->op == DPU_OP_sdma || e->op == DPU_OP_ldmai);
}

static void transfer_text(const struct dbg *d, unsigned int thread, uint64_t until, char text[WAIT_TEXT])
{
	unsigned int pc = dpu_pc(d->dpu, thread);
	const struct dpu_insn *insn = &d->code[pc - 1];
	const char *to = "writes", *variable = "";
	const struct dpu_program_symbol *s;
	uint32_t wram, mram, words;

	wram = dpu_register(d->dpu, thread, insn->value[DPU_SLOT_RA]);
	mram = dpu_register(d->dpu, thread, insn->value[DPU_SLOT_RB]) & 0x3fffff8;
	words = 1 + ((insn->value[DPU_SLOT_IMM] + (wram >> 24)) & 255);
	if (insn->encoding->op != DPU_OP_sdma)
		to = "reads";
	s = variable_at(d, DPU_MRAM_FLAG | mram);
	if (s)
		variable = s->name;
	snprintf(text, WAIT_TEXT, "DMA until cycle %llu: %s %u bytes at MRAM 0x%x%s%.60s%s", (unsigned long long)until,
		 to, words * 8, mram, s ? " (" : "", variable, s ? ")" : "");
}

/* A tasklet that has stopped itself; the function's first argument is still in r0. */
static void stopped_text(const struct dbg *d, unsigned int thread, char text[WAIT_TEXT])
{
	const struct dpu_program_symbol *f = function_at(d, dpu_pc(d->dpu, thread)), *s;
	uint32_t r0 = dpu_register(d->dpu, thread, 0);
	const char *name = f ? f->name : "";

	s = variable_at(d, r0);
	if (!strcmp(name, "barrier_wait"))
		snprintf(text, WAIT_TEXT, "waits at barrier %s", s ? s->name : "?");
	else if (!strcmp(name, "sem_take"))
		snprintf(text, WAIT_TEXT, "waits for semaphore %s", s ? s->name : "?");
	else if (!strcmp(name, "handshake_wait_for"))
		snprintf(text, WAIT_TEXT, "waits for the notification of tasklet %u", r0);
	else if (!strcmp(name, "handshake_notify"))
		snprintf(text, WAIT_TEXT, "has notified, and waits for who waits for it");
	else
		snprintf(text, WAIT_TEXT, "stopped in %s until another tasklet resumes it", *name ? name : "?");
}

/* A tasklet at an instruction that it may be repeating. */
static void ready_text(const struct dbg *d, unsigned int thread, char text[WAIT_TEXT])
{
	unsigned int pc = dpu_pc(d->dpu, thread);
	const struct dpu_insn *insn = &d->code[pc];
	enum dpu_op op = insn->encoding ? insn->encoding->op : DPU_OP_nop;
	struct dpu_thread_view other;
	unsigned int bit;

	snprintf(text, WAIT_TEXT, "%s", dpu_next(d->dpu) == (int)thread ? "goes next" : "ready");
	if (op != DPU_OP_acquire && op != DPU_OP_resume)
		return;
	bit = bit_of(d, thread, insn);
	if (op == DPU_OP_acquire && dpu_atomic_taken(d->dpu, bit)) {
		acquire_text(d, bit, text);
	} else if (op == DPU_OP_resume && bit < DPU_MAX_THREADS) {
		dpu_view(d->dpu, bit, &other);
		if (other.started)
			snprintf(text, WAIT_TEXT, "waits until tasklet %u has stopped, to resume it", bit);
	}
}

/* Does a tasklet only repeat an instruction until another tasklet acts? */
static bool repeats(const struct dbg *d, unsigned int thread)
{
	unsigned int pc = dpu_pc(d->dpu, thread), bit;
	const struct dpu_insn *insn = &d->code[pc];
	enum dpu_op op = insn->encoding ? insn->encoding->op : DPU_OP_nop;
	struct dpu_thread_view other;

	if ((op != DPU_OP_acquire && op != DPU_OP_resume) || (unsigned int)insn->value[DPU_SLOT_PC] != pc)
		return false;
	bit = bit_of(d, thread, insn);
	if (op == DPU_OP_acquire)
		return dpu_atomic_taken(d->dpu, bit);
	dpu_view(d->dpu, bit % DPU_MAX_THREADS, &other);
	return bit < DPU_MAX_THREADS && other.started;
}

bool is_stuck(const struct dbg *d)
{
	struct dpu_thread_view view;
	bool any = false;

	for (unsigned int i = 0; i < dpu_arch(d->dpu)->threads; i++) {
		dpu_view(d->dpu, i, &view);
		if (view.started && (!repeats(d, i) || in_transfer(d, i)))
			return false;
		any |= view.started;
	}
	return any;
}

void wait_text(const struct dbg *d, unsigned int thread, char text[WAIT_TEXT])
{
	unsigned int pc = dpu_pc(d->dpu, thread);
	const struct dpu_fault *fault = dpu_fault(d->dpu);
	struct dpu_thread_view view;

	dpu_view(d->dpu, thread, &view);
	if (dpu_state(d->dpu) == DPU_FAULT && fault->thread == thread)
		snprintf(text, WAIT_TEXT, "fault");
	else if (!view.started && !pc)
		snprintf(text, WAIT_TEXT, "not started");
	else if (!view.started && at_end(d, pc))
		snprintf(text, WAIT_TEXT, "ended");
	else if (!view.started)
		stopped_text(d, thread, text);
	else if (in_transfer(d, thread))
		transfer_text(d, thread, view.ready, text);
	else
		ready_text(d, thread, text);
}
