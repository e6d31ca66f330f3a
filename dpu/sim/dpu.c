// SPDX-License-Identifier: LGPL-2.1-or-later
/* Life of a DPU, and the host's access to it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/include/check.h"
#include "dpu/sim/dpu-internal.h"

const struct dpu_timing dpu_timing_default = {
#define DPU_TIMING(field, name, value, ...) .field = value,
#include "dpu/include/timing.def"
};

const struct dpu_timing_option dpu_timing_options[] = {
#define DPU_TIMING(field, name, value, least, most) \
	{ name, offsetof(struct dpu_timing, field), least, most },
#include "dpu/include/timing.def"
	{ NULL, 0, 0, 0 }
};

bool dpu_timing_ok(const struct dpu_timing *timing, char *text, size_t size)
{
	for (const struct dpu_timing_option *o = dpu_timing_options; o->name; o++) {
		uint32_t value = *(const uint32_t *)((const char *)timing + o->offset);

		if (value >= o->least && value <= o->most)
			continue;
		snprintf(text, size, "%s=%" PRIu32 " is out of range: use %" PRIu32 " to %" PRIu32,
			 o->name, value, o->least, o->most);
		return false;
	}
	if (timing->row_size & (timing->row_size - 1)) {
		snprintf(text, size, "row-size=%" PRIu32 ": use a power of two", timing->row_size);
		return false;
	}
	if (timing->refresh_ns && timing->refresh_busy_ns > timing->refresh_ns / 2) {
		snprintf(text, size, "refresh-busy-ns=%" PRIu32 ": use at most half of refresh-ns",
			 timing->refresh_busy_ns);
		return false;
	}
	return true;
}

static void reset_threads(struct dpu *dpu)
{
	memset(dpu->threads, 0, sizeof(dpu->threads));
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		uint32_t *r = dpu->threads[i].r;

		r[DPU_REG_ZERO + 1] = 1;
		r[DPU_REG_ZERO + 2] = 0xffffffff;
		r[DPU_REG_ZERO + 3] = 0x80000000;
		for (unsigned int shift = 0; shift < 4; shift++)
			r[DPU_REG_ID + shift] = i << shift;
		dpu->threads[i].result = 1;	/* ZF clear */
		dpu->threads[i].at = dpu->code;
	}
}

struct dpu *dpu_new(const struct dpu_arch *arch, const struct dpu_timing *timing, uint32_t clock,
		    uint8_t *mram)
{
	struct dpu *dpu = calloc(1, sizeof(*dpu));

	if (!dpu)
		return NULL;
	dpu->timing = timing ? *timing : dpu_timing_default;
	if (!dpu_mram_new(dpu, mram)) {
		free(dpu);
		return NULL;
	}
	dpu->wake = UINT64_MAX;
	dpu_set_arch(dpu, arch, clock);
	reset_threads(dpu);
	dpu_timer_reset(dpu);
	return dpu;
}

void dpu_set_arch(struct dpu *dpu, const struct dpu_arch *arch, uint32_t clock)
{
	dpu->arch = arch;
	dpu->wram_size = arch->wram_size;
	dpu->clock = clock ? clock : arch->clock;
	dpu_dma_init(dpu);
	dpu_fetch(dpu, 0, DPU_IRAM_WORDS);
}

void dpu_destroy(struct dpu *dpu)
{
	if (!dpu)
		return;
	dpu_blocks_leave(dpu);
	dpu_profile_free(dpu);
	dpu_check_free(dpu);
	dpu_mram_free(dpu);
	free(dpu);
}

