// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>

#include "upmem_config.h"

static const u16 upmem_codes[] = {
#define MON_EVENT(name, config, ...) (config),
#include "events/upmem/events.def"
#undef MON_EVENT
};

/* Is there such an event on parts with counters in the bank interface (pmc), or without? */
static bool upmem_config_known(unsigned int code, bool pmc)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(upmem_codes); i++)
		if (upmem_codes[i] == code)
			return code > UPMEM_BANK_EVENTS || pmc;
	return false;
}

int upmem_config_check(u64 config, unsigned int dpus, bool pmc)
{
	unsigned int code = FIELD_GET(UPMEM_CONFIG_EVENT, config);
	unsigned int dpu = FIELD_GET(UPMEM_CONFIG_DPU, config);

	if (config & ~UPMEM_CONFIG_ALL)
		return -EINVAL;
	if (config & UPMEM_CONFIG_BYDPU ? dpu >= dpus : dpu)
		return -EINVAL;
	if ((config & UPMEM_CONFIG_CHAIN) && code > UPMEM_BANK_EVENTS)
		return -EINVAL;
	return upmem_config_known(code, pmc) ? 0 : -EINVAL;
}

/* The DPUs of an event: first to last. */
static void upmem_dpus(unsigned int dpus, u64 config, unsigned int *first, unsigned int *last)
{
	*first = 0;
	*last = dpus - 1;
	if (config & UPMEM_CONFIG_BYDPU) {
		*first = FIELD_GET(UPMEM_CONFIG_DPU, config);
		*first = array_index_nospec(*first, dpus);
		*last = *first;
	}
}

int upmem_alloc_slot(const struct upmem_alloc *alloc, u64 config, unsigned int dpu)
{
	bool chain = config & UPMEM_CONFIG_CHAIN;
	unsigned int code = FIELD_GET(UPMEM_CONFIG_EVENT, config), i;

	if (code == UPMEM_dpu_cycles)
		return UPMEM_SLOT_CYCLES;
	if (code == UPMEM_dpu_instructions)
		return UPMEM_SLOT_INSTRUCTIONS;
	if (alloc->dpu[dpu].chain != chain)
		return -1;
	for (i = 0; i < 2; i++)
		if (alloc->dpu[dpu].users[i] && alloc->dpu[dpu].event[i] == code)
			return chain ? UPMEM_SLOT_CHAIN : i;
	return -1;
}

/*
 * The counter that an event which has none in this DPU would take, or -1: that which has counted
 * it, then one that has counted nothing.
 */
static int upmem_free(const struct upmem_alloc *alloc, u64 config, unsigned int dpu)
{
	const u32 *users = alloc->dpu[dpu].users;
	const u8 *event = alloc->dpu[dpu].event;
	unsigned int code = FIELD_GET(UPMEM_CONFIG_EVENT, config);

	if (config & UPMEM_CONFIG_CHAIN)
		return users[0] || users[1] ? -1 : 0;
	if (alloc->dpu[dpu].chain || (users[0] && users[1]))
		return -1;
	if (users[0] || users[1])
		return users[0] ? 1 : 0;
	return event[1] == code || (event[0] && event[0] != code && !event[1]) ? 1 : 0;
}

static void upmem_claim_dpu(struct upmem_alloc *alloc, u64 config, unsigned int dpu)
{
	u8 *event = alloc->dpu[dpu].event;
	int slot = upmem_alloc_slot(alloc, config, dpu);

	if (slot >= UPMEM_SLOT_CYCLES)
		return;
	if (slot < 0) {
		slot = upmem_free(alloc, config, dpu);
		event[slot] = FIELD_GET(UPMEM_CONFIG_EVENT, config);
		if (config & UPMEM_CONFIG_CHAIN) {
			event[1] = event[0];
			alloc->dpu[dpu].chain = true;
		}
	}
	alloc->dpu[dpu].users[slot == UPMEM_SLOT_2]++;
}

int upmem_alloc_claim(struct upmem_alloc *alloc, unsigned int dpus, u64 config, u16 *counters)
{
	unsigned int first, last, dpu;

	upmem_dpus(dpus, config, &first, &last);
	for (dpu = first; dpu <= last; dpu++)
		if (upmem_alloc_slot(alloc, config, dpu) < 0 && upmem_free(alloc, config, dpu) < 0)
			return -ENOSPC;
	for (dpu = first; dpu <= last; dpu++) {
		upmem_claim_dpu(alloc, config, dpu);
		if (counters)
			*counters++ = dpu * UPMEM_SLOTS + upmem_alloc_slot(alloc, config, dpu);
	}
	return last - first + 1;
}

void upmem_alloc_release(struct upmem_alloc *alloc, unsigned int dpus, u64 config)
{
	unsigned int first, last, dpu;
	int slot;

	upmem_dpus(dpus, config, &first, &last);
	for (dpu = first; dpu <= last; dpu++) {
		slot = upmem_alloc_slot(alloc, config, dpu);
		if (slot < 0 || slot >= UPMEM_SLOT_CYCLES)
			continue;
		if (!--alloc->dpu[dpu].users[slot == UPMEM_SLOT_2] && slot == UPMEM_SLOT_CHAIN)
			alloc->dpu[dpu].chain = false;
	}
}

void upmem_alloc_forget(struct upmem_alloc *alloc, unsigned int counter)
{
	unsigned int dpu = counter / UPMEM_SLOTS, slot = counter % UPMEM_SLOTS, i;

	if (alloc->dpu[dpu].chain)
		return;
	for (i = 0; i < 2; i++)
		if ((slot == i || slot == UPMEM_SLOT_CHAIN) && !alloc->dpu[dpu].users[i])
			alloc->dpu[dpu].event[i] = 0;
}
