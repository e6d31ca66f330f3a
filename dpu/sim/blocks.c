// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The compiled program that a DPU executes.
 *
 * DPUs with the same program share its code. A thread compiles it when they have executed it for a
 * while (DPU_BLOCKS_ON); the interpreter continues until the code is ready. The last DPU frees the
 * code, and ends a compiler that still runs.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dpu/include/blocks.h"
#include "dpu/sim/dpu-internal.h"
#include "dpu/include/shared-object.h"

/*
 * A program that ends sooner is not worth a compilation: some hundredths of a second of the
 * interpreter.
 */
#define WORTH_COMPILING (UINT64_C(1) << 24)	/* turns */

enum { IDLE, STARTED, DONE };

struct dpu_blocks_program {
	struct dpu_blocks_program *next;
	unsigned int users;
	uint64_t hash;
	const struct dpu_arch *arch;
	uint64_t iram[DPU_IRAM_WORDS];
	uint8_t distance[DPU_IRAM_WORDS + 1];	/* instructions to the next entry, at most 255 */
	_Atomic uint64_t turns;
	atomic_int state;
	pthread_t thread;
	bool threaded;
	struct shared_object_compiler compiler;
	char *text;
	atomic_int running;			/* the compiler */
	void *handle;
	dpu_blocks_fn *run;
	char problem[SHARED_OBJECT_PROBLEM];
};

static struct {
	pthread_mutex_t lock;
	struct dpu_blocks_program *programs;
} blocks = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool dpu_blocks_parse(const char *text, enum dpu_blocks *value)
{
	static const char *const names[] = {
		[DPU_BLOCKS_OFF] = "off", [DPU_BLOCKS_ON] = "on", [DPU_BLOCKS_NOW] = "now"
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i])) {
			*value = i;
			return true;
		}
	}
	return false;
}

bool dpu_blocks_environment(enum dpu_blocks *value)
{
	const char *text = secure_getenv("LIBMON_DPU_BLOCKS");

	return !text || !*text || dpu_blocks_parse(text, value);
}

static uint64_t hash_of(const struct dpu *dpu)
{
	uint64_t hash = 0;

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++)
		hash = (hash ^ dpu->iram[i]) * UINT64_C(0x9e3779b97f4a7c15) + i;
	return hash;
}

static void set_distances(struct dpu_blocks_program *p, const struct dpu *dpu)
{
	uint8_t entries[DPU_IRAM_WORDS + 1];

	dpu_blocks_entries(dpu, entries);
	p->distance[DPU_IRAM_WORDS] = UINT8_MAX;
	for (int i = DPU_IRAM_WORDS - 1; i >= 0; i--)
		p->distance[i] = entries[i] ? 0 : p->distance[i + 1] + (p->distance[i + 1] < UINT8_MAX);
}

/* With the lock. */
static struct dpu_blocks_program *find_program(const struct dpu *dpu)
{
	uint64_t hash = hash_of(dpu);
	struct dpu_blocks_program *p;

	for (p = blocks.programs; p; p = p->next)
		if (p->hash == hash && p->arch == dpu->arch && !memcmp(p->iram, dpu->iram, sizeof(p->iram)))
			return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->hash = hash;
	p->arch = dpu->arch;
	memcpy(p->iram, dpu->iram, sizeof(p->iram));
	set_distances(p, dpu);
	p->next = blocks.programs;
	blocks.programs = p;
	return p;
}

static void free_program(struct dpu_blocks_program *p)
{
	const struct timespec nap = { 0, 1000000 };

	while (atomic_load(&p->state) == STARTED) {
		int compiler = atomic_load(&p->running);

		if (compiler)
			kill(-compiler, SIGKILL);	/* its process group */
		nanosleep(&nap, NULL);
	}
	if (p->threaded)
		pthread_join(p->thread, NULL);
	if (p->handle)
		dlclose(p->handle);
	free(p->text);
	free(p);
}

void dpu_blocks_leave(struct dpu *dpu)
{
	struct dpu_blocks_program *p = dpu->blocks.program, **at;

	if (!p)
		return;
	dpu->blocks.program = NULL;
	dpu->blocks.run = NULL;
	pthread_mutex_lock(&blocks.lock);
	if (--p->users) {
		pthread_mutex_unlock(&blocks.lock);
		return;
	}
	for (at = &blocks.programs; *at != p; at = &(*at)->next)
		;
	*at = p->next;
	pthread_mutex_unlock(&blocks.lock);
	free_program(p);
}