void dpu_reset(struct dpu *dpu)
{
	dpu_halt(dpu);
	dpu->state = DPU_IDLE;
	dpu->fault = (struct dpu_fault){ 0 };
	memset(dpu->wram, 0, sizeof(dpu->wram));
	memset(dpu->iram, 0, sizeof(dpu->iram));
	memset(dpu->atomics, 0, sizeof(dpu->atomics));
	memset(dpu->run_bits, 0, sizeof(dpu->run_bits));
	dpu_mram_clear(dpu);
	reset_threads(dpu);
	dpu_timer_reset(dpu);
	dpu->lockstep = false;
	if (dpu->check) {
		dpu_check_free(dpu);
		dpu_check_new(dpu);
	}
	dpu_fetch(dpu, 0, DPU_IRAM_WORDS);
}

const struct dpu_arch *dpu_arch(const struct dpu *dpu)
{
	return dpu->arch;
}

uint32_t dpu_clock(const struct dpu *dpu)
{
	return dpu->clock;
}

const struct dpu_timing *dpu_timing(const struct dpu *dpu)
{
	return &dpu->timing;
}

enum dpu_state dpu_state(const struct dpu *dpu)
{
	return dpu->state;
}

const struct dpu_fault *dpu_fault(const struct dpu *dpu)
{
	return &dpu->fault;
}

void dpu_fault_text(const struct dpu *dpu, char *text, size_t size)
{
	const struct dpu_fault *f = &dpu->fault;
	char what[DPU_FAULT_TEXT_SIZE];

	dpu_fault_what(f->kind, f->code, f->pc < DPU_IRAM_WORDS ? dpu->iram[f->pc] : 0, what);
	if (f->kind == DPU_FAULT_NONE)
		snprintf(text, size, "%s", what);
	else
		snprintf(text, size, "%s at 0x%08" PRIx32 ", tasklet %u", what,
			 DPU_IRAM_FLAG + 8 * (uint32_t)f->pc, f->thread);
}

uint32_t dpu_register(const struct dpu *dpu, unsigned int thread, unsigned int reg)
{
	return dpu->threads[thread].r[reg];
}

unsigned int dpu_pc(const struct dpu *dpu, unsigned int thread)
{
	return dpu->threads[thread].at - dpu->code;
}

uint64_t dpu_iram_word(const struct dpu *dpu, unsigned int index)
{
	return dpu->iram[index];
}

uint64_t dpu_cycle(const struct dpu *dpu)
{
	return dpu->cycle;
}

static uint32_t memory_size(const struct dpu *dpu, enum dpu_memory memory)
{
	switch (memory) {
	case DPU_IRAM:
		return dpu->arch->iram_words * 8;
	case DPU_WRAM:
		return dpu->arch->wram_size;
	default:
		return DPU_MRAM_SIZE;
	}
}

bool dpu_range_ok(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length)
{
	uint32_t size = memory_size(dpu, memory), align = memory == DPU_WRAM ? 4 : 8;

	return length <= size && offset <= size - length && !((offset | length) % align);
}

/* While a program runs the host may access its WRAM, word by word; other memories must wait. */
static bool dpu_reachable(const struct dpu *dpu, enum dpu_memory memory)
{
	return memory == DPU_WRAM || dpu->state != DPU_RUNNING;
}

/*
 * Copies whole words of 8 or 4 bytes in order: the last word may tell the other side that the
 * others are there.
 */
static void write_words(uint8_t *wram, const uint8_t *data, uint32_t length)
{
	for (uint32_t i = 0, n; i < length; i += n) {
		uint64_t word = 0;

		n = (uintptr_t)(wram + i) % 8 || length - i < 8 ? 4 : 8;
		memcpy(&word, data + i, n);
		if (n == 8)
			__atomic_store_n((uint64_t *)(wram + i), word, __ATOMIC_RELEASE);
		else
			__atomic_store_n((uint32_t *)(wram + i), (uint32_t)word, __ATOMIC_RELEASE);
	}
}

