/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counter unit: eight slices and the group select.
 *
 * A slice does not count request by request. It stores the total of its signal at the last change
 * of state and computes its value when it is read.
 */
#include "mrfld/model.h"

static uint64_t signal_total(const struct mrfld_soc *soc, unsigned int i)
{
	return soc->s.group ? mrfld_soc_total(soc, soc->s.group, i) : 0;
}

/* Updates the value of a running slice and its status bits. */
static void counters_fold(struct mrfld_soc *soc, unsigned int i)
{
	struct mrfld_slice *slice = &soc->s.slice[i];
	uint64_t total = signal_total(soc, i), value;

	if (slice->running && total != slice->base) {
		value = slice->value + (total - slice->base);
		slice->sticky |= MRFLD_STATUS_INCREMENT;
		if (value >> 32)
			slice->sticky |= MRFLD_STATUS_OVERFLOW;
		slice->value = (uint32_t)value;
	}
	slice->base = total;
}

/* Fault injection: the nth sample does not reach the data register. */
static bool sample_lost(struct mrfld_soc *soc)
{
	if (!soc->s.faults.lost_sample || ++soc->s.samples < soc->s.faults.lost_sample)
		return false;
	soc->s.samples = 0;
	return true;
}

static void counters_command(struct mrfld_soc *soc, unsigned int i, uint32_t value)
{
	struct mrfld_slice *slice = &soc->s.slice[i];

	counters_fold(soc, i);
	slice->command = value;
	switch (value >> MRFLD_OP_SHIFT & MRFLD_OP_MASK) {
	case MRFLD_OP_STOP:
		slice->running = false;
		break;
	case MRFLD_OP_START:
		slice->running = true;
		break;
	case MRFLD_OP_SAMPLE:
		if (!sample_lost(soc))
			slice->data = slice->value;
		break;
	case MRFLD_OP_RESET:
		slice->value = 0;
		slice->running = false;
		break;
	case MRFLD_OP_RESTART:
		slice->value = 0;
		slice->running = true;
		break;
	case MRFLD_OP_SAMPLE_RESTART:
		if (!sample_lost(soc))
			slice->data = slice->value;
		slice->value = 0;
		slice->running = true;
		break;
	case MRFLD_OP_PRELOAD:
		slice->value = slice->data;
		break;
	}
}

static uint32_t status(struct mrfld_soc *soc, unsigned int i)
{
	struct mrfld_slice *slice = &soc->s.slice[i];
	uint32_t value;

	counters_fold(soc, i);
	value = slice->sticky | (slice->running ? MRFLD_STATUS_ACTIVE : 0);
	slice->sticky |= MRFLD_STATUS_IN_USE;
	return value;
}

static void select_group(struct mrfld_soc *soc, uint32_t group)
{
	if (group > MRFLD_NGROUPS) {
		mrfld_guest_error(soc, "group number out of range");
		return;
	}
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++) {
		if (soc->s.slice[i].running) {
			mrfld_guest_error(soc, "group changed while a counter is active");
			return;
		}
	}
	soc->s.group = group;
}

static bool find_slice(uint32_t offset, unsigned int *i)
{
	if (offset < MRFLD_SLICE_BASE || offset >= MRFLD_SLICE(MRFLD_NCOUNTERS, 0))
		return false;
	*i = (offset - MRFLD_SLICE_BASE) / MRFLD_SLICE_STRIDE;
	return true;
}

uint32_t mrfld_counters_read(struct mrfld_soc *soc, uint32_t offset)
{
	unsigned int i;

	if (offset == MRFLD_SELECT)
		return soc->s.group;
	if (!find_slice(offset, &i))
		return 0;
	switch (offset % MRFLD_SLICE_STRIDE) {
	case MRFLD_COMMAND:
		return soc->s.slice[i].command;
	case MRFLD_EVENTS:
		return soc->s.slice[i].events;
	case MRFLD_STATUS:
		return status(soc, i);
	case MRFLD_DATA:
		return soc->s.slice[i].data;
	default:
		return 0;
	}
}

void mrfld_counters_write(struct mrfld_soc *soc, uint32_t offset, uint32_t value)
{
	unsigned int i;

	if (offset == MRFLD_SELECT) {
		select_group(soc, value);
		return;
	}
	if (!find_slice(offset, &i))
		return;
	switch (offset % MRFLD_SLICE_STRIDE) {
	case MRFLD_COMMAND:
		counters_command(soc, i, value);
		break;
	case MRFLD_EVENTS:
		soc->s.slice[i].events = value;
		break;
	case MRFLD_STATUS:
		counters_fold(soc, i);
		soc->s.slice[i].sticky &= ~value;
		break;
	case MRFLD_DATA:
		soc->s.slice[i].data = value;
		break;
	}
}

void mrfld_counters_lose(struct mrfld_soc *soc)
{
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		soc->s.slice[i] = (struct mrfld_slice){ 0 };
	soc->s.group = 0;
}