static void *make_code(void *opaque)
{
	struct dpu_blocks_program *p = opaque;

	p->handle = shared_object_open(&p->compiler, p->text, &p->running, p->problem);
	if (p->handle)
		p->run = (dpu_blocks_fn *)dlsym(p->handle, DPU_BLOCKS_SYMBOL);
	free(p->text);
	p->text = NULL;
	atomic_store(&p->state, DONE);
	return NULL;
}

static bool start_thread(struct dpu_blocks_program *p)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	p->threaded = !pthread_create(&p->thread, NULL, make_code, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return p->threaded;
}

/* Called by the first DPU that needs it. */
static void start(struct dpu *dpu)
{
	struct dpu_blocks_program *p = dpu->blocks.program;
	int idle = IDLE;

	if (!atomic_compare_exchange_strong(&p->state, &idle, STARTED))
		return;
	if (shared_object_compiler(&p->compiler, p->problem)) {
		p->text = dpu_translate(dpu, p->compiler.about);
		if (p->text && start_thread(p))
			return;
		snprintf(p->problem, sizeof(p->problem), "memory or threads are short");
	}
	atomic_store(&p->state, DONE);
}

/*
 * Profiles, checks and traces see each instruction; programs that load code need the interpreter,
 * too.
 */
static bool wanted(const struct dpu *dpu)
{
	return dpu->blocks.mode != DPU_BLOCKS_OFF && !dpu->profile && !dpu->check && !dpu->trace && !dpu->reference &&
	       !dpu->lockstep;
}

static void adopt(struct dpu *dpu)
{
	dpu->blocks.run = dpu->blocks.program->run;
}

void dpu_blocks_begin(struct dpu *dpu)
{
	struct dpu_blocks_program *p;

	if (!wanted(dpu)) {
		dpu->blocks.run = NULL;
		return;
	}
	if (!dpu->blocks.program) {
		pthread_mutex_lock(&blocks.lock);
		dpu->blocks.program = p = find_program(dpu);
		if (p)
			p->users++;
		pthread_mutex_unlock(&blocks.lock);
		if (!p)
			return;
	}
	p = dpu->blocks.program;
	if (dpu->blocks.mode == DPU_BLOCKS_NOW) {
		pthread_mutex_lock(&blocks.lock);
		start(dpu);
		if (p->threaded)
			pthread_join(p->thread, NULL);
		p->threaded = false;
		pthread_mutex_unlock(&blocks.lock);
	}
	if (atomic_load(&p->state) == DONE)
		adopt(dpu);
}

void dpu_blocks_turns(struct dpu *dpu, uint64_t turns)
{
	struct dpu_blocks_program *p = dpu->blocks.program;

	if (dpu->blocks.run || !p || !wanted(dpu))
		return;
	if (atomic_load(&p->state) == DONE)
		adopt(dpu);
	else if (atomic_fetch_add(&p->turns, turns) >= WORTH_COMPILING)
		start(dpu);
}

uint32_t dpu_blocks_ahead(struct dpu *dpu, struct dpu_thread *t, struct dpu_window *w, uint32_t count)
{
	const uint8_t *distance = dpu->blocks.program->distance;
	struct dpu_blocks_call call = {
		.r = t->r, .wram = dpu->wram, .changes = w->changes, .changed = &w->changed, .mark = t->window,
		.oldest = dpu->ahead.oldest, .shared = dpu_mark_shared(dpu),
	};
	uint32_t left = count;

	while (left && !dpu_fast_waits(t->at)) {
		uint32_t pc = t->at - dpu->code, before = left, steps = distance[pc];

		if (!steps) {
			left = dpu->blocks.run(&call, pc, left);
			t->at = &dpu->code[call.pc];
			if (left & DPU_BLOCKS_FEW)
				return count - (left & ~DPU_BLOCKS_FEW);
			if (left != before)
				continue;
			steps = 1;
		}
		left -= dpu_fast_ahead(dpu, t, steps < left ? steps : left);
		if (left == before)
			break;
	}
	return count - left;
}

void dpu_set_blocks(struct dpu *dpu, enum dpu_blocks mode)
{
	dpu->blocks.mode = mode;
}

bool dpu_blocks_used(const struct dpu *dpu, char problem[DPU_BLOCKS_PROBLEM])
{
	const struct dpu_blocks_program *p = dpu->blocks.program;

	snprintf(problem, DPU_BLOCKS_PROBLEM, "%s", p && atomic_load(&p->state) == DONE ? p->problem : "");
	return dpu->blocks.run;
}