static void read_words(const uint8_t *wram, uint8_t *data, uint32_t length)
{
	for (uint32_t i = 0, n; i < length; i += n) {
		uint64_t word;

		n = (uintptr_t)(wram + i) % 8 || length - i < 8 ? 4 : 8;
		if (n == 8)
			word = __atomic_load_n((const uint64_t *)(wram + i), __ATOMIC_ACQUIRE);
		else
			word = __atomic_load_n((const uint32_t *)(wram + i), __ATOMIC_ACQUIRE);
		memcpy(data + i, &word, n);
	}
}

bool dpu_write(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, const void *data,
	       uint32_t length)
{
	if (!dpu_reachable(dpu, memory) || !dpu_range_ok(dpu, memory, offset, length))
		return false;
	if (dpu->check)
		dpu_check_host(dpu, memory, offset, length);
	switch (memory) {
	case DPU_IRAM:
		memcpy((uint8_t *)dpu->iram + offset, data, length);
		dpu_fetch(dpu, offset / 8, length / 8);
		break;
	case DPU_WRAM:
		dpu_ahead_host(dpu);
		write_words(dpu->wram + offset, data, length);
		break;
	case DPU_MRAM:
		dpu_mram_write(dpu, offset, data, length);
		dpu->totals.host_rows += dpu_rows_touched(dpu, offset, length);
		dpu_publish(dpu);
		break;
	}
	return true;
}

bool dpu_read(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, void *data, uint32_t length)
{
	if (!dpu_reachable(dpu, memory) || !dpu_range_ok(dpu, memory, offset, length))
		return false;
	switch (memory) {
	case DPU_IRAM:
		memcpy(data, (uint8_t *)dpu->iram + offset, length);
		break;
	case DPU_WRAM:
		dpu_ahead_host(dpu);
		read_words(dpu->wram + offset, data, length);
		break;
	case DPU_MRAM:
		dpu_mram_read(dpu, offset, data, length);
		dpu->totals.host_rows += dpu_rows_touched(dpu, offset, length);
		dpu_publish(dpu);
		break;
	}
	return true;
}

bool dpu_boot(struct dpu *dpu)
{
	if (dpu->state == DPU_RUNNING)
		return false;
	dpu_halt(dpu);
	dpu->fault = (struct dpu_fault){ 0 };
	dpu->state = DPU_RUNNING;
	dpu->run_bits[0] = 1;
	dpu->threads[0].at = dpu->code;
	/* counts of a program do not depend on earlier programs */
	dpu->refresh_due = dpu->cycle + dpu->refresh.interval;
	atomic_store(&dpu->stop, false);
	dpu_ahead_boot(dpu);
	if (dpu->check)
		dpu_check_boot(dpu);
	dpu_thread_start(dpu, 0, dpu->cycle + 1);
	return true;
}

void dpu_halt(struct dpu *dpu)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		dpu_thread_stop(dpu, i);
		dpu->threads[i].credit = 0;
		dpu->run_bits[i] = 0;
	}
	if (dpu->state == DPU_RUNNING)
		dpu->state = DPU_IDLE;
	dpu->engine_free = dpu->cycle;
	dpu_publish(dpu);
}

void dpu_set_reference(struct dpu *dpu, bool reference)
{
	dpu->reference = reference;
}

bool dpu_set_profile(struct dpu *dpu, bool on)
{
	if (on == !!dpu->profile)
		return true;
	if (!on)
		dpu_profile_free(dpu);
	else if (!dpu_profile_new(dpu))
		return false;
	dpu_fetch(dpu, 0, DPU_IRAM_WORDS);
	return true;
}

bool dpu_set_check(struct dpu *dpu, bool on)
{
	if (on == !!dpu->check)
		return true;
	if (!on)
		dpu_check_free(dpu);
	else if (!dpu_check_new(dpu))
		return false;
	dpu_fetch(dpu, 0, DPU_IRAM_WORDS);
	return true;
}

void dpu_set_trace(struct dpu *dpu, dpu_trace_fn *trace, void *opaque)
{
	dpu->trace = trace;
	dpu->trace_opaque = opaque;
}
